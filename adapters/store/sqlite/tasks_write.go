package sqlite

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// The methods of a Tx read through the store, with the Tx's transaction in the context.

func (f *frame) own(ctx context.Context) context.Context {
	return context.WithValue(ctx, frameKey{f.s}, f)
}

// Tasks: see store.TaskReader.
func (f *frame) Tasks(ctx context.Context, user model.UserID, query store.TaskQuery) (store.TaskPage, error) {
	return f.s.Tasks(f.own(ctx), user, query)
}

// TasksByID: see store.TaskReader.
func (f *frame) TasksByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.TaskColumns) ([]model.Task, error) {
	return f.s.TasksByID(f.own(ctx), user, ids, want)
}

// TaskTexts: see store.TaskReader.
func (f *frame) TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error) {
	return f.s.TaskTexts(f.own(ctx), user)
}

// TaskByText: see store.TaskReader.
func (f *frame) TaskByText(ctx context.Context, user model.UserID, text string,
	want store.TaskColumns) (model.Task, error) {
	return f.s.TaskByText(f.own(ctx), user, text, want)
}

// TasksByText: see store.TaskReader.
func (f *frame) TasksByText(ctx context.Context, user model.UserID, texts []string,
	want store.TaskColumns) (map[string]model.Task, error) {
	return f.s.TasksByText(f.own(ctx), user, texts, want)
}

// SubtasksByID: see store.TaskReader.
func (f *frame) SubtasksByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.Subtask, error) {
	return f.s.SubtasksByID(f.own(ctx), user, ids)
}

const (
	sqlInsertTask = `INSERT INTO tasks (text, text_key, category, category_key, due_at, reminder, recurrence_type, recurrence, next_reminder_at, reminded_at,
nudge_count, completed_at, created_at, updated_at, user_id, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	sqlUpdateTask = `UPDATE tasks SET (text, text_key, category, category_key, due_at, reminder, recurrence_type, recurrence, next_reminder_at, reminded_at,
nudge_count, completed_at, created_at, updated_at) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE user_id = ? AND id = ?`
)

// taskArgs binds a whole task for either of the statements above.
func taskArgs(user model.UserID, task *model.Task) ([]arg, error) {
	if err := rows.Text(task.Text, task.Category); err != nil {
		return nil, err
	}
	kind, rule, err := rows.Recurrence(task.Recurrence)
	if err != nil {
		return nil, err
	}
	return []arg{
		textArg(task.Text), textArg(fold.Text(task.Text)), textArg(task.Category), textArg(fold.Text(task.Category)),
		intArg(dueKey(task.DueAt)), intArg(int64(task.Reminder / time.Microsecond)), textOrNull(kind), textOrNull(rule),
		timeArg(task.NextReminderAt), timeArg(task.RemindedAt), intArg(task.NudgeCount), timeArg(task.CompletedAt),
		instantArg(task.CreatedAt), instantArg(task.UpdatedAt), userArg(user), idArg(task.ID),
	}, nil
}

// InsertTasks: see store.TaskWriter.
func (f *frame) InsertTasks(ctx context.Context, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		for i := range tasks {
			args, err := taskArgs(f.user, &tasks[i])
			if err != nil {
				return err
			}
			if _, err := q.write(sqlInsertTask, args...); err != nil {
				return err
			}
		}
		return f.log(q, model.ChangeTask, model.OperationCreated, idsOf(tasks)...)
	})
	return wrap("insert tasks", err)
}

// UpdateTasks: see store.TaskWriter.
func (f *frame) UpdateTasks(ctx context.Context, operation model.Operation, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		for i := range tasks {
			args, err := taskArgs(f.user, &tasks[i])
			if err != nil {
				return err
			}
			if found, err := q.write(sqlUpdateTask, args...); err != nil {
				return err
			} else if found == 0 {
				return store.ErrNotFound
			}
		}
		return f.log(q, model.ChangeTask, operation, idsOf(tasks)...)
	})
	return wrap("update tasks", err)
}

// DeleteTasks: see store.TaskWriter.
func (f *frame) DeleteTasks(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error) {
	deleted, err = f.deleteRows(ctx, model.ChangeTask, `DELETE FROM tasks WHERE user_id = ? AND id = ?`, ids)
	return deleted, wrap("delete tasks", err)
}

// deleteRows deletes by id and logs; what hangs on the rows goes with them, by the foreign keys.
func (f *frame) deleteRows(ctx context.Context, kind model.ChangeType, sql string,
	ids []model.UUID) (deleted []model.UUID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = f.atomically(ctx, func(q *session) error {
		for _, id := range ids {
			if found, err := q.write(sql, userArg(f.user), idArg(id)); err != nil {
				return err
			} else if found > 0 {
				deleted = append(deleted, id)
			}
		}
		return f.log(q, kind, model.OperationDeleted, deleted...)
	})
	if err != nil {
		return nil, err
	}
	return deleted, nil
}

// AddCompletions: see store.TaskWriter.
func (f *frame) AddCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	if len(completions) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		for _, line := range completions {
			if _, err := q.write(`INSERT INTO task_completions (user_id, task_id, completed_at, occurrence, n)
SELECT ?1, ?2, ?3, ?4, coalesce(max(n), 0) + 1 FROM task_completions WHERE user_id = ?1 AND task_id = ?2 AND completed_at = ?3`,
				userArg(f.user), idArg(line.TaskID), instantArg(line.CompletedAt), timeArg(line.Occurrence)); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("add completions", err)
}

// SaveSubtasks: see store.TaskWriter.
func (f *frame) SaveSubtasks(ctx context.Context, updatedAt time.Time, save []model.Subtask,
	remove []model.Subtask) error {
	if len(save)+len(remove) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		var concerned []model.UUID
		for i := range remove {
			if found, err := q.write(`DELETE FROM subtasks WHERE user_id = ? AND task_id = ? AND id = ?`,
				userArg(f.user), idArg(remove[i].TaskID), idArg(remove[i].ID)); err != nil {
				return err
			} else if found > 0 {
				concerned = append(concerned, remove[i].TaskID)
			}
		}
		for i := range save {
			subtask := &save[i]
			if err := rows.Text(subtask.Text); err != nil {
				return err
			}
			// The same id under another task breaks subtasks_id, which is the conflict that the contract asks for.
			if _, err := q.write(
				`INSERT INTO subtasks (user_id, task_id, id, text, completed, created_at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, task_id, id) DO UPDATE SET text = excluded.text, completed = excluded.completed, created_at = excluded.created_at`,
				userArg(f.user), idArg(subtask.TaskID), idArg(subtask.ID), textArg(subtask.Text), boolArg(subtask.Completed),
				instantArg(subtask.CreatedAt)); err != nil {
				return err
			}
			concerned = append(concerned, subtask.TaskID)
		}
		concerned = rows.Distinct(concerned)
		for i := range concerned {
			if _, err := q.write(`UPDATE tasks SET updated_at = ? WHERE user_id = ? AND id = ?`,
				instantArg(updatedAt), userArg(f.user), idArg(concerned[i])); err != nil {
				return err
			}
		}
		return f.log(q, model.ChangeTask, model.OperationUpdated, concerned...)
	})
	return wrap("save subtasks", err)
}

func idsOf(tasks []model.Task) []model.UUID {
	ids := make([]model.UUID, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].ID
	}
	return ids
}

// wrap says what was being done.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
