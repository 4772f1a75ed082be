package share_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/share"
)

// A party by itself has its whole share. Once another is let in, it has the smaller one, for as long as somebody else
// was let in within the window.
func TestTheShareBesideOthersIsSmaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := share.NewGate(share.Limits{Running: 100, PartyRunning: 10, TokenRunning: 10, Queued: 100, PartyQueued: 100,
			Wait: time.Millisecond, PartyBeside: 2, Now: time.Now})
		flooding, quiet := share.Key{User: model.UserIDOf("flooding")}, share.Key{User: model.UserIDOf("quiet")}
		many := func() (taken int) {
			var turns []*share.Turn
			for {
				turn := &share.Turn{}
				if turn.Take(t.Context(), gate, flooding) != nil {
					break
				}
				turns = append(turns, turn)
			}
			for _, turn := range turns {
				turn.Leave()
				turn.Leave() // which does nothing
			}
			return len(turns)
		}
		if n := many(); n != 10 {
			t.Errorf("%d turns by itself", n)
		}
		for range 3 {
			var turn share.Turn
			if err := turn.Take(t.Context(), gate, quiet); err != nil {
				t.Fatal(err)
			}
			turn.Leave()
			if n := many(); n != 2 {
				t.Errorf("%d turns beside another", n)
			}
		}
		time.Sleep(share.BesideWindow)
		if n := many(); n != 10 {
			t.Errorf("%d turns by itself again", n)
		}
	})
}

func TestATurnIsFoundInItsContext(t *testing.T) {
	t.Parallel()
	gate := share.NewGate(share.Limits{Running: 1, PartyRunning: 1, TokenRunning: 1, Queued: 1, PartyQueued: 1})
	turn := &share.Turn{}
	if err := turn.Take(t.Context(), gate, share.Key{}); err != nil {
		t.Fatal(err)
	}
	below, cancel := context.WithCancel(turn)
	defer cancel()
	if share.TurnOf(t.Context()) != nil || share.TurnOf(below) != turn {
		t.Error("not found, or found where there is none")
	}
}
