package storetest

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testMaintenance(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("ready", func(t *testing.T) {
		if err := h.Ready(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("facts", func(t *testing.T) {
		facts := h.Facts()
		if facts.Name == "" || facts.TimePrecision <= 0 || facts.TimePrecision > time.Microsecond {
			t.Errorf("%+v", facts)
		}
	})
	t.Run("secrets", func(t *testing.T) { secrets(h.in(t), open) })
	t.Run("due reminders", func(t *testing.T) { dueReminders(h.in(t)) })
	t.Run("sweeping", func(t *testing.T) { sweeping(h.in(t)) })
}

func secrets(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	for round := range 20 {
		name := fmt.Sprint("signing ", round)
		var wait sync.WaitGroup
		got, start := make([][]byte, 12), make(chan struct{})
		for i := range got {
			wait.Go(func() {
				of := h.Store
				if i%2 == 1 {
					of = beside
				}
				<-start
				var err error
				if got[i], err = of.Secret(h.ctx, name, fmt.Appendf(nil, "\x00secret %d\xff", i)); err != nil {
					h.Errorf("Secret: %v", err)
				}
			})
		}
		close(start)
		wait.Wait()
		for i := range got {
			if !bytes.Equal(got[i], got[0]) || !bytes.HasPrefix(got[i], []byte("\x00secret ")) {
				h.Errorf("call %d got %q, the first %q", i, got[i], got[0])
			}
		}
		again := must(h, func() ([]byte, error) { return h.Secret(h.ctx, name, []byte("other")) })
		h.same("later", again, got[0])
	}
	second := must(h, func() ([]byte, error) { return h.Secret(h.ctx, "another name", []byte("other")) })
	h.same("another secret", string(second), "other")
}

func dueReminders(h *fixture) {
	users := []*fixture{h.as("reminded one"), h.as("reminded two"), h.as("reminded three")}
	at := func(u *fixture, minutes int) store.DueReminder {
		task := u.task("remind")
		task.NextReminderAt = noon.Add(time.Duration(minutes) * time.Minute)
		u.add(task, u.task("without"))
		return store.DueReminder{User: u.user, Task: task.ID, At: task.NextReminderAt}
	}
	fifth, first, future := at(users[0], 0), at(users[0], -30), at(users[0], 1)
	third, second := at(users[1], -10), at(users[1], -20)
	fourth := at(users[2], -5)
	due := func(now time.Time, limit int) []store.DueReminder {
		return must(h, func() ([]store.DueReminder, error) { return h.DueReminders(h.ctx, now, limit) })
	}
	h.same("the longest due first, of all users", due(noon, 100), []store.DueReminder{first, second, third, fourth, fifth})
	h.same("limited", due(noon, 2), []store.DueReminder{first, second})
	h.same("before any", len(due(noon.Add(-time.Hour), 100)), 0)
	h.same("all", len(due(noon.Add(time.Hour), 100)), 6)
	moved, _ := users[0].byID(first.Task, store.TaskRow)
	moved.NextReminderAt = time.Time{}
	users[0].write(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateTasks(ctx, model.OperationReminded, []model.Task{moved})
	})
	users[1].delete(second.Task)
	h.same("once fired or deleted", due(noon.Add(time.Hour), 100), []store.DueReminder{third, fourth, fifth, future})
}

func sweeping(h *fixture) {
	h = h.as("swept")
	ran := 0
	answer := func(context.Context) ([]byte, error) { ran++; return fmt.Append(nil, "run ", ran), nil }
	for i := range 30 {
		h.once(call(fmt.Sprint("old ", i), 1), answer)
	}
	used := h.ids.next()
	use := func() error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.UseConfirmation(ctx, used, h.clock.Now().Add(5*time.Minute))
		})
	}
	if err := use(); err != nil {
		h.Fatal(err)
	}
	sweep := func() {
		h.Helper()
		if err := h.Sweep(h.ctx, h.clock.Now(), 240*time.Hour); err != nil {
			h.Fatalf("Sweep: %v", err)
		}
	}
	sweep()
	h.same("a record of today", h.once(call("old 0", 1), answer), "run 1 replayed=true")
	h.fails("a confirmation of now", use(), store.ErrConflict)
	h.clock.advance(23 * time.Hour)
	h.once(call("new", 1), answer)
	h.clock.advance(2 * time.Hour)
	sweep()
	h.same("a record of yesterday", h.once(call("old 0", 2), answer), "run 32 replayed=false")
	h.same("one of two hours ago", h.once(call("new", 1), answer), "run 31 replayed=true")
	if err := use(); err != nil {
		h.Errorf("a forgotten confirmation: %v", err)
	}
}
