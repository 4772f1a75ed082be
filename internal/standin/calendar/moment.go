package calendar

import (
	"strings"
	"time"

	"almanac/projections/when"
)

// moment is a start or an end: an instant with the zone it was written in, or a date.
type moment struct {
	// At is the instant in UTC; midnight UTC of a date.
	At   time.Time `json:"at"`
	Date bool      `json:"date,omitempty"`
	Zone string    `json:"zone,omitempty"`
}

const (
	dateForm     = time.DateOnly
	localForm    = "2006-01-02T15:04:05"
	idTimeForm   = "20060102T150405Z"
	idDateForm   = "20060102"
	createdForm  = "2006-01-02T15:04:05.000Z"
	earliestYear = 1
	latestYear   = 9998
)

// instant returns the instant of a moment; of a date, when it begins in the zone.
func (m moment) instant(zone *time.Location) time.Time {
	if m.Date {
		return when.Instant(m.At, zone)
	}
	return m.At
}

// equal says whether two moments name the same time; zones do not matter.
func (m moment) equal(o moment) bool { return m.Date == o.Date && m.At.Equal(o.At) }

// wire returns the moment as answers hold it: in the zone of the answer, with the name of the event's own.
func (m moment) wire(zone *time.Location) object {
	if m.Date {
		return object{"date": m.At.Format(dateForm)}
	}
	shown := object{"dateTime": m.At.In(zone).Format(time.RFC3339)}
	if m.Zone != "" {
		shown["timeZone"] = m.Zone
	}
	return shown
}

// stored returns the moment as bodies of events hold it.
func (m moment) stored() object { return m.wire(time.UTC) }

// suffix is the end of an instance's id.
func (m moment) suffix() string {
	if m.Date {
		return m.At.Format(idDateForm)
	}
	return m.At.UTC().Format(idTimeForm)
}

// readSuffix reads the end of an instance's id. It fails on what suffix does not write.
func readSuffix(suffix string) (moment, bool) {
	if t, err := time.Parse(idTimeForm, suffix); err == nil && len(suffix) == len(idTimeForm) {
		return moment{At: t}, true
	}
	if t, err := time.Parse(idDateForm, suffix); err == nil {
		return moment{At: t, Date: true}, true
	}
	return moment{}, false
}

// readMoment reads start or end, whose name is for messages. Without a zone the calendar's is the event's, unless zoned
// asks for one, as series do.
func readMoment(value object, name, calendarZone string, zoned bool) (moment, error) {
	date, dateTime, zoneName := textOf(value, "date"), textOf(value, "dateTime"), textOf(value, "timeZone")
	switch {
	case date == "" && dateTime == "":
		return moment{}, required("Missing " + name + " time.")
	case date != "" && dateTime != "":
		return moment{}, invalid("Invalid value for: " + name + " must have either a date or a dateTime.")
	case date != "":
		at, err := time.Parse(dateForm, date)
		if err != nil || !writable(at) {
			return moment{}, invalid("Invalid value for: Invalid format: \"" + clip(date) + "\"")
		}
		return moment{At: at, Date: true}, nil
	}
	if zoneName == "" && zoned {
		return moment{}, required("Missing time zone definition for " + name + " time.")
	}
	return readDateTime(dateTime, zoneName, name, calendarZone)
}

func readDateTime(dateTime, zoneName, name, calendarZone string) (moment, error) {
	var zone *time.Location
	if zoneName != "" {
		known, err := when.LoadZone(zoneName)
		if err != nil {
			return moment{}, invalid("Invalid time zone definition for " + name + " time.")
		}
		zone = known
	}
	at, err := time.Parse(time.RFC3339, dateTime)
	if err != nil {
		wall, err := time.Parse(localForm, dateTime)
		if err != nil {
			return moment{}, invalid("Invalid value for: Invalid format: \"" + clip(dateTime) + "\"")
		}
		if zone == nil {
			return moment{}, required("Missing time zone definition for " + name + " time.")
		}
		at = when.Instant(wall, zone)
	}
	at = at.UTC().Truncate(time.Second)
	if !writable(at) {
		return moment{}, invalid("Invalid value for: " + name + " is out of range.")
	}
	if zoneName == "" {
		zoneName = calendarZone
	}
	return moment{At: at, Zone: zoneName}, nil
}

// writable says whether a time can be written with four digits of year in every zone.
func writable(at time.Time) bool { return at.Year() > earliestYear && at.Year() < latestYear }

// clip shortens text from outside before it is repeated in a message.
func clip(s string) string {
	const most = 64
	s = strings.ToValidUTF8(s, "")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// toMilliseconds is the precision of updated.
func toMilliseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
