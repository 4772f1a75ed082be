package share_test

import (
	"context"
	"sync"
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

// Beside others a party is let in at its pace after a burst, though nobody leaves meanwhile; by itself it is not held
// up, and what it did by itself does not count when another comes.
func TestThePaceBesideOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const pace = 10 * time.Millisecond
		gate := share.NewGate(share.Limits{Running: 100, PartyRunning: 3, TokenRunning: 3, Queued: 100, PartyQueued: 100,
			Wait: time.Minute, PartyBeside: 2, BesidePace: pace, Now: time.Now})
		flooding, quiet := share.Key{User: model.UserIDOf("flooding")}, share.Key{User: model.UserIDOf("quiet")}
		enter := func(key share.Key, times int) time.Duration {
			began := time.Now()
			for range times {
				place, err := gate.Enter(t.Context(), key)
				if err != nil {
					t.Fatal(err)
				}
				place.Leave()
			}
			return time.Since(began)
		}
		flood := func(times int) time.Duration {
			began := time.Now()
			var all sync.WaitGroup
			for range times {
				all.Go(func() { enter(flooding, 1) })
			}
			all.Wait()
			return time.Since(began)
		}
		hold, err := gate.Enter(t.Context(), flooding) // who neither runs nor waits is forgotten
		if err != nil {
			t.Fatal(err)
		}
		defer hold.Leave()
		if took := flood(50); took != 0 {
			t.Errorf("by itself it took %v", took)
		}
		for range 3 {
			if took := enter(quiet, 1); took != 0 {
				t.Errorf("the other waited %v", took)
			}
			if took := flood(3); took != 0 {
				t.Errorf("a burst took %v", took)
			}
			time.Sleep(share.BesideWindow)
		}
		enter(quiet, 1)
		if took := flood(13); took != 10*pace {
			t.Errorf("13 beside another took %v", took)
		}
	})
}
