// Package decision holds what is decided of events before anything is done: plain values, which can be shown without
// being applied, and the requests that lead to them. It decides nothing itself.
package decision

import (
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

// DaysAhead is how many days from now on a title is looked for when nobody says.
const DaysAhead = 90

// MaxHeld is how many different events a question may be about.
const MaxHeld = 200

// Placed is an event with the account that it was read through, and whether that account may write to its calendar.
type Placed struct {
	Account model.Connection
	Event   model.Event
	Role    model.AccessRole
}

// Decision is what a request means: either a question, or what is to be done, step by step.
type Decision struct {
	// Question is asked before anything is done; then there are no steps.
	Question *projections.Confirmation
	Steps    []Step
	// Asked is what was looked for, as answers show it.
	Asked projections.EventsAsked
	// Answer is the nonce of the answer that has been used up for this decision; zero when nothing was asked.
	Answer model.UUID
	// Field is the path of the input at which the one event was named; empty where several are meant.
	Field string
	// IfVersion is the version that the caller has seen of the one event; empty for any.
	IfVersion string
	// Again: an earlier try of the same request has decided, and may have done some of it.
	Again bool
}

// Act is what is done to an event.
type Act int

// The acts. Of a series, Delete and Change concern what the step's scope says.
const (
	Create Act = iota + 1
	Change
	Delete
	// End leaves of a series what lies before the step's cut.
	End
)

// Step is one act on one event.
type Step struct {
	// Placed is the event as it was named, and as it was read; of one to be created, the account alone.
	Placed
	Act Act
	// Scope is what of a series is meant: THIS for an event that does not repeat.
	Scope model.EventScope
	// Series is the whole series where that is what the act is about.
	Series *model.Event
	// New and Calendar are what is to be created, and where; empty for the primary calendar.
	New      gcal.NewEvent
	Calendar string
	// Patch is what would change.
	Patch   gcal.Patch
	Cut     model.EventTime
	Options gcal.ChangeOptions
	// Refused is why nothing is to be done; Collides is the id of the event that is in the way.
	Refused  error
	Collides *string
}

// Subject is the event that the act is about: the series where a whole one is meant.
func (s Step) Subject() model.Event {
	if s.Series != nil {
		return *s.Series
	}
	return s.Event
}

// Done is what came of a step.
type Done struct {
	// Event is as it is now or, when it was deleted, as it was; nil when nothing was done. Beside an error it is what was
	// done before the error.
	Event *model.Event
	// Before is what is left of the series before a cut.
	Before *model.Event
	// Dropped are the ids of occurrences that had been changed by themselves and went with what was changed.
	Dropped []string
	// Series: a whole series was concerned.
	Series bool
	Err    error
}

// One names the one event that is meant: by exactly one of ID, Target, Within and, where a question was answered,
// Confirm.
type One struct {
	ID      *string
	Target  *graph.EventTargetInput
	Within  *Within
	Scope   *model.EventScope
	Confirm *graph.ConfirmInput
	// Fields are wanted of the event.
	Fields gcal.Fields
	// WholeSeries: series only are meant, so what part of one is meant is no question.
	WholeSeries bool
	// Approve, unless it is nil, words the question whether what was found is to be changed, which is then asked first;
	// empty for no question.
	Approve func(event model.Event, scope model.EventScope) string
}

// Within names the one event that stands in a window of the primary calendars. With several it is asked which.
type Within struct {
	From, To time.Time
	Keep     func(model.Event) bool
	// Before: when one event alone starts before it, that one is meant; zero for never.
	Before time.Time
	// Ask: it is asked also when there is one.
	Ask bool
	// Text is what the question says was looked for.
	Text string
	// None is the error when there is nothing.
	None error
}

// All names everything that stands in a window of the primary calendars and is to be deleted, once that was approved.
type All struct {
	From, To time.Time
	Keep     func(model.Event) bool
	Fields   gcal.Fields
	// Summary is the title that answers show as looked for.
	Summary string
	Confirm *graph.ConfirmInput
	// Fits is the error when so many are too few or too many.
	Fits func(n int) error
	// Approve words the question.
	Approve func(found []model.Event) string
}
