package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// remotely is what was decided about an action of a remote system: noted under an Idempotency-Key before anything is
// undone, so that a repetition finishes it.
type remotely struct {
	// System is empty for an action of the own store.
	System string
	Plan   core.UndoPlan
	All    bool
	// Nonce and Expires are those of the answer that was used up; zero for none.
	Nonce   model.UUID
	Expires time.Time
}

// decideRemotely decides what to undo at a remote system, or asks.
func (r *Resolver) decideRemotely(ctx context.Context, v *core.Viewer, in graph.UndoActionInput, id model.UUID,
	out *graph.UndoActionPayload) (d remotely, again bool, err error) {
	d, again, err = core.Decided(ctx, func() (d remotely, err error) {
		action, err := undoable(ctx, r.Store, v, id)
		if err != nil {
			return d, err
		}
		system, data, remote := core.RemoteInverse(action.Inverse)
		if !remote {
			return d, nil
		}
		undoer, known := r.Undoers[system]
		if !known {
			return d, fmt.Errorf("nobody undoes actions of %q", system)
		}
		d.System = system
		if d.Plan, err = undoer.PlanUndo(ctx, v, data); err != nil {
			return d, err
		}
		if in.Confirm != nil {
			err = r.spend(ctx, v, in, &d)
			return d, err
		}
		if len(d.Plan.Since) > 0 {
			if err = r.askRemotely(ctx, v, action, d.Plan, out); err == nil {
				err = core.ErrAsked
			}
		}
		return d, err
	})
	return d, again, err
}

// spend uses an answer up.
func (r *Resolver) spend(ctx context.Context, v *core.Viewer, in graph.UndoActionInput, d *remotely) error {
	t, err := r.OpenTicket(ctx, v, in.Confirm.Token)
	if err != nil {
		return err
	}
	picked, err := t.PickTexts(model.KindAction, *in.Confirm)
	if err != nil {
		return err
	}
	for _, id := range d.Plan.Since {
		if !slices.Contains(t.Held, id) {
			return core.InvalidConfirmation("more was changed since the question; ask again without confirm")
		}
	}
	d.All, d.Nonce, d.Expires = picked[0] == undoAll, t.Nonce, t.Expires
	return r.Spend(ctx, v, t)
}

// askRemotely asks what to undo.
func (r *Resolver) askRemotely(ctx context.Context, v *core.Viewer, action model.Action, plan core.UndoPlan,
	out *graph.UndoActionPayload) error {
	since := make([]model.ID, 0, len(plan.Since))
	for _, text := range plan.Since {
		id, err := model.ParseID(text)
		if err != nil {
			return err
		}
		since = append(since, id)
	}
	question, err := r.question(ctx, r.Store, v, action, since, plan.Rest)
	if err != nil {
		return err
	}
	if plan.Mails {
		question.Text += " " + mails(v.Locale)
	}
	out.Confirmation, err = r.Ask(ctx, v, question)
	return err
}

// undoRemotely undoes what was decided.
func (r *Resolver) undoRemotely(ctx context.Context, v *core.Viewer, id model.UUID, d remotely, again bool) error {
	undone := false
	var answer *core.Ticket
	if d.Nonce != (model.UUID{}) {
		answer = &core.Ticket{Nonce: d.Nonce, Expires: d.Expires}
	}
	defer func() { r.Unless(ctx, &undone, v, answer) }()
	if d.All && d.Plan.All == 0 || !d.All && d.Plan.Rest == 0 {
		return refuse("nothing of it is left to undo: all is as it was before")
	}
	found, err := r.Store.ActionsByID(ctx, v.User, []model.UUID{id}, 0)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return model.NotFound("input.id", "you have no action %s", model.ID{Kind: model.KindAction, UUID: id})
	}
	if again && found[0].UndoneBy != (model.UUID{}) {
		undone = true // by the earlier try
		return nil
	}
	actions, err := chain(ctx, r.Store, v, found[0])
	if err != nil {
		return err
	}
	act := core.ActFrom(ctx)
	describe(act, v, actions)
	act.Then = func(ctx context.Context, tx store.Tx) error { return note(ctx, tx, act, actions) }
	undone, err = r.Undoers[d.System].Undo(ctx, v, d.Plan, d.All)
	return err
}

// undoOwn undoes what was done in the own store, in one transaction.
func (r *Resolver) undoOwn(ctx context.Context, v *core.Viewer, in graph.UndoActionInput, id model.UUID,
	out *graph.UndoActionPayload) error {
	_, err := core.Once(ctx, r.Base, v, func(ctx context.Context, tx store.Tx) (json.RawMessage, error) {
		err := r.undo(ctx, tx, v, in, id, out)
		if err == nil && out.Confirmation != nil {
			err = core.ErrAsked
		}
		return json.RawMessage("{}"), err
	})
	if errors.Is(err, core.ErrAsked) {
		return nil
	}
	return err
}
