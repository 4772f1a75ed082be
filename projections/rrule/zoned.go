package rrule

import (
	"time"

	"almanac/graph/model"

	"almanac/projections/when"
)

// zoned turns the texts of dates and times into instants for one event, and back.
type zoned struct {
	zone   *time.Location
	allDay bool
}

const (
	dateForm    = "20060102"
	floatForm   = "20060102T150405"
	instantForm = "20060102T150405Z"
)

// stamp is a date, a date with a clock time, or an instant, as RFC 5545, 3.3.4 and 3.3.5, write them.
type stamp struct {
	wall   time.Time // in UTC whatever it means
	isDate bool
	isUTC  bool
}

func parseStamp(text string) (stamp, bool) {
	form := map[int]string{len(dateForm): dateForm, len(floatForm): floatForm, len(instantForm): instantForm}[len(text)]
	if form == "" {
		return stamp{}, false
	}
	wall, err := time.Parse(form, text)
	return stamp{wall: wall, isDate: form == dateForm, isUTC: form == instantForm}, err == nil
}

// instant returns what a stamp means in a zone; a date is not asked for.
func (s stamp) instant(zone *time.Location) time.Time {
	if s.isUTC {
		return s.wall
	}
	return when.Instant(s.wall, zone)
}

func midnight(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// date returns the date, as midnight UTC, that a time means on an all-day event: the one that is written. Some
// calendars write the local midnight, or the last second of the local day, as UTC, and then the local date is meant.
func (z zoned) date(s stamp) time.Time {
	if s.isUTC {
		local := s.wall.In(z.zone)
		switch local.Format("150405") {
		case "000000", "235959":
			return midnight(local)
		}
	}
	return midnight(s.wall)
}

// parseUntil reads UNTIL into the last instant, inclusive, or the last date.
func (z zoned) parseUntil(text string) (time.Time, error) {
	s, ok := parseStamp(text)
	switch {
	case !ok:
		return time.Time{}, bad("UNTIL is written 20261231T235959Z, or 20261231 for an all-day event, not %q",
			model.Clip(text))
	case z.allDay:
		return z.date(s), nil
	case s.isDate:
		return when.Instant(s.wall.AddDate(0, 0, 1), z.zone).Add(-time.Second), nil
	}
	return s.instant(z.zone), nil
}

// formatUntil writes UNTIL in the one form that fits the event: a date, or an instant.
func (z zoned) formatUntil(until time.Time) string {
	until = until.UTC()
	if latest := time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC); until.After(latest) {
		until = latest // a date at the end of time, in a zone west of Greenwich
	}
	if z.allDay {
		return until.Format(dateForm)
	}
	return until.Format(instantForm)
}
