package rrule

import (
	"slices"
	"time"
)

// inWeeks keeps the days, of those of a yearly rule, that lie in one of its weeks, and applies BYSETPOS to what is left of each year.
// A day belongs to the calendar year it lies in, also when its week is numbered with the year before or after.
func (r *rule) inWeeks(next func() (time.Time, bool)) func() (time.Time, bool) {
	var year, ahead []time.Time
	return func() (time.Time, bool) {
		for len(year) == 0 {
			for {
				day, ok := next()
				if !ok {
					break
				}
				if !r.inWeek(day) {
					continue
				}
				ahead = append(ahead, day)
				if day.Year() != ahead[0].Year() {
					break
				}
			}
			if len(ahead) == 0 {
				return time.Time{}, false
			}
			whole := len(ahead)
			for ahead[whole-1].Year() != ahead[0].Year() {
				whole--
			}
			year, ahead = r.choose(ahead[:whole]), slices.Clone(ahead[whole:])
		}
		first := year[0]
		year = year[1:]
		return first, true
	}
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

// inWeek tells whether a day lies in one of the rule's weeks. The first week of a year is the one with at least four of its days
// (RFC 5545, 3.3.10).
func (r *rule) inWeek(day time.Time) bool {
	monday := r.weekOf(midnight(day))
	year := monday.AddDate(0, 0, 3).Year()
	first := r.weekOf(time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC))
	following := r.weekOf(time.Date(year+1, time.January, 4, 0, 0, 0, 0, time.UTC))
	week := int(monday.Sub(first)/(7*24*time.Hour)) + 1
	total := int(following.Sub(first) / (7 * 24 * time.Hour))
	return slices.Contains(r.weeks, week) || slices.Contains(r.weeks, week-total-1)
}
