package record

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// memories are memories with their histories. Their vectors are made anew by the worker.
type memories struct{}

func (memories) read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error) {
	found, err := in.tx.MemoriesByID(ctx, in.user, ids, in.now, store.MemoryRow|store.MemoryHistory)
	if err != nil {
		return nil, err
	}
	records := make(map[model.UUID]any, len(found))
	for i := range found {
		records[found[i].ID] = &found[i]
	}
	return records, nil
}

func (memories) layout() layout {
	return layout{
		fixed: []string{"ID", "CreatedAt", "UpdatedAt", "Version", "History"},
		left:  []string{"Embedding"},
	}
}

func (memories) join(parts Parts) (any, error) { return joined[model.Memory](parts) }

func (memories) about(any) []model.ID { return nil }

func (memories) put(ctx context.Context, in scope, changes []change) error {
	var gone []model.ID
	for _, c := range changes {
		want, _ := c.want.(*model.Memory)
		if want == nil {
			gone = append(gone, c.id)
			continue
		}
		want.UpdatedAt = in.now
		if now, there := c.now.(*model.Memory); there {
			want.Version = now.Version + 1
			if err := in.tx.UpdateMemory(ctx, *want, model.MemoryRestored); err != nil {
				return err
			}
			continue
		}
		history := want.History
		if err := in.tx.InsertMemories(ctx, []model.Memory{*want}); err != nil {
			return err
		}
		if err := in.tx.RestoreHistory(ctx, want.ID, history); err != nil {
			return err
		}
	}
	return in.tx.Withdraw(ctx, gone)
}

// InsertMemories records and writes.
func (t *recording) InsertMemories(ctx context.Context, memories []model.Memory) error {
	for i := range memories {
		t.creating(model.KindMemory, memories[i].ID)
	}
	return t.Tx.InsertMemories(ctx, memories)
}

// UpdateMemory records and writes.
func (t *recording) UpdateMemory(ctx context.Context, memory model.Memory, reason model.MemoryReason) error {
	if err := t.before(ctx, model.KindMemory, memory.ID); err != nil {
		return err
	}
	return t.Tx.UpdateMemory(ctx, memory, reason)
}

// RestoreHistory records and writes.
func (t *recording) RestoreHistory(ctx context.Context, memory model.UUID, versions []model.MemoryVersion) error {
	if err := t.before(ctx, model.KindMemory, memory); err != nil {
		return err
	}
	return t.Tx.RestoreHistory(ctx, memory, versions)
}

// DeleteMemories notes what was erased.
func (t *recording) DeleteMemories(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	deleted, err := t.Tx.DeleteMemories(ctx, ids)
	t.erased(model.KindMemory, deleted...)
	return deleted, err
}

// Withdraw records and writes.
func (t *recording) Withdraw(ctx context.Context, ids []model.ID) error {
	for _, id := range ids {
		if err := t.before(ctx, id.Kind, id.UUID); err != nil {
			return err
		}
	}
	return t.Tx.Withdraw(ctx, ids)
}
