package rows

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
)

// Reminders writes reminders as words; RemindersOf reads them.
func Reminders(reminders []model.Reminder) string {
	words := make([]string, len(reminders))
	for i, reminder := range reminders {
		words[i] = string(reminder.Method) + ":" + strconv.Itoa(reminder.Minutes)
	}
	return strings.Join(words, " ")
}

// RemindersOf reads what Reminders wrote; nil for none.
func RemindersOf(text string) (reminders []model.Reminder, err error) {
	for word := range strings.FieldsSeq(text) {
		method, minutes, _ := strings.Cut(word, ":")
		n, err := strconv.Atoi(minutes)
		if err != nil {
			return nil, fmt.Errorf("a reminder: %w", err)
		}
		reminders = append(reminders, model.Reminder{Method: model.ReminderMethod(method), Minutes: n})
	}
	return reminders, nil
}

// Event returns an event as it is kept: its times cut, with what follows from them. BAD_USER_INPUT for a text that
// cannot be stored.
func Event(event model.EventRow) (model.EventRow, error) {
	event.OriginalAt, event.StartsAt, event.EndsAt = Time(event.OriginalAt), Time(event.StartsAt), Time(event.EndsAt)
	event.LastsUntil, event.UpdatedAt = Time(event.LastsUntil), Time(event.UpdatedAt)
	event.Long = event.EndsAt.Sub(event.StartsAt) > model.LongEvent
	if event.Kind != model.EventSeries {
		event.LastsUntil = time.Time{}
	}
	for _, lines := range [][]string{event.Recurrence, event.Overrides} {
		if _, err := Lines(lines); err != nil {
			return event, err
		}
	}
	return event, Text(event.ID, string(event.Kind), event.Series, event.Zone, event.Summary, string(event.Status),
		string(event.Type), event.UID, event.Version)
}

// Calendar returns a calendar as it is kept. BAD_USER_INPUT for a text that cannot be stored.
func Calendar(calendar model.KeptCalendar) (model.KeptCalendar, error) {
	calendar.AsOf, calendar.CreatedAt, calendar.UpdatedAt = Time(calendar.AsOf), Time(calendar.CreatedAt),
		Time(calendar.UpdatedAt)
	return calendar, Text(string(calendar.Source), calendar.RemoteID, calendar.Name, calendar.Description, calendar.Zone,
		calendar.BackgroundColor, calendar.ForegroundColor, string(calendar.Role), string(calendar.State),
		calendar.PageToken, Reminders(calendar.Reminders))
}

// Body writes the body of an event, and the text that searches look at, which the driver folds.
func Body(event model.EventRow) (body, text string, err error) {
	packed, err := json.Marshal(event.Body)
	if err != nil {
		return "", "", fmt.Errorf("the body of an event: %w", err)
	}
	texts := []string{event.Summary, event.Body.Location, event.Body.Description}
	for _, guest := range event.Body.Attendees {
		texts = append(texts, guest.Name, guest.Email)
	}
	// JSON writes NUL as an escape, which comes back as NUL.
	return string(packed), strings.Join(texts, "\n"), Text(texts...)
}

// BodyOf reads what Body wrote.
func BodyOf(text []byte) (*model.EventBody, error) {
	body := new(model.EventBody)
	if err := json.Unmarshal(text, body); err != nil {
		return nil, fmt.Errorf("the body of an event: %w", err)
	}
	return body, nil
}

// EventBefore is what the store knows of an event before it is written.
type EventBefore struct {
	Kind    model.EventKind
	Version string
	Applied int64
}

// Uncertain reports whether nobody can say which is newer: what the store has, or what a remote said that was asked
// when the user's event number was ticket. Such are rows written since, under another version.
func (b *EventBefore) Uncertain(after model.EventRow, ticket int64) bool {
	return b != nil && b.Applied > ticket && (b.Kind != after.Kind || b.Version != after.Version)
}

// SaysAlready reports whether a change tells nothing beyond the last one about the same record.
func SaysAlready(last, change model.Change) bool {
	if last.Operation == model.OperationDeleted || change.Operation == model.OperationDeleted {
		return last.Operation == change.Operation
	}
	return last.Version == change.Version && change.Version != ""
}

// EventOperation says what the change log tells of an event that is written; false for nothing. before is nil for one
// that was not there. ofSeries: it is an exception to a series that is there, which has shown the occurrence until now.
func EventOperation(before *EventBefore, after model.EventRow, ofSeries bool) (model.Operation, bool) {
	switch {
	case before == nil && after.Kind == model.EventTombstone:
		return "", false
	case before != nil && before.Kind == after.Kind && before.Version == after.Version:
		return "", false
	case after.Kind.IsHidden():
		return model.OperationDeleted, before == nil && ofSeries || before != nil && !before.Kind.IsHidden()
	case ofSeries:
		return model.OperationUpdated, true
	case before == nil || before.Kind.IsHidden():
		return model.OperationCreated, true
	}
	return model.OperationUpdated, true
}

// OfSeries reports whether an event is an exception to a series that is there: kept as stored says, or among those that
// are written with it, since a remote names them in any order.
func OfSeries(event model.EventRow, stored *EventBefore, with []model.EventRow) bool {
	if !event.Kind.IsException() {
		return false
	}
	of := SeriesKey(event)
	return stored != nil && stored.Kind == model.EventSeries || slices.ContainsFunc(with, func(e model.EventRow) bool {
		return e.Kind == model.EventSeries && e.Key() == of
	})
}

// SeriesKey is the key of the series of an exception.
func SeriesKey(event model.EventRow) model.EventKey {
	return model.EventKey{Calendar: event.Calendar, ID: event.Series}
}

// EventChange is the change of a kept event, as the log has changes of what public ids name by a reference.
func EventChange(calendar model.KeptCalendar, event string, operation model.Operation, version string) model.Change {
	id := calendar.Ref().Event(event).ID()
	if operation == model.OperationDeleted {
		version = ""
	}
	return model.Change{Type: model.ChangeEvent, ID: id.UUID, Remote: id.Remote, Operation: operation, Version: version}
}

// CalendarChange is the change of a kept calendar.
func CalendarChange(calendar model.KeptCalendar, operation model.Operation) model.Change {
	id := calendar.Ref().ID()
	return model.Change{Type: model.ChangeCalendar, ID: id.UUID, Remote: id.Remote, Operation: operation,
		Version: calendar.Version}
}

// EventWindow gathers the rows of a window, each once, in whichever branches of the statement it stands.
type EventWindow struct {
	events []model.EventRow
	seen   map[model.EventKey]struct{}
	// starting counts the rows that the limit bounds; last is where the latest of them begins.
	starting int
	last     time.Time
}

// Row returns the place of the next row, which Add then takes in.
func (w *EventWindow) Row() *model.EventRow {
	if len(w.events) == cap(w.events) { // rows are large, so there are few steps
		const few = 64
		w.events = slices.Grow(w.events, max(few, len(w.events)))
	}
	w.events = append(w.events, model.EventRow{})
	return &w.events[len(w.events)-1]
}

// Add takes in the row whose place Row has returned; starting is whether it stands in the branch that the limit bounds.
func (w *EventWindow) Add(starting bool) {
	event := &w.events[len(w.events)-1]
	if starting {
		if w.starting++; event.StartsAt.After(w.last) {
			w.last = event.StartsAt
		}
	}
	// Only an exception may stand in two branches: by where it is, and by where its series has it.
	if event.Kind.IsException() {
		if _, again := w.seen[event.Key()]; again {
			w.events = w.events[:len(w.events)-1]
			return
		}
		if w.seen == nil {
			w.seen = map[model.EventKey]struct{}{}
		}
		w.seen[event.Key()] = struct{}{}
	}
}

// Done returns the rows, and from when on some may be missing by the limit.
func (w *EventWindow) Done(limit int) (events []model.EventRow, cut time.Time) {
	if limit > 0 && w.starting >= limit {
		cut = w.last
	}
	return w.events, cut
}
