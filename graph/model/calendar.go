package model

import (
	"strconv"
	"time"
)

// CalendarSource is where the events of a kept calendar come from.
type CalendarSource string

// The sources.
const (
	// CalendarOwn: the user's own; the store alone has it.
	CalendarOwn CalendarSource = "OWN"
	// CalendarGoogle: a copy of a calendar of a linked Google account.
	CalendarGoogle CalendarSource = "GOOGLE"
	// CalendarFeed: a copy of an iCalendar file at an address.
	CalendarFeed CalendarSource = "FEED"
)

// CalendarState is how far a kept calendar is there.
type CalendarState string

// The states. An own calendar is KEPT from the start.
const (
	// CalendarNew: nothing of it was read yet.
	CalendarNew CalendarState = "NEW"
	// CalendarReading: its first reading, or one from the start, has begun.
	CalendarReading CalendarState = "READING"
	// CalendarKept: what is kept is whole.
	CalendarKept CalendarState = "KEPT"
	// CalendarDeleted: nobody sees it any more; its events are being erased.
	CalendarDeleted CalendarState = "DELETED"
)

// KeptCalendar is a calendar whose events the store keeps.
type KeptCalendar struct {
	// Number counts the user's kept calendars from 1; none is given twice.
	Number int
	Source CalendarSource
	// Connection is the number of the linked account; 0 for an own calendar.
	Connection int
	// RemoteID is the remote's own id, empty for an own calendar.
	RemoteID                         string
	Name, Description                string
	Zone                             string // IANA
	BackgroundColor, ForegroundColor string
	// Primary: the first calendar of its account. Selected: ticked on the remote's own screen. Followed: read when nobody
	// names calendars.
	Primary, Selected, Followed bool
	Role                        AccessRole
	// Reminders are those of events that name none of their own.
	Reminders []Reminder
	State     CalendarState
	// Generation counts the readings from the start. PageToken is where the one that is under way goes on, Shape which
	// parts of events it asks for.
	Generation int64
	PageToken  string
	Shape      int
	// AsOf is when the copy was last known to be what the remote has; zero for an own calendar, and while it is not known
	// what became of something that was written to the remote. Writes counts how often that began.
	AsOf   time.Time
	Writes int64
	// Version is another one after each change.
	Version              string
	CreatedAt, UpdatedAt time.Time
}

// Ref names the calendar in public ids. An own one is named by its number.
func (c KeptCalendar) Ref() CalendarRef {
	switch {
	case c.Connection == 0:
		return OwnCalendar(c.Number)
	case c.Primary:
		return CalendarRef{Connection: c.Connection}
	}
	return CalendarRef{Connection: c.Connection, Calendar: c.RemoteID}
}

// OwnCalendar names the user's own calendar of a number.
func OwnCalendar(number int) CalendarRef { return CalendarRef{Calendar: strconv.Itoa(number)} }

// OwnNumber returns the number of the user's own calendar; ok is false for a calendar of a linked account.
func (r CalendarRef) OwnNumber() (number int, ok bool) {
	number, err := strconv.Atoi(r.Calendar)
	return number, r.Connection == 0 && err == nil && number > 0 && r == OwnCalendar(number)
}

// EventKind is what a kept event is to its series.
type EventKind string

// The kinds.
const (
	// EventSingle: it occurs once.
	EventSingle EventKind = "SINGLE"
	// EventSeries: it occurs as its recurrence says.
	EventSeries EventKind = "SERIES"
	// EventChanged: an occurrence of a series, with what is its own.
	EventChanged EventKind = "CHANGED"
	// EventDropped: an occurrence of a series that does not take place.
	EventDropped EventKind = "DROPPED"
	// EventTombstone: it was deleted, and is remembered for what was asked of the remote before.
	EventTombstone EventKind = "TOMBSTONE"
)

// IsHidden reports whether nothing is shown of it: it was dropped of a series, or deleted.
func (k EventKind) IsHidden() bool { return k == EventDropped || k == EventTombstone }

// IsException reports whether it stands in place of an occurrence of its series.
func (k EventKind) IsException() bool { return k == EventChanged || k == EventDropped }

// Occurs reports whether an event of the kind takes place at the times of its record.
func (k EventKind) Occurs() bool { return k == EventSingle || k == EventChanged }

// EventKey names a kept event.
type EventKey struct {
	Calendar int
	// ID is the remote's id; of an own event its UUID as OwnEventID writes it, and of an exception to an own series
	// OccurrenceID of the series.
	ID string
}

// The fields of an exception that may be its own, as EventRow.Overrides has them. Times are not among them: an
// exception that is not at its original start, or not as long as its series, has its own.
const (
	OverridesSummary      = "summary"
	OverridesDescription  = "description"
	OverridesLocation     = "location"
	OverridesAttendees    = "attendees"
	OverridesReminders    = "reminders"
	OverridesTransparency = "transparency"
	OverridesVisibility   = "visibility"
	OverridesColor        = "color"
)

// EventRow is an event as the store keeps it. What a list of events does not show stands in its Body.
type EventRow struct {
	Calendar int
	ID       string
	Kind     EventKind
	// Series is the id of the series of an exception. OriginalAt is where the series would have the occurrence, its
	// identity; for a series of days midnight UTC of the date, and OriginalIsDay.
	Series        string
	OriginalAt    time.Time
	OriginalIsDay bool
	// StartsAt is inclusive, EndsAt exclusive: midnights in UTC when AllDay, clock readings as if in UTC when Floating.
	StartsAt, EndsAt time.Time
	// AllDay: it is of days. Floating: of clock readings, the same in each zone.
	AllDay, Floating bool
	// Zone is the IANA zone in which a series repeats; empty for the calendar's.
	Zone string
	// Long: it lasts longer than LongEvent. The store works it out.
	Long bool
	// LastsUntil is when the last occurrence of a series ends, or a later time; zero when there is no end.
	LastsUntil time.Time
	// Recurrence are the RRULE, RDATE and EXDATE lines of a series.
	Recurrence []string
	Summary    string
	Status     EventStatus
	Type       EventType
	// Transparent: it does not make its time busy. Declined: the calendar's owner does not take part.
	Transparent, Declined bool
	// UID is that of iCalendar, the same for a series and its exceptions.
	UID string
	// Version is another one after each change. The store numbers the versions of own events.
	Version string
	// Applied is the user's event number at which the row was written last, Generation the reading that has seen it last.
	Applied, Generation int64
	// Overrides are the fields in which an own exception differs from its series by somebody's wish: names
	// from the list above.
	Overrides []string
	UpdatedAt time.Time
	// Body is nil where it was not asked for; writing nil leaves it as it is.
	Body *EventBody
	// Folded is the folded text that searches look at, where it was asked for.
	Folded string
}

// Key names the event.
func (e EventRow) Key() EventKey { return EventKey{Calendar: e.Calendar, ID: e.ID} }

// EventBody is what a list of events need not read.
type EventBody struct {
	Description, Location string
	Attendees             []Attendee
	AttendeesOmitted      bool
	Organizer, Creator    *Person
	Reminders             Reminders
	HTMLLink, MeetingURL  string
	Visibility            EventVisibility
	ColorID               string
	// EndZone is the IANA zone of the end, where it is another one than the start's.
	EndZone   string
	CreatedAt time.Time
	// Sequence counts the organizer's changes of an event that a file has brought, and those made here since; Stamp is
	// when the file's state of it was written, zero once it was changed here. URL and Categories are a file's too.
	Sequence   int       `json:",omitzero"`
	Stamp      time.Time `json:",omitzero"`
	URL        string    `json:",omitzero"`
	Categories []string  `json:",omitempty"`
}

// LongEvent is how long an event lasts at most that is looked for by its start alone.
const LongEvent = 48 * time.Hour

// OwnEventID writes an id of an own event as references have it: 26 digits of base32hex.
func OwnEventID(id UUID) string {
	text := make([]byte, suffixLen)
	var held uint
	bits := 2 // 130 bits are written, of which the first two are zero
	n := 0
	for _, b := range id {
		held, bits = held<<8|uint(b), bits+8
		for bits >= 5 {
			bits -= 5
			text[n] = base32Digits[held>>bits&31]
			n++
		}
	}
	return string(text)
}

// OccurrenceID is the id of an occurrence of an own series, by its original start.
func OccurrenceID(series string, original time.Time, isDay bool) string {
	return series + "_" + formatOccurrence(original.UTC(), isDay)
}

// formatOccurrence writes a time in UTC in the layout occurrenceAt, or occurrenceOn: each event of a list has such an
// id, and time.Format took a tenth of an agenda.
func formatOccurrence(at time.Time, isDay bool) string {
	year, month, day := at.Date()
	if year < 0 || year > 9999 {
		if isDay {
			return at.Format(occurrenceOn)
		}
		return at.Format(occurrenceAt)
	}
	var room [len(occurrenceAt)]byte
	two := func(place, number int) { room[place], room[place+1] = byte('0'+number/10), byte('0'+number%10) }
	two(0, year/100)
	two(2, year%100)
	two(4, int(month))
	two(6, day)
	if isDay {
		return string(room[:len(occurrenceOn)])
	}
	hour, minute, second := at.Clock()
	room[8] = 'T'
	two(9, hour)
	two(11, minute)
	two(13, second)
	room[15] = 'Z'
	return string(room[:])
}

// ReadOccurrenceID is the reverse of OccurrenceID; ok is false for an id that names no occurrence. It is for own events
// alone: what a remote's id looks like says nothing.
func ReadOccurrenceID(id string) (series string, original time.Time, isDay, ok bool) {
	if len(id) <= suffixLen+1 || id[suffixLen] != '_' {
		return "", time.Time{}, false, false
	}
	series, text := id[:suffixLen], id[suffixLen+1:]
	layout := occurrenceAt
	if isDay = len(text) == len(occurrenceOn); isDay {
		layout = occurrenceOn
	}
	original, err := time.Parse(layout, text)
	return series, original, isDay, err == nil
}

// CalendarListFeed stands for the list of an account's calendars where its calendars stand otherwise.
const CalendarListFeed = "@calendars"

// Limits of kept calendars.
const (
	// MaxKeptCalendars is how many a user has at most.
	MaxKeptCalendars = 200
	// MaxCalendarName and MaxCalendarDescription are in bytes.
	MaxCalendarName        = 300
	MaxCalendarDescription = 8_192
)

// ImportOutcome is what an entry of an iCalendar file comes to.
type ImportOutcome string

// The outcomes.
const (
	ImportCreated   ImportOutcome = "CREATED"
	ImportUpdated   ImportOutcome = "UPDATED"
	ImportDeleted   ImportOutcome = "DELETED"
	ImportUnchanged ImportOutcome = "UNCHANGED"
	ImportRefused   ImportOutcome = "REFUSED"
)

// CalendarForm is how much of a calendar's events a file has.
type CalendarForm string

// The forms.
const (
	// CalendarFull is everything.
	CalendarFull CalendarForm = "FULL"
	// CalendarBusy is when somebody is busy, and nothing else.
	CalendarBusy CalendarForm = "BUSY"
)

// CalendarLinkKind is what an address of a calendar is for.
type CalendarLinkKind string

// LinkFeed is the address that a calendar is a copy of. The other kinds are the forms in which it is published.
const (
	LinkFeed CalendarLinkKind = "FEED"
	LinkFull                  = CalendarLinkKind(CalendarFull)
	LinkBusy                  = CalendarLinkKind(CalendarBusy)
)

// CalendarLink is an address of a kept calendar.
type CalendarLink struct {
	User     UserID
	Calendar int
	Kind     CalendarLinkKind
	// Hash is the SHA-256 of the secret in a published address, or of a feed's address.
	Hash [32]byte
	// Sealed is a feed's address, encrypted.
	Sealed []byte
	// State is what is known of a feed, as JSON: FeedState.
	State     string
	CreatedAt time.Time
	// DueAt is when a feed is read next; zero for never.
	DueAt time.Time
}

// FeedState is what is known of a feed from its readings.
type FeedState struct {
	// Host is the server in its address.
	Host string
	// ETag, Modified and Digest are for conditional requests.
	ETag, Modified string   `json:",omitempty"`
	Digest         [32]byte `json:",omitzero"`
	// AsOf is when the copy was last known to be what the file has.
	AsOf time.Time `json:",omitzero"`
	// Failures counts the readings that failed since; Problem is why the last one did, for people.
	Failures int    `json:",omitzero"`
	Problem  string `json:",omitempty"`
}
