package reminders_test

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/reminders"
	"almanac/internal/teststore"
)

// stores opens the same database as often as asked, as that many processes would; SQLite is opened once for all.
type stores func(t *testing.T, n int) []store.Store

func sqliteStores(t *testing.T, n int) []store.Store {
	t.Helper()
	one, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := one.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := make([]store.Store, n)
	for i := range all {
		all[i] = one
	}
	return all
}

func postgresStores(t *testing.T, n int) []store.Store {
	t.Helper()
	address := teststore.Postgres(t)
	all := make([]store.Store, n)
	for i := range all {
		one, err := postgres.Open(t.Context(), postgres.Options{URL: address})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := one.Close(); err != nil {
				t.Error(err)
			}
		})
		if err := one.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		all[i] = one
	}
	return all
}

func eachPlug(t *testing.T, test func(t *testing.T, open stores)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteStores) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresStores) })
}

const (
	tenants    = 9
	perTenant  = 40
	dueOfEach  = 30 // the others are due later
	dailyEvery = 3  // every third repeats
)

// lay returns each of the tenants tasks, of which dueOfEach are due at the time given.
func lay(t *testing.T, s store.Store, at time.Time) {
	t.Helper()
	ids := clock.NewIDs(clock.Fixed(at).Now, rand.Reader)
	for tenant := range tenants {
		err := s.Write(t.Context(), user(tenant), func(ctx context.Context, tx store.Tx) error {
			tasks := make([]model.Task, perTenant)
			for i := range tasks {
				when := at.Add(-time.Duration(i) * time.Minute)
				if i >= dueOfEach {
					when = at.Add(time.Duration(i) * time.Hour)
				}
				if i%dailyEvery == 0 {
					tasks[i] = daily(when)
				} else {
					tasks[i] = reminderAt(when)
				}
				tasks[i].ID, tasks[i].CreatedAt, tasks[i].UpdatedAt = ids.New(), at, at
			}
			return tx.InsertTasks(ctx, tasks)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// wantFiredOnce reads the change log: each task that was due was reminded of exactly once, and no other one.
func wantFiredOnce(t *testing.T, s store.Store, at time.Time) {
	t.Helper()
	for tenant := range tenants {
		changes, err := s.Changes(t.Context(), user(tenant), 0, nil, 1000)
		if err != nil {
			t.Fatal(err)
		}
		fired := map[model.UUID]int{}
		for _, change := range changes {
			if change.Operation == model.OperationReminded {
				fired[change.ID]++
			}
		}
		if len(fired) != dueOfEach || len(changes) != perTenant+dueOfEach {
			t.Errorf("tenant %d: %d tasks fired in %d changes; want %d in %d", tenant, len(fired), len(changes), dueOfEach,
				perTenant+dueOfEach)
		}
		for id := range fired {
			tasks, err := s.TasksByID(t.Context(), user(tenant), []model.UUID{id}, store.TaskRow)
			if err != nil || len(tasks) != 1 {
				t.Fatalf("%d tasks, %v", len(tasks), err)
			}
			task := tasks[0]
			if task.RemindedAt.IsZero() || (!task.NextReminderAt.IsZero() && !task.NextReminderAt.After(at)) ||
				task.NextReminderAt.IsZero() == (task.Recurrence != nil) {
				t.Errorf("tenant %d: a task was not moved on: reminded %v, next %v", tenant, task.RemindedAt, task.NextReminderAt)
			}
		}
	}
	if due, err := s.DueReminders(t.Context(), at, 10); err != nil || len(due) != 0 {
		t.Errorf("%d are still due, %v", len(due), err)
	}
}

func TestReplicasFireOnce(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		at := now()
		all := open(t, 4)
		lay(t, all[0], at)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var looked, running sync.WaitGroup
		var fired, failed atomic.Int64
		for _, s := range all {
			looked.Add(1)
			w := reminders.Worker{Store: s, Now: clock.Fixed(at).Now, Interval: time.Hour, Batch: 50,
				Observe: func(r reminders.Report) {
					fired.Add(int64(r.Fired))
					failed.Add(int64(r.Failed))
					looked.Done()
				}}
			running.Go(func() {
				if err := w.Run(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		looked.Wait()
		cancel()
		running.Wait()
		if fired.Load() != tenants*dueOfEach || failed.Load() != 0 {
			t.Errorf("reported %d fired and %d failed, want %d and 0", fired.Load(), failed.Load(), tenants*dueOfEach)
		}
		wantFiredOnce(t, all[0], at)
	})
}

// Workers that are stopped at every possible write, one after the other, fire everything once between them.
func TestStoppedWorkersLoseAndRepeatNothing(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		at := now()
		s := open(t, 1)[0]
		lay(t, s, at)
		for stopAt := 1; stopAt <= 2*tenants; stopAt++ {
			ctx, cancel := context.WithCancel(t.Context())
			stopping := &stoppingStore{Store: s, stopAt: 1 + stopAt%3, stop: cancel}
			if err := (reminders.Worker{Store: stopping, Now: clock.Fixed(at).Now, Interval: time.Hour, Batch: 20,
				Observe: func(r reminders.Report) {
					if r.Fired+r.Passed+r.Failed == 0 {
						cancel()
					}
				}}).Run(ctx); err != nil {
				t.Fatal(err)
			}
			cancel()
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := (reminders.Worker{Store: s, Now: clock.Fixed(at).Now, Interval: time.Hour,
			Observe: func(reminders.Report) { cancel() }}).Run(ctx); err != nil {
			t.Fatal(err)
		}
		wantFiredOnce(t, s, at)
	})
}

// stoppingStore stops the worker in the middle of its stopAt-th write.
type stoppingStore struct {
	store.Store
	stopAt int
	stop   func()
}

func (s *stoppingStore) Write(ctx context.Context, user model.UserID,
	fn func(ctx context.Context, tx store.Tx) error) error {
	return s.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		if s.stopAt--; s.stopAt == 0 {
			s.stop()
		}
		return fn(ctx, tx)
	})
}
