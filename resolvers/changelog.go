package resolvers

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sort"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
	"almanac/resolvers/events"
	"almanac/resolvers/knowledge"
	"almanac/resolvers/memories"
	"almanac/resolvers/tasks"
	"almanac/resolvers/websets"
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
		out.Items[i] = projections.ChangeAt(v.User, line, nodeOf(nodes, line), r.ChangeCursor(v.User, line.Seq), v.Moment)
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
	if len(core.IdsOf(lines, model.ChangeSettings)) > 0 {
		nodes[model.UUID(v.User)] = projections.ViewerAt(v.Caller, v.Moment, v.DefaultCalendar)
	}
	if len(core.IdsOf(lines, model.ChangeConnection)) > 0 {
		accounts, err := r.linkedAccounts(ctx)
		if err != nil {
			return nil, err
		}
		for _, account := range accounts {
			nodes[account.ID().UUID] = account
		}
	}
	if ids := append(core.IdsOf(lines, model.ChangeHook), core.IdsOf(lines, model.ChangePush)...); len(ids) > 0 {
		channels := make(map[model.ID]model.Node, len(ids))
		if err := r.channels.Load(ctx, v, ids, channels); err != nil {
			return nil, err
		}
		for id, channel := range channels {
			nodes[id.UUID] = channel
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
	if ids := core.ChangedIDs(lines, model.ChangeCalendar); len(ids) > 0 {
		calendars := make(map[model.ID]model.Node, len(ids))
		if err := r.events.LoadCalendars(ctx, v, ids, calendars); err != nil {
			return nil, err
		}
		for id, calendar := range calendars {
			nodes[id.UUID] = calendar
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

// nodeOf is the record that a change is about. A change of the whole graph carries the user's id and is about no
// record.
func nodeOf(nodes map[model.UUID]model.Node, line model.Change) model.Node {
	if line.Type == model.ChangeKnowledge {
		return nil
	}
	return nodes[line.ID]
}

// loadChanges fills found with changes by their ids, each as the type that its id says.
func (r *Resolver) loadChanges(ctx context.Context, v *core.Viewer, ids []model.UUID,
	asked func(object string) core.Selection, found map[model.ID]model.Node) error {
	changes, err := r.changesByID(ctx, v, ids)
	if err != nil {
		return err
	}
	for form, of := range changes {
		switch form {
		case model.FormTask:
			err = addChanges(ctx, of, r.tasks.LoadTaskChanges(asked("TaskChange")), found)
		case model.FormList:
			err = addChanges(ctx, of, r.tasks.LoadListChanges(asked("ListChange")), found)
		case model.FormMemory:
			err = addChanges(ctx, of, r.memories.LoadMemoryChanges(asked("MemoryChange")), found)
		case model.FormEvent:
			err = addChanges(ctx, of, r.events.LoadEventChanges(asked("EventChange")), found)
		case model.FormKnowledge:
			err = addChanges(ctx, of, r.knowledge.LoadKnowledgeChanges(asked("KnowledgeChange")), found)
		case model.FormWebset:
			err = addChanges(ctx, of, r.websets.LoadWebsetChanges(asked("WebsetChange")), found)
		case model.FormArrival:
			err = addChanges(ctx, of, r.emails.LoadArrivals(asked("EmailArrival")), found)
		default:
			err = addChanges(ctx, of, r.anyChanges(asked("Change")), found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// changed answers the subscription to changes of every type.
func (r *Resolver) changed(ctx context.Context, after *string,
	types []model.ChangeType) (<-chan *projections.Change, error) {
	return core.FollowKinds(ctx, r.Base, types, core.EveryChange, after, r.anyChanges(core.Answered(ctx)))
}

// anyChanges returns what loads changes of all types, with what is selected of them.
func (r *Resolver) anyChanges(asked core.Selection) core.LoadChanges[*projections.Change] {
	return func(ctx context.Context, events []core.Event) ([]*projections.Change, error) {
		nodes, err := r.nodesOf(ctx, events[0].V, core.LinesOf(events), asked)
		if err != nil {
			return nil, err
		}
		out := make([]*projections.Change, len(events))
		for i, e := range events {
			change := e.Change(nodeOf(nodes, e.Line))
			out[i] = &change
		}
		return out, nil
	}
}

// addChanges fills found with the views of changes.
func addChanges[T interface {
	model.Node
	ID() model.ID
}](ctx context.Context, events []core.Event, load core.LoadChanges[T], found map[model.ID]model.Node) error {
	views, err := load(ctx, events)
	for _, view := range views {
		found[view.ID()] = view
	}
	return err
}

// changesByID reads the changes with these ids by their forms. Those that are not the user's, are not kept any more, or
// are of a type that the form does not show, are missing. Ids of one page of the log are one read.
func (r *Resolver) changesByID(ctx context.Context, v *core.Viewer,
	ids []model.UUID) (map[model.ChangeForm][]core.Event, error) {
	forms := map[int64][]model.ChangeForm{}
	for _, id := range ids {
		if form, seq, ok := model.ChangeOf(v.User, id); ok {
			forms[seq] = append(forms[seq], form)
		}
	}
	out := map[model.ChangeForm][]core.Event{}
	order := slices.Sorted(maps.Keys(forms))
	for len(order) > 0 {
		first := order[0]
		last := first + model.MaxPageSize - 1
		page := order[:sort.Search(len(order), func(i int) bool { return order[i] > last })]
		lines, err := r.Store.Changes(ctx, v.User, first-1, nil, int(page[len(page)-1]-first)+1)
		if err != nil && !errors.Is(err, store.ErrCursorExpired) {
			return nil, err
		}
		for _, line := range lines {
			for _, form := range forms[line.Seq] {
				if shows(form, line) {
					out[form] = append(out[form], core.Event{Line: line, Cursor: r.ChangeCursor(v.User, line.Seq), V: v})
				}
			}
		}
		if err == nil {
			order = order[len(page):]
		} else { // some of the page are pruned: those after it may be there
			order = order[1:]
		}
	}
	return out, nil
}

// shows reports whether a change is shown in a form.
func shows(form model.ChangeForm, line model.Change) bool {
	switch form {
	case model.FormTask:
		return line.Type == model.ChangeTask
	case model.FormList:
		return line.Type == model.ChangeList
	case model.FormMemory:
		return line.Type == model.ChangeMemory
	case model.FormEvent:
		return line.Type == model.ChangeEvent
	case model.FormKnowledge:
		return slices.Contains(knowledge.ChangeTypes(), line.Type)
	case model.FormWebset:
		return slices.Contains(websets.ChangeTypes(), line.Type)
	case model.FormArrival:
		return line.Type == model.ChangeEmail && line.Operation == model.OperationCreated
	default:
		return true
	}
}
