package rrule

import (
	"slices"
	"time"
)

// quick is walk for the rules that calendars have most of, by arithmetic alone: every so many days, weekdays of every
// so many weeks, a day or the nth weekday of every so many months, and a date of every so many years. ok is false for
// any other rule. The rule must be explicit, and from not before the start.
func (s *Set) quick(r *rule, from time.Time) (next func() (time.Time, bool), ok bool) {
	if len(r.weeks)+len(r.yearDays)+len(r.positions) > 0 {
		return nil, false
	}
	plainDay := len(r.monthDays) == 1 && r.monthDays[0] > 0 && len(r.days) == 0
	nthDay := len(r.days) == 1 && r.days[0].ordinal != 0 && len(r.monthDays) == 0
	begin := func() time.Time { return r.period(midnight(s.wall), midnight(from)) }
	clock := s.clock()
	var step func() time.Time // the next clock reading; zero for a period without one
	switch {
	case r.frequency == Daily && len(r.months)+len(r.monthDays)+len(r.days) == 0:
		at, beat := begin().Add(clock), time.Duration(r.interval)*24*time.Hour
		step = func() time.Time {
			found := at
			at = at.Add(beat)
			return found
		}
	case r.frequency == Weekly && len(r.months)+len(r.monthDays) == 0:
		step = r.weekdays(begin().Add(clock))
	case r.frequency == Monthly && (plainDay || nthDay) && len(r.months) == 0:
		year, month, _ := begin().Date()
		step = func() time.Time {
			var day int
			if nthDay {
				day = r.days[0].inMonth(year, month)
			} else {
				day = r.monthDays[0]
			}
			found := dayOf(year, month, day, clock)
			ahead := int(month) - 1 + r.interval
			year, month = year+ahead/12, time.Month(ahead%12+1)
			return found
		}
	case r.frequency == Yearly && plainDay && len(r.months) == 1:
		year, month := begin().Year(), time.Month(r.months[0])
		step = func() time.Time {
			found := dayOf(year, month, r.monthDays[0], clock)
			year += r.interval
			return found
		}
	default:
		return nil, false
	}
	// Periods without the day do not end by the horizon by themselves.
	const emptyPeriods = 12 * (lastYear - firstYear)
	horizon := time.Date(lastYear+1, time.January, 1, 0, 0, 0, 0, time.UTC)
	return func() (time.Time, bool) {
		for empty := 0; empty < emptyPeriods; {
			found := step()
			switch {
			case found.IsZero():
				empty++
			case !found.Before(horizon):
				return time.Time{}, false
			case !found.Before(from):
				return found, true
			}
		}
		return time.Time{}, false
	}, true
}

// dayOf is a clock reading on a day of a month; zero when the month has no such day.
func dayOf(year int, month time.Month, day int, clock time.Duration) time.Time {
	found := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if found.Month() != month {
		return time.Time{}
	}
	return found.Add(clock)
}

// inMonth is the day of a month that is its nth such weekday; beyond the month, on either side, when there is none.
func (d weekdayNumber) inMonth(year int, month time.Month) int {
	if d.ordinal > 0 {
		first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
		return 1 + (int(d.day-first.Weekday())+7)%7 + 7*(d.ordinal-1)
	}
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	return last.Day() - (int(last.Weekday()-d.day)+7)%7 + 7*(d.ordinal+1)
}

// weekBeats are the rule's weekdays as times from the beginning of a week, ascending.
func (r *rule) weekBeats() []time.Duration {
	beats := make([]time.Duration, len(r.days))
	for i, d := range r.days {
		beats[i] = time.Duration((int(d.day-r.weekStart)+7)%7) * 24 * time.Hour
	}
	slices.Sort(beats)
	return beats
}

// weekdays steps through the rule's weekdays, from the first day of a week on.
func (r *rule) weekdays(week time.Time) func() time.Time {
	step, i := time.Duration(r.interval)*7*24*time.Hour, 0
	return func() time.Time {
		if i == len(r.beats) {
			week, i = week.Add(step), 0
		}
		i++
		return week.Add(r.beats[i-1])
	}
}
