package resolvers

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/recur"
)

// relations are the relations of a payload's tasks that the client asks for.
const relations = store.TaskSubtasks | store.TaskCompletions

// payloadColumns is what a task must be read with that will be written back and shown in a payload's field.
func payloadColumns(ctx context.Context, field string) store.TaskColumns {
	return store.TaskRow | answered(ctx).under(field, "Task").taskColumns()&relations
}

func oneTask(noun model.Task, at *projections.Moment) (*projections.Task, *projections.TaskContext) {
	view := projections.TaskAt(noun, at)
	return &view, projections.ContextOf([]projections.Task{view})
}

// noTask is the response context of a payload in which no task is concerned.
func noTask() *projections.TaskContext { return projections.ContextOf(nil) }

// createTask adds a task unless an open one has the same text.
func (r *Resolver) createTask(ctx context.Context, in graph.CreateTaskInput) (*graph.CreateTaskPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateTaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	task, err := r.newTask(v, in, "input")
	if err != nil {
		return out, refuse(&out.UserErrors, err)
	}
	err = r.Store.Write(ctx, v.user, func(ctx context.Context, tx store.Tx) error {
		if !in.AllowDuplicate {
			existing, err := tx.TaskByText(ctx, v.user, fold.Text(task.Text), payloadColumns(ctx, "existingTask"))
			switch {
			case err == nil:
				out.ExistingTask, _ = oneTask(existing, v.Moment)
				return duplicateTask("input.text", existing)
			case !errors.Is(err, store.ErrNotFound):
				return err
			}
		}
		return insertTasks(ctx, tx, []model.Task{task})
	})
	if err != nil {
		return out, refuse(&out.UserErrors, err)
	}
	out.Task, out.Context = oneTask(task, v.Moment)
	return out, nil
}

func duplicateTask(field string, existing model.Task) *model.Error {
	id := model.ID{Kind: model.KindTask, UUID: existing.ID}
	e := model.Errorf(model.CodeConflict, "an open task has this text already: %s; set allowDuplicate to add another", id)
	e.Field = model.FieldPath(field)
	return e
}

func insertTasks(ctx context.Context, tx store.Tx, tasks []model.Task) error {
	if err := tx.InsertTasks(ctx, tasks); err != nil {
		return err
	}
	var subtasks []model.Subtask
	for _, task := range tasks {
		subtasks = append(subtasks, task.Subtasks...)
	}
	if len(subtasks) == 0 {
		return nil
	}
	return tx.SaveSubtasks(ctx, tasks[0].UpdatedAt, subtasks, nil)
}

// refuse moves an error that the caller can mend into userErrors and gives back any other.
func refuse(into *[]model.UserError, err error) error {
	if shown, ok := model.Mendable(err); ok {
		*into = append(*into, shown.UserError())
		return nil
	}
	return err
}

// createTasks adds tasks; each is refused or added for itself, unless atomic.
func (r *Resolver) createTasks(ctx context.Context, in graph.CreateTasksInput) (*graph.CreateTasksPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateTasksPayload{
		Tasks: []projections.Task{}, Errors: []model.BulkError{}, Context: noTask(), UserErrors: []model.UserError{},
	}
	if err := atMost("input.tasks", len(in.Tasks)); err != nil {
		return out, refuse(&out.UserErrors, err)
	}
	bulk := bulkErrors{atomic: in.Atomic}
	var tasks []model.Task
	err = r.Store.Write(ctx, v.user, func(ctx context.Context, tx store.Tx) error {
		taken := make(map[string]int)
		for i, one := range in.Tasks {
			task, err := r.newTask(v, one, "input.tasks."+strconv.Itoa(i))
			var inTheWay *string
			if err == nil && !one.AllowDuplicate {
				inTheWay, err = textIsFree(ctx, tx, v.user, task, taken)
			}
			if err != nil {
				if err = bulk.add(i, inTheWay, err); err != nil {
					return err
				}
				continue
			}
			taken[fold.Text(task.Text)] = i
			tasks = append(tasks, task)
		}
		if err := bulk.verdict(); err != nil || len(tasks) == 0 {
			return err
		}
		return insertTasks(ctx, tx, tasks)
	})
	if err := bulk.settle(err); err != nil {
		return nil, err
	}
	out.Errors = bulk.list()
	if !bulk.undone() {
		out.Tasks = projections.TasksAt(tasks, v.Moment)
	}
	out.Created = int32(len(out.Tasks))
	out.Success = len(out.Tasks) > 0 || len(in.Tasks) == 0
	out.Context = projections.ContextOf(out.Tasks)
	return out, nil
}

// textIsFree refuses a task whose text an open task has already, with that task's id, or an earlier one of the same
// request, which has none to show yet. taken are the places of earlier texts in the request.
func textIsFree(ctx context.Context, tx store.Tx, user model.UserID, task model.Task, taken map[string]int) (inTheWay *string, err error) {
	key := fold.Text(task.Text)
	if earlier, ok := taken[key]; ok {
		return nil, model.Errorf(model.CodeConflict, "task %d of this request has this text already; set allowDuplicate to add another", earlier)
	}
	existing, err := tx.TaskByText(ctx, user, key, 0)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	id := model.ID{Kind: model.KindTask, UUID: existing.ID}.String()
	return &id, duplicateTask("", existing)
}

func atMost(field string, n int) error {
	if n > model.MaxBulk {
		return model.BadInput(field, "one request takes at most %d, not %d", model.MaxBulk, n)
	}
	return nil
}

// change is what a mutation does to a task as it stands: the task afterwards, the operation for the log, and the line for the
// history, if any.
type change func(task model.Task) (model.Task, model.Operation, *model.TaskCompletion, error)

func completing(v *viewer) change {
	return func(task model.Task) (model.Task, model.Operation, *model.TaskCompletion, error) {
		if !task.CompletedAt.IsZero() {
			return task, "", nil, model.Errorf(model.CodeConflict, "the task is completed already")
		}
		done, line := recur.Complete(task, v.Now)
		done.UpdatedAt = v.Now
		return done, model.OperationCompleted, &line, nil
	}
}

// patching applies a patch; completed: true completes as completeTask does, after the rest of the patch.
func patching(v *viewer, set graph.TaskPatch) change {
	return func(task model.Task) (model.Task, model.Operation, *model.TaskCompletion, error) {
		patched, err := patchTask(v, task, set)
		if err != nil {
			return task, "", nil, err
		}
		completed, given := set.Completed.ValueOK()
		if !given {
			return patched, model.OperationUpdated, nil, nil
		}
		if completed == nil {
			return task, "", nil, model.BadInput("input.set.completed", "completed is true or false; leave it out to keep it")
		}
		if *completed == !task.CompletedAt.IsZero() {
			return patched, model.OperationUpdated, nil, nil
		}
		if *completed {
			return completing(v)(patched)
		}
		return recur.Reopen(patched, v.Now), model.OperationUpdated, nil, nil
	}
}

// apply changes tasks, writes them and their history, and gives them as they now are. The operations are written in groups, since
// the log names one for each write.
func apply(ctx context.Context, tx store.Tx, tasks []model.Task, do change, failed func(index int, err error) error) ([]model.Task, []model.TaskCompletion, error) {
	byOperation := make(map[model.Operation][]model.Task)
	var changed []model.Task
	var history []model.TaskCompletion
	for i, task := range tasks {
		after, operation, line, err := do(task)
		if err != nil {
			if err = failed(i, err); err != nil {
				return nil, nil, err
			}
			continue
		}
		if line != nil {
			history = append(history, *line)
			after.Completions = slices.Insert(slices.Clone(after.Completions), 0, *line)
		}
		byOperation[operation] = append(byOperation[operation], after)
		changed = append(changed, after)
	}
	for _, operation := range []model.Operation{model.OperationUpdated, model.OperationCompleted} {
		if group := byOperation[operation]; len(group) > 0 {
			if err := tx.UpdateTasks(ctx, operation, group); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(history) > 0 {
		if err := tx.AddCompletions(ctx, history); err != nil {
			return nil, nil, err
		}
	}
	return changed, history, nil
}

// one is the way of apply for a single task: any refusal is the mutation's.
func one(_ int, err error) error { return err }
