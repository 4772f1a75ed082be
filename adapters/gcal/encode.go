package gcal

import (
	"slices"
	"strings"

	"google.golang.org/api/calendar/v3"

	"almanac/graph/model"
)

// insertBody is what Google is sent to make an event.
func (c *Client) insertBody(n NewEvent) *calendar.Event {
	e := n.Event
	body := &calendar.Event{
		Id:           n.SourceID,
		Summary:      e.Summary,
		Description:  e.Description,
		Location:     e.Location,
		Start:        c.writeTime(e.Start),
		End:          c.writeTime(withZoneOf(e.End, e.Start)),
		Recurrence:   e.Recurrence,
		Attendees:    attendeesBody(e.Attendees),
		Visibility:   visibilityBody(e.Visibility),
		ColorId:      e.ColorID,
		Transparency: transparencyBody(e.Transparent),
	}
	if n.SetReminders {
		body.Reminders = remindersBody(e.Reminders)
	}
	if n.Meeting {
		body.ConferenceData = &calendar.ConferenceData{CreateRequest: &calendar.CreateConferenceRequest{
			// The same request makes the same meeting.
			RequestId:             n.SourceID,
			ConferenceSolutionKey: &calendar.ConferenceSolutionKey{Type: "hangoutsMeet"},
		}}
	}
	return body
}

// patchBody is what Google is sent to change an event: the parts that change and nothing else. Cleared parts are sent
// as null.
func (c *Client) patchBody(p Patch) *calendar.Event {
	body := &calendar.Event{}
	setText := func(name string, to, from *string) {
		if from == nil {
			return
		}
		if *to = *from; *from == "" {
			body.NullFields = append(body.NullFields, name)
		}
	}
	setText("Summary", &body.Summary, p.Summary)
	setText("Description", &body.Description, p.Description)
	setText("Location", &body.Location, p.Location)
	setText("ColorId", &body.ColorId, p.ColorID)
	if p.Start != nil {
		body.Start, body.End = c.patchTime(*p.Start), c.patchTime(withZoneOf(*p.End, *p.Start))
	}
	if p.Attendees != nil {
		if body.Attendees = attendeesBody(*p.Attendees); len(body.Attendees) == 0 {
			body.NullFields = append(body.NullFields, "Attendees")
		}
	}
	if p.Reminders != nil {
		body.Reminders = remindersBody(*p.Reminders)
	}
	if p.Recurrence != nil {
		if body.Recurrence = *p.Recurrence; len(body.Recurrence) == 0 {
			body.NullFields = append(body.NullFields, "Recurrence")
		}
	}
	if p.Transparent != nil {
		if body.Transparency = transparencyBody(*p.Transparent); body.Transparency == "" {
			body.Transparency = "opaque"
		}
	}
	if p.Visibility != nil {
		if body.Visibility = visibilityBody(*p.Visibility); body.Visibility == "" {
			body.Visibility = "default"
		}
	}
	return body
}

// withZoneOf adds to an end the start's zone where it has none of its own; a series needs both.
func withZoneOf(end, start model.EventTime) model.EventTime {
	if end.Zone == "" && !end.AllDay() {
		end.Zone = start.Zone
	}
	return end
}

// attendeesBody leaves out what only Google sets.
func attendeesBody(attendees []model.Attendee) []*calendar.EventAttendee {
	var body []*calendar.EventAttendee
	for _, a := range attendees {
		body = append(body, &calendar.EventAttendee{
			Email: a.Email, DisplayName: a.Name, Optional: a.Optional, Resource: a.Resource,
			Comment: a.Comment, ResponseStatus: responseBody(a.Status),
		})
	}
	return body
}

// mergeAttendees returns the rows that Google is sent where the rows it has are known: of who stays, what the caller
// did not say is kept.
func mergeAttendees(asked []model.Attendee, present []*calendar.EventAttendee) []*calendar.EventAttendee {
	rows := attendeesBody(asked)
	for i, row := range rows {
		at := slices.IndexFunc(present, func(p *calendar.EventAttendee) bool {
			return p.Email != "" &&
				strings.EqualFold(p.Email, row.Email)
		})
		if at < 0 {
			continue
		}
		kept := *present[at]
		kept.Optional = row.Optional
		if row.ResponseStatus != "" {
			kept.ResponseStatus = row.ResponseStatus
		}
		if row.DisplayName != "" {
			kept.DisplayName = row.DisplayName
		}
		if row.Comment != "" {
			kept.Comment = row.Comment
		}
		rows[i] = &kept
	}
	return rows
}

// remindersBody sends zero minutes and "not the calendar's own", which the client library would leave out.
func remindersBody(r model.Reminders) *calendar.EventReminders {
	body := &calendar.EventReminders{UseDefault: r.UseDefault, ForceSendFields: []string{"UseDefault"}}
	if r.UseDefault {
		return body
	}
	body.Overrides = []*calendar.EventReminder{}
	body.ForceSendFields = append(body.ForceSendFields, "Overrides")
	for _, each := range distinct(r.Overrides) {
		method := "popup"
		if each.Method == model.RemindByEmail {
			method = "email"
		}
		body.Overrides = append(body.Overrides, &calendar.EventReminder{Method: method, Minutes: int64(each.Minutes),
			ForceSendFields: []string{"Minutes"}})
	}
	return body
}

// distinct drops what is there twice, as Google does.
func distinct(reminders []model.Reminder) []model.Reminder {
	var once []model.Reminder
	for _, r := range reminders {
		if !slices.Contains(once, r) {
			once = append(once, r)
		}
	}
	return once
}

func transparencyBody(transparent bool) string {
	if transparent {
		return "transparent"
	}
	return ""
}

func visibilityBody(visibility model.EventVisibility) string {
	if visibility == model.VisibilityDefault {
		return ""
	}
	return strings.ToLower(string(visibility))
}

func responseBody(status model.ResponseStatus) string {
	switch status {
	case model.Declined:
		return "declined"
	case model.Maybe:
		return "tentative"
	case model.Accepted:
		return "accepted"
	case model.NeedsAction:
		return "needsAction"
	default:
		return ""
	}
}

func sendUpdatesBody(s model.SendUpdates) string {
	switch s {
	case model.SendUpdatesAll:
		return "all"
	case model.SendUpdatesExternalOnly:
		return "externalOnly"
	default:
		return "none"
	}
}
