package events

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/resolvers/core"
	kinds "almanac/resolvers/events/calendars"
)

// Undoer undoes changes of events.
func (r *Resolver) Undoer() core.Undoer { return undoer{r} }

type undoer struct{ *Resolver }

// undoStep is what is to be done with one event or series.
type undoStep struct {
	Kept kept
	// Now is how it is before it is put back.
	Now []model.Event
	// Rest are the remote's ids of what is as the change has left it, Since of what is otherwise now: of the event itself,
	// and of occurrences that are not, or were not, as the rule has them.
	Rest, Since []string
}

// PlanUndo implements core.Undoer.
func (u undoer) PlanUndo(ctx context.Context, v *core.Viewer, packed json.RawMessage) (plan core.UndoPlan, err error) {
	var back inverse
	if err := json.Unmarshal(packed, &back); err != nil {
		return plan, fmt.Errorf("read the inverse of changed events: %w", err)
	}
	steps := make([]undoStep, len(back.Events))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(changedAtOnce)
	for i, one := range back.Events {
		group.Go(func() (err error) {
			steps[i], err = u.planStep(within, v, one)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return plan, err
	}
	for _, step := range steps {
		if err := kinds.MaySend(ctx, step.Kept.SendUpdates); err != nil {
			return plan, err
		}
		if err := step.count(&plan); err != nil {
			return plan, err
		}
	}
	plan.Steps, err = json.Marshal(steps)
	return plan, err
}

// count adds a step to a plan's numbers.
func (s undoStep) count(plan *core.UndoPlan) error {
	ref, err := refOf(s.Kept.Ref)
	if err != nil {
		return err
	}
	if len(s.Rest) > 0 {
		plan.Rest++
	}
	if len(s.Rest)+len(s.Since) > 0 {
		plan.All++
		plan.Mails = plan.Mails || tells(s.Kept.SendUpdates, s.Kept.Before, s.Now)
	}
	for _, id := range s.Since {
		plan.Since = append(plan.Since, ref.CalendarRef().Event(id).ID().String())
	}
	return nil
}

// planStep compares an event or a series with how it was left, and how it was.
func (u undoer) planStep(ctx context.Context, v *core.Viewer, one kept) (step undoStep, err error) {
	step.Kept = one
	ref, err := refOf(one.Ref)
	if err != nil {
		return step, err
	}
	account, err := u.AccountOf(ctx, v, "input.id", ref.CalendarRef(), ref.ID())
	if err != nil {
		return step, err
	}
	if step.Now, err = u.series.Whole(ctx, account, ref); err != nil && model.CodeOf(err) != model.CodeNotFound {
		return step, err
	}
	was, is := u.statesOf(ref, one.Before), u.statesOf(ref, step.Now)
	ids := map[string]bool{}
	for _, states := range []map[string]string{was, one.Left, is} {
		for id := range states {
			ids[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		switch is[id] {
		case was[id]:
		case one.Left[id]:
			step.Rest = append(step.Rest, id)
		default:
			step.Since = append(step.Since, id)
		}
	}
	if slices.Contains(step.Since, ref.Event) { // its occurrences follow it
		step.Rest, step.Since = nil, slices.Concat(step.Rest, step.Since)
	}
	return step, nil
}

// Undo implements core.Undoer. Events of linked calendars are put back some at a time; what was done before a failure
// is kept. Then all events of own calendars are put back in one transaction, or none, with the log and the action.
func (u undoer) Undo(ctx context.Context, v *core.Viewer, plan core.UndoPlan, all bool) (undone bool, err error) {
	var steps []undoStep
	if err := json.Unmarshal(plan.Steps, &steps); err != nil {
		return false, fmt.Errorf("read what is to be undone: %w", err)
	}
	var own, linked []undoStep
	for _, step := range steps {
		ref, err := refOf(step.Kept.Ref)
		if err != nil {
			return false, err
		}
		if _, isOwn := ref.CalendarRef().OwnNumber(); isOwn {
			own = append(own, step)
		} else {
			linked = append(linked, step)
		}
	}
	within, writes := kinds.WithWrites(ctx)
	committed := false
	defer func() { u.finish(ctx, writes, committed, u.placesOf(ctx, v, linked)) }()
	done, failed := u.undoSteps(within, v, linked, all, atOnce(false))
	if len(own) > 0 {
		var more []changedWhole
		err = u.Store.Write(ctx, v.User, func(ctx context.Context, _ store.Tx) (err error) {
			if more, err = u.undoSteps(ctx, v, own, all, atOnce(true)); err != nil {
				return err
			}
			return u.logUndone(ctx, v, slices.Concat(done, more), failed != nil, writes)
		})
		if err == nil {
			committed = true
			return len(done)+len(more) > 0, failed
		}
		failed = errors.Join(failed, err)
	}
	err = u.logUndone(ctx, v, done, failed != nil, writes)
	if committed = err == nil; !committed {
		core.AddError(ctx, unlogged(err))
	}
	return len(done) > 0, failed
}

// placesOf are the calendars of what is put back.
func (u undoer) placesOf(ctx context.Context, v *core.Viewer, steps []undoStep) (places []place) {
	for _, step := range steps {
		ref, err := refOf(step.Kept.Ref)
		if err != nil {
			continue
		}
		if account, err := u.AccountOf(ctx, v, "input.id", ref.CalendarRef(), ref.ID()); err == nil {
			places = append(places, place{account, ref.Calendar})
		}
	}
	return places
}

// undoSteps puts events and series back, so many at a time, and returns what has become of them beside what has failed.
func (u undoer) undoSteps(ctx context.Context, v *core.Viewer, steps []undoStep, all bool,
	atOnce int) (done []changedWhole, err error) {
	changed := make([]*changedWhole, len(steps))
	failures := make([]error, len(steps))
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, step := range steps {
		ids := step.Rest
		if all {
			ids = slices.Concat(ids, step.Since)
		}
		if len(ids) == 0 {
			continue
		}
		group.Go(func() error {
			changed[i], failures[i] = u.undoStep(ctx, v, step, ids)
			return nil
		})
	}
	_ = group.Wait() // each failure stands in its place
	for _, one := range changed {
		if one != nil {
			done = append(done, *one)
		}
	}
	return done, errors.Join(failures...)
}

// logUndone logs what was put back, and keeps it as an action; partly when it is only a part of the undoing.
func (u undoer) logUndone(ctx context.Context, v *core.Viewer, done []changedWhole, partly bool,
	writes *kinds.Writes) error {
	var log []model.Change
	for _, one := range done {
		ref, err := refOf(one.Ref)
		if err != nil {
			return err
		}
		if len(one.after) > 0 && one.after[0].Status != model.EventCancelled {
			log = append(log, changeOf(v, model.OperationUpdated, one.after[0]))
		} else {
			log = append(log, eventChange(v, model.OperationDeleted, ref, ""))
		}
	}
	return u.logEvents(ctx, v, log, done, partly, writes)
}

// undoStep puts an event or a series back, and says what has become of it; nil when nothing has.
func (u undoer) undoStep(ctx context.Context, v *core.Viewer, step undoStep, ids []string) (*changedWhole, error) {
	ref, err := refOf(step.Kept.Ref)
	if err != nil {
		return nil, err
	}
	account, err := u.AccountOf(ctx, v, "input.id", ref.CalendarRef(), ref.ID())
	if err != nil {
		return nil, err
	}
	out := changedWhole{whole: whole{Ref: step.Kept.Ref, Events: step.Now}, account: account,
		sendUpdates: step.Kept.SendUpdates}
	if dryrun.Is(ctx) {
		out.after = step.Kept.Before
		return &out, nil
	}
	failed := u.putBack(ctx, account, ref, step, ids)
	if out.after, out.Unknown = u.wholeNow(ctx, account, out.whole); out.Unknown {
		return nil, cmp.Or(failed, error(model.Errorf(model.CodeUpstreamUnavailable,
			"an event was put back, or may have been, and could not be read again; call again to see")))
	}
	if maps.Equal(u.statesOf(ref, step.Now), u.statesOf(ref, out.after)) {
		return nil, failed
	}
	return &out, failed
}

// putBack puts an event back, and then occurrences of it. With the event itself all occurrences follow that are not, or
// were not, as the rule has them, but for those that are to stay: an occurrence that was as one rule has it is no
// occurrence of another.
func (u undoer) putBack(ctx context.Context, account model.Connection, ref model.EventRef, step undoStep,
	ids []string) error {
	there := len(step.Kept.Before) > 0 && step.Kept.Before[0].Status != model.EventCancelled
	now := step.Now
	if slices.Contains(ids, ref.Event) {
		if !there {
			return u.cancel(ctx, account, ref, step.Kept.SendUpdates)
		}
		if err := u.restoreRoot(ctx, account, step); err != nil {
			return err
		}
		var err error
		if now, err = u.series.Whole(ctx, account, ref); err != nil {
			return err
		}
		for _, e := range slices.Concat(step.Kept.Before[1:], now[1:]) {
			if !slices.Contains(ids, e.Ref.Event) && !slices.Contains(step.Since, e.Ref.Event) {
				ids = append(ids[:len(ids):len(ids)], e.Ref.Event)
			}
		}
	}
	if !there {
		return nil
	}
	for _, id := range ids {
		if id == ref.Event {
			continue
		}
		if err := u.putBackOccurrence(ctx, account, ref.CalendarRef().Event(id), step, now); err != nil {
			return err
		}
	}
	return nil
}

// restoreRoot restores an event or a series itself. One that an earlier try has restored is left.
func (u undoer) restoreRoot(ctx context.Context, account model.Connection, step undoStep) error {
	var now model.Event
	if len(step.Now) > 0 {
		now = step.Now[0]
	}
	was := step.Kept.Before[0]
	_, err := u.series.Restore(ctx, account, was, now, step.Kept.SendUpdates)
	if model.CodeOf(err) != model.CodeConflict {
		return err
	}
	again, unread := u.series.Whole(ctx, account, was.Ref)
	if unread == nil && len(again) > 0 && stateOf(again[0]) == stateOf(was) {
		return nil
	}
	return err
}

// putBackOccurrence makes an occurrence of a series what it was: changed, cancelled, or as the rule has it. now is the
// series as it is.
func (u undoer) putBackOccurrence(ctx context.Context, account model.Connection, ref model.EventRef, step undoStep,
	now []model.Event) error {
	find := func(among []model.Event) (model.Event, bool) {
		i := slices.IndexFunc(among, func(e model.Event) bool { return e.Ref.Event == ref.Event })
		if i < 0 {
			return model.Event{}, false
		}
		return among[i], true
	}
	is, changed := find(now)
	was, known := find(step.Kept.Before)
	switch {
	case !known && !changed: // as the rule has it
		return nil
	case !known:
		plain, ok, err := u.series.PlainOccurrence(step.Kept.Before[0], ref, is.OriginalStart)
		if err != nil {
			return err
		}
		if was = plain; !ok {
			was.Status = model.EventCancelled
		}
	}
	switch {
	case changed && stateOf(is) == stateOf(was):
		return nil
	case was.Status == model.EventCancelled:
		return u.cancel(ctx, account, ref, step.Kept.SendUpdates)
	}
	is.Version = "" // an earlier try may have changed it
	_, err := u.series.Restore(ctx, account, was, is, step.Kept.SendUpdates)
	return err
}

// cancel deletes an event or an occurrence, which may be gone already.
func (u undoer) cancel(ctx context.Context, account model.Connection, ref model.EventRef,
	updates model.SendUpdates) error {
	_, err := u.writer.Delete(ctx, account, ref, gcal.ChangeOptions{SendUpdates: updates})
	if model.CodeOf(err) == model.CodeNotFound {
		return nil
	}
	return err
}
