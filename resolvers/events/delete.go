package events

import (
	"context"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/rrule"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// DeleteEvent deletes one event, an occurrence with those after it, or a series.
func (r *Resolver) DeleteEvent(ctx context.Context, in graph.DeleteEventInput) (*graph.DeleteEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteEventPayload{Context: NoEvents(), UserErrors: []model.UserError{}}
	target, confirmation, err := r.EventTarget(ctx, v, EventReference{
		Id: in.ID, Target: in.Target, Scope: in.Scope, Confirm: in.Confirm,
		Fields: (PayloadFields(ctx, "event") | CandidateFields(ctx)) &^ gcal.FieldZone,
	})
	acted := false
	defer r.Unless(ctx, &acted, v, target.Ticket)
	if err != nil || confirmation != nil {
		out.Confirmation, out.Context = confirmation, projections.EventContextOf(nil, false, target.Asked)
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	options := gcal.ChangeOptions{
		IfVersion: versionOf(in.IfVersion), SendUpdates: sendUpdates(in.SendUpdates),
		Fields: PayloadFields(ctx, "before") &^ gcal.FieldZone,
	}
	err = target.hasVersion(in.IfVersion)
	var gone Removed
	if err == nil {
		gone, err = r.DeleteTarget(ctx, v, target, options)
		acted = MaybeDone(err)
	}
	core.Beside(ctx, &out.UserErrors, r.Told(ctx, target, options, err))
	out.Before = viewOf(gone.before, v)
	if out.Event = viewOf(gone.Event, v); out.Event != nil {
		out.Deleted, out.IsRecurringSeries = 1, gone.Series
		out.Context = ContextOf(*out.Event, gone.Series, target.Asked)
	}
	return out, nil
}

// Removed is what came of deleting one event.
type Removed struct {
	// Event is it as it was; nil when nothing was deleted.
	Event, before *model.Event
	Series        bool
}

// DeleteTarget deletes what is meant and writes it into the log.
func (r *Resolver) DeleteTarget(ctx context.Context, v *core.Viewer, target EventTarget,
	options gcal.ChangeOptions) (Removed, error) {
	doomed := target.Event
	switch target.Scope {
	case model.ScopeFollowing:
		return r.deleteFollowing(ctx, v, target, options)
	case model.ScopeSeries:
		doomed = target.series
		if options.IfVersion != "" {
			options.IfVersion = doomed.Version
		}
	}
	options.Known = &doomed
	if _, err := r.Writer.Delete(ctx, target.account, doomed.Ref, options); err != nil {
		return Removed{}, err
	}
	r.logEvents(ctx, v, []model.Change{eventChange(v, model.OperationDeleted, doomed.Ref, "")})
	return Removed{Event: &doomed, Series: target.Scope == model.ScopeSeries}, nil
}

func (r *Resolver) deleteFollowing(ctx context.Context, v *core.Viewer, target EventTarget,
	options gcal.ChangeOptions) (Removed, error) {
	if target.again {
		options.IfVersion = "" // the version was the one asked for when it was decided
	}
	following, err := r.Series.Truncate(ctx, target.account, target.Event.Ref, target.Event.OriginalStart, options)
	if target.again && model.CodeOf(err) == model.CodeNotFound {
		err = nil // the earlier try has left nothing of it
	}
	if err != nil && following.Before == nil {
		return Removed{}, err
	}
	r.logEvents(ctx, v, cutLog(v, target.Event, following))
	return Removed{Event: &target.Event, before: following.Before, Series: following.Before == nil}, err
}

// cutLog are the changes of a series that was ended, or deleted because nothing was left of it.
func cutLog(v *core.Viewer, event model.Event, following gcal.Following) []model.Change {
	log := followingLog(v, event, following)
	if following.Before == nil {
		log = append(log, eventChange(v, model.OperationDeleted, seriesRef(event), ""))
	}
	return log
}

// TruncateRecurringEvent ends a series.
func (r *Resolver) TruncateRecurringEvent(ctx context.Context,
	in graph.TruncateRecurringEventInput) (*graph.TruncateRecurringEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.TruncateRecurringEventPayload{Dropped: []string{}, Context: NoEvents(), UserErrors: []model.UserError{}}
	target, confirmation, err := r.EventTarget(ctx, v, EventReference{
		Id: in.ID, Target: in.Target, Confirm: in.Confirm, wholeSeries: true, Fields: CandidateFields(ctx) &^ gcal.FieldZone,
	})
	acted := false
	defer r.Unless(ctx, &acted, v, target.Ticket)
	if err != nil || confirmation != nil {
		out.Confirmation, out.Context = confirmation, projections.EventContextOf(nil, false, target.Asked)
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	options := gcal.ChangeOptions{
		SendUpdates: sendUpdates(in.SendUpdates), Fields: PayloadFields(ctx, "event") &^ gcal.FieldZone,
	}
	following, err := r.truncateTarget(ctx, v, target, in, options)
	acted = MaybeDone(err)
	core.Beside(ctx, &out.UserErrors, r.Told(ctx, target, options, err))
	out.Dropped = append(out.Dropped, following.Dropped...)
	if out.Event = viewOf(following.Before, v); out.Event != nil {
		out.Context = ContextOf(*out.Event, true, target.Asked)
	}
	return out, nil
}

// truncateTarget ends the target's series after the input's last moment. It does not end what has ended, and leaves a
// first occurrence.
func (r *Resolver) truncateTarget(ctx context.Context, v *core.Viewer, target EventTarget,
	in graph.TruncateRecurringEventInput, options gcal.ChangeOptions) (gcal.Following, error) {
	series := target.series
	if !series.IsSeries() {
		return gcal.Following{}, model.BadInput(target.field, "this event does not repeat, so there is no series to end")
	}
	if in.IfVersion != nil { // the series' own, whichever occurrence it was found by
		if *in.IfVersion != series.Version {
			return gcal.Following{}, otherVersion(series.Version)
		}
		if !target.again { // else it may be another version by our own hand
			options.IfVersion = series.Version
		}
	}
	begin := projections.SeriesStart(series, v.Zone)
	cut, err := cutAfter(*in.Until, series, begin, v)
	if err != nil {
		return gcal.Following{}, err
	}
	following, err := r.Series.Truncate(ctx, target.account, series.Ref, cut, options)
	switch {
	case err == nil && following.Before == nil: // all that was left of it had been cancelled one by one
		series.Status = model.EventCancelled
		r.logEvents(ctx, v, cutLog(v, series, following))
		following.Before = &series
	case err == nil && following.Before.Version == series.Version && len(following.Dropped) == 0 && !target.again:
		return gcal.Following{},
			model.BadInput("input.until", "the series ends before that already: it has no later occurrence")
	default:
		r.logEvents(ctx, v, followingLog(v, series, following))
	}
	return following, err
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
