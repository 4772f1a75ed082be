package reminders_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/reminders"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const interval = 5 * time.Second

// baton orders what a test does before pass with what the worker does after it, for the race detector: timers do not.
var baton atomic.Int64

// now is the time within synctest's bubbles, as the stores keep it.
func now() time.Time {
	baton.Load()
	return clock.System{}.Now()
}

func reminderAt(at time.Time) model.Task {
	return model.Task{ID: clock.NewIDs(now, rand.Reader).New(), Text: "a private text", DueAt: at.Add(30 * time.Minute),
		Reminder: 30 * time.Minute, NextReminderAt: at}
}

func daily(at time.Time) model.Task {
	task := reminderAt(at)
	task.DueAt, task.Reminder = time.Time{}, 0
	task.Recurrence = &model.Recurrence{Type: model.Daily, Time: at.Format("15:04"), TimeZone: "UTC"}
	return task
}

func user(n int) model.UserID { return model.UserIDOf(fmt.Sprint("user", n)) }

// start runs a worker in the bubble until the test ends, and waits for its first look.
func start(t *testing.T, w reminders.Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	if w.Now == nil {
		w.Now = now
	}
	if w.Interval == 0 {
		w.Interval = interval
	}
	go func() { ended <- w.Run(ctx) }()
	synctest.Wait()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("the worker ended with %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

// pass lets time go by in the bubble and waits until the worker rests.
func pass(d time.Duration) {
	baton.Add(1)
	time.Sleep(d)
	synctest.Wait()
}

func TestARemindersFiresWhenItIsDueAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		begin := now()
		task := reminderAt(begin.Add(time.Minute))
		m.add(user(1), task)
		start(t, reminders.Worker{Store: m})
		pass(time.Minute - time.Second)
		if m.fired[task.ID] != 0 {
			t.Fatal("it fired before its time")
		}
		pass(time.Second + interval)
		got := m.get(user(1), task.ID)
		if m.fired[task.ID] != 1 || !got.NextReminderAt.IsZero() || !got.RemindedAt.Equal(task.NextReminderAt) ||
			got.Text != task.Text {
			t.Fatalf("fired %d times: %+v", m.fired[task.ID], got)
		}
		pass(24 * time.Hour)
		if m.fired[task.ID] != 1 || m.writes[user(1)] != 1 {
			t.Errorf("a day later it has fired %d times in %d writes", m.fired[task.ID], m.writes[user(1)])
		}
	})
}

func TestDowntimeIsCaughtUpAtOnceAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		missed := now().Add(-10 * 24 * time.Hour)
		task := daily(missed)
		nudge := reminderAt(missed)
		nudge.DueAt, nudge.Reminder, nudge.Recurrence = time.Time{}, 0,
			&model.Recurrence{Type: model.Nudge, Interval: 10 * time.Minute}
		m.add(user(1), task)
		m.add(user(2), nudge)
		var report reminders.Report
		start(t, reminders.Worker{Store: m, Observe: func(r reminders.Report) { report = r }})
		got := m.get(user(1), task.ID)
		if m.fired[task.ID] != 1 || !got.NextReminderAt.After(now()) || got.NextReminderAt.Sub(now()) > 24*time.Hour {
			t.Errorf("ten missed days fired %d times; next at %v, it is %v", m.fired[task.ID], got.NextReminderAt, now())
		}
		if got := m.get(user(2), nudge.ID); got.NudgeCount != 1 || !got.NextReminderAt.Equal(now().Add(10*time.Minute)) {
			t.Errorf("the nudge: %+v", got)
		}
		if report.Fired != 2 || report.Failed != 0 || report.Latest < 10*24*time.Hour {
			t.Errorf("report %+v", report)
		}
		pass(48 * time.Hour)
		if n := m.fired[task.ID]; n != 3 {
			t.Errorf("two days later the daily one has fired %d times, want 3", n)
		}
	})
}

func TestRestartsLoseAndRepeatNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		begin := now()
		for i := range 100 {
			m.add(user(i%7), reminderAt(begin.Add(time.Duration(i)*time.Minute)))
		}
		for range 40 {
			stop := start(t, reminders.Worker{Store: m})
			pass(90 * time.Second)
			stop()
			pass(90 * time.Second)
		}
		if m.firedInAll() != 100 || len(m.fired) != 100 {
			t.Errorf("%d tasks fired %d times over 40 restarts, want 100 and 100", len(m.fired), m.firedInAll())
		}
	})
}

func TestManyWorkersFireOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		begin := now()
		for i := range 600 {
			m.add(user(i%20), daily(begin.Add(time.Duration(i%60)*time.Second)))
		}
		var mu sync.Mutex
		var sum reminders.Report
		for range 4 {
			start(t, reminders.Worker{Store: m, Batch: 17, Observe: func(r reminders.Report) {
				mu.Lock()
				defer mu.Unlock()
				sum.Fired += r.Fired
				sum.Failed += r.Failed
			}})
		}
		pass(2 * time.Minute)
		if len(m.fired) != 600 || m.firedInAll() != 600 || sum.Fired != 600 || sum.Failed != 0 {
			t.Errorf("%d tasks fired %d times, reported %+v; want 600 each", len(m.fired), m.firedInAll(), sum)
		}
	})
}

// A reminder that the user moves, completes or deletes between the look and the write does not fire.
func TestTheUserMayBeQuicker(t *testing.T) {
	for name, change := range map[string]func(m *memoryStore, task model.Task){
		"moved": func(m *memoryStore, task model.Task) {
			task.NextReminderAt = task.NextReminderAt.Add(time.Hour)
			m.add(user(1), task)
		},
		"completed": func(m *memoryStore, task model.Task) {
			task.CompletedAt, task.NextReminderAt = now(), time.Time{}
			m.add(user(1), task)
		},
		"completed, but still due": func(m *memoryStore, task model.Task) {
			task.CompletedAt = now()
			m.add(user(1), task)
		},
		"deleted": func(m *memoryStore, task model.Task) {
			m.mu.Lock()
			defer m.mu.Unlock()
			delete(m.tasks[user(1)], task.ID)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemoryStore()
			task := reminderAt(now())
			m.add(user(1), task)
			done := false
			m.failing = func(method string, _ model.UserID) error {
				if method == "Write" && !done {
					done = true
					change(m, task)
				}
				return nil
			}
			var report reminders.Report
			start(t, reminders.Worker{Store: m, Observe: func(r reminders.Report) { report = r }})
			if m.firedInAll() != 0 || report.Fired != 0 || report.Passed != 1 {
				t.Errorf("%s: fired %d times, %+v", name, m.firedInAll(), report)
			}
		})
	}
}

func TestAFailingUserStopsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		begin := now()
		// The failing user's reminders are the longest due, and more than a batch.
		for i := range 50 {
			m.add(user(0), reminderAt(begin.Add(-time.Hour-time.Duration(i)*time.Second)))
		}
		for i := range 30 {
			m.add(user(1+i), reminderAt(begin.Add(-time.Minute)))
		}
		broken := true
		m.failing = func(method string, u model.UserID) error {
			if broken && method == "TasksByID" && u == user(0) {
				return errors.New("a broken row: a private text is not for logs, but this is the store's own")
			}
			return nil
		}
		var log bytes.Buffer
		var report reminders.Report
		start(t, reminders.Worker{Store: m, Batch: 10, Logger: slog.New(slog.NewJSONHandler(&log, nil)),
			Observe: func(r reminders.Report) { report = r }})
		if m.firedInAll() != 30 || report.Fired != 30 || report.Failed != 50 {
			t.Errorf("%d fired, %+v; want 30 fired and 50 failed", m.firedInAll(), report)
		}
		if !strings.Contains(log.String(), `"user":"user_`) || strings.Contains(log.String(), `"text"`) {
			t.Errorf("logged %.300s", log.String())
		}
		for _, limit := range m.limits {
			if limit > 10+50 {
				t.Errorf("a look asked for %d reminders", limit)
			}
		}
		broken = false
		pass(interval)
		if m.firedInAll() != 80 || report.Failed != 0 {
			t.Errorf("mended, %d have fired, %+v", m.firedInAll(), report)
		}
	})
}

func TestOneBadTaskDoesNotHoldUpItsUser(t *testing.T) {
	for name, prepare := range map[string]func(m *memoryStore, w *reminders.Worker, bad model.UUID){
		"it cannot be written": func(m *memoryStore, _ *reminders.Worker, bad model.UUID) {
			m.refuse = func(task model.Task) error {
				if task.ID == bad {
					return errors.New("constraint")
				}
				return nil
			}
		},
		"it makes the rules panic": func(_ *memoryStore, w *reminders.Worker, bad model.UUID) {
			w.Remind = func(task model.Task, _ time.Time) model.Task {
				if task.ID == bad {
					panic("rule")
				}
				task.NextReminderAt = time.Time{}
				return task
			}
		},
		"it would be due again at once": func(_ *memoryStore, w *reminders.Worker, bad model.UUID) {
			w.Remind = func(task model.Task, _ time.Time) model.Task {
				if task.ID != bad {
					task.NextReminderAt = time.Time{}
				}
				return task
			}
		},
		"its write panics": func(m *memoryStore, _ *reminders.Worker, bad model.UUID) {
			m.refuse = func(task model.Task) error {
				if task.ID == bad {
					panic("store")
				}
				return nil
			}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemoryStore()
			var bad model.UUID
			for i := range 250 {
				task := reminderAt(now().Add(-time.Duration(i) * time.Second))
				m.add(user(1), task)
				if i == 120 {
					bad = task.ID
				}
			}
			var looks []reminders.Report
			w := reminders.Worker{Store: m, Observe: func(r reminders.Report) { looks = append(looks, r) }}
			prepare(m, &w, bad)
			start(t, w)
			pass(3 * interval)
			if m.firedInAll() != 249 || m.fired[bad] != 0 || len(looks) != 4 {
				t.Fatalf("%s: %d fired in %d looks", name, m.firedInAll(), len(looks))
			}
			if looks[0].Fired != 249 || looks[0].Failed != 1 || looks[3].Fired != 0 || looks[3].Failed != 1 {
				t.Errorf("%s: reports %+v", name, looks)
			}
		})
	}
}

func TestBatchesAndWritesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		for range 1000 {
			m.add(user(1), reminderAt(now()))
		}
		largest := 0
		inWrite := 0
		m.failing = func(method string, _ model.UserID) error {
			if method == "Write" {
				inWrite = 0
			}
			return nil
		}
		m.refuse = func(model.Task) error {
			inWrite++
			largest = max(largest, inWrite)
			return nil
		}
		start(t, reminders.Worker{Store: m, Batch: 250})
		if m.firedInAll() != 1000 || largest > 100 {
			t.Errorf("%d fired, at most %d in a write", m.firedInAll(), largest)
		}
		for _, limit := range m.limits {
			if limit != 250 {
				t.Errorf("asked for %d at once", limit)
			}
		}
	})
}

func TestAStoreThatIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		for i := range 64 {
			m.add(user(i%2), reminderAt(now()))
		}
		away := "Write"
		calls := 0
		m.failing = func(method string, _ model.UserID) error {
			if method == away {
				calls++
				return fmt.Errorf("dial: %w", store.ErrUnavailable)
			}
			return nil
		}
		start(t, reminders.Worker{Store: m})
		if calls != 2 || m.firedInAll() != 0 {
			t.Errorf("a store that is away was asked %d times for 2 users", calls)
		}
		away = "DueReminders"
		pass(3 * interval)
		if calls != 5 {
			t.Errorf("%d calls, want one more each look", calls)
		}
		away = ""
		pass(interval)
		if m.firedInAll() != 64 {
			t.Errorf("back again, %d fired", m.firedInAll())
		}
	})
}

// A store that hangs is given up after a while, and then tried again.
func TestAStoreThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		task := reminderAt(now())
		m.add(user(1), task)
		hangs := &hangingStore{memoryStore: m, hang: true}
		start(t, reminders.Worker{Store: hangs})
		pass(29 * time.Second)
		hangs.hang = false
		if m.firedInAll() != 0 {
			t.Error("it fired through a store that hangs")
		}
		pass(time.Second + interval)
		if m.firedInAll() != 1 {
			t.Error("the worker still waits for the store")
		}
	})
}

type hangingStore struct {
	*memoryStore
	hang bool
}

func (h *hangingStore) Write(ctx context.Context, user model.UserID,
	fn func(ctx context.Context, tx store.Tx) error) error {
	if h.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	return h.memoryStore.Write(ctx, user, fn)
}

func TestStoppingInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		for i := range 40 {
			m.add(user(i), reminderAt(now()))
		}
		ctx, cancel := context.WithCancel(context.Background())
		writes := 0
		m.failing = func(method string, _ model.UserID) error {
			if method == "TasksByID" {
				if writes++; writes == 10 {
					cancel()
				}
			}
			return nil
		}
		var log bytes.Buffer
		w := reminders.Worker{Store: m, Now: now, Interval: interval, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		if err := w.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if m.firedInAll() != 9 || writes != 10 || log.Len() != 0 {
			t.Errorf("%d fired, %d writes, logged %q; want 9 and the tenth rolled back, quietly", m.firedInAll(), writes,
				log.String())
		}
		start(t, reminders.Worker{Store: m})
		if m.firedInAll() != 40 {
			t.Errorf("after the next start %d have fired", m.firedInAll())
		}
	})
}

func TestSweeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		m.failing = func(method string, _ model.UserID) error {
			if method == "Sweep" && len(m.sweeps) == 2 {
				return errors.New("locked")
			}
			return nil
		}
		begin := now()
		start(t, reminders.Worker{Store: m, KeepChanges: 72 * time.Hour})
		if len(m.sweeps) != 0 {
			t.Error("it sweeps while it starts")
		}
		pass(3*time.Hour + 2*time.Minute)
		if len(m.sweeps) != 4 || !m.sweeps[0].Equal(begin.Add(time.Minute)) || m.sweeps[3].Sub(m.sweeps[2]) != time.Hour ||
			m.kept != 72*time.Hour {
			t.Errorf("swept at %v, keeping %v", m.sweeps, m.kept)
		}
	})
}

func TestAWorkerThatOnlySweeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryStore()
		m.add(user(1), reminderAt(now()))
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- reminders.Worker{Store: m, Now: now}.Run(ctx) }()
		pass(2 * time.Hour)
		if m.firedInAll() != 0 || len(m.limits) != 0 || len(m.sweeps) != 2 {
			t.Errorf("fired %d, looked %d times, swept %d times", m.firedInAll(), len(m.limits), len(m.sweeps))
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestAWorkerThatLacksSomething(t *testing.T) {
	for _, w := range []reminders.Worker{{Now: now, Interval: 1}, {Store: newMemoryStore(), Interval: 1},
		{Store: newMemoryStore(), Now: now, Interval: -1}} {
		if err := w.Run(context.Background()); err == nil {
			t.Errorf("%+v ran", w)
		}
	}
}
