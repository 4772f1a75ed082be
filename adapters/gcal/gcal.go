// Package gcal reads and writes Google calendars through the real client library.
//
// It promises that only the fields asked for cross the wire, that every page is read, also beyond empty ones, that
// nothing is ever replaced whole (patches only), that a repeated insert makes one event, that no occurrence before a
// cut is changed, and that every error is one of the list in graph/model with Google's own reason.
package gcal

import (
	"errors"
	"time"

	"almanac/graph/model"
)

// Fields says what of an event is wanted. Ref, Status, Version, Type, RecurringEventID and OriginalStart always come.
type Fields uint32

// The fields. Several are one bit where Google keeps them together.
const (
	FieldSummary Fields = 1 << iota
	FieldDescription
	FieldLocation
	FieldTimes // start and end
	FieldAttendees
	FieldPeople // organizer and creator
	FieldReminders
	FieldRecurrence
	FieldLink
	FieldMeeting // the URL of the video meeting
	FieldTransparency
	FieldVisibility
	FieldColor
	FieldStamps // created and updated
	FieldICalUID
	FieldZone // the calendar's zone

	// FieldsAll is everything.
	FieldsAll = FieldZone<<1 - 1
	// FieldsToChange are those that a change needs to know of what it changes.
	FieldsToChange = FieldSummary | FieldTimes | FieldRecurrence | FieldPeople | FieldZone
)

// Has reports whether all of the fields given are wanted.
func (f Fields) Has(other Fields) bool { return f&other == other }

// Query is one question about the events of one calendar: single events and occurrences of series, never the series
// themselves, by start, then by id.
type Query struct {
	// From is exclusive and compared with ends, To exclusive and compared with starts, as Google has it: what touches the
	// window from outside is not in it. An event without length that starts at From is given nevertheless.
	From, To time.Time
	// Search is Google's own full-text search; empty asks nothing.
	Search string
	Fields Fields
	// MaxAttendees bounds the attendees of each event; 0 is Google's own bound.
	MaxAttendees int
	// Limit is how many events are wanted at most; 0 for all of the window.
	Limit int
	// Keep, if set, tells which of the read events count; reading goes on until Limit are kept.
	Keep func(model.Event) bool
	// MostKept: Keep leaves out only a few, so pages need not be much larger than the limit.
	MostKept bool
}

// ErrNotKept is the error of copies of calendars that answer as Client does: what was asked is not kept, so the remote
// must be asked. Nothing was done.
var ErrNotKept = errors.New("gcal: this is not kept")

// Listing answers a Query.
type Listing struct {
	Events []model.Event
	// More: there are others beyond the limit.
	More bool
	// Zone is the calendar's zone; DefaultReminders and Role what the answer said of the calendar.
	Zone             string
	DefaultReminders []model.Reminder
	Role             model.AccessRole
}

// NewEvent is an event to be made.
type NewEvent struct {
	// Event holds what is written: Summary, Description, Location, Start, End, Attendees, Reminders, Recurrence,
	// Transparent, Visibility, ColorID. Reminders are the calendar's own unless SetReminders.
	Event        model.Event
	SetReminders bool
	// SourceID is chosen by us, so that a repeated insert makes one event: base32hex (RFC 2938), 5–1024 characters.
	SourceID string
	// Meeting asks for a video meeting.
	Meeting     bool
	SendUpdates model.SendUpdates
	// Fields are wanted of the answer.
	Fields Fields
}

// Patch is what to change of an event. Nil leaves a part as it is; an empty value clears it.
type Patch struct {
	Summary, Description, Location *string
	// Start and End come both or not at all. Where they turn an all-day event into a timed one, or back, the adapter
	// clears the other form.
	Start, End  *model.EventTime
	Attendees   *[]model.Attendee
	Reminders   *model.Reminders
	Recurrence  *[]string
	Transparent *bool
	Visibility  *model.EventVisibility
	ColorID     *string
	// Answer sets the viewer's own response among the attendees.
	Answer *model.ResponseStatus
	// Shift says how the occurrences of a whole series move with it, as ShiftSeries works it out; nil when they stay where
	// they are or the series moves in another way.
	Shift *Shift
	// MonthDays and Named are for PatchFollowing: what becomes of months without the day that the series moves to, and the
	// original start of the occurrence that the patch was said of, whose times those of the patch are; zero for the one
	// that the change begins with.
	MonthDays MonthDays
	Named     model.EventTime
}

// ChangeOptions go with every change.
type ChangeOptions struct {
	// IfVersion is the version that the event must still have; empty for any. CONFLICT otherwise.
	IfVersion   string
	SendUpdates model.SendUpdates
	// Fields are wanted of the answer.
	Fields Fields
	// NewSourceID is the id of the series that a FOLLOWING change makes, chosen by us.
	NewSourceID string
	// Known is the event as the caller has just read it, with its Version and Type; then it is not read once more. Nil
	// where it was not read.
	Known *model.Event
}

// Following is what came of changing an occurrence and those that follow.
type Following struct {
	// Before is the series up to the cut, nil when nothing is left of it (the cut was its first occurrence: then After is
	// the same series, changed whole).
	Before *model.Event
	// After is the series from the cut on; nil when it was ended and not changed.
	After *model.Event
	// Dropped are the remote ids of occurrences that had been changed on their own, and went with what was changed.
	Dropped []string
	// Replaced are the remote ids of such occurrences that go on, as they were changed, under other ids.
	Replaced []string
}
