package tasks

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// UpdateTask changes one task.
func (r *Resolver) UpdateTask(ctx context.Context, in graph.UpdateTaskInput) (*graph.UpdateTaskPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateTaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	if in.Set == nil && in.Position == nil {
		return out, core.Refuse(&out.UserErrors, model.BadInput("input", "give set, position or both"))
	}
	do, also := moving(v), store.TaskColumns(0)
	if in.Set != nil {
		do, also = patching(v, *in.Set), reopening(*in.Set)
	}
	who := taskReference(in.ID, in.Target, in.Confirm)
	changed, _, confirmation, err := r.changeOne(ctx, v, who, in.IfVersion, in.Position, also, do)
	if err != nil {
		out.Task, out.Context = shownAsItIs(err, v)
		return out, core.Refuse(&out.UserErrors, err)
	}
	if out.Confirmation = confirmation; confirmation == nil {
		out.Task, out.Context = oneTask(changed, v.Moment)
	}
	return out, nil
}

// CompleteTask completes one task, or one occurrence of it.
func (r *Resolver) CompleteTask(ctx context.Context, in graph.CompleteTaskInput) (*graph.CompleteTaskPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CompleteTaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	who := taskReference(in.ID, in.Target, in.Confirm)
	changed, lines, confirmation, err := r.changeOne(ctx, v, who, in.IfVersion, nil, 0, completing(v))
	if err != nil {
		out.Task, out.Context = shownAsItIs(err, v)
		return out, core.Refuse(&out.UserErrors, err)
	}
	if out.Confirmation = confirmation; confirmation == nil {
		out.Task, out.Context = oneTask(changed, v.Moment)
		for _, line := range lines {
			view := projections.CompletionAt(line, v.Moment)
			out.Completion = &view
		}
	}
	return out, nil
}

// changeOne finds one task and changes it, or asks which one is meant; with a position it is moved there too. It is
// read with these columns beside those of the payload.
func (r *Resolver) changeOne(ctx context.Context, v *core.Viewer, who reference, ifVersion *string,
	position *graph.TaskPositionInput, also store.TaskColumns, do change) (
	changed model.Task, lines []model.TaskCompletion, confirmation *projections.Confirmation, err error) {
	columns := payloadColumns(ctx, "task") | also
	err = writeMatched(ctx, r, v, who.match(v), func(ctx context.Context, tx store.Tx, named meaning) error {
		var task model.Task
		task, confirmation, err = r.taskTarget(ctx, tx, v, who, named, columns)
		if err != nil || confirmation != nil {
			return err
		}
		if err := hasVersion(task, ifVersion); err != nil {
			return err
		}
		if position != nil {
			if task.Position, err = r.positionOf(ctx, tx, v, task, *position); err != nil {
				return err
			}
		}
		var after []model.Task
		after, lines, err = apply(ctx, tx, []model.Task{task}, do, one)
		if err == nil {
			changed = after[0]
		}
		return err
	})
	return changed, lines, confirmation, err
}

// DeleteTask deletes one task.
func (r *Resolver) DeleteTask(ctx context.Context, in graph.DeleteTaskInput) (*graph.DeleteTaskPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteTaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	who := taskReference(in.ID, in.Target, in.Confirm)
	columns := payloadColumns(ctx, "task")
	var task model.Task
	err = writeMatched(ctx, r, v, who.match(v), func(ctx context.Context, tx store.Tx, named meaning) error {
		task, out.Confirmation, err = r.taskTarget(ctx, tx, v, who, named, columns)
		if err != nil || out.Confirmation != nil {
			return err
		}
		if err := hasVersion(task, in.IfVersion); err != nil {
			return err
		}
		_, err = tx.DeleteTasks(ctx, []model.UUID{task.ID})
		return err
	})
	if err != nil {
		out.Task, out.Context = shownAsItIs(err, v)
		return out, core.Refuse(&out.UserErrors, err)
	}
	if out.Confirmation == nil {
		out.Deleted, out.DeletedID = 1, core.DeletedID(model.KindTask, task.ID)
		out.Task, out.Context = oneTask(task, v.Moment)
	}
	return out, nil
}

// UpdateTasks makes one change to several tasks.
func (r *Resolver) UpdateTasks(ctx context.Context, in graph.UpdateTasksInput) (*graph.UpdateTasksPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateTasksPayload{
		Tasks: []projections.Task{}, Errors: []model.BulkError{}, NotFound: []string{}, Context: noTask(),
		UserErrors: []model.UserError{},
	}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	who := taskRefs{ids: in.Ids, texts: in.Texts, confirm: in.Confirm, also: reopening(*in.Set)}
	bulk := core.BulkErrors{Atomic: in.Atomic}
	var changed []model.Task
	err = writeMatched(ctx, r, v, who.match(v), func(ctx context.Context, tx store.Tx, named meanings) error {
		found, err := r.taskTargets(ctx, tx, v, who, named, &bulk)
		if err != nil {
			return err
		}
		if out.NotFound, out.Confirmation = found.notFound(), found.confirmation; out.Confirmation != nil && in.Atomic {
			return nil
		}
		changed, _, err = apply(ctx, tx, found.tasks, patching(v, *in.Set), func(i int, err error) error {
			id := model.ID{Kind: model.KindTask, UUID: found.tasks[i].ID}.String()
			return bulk.Add(found.places[i], &id, err)
		})
		if err != nil {
			return err
		}
		return bulk.Verdict()
	})
	if err := bulk.Settle(err); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	out.Errors = bulk.List()
	if !bulk.Undone() {
		out.Tasks = projections.TasksAt(changed, v.Moment)
	}
	out.Updated = int32(len(out.Tasks))
	out.Success = len(out.Tasks) > 0 || who.count() == 0
	out.Context = projections.ContextOf(out.Tasks)
	return out, nil
}

// DeleteTasks deletes several tasks.
func (r *Resolver) DeleteTasks(ctx context.Context, in graph.DeleteTasksInput) (*graph.DeleteTasksPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteTasksPayload{
		DeletedIds: []string{}, Tasks: []projections.Task{}, Errors: []model.BulkError{}, NotFound: []string{},
		Context:    noTask(),
		UserErrors: []model.UserError{},
	}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	who := taskRefs{ids: in.Ids, texts: in.Texts, confirm: in.Confirm, alike: true, expect: in.Expect}
	bulk := core.BulkErrors{Atomic: in.Atomic}
	var gone []model.Task
	err = writeMatched(ctx, r, v, who.match(v), func(ctx context.Context, tx store.Tx, named meanings) error {
		found, err := r.taskTargets(ctx, tx, v, who, named, &bulk)
		if err != nil {
			return err
		}
		if out.NotFound, out.Confirmation = found.notFound(), found.confirmation; out.Confirmation != nil && in.Atomic {
			return nil
		}
		if err := bulk.Verdict(); err != nil || len(found.tasks) == 0 {
			return err
		}
		gone = found.tasks
		_, err = tx.DeleteTasks(ctx, taskIDs(found.tasks))
		return err
	})
	if err := bulk.Settle(err); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	out.Errors = bulk.List()
	out.Tasks = projections.TasksAt(gone, v.Moment)
	out.Deleted = int32(len(out.Tasks))
	for _, task := range gone {
		out.DeletedIds = append(out.DeletedIds, *core.DeletedID(model.KindTask, task.ID))
	}
	out.Success = len(out.Tasks) > 0 || who.count() == 0
	out.Context = projections.ContextOf(out.Tasks)
	return out, nil
}

func taskIDs(tasks []model.Task) []model.UUID {
	ids := make([]model.UUID, len(tasks))
	for i, task := range tasks {
		ids[i] = task.ID
	}
	return ids
}
