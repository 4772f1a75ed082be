package resolvers

import (
	"context"
	"maps"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
	"almanac/resolvers/events"
	"almanac/resolvers/memories"
	"almanac/resolvers/tasks"
)

// changeConnection answers the changes query.
func (r *Resolver) changeConnection(ctx context.Context, afterText *string, first *int32,
	types []model.ChangeType) (*projections.ChangeConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	after, err := core.OpenCursor(r.Base, v, "after", core.PurposeChanges, afterText, core.DecodeSeq)
	if err != nil {
		return nil, err
	}
	out := &projections.ChangeConnection{}
	asked := core.Answered(ctx)
	if asked.Has("latestCursor") { // before the page, so that nothing lies between the two
		head, err := r.Store.ChangeHead(ctx, v.User)
		if err != nil {
			return nil, err
		}
		out.LatestCursor = r.ChangeCursor(v.User, head)
	}
	if !asked.Has("nodes", "edges", "pageInfo", "compact") {
		return out, nil
	}
	lines, err := r.ChangesAfter(ctx, v.User, after, types, limit+1)
	if err != nil {
		return nil, err
	}
	if len(lines) > limit {
		lines, out.HasNext = lines[:limit], true
	}
	out.HasPrevious = after != nil
	nodes, err := r.nodesOf(ctx, v, lines, asked.Items("ChangeEdge", "Change"))
	if err != nil {
		return nil, err
	}
	out.Items = make([]projections.Change, len(lines))
	for i, line := range lines {
		out.Items[i] = projections.ChangeAt(line, nodes[line.ID], r.ChangeCursor(v.User, line.Seq), v.Moment)
	}
	out.Cursor = func(i int) string { return out.Items[i].Cursor() }
	return out, nil
}

// nodesOf loads the things that changed, as they are now, in one call for each kind of our own; only if they are asked
// for. What cannot be read at the moment is missing, with its error beside the answer.
func (r *Resolver) nodesOf(ctx context.Context, v *core.Viewer, lines []model.Change,
	asked core.Selection) (map[model.UUID]model.Node, error) {
	nodes := make(map[model.UUID]model.Node)
	if !asked.Has("node") {
		return nodes, nil
	}
	if ids := core.IdsOf(lines, model.ChangeTask); len(ids) > 0 {
		tasks, err := r.Store.TasksByID(ctx, v.User, ids, tasks.TaskColumns(asked.Under("node", "Task")))
		if err != nil {
			return nil, err
		}
		for _, task := range tasks {
			nodes[task.ID] = projections.TaskAt(task, v.Moment)
		}
	}
	if ids := core.IdsOf(lines, model.ChangeList); len(ids) > 0 {
		lists, err := r.Store.ListsByID(ctx, v.User, ids, tasks.ListColumns(asked.Under("node", "List")))
		if err != nil {
			return nil, err
		}
		for _, list := range lists {
			nodes[list.ID] = projections.ListAt(list, v.Moment)
		}
	}
	if ids := core.IdsOf(lines, model.ChangeMemory); len(ids) > 0 {
		memories, err := r.Store.MemoriesByID(ctx, v.User, ids, v.Now, memories.MemoryColumns(asked.Under("node", "Memory")))
		if err != nil {
			return nil, err
		}
		for _, memory := range memories {
			nodes[memory.ID] = r.memories.MemoryAt(v, memory)
		}
	}
	if ids := core.IdsOf(lines, model.ChangeAction); len(ids) > 0 {
		actions, err := r.Store.ActionsByID(ctx, v.User, ids, 0)
		if err != nil {
			return nil, err
		}
		for _, action := range actions {
			nodes[action.ID] = projections.ActionAt(action, v.Moment)
		}
	}
	known, err := r.knowledge.ChangedKnowledge(ctx, v, lines, asked)
	if err != nil {
		return nil, err
	}
	maps.Copy(nodes, known)
	if ids := core.ChangedIDs(lines, model.ChangeEmail); len(ids) > 0 {
		emails := make(map[model.ID]model.Node, len(ids))
		if err := r.emails.LoadEmails(ctx, v, ids, asked.Under("node", "Email"), emails); err != nil {
			return nil, err
		}
		for id, email := range emails {
			nodes[id.UUID] = email
		}
	}
	fromExa, err := r.websets.ChangedWebsets(ctx, v, lines, func(err error) { core.AddError(ctx, err) })
	if err != nil {
		return nil, err
	}
	maps.Copy(nodes, fromExa)
	events, err := r.events.EventsByID(ctx, v, core.ChangedIDs(lines, model.ChangeEvent),
		events.Fields(asked.Under("node", "Event")),
		func(err error) { core.AddError(ctx, err) })
	for id, event := range events {
		nodes[id.UUID] = projections.EventAt(event, v.Moment)
	}
	return nodes, err
}
