package sqlite

import (
	"context"

	"almanac/graph/model"
)

// DeleteMemories: see store.MemoryWriter. What is deleted is overwritten in the file; copies of it go with the next
// Sweep (see scrub).
func (f *frame) DeleteMemories(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return changing(ctx, f, "delete memories", func(q *session) ([]model.UUID, error) { return f.eraseMemories(q, ids) })
}

// eraseMemories deletes memories with everything that hangs on them; with a time only those that have expired by then.
// Versions go by the foreign key.
func (f *frame) eraseMemories(q *session, ids []model.UUID, expired ...condition) (deleted []model.UUID, err error) {
	deleted, err = f.eraseRows(q, &memoryPopulation, ids, expired...)
	if err != nil {
		return nil, err
	}
	erased := ids // what an undone action has taken away may still be in its inverse
	if len(expired) > 0 {
		erased = deleted
	}
	if err := f.eraseActions(q, erased); err != nil || len(deleted) == 0 {
		return nil, err
	}
	if err := f.eraseAnswers(q, model.KindMemory, deleted); err != nil {
		return nil, err
	}
	return deleted, f.log(q, model.ChangeMemory, model.OperationDeleted, deleted...)
}
