package rrule

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
)

// Frequency is how often a rule repeats, before its interval.
type Frequency string

// The frequencies that calendars offer.
const (
	Daily   Frequency = "DAILY"
	Weekly  Frequency = "WEEKLY"
	Monthly Frequency = "MONTHLY"
	Yearly  Frequency = "YEARLY"
)

func (f Frequency) valid() bool { return f == Daily || f == Weekly || f == Monthly || f == Yearly }

// Rule is a rule as people choose it.
type Rule struct {
	Frequency Frequency
	// Interval is 1 for every period, 2 for every other; 0 means 1.
	Interval int
	// Days are for WEEKLY; none means the start's weekday.
	Days []model.Weekday
	// DayOfMonth, 1 to 31, is for MONTHLY; months without it are skipped. 0 means the start's.
	DayOfMonth int
	// Until is the last instant, inclusive, and for an all-day event the last date: midnight UTC of it, or any other
	// instant of it in Zone. Zero means none.
	Until time.Time
	// Count is the number of occurrences; 0 means none.
	Count  int
	AllDay bool
	Zone   *time.Location
}

// Build writes one RRULE line, UNTIL as an instant or, for an all-day event, as a date; days Sunday first and each
// once. BAD_USER_INPUT without a field for an unknown frequency or weekday, numbers out of bounds, both Count and
// Until, and what the frequency does not use.
func Build(r Rule) (string, error) {
	if err := r.check(); err != nil {
		return "", err
	}
	parts := []part{{"FREQ", string(r.Frequency)}}
	if r.Interval > 1 {
		parts = append(parts, part{"INTERVAL", strconv.Itoa(r.Interval)})
	}
	switch {
	case r.Count > 0:
		parts = append(parts, part{"COUNT", strconv.Itoa(r.Count)})
	case !r.Until.IsZero():
		parts = append(parts, part{"UNTIL", r.until()})
	}
	if r.DayOfMonth > 0 {
		parts = append(parts, part{"BYMONTHDAY", strconv.Itoa(r.DayOfMonth)})
	}
	if len(r.Days) > 0 {
		var codes []string
		for day, code := range dayCodes {
			if slices.Contains(r.Days, model.WeekdayOf(time.Weekday(day))) {
				codes = append(codes, code)
			}
		}
		parts = append(parts, part{"BYDAY", strings.Join(codes, ",")})
	}
	return "RRULE:" + writeParts(parts), nil
}

func (r Rule) check() error {
	switch {
	case !r.Frequency.valid():
		return bad("the frequency of a recurrence is DAILY, WEEKLY, MONTHLY or YEARLY")
	case r.Interval < 0 || r.Interval > maxInterval:
		return bad("the interval of a recurrence is from 1 to %d, not %d", maxInterval, r.Interval)
	case r.Count < 0 || r.Count > maxCount:
		return bad("the count of a recurrence is from 1 to %d, not %d", maxCount, r.Count)
	case r.Count > 0 && !r.Until.IsZero():
		return bad("a recurrence has a count or an until, not both")
	case len(r.Days) > 0 && r.Frequency != Weekly:
		return bad("only a WEEKLY recurrence has weekdays")
	case slices.ContainsFunc(r.Days, func(d model.Weekday) bool { return !d.Valid() }):
		return bad("a weekday is one of SUNDAY to SATURDAY")
	case r.DayOfMonth != 0 && r.Frequency != Monthly:
		return bad("only a MONTHLY recurrence has a day of the month")
	case r.DayOfMonth < 0 || r.DayOfMonth > 31:
		return bad("the day of the month is from 1 to 31, not %d", r.DayOfMonth)
	case !r.Until.IsZero() && (r.Until.UTC().Year() < firstYear || r.Until.UTC().Year() > 9999):
		return bad("the until of a recurrence lies between the years %d and 9999", firstYear)
	}
	return nil
}

func (r Rule) until() string {
	z := zoned{zone: r.Zone, allDay: r.AllDay}
	until := r.Until.UTC()
	if r.AllDay && r.Zone != nil && !until.Equal(midnight(until)) {
		until = midnight(until.In(r.Zone))
	}
	return z.formatUntil(until)
}
