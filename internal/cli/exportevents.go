package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"almanac/graph/model"
)

// exportedCalendar is an own calendar, or the copy of a feed.
type exportedCalendar struct {
	ID               string               `json:"id"`
	Source           model.CalendarSource `json:"source"`
	Summary          string               `json:"summary"`
	Description      string               `json:"description,omitempty"`
	TimeZone         string               `json:"timeZone"`
	Selected         bool                 `json:"selected"`
	DefaultReminders []exportedReminder   `json:"defaultReminders,omitempty"`
	Version          string               `json:"version"`
	CreatedAt        time.Time            `json:"createdAt"`
	UpdatedAt        time.Time            `json:"updatedAt"`
	// Published are the forms in which it is published. The addresses are secret, and kept as hashes only.
	Published []exportedPublication `json:"published,omitempty"`
	// Feed is what is known of the file that it is the copy of. Its address may be secret and is left out.
	Feed *exportedFeed `json:"feed,omitempty"`
}

type exportedPublication struct {
	Form      model.CalendarLinkKind `json:"form"`
	CreatedAt time.Time              `json:"createdAt"`
}

type exportedFeed struct {
	Host      string    `json:"host"`
	AsOf      time.Time `json:"asOf,omitzero"`
	NextAt    time.Time `json:"nextAt,omitzero"`
	Failures  int       `json:"failures,omitempty"`
	Problem   string    `json:"problem,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
}

type exportedReminder struct {
	Method  model.ReminderMethod `json:"method"`
	Minutes int                  `json:"minutes"`
}

// exportedEvent is an event of an own calendar, a series, or an exception to one.
type exportedEvent struct {
	ID         string          `json:"id"`
	CalendarID string          `json:"calendarId"`
	Kind       model.EventKind `json:"kind"`
	// RecurringEventID and OriginalStart are those of an exception, Overrides in what it differs from its series.
	RecurringEventID string            `json:"recurringEventId,omitempty"`
	OriginalStart    *exportedTime     `json:"originalStart,omitempty"`
	Overrides        []string          `json:"overrides,omitempty"`
	Summary          string            `json:"summary,omitempty"`
	Description      string            `json:"description,omitempty"`
	Location         string            `json:"location,omitempty"`
	Start            *exportedTime     `json:"start,omitempty"`
	End              *exportedTime     `json:"end,omitempty"`
	Recurrence       []string          `json:"recurrence,omitempty"`
	Status           model.EventStatus `json:"status"`
	EventType        model.EventType   `json:"eventType"`
	Transparent      bool              `json:"transparent,omitempty"`
	Declined         bool              `json:"declined,omitempty"`
	ICalUID          string            `json:"iCalUID"`
	Version          string            `json:"version"`

	Attendees        []exportedAttendee    `json:"attendees,omitempty"`
	Organizer        *exportedPerson       `json:"organizer,omitempty"`
	Creator          *exportedPerson       `json:"creator,omitempty"`
	DefaultReminders bool                  `json:"defaultReminders,omitempty"`
	Reminders        []exportedReminder    `json:"reminders,omitempty"`
	Visibility       model.EventVisibility `json:"visibility,omitempty"`
	ColorID          string                `json:"colorId,omitempty"`
	HTMLLink         string                `json:"htmlLink,omitempty"`
	MeetingURL       string                `json:"meetingUrl,omitempty"`
	// Sequence, Stamp, URL and Categories are those of iCalendar.
	Sequence   int       `json:"sequence,omitempty"`
	Stamp      time.Time `json:"stamp,omitzero"`
	URL        string    `json:"url,omitempty"`
	Categories []string  `json:"categories,omitempty"`
	CreatedAt  time.Time `json:"createdAt,omitzero"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

// exportedTime is an instant with the zone that was named, a date, or, when floating, a clock reading as if in UTC.
type exportedTime struct {
	DateTime time.Time `json:"dateTime,omitzero"`
	Date     string    `json:"date,omitempty"`
	TimeZone string    `json:"timeZone,omitempty"`
	Floating bool      `json:"floating,omitempty"`
}

type exportedPerson struct {
	Email string `json:"email"`
	Name  string `json:"name,omitempty"`
}

type exportedAttendee struct {
	exportedPerson
	ResponseStatus model.ResponseStatus `json:"responseStatus,omitempty"`
	Optional       bool                 `json:"optional,omitempty"`
	Organizer      bool                 `json:"organizer,omitempty"`
	Resource       bool                 `json:"resource,omitempty"`
	Self           bool                 `json:"self,omitempty"`
	Comment        string               `json:"comment,omitempty"`
}

// calendars writes own calendars, each with its events after it, and of feeds what they are; their events, and those of
// linked accounts, are others' to export.
func (e *exporter) calendars(ctx context.Context) error {
	all, err := e.from.KeptCalendars(ctx, e.user)
	if err != nil {
		return err
	}
	links, err := e.from.CalendarLinks(ctx, e.user)
	if err != nil {
		return err
	}
	for _, calendar := range all {
		if calendar.Connection != 0 {
			continue
		}
		out, err := calendarOut(calendar, links)
		if err != nil {
			return err
		}
		if err := e.write("calendar", out); err != nil {
			return err
		}
		if calendar.Source != model.CalendarOwn {
			continue
		}
		for after, more := "", true; more; {
			rows, err := e.from.AllEvents(ctx, e.user, calendar.Number, after, exportPage)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := e.write("event", eventOut(calendar.Ref(), row)); err != nil {
					return err
				}
				after = row.ID
			}
			more = len(rows) == exportPage
		}
	}
	return nil
}

func calendarOut(c model.KeptCalendar, links []model.CalendarLink) (exportedCalendar, error) {
	out := exportedCalendar{ID: c.Ref().ID().String(), Source: c.Source, Summary: c.Name, Description: c.Description,
		TimeZone: c.Zone, Selected: c.Followed, DefaultReminders: remindersOut(c.Reminders), Version: c.Version,
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt}
	for _, link := range links {
		switch {
		case link.Calendar != c.Number:
		case link.Kind == model.LinkFeed:
			var state model.FeedState
			if err := json.Unmarshal([]byte(link.State), &state); err != nil {
				return out, fmt.Errorf("read what is known of a feed: %w", err)
			}
			out.Feed = &exportedFeed{Host: state.Host, AsOf: state.AsOf, NextAt: link.DueAt, Failures: state.Failures,
				Problem: state.Problem, CreatedAt: link.CreatedAt}
		default:
			out.Published = append(out.Published, exportedPublication{link.Kind, link.CreatedAt})
		}
	}
	return out, nil
}

func remindersOut(all []model.Reminder) (out []exportedReminder) {
	for _, r := range all {
		out = append(out, exportedReminder{r.Method, r.Minutes})
	}
	return out
}

func eventOut(in model.CalendarRef, row model.EventRow) exportedEvent {
	out := exportedEvent{
		ID: in.Event(row.ID).ID().String(), CalendarID: in.ID().String(), Kind: row.Kind, Summary: row.Summary,
		Overrides: row.Overrides, Recurrence: row.Recurrence, Status: row.Status, EventType: row.Type,
		Transparent: row.Transparent, Declined: row.Declined, ICalUID: row.UID, Version: row.Version,
		UpdatedAt: row.UpdatedAt,
		Start:     eventTimeOut(row.StartsAt, row.AllDay, row), End: eventTimeOut(row.EndsAt, row.AllDay, row),
	}
	if row.Series != "" {
		out.RecurringEventID = in.Event(row.Series).ID().String()
		out.OriginalStart = eventTimeOut(row.OriginalAt, row.OriginalIsDay, row)
	}
	b := row.Body
	if b == nil {
		return out
	}
	if b.EndZone != "" {
		out.End.TimeZone = b.EndZone
	}
	out.Description, out.Location = b.Description, b.Location
	for _, a := range b.Attendees {
		out.Attendees = append(out.Attendees, exportedAttendee{exportedPerson{a.Email, a.Name}, a.Status, a.Optional,
			a.Organizer, a.Resource, a.Self, a.Comment})
	}
	out.Organizer, out.Creator = personOut(b.Organizer), personOut(b.Creator)
	out.DefaultReminders, out.Reminders = b.Reminders.UseDefault, remindersOut(b.Reminders.Overrides)
	out.Visibility, out.ColorID, out.HTMLLink, out.MeetingURL = b.Visibility, b.ColorID, b.HTMLLink, b.MeetingURL
	out.Sequence, out.Stamp, out.URL, out.Categories = b.Sequence, b.Stamp, b.URL, b.Categories
	out.CreatedAt = b.CreatedAt
	return out
}

// eventTimeOut is a time of an event; nil for one that says none.
func eventTimeOut(at time.Time, isDay bool, row model.EventRow) *exportedTime {
	switch {
	case at.IsZero():
		return nil
	case isDay:
		return &exportedTime{Date: model.DateOf(at).String()}
	}
	return &exportedTime{DateTime: at, TimeZone: row.Zone, Floating: row.Floating}
}

func personOut(p *model.Person) *exportedPerson {
	if p == nil {
		return nil
	}
	return &exportedPerson{p.Email, p.Name}
}
