package events

import (
	"context"
	"errors"
	"slices"
	"sync"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/match"
	"almanac/resolvers/core"
)

// MaxHeld is how many different events a question may be about.
const MaxHeld = 200

// DeleteEventsBySummary deletes the events of a title.
//
// When the titles that fit are all the same, or all of one series, all of them are meant; when one fits better by far,
// that one is, with all that are called the same. Otherwise it is asked which: each candidate is one event, of a series
// the nearest occurrence, and choosing it means that event, or what of the series lies in the window; `all` means every
// event that fits, whose number the question says, also beyond the candidates shown.
func (r *Resolver) DeleteEventsBySummary(ctx context.Context,
	in graph.DeleteEventsBySummaryInput) (*graph.DeleteEventsBySummaryPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteEventsBySummaryPayload{
		Events: []projections.Event{}, EventIds: []string{}, Summaries: []string{}, Errors: []model.BulkError{},
		Context: NoEvents(), UserErrors: []model.UserError{},
	}
	titled, err := r.titledEvents(ctx, v, in)
	acted := false
	defer r.Unless(ctx, &acted, v, titled.ticket)
	if err != nil || titled.confirmation != nil {
		out.Confirmation, out.Context = titled.confirmation, projections.EventContextOf(nil, false, titled.asked)
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	var whole wholeSeriesSet
	options := gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates)}
	done := r.DoEach(ctx, v, titled.items(v),
		r.deletingTitled(v, titled, options, PayloadFields(ctx, "events")&^gcal.FieldZone, &whole))
	acted = done.Done
	for _, event := range done.Events {
		view := projections.EventAt(event, v.Moment)
		if whole.has(event.Ref) {
			view, out.IsRecurringSeries = view.AsSeries(), true
		}
		out.Events = append(out.Events, view)
	}
	out.EventIds, out.Summaries, out.Errors = done.eventIDs, done.summaries, done.Errors
	out.Deleted, out.Success = int32(len(out.Events)), len(out.Events) > 0
	out.Context = projections.EventContextOf(out.Events, false, titled.asked)
	return out, nil
}

// titledEvents are the events of a title, by nearness, or the question to ask.
type titledEvents struct {
	found        []Placed
	scope        model.EventScope
	ticket       *core.Ticket
	confirmation *projections.Confirmation
	asked        projections.EventsAsked
	// again: an earlier try of the same request found them, and may have deleted them.
	again bool
}

// titledEvents finds the events of a title. Beside reading, it uses up the answer to a question, as eventTarget does.
func (r *Resolver) titledEvents(ctx context.Context, v *core.Viewer,
	in graph.DeleteEventsBySummaryInput) (out titledEvents, err error) {
	s, err := SoughtOf(v, "input", graph.EventMatchInput{Summary: in.Summary, TimeMin: in.TimeMin, TimeMax: in.TimeMax})
	if err != nil {
		return out, err
	}
	out.asked = s.asked(v)
	noted, again, err := core.Decided(ctx, func() (Decision, error) {
		if err := r.decideTitled(ctx, v, in, s, &out); err != nil {
			return Decision{}, err
		}
		if out.confirmation != nil {
			return Decision{}, core.ErrAsked
		}
		return DecisionOf(out.found, out.scope), nil
	})
	if errors.Is(err, core.ErrAsked) {
		return out, nil
	}
	if err == nil && again {
		out.again, out.scope = true, noted.Scope
		out.found, err = noted.Placed(ctx, r, v)
	}
	return out, err
}

// decideTitled is titledEvents at the first try.
func (r *Resolver) decideTitled(ctx context.Context, v *core.Viewer, in graph.DeleteEventsBySummaryInput, s Sought,
	out *titledEvents) (err error) {
	var picked []string
	var answered *model.EventScope
	if in.Confirm != nil {
		if out.ticket, picked, answered, err = r.AnsweredTitle(ctx, v, *in.Confirm); err != nil {
			return err
		}
	}
	if s.places, err = r.Places(ctx, v, "input", in.CalendarIds, in.Account); err != nil {
		return err
	}
	everything := func(model.Event) bool { return true }
	all, err := r.search(ctx, v, s, PayloadFields(ctx, "events")|CandidateFields(ctx), everything, sameTitle())
	if err != nil {
		return err
	}
	if out.ticket == nil {
		if out.found, out.confirmation, err = r.decideTitle(ctx, v, s, all); err != nil || out.confirmation != nil {
			return err
		}
	} else if out.found = pickedTitles(s, all, picked); len(out.found) == 0 {
		return model.NotFound("input.confirm.choose", "what was chosen is not there any more")
	}
	if n := len(out.found); n > maxWindowEvents {
		return model.BadInput("input.summary",
			"%d events are called so; one request deletes at most %d, so nothing was done. Narrow the window", n,
			maxWindowEvents)
	}
	slices.SortStableFunc(out.found, func(a, b Placed) int { return Nearer(v, a.Event, b.Event) })
	if answered == nil {
		answered = in.Scope
	}
	occurrences := slices.DeleteFunc(slices.Clone(out.found), func(p Placed) bool { return !p.Event.IsOccurrence() })
	if answered == nil && len(occurrences) > 0 {
		reps := representatives(out.found)
		if len(reps) > MaxHeld {
			return tooManyFit(s, len(reps))
		}
		out.confirmation, err = r.Ask(ctx, v, whichOccurrences(v, occurrences[0].Event, len(occurrences), reps))
		return err
	}
	out.scope = model.ScopeThis
	if answered != nil {
		out.scope = *answered
	}
	return nil
}

// AnsweredTitle reads an answer: the events picked, or those that the question about their series held and the scope
// picked.
func (r *Resolver) AnsweredTitle(ctx context.Context, v *core.Viewer,
	confirm graph.ConfirmInput) (*core.Ticket, []string, *model.EventScope, error) {
	t, err := r.OpenTicket(ctx, v, confirm.Token)
	if err != nil {
		return nil, nil, nil, err
	}
	picked, err := t.PickTexts(model.KindEvent, confirm)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := r.Spend(ctx, v, t); err != nil {
		return nil, nil, nil, err
	}
	if t.Words {
		scope := model.EventScope(picked[0])
		return &t, t.Held, &scope, nil
	}
	if confirm.All != nil && *confirm.All {
		picked = slices.Concat(picked, t.Held) // those beyond the ones shown
	}
	return &t, picked, nil, nil
}

// decideTitle says which events a title means, or asks.
func (r *Resolver) decideTitle(ctx context.Context, v *core.Viewer, s Sought,
	all EventCandidates) ([]Placed, *projections.Confirmation, error) {
	rules := match.Events(true)
	like := match.Like(s.text, all.list, rules)
	if len(like) > 0 && oneSeries(all, like) {
		return all.at(like), nil, nil
	}
	rules.MaxCandidates, rules.Distinct = len(all.list), false
	decision := match.Decide(s.text, all.list, rules)
	switch decision.Outcome {
	case match.Found, match.Many:
		return all.at(decision.Matches), nil, nil
	case match.Confirm:
		asked, err := r.Ask(ctx, v, WhichEvent(v, s.text, model.PickOne, decision.Matches, all, 1))
		return nil, asked, err
	case match.Ask:
		hits := each(all, decision.Matches)
		if len(hits) > MaxHeld {
			return nil, nil, tooManyFit(s, len(hits))
		}
		shown := hits[:min(len(hits), match.MaxCandidates)]
		q := WhichEvent(v, s.text, model.PickMany, shown, all, len(hits))
		for _, hit := range hits[len(shown):] {
			q.Held = append(q.Held, ReferenceOf(all.Events[hit.Index].Event.Ref))
		}
		asked, err := r.Ask(ctx, v, q)
		return nil, asked, err
	default:
		return nil, nil, noEventLike(v, s, false)
	}
}

func tooManyFit(s Sought, n int) error {
	return model.BadInput(s.field, "%d events fit %q; say more of the title, or narrow the window", n, model.Clip(s.text))
}

// at gives the events of matches.
func (c EventCandidates) at(hits []match.Match[int]) []Placed {
	out := make([]Placed, len(hits))
	for i, hit := range hits {
		out[i] = c.Events[hit.Index]
	}
	return out
}

// oneSeries tells whether all matches are occurrences of one series.
func oneSeries(all EventCandidates, hits []match.Match[int]) bool {
	first := all.Events[hits[0].Index].Event
	return first.IsOccurrence() && !slices.ContainsFunc(hits, func(hit match.Match[int]) bool {
		return seriesRef(all.Events[hit.Index].Event) != seriesRef(first)
	})
}

// each leaves one match of each series.
func each(all EventCandidates, hits []match.Match[int]) []match.Match[int] {
	seen := make(map[model.EventRef]bool)
	var out []match.Match[int]
	for _, hit := range hits {
		if ref := seriesRef(all.Events[hit.Index].Event); !seen[ref] {
			seen[ref] = true
			out = append(out, hit)
		}
	}
	return out
}

// representatives are references by which pickedTitles finds the same events again: one of each series, and each other
// event.
func representatives(found []Placed) []string {
	seen := make(map[model.EventRef]bool)
	var out []string
	for _, one := range found {
		if ref := seriesRef(one.Event); !seen[ref] {
			seen[ref] = true
			out = append(out, ReferenceOf(one.Event.Ref))
		}
	}
	return out
}

// pickedTitles are the events that were chosen and, of a chosen series, the occurrences that the question was about:
// those that fit the title looked for, and those with the title of the one shown.
func pickedTitles(s Sought, all EventCandidates, picked []string) []Placed {
	chosen := make(map[model.EventRef]bool)
	for _, reference := range picked {
		if ref, err := held(reference); err == nil {
			chosen[ref] = true
		}
	}
	titles := make(map[model.EventRef]string)
	for _, one := range all.Events {
		if chosen[one.Event.Ref] && one.Event.IsOccurrence() {
			titles[seriesRef(one.Event)] = fold.Text(one.Event.Summary)
		}
	}
	fits := make(map[int]bool)
	for _, hit := range match.Like(s.text, all.list, match.Events(true)) {
		fits[hit.Index] = true
	}
	var out []Placed
	for i, one := range all.Events {
		title, known := titles[seriesRef(one.Event)]
		if chosen[one.Event.Ref] || known && (fits[i] || title == fold.Text(one.Event.Summary)) {
			out = append(out, one)
		}
	}
	return out
}

// items are what is deleted, by start: single events and, as the scope says, each occurrence or one for each series.
func (t titledEvents) items(v *core.Viewer) []Placed {
	if t.scope == model.ScopeThis {
		return inOrder(v, slices.Clone(t.found))
	}
	seen := make(map[model.EventRef]bool)
	var out []Placed
	for _, one := range t.found { // the nearest occurrence stands first, and one that has passed only when all have
		if ref := seriesRef(one.Event); !seen[ref] {
			seen[ref] = true
			out = append(out, one)
		}
	}
	return inOrder(v, out)
}

// wholeSeriesSet notes which series were deleted whole, by several goroutines.
type wholeSeriesSet struct {
	mu   sync.Mutex
	refs map[model.EventRef]bool
}

func (s *wholeSeriesSet) add(ref model.EventRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refs == nil {
		s.refs = make(map[model.EventRef]bool)
	}
	s.refs[ref] = true
}

func (s *wholeSeriesSet) has(ref model.EventRef) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refs[ref]
}

// deletingTitled deletes a single event, an occurrence, the rest of a series or all of it. With FOLLOWING the cut is at
// the occurrence of the item: the nearest that is still to come, so that nothing of the past goes.
func (r *Resolver) deletingTitled(v *core.Viewer, titled titledEvents, options gcal.ChangeOptions, fields gcal.Fields,
	whole *wholeSeriesSet) deed {
	single := r.Deleting(v, options)
	return func(ctx context.Context, one Placed) (model.Event, []model.Change, error) {
		if !one.Event.IsOccurrence() || titled.scope == model.ScopeThis {
			return single(ctx, one)
		}
		if titled.scope == model.ScopeSeries {
			series, err := r.Reader.Event(ctx, one.account, seriesRef(one.Event), fields|targetFields)
			if titled.again && model.CodeOf(err) == model.CodeNotFound { // the earlier try has deleted it
				series, err = one.Event, nil
				series.Ref, series.RecurringEventID, series.OriginalStart = seriesRef(one.Event), "", model.EventTime{}
			}
			if err != nil {
				return model.Event{}, nil, err
			}
			whole.add(series.Ref)
			return single(ctx, Placed{one.account, series, one.role})
		}
		following, err := r.Series.Truncate(ctx, one.account, one.Event.Ref, one.Event.OriginalStart, options)
		if titled.again && model.CodeOf(err) == model.CodeNotFound {
			err = nil // the earlier try has left nothing of it
		}
		if err != nil {
			return model.Event{}, followingLog(v, one.Event, following), err
		}
		if following.Before == nil {
			whole.add(one.Event.Ref)
		}
		return one.Event, cutLog(v, one.Event, following), nil
	}
}
