package owncal

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections/when"
)

// Copies reads copies of linked calendars by the code that reads own ones. Each method answers what the method of
// gcal.Client of the same name does, without asking the remote, or gcal.ErrNotKept: a calendar that is not followed, or
// not read to its end yet, or unconfirmed since it was written to; an event that it does not know; a window with a
// series whose recurrence package rrule does not read.
type Copies struct{ *Client }

// handle finds the copy of a calendar.
func (c Copies) handle(ctx context.Context, account model.Connection, name string) (*handle, error) {
	all, err := c.Store.KeptCalendars(ctx, account.User)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(name, account.Account) {
		name = ""
	}
	ref := model.CalendarRef{Connection: account.Number, Calendar: name}
	for _, calendar := range all {
		if calendar.Source == model.CalendarGoogle && calendar.Ref() == ref && gcal.Readable(calendar) {
			return &handle{EventReader: c.Store, client: c.Client, user: account.User, calendar: calendar,
				zone: when.ZoneOr(time.UTC, calendar.Zone), account: account.Account}, nil
		}
	}
	return nil, gcal.ErrNotKept
}

// Events lists single events and occurrences, by start and then by id.
func (c Copies) Events(ctx context.Context, account model.Connection, calendar string,
	q gcal.Query) (gcal.Listing, error) {
	d, err := c.handle(ctx, account, calendar)
	if err != nil {
		return gcal.Listing{}, err
	}
	return d.events(ctx, q)
}

// Event returns one event, occurrence or series. NOT_FOUND for one that is known to be deleted.
func (c Copies) Event(ctx context.Context, account model.Connection, ref model.EventRef,
	_ gcal.Fields) (model.Event, error) {
	d, err := c.handle(ctx, account, ref.Calendar)
	if err != nil {
		return model.Event{}, err
	}
	row, err := d.copied(ctx, ref.Event)
	if err != nil {
		return model.Event{}, err
	}
	return d.event(row), nil
}

// Instances lists the occurrences of a series, named by itself or by one of them.
func (c Copies) Instances(ctx context.Context, account model.Connection, ref model.EventRef,
	q gcal.Query) (gcal.Listing, error) {
	d, err := c.handle(ctx, account, ref.Calendar)
	if err != nil {
		return gcal.Listing{}, err
	}
	row, err := d.copied(ctx, ref.Event)
	if err != nil {
		return gcal.Listing{}, err
	}
	if row.Series != "" {
		if row, err = d.copied(ctx, row.Series); err != nil {
			return gcal.Listing{}, err
		}
	}
	ref.Event = row.ID
	return d.instances(ctx, ref, q)
}

// FreeBusy returns when a calendar is busy.
func (c Copies) FreeBusy(ctx context.Context, account model.Connection, calendar string, from,
	to time.Time) ([]model.BusyPeriod, error) {
	d, err := c.handle(ctx, account, calendar)
	if err != nil {
		return nil, err
	}
	return d.busy(ctx, from, to)
}

// copied reads the row of an id, or that which an occurrence as its series has it would have.
func (d *handle) copied(ctx context.Context, id string) (model.EventRow, error) {
	row, found, err := d.kept(ctx, id)
	switch {
	case err != nil:
		return row, err
	case found && row.Kind.IsHidden():
		return row, noEvent()
	case found:
		return row, nil
	}
	// What the id of an occurrence looks like is a guess, which counts only if the series occurs then.
	cut := strings.LastIndexByte(id, '_')
	if cut < 0 {
		return row, gcal.ErrNotKept
	}
	series, found, err := d.kept(ctx, id[:cut])
	if err != nil || !found || series.Kind != model.EventSeries {
		return row, errors.Join(err, gcal.ErrNotKept)
	}
	set, err := d.client.Rules.Set(&series, d.zone)
	if err != nil {
		return row, gcal.ErrNotKept // the remote reads it
	}
	layout := "20060102T150405Z"
	if series.AllDay {
		layout = "20060102"
	}
	at, err := time.Parse(layout, id[cut+1:])
	if err != nil || !set.Contains(at) {
		return row, gcal.ErrNotKept // it may be another's
	}
	return occurrence(series, at), nil
}

// splitOff ends the id of a series that was split off another on Google's own screen; the ids of its occurrences begin
// with that of the other.
var splitOff = regexp.MustCompile(`_R[0-9]{8}(T[0-9]{6}Z?)?$`)

// shownID is the id of an occurrence as the remote knows it.
func (d *handle) shownID(series string, row model.EventRow) string {
	if d.account == "" {
		return row.ID
	}
	if strings.Contains(series, "_R") { // few are, and an expression is dear for each row
		series = splitOff.ReplaceAllString(series, "")
	}
	return model.OccurrenceID(series, row.OriginalAt, row.OriginalIsDay)
}
