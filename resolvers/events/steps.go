package events

import (
	"cmp"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/rrule"
	"almanac/projections/when"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// changedAtOnce is how many changes of one mutation are under way at a time: Google limits each user by the minute, and
// others wait too.
const changedAtOnce = 4

// stepsOf are what is to be done with the events that are meant.
type stepsOf func(ctx context.Context, m meant) []decision.Step

// oneStep is the step of the one event that is meant; seen is the version that the caller has seen of it.
func oneStep(m meant, act decision.Act, seen *string, options gcal.ChangeOptions) decision.Step {
	s := decision.Step{Placed: m.found[0], Act: act, Scope: m.scope, Options: options}
	if m.scope == model.ScopeSeries {
		s.Series = m.series
	}
	named := s.Event
	if m.named != nil {
		named = *m.named
		if s.Options.IfVersion != "" {
			s.Options.IfVersion = s.Event.Version
		}
	}
	if seen != nil && *seen != named.Version {
		s.Refused = otherVersion(named.Version)
	}
	return s
}

func otherVersion(now string) error {
	e := model.Errorf(model.CodeConflict, "the event has been changed: its version is %s now; read it again", now)
	e.Field = model.FieldPath("input.ifVersion")
	return e
}

// changing changes the one event that is meant; the patch may depend on it.
func (r *Resolver) changing(v *core.Viewer, plan func(model.Event) (patchPlan, error), seen *string,
	options gcal.ChangeOptions) stepsOf {
	return func(ctx context.Context, m meant) []decision.Step {
		s := oneStep(m, decision.Change, seen, options)
		if s.Refused == nil {
			s.Refused = r.planChange(ctx, v, plan, m, &s)
		}
		return []decision.Step{s}
	}
}

// planChange works out what a patch means for the step's event.
func (r *Resolver) planChange(ctx context.Context, v *core.Viewer, plan func(model.Event) (patchPlan, error), m meant,
	s *decision.Step) error {
	named := s.Event
	if m.named != nil {
		named = *m.named
	}
	p, err := plan(named)
	if err != nil {
		return err
	}
	switch s.Scope {
	case model.ScopeFollowing:
		if s.Patch, err = p.forFollowing(v, named); err == nil {
			s.Patch.MonthDays, s.Patch.Named = m.days, named.OriginalStart
			s.Options.NewSourceID = r.sourceID(ctx, 0)
		}
	case model.ScopeSeries:
		s.Patch, err = p.forSeries(ctx, v, r.series, s.Account, *s.Series, s.Event, m.days)
		s.Options.IfVersion = s.Series.Version // what is reckoned from the series holds for this version only
	default:
		s.Patch, err = p.forEvent(v, s.Event)
	}
	return err
}

// deleting deletes the one event that is meant.
func deleting(seen *string, options gcal.ChangeOptions) stepsOf {
	return func(_ context.Context, m meant) []decision.Step {
		s := oneStep(m, decision.Delete, seen, options)
		switch {
		case s.Scope == model.ScopeFollowing:
			s.Cut = s.Event.OriginalStart
			if m.again {
				s.Options.IfVersion = "" // the version was the one asked for when it was decided
			}
		case s.Scope == model.ScopeSeries && options.IfVersion != "":
			s.Options.IfVersion = s.Series.Version
		}
		return []decision.Step{s}
	}
}

// ending ends the series that is meant after the input's last moment. It does not end what has ended, and leaves a
// first occurrence.
func ending(v *core.Viewer, in graph.TruncateRecurringEventInput, options gcal.ChangeOptions) stepsOf {
	return func(_ context.Context, m meant) []decision.Step {
		s := oneStep(m, decision.End, nil, options)
		switch {
		case !s.Series.IsSeries():
			s.Refused = model.BadInput(m.field, "this event does not repeat, so there is no series to end")
		case in.IfVersion != nil && *in.IfVersion != s.Series.Version: // its own, whichever occurrence it was found by
			s.Refused = otherVersion(s.Series.Version)
		default:
			if in.IfVersion != nil && !m.again { // else it may be another version by our own hand
				s.Options.IfVersion = s.Series.Version
			}
			begin := projections.SeriesStart(*s.Series, v.Zone)
			until, err := timeInWords(v, "input.until", in.Until, v.Zone)
			if err != nil {
				s.Refused = err
				break
			}
			s.Cut, s.Refused = cutAfter(*until, *s.Series, begin, v)
		}
		return []decision.Step{s}
	}
}

// cutAfter is the first moment, or day, at which no occurrence may start any more. A day means the day of the series'
// own zone; an instant, for a series of days, the day that the viewer's clock shows.
func cutAfter(until graph.EventTimeInput, series model.Event, begin rrule.Start,
	v *core.Viewer) (model.EventTime, error) {
	const field = "input.until"
	var cut model.EventTime
	switch {
	case until.Date == nil && until.DateTime == nil:
		return cut, model.BadInput(field, "give a date or a dateTime")
	case begin.AllDay && until.Date != nil:
		cut.Date = until.Date.AddDays(1)
	case begin.AllDay:
		cut.Date = model.DateOf(when.Resolve(*until.DateTime, v.Zone).In(v.Zone)).AddDays(1)
	case until.Date != nil:
		cut.At = when.StartOfDate(until.Date.AddDays(1), begin.Zone)
	default:
		// at the moment itself one may start
		cut.At = when.Resolve(*until.DateTime, v.Zone).Truncate(time.Second).Add(time.Second)
	}
	set, err := rrule.Parse(series.Recurrence, begin)
	if err != nil {
		return cut, core.Below(err, field)
	}
	at := cut.At
	if begin.AllDay {
		at = cut.Date.Midnight()
	}
	first, some := set.First()
	if some && !first.Start.Before(at) {
		return cut,
			model.BadInput(field,
				"the first occurrence is on %s, after until: nothing would be left; to delete the series use deleteEvent with the "+
					"scope SERIES", occurrenceText(first.Start, begin))
	}
	return cut, nil
}

// eachStep is a step for each of many events, whatever their versions are.
func eachStep(found []decision.Placed, act decision.Act, options gcal.ChangeOptions) []decision.Step {
	out := make([]decision.Step, len(found))
	for i, one := range found {
		out[i] = decision.Step{Placed: one, Act: act, Scope: model.ScopeThis, Options: options, Refused: mayChange(one)}
	}
	return out
}

// mayChange refuses what Google would refuse, without asking.
func mayChange(one decision.Placed) error {
	switch {
	case one.Role != "" && !one.Role.MayWrite():
		return &model.Error{
			Code: model.CodeUpstreamRejected, Reason: "requiredAccessLevel",
			Message: "the account " + one.Account.Account + " may only read this calendar",
		}
	case cmp.Or(one.Event.Type, model.EventDefault) != model.EventDefault:
		return model.BadInput("", "an event of the type %s is not changed from here; change it in Google Calendar",
			one.Event.Type)
	}
	return nil
}

// changingEach changes many events the same way.
func changingEach(v *core.Viewer, plan windowPatch, options gcal.ChangeOptions) stepsOf {
	return func(_ context.Context, m meant) []decision.Step {
		steps := eachStep(m.found, decision.Change, options)
		for i := range steps {
			if s := &steps[i]; s.Refused == nil {
				s.Patch, s.Refused = plan.forEvent(v, s.Event)
			}
		}
		return steps
	}
}

// deletingEach deletes events and occurrences.
func deletingEach(options gcal.ChangeOptions) stepsOf {
	return func(_ context.Context, m meant) []decision.Step { return eachStep(m.found, decision.Delete, options) }
}

// deletingTitled deletes single events and, as the scope says, each occurrence, or once for each series the rest of it
// or all of it. With FOLLOWING the cut is at the nearest occurrence that is still to come, so that nothing of the past
// goes: it stands first, and one that has passed only when all have.
func (r *Resolver) deletingTitled(v *core.Viewer, options gcal.ChangeOptions, fields gcal.Fields) stepsOf {
	return func(ctx context.Context, m meant) []decision.Step {
		if m.scope == model.ScopeThis {
			return eachStep(inOrder(v, slices.Clone(m.found)), decision.Delete, options)
		}
		steps := eachStep(inOrder(v, eachSeries(m.found)), decision.Delete, options)
		var group errgroup.Group
		group.SetLimit(changedAtOnce)
		for i := range steps {
			s := &steps[i]
			if s.Refused != nil || !s.Event.IsOccurrence() {
				continue
			}
			if s.Scope = m.scope; s.Scope == model.ScopeFollowing {
				s.Cut = s.Event.OriginalStart
				continue
			}
			group.Go(func() error {
				s.Refused = r.readSeriesOf(ctx, s, m.again, fields)
				return nil
			})
		}
		_ = group.Wait() // each failure stands with its step
		return steps
	}
}

// readSeriesOf reads the series of a step's occurrence.
func (r *Resolver) readSeriesOf(ctx context.Context, s *decision.Step, again bool, fields gcal.Fields) error {
	series, err := r.reader.Event(ctx, s.Account, s.Event.SeriesRef(), fields|targetFields)
	if again && model.CodeOf(err) == model.CodeNotFound { // the earlier try has deleted it
		series, err = s.Event, nil
		series.Ref, series.RecurringEventID, series.OriginalStart = s.Event.SeriesRef(), "", model.EventTime{}
	}
	s.Series = &series
	return err
}

// creating adds an event unless a duplicate forbids it, or the look for one failed that might.
func creating(e newEvent, field string, look looked, fields gcal.Fields) decision.Step {
	s := decision.Step{Placed: decision.Placed{Account: e.place.account, Event: e.insert.Event}, Act: decision.Create,
		New: e.insert, Calendar: e.place.calendar}
	s.New.Fields = fields
	switch {
	case e.policy != graph.EventDuplicatePolicyRefuse:
	case look.err != nil:
		s.Refused = look.err
	case len(look.found) > 0:
		id := look.found[0].Ref.ID().String()
		s.Refused, s.Collides = standsThere(field, look.found[0]), &id
	}
	return s
}

// creatingEach adds events of one request, each for itself; those whose input has failed, and those to refuse beside a
// twin of the request, are refused.
func creatingEach(events []newEvent, failures []error, looks []looked, twins []int,
	fields gcal.Fields) []decision.Step {
	out := make([]decision.Step, len(events))
	for i, event := range events {
		if failures[i] != nil {
			out[i].Refused = failures[i]
			continue
		}
		out[i] = creating(event, "", looks[i], fields)
		if twin := twins[i]; out[i].Refused == nil && event.policy == graph.EventDuplicatePolicyRefuse && twin >= 0 &&
			out[twin].Refused == nil {
			out[i].Refused = model.Errorf(model.CodeConflict,
				"event %d of this request is at the same time and has nearly the same title; set onDuplicate to REPORT or ALLOW "+
					"to add both", twin)
		}
	}
	return out
}

// standsThere refuses a duplicate.
func standsThere(field string, there model.Event) error {
	e := model.Errorf(model.CodeConflict,
		"%q stands at this time already: %s; set onDuplicate to REPORT or ALLOW to add another", model.Clip(there.Summary),
		there.Ref.ID())
	e.Field = model.FieldPath(field)
	return e
}
