package resolvers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/match"
)

// eventReference is how a mutation names the one event it is about.
type eventReference struct {
	id      *string
	target  *graph.EventTargetInput
	scope   *model.EventScope
	confirm *graph.ConfirmInput
	// fields are wanted of the event.
	fields gcal.Fields
	// wholeSeries: the mutation is about series only, so what part of one is meant is no question.
	wholeSeries bool
	// nearest: of events with the same title the nearest is meant; else which of them is asked.
	nearest bool
	// named: what is merely like the text is asked about, and what has no word of it and little of its letters is not
	// offered. For sentences, which nobody has looked over.
	named bool
}

// eventTarget is the one event that is meant, as it is now.
type eventTarget struct {
	placed
	// scope is what of a series is meant: THIS for an event that does not repeat, SERIES for a series itself.
	scope model.EventScope
	// field is the path at which the event was named.
	field string
	// ticket is that of the answer which named it, which has been used up for it; nil when nothing was asked.
	ticket *ticket
	asked  projections.EventsAsked
	// series is the whole series where that is what is meant: the event itself, unless it is an occurrence.
	series model.Event
	// again: an earlier try of the same request found it, as it was then, and may have changed it.
	again bool
}

// targetFields are what a change must know of what it changes. A timed series says its zone itself, so the calendar's
// is not asked for.
const targetFields = gcal.FieldSummary | gcal.FieldTimes | gcal.FieldRecurrence

// eventTarget finds the one event that is meant, or the question to ask. Beside reading, it uses up the answer to a
// question, which is to be given back by unless; what it gives names the answer also beside an error.
func (r *Resolver) eventTarget(ctx context.Context, v *viewer,
	who eventReference) (out eventTarget, confirmation *projections.Confirmation, err error) {
	out.asked.At = v.Moment
	if (who.id == nil) == (who.target == nil) {
		return out, nil, model.BadInput("input.target", "give either id or target")
	}
	var wanted *sought
	if who.target != nil && who.target.Match != nil {
		found, err := soughtOf(v, "input.target.match", *who.target.Match)
		if err != nil {
			return out, nil, err
		}
		wanted, out.asked = &found, found.asked(v)
	}
	noted, again, err := decided(ctx, func() (d decision, err error) {
		if confirmation, err = r.decideTarget(ctx, v, who, wanted, &out); err != nil {
			return d, err
		}
		if confirmation != nil {
			return d, errAsked
		}
		d = decisionOf([]placed{out.placed}, out.scope)
		d.Series = &out.series
		return d, nil
	})
	if errors.Is(err, errAsked) {
		return out, confirmation, nil
	}
	if err == nil && again {
		err = r.earlierTarget(ctx, v, who, noted, &out)
	}
	return out, nil, err
}

// decideTarget is eventTarget at the first try.
func (r *Resolver) decideTarget(ctx context.Context, v *viewer, who eventReference, wanted *sought,
	out *eventTarget) (confirmation *projections.Confirmation, err error) {
	var answered *model.EventScope
	switch {
	case who.confirm != nil:
		answered, err = r.answeredTarget(ctx, v, who, out)
	case wanted != nil:
		confirmation, err = r.matchedTarget(ctx, v, who, wanted, out)
	default:
		err = r.namedTarget(ctx, v, who, out)
	}
	if err != nil || confirmation != nil {
		return confirmation, err
	}
	out.scope = model.ScopeSeries
	if !who.wholeSeries {
		if answered == nil {
			answered = who.scope
		}
		if answered == nil && out.event.IsOccurrence() {
			return r.ask(ctx, v, whichOccurrences(v, out.event, 1, []string{referenceOf(out.event.Ref)}))
		}
		if out.scope, err = scopeOf(out.event, answered); err != nil {
			return nil, err
		}
	}
	out.series = out.event
	if out.scope == model.ScopeSeries && out.event.IsOccurrence() {
		out.series, err = r.Reader.Event(ctx, out.account, seriesRef(out.event), who.fields|targetFields)
	}
	return nil, atField(err, out.field)
}

// earlierTarget is the target that an earlier try had decided on, as it was then. The answer to the question, if there
// was one, may have been given back by that try.
func (r *Resolver) earlierTarget(ctx context.Context, v *viewer, who eventReference, noted decision,
	out *eventTarget) error {
	found, err := noted.placed(ctx, r, v)
	if err != nil {
		return err
	}
	if len(found) != 1 || noted.Series == nil {
		return fmt.Errorf("an earlier try has noted %d events, not one", len(found))
	}
	out.placed, out.series, out.scope, out.field, out.again = found[0], *noted.Series, noted.Scope, "input.id", true
	if who.confirm == nil {
		return nil
	}
	t, err := r.openTicket(ctx, v, who.confirm.Token)
	if err != nil {
		return err
	}
	switch err := r.spend(ctx, v, t); {
	case err == nil:
		out.ticket = &t
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
func (r *Resolver) namedTarget(ctx context.Context, v *viewer, who eventReference, out *eventTarget) error {
	text, field := who.id, "input.id"
	if text == nil {
		text, field = who.target.ID, "input.target.id"
	}
	if text == nil {
		return model.BadInput("input.target", "give either id or match")
	}
	account, ref, err := r.eventRef(ctx, v, field, *text)
	if err != nil {
		return err
	}
	return r.readTarget(ctx, account, ref, who.fields, field, out)
}

func (r *Resolver) readTarget(ctx context.Context, account model.Connection, ref model.EventRef, fields gcal.Fields,
	field string, out *eventTarget) error {
	event, err := r.Reader.Event(ctx, account, ref, fields|targetFields)
	if err != nil {
		return atField(err, field)
	}
	out.placed, out.field = placed{account: account, event: event}, field
	return nil
}

// answeredTarget reads the event that was chosen, or that the question about its series held, and the scope that was
// chosen.
func (r *Resolver) answeredTarget(ctx context.Context, v *viewer, who eventReference,
	out *eventTarget) (*model.EventScope, error) {
	t, err := r.openTicket(ctx, v, who.confirm.Token)
	if err != nil {
		return nil, err
	}
	picked, err := t.pickTexts(model.KindEvent, *who.confirm)
	if err != nil {
		return nil, err
	}
	if err := r.spend(ctx, v, t); err != nil {
		return nil, err
	}
	out.ticket = &t
	var scope *model.EventScope
	if t.Words {
		word := model.EventScope(picked[0])
		scope, picked = &word, t.Held
	}
	if len(picked) != 1 {
		return nil, invalidConfirmation("this confirmation names no event")
	}
	account, ref, err := r.heldEvent(ctx, v, picked[0])
	if err != nil {
		return nil, err
	}
	return scope, r.readTarget(ctx, account, ref, who.fields, "input.confirm.choose", out)
}

// heldEvent finds the account of an event that a ticket holds.
func (r *Resolver) heldEvent(ctx context.Context, v *viewer,
	reference string) (model.Connection, model.EventRef, error) {
	ref, err := held(reference)
	if err != nil {
		return model.Connection{}, ref, invalidConfirmation("this confirmation names no event")
	}
	account, err := r.accountOf(ctx, v, "input.confirm.choose", ref.CalendarRef(), ref.ID())
	return account, ref, err
}

// matchedTarget looks for the event of a text.
func (r *Resolver) matchedTarget(ctx context.Context, v *viewer, who eventReference, s *sought,
	out *eventTarget) (*projections.Confirmation, error) {
	var err error
	in := who.target.Match
	if s.places, err = r.places(ctx, v, "input.target.match", in.CalendarIds, in.Account); err != nil {
		return nil, err
	}
	same := func(event model.Event) string { return referenceOf(seriesRef(event)) }
	if who.nearest {
		same = sameTitle()
	}
	want := func(event model.Event) bool { return !who.wholeSeries || event.IsOccurrence() }
	found, err := r.search(ctx, v, *s, who.fields|candidateFields(ctx), want, same)
	if err != nil {
		return nil, err
	}
	decision := match.Decide(s.text, found.list, match.Events(false))
	if who.named {
		decision = onlyNamed(decision, s.text, found)
	}
	switch decision.Outcome {
	case match.Found, match.Many: // the nearest stands first
		out.placed, out.field = found.events[decision.Matches[0].Index], s.field
		return nil, nil
	case match.Ask, match.Confirm:
		return r.ask(ctx, v, whichEvent(v, s.text, decision.Kind, decision.Matches, found, len(decision.Matches)))
	default:
		return nil, noEventLike(v, *s, who.wholeSeries)
	}
}

// onlyNamed makes a question of what a text does not name by its words, and nothing of what it is hardly like.
func onlyNamed(decision match.Decision[int], text string, found eventCandidates) match.Decision[int] {
	title := func(m match.Match[int]) string { return found.events[m.Index].event.Summary }
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

func noEventLike(v *viewer, s sought, series bool) error {
	what := "event"
	if series {
		what = "repeating event"
	}
	return model.NotFound(s.field, "there is no %s like %q between %s and %s", what, model.Clip(s.text),
		dayText(v, s.from), dayText(v, s.to))
}

func dayText(v *viewer, at time.Time) string { return at.In(v.Zone).Format("2006-01-02 15:04") }

// spend uses an answer up. CONFIRMATION_INVALID when it has been used.
func (r *Resolver) spend(ctx context.Context, v *viewer, t ticket) error {
	return r.Store.Write(ctx, v.user, func(ctx context.Context, tx store.Tx) error { return use(ctx, tx, t) })
}

// unless gives an answer back unless something was done with it, or may have been; nil was never used. Call it when all
// is over.
func (r *Resolver) unless(ctx context.Context, done *bool, v *viewer, t *ticket) {
	if t == nil || *done {
		return
	}
	after, cancel := afterwards(ctx)
	defer cancel()
	err := r.Store.Write(after, v.user,
		func(ctx context.Context, tx store.Tx) error { return tx.ReturnConfirmation(ctx, t.Nonce) })
	if err != nil {
		addError(ctx, fmt.Errorf("giving a confirmation back: %w", err)) // it must be asked anew
	}
}

// lastWords is how long what must still be written may take when the request's own time is over.
const lastWords = 5 * time.Second

// afterwards is the context for what must be written though the client has gone: the remote has done its work.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), lastWords)
}

// maybeDone tells whether the remote has done something, or may have: then a token is not given back.
func maybeDone(err error) bool {
	return err == nil || errors.Is(err, gcal.ErrUnknownOutcome) || errors.Is(err, gcal.ErrHalfDone)
}
