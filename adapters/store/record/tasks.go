package record

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// tasks are tasks with their subtasks and histories.
type tasks struct{}

const wholeTask = store.TaskRow | store.TaskSubtasks | store.TaskCompletions

func (tasks) read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error) {
	found, err := in.tx.TasksByID(ctx, in.user, ids, wholeTask)
	if err != nil {
		return nil, err
	}
	records := make(map[model.UUID]any, len(found))
	for i := range found {
		task := &found[i]
		slices.Reverse(task.Completions) // as they were added
		if len(task.Completions) >= store.MaxCompletions {
			if task.Completions, err = in.tx.TaskHistories(ctx, in.user, []model.UUID{task.ID}); err != nil {
				return nil, err
			}
		}
		records[task.ID] = task
	}
	return records, nil
}

func (tasks) layout() layout { return taskLayout }

var taskLayout = layout{
	// The completions are one part: what was completed since stands in the way of reopening.
	lists: map[string]string{"Subtasks": "ID"},
	// A reminder that fires is no change of the user's.
	loose: []string{"NextReminderAt", "RemindedAt", "NudgeCount"},
	fixed: []string{"ID", "CreatedAt", "UpdatedAt"},
}

func (tasks) join(parts Parts) (any, error) { return joined[model.Task](parts) }

func (tasks) about(any) []model.ID { return nil }

func (tasks) put(ctx context.Context, in scope, changes []change) error {
	var gone []model.UUID
	var made, changed []model.Task
	var steps, without []model.Subtask
	histories := map[model.UUID][]model.TaskCompletion{}
	for _, c := range changes {
		now, _ := c.now.(*model.Task)
		want, _ := c.want.(*model.Task)
		if want == nil {
			gone = append(gone, now.ID)
			continue
		}
		want.UpdatedAt = in.now
		var there []model.Subtask
		var history []model.TaskCompletion
		if now == nil {
			made = append(made, *want)
		} else {
			changed = append(changed, *want)
			there, history = now.Subtasks, now.Completions
		}
		save, remove := beside(there, want.Subtasks, func(s model.Subtask) model.UUID { return s.ID })
		steps, without = append(steps, save...), append(without, remove...)
		if !slices.EqualFunc(history, want.Completions, sameCompletion) {
			histories[want.ID] = want.Completions
		}
	}
	if _, err := in.tx.DeleteTasks(ctx, gone); err != nil {
		return err
	}
	if err := in.tx.InsertTasks(ctx, made); err != nil {
		return err
	}
	if err := in.tx.UpdateTasks(ctx, model.OperationUpdated, changed); err != nil {
		return err
	}
	if err := in.tx.SaveSubtasks(ctx, in.now, steps, without); err != nil {
		return err
	}
	for id, history := range histories {
		if err := in.tx.SetTaskHistory(ctx, id, history); err != nil {
			return err
		}
	}
	return nil
}

func sameCompletion(a, b model.TaskCompletion) bool {
	return a.CompletedAt.Equal(b.CompletedAt) && a.Occurrence.Equal(b.Occurrence)
}

// beside returns the elements that are new or not as they were, and those that are not wanted any more.
func beside[E comparable](there, want []E, id func(E) model.UUID) (save, remove []E) {
	was := make(map[model.UUID]E, len(there))
	for _, element := range there {
		was[id(element)] = element
	}
	for _, element := range want {
		if before, known := was[id(element)]; !known || before != element {
			save = append(save, element)
		}
		delete(was, id(element))
	}
	for _, element := range there {
		if _, left := was[id(element)]; left {
			remove = append(remove, element)
		}
	}
	return save, remove
}

// InsertTasks records and writes.
func (t *recording) InsertTasks(ctx context.Context, tasks []model.Task) error {
	if err := t.Tx.InsertTasks(ctx, tasks); err != nil {
		return err
	}
	t.madeTasks(tasks)
	return nil
}

// AddTasks records and writes.
func (t *recording) AddTasks(ctx context.Context, tasks []model.Task) error {
	if err := t.Tx.AddTasks(ctx, tasks); err != nil {
		return err
	}
	t.madeTasks(tasks)
	return nil
}

func (t *recording) madeTasks(tasks []model.Task) {
	t.expect(len(tasks))
	for i := range tasks {
		if kept := KeptTask(tasks[i]); kept != nil {
			t.made(model.ID{Kind: model.KindTask, UUID: kept.ID}, kept)
		} else {
			t.creating(model.KindTask, tasks[i].ID)
		}
	}
}

// KeptTask returns a task as it will be read, whole, once it is inserted; nil for one that recurs, whose rule may come
// back in other words.
func KeptTask(task model.Task) *model.Task {
	if task.Recurrence != nil {
		return nil
	}
	for _, t := range []*time.Time{&task.DueAt, &task.NextReminderAt, &task.RemindedAt, &task.CompletedAt, &task.CreatedAt,
		&task.UpdatedAt} {
		*t = rows.Time(*t)
	}
	task.Reminder = task.Reminder.Truncate(time.Microsecond)
	task.Subtasks, task.Completions = nil, nil // those are added by themselves
	return &task
}

// UpdateTasks records and writes.
func (t *recording) UpdateTasks(ctx context.Context, operation model.Operation, tasks []model.Task) error {
	ids := make([]model.UUID, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].ID
	}
	if err := t.before(ctx, model.KindTask, ids...); err != nil {
		return err
	}
	return t.Tx.UpdateTasks(ctx, operation, tasks)
}

// DeleteTasks records and writes.
func (t *recording) DeleteTasks(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	if err := t.before(ctx, model.KindTask, ids...); err != nil {
		return nil, err
	}
	return t.Tx.DeleteTasks(ctx, ids)
}

// AddCompletions records and writes.
func (t *recording) AddCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	for _, completion := range completions {
		if err := t.before(ctx, model.KindTask, completion.TaskID); err != nil {
			return err
		}
	}
	return t.Tx.AddCompletions(ctx, completions)
}

// DeleteCompletions records and writes.
func (t *recording) DeleteCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	for _, completion := range completions {
		if err := t.before(ctx, model.KindTask, completion.TaskID); err != nil {
			return err
		}
	}
	return t.Tx.DeleteCompletions(ctx, completions)
}

// SaveSubtasks records and writes.
func (t *recording) SaveSubtasks(ctx context.Context, updatedAt time.Time, save, remove []model.Subtask) error {
	var ids []model.UUID
	for _, step := range slices.Concat(save, remove) {
		ids = append(ids, step.TaskID)
	}
	if err := t.before(ctx, model.KindTask, ids...); err != nil {
		return err
	}
	return t.Tx.SaveSubtasks(ctx, updatedAt, save, remove)
}

// SetTaskHistory records and writes.
func (t *recording) SetTaskHistory(ctx context.Context, task model.UUID, completions []model.TaskCompletion) error {
	if err := t.before(ctx, model.KindTask, task); err != nil {
		return err
	}
	return t.Tx.SetTaskHistory(ctx, task, completions)
}
