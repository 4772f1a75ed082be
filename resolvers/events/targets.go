package events

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/match"
	"almanac/resolvers/core"
)

// EventReference is how a mutation names the one event it is about.
type EventReference struct {
	Id      *string
	Target  *graph.EventTargetInput
	Scope   *model.EventScope
	Confirm *graph.ConfirmInput
	// Fields are wanted of the event.
	Fields gcal.Fields
	// wholeSeries: the mutation is about series only, so what part of one is meant is no question.
	wholeSeries bool
	// nearest: of events with the same title the nearest is meant; else which of them is asked.
	Nearest bool
	// named: what is merely like the text is asked about, and what has no word of it and little of its letters is not
	// offered. For sentences, which nobody has looked over.
	Named bool
}

// EventTarget is the one event that is meant, as it is now.
type EventTarget struct {
	Placed
	// Scope is what of a series is meant: THIS for an event that does not repeat, SERIES for a series itself.
	Scope model.EventScope
	// field is the path at which the event was named.
	field string
	// Ticket is that of the answer which named it, which has been used up for it; nil when nothing was asked.
	Ticket *core.Ticket
	Asked  projections.EventsAsked
	// series is the whole series where that is what is meant: the event itself, unless it is an occurrence.
	series model.Event
	// again: an earlier try of the same request found it, as it was then, and may have changed it.
	again bool
}

// targetFields are what a change must know of what it changes. A timed series says its zone itself, so the calendar's
// is not asked for.
const targetFields = gcal.FieldSummary | gcal.FieldTimes | gcal.FieldRecurrence

// EventTarget finds the one event that is meant, or the question to ask. Beside reading, it uses up the answer to a
// question, which is to be given back by unless; what it gives names the answer also beside an error.
func (r *Resolver) EventTarget(ctx context.Context, v *core.Viewer,
	who EventReference) (out EventTarget, confirmation *projections.Confirmation, err error) {
	out.Asked.At = v.Moment
	if (who.Id == nil) == (who.Target == nil) {
		return out, nil, model.BadInput("input.target", "give either id or target")
	}
	var wanted *Sought
	if who.Target != nil && who.Target.Match != nil {
		found, err := SoughtOf(v, "input.target.match", *who.Target.Match)
		if err != nil {
			return out, nil, err
		}
		wanted, out.Asked = &found, found.asked(v)
	}
	noted, again, err := core.Decided(ctx, func() (d Decision, err error) {
		if confirmation, err = r.DecideTarget(ctx, v, who, wanted, &out); err != nil {
			return d, err
		}
		if confirmation != nil {
			return d, core.ErrAsked
		}
		d = DecisionOf([]Placed{out.Placed}, out.Scope)
		d.Series = &out.series
		return d, nil
	})
	if errors.Is(err, core.ErrAsked) {
		return out, confirmation, nil
	}
	if err == nil && again {
		err = r.earlierTarget(ctx, v, who, noted, &out)
	}
	return out, nil, err
}

// DecideTarget is eventTarget at the first try.
func (r *Resolver) DecideTarget(ctx context.Context, v *core.Viewer, who EventReference, wanted *Sought,
	out *EventTarget) (confirmation *projections.Confirmation, err error) {
	var answered *model.EventScope
	switch {
	case who.Confirm != nil:
		answered, err = r.answeredTarget(ctx, v, who, out)
	case wanted != nil:
		confirmation, err = r.matchedTarget(ctx, v, who, wanted, out)
	default:
		err = r.namedTarget(ctx, v, who, out)
	}
	if err != nil || confirmation != nil {
		return confirmation, err
	}
	out.Scope = model.ScopeSeries
	if !who.wholeSeries {
		if answered == nil {
			answered = who.Scope
		}
		if answered == nil && out.Event.IsOccurrence() {
			return r.Ask(ctx, v, whichOccurrences(v, out.Event, 1, []string{ReferenceOf(out.Event.Ref)}))
		}
		if out.Scope, err = scopeOf(out.Event, answered); err != nil {
			return nil, err
		}
	}
	out.series = out.Event
	if out.Scope == model.ScopeSeries && out.Event.IsOccurrence() {
		out.series, err = r.Reader.Event(ctx, out.account, seriesRef(out.Event), who.Fields|targetFields)
	}
	return nil, core.AtField(err, out.field)
}

// earlierTarget is the target that an earlier try had decided on, as it was then. The answer to the question, if there
// was one, may have been given back by that try.
func (r *Resolver) earlierTarget(ctx context.Context, v *core.Viewer, who EventReference, noted Decision,
	out *EventTarget) error {
	found, err := noted.Placed(ctx, r, v)
	if err != nil {
		return err
	}
	if len(found) != 1 || noted.Series == nil {
		return fmt.Errorf("an earlier try has noted %d events, not one", len(found))
	}
	out.Placed, out.series, out.Scope, out.field, out.again = found[0], *noted.Series, noted.Scope, "input.id", true
	if who.Confirm == nil {
		return nil
	}
	t, err := r.OpenTicket(ctx, v, who.Confirm.Token)
	if err != nil {
		return err
	}
	switch err := r.Spend(ctx, v, t); {
	case err == nil:
		out.Ticket = &t
	case model.CodeOf(err) != model.CodeConfirmationInvalid: // by the earlier try, which had a right to it
		return err
	}
	return nil
}

// scopeOf is what of an event is meant. Only an occurrence has all three.
func scopeOf(event model.Event, said *model.EventScope) (model.EventScope, error) {
	switch {
	case event.IsOccurrence():
		return *said, nil
	case event.IsSeries():
		if said != nil && *said != model.ScopeSeries {
			return "", model.BadInput("input.scope",
				"this is the id of a series, so only SERIES can be meant; for %s give the id of the occurrence", *said)
		}
		return model.ScopeSeries, nil
	case said != nil && *said == model.ScopeFollowing:
		return "", model.BadInput("input.scope", "this event does not repeat, so nothing follows it; leave scope out")
	}
	return model.ScopeThis, nil
}

// namedTarget reads the event of an id.
func (r *Resolver) namedTarget(ctx context.Context, v *core.Viewer, who EventReference, out *EventTarget) error {
	text, field := who.Id, "input.id"
	if text == nil {
		text, field = who.Target.ID, "input.target.id"
	}
	if text == nil {
		return model.BadInput("input.target", "give either id or match")
	}
	account, ref, err := r.eventRef(ctx, v, field, *text)
	if err != nil {
		return err
	}
	return r.readTarget(ctx, account, ref, who.Fields, field, out)
}

func (r *Resolver) readTarget(ctx context.Context, account model.Connection, ref model.EventRef, fields gcal.Fields,
	field string, out *EventTarget) error {
	event, err := r.Reader.Event(ctx, account, ref, fields|targetFields)
	if err != nil {
		return core.AtField(err, field)
	}
	out.Placed, out.field = Placed{account: account, Event: event}, field
	return nil
}

// answeredTarget reads the event that was chosen, or that the question about its series held, and the scope that was
// chosen.
func (r *Resolver) answeredTarget(ctx context.Context, v *core.Viewer, who EventReference,
	out *EventTarget) (*model.EventScope, error) {
	t, err := r.OpenTicket(ctx, v, who.Confirm.Token)
	if err != nil {
		return nil, err
	}
	picked, err := t.PickTexts(model.KindEvent, *who.Confirm)
	if err != nil {
		return nil, err
	}
	if err := r.Spend(ctx, v, t); err != nil {
		return nil, err
	}
	out.Ticket = &t
	var scope *model.EventScope
	if t.Words {
		word := model.EventScope(picked[0])
		scope, picked = &word, t.Held
	}
	if len(picked) != 1 {
		return nil, core.InvalidConfirmation("this confirmation names no event")
	}
	account, ref, err := r.heldEvent(ctx, v, picked[0])
	if err != nil {
		return nil, err
	}
	return scope, r.readTarget(ctx, account, ref, who.Fields, "input.confirm.choose", out)
}

// heldEvent finds the account of an event that a ticket holds.
func (r *Resolver) heldEvent(ctx context.Context, v *core.Viewer,
	reference string) (model.Connection, model.EventRef, error) {
	ref, err := held(reference)
	if err != nil {
		return model.Connection{}, ref, core.InvalidConfirmation("this confirmation names no event")
	}
	account, err := r.AccountOf(ctx, v, "input.confirm.choose", ref.CalendarRef(), ref.ID())
	return account, ref, err
}

// matchedTarget looks for the event of a text.
func (r *Resolver) matchedTarget(ctx context.Context, v *core.Viewer, who EventReference, s *Sought,
	out *EventTarget) (*projections.Confirmation, error) {
	var err error
	in := who.Target.Match
	if s.places, err = r.Places(ctx, v, "input.target.match", in.CalendarIds, in.Account); err != nil {
		return nil, err
	}
	same := func(event model.Event) string { return ReferenceOf(seriesRef(event)) }
	if who.Nearest {
		same = sameTitle()
	}
	want := func(event model.Event) bool { return !who.wholeSeries || event.IsOccurrence() }
	found, err := r.search(ctx, v, *s, who.Fields|CandidateFields(ctx), want, same)
	if err != nil {
		return nil, err
	}
	decision := match.Decide(s.text, found.list, match.Events(false))
	if who.Named {
		decision = onlyNamed(decision, s.text, found)
	}
	switch decision.Outcome {
	case match.Found, match.Many: // the nearest stands first
		out.Placed, out.field = found.Events[decision.Matches[0].Index], s.field
		return nil, nil
	case match.Ask, match.Confirm:
		return r.Ask(ctx, v, WhichEvent(v, s.text, decision.Kind, decision.Matches, found, len(decision.Matches)))
	default:
		return nil, noEventLike(v, *s, who.wholeSeries)
	}
}

// onlyNamed makes a question of what a text does not name by its words, and nothing of what it is hardly like.
func onlyNamed(decision match.Decision[int], text string, found EventCandidates) match.Decision[int] {
	title := func(m match.Match[int]) string { return found.Events[m.Index].Event.Summary }
	switch decision.Outcome {
	case match.Found, match.Many:
		if !match.Names(text, title(decision.Matches[0]), match.Events(false).Prefixes) {
			return match.Decision[int]{Outcome: match.Confirm, Matches: decision.Matches[:1], Kind: model.PickOne}
		}
	case match.Ask, match.Confirm:
		decision.Matches = slices.DeleteFunc(slices.Clone(decision.Matches), func(m match.Match[int]) bool {
			return m.Score < match.FuzzyMatchMin && !match.Shares(text, title(m))
		})
		if len(decision.Matches) == 0 {
			return match.Decision[int]{}
		}
	case match.None:
	}
	return decision
}

// sameTitle gives a function that is equal for events of one title, and for all occurrences of a series, whatever some
// of them were renamed to: the first occurrence that it is asked about names its series.
func sameTitle() func(model.Event) string {
	titles := make(map[model.EventRef]string)
	return func(event model.Event) string {
		title := fold.Text(event.Summary)
		if !event.IsOccurrence() {
			return title
		}
		ref := seriesRef(event)
		if known, ok := titles[ref]; ok {
			return known
		}
		titles[ref] = title
		return title
	}
}

func noEventLike(v *core.Viewer, s Sought, series bool) error {
	what := "event"
	if series {
		what = "repeating event"
	}
	return model.NotFound(s.field, "there is no %s like %q between %s and %s", what, model.Clip(s.text),
		dayText(v, s.from), dayText(v, s.to))
}

func dayText(v *core.Viewer, at time.Time) string { return at.In(v.Zone).Format("2006-01-02 15:04") }

// MaybeDone tells whether the remote has done something, or may have: then a token is not given back.
func MaybeDone(err error) bool {
	return err == nil || errors.Is(err, gcal.ErrUnknownOutcome) || errors.Is(err, gcal.ErrHalfDone)
}
