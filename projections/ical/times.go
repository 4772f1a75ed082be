package ical

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// The forms of dates and times (RFC 5545, 3.3.4 and 3.3.5).
const (
	dateForm    = "20060102"
	floatForm   = "20060102T150405"
	instantForm = "20060102T150405Z"
)

// Events lie between these years, as recurrences do.
const (
	firstYear = 1600
	lastYear  = 2399
)

// Parameters and properties of our own for what the standard cannot say: the zone of a time that is written in UTC,
// since clocks in its zone show it a second time, and such a time where the zone must be written.
const (
	ownZone = "X-ALMANAC-TZID"
	ownAt   = "X-ALMANAC-AT"
)

// stamp is a date, a clock reading or an instant.
type stamp struct {
	wall   time.Time // in UTC whatever it means
	isDate bool
	isUTC  bool
}

func parseStamp(text string) (stamp, bool) {
	var form string
	switch len(text) {
	case len(dateForm):
		form = dateForm
	case len(floatForm):
		form = floatForm
	case len(instantForm):
		form = instantForm
	default:
		return stamp{}, false
	}
	const seconds = len(floatForm) - 2
	if len(text) > seconds && text[seconds:seconds+2] == "60" { // a leap second (RFC 5545, 3.3.12)
		text = text[:seconds] + "59" + text[seconds+2:]
	}
	wall, err := time.Parse(form, text)
	return stamp{wall: wall, isDate: form == dateForm, isUTC: form == instantForm}, err == nil
}

func (s stamp) outOfRange() bool { return s.wall.Year() < firstYear || s.wall.Year() > lastYear }

// point is a time of an event as it was read.
type point struct {
	model.EventTime
	floating bool
}

// stampOf reads the value of a property that is a date or a time.
func stampOf(p property) (stamp, error) {
	value := strings.ToUpper(strings.TrimSpace(p.value))
	if p.isDate() && len(value) > len(dateForm) && value[len(dateForm)] == 'T' {
		value = value[:len(dateForm)] // the date is meant
	}
	s, ok := parseStamp(value)
	switch {
	case !ok:
		return s, fmt.Errorf("has the %s “%s”, which is no date such as 20261231 and no time such as 20261231T090000Z",
			p.name, brief(p.value))
	case s.outOfRange():
		return s, fmt.Errorf("has a %s outside of the years %d to %d", p.name, firstYear, lastYear)
	}
	return s, nil
}

// point reads a date or a time; a time without a zone is in the one given, and floating when that is nil.
func (d *decoder) point(p property, otherwise *time.Location) (point, error) {
	s, err := stampOf(p)
	switch {
	case err != nil:
		return point{}, err
	case s.isDate:
		return point{EventTime: model.EventTime{Date: model.DateOf(s.wall)}}, nil
	}
	zone, floating := otherwise, false
	if name := p.param("TZID"); name != "" {
		if zone, err = d.zoneOf(name, s.wall.Year()); err != nil {
			return point{}, err
		}
	}
	if s.isUTC {
		if own := zoneNamed(p.param(ownZone)); own != nil {
			zone = own
		}
		if zone == nil || p.param("TZID") == "" && p.param(ownZone) == "" {
			zone = time.UTC
		}
		return point{EventTime: model.EventTime{At: s.wall, Zone: zone.String()}}, nil
	}
	if zone == nil {
		zone, floating = d.calendar.floating, true
	}
	at := when.Instant(s.wall, zone)
	if own, ok := parseStamp(p.param(ownAt)); ok && own.isUTC && !own.outOfRange() {
		at = own.wall
	}
	return point{model.EventTime{At: at, Zone: zone.String()}, floating}, nil
}

// times reads when the event is, and which occurrence it is.
func (d *decoder) times() error {
	e := &d.event
	original, isException := d.seen["RECURRENCE-ID"]
	start, ok := d.seen["DTSTART"]
	switch {
	case isException && original.param("RANGE") != "":
		return errors.New("changes an occurrence and those after it (RECURRENCE-ID with RANGE), which is not supported")
	case !ok && isException:
		start = original
	case !ok:
		return errors.New("has no DTSTART")
	}
	if s, err := stampOf(start); err == nil {
		d.year = s.wall.Year()
	}
	begin, err := d.point(start, nil)
	if err != nil {
		return err
	}
	e.Start, e.Floating = begin.EventTime, begin.floating
	if isException {
		read, err := d.point(original, d.startZone())
		if err != nil {
			return err
		}
		e.OriginalStart = read.EventTime
		if s, err := stampOf(original); err == nil && !s.isUTC && !s.isDate && original.param("TZID") == "" &&
			original.param(ownAt) == "" {
			d.original = s.wall
		}
	}
	if err := d.end(); err != nil {
		return err
	}
	d.dayByMicrosoft()
	return nil
}

// startZone is the zone of times beside the start that name none; nil for a floating event and for an all-day one.
func (d *decoder) startZone() *time.Location {
	if d.event.Floating || d.event.Start.AllDay() {
		return nil
	}
	return zoneNamed(d.event.Start.Zone)
}

// end reads DTEND or DURATION. An event with neither is a day or no time long (RFC 5545, 3.6.1).
func (d *decoder) end() error {
	e := &d.event
	p, hasEnd := d.seen["DTEND"]
	length, hasLength := d.seen["DURATION"]
	switch {
	case hasEnd:
		end, err := d.point(p, d.startZone())
		switch {
		case err != nil:
			return err
		case end.AllDay() != e.Start.AllDay():
			return errors.New("has one of DTSTART and DTEND as a date and the other as a time")
		case e.Start.AllDay() && end.Date == e.Start.Date:
			end.Date = e.Start.Date.AddDays(1) // the end is exclusive; those who write this mean the one day
		case e.Start.AllDay() && end.Date.Before(e.Start.Date), end.At.Before(e.Start.At):
			return errors.New("ends before it begins")
		}
		e.End = end.EventTime
		if e.Floating {
			e.End.Zone = e.Start.Zone // one clock for both
		}
	case hasLength:
		span, ok := parseSpan(length.value)
		if !ok || span.negative {
			return fmt.Errorf("has the DURATION “%s”, which is no length such as P1D or PT1H30M", brief(length.value))
		}
		if e.Start.AllDay() && span.clock%(24*time.Hour) != 0 {
			return fmt.Errorf("is all-day with the DURATION “%s”, which is not of whole days", brief(length.value))
		}
		e.End = span.after(e.Start)
	case e.Start.AllDay():
		e.End.Date = e.Start.Date.AddDays(1)
	default:
		e.End = e.Start
	}
	if e.End.Date.Year > lastYear+1 || e.End.At.Year() > lastYear+1 {
		return fmt.Errorf("ends after the year %d", lastYear)
	}
	return nil
}

// dayByMicrosoft makes an all-day event of one from midnight to midnight that Outlook calls one.
func (d *decoder) dayByMicrosoft() {
	e := &d.event
	if !strings.EqualFold(d.word("X-MICROSOFT-CDO-ALLDAYEVENT"), "TRUE") || e.Start.AllDay() {
		return
	}
	zone := zoneNamed(e.Start.Zone)
	begin, end := e.Start.At.In(zone), e.End.At.In(zone)
	if !isMidnight(begin) || !isMidnight(end) || !begin.Before(end) {
		return
	}
	e.Start, e.End = model.EventTime{Date: model.DateOf(begin)}, model.EventTime{Date: model.DateOf(end)}
	if !e.OriginalStart.At.IsZero() {
		e.OriginalStart = model.EventTime{Date: model.DateOf(e.OriginalStart.At.In(zone))}
	}
	e.Floating = false
}

func isMidnight(t time.Time) bool {
	hour, minute, second := t.Clock()
	return hour == 0 && minute == 0 && second == 0
}

// followSeries writes the original start of an exception in the form of its series' start: some programs write a date
// for an occurrence that has a time, a time for a whole day, or another zone. The reading is that of a RECURRENCE-ID
// without a zone, else zero.
func (e *Event) followSeries(series *Event, reading time.Time) {
	at := &e.OriginalStart
	zone := zoneNamed(series.Start.Zone)
	switch {
	case at.IsZero():
	case series.Start.AllDay():
		if !reading.IsZero() {
			*at = model.EventTime{Date: model.DateOf(reading)}
		} else if !at.AllDay() {
			named := zoneNamed(at.Zone)
			*at = model.EventTime{Date: model.DateOf(at.At.In(named))}
		}
	case at.AllDay():
		local := series.Start.At.In(zone)
		hour, minute, second := local.Clock()
		wall := time.Date(at.Date.Year, at.Date.Month, at.Date.Day, hour, minute, second, 0, time.UTC)
		*at = model.EventTime{At: when.Instant(wall, zone), Zone: series.Start.Zone}
	case !reading.IsZero():
		*at = model.EventTime{At: when.Instant(reading, zone), Zone: series.Start.Zone}
	default:
		at.Zone = series.Start.Zone
	}
}

// span is a length of time (RFC 5545, 3.3.6): days are of the calendar, the rest is of the clock.
type span struct {
	negative bool
	days     int
	clock    time.Duration
}

// exact is the length where days have 24 hours.
func (s span) exact() time.Duration {
	all := time.Duration(s.days)*24*time.Hour + s.clock
	if s.negative {
		return -all
	}
	return all
}

// after returns the time that lies a length after another.
func (s span) after(t model.EventTime) model.EventTime {
	if t.AllDay() {
		return model.EventTime{Date: t.Date.AddDays(s.days + int(s.clock/(24*time.Hour)))}
	}
	at := t.At
	if zone := zoneNamed(t.Zone); s.days > 0 && zone != nil {
		at = when.Instant(at.In(zone).AddDate(0, 0, s.days), zone)
	} else {
		at = at.AddDate(0, 0, s.days)
	}
	return model.EventTime{At: at.Add(s.clock), Zone: t.Zone}
}

// parseSpan reads a DURATION; false for one of more than a hundred years.
func parseSpan(text string) (s span, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		s.negative, text = true, rest
	}
	text, ok = strings.CutPrefix(strings.TrimPrefix(text, "+"), "P")
	if !ok || text == "" {
		return s, false
	}
	const mostDays, day = 36_600, 24 * 60 * 60
	inClock, seconds := false, 0
	for text != "" {
		if text[0] == 'T' && !inClock {
			inClock, text = true, text[1:]
			continue
		}
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		if digits == 0 || digits > 9 || digits == len(text) {
			return s, false
		}
		n, err := strconv.Atoi(text[:digits])
		if err != nil {
			return s, false
		}
		unit := text[digits]
		text = text[digits+1:]
		switch {
		case unit == 'W' && !inClock:
			s.days += 7 * n
		case unit == 'D' && !inClock:
			s.days += n
		case unit == 'H' && inClock:
			seconds += n * 60 * 60
		case unit == 'M' && inClock:
			seconds += n * 60
		case unit == 'S' && inClock:
			seconds += n
		default:
			return s, false
		}
		if s.days > mostDays || seconds > mostDays*day {
			return s, false
		}
	}
	s.clock = time.Duration(seconds) * time.Second
	return s, true
}
