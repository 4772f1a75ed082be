package gcal

import (
	"fmt"
	"time"

	"google.golang.org/api/calendar/v3"

	"almanac/graph/model"
	"almanac/projections/when"
)

// zone loads a zone that Google, or a caller, named.
func (c *Client) zone(name string) (*time.Location, error) {
	if c.Location == nil {
		return when.LoadZone(name)
	}
	if name == "" || name == "Local" { // which the standard library takes for UTC and for the machine's own
		return nil, model.BadInput("", "%q is not a time zone", name)
	}
	return c.Location(name)
}

// zoneOr is zone, or UTC where the name says nothing to us.
func (c *Client) zoneOr(names ...string) *time.Location {
	for _, name := range names {
		if name == "" {
			continue
		}
		if zone, err := c.zone(name); err == nil {
			return zone
		}
	}
	return time.UTC
}

// readTime reads a start or an end; the zero value when there is none.
func readTime(t *calendar.EventDateTime) (model.EventTime, error) {
	switch {
	case t == nil:
		return model.EventTime{}, nil
	case t.Date != "":
		date, err := model.ParseDate(t.Date)
		if err != nil {
			return model.EventTime{}, fmt.Errorf("date: %w", err)
		}
		return model.EventTime{Date: date, Zone: t.TimeZone}, nil
	case t.DateTime != "":
		at, err := time.Parse(time.RFC3339, t.DateTime)
		if err != nil {
			return model.EventTime{}, fmt.Errorf("dateTime: %w", err)
		}
		return model.EventTime{At: at.UTC(), Zone: t.TimeZone}, nil
	default:
		return model.EventTime{}, nil
	}
}

// writeTime returns a start or an end as Google is sent it: with an offset and with the zone, where one is known.
// Google keeps whole seconds.
func (c *Client) writeTime(t model.EventTime) *calendar.EventDateTime {
	if t.AllDay() {
		return &calendar.EventDateTime{Date: t.Date.String()}
	}
	return &calendar.EventDateTime{DateTime: t.At.In(c.zoneOr(t.Zone)).Format(time.RFC3339), TimeZone: t.Zone}
}

// patchTime is writeTime for a patch. Patches merge objects, so the other form must be taken away by name.
func (c *Client) patchTime(t model.EventTime) *calendar.EventDateTime {
	written := c.writeTime(t)
	if t.AllDay() {
		written.NullFields = []string{"DateTime", "TimeZone"}
	} else {
		written.NullFields = []string{"Date"}
	}
	return written
}

// wall returns what the clock of the zone shows, as if it were UTC, so that it can be reckoned with.
func wall(t model.EventTime, zone *time.Location) time.Time {
	if t.AllDay() {
		return t.Date.Midnight()
	}
	return readingOf(t.At, zone)
}

func readingOf(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	year, month, day := local.Date()
	hour, minute, second := local.Clock()
	return time.Date(year, month, day, hour, minute, second, local.Nanosecond(), time.UTC)
}

// startsAt is the instant that an event is ordered and compared by; an all-day event begins at midnight of the
// calendar's zone.
func startsAt(t model.EventTime, zone *time.Location) time.Time {
	if t.AllDay() {
		return when.Instant(t.Date.Midnight(), zone)
	}
	return t.At
}

// sameTime reports whether two times are the same on the calendar. A zone that one side does not name makes no
// difference.
func sameTime(a, b model.EventTime) bool {
	if a.AllDay() || b.AllDay() {
		return a.Date == b.Date
	}
	return a.At.Truncate(time.Second).Equal(b.At.Truncate(time.Second)) &&
		(a.Zone == "" || b.Zone == "" || a.Zone == b.Zone)
}
