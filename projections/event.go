package projections

import (
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// Event is an event as seen at a moment.
type Event struct {
	noun model.Event
	at   *Moment
	// series says that what was done was done to the whole series.
	series bool
}

// EventAt gives the event's view.
func EventAt(noun model.Event, at *Moment) Event { return Event{noun: noun, at: at} }

// EventsAt gives the events' views; never nil.
func EventsAt(nouns []model.Event, at *Moment) []Event {
	views := make([]Event, len(nouns))
	for i := range nouns {
		views[i] = Event{noun: nouns[i], at: at}
	}
	return views
}

// AsSeries gives the view of an event whose whole series was concerned.
func (e Event) AsSeries() Event {
	e.series = true
	return e
}

// IsNode marks an event as a Node.
func (Event) IsNode() {}

// Noun is the event itself.
func (e Event) Noun() model.Event { return e.noun }

// ID is the public id.
func (e Event) ID() model.ID { return e.noun.Ref.ID() }

// SourceID is the remote's own id.
func (e Event) SourceID() string { return e.noun.Ref.Event }

// Account is the linked account that it was read through.
func (e Event) Account() string { return e.noun.Account }

// CalendarID is the remote's id of its calendar.
func (e Event) CalendarID() string { return e.noun.CalendarID }

// Summary is the title.
func (e Event) Summary() string { return e.noun.Summary }

// Description is the text below the title, nil for none.
func (e Event) Description() *string { return optional(e.noun.Description) }

// Location is where it takes place, nil when not said.
func (e Event) Location() *string { return optional(e.noun.Location) }

// Start is when it starts.
func (e Event) Start() *EventTime { return eventTime(e.noun.Start, e.at) }

// End is when it ends, exclusive.
func (e Event) End() *EventTime { return eventTime(e.noun.End, e.at) }

// WhenFormatted is start and end for people, in the viewer's language and zone unless others are asked for.
func (e Event) WhenFormatted(locale, timeZone *string) (*string, error) {
	if e.noun.Start.IsZero() {
		return nil, nil
	}
	moment, err := e.at.Override(locale, timeZone)
	if err != nil {
		return nil, err
	}
	text := when.FormatSpan(e.noun.Start, e.noun.End, moment)
	return &text, nil
}

// AllDay tells whether it is made of days.
func (e Event) AllDay() bool { return e.noun.Start.AllDay() }

// Duration is how long it lasts; nil when that is less than a Duration can say, or unknown.
func (e Event) Duration() *model.Duration {
	length := e.noun.End.At.Sub(e.noun.Start.At)
	if e.AllDay() {
		length = time.Duration(e.noun.Start.Date.DaysUntil(e.noun.End.Date)) * 24 * time.Hour
	}
	if e.noun.Start.IsZero() || e.noun.End.IsZero() || length < time.Minute {
		return nil
	}
	return &model.Duration{Duration: length}
}

// Attendees are who is invited; never nil.
func (e Event) Attendees() []EventAttendee {
	out := make([]EventAttendee, len(e.noun.Attendees))
	for i, a := range e.noun.Attendees {
		out[i] = EventAttendee{
			Email: a.Email, DisplayName: optional(a.Name), ResponseStatus: a.Status, Optional: a.Optional,
			Organizer: a.Organizer, Self: a.Self, Resource: a.Resource, Comment: optional(a.Comment),
		}
	}
	return out
}

// AttendeesOmitted tells whether there are more.
func (e Event) AttendeesOmitted() bool { return e.noun.AttendeesOmitted }

// Organizer is who organizes it.
func (e Event) Organizer() *EventPerson { return person(e.noun.Organizer) }

// Creator is who made it.
func (e Event) Creator() *EventPerson { return person(e.noun.Creator) }

// Response is what the viewer has answered.
func (e Event) Response() *model.ResponseStatus {
	for _, a := range e.noun.Attendees {
		if a.Self {
			return &a.Status
		}
	}
	return nil
}

// Reminders are when it reminds, the earliest first.
func (e Event) Reminders() EventReminders {
	overrides := slices.Clone(e.noun.Reminders.Overrides)
	slices.SortStableFunc(overrides, func(a, b model.Reminder) int { return b.Minutes - a.Minutes })
	return EventReminders{UseDefault: e.noun.Reminders.UseDefault, Overrides: reminders(overrides)}
}

// Recurrence are the lines by which a series repeats; never nil.
func (e Event) Recurrence() []string { return append([]string{}, e.noun.Recurrence...) }

// RecurrenceFormatted is the recurrence in words.
func (e Event) RecurrenceFormatted(locale *string) (*string, error) {
	if !e.noun.IsSeries() {
		return nil, nil
	}
	moment, err := e.at.Override(locale, nil)
	if err != nil {
		return nil, err
	}
	return optional(rrule.Describe(e.noun.Recurrence, SeriesStart(e.noun, moment.Zone), moment.Locale)), nil
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
	if !e.noun.IsOccurrence() {
		return nil
	}
	id := e.noun.Ref.CalendarRef().Event(e.noun.RecurringEventID).ID()
	return &id
}

// OriginalStart is where its series has it.
func (e Event) OriginalStart() *EventTime { return eventTime(e.noun.OriginalStart, e.at) }

// HTMLLink is its page in Google Calendar.
func (e Event) HTMLLink() *string { return optional(e.noun.HTMLLink) }

// MeetingURL is where to join its video meeting.
func (e Event) MeetingURL() *string { return optional(e.noun.MeetingURL) }

// Transparent tells whether it leaves its time free.
func (e Event) Transparent() bool { return e.noun.Transparent }

// Visibility is who sees the details.
func (e Event) Visibility() model.EventVisibility {
	if e.noun.Visibility == "" {
		return model.VisibilityDefault
	}
	return e.noun.Visibility
}

// ColorID is the remote's number of its colour.
func (e Event) ColorID() *string { return optional(e.noun.ColorID) }

// Status is what has become of it.
func (e Event) Status() model.EventStatus { return e.noun.Status }

// Type is what kind of event it is.
func (e Event) Type() model.EventType { return e.noun.Type }

// ICalUID is the unique id that invitations carry.
func (e Event) ICalUID() *string { return optional(e.noun.ICalUID) }

// Version is the remote's etag.
func (e Event) Version() string { return e.noun.Version }

// CreatedAt is when it was made.
func (e Event) CreatedAt() *model.DateTime { return e.at.OptionalDateTime(e.noun.CreatedAt) }

// UpdatedAt is when it was last changed.
func (e Event) UpdatedAt() *model.DateTime { return e.at.OptionalDateTime(e.noun.UpdatedAt) }

// ItemContext are its flags at this moment.
func (e Event) ItemContext() EventItemContext {
	flags := EventFlags(e.noun, e.at)
	flags.IsRecurringSeries = flags.IsRecurringSeries || e.series
	return flags
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
	DateTime *model.DateTime
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
