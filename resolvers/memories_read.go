package resolvers

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

func memoryPurpose(order model.MemoryOrder) string { return "memories " + string(order.Field) }

func decodeMemoryPlace(payload []byte) (store.MemoryPlace, bool) {
	id, at, _, err := decodePlace(payload)
	return store.MemoryPlace{ID: id, At: at}, err == nil
}

// memoryConnection answers the memories query with one call to the store.
func (r *Resolver) memoryConnection(ctx context.Context, filter *graph.MemoryFilter, orderBy *model.MemoryOrder,
	args pageArgs) (*projections.MemoryConnection, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	query := store.MemoryQuery{Now: v.Now,
		Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Descending}}
	if orderBy != nil {
		query.Order = *orderBy
	}
	purpose := memoryPurpose(query.Order)
	page, err := window(r, v, args, purpose, decodeMemoryPlace)
	if err != nil {
		return nil, err
	}
	if query.Where, err = memoryWhere(v, filter, "filter"); err != nil {
		return nil, err
	}
	asked := answered(ctx)
	query.Columns = asked.items("MemoryEdge", "Memory").memoryColumns()
	if asked.has("nodes", "edges", "pageInfo", "compact") {
		query.Page = page
	}
	query.Total = asked.has("totalCount") ||
		asked.has("isEmpty", "context") && (query.Page == nil || page.After != nil || page.Before != nil)
	answer, err := r.Store.Memories(ctx, v.user, query)
	if err != nil {
		return nil, err
	}
	return &projections.MemoryConnection{Page: projections.Page[projections.Memory]{
		Items: r.memoriesAt(v, answer.Memories),
		Cursor: func(i int) string {
			return r.Sealer.Seal(purpose, v.user, encodePlace(answer.Places[i].ID, answer.Places[i].At, ""))
		},
		HasNext: answer.HasNext, HasPrevious: answer.HasPrevious, Total: answer.Total,
	}}, nil
}

// memory answers memory(id).
func (r *Resolver) memory(ctx context.Context, text string) (*projections.Memory, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := ownID("id", text, model.KindMemory)
	if err != nil {
		return nil, err
	}
	found, err := oneMemory(ctx, r.Store, v, "id", id, answered(ctx).memoryColumns())
	if err != nil {
		return nil, err
	}
	view := r.memoryAt(v, found)
	return &view, nil
}

// memoryStatus answers the query of that name.
func (r *Resolver) memoryStatus(ctx context.Context) (*projections.MemoryStatus, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := r.Store.MemoryCounts(ctx, v.user, v.Now)
	if err != nil {
		return nil, err
	}
	r.models.note(v, counts.Models)
	return &projections.MemoryStatus{Counts: counts, Model: r.Embedder.Model()}, nil
}

// memoryChanges answers the memoryChanged subscription.
func (r *Resolver) memoryChanges(ctx context.Context, after *string) (<-chan *projections.MemoryChange, error) {
	asked := answered(ctx).under("memory", "Memory")
	return follow(ctx, r, model.ChangeMemory, after,
		func(ctx context.Context, events []event) ([]*projections.MemoryChange, error) {
			var now map[model.UUID]model.Memory
			if len(asked.fields) > 0 {
				var err error
				if now, err = memoriesBy(ctx, r.Store, events[0].v, idsOf(linesOf(events), model.ChangeMemory),
					asked.memoryColumns()); err != nil {
					return nil, err
				}
			}
			out := make([]*projections.MemoryChange, len(events))
			for i, e := range events {
				out[i] = &projections.MemoryChange{Change: projections.ChangeAt(e.line, nil, e.cursor, e.v.Moment)}
				if memory, there := now[e.line.ID]; there {
					view := r.memoryAt(e.v, memory)
					out[i].Memory = &view
				}
			}
			return out, nil
		})
}
