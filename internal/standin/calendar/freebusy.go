package calendar

import (
	"slices"
	"time"

	"almanac/internal/standin/wire"
	"almanac/projections/when"
)

// queryFreeBusy answers calendar.freebusy.query. A calendar that the account cannot see answers with an error of its
// own; the rest of the answer stands.
func (r *request) queryFreeBusy() (wire.Reply, error) {
	body, err := r.fitted(objectShape{
		"timeMin": text, "timeMax": text, "timeZone": text, "items": listOf(objectShape{"id": text}),
		"calendarExpansionMax": number, "groupExpansionMax": number,
	})
	if err != nil {
		return wire.Reply{}, err
	}
	from, err := bound(body, "timeMin")
	if err != nil {
		return wire.Reply{}, err
	}
	to, err := bound(body, "timeMax")
	if err != nil {
		return wire.Reply{}, err
	}
	if !to.After(from) {
		return wire.Reply{}, at(timeRangeEmpty(), "parameter", "timeMax")
	}
	// Not the calendar's zone: the reference says UTC.
	zone := time.UTC
	if name := textOf(body, "timeZone"); name != "" {
		if zone, err = when.LoadZone(name); err != nil {
			return wire.Reply{}, invalid("Invalid time zone definition for timeZone.")
		}
	}
	calendars := object{}
	for _, item := range objectsOf(body, "items") {
		id := textOf(item, "id")
		if id == "" {
			return wire.Reply{}, required("Missing calendar id.")
		}
		c, _, err := r.calendar(id, roleFreeBusyReader)
		if err != nil {
			calendars[id] = object{"errors": []any{object{"domain": domainGlobal, "reason": "notFound"}}, "busy": []any{}}
			continue
		}
		if id == "primary" {
			id = c.ID
		}
		calendars[id] = object{"busy": r.busy(c, from, to, zone)}
	}
	return wire.Reply{Body: object{
		"kind": "calendar#freeBusy", "timeMin": from.Format(createdForm), "timeMax": to.Format(createdForm),
		"calendars": calendars,
	}}, nil
}

// bound reads a time of the body that must be there.
func bound(body object, name string) (time.Time, error) {
	value := textOf(body, name)
	if value == "" {
		return time.Time{}, required("Missing " + name + " parameter.")
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return time.Time{}, badRequest()
	}
	return at.UTC().Truncate(time.Second), nil
}

// busy returns the times at which somebody is busy, merged and cut to the window.
func (r *request) busy(c *calendar, from, to time.Time, zone *time.Location) []any {
	q := &query{single: true, from: &from, to: &to}
	rows := r.rows(c, q, func(w row) bool { return q.keeps(c, w, r.switches) && occupies(c, w) })
	type span struct{ start, end time.Time }
	spans := make([]span, 0, len(rows))
	for _, w := range rows {
		s := span{w.start.instant(c.zone), w.end.instant(c.zone)}
		if s.start.Before(from) {
			s.start = from
		}
		if s.end.After(to) {
			s.end = to
		}
		spans = append(spans, s)
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start.Compare(b.start) })
	merged := spans[:0]
	for _, s := range spans {
		if last := len(merged) - 1; last >= 0 && !s.start.After(merged[last].end) {
			if s.end.After(merged[last].end) {
				merged[last].end = s.end
			}
			continue
		}
		merged = append(merged, s)
	}
	shown := make([]any, len(merged))
	for i, s := range merged {
		shown[i] = object{"start": s.start.In(zone).Format(time.RFC3339), "end": s.end.In(zone).Format(time.RFC3339)}
	}
	return shown
}

// occupies says whether an event makes its person busy: not a transparent one, not one that was declined, not a place
// of work.
func occupies(c *calendar, w row) bool {
	body := c.body(w.event)
	if textOf(body, "transparency") == "transparent" || w.event.Type == "workingLocation" {
		return false
	}
	own := guests(body)[canonical(c.ID)]
	return textOf(own, "responseStatus") != "declined"
}
