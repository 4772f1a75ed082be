package actions

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"almanac/adapters/store"
	"almanac/adapters/store/record"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/summary"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// The answers to the question what to undo.
const (
	undoRest = "rest"
	undoAll  = "all"
)

// UndoAction undoes an action, or asks what to do about what was changed since.
func (r *Resolver) UndoAction(ctx context.Context, in graph.UndoActionInput) (*graph.UndoActionPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UndoActionPayload{UserErrors: []model.UserError{}}
	id, err := core.OwnID("input.id", in.ID, model.KindAction)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	_, done, err := core.Earlier[json.RawMessage](ctx, r.Base, v)
	if err == nil && !done {
		var d remotely
		var again bool
		d, again, err = r.decideRemotely(ctx, v, in, id, out)
		switch {
		case errors.Is(err, core.ErrAsked):
			return out, nil
		case err != nil:
		case d.System != "":
			err = r.undoRemotely(ctx, v, id, d, again)
		default:
			err = r.undoOwn(ctx, v, in, id, out)
		}
	}
	if err == nil {
		r.Settings.Forget(v.User) // they may be what has come back
		r.Embedder.Wake()
		out.Undone, err = r.undone(ctx, v, id)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
	}
	return out, nil
}

// undone reads the action that was undone; in a dry run as it would be.
func (r *Resolver) undone(ctx context.Context, v *core.Viewer, id model.UUID) (*projections.Action, error) {
	view, err := r.one(ctx, v, id)
	act := core.ActFrom(ctx)
	if err != nil || view == nil || !dryrun.Is(ctx) || !act.IsDone() {
		return view, err
	}
	record := view.Record()
	if record.UndoneBy, err = act.ID(ctx); err != nil {
		return nil, err
	}
	would := projections.ActionAt(record, v.Moment)
	return &would, nil
}

// undo undoes what was done in the own store, or asks.
func (r *Resolver) undo(ctx context.Context, tx store.Tx, v *core.Viewer, in graph.UndoActionInput, id model.UUID,
	out *graph.UndoActionPayload) error {
	action, err := undoable(ctx, tx, v, id)
	if err != nil {
		return err
	}
	plan, err := record.PlanUndo(ctx, tx, r.Store, v.User, v.Now, action.Inverse)
	if err != nil {
		return err
	}
	all, err := r.decide(ctx, tx, v, in, action, plan, out)
	if err != nil || out.Confirmation != nil {
		return err
	}
	if !plan.Acts(all) {
		return refuse("nothing of it is left to undo: all is as it was before")
	}
	actions, err := chain(ctx, tx, v, action)
	if err != nil {
		return err
	}
	act := core.ActFrom(ctx)
	describe(act, v, actions)
	if err := plan.Do(ctx, all); err != nil {
		return taken(err)
	}
	return note(ctx, tx, act, actions)
}

// refuse is CONFLICT at the action's id.
func refuse(format string, args ...any) error {
	e := model.Errorf(model.CodeConflict, format, args...)
	e.Field = model.FieldPath("input.id")
	return e
}

// undoable reads an action that can be undone. NOT_FOUND; CONFLICT with the reason why it cannot.
func undoable(ctx context.Context, tx store.ActionReader, v *core.Viewer, id model.UUID) (model.Action, error) {
	found, err := tx.ActionsByID(ctx, v.User, []model.UUID{id}, store.ActionInverse)
	if err != nil {
		return model.Action{}, err
	}
	if len(found) == 0 {
		return model.Action{}, model.NotFound("input.id", "you have no action %s", model.ID{Kind: model.KindAction, UUID: id})
	}
	action := found[0]
	switch {
	case action.UndoneBy != (model.UUID{}):
		return action, refuse("the action was undone already, by %s; undo that one to do it again",
			model.ID{Kind: model.KindAction, UUID: action.UndoneBy})
	case action.UndoUntil.IsZero():
		return action, refuse("the action cannot be undone: it erased or sent something, or what it touched was erased since")
	case !v.Now.Before(action.UndoUntil), action.Inverse == nil:
		return action, refuse("the action could be undone until %s", when.FormatShort(action.UndoUntil, v.Moment.Moment))
	}
	return action, nil
}

// decide reports whether to undo all, or asks.
func (r *Resolver) decide(ctx context.Context, tx store.Tx, v *core.Viewer, in graph.UndoActionInput,
	action model.Action, plan *record.Plan, out *graph.UndoActionPayload) (all bool, err error) {
	if in.Confirm != nil {
		ticket, err := r.OpenTicket(ctx, v, in.Confirm.Token)
		if err != nil {
			return false, err
		}
		picked, err := ticket.PickTexts(model.KindAction, *in.Confirm)
		if err != nil {
			return false, err
		}
		since := idsText(plan.Since)
		for _, id := range since {
			if !slices.Contains(ticket.Held, id) {
				return false, core.InvalidConfirmation("more was changed since the question; ask again without confirm")
			}
		}
		return picked[0] == undoAll, core.Use(ctx, tx, ticket)
	}
	if len(plan.Since) == 0 {
		return false, nil
	}
	question, err := r.question(ctx, tx, v, action, plan.Since, plan.Rest)
	if err != nil {
		return false, err
	}
	out.Confirmation, err = r.Ask(ctx, v, question)
	return false, err
}

// question asks what to undo and says by what was changed since.
func (r *Resolver) question(ctx context.Context, tx store.ActionReader, v *core.Viewer, action model.Action,
	changed []model.ID, rest int) (core.Question, error) {
	var since []string
	for _, id := range changed {
		later, err := tx.Actions(ctx, v.User, store.ActionWhere{Touched: id.UUID}, model.UUID{}, maxLater)
		if err != nil {
			return core.Question{}, err
		}
		for _, one := range later {
			said := projections.ActionAt(one, v.Moment).Summary()
			if slices.Compare(one.ID[:], action.ID[:]) > 0 && one.UndoneBy == (model.UUID{}) &&
				!slices.Contains(since, said) {
				since = append(since, said)
			}
		}
	}
	q := core.Question{Kind: model.UndoChanged, Text: asking(v.Locale, len(changed), rest, since), Held: idsText(changed)}
	restLabel, allLabel := labels(v.Locale)
	if rest > 0 {
		q.Texts = append(q.Texts, undoRest)
		q.Candidates = append(q.Candidates, projections.Candidate{Key: undoRest, Label: restLabel, Score: 1})
	}
	q.Texts = append(q.Texts, undoAll)
	q.Candidates = append(q.Candidates, projections.Candidate{Key: undoAll, Label: allLabel, Score: 1})
	return q, nil
}

// maxLater is how many of the actions that touched a record since are looked at for a question.
const maxLater = 5

func idsText(ids []model.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

// chain is an action, the one that it has undone, the one that that one has undone, and so on.
func chain(ctx context.Context, tx store.ActionReader, v *core.Viewer, action model.Action) ([]model.Action, error) {
	all := []model.Action{action}
	for action.Undoes != (model.UUID{}) {
		below, err := tx.ActionsByID(ctx, v.User, []model.UUID{action.Undoes}, 0)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			break
		}
		action = below[0]
		all = append(all, action)
	}
	return all, nil
}

// describe says of the undoing what is undone: undoing an undoing does again what was done.
func describe(act *core.Act, v *core.Viewer, all []model.Action) {
	act.Undoes = all[0].ID
	act.Say = func() string {
		done := all[len(all)-1]
		if len(all)%2 == 0 {
			return summary.Redone(done.Summary, v.Moment.Moment)
		}
		return summary.Undone(done.Summary, v.Moment.Moment)
	}
}

// note notes what is undone now: the action itself, and with an undoing that is undone, what that one had undone is in
// force again, and so on.
func note(ctx context.Context, tx store.Tx, act *core.Act, all []model.Action) error {
	by, err := act.ID(ctx)
	if err != nil {
		return err
	}
	for i, one := range all {
		undone := model.UUID{}
		if i%2 == 0 {
			undone = by
		}
		if err := tx.SetUndone(ctx, one.ID, undone); err != nil {
			return err
		}
	}
	return nil
}

// taken turns a name that is taken by now into an error for the client.
func taken(err error) error {
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	return refuse("a list that would come back has a name that another list has now; rename that one first")
}
