package gcal

import (
	"slices"
	"strings"

	"almanac/graph/model"
)

// After a lost answer the event is read again and held against what was asked: agreement means that the change was
// made.

// asked is what an insert asks for, as a patch, so that both are compared by one rule.
func asked(e model.Event, reminders bool) Patch {
	p := Patch{
		Summary: &e.Summary, Description: &e.Description, Location: &e.Location, Start: &e.Start, End: &e.End,
		Recurrence: &e.Recurrence, Transparent: &e.Transparent, Visibility: &e.Visibility, ColorID: &e.ColorID,
	}
	if len(e.Attendees) > 0 {
		p.Attendees = &e.Attendees
	}
	if reminders {
		p.Reminders = &e.Reminders
	}
	return p
}

// fields are what must be read to see whether the patch was made.
func (p Patch) fields() Fields {
	var fields Fields
	for _, part := range []struct {
		set   bool
		field Fields
	}{
		{p.Summary != nil, FieldSummary},
		{p.Description != nil, FieldDescription},
		{p.Location != nil, FieldLocation},
		{p.Start != nil, FieldTimes},
		{p.Attendees != nil || p.Answer != nil, FieldAttendees},
		{p.Reminders != nil, FieldReminders},
		{p.Recurrence != nil, FieldRecurrence},
		{p.Transparent != nil, FieldTransparency},
		{p.Visibility != nil, FieldVisibility},
		{p.ColorID != nil, FieldColor},
	} {
		if part.set {
			fields |= part.field
		}
	}
	return fields
}

// isIn reports whether an event is as the patch would make it.
func (p Patch) isIn(e model.Event, account string) bool {
	return sameText(p.Summary, e.Summary) && sameText(p.Description, e.Description) && sameText(p.Location, e.Location) &&
		sameText(p.ColorID, e.ColorID) &&
		(p.Start == nil || sameTime(*p.Start, e.Start) && sameTime(*p.End, e.End)) &&
		(p.Attendees == nil || sameGuests(*p.Attendees, e.Attendees)) &&
		(p.Reminders == nil || sameReminders(*p.Reminders, e.Reminders)) &&
		(p.Recurrence == nil || sameRecurrence(*p.Recurrence, e.Recurrence)) &&
		(p.Transparent == nil || *p.Transparent == e.Transparent) &&
		(p.Visibility == nil || orDefault(*p.Visibility) == orDefault(e.Visibility)) &&
		(p.Answer == nil || ownAnswer(e.Attendees, account) == *p.Answer)
}

// sameText forgives what text fields do to white space on their way.
func sameText(asked *string, there string) bool {
	return asked == nil || plain(*asked) == plain(there)
}

func plain(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}

func orDefault(v model.EventVisibility) model.EventVisibility {
	if v == "" {
		return model.VisibilityDefault
	}
	return v
}

// sameGuests compares who is invited, and what was said of them. Google may add the organizer.
func sameGuests(asked, there []model.Attendee) bool {
	for _, a := range asked {
		at := slices.IndexFunc(there, func(t model.Attendee) bool { return strings.EqualFold(a.Email, t.Email) })
		if at < 0 || a.Optional != there[at].Optional || (a.Status != "" && a.Status != there[at].Status) {
			return false
		}
	}
	for _, t := range there {
		invited := slices.ContainsFunc(asked, func(a model.Attendee) bool { return strings.EqualFold(a.Email, t.Email) })
		if !invited && !t.Organizer {
			return false
		}
	}
	return true
}

func sameReminders(asked, there model.Reminders) bool {
	a, b := distinct(asked.Overrides), distinct(there.Overrides)
	return asked.UseDefault == there.UseDefault && len(a) == len(b) &&
		!slices.ContainsFunc(a, func(r model.Reminder) bool { return !slices.Contains(b, r) })
}

// sameRecurrence compares lines in any order, and the parts of a rule in any order.
func sameRecurrence(asked, there []string) bool {
	return slices.Equal(canonical(asked), canonical(there))
}

func canonical(lines []string) []string {
	all := make([]string, 0, len(lines))
	for _, line := range lines {
		line = strings.ToUpper(strings.TrimSpace(line))
		if rule, ok := strings.CutPrefix(line, "RRULE:"); ok {
			parts := strings.Split(rule, ";")
			slices.Sort(parts)
			line = "RRULE:" + strings.Join(parts, ";")
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

// ownAnswer is the account's answer; "" when it is not among the attendees.
func ownAnswer(attendees []model.Attendee, account string) model.ResponseStatus {
	for _, a := range attendees {
		if a.Self {
			return a.Status
		}
	}
	// On a calendar that is not the account's primary one, its own row is not marked.
	for _, a := range attendees {
		if strings.EqualFold(a.Email, account) {
			return a.Status
		}
	}
	return ""
}
