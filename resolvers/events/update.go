package events

import (
	"context"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// UpdateEvent changes one event, an occurrence with those after it, or a series.
func (r *Resolver) UpdateEvent(ctx context.Context, in graph.UpdateEventInput) (*graph.UpdateEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateEventPayload{Dropped: []string{}, Context: NoEvents(), UserErrors: []model.UserError{}}
	plan, err := ReadPatch(in.Set)
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	target, confirmation, err := r.EventTarget(ctx, v, EventReference{
		Id: in.ID, Target: in.Target, Scope: in.Scope, Confirm: in.Confirm, Nearest: true,
		Fields: CandidateFields(ctx) &^ gcal.FieldZone,
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
		Fields: PayloadFields(ctx, "event", "before") &^ gcal.FieldZone,
	}
	err = target.hasVersion(in.IfVersion)
	var done Changed
	if err == nil {
		done, err = r.ChangeTarget(ctx, v, target, plan, options)
		acted = MaybeDone(err)
	}
	core.Beside(ctx, &out.UserErrors, r.Told(ctx, target, options, err))
	done.show(v, target.Asked, out)
	return out, nil
}

// Changed is what came of a change of one event.
type Changed struct {
	// Event is it as it now is; nil when nothing was changed.
	Event, before *model.Event
	Series        bool
	dropped       []string
}

func (c Changed) show(v *core.Viewer, asked projections.EventsAsked, out *graph.UpdateEventPayload) {
	out.Before = viewOf(c.before, v)
	out.Dropped = append(out.Dropped, c.dropped...)
	if out.Event = viewOf(c.Event, v); out.Event == nil {
		return
	}
	out.IsRecurringSeries = c.Series
	out.Context = ContextOf(*out.Event, c.Series, asked)
}

func viewOf(noun *model.Event, v *core.Viewer) *projections.Event {
	if noun == nil {
		return nil
	}
	view := projections.EventAt(*noun, v.Moment)
	return &view
}

// ContextOf is the context of a mutation of one event; series says that its whole series was concerned.
func ContextOf(view projections.Event, series bool, asked projections.EventsAsked) *projections.EventContext {
	if series {
		view = view.AsSeries()
	}
	return projections.EventContextOf([]projections.Event{view}, false, asked)
}

func versionOf(in *string) string {
	if in == nil {
		return ""
	}
	return *in
}

// hasVersion is CONFLICT when the event is not the version that the caller has seen.
func (t EventTarget) hasVersion(seen *string) error {
	if seen == nil || *seen == t.Event.Version {
		return nil
	}
	return otherVersion(t.Event.Version)
}

func otherVersion(now string) error {
	e := model.Errorf(model.CodeConflict, "the event has been changed: its version is %s now; read it again", now)
	e.Field = model.FieldPath("input.ifVersion")
	return e
}

// Told completes an error of Google's for the caller: which input is at fault and, when the event was changed
// meanwhile, its version.
func (r *Resolver) Told(ctx context.Context, target EventTarget, options gcal.ChangeOptions, err error) error {
	shown, mendable := model.Mendable(err)
	if !mendable || len(shown.Field) > 0 {
		return err
	}
	if options.IfVersion != "" && shown.Code == model.CodeConflict {
		if now, missing := r.Reader.Event(ctx, target.account, target.Event.Ref, 0); missing == nil &&
			now.Version != options.IfVersion {
			return otherVersion(now.Version)
		}
	}
	return core.AtField(err, target.field)
}

// ChangeTarget changes what is meant and writes it into the log.
func (r *Resolver) ChangeTarget(ctx context.Context, v *core.Viewer, target EventTarget, plan PatchPlan,
	options gcal.ChangeOptions) (Changed, error) {
	switch target.Scope {
	case model.ScopeFollowing:
		return r.changeFollowing(ctx, v, target, plan, options)
	case model.ScopeSeries:
		return r.changeSeries(ctx, v, target, plan, options)
	}
	patch, err := plan.forEvent(v, target.Event)
	if err != nil {
		return Changed{}, err
	}
	after, err := r.patchNoted(ctx, v, target, target.Event, patch, options)
	if err != nil {
		return Changed{}, err
	}
	r.logEvents(ctx, v, []model.Change{eventChange(v, model.OperationUpdated, after.Ref, after.Version)})
	return Changed{Event: &after}, nil
}

func (r *Resolver) changeSeries(ctx context.Context, v *core.Viewer, target EventTarget, plan PatchPlan,
	options gcal.ChangeOptions) (Changed, error) {
	series := target.series
	patch, err := plan.forSeries(ctx, v, r.Series, target.account, series, target.Event)
	if err != nil {
		return Changed{}, err
	}
	options.IfVersion = series.Version // what is reckoned from the series holds for this version only
	after, err := r.patchNoted(ctx, v, target, series, patch, options)
	if err != nil {
		return Changed{}, err
	}
	r.logEvents(ctx, v, []model.Change{eventChange(v, model.OperationUpdated, after.Ref, after.Version)})
	return Changed{Event: &after, Series: true}, nil
}

// patchNoted patches an event as it was when it was noted. All that a patch says is said in full, so a repetition says
// it again of whatever version is there; but where a version was asked for, what is there must be that one, or the one
// that the earlier try has made.
func (r *Resolver) patchNoted(ctx context.Context, v *core.Viewer, target EventTarget, event model.Event,
	patch gcal.Patch,
	options gcal.ChangeOptions) (model.Event, error) {
	options.Known = &event
	if !target.again {
		return r.Writer.Patch(ctx, target.account, event.Ref, patch, options)
	}
	if options.IfVersion != "" {
		now, err := r.Reader.Event(ctx, target.account, event.Ref, options.Fields)
		if err != nil {
			return model.Event{}, err
		}
		own, err := r.isOwnVersion(ctx, v, now)
		if err != nil || own {
			return now, err
		}
		options.IfVersion = event.Version
	}
	options.Known = nil
	return r.Writer.Patch(ctx, target.account, event.Ref, patch, options)
}

// isOwnVersion tells whether the version of an event is the one that we have made last, by the change log.
func (r *Resolver) isOwnVersion(ctx context.Context, v *core.Viewer, now model.Event) (own bool, err error) {
	id := now.Ref.ID().UUID
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		last, err := tx.LastRemote(ctx, []model.UUID{id})
		own = err == nil && last[id].Version != "" && last[id].Version == now.Version
		return err
	})
	return own, err
}

func (r *Resolver) changeFollowing(ctx context.Context, v *core.Viewer, target EventTarget, plan PatchPlan,
	options gcal.ChangeOptions) (Changed, error) {
	patch, err := plan.forFollowing(v, target.Event)
	if err != nil {
		return Changed{}, err
	}
	options.NewSourceID = r.sourceID(ctx, 0)
	following, err := r.Series.PatchFollowing(ctx, target.account, target.Event.Ref, patch, options)
	if target.again && model.CodeOf(err) == model.CodeNotFound {
		return r.changedEarlier(ctx, target, options, err)
	}
	// What is known to have been done is told, also when the rest failed.
	log := followingLog(v, target.Event, following)
	if following.Before == nil && following.After != nil && err == nil {
		log = append(log, eventChange(v, model.OperationUpdated, following.After.Ref, following.After.Version))
	} else if following.After != nil {
		log = append(log, eventChange(v, model.OperationCreated, following.After.Ref, following.After.Version))
	}
	r.logEvents(ctx, v, log)
	return Changed{
		Event: following.After, before: following.Before, Series: err == nil && following.Before == nil,
		dropped: following.Dropped,
	}, err
}

// changedEarlier is what an earlier try has come to: the series that it made is there, so the old one has been ended
// and the occurrence is not there any more. Otherwise the occurrence went by other hands, and missing says so.
func (r *Resolver) changedEarlier(ctx context.Context, target EventTarget, options gcal.ChangeOptions,
	missing error) (Changed, error) {
	after, err := r.Reader.Event(ctx, target.account, target.Event.Ref.CalendarRef().Event(options.NewSourceID),
		options.Fields)
	if model.CodeOf(err) == model.CodeNotFound {
		return Changed{}, missing
	}
	if err != nil {
		return Changed{}, err
	}
	before, err := r.Reader.Event(ctx, target.account, seriesRef(target.Event), options.Fields)
	return Changed{Event: &after, before: &before}, err
}

// followingLog are the changes of the series that was cut, and of the occurrences that went by name.
func followingLog(v *core.Viewer, event model.Event, following gcal.Following) []model.Change {
	var log []model.Change
	if following.Before != nil {
		log = append(log, eventChange(v, model.OperationUpdated, following.Before.Ref, following.Before.Version))
	}
	for _, id := range following.Dropped {
		log = append(log, eventChange(v, model.OperationDeleted, event.Ref.CalendarRef().Event(id), ""))
	}
	return log
}
