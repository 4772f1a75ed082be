package actions

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

const purposeActions = "actions"

// maxKinds is how many names of mutations a filter takes.
const maxKinds = 100

// ActionConnection answers the actions query.
func (r *Resolver) ActionConnection(ctx context.Context, filter *graph.ActionFilter, first *int32,
	afterText *string) (*projections.ActionConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	after, err := core.OpenCursor(r.Base, v, "after", purposeActions, afterText, decodeID)
	if err != nil {
		return nil, err
	}
	where, err := whereOf(v, filter)
	if err != nil {
		return nil, err
	}
	out := &projections.ActionConnection{}
	out.HasPrevious = after != nil
	if after == nil {
		after = new(model.UUID)
	}
	found, err := r.Store.Actions(ctx, v.User, where, *after, limit+1)
	if err != nil {
		return nil, err
	}
	if len(found) > limit {
		found, out.HasNext = found[:limit], true
	}
	out.Items = projections.ActionsAt(found, v.Moment)
	out.Cursor = func(i int) string { return r.Sealer.Seal(purposeActions, v.User, found[i].ID[:]) }
	return out, nil
}

func decodeID(payload []byte) (id model.UUID, ok bool) {
	return id, copy(id[:], payload) == len(id) && len(payload) == len(id)
}

// whereOf reads a filter.
func whereOf(v *core.Viewer, filter *graph.ActionFilter) (where store.ActionWhere, err error) {
	where.Now = v.Now
	if filter == nil {
		return where, nil
	}
	if len(filter.Kinds) > maxKinds {
		return where, model.BadInput("filter.kinds", "a filter takes at most %d kinds, not %d", maxKinds, len(filter.Kinds))
	}
	where.Kinds, where.Sources, where.Undoable = filter.Kinds, filter.Sources, filter.Undoable
	if filter.Touched != nil {
		id, err := model.ParseID(*filter.Touched)
		if err != nil {
			return where, model.BadInput("filter.touched", "%q is not an id", model.Clip(*filter.Touched))
		}
		where.Touched = id.UUID
	}
	if filter.From != nil {
		where.From = when.Resolve(*filter.From, v.Zone)
	}
	if filter.To != nil {
		where.To = when.Resolve(*filter.To, v.Zone)
	}
	return where, nil
}

// Action answers action(id).
func (r *Resolver) Action(ctx context.Context, text string) (*projections.Action, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := core.OwnID("id", text, model.KindAction)
	if err != nil {
		return nil, err
	}
	view, err := r.one(ctx, v, id)
	if err == nil && view == nil {
		err = model.NotFound("id", "you have no action %s", text)
	}
	return view, err
}

// one reads an action; nil when there is none.
func (r *Resolver) one(ctx context.Context, v *core.Viewer, id model.UUID) (*projections.Action, error) {
	if id == (model.UUID{}) {
		return nil, nil
	}
	found, err := r.Store.ActionsByID(ctx, v.User, []model.UUID{id}, 0)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	view := projections.ActionAt(found[0], v.Moment)
	return &view, nil
}

// UndoneBy answers Action.undoneBy.
func (r *Resolver) UndoneBy(ctx context.Context, of *projections.Action) (*projections.Action, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	return r.one(ctx, v, of.Record().UndoneBy)
}

// Undoes answers Action.undoes.
func (r *Resolver) Undoes(ctx context.Context, of *projections.Action) (*projections.Action, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	return r.one(ctx, v, of.Record().Undoes)
}
