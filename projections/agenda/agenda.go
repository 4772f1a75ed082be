package agenda

import (
	"cmp"
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
)

// Kind is what an entry is.
type Kind int

// The kinds, in the order in which they stand at the same time.
const (
	KindEvent Kind = iota + 1
	KindTask
	KindEmail
)

// Window is from when, inclusive, until when, exclusive.
type Window struct{ From, To time.Time }

// Entry is one thing of an agenda.
type Entry struct {
	Kind Kind
	// Node is the thing itself.
	Node projections.AgendaItem
	// Start is an event's start, when a task is due, or when an e-mail came in; of a repeating task without a due date its
	// next time. End is an event's end, exclusive.
	Start, End model.EventTime
	// Title is what names it. Whoever invites, or writes an e-mail, wrote it.
	Title string
	// Overdue: a task that was due before now.
	Overdue bool

	place Place
}

// Place is where an entry stands in the order.
type Place struct {
	// Before: it was due, or came, before the window, and stands before all else.
	Before bool
	// At is its time; of a date the first instant of the day where the viewer is.
	At time.Time
	// Rank parts what is at the same time: what takes all day, then events, tasks, e-mails.
	Rank int
	// ID is the node's.
	ID string
}

// Place is where the entry stands.
func (e Entry) Place() Place { return e.place }

// AllDay reports whether it is made of days.
func (e Entry) AllDay() bool { return e.Start.AllDay() }

// Compare returns the order: what is from before the window first, then by time, then by rank, then by id.
func (p Place) Compare(other Place) int {
	return cmp.Or(first(other.Before)-first(p.Before), p.At.Compare(other.At), cmp.Compare(p.Rank, other.Rank),
		cmp.Compare(p.ID, other.ID))
}

func first(before bool) int {
	if before {
		return 1
	}
	return 0
}

// Merge puts entries into their order, each once.
func Merge(lists ...[]Entry) []Entry {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b Entry) int { return a.place.Compare(b.place) })
	return slices.CompactFunc(all, func(a, b Entry) bool { return a.place.Compare(b.place) == 0 })
}

// After returns the entries after a place, which need not be that of one of them.
func After(entries []Entry, place Place) []Entry {
	at, found := slices.BinarySearchFunc(entries, place, func(e Entry, p Place) int { return e.place.Compare(p) })
	if found {
		at++
	}
	return entries[at:]
}

// Slack is how much further than the window calendars must be asked for events: the date of an event that takes all day
// is a day where the viewer is, and in a calendar of another zone that day begins up to 26 hours earlier or later.
const Slack = 26 * time.Hour

// Holds reports whether an event lies in the window, at least a part of it. What only touches the window does not, but
// for an event without length at its beginning. Where somebody works is no event.
func (w Window) Holds(event model.Event, zone *time.Location) bool {
	if event.Start.IsZero() || event.Status == model.EventCancelled || event.Type == model.EventWorkingLocation {
		return false
	}
	start, end := instant(event.Start, zone), instant(event.End, zone)
	if event.End.IsZero() || end.Before(start) {
		end = start
	}
	return start.Before(w.To) && (end.After(w.From) || start.Equal(end) && start.Equal(w.From))
}

func instant(t model.EventTime, zone *time.Location) time.Time {
	if t.AllDay() {
		return when.StartOfDate(t.Date, zone)
	}
	return t.At
}

// Events returns the entries of the events that lie in the window.
func (w Window) Events(events []model.Event, at *projections.Moment) []Entry {
	out := make([]Entry, 0, len(events))
	for _, event := range events {
		if !w.Holds(event, at.Zone) {
			continue
		}
		rank := int(KindEvent)
		if event.Start.AllDay() {
			rank = 0
		}
		view := projections.EventAt(event, at)
		out = append(out, Entry{
			Kind: KindEvent, Node: view, Start: event.Start, End: event.End, Title: event.Summary,
			place: Place{At: instant(event.Start, at.Zone), Rank: rank, ID: view.ID().String()},
		})
	}
	return out
}

// Overdue is until when, exclusive, tasks from before the window are overdue: now, or the window's beginning if that is
// earlier.
func (w Window) Overdue(now time.Time) time.Time {
	if now.Before(w.From) {
		return now
	}
	return w.From
}

// Tasks returns the entries of the open tasks that are due in the window, and of those that were due before it and
// before now, where they are wanted. A repeating task without a due date stands at its next time, once.
func (w Window) Tasks(tasks []model.Task, overdue bool, at *projections.Moment) []Entry {
	out := make([]Entry, 0, len(tasks))
	for _, task := range tasks {
		due := task.DueAt
		if due.IsZero() && task.Recurrence != nil {
			due = task.NextReminderAt
		}
		late := !task.DueAt.IsZero() && task.DueAt.Before(at.Now)
		before := due.Before(w.From)
		switch {
		case due.IsZero(), !task.CompletedAt.IsZero(), !due.Before(w.To):
			continue
		case before && (!overdue || !late):
			continue
		}
		view := projections.TaskAt(task, at)
		out = append(out, Entry{
			Kind: KindTask, Node: view, Start: model.EventTime{At: due}, Title: task.Text, Overdue: late,
			place: Place{Before: before, At: due, Rank: int(KindTask), ID: view.ID().String()},
		})
	}
	return out
}

// Emails returns the entries of e-mails that wait for an answer and came before the window's end.
func (w Window) Emails(emails []projections.Email) []Entry {
	out := make([]Entry, 0, len(emails))
	for _, email := range emails {
		came := email.Record().Date
		if !came.Before(w.To) {
			continue
		}
		out = append(out, Entry{
			Kind: KindEmail, Node: email, Start: model.EventTime{At: came}, Title: email.Subject(),
			place: Place{Before: came.Before(w.From), At: came, Rank: int(KindEmail), ID: email.ID().String()},
		})
	}
	return out
}
