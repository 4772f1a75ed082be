package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// MaxEventsRead is how many keys, series or UIDs one call of EventReader takes.
const MaxEventsRead = 10_000

// EventColumns says what of an event is wanted beside its row.
type EventColumns uint32

// The parts, which stand apart so that lists of events do not read them. EventBriefs are bodies without descriptions
// and guests; beside EventBodies it adds nothing. EventKeys leaves out all of the row but its key, for those who have
// the row.
const (
	EventBodies EventColumns = 1 << iota
	EventFolded
	EventBriefs
	EventKeys
)

// EventWindow asks for what takes place in a stretch of time.
type EventWindow struct {
	// Calendars are their numbers; none asks for nothing.
	Calendars []int
	// From and To bound the times as they are kept: what begins before To, and ends after From or begins at it or later.
	// Days are kept as midnights in UTC, so whoever shows them in a zone asks for some hours more at both ends.
	From, To time.Time
	// Limit is how many events that are no series are wanted, the first by start; 0 for all.
	Limit int
	Want  EventColumns
}

// EventsBetween answers an EventWindow, in any order, each row once.
type EventsBetween struct {
	// Events are the single events and changed occurrences that lie in the window, each series whose occurrences may, and
	// the exceptions to whatever these series have in it, wherever those are now.
	Events []model.EventRow
	// Cut: rows that begin then or later may be missing, because of the limit. Zero when all are there.
	Cut time.Time
}

// EventReader reads the calendars that are kept, and their events. Tombstones are returned by EventsByKey alone.
type EventReader interface {
	// KeptCalendars returns all kept calendars of the user but those that were deleted, by number.
	KeptCalendars(ctx context.Context, user model.UserID) ([]model.KeptCalendar, error)
	// EventsBetween answers a window in one statement. Its cost follows what lies in the window and the series that are
	// still going on then, and not what has passed.
	EventsBetween(ctx context.Context, user model.UserID, window EventWindow) (EventsBetween, error)
	// EventsByKey returns the events that exist among keys, in any order, each once.
	EventsByKey(ctx context.Context, user model.UserID, keys []model.EventKey, want EventColumns) ([]model.EventRow, error)
	// ExceptionsOf returns all exceptions to some series, in any order.
	ExceptionsOf(ctx context.Context, user model.UserID, series []model.EventKey,
		want EventColumns) ([]model.EventRow, error)
	// EventsByUID returns the events of some UIDs of iCalendar, in all calendars, in any order.
	EventsByUID(ctx context.Context, user model.UserID, uids []string, want EventColumns) ([]model.EventRow, error)
	// CountEvents counts the single events and series of one calendar; 0 for one that is not there.
	CountEvents(ctx context.Context, user model.UserID, calendar int) (int, error)
	// EventReminders returns how far reminders of an own calendar's events were given. ErrNotFound where none can be due.
	EventReminders(ctx context.Context, user model.UserID, calendar int) (EventReminders, error)
	// AllEvents returns the events of one calendar by id, whole, at most limit, those after an id.
	AllEvents(ctx context.Context, user model.UserID, calendar int, after string, limit int) ([]model.EventRow, error)
	// EventNumber returns how often events of the user were written: what is applied later has a higher number. It is the
	// ticket to take before a remote is asked; see ApplyEvents.
	EventNumber(ctx context.Context, user model.UserID) (int64, error)
	// UnseenEvents returns the keys of at most limit events of a calendar, by id, that no reading from a generation on has
	// seen. Tombstones are not among them.
	UnseenEvents(ctx context.Context, user model.UserID, calendar int, generation int64, limit int) ([]model.EventKey,
		error)
}

// CalendarReading is how far the copy of a remote calendar has been read.
type CalendarReading struct {
	// The fields are those of model.KeptCalendar. UpdatedAt is when something was last found to have changed.
	State           model.CalendarState
	Generation      int64
	PageToken       string
	Shape           int
	AsOf, UpdatedAt time.Time
	Writes          int64
}

// ReadingOf is how far a calendar has been read.
func ReadingOf(c model.KeptCalendar) CalendarReading {
	return CalendarReading{State: c.State, Generation: c.Generation, PageToken: c.PageToken, Shape: c.Shape, AsOf: c.AsOf,
		UpdatedAt: c.UpdatedAt, Writes: c.Writes}
}

// AppliedEvents is what came of ApplyEvents.
type AppliedEvents struct {
	// Number is that under which they were written.
	Number int64
	// Told are the changes added to the log, Echoes those that it had already.
	Told, Echoes int
	// Uncertain were not written.
	Uncertain []model.EventKey
}

// EventWriter writes them.
type EventWriter interface {
	// InsertCalendar adds a calendar and returns it with its number and version. ErrConflict beyond
	// model.MaxKeptCalendars, and when another kept calendar of the connection has the remote id. Change: CREATED, of type
	// CALENDAR.
	InsertCalendar(ctx context.Context, calendar model.KeptCalendar) (model.KeptCalendar, error)
	// UpdateCalendar replaces a calendar by its number, but for its source, connection, remote id and CreatedAt, and
	// returns its version. ErrNotFound, also of one that was deleted. Change: UPDATED, of type CALENDAR.
	UpdateCalendar(ctx context.Context, calendar model.KeptCalendar) (version string, err error)
	// DeleteCalendar takes a calendar with all its events out of everyone's sight, erases summary and inverse of the
	// actions whose About names it, and leaves its rows to EraseEvents. ErrNotFound. Change: DELETED, of type CALENDAR;
	// its events have none of their own.
	DeleteCalendar(ctx context.Context, number int, at time.Time) error
	// SaveEvents inserts or replaces events by key, all under the user's next event number, and returns that. A row
	// without a version gets the number as its version. ErrNotFound, and nothing is done, when a calendar is not there.
	// Change, of type EVENT, in order: CREATED for what was not there or was a tombstone, UPDATED for another version and
	// for an occurrence that became a changed one, DELETED for what became a dropped occurrence or a tombstone; none for a
	// row that has the same kind and version, nor in calendars that are not KEPT. An exception to a series that is neither
	// there nor written in the same call is an event by itself: CREATED where it was not shown, and of a dropped one that
	// was not there nothing is told.
	SaveEvents(ctx context.Context, events []model.EventRow) (number int64, err error)
	// ApplyEvents is SaveEvents for what a remote said, asked when EventNumber was ticket, with two differences. A row
	// that was written since under another version is left as it is and returned as uncertain, since neither is known to
	// be the newer one: the remote must be asked anew. And no change is logged that the last one about the same id says
	// already: a deletion after a deletion, or the same version.
	ApplyEvents(ctx context.Context, events []model.EventRow, ticket int64) (AppliedEvents, error)
	// SaveReading notes how far a copy has been read, without a change and without another version. ErrNotFound.
	SaveReading(ctx context.Context, calendar int, reading CalendarReading) error
	// ForgetTombstones erases the tombstones of a calendar whose UpdatedAt is before a time. It is not part of the change
	// log.
	ForgetTombstones(ctx context.Context, calendar int, before time.Time) error
	// DeleteEvents deletes events, series with their exceptions, and returns the keys that were there, exceptions that go
	// with their series after all others. Change: DELETED, of type EVENT, for each but dropped occurrences and tombstones.
	DeleteEvents(ctx context.Context, keys []model.EventKey) (deleted []model.EventKey, err error)
	// RemindOfEvents notes how far reminders of an own calendar's events were given, as SaveEvents and UpdateCalendar do
	// where none is due: they set both times to that of the transaction. ErrNotFound. Change: REMINDED, of type EVENT, for
	// each id of an event or occurrence.
	RemindOfEvents(ctx context.Context, calendar int, given EventReminders, ids []string) error
}

// EventReminders is how far the reminders of a calendar's events were given.
type EventReminders struct {
	// GivenUntil: those that were due until then have been given. NextAt is when to look for others.
	GivenUntil, NextAt time.Time
}

// DueEventReminders names an own calendar whose NextAt has come.
type DueEventReminders struct {
	User     model.UserID
	Calendar int
	At       time.Time
}

// EventEraser erases what DeleteCalendar has left. It is not part of the change log.
type EventEraser interface {
	// EraseEvents erases at most limit events of deleted calendars of the user, and then the calendars; more: there are
	// others. A limit of some hundreds keeps the lock for less than a tenth of a second.
	EraseEvents(ctx context.Context, user model.UserID, limit int) (more bool, err error)
	// DeletedCalendars returns up to limit users who have calendars that EraseEvents has not done with, the longest
	// deleted first.
	DeletedCalendars(ctx context.Context, limit int) ([]model.UserID, error)
}

const (
	// ErasedAtOnce is how many events one call of EraseEvents erases for a Sweep.
	ErasedAtOnce = 500
	// erasedUsers is how many users' deleted calendars are looked for at a time.
	erasedUsers = 1000
)

// EraseDeletedCalendars erases what deleted calendars have left, some at a time, for a driver's Sweep.
func EraseDeletedCalendars(ctx context.Context, from EventEraser) error {
	for {
		users, err := from.DeletedCalendars(ctx, erasedUsers)
		if err != nil || len(users) == 0 {
			return err
		}
		for _, user := range users {
			for more := true; more; {
				if more, err = from.EraseEvents(ctx, user, ErasedAtOnce); err != nil {
					return err
				}
			}
		}
	}
}

// CalendarTable has the columns of kept calendars.
var CalendarTable = Table[model.KeptCalendar, Whole]{Name: "calendars", Columns: []Column[model.KeptCalendar, Whole]{
	{Name: "number", Once: true, Field: func(c *model.KeptCalendar) any { return &c.Number }},
	{Name: "source", Once: true, Field: func(c *model.KeptCalendar) any { return (*string)(&c.Source) }},
	{Name: "connection", Once: true, Field: func(c *model.KeptCalendar) any { return &c.Connection }},
	{Name: "remote_id", Once: true, Field: func(c *model.KeptCalendar) any { return &c.RemoteID }},
	{Name: "created_at", Once: true, Field: func(c *model.KeptCalendar) any { return &c.CreatedAt }},
	{Name: "name", Field: func(c *model.KeptCalendar) any { return &c.Name }},
	{Name: "description", Field: func(c *model.KeptCalendar) any { return &c.Description }},
	{Name: "zone", Field: func(c *model.KeptCalendar) any { return &c.Zone }},
	{Name: "background_color", Field: func(c *model.KeptCalendar) any { return &c.BackgroundColor }},
	{Name: "foreground_color", Field: func(c *model.KeptCalendar) any { return &c.ForegroundColor }},
	{Name: "is_primary", Field: func(c *model.KeptCalendar) any { return &c.Primary }},
	{Name: "selected", Field: func(c *model.KeptCalendar) any { return &c.Selected }},
	{Name: "followed", Field: func(c *model.KeptCalendar) any { return &c.Followed }},
	{Name: "role", Field: func(c *model.KeptCalendar) any { return (*string)(&c.Role) }},
	{Name: "reminders", Field: func(c *model.KeptCalendar) any { return &c.Reminders }},
	{Name: "state", Field: func(c *model.KeptCalendar) any { return (*string)(&c.State) }},
	{Name: "generation", Field: func(c *model.KeptCalendar) any { return &c.Generation }},
	{Name: "page_token", Field: func(c *model.KeptCalendar) any { return &c.PageToken }},
	{Name: "shape", Field: func(c *model.KeptCalendar) any { return &c.Shape }},
	{Name: "as_of", Kind: Optional, Field: func(c *model.KeptCalendar) any { return &c.AsOf }},
	{Name: "writes", Field: func(c *model.KeptCalendar) any { return &c.Writes }},
	{Name: "version", Field: func(c *model.KeptCalendar) any { return &c.Version }},
	{Name: "updated_at", Field: func(c *model.KeptCalendar) any { return &c.UpdatedAt }},
}}

// EventTable has the columns of their events. Bodies and folded texts stand in the table event_bodies.
var EventTable = Table[model.EventRow, Whole]{Name: "events", Columns: []Column[model.EventRow, Whole]{
	{Name: "calendar", Once: true, Field: func(e *model.EventRow) any { return &e.Calendar }},
	{Name: "id", Once: true, Field: func(e *model.EventRow) any { return &e.ID }},
	{Name: "kind", Field: func(e *model.EventRow) any { return (*string)(&e.Kind) }},
	{Name: "series", Field: func(e *model.EventRow) any { return &e.Series }},
	{Name: "original_at", Kind: Optional, Field: func(e *model.EventRow) any { return &e.OriginalAt }},
	{Name: "original_is_day", Field: func(e *model.EventRow) any { return &e.OriginalIsDay }},
	{Name: "starts_at", Kind: Optional, Field: func(e *model.EventRow) any { return &e.StartsAt }},
	{Name: "ends_at", Kind: Optional, Field: func(e *model.EventRow) any { return &e.EndsAt }},
	{Name: "all_day", Field: func(e *model.EventRow) any { return &e.AllDay }},
	{Name: "floating", Field: func(e *model.EventRow) any { return &e.Floating }},
	{Name: "zone", Field: func(e *model.EventRow) any { return &e.Zone }},
	{Name: "long", Field: func(e *model.EventRow) any { return &e.Long }},
	{Name: "lasts_until", Kind: Unending, Field: func(e *model.EventRow) any { return &e.LastsUntil }},
	{Name: "recurrence", Kind: Lines, Field: func(e *model.EventRow) any { return &e.Recurrence }},
	{Name: "summary", Field: func(e *model.EventRow) any { return &e.Summary }},
	{Name: "status", Field: func(e *model.EventRow) any { return (*string)(&e.Status) }},
	{Name: "type", Field: func(e *model.EventRow) any { return (*string)(&e.Type) }},
	{Name: "transparent", Field: func(e *model.EventRow) any { return &e.Transparent }},
	{Name: "declined", Field: func(e *model.EventRow) any { return &e.Declined }},
	{Name: "uid", Field: func(e *model.EventRow) any { return &e.UID }},
	{Name: "version", Field: func(e *model.EventRow) any { return &e.Version }},
	{Name: "applied", Field: func(e *model.EventRow) any { return &e.Applied }},
	{Name: "generation", Field: func(e *model.EventRow) any { return &e.Generation }},
	{Name: "overrides", Kind: Lines, Field: func(e *model.EventRow) any { return &e.Overrides }},
	{Name: "updated_at", Field: func(e *model.EventRow) any { return &e.UpdatedAt }},
}}

// EventKeyTable has the columns of their keys alone.
var EventKeyTable = Table[model.EventRow, Whole]{Name: EventTable.Name, Columns: EventTable.Columns[:2]}
