// Package events answers the fields of events and calendars. It reads and changes them through the linked accounts; the
// store keeps what was claimed, noted and logged of each change.
//
// A change goes one way: its input is read, the events that are meant are found, it is decided what is to be done with
// each of them or what must be asked first, the decision is applied, and what came of it is the answer. The files stand
// in this order in order_test.go, and each uses only those before it.
package events

import (
	"context"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// Resolver answers the fields of events and calendars.
type Resolver struct {
	*core.Base
	reader    Reader
	calendars CalendarReader
	writer    Writer
	series    SeriesWriter
	own       OwnCalendars
	// follower may be nil: then no copies are kept.
	follower Follower
}

// place is one calendar of one linked account.
type place struct {
	account  model.Connection
	calendar string
}

// ref names the place.
func (p place) ref() model.CalendarRef {
	return model.CalendarRef{Connection: p.account.Number, Calendar: p.calendar}
}

// Reader reads the calendars of a linked account. A calendar is named as in model.CalendarRef. Errors are
// *model.Error.
type Reader interface {
	// Events lists single events and occurrences of one calendar, by start.
	Events(ctx context.Context, account model.Connection, calendar string, query gcal.Query) (gcal.Listing, error)
	// Event gives one event, occurrence or series. NOT_FOUND, also when it is cancelled.
	Event(ctx context.Context, account model.Connection, ref model.EventRef, fields gcal.Fields) (model.Event, error)
	// Instances lists the occurrences of a series, named by itself or by one of them. BAD_USER_INPUT for a single event.
	Instances(ctx context.Context, account model.Connection, ref model.EventRef, query gcal.Query) (gcal.Listing, error)
}

// CalendarReader reads what there is beside events.
type CalendarReader interface {
	// Calendars gives the account's calendars, the primary one first.
	Calendars(ctx context.Context, account model.Connection) ([]model.Calendar, error)
	// FreeBusy gives the busy periods of each calendar, by its name as it was asked for; one that cannot be read has an
	// error instead.
	FreeBusy(ctx context.Context, account model.Connection, calendars []string, from,
		to time.Time) (map[string][]model.BusyPeriod, map[string]error, error)
}

// Writer changes events.
type Writer interface {
	// Insert tells whether the event had been made already, by an earlier try with the same id.
	Insert(ctx context.Context, account model.Connection, calendar string, event gcal.NewEvent) (made model.Event,
		existed bool, err error)
	Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
		options gcal.ChangeOptions) (model.Event, error)
	// Delete tells whether the event had been deleted already.
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
	// LeftOut gives lines that keep out of a series the occurrences that were cancelled by themselves, for when it moves.
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

// sending lets only those tell guests by mail whose token allows it: an assistant that may change a
// calendar may not write to strangers by it. It stands before the writers, so that no mutation can forget to ask.
type sending struct {
	Writer
	SeriesWriter
}

// maySend is FORBIDDEN when guests would be told and the caller's token has not the scope CALENDAR_INVITE.
func maySend(ctx context.Context, updates model.SendUpdates) error {
	if updates == "" || updates == model.SendUpdatesNone {
		return nil
	}
	// A token that may send to some addresses only tells no guests, since Google tells all of them.
	if caller, ok := model.CallerFrom(ctx); ok && caller.May(model.ScopeCalendarInvite) && len(caller.Recipients) == 0 {
		return nil
	}
	return model.Errorf(model.CodeForbidden,
		"telling guests by mail (sendUpdates: %s) needs a token with the scope CALENDAR_INVITE, which SEND includes; "+
			"nothing was done", updates)
}

// Insert implements Writer.
func (s sending) Insert(ctx context.Context, account model.Connection, calendar string,
	event gcal.NewEvent) (made model.Event, existed bool, err error) {
	if err := maySend(ctx, event.SendUpdates); err != nil {
		return model.Event{}, false, err
	}
	return s.Writer.Insert(ctx, account, calendar, event)
}

// Patch implements Writer.
func (s sending) Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (model.Event, error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return model.Event{}, err
	}
	return s.Writer.Patch(ctx, account, ref, patch, options)
}

// Delete implements Writer.
func (s sending) Delete(ctx context.Context, account model.Connection, ref model.EventRef,
	options gcal.ChangeOptions) (already bool, err error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return false, err
	}
	return s.Writer.Delete(ctx, account, ref, options)
}

// Truncate implements SeriesWriter.
func (s sending) Truncate(ctx context.Context, account model.Connection, series model.EventRef, cut model.EventTime,
	options gcal.ChangeOptions) (gcal.Following, error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.Truncate(ctx, account, series, cut, options)
}

// PatchFollowing implements SeriesWriter.
func (s sending) PatchFollowing(ctx context.Context, account model.Connection, occurrence model.EventRef,
	patch gcal.Patch, options gcal.ChangeOptions) (gcal.Following, error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.PatchFollowing(ctx, account, occurrence, patch, options)
}

// Restore implements Restorer.
func (s sending) Restore(ctx context.Context, account model.Connection, was, now model.Event,
	updates model.SendUpdates) (model.Event, error) {
	if err := maySend(ctx, updates); err != nil {
		return model.Event{}, err
	}
	return s.SeriesWriter.Restore(ctx, account, was, now, updates)
}

// PatchSeries implements SeriesWriter.
func (s sending) PatchSeries(ctx context.Context, account model.Connection, series model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (gcal.Following, error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.PatchSeries(ctx, account, series, patch, options)
}

// Calendars is everything that is asked of calendars of one kind.
type Calendars interface {
	Reader
	CalendarReader
	Writer
	SeriesWriter
}

// OwnCalendars are those of the user's own, which can be made and deleted too.
type OwnCalendars interface {
	Calendars
	CreateCalendar(ctx context.Context, user model.UserID, calendar owncal.NewCalendar) (model.KeptCalendar, error)
	// UpdateCalendar returns the calendar before the change and after it.
	UpdateCalendar(ctx context.Context, user model.UserID, ref model.CalendarRef,
		patch owncal.CalendarPatch) (before, after model.KeptCalendar, err error)
	// CountEvents returns a calendar and how many single events and series it has.
	CountEvents(ctx context.Context, user model.UserID, ref model.CalendarRef) (model.KeptCalendar, int, error)
	// DeleteCalendar returns the calendar as it was.
	DeleteCalendar(ctx context.Context, user model.UserID, ref model.CalendarRef) (model.KeptCalendar, error)
}

// Copies are the kept copies of linked calendars. Their methods are those of owncal.Copies, and fail with
// owncal.ErrNotKept where the remote must be asked.
type Copies interface {
	Reader
	FreeBusy(ctx context.Context, account model.Connection, calendar string, from, to time.Time) ([]model.BusyPeriod,
		error)
}

// Follower keeps the copies; the contract is that of calsync.Worker.
type Follower interface {
	// Doubt takes copies out of use until a look that begins later.
	Doubt(ctx context.Context, account model.Connection, calendars []string) error
	// Refresh looks at a calendar at once; nil: its copy is what the remote had then.
	Refresh(ctx context.Context, account model.Connection, calendar string) error
}

// linked are the calendars of linked accounts.
type linked struct {
	Reader
	CalendarReader
	Writer
	SeriesWriter
}

// both are own calendars and those of linked accounts. Own ones have the connection of number 0.
type both struct{ own, linked Calendars }

func (b both) of(connection int) Calendars {
	if connection == 0 {
		return b.own
	}
	return b.linked
}

// Events implements Reader.
func (b both) Events(ctx context.Context, account model.Connection, calendar string,
	query gcal.Query) (gcal.Listing, error) {
	return b.of(account.Number).Events(ctx, account, calendar, query)
}

// Event implements Reader.
func (b both) Event(ctx context.Context, account model.Connection, ref model.EventRef,
	fields gcal.Fields) (model.Event, error) {
	return b.of(account.Number).Event(ctx, account, ref, fields)
}

// Instances implements Reader.
func (b both) Instances(ctx context.Context, account model.Connection, ref model.EventRef,
	query gcal.Query) (gcal.Listing, error) {
	return b.of(account.Number).Instances(ctx, account, ref, query)
}

// Calendars implements CalendarReader.
func (b both) Calendars(ctx context.Context, account model.Connection) ([]model.Calendar, error) {
	return b.of(account.Number).Calendars(ctx, account)
}

// FreeBusy implements CalendarReader.
func (b both) FreeBusy(ctx context.Context, account model.Connection, calendars []string, from,
	to time.Time) (map[string][]model.BusyPeriod, map[string]error, error) {
	return b.of(account.Number).FreeBusy(ctx, account, calendars, from, to)
}

// Insert implements Writer.
func (b both) Insert(ctx context.Context, account model.Connection, calendar string,
	event gcal.NewEvent) (made model.Event, existed bool, err error) {
	return b.of(account.Number).Insert(ctx, account, calendar, event)
}

// Patch implements Writer.
func (b both) Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (model.Event, error) {
	return b.of(account.Number).Patch(ctx, account, ref, patch, options)
}

// Delete implements Writer.
func (b both) Delete(ctx context.Context, account model.Connection, ref model.EventRef,
	options gcal.ChangeOptions) (already bool, err error) {
	return b.of(account.Number).Delete(ctx, account, ref, options)
}

// Truncate implements SeriesWriter.
func (b both) Truncate(ctx context.Context, account model.Connection, series model.EventRef, cut model.EventTime,
	options gcal.ChangeOptions) (gcal.Following, error) {
	return b.of(account.Number).Truncate(ctx, account, series, cut, options)
}

// PatchFollowing implements SeriesWriter.
func (b both) PatchFollowing(ctx context.Context, account model.Connection, occurrence model.EventRef,
	patch gcal.Patch, options gcal.ChangeOptions) (gcal.Following, error) {
	return b.of(account.Number).PatchFollowing(ctx, account, occurrence, patch, options)
}

// PatchSeries implements SeriesWriter.
func (b both) PatchSeries(ctx context.Context, account model.Connection, series model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (gcal.Following, error) {
	return b.of(account.Number).PatchSeries(ctx, account, series, patch, options)
}

// ShiftSeries implements SeriesWriter.
func (b both) ShiftSeries(series, occurrence model.Event, start, end model.EventTime,
	days gcal.MonthDays) (gcal.Patch, error) {
	return b.of(series.Ref.Connection).ShiftSeries(series, occurrence, start, end, days)
}

// LeftOut implements SeriesWriter.
func (b both) LeftOut(ctx context.Context, account model.Connection, series model.Event) ([]string, error) {
	return b.of(account.Number).LeftOut(ctx, account, series)
}

// Whole implements Restorer.
func (b both) Whole(ctx context.Context, account model.Connection, ref model.EventRef) ([]model.Event, error) {
	return b.of(account.Number).Whole(ctx, account, ref)
}

// Restore implements Restorer.
func (b both) Restore(ctx context.Context, account model.Connection, was, now model.Event,
	updates model.SendUpdates) (model.Event, error) {
	return b.of(account.Number).Restore(ctx, account, was, now, updates)
}

// PlainOccurrence implements Restorer.
func (b both) PlainOccurrence(series model.Event, ref model.EventRef, original model.EventTime) (e model.Event,
	ok bool, err error) {
	return b.of(ref.Connection).PlainOccurrence(series, ref, original)
}
