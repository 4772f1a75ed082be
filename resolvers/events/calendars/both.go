package calendars

import (
	"context"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
)

// Linked are the calendars of linked accounts.
type Linked struct {
	Reader
	CalendarReader
	Writer
	SeriesWriter
}

// Both are own calendars and those of linked accounts, told apart by the number of the connection.
func Both(own, linked Calendars) Calendars { return both{own: own, linked: linked} }

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
