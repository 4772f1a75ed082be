package memories

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// MemoryAt is the view of a memory. The answer tells of it.
func (r *Resolver) MemoryAt(v *core.Viewer, memory model.Memory) projections.Memory {
	v.About.Tells(model.ID{Kind: model.KindMemory, UUID: memory.ID})
	return projections.MemoryAt(memory, r.Embedder.Model().Name, v.Moment)
}

// memoriesAt are the views of memories; never nil.
func (r *Resolver) memoriesAt(v *core.Viewer, memories []model.Memory) []projections.Memory {
	for i := range memories {
		v.About.Tells(model.ID{Kind: model.KindMemory, UUID: memories[i].ID})
	}
	return projections.MemoriesAt(memories, r.Embedder.Model().Name, v.Moment)
}

// noMemory is the response context of a payload in which no memory is concerned.
func noMemory() *projections.MemoryContext { return projections.MemoryContextOf(nil) }

func memoryID(id model.UUID) string { return model.ID{Kind: model.KindMemory, UUID: id}.String() }

// memoriesBy returns memories by their ids, as they are now.
func memoriesBy(ctx context.Context, from store.MemoryReader, v *core.Viewer, ids []model.UUID,
	columns store.MemoryColumns) (map[model.UUID]model.Memory, error) {
	out := make(map[model.UUID]model.Memory, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	found, err := from.MemoriesByID(ctx, v.User, ids, v.Now, columns)
	if err != nil {
		return nil, err
	}
	for _, memory := range found {
		out[memory.ID] = memory
	}
	return out, nil
}

// oneMemory returns the memory of an id. NOT_FOUND, about the field given.
func oneMemory(ctx context.Context, from store.MemoryReader, v *core.Viewer, field string, id model.UUID,
	columns store.MemoryColumns) (model.Memory, error) {
	found, err := from.MemoriesByID(ctx, v.User, []model.UUID{id}, v.Now, columns)
	if err != nil {
		return model.Memory{}, err
	}
	if len(found) == 0 {
		return model.Memory{}, model.NotFound(field, "you have no memory %s", memoryID(id))
	}
	return found[0], nil
}

// written reads what a payload's field shows of a memory that this transaction has written, beyond the row, which is at
// hand.
func written(ctx context.Context, tx store.Tx, v *core.Viewer, field string,
	memory model.Memory) (model.Memory, error) {
	columns := MemoryColumns(core.Answered(ctx).Under(field, "Memory"))
	if columns&beyondRow == 0 {
		return memory, nil
	}
	return oneMemory(ctx, tx, v, "", memory.ID, store.MemoryRow|columns)
}
