package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testEventErasure(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("of a calendar", func(t *testing.T) { erasedCalendar(h.in(t).as("erased calendar")) })
	t.Run("by a sweep", func(t *testing.T) { sweptCalendar(newFixture(t, open)) })
	t.Run("reminders", func(t *testing.T) { eventReminders(newFixture(t, open)) })
	t.Run("with the account", func(t *testing.T) { erasedWithAccount(h.in(t).as("erased account")) })
	t.Run("of another's events", func(t *testing.T) { eventTenancy(h.in(t)) })
}

// erasedCalendar: what DeleteCalendar hides at once is erased in chunks, and with it what actions tell.
func erasedCalendar(h *fixture) {
	doomed, stays := h.ownCalendar("doomed"), h.ownCalendar("stays")
	var events []model.EventRow
	for i := range 25 {
		event := single(doomed.Number, fmt.Sprint("e", i), noon, time.Hour)
		event.Body = wholeBody()
		events = append(events, event)
	}
	events = append(events, single(stays.Number, "kept", noon, time.Hour))
	h.saveEvents(events...)
	count := func(calendar int) int {
		return must(h, func() (int, error) { return h.CountEvents(h.ctx, h.user, calendar) })
	}
	h.same("counted", count(doomed.Number), 25)
	about := doomed.Ref().ID()
	action := model.Action{ID: h.ids.next(), Summary: "Created “secret”", Inverse: []byte("secret"), At: noon,
		UndoUntil: noon.AddDate(1, 0, 0), ForgetAt: noon.AddDate(2, 0, 0)}
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveAction(ctx, action, []model.ID{about}) })
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteCalendar(ctx, doomed.Number, noon) })
	acts := must(h, func() ([]model.Action, error) {
		return h.ActionsByID(h.ctx, h.user, []model.UUID{action.ID}, ^store.ActionColumns(0))
	})
	h.same("what actions told", acts[0].Summary+string(acts[0].Inverse), "")
	unseen := func() {
		h.Helper()
		h.same("counted", count(doomed.Number), 0)
		keys := []model.EventKey{events[0].Key(), events[24].Key()}
		h.same("by key", len(must(h, func() ([]model.EventRow, error) {
			return h.EventsByKey(h.ctx, h.user, keys, 0)
		})), 0)
		h.same("all", len(must(h, func() ([]model.EventRow, error) {
			return h.AllEvents(h.ctx, h.user, doomed.Number, "", 99)
		})), 0)
		h.same("by UID", len(must(h, func() ([]model.EventRow, error) {
			return h.EventsByUID(h.ctx, h.user, []string{events[0].UID}, 0)
		})), 0)
	}
	unseen()
	rounds := 0
	for more := true; more; rounds++ {
		more = must(h, func() (bool, error) { return h.EraseEvents(h.ctx, h.user, 10) })
		unseen()
	}
	h.same("in chunks", rounds >= 3, true)
	h.same("no users are left", len(must(h, func() ([]model.UserID, error) {
		return h.DeletedCalendars(h.ctx, 1000)
	})), 0)
	h.same("what stays", len(must(h, func() ([]model.EventRow, error) {
		return h.AllEvents(h.ctx, h.user, stays.Number, "", 99)
	})), 1)
}

// eventReminders: what is written into an own calendar has its reminders looked for, unless some are due already.
func eventReminders(h *fixture) {
	own := h.ownCalendar("own")
	copied := h.addCalendar(model.KeptCalendar{Source: model.CalendarGoogle, Connection: 9, RemoteID: "c",
		State: model.CalendarKept})
	given := func() store.EventReminders {
		h.Helper()
		return must(h, func() (store.EventReminders, error) { return h.EventReminders(h.ctx, h.user, own.Number) })
	}
	remind := func(until, next time.Time, ids ...string) {
		h.Helper()
		h.write(func(ctx context.Context, tx store.Tx) error {
			return tx.RemindOfEvents(ctx, own.Number, store.EventReminders{GivenUntil: until, NextAt: next}, ids)
		})
	}
	for what, calendar := range map[string]int{"nothing was written": own.Number, "a copy": copied.Number} {
		_, err := h.EventReminders(h.ctx, h.user, calendar)
		h.fails(what, err, store.ErrNotFound)
	}
	h.saveEvents(single(own.Number, "x", noon, time.Hour), single(copied.Number, "y", noon, time.Hour))
	written := given()
	h.same("looked for at once", written.NextAt, written.GivenUntil)
	after := h.head()
	remind(noon, written.NextAt.Add(time.Hour), "x")
	h.same("log", h.eventLog(after), []string{"REMINDED event 0/1/x"})
	h.saveEvents(single(own.Number, "z", noon, time.Hour))
	h.same("another write", given().NextAt.Before(written.NextAt.Add(time.Hour)), true)
	remind(noon, noon)
	h.saveEvents(single(own.Number, "z", noon, time.Hour))
	h.same("what is due stays so", given(), store.EventReminders{GivenUntil: noon, NextAt: noon})
	due := func(now time.Time) []store.DueEventReminders {
		return must(h, func() ([]store.DueEventReminders, error) { return h.DueEventReminders(h.ctx, now, 10) })
	}
	h.same("due", due(noon), []store.DueEventReminders{{User: h.user, Calendar: own.Number, At: noon}})
	h.same("not yet", len(due(noon.Add(-time.Minute))), 0)
	thief := h.as("thief of reminders")
	_, err := thief.EventReminders(h.ctx, thief.user, own.Number)
	h.fails("another's", err, store.ErrNotFound)
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteCalendar(ctx, own.Number, noon) })
	h.same("of a deleted calendar", len(due(noon)), 0)
}

// sweptCalendar: what somebody died over is erased by the next sweep.
func sweptCalendar(h *fixture) {
	doomed := h.ownCalendar("doomed")
	h.saveEvents(single(doomed.Number, "x", noon, time.Hour))
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteCalendar(ctx, doomed.Number, noon) })
	left := func() []model.UserID {
		return must(h, func() ([]model.UserID, error) { return h.DeletedCalendars(h.ctx, 10) })
	}
	h.same("before", left(), []model.UserID{h.user})
	if err := h.Sweep(h.ctx, noon, time.Hour); err != nil {
		h.Fatal(err)
	}
	h.same("after", len(left()), 0)
}

func erasedWithAccount(h *fixture) {
	connection := must(h, func() (model.Connection, error) {
		return h.save(h.account("gone@example.com"), model.Credentials{})
	})
	copied := h.addCalendar(model.KeptCalendar{Source: model.CalendarGoogle, Connection: connection.Number, RemoteID: "c",
		State: model.CalendarKept})
	own := h.ownCalendar("own")
	h.saveEvents(single(copied.Number, "x", noon, time.Hour), single(own.Number, "x", noon, time.Hour))
	before := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, connection.ID) })
	h.same("the account alone is told of", h.head(), before+1)
	h.same("calendars", must(h, func() ([]model.KeptCalendar, error) { return h.KeptCalendars(h.ctx, h.user) }),
		[]model.KeptCalendar{own})
	for more := true; more; {
		more = must(h, func() (bool, error) { return h.EraseEvents(h.ctx, h.user, 1) })
	}
	h.same("own events", len(must(h, func() ([]model.EventRow, error) {
		return h.EventsByUID(h.ctx, h.user, []string{"x@almanac"}, 0)
	})), 1)
}

// eventTenancy sends a user through every method with another's calendars and events.
func eventTenancy(h *fixture) {
	owner, thief := h.as("owner of events"), h.as("thief of events")
	calendar := owner.ownCalendar("private").Number
	of := seriesOf(calendar, "s", noon, time.Hour, time.Time{})
	of.Body = wholeBody()
	changed := exception(of, noon, model.EventChanged, noon)
	owner.saveEvents(of, changed)
	picture := func() []any {
		return []any{
			must(owner, func() ([]model.KeptCalendar, error) { return h.KeptCalendars(h.ctx, owner.user) }),
			must(owner, func() ([]model.EventRow, error) { return h.AllEvents(h.ctx, owner.user, calendar, "", 9) }),
			owner.head(),
		}
	}
	before := picture()
	keys := []model.EventKey{of.Key(), changed.Key()}
	found := 0
	for _, read := range []func() ([]model.EventRow, error){
		func() ([]model.EventRow, error) { return h.EventsByKey(h.ctx, thief.user, keys, store.EventBodies) },
		func() ([]model.EventRow, error) { return h.ExceptionsOf(h.ctx, thief.user, keys, 0) },
		func() ([]model.EventRow, error) { return h.EventsByUID(h.ctx, thief.user, []string{of.UID}, 0) },
		func() ([]model.EventRow, error) { return h.AllEvents(h.ctx, thief.user, calendar, "", 9) },
		func() ([]model.EventRow, error) {
			between, err := h.EventsBetween(h.ctx, thief.user, store.EventWindow{Calendars: []int{calendar},
				From: noon.AddDate(-9, 0, 0), To: noon.AddDate(9, 0, 0)})
			return between.Events, err
		},
	} {
		found += len(must(thief, read))
	}
	h.same("found of the other's", found, 0)
	for what, write := range map[string]func(ctx context.Context, tx store.Tx) error{
		"UpdateCalendar": func(ctx context.Context, tx store.Tx) error {
			_, err := tx.UpdateCalendar(ctx, model.KeptCalendar{Number: calendar, Name: "stolen"})
			return err
		},
		"DeleteCalendar": func(ctx context.Context, tx store.Tx) error { return tx.DeleteCalendar(ctx, calendar, noon) },
		"SaveEvents": func(ctx context.Context, tx store.Tx) error {
			_, err := tx.SaveEvents(ctx, []model.EventRow{of})
			return err
		},
	} {
		h.fails(what, h.Write(h.ctx, thief.user, write), store.ErrNotFound)
	}
	thief.write(func(ctx context.Context, tx store.Tx) error {
		deleted, err := tx.DeleteEvents(ctx, keys)
		h.same("DeleteEvents", len(deleted), 0)
		return err
	})
	if _, err := h.EraseEvents(h.ctx, thief.user, 10); err != nil {
		h.Fatal(err)
	}
	h.same("the thief's log", thief.head(), int64(0))
	h.same("what is the owner's", picture(), before)
	// The same numbers and ids for oneself.
	mine := thief.ownCalendar("mine")
	h.same("the same number", mine.Number, calendar)
	twin := single(calendar, "s", noon.AddDate(1, 0, 0), time.Hour)
	thief.saveEvents(twin)
	thief.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteCalendar(ctx, calendar, noon) })
	for more := true; more; {
		more = must(h, func() (bool, error) { return h.EraseEvents(h.ctx, thief.user, 10) })
	}
	h.same("what is the owner's, still", picture(), before)
}
