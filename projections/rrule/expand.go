package rrule

import (
	"slices"
	"time"

	engine "github.com/teambition/rrule-go"

	"almanac/projections/when"
)

// The engine is fed dates in UTC with the start's clock time, and only this of a rule: FREQ from DAILY up, INTERVAL, WKST, BYMONTH, BYMONTHDAY, BYYEARDAY,
// BYDAY and BYSETPOS. What it gets wrong or does without bounds stays here:
//
//   - Its UNTIL is only looked at when it has found a date, so a rule without any would be searched to the year 9999. The Gregorian
//     calendar repeats every 400 years; it works in the last ones before 9999 and ends soon.
//   - Its first week begins with the start, so BYSETPOS counts wrongly there; it always starts at the beginning of a period.
//   - BYDAY=MO,2TU means to it "a Monday that is a second Tuesday".
//   - BYWEEKNO misjudges the last week of the year before; see weeks.go.
const engineYears = 7600 // a multiple of 400; the horizon becomes 9999

var engineFrequency = map[Frequency]engine.Frequency{Daily: engine.DAILY, Weekly: engine.WEEKLY, Monthly: engine.MONTHLY, Yearly: engine.YEARLY}

var engineDays = [...]engine.Weekday{engine.SU, engine.MO, engine.TU, engine.WE, engine.TH, engine.FR, engine.SA}

// walk gives the clock readings, as if UTC, at which the rule occurs, ascending, from the start or from on, whichever is later.
// Neither COUNT nor UNTIL end it, but the horizon does.
func (s *Set) walk(r *rule, from time.Time) func() (time.Time, bool) {
	if from.Before(s.wall) {
		from = s.wall
	}
	if from.Year() > lastYear {
		return func() (time.Time, bool) { return time.Time{}, false }
	}
	full := r.explicit(s.wall)
	begin := full.period(midnight(s.wall), midnight(from)).Add(s.clock())
	options := engine.ROption{
		Freq:       engineFrequency[full.frequency],
		Interval:   full.interval,
		Dtstart:    begin.AddDate(engineYears, 0, 0),
		Until:      time.Date(lastYear+engineYears, time.December, 31, 23, 59, 59, 0, time.UTC),
		Wkst:       engineDays[full.weekStart],
		Bymonth:    full.months,
		Bymonthday: full.monthDays,
		Byyearday:  full.yearDays,
		Byweekday:  full.engineDays(),
	}
	if len(full.weeks) == 0 {
		options.Bysetpos = full.positions
	}
	expanded, err := engine.NewRRule(options)
	if err != nil {
		// Parse has checked every bound that the engine checks.
		return func() (time.Time, bool) { return time.Time{}, false }
	}
	next := expanded.Iterator()
	if len(full.weeks) > 0 {
		next = full.inWeeks(next)
	}
	return func() (time.Time, bool) {
		for {
			found, ok := next()
			if !ok {
				return time.Time{}, false
			}
			if wall := found.AddDate(-engineYears, 0, 0); !wall.Before(from) {
				return wall, true
			}
		}
	}
}

// engineDays writes BYDAY so that the engine unites days with and without a number.
func (r *rule) engineDays() []engine.Weekday {
	ordinals := slices.ContainsFunc(r.days, func(d weekdayNumber) bool { return d.ordinal != 0 })
	most := maxWeekInYear
	if r.frequency == Monthly || len(r.months) > 0 {
		most = 5
	}
	var all []engine.Weekday
	for _, d := range r.days {
		day := engineDays[d.day]
		switch {
		case d.ordinal != 0:
			all = append(all, day.Nth(d.ordinal))
		case !ordinals:
			all = append(all, day)
		default:
			for n := 1; n <= most; n++ {
				all = append(all, day.Nth(n))
			}
		}
	}
	return all
}

// period gives the first day of the latest period, counted in intervals from the start's, that does not lie after from; both are dates.
func (r *rule) period(start, from time.Time) time.Time {
	// Not b.Sub(a), whose durations end after 292 years.
	days := func(a, b time.Time) int { return int((b.Unix() - a.Unix()) / (24 * 60 * 60)) }
	whole := func(n int) int { return n - n%r.interval }
	switch r.frequency {
	case Daily:
		return start.AddDate(0, 0, whole(days(start, from)))
	case Weekly:
		first := r.weekOf(start)
		return first.AddDate(0, 0, 7*whole(days(first, r.weekOf(from))/7))
	case Monthly:
		months := (from.Year()-start.Year())*12 + int(from.Month()-start.Month())
		return time.Date(start.Year(), start.Month()+time.Month(whole(months)), 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(start.Year()+whole(from.Year()-start.Year()), time.January, 1, 0, 0, 0, 0, time.UTC)
}

// weekOf gives the first day of the week that holds a date.
func (r *rule) weekOf(date time.Time) time.Time {
	return date.AddDate(0, 0, -(int(date.Weekday()-r.weekStart)+7)%7)
}

// instant gives an occurrence from its clock reading.
func (s *Set) instant(wall time.Time) time.Time {
	switch {
	case s.allDay:
		return wall
	case wall.Equal(s.wall):
		return s.start
	}
	return when.Instant(wall, s.zone)
}

// occurrences gives the instants of one rule from an instant on, ascending.
func (s *Set) occurrences(r *rule, from time.Time) func() (time.Time, bool) {
	// No zone is further than two days from UTC, skipped days included.
	next := s.walk(r, from.UTC().AddDate(0, 0, -2))
	return func() (time.Time, bool) {
		for {
			wall, ok := next()
			if !ok {
				return time.Time{}, false
			}
			at := s.instant(wall)
			if !r.last.IsZero() && at.After(r.last) {
				return time.Time{}, false
			}
			if !at.Before(from) {
				return at, true
			}
		}
	}
}
