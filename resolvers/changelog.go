package resolvers

import (
	"context"
	"errors"
	"maps"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
)

// changeConnection answers the changes query.
func (r *Resolver) changeConnection(ctx context.Context, afterText *string, first *int32,
	types []model.ChangeType) (*projections.ChangeConnection, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	after, err := openCursor(r, v, "after", purposeChanges, afterText, decodeSeq)
	if err != nil {
		return nil, err
	}
	out := &projections.ChangeConnection{}
	asked := answered(ctx)
	if asked.has("latestCursor") { // before the page, so that nothing lies between the two
		head, err := r.Store.ChangeHead(ctx, v.user)
		if err != nil {
			return nil, err
		}
		out.LatestCursor = r.changeCursor(v.user, head)
	}
	if !asked.has("nodes", "edges", "pageInfo", "compact") {
		return out, nil
	}
	lines, err := r.changesAfter(ctx, v.user, after, types, limit+1)
	if err != nil {
		return nil, err
	}
	if len(lines) > limit {
		lines, out.HasNext = lines[:limit], true
	}
	out.HasPrevious = after != nil
	nodes, err := r.nodesOf(ctx, v, lines, asked.items("ChangeEdge", "Change"))
	if err != nil {
		return nil, err
	}
	out.Items = make([]projections.Change, len(lines))
	for i, line := range lines {
		out.Items[i] = projections.ChangeAt(line, nodes[line.ID], r.changeCursor(v.user, line.Seq), v.Moment)
	}
	out.Cursor = func(i int) string { return out.Items[i].Cursor() }
	return out, nil
}

// oldest asks the change log from its oldest line that is kept.
const oldest = -1

// changesAfter reads the change log; a nil place means from the oldest line kept.
func (r *Resolver) changesAfter(ctx context.Context, user model.UserID, after *int64, types []model.ChangeType,
	limit int) ([]model.Change, error) {
	place := int64(oldest)
	if after != nil {
		place = *after
	}
	lines, err := r.Store.Changes(ctx, user, place, types, limit)
	if errors.Is(err, store.ErrCursorExpired) {
		e := model.Errorf(model.CodeConflict,
			"changes are kept for %d days and this cursor is older; read everything anew and go on from latestCursor",
			int(r.Keep.Hours()/24))
		e.Field = model.FieldPath("after")
		return nil, e
	}
	return lines, err
}

// nodesOf loads the things that changed, as they are now, in one call for each kind of our own; only if they are asked
// for. What cannot be read at the moment is missing, with its error beside the answer.
func (r *Resolver) nodesOf(ctx context.Context, v *viewer, lines []model.Change,
	asked selection) (map[model.UUID]model.Node, error) {
	nodes := make(map[model.UUID]model.Node)
	if !asked.has("node") {
		return nodes, nil
	}
	if ids := idsOf(lines, model.ChangeTask); len(ids) > 0 {
		tasks, err := r.Store.TasksByID(ctx, v.user, ids, asked.under("node", "Task").taskColumns())
		if err != nil {
			return nil, err
		}
		for _, task := range tasks {
			nodes[task.ID] = projections.TaskAt(task, v.Moment)
		}
	}
	if ids := idsOf(lines, model.ChangeList); len(ids) > 0 {
		lists, err := r.Store.ListsByID(ctx, v.user, ids, asked.under("node", "List").listColumns())
		if err != nil {
			return nil, err
		}
		for _, list := range lists {
			nodes[list.ID] = projections.ListAt(list, v.Moment)
		}
	}
	if ids := idsOf(lines, model.ChangeMemory); len(ids) > 0 {
		memories, err := r.Store.MemoriesByID(ctx, v.user, ids, v.Now, asked.under("node", "Memory").memoryColumns())
		if err != nil {
			return nil, err
		}
		for _, memory := range memories {
			nodes[memory.ID] = r.memoryAt(v, memory)
		}
	}
	known, err := r.changedKnowledge(ctx, v, lines, asked)
	if err != nil {
		return nil, err
	}
	maps.Copy(nodes, known)
	if ids := changedIDs(lines, model.ChangeEmail); len(ids) > 0 {
		emails := make(map[model.ID]model.Node, len(ids))
		if err := r.loadEmails(ctx, v, ids, asked.under("node", "Email"), emails); err != nil {
			return nil, err
		}
		for id, email := range emails {
			nodes[id.UUID] = email
		}
	}
	fromExa, err := r.changedWebsets(ctx, v, lines, func(err error) { addError(ctx, err) })
	if err != nil {
		return nil, err
	}
	maps.Copy(nodes, fromExa)
	events, err := r.eventsByID(ctx, v, changedIDs(lines, model.ChangeEvent), asked.under("node", "Event").eventFields(),
		func(err error) { addError(ctx, err) })
	for id, event := range events {
		nodes[id.UUID] = projections.EventAt(event, v.Moment)
	}
	return nodes, err
}

// idsOf gives the ids of one kind among the lines, each once.
func idsOf(lines []model.Change, kind model.ChangeType) []model.UUID {
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
