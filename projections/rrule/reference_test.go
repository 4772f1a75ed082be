package rrule_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// spec is a rule of recurrence as the reference understands it: written by hand from RFC 5545, 3.3.10, and looking at
// every day.
type spec struct {
	freq                                          string
	interval, count                               int
	until                                         time.Time // inclusive
	weekStart                                     time.Weekday
	months, weeks, yearDays, monthDays, positions []int
	days                                          []nth
}

type nth struct {
	n   int
	day time.Weekday
}

var codes = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// text writes the rule; until is written by the caller's form.
func (s spec) text(untilForm string) string {
	parts := []string{"FREQ=" + s.freq}
	list := func(name string, values []int) {
		if len(values) > 0 {
			parts = append(parts, name+"="+strings.ReplaceAll(strings.Trim(fmt.Sprint(values), "[]"), " ", ","))
		}
	}
	if s.interval > 1 {
		list("INTERVAL", []int{s.interval})
	}
	if s.weekStart != time.Monday {
		parts = append(parts, "WKST="+codes[s.weekStart])
	}
	list("BYMONTH", s.months)
	list("BYWEEKNO", s.weeks)
	list("BYYEARDAY", s.yearDays)
	list("BYMONTHDAY", s.monthDays)
	if len(s.days) > 0 {
		var texts []string
		for _, d := range s.days {
			if d.n == 0 {
				texts = append(texts, codes[d.day])
			} else {
				texts = append(texts, fmt.Sprint(d.n, codes[d.day]))
			}
		}
		parts = append(parts, "BYDAY="+strings.ReplaceAll(strings.Join(texts, ","), " ", ""))
	}
	list("BYSETPOS", s.positions)
	if s.count > 0 {
		list("COUNT", []int{s.count})
	}
	if !s.until.IsZero() {
		parts = append(parts, "UNTIL="+s.until.UTC().Format(untilForm))
	}
	return "RRULE:" + strings.Join(parts, ";")
}

// dates returns the dates, midnight UTC, from start to end (exclusive), COUNT and UNTIL not applied.
func (s spec) dates(start, end time.Time) []time.Time {
	var all []time.Time
	for day := s.periodStart(start); day.Before(end); {
		period := s.periodDays(day)
		var fitting []time.Time
		if s.inInterval(start, day) {
			for _, d := range period {
				if s.fits(start, d) {
					fitting = append(fitting, d)
				}
			}
		}
		for i, d := range fitting {
			if len(s.positions) > 0 && !slices.Contains(s.positions, i+1) && !slices.Contains(s.positions, i-len(fitting)) {
				continue
			}
			if !d.Before(start) && d.Before(end) {
				all = append(all, d)
			}
		}
		day = period[len(period)-1].AddDate(0, 0, 1)
	}
	return all
}

func (s spec) periodStart(d time.Time) time.Time {
	for !s.begins(d) {
		d = d.AddDate(0, 0, -1)
	}
	return d
}

func (s spec) begins(d time.Time) bool {
	switch s.freq {
	case "DAILY":
		return true
	case "WEEKLY":
		return d.Weekday() == s.weekStart
	case "MONTHLY":
		return d.Day() == 1
	}
	if len(s.weeks) > 0 { // the year of weeks: its first one has at least four days of it
		return d.Weekday() == s.weekStart && d.AddDate(0, 0, 3).Year() != d.AddDate(0, 0, -4).Year()
	}
	return d.YearDay() == 1
}

func (s spec) periodDays(first time.Time) []time.Time {
	days := []time.Time{first}
	for d := first.AddDate(0, 0, 1); !s.begins(d); d = d.AddDate(0, 0, 1) {
		days = append(days, d)
	}
	return days
}

func (s spec) inInterval(start, period time.Time) bool {
	from := s.periodStart(start)
	days := int((period.Unix() - from.Unix()) / 86400)
	var n int
	switch s.freq {
	case "DAILY":
		n = days
	case "WEEKLY":
		n = days / 7
	case "MONTHLY":
		n = (period.Year()-from.Year())*12 + int(period.Month()) - int(from.Month())
	default:
		n = period.AddDate(0, 0, 3).Year() - from.AddDate(0, 0, 3).Year()
	}
	return n%s.interval == 0
}

func (s spec) fits(start, d time.Time) bool {
	lastOfMonth := time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	lastOfYear := time.Date(d.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
	if len(s.months) > 0 && !slices.Contains(s.months, int(d.Month())) {
		return false
	}
	if len(s.weeks) > 0 && !s.weekFits(d) {
		return false
	}
	if len(s.yearDays) > 0 && !slices.Contains(s.yearDays, d.YearDay()) &&
		!slices.Contains(s.yearDays, d.YearDay()-lastOfYear-1) {
		return false
	}
	if len(s.monthDays) > 0 && !slices.Contains(s.monthDays, d.Day()) &&
		!slices.Contains(s.monthDays, d.Day()-lastOfMonth-1) {
		return false
	}
	if len(s.days) > 0 {
		return slices.ContainsFunc(s.days, func(n nth) bool { return s.weekdayFits(n, d, lastOfMonth, lastOfYear) })
	}
	if len(s.yearDays)+len(s.monthDays) > 0 {
		return true
	}
	switch { // what the start fills in
	case s.freq == "WEEKLY" || len(s.weeks) > 0:
		return d.Weekday() == start.Weekday()
	case s.freq == "MONTHLY" || s.freq == "YEARLY" && len(s.months) > 0:
		return d.Day() == start.Day()
	case s.freq == "YEARLY":
		return d.Day() == start.Day() && d.Month() == start.Month()
	}
	return true
}

func (s spec) weekdayFits(n nth, d time.Time, lastOfMonth, lastOfYear int) bool {
	if d.Weekday() != n.day {
		return false
	}
	index, last := d.Day(), lastOfMonth
	if s.freq == "YEARLY" && len(s.months) == 0 {
		index, last = d.YearDay(), lastOfYear
	}
	return n.n == 0 || n.n == (index-1)/7+1 || n.n == -((last-index)/7+1)
}

// weekFits numbers weeks by their fourth day, whose year is the week's.
func (s spec) weekFits(d time.Time) bool {
	fourth := d
	for fourth.Weekday() != (s.weekStart+3)%7 {
		back := d
		for back.Weekday() != s.weekStart {
			back = back.AddDate(0, 0, -1)
		}
		fourth = back.AddDate(0, 0, 3)
	}
	week := (fourth.YearDay()-1)/7 + 1
	total := 0
	for probe := fourth; probe.Year() == fourth.Year(); probe = probe.AddDate(0, 0, 7) {
		total = (probe.YearDay()-1)/7 + 1
	}
	return slices.Contains(s.weeks, week) || slices.Contains(s.weeks, week-total-1)
}

// instantOf finds the instant of a clock reading by trying the offsets of the days around it: at most one change lies
// between them.
func instantOf(wall time.Time, zone *time.Location) time.Time {
	offset := func(at time.Time) time.Duration {
		_, seconds := at.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	before, after := wall.Add(-offset(wall.Add(-26*time.Hour))), wall.Add(-offset(wall.Add(26*time.Hour)))
	var fitting []time.Time
	for _, at := range []time.Time{before, after} {
		if at.In(zone).Format(time.DateTime) == wall.Format(time.DateTime) {
			fitting = append(fitting, at)
		}
	}
	if len(fitting) == 0 {
		return before
	}
	return slices.MinFunc(fitting, time.Time.Compare)
}

// instants returns the occurrences until end (exclusive), with COUNT and UNTIL.
func (s spec) instants(start time.Time, allDay bool, zone *time.Location, end time.Time) []time.Time {
	wall := start
	if !allDay {
		local := start.In(zone)
		wall = time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
	}
	date := wall.Truncate(24 * time.Hour)
	var all []time.Time
	for i, d := range s.dates(date, end.AddDate(0, 0, 2)) {
		at := d
		if !allDay {
			at = instantOf(d.Add(wall.Sub(date)), zone)
		}
		if s.count > 0 && i >= s.count || !s.until.IsZero() && at.After(s.until) || !at.Before(end) {
			break
		}
		all = append(all, at)
	}
	return all
}

// randomSpec makes a rule that RFC 5545 allows, often an odd one.
func randomSpec(r *rand.Rand) spec {
	s := spec{freq: []string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}[r.IntN(4)], interval: 1, weekStart: time.Monday}
	if r.IntN(2) == 0 {
		s.interval = 1 + r.IntN(4)
	}
	if r.IntN(3) == 0 {
		s.weekStart = time.Weekday(r.IntN(7))
	}
	some := func(most, of int, negative bool) []int {
		var all []int
		for range 1 + r.IntN(most) {
			n := 1 + r.IntN(of)
			if negative && r.IntN(3) == 0 {
				n = -n
			}
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
		return all
	}
	if r.IntN(4) == 0 {
		s.months = some(4, 12, false)
	}
	if s.freq != "WEEKLY" && r.IntN(3) == 0 {
		s.monthDays = some(5, 31, true)
	}
	if s.freq == "YEARLY" {
		switch r.IntN(4) {
		case 0:
			s.weeks = some(6, 53, true)
		case 1:
			s.yearDays = some(20, 366, true)
		}
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(3) {
			d := nth{day: time.Weekday(r.IntN(7))}
			if (s.freq == "MONTHLY" || s.freq == "YEARLY") && len(s.weeks) == 0 && r.IntN(2) == 0 {
				most := 5
				if s.freq == "YEARLY" && len(s.months) == 0 {
					most = 53
				}
				d.n = some(1, most, true)[0]
			}
			if !slices.Contains(s.days, d) {
				s.days = append(s.days, d)
			}
		}
	}
	if len(s.months)+len(s.weeks)+len(s.yearDays)+len(s.monthDays)+len(s.days) > 0 && r.IntN(3) == 0 {
		s.positions = some(3, 6, true)
	}
	return s
}
