package memories

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

func memoryPurpose(order model.MemoryOrder) string { return "memories " + string(order.Field) }

func decodeMemoryPlace(payload []byte) (store.MemoryPlace, bool) {
	id, at, _, err := core.DecodePlace(payload)
	return store.MemoryPlace{ID: id, At: at}, err == nil
}

// MemoryConnection answers the memories query with one call to the store.
func (r *Resolver) MemoryConnection(ctx context.Context, filter *graph.MemoryFilter, orderBy *model.MemoryOrder,
	args core.PageArgs) (*projections.MemoryConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	query := store.MemoryQuery{Now: v.Now,
		Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Descending}}
	if orderBy != nil {
		query.Order = *orderBy
	}
	purpose := memoryPurpose(query.Order)
	page, err := core.Window(r.Base, v, args, purpose, decodeMemoryPlace)
	if err != nil {
		return nil, err
	}
	if query.Where, err = memoryWhere(v, filter, "filter"); err != nil {
		return nil, err
	}
	asked := core.Answered(ctx)
	query.Columns = MemoryColumns(asked.Items("MemoryEdge", "Memory"))
	if asked.Has("nodes", "edges", "pageInfo", "compact") {
		query.Page = page
	}
	query.Total = asked.Has("totalCount") ||
		asked.Has("isEmpty", "context") && (query.Page == nil || page.After != nil || page.Before != nil)
	answer, err := r.Store.Memories(ctx, v.User, query)
	if err != nil {
		return nil, err
	}
	return &projections.MemoryConnection{Page: projections.Page[projections.Memory]{
		Items: r.memoriesAt(v, answer.Memories),
		Cursor: func(i int) string {
			return r.Sealer.Seal(purpose, v.User, core.EncodePlace(answer.Places[i].ID, answer.Places[i].At, ""))
		},
		HasNext: answer.HasNext, HasPrevious: answer.HasPrevious, Total: answer.Total,
	}}, nil
}

// Memory answers memory(id).
func (r *Resolver) Memory(ctx context.Context, text string) (*projections.Memory, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := core.OwnID("id", text, model.KindMemory)
	if err != nil {
		return nil, err
	}
	found, err := oneMemory(ctx, r.Store, v, "id", id, core.Asked(ctx, MemoryColumns))
	if err != nil {
		return nil, err
	}
	view := r.MemoryAt(v, found)
	return &view, nil
}

// MemoryStatus answers the query of that name.
func (r *Resolver) MemoryStatus(ctx context.Context) (*projections.MemoryStatus, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := r.Store.MemoryCounts(ctx, v.User, v.Now)
	if err != nil {
		return nil, err
	}
	r.models.note(v, counts.Models)
	return &projections.MemoryStatus{Counts: counts, Model: r.Embedder.Model()}, nil
}

// MemoryChanges answers the memoryChanged subscription.
func (r *Resolver) MemoryChanges(ctx context.Context, after *string) (<-chan *projections.MemoryChange, error) {
	return core.Follow(ctx, r.Base, model.ChangeMemory, after, r.LoadMemoryChanges(core.Answered(ctx)))
}

// LoadMemoryChanges returns what loads changes of memories, with what is selected of them.
func (r *Resolver) LoadMemoryChanges(selected core.Selection) core.LoadChanges[*projections.MemoryChange] {
	asked := selected.Under("memory", "Memory")
	return func(ctx context.Context, events []core.Event) ([]*projections.MemoryChange, error) {
		var now map[model.UUID]model.Memory
		if len(asked.Fields) > 0 {
			var err error
			wanted := MemoryColumns(asked)
			if now, err = core.LoadOnce(events, wanted, func() (map[model.UUID]model.Memory, error) {
				return memoriesBy(ctx, r.Store, events[0].V, core.IdsOf(core.LinesOf(events), model.ChangeMemory), wanted)
			}); err != nil {
				return nil, err
			}
		}
		out := make([]*projections.MemoryChange, len(events))
		for i, e := range events {
			out[i] = &projections.MemoryChange{Change: e.Change(nil)}
			if memory, there := now[e.Line.ID]; there {
				view := r.MemoryAt(e.V, memory)
				out[i].Memory = &view
			}
		}
		return out, nil
	}
}
