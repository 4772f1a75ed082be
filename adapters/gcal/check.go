package gcal

import (
	"slices"

	"almanac/graph/model"
)

// What Google would change or drop in silence is refused here.

// Check is BAD_USER_INPUT for what a calendar would change or drop in silence of a new event.
func (n NewEvent) Check() error {
	e := n.Event
	if !validSourceID(n.SourceID) {
		return model.Errorf(model.CodeInternal, "an event needs an id of 5 to 1024 characters 0–9 and a–v to be made with")
	}
	if err := checkTimes(e.Start, e.End); err != nil {
		return err
	}
	if len(e.Recurrence) > 0 && !e.Start.AllDay() && e.Start.Zone == "" {
		return model.BadInput("", "a series needs the time zone in which it repeats")
	}
	if e.AttendeesOmitted {
		return omitted()
	}
	if err := checkAttendees(e.Attendees); err != nil {
		return err
	}
	if n.SetReminders {
		return checkReminders(e.Reminders)
	}
	return nil
}

// Check is Check of a patch.
func (p Patch) Check() error {
	if (p.Start == nil) != (p.End == nil) {
		return model.BadInput("", "a start and an end come together")
	}
	if p.Start != nil {
		if err := checkTimes(*p.Start, *p.End); err != nil {
			return err
		}
	}
	if p.Attendees != nil {
		if err := checkAttendees(*p.Attendees); err != nil {
			return err
		}
	}
	if p.Reminders != nil {
		return checkReminders(*p.Reminders)
	}
	return nil
}

// validSourceID holds an id against base32hex in lower case (RFC 2938, 3.1.2), Google's rule.
func validSourceID(id string) bool {
	for i := range len(id) {
		if c := id[i]; (c < '0' || c > '9') && (c < 'a' || c > 'v') {
			return false
		}
	}
	return len(id) >= 5 && len(id) <= 1024
}

func checkTimes(start, end model.EventTime) error {
	switch {
	case start.IsZero() || end.IsZero():
		return model.BadInput("", "an event needs a start and an end")
	case start.AllDay() != end.AllDay():
		return model.BadInput("", "start and end are both dates, or both times")
	case start.AllDay() && !start.Date.Before(end.Date):
		return model.BadInput("", "the end of an all-day event is a later date than its start; it is the day after the last")
	case !start.AllDay() && end.At.Before(start.At):
		return model.BadInput("", "the event ends before it starts")
	}
	return nil
}

func checkAttendees(attendees []model.Attendee) error {
	if len(attendees) > model.MaxAttendees {
		return model.BadInput("", "an event has at most %d attendees", model.MaxAttendees)
	}
	if slices.ContainsFunc(attendees, func(a model.Attendee) bool { return a.Email == "" }) {
		return model.BadInput("", "an attendee needs an e-mail address")
	}
	return nil
}

func checkReminders(r model.Reminders) error {
	if r.UseDefault && len(r.Overrides) > 0 {
		return model.BadInput("", "reminders are the calendar's own or a list, not both")
	}
	if len(r.Overrides) > model.MaxReminders {
		return model.BadInput("", "an event has at most %d reminders", model.MaxReminders)
	}
	for _, each := range r.Overrides {
		if each.Method != model.RemindByPopup && each.Method != model.RemindByEmail {
			return model.BadInput("", "a reminder is a POPUP or an EMAIL")
		}
		if each.Minutes < 0 || each.Minutes > model.MaxReminderMinutes {
			return model.BadInput("", "a reminder comes 0 to %d minutes before the start", model.MaxReminderMinutes)
		}
	}
	return nil
}

// omitted refuses to write attendees back that were not all read: the others would be uninvited.
func omitted() error {
	return model.BadInput("", "this event has more attendees than Google shows, so they are not changed from here")
}
