package projections

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/compact"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// Event is an event as seen at a moment.
type Event struct {
	node[model.Event]
	// series says that what was done was done to the whole series.
	series bool
}

// EventAt returns the event's view.
func EventAt(record model.Event, at *Moment) Event { return Event{node: nodeAt(record, at)} }

// EventsAt returns the events' views; never nil.
func EventsAt(records []model.Event, at *Moment) []Event {
	return viewsOf(records, at, EventAt)
}

// EventTitle calls an event in front of a person.
func EventTitle(event model.Event, at *Moment) string {
	if title := strings.TrimSpace(event.Summary); title != "" {
		return title
	}
	if at.Locale == "he" {
		return "(ללא כותרת)"
	}
	return "(no title)"
}

// EventLabel calls an event by its title and when it is.
func EventLabel(event model.Event, at *Moment) string {
	label := EventTitle(event, at)
	if span := when.FormatSpan(event.Start, event.End, at.Moment); span != "" {
		label += " (" + span + ")"
	}
	return label
}

// AsSeries returns the view of an event whose whole series was concerned.
func (e Event) AsSeries() Event {
	e.series = true
	return e
}

// ID is the public id.
func (e Event) ID() model.ID { return e.record.Ref.ID() }

// SourceID is the remote's own id; nil in an own calendar.
func (e Event) SourceID() *string {
	if e.record.Ref.Connection == 0 {
		return nil
	}
	return &e.record.Ref.Event
}

// Account is the linked account that it was read through; nil in an own calendar.
func (e Event) Account() *string { return optional(e.record.Account) }

// CalendarID is the remote's id of its calendar.
func (e Event) CalendarID() string { return e.record.CalendarID }

// Summary is the title.
func (e Event) Summary() string { return e.record.Summary }

// Description is the text below the title, nil for none.
func (e Event) Description() *string { return optional(e.record.Description) }

// Location is where it takes place, nil when not said.
func (e Event) Location() *string { return optional(e.record.Location) }

// Start is when it starts.
func (e Event) Start() *EventTime { return eventTime(e.record.Start, e.at) }

// End is when it ends, exclusive.
func (e Event) End() *EventTime { return eventTime(e.record.End, e.at) }

// WhenFormatted is start and end for people, in the viewer's language and zone unless others are asked for.
func (e Event) WhenFormatted(locale, timeZone *string) (*string, error) {
	if e.record.Start.IsZero() {
		return nil, nil
	}
	moment, err := e.at.Override(locale, timeZone)
	if err != nil {
		return nil, err
	}
	text := when.FormatSpan(e.record.Start, e.record.End, moment)
	return &text, nil
}

// AllDay reports whether it is made of days.
func (e Event) AllDay() bool { return e.record.Start.AllDay() }

// Duration is how long it lasts; nil when that is less than a Duration can say, or unknown.
func (e Event) Duration() *model.Duration {
	length := e.record.End.At.Sub(e.record.Start.At)
	if e.AllDay() {
		length = time.Duration(e.record.Start.Date.DaysUntil(e.record.End.Date)) * 24 * time.Hour
	}
	if e.record.Start.IsZero() || e.record.End.IsZero() || length < time.Minute {
		return nil
	}
	return &model.Duration{Duration: length}
}

// Attendees are who is invited; never nil.
func (e Event) Attendees() []EventAttendee {
	out := make([]EventAttendee, len(e.record.Attendees))
	for i, a := range e.record.Attendees {
		out[i] = EventAttendee{
			Email: a.Email, DisplayName: optional(a.Name), ResponseStatus: a.Status, Optional: a.Optional,
			Organizer: a.Organizer, Self: a.Self, Resource: a.Resource, Comment: optional(a.Comment),
		}
	}
	return out
}

// AttendeesOmitted reports whether there are more.
func (e Event) AttendeesOmitted() bool { return e.record.AttendeesOmitted }

// Organizer is who organizes it.
func (e Event) Organizer() *EventPerson { return person(e.record.Organizer) }

// Creator is who made it.
func (e Event) Creator() *EventPerson { return person(e.record.Creator) }

// Response is what the viewer has answered.
func (e Event) Response() *model.ResponseStatus {
	for _, a := range e.record.Attendees {
		if a.Self {
			return &a.Status
		}
	}
	return nil
}

// Reminders are when it reminds, the earliest first.
func (e Event) Reminders() EventReminders {
	overrides := slices.Clone(e.record.Reminders.Overrides)
	slices.SortStableFunc(overrides, func(a, b model.Reminder) int { return b.Minutes - a.Minutes })
	return EventReminders{UseDefault: e.record.Reminders.UseDefault, Overrides: reminders(overrides)}
}

// Recurrence are the lines by which a series repeats; never nil.
func (e Event) Recurrence() []string { return append([]string{}, e.record.Recurrence...) }

// RecurrenceFormatted is the recurrence in words.
func (e Event) RecurrenceFormatted(locale *string) (*string, error) {
	if !e.record.IsSeries() {
		return nil, nil
	}
	moment, err := e.at.Override(locale, nil)
	if err != nil {
		return nil, err
	}
	return optional(rrule.Describe(e.record.Recurrence, SeriesStart(e.record, moment.Zone), moment.Locale)), nil
}

// SeriesStart is the start of a series as its recurrence is counted from: in its own zone, else in the one given.
func SeriesStart(series model.Event, otherwise *time.Location) rrule.Start {
	start := rrule.Start{At: series.Start.At}
	if series.Start.AllDay() {
		start.At, start.AllDay = series.Start.Date.Midnight(), true
	}
	start.Zone = when.ZoneOr(otherwise, series.Start.Zone, series.CalendarZone)
	return start
}

// RecurringEventID is the id of its series.
func (e Event) RecurringEventID() *model.ID {
	if !e.record.IsOccurrence() {
		return nil
	}
	id := e.record.Ref.CalendarRef().Event(e.record.RecurringEventID).ID()
	return &id
}

// OriginalStart is where its series has it.
func (e Event) OriginalStart() *EventTime { return eventTime(e.record.OriginalStart, e.at) }

// HTMLLink is its page in Google Calendar.
func (e Event) HTMLLink() *string { return optional(e.record.HTMLLink) }

// MeetingURL is where to join its video meeting.
func (e Event) MeetingURL() *string { return optional(e.record.MeetingURL) }

// Transparent reports whether it leaves its time free.
func (e Event) Transparent() bool { return e.record.Transparent }

// Visibility is who sees the details.
func (e Event) Visibility() model.EventVisibility {
	if e.record.Visibility == "" {
		return model.VisibilityDefault
	}
	return e.record.Visibility
}

// ColorID is the remote's number of its colour.
func (e Event) ColorID() *string { return optional(e.record.ColorID) }

// Status is what has become of it.
func (e Event) Status() string { return string(e.record.Status) }

// EventType is what kind of event it is.
func (e Event) EventType() model.EventType { return e.record.Type }

// ICalUID is the unique id that invitations carry.
func (e Event) ICalUID() *string { return optional(e.record.ICalUID) }

// Version is the remote's etag.
func (e Event) Version() string { return e.record.Version }

// Created is when it was made.
func (e Event) Created() model.OptionalDateTime { return e.at.OptionalDateTime(e.record.CreatedAt) }

// Updated is when it was last changed.
func (e Event) Updated() model.OptionalDateTime { return e.at.OptionalDateTime(e.record.UpdatedAt) }

// ItemContext are its flags at this moment.
func (e Event) ItemContext() EventItemContext {
	flags := EventFlags(e.record, e.at)
	flags.IsRecurringSeries = flags.IsRecurringSeries || e.series
	return flags
}

// Row is the event for compact text.
func (e Event) Row() compact.Event {
	row := compact.Event{
		ID: e.ID().String(), Summary: e.record.Summary, Location: e.Location(), Start: rowEventTime(e.Start()),
		End:       rowEventTime(e.End()),
		Attendees: make([]compact.Attendee, len(e.record.Attendees)), Status: e.record.Status,
		Recurrence: e.record.Recurrence,
	}
	for i, a := range e.record.Attendees {
		row.Attendees[i] = compact.Attendee{Email: a.Email, DisplayName: optional(a.Name), ResponseStatus: a.Status,
			Self: a.Self}
	}
	if series := e.RecurringEventID(); series != nil {
		row.RecurringEventID = optional(series.String())
	}
	return row
}

func rowEventTime(t *EventTime) *compact.EventTime {
	if t == nil {
		return nil
	}
	out := &compact.EventTime{DateTime: rowTime(t.DateTime), TimeZone: t.TimeZone}
	if t.Date != nil {
		out.Date = optional(t.Date.String())
	}
	return out
}

// EventItemContext are the flags of one event, see the seed's "Calendar Items".
type EventItemContext struct {
	IsRecurring       bool
	IsRecurringSeries bool
	IsToday           bool
	IsTomorrowOrLater bool
	IsPast            bool
	IsNow             bool
	IsAllDay          bool
}

// EventFlags computes an event's flags at a moment, in the viewer's zone. An all-day event starts when its day starts
// where the viewer is, since the date is what it says wherever one is. Flags are independent of one another.
func EventFlags(event model.Event, at *Moment) EventItemContext {
	out := EventItemContext{
		IsRecurring:       event.IsOccurrence() || event.IsSeries(),
		IsRecurringSeries: event.IsSeries(),
		IsAllDay:          event.Start.AllDay(),
	}
	if event.Start.IsZero() {
		return out
	}
	start, end := at.Instant(event.Start), at.Instant(event.End)
	flags := at.day.Flags(start)
	out.IsToday, out.IsTomorrowOrLater, out.IsPast = flags.IsToday, flags.IsTomorrowOrLater, flags.IsOverdue
	out.IsNow = !start.After(at.Now) && end.After(at.Now)
	return out
}

// Instant is when a start or an end is for the viewer: of a date, the first instant of that day in the viewer's zone.
func (m *Moment) Instant(t model.EventTime) time.Time {
	if t.AllDay() {
		return when.StartOfDate(t.Date, m.Zone)
	}
	return t.At
}

// EventTime is a start or an end as seen at a moment.
type EventTime struct {
	DateTime model.OptionalDateTime
	Date     *model.Date
	TimeZone *string
}

func eventTime(t model.EventTime, at *Moment) *EventTime {
	if t.IsZero() {
		return nil
	}
	out := EventTime{TimeZone: optional(t.Zone)}
	if t.AllDay() {
		out.Date = &t.Date
	} else {
		out.DateTime = at.OptionalDateTime(t.At)
	}
	return &out
}

// EventAttendee is somebody who is invited.
type EventAttendee struct {
	Email          string
	DisplayName    *string
	ResponseStatus model.ResponseStatus
	Optional       bool
	Organizer      bool
	Self           bool
	Resource       bool
	Comment        *string
}

// EventPerson is who organizes or made an event.
type EventPerson struct {
	Email       *string
	DisplayName *string
	Self        bool
}

func person(p *model.Person) *EventPerson {
	if p == nil {
		return nil
	}
	return &EventPerson{Email: optional(p.Email), DisplayName: optional(p.Name), Self: p.Self}
}

// EventReminders are when an event reminds.
type EventReminders struct {
	UseDefault bool
	Overrides  []EventReminder
}

// EventReminder is one reminder.
type EventReminder struct {
	Method  model.ReminderMethod
	Minutes int
}

func reminders(in []model.Reminder) []EventReminder {
	out := make([]EventReminder, len(in))
	for i, r := range in {
		out[i] = EventReminder(r)
	}
	return out
}

// AsOf is when it was last known to be what the remote has: now, when that was asked; nil in an own calendar.
func (e Event) AsOf() *model.DateTime {
	if e.record.Ref.Connection == 0 {
		return nil
	}
	at := e.record.AsOf
	if at.IsZero() {
		at = e.at.Now
	}
	said := e.at.DateTime(at)
	return &said
}
