package core

import (
	"context"
	"errors"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
)

// oldest asks the change log from its oldest line that is kept.
const oldest = -1

// ChangesAfter reads the change log; a nil place means from the oldest line kept.
func (r *Base) ChangesAfter(ctx context.Context, user model.UserID, after *int64, types []model.ChangeType,
	limit int) ([]model.Change, error) {
	place := int64(oldest)
	if after != nil {
		place = *after
	}
	lines, err := r.Store.Changes(ctx, user, place, types, limit)
	if errors.Is(err, store.ErrCursorExpired) {
		e := model.Errorf(model.CodeConflict,
			"changes are kept for %d days and this cursor is older, or a backup was restored after it was given out; "+
				"read everything anew and go on from latestCursor",
			int(r.Keep.Hours()/24))
		e.Field = model.FieldPath("after")
		return nil, e
	}
	return lines, err
}

// IdsOf returns the ids of one kind among the lines, each once.
func IdsOf(lines []model.Change, kind model.ChangeType) []model.UUID {
	var ids []model.UUID
	seen := make(map[model.UUID]bool)
	for _, line := range lines {
		if line.Type == kind && !seen[line.ID] {
			seen[line.ID] = true
			ids = append(ids, line.ID)
		}
	}
	return ids
}

// ChangedIDs are the ids of one kind among the lines, each once, without such as were deleted since.
func ChangedIDs(lines []model.Change, kind model.ChangeType) []model.ID {
	last := make(map[model.ID]model.Operation)
	var order []model.ID
	for _, line := range lines {
		if line.Type != kind {
			continue
		}
		id := projections.ChangedID(line)
		if _, again := last[id]; !again {
			order = append(order, id)
		}
		last[id] = line.Operation
	}
	var out []model.ID
	for _, id := range order {
		if last[id] != model.OperationDeleted {
			out = append(out, id)
		}
	}
	return out
}
