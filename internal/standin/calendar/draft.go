package calendar

import (
	"strconv"
	"unicode/utf8"
)

// draft is what a write would make of an event: checked, in the form that is stored, with nothing written yet.
type draft struct {
	body       object
	start, end moment
	series     *series
	status     string
	// reminders are written only when setReminders says so.
	reminders    *reminders
	setReminders bool
}

// control are the properties that are no part of a body.
func control() []string {
	return []string{"id", "iCalUID", "eventType", "organizer", "sequence", "status", "reminders", "attendeesOmitted"}
}

// readBody reads the body of a write, without what Google does not know and what this request may not write:
// attachments, conferences and labels are ignored, without a word, unless a parameter says that the client knows of
// them.
func (r *request) readBody() (object, error) {
	if r.call.Body == nil {
		return nil, badRequest()
	}
	fitted, err := r.events.fit("", r.call.Body)
	if err != nil {
		return nil, err
	}
	body, ok := fitted.(object)
	if !ok {
		return nil, badRequest()
	}
	attachments, err := r.flag("supportsAttachments")
	if err != nil {
		return nil, err
	}
	conferences, err := r.number("conferenceDataVersion", 0, 0)
	if err != nil {
		return nil, err
	}
	labels, err := r.number("eventLabelVersion", 0, 0)
	if err != nil {
		return nil, err
	}
	if !attachments {
		delete(body, "attachments")
	}
	if conferences == 0 {
		delete(body, "conferenceData")
	}
	if labels == 0 {
		delete(body, "eventLabelId")
	} else {
		delete(body, "colorId")
	}
	if conference := objectOf(body, "conferenceData"); conference != nil {
		// Who makes a conference, and whether it has been made, is Google's to say.
		if creation := objectOf(conference, "createRequest"); creation != nil {
			delete(creation, "status")
			if textOf(creation, "requestId") == "" {
				return nil, invalid("Invalid conference create request: requestId is missing.")
			}
		}
	}
	return body, nil
}

// draftOf checks a whole body, that of an instance if instance says so. It keeps no reference to what it is given.
func (r *request) draftOf(c *calendar, given object, instance bool) (*draft, error) {
	d := &draft{status: textOf(given, "status")}
	if d.status == "" {
		d.status = statusConfirmed
	}
	var err error
	if value, sent := given["reminders"]; sent {
		d.setReminders = true
		reminders, _ := value.(object) // A null stands for the defaults.
		if d.reminders, err = readReminders(reminders); err != nil {
			return nil, err
		}
	}
	d.body = copyObject(merge(nil, given))
	for _, name := range control() {
		delete(d.body, name)
	}
	if err := d.readTimes(c, instance); err != nil {
		return nil, err
	}
	checks := []func(object) error{checkColor, r.checkAttendees, checkExtended, checkAttachments, checkSource}
	for _, check := range checks {
		if err := check(d.body); err != nil {
			return nil, err
		}
	}
	for name, value := range d.body {
		if list, ok := value.([]any); isDefault(name, value) || (ok && len(list) == 0) {
			delete(d.body, name)
		}
	}
	return d, nil
}

// readTimes reads start, end and recurrence.
func (d *draft) readTimes(c *calendar, instance bool) error {
	lines := textsOf(d.body, "recurrence")
	if instance && len(lines) > 0 {
		return invalid("Invalid value for: recurrence cannot be set on an instance of a recurring event.")
	}
	start, err := readMoment(objectOf(d.body, "start"), "start", c.TimeZone, len(lines) > 0)
	if err != nil {
		return err
	}
	end, err := readMoment(objectOf(d.body, "end"), "end", c.TimeZone, len(lines) > 0)
	if err != nil {
		return err
	}
	if start.Date != end.Date {
		return invalid("The start and end times must either both be date or both be dateTime.")
	}
	if !end.At.After(start.At) {
		return timeRangeEmpty()
	}
	d.start, d.end = start, end
	d.body["start"], d.body["end"] = start.stored(), end.stored()
	if len(lines) > 0 {
		d.series, err = newSeries(lines, start, end, c.zone)
	}
	return err
}

func checkColor(body object) error {
	id := textOf(body, "colorId")
	if id == "" {
		return nil
	}
	if n, err := strconv.Atoi(id); err != nil || n < 1 || n > eventColors {
		return invalid("Invalid value for: colorId")
	}
	return nil
}

// checkAttendees brings attendees into the form that is stored: one row each, by address.
func (r *request) checkAttendees(body object) error {
	given := objectsOf(body, "attendees")
	if len(given) == 0 {
		return nil
	}
	if r.account.ServiceAccount {
		return forbiddenForServiceAccounts()
	}
	seen := map[string]bool{}
	list := make([]any, 0, len(given))
	for _, a := range given {
		email := canonical(textOf(a, "email"))
		if email == "" {
			return required("Missing attendee email.")
		}
		if !looksLikeEmail(email) {
			return invalid("Invalid attendee email.")
		}
		if seen[email] {
			continue
		}
		seen[email] = true
		a["email"] = email
		if textOf(a, "responseStatus") == "" {
			a["responseStatus"] = "needsAction"
		}
		for _, name := range []string{"optional", "resource"} {
			if !flagOf(a, name) {
				delete(a, name)
			}
		}
		for _, name := range []string{"comment", "displayName"} {
			if textOf(a, name) == "" {
				delete(a, name)
			}
		}
		if n, _ := wholeNumber(a["additionalGuests"]); n <= 0 {
			delete(a, "additionalGuests")
		}
		list = append(list, a)
	}
	body["attendees"] = list
	return nil
}

// looksLikeEmail wants something on both sides of one @, and no spaces.
func looksLikeEmail(s string) bool {
	signs := 0
	for i, c := range s {
		switch {
		case c <= ' ' || c == ',' || c == '<' || c == '>':
			return false
		case c == '@':
			if signs++; i == 0 || i == len(s)-1 {
				return false
			}
		}
	}
	return signs == 1
}

// The limits of extended properties.
const (
	mostPropertyName  = 44
	mostPropertyValue = 1024
	mostProperties    = 300
	mostPropertyBytes = 32 << 10
)

// checkExtended drops names that are too long, cuts values that are, and refuses too many of them.
func checkExtended(body object) error {
	extended := objectOf(body, "extendedProperties")
	if extended == nil {
		return nil
	}
	count, size := 0, 0
	for _, part := range []string{"private", "shared"} {
		properties := objectOf(extended, part)
		for name := range properties {
			value := textOf(properties, name)
			if utf8.RuneCountInString(name) > mostPropertyName {
				delete(properties, name)
				continue
			}
			if runes := []rune(value); len(runes) > mostPropertyValue {
				value = string(runes[:mostPropertyValue])
				properties[name] = value
			}
			count++
			size += len(name) + len(value)
		}
		if len(properties) == 0 {
			delete(extended, part)
		}
	}
	if count > mostProperties || size > mostPropertyBytes {
		return invalid("Extended properties exceed the limits of " + strconv.Itoa(mostProperties) + " properties or 32 kB.")
	}
	if len(extended) == 0 {
		delete(body, "extendedProperties")
	}
	return nil
}

const mostAttachments = 25

func checkAttachments(body object) error {
	list := objectsOf(body, "attachments")
	if len(list) > mostAttachments {
		return invalid("An event can have at most 25 attachments.")
	}
	for _, one := range list {
		if textOf(one, "fileUrl") == "" {
			return required("Missing attachment fileUrl.")
		}
	}
	return nil
}

func checkSource(body object) error {
	source := objectOf(body, "source")
	if source == nil {
		return nil
	}
	url := textOf(source, "url")
	for _, scheme := range []string{"http://", "https://"} {
		if len(url) > len(scheme) && url[:len(scheme)] == scheme {
			return nil
		}
	}
	return invalid("Invalid value for: source.url")
}
