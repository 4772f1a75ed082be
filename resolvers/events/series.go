package events

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// meanFromNow makes of the one occurrence that was named the first of its series that is not past, and those after it.
func (r *Resolver) meanFromNow(ctx context.Context, v *core.Viewer, fields gcal.Fields, out *meant) error {
	named := out.found[0].Event
	first, err := r.firstToCome(ctx, v, out.found[0], fields, out)
	if err != nil {
		return err
	}
	if out.scope = model.ScopeFollowing; first.Event.Ref != named.Ref {
		out.named, out.found = &named, []decision.Placed{first}
	}
	out.series = &out.found[0].Event
	return nil
}

// nothingToCome refuses the scope, where that was said or chosen.
func nothingToCome(out *meant) error {
	field := "input.scope"
	if out.answer != (model.UUID{}) {
		field = "input.confirm.choose"
	}
	return model.NotFound(field, "the series has no occurrence from now on")
}

// firstToCome reads the first occurrence of an occurrence's series that has not ended. NOT_FOUND when all have.
func (r *Resolver) firstToCome(ctx context.Context, v *core.Viewer, of decision.Placed,
	fields gcal.Fields, out *meant) (decision.Placed, error) {
	const aYear = 370 * 24 * time.Hour // in which most series occur
	for _, to := range []time.Time{v.Now.Add(aYear), {}} {
		found, err := r.reader.Instances(ctx, of.Account, of.Event.SeriesRef(),
			gcal.Query{From: v.Now, To: to, Fields: fields | targetFields, Limit: 1})
		switch {
		case err != nil:
			return of, err
		case len(found.Events) > 0:
			of.Event = found.Events[0]
			return of, nil
		}
	}
	return of, nothingToCome(out)
}

// heldByMonths is how many texts the question about months holds: the event, and which occurrences are to move.
const heldByMonths = 2

// answerMonths reads the answer to the question about months: which scope is meant.
func (m *meant) answerMonths(held []string, word model.EventScope) *model.EventScope {
	scope := model.EventScope(held[1])
	if word == model.ScopeThis {
		scope = word
	} else {
		m.days = gcal.MonthDays(word)
	}
	return &scope
}

// askingMonths makes a wish ask, once it is known which event is meant, what becomes of months without the day that its
// series would move to.
func (r *Resolver) askingMonths(v *core.Viewer, plan func(model.Event) (patchPlan, error), w *wish) {
	mean := w.mean
	w.mean = func(ctx context.Context, out *meant) error {
		if err := mean(ctx, out); err != nil || out.question != nil || out.days != "" || out.scope == model.ScopeThis {
			return err
		}
		named := out.found[0].Event
		if out.named != nil {
			named = *out.named
		}
		if p, wrong := plan(named); wrong == nil && p.maySkip(v, named) { // what is wrong with it is the step's refusal
			return r.askMonths(ctx, v, p, named, out)
		}
		return nil
	}
}

// askMonths asks what becomes of months without the day that the series of an occurrence would move to, if there are
// any.
func (r *Resolver) askMonths(ctx context.Context, v *core.Viewer, p patchPlan, named model.Event, out *meant) error {
	series := *out.series
	if out.scope == model.ScopeFollowing {
		var err error
		if series, err = r.reader.Event(ctx, out.found[0].Account, named.SeriesRef(), targetFields); err != nil {
			return core.AtField(err, out.field)
		}
	}
	if short := p.shortMonths(v, r.series, series, named); short != nil {
		scope := out.scope
		if out.named != nil {
			scope = model.ScopeFromNow
		}
		out.ask(whichMonths(v, named, *short, scope))
	}
	return nil
}

// maySkip reports whether a move of the series of an occurrence may come to a day that some months lack. It is the
// quick look that spares others the reading of the series.
func (p patchPlan) maySkip(v *core.Viewer, event model.Event) bool {
	if p.move.isNothing() || p.lines != nil {
		return false
	}
	moved, err := p.move.apply(pathOfSet, event, v.Zone)
	if err != nil {
		return false
	}
	const inEveryMonth = 28
	return dateIn(moved.Start, v.Zone).Day() >= inEveryMonth
}

// dateIn is the date of a time by its own clock.
func dateIn(t model.EventTime, other *time.Location) time.Time {
	if t.AllDay() {
		return t.Date.Midnight()
	}
	return t.At.In(zoneOf(t, nil, other))
}

// whichMonths asks what becomes of the months that lack the day to which a series would move.
func whichMonths(v *core.Viewer, event model.Event, short gcal.ShortMonths, scope model.EventScope) core.Question {
	say := eventPhrasesIn(v.Locale)
	title := model.Clip(projections.EventTitle(event, v.Moment))
	q := core.Question{Kind: model.MonthDays, Text: fmt.Sprintf(say.shortMonths, title, short.Day),
		Held: []string{referenceOf(event.Ref), string(scope)}}
	last, skip := fmt.Sprintf(say.lastOf, short.Day), fmt.Sprintf(say.skip, short.Day)
	switch {
	case short.Yearly:
		last, skip = say.lastOfFebruary, say.leapYears
	case short.Every:
		last = say.everyLast
	}
	offerWord(v, &q, event, string(gcal.LastDays), last)
	offerWord(v, &q, event, string(gcal.SkipMonths), skip)
	if event.IsOccurrence() {
		offerWord(v, &q, event, string(model.ScopeThis), fmt.Sprintf(say.only, startLabel(event, v)))
	}
	return q
}
