package knowledge

import (
	"context"
	"slices"
	"strconv"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// UpdateEntity changes an entity.
func (r *Resolver) UpdateEntity(ctx context.Context, in graph.UpdateEntityInput) (*graph.UpdateEntityPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateEntityPayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	meant, err := r.Meant(ctx, v, r.entityTarget(v, in.ID, in.Target, in.Confirm, false))
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	entity, err := r.changeEntity(ctx, v, in, meant)
	if err != nil {
		r.GiveBack(ctx, v, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	view := entityAt(v, entity)
	out.Entity, out.Context = &view, &projections.KnowledgeContext{}
	return out, nil
}

func (r *Resolver) changeEntity(ctx context.Context, v *core.Viewer, in graph.UpdateEntityInput,
	meant core.Meant) (model.Entity, error) {
	id, err := r.servedID(meant.Field, meant.IDs[0], model.KindEntity)
	if err != nil {
		return model.Entity{}, err
	}
	if core.EmptyPatch(in.Set) {
		return model.Entity{}, model.BadInput("input.set", "set is empty; say what to change")
	}
	version, err := core.Version("input.ifVersion", in.IfVersion)
	if err != nil {
		return model.Entity{}, err
	}
	change := func(entity *model.Entity) error { return patchEntity(entity, in.Set) }
	entity, err := r.KnowledgeBase.UpdateEntity(ctx, v.User, id, version, change, v.Now)
	switch model.CodeOf(err) {
	case model.CodeConflict:
		return entity, core.AtField(err, "input.ifVersion")
	default:
		return entity, core.AtField(err, meant.Field)
	}
}

// MergeEntities makes several entities one.
func (r *Resolver) MergeEntities(ctx context.Context,
	in graph.MergeEntitiesInput) (*graph.MergeEntitiesPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.MergeEntitiesPayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	into, others, err := r.readMerge(in)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	merged, err := r.KnowledgeBase.Merge(ctx, v.User, into, others, v.Now)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, core.AtField(err, "input"))
		return out, nil
	}
	view := entityAt(v, merged.Entity)
	out.Entity, out.Context = &view, &projections.KnowledgeContext{IsEmpty: merged.Merged == 0}
	out.Merged, out.FactsMoved, out.FactsJoined = int32(merged.Merged), int32(merged.FactsMoved), int32(merged.Joined)
	return out, nil
}

// readMerge reads which entities become part of which.
func (r *Resolver) readMerge(in graph.MergeEntitiesInput) (into model.ID, others []model.ID, err error) {
	if into, err = r.servedID("input.into", in.Into, model.KindEntity); err != nil {
		return into, nil, err
	}
	if n := len(in.Entities); n == 0 || n > model.MaxMergedEntities {
		return into, nil, model.BadInput("input.entities", "one request merges 1 to %d entities, not %d",
			model.MaxMergedEntities, n)
	}
	for i, text := range in.Entities {
		field := "input.entities." + strconv.Itoa(i)
		id, err := r.servedID(field, text, model.KindEntity)
		if err != nil {
			return into, nil, err
		}
		if id == into {
			return into, nil, model.BadInput(field, "%s is the entity that stays; name the others", id)
		}
		if !slices.Contains(others, id) {
			others = append(others, id)
		}
	}
	return into, others, nil
}
