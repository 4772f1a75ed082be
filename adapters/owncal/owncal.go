// Package owncal reads and writes the user's own calendars, which the store alone has, by the methods with which
// package gcal reads and writes those of linked accounts.
//
// It promises that each change is one transaction of the store, or a part of the caller's, with its entries in the
// change log; that no occurrence before a cut is changed; that a change of a series reaches its exceptions in all that
// is not their own; that nothing is sent to anybody; and that every error is one of the list in graph/model.
package owncal

import (
	"context"
	"strconv"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections/occur"
	"almanac/projections/when"
)

// Client reads and writes own calendars. It keeps nothing between calls but parsed rules, and is safe for goroutines.
//
// Of the connection that its methods take, which has the number 0, the user alone counts. A calendar is named as in
// model.CalendarRef, by its number, or by the empty text: the first one, which Insert makes when there is none.
type Client struct {
	Store store.Store
	Rules *occur.Rules
	// Now is the time at which events are said to be created and changed.
	Now func() time.Time
	// Zone is that of calendars which are made on first need, where neither settings nor event say one; UTC when empty.
	Zone string
}

// Connection stands for the own calendars of a user where an account is asked for.
func Connection(user model.UserID) model.Connection { return model.Connection{User: user} }

// arithmetic works out how series move. It asks nobody.
var arithmetic = new(gcal.Client)

// handle is one calendar that is worked with, outside of a transaction or in one.
type handle struct {
	store.EventReader
	client   *Client
	user     model.UserID
	calendar model.KeptCalendar
	// account is the address of a linked account whose calendar it is a copy of.
	account string
	zone    *time.Location
	// tx is nil where nothing is written.
	tx store.Tx
}

// handle finds a calendar. NOT_FOUND.
func (c *Client) handle(ctx context.Context, reader store.EventReader, user model.UserID,
	name string) (*handle, error) {
	all, err := reader.KeptCalendars(ctx, user)
	if err != nil {
		return nil, err
	}
	number, ok := model.CalendarRef{Calendar: name}.OwnNumber()
	for _, calendar := range all {
		if calendar.Source == model.CalendarOwn && name == "" ||
			ok && calendar.Number == number && calendar.Connection == 0 {
			return &handle{EventReader: reader, client: c, user: user, calendar: calendar,
				zone: when.ZoneOr(time.UTC, calendar.Zone)}, nil
		}
	}
	return nil, noCalendar()
}

// write is transact for changes of events. FORBIDDEN in the copy of a feed.
func (c *Client) write(ctx context.Context, user model.UserID, calendar string,
	fn func(ctx context.Context, d *handle) error) error {
	return c.transact(ctx, user, calendar, func(ctx context.Context, d *handle) error {
		if d.calendar.Source == model.CalendarFeed {
			return model.Errorf(model.CodeForbidden, "the calendar “%s” is the copy of a feed and cannot be changed here",
				model.Clip(d.calendar.Name))
		}
		return fn(ctx, d)
	})
}

// transact runs fn on a calendar in one transaction, which is a part of the context's when that carries one.
func (c *Client) transact(ctx context.Context, user model.UserID, calendar string,
	fn func(ctx context.Context, d *handle) error) error {
	return c.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		d, err := c.handle(ctx, tx, user, calendar)
		if err != nil {
			return err
		}
		d.tx = tx
		return fn(ctx, d)
	})
}

func noCalendar() error { return model.NotFound("", "you have no such calendar") }

func noEvent() error { return model.NotFound("", "there is no such event") }

func changedMeanwhile() error {
	return model.Errorf(model.CodeConflict, "the event has been changed meanwhile; read it again")
}

func doesNotRepeat() error { return model.BadInput("", "this event does not repeat") }

// tellsNobody refuses to tell guests of a change. As in every error of this package, the field is the one of the
// event's input, without what stands above it.
func tellsNobody(updates model.SendUpdates) error {
	if updates == "" || updates == model.SendUpdatesNone {
		return nil
	}
	return model.BadInput("sendUpdates",
		"guests of an own calendar are told nothing, since it has no address that could write to them; leave sendUpdates out")
}

// one reads an event by its id, with its body: one that is kept or, of an occurrence as its series has it, the row that
// it would have. NOT_FOUND, also of a dropped occurrence unless dropped ones are wanted.
func (d *handle) one(ctx context.Context, id string, droppedToo bool) (model.EventRow, error) {
	row, found, err := d.kept(ctx, id)
	if err != nil {
		return row, err
	}
	if found {
		if row.Kind == model.EventTombstone || row.Kind == model.EventDropped && !droppedToo {
			return row, noEvent()
		}
		return row, nil
	}
	of, original, isDay, ok := model.ReadOccurrenceID(id)
	if !ok {
		return row, noEvent()
	}
	series, found, err := d.kept(ctx, of)
	switch {
	case err != nil:
		return row, err
	case !found || series.Kind != model.EventSeries || series.AllDay != isDay:
		return row, noEvent()
	}
	set, err := d.client.Rules.Set(&series, d.zone)
	if err != nil {
		return row, err
	}
	if !set.Contains(original) {
		return row, noEvent()
	}
	return occurrence(series, original), nil
}

// kept reads the row of an id with its body.
func (d *handle) kept(ctx context.Context, id string) (row model.EventRow, found bool, err error) {
	rows, err := d.EventsByKey(ctx, d.user, []model.EventKey{{Calendar: d.calendar.Number, ID: id}}, store.EventBodies)
	if err != nil || len(rows) == 0 {
		return row, false, err
	}
	if rows[0].Body == nil {
		rows[0].Body = new(model.EventBody)
	}
	return rows[0], true, nil
}

// save writes rows, and returns the first of them as an event.
func (d *handle) save(ctx context.Context, rows ...model.EventRow) (model.Event, error) {
	for i := range rows {
		row := &rows[i]
		// Generation 0 says that it was changed here: a file that has brought it replaces it by a later state alone.
		row.Version, row.UpdatedAt, row.Generation = "", d.client.Now(), 0
		if row.Kind == model.EventSeries {
			var err error
			if row.LastsUntil, err = d.client.Rules.LastsUntil(*row, d.zone); err != nil {
				return model.Event{}, err
			}
		}
	}
	number, err := d.tx.SaveEvents(ctx, rows)
	if err != nil {
		return model.Event{}, err
	}
	rows[0].Version = version(ctx, number)
	return d.event(rows[0]), nil
}

// remove deletes rows.
func (d *handle) remove(ctx context.Context, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	keys := make([]model.EventKey, len(ids))
	for i, id := range ids {
		keys[i] = model.EventKey{Calendar: d.calendar.Number, ID: id}
	}
	_, err := d.tx.DeleteEvents(ctx, keys)
	return err
}

// foretoldVersion is the version of an event that a dry run would make; no real one has it.
const foretoldVersion = "dryrun"

func version(ctx context.Context, number int64) string {
	if dryrun.Is(ctx) {
		return foretoldVersion
	}
	return strconv.FormatInt(number, 10)
}
