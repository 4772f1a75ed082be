package ical

import (
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
)

const maxPersonName = 300

// ownComment is what an attendee says of the answer. Google writes it by this name.
const ownComment = "X-RESPONSE-COMMENT"

// emailOf returns the e-mail address of a calendar address: a mailto, or the parameter that some servers write beside
// their own address of a person.
func emailOf(p property) string {
	value := strings.TrimSpace(p.value)
	if len(value) > len("mailto:") && strings.EqualFold(value[:len("mailto:")], "mailto:") {
		value = value[len("mailto:"):]
		if plain, err := url.PathUnescape(value); err == nil && strings.ContainsRune(value, '%') {
			value = plain
		}
	} else if email := p.param("EMAIL"); email != "" {
		value = strings.TrimSpace(email)
	}
	if len(value) > 320 || !strings.ContainsRune(value, '@') {
		return ""
	}
	address, err := mail.ParseAddress(value)
	if err != nil || address.Name != "" {
		return ""
	}
	return address.Address
}

func nameOfPerson(p property) string {
	name, _ := clip(strings.TrimSpace(p.param("CN")), maxPersonName)
	return name
}

func (d *decoder) attendee(p property) {
	e := &d.event
	email := emailOf(p)
	switch {
	case email == "":
		d.note(p.line, "ATTENDEE is left out: it has no e-mail address")
		return
	case len(e.Attendees) == model.MaxAttendees:
		e.AttendeesOmitted = true
		d.note(p.line, "ATTENDEE is left out: an event has at most %d", model.MaxAttendees)
		return
	case slices.ContainsFunc(e.Attendees, func(a model.Attendee) bool { return strings.EqualFold(a.Email, email) }):
		return
	}
	one := model.Attendee{Email: email, Name: nameOfPerson(p), Status: model.NeedsAction}
	one.Comment, _ = clip(p.param(ownComment), model.MaxEventSummary)
	switch strings.ToUpper(p.param("PARTSTAT")) {
	case "ACCEPTED":
		one.Status = model.Accepted
	case "DECLINED":
		one.Status = model.Declined
	case "TENTATIVE":
		one.Status = model.Maybe
	}
	switch strings.ToUpper(p.param("ROLE")) {
	case "OPT-PARTICIPANT", "NON-PARTICIPANT":
		one.Optional = true
	}
	switch strings.ToUpper(p.param("CUTYPE")) {
	case "RESOURCE", "ROOM":
		one.Resource = true
	}
	e.Attendees = append(e.Attendees, one)
}

// people reads the organizer, and marks who of the attendees it is.
func (d *decoder) people() {
	e := &d.event
	p, ok := d.seen["ORGANIZER"]
	if !ok {
		return
	}
	email := emailOf(p)
	if email == "" {
		return // often a person without an address, "invalid:nomail": it says nothing that could be shown
	}
	e.Organizer = &model.Person{Email: email, Name: nameOfPerson(p)}
	for i := range e.Attendees {
		e.Attendees[i].Organizer = strings.EqualFold(e.Attendees[i].Email, email)
	}
}

// maxAlarms is how many alarms of an event are looked at.
const maxAlarms = 100

// alarm is a VALARM.
type alarm struct {
	line    int
	action  string
	trigger property
}

func (a *alarm) take(p property) {
	switch p.name {
	case "ACTION":
		a.action = strings.ToUpper(strings.TrimSpace(p.value))
	case "TRIGGER":
		if a.trigger.name == "" {
			a.trigger = p
		}
	}
}

// reminders reads the alarms as minutes before the start.
func (d *decoder) reminders() {
	e := &d.event
	if strings.EqualFold(d.word(ownReminders), "DEFAULT") {
		e.Reminders.UseDefault = true
		return
	}
	for _, a := range d.alarms {
		one := model.Reminder{Method: model.RemindByPopup}
		switch a.action {
		case "DISPLAY", "AUDIO":
		case "EMAIL":
			one.Method = model.RemindByEmail
		default: // Apple writes NONE, with a time long past, where there is no reminder
			continue
		}
		before, ok := d.before(a.trigger)
		one.Minutes = int((before + time.Minute - 1) / time.Minute)
		switch {
		case !ok:
			d.note(a.line, "VALARM is left out: its TRIGGER cannot be read")
		case before < 0 || one.Minutes > model.MaxReminderMinutes:
			d.note(a.line, "VALARM is left out: reminders come at or before the start, at most %d minutes",
				model.MaxReminderMinutes)
		case slices.Contains(e.Reminders.Overrides, one):
		case len(e.Reminders.Overrides) == model.MaxReminders:
			d.note(a.line, "VALARM is left out: an event has at most %d reminders", model.MaxReminders)
		default:
			e.Reminders.Overrides = append(e.Reminders.Overrides, one)
		}
	}
}

// before is how long before the start an alarm goes off.
func (d *decoder) before(trigger property) (time.Duration, bool) {
	start, end := instantOf(d.event.Start, d.calendar.floating), instantOf(d.event.End, d.calendar.floating)
	if s, ok := parseStamp(strings.TrimSpace(trigger.value)); ok {
		return start.Sub(s.wall), s.isUTC && !s.outOfRange()
	}
	s, ok := parseSpan(trigger.value)
	if !ok {
		return 0, false
	}
	if strings.EqualFold(trigger.param("RELATED"), "END") {
		return start.Sub(end) - s.exact(), true
	}
	return -s.exact(), true
}

// instantOf is when a time is; a date begins at midnight in the zone.
func instantOf(t model.EventTime, zone *time.Location) time.Time {
	if t.AllDay() {
		return time.Date(t.Date.Year, t.Date.Month, t.Date.Day, 0, 0, 0, 0, zone).UTC()
	}
	return t.At
}
