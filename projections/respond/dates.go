package respond

import (
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
)

// dateSuffix is what the key of a date in words ends with.
const dateSuffix = "_formatted"

// isDateKey reports whether a value under this key is a date that gets a sibling in words.
func isDateKey(key string) bool {
	switch key {
	case "start", "end", "due_date", "created_at", "updated_at", "next_reminder_at", "dueDate", "createdAt", "updatedAt",
		"reminderTime":
		return true
	}
	return false
}

// isLeftAlone reports whether nothing below this key is looked at: times of day and rules of repetition are no dates.
func isLeftAlone(key string) bool {
	switch key {
	case "days", "startTime", "endTime", "recurrence", "reminder_recurrence", "reminderRecurrence":
		return true
	}
	return false
}

// date is a time, or a day, that an answer names.
type date struct {
	at  time.Time  // zero for a whole day
	day model.Date // zero for a time
}

func (d date) isZero() bool { return d.at.IsZero() && d.day.IsZero() }

// maxDate is longer than any date, in bytes.
const maxDate = 40

// parseDate reads RFC 3339, with or without offset, seconds and T, or a day alone; the zero date for anything else.
// Without an offset it is what clocks in the zone show. Offsets may be written as databases do, +02 and +0200.
func parseDate(written string, zone *time.Location) date {
	if len(written) > maxDate {
		return date{}
	}
	if day, err := model.ParseDate(written); err == nil {
		return date{day: day}
	}
	in, err := model.ParseDateTimeInput(withOffset(written))
	if err != nil {
		return date{}
	}
	return date{at: when.Resolve(in, zone)}
}

// withOffset writes a short offset as RFC 3339 has it.
func withOffset(written string) string {
	const dayAndHour = len("2026-01-20T10")
	sign := strings.LastIndexAny(written, "+-")
	if sign < dayAndHour {
		return written
	}
	switch offset := written[sign+1:]; {
	case strings.Trim(offset, "0123456789") != "":
		return written
	case len(offset) == len("02"):
		return written + ":00"
	case len(offset) == len("0200"):
		return written[:sign+3] + ":" + written[sign+3:]
	}
	return written
}

// words says a date for people; the empty text for none.
func (d date) words(at *projections.Moment) string {
	if !d.day.IsZero() {
		return when.FormatDate(d.day, at.Moment)
	}
	return when.Format(d.at, at.Moment)
}

// due is the instant from which on a task is late: of a day, its very end.
func (d date) due(zone *time.Location) time.Time {
	if d.day.IsZero() {
		return d.at
	}
	return when.StartOfDate(d.day.AddDays(1), zone).Add(-time.Microsecond)
}

// eventTime is the date as a start or an end.
func (d date) eventTime() model.EventTime { return model.EventTime{At: d.at, Date: d.day} }

// readDate reads a date from a value: a string, or what Google has for a start or an end, {dateTime, timeZone} or
// {date}.
func (t text) readDate(s span, zone *time.Location) date {
	if written, ok := t.string(s); ok {
		return parseDate(written, zone)
	}
	if !t.isObject(s) || s.to-s.from > maxTime {
		return date{}
	}
	var dateTime, day, zoneName string
	for key, value := range t.fields(s) {
		switch key {
		case "dateTime":
			dateTime, _ = t.string(value)
		case "date":
			day, _ = t.string(value)
		case "timeZone":
			zoneName, _ = t.string(value)
		}
	}
	if dateTime == "" {
		dateTime = day
	}
	return parseDate(dateTime, when.ZoneOr(zone, zoneName))
}
