package postgres_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
	"almanac/graph/model"
	"almanac/internal/teststore"
)

// silence is how long a call without a deadline waits in these tests.
const silence = time.Second

// reached counts the methods whose SQL was sent.
type reached struct {
	mu  sync.Mutex
	sql int
}

func (r *reached) trace(string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sql++
}

func (r *reached) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sql
}

// TestASilentServerHoldsNobody: while nothing comes through to the server or back, and no connection breaks, every
// method of the contract returns without the caller's doing, and with a caller's deadline at that; none of them has
// done anything. The first calls after that succeed, on few connections, whether the bytes of the meantime arrive then
// or are lost.
func TestASilentServerHoldsNobody(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]bool{"it was stopped": false, "the network lost everything": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, through := newProxy(t, teststore.NewPostgres(t))
			sent := &reached{}
			s := open(t, postgres.Options{URL: through + "&connect_timeout=1", MaxConns: 3, CallTimeout: silence,
				Trace: sent.trace})
			calls := storetest.Every(s)
			idle := []string{}
			healthy := map[string]bool{}
			for method, call := range calls {
				before := sent.count()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a busy machine answers late
				err := call(ctx)
				cancel()
				if errors.Is(err, store.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s of a server that answers: %v", method, err)
				}
				if healthy[method] = sent.count() > before; !healthy[method] {
					idle = append(idle, method)
				}
			}
			slices.Sort(idle)
			if len(calls) < 70 || len(idle) > len(calls)/10 {
				t.Fatalf("%d methods were called, and these did not ask the server: %v", len(calls), idle)
			}
			p.silence(lose)
			var group sync.WaitGroup
			for method, call := range calls {
				if !healthy[method] {
					continue
				}
				group.Go(func() {
					if err := call(context.Background()); !errors.Is(err, store.ErrUnavailable) {
						t.Errorf("%s of a silent server, without a deadline: %v", method, err)
					}
				})
				group.Go(func() {
					ctx, cancel := context.WithTimeout(context.Background(), silence/3)
					defer cancel()
					if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, store.ErrUnavailable) {
						t.Errorf("%s of a silent server, with a deadline: %v", method, err)
					}
				})
			}
			group.Wait() // it ends
			p.speak()
			writeFirst(t, s)
			for method, call := range calls {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				if err := call(ctx); errors.Is(err, store.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s of a server that answers again: %v", method, err)
				}
				cancel()
			}
		})
	}
}

// writeFirst writes once, without trying again, when the server is heard again.
func writeFirst(t *testing.T, s *postgres.Store) {
	t.Helper()
	// pgx takes 15 seconds to give up a connection, which nobody may wait for.
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	began, task := time.Now(), newTask("after")
	if err := s.Ready(ctx); err != nil {
		t.Errorf("Ready: %v", err)
	}
	if err := insert(ctx, s, dana, task); err != nil || !isThere(t, s, dana, task) {
		t.Errorf("the first write: %v", err)
	}
	t.Logf("the first write took %v", time.Since(began).Round(time.Millisecond))
}

// TestAServerThatFallsSilentInATransaction: the transaction ends, whatever it was about to do, and its user can write
// again.
func TestAServerThatFallsSilentInATransaction(t *testing.T) {
	t.Parallel()
	p, through := newProxy(t, teststore.NewPostgres(t))
	s := open(t, postgres.Options{URL: through + "&connect_timeout=1", MaxConns: 2, CallTimeout: silence})
	s.CommitWithin(silence)
	for what, step := range map[string]func(ctx context.Context, tx store.Tx) error{
		"a read": func(ctx context.Context, tx store.Tx) error {
			_, err := tx.TasksByID(ctx, dana, []model.UUID{ids.New()}, 0)
			return err
		},
		"a write":    func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{newTask("x")}) },
		"giving up":  func(context.Context, store.Tx) error { return store.ErrUnavailable },
		"the commit": func(context.Context, store.Tx) error { return nil },
	} {
		task := newTask(what)
		err := s.Write(context.Background(), dana, func(ctx context.Context, tx store.Tx) error {
			if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
				return err
			}
			p.silence(false)
			return step(ctx, tx)
		})
		if !errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrOutcomeUnknown) != (what == "the commit") {
			t.Errorf("%s: %v", what, err)
		}
		p.speak()
		writeFirst(t, s)
		if what != "the commit" && isThere(t, s, dana, task) {
			t.Errorf("%s: what was never committed is there", what)
		}
	}
}
