package core

import (
	"context"
	"errors"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
)

// oldest asks the change log from its oldest entry that is stored.
const oldest = -1

// ChangesAfter reads the change log; a nil place means from the oldest entry stored.
func (r *Base) ChangesAfter(ctx context.Context, user model.UserID, after *int64, types []model.ChangeType,
	limit int) ([]model.Change, error) {
	place := int64(oldest)
	if after != nil {
		place = *after
	}
	changes, err := r.Store.Changes(ctx, user, place, types, limit)
	if errors.Is(err, store.ErrCursorExpired) {
		e := model.Errorf(model.CodeConflict,
			"changes are kept for %d days and this cursor is older, or a backup was restored after it was given out; "+
				"read everything anew and go on from latestCursor",
			int(r.Keep.Hours()/24))
		e.Field = model.FieldPath("after")
		return nil, e
	}
	return changes, err
}

// IdsOf returns the ids of one kind among the changes, each once.
func IdsOf(changes []model.Change, kind model.ChangeType) []model.UUID {
	var ids []model.UUID
	seen := make(map[model.UUID]bool)
	for _, change := range changes {
		if change.Type == kind && !seen[change.ID] {
			seen[change.ID] = true
			ids = append(ids, change.ID)
		}
	}
	return ids
}

// ChangedIDs are the ids of one kind among the changes, each once, without such as were deleted since.
func ChangedIDs(changes []model.Change, kind model.ChangeType) []model.ID {
	last := make(map[model.ID]model.Operation)
	var order []model.ID
	for _, change := range changes {
		if change.Type != kind {
			continue
		}
		id := projections.ChangedID(change)
		if _, again := last[id]; !again {
			order = append(order, id)
		}
		last[id] = change.Operation
	}
	var out []model.ID
	for _, id := range order {
		if last[id] != model.OperationDeleted {
			out = append(out, id)
		}
	}
	return out
}
