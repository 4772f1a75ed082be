package owncal

import (
	"cmp"
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// event is a row as an event. Without a body the fields that stand there are empty.
func (d *handle) event(row model.EventRow) model.Event {
	e := model.Event{
		Ref: d.calendar.Ref().Event(row.ID), Account: d.account, AsOf: d.calendar.AsOf,
		CalendarID: d.calendarID(), CalendarZone: d.calendar.Zone,
		ICalUID: row.UID, Status: row.Status, Type: row.Type, Version: row.Version, Summary: row.Summary,
		Transparent: row.Transparent, UpdatedAt: row.UpdatedAt, RecurringEventID: row.Series,
	}
	if row.Kind == model.EventDropped {
		e.Status = model.EventCancelled
	}
	if row.Kind == model.EventSeries {
		e.Recurrence = slices.Clone(row.Recurrence)
	}
	e.Start, e.End = d.time(row, row.StartsAt), d.time(row, row.EndsAt)
	if row.Series != "" {
		e.OriginalStart = original(row, d.zone)
		if d.account != "" && !row.OriginalIsDay {
			e.OriginalStart.Zone = row.Zone
		}
	}
	if b := row.Body; b != nil {
		if !row.AllDay {
			e.End.Zone = cmp.Or(b.EndZone, e.End.Zone)
		}
		e.Description, e.Location, e.Attendees = b.Description, b.Location, slices.Clone(b.Attendees)
		e.AttendeesOmitted, e.Organizer, e.Creator = b.AttendeesOmitted, b.Organizer, b.Creator
		e.Reminders, e.HTMLLink, e.MeetingURL = b.Reminders, b.HTMLLink, b.MeetingURL
		e.Visibility, e.ColorID, e.CreatedAt = b.Visibility, b.ColorID, b.CreatedAt
	}
	return e
}

// calendarID is how clients know the calendar: Google's own id where it is one of Google's.
func (d *handle) calendarID() string {
	if d.calendar.Source == model.CalendarGoogle {
		return d.calendar.RemoteID
	}
	return d.calendar.Ref().ID().String()
}

// time is a start or an end of a row.
func (d *handle) time(row model.EventRow, at time.Time) model.EventTime {
	switch {
	case row.AllDay:
		return model.EventTime{Date: model.DateOf(at)}
	case row.Floating:
		return model.EventTime{At: when.Instant(at, d.zone), Zone: d.calendar.Zone}
	}
	return model.EventTime{At: at, Zone: row.Zone}
}

// original is the identity of an exception.
func original(row model.EventRow, zone *time.Location) model.EventTime {
	switch {
	case row.OriginalIsDay:
		return model.EventTime{Date: model.DateOf(row.OriginalAt)}
	case row.Floating:
		return model.EventTime{At: when.Instant(row.OriginalAt, zone)}
	}
	return model.EventTime{At: row.OriginalAt}
}

// put writes what an event says into a row. Times that the row says already are left in their form.
func (d *handle) put(row *model.EventRow, e model.Event) {
	if !sameTime(d.time(*row, row.StartsAt), e.Start) || !sameTime(d.time(*row, row.EndsAt), e.End) ||
		row.StartsAt.IsZero() {
		row.StartsAt, row.EndsAt = place(e.Start), place(e.End)
		row.AllDay, row.Floating, row.Zone = e.Start.AllDay(), false, e.Start.Zone
	}
	row.Summary, row.Status, row.Transparent = e.Summary, cmp.Or(e.Status, model.EventConfirmed), e.Transparent
	row.Type = cmp.Or(e.Type, model.EventDefault)
	if row.Series == "" {
		row.Kind, row.Recurrence = model.EventSingle, nil
		if len(e.Recurrence) > 0 {
			row.Kind, row.Recurrence = model.EventSeries, slices.Clone(e.Recurrence)
		}
	}
	was := row.Body
	row.Body = &model.EventBody{
		Description: e.Description, Location: e.Location, Attendees: slices.Clone(e.Attendees),
		AttendeesOmitted: e.AttendeesOmitted, Organizer: e.Organizer, Creator: e.Creator, Reminders: e.Reminders,
		HTMLLink: e.HTMLLink, MeetingURL: e.MeetingURL, Visibility: e.Visibility, ColorID: e.ColorID,
		CreatedAt: e.CreatedAt,
	}
	if !e.End.AllDay() && e.End.Zone != e.Start.Zone {
		row.Body.EndZone = e.End.Zone
	}
	if was != nil && row.Version != "" { // a state after the one that files know
		row.Body.Sequence, row.Body.URL, row.Body.Categories = was.Sequence+1, was.URL, was.Categories
	}
}

// place is the instant that stands for a time in rows and in the arithmetic of rules: of a date, its midnight in UTC.
func place(t model.EventTime) time.Time {
	if t.AllDay() {
		return t.Date.Midnight()
	}
	return t.At.UTC()
}

// sameTime reports whether two times are the same; a zone that one of them does not name makes no difference.
func sameTime(a, b model.EventTime) bool {
	return a.Date == b.Date && a.At.Equal(b.At) && (a.Zone == b.Zone || a.Zone == "" || b.Zone == "")
}

// occurrence is the row that an occurrence of a series would have, by its original start.
func occurrence(series model.EventRow, at time.Time) model.EventRow {
	row := series
	row.Kind, row.Series, row.ID = model.EventChanged, series.ID, model.OccurrenceID(series.ID, at, series.AllDay)
	row.OriginalAt, row.OriginalIsDay = at, series.AllDay
	row.StartsAt, row.EndsAt = at, at.Add(series.EndsAt.Sub(series.StartsAt))
	row.Recurrence, row.LastsUntil, row.Overrides = nil, time.Time{}, nil
	return row
}
