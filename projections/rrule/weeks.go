package rrule

import (
	"slices"
	"time"
)

// chosen keeps the days that lie in one of the rule's weeks, if it names any, and applies BYSETPOS to what is left of
// each period. With BYWEEKNO the years of a rule are those that weeks are numbered in (ISO 8601: the first week of a
// year is the one with at least four of its days), so the last days of December may belong to the next year, and the
// first ones of January to the one before; INTERVAL counts these years from first, the one that the series starts in.
//
// The engine would look through a period once for each position, also where there is none.
func (r *rule) chosen(next func() (time.Time, bool), first int) func() (time.Time, bool) {
	var ready, ahead []time.Time
	inWeek := r.inWeek(first)
	return func() (time.Time, bool) {
		for len(ready) == 0 {
			for {
				day, ok := next()
				if !ok {
					break
				}
				if !inWeek(day) {
					continue
				}
				ahead = append(ahead, day)
				if len(r.positions) == 0 || !r.together(ahead[0], day) {
					break
				}
			}
			if len(ahead) == 0 {
				return time.Time{}, false
			}
			whole := len(ahead)
			for !r.together(ahead[0], ahead[whole-1]) {
				whole--
			}
			ready, ahead = r.choose(ahead[:whole]), slices.Clone(ahead[whole:])
		}
		first := ready[0]
		ready = ready[1:]
		return first, true
	}
}

// together reports whether two days lie in one period of the rule's frequency.
func (r *rule) together(a, b time.Time) bool {
	switch r.frequency {
	case Daily:
		return a.YearDay() == b.YearDay() && a.Year() == b.Year()
	case Weekly:
		return r.weekOf(midnight(a)).Equal(r.weekOf(midnight(b)))
	case Monthly:
		return a.Month() == b.Month() && a.Year() == b.Year()
	}
	if len(r.weeks) > 0 {
		return r.weekYear(a) == r.weekYear(b)
	}
	return a.Year() == b.Year()
}

// weekYear returns the year in which the week of a day is numbered.
func (r *rule) weekYear(day time.Time) int { return r.weekOf(midnight(day)).AddDate(0, 0, 3).Year() }

// weekOne returns the first day of the first week of a year.
func (r *rule) weekOne(year int) time.Time {
	return r.weekOf(time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC))
}

// choose applies BYSETPOS.
func (r *rule) choose(period []time.Time) []time.Time {
	if len(r.positions) == 0 {
		return period
	}
	var chosen []time.Time
	for i, day := range period {
		if slices.Contains(r.positions, i+1) || slices.Contains(r.positions, i-len(period)) {
			chosen = append(chosen, day)
		}
	}
	return chosen
}

// most bounds how many days of one period fit the rule, before BYSETPOS. It need not be reached.
func (r *rule) most() int {
	months := 12
	if len(r.months) > 0 {
		months = len(r.months)
	}
	days, weekdays, monthDays := 366, 53, months
	switch r.frequency {
	case Daily:
		return 1
	case Weekly:
		days, weekdays = 7, 1
	case Monthly:
		days, weekdays, monthDays = 31, 5, 1
	case Yearly:
		days = min(days, 31*months)
	}
	if len(r.monthDays) > 0 {
		days = min(days, monthDays*len(r.monthDays))
	}
	if len(r.yearDays) > 0 {
		days = min(days, len(r.yearDays))
	}
	if len(r.weeks) > 0 {
		days = min(days, 2*7*len(r.weeks)) // week 1 may lie at both ends of a year
	}
	if len(r.days) > 0 {
		days = min(days, weekdays*len(r.days))
	}
	return days
}

// inWeek reports of days, in order, whether they lie in one of the rule's weeks, if it names any, of a year that the
// interval does not pass over; first is the year of the series' start, which the engine's days are ahead of.
func (r *rule) inWeek(first int) func(day time.Time) bool {
	if len(r.weeks) == 0 {
		return func(time.Time) bool { return true }
	}
	var until time.Time // the week that was looked at last ends here
	var wanted bool
	return func(day time.Time) bool {
		if day.Before(until) {
			return wanted
		}
		begins := r.weekOf(midnight(day))
		until = begins.AddDate(0, 0, 7)
		wanted = (r.weekYear(day)-engineYears-first)%r.interval == 0 && r.wantsWeek(begins)
		return wanted
	}
}

// wantsWeek reports whether the week that begins on a day is one of the rule's.
func (r *rule) wantsWeek(begins time.Time) bool {
	year := r.weekYear(begins)
	one, following := r.weekOne(year), r.weekOne(year+1)
	week := int(begins.Sub(one)/(7*24*time.Hour)) + 1
	total := int(following.Sub(one) / (7 * 24 * time.Hour))
	return slices.Contains(r.weeks, week) || slices.Contains(r.weeks, week-total-1)
}
