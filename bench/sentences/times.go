//go:build bench

package main

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// parts are the parts of a day, from and to which hour.
var parts = map[string][2]string{
	"morning": {"06:00", "12:00"}, "noon": {"11:30", "14:30"}, "afternoon": {"12:00", "18:00"},
	"evening": {"17:00", "24:00"},
}

// day is the day of a time of the sets.
func day(at string) string { return at[:min(len(at), len(time.DateOnly))] }

// hour is the hour of a time of the sets; empty of a day.
func hour(at string) string {
	_, hour, _ := strings.Cut(at, "T")
	return hour
}

// fitsTime reports whether a start is one that is wanted. A task's due date always has an hour, so that a day is all
// that is compared of it where no hour was said.
func (e *expect) fitsTime(got string, isTask bool) bool {
	switch {
	case e.When != nil && *e.When == "":
		return got == ""
	case e.When == nil && len(e.WhenRange) == 0:
		return true
	case got == "":
		return false
	case len(e.WhenRange) == 2:
		return day(got) >= e.WhenRange[0] && day(got) <= e.WhenRange[1]
	}
	for _, want := range append([]string{*e.When}, e.WhenAccept...) {
		if e.fitsOne(got, want, isTask) {
			return true
		}
	}
	return false
}

func (e *expect) fitsOne(got, want string, isTask bool) bool {
	switch {
	case hour(want) != "":
		return got == want
	case strings.Contains(e.Recurrence, "FREQ=YEARLY") && day(got)[4:] != day(want)[4:]:
		return false
	case !strings.Contains(e.Recurrence, "FREQ=YEARLY") && day(got) != day(want):
		return false
	case hour(got) == "":
		return true
	case e.Part != "":
		return inPart(e.Part, hour(got)) || isTask && (hour(got) == "00:00" || hour(got) == "23:59")
	}
	return isTask
}

// inPart reports whether an hour is of a part of the day.
func inPart(part, hour string) bool {
	return hour >= parts[part][0] && hour <= parts[part][1]
}

// fitsRule reports whether a rule is one that is wanted of something that starts then.
func (e *expect) fitsRule(got, start string) bool {
	if e.Recurrence == "" {
		return got == ""
	}
	if got == "" {
		return e.Recurrence == "FREQ=YEARLY" // birthdays
	}
	return slices.ContainsFunc(append([]string{e.Recurrence}, e.RecurrenceAccept...), func(want string) bool {
		return ruleOf(got, start) == ruleOf(want, start)
	})
}

// ruleOf writes a rule of RFC 5545 so that equal ones are equal texts: parts in order, what the start implies left out,
// an end by its day.
func ruleOf(rule, start string) string {
	at, _ := time.Parse(time.DateOnly, day(start))
	weekday := strings.ToUpper(at.Weekday().String()[:2])
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(rule, "RRULE:"), ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	if position, there := parts["BYSETPOS"]; there && len(parts["BYDAY"]) == 2 {
		parts["BYDAY"] = position + parts["BYDAY"]
		delete(parts, "BYSETPOS")
	}
	days := strings.Split(parts["BYDAY"], ",")
	slices.Sort(days)
	parts["BYDAY"] = strings.Join(days, ",")
	if parts["BYDAY"] == weekday && parts["FREQ"] == "WEEKLY" {
		delete(parts, "BYDAY")
	}
	if parts["FREQ"] == "MONTHLY" && parts["BYMONTHDAY"] == strconv.Itoa(at.Day()) {
		delete(parts, "BYMONTHDAY")
	}
	if parts["FREQ"] == "YEARLY" {
		delete(parts, "BYMONTHDAY")
		delete(parts, "BYMONTH")
	}
	if parts["INTERVAL"] == "1" {
		delete(parts, "INTERVAL")
	}
	delete(parts, "WKST")
	parts["UNTIL"] = untilDay(parts["UNTIL"])
	var out []string
	for _, name := range []string{"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYSETPOS", "COUNT", "UNTIL"} {
		if parts[name] != "" {
			out = append(out, name+"="+parts[name])
		}
	}
	return strings.Join(out, ";")
}

// untilDay is the day of an UNTIL, which is a day or an instant of UTC; the sets' zone is ahead of it by two hours or
// three.
func untilDay(until string) string {
	if at, err := time.Parse("20060102T150405Z", until); err == nil {
		return at.Add(2 * time.Hour).Format("20060102")
	}
	return until[:min(len(until), 8)]
}

// rule is a task's repetition as RFC 5545 would have it.
func (r *recurrence) rule() string {
	if r == nil {
		return ""
	}
	rule := "FREQ=" + r.Type
	var days []string
	for _, day := range r.Days {
		days = append(days, day[:2])
	}
	if len(days) > 0 {
		rule += ";BYDAY=" + strings.Join(days, ",")
	}
	if r.DayOfMonth > 0 {
		rule += ";BYMONTHDAY=" + strconv.Itoa(r.DayOfMonth)
	}
	if r.Until != "" {
		rule += ";UNTIL=" + strings.ReplaceAll(day(r.Until), "-", "")
	}
	return rule
}

// rule is the rule of a series; empty for other events.
func (e event) rule() string {
	for _, line := range e.Recurrence {
		if rule, is := strings.CutPrefix(line, "RRULE:"); is {
			return rule
		}
	}
	return ""
}

// untilOf is the UNTIL of a rule, as a day of eight digits; empty for none.
func untilOf(rule string) string {
	_, until, _ := strings.Cut(rule, "UNTIL=")
	until, _, _ = strings.Cut(until, ";")
	return untilDay(until)
}
