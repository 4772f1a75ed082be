package gcal

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/api/calendar/v3"

	"almanac/graph/model"
)

// event reads an event of Google's. The calendar is the id by our names, empty for the primary one.
func (s *session) event(calendarID, calendarZone string, e *calendar.Event) (model.Event, error) {
	read := model.Event{
		Ref:              model.EventRef{Connection: s.connection.Number, Calendar: calendarID, Event: e.Id},
		Account:          s.connection.Account,
		CalendarID:       s.realID(calendarID),
		CalendarZone:     calendarZone,
		ICalUID:          e.ICalUID,
		Status:           statusOf(e.Status),
		Type:             typeOf(e.EventType),
		Version:          e.Etag,
		Summary:          e.Summary,
		Description:      e.Description,
		Location:         e.Location,
		AttendeesOmitted: e.AttendeesOmitted,
		Recurrence:       e.Recurrence,
		RecurringEventID: e.RecurringEventId,
		HTMLLink:         e.HtmlLink,
		MeetingURL:       meetingOf(e),
		Transparent:      e.Transparency == "transparent",
		Visibility:       visibilityOf(e.Visibility),
		ColorID:          e.ColorId,
		Reminders:        remindersOf(e.Reminders),
	}
	for _, t := range []struct {
		from *calendar.EventDateTime
		to   *model.EventTime
	}{{e.Start, &read.Start}, {e.End, &read.End}, {e.OriginalStartTime, &read.OriginalStart}} {
		var err error
		if *t.to, err = readTime(t.from); err != nil {
			return model.Event{}, unreadable(fmt.Errorf("event %s: %w", e.Id, err))
		}
	}
	for _, t := range []struct {
		from string
		to   *time.Time
	}{{e.Created, &read.CreatedAt}, {e.Updated, &read.UpdatedAt}} {
		if t.from == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, t.from)
		if err != nil {
			return model.Event{}, unreadable(fmt.Errorf("event %s: %w", e.Id, err))
		}
		*t.to = at.UTC()
	}
	for _, a := range e.Attendees {
		read.Attendees = append(read.Attendees, model.Attendee{
			Email: a.Email, Name: a.DisplayName, Status: responseOf(a.ResponseStatus),
			Optional: a.Optional, Organizer: a.Organizer, Self: a.Self, Resource: a.Resource, Comment: a.Comment,
		})
	}
	if e.Organizer != nil {
		read.Organizer = &model.Person{Email: e.Organizer.Email, Name: e.Organizer.DisplayName, Self: e.Organizer.Self}
	}
	if e.Creator != nil {
		read.Creator = &model.Person{Email: e.Creator.Email, Name: e.Creator.DisplayName, Self: e.Creator.Self}
	}
	return read, nil
}

// unreadable is said of an answer that is not what the protocol promises.
func unreadable(cause error) error {
	return &model.Error{Code: model.CodeUpstreamUnavailable, Message: "Google's answer could not be read",
		Cause: fmt.Errorf("gcal: %w", cause)}
}

func statusOf(status string) model.EventStatus {
	switch status {
	case "tentative":
		return model.EventTentative
	case "cancelled":
		return model.EventCancelled
	default:
		return model.EventConfirmed
	}
}

func typeOf(kind string) model.EventType {
	switch kind {
	case "", "default": // old recordings have none
		return model.EventDefault
	case "birthday":
		return model.EventBirthday
	case "focusTime":
		return model.EventFocusTime
	case "fromGmail":
		return model.EventFromGmail
	case "outOfOffice":
		return model.EventOutOfOffice
	case "workingLocation":
		return model.EventWorkingLocation
	default:
		return model.EventUnknownType
	}
}

func visibilityOf(visibility string) model.EventVisibility {
	switch visibility {
	case "public":
		return model.VisibilityPublic
	case "private":
		return model.VisibilityPrivate
	case "confidential":
		return model.VisibilityConfidential
	default:
		return model.VisibilityDefault
	}
}

func responseOf(status string) model.ResponseStatus {
	switch status {
	case "declined":
		return model.Declined
	case "tentative":
		return model.Maybe
	case "accepted":
		return model.Accepted
	default:
		return model.NeedsAction
	}
}

func roleOf(role string) model.AccessRole {
	switch role {
	case "owner":
		return model.RoleOwner
	case "writer":
		return model.RoleWriter
	case "reader":
		return model.RoleReader
	case "freeBusyReader":
		return model.RoleFreeBusyReader
	default:
		return ""
	}
}

func remindersOf(r *calendar.EventReminders) model.Reminders {
	if r == nil {
		return model.Reminders{}
	}
	return model.Reminders{UseDefault: r.UseDefault, Overrides: reminderList(r.Overrides)}
}

// reminderList leaves out methods that the contract does not know.
func reminderList(list []*calendar.EventReminder) []model.Reminder {
	var read []model.Reminder
	for _, r := range list {
		switch r.Method {
		case "popup":
			read = append(read, model.Reminder{Method: model.RemindByPopup, Minutes: int(r.Minutes)})
		case "email":
			read = append(read, model.Reminder{Method: model.RemindByEmail, Minutes: int(r.Minutes)})
		}
	}
	return read
}

// meetingOf returns the address at which one joins by video.
func meetingOf(e *calendar.Event) string {
	if e.ConferenceData != nil {
		for _, entry := range e.ConferenceData.EntryPoints {
			if entry.EntryPointType == "video" && strings.HasPrefix(entry.Uri, "https://") {
				return entry.Uri
			}
		}
	}
	return e.HangoutLink
}
