package gcal

import (
	"context"
	"slices"
	"sync"

	"google.golang.org/api/calendar/v3"

	"almanac/graph/model"
)

// Answers collects what the writes made with a context have left at the remote, as it answered them. It is safe for
// goroutines.
type Answers struct {
	mu  sync.Mutex
	all []Answer
	// open counts the writes that were done, or may have been, and of which no answer says what they have left.
	open int
}

// Answer is an event as a write has left it.
type Answer struct {
	// Event has all fields. Of a deleted one, which is cancelled, there is what names it: its reference and, of an
	// occurrence, its series and original start.
	Event model.Event
	// Made: the write has made it.
	Made bool
}

// KeptWrite is a write to a calendar of which a copy may be kept; the contract is that of calsync.Write.
type KeptWrite interface {
	// Kept reports whether there is a copy, to which the answers are to be applied.
	Kept() bool
	// End notes what has come of it: whether it may have changed something, and its answers; nil: they are not known.
	End(changed bool, answers *Answers)
}

type answersKey struct{}

// WithAnswers is a context in which writes collect their answers, and so ask for whole events, and where they do.
func WithAnswers(ctx context.Context) (context.Context, *Answers) {
	answers := new(Answers)
	return context.WithValue(ctx, answersKey{}, answers), answers
}

// All returns the answers in their order; an event may be among them several times. Whole: they say all that was
// changed, but for what the remote does with other events of its own accord.
func (a *Answers) All() (all []Answer, whole bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all), a.open == 0
}

// Saw adds an event that was read, with all fields, by who asked for it because of the writes.
func (a *Answers) Saw(e model.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, Answer{Event: e})
}

func answersOf(ctx context.Context) *Answers {
	answers, _ := ctx.Value(answersKey{}).(*Answers)
	return answers
}

// wanted are the fields to ask for in the answer of a write, given those that the caller wants.
func wanted(ctx context.Context, fields Fields) Fields {
	if answersOf(ctx) != nil {
		return FieldsAll &^ FieldZone
	}
	return fields
}

// opened notes that a write was done, or may have been.
func (a *Answers) opened() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open++
}

// noted notes an event as the remote says that it is; closes: that is what a write has left that was done, or may have
// been.
func noted(ctx context.Context, answer Answer, closes bool) {
	a := answersOf(ctx)
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, answer)
	if closes {
		a.open--
	}
}

// notedGone notes that an event is not there any more.
func notedGone(ctx context.Context, e model.Event, closes bool) {
	noted(ctx, Answer{Event: model.Event{Ref: e.Ref, Type: e.Type, Status: model.EventCancelled,
		RecurringEventID: e.RecurringEventID, OriginalStart: e.OriginalStart}}, closes)
}

// answered reads the event of a write's answer, and notes it.
func (s *session) answered(ctx context.Context, calendarID string, answer *calendar.Event, made bool) (model.Event,
	error) {
	e, err := s.event(s.calendarID(calendarID), "", answer)
	if err == nil {
		noted(ctx, Answer{Event: e, Made: made}, true)
	}
	return e, err
}
