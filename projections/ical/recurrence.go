package ical

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// maxRecurrenceBytes bounds the lines of one series, as rrule does.
const maxRecurrenceBytes = 128 << 10

// ownCancelled marks the EXDATEs that stand for cancelled occurrences, which other programs would show as events.
const ownCancelled = "X-ALMANAC-CANCELLED"

// period is an RDATE that says how long the occurrence is.
type period struct {
	line       int
	start, end model.EventTime
	cancelled  bool
}

// recurrence reads RRULE, RDATE and EXDATE.
func (d *decoder) recurrence() error {
	e := &d.event
	if !e.OriginalStart.IsZero() {
		if len(d.recurs) > 0 {
			d.note(d.recurs[0].line, "%s of a changed occurrence is left out: an occurrence does not recur", d.recurs[0].name)
		}
		return nil
	}
	var texts []string
	recurs, size := false, 0
	for _, p := range d.recurs {
		text, err := d.line(p)
		if err != nil {
			return err
		}
		if size += len(text); size > maxRecurrenceBytes {
			return fmt.Errorf("has RRULE, RDATE and EXDATE of more than %d characters", maxRecurrenceBytes)
		}
		if text != "" {
			texts = append(texts, text)
			recurs = recurs || p.name != "EXDATE"
		}
	}
	if !recurs {
		if len(texts) > 0 {
			d.note(d.recurs[0].line, "EXDATE is left out: the event does not recur")
		}
		d.periods = nil
		return nil
	}
	start := rrule.Start{At: e.Start.At, AllDay: e.Start.AllDay(), Zone: zoneNamed(e.Start.Zone)}
	if start.AllDay {
		start.At, start.Zone = e.Start.Date.Midnight(), d.calendar.floating
	}
	set, err := d.parse(merged(texts), start)
	if err != nil {
		return err
	}
	e.Recurrence = set.Lines()
	return nil
}

// maxSearched is for how many years of rules a text may make us search until they occur: a rule that never does is
// searched to the last year, which takes some milliseconds.
const maxSearched = 50 * (lastYear - firstYear)

// parse reads the lines of a series, within what the text may cost.
func (d *decoder) parse(lines []string, start rrule.Start) (*rrule.Set, error) {
	if d.searched >= maxSearched {
		return nil, errors.New("recurs by a rule that is not looked at: the text has too many that seldom or never occur")
	}
	set, err := rrule.Parse(lines, start)
	if err == nil || errors.Is(err, rrule.ErrNever) {
		d.searched += searched(set, start)
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "RRULE") && line != lines[0] {
			d.searched += (lastYear - firstYear) / 4 // each of several rules is searched, and one says when it occurs
		}
	}
	var refused *model.Error
	if errors.As(err, &refused) {
		return nil, fmt.Errorf("recurs in a way that is not supported: %s", refused.Message)
	}
	return set, err
}

// searched is for how many years a rule was searched.
func searched(set *rrule.Set, start rrule.Start) int {
	if set != nil {
		if first, some := set.First(); some {
			return first.Start.Year() - start.At.Year()
		}
	}
	return lastYear - start.At.Year()
}

// line writes a property in the form that rrule reads: zones by their IANA names, the starts of periods. It is empty
// for one without values.
func (d *decoder) line(p property) (string, error) {
	value := strings.ToUpper(strings.TrimSpace(p.value))
	switch {
	case p.name == "EXRULE":
		return "", errors.New("has an EXRULE, which is not supported (RFC 5545 took it away)")
	case p.name == "RRULE":
		return "RRULE:" + value, nil
	case len(value) > maxRecurrenceBytes:
		return "", fmt.Errorf("has a %s of more than %d characters", p.name, maxRecurrenceBytes)
	}
	head := p.name
	if p.isDate() {
		head += ";VALUE=DATE"
	}
	zone := d.startZone()
	if name := p.param("TZID"); name != "" {
		named, err := d.zoneOf(name, d.year)
		if err != nil {
			return "", err
		}
		zone = named
		head += ";TZID=" + zone.String()
	}
	cancelled := p.name == "EXDATE" && strings.EqualFold(p.param(ownCancelled), "TRUE")
	var values []string
	for item := range strings.SplitSeq(value, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		begin, length, isPeriod := strings.Cut(item, "/")
		if isPeriod || cancelled {
			if err := d.period(p, zone, begin, length, cancelled); err != nil {
				return "", err
			}
		}
		values = append(values, begin)
	}
	if len(values) == 0 || cancelled {
		return "", nil
	}
	return head + ":" + strings.Join(values, ","), nil
}

// period keeps what an occurrence has of its own: another length than the series, or that it is cancelled.
func (d *decoder) period(p property, zone *time.Location, begin, length string, cancelled bool) error {
	start, err := d.point(property{name: p.name, value: begin}, zone)
	if err != nil {
		return err
	}
	if own, ok := parseStamp(p.param(ownAt)); ok && own.isUTC {
		start.At = own.wall
	}
	if strings.HasSuffix(begin, "Z") {
		start.Zone = d.event.Start.Zone
	}
	kept := period{line: p.line, start: start.EventTime, cancelled: cancelled}
	if cancelled {
		d.periods = append(d.periods, kept)
		return nil
	}
	if lasts, ok := parseSpan(length); ok && !lasts.negative {
		kept.end = lasts.after(kept.start)
	} else {
		end, err := d.point(property{name: p.name, value: length}, zone)
		if err != nil {
			return err
		}
		kept.end = end.EventTime
	}
	if start.AllDay() || d.event.Start.AllDay() || !kept.start.At.Before(kept.end.At) {
		return fmt.Errorf("has the period “%s” in %s, which is not of times or ends before it begins",
			brief(begin+"/"+length), p.name)
	}
	if kept.end.At.Sub(kept.start.At) != d.event.End.At.Sub(d.event.Start.At) {
		d.periods = append(d.periods, kept)
	}
	return nil
}

// occurrences returns the changed occurrences that a series' own lines stand for.
func (e *Event) occurrences(periods []period) []Event {
	var all []Event
	for _, p := range periods {
		if len(all) == maxExceptions {
			break
		}
		one := *e
		one.Recurrence, one.Notes, one.OriginalStart, one.Line = nil, nil, p.start, p.line
		one.Start, one.End = p.start, p.end
		if p.cancelled {
			one.Event = model.Event{ICalUID: e.ICalUID, Status: model.EventCancelled, Type: e.Type,
				Visibility: model.VisibilityDefault, OriginalStart: p.start}
			one.URL, one.Categories = "", nil
		}
		all = append(all, one)
	}
	return all
}

// merged returns the lines as they are, or, when there are more than events have, those of the same form as one.
func merged(lines []string) []string {
	if len(lines) <= model.MaxRecurrenceLines {
		return lines
	}
	var all []string
	at := map[string]int{}
	for _, line := range lines {
		head, values, _ := strings.Cut(line, ":")
		if first, known := at[head]; known && head != "RRULE" {
			all[first] += "," + values
			continue
		}
		at[head] = len(all)
		all = append(all, line)
	}
	return all
}

// wallOf is what clocks in a zone show at an instant, and whether that reading means this instant, and not an earlier
// one that clocks show alike.
func wallOf(at time.Time, zone *time.Location) (wall time.Time, first bool) {
	local := at.In(zone)
	year, month, day := local.Date()
	hour, minute, second := local.Clock()
	wall = time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	return wall, when.Instant(wall, zone).Equal(at.Truncate(time.Second))
}

// isTwice reports whether clocks in a zone show the reading of an instant a second time, before or after it.
func isTwice(at time.Time, zone *time.Location) bool {
	wall, first := wallOf(at, zone)
	_, now := at.In(zone).Zone()
	_, later := at.Add(3 * time.Hour).In(zone).Zone()
	again, _ := wallOf(at.Add(time.Duration(now-later)*time.Second), zone)
	return !first || now > later && again.Equal(wall)
}
