package events

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
	kinds "almanac/resolvers/events/calendars"
	"almanac/resolvers/events/decision"
)

// Apply does what was decided and writes what was done into the change log at once. What came of each step stands in
// its place. What is done with linked calendars comes first, some steps at a time; then all that is done with own ones
// is one transaction, with the log and the action of everything. An answer with which nothing was done, nor may have
// been, is given back.
func (r *Resolver) Apply(ctx context.Context, v *core.Viewer, d decision.Decision) []decision.Done {
	if d.Question != nil {
		return nil
	}
	all := applied{out: make([]decision.Done, len(d.Steps)), log: make([][]model.Change, len(d.Steps)),
		changed: make([][]changedWhole, len(d.Steps))}
	was, err := r.asTheyWere(ctx, d)
	if err != nil {
		for i := range all.out {
			all.out[i].Err = err
		}
		r.giveBack(ctx, v, d.Answer)
		return all.out
	}
	within, writes := kinds.WithWrites(ctx)
	committed := false
	defer func() { r.finish(ctx, writes, committed, linkedOf(d.Steps)) }()
	r.applySteps(within, v, d, was, all, false)
	log := func(ctx context.Context) error {
		return r.logEvents(ctx, v, slices.Concat(all.log...), slices.Concat(all.changed...), false, writes)
	}
	if slices.ContainsFunc(d.Steps, changesOwn) {
		err = r.Store.Write(ctx, v.User, func(ctx context.Context, _ store.Tx) error {
			r.applySteps(ctx, v, d, was, all, true)
			return log(ctx)
		})
		if err != nil {
			all.withdraw(d.Steps, err)
		}
		committed = err == nil
	}
	if !committed {
		// The log has also what was done in part.
		err := log(ctx)
		if committed = err == nil; !committed {
			core.AddError(ctx, unlogged(err))
		}
	}
	if !slices.ContainsFunc(all.out, func(done decision.Done) bool { return maybeDone(done.Err) }) {
		r.giveBack(ctx, v, d.Answer)
	}
	if d.Field != "" {
		all.out[0].Err = r.told(ctx, d, all.out[0].Err)
	}
	return all.out
}

// linkedOf are the calendars of linked accounts that steps change.
func linkedOf(steps []decision.Step) (places []place) {
	for _, step := range steps {
		p := place{step.Account, step.Calendar}
		if step.Act != decision.Create {
			p.calendar = step.Subject().Ref.Calendar
		}
		if step.Refused == nil {
			places = append(places, p)
		}
	}
	return places
}

// applied is what has come of the steps of a decision, by their places.
type applied struct {
	out     []decision.Done
	log     [][]model.Change
	changed [][]changedWhole
}

// changesOwn reports whether a step changes an own calendar.
func changesOwn(step decision.Step) bool { return step.Refused == nil && step.Account.Number == 0 }

// withdraw says of the steps on own calendars that nothing has come of them.
func (a applied) withdraw(steps []decision.Step, err error) {
	for i, step := range steps {
		if changesOwn(step) {
			a.out[i], a.log[i], a.changed[i] = decision.Done{Err: err}, nil, nil
		}
	}
}

// applySteps does the steps on own calendars, or the others.
func (r *Resolver) applySteps(ctx context.Context, v *core.Viewer, d decision.Decision, was [][]whole, all applied,
	own bool) {
	var group errgroup.Group
	group.SetLimit(atOnce(own))
	for i, step := range d.Steps {
		if changesOwn(step) != own {
			continue
		}
		group.Go(func() error {
			if all.out[i].Err = step.Refused; step.Refused == nil {
				all.out[i], all.log[i] = r.applyStep(ctx, v, step, d.Again)
				all.changed[i] = r.changedBy(ctx, step, was[i], all.out[i])
			}
			return nil
		})
	}
	_ = group.Wait() // each failure stands in its place
}

// atOnce is how many events are changed at a time: a transaction does one thing after the other.
func atOnce(own bool) int {
	if own {
		return 1
	}
	return changedAtOnce
}

// told completes a writer's error about the one event for the caller: which input is at fault and, when the event was
// changed meanwhile, its version.
func (r *Resolver) told(ctx context.Context, d decision.Decision, err error) error {
	shown, mendable := model.Mendable(err)
	if !mendable {
		return err
	}
	if len(shown.Field) > 0 {
		return inInput(err, "input")
	}
	if d.IfVersion != "" && shown.Code == model.CodeConflict {
		one := d.Steps[0]
		if now, missing := r.reader.Event(ctx, one.Account, one.Event.Ref, 0); missing == nil &&
			now.Version != d.IfVersion {
			return otherVersion(now.Version)
		}
	}
	return core.AtField(err, d.Field)
}

// inInput puts the path of an event's input before the field that a writer's error names: a writer does not know where
// in the document its input stands.
func inInput(err error, path string) error {
	shown, mendable := model.Mendable(err)
	if !mendable || len(shown.Field) != 1 {
		return err
	}
	placed := *shown
	placed.Field = model.FieldPath(core.Under(path, shown.Field[0]))
	return &placed
}

// applyStep does one step; the changes are what is to be logged of it, also beside an error.
func (r *Resolver) applyStep(ctx context.Context, v *core.Viewer, s decision.Step,
	again bool) (done decision.Done, log []model.Change) {
	s.Options.Fields |= gcal.FieldsToRestore
	s.New.Fields |= gcal.FieldsToRestore
	switch {
	case s.Act == decision.Create:
		made, _, err := r.writer.Insert(ctx, s.Account, s.Calendar, s.New)
		if err != nil {
			return decision.Done{Err: err}, nil
		}
		return decision.Done{Event: &made}, []model.Change{changeOf(v, model.OperationCreated, made)}
	case s.Act == decision.End:
		return r.endSeries(ctx, v, s, again)
	case s.Act == decision.Change && s.Scope == model.ScopeFollowing:
		return r.changeFollowing(ctx, v, s, again)
	case s.Act == decision.Change && s.Series != nil && (s.Patch.Start != nil || s.Patch.Recurrence != nil):
		return r.changeSeries(ctx, v, s, again)
	case s.Act == decision.Change:
		after, err := r.patch(ctx, v, s, again)
		if err != nil {
			return decision.Done{Err: err}, nil
		}
		return decision.Done{Event: &after, Series: s.Series != nil},
			[]model.Change{changeOf(v, model.OperationUpdated, after)}
	case s.Scope == model.ScopeFollowing:
		return r.deleteFollowing(ctx, v, s, again)
	}
	doomed := s.Subject()
	s.Options.Known = &doomed
	if _, err := r.writer.Delete(ctx, s.Account, doomed.Ref, s.Options); err != nil {
		return decision.Done{Err: err}, nil
	}
	return decision.Done{Event: &doomed, Series: s.Series != nil},
		[]model.Change{eventChange(v, model.OperationDeleted, doomed.Ref, "")}
}

// changeSeries changes the times or the recurrence of a whole series.
func (r *Resolver) changeSeries(ctx context.Context, v *core.Viewer, s decision.Step,
	again bool) (decision.Done, []model.Change) {
	if again {
		if now, own, err := r.earlier(ctx, v, s); err != nil || own {
			return decision.Done{Event: &now, Series: true, Err: err}, nil
		}
	}
	following, err := r.series.PatchSeries(ctx, s.Account, s.Series.Ref, s.Patch, s.Options)
	log := followingLog(v, s.Event, following)
	if following.After != nil {
		log = append(log, changeOf(v, model.OperationUpdated, *following.After))
	}
	return decision.Done{Event: following.After, Dropped: droppedIDs(s.Event, following), Series: true, Err: err}, log
}

// earlier reads the event as it is, and reports whether an earlier try of the same request has made it so.
func (r *Resolver) earlier(ctx context.Context, v *core.Viewer,
	s decision.Step) (now model.Event, own bool, err error) {
	if now, err = r.reader.Event(ctx, s.Account, s.Subject().Ref, s.Options.Fields); err != nil {
		return now, false, err
	}
	own, err = r.isOwnVersion(ctx, v, now)
	return now, own, err
}

// patch patches an event as it was when it was decided. All that a patch says is said in full, so a repetition says it
// again of whatever version is there; but where a version was asked for, what is there must be that one, or the one
// that the earlier try has made: by the change log or, when the try came to no log, by what it says.
func (r *Resolver) patch(ctx context.Context, v *core.Viewer, s decision.Step, again bool) (model.Event, error) {
	event := s.Subject()
	if !again {
		s.Options.Known = &event
	} else if s.Options.IfVersion != "" {
		now, own, err := r.earlier(ctx, v, s)
		if err != nil || own || s.Patch.IsIn(now, s.Account.Account) {
			return now, err
		}
		s.Options.IfVersion = event.Version
	}
	return r.writer.Patch(ctx, s.Account, event.Ref, s.Patch, s.Options)
}

// isOwnVersion reports whether the version of an event is the one that we have made last, by the change log.
func (r *Resolver) isOwnVersion(ctx context.Context, v *core.Viewer, now model.Event) (own bool, err error) {
	id := now.Ref.ID().UUID
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		last, err := tx.LastRemote(ctx, []model.UUID{id})
		own = err == nil && last[id].Version != "" && last[id].Version == now.Version
		return err
	})
	return own, err
}

// changeFollowing changes an occurrence and those after it. What is known to have been done is said, also when the rest
// failed.
func (r *Resolver) changeFollowing(ctx context.Context, v *core.Viewer, s decision.Step,
	again bool) (decision.Done, []model.Change) {
	following, err := r.series.PatchFollowing(ctx, s.Account, s.Event.Ref, s.Patch, s.Options)
	if again && model.CodeOf(err) == model.CodeNotFound {
		return r.changedEarlier(ctx, s, err), nil
	}
	log := followingLog(v, s.Event, following)
	whole := err == nil && following.Before == nil
	if following.After != nil {
		operation := model.OperationCreated
		if whole {
			operation = model.OperationUpdated
		}
		log = append(log, changeOf(v, operation, *following.After))
	}
	return decision.Done{Event: following.After, Before: following.Before, Dropped: droppedIDs(s.Event, following),
		Series: whole, Err: err}, log
}

// changedEarlier is what an earlier try has come to: the series that it made is there, so the old one has been ended
// and the occurrence is not there any more. Otherwise the occurrence went by other hands, and missing says so.
func (r *Resolver) changedEarlier(ctx context.Context, s decision.Step, missing error) decision.Done {
	after, err := r.reader.Event(ctx, s.Account, s.Event.Ref.CalendarRef().Event(s.Options.NewSourceID),
		s.Options.Fields)
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		return decision.Done{Err: missing}
	case err != nil:
		return decision.Done{Err: err}
	}
	before, err := r.reader.Event(ctx, s.Account, s.Event.SeriesRef(), s.Options.Fields)
	return decision.Done{Event: &after, Before: &before, Err: err}
}

// deleteFollowing deletes an occurrence and those after it.
func (r *Resolver) deleteFollowing(ctx context.Context, v *core.Viewer, s decision.Step,
	again bool) (decision.Done, []model.Change) {
	ref := s.Event.SeriesRef()
	if s.Options.IfVersion != "" {
		ref = s.Event.Ref // the version is the occurrence's
	}
	following, err := r.series.Truncate(ctx, s.Account, ref, s.Cut, s.Options)
	if again && model.CodeOf(err) == model.CodeNotFound {
		err = nil // the earlier try has left nothing of it
	}
	if err != nil && following.Before == nil {
		return decision.Done{Err: err}, nil
	}
	return decision.Done{Event: &s.Event, Before: following.Before, Series: following.Before == nil, Err: err},
		cutLog(v, s.Event, following)
}

// endSeries ends a series. One that ends before the cut already is the caller's mistake.
func (r *Resolver) endSeries(ctx context.Context, v *core.Viewer, s decision.Step,
	again bool) (decision.Done, []model.Change) {
	series := *s.Series
	following, err := r.series.Truncate(ctx, s.Account, series.Ref, s.Cut, s.Options)
	switch {
	case err == nil && following.Before == nil: // all that was left of it had been cancelled one by one
		series.Status = model.EventCancelled
		return decision.Done{Event: &series, Dropped: droppedIDs(series, following)}, cutLog(v, series, following)
	case err == nil && following.Before.Version == series.Version && len(following.Dropped) == 0 && !again:
		return decision.Done{
			Err: model.BadInput("input.until", "the series ends before that already: it has no later occurrence"),
		}, nil
	}
	return decision.Done{Event: following.Before, Dropped: droppedIDs(series, following), Err: err},
		followingLog(v, series, following)
}

// droppedIDs are the ids of the occurrences that went with a change of an event's series.
func droppedIDs(event model.Event, following gcal.Following) []string {
	ids := make([]string, len(following.Dropped))
	for i, id := range following.Dropped {
		ids[i] = event.Ref.CalendarRef().Event(id).ID().String()
	}
	return ids
}

// eventChange is the entry of the change log about an event; version is empty for one that is gone.
func eventChange(v *core.Viewer, operation model.Operation, ref model.EventRef, version string) model.Change {
	id := ref.ID()
	return model.Change{Type: model.ChangeEvent, ID: id.UUID, Remote: id.Remote, Operation: operation, At: v.Now,
		Version: version}
}

func changeOf(v *core.Viewer, operation model.Operation, event model.Event) model.Change {
	return eventChange(v, operation, event.Ref, event.Version)
}

// followingLog are the changes of the series that was cut, and of the occurrences that went, or have other ids now.
func followingLog(v *core.Viewer, event model.Event, following gcal.Following) []model.Change {
	var log []model.Change
	if following.Before != nil {
		log = append(log, changeOf(v, model.OperationUpdated, *following.Before))
	}
	for _, id := range slices.Concat(following.Dropped, following.Replaced) {
		log = append(log, eventChange(v, model.OperationDeleted, event.Ref.CalendarRef().Event(id), ""))
	}
	return log
}

// cutLog are the changes of a series that was ended, or deleted because nothing was left of it.
func cutLog(v *core.Viewer, event model.Event, following gcal.Following) []model.Change {
	log := followingLog(v, event, following)
	if following.Before == nil {
		log = append(log, eventChange(v, model.OperationDeleted, event.SeriesRef(), ""))
	}
	return log
}

// logEvents appends to the change log what was done. What an earlier try of the same request has logged, or those who
// follow the calendar and were quicker, or the store of an own calendar, is not told twice. In the same transaction
// the copies of calendars become what writes have left there, and what was changed is kept as an action; partly when it
// is only a part of an undoing.
func (r *Resolver) logEvents(ctx context.Context, v *core.Viewer, changes []model.Change, changed []changedWhole,
	partly bool, writes *kinds.Writes) error {
	did, err := r.did(v, changed)
	did.Partly = partly
	if err != nil {
		core.AddError(ctx, err)
	}
	written := writes.All()
	if len(changes)+len(did.Changes)+len(written) == 0 {
		return nil
	}
	after, cancel := core.AfterRequest(ctx)
	defer cancel()
	return r.Store.Write(after, v.User, func(ctx context.Context, tx store.Tx) error {
		tell := func(uncertain map[model.UUID]bool) error {
			fresh, err := core.NotLogged(ctx, tx, toldNow(changes, uncertain))
			if err == nil && len(fresh) > 0 {
				err = tx.LogRemote(ctx, fresh)
			}
			return err
		}
		if len(written) > 0 {
			err = r.follower.ApplyWrites(ctx, tx, written, tell)
		} else {
			err = tell(nil)
		}
		if err != nil {
			return err
		}
		return core.ActFrom(ctx).Did(ctx, tx, did)
	})
}

// toldNow returns the changes that are told with what has made them. What is uncertain is told once it has been asked
// for, but for what was made: while a copy is being made for the first time, nothing of what is read is told.
func toldNow(changes []model.Change, uncertain map[model.UUID]bool) (now []model.Change) {
	for _, change := range changes {
		if !uncertain[change.ID] || change.Operation == model.OperationCreated {
			now = append(now, change)
		}
	}
	return now
}

// finish ends writes, and brings the copies up to what was written that do not have it by now. It is for the moment
// after the transaction that has logged them, which was committed or not.
func (r *Resolver) finish(ctx context.Context, writes *kinds.Writes, committed bool, places []place) {
	if written := writes.All(); len(written) > 0 {
		r.follower.FinishWrites(ctx, written, committed)
	}
	r.refresh(ctx, places)
}

// unlogged says that something was done and not noted, which undoes nothing: following the calendar will tell of it
// later. The store's own error would say that nothing was done.
func unlogged(err error) error {
	return &model.Error{
		Code: model.CodeUpstreamUnavailable,
		Message: "Google has done this, but it could not be noted in the change log; those who follow changes hear of it " +
			"later.",
		Cause: fmt.Errorf("logging changes of events: %w", err),
	}
}
