package rrule

import (
	"slices"
	"time"

	engine "github.com/teambition/rrule-go"

	"almanac/projections/when"
)

// The engine is fed dates in UTC with the start's clock time, and only this of a rule: FREQ from DAILY up, INTERVAL,
// WKST, BYMONTH, BYMONTHDAY, BYYEARDAY and BYDAY. What it gets wrong or does without bounds stays here:
//
//   - Its UNTIL is only looked at when it has found a date, so a rule without any would be searched to the year 9999.
//     The Gregorian calendar repeats every 400 years; it works in the last ones before 9999 and ends soon.
//   - BYSETPOS is applied here, see weeks.go; its first week would begin with the start, so it always starts at the
//     beginning of a period.
//   - It looks at every day of a DAILY rule by itself, which takes long where few fit; see daily.
//   - BYDAY=MO,2TU means to it "a Monday that is a second Tuesday".
//   - BYWEEKNO misjudges the last week of the year before, and its INTERVAL counts calendar years; see weeks.go.
const engineYears = 7600 // a multiple of 400; the horizon becomes 9999

var engineFrequency = map[Frequency]engine.Frequency{Daily: engine.DAILY, Weekly: engine.WEEKLY,
	Monthly: engine.MONTHLY, Yearly: engine.YEARLY}

var engineDays = [...]engine.Weekday{engine.SU, engine.MO, engine.TU, engine.WE, engine.TH, engine.FR, engine.SA}

// walk returns the clock readings, as if UTC, at which the rule occurs, ascending, from the start or from on, whichever
// is later. Neither COUNT nor UNTIL end it, but the horizon does.
func (s *Set) walk(r *rule, from time.Time) func() (time.Time, bool) {
	if from.Before(s.wall) {
		from = s.wall
	}
	if from.Year() > lastYear {
		return func() (time.Time, bool) { return time.Time{}, false }
	}
	if next, ok := s.quick(r.full, from); ok {
		return next
	}
	return s.searched(r.full, from)
}

// searched is walk by the engine, for an explicit rule and a moment that is not before the start.
func (s *Set) searched(full *rule, from time.Time) func() (time.Time, bool) {
	begin := full.period(midnight(s.wall), midnight(from)).Add(s.clock())
	frequency, days := full.daily()
	interval := full.interval
	if frequency != full.frequency || len(full.weeks) > 0 {
		interval = 1
	}
	options := engine.ROption{
		Freq:       engineFrequency[frequency],
		Interval:   interval,
		Dtstart:    begin.AddDate(engineYears, 0, 0),
		Until:      time.Date(lastYear+engineYears, time.December, 31, 23, 59, 59, 0, time.UTC),
		Wkst:       engineDays[full.weekStart],
		Bymonth:    full.months,
		Bymonthday: full.monthDays,
		Byyearday:  full.yearDays,
		Byweekday:  days,
	}
	expanded, err := engine.NewRRule(options)
	if err != nil {
		// Parse has checked every bound that the engine checks.
		return func() (time.Time, bool) { return time.Time{}, false }
	}
	next := expanded.Iterator()
	if frequency != full.frequency {
		next = onBeat(next, options.Dtstart, full.interval)
	}
	if len(full.weeks)+len(full.positions) > 0 {
		next = full.chosen(next, full.weekYear(midnight(s.wall)))
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

// shortBeat is up to which interval the days of a month that fit are fewer than the days that are on the beat.
const shortBeat = 7

// daily returns the frequency and the days for the engine. What occurs on every day that fits occurs in every month on
// every day that fits, and of months the engine passes over those that are not wanted. The days that are not on the
// beat are left out by onBeat.
func (r *rule) daily() (Frequency, []engine.Weekday) {
	days := r.engineDays()
	if r.frequency != Daily || r.interval > shortBeat || len(r.months)+len(r.monthDays) == 0 {
		return r.frequency, days
	}
	if len(days)+len(r.monthDays) == 0 {
		days = engineDays[:]
	}
	return Monthly, days
}

// onBeat keeps the days that lie whole intervals after the first.
func onBeat(next func() (time.Time, bool), first time.Time, interval int) func() (time.Time, bool) {
	beat := int64(interval) * 24 * 60 * 60
	return func() (time.Time, bool) {
		for {
			day, ok := next()
			if !ok || (day.Unix()-first.Unix())%beat == 0 {
				return day, ok
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

// period returns the first day of the latest period, counted in intervals from the start's, that does not lie after
// from; both are dates.
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
	if len(r.weeks) > 0 {
		first := r.weekYear(start)
		return r.weekOne(first + whole(r.weekYear(from)-first))
	}
	return time.Date(start.Year()+whole(from.Year()-start.Year()), time.January, 1, 0, 0, 0, 0, time.UTC)
}

// weekOf returns the first day of the week that holds a date.
func (r *rule) weekOf(date time.Time) time.Time {
	return date.AddDate(0, 0, -(int(date.Weekday()-r.weekStart)+7)%7)
}

// instant returns an occurrence from its clock reading.
func (s *Set) instant(wall time.Time) time.Time {
	switch {
	case s.allDay:
		return wall
	case wall.Equal(s.wall):
		return s.start
	}
	return when.Instant(wall, s.zone)
}

// occurrences returns the instants of one rule from an instant on, ascending. From the start on it counts; where the
// last one lies is worked out only for what begins later.
func (s *Set) occurrences(r *rule, from time.Time) func() (time.Time, bool) {
	// No zone is further than two days from UTC, skipped days included.
	next := s.walk(r, from.UTC().Add(-2*24*time.Hour))
	last, left := r.until, r.count
	if r.count > 0 && from.After(s.start) {
		last, left = r.last(), 0
	}
	return func() (time.Time, bool) {
		for {
			wall, ok := next()
			if !ok {
				return time.Time{}, false
			}
			if r.count > 0 && last.IsZero() {
				if left == 0 {
					return time.Time{}, false
				}
				left--
			}
			at := s.instant(wall)
			if !last.IsZero() && at.After(last) {
				return time.Time{}, false
			}
			if !at.Before(from) {
				return at, true
			}
		}
	}
}
