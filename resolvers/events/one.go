package events

import (
	"context"
	"fmt"
	"slices"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// wantsOne reads which one event is meant. The wish says what was looked for also beside an error.
func (r *Resolver) wantsOne(v *core.Viewer, who decision.One) (wish, error) {
	w := wish{asked: projections.EventsAsked{At: v.Moment}}
	if who.Within == nil && (who.ID == nil) == (who.Target == nil) {
		return w, model.BadInput("input.target", "give either id or target")
	}
	var wanted *sought
	if who.Target != nil && who.Target.Match != nil {
		found, err := soughtOf(v, "input.target.match", *who.Target.Match)
		if err != nil {
			return w, err
		}
		wanted = &found
		if who.Approve == nil {
			w.asked = found.asked(v)
		}
	}
	w.mean = func(ctx context.Context, out *meant) error { return r.meanOne(ctx, v, who, wanted, out) }
	w.recall = func(ctx context.Context, out *meant) error { return r.recallOne(ctx, v, who, out) }
	return w, nil
}

// meanOne finds the one event that is meant and what of its series is, or asks.
func (r *Resolver) meanOne(ctx context.Context, v *core.Viewer, who decision.One, wanted *sought, out *meant) error {
	scope := who.Scope
	var event model.Event
	var err error
	switch {
	case who.Confirm != nil:
		var answered *model.EventScope
		if event, answered, err = r.answeredOne(ctx, v, who, out); answered != nil {
			scope = answered
		}
	case wanted != nil:
		event, err = r.matchedOne(ctx, v, who, *wanted, out)
	case who.Within != nil:
		event, err = r.onlyOne(ctx, v, who, out)
	default:
		event, err = out.one(r.namedOne(ctx, v, who))
	}
	if err != nil || out.question != nil {
		return err
	}
	out.scope = model.ScopeSeries
	if !who.WholeSeries {
		if scope == nil && event.IsOccurrence() {
			out.ask(whichOccurrences(v, event, 1, []string{referenceOf(event.Ref)}))
			return nil
		}
		if scope != nil && *scope == model.ScopeFromNow && (event.IsOccurrence() || event.IsSeries()) {
			return r.meanFromNow(ctx, v, who.Fields, out)
		}
		if out.scope, err = scopeOf(event, scope); err != nil {
			return err
		}
	}
	out.series = &event
	if out.scope == model.ScopeSeries && event.IsOccurrence() {
		series, err := r.reader.Event(ctx, out.found[0].Account, event.SeriesRef(), who.Fields|targetFields)
		if err != nil {
			return core.AtField(err, out.field)
		}
		out.series = &series
	}
	if who.Approve != nil {
		if question := who.Approve(event, out.scope); question != "" {
			out.ask(approval(v, question, out.found))
		}
	}
	return nil
}

// recallOne completes what an earlier try has meant. The answer to the question, if there was one, may have been given
// back by that try.
func (r *Resolver) recallOne(ctx context.Context, v *core.Viewer, who decision.One, out *meant) error {
	if len(out.found) != 1 || out.series == nil {
		return fmt.Errorf("an earlier try has noted %d events, not one", len(out.found))
	}
	out.field = "input.id"
	if who.Confirm == nil {
		return nil
	}
	t, err := r.OpenTicket(ctx, v, who.Confirm.Token)
	if err != nil {
		return err
	}
	switch err := r.Spend(ctx, v, t); {
	case err == nil:
		out.answer = t.Nonce
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
	case said != nil && (*said == model.ScopeFollowing || *said == model.ScopeFromNow):
		return "", model.BadInput("input.scope", "this event does not repeat, so nothing follows it; leave scope out")
	}
	return model.ScopeThis, nil
}

// answeredOne reads the event that was chosen, or that the question about its series held, and the scope that was
// chosen.
func (r *Resolver) answeredOne(ctx context.Context, v *core.Viewer, who decision.One,
	out *meant) (event model.Event, scope *model.EventScope, err error) {
	picked, scope, err := r.answered(ctx, v, *who.Confirm, false, out)
	if err != nil {
		return event, nil, err
	}
	if scope != nil && len(picked) == heldByMonths {
		scope = out.answerMonths(picked, *scope)
		picked = picked[:1]
	}
	if len(picked) != 1 {
		return event, nil, core.InvalidConfirmation("this confirmation names no event")
	}
	account, ref, err := r.heldEvent(ctx, v, picked[0])
	if err != nil {
		return event, nil, err
	}
	event, err = out.one(r.readOne(ctx, account, ref, who.Fields, "input.confirm.choose"))
	return event, scope, err
}

// onlyOne reads the one event that stands in a window, or asks which.
func (r *Resolver) onlyOne(ctx context.Context, v *core.Viewer, who decision.One, out *meant) (model.Event, error) {
	in := *who.Within
	places, err := r.places(ctx, v, "", nil, nil)
	if err != nil {
		return model.Event{}, err
	}
	found, err := r.everywhere(ctx, places, gcal.Query{
		From: in.From, To: in.To, Fields: matchFields | candidateFields(ctx), Keep: in.Keep,
	})
	if err != nil {
		return model.Event{}, err
	}
	slices.SortStableFunc(found, func(a, b decision.Placed) int { return nearer(v, a.Event, b.Event) })
	before := slices.DeleteFunc(slices.Clone(found),
		func(p decision.Placed) bool { return !v.Instant(p.Event.Start).Before(in.Before) })
	if len(before) == 1 {
		found = before
	}
	switch {
	case len(found) == 0:
		return model.Event{}, in.None
	case len(found) == 1 && !in.Ask:
		return out.one(r.readOne(ctx, found[0].Account, found[0].Event.Ref, who.Fields, "input.id"))
	}
	var hits []naming.Match[int]
	for i := range found[:min(len(found), naming.MaxCandidates)] {
		hits = append(hits, naming.Match[int]{Index: i, Score: 1})
	}
	out.ask(whichEvent(v, in.Text, model.PickOne, hits, found, len(hits)))
	return model.Event{}, nil
}

// matchedOne looks for the event of a text.
func (r *Resolver) matchedOne(ctx context.Context, v *core.Viewer, who decision.One, s sought,
	out *meant) (none model.Event, err error) {
	in := who.Target.Match
	if s.places, err = r.places(ctx, v, "input.target.match", in.CalendarIds, in.Account); err != nil {
		return none, err
	}
	same := func(event model.Event) string { return referenceOf(event.SeriesRef()) }
	want := func(event model.Event) bool { return !who.WholeSeries || event.IsOccurrence() }
	all, err := r.search(ctx, v, s, who.Fields|candidateFields(ctx), want, same)
	if err != nil {
		return none, err
	}
	verdict := naming.Decide(naming.New(s.text, naming.Event), all.list,
		naming.Rules{Distinct: true, Spend: v.Matching(ctx)})
	if err := v.MatchingError(ctx, s.field); err != nil {
		return none, err
	}
	switch verdict.Outcome {
	case naming.Found, naming.Many: // of a series the nearest stands first
		return out.one(all.found[verdict.Matches[0].Index], s.field, nil)
	case naming.Ask:
		out.ask(whichEvent(v, s.text, verdict.Kind, verdict.Matches, all.found, len(verdict.Matches)))
		return none, nil
	default:
		return none, noEventLike(v, s, who.WholeSeries)
	}
}

// sameTitle returns a function that is equal for events of one title, and for all occurrences of a series, whatever
// some of them were renamed to: the first occurrence that it is asked about names its series.
func sameTitle() func(model.Event) string {
	titles := make(map[model.EventRef]string)
	return func(event model.Event) string {
		title := fold.Text(event.Summary)
		if !event.IsOccurrence() {
			return title
		}
		ref := event.SeriesRef()
		if known, ok := titles[ref]; ok {
			return known
		}
		titles[ref] = title
		return title
	}
}

func noEventLike(v *core.Viewer, s sought, series bool) error {
	what := "event"
	if series {
		what = "repeating event"
	}
	const minutes = "2006-01-02 15:04"
	return model.NotFound(s.field, "there is no %s called %q between %s and %s", what, model.Clip(s.text),
		s.from.In(v.Zone).Format(minutes), s.to.In(v.Zone).Format(minutes))
}
