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
	t.Run("copies", func(t *testing.T) { eventsApplied(h.in(t).as("applied")) })
	t.Run("readings", func(t *testing.T) { eventsReadings(h.in(t).as("readings")) })
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
		State:     model.CalendarReading, Generation: 7, PageToken: "p", Shape: 2, AsOf: noon, Writes: 5, Version: "etag",
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
	want[0].Folded = ""
	h.same("briefs count for nothing beside bodies", read(store.EventBodies|store.EventBriefs), want)
	want[0].Body.Description, want[0].Body.Attendees = "", nil
	h.same("without what is long", read(store.EventBriefs), want)
	want[0].Body = nil
	h.same("rows alone", read(0), want)
	keyed := make([]model.EventRow, len(want))
	for i, row := range want {
		keyed[i] = model.EventRow{Calendar: row.Calendar, ID: row.ID}
	}
	h.same("keys alone", read(store.EventKeys), keyed)
	keyed[0].Body = wholeBody()
	h.same("bodies without their rows", read(store.EventKeys|store.EventBodies), keyed)
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
	alone := exception(single(calendar, "elsewhere", noon, time.Hour), noon, model.EventDropped, noon)
	alone.Version = "1"
	name = "event 0/1/" + alone.ID
	h.same("dropped, of a series that is not there", step(alone), []string{})
	alone.Kind, alone.Version = model.EventChanged, "2"
	h.same("invited to one occurrence", step(alone), []string{"CREATED " + name + " 2"})
	alone.Version = "3"
	h.same("which is another", step(alone), []string{"UPDATED " + name + " 3"})
	alone.Kind, alone.Version = model.EventTombstone, "4"
	h.same("invited no more", step(alone), []string{"DELETED " + name})
	later := single(calendar, "later", noon, time.Hour)
	later.Kind, later.Version = model.EventSeries, "1"
	first := exception(later, noon, model.EventChanged, noon)
	first.Version = "1"
	h.saveEvents(first, later)
	h.same("an exception before its series", h.eventLog(h.head()-2),
		[]string{"UPDATED event 0/1/" + first.ID + " 1", "CREATED event 0/1/later 1"})

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

// copied adds the copy of a remote calendar.
func (h *fixture) copied(state model.CalendarState) model.KeptCalendar {
	h.Helper()
	return h.addCalendar(model.KeptCalendar{Source: model.CalendarGoogle, Connection: 2, RemoteID: "c@example.com",
		State: state, UpdatedAt: noon})
}

// apply applies what a remote said.
func (h *fixture) apply(ticket int64, events ...model.EventRow) (done store.AppliedEvents) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		done, err = tx.ApplyEvents(ctx, events, ticket)
		return err
	})
	return done
}

// number is the event number of now.
func (h *fixture) number() int64 {
	h.Helper()
	return must(h, func() (int64, error) { return h.EventNumber(h.ctx, h.user) })
}

// versionOf is the version that an event is kept under.
func (h *fixture) versionOf(key model.EventKey) string {
	h.Helper()
	rows := must(h, func() ([]model.EventRow, error) {
		return h.EventsByKey(h.ctx, h.user, []model.EventKey{key}, store.EventBodies)
	})
	if len(rows) == 0 {
		return ""
	}
	return rows[0].Version + " " + rows[0].Body.Description
}

func eventsApplied(h *fixture) {
	calendar := h.copied(model.CalendarKept).Number
	said := func(id, version string) model.EventRow {
		event := single(calendar, id, noon, time.Hour)
		event.Version, event.Body = version, &model.EventBody{Description: "of " + version}
		return event
	}
	ticket, before := h.number(), h.head()
	done := h.apply(ticket, said("a", "1"), said("b", "1"))
	h.same("applied", done, store.AppliedEvents{Number: ticket + 1, Told: 2})
	h.same("the number", h.number(), ticket+1)
	h.same("again", h.apply(ticket, said("a", "1")), store.AppliedEvents{Number: ticket + 2})

	// What was asked before, and says something else, is left for a question of its own; the others are written.
	done = h.apply(ticket, said("a", "0"), said("b", "1"), said("c", "1"))
	h.same("uncertain", done, store.AppliedEvents{Number: ticket + 3, Told: 1,
		Uncertain: []model.EventKey{{Calendar: calendar, ID: "a"}}})
	h.same("is as it was", h.versionOf(model.EventKey{Calendar: calendar, ID: "a"}), "1 of 1")
	h.same("asked anew", h.apply(h.number(), said("a", "2")).Told, 1)
	h.same("is new", h.versionOf(model.EventKey{Calendar: calendar, ID: "a"}), "2 of 2")
	gone := said("a", "")
	gone.Kind = model.EventTombstone
	h.same("a deletion is uncertain too", len(h.apply(ticket, gone).Uncertain), 1)
	h.same("deleted", h.apply(h.number(), gone).Told, 1)
	h.same("uncertain beside a tombstone", len(h.apply(ticket, said("a", "2")).Uncertain), 1)
	prefix := "event 2/c@example.com/"
	h.same("log", h.eventLog(before), []string{"CREATED " + prefix + "a 1", "CREATED " + prefix + "b 1",
		"CREATED " + prefix + "c 1", "UPDATED " + prefix + "a 2", "DELETED " + prefix + "a"})

	// What a write of our own has put into the log is not told again.
	before = h.head()
	tell := func(id, version string, operation model.Operation) {
		ref := model.CalendarRef{Connection: 2, Calendar: "c@example.com"}.Event(id).ID()
		h.write(func(ctx context.Context, tx store.Tx) error {
			return tx.LogRemote(ctx, []model.Change{{Type: model.ChangeEvent, ID: ref.UUID, Remote: ref.Remote,
				Operation: operation, Version: version}})
		})
	}
	tell("d", "1", model.OperationCreated)
	h.same("an echo", h.apply(h.number(), said("d", "1")).Echoes, 1)
	tell("d", "", model.OperationDeleted)
	gone = said("d", "")
	gone.Kind = model.EventTombstone
	h.same("of a deletion", h.apply(h.number(), gone).Echoes, 1)
	h.same("and back", h.apply(h.number(), said("d", "3")).Told, 1)
	h.same("log", h.eventLog(before), []string{"CREATED " + prefix + "d 1", "DELETED " + prefix + "d",
		"CREATED " + prefix + "d 3"})
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.ApplyEvents(ctx, []model.EventRow{single(calendar+1, "x", noon, time.Hour)}, ticket)
		h.fails("no such calendar", err, store.ErrNotFound)
		return nil
	})
}

func eventsReadings(h *fixture) {
	copied := h.copied(model.CalendarNew)
	unseen := func(generation int64, limit int) []string {
		h.Helper()
		keys := must(h, func() ([]model.EventKey, error) {
			return h.UnseenEvents(h.ctx, h.user, copied.Number, generation, limit)
		})
		ids := []string{}
		for _, key := range keys {
			h.same("the calendar", key.Calendar, copied.Number)
			ids = append(ids, key.ID)
		}
		return ids
	}
	row := func(id string, generation int64, kind model.EventKind) model.EventRow {
		event := single(copied.Number, id, noon, time.Hour)
		event.Generation, event.Kind, event.Body = generation, kind, new(model.EventBody)
		return event
	}
	h.saveEvents(row("a", 1, model.EventSingle), row("b", 2, model.EventSingle), row("c", 1, model.EventTombstone),
		row("d", 0, model.EventSingle))
	h.same("unseen", unseen(2, 10), []string{"a", "d"})
	h.same("of those one", unseen(2, 1), []string{"a"})
	h.same("all are seen", unseen(0, 10), []string{})

	before := h.head()
	reading := store.CalendarReading{State: model.CalendarReading, Generation: 3, PageToken: "p", Shape: 2, AsOf: noon,
		UpdatedAt: noon.Add(time.Hour), Writes: 6}
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveReading(ctx, copied.Number, reading) })
	kept := must(h, func() ([]model.KeptCalendar, error) { return h.KeptCalendars(h.ctx, h.user) })[0]
	h.same("read", store.ReadingOf(kept), reading)
	kept.State, kept.Generation, kept.PageToken, kept.Shape, kept.AsOf, kept.UpdatedAt,
		kept.Writes = copied.State, copied.Generation,
		copied.PageToken, copied.Shape, copied.AsOf, copied.UpdatedAt, copied.Writes
	h.same("nothing else", kept, copied)
	h.same("no change", h.head(), before)
	h.write(func(ctx context.Context, tx store.Tx) error {
		h.fails("no such calendar", tx.SaveReading(ctx, copied.Number+1, reading), store.ErrNotFound)
		return nil
	})

	tombstones := func() int {
		return len(must(h, func() ([]model.EventRow, error) {
			return h.EventsByKey(h.ctx, h.user, []model.EventKey{{Calendar: copied.Number, ID: "c"}}, store.EventBodies)
		}))
	}
	forget := func(at time.Time) {
		h.write(func(ctx context.Context, tx store.Tx) error { return tx.ForgetTombstones(ctx, copied.Number, at) })
	}
	forget(noon)
	h.same("a young one", tombstones(), 1)
	forget(noon.Add(time.Second))
	h.same("an old one", tombstones(), 0)
	h.same("the others", unseen(9, 10), []string{"a", "b", "d"})
	thief := h.as("thief of readings")
	h.same("another's number", thief.number(), int64(0))
	h.same("another's events", len(must(h, func() ([]model.EventKey, error) {
		return h.UnseenEvents(h.ctx, thief.user, copied.Number, 9, 10)
	})), 0)
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
