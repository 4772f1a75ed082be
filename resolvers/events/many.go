package events

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/projections/when"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// Bounds of a mutation of many events.
const (
	// maxWindowDays is how long the window may be.
	maxWindowDays = 366
	// maxWindowEvents is how many events one mutation changes or deletes.
	maxWindowEvents = 500
	// maxUnasked is how many events are changed or deleted without a question that no caller has counted or listed.
	maxUnasked = 20
)

// windowOfEvents is a window with what is wanted of it.
type windowOfEvents struct {
	timeMin, timeMax model.DateTimeInput
	summary          *string
	without          []string
	calendars        []string
	account          *string
	approve          approving
}

// approving is what a change of many events says of their number: the answer to the question about it, or how many the
// caller expects. deletes is for the words of the question.
type approving struct {
	confirm *graph.ConfirmInput
	expect  *int32
	deletes bool
}

// check refuses what is not as many as expected, and asks about more than maxUnasked. CONFLICT, BAD_USER_INPUT.
func (a approving) check(v *core.Viewer, out *meant) error {
	n := len(out.found)
	switch {
	case a.expect != nil && int(*a.expect) != n:
		e := model.Errorf(model.CodeConflict, "%d events are meant, not %d; nothing was done", n, *a.expect)
		e.Field = model.FieldPath("input.expect")
		return e
	case a.expect != nil || n <= maxUnasked:
		return nil
	case n > decision.MaxHeld:
		return model.BadInput("input.expect",
			"%d events are meant; nothing was done. One question is about at most %d: narrow the window, or say expect: %d", n,
			decision.MaxHeld, n)
	}
	out.ask(approval(v, manyText(v, out.found, a.deletes), out.found))
	return nil
}

// wantsWindow reads which events of a window are meant: single ones and occurrences, by start. A calendar that cannot
// be read now leaves its error beside the answer, unless it is the only one.
func (r *Resolver) wantsWindow(v *core.Viewer, in windowOfEvents, fields gcal.Fields) (wish, error) {
	from, to := when.Resolve(in.timeMin, v.Zone), when.Resolve(in.timeMax, v.Zone)
	if to.After(lastMoment) {
		to = lastMoment
	}
	switch {
	case !to.After(from):
		return wish{}, model.BadInput("input.timeMax", "timeMax (%s) must be later than timeMin (%s)",
			v.DateTime(to).Format(time.RFC3339), v.DateTime(from).Format(time.RFC3339))
	case to.After(from.In(v.Zone).AddDate(0, 0, maxWindowDays)):
		return wish{}, model.BadInput("input.timeMax", "a window is at most %d days long", maxWindowDays)
	}
	wants, title, err := wantedTitles(in.summary, in.without)
	if err != nil {
		return wish{}, err
	}
	return wish{
		asked: projections.EventsAsked{Summary: title, From: from, To: to, At: v.Moment},
		mean: func(ctx context.Context, out *meant) error {
			var picked []string
			if in.approve.confirm != nil {
				if picked, _, err = r.answered(ctx, v, *in.approve.confirm, true, out); err != nil {
					return err
				}
			}
			places, err := r.places(ctx, v, "input", in.calendars, in.account)
			if err != nil {
				return err
			}
			out.found, err = r.readAll(ctx, v, places, gcal.Query{From: from, To: to, Keep: wants,
				Fields: fields | candidateFields(ctx) | gcal.FieldSummary | gcal.FieldTimes | gcal.FieldZone})
			if n := len(out.found); err == nil && n > maxWindowEvents {
				return model.BadInput("input.timeMax",
					"%d events are meant; one request changes at most %d, so nothing was done. Narrow the window or the titles", n,
					maxWindowEvents)
			}
			switch {
			case err != nil:
				return err
			case in.approve.confirm == nil:
				return in.approve.check(v, out)
			}
			if out.found = onlyPicked(out.found, picked); len(out.found) == 0 {
				return model.NotFound("input.confirm.choose", "what was chosen is not there any more")
			}
			return nil
		},
	}, nil
}

// onlyPicked leaves the events that an answer has chosen.
func onlyPicked(found []decision.Placed, picked []string) []decision.Placed {
	return slices.DeleteFunc(found,
		func(p decision.Placed) bool { return !slices.Contains(picked, referenceOf(p.Event.Ref)) })
}

// wantsAll is the wish for everything in a window, which is always approved first: the question shows what is meant,
// and the answer may choose among it.
func (r *Resolver) wantsAll(v *core.Viewer, in decision.All) wish {
	return wish{
		note:  "clear",
		asked: projections.EventsAsked{Summary: in.Summary, From: in.From, To: in.To, At: v.Moment},
		mean:  func(ctx context.Context, out *meant) error { return r.meanAll(ctx, v, in, out) },
	}
}

func (r *Resolver) meanAll(ctx context.Context, v *core.Viewer, in decision.All, out *meant) error {
	var picked []string
	var err error
	if in.Confirm != nil {
		if picked, _, err = r.answered(ctx, v, *in.Confirm, true, out); err != nil {
			return err
		}
	}
	places, err := r.places(ctx, v, "", nil, nil)
	if err != nil {
		return err
	}
	out.found, err = r.readAll(ctx, v, places, gcal.Query{From: in.From, To: in.To, Keep: in.Keep,
		Fields: (in.Fields | candidateFields(ctx) | matchFields) &^ gcal.FieldAttendees})
	if err != nil {
		return err
	}
	if in.Confirm != nil {
		out.found = onlyPicked(out.found, picked)
	}
	if err := in.Fits(len(out.found)); err != nil || in.Confirm != nil {
		return err
	}
	events := make([]model.Event, len(out.found))
	for i, one := range out.found {
		events[i] = one.Event
	}
	out.ask(approval(v, in.Approve(events), out.found))
	return nil
}

// wantsTitled reads which events of a title are meant.
//
// When the titles that fit are all the same, or all of one series, all of them are meant; when one fits better by far,
// that one is, with all that are called the same. Otherwise it is asked which: each candidate is one event, of a series
// the nearest occurrence, and choosing it means that event, or what of the series lies in the window; `all` means every
// event that fits, whose number the question says, also beyond the candidates shown.
func (r *Resolver) wantsTitled(v *core.Viewer, in graph.DeleteEventsBySummaryInput, fields gcal.Fields) (wish, error) {
	s, err := soughtOf(v, "input", graph.EventMatchInput{Summary: in.Summary, TimeMin: in.TimeMin, TimeMax: in.TimeMax})
	if err != nil {
		return wish{}, err
	}
	return wish{
		asked: s.asked(v),
		mean:  func(ctx context.Context, out *meant) error { return r.meanTitled(ctx, v, in, s, fields, out) },
	}, nil
}

func (r *Resolver) meanTitled(ctx context.Context, v *core.Viewer, in graph.DeleteEventsBySummaryInput, s sought,
	fields gcal.Fields, out *meant) (err error) {
	var picked []string
	scope := in.Scope
	if in.Confirm != nil {
		var answered *model.EventScope
		if picked, answered, err = r.answered(ctx, v, *in.Confirm, true, out); err != nil {
			return err
		}
		if answered != nil {
			scope = answered
		}
	}
	if s.places, err = r.places(ctx, v, "input", in.CalendarIds, in.Account); err != nil {
		return err
	}
	everything := func(model.Event) bool { return true }
	all, err := r.search(ctx, v, s, fields|candidateFields(ctx), everything, sameTitle())
	if err != nil {
		return err
	}
	if in.Confirm == nil {
		if err = matchTitle(ctx, v, s, all, out); err != nil || out.question != nil {
			return err
		}
	} else {
		out.found = pickedTitles(s, all, picked, naming.Rules{Spend: v.Matching(ctx)})
		if err := v.MatchingError(ctx, s.field); err != nil {
			return err
		}
		if len(out.found) == 0 {
			return model.NotFound("input.confirm.choose", "what was chosen is not there any more")
		}
	}
	if n := len(out.found); n > maxWindowEvents {
		return model.BadInput("input.summary",
			"%d events are called so; one request deletes at most %d, so nothing was done. Narrow the window", n,
			maxWindowEvents)
	}
	slices.SortStableFunc(out.found, func(a, b decision.Placed) int { return nearer(v, a.Event, b.Event) })
	i := slices.IndexFunc(out.found, func(p decision.Placed) bool { return p.Event.IsOccurrence() })
	switch {
	case scope != nil && *scope == model.ScopeFromNow:
		out.scope = model.ScopeFollowing
		if err := r.allFromNow(ctx, v, fields, out); err != nil || in.Confirm != nil { // whose question has told the number
			return err
		}
		return approving{expect: in.Expect, deletes: true}.check(v, out)
	case scope != nil || i < 0:
		if out.scope = model.ScopeThis; scope != nil {
			out.scope = *scope
		}
		if in.Confirm == nil {
			return approving{expect: in.Expect, deletes: true}.check(v, out)
		}
	default:
		several := 0
		for _, one := range out.found {
			if one.Event.IsOccurrence() {
				several++
			}
		}
		var references []string // by which pickedTitles finds the same events again
		for _, one := range eachSeries(out.found) {
			references = append(references, referenceOf(one.Event.Ref))
		}
		if len(references) > decision.MaxHeld {
			return tooManyFit(s, len(references))
		}
		out.ask(whichOccurrences(v, out.found[i].Event, several, references))
	}
	return nil
}

// matchTitle says which events a title means, or asks. A question of titles that fit is about all of them; of titles
// that only share a word with what was said, about those that are shown.
func matchTitle(ctx context.Context, v *core.Viewer, s sought, all candidates, out *meant) error {
	query := naming.New(s.text, naming.Event)
	bound := naming.Rules{Spend: v.Matching(ctx)}
	fitting := naming.Fits(query, all.list, bound)
	fits := all.at(fitting)
	if len(fits) > 0 && fits[0].Event.IsOccurrence() && len(eachSeries(fits)) == 1 {
		out.found = fits
		return nil
	}
	verdict := naming.Decide(query, all.list,
		naming.Rules{Several: true, Most: max(len(fits), naming.MaxCandidates), Spend: bound.Spend})
	if err := v.MatchingError(ctx, s.field); err != nil {
		return err
	}
	switch verdict.Outcome {
	case naming.Found, naming.Many:
		out.found = all.at(verdict.Matches)
	case naming.Ask:
		seen := make(map[model.EventRef]bool)
		hits := slices.DeleteFunc(slices.Clone(verdict.Matches), func(hit naming.Match[int]) bool {
			ref := all.found[hit.Index].Event.SeriesRef()
			known := seen[ref]
			seen[ref] = true
			return known
		})
		if len(hits) > decision.MaxHeld {
			return tooManyFit(s, len(hits))
		}
		kind := model.PickMany
		if len(hits) == 1 {
			kind = model.PickOne
		}
		shown := hits[:min(len(hits), naming.MaxCandidates)]
		q := whichEvent(v, s.text, kind, shown, all.found, len(hits))
		for _, hit := range hits[len(shown):] {
			q.Held = append(q.Held, referenceOf(all.found[hit.Index].Event.Ref))
		}
		out.ask(q)
	default:
		return noEventLike(v, s, false)
	}
	return nil
}

func tooManyFit(s sought, n int) error {
	return model.BadInput(s.field, "%d events fit %q; say more of the title, or narrow the window", n, model.Clip(s.text))
}

// at returns the events of matches.
func (c candidates) at(hits []naming.Match[int]) []decision.Placed {
	out := make([]decision.Placed, len(hits))
	for i, hit := range hits {
		out[i] = c.found[hit.Index]
	}
	return out
}

// eachSeries leaves the first of the occurrences of each series, and each other event.
func eachSeries(found []decision.Placed) []decision.Placed {
	seen := make(map[model.EventRef]bool)
	var out []decision.Placed
	for _, one := range found {
		if ref := one.Event.SeriesRef(); !seen[ref] {
			seen[ref] = true
			out = append(out, one)
		}
	}
	return out
}

// allFromNow makes of the occurrences that were found the first one of each series that is not past. A series without
// one is left out; an error when nothing is left.
func (r *Resolver) allFromNow(ctx context.Context, v *core.Viewer, fields gcal.Fields, out *meant) error {
	var left []decision.Placed
	for _, one := range eachSeries(out.found) {
		if one.Event.IsOccurrence() {
			first, err := r.firstToCome(ctx, v, one, fields, out)
			switch {
			case model.CodeOf(err) == model.CodeNotFound:
				continue
			case err != nil:
				return err
			}
			one = first
		}
		left = append(left, one)
	}
	if out.found = left; len(left) == 0 {
		return nothingToCome(out)
	}
	return nil
}

// pickedTitles are the events that were chosen and, of a chosen series, the occurrences that the question was about:
// those that fit the title looked for, and those with the title of the one shown.
func pickedTitles(s sought, all candidates, picked []string, bound naming.Rules) []decision.Placed {
	chosen := make(map[model.EventRef]bool)
	for _, reference := range picked {
		if ref, err := held(reference); err == nil {
			chosen[ref] = true
		}
	}
	titles := make(map[model.EventRef]string)
	for _, one := range all.found {
		if chosen[one.Event.Ref] && one.Event.IsOccurrence() {
			titles[one.Event.SeriesRef()] = fold.Text(one.Event.Summary)
		}
	}
	fits := make(map[int]bool)
	for _, hit := range naming.Fits(naming.New(s.text, naming.Event), all.list, bound) {
		fits[hit.Index] = true
	}
	var out []decision.Placed
	for i, one := range all.found {
		title, known := titles[one.Event.SeriesRef()]
		if chosen[one.Event.Ref] || known && (fits[i] || title == fold.Text(one.Event.Summary)) {
			out = append(out, one)
		}
	}
	return out
}
