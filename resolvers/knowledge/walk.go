package knowledge

import (
	"context"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/walk"
	"almanac/resolvers/core"
)

const defaultNeighbours = 25

// around reads facts around entities for a walk: those that where wants, with what is wanted of them.
func (r *Resolver) around(ctx context.Context, v *core.Viewer, where store.FactWhere, want store.FactWant) walk.Around {
	want.Fact |= store.FactCreatedAt // ties go to the newest
	return func(entities []model.ID, perEntity, limit int) ([]model.Fact, bool, error) {
		return r.KnowledgeBase.FactsAround(ctx, v.User,
			knowledge.Around{Entities: entities, Where: where, PerEntity: perEntity, Limit: limit, Want: want})
	}
}

// Neighbours answers Entity.neighbours with at most one call to the base for each step.
func (r *Resolver) Neighbours(ctx context.Context, entity *projections.Entity, depth int32, asOf *model.DateTimeInput,
	withOthers bool, relations []string, first *int32) (*projections.Neighbourhood, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	if depth < 1 || depth > model.MaxNeighbourDepth {
		return nil, model.BadInput("depth", "depth is %d; it must be from 1 to %d", depth, model.MaxNeighbourDepth)
	}
	limit, err := projections.PageSize("first", first, defaultNeighbours)
	if err != nil {
		return nil, err
	}
	where, err := heldAt(v, asOf, withOthers)
	if err != nil {
		return nil, err
	}
	if where.Relations, err = cleanRelations("relations", relations); err != nil {
		return nil, err
	}
	asked := core.Answered(ctx).Under("neighbours", "Neighbour")
	want := factWant(asked.Under("via", "Fact"))
	want.Ends |= entityColumns(asked.Under("entity", "Entity"))
	found, truncated, err := walk.Neighbours(entity.ID(), int(depth), limit, r.around(ctx, v, where, want))
	if err != nil {
		return nil, err
	}
	entities, facts := make([]model.Entity, len(found)), make([]model.Fact, len(found))
	for i, one := range found {
		entities[i], facts[i] = one.Entity, one.Via
	}
	out := &projections.Neighbourhood{Neighbours: make([]projections.Neighbour, len(found)), Truncated: truncated}
	views, via := entitiesAt(v, entities), factsAt(v, facts)
	for i, one := range found {
		out.Neighbours[i] = projections.Neighbour{Entity: views[i], Distance: one.Distance, Via: via[i]}
	}
	return out, nil
}

// KnowledgePath answers knowledge.path with at most one call to the base for each step, beside that for the ends.
func (r *Resolver) KnowledgePath(ctx context.Context, fromText, toText string, longest int32, asOf *model.DateTimeInput,
	withOthers bool) (*projections.KnowledgePath, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	if longest < 1 || longest > model.MaxPathLength {
		return nil, model.BadInput("maxLength", "maxLength is %d; it must be from 1 to %d", longest, model.MaxPathLength)
	}
	where, err := heldAt(v, asOf, withOthers)
	if err != nil {
		return nil, err
	}
	asked := core.Answered(ctx)
	columns := entityColumns(asked.Under("entities", "Entity"))
	from, to, err := r.pathEnds(ctx, v, fromText, toText, columns)
	if err != nil {
		return nil, err
	}
	want := factWant(asked.Under("facts", "Fact"))
	want.Ends |= columns
	way, _, err := walk.Path(from.ID, to.ID, int(longest), r.around(ctx, v, where, want))
	if err != nil || way == nil {
		return nil, err
	}
	if len(way.Facts) == 0 {
		way.Entities = []model.Entity{from}
	}
	return &projections.KnowledgePath{Entities: entitiesAt(v, way.Entities), Facts: factsAt(v, way.Facts)}, nil
}

// pathEnds returns the entities at both ends, read in one call; those that became part of another stand for that one.
// NOT_FOUND.
func (r *Resolver) pathEnds(ctx context.Context, v *core.Viewer, fromText, toText string,
	want store.EntityColumns) (from, to model.Entity, err error) {
	fromID, err := r.servedID("from", fromText, model.KindEntity)
	if err != nil {
		return from, to, err
	}
	toID, err := r.servedID("to", toText, model.KindEntity)
	if err != nil {
		return from, to, err
	}
	found, err := r.KnowledgeBase.EntitiesByID(ctx, v.User, core.Distinct([]model.ID{fromID, toID}), want)
	if err != nil {
		return from, to, err
	}
	var there bool
	if from, there = found[fromID]; !there {
		return from, to, noKnowledgeOf("from", fromID)
	}
	if to, there = found[toID]; !there {
		return from, to, noKnowledgeOf("to", toID)
	}
	return from, to, nil
}
