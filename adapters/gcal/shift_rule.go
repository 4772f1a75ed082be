package gcal

import (
	"slices"
	"strconv"
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
			value, err = m.dates(value, parameters, original)
			moved = append(moved, name+value)
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

// dates moves the values of an EXDATE or RDATE line; it gives what follows the line's name.
func (m movement) dates(values, parameters, original string) (string, error) {
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
		moved = append(moved, m.stamp(m.moved(at)))
	}
	if m.isDay {
		return ";VALUE=DATE:" + strings.Join(moved, ","), nil
	}
	return ":" + strings.Join(moved, ","), nil
}

// reading gives what clocks in the series' zone show at a value; on a timed series a date means the clock time of its
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
	parts := strings.Split(text, ";")
	value := map[string]string{}
	for _, part := range parts {
		name, v, _ := strings.Cut(part, "=")
		value[name] = v
	}
	if until, ok := value["UNTIL"]; ok {
		moved, err := m.until(until)
		if err != nil {
			return "", err
		}
		value["UNTIL"] = moved
	}
	if m.days() != 0 && !m.follow(value) {
		return "", model.BadInput("",
			"moved to another day, this series needs another rule than %q; say its recurrence as well", model.Clip(text))
	}
	for i, part := range parts {
		name, _, _ := strings.Cut(part, "=")
		parts[i] = name + "=" + value[name]
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

// follow changes the parts of a rule that name days, so that every occurrence moves by the same number of days. False
// when that cannot be.
func (m movement) follow(value map[string]string) bool {
	for name := range value {
		switch name {
		case "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYMONTH":
		default:
			return false
		}
	}
	_, byDay := value["BYDAY"]
	_, byMonthDay := value["BYMONTHDAY"]
	_, byMonth := value["BYMONTH"]
	switch value["FREQ"] {
	case "DAILY":
		return !byDay && !byMonthDay && !byMonth
	case "WEEKLY":
		return !byMonthDay && !byMonth && (!byDay || m.followWeekdays(value))
	case "MONTHLY":
		return !byDay && !byMonth && (!byMonthDay || m.sameMonth() && m.followMonthDay(value))
	case "YEARLY":
		if byDay || (byMonth && value["BYMONTH"] != strconv.Itoa(int(m.from.Month()))) {
			return false
		}
		if !byMonth {
			return !byMonthDay
		}
		if byMonthDay && !m.followMonthDay(value) {
			return false
		}
		value["BYMONTH"] = strconv.Itoa(int(m.to.Month()))
		return byMonthDay || m.from.Day() <= 28
	default:
		return false
	}
}

func (m movement) sameMonth() bool {
	return m.from.Month() == m.to.Month() && m.from.Year() == m.to.Year()
}

// followMonthDay is for the one day of the month that the series has, where every month has the old one and the new
// one.
func (m movement) followMonthDay(value map[string]string) bool {
	if value["BYMONTHDAY"] != strconv.Itoa(m.from.Day()) || m.from.Day() > 28 || m.to.Day() > 28 {
		return false
	}
	value["BYMONTHDAY"] = strconv.Itoa(m.to.Day())
	return true
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
