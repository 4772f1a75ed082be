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

var (
	sqlInsertTask    = insertSQL(&store.TaskTable)
	sqlUpdateTask    = updateSQL(&store.TaskTable)
	sqlUpsertSubtask = upsertSQL(&store.SubtaskTable, "user_id, task_id, id")
)

// InsertTasks: see store.TaskWriter.
func (f *frame) InsertTasks(ctx context.Context, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		counts := taskCounts{}
		indexed, err := isIndexed(q, f.user)
		if err != nil {
			return err
		}
		for i := range tasks {
			args, err := argsOf(f.user, &store.TaskTable, &tasks[i])
			if err != nil {
				return err
			}
			if _, err := q.write(sqlInsertTask, args...); err != nil {
				return err
			}
			if err := f.noteTask(q, tasks[i].ID, 0, indexed); err != nil {
				return err
			}
			counts[countedAs(&tasks[i])]++
		}
		if err := counts.keep(q, f.user); err != nil {
			return err
		}
		return f.log(q, model.ChangeTask, model.OperationCreated, idsOf(tasks, taskID)...)
	})
	return wrap("insert tasks", err)
}

// AddTasks inserts tasks at once.
func (f *frame) AddTasks(ctx context.Context, tasks []model.Task) error {
	return f.InsertTasks(ctx, tasks)
}

// UpdateTasks: see store.TaskWriter.
func (f *frame) UpdateTasks(ctx context.Context, operation model.Operation, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		counts := taskCounts{}
		indexed, err := isIndexed(q, f.user)
		if err != nil {
			return err
		}
		for i := range tasks {
			args, err := argsOf(f.user, &store.TaskTable, &tasks[i])
			if err != nil {
				return err
			}
			old, err := counts.forget(q, f.user, tasks[i].ID)
			if err != nil {
				return err
			}
			if err := q.writeOne(sqlUpdateTask, args...); err != nil {
				return err
			}
			if indexed && old.text != searched(fold.Text(tasks[i].Text), fold.Text(tasks[i].Category)) {
				if err := f.noteTask(q, tasks[i].ID, old.n, indexed); err != nil {
					return err
				}
			}
			counts[countedAs(&tasks[i])]++
		}
		if err := counts.keep(q, f.user); err != nil {
			return err
		}
		return f.log(q, model.ChangeTask, operation, idsOf(tasks, taskID)...)
	})
	return wrap("update tasks", err)
}

// DeleteTasks: see store.TaskWriter.
func (f *frame) DeleteTasks(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = f.atomically(ctx, func(q *session) error {
		counts := taskCounts{}
		for _, id := range ids {
			old, err := counts.forget(q, f.user, id)
			if err != nil {
				return err
			}
			if err := f.noteTask(q, id, old.n, false); err != nil {
				return err
			}
			// A task that is named twice is gone at the second time, and not counted again.
			if found, err := q.write(`DELETE FROM tasks WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id)); err != nil {
				return err
			} else if found > 0 {
				deleted = append(deleted, id)
			}
		}
		if err := counts.keep(q, f.user); err != nil {
			return err
		}
		return f.log(q, model.ChangeTask, model.OperationDeleted, deleted...)
	})
	if err != nil {
		return nil, wrap("delete tasks", err)
	}
	return deleted, nil
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

// sqlAddCompletion numbers the entries of one moment.
const sqlAddCompletion = `INSERT INTO task_completions (user_id, task_id, completed_at, occurrence, n)
SELECT ?1, ?2, ?3, ?4, coalesce(max(n), 0) + 1 FROM task_completions
WHERE user_id = ?1 AND task_id = ?2 AND completed_at = ?3`

// sqlDeleteCompletion deletes the newest entry of one moment.
const sqlDeleteCompletion = `DELETE FROM task_completions
WHERE user_id = ?1 AND task_id = ?2 AND completed_at = ?3 AND n = (
	SELECT max(n) FROM task_completions WHERE user_id = ?1 AND task_id = ?2 AND completed_at = ?3)`

// AddCompletions: see store.TaskWriter.
func (f *frame) AddCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	if len(completions) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error { return addCompletions(q, f.user, completions) })
	return wrap("add completions", err)
}

func addCompletions(q *session, user model.UserID, completions []model.TaskCompletion) error {
	for _, line := range completions {
		if _, err := q.write(sqlAddCompletion, userArg(user), idArg(line.TaskID), instantArg(line.CompletedAt),
			timeArg(line.Occurrence)); err != nil {
			return err
		}
	}
	return nil
}

// DeleteCompletions: see store.TaskWriter.
func (f *frame) DeleteCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	if len(completions) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		for _, line := range completions {
			if _, err := q.write(sqlDeleteCompletion, userArg(f.user), idArg(line.TaskID),
				instantArg(line.CompletedAt)); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("delete completions", err)
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
			args, err := argsOf(f.user, &store.SubtaskTable, &save[i])
			if err != nil {
				return err
			}
			// The same id under another task breaks subtasks_id, which is the conflict that the contract asks for.
			if _, err := q.write(sqlUpsertSubtask, args...); err != nil {
				return err
			}
			concerned = append(concerned, save[i].TaskID)
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

// idsOf returns the id of each record.
func idsOf[R any](records []R, id func(R) model.UUID) []model.UUID {
	ids := make([]model.UUID, len(records))
	for i := range records {
		ids[i] = id(records[i])
	}
	return ids
}

func taskID(task model.Task) model.UUID { return task.ID }

// wrap says what was being done.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
