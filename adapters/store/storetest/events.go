package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
)

func testEvents(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("calendars", func(t *testing.T) { eventsCalendars(h.in(t).as("calendars")) })
	t.Run("every column", func(t *testing.T) { eventsColumns(h.in(t).as("columns of events")) })
	t.Run("the log", func(t *testing.T) { eventsLog(h.in(t).as("log of events")) })
	t.Run("copies that are being read", func(t *testing.T) { eventsUnread(h.in(t).as("unread")) })
	t.Run("deleting", func(t *testing.T) { eventsDeleted(h.in(t).as("deleted events")) })
	t.Run("refused", func(t *testing.T) { eventsRefused(h.in(t).as("refused events")) })
	t.Run("rolled back", func(t *testing.T) { eventsRolledBack(h.in(t).as("undone events")) })
	t.Run("links of calendars", func(t *testing.T) { calendarLinks(h.in(t).as("links")) })
}

// ownCalendar adds an own calendar.
func (h *fixture) ownCalendar(name string) model.KeptCalendar {
	h.Helper()
	return h.addCalendar(model.KeptCalendar{Source: model.CalendarOwn, Name: name, Zone: "Asia/Jerusalem",
		Role: model.RoleOwner, State: model.CalendarKept, Followed: true, CreatedAt: noon, UpdatedAt: noon})
}

func (h *fixture) addCalendar(calendar model.KeptCalendar) (kept model.KeptCalendar) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		kept, err = tx.InsertCalendar(ctx, calendar)
		return err
	})
	return kept
}

// saveEvents saves events and returns their number.
func (h *fixture) saveEvents(events ...model.EventRow) (number int64) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		number, err = tx.SaveEvents(ctx, events)
		return err
	})
	return number
}

// single makes a single event.
func single(calendar int, id string, start time.Time, length time.Duration) model.EventRow {
	return model.EventRow{Calendar: calendar, ID: id, Kind: model.EventSingle, StartsAt: start, EndsAt: start.Add(length),
		Summary: id, Status: model.EventConfirmed, Type: model.EventDefault, UID: id + "@almanac", UpdatedAt: noon}
}

// seriesOf makes a series that lasts until a time; zero for ever.
func seriesOf(calendar int, id string, start time.Time, length time.Duration, until time.Time) model.EventRow {
	event := single(calendar, id, start, length)
	event.Kind, event.Recurrence, event.LastsUntil = model.EventSeries, []string{"RRULE:FREQ=DAILY"}, until
	return event
}

// exception makes an exception to a series.
func exception(of model.EventRow, original time.Time, kind model.EventKind, start time.Time) model.EventRow {
	event := single(of.Calendar, model.OccurrenceID(of.ID, original, false), start, time.Hour)
	event.Kind, event.Series, event.OriginalAt, event.UID = kind, of.ID, original, of.UID
	return event
}

// keysOf are keys as text, sorted.
func keysOf(events []model.EventRow) []string {
	out := make([]string, len(events))
	for i, event := range events {
		out[i] = strconv.Itoa(event.Calendar) + "/" + event.ID
	}
	slices.Sort(out)
	return out
}

// eventLog are the changes after a place as "OPERATION reference version".
func (h *fixture) eventLog(after int64) []string {
	h.Helper()
	changes := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, after, nil, 10_000) })
	out := make([]string, len(changes))
	for i, change := range changes {
		id := model.RemoteID(model.KindCalendar, change.Remote)
		var what string
		if change.Type == model.ChangeEvent {
			id = model.RemoteID(model.KindEvent, change.Remote)
			ref, err := model.EventRefOf(id)
			if err != nil {
				h.Fatalf("a reference: %v", err)
			}
			what = fmt.Sprintf("event %d/%s/%s", ref.Connection, ref.Calendar, ref.Event)
		} else {
			ref, err := model.CalendarRefOf(id)
			if err != nil {
				h.Fatalf("a reference: %v", err)
			}
			what = fmt.Sprintf("calendar %d/%s", ref.Connection, ref.Calendar)
		}
		h.same("the id", change.ID, id.UUID)
		out[i] = strings.TrimSpace(string(change.Operation) + " " + what + " " + change.Version)
	}
	return out
}

func eventsCalendars(h *fixture) {
	whole := model.KeptCalendar{Source: model.CalendarGoogle, Connection: 3, RemoteID: "a@example.com", Name: "שם",
		Description: "d", Zone: "Asia/Jerusalem", BackgroundColor: "#111111", ForegroundColor: "#222222", Primary: true,
		Selected: true, Followed: true, Role: model.RoleReader,
		Reminders: []model.Reminder{{Method: model.RemindByPopup, Minutes: 10}, {Method: model.RemindByEmail, Minutes: 0}},
		State:     model.CalendarReading, Generation: 7, PageToken: "p", Shape: 2, AsOf: noon, Version: "etag",
		CreatedAt: noon.Add(-time.Hour), UpdatedAt: noon}
	kept := h.addCalendar(whole)
	h.same("its number", kept.Number, 1)
	whole.Number = 1
	h.same("returned", kept, whole)
	filled(h.T, &store.CalendarTable, []model.KeptCalendar{kept})
	own := h.ownCalendar("mine")
	all := func() []model.KeptCalendar {
		return must(h, func() ([]model.KeptCalendar, error) { return h.KeptCalendars(h.ctx, h.user) })
	}
	h.same("all", all(), []model.KeptCalendar{whole, own})
	h.same("an own one has a version", own.Version != "", true)
	h.fails("the same remote calendar again", h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.InsertCalendar(ctx, whole)
		return err
	}), store.ErrConflict)
	changed := own
	changed.Name, changed.Zone, changed.Connection, changed.Source = "renamed", "UTC", 9, model.CalendarFeed
	changed.UpdatedAt = noon.Add(time.Minute)
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		changed.Version, err = tx.UpdateCalendar(ctx, changed)
		return err
	})
	h.same("another version", changed.Version != own.Version && changed.Version != "", true)
	changed.Connection, changed.Source = own.Connection, own.Source
	h.same("changed", all(), []model.KeptCalendar{whole, changed})
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteCalendar(ctx, changed.Number, noon) })
	h.same("after one is deleted", all(), []model.KeptCalendar{whole})
	for what, err := range map[string]error{
		"deleting it again": h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.DeleteCalendar(ctx, changed.Number, noon)
		}),
		"changing it": h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.UpdateCalendar(ctx, changed)
			return err
		}),
		"writing into it": h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.SaveEvents(ctx, []model.EventRow{single(changed.Number, "x", noon, time.Hour)})
			return err
		}),
	} {
		h.fails(what, err, store.ErrNotFound)
	}
	if more, err := h.EraseEvents(h.ctx, h.user, 10); more || err != nil {
		h.Fatalf("EraseEvents: %v %v", more, err)
	}
	h.same("a number is not given again", h.ownCalendar("next").Number, 3)
	h.same("log", h.eventLog(0), []string{"CREATED calendar 3/ etag", "CREATED calendar 0/2 " + own.Version,
		"UPDATED calendar 0/2 " + changed.Version, "DELETED calendar 0/2", "CREATED calendar 0/3 " + all()[1].Version})
	for range model.MaxKeptCalendars - 2 {
		h.ownCalendar("one of many")
	}
	h.fails("one too many", h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.InsertCalendar(ctx, model.KeptCalendar{Source: model.CalendarOwn, State: model.CalendarKept})
		return err
	}), store.ErrConflict)
}

func wholeBody() *model.EventBody {
	return &model.EventBody{Description: "חָלָב", Location: "Room 5",
		Attendees: []model.Attendee{{Email: "a@example.com", Name: "Ann", Status: model.Accepted, Self: true}},
		Organizer: &model.Person{Email: "o@example.com"}, Reminders: model.Reminders{UseDefault: true},
		HTMLLink: "https://example.com/1", MeetingURL: "https://example.com/2", Visibility: model.VisibilityPrivate,
		ColorID: "3", EndZone: "Europe/Paris", CreatedAt: noon}
}

func eventsColumns(h *fixture) {
	calendar := h.ownCalendar("mine").Number
	whole := seriesOf(calendar, "s", noon, 49*time.Hour, noon.AddDate(1, 0, 0))
	whole.Zone, whole.Version, whole.Generation, whole.Body = "Asia/Jerusalem", "v", 5, wholeBody()
	whole.Transparent, whole.Declined = true, true
	changed := exception(whole, noon.Add(time.Hour), model.EventChanged, noon)
	changed.Overrides, changed.OriginalIsDay, changed.AllDay, changed.Floating = []string{"summary", "start"}, true, true,
		true
	dropped := exception(whole, noon.Add(48*time.Hour), model.EventDropped, time.Time{})
	dropped.StartsAt, dropped.EndsAt = time.Time{}, time.Time{}
	number := h.saveEvents(whole, changed, dropped)
	want := []model.EventRow{whole, changed, dropped}
	for i := range want {
		want[i].Applied = number
		if want[i].Version == "" {
			want[i].Version = strconv.FormatInt(number, 10)
		}
	}
	want[0].Long = true
	filled(h.T, &store.EventTable, want)
	read := func(columns store.EventColumns) []model.EventRow {
		found := must(h, func() ([]model.EventRow, error) {
			return h.EventsByKey(h.ctx, h.user,
				[]model.EventKey{whole.Key(), changed.Key(), {Calendar: calendar, ID: "never"}, whole.Key(), dropped.Key()},
				columns)
		})
		slices.SortFunc(found, func(a, b model.EventRow) int { return strings.Compare(a.ID, b.ID) })
		return found
	}
	h.same("whole", read(store.EventBodies), want)
	want[0].Folded = fold.Text("s\nRoom 5\nחָלָב\nAnn\na@example.com")
	h.same("with the folded text", read(store.EventBodies|store.EventFolded), want)
	want[0].Body, want[0].Folded = nil, ""
	h.same("rows alone", read(0), want)
	want[0].Body = wholeBody()
	page := func(after string, limit int) []model.EventRow {
		return must(h, func() ([]model.EventRow, error) { return h.AllEvents(h.ctx, h.user, calendar, after, limit) })
	}
	h.same("all", page("", 10), want)
	h.same("a page", page("s", 1), want[1:2])
	exceptions := must(h, func() ([]model.EventRow, error) {
		return h.ExceptionsOf(h.ctx, h.user, []model.EventKey{whole.Key(), {Calendar: calendar, ID: "never"}}, 0)
	})
	h.same("exceptions", keysOf(exceptions), keysOf(want[1:]))
	byUID := must(h, func() ([]model.EventRow, error) {
		return h.EventsByUID(h.ctx, h.user, []string{whole.UID, "never"}, 0)
	})
	h.same("by UID", keysOf(byUID), keysOf(want))

	replaced := whole
	replaced.Summary, replaced.Version, replaced.Body = "other", "w", nil
	replaced.Applied = h.saveEvents(replaced)
	replaced.Long, replaced.Body = true, wholeBody()
	h.same("replaced, its body left alone", read(store.EventBodies)[0], replaced)
}

func eventsLog(h *fixture) {
	calendar := h.ownCalendar("mine").Number
	from := h.head()
	step := func(event model.EventRow) []string {
		before := h.head()
		h.saveEvents(event)
		return h.eventLog(before)
	}
	one := single(calendar, "one", noon, time.Hour)
	one.Version = "1"
	h.same("new", step(one), []string{"CREATED event 0/1/one 1"})
	h.same("the same version", step(one), []string{})
	one.Version = "2"
	h.same("another version", step(one), []string{"UPDATED event 0/1/one 2"})
	one.Kind, one.Version = model.EventTombstone, "3"
	h.same("deleted", step(one), []string{"DELETED event 0/1/one"})
	one.Version = "4"
	h.same("again", step(one), []string{})
	h.same("a tombstone is not listed", len(must(h, func() ([]model.EventRow, error) {
		return h.AllEvents(h.ctx, h.user, calendar, "", 10)
	})), 0)
	one.Kind, one.Version = model.EventSingle, "5"
	h.same("there again", step(one), []string{"CREATED event 0/1/one 5"})
	one.Kind, one.Version = model.EventSeries, "6"
	h.same("now a series", step(one), []string{"UPDATED event 0/1/one 6"})
	gone := single(calendar, "gone", noon, time.Hour)
	gone.Kind = model.EventTombstone
	h.same("a tombstone of what was never there", step(gone), []string{})
	changed := exception(one, noon, model.EventChanged, noon)
	changed.Version = "1"
	name := "event 0/1/" + changed.ID
	h.same("a changed occurrence", step(changed), []string{"UPDATED " + name + " 1"})
	changed.Kind, changed.Version = model.EventDropped, "2"
	h.same("dropped", step(changed), []string{"DELETED " + name})
	changed.Version = "3"
	h.same("dropped again", step(changed), []string{})
	changed.Kind, changed.Version = model.EventChanged, "4"
	h.same("back", step(changed), []string{"UPDATED " + name + " 4"})
	h.same("all of it", len(h.eventLog(from)), 8)

	signals, stop := h.Watch(h.user)
	defer stop()
	one.Version = ""
	number := h.saveEvents(one)
	h.awaits("an event", signals)
	h.same("numbers go up", number > 0 && h.saveEvents(one) == number+1, true)
	h.same("own versions are numbers", h.eventLog(h.head()-1),
		[]string{"UPDATED event 0/1/one " + strconv.FormatInt(number+1, 10)})
	other := h.as("log of another's events")
	h.same("another's", other.head(), int64(0))
}

func eventsUnread(h *fixture) {
	copied := h.addCalendar(model.KeptCalendar{Source: model.CalendarGoogle, Connection: 2, RemoteID: "c@example.com",
		State: model.CalendarReading})
	event := single(copied.Number, "x", noon, time.Hour)
	event.Version = "1"
	before := h.head()
	h.saveEvents(event)
	h.same("while it is read first", h.eventLog(before), []string{})
	copied.State = model.CalendarKept
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.UpdateCalendar(ctx, copied)
		return err
	})
	before = h.head()
	event.Version = "2"
	h.saveEvents(event)
	h.same("afterwards, by the remote's ids", h.eventLog(before), []string{"UPDATED event 2/c@example.com/x 2"})
}

func eventsDeleted(h *fixture) {
	calendar := h.ownCalendar("mine").Number
	one, of := single(calendar, "one", noon, time.Hour), seriesOf(calendar, "s", noon, time.Hour, time.Time{})
	one.Body = wholeBody()
	changed := exception(of, noon.Add(24*time.Hour), model.EventChanged, noon)
	dropped := exception(of, noon.Add(48*time.Hour), model.EventDropped, noon)
	h.saveEvents(one, of, dropped, changed)
	before := h.head()
	var deleted []model.EventKey
	remove := func(keys ...model.EventKey) []model.EventKey {
		h.write(func(ctx context.Context, tx store.Tx) (err error) {
			deleted, err = tx.DeleteEvents(ctx, keys)
			return err
		})
		return deleted
	}
	h.same("deleted", remove(one.Key(), of.Key(), one.Key(), model.EventKey{Calendar: calendar, ID: "never"},
		model.EventKey{Calendar: 99, ID: "one"}), []model.EventKey{one.Key(), of.Key(), changed.Key(), dropped.Key()})
	h.same("log", h.eventLog(before), []string{"DELETED event 0/1/one", "DELETED event 0/1/s",
		"DELETED event 0/1/" + changed.ID})
	h.same("nothing is left", len(must(h, func() ([]model.EventRow, error) {
		return h.AllEvents(h.ctx, h.user, calendar, "", 10)
	})), 0)
	h.same("again", len(remove(one.Key())), 0)
	h.saveEvents(one)
	one.Body = nil
	h.saveEvents(one)
	again := must(h, func() ([]model.EventRow, error) {
		return h.EventsByKey(h.ctx, h.user, []model.EventKey{one.Key()}, store.EventBodies)
	})
	h.same("with a body of its own", again[0].Body, wholeBody())
}

func eventsRefused(h *fixture) {
	calendar := h.ownCalendar("mine").Number
	before, good := h.head(), single(calendar, "good", noon, time.Hour)
	for what, bad := range map[string]func(e *model.EventRow){
		"id":          func(e *model.EventRow) { e.ID = "a\x00" },
		"summary":     func(e *model.EventRow) { e.Summary = "\xff" },
		"recurrence":  func(e *model.EventRow) { e.Recurrence = []string{"a\x00"} },
		"description": func(e *model.EventRow) { e.Body = &model.EventBody{Description: "a\x00"} },
	} {
		event := single(calendar, "bad", noon, time.Hour)
		bad(&event)
		h.write(func(ctx context.Context, tx store.Tx) error {
			if _, err := tx.SaveEvents(ctx, []model.EventRow{good, event}); model.CodeOf(err) != model.CodeBadUserInput {
				h.Errorf("%s: %v", what, err)
			}
			return nil
		})
	}
	h.write(func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.InsertCalendar(ctx, model.KeptCalendar{Name: "\x00"}); model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("a name: %v", err)
		}
		_, err := tx.SaveEvents(ctx, []model.EventRow{good, single(calendar+1, "x", noon, time.Hour)})
		h.fails("a calendar that is not there", err, store.ErrNotFound)
		return nil
	})
	h.same("log", h.eventLog(before), []string{})
	h.same("nothing was done", len(must(h, func() ([]model.EventRow, error) {
		return h.AllEvents(h.ctx, h.user, calendar, "", 10)
	})), 0)
}

func eventsRolledBack(h *fixture) {
	calendar := h.ownCalendar("mine").Number
	before := h.head()
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.SaveEvents(ctx, []model.EventRow{single(calendar, "x", noon, time.Hour)})
		inside, readErr := tx.EventsByKey(ctx, h.user, []model.EventKey{{Calendar: calendar, ID: "x"}}, 0)
		h.same("seen inside", len(inside), 1)
		return errors.Join(err, readErr, tx.DeleteCalendar(ctx, calendar, noon), errFailed)
	})
	h.fails("a failing write", err, errFailed)
	h.same("head", h.head(), before)
	h.same("the calendar is there", len(must(h, func() ([]model.KeptCalendar, error) {
		return h.KeptCalendars(h.ctx, h.user)
	})), 1)
	h.same("numbers go on", h.saveEvents(single(calendar, "x", noon, time.Hour)), int64(2))
}
