package events

import (
	"context"
	"errors"
	"slices"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// wish is what a request wants, read and checked: which events it means, and what is to be done with each of them.
type wish struct {
	// note is the name under which the decision is noted; empty for the one of a mutation field.
	note  string
	asked projections.EventsAsked
	// mean finds the events that are meant, or leaves a question. What it has used up, it leaves also beside an error.
	mean func(ctx context.Context, out *meant) error
	// recall completes what an earlier try has noted; nil for nothing.
	recall func(ctx context.Context, out *meant) error
	// steps are what is to be done. What a step cannot do is its refusal.
	steps func(ctx context.Context, found meant) []decision.Step
	// ifVersion is the version of the one event that the caller has seen; empty for any.
	ifVersion string
}

// meant are the events that a request means, or the question to ask.
type meant struct {
	found []decision.Placed
	scope model.EventScope
	// series is the whole series of the one event that is meant, where that is what is meant.
	series *model.Event
	// named is the occurrence that was named, where the one that is meant is the first that is still to come.
	named *model.Event
	// days is what becomes of months without the day that the series moves to.
	days gcal.MonthDays
	// question is to be asked first; nil when all is clear.
	question *core.Question
	// answer is the nonce of the answer that was used up.
	answer model.UUID
	// field is the path at which the one event was named.
	field string
	// again: an earlier try of the same request found them, as they were then, and may have changed them.
	again bool
}

func (m *meant) ask(q core.Question) { m.question = &q }

// one notes the one event that is meant and the field that names it, unless reading it has failed.
func (m *meant) one(of decision.Placed, field string, err error) (model.Event, error) {
	if err == nil {
		m.found, m.field = []decision.Placed{of}, field
	}
	return of.Event, err
}

// decide says what a request means: the question to ask first, or what is to be done with each event. It does nothing
// but read, and use up the answer to a question, which it gives back when it comes to nothing.
//
// Under an Idempotency-Key a repetition decides on what the first try has meant, and does not look anew at what that
// one left behind.
func (r *Resolver) decide(ctx context.Context, v *core.Viewer, w wish) (decision.Decision, error) {
	var m meant
	var question *projections.Confirmation
	earlier, again, err := core.DecidedAs(ctx, w.note, func() (noted, error) {
		if err := w.mean(ctx, &m); err != nil {
			return noted{}, err
		}
		if m.question == nil {
			return noteOf(m), nil
		}
		var err error
		if question, err = r.Ask(ctx, v, *m.question); err == nil {
			err = core.ErrAsked
		}
		return noted{}, err
	})
	if err == nil && again {
		m.again = true
		if err = r.recall(ctx, v, earlier, &m); err == nil && w.recall != nil {
			err = w.recall(ctx, &m)
		}
	}
	out := decision.Decision{Question: question, Asked: w.asked, Answer: m.answer, Field: m.field,
		IfVersion: w.ifVersion, Again: m.again}
	if errors.Is(err, core.ErrAsked) {
		err = nil
	}
	if err != nil || out.Question != nil {
		r.giveBack(ctx, v, m.answer)
		return out, err
	}
	out.Steps = w.steps(ctx, m)
	return out, nil
}

// answered reads the answer to a question and uses it up: the events that were picked or, where the question was about
// the scope of a change, those that it held and the scope that was picked. With beyond, choosing all means those too
// which the question only counted.
func (r *Resolver) answered(ctx context.Context, v *core.Viewer, confirm graph.ConfirmInput, beyond bool,
	out *meant) (picked []string, scope *model.EventScope, err error) {
	t, err := r.OpenTicket(ctx, v, confirm.Token)
	if err != nil {
		return nil, nil, err
	}
	if picked, err = t.PickTexts(model.KindEvent, confirm); err != nil {
		return nil, nil, err
	}
	if err := r.Spend(ctx, v, t); err != nil {
		return nil, nil, err
	}
	out.answer = t.Nonce
	if t.Words {
		word := model.EventScope(picked[0])
		return t.Held, &word, nil
	}
	if beyond && confirm.All != nil && *confirm.All {
		picked = slices.Concat(picked, t.Held)
	}
	return picked, nil, nil
}

// giveBack makes an answer usable again with which nothing was done; the zero nonce is that of no answer.
func (r *Resolver) giveBack(ctx context.Context, v *core.Viewer, answer model.UUID) {
	if answer != (model.UUID{}) {
		r.Unless(ctx, new(bool), v, &core.Ticket{Nonce: answer})
	}
}

// noted is what is kept of a decision for repetitions.
type noted struct {
	// Events are those that are meant, as they were, with what their calendars allow.
	Events []model.Event      `json:"events,omitempty"`
	Roles  []model.AccessRole `json:"roles,omitempty"`
	// Series is the whole series that the event belongs to, where it is what is meant.
	Series *model.Event     `json:"series,omitempty"`
	Scope  model.EventScope `json:"scope,omitempty"`
	Named  *model.Event     `json:"named,omitempty"`
	Days   gcal.MonthDays   `json:"days,omitempty"`
}

// maxNotedText is how much text of events is noted; other fields of the request want room too.
const maxNotedText = model.MaxNotes / 8

func noteOf(m meant) noted {
	n := noted{Scope: m.scope, Series: m.series, Named: m.named, Days: m.days, Events: make([]model.Event, len(m.found)),
		Roles: make([]model.AccessRole, len(m.found))}
	size := 0
	for i, one := range m.found {
		n.Events[i], n.Roles[i] = one.Event, one.Role
		size += len(one.Event.Description) + len(one.Event.Location) + len(one.Event.HTMLLink) + 200*len(one.Event.Attendees)
	}
	if size <= maxNotedText {
		return n
	}
	for i := range n.Events { // what only answers show
		e := &n.Events[i]
		e.Description, e.Location, e.Attendees, e.HTMLLink, e.MeetingURL = "", "", nil, "", ""
	}
	return n
}

// recall makes of a note the events that it names, with their accounts as these now are.
func (r *Resolver) recall(ctx context.Context, v *core.Viewer, n noted, out *meant) error {
	accounts := make(map[int]model.Connection)
	out.found = make([]decision.Placed, len(n.Events))
	out.scope, out.series, out.named, out.days = n.Scope, n.Series, n.Named, n.Days
	for i, event := range n.Events {
		account, known := accounts[event.Ref.Connection]
		if !known {
			var err error
			if account, err = r.AccountOf(ctx, v, "", event.Ref.CalendarRef(), event.Ref.ID()); err != nil {
				return err
			}
			accounts[event.Ref.Connection] = account
		}
		out.found[i] = decision.Placed{Account: account, Event: event}
		if i < len(n.Roles) {
			out.found[i].Role = n.Roles[i]
		}
	}
	return nil
}
