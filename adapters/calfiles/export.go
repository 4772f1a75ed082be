package calfiles

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/ical"
	"almanac/projections/occur"
)

// MaxExported is how many events one file is made of.
const MaxExported = 20_000

// perPage is how many events are read at a time.
const perPage = 500

// Window bounds what is exported; zero times are open ends.
type Window struct{ From, To time.Time }

// Export returns a calendar as a file has it: all of it, or what takes place in a window, with whole series.
// BAD_USER_INPUT for more than MaxExported events.
func (f *Files) Export(ctx context.Context, user model.UserID, calendar model.KeptCalendar,
	window Window) (ical.Heading, []ical.Event, error) {
	c := withZone(calendar)
	heading := ical.Heading{Name: calendar.Name, Description: calendar.Description, Zone: c.zone.String()}
	var rows []model.EventRow
	var err error
	if window == (Window{}) {
		rows, err = f.all(ctx, user, calendar.Number)
	} else {
		rows, err = f.within(ctx, user, c, window)
	}
	if err != nil {
		return heading, nil, err
	}
	slices.SortFunc(rows, func(a, b model.EventRow) int {
		if by := a.StartsAt.Compare(b.StartsAt); by != 0 {
			return by
		}
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	events := make([]ical.Event, 0, len(rows))
	for _, row := range rows {
		if row.Kind != model.EventTombstone {
			events = append(events, c.event(row))
		}
	}
	return heading, events, nil
}

// Text is Export as text, with how many events it has. Errors are those of Export.
func (f *Files) Text(ctx context.Context, user model.UserID, calendar model.KeptCalendar, window Window,
	form model.CalendarForm) (text []byte, events int, err error) {
	heading, all, err := f.Export(ctx, user, calendar, window)
	if err != nil {
		return nil, 0, err
	}
	if form == model.CalendarBusy {
		heading.Form, heading.Description = ical.Busy, ""
	}
	return ical.Write(heading, all), len(all), nil
}

// all reads the rows of a calendar.
func (f *Files) all(ctx context.Context, user model.UserID, calendar int) (rows []model.EventRow, err error) {
	after := ""
	for {
		some, err := f.Store.AllEvents(ctx, user, calendar, after, perPage)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
		if len(some) < perPage {
			return rows, nil
		}
		if after = some[len(some)-1].ID; len(rows) > MaxExported {
			return nil, tooMany()
		}
	}
}

func tooMany() error {
	return model.BadInput("", "the calendar has more than %d events; export a part of it by timeMin and timeMax",
		MaxExported)
}

// within reads what takes place in a window: events, and series whole that have an occurrence in it.
func (f *Files) within(ctx context.Context, user model.UserID, c calendarOf, w Window) ([]model.EventRow, error) {
	if w.From, w.To = occur.Window(w.From, w.To); !w.To.After(w.From) {
		return nil, model.BadInput("timeMax", "the window ends before it begins")
	}
	found, err := f.Store.EventsBetween(ctx, user, store.EventWindow{Calendars: []int{c.Number},
		From: w.From.Add(-occur.Slack), To: w.To.Add(occur.Slack)})
	if err != nil {
		return nil, err
	}
	if len(found.Events) > MaxExported {
		return nil, tooMany()
	}
	wanted := map[model.EventKey]bool{} // and whether it is a series
	of := func(row *model.EventRow) {
		key := row.Key()
		if row.Series != "" {
			key.ID = row.Series
		}
		wanted[key] = row.Series != "" || row.Kind == model.EventSeries
	}
	// Each row by itself, since a daily series would fill a listing with its occurrences.
	query := occur.Query{From: w.From, To: w.To, Zone: func(int) *time.Location { return c.zone }}
	bySeries, isThere := map[string][]model.EventRow{}, map[string]bool{}
	for _, row := range found.Events {
		if isThere[row.ID] = true; row.Series != "" {
			bySeries[row.Series] = append(bySeries[row.Series], row)
		}
	}
	for n := range found.Events {
		row := &found.Events[n]
		if isThere[row.Series] {
			continue // it is looked at with its series
		}
		if _, takesPlace := f.Rules.List(append([]model.EventRow{*row}, bySeries[row.ID]...), query).Next(); takesPlace {
			of(row)
		}
	}
	return f.whole(ctx, user, wanted)
}

// whole reads rows by key, and of series the exceptions.
func (f *Files) whole(ctx context.Context, user model.UserID,
	wanted map[model.EventKey]bool) (rows []model.EventRow, err error) {
	var keys, series []model.EventKey
	for key, isSeries := range wanted {
		if keys = append(keys, key); isSeries {
			series = append(series, key)
		}
	}
	for some := range slices.Chunk(keys, perPage) {
		more, err := f.Store.EventsByKey(ctx, user, some, store.EventBodies)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	for some := range slices.Chunk(series, perPage) {
		more, err := f.Store.ExceptionsOf(ctx, user, some, store.EventBodies)
		if err != nil {
			return nil, err
		}
		if rows = append(rows, more...); len(rows) > MaxExported {
			return nil, tooMany()
		}
	}
	return rows, nil
}
