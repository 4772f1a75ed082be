package tasks

import (
	"context"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// TaskChanges answers the taskChanged subscription.
func (r *Resolver) TaskChanges(ctx context.Context, after *string) (<-chan *projections.TaskChange, error) {
	columns := core.Answered(ctx).Under("task", "Task")
	return core.Follow(ctx, r.Base, model.ChangeTask, after,
		func(ctx context.Context, events []core.Event) ([]*projections.TaskChange, error) {
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
				out[i] = &projections.TaskChange{Change: projections.ChangeAt(e.Line, nil, e.Cursor, e.V.Moment)}
				if task, there := now[e.Line.ID]; there {
					view := projections.TaskAt(task, e.V.Moment)
					out[i].Task = &view
				}
			}
			return out, nil
		})
}

// ListChanges answers the listChanged subscription.
func (r *Resolver) ListChanges(ctx context.Context, after *string) (<-chan *projections.ListChange, error) {
	columns := core.Answered(ctx).Under("list", "List")
	return core.Follow(ctx, r.Base, model.ChangeList, after,
		func(ctx context.Context, events []core.Event) ([]*projections.ListChange, error) {
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
				out[i] = &projections.ListChange{Change: projections.ChangeAt(e.Line, nil, e.Cursor, e.V.Moment)}
				if list, there := now[e.Line.ID]; there {
					view := projections.ListAt(list, e.V.Moment)
					out[i].List = &view
				}
			}
			return out, nil
		})
}
