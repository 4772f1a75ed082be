package model

import "time"

// Event is one event of a calendar: a single one, one occurrence of a series, or the series itself (RFC 5545, VEVENT).
// Only what was asked for is filled in, and Ref, Status, Version and Type always are.
type Event struct {
	Ref EventRef
	// Account is the e-mail address of the linked account that the event was read through.
	Account string
	// CalendarID is the remote's own id of the calendar; for a primary calendar the account's e-mail address.
	CalendarID string
	// CalendarZone is the calendar's IANA zone; empty when the answer did not say.
	CalendarZone string
	ICalUID      string
	Status       EventStatus
	Type         EventType
	// AsOf is when it was last known to be what the remote has; zero when the remote was asked for it.
	AsOf time.Time
	// Version is the remote's etag.
	Version                        string
	Summary, Description, Location string
	// Start is inclusive, End exclusive. Both are zero on a cancelled occurrence of which only the id is left.
	Start, End EventTime
	Attendees  []Attendee
	// AttendeesOmitted: the list is not whole, so it must never be written back.
	AttendeesOmitted bool
	// Organizer and Creator are nil when unknown.
	Organizer, Creator *Person
	Reminders          Reminders
	// Recurrence are RRULE, RDATE and EXDATE lines (RFC 5545) without DTSTART; only a series has them.
	Recurrence []string
	// RecurringEventID is the remote id of the series that an occurrence belongs to; empty for others.
	RecurringEventID string
	// OriginalStart is where the series would have the occurrence: its identity, even after it was moved.
	OriginalStart EventTime
	HTMLLink      string
	MeetingURL    string
	Transparent   bool
	Visibility    EventVisibility
	ColorID       string
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// IsOccurrence reports whether the event is one occurrence of a series.
func (e Event) IsOccurrence() bool { return e.RecurringEventID != "" }

// SeriesRef is the reference of the series that an occurrence belongs to; of any other event, its own.
func (e Event) SeriesRef() EventRef {
	if e.IsOccurrence() {
		return e.Ref.CalendarRef().Event(e.RecurringEventID)
	}
	return e.Ref
}

// IsSeries reports whether the event is a series itself.
func (e Event) IsSeries() bool { return len(e.Recurrence) > 0 }

// EventTime is a start or an end: an instant, or a date of an all-day event. The zero value stands for none.
type EventTime struct {
	// At is the instant; zero when all-day.
	At time.Time
	// Date is the day; zero when timed. As an end it is exclusive.
	Date Date
	// Zone is the IANA zone in which a series repeats; empty when the remote says none.
	Zone string
}

// AllDay reports whether it is a date.
func (t EventTime) AllDay() bool { return !t.Date.IsZero() }

// IsZero reports whether there is neither instant nor date.
func (t EventTime) IsZero() bool { return t.At.IsZero() && t.Date.IsZero() }

// EventStatus is what has become of an event (RFC 5545, 3.8.1.11).
type EventStatus string

// The statuses.
const (
	EventConfirmed EventStatus = "CONFIRMED"
	EventTentative EventStatus = "TENTATIVE"
	EventCancelled EventStatus = "CANCELLED"
)

// EventType is Google's kind of an event. Only DEFAULT ones are changed by us.
type EventType string

// The types. UNKNOWN stands for those that the remote has added since.
const (
	EventDefault         EventType = "DEFAULT"
	EventBirthday        EventType = "BIRTHDAY"
	EventFocusTime       EventType = "FOCUS_TIME"
	EventFromGmail       EventType = "FROM_GMAIL"
	EventOutOfOffice     EventType = "OUT_OF_OFFICE"
	EventWorkingLocation EventType = "WORKING_LOCATION"
	EventUnknownType     EventType = "UNKNOWN"
)

// EventVisibility is who sees the details (RFC 5545, CLASS).
type EventVisibility string

// The visibilities; DEFAULT is the calendar's.
const (
	VisibilityDefault      EventVisibility = "DEFAULT"
	VisibilityPublic       EventVisibility = "PUBLIC"
	VisibilityPrivate      EventVisibility = "PRIVATE"
	VisibilityConfidential EventVisibility = "CONFIDENTIAL"
)

// Person is who organizes or made an event.
type Person struct {
	Email string
	Name  string
	// Self: it is the calendar that the event was read from.
	Self bool
}

// Attendee is somebody who is invited.
type Attendee struct {
	Email     string
	Name      string
	Status    ResponseStatus
	Optional  bool
	Organizer bool
	// Self: it is the calendar that the event was read from.
	Self bool
	// Resource: a room or a thing.
	Resource bool
	Comment  string
}

// ResponseStatus is an attendee's answer (RFC 5545, PARTSTAT).
type ResponseStatus string

// The answers.
const (
	NeedsAction ResponseStatus = "NEEDS_ACTION"
	Declined    ResponseStatus = "DECLINED"
	Maybe       ResponseStatus = "TENTATIVE"
	Accepted    ResponseStatus = "ACCEPTED"
)

// Reminders are when an event reminds its viewer.
type Reminders struct {
	// UseDefault: the calendar's own; then there are no overrides.
	UseDefault bool
	Overrides  []Reminder
}

// Reminder is one reminder.
type Reminder struct {
	Method ReminderMethod
	// Minutes before the start: 0–MaxReminderMinutes.
	Minutes int
}

// ReminderMethod is how an event reminds.
type ReminderMethod string

// The methods.
const (
	RemindByPopup ReminderMethod = "POPUP"
	RemindByEmail ReminderMethod = "EMAIL"
)

// EventScope is which occurrences of a series a change means.
type EventScope string

// The scopes.
const (
	ScopeThis      EventScope = "THIS"
	ScopeFollowing EventScope = "FOLLOWING"
	ScopeSeries    EventScope = "SERIES"
	// ScopeFromNow is ScopeFollowing of the first occurrence that has not ended.
	ScopeFromNow EventScope = "FROM_NOW"
)

// SendUpdates is whom the remote tells of a change by mail.
type SendUpdates string

// The choices.
const (
	SendUpdatesNone         SendUpdates = "NONE"
	SendUpdatesExternalOnly SendUpdates = "EXTERNAL_ONLY"
	SendUpdatesAll          SendUpdates = "ALL"
)

// Calendar is one calendar of a linked account.
type Calendar struct {
	Ref CalendarRef
	// Account is the linked account's e-mail address.
	Account string
	// Source is empty for a calendar of a linked account, whose provider it follows from.
	Source                         CalendarSource
	Summary, Description, TimeZone string
	Primary, Selected, Hidden      bool
	AccessRole                     AccessRole
	BackgroundColor                string
	ForegroundColor                string
	DefaultReminders               []Reminder
	// Followed, State and AsOf are those of KeptCalendar; zero where none is kept.
	Followed bool
	State    CalendarState
	AsOf     time.Time
}

// AccessRole is what the account may do with a calendar.
type AccessRole string

// The roles, each allowing what the one before allows.
const (
	RoleFreeBusyReader AccessRole = "FREE_BUSY_READER"
	RoleReader         AccessRole = "READER"
	RoleWriter         AccessRole = "WRITER"
	RoleOwner          AccessRole = "OWNER"
)

// MayWrite reports whether events may be changed.
func (r AccessRole) MayWrite() bool { return r == RoleWriter || r == RoleOwner }

// BusyPeriod is a stretch of time in which a calendar is busy; half-open.
type BusyPeriod struct{ Start, End time.Time }

// EventLength is how long an event lasts that does not say so.
const EventLength = time.Hour

// Limits of an event, Google's own: https://developers.google.com/workspace/calendar/api/v3/reference/events.
const (
	MaxEventSummary     = 1_000
	MaxEventDescription = 8_192
	MaxEventLocation    = 1_000
	MaxAttendees        = 200
	MaxReminders        = 5
	MaxReminderMinutes  = 40_320
	MaxRecurrenceLines  = 50
	MaxCalendarIDs      = 50
)
