package rrule

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// dates are the values of one RDATE or EXDATE line that have one form.
type dates struct {
	name   string // RDATE or EXDATE
	zone   string // of TZID; empty for UTC and for dates
	values []dateValue
}

type dateValue struct {
	text string
	at   time.Time // as Occurrence.Start
}

// parseDates reads the parameters and values of a line. A line whose values have several forms becomes several.
//
// On a timed event a value without zone is in the event's, and a date means the start's clock time on that date; on an
// all-day event a time means its date. Either is written in the form that says so.
func (s *Set) parseDates(name string, parameters []string, text string) ([]dates, error) {
	onlyDates, zone, err := dateParameters(name, parameters, s.zone)
	if err != nil {
		return nil, err
	}
	var lines []dates
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		read, ok := parseStamp(item)
		if !ok || onlyDates && !read.isDate {
			return nil, bad("%s has %q where a date such as 20261231 or a time such as 20261231T090000Z belongs", name,
				model.Clip(item))
		}
		tzid, value := s.dateValue(read, zone)
		if last := len(lines) - 1; last >= 0 && lines[last].zone == tzid &&
			(s.allDay || len(lines[last].values[0].text) == len(value.text)) {
			lines[last].values = append(lines[last].values, value)
			continue
		}
		lines = append(lines, dates{name: name, zone: tzid, values: []dateValue{value}})
	}
	return lines, nil
}

func (s *Set) dateValue(read stamp, zone *time.Location) (string, dateValue) {
	if s.allDay {
		date := s.date(read)
		return "", dateValue{date.Format(dateForm), date}
	}
	if read.isUTC {
		return "", dateValue{read.wall.Format(instantForm), read.wall}
	}
	if read.isDate {
		read, zone = stamp{wall: read.wall.Add(s.clock())}, s.zone
	}
	at := read.instant(zone)
	if zone.String() == s.zone.String() {
		at = s.instant(read.wall)
	}
	if zone == time.UTC {
		return "", dateValue{at.Format(instantForm), at}
	}
	return zone.String(), dateValue{read.wall.Format(floatForm), at}
}

func dateParameters(name string, parameters []string,
	zone *time.Location) (onlyDates bool, _ *time.Location, err error) {
	for _, parameter := range parameters {
		key, value, _ := strings.Cut(parameter, "=")
		switch strings.ToUpper(strings.TrimSpace(key)) {
		case "VALUE":
			switch strings.ToUpper(value) {
			case "DATE":
				onlyDates = true
			case "DATE-TIME":
			case "PERIOD":
				return false, nil, bad("%s with VALUE=PERIOD is not supported; VALUE is DATE or DATE-TIME", name)
			default:
				return false, nil, bad("VALUE of %s is DATE or DATE-TIME, not %q", name, model.Clip(value))
			}
		case "TZID":
			if zone, err = when.LoadZone(strings.Trim(value, `"`)); err != nil {
				return false, nil, err
			}
		default:
			return false, nil, bad("%s has the parameter %q; it may have TZID and VALUE", name, model.Clip(key))
		}
	}
	return onlyDates, zone, nil
}

// line writes the values that keep accepts; false when it accepts none.
func (d dates) line(allDay bool, keep func(time.Time) bool) (string, bool) {
	var b strings.Builder
	b.WriteString(d.name)
	switch {
	case allDay:
		b.WriteString(";VALUE=DATE")
	case d.zone != "":
		b.WriteString(";TZID=" + d.zone)
	}
	separator := byte(':')
	for _, value := range d.values {
		if !keep(value.at) {
			continue
		}
		b.WriteByte(separator)
		b.WriteString(value.text)
		separator = ','
	}
	return b.String(), separator == ','
}

// reaches reports whether the line adds an occurrence before an instant.
func (d dates) reaches(before time.Time) bool {
	return d.name == "RDATE" && slices.ContainsFunc(d.values, func(v dateValue) bool { return v.at.Before(before) })
}
