package calendar

import (
	"net/http"
	"reflect"

	"almanac/internal/standin/wire"
	"almanac/projections/when"
)

// calendarShape holds what of a calendar may be written.
func calendarShape() objectShape {
	return objectShape{
		"summary": text, "description": text, "location": text, "timeZone": text,
		"conferenceProperties": objectShape{"allowedConferenceSolutionTypes": listOf(text)},
		"labelProperties": objectShape{
			"eventLabels": listOf(objectShape{"id": text, "name": text, "backgroundColor": text})},
	}
}

func (c *calendar) show() object {
	shown := object{"kind": "calendar#calendar", "etag": etagOf(c.Revision, uint64(len(c.ID))), "id": c.ID,
		"summary": c.Summary, "timeZone": c.TimeZone}
	for name, value := range map[string]string{"description": c.Description, "location": c.Location} {
		if value != "" {
			shown[name] = value
		}
	}
	if !c.Primary && c.Owner != "" {
		shown["dataOwner"] = c.Owner
	}
	shown["conferenceProperties"] = object{"allowedConferenceSolutionTypes": []any{"hangoutsMeet"}}
	if c.Conferences != nil {
		shown["conferenceProperties"] = copyObject(c.Conferences)
	}
	if c.Labels != nil {
		shown["labelProperties"] = copyObject(c.Labels)
	}
	return shown
}

func (r *request) getCalendar() (wire.Reply, error) {
	c, _, err := r.pathCalendar(roleFreeBusyReader)
	if err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Body: c.show()}, nil
}

// insertCalendar makes a secondary calendar. How many an account may make is limited, and deleting gives none back.
func (r *request) insertCalendar() (wire.Reply, error) {
	body, err := r.fitted(calendarShape())
	if err != nil {
		return wire.Reply{}, err
	}
	if textOf(body, "summary") == "" {
		return wire.Reply{}, required("Missing title.")
	}
	if r.account.CalendarsMade >= r.switches.calendarLimit() {
		return wire.Reply{}, quotaExceeded()
	}
	c := &calendar{
		Owner: r.account.Email, Rights: map[string]role{r.account.Email: roleOwner}, TimeZone: "UTC",
		Updated: toMilliseconds(r.now),
		Events:  map[string]*event{}, exceptions: map[string]map[string]*event{},
	}
	if primary := r.state.Calendars[r.account.Email]; primary != nil {
		c.TimeZone = primary.TimeZone
	}
	fresh, err := c.with(body)
	if err != nil {
		return wire.Reply{}, err
	}
	fresh.ID = r.state.newCalendarID()
	r.account.CalendarsMade++
	r.state.Calendars[fresh.ID] = fresh
	r.account.list(fresh, &entry{Selected: true})
	r.changed = append(r.changed, "calendarList:"+r.account.Email)
	return wire.Reply{Body: fresh.show()}, nil
}

// with returns the calendar with a body laid over it. Its events are not read again.
func (c *calendar) with(body object) (*calendar, error) {
	fresh := *c
	for name, into := range map[string]*string{
		"summary": &fresh.Summary, "description": &fresh.Description, "location": &fresh.Location,
		"timeZone": &fresh.TimeZone,
	} {
		if _, sent := body[name]; sent {
			*into = textOf(body, name)
		}
	}
	if fresh.Summary == "" {
		return nil, required("Missing title.")
	}
	zone, err := when.LoadZone(fresh.TimeZone)
	if err != nil {
		return nil, invalid("Invalid time zone definition for calendar.")
	}
	fresh.zone = zone
	for name, into := range map[string]*object{"conferenceProperties": &fresh.Conferences,
		"labelProperties": &fresh.Labels} {
		if _, sent := body[name]; sent {
			*into = nil
			if given := objectOf(body, name); len(given) > 0 {
				*into = copyObject(merge(nil, given))
			}
		}
	}
	return &fresh, nil
}

// patchCalendar changes a calendar. One that changes nothing leaves the etag as it is.
func (r *request) patchCalendar() (wire.Reply, error) {
	c, _, err := r.pathCalendar(roleOwner)
	if err != nil {
		return wire.Reply{}, err
	}
	if err := r.checkMatch(textOf(c.show(), "etag")); err != nil {
		return wire.Reply{}, err
	}
	body, err := r.fitted(calendarShape())
	if err != nil {
		return wire.Reply{}, err
	}
	fresh, err := c.with(body)
	if err != nil {
		return wire.Reply{}, err
	}
	if reflect.DeepEqual(c.show(), fresh.show()) {
		return wire.Reply{Body: c.show()}, nil
	}
	*c = *fresh
	c.Revision++
	if now := toMilliseconds(r.now); now.After(c.Updated) {
		c.Updated = now
	}
	r.changed = append(r.changed, eventsOf(c))
	return wire.Reply{Body: c.show()}, nil
}

// deleteCalendar erases a secondary calendar for everyone.
func (r *request) deleteCalendar() (wire.Reply, error) {
	c, _, err := r.pathCalendar(roleOwner)
	if err != nil {
		return wire.Reply{}, err
	}
	if c.Primary {
		return wire.Reply{}, forbidden("A primary calendar cannot be deleted.")
	}
	delete(r.state.Calendars, c.ID)
	for _, person := range r.state.Accounts {
		person.unlist(c.ID)
		r.changed = append(r.changed, "calendarList:"+person.Email)
	}
	return wire.Reply{Status: http.StatusNoContent}, nil
}

// clearCalendar deletes all events of a primary calendar; a secondary one is refused.
func (r *request) clearCalendar() (wire.Reply, error) {
	c, _, err := r.pathCalendar(roleOwner)
	if err != nil {
		return wire.Reply{}, err
	}
	if !c.Primary {
		return wire.Reply{}, invalid("Only a primary calendar can be cleared.")
	}
	for _, e := range c.inOrder {
		if !e.cancelled() {
			e.Status = statusCancelled
			r.touch(c, e, true)
		}
	}
	return wire.Reply{Status: http.StatusNoContent}, nil
}
