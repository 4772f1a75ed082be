// Package calendars is where events are read and written: own calendars, those of linked accounts and the kept copies
// of these, all by the same methods, and what stands before writing.
package calendars

import (
	"context"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// Reader reads the calendars of a linked account. A calendar is named as in model.CalendarRef. Errors are
// *model.Error.
type Reader interface {
	// Events lists single events and occurrences of one calendar, by start.
	Events(ctx context.Context, account model.Connection, calendar string, query gcal.Query) (gcal.Listing, error)
	// Event returns one event, occurrence or series. NOT_FOUND, also when it is cancelled.
	Event(ctx context.Context, account model.Connection, ref model.EventRef, fields gcal.Fields) (model.Event, error)
	// Instances lists the occurrences of a series, named by itself or by one of them. BAD_USER_INPUT for a single event.
	Instances(ctx context.Context, account model.Connection, ref model.EventRef, query gcal.Query) (gcal.Listing, error)
}

// CalendarReader reads what there is beside events.
type CalendarReader interface {
	// Calendars returns the account's calendars, the primary one first.
	Calendars(ctx context.Context, account model.Connection) ([]model.Calendar, error)
	// FreeBusy returns the busy periods of each calendar, by its name as it was asked for; one that cannot be read has an
	// error instead.
	FreeBusy(ctx context.Context, account model.Connection, calendars []string, from,
		to time.Time) (map[string][]model.BusyPeriod, map[string]error, error)
}

// Writer changes events.
type Writer interface {
	// Insert reports whether the event had been made already, by an earlier try with the same id.
	Insert(ctx context.Context, account model.Connection, calendar string, event gcal.NewEvent) (made model.Event,
		existed bool, err error)
	Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
		options gcal.ChangeOptions) (model.Event, error)
	// Delete reports whether the event had been deleted already.
	Delete(ctx context.Context, account model.Connection, ref model.EventRef, options gcal.ChangeOptions) (already bool,
		err error)
}

// SeriesWriter changes a series from an occurrence on. What lies before is never touched.
type SeriesWriter interface {
	// Truncate ends a series before cut, an instant or a date of its own form.
	Truncate(ctx context.Context, account model.Connection, series model.EventRef, cut model.EventTime,
		options gcal.ChangeOptions) (gcal.Following, error)
	// PatchFollowing changes an occurrence and those after it.
	PatchFollowing(ctx context.Context, account model.Connection, occurrence model.EventRef, patch gcal.Patch,
		options gcal.ChangeOptions) (gcal.Following, error)
	// PatchSeries changes a whole series, and what was changed on its own goes with it.
	PatchSeries(ctx context.Context, account model.Connection, series model.EventRef, patch gcal.Patch,
		options gcal.ChangeOptions) (gcal.Following, error)
	// ShiftSeries works out a whole series from where one of its occurrences is to be.
	ShiftSeries(series, occurrence model.Event, start, end model.EventTime, days gcal.MonthDays) (gcal.Patch, error)
	Restorer
	// LeftOut returns lines that keep out of a series the occurrences that were cancelled by themselves, for when it
	// moves.
	LeftOut(ctx context.Context, account model.Connection, series model.Event) ([]string, error)
}

// Restorer reads events as they can be restored, and restores them.
type Restorer interface {
	// Whole reads an event, an occurrence or a series and, of a series, after it the occurrences that are not as the rule
	// has them; cancelled ones too. NOT_FOUND when there never was such an event.
	Whole(ctx context.Context, account model.Connection, ref model.EventRef) ([]model.Event, error)
	// Restore makes an event what it was, under its id, also when it is cancelled by now, by what was seen of it last.
	// CONFLICT when it has another version than that; an empty one is any.
	Restore(ctx context.Context, account model.Connection, was, now model.Event,
		updates model.SendUpdates) (model.Event, error)
	// PlainOccurrence is an occurrence of a series as its rule has it; ok is false when the rule has none there.
	PlainOccurrence(series model.Event, ref model.EventRef, original model.EventTime) (e model.Event, ok bool, err error)
}

// Calendars is everything that is asked of calendars of one kind.
type Calendars interface {
	Reader
	CalendarReader
	Writer
	SeriesWriter
}

// Copies are the kept copies of linked calendars. Their methods are those of owncal.Copies, and fail with
// gcal.ErrNotKept where the remote must be asked.
type Copies interface {
	Reader
	FreeBusy(ctx context.Context, account model.Connection, calendar string, from, to time.Time) ([]model.BusyPeriod,
		error)
}

// Follower keeps the copies; the contract is that of calsync.Worker.
type Follower interface {
	// BeginWrite takes a copy out of use until what is written is in it.
	BeginWrite(ctx context.Context, account model.Connection, calendar string) (gcal.KeptWrite, error)
	// ApplyWrites writes what was written into the copies, in the transaction that tells of it.
	ApplyWrites(ctx context.Context, tx store.Tx, all []gcal.KeptWrite,
		tell func(uncertain map[model.UUID]bool) error) error
	// FinishWrites ends writes, once that transaction was committed, or not.
	FinishWrites(ctx context.Context, all []gcal.KeptWrite, committed bool)
	// Refresh syncs a calendar at once; nil: its copy is what the remote had then.
	Refresh(ctx context.Context, account model.Connection, calendar string) error
}
