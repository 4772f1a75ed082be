package calsync_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
)

// rowsOfASync are so many that they are told in several writes.
const rowsOfASync = 450

// wantEachOnce: the log has a line of each of the events, once, in their order.
func (h *fixture) wantEachOnce(c model.Connection, operation model.Operation) {
	h.Helper()
	want := make([]string, rowsOfASync)
	for i := range want {
		want[i] = fmt.Sprintf("%s e%03d", operation, i)
	}
	if got := h.told(c)[len(h.beginning(c)):]; !slices.Equal(got, want) {
		h.Errorf("%d lines, want %d, each event once: %.200q", len(got), len(want), got)
	}
}

// A feed is something that is followed, for tests that hold for all of them.
type feed struct {
	name    string
	account func() model.Connection
	worker  func(w *calsync.Worker, h *fixture)
	put     func(h *fixture, c model.Connection)
	state   func(h *fixture, c model.Connection) store.SyncState
	// writes are the calls of the store that only a sync of it makes.
	writes []string
}

func feeds() []feed {
	return []feed{
		{"calendar", func() model.Connection { return account(1) }, func(*calsync.Worker, *fixture) {}, (*fixture).putMany,
			(*fixture).state, []string{"KeptCalendars", "EventNumber", "ApplyEvents"}},
		{"mailbox", openAccount, func(w *calsync.Worker, h *fixture) { w.Mail = h.mail }, (*fixture).mailMany,
			(*fixture).mailState, []string{"LastRemote", "LogRemote"}},
	}
}

func eachFeed(t *testing.T, test func(t *testing.T, f feed)) {
	for _, f := range feeds() {
		t.Run(f.name, func(t *testing.T) { test(t, f) })
	}
}

func (f feed) of(h *fixture, change ...func(*calsync.Worker)) *calsync.Worker {
	return h.worker(append(change, func(w *calsync.Worker) { f.worker(w, h) })...)
}

func (h *fixture) putMany(c model.Connection) {
	for i := range rowsOfASync {
		h.remote.put(c, fmt.Sprintf("e%03d", i), "1", model.EventConfirmed)
	}
}

// Whatever call of the store is the last one of a process, before it or after it, the next process tells the rest, and
// nothing twice.
func TestACrashAnywhereLosesAndDoublesNothing(t *testing.T) { eachFeed(t, crashAnywhere) }

func crashAnywhere(t *testing.T, f feed) {
	calls := 0
	for crashAt := 1; crashAt == 1 || calls >= crashAt-1; crashAt++ {
		bubble(t, func(t *testing.T, h *fixture) {
			c := h.link(f.of(h), f.account())
			stop := h.run(f.of(h))
			stop()
			f.put(h, c)
			pass(interval)

			// From this call on the database does not hear from this process any more.
			ctx, kill := context.WithCancel(context.Background())
			dead := errors.New("killed")
			calls = 0
			h.store.failing = func(string) error {
				if calls++; calls >= crashAt {
					kill()
					return dead
				}
				return nil
			}
			w := f.of(h, func(w *calsync.Worker) {
				w.Observe = func(l calsync.Report) {
					if l.Outcome == calsync.OutcomeRead && l.Changes > 0 {
						kill()
					}
				}
			})
			if err := w.Run(ctx); err != nil {
				t.Fatal(err)
			}
			kill()
			h.store.failing = nil
			calls = min(calls, crashAt)

			h.run(f.of(h))
			pass(5 * time.Minute) // the lease of the dead one ends
			h.wantEachOnce(c, model.OperationCreated)
		})
		if t.Failed() {
			t.Fatalf("when killed at call %d", crashAt)
		}
		if calls < crashAt { // it was not reached
			if crashAt < 10 {
				t.Fatalf("a sync makes %d calls; are there any?", calls)
			}
			return
		}
	}
}

// A write that fails in the middle, in a process that goes on, is the same.
func TestFailingWritesLoseAndDoubleNothing(t *testing.T) { eachFeed(t, failingWrites) }

func failingWrites(t *testing.T, f feed) {
	for _, method := range slices.Concat(f.writes, []string{"Write", "SyncStates", "SaveSyncState", "commit",
		"Connections"}) {
		for nth := 1; nth <= 3; nth++ {
			bubble(t, func(t *testing.T, h *fixture) {
				c := h.link(f.of(h), f.account())
				h.run(f.of(h))
				f.put(h, c)
				n := 0
				h.store.failing = func(called string) error {
					if called == method {
						if n++; n == nth {
							return fmt.Errorf("dial: %w", store.ErrUnavailable)
						}
					}
					return nil
				}
				pass(10 * time.Minute)
				h.wantEachOnce(c, model.OperationCreated)
				if n < nth {
					t.Errorf("%s was called %d times", method, n)
				}
			})
		}
	}
}

// A process that hangs loses its lease, and whatever it does when it comes to itself is without effect.
func TestALeaseEnds(t *testing.T) { eachFeed(t, aLeaseEnds) }

func aLeaseEnds(t *testing.T, f feed) {
	bubble(t, func(t *testing.T, h *fixture) {
		c := h.link(f.of(h), f.account())
		stop := h.run(f.of(h))
		stop()
		h.alter(c, func(rows *userRows) { // nothing else is followed
			maps.DeleteFunc(rows.states, func(_ stateKey, state store.SyncState) bool { return state != f.state(h, c) })
		})
		f.put(h, c)
		pass(interval)
		claimed := now()
		freeze := make(chan struct{})
		sleeper := &sleepingStore{memoryStore: h.store, freeze: freeze}
		h.run(f.of(h, func(w *calsync.Worker) { w.Store = sleeper }))
		h.run(f.of(h))
		pass(3*time.Minute - time.Second)
		if n := len(h.told(c)) - len(h.beginning(c)); n != 0 {
			t.Errorf("%d changes were told through a lease of %v", n, now().Sub(claimed))
		}
		pass(10 * time.Second)
		h.wantEachOnce(c, model.OperationCreated)
		before := f.state(h, c)
		close(freeze)
		synctest.Wait()
		h.wantEachOnce(c, model.OperationCreated)
		if after := f.state(h, c); after.Token != before.Token || after.Failures != 0 {
			t.Errorf("the sleeper has made %+v of %+v", after, before)
		}
	})
}

// sleepingStore sleeps in its first Write, deaf to its context, as a process does that was stopped.
type sleepingStore struct {
	*memoryStore
	freeze chan struct{}
	slept  atomic.Bool
}

func (s *sleepingStore) Write(ctx context.Context, user model.UserID,
	fn func(ctx context.Context, tx store.Tx) error) error {
	if s.slept.CompareAndSwap(false, true) {
		<-s.freeze
		ctx = context.WithoutCancel(ctx)
	}
	return s.memoryStore.Write(ctx, user, fn)
}

// A notice while a calendar is synced makes it synced again: the sync may have read before what the notice is about.
func TestNotifiedWhileItIsSynced(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		h.remote.put(c, "a", "1", model.EventConfirmed)
		release := make(chan struct{})
		var waited atomic.Bool
		h.remote.set(func(r *remote) {
			r.answered = func(string) {
				if waited.CompareAndSwap(false, true) {
					<-release
				}
			}
		})
		pass(interval) // the sync has read, and not told
		h.remote.put(c, "a", "2", model.EventConfirmed)
		h.remote.put(c, "b", "1", model.EventConfirmed)
		if err := w.Notify(t.Context(), c.User, c.ID, ""); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		h.wantTold(c, "CREATED a", "CREATED b") // a second sync was quicker
		close(release)
		pass(5 * time.Second)
		h.wantTold(c, "CREATED a", "CREATED b")
		if got := h.outcomes(); !slices.Equal(got,
			[]calsync.Outcome{calsync.OutcomeBegun, calsync.OutcomeRead, calsync.OutcomeOvertaken}) {
			t.Errorf("syncs %v", got)
		}
		h.remote.put(c, "b", "2", model.EventConfirmed)
		pass(interval + 5*time.Second)
		h.wantTold(c, "CREATED a", "CREATED b", "UPDATED b")
	})
}

// What the slower of two syncs knows beyond the quicker one is not lost: it is synced once more, at once.
func TestAnOvertakenSyncComesAgain(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		h.remote.put(c, "a", "1", model.EventConfirmed)
		once := false
		h.remote.set(func(r *remote) {
			r.answered = func(string) {
				if once {
					return
				}
				once = true
				h.alter(c, func(rows *userRows) { // another worker, whose lease this one has taken, has told of a at last
					state := rows.states[stateKey{c.ID, ""}]
					state.Token = "0/1"
					rows.states = maps.Clone(rows.states)
					rows.states[stateKey{c.ID, ""}] = state
				})
				h.remote.put(c, "b", "1", model.EventConfirmed)
			}
		})
		pass(interval + 5*time.Second)
		h.wantTold(c, "CREATED b")
		if got := h.outcomes(); !slices.Equal(got,
			[]calsync.Outcome{calsync.OutcomeBegun, calsync.OutcomeOvertaken, calsync.OutcomeRead}) {
			t.Errorf("syncs %v", got)
		}
	})
}

func TestStoppingGivesCalendarsBack(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		ctx, cancel := context.WithCancel(context.Background())
		h.remote.failing = func(string, model.Connection) error {
			cancel()
			return ctx.Err()
		}
		if err := w.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if got := h.outcomes(); !slices.Equal(got, []calsync.Outcome{calsync.OutcomeStopped}) || h.state(c).Failures != 0 ||
			h.log.Len() != 0 {
			t.Errorf("syncs %v, %+v, logged %s", got, h.state(c), h.log.String())
		}
		h.remote.failing = nil
		h.run(h.worker())
		if h.state(c).Token == "" {
			t.Error("the next worker waits for the lease of the one before")
		}
	})
}

func TestAStoreThatIsAway(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.store.failing = func(string) error { return fmt.Errorf("dial: %w", store.ErrUnavailable) }
		h.run(w)
		pass(time.Minute)
		if n := h.remote.asked("Sync"); n != 0 || strings.Count(h.log.String(), "\n") > 15 {
			t.Errorf("without a store, Google was asked %d times; logged %s", n, h.log.String())
		}
		if err := w.Notify(t.Context(), c.User, c.ID, ""); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("notified: %v", err)
		}
		h.store.failing = nil
		pass(5 * time.Second)
		if h.state(c).Token == "" {
			t.Error("it does not go on")
		}
	})
}
