package share_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/share"
)

func keyOf(user, token string) share.Key { return share.Key{User: model.UserIDOf(user), Token: token} }

// gate is a gate whose visitors say when they run and stay until they are told.
type gate struct {
	*share.Gate
	t   *testing.T
	ran chan string
	end map[string]chan struct{}
}

func newGate(t *testing.T, limits share.Limits) *gate {
	t.Helper()
	return &gate{Gate: share.NewGate(limits), t: t, ran: make(chan string, 1000), end: map[string]chan struct{}{}}
}

// send sends somebody to the gate under a name of their own and waits until they run or wait; what they are refused
// with is said too.
func (g *gate) send(name string, key share.Key, cost int64) {
	end := make(chan struct{})
	g.end[name] = end
	go func() {
		place, err := g.Enter(g.t.Context(), key)
		switch {
		case errors.Is(err, share.ErrOwnShare):
			g.ran <- name + " has their share"
		case err != nil:
			g.ran <- name + " is refused"
		default:
			g.Charge(key, cost)
			g.ran <- name
			<-end
			place.Leave()
		}
	}()
	synctest.Wait()
}

// heard returns what was said since the last time.
func (g *gate) heard() (said []string) {
	synctest.Wait()
	for {
		select {
		case one := <-g.ran:
			said = append(said, one)
		default:
			return said
		}
	}
}

func (g *gate) expect(want ...string) {
	g.t.Helper()
	if got := g.heard(); fmt.Sprint(got) != fmt.Sprint(want) {
		g.t.Errorf("heard %v, want %v", got, want)
	}
}

// With all places taken by one user and 340 more of their requests behind them, another user's request is next to run.
func TestOneUsersFloodDelaysNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, share.Limits{Running: 4, PartyRunning: 4, TokenRunning: 4, Queued: 1000, PartyQueued: 400,
			Wait: time.Hour})
		for i := range 4 + 340 {
			g.send(fmt.Sprint("flood ", i), keyOf("flood", ""), 10)
		}
		g.expect("flood 0", "flood 1", "flood 2", "flood 3")
		g.send("quiet", keyOf("quiet", ""), 10)
		g.expect()
		close(g.end["flood 0"])
		g.expect("quiet")
		g.send("quiet again", keyOf("quiet", ""), 10)
		close(g.end["flood 1"])
		close(g.end["quiet"])
		if said := g.heard(); len(said) != 2 || said[0] != "quiet again" && said[1] != "quiet again" {
			t.Errorf("with two places free: %v", said)
		}
		for name, end := range g.end {
			if name != "flood 0" && name != "flood 1" && name != "quiet" {
				close(end)
			}
		}
		said := g.heard()
		if all, _ := g.Waiting(); len(said) != 340-1 || all != 0 {
			t.Errorf("%d more have run, and %d wait", len(said), all)
		}
	})
}

// Of two who flood alike, the one whose requests cost ten times as much is let in less often.
func TestWhatCostsMoreWaitsLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, share.Limits{Running: 1, PartyRunning: 1, TokenRunning: 1, Queued: 1000, PartyQueued: 400,
			Wait: time.Hour})
		g.send("first", keyOf("somebody", ""), 0)
		for i := range 60 {
			g.send(fmt.Sprint("dear ", i), keyOf("dear", ""), 1000)
			g.send(fmt.Sprint("cheap ", i), keyOf("cheap", ""), 0)
		}
		g.expect("first")
		close(g.end["first"])
		cheap, dear := 0, 0
		for range 48 {
			said := g.heard()
			if len(said) != 1 {
				t.Fatalf("%v run at once", said)
			}
			if said[0][0] == 'c' {
				cheap++
			} else {
				dear++
			}
			close(g.end[said[0]])
			delete(g.end, said[0])
		}
		if dear < 3 || dear > 6 {
			t.Errorf("%d dear and %d cheap ones were let in", dear, cheap)
		}
		delete(g.end, "first")
		for _, end := range g.end {
			close(end)
		}
	})
}

// Nobody has more places than a share, nor a token more than its own; and what waits for its own share does not keep
// others from the places that are free.
func TestSharesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, share.Limits{Running: 8, PartyRunning: 3, TokenRunning: 2, Queued: 5, PartyQueued: 2,
			Wait: time.Second})
		g.send("a1", keyOf("a", "script"), 0)
		g.send("a2", keyOf("a", "script"), 0)
		g.send("a3", keyOf("a", "script"), 0)
		g.expect("a1", "a2")
		g.send("a4", keyOf("a", "dashboard"), 0)
		g.expect("a4")
		g.send("a5", keyOf("a", "dashboard"), 0)
		g.send("a6", keyOf("a", "dashboard"), 0)
		g.expect("a6 has their share")
		g.send("b1", keyOf("b", ""), 0)
		g.expect("b1")
		if all, own := g.Waiting(); all != 2 || own != 2 {
			t.Errorf("%d wait, %d of them for their own share", all, own)
		}
		close(g.end["a4"])
		g.expect("a5")
		time.Sleep(2 * time.Second)
		g.expect("a3 has their share")
		for _, name := range []string{"a1", "a2", "a5", "b1"} {
			close(g.end[name])
		}
		g.expect()
	})
}

// Beyond what may wait in all, whoever comes is refused at once for the server's sake; whoever gives up leaves their
// place in the queue.
func TestTheQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, share.Limits{Running: 1, PartyRunning: 1, TokenRunning: 1, Queued: 2, PartyQueued: 2,
			Wait: time.Minute})
		g.send("a", keyOf("a", ""), 0)
		g.send("b", keyOf("b", ""), 0)
		ctx, giveUp := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() {
			_, err := g.Enter(ctx, keyOf("c", ""))
			gone <- err
		}()
		synctest.Wait()
		g.send("d", keyOf("d", ""), 0)
		g.expect("a", "d is refused")
		giveUp()
		if err := <-gone; model.CodeOf(err) != model.CodeRateLimited {
			t.Error(err)
		}
		g.send("e", keyOf("e", ""), 0)
		close(g.end["a"])
		g.expect("b")
		close(g.end["b"])
		g.expect("e")
		close(g.end["e"])
	})
}

// What was done already is taken, also where less is left, and no more than a whole budget beyond.
func TestWhatIsDoneIsTaken(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	b := share.NewBudget(6_000, time.Minute, func() time.Time { return now })
	dana := model.UserIDOf("dana")
	b.Take(dana, 100_000)
	if left, full := b.Left(dana); left != 0 || full != 2*time.Minute {
		t.Errorf("%d left, full in %v", left, full)
	}
	if err := b.Spend(dana, 1); err == nil {
		t.Error("somebody who owes may spend")
	}
	now = now.Add(2 * time.Minute)
	if err := b.Spend(dana, 6_000); err != nil {
		t.Error(err)
	}
}

func TestABudgetIsAMinutes(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	b := share.NewBudget(6_000, time.Minute, func() time.Time { return now })
	dana, eve := model.UserIDOf("dana"), model.UserIDOf("eve")
	if err := b.Spend(dana, 5_000); err != nil {
		t.Fatal(err)
	}
	if left, full := b.Left(dana); left != 1_000 || full != 50*time.Second {
		t.Errorf("%d left, full in %v", left, full)
	}
	err := b.Spend(dana, 2_000)
	if err == nil || err.Code != model.CodeRateLimited || err.RetryAfter != 10*time.Second ||
		!errors.Is(err, share.ErrOwnShare) {
		t.Errorf("beyond the budget: %v", err)
	}
	if err := b.Spend(eve, 6_000); err != nil {
		t.Errorf("another user: %v", err)
	}
	now = now.Add(10 * time.Second)
	if err := b.Spend(dana, 2_000); err != nil {
		t.Errorf("when it said: %v", err)
	}
	now = now.Add(time.Hour)
	if err := b.Spend(dana, 9_000); err != nil {
		t.Errorf("what costs more than a minute's budget, when that is full: %v", err)
	}
	if left, full := b.Left(dana); left != 0 || full != 90*time.Second {
		t.Errorf("%d left, full in %v", left, full)
	}
	if left, _ := b.Left(eve); left != 6_000 {
		t.Errorf("%d left an hour later", left)
	}
	var none *share.Budget
	if err := none.Spend(dana, 1<<40); err != nil {
		t.Error("no budget is a bound")
	}
}
