package owncal

import (
	"context"
	"slices"
	"strings"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/occur"
)

// inBodies are the fields that stand apart from the rows of events.
const inBodies = gcal.FieldDescription | gcal.FieldLocation | gcal.FieldAttendees | gcal.FieldPeople |
	gcal.FieldReminders | gcal.FieldLink | gcal.FieldMeeting | gcal.FieldVisibility | gcal.FieldColor | gcal.FieldStamps

// longInBodies are those that store.EventBriefs lacks.
const longInBodies = gcal.FieldDescription | gcal.FieldAttendees

// Events lists single events and occurrences of one calendar, by start and then by id. NOT_FOUND; BAD_USER_INPUT when
// the window is empty or holds more than gcal.MaxEvents.
func (c *Client) Events(ctx context.Context, account model.Connection, calendar string,
	q gcal.Query) (gcal.Listing, error) {
	d, err := c.handle(ctx, c.Store, account.User, calendar)
	if calendar == "" && model.CodeOf(err) == model.CodeNotFound { // it is made with its first event
		return gcal.Listing{}, nil
	}
	if err != nil {
		return gcal.Listing{}, err
	}
	return d.events(ctx, q)
}

// events is Events of one calendar.
func (d *handle) events(ctx context.Context, q gcal.Query) (_ gcal.Listing, err error) {
	if q, err = bounded(q); err != nil {
		return gcal.Listing{}, err
	}
	window := store.EventWindow{Calendars: []int{d.calendar.Number}, From: q.From.Add(-occur.Slack),
		To: q.To.Add(occur.Slack)}
	if q.Search != "" {
		window.Want = store.EventFolded
	}
	if q.Limit > 0 && q.Keep == nil && q.Search == "" {
		window.Limit = q.Limit + 1
	}
	for {
		found, err := d.EventsBetween(ctx, d.user, window)
		if err != nil {
			return gcal.Listing{}, err
		}
		listing, short, err := d.listing(ctx, found.Events, found.Cut, q)
		if err != nil || !short {
			return listing, err
		}
		window.Limit *= 2 // what the limit has cut off may begin before what was found
	}
}

func bounded(q gcal.Query) (gcal.Query, error) {
	if q.From, q.To = occur.Window(q.From, q.To); !q.To.After(q.From) {
		return q, model.BadInput("", "the window ends before it begins")
	}
	return q, nil
}

// listing expands rows. It is short when rows that were cut off are needed.
func (d *handle) listing(ctx context.Context, rows []model.EventRow, cut time.Time,
	q gcal.Query) (out gcal.Listing, short bool, err error) {
	out = gcal.Listing{Zone: d.calendar.Zone, DefaultReminders: d.calendar.Reminders, Role: d.calendar.Role}
	list := d.client.Rules.List(rows, occur.Query{From: q.From, To: q.To, Cut: cut,
		Zone: func(int) *time.Location { return d.zone }})
	if d.account != "" && len(list.Refused()) > 0 {
		return out, false, gcal.ErrNotKept
	}
	words := strings.Fields(fold.Text(q.Search))
	items := make([]occur.Item, 0, min(max(q.Limit, fewItems), mostItems))
	var kept []model.Event // the items as Keep was asked about them
	for !out.More {
		item, ok := list.Next()
		if !ok {
			if list.More() && q.Limit > 0 {
				return out, true, nil
			}
			if list.More() {
				return out, false, model.BadInput("", "the window holds more than %d events; ask for a shorter one",
					gcal.MaxEvents)
			}
			break
		}
		missing := func(word string) bool { return !strings.Contains(item.Row.Folded, word) }
		if slices.ContainsFunc(words, missing) {
			continue
		}
		var event model.Event
		if q.Keep != nil {
			if event = d.item(item, nil); !q.Keep(event) {
				continue
			}
		}
		if q.Limit > 0 && len(items) == q.Limit {
			out.More = true
			continue
		}
		if items = append(items, item); q.Keep != nil {
			kept = append(kept, event)
		}
	}
	if q.Keep != nil && q.Fields&inBodies == 0 {
		out.Events = kept
		return out, false, nil
	}
	bodies, err := d.bodies(ctx, items, q.Fields)
	if err != nil {
		return out, false, err
	}
	out.Events = make([]model.Event, len(items))
	for i, item := range items {
		out.Events[i] = d.item(item, bodies[item.Row.ID])
	}
	return out, false, nil
}

// A listing begins with room for so many items, whatever its limit.
const fewItems, mostItems = 16, 128

// bodies reads what of the events of items does not stand in their rows.
func (d *handle) bodies(ctx context.Context, items []occur.Item,
	fields gcal.Fields) (map[string]*model.EventBody, error) {
	if fields&inBodies == 0 {
		return nil, nil
	}
	bodies := make(map[string]*model.EventBody, len(items))
	want := store.EventKeys | store.EventBriefs
	if fields&longInBodies != 0 {
		want = store.EventKeys | store.EventBodies
	}
	var keys []model.EventKey
	for _, item := range items {
		if _, known := bodies[item.Row.ID]; !known {
			bodies[item.Row.ID] = item.Row.Body
			keys = append(keys, item.Row.Key())
		}
	}
	for some := range slices.Chunk(keys, store.MaxEventsRead) {
		rows, err := d.EventsByKey(ctx, d.user, some, want)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			bodies[row.ID] = row.Body
		}
	}
	return bodies, nil
}

// item is what takes place as an event.
func (d *handle) item(item occur.Item, body *model.EventBody) model.Event {
	row := *item.Row
	if item.Occurrence {
		row = occurrence(row, item.Original)
		row.ID = d.shownID(item.Row.ID, row)
	}
	row.Body = body
	return d.event(row)
}

// Event returns one event, occurrence or series. NOT_FOUND.
func (c *Client) Event(ctx context.Context, account model.Connection, ref model.EventRef,
	_ gcal.Fields) (model.Event, error) {
	d, err := c.handle(ctx, c.Store, account.User, ref.Calendar)
	if err != nil {
		return model.Event{}, noEvent()
	}
	row, err := d.one(ctx, ref.Event, false)
	if err != nil {
		return model.Event{}, err
	}
	return d.event(row), nil
}

// Instances lists the occurrences of a series, named by itself or by one of them. NOT_FOUND; BAD_USER_INPUT for a
// single event and for a search.
func (c *Client) Instances(ctx context.Context, account model.Connection, ref model.EventRef,
	q gcal.Query) (gcal.Listing, error) {
	d, err := c.handle(ctx, c.Store, account.User, ref.Calendar)
	if err != nil {
		return gcal.Listing{}, noEvent()
	}
	return d.instances(ctx, ref, q)
}

// instances is Instances in one calendar.
func (d *handle) instances(ctx context.Context, ref model.EventRef, q gcal.Query) (_ gcal.Listing, err error) {
	if q, err = bounded(q); err != nil {
		return gcal.Listing{}, err
	}
	if q.Search != "" {
		return gcal.Listing{}, model.BadInput("", "the occurrences of a series cannot be searched")
	}
	m, err := d.seriesOf(ctx, ref.Event, "")
	if err != nil {
		return gcal.Listing{}, err
	}
	out, short, err := d.listing(ctx, append([]model.EventRow{m.row}, m.exceptions...), time.Time{}, q)
	if short {
		err = model.BadInput("", "the window holds more than %d events; ask for a shorter one", gcal.MaxEvents)
	}
	return out, err
}

// Calendars returns the own calendars of the user, and the copies of feeds, by number.
func (c *Client) Calendars(ctx context.Context, account model.Connection) ([]model.Calendar, error) {
	all, err := c.Store.KeptCalendars(ctx, account.User)
	if err != nil {
		return nil, err
	}
	var own []model.Calendar
	for _, calendar := range all {
		if calendar.Connection == 0 {
			own = append(own, CalendarOf(calendar))
		}
	}
	return own, nil
}

// CalendarOf is an own calendar as calendars of linked accounts are read.
func CalendarOf(c model.KeptCalendar) model.Calendar {
	return model.Calendar{Ref: c.Ref(), Source: c.Source, Summary: c.Name, Description: c.Description, TimeZone: c.Zone,
		Selected: c.Followed, Followed: c.Followed, State: c.State, AsOf: c.AsOf,
		AccessRole: c.Role, BackgroundColor: c.BackgroundColor,
		ForegroundColor: c.ForegroundColor, DefaultReminders: c.Reminders}
}

// FreeBusy returns when each of the calendars is busy, ascending and joined, within the window. One that is not there
// has an error instead. Events that leave their time free do not count.
func (c *Client) FreeBusy(ctx context.Context, account model.Connection, calendars []string, from,
	to time.Time) (map[string][]model.BusyPeriod, map[string]error, error) {
	if !to.After(from) {
		return nil, nil, model.BadInput("", "the window ends before it begins")
	}
	busy, problems := map[string][]model.BusyPeriod{}, map[string]error{}
	for _, name := range calendars {
		d, err := c.handle(ctx, c.Store, account.User, name)
		if model.CodeOf(err) == model.CodeNotFound {
			problems[name] = err
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if busy[name], err = d.busy(ctx, from, to); model.CodeOf(err) == model.CodeBadUserInput {
			delete(busy, name)
			problems[name] = err
		} else if err != nil {
			return nil, nil, err
		}
	}
	return busy, problems, nil
}

func (d *handle) busy(ctx context.Context, from, to time.Time) ([]model.BusyPeriod, error) {
	found, err := d.EventsBetween(ctx, d.user, store.EventWindow{Calendars: []int{d.calendar.Number},
		From: from.Add(-occur.Slack), To: to.Add(occur.Slack)})
	if err != nil {
		return nil, err
	}
	list := d.client.Rules.List(found.Events, occur.Query{From: from, To: to,
		Zone: func(int) *time.Location { return d.zone }})
	if d.account != "" && len(list.Refused()) > 0 {
		return nil, gcal.ErrNotKept
	}
	items, more := list.All(occur.MaxItems)
	if more {
		return nil, model.BadInput("", "the window holds more than %d events; ask for a shorter one", occur.MaxItems)
	}
	periods := []model.BusyPeriod{}
	for _, item := range items {
		start, end := item.Start.UTC(), item.End.UTC()
		if start.Before(from) {
			start = from.UTC()
		}
		if end.After(to) {
			end = to.UTC()
		}
		last := len(periods) - 1
		switch {
		case item.Row.Transparent || item.Row.Declined || !end.After(start):
		case last >= 0 && !start.After(periods[last].End):
			if end.After(periods[last].End) {
				periods[last].End = end
			}
		default:
			periods = append(periods, model.BusyPeriod{Start: start, End: end})
		}
	}
	return periods, nil
}
