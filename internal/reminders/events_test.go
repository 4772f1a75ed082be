package reminders_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/reminders"
	"almanac/projections/occur"
)

// ownEvents gives each of some users a calendar with events that remind at a time, and a series that does too.
func ownEvents(t *testing.T, s store.Store, users, each int, at time.Time) {
	t.Helper()
	before := clock.Fixed(at.Add(-time.Hour))
	ids := clock.NewIDs(before.Now, rand.Reader)
	c := &owncal.Client{Store: s, Rules: occur.NewRules(occur.DefaultRules), Now: before.Now}
	for u := range users {
		if _, err := s.EnsureUser(t.Context(), model.User{ID: user(u), CreatedAt: before.Now(),
			Settings: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}}); err != nil {
			t.Fatal(err)
		}
		for i := range each {
			event := model.Event{Summary: fmt.Sprint("event ", i),
				Start: model.EventTime{At: at.Add(time.Duration(9-i) * time.Minute), Zone: "UTC"},
				End:   model.EventTime{At: at.Add(time.Hour), Zone: "UTC"},
				Reminders: model.Reminders{Overrides: []model.Reminder{{Method: model.RemindByPopup, Minutes: 15},
					{Method: model.RemindByPopup, Minutes: 10}}}}
			if i == 0 {
				event.Recurrence = []string{"RRULE:FREQ=DAILY"}
			}
			if _, _, err := c.Insert(t.Context(), owncal.Connection(user(u)), "", gcal.NewEvent{Event: event,
				SourceID: model.OwnEventID(ids.New()), SetReminders: true}); err != nil {
				t.Fatal(err)
			}
		}
		since := before.Now() // and not the time of the store's own clock
		if err := s.Write(t.Context(), user(u), func(ctx context.Context, tx store.Tx) error {
			return tx.RemindOfEvents(ctx, 1, store.EventReminders{GivenUntil: since, NextAt: since}, nil)
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// remindedOnce holds the change log: each event, and of the series one occurrence, was reminded of once.
func remindedOnce(t *testing.T, s store.Store, users, each int) {
	t.Helper()
	for u := range users {
		changes, err := s.Changes(t.Context(), user(u), 0, nil, 1000)
		if err != nil {
			t.Fatal(err)
		}
		given := map[string]int{}
		for _, change := range changes {
			if change.Operation == model.OperationReminded {
				given[change.Remote]++
			}
		}
		for event, times := range given {
			if times != 1 {
				t.Errorf("user %d: %x was reminded of %d times", u, event, times)
			}
		}
		if len(given) != each {
			t.Errorf("user %d was reminded of %d events, want %d", u, len(given), each)
		}
	}
}

// Replicas that look at the same time, and workers that are stopped in the middle of a write, give each reminder of an
// event once between them.
func TestEventsRemindOnce(t *testing.T) {
	const users, each = 6, 5
	eachPlug(t, func(t *testing.T, open stores) {
		at := now()
		all := open(t, 3)
		ownEvents(t, all[0], users, each, at)
		worker := func(s store.Store) reminders.Worker {
			return reminders.Worker{Store: s, Now: clock.Fixed(at).Now, Interval: time.Hour, Batch: 2,
				Events: &owncal.Client{Store: s, Rules: occur.NewRules(occur.DefaultRules), Now: clock.Fixed(at).Now}}
		}
		look := func(s store.Store, ctx context.Context, stop func()) {
			w := worker(s)
			w.Observe = func(reminders.Report) { stop() }
			if err := w.Run(ctx); err != nil {
				t.Error(err)
			}
		}
		for stopAt := 1; stopAt <= 4; stopAt++ { // each dies in the middle of another write
			ctx, cancel := context.WithCancel(t.Context())
			look(&stoppingStore{Store: all[0], stopAt: stopAt % 3, stop: cancel}, ctx, cancel)
			cancel()
		}
		var running sync.WaitGroup
		for _, s := range all {
			running.Go(func() {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				look(s, ctx, cancel)
			})
		}
		running.Wait()
		remindedOnce(t, all[0], users, each)
		if due, err := all[0].DueEventReminders(t.Context(), at, 10); err != nil || len(due) != 0 {
			t.Errorf("%d calendars are still due: %v", len(due), err)
		}
	})
}
