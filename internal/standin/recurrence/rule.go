package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rule is one RRULE.
type rule struct {
	frequency string
	interval  int
	count     int       // 0: none
	until     time.Time // inclusive, an instant, or midnight UTC of a date; zero: none
	weekStart time.Weekday

	months, weeks, yearDays, monthDays, positions []int
	weekdays                                      []nth
}

// nth is a weekday: every one, or the nth of its month or year.
type nth struct {
	n   int
	day time.Weekday
}

var weekdayNames = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// readRule reads what follows "RRULE:".
func (s *Set) readRule(text string) (rule, error) {
	r := rule{interval: 1, weekStart: time.Monday}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(strings.TrimSuffix(strings.ToUpper(text), ";"), ";") {
		name, value, _ := strings.Cut(part, "=")
		if value == "" || seen[name] {
			return r, fmt.Errorf("the part %q", part)
		}
		seen[name] = true
		if err := r.readPart(name, value, s); err != nil {
			return r, fmt.Errorf("the part %q: %w", part, err)
		}
	}
	if err := r.check(); err != nil {
		return r, err
	}
	return r, nil
}

func (r *rule) readPart(name, value string, s *Set) (err error) {
	const farApart, often = 9999, 10_000
	switch name {
	case "FREQ":
		r.frequency = value
	case "INTERVAL":
		r.interval, err = between(value, 1, farApart)
	case "COUNT":
		r.count, err = between(value, 1, often)
	case "UNTIL":
		r.until, err = s.readUntil(value)
	case "WKST":
		r.weekStart, err = weekdayOf(value)
	case "BYMONTH":
		r.months, err = list(value, 1, 12)
	case "BYWEEKNO":
		r.weeks, err = list(value, -53, 53)
	case "BYYEARDAY":
		r.yearDays, err = list(value, -366, 366)
	case "BYMONTHDAY":
		r.monthDays, err = list(value, -31, 31)
	case "BYSETPOS":
		r.positions, err = list(value, -366, 366)
	case "BYDAY":
		r.weekdays, err = weekdays(value)
	default:
		err = errors.New("is not known")
	}
	return err
}

// check refuses what RFC 5545, 3.3.10, forbids to stand together.
func (r *rule) check() error {
	numbered := slices.ContainsFunc(r.weekdays, func(d nth) bool { return d.n != 0 })
	others := len(r.months) + len(r.weeks) + len(r.yearDays) + len(r.monthDays) + len(r.weekdays)
	for problem, is := range map[string]bool{
		"FREQ":            !slices.Contains([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}, r.frequency),
		"COUNT and UNTIL": r.count > 0 && !r.until.IsZero(),
		"BYWEEKNO":        len(r.weeks) > 0 && r.frequency != "YEARLY",
		"BYYEARDAY":       len(r.yearDays) > 0 && r.frequency != "YEARLY",
		"BYMONTHDAY":      len(r.monthDays) > 0 && r.frequency == "WEEKLY",
		"BYDAY": numbered &&
			(r.frequency == "DAILY" || r.frequency == "WEEKLY" || len(r.weeks) > 0),
		"BYSETPOS": len(r.positions) > 0 && others == 0,
	} {
		if is {
			return errors.New(problem + " cannot stand like this")
		}
	}
	return nil
}

func between(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%q is no number from %d to %d", text, least, most)
	}
	return n, nil
}

func list(text string, least, most int) ([]int, error) {
	var all []int
	for item := range strings.SplitSeq(text, ",") {
		n, err := between(item, least, most)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("%q is not in the list of numbers", item)
		}
		all = append(all, n)
	}
	return all, nil
}

func weekdayOf(name string) (time.Weekday, error) {
	day := slices.Index(weekdayNames, name)
	if day < 0 {
		return 0, fmt.Errorf("%q is no day of the week", name)
	}
	return time.Weekday(day), nil
}

func weekdays(text string) ([]nth, error) {
	var all []nth
	for item := range strings.SplitSeq(text, ",") {
		number, name := item[:max(0, len(item)-2)], item[max(0, len(item)-2):]
		day, err := weekdayOf(name)
		if err != nil {
			return nil, err
		}
		one := nth{day: day}
		if number != "" {
			if one.n, err = between(number, -53, 53); err != nil || one.n == 0 {
				return nil, fmt.Errorf("%q is no weekday", item)
			}
		}
		all = append(all, one)
	}
	return all, nil
}
