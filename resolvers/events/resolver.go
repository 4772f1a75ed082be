// Package events answers the fields of events and calendars. It reads and changes them through the linked accounts; the
// store keeps what was claimed, noted and logged of each change.
//
// A change goes one way: its input is read, the events that are meant are found, it is decided what is to be done with
// each of them or what must be asked first, the decision is applied, and what came of it is the answer. The files stand
// in this order in order_test.go, and each uses only those before it.
package events

import (
	"context"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/graph/model"
	"almanac/resolvers/core"
	kinds "almanac/resolvers/events/calendars"
)

// Resolver answers the fields of events and calendars.
type Resolver struct {
	*core.Base
	reader    Reader
	calendars CalendarReader
	writer    Writer
	series    SeriesWriter
	own       OwnCalendars
	// follower may be nil: then no copies are kept.
	follower Follower
	// copies: queries read copies.
	copies bool
}

// place is one calendar of one linked account.
type place struct {
	account  model.Connection
	calendar string
}

// ref names the place.
func (p place) ref() model.CalendarRef {
	return model.CalendarRef{Connection: p.account.Number, Calendar: p.calendar}
}

// Reader and the others are what is asked of calendars; they are declared beside those that join them.
type (
	// Reader reads events.
	Reader = kinds.Reader
	// CalendarReader reads calendars.
	CalendarReader = kinds.CalendarReader
	// Writer writes single events.
	Writer = kinds.Writer
	// SeriesWriter writes series.
	SeriesWriter = kinds.SeriesWriter
	// Calendars are all of these.
	Calendars = kinds.Calendars
	// Copies are the kept copies of linked calendars.
	Copies = kinds.Copies
	// Follower is told of what is written.
	Follower = kinds.Follower
)

// New makes the resolvers of events over the calendars of linked accounts, and own ones. Where follower is not nil it
// is told before and after something is written; copies are read unless they are nil, which needs a follower. What is
// written tells guests by mail only where the caller's token allows it.
func New(base *core.Base, reader Reader, calendars CalendarReader, writer Writer, series SeriesWriter,
	own OwnCalendars, copies Copies, follower Follower) *Resolver {
	google := kinds.Linked{Reader: reader, CalendarReader: calendars, Writer: writer, SeriesWriter: series}
	var remote Calendars = google
	if follower != nil {
		remote = kinds.Copied(google, copies, follower, base.Store)
	}
	all := kinds.Both(own, remote)
	guarded := kinds.Sending(all)
	return &Resolver{Base: base, reader: all, calendars: all, writer: guarded, series: guarded, own: own,
		follower: follower, copies: follower != nil && copies != nil}
}

// OwnCalendars are those of the user's own, which can be made and deleted too.
type OwnCalendars interface {
	Calendars
	CreateCalendar(ctx context.Context, user model.UserID, calendar owncal.NewCalendar) (model.KeptCalendar, error)
	// UpdateCalendar returns the calendar before the change and after it.
	UpdateCalendar(ctx context.Context, user model.UserID, ref model.CalendarRef,
		patch owncal.CalendarPatch) (before, after model.KeptCalendar, err error)
	// CountEvents returns a calendar and how many single events and series it has.
	CountEvents(ctx context.Context, user model.UserID, ref model.CalendarRef) (model.KeptCalendar, int, error)
	// DeleteCalendar returns the calendar as it was.
	DeleteCalendar(ctx context.Context, user model.UserID, ref model.CalendarRef) (model.KeptCalendar, error)
}

// fieldsNamed says what the fields of an event need of Google.
func fieldsNamed(name string) gcal.Fields {
	switch name {
	case "summary":
		return gcal.FieldSummary
	case "description":
		return gcal.FieldDescription
	case "location":
		return gcal.FieldLocation
	case "start", "end", "whenFormatted", "allDay", "duration", "itemContext":
		return gcal.FieldTimes
	case "attendees", "attendeesOmitted", "response":
		return gcal.FieldAttendees
	case "organizer", "creator":
		return gcal.FieldPeople
	case "reminders":
		return gcal.FieldReminders
	case "recurrence":
		return gcal.FieldRecurrence
	case "recurrenceFormatted":
		return gcal.FieldRecurrence | gcal.FieldTimes
	case "htmlLink":
		return gcal.FieldLink
	case "meetingUrl":
		return gcal.FieldMeeting
	case "transparent":
		return gcal.FieldTransparency
	case "visibility":
		return gcal.FieldVisibility
	case "colorId":
		return gcal.FieldColor
	case "created", "updated":
		return gcal.FieldStamps
	case "iCalUID":
		return gcal.FieldICalUID
	default:
		return 0
	}
}

// Fields are what the fields asked of an event need. The flags of recurrence need the lines of a series.
func Fields(asked core.Selection) gcal.Fields {
	var fields gcal.Fields
	for _, field := range asked.Fields {
		fields |= fieldsNamed(field.Name)
	}
	if asked.Under("itemContext", "EventItemContext").Has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	if asked.Compact {
		fields |= gcal.FieldSummary | gcal.FieldTimes | gcal.FieldLocation | gcal.FieldAttendees | gcal.FieldRecurrence
	}
	return fields
}

// payloadFields are what must be asked of an event that a payload's fields show, and what its context needs.
func payloadFields(ctx context.Context, names ...string) gcal.Fields {
	asked := core.Answered(ctx)
	fields := gcal.FieldSummary | gcal.FieldTimes
	if asked.Under("context", "EventContext").Has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	for _, name := range names {
		fields |= Fields(asked.Under(name, "Event"))
	}
	return fields
}

// candidateFields are what must be read of events that a question may show.
func candidateFields(ctx context.Context) gcal.Fields {
	return Fields(core.Answered(ctx).Under("confirmation", "Confirmation").Under("candidates", "Candidate").
		Under("node", "Event"))
}

// targetFields are what a change must know of what it changes. A timed series says its zone itself, so the calendar's
// is not asked for.
const targetFields = gcal.FieldSummary | gcal.FieldTimes | gcal.FieldRecurrence
