package owncal

import (
	"context"
	"reflect"
	"slices"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// Whole reads an event or an occurrence as Restore needs it and, of a series, after it the occurrences that are not as
// the rule has them, dropped ones as cancelled. NOT_FOUND.
func (c *Client) Whole(ctx context.Context, account model.Connection, ref model.EventRef) ([]model.Event, error) {
	d, err := c.handle(ctx, c.Store, account.User, ref.Calendar)
	if err != nil {
		return nil, noEvent()
	}
	row, err := d.one(ctx, ref.Event, true)
	if err != nil {
		return nil, err
	}
	all := []model.Event{d.event(row)}
	if row.Kind != model.EventSeries {
		return all, nil
	}
	m, err := d.seriesFrom(ctx, row)
	if err != nil {
		return nil, err
	}
	for _, e := range m.exceptions {
		all = append(all, d.event(e))
	}
	return all, nil
}

// Restore makes an event what it was, under its id, also when it is not there any more. CONFLICT when it has another
// version than now, where that has one.
func (c *Client) Restore(ctx context.Context, account model.Connection, was, now model.Event,
	updates model.SendUpdates) (after model.Event, err error) {
	if err := tellsNobody(updates); err != nil {
		return after, err
	}
	err = c.write(ctx, account.User, was.Ref.Calendar, func(ctx context.Context, d *handle) error {
		row, found, err := d.kept(ctx, was.Ref.Event)
		switch {
		case err != nil:
			return err
		case now.Version != "" && (!found || row.Version != now.Version):
			return changedMeanwhile()
		case was.IsOccurrence():
			after, err = d.restoreOccurrence(ctx, was)
			return err
		case !found:
			row = model.EventRow{Calendar: d.calendar.Number, ID: was.Ref.Event, UID: was.ICalUID}
		}
		ceases := row.Kind == model.EventSeries && !was.IsSeries()
		d.put(&row, was)
		if ceases {
			m, err := d.ExceptionsOf(ctx, d.user, []model.EventKey{row.Key()}, 0)
			if err != nil {
				return err
			}
			if err := d.remove(ctx, idsOf(m)...); err != nil {
				return err
			}
		}
		after, err = d.save(ctx, row)
		return err
	})
	return after, err
}

// restoreOccurrence writes an exception anew. One that is as its series has it stays a row, and follows the series.
func (d *handle) restoreOccurrence(ctx context.Context, was model.Event) (model.Event, error) {
	of, found, err := d.kept(ctx, was.RecurringEventID)
	switch {
	case err != nil:
		return model.Event{}, err
	case !found:
		return model.Event{}, noEvent()
	}
	row := occurrence(of, place(was.OriginalStart))
	plain := d.event(row)
	for name, same := range map[string]bool{
		model.OverridesSummary:      was.Summary == plain.Summary,
		model.OverridesDescription:  was.Description == plain.Description,
		model.OverridesLocation:     was.Location == plain.Location,
		model.OverridesTransparency: was.Transparent == plain.Transparent,
		model.OverridesVisibility:   was.Visibility == plain.Visibility,
		model.OverridesColor:        was.ColorID == plain.ColorID,
		model.OverridesAttendees: len(was.Attendees)+len(plain.Attendees) == 0 ||
			reflect.DeepEqual(was.Attendees, plain.Attendees),
		model.OverridesReminders: reflect.DeepEqual(was.Reminders, plain.Reminders),
	} {
		if !same {
			row.Overrides = append(row.Overrides, name)
		}
	}
	slices.Sort(row.Overrides)
	row.ID = was.Ref.Event
	d.put(&row, was)
	return d.save(ctx, row)
}

// PlainOccurrence is an occurrence of a series as its rule has it, by its original start; ok is false when the rule has
// none there. It has no version.
func (c *Client) PlainOccurrence(of model.Event, ref model.EventRef, original model.EventTime) (e model.Event, ok bool,
	err error) {
	zone, err := when.LoadZone(of.CalendarZone)
	if err != nil {
		return e, false, err
	}
	set, err := rrule.Parse(of.Recurrence, rrule.Start{At: place(of.Start), AllDay: of.Start.AllDay(),
		Zone: when.ZoneOr(zone, of.Start.Zone)})
	if err != nil || original.AllDay() != of.Start.AllDay() || !set.Contains(place(original)) {
		return e, false, err
	}
	e = of
	e.Ref, e.Version, e.Recurrence = ref, "", nil
	e.RecurringEventID, e.OriginalStart = of.Ref.Event, original
	ends := place(original).Add(place(of.End).Sub(place(of.Start)))
	e.Start, e.End = of.Start, of.End
	if original.AllDay() {
		e.Start.Date, e.End.Date = original.Date, model.DateOf(ends)
	} else {
		e.Start.At, e.End.At = original.At, ends
	}
	return e, true, nil
}
