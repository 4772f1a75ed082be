package gcal

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// The forms of dates in recurrence lines (RFC 5545, 3.3.4 and 3.3.5).
const (
	lineDate    = "20060102"
	lineTime    = "20060102T150405"
	lineInstant = "20060102T150405Z"
)

// lines moves the lines of a recurrence.
func (m movement) lines(lines []string) ([]string, error) {
	moved := make([]string, 0, len(lines))
	for _, line := range lines {
		head, value, found := strings.Cut(strings.TrimSpace(line), ":")
		name, parameters, _ := strings.Cut(strings.ToUpper(head), ";")
		var err error
		switch {
		case !found:
			err = unreadableLine(line)
		case name == "RRULE":
			value, err = m.rule(strings.ToUpper(value))
			moved = append(moved, "RRULE:"+value)
		case name == "EXDATE" || name == "RDATE":
			_, original, _ := strings.Cut(head, ";")
			if value, err = m.dates(name, value, parameters, original); value != "" {
				moved = append(moved, name+value)
			}
		default:
			err = unreadableLine(line)
		}
		if err != nil {
			return nil, err
		}
	}
	return moved, nil
}

func unreadableLine(line string) error {
	return model.BadInput("", "the series has the line %q, which is not understood; say its recurrence anew",
		model.Clip(line))
}

// dates moves the values of an EXDATE or RDATE line; it returns what follows the line's name, "" when nothing is left.
func (m movement) dates(of, values, parameters, original string) (string, error) {
	zone := m.oldZone
	if at := strings.Index(parameters, "TZID="); at >= 0 {
		name, _, _ := strings.Cut(original[at+len("TZID="):], ";")
		var err error
		if zone, err = when.LoadZone(strings.Trim(name, `"`)); err != nil {
			return "", err
		}
	}
	var moved []string
	for value := range strings.SplitSeq(strings.ToUpper(values), ",") {
		at, err := m.reading(strings.TrimSpace(value), zone)
		if err != nil {
			return "", err
		}
		to, ok := m.moved(at), true
		if of == "EXDATE" {
			to, ok = m.lands(at)
		}
		if ok {
			moved = append(moved, m.stamp(to))
		}
	}
	if len(moved) == 0 {
		return "", nil
	}
	if m.isDay {
		return ";VALUE=DATE:" + strings.Join(moved, ","), nil
	}
	return ":" + strings.Join(moved, ","), nil
}

// reading returns what clocks in the series' zone show at a value; on a timed series a date means the clock time of its
// occurrences.
func (m movement) reading(value string, zone *time.Location) (time.Time, error) {
	var at time.Time
	if t, err := time.Parse(lineInstant, value); err == nil {
		at = readingOf(t, m.oldZone)
	} else if t, err := time.Parse(lineTime, value); err == nil {
		at = readingOf(when.Instant(t, zone), m.oldZone)
	} else if t, err := time.Parse(lineDate, value); err == nil {
		at = t.Add(m.from.Sub(model.DateOf(m.from).Midnight()))
	} else {
		return at, unreadableLine(value)
	}
	if m.wasDay { // a time means its date, whatever the zone
		if t, err := time.Parse(lineDate, value[:len(lineDate)]); err == nil {
			at = t
		}
	}
	return at, nil
}

// stamp writes a moved value.
func (m movement) stamp(at time.Time) string {
	if m.isDay {
		return at.Format(lineDate)
	}
	return when.Instant(at, m.newZone).Format(lineInstant)
}

// rule moves the parts of an RRULE.
func (m movement) rule(text string) (string, error) {
	value := ruleParts(text)
	if until, ok := value["UNTIL"]; ok {
		moved, err := m.until(until)
		if err != nil {
			return "", err
		}
		value["UNTIL"] = moved
	}
	switch {
	case m.month != nil:
		if err := m.monthEnd(text, value); err != nil {
			return "", err
		}
		m.month.write(value, m.to.Month())
	case m.days() != 0 && !m.follow(value):
		return "", model.BadInput("",
			"moved to another day, this series needs another rule than %q; say its recurrence as well", model.Clip(text))
	}
	var parts []string
	for part := range strings.SplitSeq(text, ";") {
		name, _, _ := strings.Cut(part, "=")
		parts = append(parts, name+"="+value[name])
		delete(value, name)
	}
	for _, name := range []string{"BYMONTH", "BYMONTHDAY", "BYSETPOS"} {
		if v, added := value[name]; added {
			parts = append(parts, name+"="+v)
		}
	}
	return strings.Join(parts, ";"), nil
}

// until moves the end of a rule so that it has as many occurrences as before.
func (m movement) until(text string) (string, error) {
	var last time.Time // by the clock, inclusive
	endOfDay := m.wasDay || len(text) == len(lineDate)
	if endOfDay {
		date, err := time.Parse(lineDate, text[:min(len(text), len(lineDate))])
		if err != nil {
			return "", unreadableLine(text)
		}
		last = date.AddDate(0, 0, 1).Add(-time.Second)
	} else {
		var err error
		if last, err = m.reading(text, m.oldZone); err != nil {
			return "", err
		}
		hour, minute, second := last.Clock()
		endOfDay = hour == 23 && minute == 59 && second == 59
	}
	switch {
	case m.isDay:
		if !endOfDay && last.Sub(model.DateOf(last).Midnight()) < m.from.Sub(model.DateOf(m.from).Midnight()) {
			last = last.AddDate(0, 0, -1) // that day's occurrence is after the end
		}
		return last.AddDate(0, 0, m.days()).Format(lineDate), nil
	case endOfDay: // each occurrence moves by the same number of dates
		last = last.AddDate(0, 0, m.days())
	default:
		last = m.moved(last)
	}
	return when.Instant(last, m.newZone).Format(lineInstant), nil
}

// weekdays are the names of BYDAY in order.
const weekdays = "SUMOTUWETHFRSA"

// follow changes the parts of a rule that name days of the week, so that every occurrence moves by the same number of
// days. False when that cannot be.
func (m movement) follow(value map[string]string) bool {
	for name := range value {
		switch name {
		case "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY":
		default:
			return false
		}
	}
	_, byDay := value["BYDAY"]
	switch value["FREQ"] {
	case "DAILY":
		return !byDay
	case "WEEKLY":
		return !byDay || m.followWeekdays(value)
	default:
		return false
	}
}

func (m movement) followWeekdays(value map[string]string) bool {
	days := strings.Split(value["BYDAY"], ",")
	if len(days) == 1 {
		if days[0] != weekday(m.from) {
			return false
		}
		value["BYDAY"] = weekday(m.to)
		return true
	}
	// Over the border of a week, days of every other week would come into the wrong one.
	if interval := value["INTERVAL"]; interval != "" && interval != "1" {
		return false
	}
	var moved []string
	for _, day := range days {
		at := strings.Index(weekdays, day)
		if at < 0 || at%2 != 0 || len(day) != 2 {
			return false
		}
		next := ((at/2+m.days())%7 + 7) % 7
		moved = append(moved, weekdays[2*next:2*next+2])
	}
	if !slices.Contains(days, weekday(m.from)) {
		return false
	}
	value["BYDAY"] = strings.Join(moved, ",")
	return true
}

func weekday(at time.Time) string {
	day := int(at.Weekday())
	return weekdays[2*day : 2*day+2]
}
