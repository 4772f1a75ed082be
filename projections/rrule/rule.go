package rrule

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
)

// Bounds of one rule. They are far beyond what calendars offer and keep every expansion short.
const (
	maxInterval   = 9999
	maxCount      = 10_000
	maxRuleBytes  = 1000
	maxValues     = 100 // of one BY part
	maxPositions  = 31
	maxWeekInYear = 53
)

// rule is one RRULE line: its parts as they are written, and what they mean.
type rule struct {
	parts []part // in the order given, values normalised

	frequency Frequency
	interval  int
	count     int       // 0: none
	until     time.Time // inclusive: an instant, or midnight UTC of a date when all-day; zero: none
	weekStart time.Weekday
	months    []int
	weeks     []int
	yearDays  []int
	monthDays []int
	days      []weekdayNumber
	positions []int

	// full is the rule as explicit returns it for the set's start, and beats are its weekdays from the first day of a week
	// on, where it is weekly: each expansion needs them, and a set never changes.
	full  *rule
	beats []time.Duration

	last func() time.Time // no occurrence lies after it, by COUNT or UNTIL; zero: endless
}

type part struct{ name, value string }

// weekdayNumber is one value of BYDAY: every such day when ordinal is 0, otherwise the nth of the month or year.
type weekdayNumber struct {
	ordinal int
	day     time.Weekday
}

var dayCodes = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

const allowedParts = "FREQ, INTERVAL, COUNT, UNTIL, WKST, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY and BYSETPOS"

// parseRule reads what follows "RRULE:", in upper case.
func parseRule(text string, zone zoned) (*rule, error) {
	if len(text) > maxRuleBytes {
		return nil, bad("RRULE is longer than %d characters", maxRuleBytes)
	}
	r := &rule{interval: 1, weekStart: time.Monday}
	seen := map[string]bool{}
	for item := range strings.SplitSeq(strings.TrimSuffix(text, ";"), ";") {
		name, value, found := strings.Cut(item, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || name == "" || value == "" {
			return nil, bad("RRULE has %q where a part such as FREQ=WEEKLY belongs", model.Clip(item))
		}
		if seen[name] {
			return nil, bad("RRULE says %s twice", model.Clip(name))
		}
		seen[name] = true
		written, err := r.read(name, value, zone)
		if err != nil {
			return nil, err
		}
		r.parts = append(r.parts, part{name, written})
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, nil
}

// read takes one part in and returns its value in normal form.
func (r *rule) read(name, value string, zone zoned) (string, error) {
	var err error
	switch name {
	case "FREQ":
		r.frequency = Frequency(value)
		if !r.frequency.valid() {
			return "", bad("FREQ is DAILY, WEEKLY, MONTHLY or YEARLY, not %q", model.Clip(value))
		}
		return value, nil
	case "INTERVAL":
		r.interval, err = number(name, value, maxInterval, false)
		return strconv.Itoa(r.interval), err
	case "COUNT":
		r.count, err = number(name, value, maxCount, false)
		return strconv.Itoa(r.count), err
	case "UNTIL":
		if r.until, err = zone.parseUntil(value); err != nil {
			return "", err
		}
		return zone.formatUntil(r.until), nil
	case "WKST":
		day := slices.Index(dayCodes[:], value)
		if day < 0 {
			return "", bad("WKST is one of SU, MO, TU, WE, TH, FR, SA, not %q", model.Clip(value))
		}
		r.weekStart = time.Weekday(day)
		return value, nil
	case "BYMONTH":
		r.months, err = numbers(name, value, 12, false)
		return join(r.months), err
	case "BYWEEKNO":
		r.weeks, err = numbers(name, value, maxWeekInYear, true)
		return join(r.weeks), err
	case "BYYEARDAY":
		r.yearDays, err = numbers(name, value, 366, true)
		return join(r.yearDays), err
	case "BYMONTHDAY":
		r.monthDays, err = numbers(name, value, 31, true)
		return join(r.monthDays), err
	case "BYSETPOS":
		r.positions, err = numbers(name, value, 366, true)
		if err == nil && len(r.positions) > maxPositions {
			err = bad("BYSETPOS has more than %d values", maxPositions)
		}
		return join(r.positions), err
	case "BYDAY":
		r.days, err = parseDays(value)
		return formatDays(r.days), err
	case "BYHOUR", "BYMINUTE", "BYSECOND":
		return "", bad("%s is not supported, because calendars repeat by days; the parts of an RRULE are %s", name,
			allowedParts)
	}
	return "", bad("%q is no part of an RRULE that is supported; those are %s", model.Clip(name), allowedParts)
}

// check refuses what RFC 5545, 3.3.10, forbids to stand together.
func (r *rule) check() error {
	ordinals := slices.ContainsFunc(r.days, func(d weekdayNumber) bool { return d.ordinal != 0 })
	inMonth := r.frequency == Monthly || len(r.months) > 0
	switch {
	case r.frequency == "":
		return bad("RRULE has no FREQ; it is DAILY, WEEKLY, MONTHLY or YEARLY")
	case r.count > 0 && !r.until.IsZero():
		return bad("RRULE has both COUNT and UNTIL; it may have one of them")
	case len(r.weeks) > 0 && r.frequency != Yearly:
		return bad("BYWEEKNO stands only with FREQ=YEARLY")
	case len(r.yearDays) > 0 && r.frequency != Yearly:
		return bad("BYYEARDAY stands only with FREQ=YEARLY")
	case len(r.monthDays) > 0 && r.frequency == Weekly:
		return bad("BYMONTHDAY does not stand with FREQ=WEEKLY")
	case ordinals && r.frequency != Monthly && r.frequency != Yearly:
		return bad("BYDAY has a number, such as 2MO, only with FREQ=MONTHLY or FREQ=YEARLY")
	case ordinals && len(r.weeks) > 0:
		return bad("BYDAY has no number, such as 2MO, beside BYWEEKNO")
	case ordinals && inMonth &&
		slices.ContainsFunc(r.days, func(d weekdayNumber) bool { return d.ordinal > 5 || d.ordinal < -5 }):
		return bad("BYDAY counts weekdays of a month from 1 to 5 or from -1 to -5")
	case len(r.positions) > 0 && len(r.months)+len(r.weeks)+len(r.yearDays)+len(r.monthDays)+len(r.days) == 0:
		return bad("BYSETPOS stands only with another BY part, such as BYDAY")
	}
	if most := r.most(); len(r.positions) > 0 &&
		!slices.ContainsFunc(r.positions, func(n int) bool { return -most <= n && n <= most }) {
		return bad("RRULE never occurs: no period has more than %d days for BYSETPOS to choose from", most)
	}
	return nil
}

// explicit returns the rule with what it leaves to the start filled in, so that it can be expanded from any date.
func (r *rule) explicit(start time.Time) *rule {
	full := *r
	if len(r.yearDays)+len(r.monthDays)+len(r.days) > 0 {
		return &full
	}
	weekday := []weekdayNumber{{day: start.Weekday()}}
	switch {
	case r.frequency == Weekly || len(r.weeks) > 0:
		full.days = weekday
	case r.frequency == Monthly:
		full.monthDays = []int{start.Day()}
	case r.frequency == Yearly:
		full.monthDays = []int{start.Day()}
		if len(r.months) == 0 {
			full.months = []int{int(start.Month())}
		}
	}
	return &full
}

// from returns the rule for a series that starts at another clock reading: what it left to its start is written out if
// the new start says something else.
func (r *rule) from(start, other time.Time) *rule {
	before, after := r.explicit(start), r.explicit(other)
	moved := *before
	moved.parts = slices.Clone(r.parts)
	if slices.Equal(before.months, after.months) && slices.Equal(before.monthDays, after.monthDays) &&
		slices.Equal(before.days, after.days) {
		return &moved
	}
	for _, filled := range [...]struct{ name, before, own string }{
		{"BYMONTH", join(before.months), join(r.months)},
		{"BYMONTHDAY", join(before.monthDays), join(r.monthDays)},
		{"BYDAY", formatDays(before.days), formatDays(r.days)},
	} {
		if filled.before != filled.own {
			moved.parts = append(moved.parts, part{filled.name, filled.before})
		}
	}
	return &moved
}

// endless reports whether the rule names no end.
func (r *rule) endless() bool { return r.count == 0 && r.until.IsZero() }

// line writes the rule.
func (r *rule) line() string { return "RRULE:" + writeParts(r.parts) }

// ending writes the rule with another end, which stands where the old one stood, or last.
func (r *rule) ending(name, value string) string {
	var parts []part
	placed := false
	for _, p := range r.parts {
		if p.name == "COUNT" || p.name == "UNTIL" {
			p, placed = part{name, value}, true
		}
		parts = append(parts, p)
	}
	if !placed {
		parts = append(parts, part{name, value})
	}
	return "RRULE:" + writeParts(parts)
}

func writeParts(parts []part) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(p.name + "=" + p.value)
	}
	return b.String()
}

// number reads a whole number from 1 to most, or from -most to -1 when negative ones count from the end.
func number(name, value string, most int, negative bool) (int, error) {
	digits := strings.TrimPrefix(value, "+")
	if negative && strings.HasPrefix(value, "-") {
		digits = value[1:]
	}
	if digits != "" && len(digits) <= 9 && strings.Trim(digits, "0123456789") == "" {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= most {
			if strings.HasPrefix(value, "-") {
				n = -n
			}
			return n, nil
		}
	}
	if negative {
		return 0, bad("%s is a whole number from 1 to %d or from -1 to -%d, not %q", name, most, most, model.Clip(value))
	}
	return 0, bad("%s is a whole number from 1 to %d, not %q", name, most, model.Clip(value))
}

// numbers reads a list, each value once, in the order given.
func numbers(name, value string, most int, negative bool) ([]int, error) {
	var all []int
	for item := range strings.SplitSeq(value, ",") {
		n, err := number(name, strings.TrimSpace(item), most, negative)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
		if len(all) > maxValues {
			return nil, bad("%s has more than %d values", name, maxValues)
		}
	}
	return all, nil
}

func parseDays(value string) ([]weekdayNumber, error) {
	var all []weekdayNumber
	for item := range strings.SplitSeq(value, ",") {
		item = strings.TrimSpace(item)
		day := -1
		if len(item) >= 2 {
			day = slices.Index(dayCodes[:], item[len(item)-2:])
		}
		if day < 0 {
			return nil, bad("BYDAY is a list of SU, MO, TU, WE, TH, FR, SA, each with a number before it or none, not %q",
				model.Clip(item))
		}
		next := weekdayNumber{day: time.Weekday(day)}
		if count := item[:len(item)-2]; count != "" {
			var err error
			if next.ordinal, err = number("the number in BYDAY", count, maxWeekInYear, true); err != nil {
				return nil, err
			}
		}
		if !slices.Contains(all, next) {
			all = append(all, next)
		}
		if len(all) > maxValues {
			return nil, bad("BYDAY has more than %d values", maxValues)
		}
	}
	return all, nil
}

func formatDays(days []weekdayNumber) string {
	texts := make([]string, len(days))
	for i, d := range days {
		if d.ordinal != 0 {
			texts[i] = strconv.Itoa(d.ordinal)
		}
		texts[i] += dayCodes[d.day]
	}
	return strings.Join(texts, ",")
}

func join(values []int) string {
	texts := make([]string, len(values))
	for i, n := range values {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

func bad(format string, args ...any) error { return model.BadInput("", format, args...) }
