// Package mirror writes what Google says of events into the rows that the store keeps of them.
//
// It promises that a row says what Google says and nothing of its own: no reminders that are the calendar's, no zone
// that is the calendar's, no meaning read out of an id. What is deleted keeps no text.
package mirror

import (
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/occur"
	"almanac/projections/when"
)

// Rows makes rows of events. Rules must be set; it is safe for goroutines.
type Rows struct {
	// Rules says when series end.
	Rules *occur.Rules
}

// Of is an event as a row of the calendar, seen by the reading that is under way or was the last. now is when a
// cancelled event was found to be so.
func (r Rows) Of(calendar model.KeptCalendar, e model.Event, now time.Time) model.EventRow {
	row := model.EventRow{
		Calendar: calendar.Number, ID: e.Ref.Event, Series: e.RecurringEventID, UID: e.ICalUID, Version: e.Version,
		Generation: calendar.Generation, Type: e.Type, Status: e.Status, UpdatedAt: e.UpdatedAt,
		OriginalAt: place(e.OriginalStart), OriginalIsDay: e.OriginalStart.AllDay(),
		StartsAt: place(e.Start), EndsAt: place(e.End), AllDay: e.Start.AllDay(), Zone: e.Start.Zone,
	}
	switch {
	case e.Status == model.EventCancelled && !e.IsOccurrence():
		return Tombstone(row, now)
	case e.Status == model.EventCancelled:
		row.Kind, row.Body = model.EventDropped, new(model.EventBody)
		return row
	case e.IsOccurrence():
		row.Kind = model.EventChanged
	case e.IsSeries():
		row.Kind, row.Recurrence = model.EventSeries, slices.Clone(e.Recurrence)
		// One that package rrule does not read is kept as one without end, and who lists it asks Google.
		row.LastsUntil, _ = r.Rules.LastsUntil(row, when.ZoneOr(time.UTC, calendar.Zone))
	default:
		row.Kind = model.EventSingle
	}
	row.Summary, row.Transparent = e.Summary, e.Transparent
	row.Declined = slices.ContainsFunc(e.Attendees, func(a model.Attendee) bool {
		return a.Self && a.Status == model.Declined
	})
	row.Body = &model.EventBody{
		Description: e.Description, Location: e.Location, Attendees: e.Attendees, AttendeesOmitted: e.AttendeesOmitted,
		Organizer: e.Organizer, Creator: e.Creator, Reminders: e.Reminders, HTMLLink: e.HTMLLink,
		MeetingURL: e.MeetingURL, Visibility: e.Visibility, ColorID: e.ColorID, CreatedAt: e.CreatedAt,
	}
	if !e.End.AllDay() && e.End.Zone != e.Start.Zone {
		row.Body.EndZone = e.End.Zone
	}
	return row
}

// Tombstone is a row of an event that is not there any more: what names it, and no text.
func Tombstone(row model.EventRow, now time.Time) model.EventRow {
	return model.EventRow{Calendar: row.Calendar, ID: row.ID, Kind: model.EventTombstone, Status: model.EventCancelled,
		Type: row.Type, Version: row.Version, Generation: row.Generation, UpdatedAt: now, Body: new(model.EventBody)}
}

// place is the instant that stands for a time in rows: of a date, its midnight in UTC; zero for none.
func place(t model.EventTime) time.Time {
	if t.AllDay() {
		return t.Date.Midnight()
	}
	return t.At.UTC()
}
