package calfiles

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/ical"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// calendarOf is a calendar with its zone.
type calendarOf struct {
	model.KeptCalendar
	zone *time.Location
}

func withZone(c model.KeptCalendar) calendarOf {
	return calendarOf{KeptCalendar: c, zone: when.ZoneOr(time.UTC, c.Zone)}
}

// row is an event of a file as the store keeps it, without ids. Floating times stay floating where the file does not
// put them into another zone than the calendar's.
func (c calendarOf) row(e *ical.Event) model.EventRow {
	row := model.EventRow{
		Calendar: c.Number, UID: e.ICalUID, Kind: model.EventSingle, Summary: e.Summary,
		Status: cmp.Or(e.Status, model.EventConfirmed), Type: model.EventDefault, Transparent: e.Transparent,
		UpdatedAt: e.UpdatedAt, AllDay: e.Start.AllDay(),
		Body: &model.EventBody{
			Description: e.Description, Location: e.Location, Attendees: e.Attendees, Organizer: e.Organizer,
			Reminders: e.Reminders, MeetingURL: e.MeetingURL, Visibility: e.Visibility, CreatedAt: e.CreatedAt,
			Sequence: e.Sequence, Stamp: e.Stamp, URL: e.URL, Categories: e.Categories,
		},
	}
	row.Floating = e.Floating && !row.AllDay && e.Start.Zone == c.Zone
	row.StartsAt, row.EndsAt = c.place(row, e.Start), c.place(row, e.End)
	if !row.AllDay && !row.Floating {
		row.Zone = e.Start.Zone
	}
	if !row.AllDay && e.End.Zone != e.Start.Zone {
		row.Body.EndZone = e.End.Zone
	}
	if e.IsSeries() {
		row.Kind, row.Recurrence = model.EventSeries, slices.Clone(e.Recurrence)
		if row.Floating {
			lines, ok := inUTC(e.Recurrence, row.StartsAt, c.zone)
			if !ok {
				row.Floating, row.Zone = false, e.Start.Zone
				row.StartsAt, row.EndsAt = e.Start.At.UTC(), e.End.At.UTC()
				lines = slices.Clone(e.Recurrence)
			}
			row.Recurrence = lines
		}
	}
	if !e.OriginalStart.IsZero() {
		row.OriginalIsDay = e.OriginalStart.AllDay()
		row.OriginalAt = c.place(model.EventRow{AllDay: row.OriginalIsDay, Floating: row.Floating}, e.OriginalStart)
	}
	return row
}

// place is a time as a row of its kind keeps it.
func (c calendarOf) place(row model.EventRow, t model.EventTime) time.Time {
	switch {
	case t.AllDay():
		return t.Date.Midnight()
	case t.At.IsZero():
		return time.Time{}
	case row.Floating:
		return wall(t.At, c.zone)
	}
	return t.At.UTC()
}

// wall is what clocks in a zone show, as if in UTC.
func wall(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	year, month, day := local.Date()
	hour, minute, second := local.Clock()
	return time.Date(year, month, day, hour, minute, second, 0, time.UTC)
}

// exception makes an event of a file that changes or cancels an occurrence the exception of a series, in the form of
// its times.
func (c calendarOf) exception(e *ical.Event, row, series model.EventRow) model.EventRow {
	if !row.AllDay && row.Floating != series.Floating {
		row.Floating, row.Zone = series.Floating, e.Start.Zone
		row.StartsAt, row.EndsAt = c.place(row, e.Start), c.place(row, e.End)
		if row.Floating {
			row.Zone = ""
		}
	}
	row.OriginalAt = c.place(model.EventRow{Floating: series.Floating}, e.OriginalStart)
	row.Kind, row.Series = model.EventChanged, series.ID
	row.ID = model.OccurrenceID(series.ID, row.OriginalAt, row.OriginalIsDay)
	row.Overrides = overridden(row, series)
	if row.Status == model.EventCancelled {
		row.Kind, row.Status, row.Overrides = model.EventDropped, model.EventConfirmed, nil
		row.AllDay, row.Floating, row.Zone = series.AllDay, series.Floating, series.Zone
		row.StartsAt, row.EndsAt = row.OriginalAt, row.OriginalAt.Add(series.EndsAt.Sub(series.StartsAt))
		row.Summary = series.Summary
	}
	return row
}

// overridden are the fields in which an exception differs from its series, as model.EventRow.Overrides has them.
func overridden(row, series model.EventRow) (names []string) {
	of, mine := series.Body, row.Body
	if of == nil {
		of = new(model.EventBody)
	}
	for name, same := range map[string]bool{
		model.OverridesSummary:      row.Summary == series.Summary,
		model.OverridesDescription:  mine.Description == of.Description,
		model.OverridesLocation:     mine.Location == of.Location,
		model.OverridesTransparency: row.Transparent == series.Transparent,
		model.OverridesVisibility:   mine.Visibility == of.Visibility,
		model.OverridesAttendees:    alike(mine.Attendees, of.Attendees),
		model.OverridesReminders:    alike(mine.Reminders, of.Reminders),
	} {
		if !same {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// alike is reflect.DeepEqual for which an empty list and none are the same.
func alike(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Kind() == reflect.Slice && x.Len()+y.Len() == 0 {
		return true
	}
	if reminders, ok := a.(model.Reminders); ok {
		others, _ := b.(model.Reminders)
		return reminders.UseDefault == others.UseDefault && slices.Equal(reminders.Overrides, others.Overrides)
	}
	return reflect.DeepEqual(a, b)
}

// same reports whether two rows say the same of an event.
func same(a, b model.EventRow) bool {
	if a.Kind == model.EventDropped && b.Kind == a.Kind {
		return a.OriginalAt.Equal(b.OriginalAt)
	}
	x, y := a.Body, b.Body
	if x == nil || y == nil {
		return false
	}
	return a.Kind == b.Kind && a.Series == b.Series && a.OriginalAt.Equal(b.OriginalAt) &&
		a.StartsAt.Equal(b.StartsAt) && a.EndsAt.Equal(b.EndsAt) && a.AllDay == b.AllDay && a.Floating == b.Floating &&
		a.Zone == b.Zone && slices.Equal(a.Recurrence, b.Recurrence) && a.Summary == b.Summary && a.Status == b.Status &&
		a.Transparent == b.Transparent && x.Description == y.Description && x.Location == y.Location &&
		alike(x.Attendees, y.Attendees) && alike(x.Organizer, y.Organizer) && alike(x.Reminders, y.Reminders) &&
		x.MeetingURL == y.MeetingURL && x.Visibility == y.Visibility && x.EndZone == y.EndZone && x.URL == y.URL &&
		slices.Equal(x.Categories, y.Categories)
}

// event is a row as an event of a file. An exception whose series stands in the same file needs nothing of it.
func (c calendarOf) event(row model.EventRow) ical.Event {
	body := row.Body
	if body == nil {
		body = new(model.EventBody)
	}
	e := ical.Event{Floating: row.Floating, Sequence: body.Sequence, Stamp: body.Stamp, URL: body.URL,
		Categories: body.Categories}
	if e.Stamp.IsZero() {
		e.Stamp = row.UpdatedAt
	}
	e.ICalUID, e.Status, e.Type, e.Summary = row.UID, cmp.Or(row.Status, model.EventConfirmed), row.Type, row.Summary
	e.Description, e.Location, e.Attendees, e.Organizer = body.Description, body.Location, body.Attendees, body.Organizer
	e.Reminders, e.MeetingURL, e.Transparent = body.Reminders, body.MeetingURL, row.Transparent
	e.Visibility, e.CreatedAt, e.UpdatedAt = body.Visibility, body.CreatedAt, row.UpdatedAt
	zone := cmp.Or(row.Zone, c.Zone)
	e.Start, e.End = c.time(row, row.StartsAt, zone), c.time(row, row.EndsAt, cmp.Or(body.EndZone, zone))
	if !row.OriginalAt.IsZero() {
		e.OriginalStart = c.time(model.EventRow{AllDay: row.OriginalIsDay, Floating: row.Floating}, row.OriginalAt, zone)
	}
	switch row.Kind {
	case model.EventSeries:
		e.Recurrence = row.Recurrence
		if row.Floating {
			e.Recurrence = inZone(row.Recurrence, c.zone)
		}
	case model.EventDropped:
		e.Status = model.EventCancelled
	}
	return e
}

// time is a time of a row of a kind as files have it.
func (c calendarOf) time(row model.EventRow, at time.Time, zone string) model.EventTime {
	switch {
	case at.IsZero():
		return model.EventTime{}
	case row.AllDay:
		return model.EventTime{Date: model.DateOf(at)}
	case row.Floating:
		return model.EventTime{At: when.Instant(at, c.zone), Zone: c.Zone}
	}
	return model.EventTime{At: at, Zone: zone}
}

// The forms of times in lines of recurrences.
const (
	instantForm = "20060102T150405Z"
	clockForm   = "20060102T150405"
)

// inUTC writes the lines of a series by what clocks in a zone show, as if in UTC: a floating series repeats there. ok
// is false when that is no recurrence.
func inUTC(lines []string, start time.Time, zone *time.Location) (out []string, ok bool) {
	out = eachTime(lines, func(text string) string {
		if at, err := time.Parse(instantForm, text); err == nil {
			return wall(at, zone).Format(instantForm)
		}
		if at, err := time.Parse(clockForm, text); err == nil {
			return at.Format(instantForm)
		}
		return text
	})
	set, err := rrule.Parse(out, rrule.Start{At: start, Zone: time.UTC})
	if err != nil {
		return nil, false
	}
	return set.Lines(), true
}

// inZone is the reverse of inUTC.
func inZone(lines []string, zone *time.Location) []string {
	return eachTime(lines, func(text string) string {
		if at, err := time.Parse(instantForm, text); err == nil {
			return when.Instant(at, zone).UTC().Format(instantForm)
		}
		return text
	})
}

// eachTime writes the times of lines anew, without zones.
func eachTime(lines []string, write func(string) string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		if name == "RRULE" {
			parts := strings.Split(value, ";")
			for k, part := range parts {
				if until, found := strings.CutPrefix(part, "UNTIL="); found {
					parts[k] = "UNTIL=" + write(until)
				}
			}
			out[i] = name + ":" + strings.Join(parts, ";")
			continue
		}
		if before, _, found := strings.Cut(name, ";TZID="); found {
			name = before
		}
		values := strings.Split(value, ",")
		for k, one := range values {
			values[k] = write(one)
		}
		out[i] = name + ":" + strings.Join(values, ",")
	}
	return out
}
