package recurrence

import (
	"slices"
	"time"
)

const aDay = 24 * time.Hour

// walk calls visit with each day, midnight UTC, that the rule lets be an occurrence of a series that starts on a day,
// in order, from the period of a day on until visit returns false or the last day has come. Neither COUNT nor UNTIL end
// it.
func (r *rule) walk(start, from, last time.Time, visit func(day time.Time) bool) {
	begin := r.periodOf(start)
	for first := r.periodOf(from); !first.After(last); {
		next := r.after(first)
		if r.isOnBeat(begin, first) {
			var days []time.Time
			for day := first; day.Before(next); day = day.Add(aDay) {
				if r.fits(day, start) {
					days = append(days, day)
				}
			}
			for i, day := range days {
				chosen := len(r.positions) == 0 || slices.Contains(r.positions, i+1) ||
					slices.Contains(r.positions, i-len(days))
				if chosen && !day.Before(start) && !visit(day) {
					return
				}
			}
		}
		first = next
	}
}

// begins reports whether a period of the rule's frequency begins on a day.
func (r *rule) begins(day time.Time) bool {
	switch r.frequency {
	case "DAILY":
		return true
	case "WEEKLY":
		return day.Weekday() == r.weekStart
	case "MONTHLY":
		return day.Day() == 1
	}
	if len(r.weeks) > 0 {
		return day.Weekday() == r.weekStart && numberedIn(day) != numberedIn(day.Add(-7*aDay))
	}
	return day.YearDay() == 1
}

// numberedIn is the year in which the week that begins on a day is numbered: the one that has four of its days.
func numberedIn(day time.Time) int { return day.Add(3 * aDay).Year() }

// periodOf is the first day of the period that a day lies in.
func (r *rule) periodOf(day time.Time) time.Time {
	for !r.begins(day) {
		day = day.Add(-aDay)
	}
	return day
}

// after is the first day of the period after the one that begins on a day.
func (r *rule) after(first time.Time) time.Time {
	day := first.Add(aDay)
	for !r.begins(day) {
		day = day.Add(aDay)
	}
	return day
}

// isOnBeat reports whether a period is whole intervals after the start's, each named by its first day.
func (r *rule) isOnBeat(begin, first time.Time) bool {
	days := int((first.Unix() - begin.Unix()) / int64(aDay/time.Second))
	var periods int
	switch r.frequency {
	case "DAILY":
		periods = days
	case "WEEKLY":
		periods = days / 7
	case "MONTHLY":
		periods = (first.Year()-begin.Year())*12 + int(first.Month()) - int(begin.Month())
	case "YEARLY":
		periods = first.Year() - begin.Year()
		if len(r.weeks) > 0 {
			periods = numberedIn(first) - numberedIn(begin)
		}
	}
	return periods%r.interval == 0
}

// fits reports whether a day satisfies every BY part, and what the rule leaves to its start.
func (r *rule) fits(day, start time.Time) bool {
	month := lastOf(day.Year(), day.Month()+1, 0)
	year := lastOf(day.Year(), time.December, 31)
	switch {
	case !isIn(r.months, int(day.Month()), 0),
		!isIn(r.monthDays, day.Day(), month.Day()),
		!isIn(r.yearDays, day.YearDay(), year.YearDay()),
		!r.inWeek(day):
		return false
	case len(r.weekdays) > 0:
		return slices.ContainsFunc(r.weekdays, func(d nth) bool { return r.isNth(d, day, month, year) })
	case len(r.monthDays)+len(r.yearDays) > 0 || r.frequency == "DAILY":
		return true
	case r.frequency == "WEEKLY" || len(r.weeks) > 0:
		return day.Weekday() == start.Weekday()
	case r.frequency == "YEARLY" && len(r.months) == 0:
		return day.Day() == start.Day() && day.Month() == start.Month()
	}
	return day.Day() == start.Day()
}

func lastOf(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// isIn reports whether a number is in a list, or, counted from the last one, its negative is; an empty list has all.
func isIn(all []int, n, last int) bool {
	return len(all) == 0 || slices.Contains(all, n) || last > 0 && slices.Contains(all, n-last-1)
}

// inWeek reports whether a day lies in a week of BYWEEKNO: week 1 is the first with four days of its year.
func (r *rule) inWeek(day time.Time) bool {
	if len(r.weeks) == 0 {
		return true
	}
	for day.Weekday() != r.weekStart {
		day = day.Add(-aDay)
	}
	year := numberedIn(day)
	week, total := 0, 0
	for monday := day; numberedIn(monday) == year; monday = monday.Add(-7 * aDay) {
		week++
	}
	for monday := day.Add(7 * aDay); numberedIn(monday) == year; monday = monday.Add(7 * aDay) {
		total++
	}
	return isIn(r.weeks, week, week+total)
}

// isNth reports whether a day is such a weekday; it is counted within the month, or the year where no month is named.
func (r *rule) isNth(d nth, day, month, year time.Time) bool {
	if day.Weekday() != d.day {
		return false
	}
	index, last := day.Day(), month.Day()
	if r.frequency == "YEARLY" && len(r.months) == 0 {
		index, last = day.YearDay(), year.YearDay()
	}
	return d.n == 0 || d.n == (index+6)/7 || d.n == -((last-index)/7+1)
}
