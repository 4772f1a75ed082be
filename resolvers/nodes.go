package resolvers

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/graph/plan"
	"almanac/projections"
	"almanac/resolvers/core"
	"almanac/resolvers/events"
	"almanac/resolvers/memories"
	"almanac/resolvers/tasks"
)

// nodes resolves ids below the field being resolved.
func (r *Resolver) nodes(ctx context.Context, v *core.Viewer, ids []model.ID) ([]model.Node, error) {
	asked := func(object string) core.Selection { return core.Selected(ctx, object) }
	return r.loadAll(ctx, v, ids, asked, func() store.TaskColumns {
		return plan.Once(ctx, func() store.TaskColumns { return tasks.TaskColumns(asked("Task")) })
	})
}

// NodesBySelection resolves ids of any kind, in the order given, with one call to the store for each kind. asked says
// what is selected of each object type. What is not there is nil.
func (r *Resolver) NodesBySelection(ctx context.Context, v *core.Viewer, ids []model.ID,
	asked func(object string) core.Selection) ([]model.Node, error) {
	return r.loadAll(ctx, v, ids, asked, func() store.TaskColumns { return tasks.TaskColumns(asked("Task")) })
}

// loadAll is NodesBySelection, with the columns of tasks that the selection needs.
func (r *Resolver) loadAll(ctx context.Context, v *core.Viewer, ids []model.ID,
	asked func(object string) core.Selection, columns func() store.TaskColumns) ([]model.Node, error) {
	out := make([]model.Node, len(ids))
	byKind := make(map[model.Kind][]model.UUID)
	remote := make(map[model.Kind][]model.ID)
	var ofTasks []model.UUID
	for i, id := range ids {
		switch {
		case id.Remote != "":
			remote[id.Kind] = append(remote[id.Kind], id)
		case id.Kind == model.KindTask:
			if ofTasks == nil {
				ofTasks = make([]model.UUID, 0, len(ids)-i)
			}
			ofTasks = append(ofTasks, id.UUID)
		default:
			byKind[id.Kind] = append(byKind[id.Kind], id.UUID)
		}
	}
	if len(ofTasks) > 0 {
		if err := r.placeTasks(ctx, v, ofTasks, columns(), ids, out); err != nil {
			return nil, err
		}
	}
	found := make(map[model.ID]model.Node, len(ids)-len(ofTasks))
	for kind, uuids := range byKind {
		if err := r.loadNodes(ctx, v, kind, uuids, asked, found); err != nil {
			return nil, err
		}
	}
	for kind, wanted := range remote {
		if err := r.loadRemote(ctx, v, kind, wanted, asked, found); err != nil {
			return nil, err
		}
	}
	for i, id := range ids {
		if out[i] == nil {
			out[i] = found[id]
		}
	}
	return out, nil
}

// placeTasks reads tasks and puts each at the places of its id. Lists of many nodes are mostly of tasks, so they are
// not looked for by their whole ids, and their views are not held one by one.
func (r *Resolver) placeTasks(ctx context.Context, v *core.Viewer, wanted []model.UUID, columns store.TaskColumns,
	ids []model.ID, out []model.Node) error {
	records, err := r.Store.TasksByID(ctx, v.User, wanted, columns)
	if err != nil {
		return err
	}
	views := projections.TasksAt(records, v.Moment)
	places := make(map[model.UUID]int, len(records))
	for i := range records {
		places[records[i].ID] = i
	}
	for i, id := range ids {
		if place, there := places[id.UUID]; there && id.Kind == model.KindTask {
			out[i] = &views[place]
		}
	}
	return nil
}

// loadNodes fills found with the records of one kind.
func (r *Resolver) loadNodes(ctx context.Context, v *core.Viewer, kind model.Kind, ids []model.UUID,
	asked func(object string) core.Selection, found map[model.ID]model.Node) error {
	switch kind {
	case model.KindTask: // placeTasks reads them
	case model.KindSubtask:
		subtasks, err := r.Store.SubtasksByID(ctx, v.User, ids)
		if err != nil {
			return err
		}
		for _, record := range subtasks {
			view := projections.SubtaskAt(record, v.Moment)
			found[view.ID()] = view
		}
	case model.KindList:
		lists, err := r.Store.ListsByID(ctx, v.User, ids, tasks.ListColumns(asked("List")))
		if err != nil {
			return err
		}
		for _, record := range lists {
			view := projections.ListAt(record, v.Moment)
			found[view.ID()] = view
		}
	case model.KindListItem:
		items, err := r.Store.ListItemsByID(ctx, v.User, ids)
		if err != nil {
			return err
		}
		for _, record := range items {
			view := projections.ItemAt(record, v.Moment)
			found[view.ID()] = view
		}
	case model.KindMemory:
		memories, err := r.Store.MemoriesByID(ctx, v.User, ids, v.Now, memories.MemoryColumns(asked("Memory")))
		if err != nil {
			return err
		}
		for _, record := range memories {
			view := r.memories.MemoryAt(v, record)
			found[view.ID()] = view
		}
	case model.KindAction:
		actions, err := r.Store.ActionsByID(ctx, v.User, ids, 0)
		if err != nil {
			return err
		}
		for _, record := range actions {
			view := projections.ActionAt(record, v.Moment)
			found[view.ID()] = view
		}
	case model.KindEntity, model.KindFact, model.KindEpisode:
		own := make([]model.ID, len(ids))
		for i, id := range ids {
			own[i] = model.ID{Kind: kind, UUID: id}
		}
		return r.knowledge.LoadKnowledge(ctx, v, kind, own, asked, found)
	case model.KindPreview:
		return r.emails.LoadPreviews(ctx, v, ids, found)
	case model.KindChange:
		return r.loadChanges(ctx, v, ids, asked, found)
	case model.KindUser:
		viewer := projections.ViewerAt(v.Caller, v.Moment, v.DefaultCalendar)
		found[viewer.ID()] = viewer // what others' ids ask for is not looked at
	case model.KindConnection:
		accounts, err := r.linkedAccounts(ctx)
		if err != nil {
			return err
		}
		for _, account := range accounts {
			found[account.ID()] = account
		}
	case model.KindHook, model.KindPush:
		return r.channels.Load(ctx, v, ids, found)
	case model.KindEvent, model.KindCalendar, model.KindEmail, model.KindThread:
	case model.KindWebset, model.KindWebsetSearch, model.KindWebsetItem, model.KindEnrichment, model.KindMonitor,
		model.KindMonitorRun, model.KindWebhook,
		model.KindWebsetImport, model.KindWebsetEvent, model.KindResearch:
	}
	return nil
}

// loadRemote fills found with the things of one kind that live elsewhere. What cannot be read now leaves its error
// beside the answer.
func (r *Resolver) loadRemote(ctx context.Context, v *core.Viewer, kind model.Kind, ids []model.ID,
	asked func(object string) core.Selection, found map[model.ID]model.Node) error {
	switch kind {
	case model.KindEvent:
		events, err := r.events.EventsByID(ctx, v, ids, events.Fields(asked("Event")),
			func(err error) { core.AddError(ctx, err) })
		for id, record := range events {
			found[id] = projections.EventAt(record, v.Moment)
		}
		return err
	case model.KindCalendar:
		return r.events.LoadCalendars(ctx, v, ids, found)
	case model.KindEmail:
		return r.emails.LoadEmails(ctx, v, ids, asked("Email"), found)
	case model.KindThread:
		return r.emails.LoadThreads(ctx, v, ids, asked("EmailThread"), found)
	case model.KindEntity, model.KindFact, model.KindEpisode:
		return r.knowledge.LoadKnowledge(ctx, v, kind, ids, asked, found)
	case model.KindWebset, model.KindWebsetSearch, model.KindWebsetItem, model.KindEnrichment, model.KindMonitor,
		model.KindMonitorRun, model.KindWebhook,
		model.KindWebsetImport, model.KindWebsetEvent, model.KindResearch:
		return r.websets.LoadExa(ctx, v, ids, found, func(err error) { core.AddError(ctx, err) })
	default:
		return nil
	}
}

// node answers node(id).
func (r *Resolver) node(ctx context.Context, text string) (model.Node, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := model.ParseID(text)
	if err != nil {
		return nil, core.NotAnID("id", text, "an id")
	}
	found, err := r.nodes(ctx, v, []model.ID{id})
	if err != nil {
		return nil, err
	}
	if found[0] == nil {
		return nil, model.NotFound("id", "you have nothing with the id %s", text)
	}
	return found[0], nil
}

// nodeList answers nodes(ids): null and an error at its place for each id that cannot be resolved.
func (r *Resolver) nodeList(ctx context.Context, texts []string) ([]model.Node, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	if len(texts) > model.MaxPageSize {
		return nil, model.BadInput("ids", "nodes takes at most %d ids, not %d", model.MaxPageSize, len(texts))
	}
	ids, places := make([]model.ID, 0, len(texts)), make([]int, 0, len(texts))
	for i, text := range texts {
		id, err := model.ParseID(text)
		if err != nil {
			core.AddErrorAt(ctx, i, core.NotAnID("ids", text, "an id"))
			continue
		}
		ids, places = append(ids, id), append(places, i)
	}
	found, err := r.nodes(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	out := found
	if len(found) < len(texts) {
		out = make([]model.Node, len(texts))
	}
	for i, node := range found {
		out[places[i]] = node
		if node == nil {
			core.AddErrorAt(ctx, places[i], model.NotFound("ids", "you have nothing with the id %s", texts[places[i]]))
		}
	}
	return out, nil
}
