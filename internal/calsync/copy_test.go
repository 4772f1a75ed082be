package calsync_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
)

// calendarOf is the copy of an account's calendar.
func (h *fixture) calendarOf(c model.Connection) model.KeptCalendar {
	h.Helper()
	calendars := h.store.rows(c.User).calendars
	if len(calendars) != 1 {
		h.Fatalf("there are %d copies", len(calendars))
	}
	return calendars[0]
}

// A first reading in pages goes on where it was left, whatever call of the store was the last one of a process, and
// what was deleted meanwhile is not in the copy.
func TestAFirstReadingGoesOnAfterACrash(t *testing.T) {
	calls := 0
	for crashAt := 1; crashAt == 1 || calls >= crashAt-1; crashAt++ {
		bubble(t, func(t *testing.T, h *fixture) {
			c := h.link(h.worker(), account(1))
			h.remote.page = 60
			for i := range 200 {
				h.remote.put(c, fmt.Sprintf("e%03d", i), "1", model.EventConfirmed)
			}
			ctx, kill := context.WithCancel(context.Background())
			calls = 0
			h.store.failing = func(string) error {
				if calls++; calls >= crashAt {
					kill()
					return errors.New("killed")
				}
				return nil
			}
			w := h.worker(func(w *calsync.Worker) {
				w.Observe = func(l calsync.Report) {
					if l.Outcome == calsync.OutcomeBegun {
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
			h.remote.put(c, "e010", "2", model.EventCancelled)
			h.remote.put(c, "e190", "2", model.EventConfirmed)
			asked := h.remote.asked("Sync")
			h.run(h.worker())
			pass(5 * time.Minute)
			h.wantCopy(c)
			kept := h.calendarOf(c)
			if kept.State != model.CalendarKept || kept.PageToken != "" || kept.AsOf.IsZero() {
				t.Errorf("the copy is %+v", kept)
			}
			if crashAt > 40 && crashAt < 50 && h.remote.asked("Sync")-asked > 10 {
				t.Errorf("after a crash in the last pages, %d were read", h.remote.asked("Sync")-asked)
			}
		})
		if t.Failed() {
			t.Fatalf("when killed at call %d", crashAt)
		}
		if calls < crashAt {
			if crashAt < 20 {
				t.Fatalf("a first reading makes %d calls; are there any?", calls)
			}
			return
		}
	}
}

// A reading that takes long is given back and goes on at its page.
func TestALargeCalendarIsReadInSeveralSyncs(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.remote.page = 100
		for i := range 1000 {
			h.remote.put(c, fmt.Sprintf("e%03d", i), "1", model.EventConfirmed)
		}
		h.remote.answered = func(call string) {
			if call == "Sync" {
				takes(35 * time.Second)
			}
		}
		h.run(w)
		pass(10 * time.Minute)
		h.wantCopy(c)
		want := []calsync.Outcome{calsync.OutcomeReading, calsync.OutcomeReading, calsync.OutcomeReading,
			calsync.OutcomeBegun}
		if got := h.outcomes(); len(got) < 4 || !slices.Equal(got[:4], want) || h.remote.asked("Sync")-len(got)+4 > 12 {
			t.Errorf("syncs %v, %d pages", got, h.remote.asked("Sync"))
		}
	})
}

// A place in the middle of an answer that Google has forgotten begins the reading anew; what is kept stays meanwhile.
func TestAPageThatDies(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.remote.page = 10
		for i := range 30 {
			h.remote.put(c, fmt.Sprintf("e%03d", i), "1", model.EventConfirmed)
		}
		n := 0
		h.remote.answered = func(call string) {
			if n++; call == "Sync" && n == 2 {
				h.remote.set(func(r *remote) { r.epoch++ })
				h.remote.put(c, "e001", "2", model.EventCancelled)
			}
		}
		h.run(w)
		pass(interval + 5*time.Second)
		h.wantCopy(c)
		h.wantTold(c)
		if got := h.calendarOf(c).Generation; got != 2 {
			t.Errorf("it took %d readings", got)
		}
	})
}

// After 410 the old rows stay until the new reading has everything; a reading that is cut off deletes nothing.
func TestACutOffReadingDeletesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		for i := range 30 {
			h.remote.put(c, fmt.Sprintf("e%03d", i), "1", model.EventConfirmed)
		}
		h.run(w)
		asOf := h.calendarOf(c).AsOf
		h.remote.put(c, "e000", "2", model.EventCancelled)
		h.remote.put(c, "e029", "2", model.EventConfirmed)
		h.remote.set(func(r *remote) { r.epoch, r.page = r.epoch+1, 10 })
		h.remote.set(func(r *remote) {
			r.failing = func(string, model.Connection) error {
				if len(r.calls) > 4 {
					return &model.Error{Code: model.CodeUpstreamUnavailable}
				}
				return nil
			}
		})
		pass(interval + 5*time.Second)
		live := 0
		for _, row := range h.store.rows(c.User).events {
			if row.Kind == model.EventSingle {
				live++
			}
		}
		if kept := h.calendarOf(c); live != 30 || kept.State != model.CalendarKept || !kept.AsOf.Equal(asOf) {
			t.Errorf("%d rows are left of 30, as of %v: %+v", live, kept.AsOf, kept)
		}
		h.remote.set(func(r *remote) { r.failing = nil })
		pass(10 * time.Minute)
		h.wantCopy(c)
		h.wantTold(c, "UPDATED e029", "DELETED e000")
		if !h.calendarOf(c).AsOf.After(asOf) {
			t.Error("it is not newer")
		}
	})
}

// What was written here after Google was asked is not overwritten by its answer.
func TestAnAnswerDoesNotOverwriteWhatIsNewer(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.remote.put(c, "a", "1", model.EventConfirmed)
		h.remote.put(c, "b", "1", model.EventConfirmed)
		h.run(w)
		number := h.calendarOf(c).Number
		write := func(id, version string, kind model.EventKind) {
			h.alter(c, func(rows *userRows) {
				rows.number++
				rows.events = maps.Clone(rows.events)
				rows.events[model.EventKey{Calendar: number, ID: id}] = model.EventRow{Calendar: number, ID: id, Kind: kind,
					Version: version, Applied: rows.number, Generation: 1}
			})
		}
		h.remote.put(c, "a", "2", model.EventConfirmed)
		h.remote.put(c, "b", "2", model.EventConfirmed)
		n := 0
		h.remote.set(func(r *remote) {
			r.answered = func(call string) {
				if call != "Sync" {
					return
				}
				if n++; n == 1 { // a write of ours, and one of a stranger after it
					h.remote.put(c, "a", "3", model.EventConfirmed)
					write("a", "3", model.EventSingle)
					h.remote.put(c, "a", "4", model.EventConfirmed)
					h.remote.put(c, "b", "3", model.EventCancelled)
					write("b", "3", model.EventTombstone)
				}
			}
		})
		pass(interval + 5*time.Second)
		h.wantCopy(c)
		if n := h.remote.asked("Event"); n != 2 {
			t.Errorf("%d events were asked anew", n)
		}
		h.wantTold(c, "UPDATED a")
		pass(2 * interval)
		h.wantCopy(c)
		h.wantTold(c, "UPDATED a")
	})
}

// Calendars that are ticked are read, others are not; one that the list drops is erased, one that is unticked a day
// later.
func TestTheListOfCalendarsIsFollowed(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		one := openAccount()
		one.Scopes = []string{"https://www.googleapis.com/auth/calendar.calendarlist.readonly"}
		c := one
		calendar := func(id string, selected bool) model.Calendar {
			return model.Calendar{Ref: model.CalendarRef{Connection: c.Number, Calendar: id}, Summary: "named " + id,
				TimeZone: "UTC", Selected: selected, Primary: id == "", AccessRole: model.RoleOwner}
		}
		busy := calendar("busy@x", true)
		busy.AccessRole = model.RoleFreeBusyReader
		h.remote.list = []model.Calendar{calendar("", true), calendar("team@x", true), calendar("other@x", false), busy}
		c = h.link(w, c)
		h.remote.put(c, "a", "1", model.EventConfirmed)
		h.run(w)
		pass(interval)
		names := func() (all []string) {
			for _, one := range h.store.rows(c.User).calendars {
				all = append(all, fmt.Sprint(one.Name, " ", one.State, " ", one.Followed))
			}
			slices.Sort(all)
			return all
		}
		want := func(all ...string) {
			t.Helper()
			if got := names(); !slices.Equal(got, all) {
				t.Errorf("kept are %q, want %q", got, all)
			}
		}
		want("named  KEPT true", "named team@x KEPT true")
		h.remote.set(func(r *remote) { r.list[2].Selected, r.list[1].Selected = true, false })
		pass(6 * interval)
		want("named  KEPT true", "named other@x KEPT true", "named team@x KEPT false")
		pass(25 * time.Hour)
		want("named  KEPT true", "named other@x KEPT true")
		h.remote.set(func(r *remote) { r.list = r.list[:1] })
		pass(6 * interval)
		want("named  KEPT true")
		for key := range h.store.rows(c.User).events {
			if key.Calendar != h.calendarOf(c).Number {
				t.Errorf("%+v is left", key)
			}
		}
		for key := range h.store.rows(c.User).states {
			if key.calendar == "team@x" || key.calendar == "other@x" {
				t.Errorf("%q is still followed", key.calendar)
			}
		}
	})
}

// A calendar in which nothing changes is synced less often.
func TestQuietCalendarsAreSyncedLess(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		pass(25 * time.Hour)
		asked := h.remote.asked("Sync")
		pass(10 * time.Hour)
		if n := h.remote.asked("Sync") - asked; n < 100 || n > 125 {
			t.Errorf("%d syncs in ten quiet hours", n)
		}
		h.remote.put(c, "a", "1", model.EventConfirmed)
		pass(6 * interval)
		h.wantTold(c, "CREATED a")
		asked = h.remote.asked("Sync")
		pass(time.Hour)
		if n := h.remote.asked("Sync") - asked; n < 55 {
			t.Errorf("%d syncs in the hour after a change", n)
		}
	})
}

var _ store.Tx = (*memoryTx)(nil)
