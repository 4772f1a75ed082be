package tasks

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
	"almanac/resolvers/core"
)

// relations are the relations of a payload's tasks that the client asks for.
const relations = store.TaskSubtasks | store.TaskCompletions

// payloadColumns is what a task must be read with that will be written back and shown in a payload's field.
func payloadColumns(ctx context.Context, field string) store.TaskColumns {
	return store.TaskRow | TaskColumns(core.Answered(ctx).Under(field, "Task"))&relations
}

func oneTask(task model.Task, at *projections.Moment) (*projections.Task, *projections.TaskContext) {
	view := projections.TaskAt(task, at)
	return &view, projections.ContextOf([]projections.Task{view})
}

// noTask is the response context of a payload in which no task is concerned.
func noTask() *projections.TaskContext { return projections.ContextOf(nil) }

// CreateTask adds a task unless an open one has the same text.
func (r *Resolver) CreateTask(ctx context.Context, in graph.CreateTaskInput) (*graph.CreateTaskPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateTaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	task, err := r.newTask(v, in, "input")
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		if !in.AllowDuplicate {
			existing, err := tx.TaskByText(ctx, v.User, fold.Text(task.Text), 0)
			switch {
			case err == nil:
				return refuseDuplicate(ctx, tx, v, existing, out)
			case !errors.Is(err, store.ErrNotFound):
				return err
			}
		}
		return insertTasks(ctx, tx, []model.Task{task})
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	out.Task, out.Context = oneTask(task, v.Moment)
	return out, nil
}

// refuseDuplicate is CONFLICT for the task that has the text already, and shows it.
func refuseDuplicate(ctx context.Context, tx store.Tx, v *core.Viewer, existing model.Task,
	out *graph.CreateTaskPayload) error {
	whole, err := tx.TasksByID(ctx, v.User, []model.UUID{existing.ID}, payloadColumns(ctx, "existingTask"))
	if err != nil {
		return err
	}
	for _, task := range whole {
		out.ExistingTask, _ = oneTask(task, v.Moment)
	}
	return duplicateTask("input.text", existing)
}

func duplicateTask(field string, existing model.Task) *model.Error {
	id := model.ID{Kind: model.KindTask, UUID: existing.ID}
	e := model.Errorf(model.CodeConflict, "an open task has this text already: %s; set allowDuplicate to add another", id)
	e.Field = model.FieldPath(field)
	return e
}

func insertTasks(ctx context.Context, tx store.Tx, tasks []model.Task) error {
	if err := tx.AddTasks(ctx, tasks); err != nil {
		return err
	}
	var subtasks []model.Subtask
	for i := range tasks {
		subtasks = append(subtasks, tasks[i].Subtasks...)
	}
	if len(subtasks) == 0 {
		return nil
	}
	return tx.SaveSubtasks(ctx, tasks[0].UpdatedAt, subtasks, nil)
}

// CreateTasks adds tasks; each is refused or added for itself, unless atomic.
func (r *Resolver) CreateTasks(ctx context.Context, in graph.CreateTasksInput) (*graph.CreateTasksPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateTasksPayload{
		Tasks: []projections.Task{}, Errors: []model.BulkError{}, Context: noTask(), UserErrors: []model.UserError{},
	}
	if err := core.AtMost("input.tasks", len(in.Tasks)); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	bulk := core.BulkErrors{Atomic: in.Atomic}
	wanted, err := r.wantedTasks(v, in.Tasks, &bulk)
	if err != nil {
		return nil, err
	}
	tasks := make([]model.Task, 0, len(wanted))
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		taken, err := takenTexts(ctx, tx, v.User, wanted)
		if err != nil {
			return err
		}
		for _, one := range wanted {
			if inTheWay, err := taken.refuse(one); err != nil {
				if err = bulk.Add(one.place, inTheWay, err); err != nil {
					return err
				}
				continue
			}
			taken.earlier[one.key] = one.place
			tasks = append(tasks, one.task)
		}
		if err := bulk.Verdict(); err != nil || len(tasks) == 0 {
			return err
		}
		return insertTasks(ctx, tx, tasks)
	})
	if err := bulk.Settle(err); err != nil {
		return nil, err
	}
	out.Errors = bulk.List()
	if !bulk.Undone() {
		out.Tasks = projections.TasksAt(tasks, v.Moment)
	}
	out.Created = int32(len(out.Tasks))
	out.Success = len(out.Tasks) > 0 || len(in.Tasks) == 0
	out.Context = projections.ContextOf(out.Tasks)
	return out, nil
}

// wantedTask is a task to add, of one place in a request.
type wantedTask struct {
	place int
	task  model.Task
	// key is the folded text.
	key            string
	allowDuplicate bool
}

// wantedTasks reads the tasks to add; those that cannot be read are refused in bulk.
func (r *Resolver) wantedTasks(v *core.Viewer, in []graph.CreateTaskInput,
	bulk *core.BulkErrors) ([]wantedTask, error) {
	wanted := make([]wantedTask, 0, len(in))
	for i, one := range in {
		task, err := r.newTask(v, one, "input.tasks."+strconv.Itoa(i))
		if err != nil {
			if err = bulk.Add(i, nil, err); err != nil {
				return nil, err
			}
			continue
		}
		wanted = append(wanted,
			wantedTask{place: i, task: task, key: fold.Text(task.Text), allowDuplicate: one.AllowDuplicate})
	}
	return wanted, nil
}

// taken are the folded texts that a new task must not have.
type taken struct {
	// open are the open tasks that have one.
	open map[string]model.Task
	// earlier are the places of the request's own tasks that are to be added.
	earlier map[string]int
}

// takenTexts asks, once for all of the tasks, which of their texts open tasks have already.
func takenTexts(ctx context.Context, tx store.Tx, user model.UserID, wanted []wantedTask) (taken, error) {
	keys := make([]string, 0, len(wanted))
	for _, one := range wanted {
		if !one.allowDuplicate {
			keys = append(keys, one.key)
		}
	}
	out := taken{earlier: make(map[string]int, len(wanted))}
	if len(keys) == 0 {
		return out, nil
	}
	var err error
	out.open, err = tx.TasksByText(ctx, user, keys, 0)
	return out, err
}

// refuse refuses a task whose text an earlier one of the same request has already, which has no id to show yet, or an
// open task, with that task's id.
func (t taken) refuse(one wantedTask) (inTheWay *string, err error) {
	if one.allowDuplicate {
		return nil, nil
	}
	if earlier, ok := t.earlier[one.key]; ok {
		return nil, model.Errorf(model.CodeConflict,
			"task %d of this request has this text already; set allowDuplicate to add another", earlier)
	}
	if existing, ok := t.open[one.key]; ok {
		id := model.ID{Kind: model.KindTask, UUID: existing.ID}.String()
		return &id, duplicateTask("", existing)
	}
	return nil, nil
}

// change is what a mutation does to a task as it stands: the task afterwards, the operation for the log, and the entry
// that the history gains with COMPLETED, or loses with another operation, if any.
type change func(task model.Task) (model.Task, model.Operation, *model.TaskCompletion, error)

func completing(v *core.Viewer) change {
	return func(task model.Task) (model.Task, model.Operation, *model.TaskCompletion, error) {
		if !task.CompletedAt.IsZero() {
			return task, "", nil, model.Errorf(model.CodeConflict, "the task is completed already")
		}
		done, line := recur.Complete(task, v.Now)
		done.UpdatedAt = v.Now
		return done, model.OperationCompleted, &line, nil
	}
}

// patching applies a patch; completed: true completes as completeTask does, false takes the last completion back, after
// the rest of the patch. The task must have been read with the columns of reopening.
func patching(v *core.Viewer, set graph.TaskPatch) change {
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
		if *completed {
			if !task.CompletedAt.IsZero() {
				return patched, model.OperationUpdated, nil, nil
			}
			return completing(v)(patched)
		}
		reopened, taken := recur.Reopen(patched, v.Now)
		return reopened, model.OperationUpdated, taken, nil
	}
}

// reopening are the columns that a patch needs of a task beside those of its payload.
func reopening(set graph.TaskPatch) store.TaskColumns {
	if completed := set.Completed.Value(); completed != nil && !*completed {
		return store.TaskCompletions
	}
	return 0
}

// apply changes tasks, writes them and their history, and returns them as they now are. The operations are written in
// groups, since the log names one for each write.
func apply(ctx context.Context, tx store.Tx, tasks []model.Task, do change,
	failed func(index int, err error) error) ([]model.Task, []model.TaskCompletion, error) {
	byOperation := make(map[model.Operation][]model.Task)
	var changed []model.Task
	var history, taken []model.TaskCompletion
	for i, task := range tasks {
		after, operation, line, err := do(task)
		if err != nil {
			if err = failed(i, err); err != nil {
				return nil, nil, err
			}
			continue
		}
		switch {
		case line != nil && operation == model.OperationCompleted:
			history = append(history, *line)
			after.Completions = slices.Insert(slices.Clone(after.Completions), 0, *line)
		case line != nil:
			taken = append(taken, *line)
			after.Completions = after.Completions[1:]
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
	if len(taken) > 0 {
		if err := tx.DeleteCompletions(ctx, taken); err != nil {
			return nil, nil, err
		}
	}
	return changed, history, nil
}

// one is the way of apply for a single task: any refusal is the mutation's.
func one(_ int, err error) error { return err }
