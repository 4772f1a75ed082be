package recur

import (
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Next returns the first occurrence of a rule strictly after a time; false when the rule's Until, or the year 9999,
// ends before it, and for a rule that was not normalised. A nudge occurs one interval after the time.
//
// A monthly rule for a day that a month lacks occurs on the month's last day. A time that clocks skip occurs as much
// later as was skipped, one that they show twice occurs the first time (RFC 5545, 3.3.5).
func Next(rule model.Recurrence, after time.Time) (time.Time, bool) {
	at, ok := next(rule, after.UTC())
	if !ok || at.Year() > lastYear || !rule.Until.IsZero() && at.After(rule.Until) {
		return time.Time{}, false
	}
	return at, true
}

func next(rule model.Recurrence, after time.Time) (time.Time, bool) {
	if rule.Type == model.Nudge {
		return after.Add(rule.Interval).Truncate(time.Microsecond), rule.Interval > 0
	}
	clock, ok := parseClock(rule.Time)
	if !ok {
		return time.Time{}, false
	}
	zone := zoneOf(rule)
	// Occurrences follow each other as their dates do. One of two days before may still be to come: its date may have been
	// skipped.
	year, month, day := after.In(zone).AddDate(0, 0, -2).Date()
	occurs := func(year int, month time.Month, day int) (time.Time, bool) {
		at := when.Instant(time.Date(year, month, day, clock.hour, clock.minute, 0, 0, time.UTC), zone)
		return at, at.After(after)
	}
	if rule.Type == model.Monthly {
		if rule.DayOfMonth < 1 {
			return time.Time{}, false
		}
		for range 4 { // this month, the next, and one to spare for the two days
			if at, ok := occurs(year, month, min(rule.DayOfMonth, daysIn(year, month))); ok {
				return at, true
			}
			year, month, _ = time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC).Date()
		}
		return time.Time{}, false
	}
	for i := range 12 { // the two days, today, tomorrow, and a week
		date := time.Date(year, month, day+i, 0, 0, 0, 0, time.UTC)
		if rule.Type == model.Daily ||
			rule.Type == model.Weekly && slices.Contains(rule.Days, model.WeekdayOf(date.Weekday())) {
			if at, ok := occurs(date.Date()); ok {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

// lastYear is the last that RFC 3339 can write.
const lastYear = 9999

// zoneOf returns the rule's zone, or UTC when a newer zone database has dropped it: to remind at another hour is better
// than not to remind.
func zoneOf(rule model.Recurrence) *time.Location {
	zone, err := when.LoadZone(rule.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

func daysIn(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// latest returns the last occurrence that is not after now, given one that is not.
func latest(rule model.Recurrence, known, now time.Time) time.Time {
	from := known
	if recent := now.Add(-62 * 24 * time.Hour); from.Before(recent) { // any rule occurs within two months
		from = recent
	}
	for {
		at, ok := Next(rule, from)
		if !ok || at.After(now) {
			return known
		}
		known, from = at, at
	}
}

// clock is a time of day.
type clock struct{ hour, minute int }

// parseClock reads "HH:mm", five characters, 00:00 to 23:59.
func parseClock(text string) (clock, bool) {
	if len(text) != 5 || text[2] != ':' {
		return clock{}, false
	}
	digit := func(i int) int { return int(text[i]) - '0' }
	for _, i := range [...]int{0, 1, 3, 4} {
		if d := digit(i); d < 0 || d > 9 {
			return clock{}, false
		}
	}
	c := clock{hour: digit(0)*10 + digit(1), minute: digit(3)*10 + digit(4)}
	return c, c.hour < 24 && c.minute < 60
}
