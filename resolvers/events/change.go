package events

import (
	"context"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// UpdateEvent changes one event, an occurrence with those after it, or a series.
func (r *Resolver) UpdateEvent(ctx context.Context, in graph.UpdateEventInput) (*graph.UpdateEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateEventPayload{Dropped: []string{}, Context: noEvents(), UserErrors: []model.UserError{}}
	plan, err := readPatch(v, in.Set)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	options := gcal.ChangeOptions{
		IfVersion: versionOf(in.IfVersion), SendUpdates: sendUpdates(in.SendUpdates),
		Fields: payloadFields(ctx, "event", "before"),
	}
	same := func(model.Event) (patchPlan, error) { return plan, nil }
	one := r.changeOne(ctx, v, decision.One{
		ID: in.ID, Target: in.Target, Scope: in.Scope, Confirm: in.Confirm, Fields: candidateFields(ctx),
	}, same, r.changing(v, same, in.IfVersion, options), options.IfVersion)
	core.AddUserError(ctx, &out.UserErrors, one.err)
	out.Event, out.Before, out.Confirmation, out.Context = one.event, one.before, one.question, one.context
	out.Dropped, out.IsRecurringSeries = append(out.Dropped, one.dropped...), one.series
	return out, nil
}

// DeleteEvent deletes one event, an occurrence with those after it, or a series.
func (r *Resolver) DeleteEvent(ctx context.Context, in graph.DeleteEventInput) (*graph.DeleteEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteEventPayload{UserErrors: []model.UserError{}}
	options := gcal.ChangeOptions{
		IfVersion: versionOf(in.IfVersion), SendUpdates: sendUpdates(in.SendUpdates), Fields: payloadFields(ctx, "before"),
	}
	one := r.changeOne(ctx, v, decision.One{
		ID: in.ID, Target: in.Target, Scope: in.Scope, Confirm: in.Confirm,
		Fields: payloadFields(ctx, "event") | candidateFields(ctx),
	}, nil, deleting(in.IfVersion, options), options.IfVersion)
	core.AddUserError(ctx, &out.UserErrors, one.err)
	out.Event, out.Before, out.Confirmation, out.Context = one.event, one.before, one.question, one.context
	if out.IsRecurringSeries = one.series; out.Event != nil {
		id := out.Event.ID().String()
		out.Deleted, out.DeletedID = 1, &id
	}
	return out, nil
}

// TruncateRecurringEvent ends a series.
func (r *Resolver) TruncateRecurringEvent(ctx context.Context,
	in graph.TruncateRecurringEventInput) (*graph.TruncateRecurringEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.TruncateRecurringEventPayload{Dropped: []string{}, UserErrors: []model.UserError{}}
	options := gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates), Fields: payloadFields(ctx, "event")}
	one := r.changeOne(ctx, v, decision.One{
		ID: in.ID, Target: in.Target, Confirm: in.Confirm, WholeSeries: true, Fields: candidateFields(ctx),
	}, nil, ending(v, in, options), "")
	core.AddUserError(ctx, &out.UserErrors, one.err)
	out.Event, out.Confirmation, out.Context = one.event, one.question, one.context
	out.Dropped = append(out.Dropped, one.dropped...)
	return out, nil
}

func versionOf(in *string) string {
	if in == nil {
		return ""
	}
	return *in
}

// changed is what answers say of a change of one event.
type changed struct {
	event, before *projections.Event
	dropped       []string
	series        bool
	question      *projections.Confirmation
	context       *projections.EventContext
	err           error
}

// changeOne decides on a change of one event and applies it; plan is what is to be changed, nil for deletions.
func (r *Resolver) changeOne(ctx context.Context, v *core.Viewer, who decision.One,
	plan func(model.Event) (patchPlan, error), steps stepsOf, ifVersion string) changed {
	if declined, err := r.Declined(ctx, v, who.Confirm); declined || err != nil {
		return changed{context: noEvents(), err: err}
	}
	w, err := r.wantsOne(v, who)
	d := decision.Decision{Asked: w.asked}
	if err == nil {
		w.steps, w.ifVersion = steps, ifVersion
		if plan != nil {
			r.askingMonths(v, plan, &w)
		}
		d, err = r.decide(ctx, v, w)
	}
	if err != nil || d.Question != nil {
		return changed{question: d.Question, context: projections.EventContextOf(nil, false, d.Asked), err: err}
	}
	done := r.Apply(ctx, v, d)[0]
	out := changed{before: viewOf(done.Before, v), dropped: done.Dropped, context: noEvents(), err: done.Err}
	if out.event = viewOf(done.Event, v); out.event != nil {
		out.series = done.Series
		out.context = contextOf(*out.event, done.Series || d.Steps[0].Act == decision.End, d.Asked)
	}
	return out
}

func viewOf(event *model.Event, v *core.Viewer) *projections.Event {
	if event == nil {
		return nil
	}
	view := projections.EventAt(*event, v.Moment)
	return &view
}

// contextOf is the context of a mutation of one event; series says that its whole series was concerned.
func contextOf(view projections.Event, series bool, asked projections.EventsAsked) *projections.EventContext {
	if series {
		view = view.AsSeries()
	}
	return projections.EventContextOf([]projections.Event{view}, false, asked)
}

func noEvents() *projections.EventContext {
	return projections.EventContextOf(nil, false, projections.EventsAsked{})
}

// UpdateEventsInWindow changes everything in a window the same way.
func (r *Resolver) UpdateEventsInWindow(ctx context.Context,
	in graph.UpdateEventsInWindowInput) (*graph.UpdateEventsInWindowPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := readWindowPatch(in.Set)
	var w wish
	if err == nil {
		w, err = r.wantsWindow(v, windowOfEvents{in.TimeMin, in.TimeMax, in.Summary, in.ExcludeSummaries, in.CalendarIds,
			in.Account, approving{confirm: in.Confirm, expect: in.Expect}}, 0)
	}
	w.steps = changingEach(v, plan, gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates),
		Fields: payloadFields(ctx, "events")})
	many := r.changeMany(ctx, v, w, in.Confirm, err)
	out := &graph.UpdateEventsInWindowPayload{
		Updated: int32(len(many.events)), Success: many.success || many.none, Events: many.events, EventIds: many.ids,
		Summaries: many.summaries, Errors: many.errors, Confirmation: many.question, Context: many.context,
		UserErrors: []model.UserError{},
	}
	core.AddUserError(ctx, &out.UserErrors, many.err)
	return out, nil
}

// DeleteEventsInWindow deletes everything in a window; of series only the occurrences inside.
func (r *Resolver) DeleteEventsInWindow(ctx context.Context,
	in graph.DeleteEventsInWindowInput) (*graph.DeleteEventsInWindowPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	w, err := r.wantsWindow(v, windowOfEvents{in.TimeMin, in.TimeMax, in.Summary, in.ExcludeSummaries, in.CalendarIds,
		in.Account, approving{confirm: in.Confirm, expect: in.Expect, deletes: true}}, payloadFields(ctx, "events"))
	w.steps = deletingEach(gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates)})
	many := r.changeMany(ctx, v, w, in.Confirm, err)
	out := &graph.DeleteEventsInWindowPayload{
		Deleted: int32(len(many.events)), Success: many.success || many.none, Events: many.events,
		DeletedIds: many.ids, EventIds: many.ids, Summaries: many.summaries, Errors: many.errors, Confirmation: many.question,
		Context:    many.context,
		UserErrors: []model.UserError{},
	}
	core.AddUserError(ctx, &out.UserErrors, many.err)
	return out, nil
}

// DeleteEventsBySummary deletes the events of a title.
func (r *Resolver) DeleteEventsBySummary(ctx context.Context,
	in graph.DeleteEventsBySummaryInput) (*graph.DeleteEventsBySummaryPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	fields := payloadFields(ctx, "events")
	w, err := r.wantsTitled(v, in, fields)
	w.steps = r.deletingTitled(v, gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates)}, fields)
	many := r.changeMany(ctx, v, w, in.Confirm, err)
	if many.err != nil {
		many.context = projections.EventContextOf(nil, false, w.asked)
	}
	out := &graph.DeleteEventsBySummaryPayload{
		Deleted: int32(len(many.events)), Success: many.success, Events: many.events, DeletedIds: many.ids,
		EventIds: many.ids, Summaries: many.summaries, Errors: many.errors, IsRecurringSeries: many.series,
		Confirmation: many.question, Context: many.context, UserErrors: []model.UserError{},
	}
	core.AddUserError(ctx, &out.UserErrors, many.err)
	return out, nil
}

// changedMany is what answers say of a change of many events.
type changedMany struct {
	events         []projections.Event
	ids, summaries []string
	errors         []model.BulkError
	// series: a whole series was concerned. success: something was done; none: nothing was to be done.
	series, success, none bool
	question              *projections.Confirmation
	context               *projections.EventContext
	err                   error
}

// changeMany decides on a change of many events and applies it, unless reading the wish has failed, or none is meant.
func (r *Resolver) changeMany(ctx context.Context, v *core.Viewer, w wish, confirm *graph.ConfirmInput,
	failed error) changedMany {
	out := changedMany{events: []projections.Event{}, ids: []string{}, summaries: []string{}, errors: []model.BulkError{},
		context: noEvents(), err: failed}
	var d decision.Decision
	var declined bool
	if out.err == nil {
		declined, out.err = r.Declined(ctx, v, confirm)
	}
	if declined {
		return out
	}
	if out.err == nil {
		d, out.err = r.decide(ctx, v, w)
	}
	if out.err != nil {
		return out
	}
	done := r.Apply(ctx, v, d)
	failures := make([]error, len(done))
	titles := make(map[string]bool)
	for i, one := range done {
		if failures[i] = one.Err; one.Err != nil {
			id := d.Steps[i].Event.Ref.ID().String()
			out.errors = append(out.errors, core.BulkErrorOf(i, &id, one.Err))
			continue
		}
		view := projections.EventAt(*one.Event, v.Moment)
		if one.Series {
			view, out.series = view.AsSeries(), true
		}
		out.events, out.ids = append(out.events, view), append(out.ids, view.ID().String())
		if key := fold.Text(one.Event.Summary); !titles[key] && one.Event.Summary != "" {
			titles[key] = true
			out.summaries = append(out.summaries, one.Event.Summary)
		}
	}
	core.AddRelinkError(ctx, failures)
	out.question, out.success, out.none = d.Question, len(out.events) > 0, len(done) == 0 && d.Question == nil
	out.context = projections.EventContextOf(out.events, false, d.Asked)
	return out
}
