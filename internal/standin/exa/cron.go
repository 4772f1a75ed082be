package exa

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// cron is when something happens: once on each day that fits, in the five fields of crontab(5) "minute hour
// day-of-month month day-of-week". Exa lets nothing happen more often than once a day, so minute and hour are one
// number each.
type cron struct {
	minute, hour       int
	days, months, week fieldSet
	zone               *time.Location
}

// fieldSet are the numbers that a field allows; all says that it was "*", which decides how the two kinds of days go
// together.
type fieldSet struct {
	bits uint64
	all  bool
}

func (f fieldSet) has(n int) bool { return f.bits&(1<<n) != 0 }

var (
	errFields   = errors.New("must have 5 fields")
	errTooOften = errors.New("must not happen more than once a day")
)

// parseCron reads five fields.
func parseCron(text string, zone *time.Location) (cron, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return cron{}, errFields
	}
	months := map[string]int{"JAN": 1, "FEB": 2, "MAR": 3, "APR": 4, "MAY": 5, "JUN": 6, "JUL": 7, "AUG": 8, "SEP": 9,
		"OCT": 10, "NOV": 11, "DEC": 12}
	week := map[string]int{"SUN": 0, "MON": 1, "TUE": 2, "WED": 3, "THU": 4, "FRI": 5, "SAT": 6}
	var sets [5]fieldSet
	for i, bounds := range [5]struct {
		low, high int
		names     map[string]int
	}{{0, 59, nil}, {0, 23, nil}, {1, 31, nil}, {1, 12, months}, {0, 7, week}} {
		set, err := parseField(fields[i], bounds.low, bounds.high, bounds.names)
		if err != nil {
			return cron{}, err
		}
		sets[i] = set
	}
	if sets[4].has(7) { // Sunday, too
		sets[4].bits |= 1
	}
	c := cron{days: sets[2], months: sets[3], week: sets[4], zone: zone}
	var once bool
	if c.minute, once = only(sets[0], 59); !once {
		return cron{}, errTooOften
	}
	if c.hour, once = only(sets[1], 23); !once {
		return cron{}, errTooOften
	}
	return c, nil
}

// only returns the one number of a set.
func only(set fieldSet, high int) (int, bool) {
	found := -1
	for n := range high + 1 {
		if set.has(n) {
			if found >= 0 {
				return 0, false
			}
			found = n
		}
	}
	return found, found >= 0
}

// parseField reads "*", "3", "1-5", "*/2", "1-9/2" and lists of those.
func parseField(text string, low, high int, names map[string]int) (fieldSet, error) {
	set := fieldSet{all: text == "*"}
	for part := range strings.SplitSeq(text, ",") {
		body, stepText, stepped := strings.Cut(part, "/")
		every := 1
		if stepped {
			n, err := strconv.Atoi(stepText)
			if err != nil || n < 1 || n > high {
				return set, fmt.Errorf("has a step that is not between 1 and %d", high)
			}
			every = n
		}
		from, to := low, high
		if body != "*" {
			first, last, ranged := strings.Cut(body, "-")
			var okFrom, okTo bool
			from, okFrom = number(first, names)
			to, okTo = from, true
			if ranged {
				to, okTo = number(last, names)
			} else if stepped {
				to = high
			}
			if !okFrom || !okTo || from < low || to > high || from > to {
				return set, fmt.Errorf("has a field that is not between %d and %d", low, high)
			}
		}
		for n := from; n <= to; n += every {
			set.bits |= 1 << n
		}
	}
	return set, nil
}

func number(text string, names map[string]int) (int, bool) {
	if n, named := names[strings.ToUpper(text)]; named {
		return n, true
	}
	if text == "" || len(text) > 2 || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// fits reports whether it happens on a day. Where both kinds of days are restricted, either is enough, as crontab(5)
// has it.
func (c cron) fits(day time.Time) bool {
	if !c.months.has(int(day.Month())) {
		return false
	}
	month, week := c.days.has(day.Day()), c.week.has(int(day.Weekday()))
	if !c.days.all && !c.week.all {
		return month || week
	}
	return month && week
}

// next is when it happens next after a time; false when it never does (the 30th of February). Where clocks are put
// forward over its minute, it happens as much later.
func (c cron) next(from time.Time) (time.Time, bool) {
	const years = 9 // a 29th of February on a given weekday may take longer, and is nobody's cadence
	day := from.In(c.zone)
	for range years * 366 {
		at := time.Date(day.Year(), day.Month(), day.Day(), c.hour, c.minute, 0, 0, c.zone)
		if c.fits(time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, time.UTC)) && at.After(from) {
			return at.UTC(), true
		}
		day = time.Date(day.Year(), day.Month(), day.Day()+1, 12, 0, 0, 0, c.zone)
	}
	return time.Time{}, false
}
