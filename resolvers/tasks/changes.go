package tasks

import (
	"context"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// TaskChanges answers the taskChanged subscription.
func (r *Resolver) TaskChanges(ctx context.Context, after *string) (<-chan *projections.TaskChange, error) {
	return core.Follow(ctx, r.Base, model.ChangeTask, after, r.LoadTaskChanges(core.Answered(ctx)))
}

// LoadTaskChanges returns what loads changes of tasks, with what is selected of them.
func (r *Resolver) LoadTaskChanges(asked core.Selection) core.LoadChanges[*projections.TaskChange] {
	columns := asked.Under("task", "Task")
	return func(ctx context.Context, events []core.Event) ([]*projections.TaskChange, error) {
		now := make(map[model.UUID]model.Task)
		if len(columns.Fields) > 0 {
			wanted := TaskColumns(columns)
			tasks, err := core.LoadOnce(events, wanted, func() ([]model.Task, error) {
				return r.Store.TasksByID(ctx, events[0].V.User, core.IdsOf(core.LinesOf(events), model.ChangeTask), wanted)
			})
			if err != nil {
				return nil, err
			}
			for _, task := range tasks {
				now[task.ID] = task
			}
		}
		out := make([]*projections.TaskChange, len(events))
		for i, e := range events {
			out[i] = &projections.TaskChange{Change: e.Change(nil)}
			if task, there := now[e.Line.ID]; there {
				view := projections.TaskAt(task, e.V.Moment)
				out[i].Task = &view
			}
		}
		return out, nil
	}
}

// ListChanges answers the listChanged subscription.
func (r *Resolver) ListChanges(ctx context.Context, after *string) (<-chan *projections.ListChange, error) {
	return core.Follow(ctx, r.Base, model.ChangeList, after, r.LoadListChanges(core.Answered(ctx)))
}

// LoadListChanges returns what loads changes of lists, with what is selected of them.
func (r *Resolver) LoadListChanges(asked core.Selection) core.LoadChanges[*projections.ListChange] {
	columns := asked.Under("list", "List")
	return func(ctx context.Context, events []core.Event) ([]*projections.ListChange, error) {
		now := make(map[model.UUID]model.List)
		if len(columns.Fields) > 0 {
			wanted := ListColumns(columns)
			lists, err := core.LoadOnce(events, wanted, func() ([]model.List, error) {
				return r.Store.ListsByID(ctx, events[0].V.User, core.IdsOf(core.LinesOf(events), model.ChangeList), wanted)
			})
			if err != nil {
				return nil, err
			}
			for _, list := range lists {
				now[list.ID] = list
			}
		}
		out := make([]*projections.ListChange, len(events))
		for i, e := range events {
			out[i] = &projections.ListChange{Change: e.Change(nil)}
			if list, there := now[e.Line.ID]; there {
				view := projections.ListAt(list, e.V.Moment)
				out[i].List = &view
			}
		}
		return out, nil
	}
}
