package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	taskParameters = parametersOf(store.TaskTable.All())
	taskNames      = strings.Join(store.Names(store.TaskTable.All()), ", ")
	replacedOfTask = store.Names(store.TaskTable.Replaced())

	oneTask = "INSERT INTO tasks (user_id, " + taskNames + ") VALUES ($1, " + numbered(2, len(taskParameters)) + ")"

	severalTasks = "INSERT INTO tasks (user_id, " + taskNames + ") SELECT o.user_id, " + taskNames + " FROM " + ofUser +
		", (" + given(2, taskParameters) + ") AS i"

	sqlInsertTask  = counting(oneTask + " ON CONFLICT (user_id, id) DO NOTHING")
	sqlInsertTasks = counting(severalTasks + " WHERE NOT EXISTS (SELECT FROM tasks WHERE user_id = $1 AND id = ANY($2))")

	sqlAddTask, sqlAddTasks = counting(oneTask), counting(severalTasks)

	// All but the id, which is the first.
	sqlUpdateTask = recounting("$2", "UPDATE tasks AS t SET ("+strings.Join(replacedOfTask, ", ")+") = ROW("+
		numbered(3, len(replacedOfTask))+") WHERE user_id = $1 AND id = $2")

	sqlUpdateTasks = recounting("ANY($2)", "UPDATE tasks AS t SET ("+strings.Join(replacedOfTask, ", ")+") = ROW("+
		listed("i", replacedOfTask)+") FROM ("+given(2, taskParameters)+`) AS i WHERE t.user_id = $1 AND t.id = i.id
AND (SELECT count(*) FROM tasks WHERE user_id = $1 AND id = ANY($2)) = cardinality($2)`)
)

const sqlDeleteTasks = `WITH done AS (
	DELETE FROM tasks WHERE user_id = $1 AND id = ANY($2) RETURNING id, ` + counted + sqlKeepCounts + `SELECT ` + counted +
	`, -1 AS change FROM done` + sqlKeptCounts + `SELECT id FROM done`

// form returns which of two statements writes tasks, the one for a single task or the one for several, and its
// arguments.
func (t tx) form(single, several string, tasks []model.Task) (sql string, args []any, err error) {
	if len(tasks) == 1 {
		args, err = values(t.user(), store.TaskTable.All(), tasks[0])
		return single, args, err
	}
	args, err = arrays(t.user(), store.TaskTable.All(), tasks)
	return several, args, err
}

// queueTasks adds a statement that writes tasks, all or none.
func (t tx) queueTasks(b *batch, single, several string, tasks []model.Task, otherwise error) error {
	sql, args, err := t.form(single, several, tasks)
	if err == nil {
		b.allCounted(sql, len(tasks), otherwise, args...)
	}
	return err
}

func taskID(task model.Task) model.UUID { return task.ID }

// idsOf returns the id of each item.
func idsOf[T any](items []T, id func(T) model.UUID) []model.UUID {
	ids := make([]model.UUID, len(items))
	for i, item := range items {
		ids[i] = id(item)
	}
	return ids
}

// InsertTasks adds tasks, all or none.
func (t tx) InsertTasks(ctx context.Context, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	ids := idsOf(tasks, taskID)
	if len(rows.Distinct(ids)) != len(ids) {
		return fmt.Errorf("postgres: insert tasks: an id is given twice: %w", store.ErrConflict)
	}
	b := newBatch()
	if err := t.queueTasks(b, sqlInsertTask, sqlInsertTasks, tasks, store.ErrConflict); err != nil {
		return err
	}
	return t.write(ctx, "insert tasks", b, changesOf(model.ChangeTask, model.OperationCreated, ids...))
}

// AddTasks adds tasks with the next statement or the commit. The server refuses an id that is taken, or given twice.
func (t tx) AddTasks(ctx context.Context, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	sql, args, err := t.form(sqlAddTask, sqlAddTasks, tasks)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sql, nil, args...)
	err = t.level.later(ctx, b, changesOf(model.ChangeTask, model.OperationCreated, idsOf(tasks, taskID)...))
	if err != nil {
		return fmt.Errorf("postgres: add tasks: %w", err)
	}
	return nil
}

// UpdateTasks replaces tasks, all or none. Of a task given twice the last stays.
func (t tx) UpdateTasks(ctx context.Context, operation model.Operation, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	ids := idsOf(tasks, taskID)
	tasks = lastOf(tasks, taskID)
	b := newBatch()
	if err := t.queueTasks(b, sqlUpdateTask, sqlUpdateTasks, tasks, store.ErrNotFound); err != nil {
		return err
	}
	return t.write(ctx, "update tasks", b, changesOf(model.ChangeTask, operation, ids...))
}

// DeleteTasks deletes tasks with what hangs on them, and returns the ids that were there, in the order given.
func (t tx) DeleteTasks(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	return t.delete(ctx, "delete tasks", sqlDeleteTasks, model.ChangeTask, ids)
}

func (t tx) delete(ctx context.Context, what, sql string, kind model.ChangeType,
	ids []model.UUID) ([]model.UUID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	gone := make(map[model.UUID]struct{}, len(ids))
	var deleted []model.UUID
	b := newBatch()
	b.query(sql, func(r *row) { gone[r.uuid()] = struct{}{} }, t.user(), uuidArgs(rows.Distinct(ids)))
	err := t.write(ctx, what, b, func() []change {
		deleted = present(ids, gone)
		return changesOf(kind, model.OperationDeleted, deleted...)()
	})
	if err != nil {
		return nil, err
	}
	return deleted, nil
}

const sqlAddCompletions = `INSERT INTO task_completions (user_id, task_id, completed_at, n, occurrence)
SELECT o.user_id, i.task_id, i.completed_at, (coalesce((
		SELECT max(c.n) FROM task_completions AS c WHERE c.user_id = $1 AND c.task_id = i.task_id
		AND c.completed_at = i.completed_at
	), 0) + row_number() OVER (PARTITION BY i.task_id, i.completed_at ORDER BY i.given))::integer, i.occurrence
FROM ` + ofUser + `, unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY
AS i (task_id, completed_at, occurrence, given)
WHERE (SELECT count(*) FROM tasks WHERE user_id = $1 AND id = ANY($5)) = cardinality($5)`

// AddCompletions appends to histories. ErrNotFound, and nothing is done, when a task is not there.
func (t tx) AddCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	if len(completions) == 0 {
		return nil
	}
	tasks := idsOf(completions, func(line model.TaskCompletion) model.UUID { return line.TaskID })
	args, err := arrays(t.user(), store.CompletionTable.All(), completions)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlAddCompletions, all(len(tasks), store.ErrNotFound), append(args, uuidArgs(rows.Distinct(tasks)))...)
	return t.write(ctx, "add completions", b, nil)
}

const sqlDeleteCompletions = `DELETE FROM task_completions AS c
USING unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) AS i (task_id, completed_at, occurrence)
WHERE c.user_id = $1 AND c.task_id = i.task_id AND c.completed_at = i.completed_at AND c.n = (
	SELECT max(o.n) FROM task_completions AS o WHERE o.user_id = $1 AND o.task_id = i.task_id
	AND o.completed_at = i.completed_at)`

// DeleteCompletions takes from histories the newest entry of each task's moment.
func (t tx) DeleteCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	if len(completions) == 0 {
		return nil
	}
	args, err := arrays(t.user(), store.CompletionTable.All(), completions)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlDeleteCompletions, nil, args...)
	return t.write(ctx, "delete completions", b, nil)
}

// sqlSaveSubtasks says whether the tasks are there and the ids free or theirs; only then it does something, and returns
// the tasks that lost a subtask.
var sqlSaveSubtasks = func() string {
	columns := store.SubtaskTable.All()
	next := 2 + len(columns)
	return filled(`WITH i AS (
	{given}
), may AS MATERIALIZED (
	SELECT (SELECT count(*) FROM tasks WHERE user_id = $1 AND id = ANY({tasks})) = cardinality({tasks}) AS found,
		NOT EXISTS (SELECT FROM i JOIN subtasks AS s ON s.user_id = $1 AND s.id = i.id AND s.task_id <> i.task_id) AS free
), gone AS (
	DELETE FROM subtasks AS s USING unnest({gone}::uuid[], {of}::uuid[]) AS g (id, task_id)
	WHERE s.user_id = $1 AND s.id = g.id AND s.task_id = g.task_id AND (SELECT found AND free FROM may) RETURNING s.task_id
), saved AS (
	INSERT INTO subtasks (user_id, {names})
	SELECT o.user_id, {names} FROM `+ofUser+`, i WHERE (SELECT found AND free FROM may)
	ON CONFLICT (user_id, id) DO UPDATE SET {replaced}
), touched AS (
	UPDATE tasks SET updated_at = {at} WHERE user_id = $1 AND id IN (SELECT task_id FROM i UNION SELECT task_id FROM gone)
		AND (SELECT found AND free FROM may)
)
SELECT found, free, ARRAY(SELECT task_id FROM gone) FROM may`,
		"{given}", given(2, parametersOf(columns)), "{names}", strings.Join(store.Names(columns), ", "),
		"{replaced}", excluded(store.Names(store.SubtaskTable.Replaced())...),
		"{tasks}", numbered(next, 1), "{gone}", numbered(next+1, 1), "{of}", numbered(next+2, 1), "{at}", numbered(next+3, 1))
}()

// SaveSubtasks inserts or replaces subtasks and deletes others. A subtask that is named for both is saved.
func (t tx) SaveSubtasks(ctx context.Context, updatedAt time.Time, save []model.Subtask, remove []model.Subtask) error {
	if len(save)+len(remove) == 0 {
		return nil
	}
	save = lastOf(save, func(step model.Subtask) model.UUID { return step.ID })
	args, err := arrays(t.user(), store.SubtaskTable.All(), save)
	if err != nil {
		return err
	}
	saved := make(map[model.UUID]struct{}, len(save))
	concerned, lostStep := make(map[model.UUID]struct{}), make(map[model.UUID]struct{})
	var tasks, goneIDs, goneTasks []model.UUID
	for _, step := range save {
		saved[step.ID], concerned[step.TaskID] = struct{}{}, struct{}{}
		tasks = append(tasks, step.TaskID)
	}
	for _, step := range remove {
		if _, both := saved[step.ID]; !both {
			goneIDs, goneTasks = append(goneIDs, step.ID), append(goneTasks, step.TaskID)
		}
	}
	var found, free bool
	b := newBatch()
	b.query(sqlSaveSubtasks, func(r *row) {
		found, free = r.bool(), r.bool()
		for gone := r.array(); gone.left > 0; {
			lostStep[uuidOf(gone.element())] = struct{}{}
		}
	}, append(args, uuidArgs(rows.Distinct(tasks)), uuidArgs(goneIDs), uuidArgs(goneTasks), instantArg(updatedAt))...)
	err = t.write(ctx, "save subtasks", b, func() []change {
		if !found || !free {
			return nil
		}
		for task := range lostStep {
			concerned[task] = struct{}{}
		}
		return changesOf(model.ChangeTask, model.OperationUpdated, present(append(tasks, goneTasks...), concerned)...)()
	})
	return refused(err, "save subtasks", found, free)
}

// refused turns what a statement said of its condition into the contract's errors.
func refused(err error, what string, found, free bool) error {
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("postgres: %s: %w", what, store.ErrNotFound)
	case !free:
		return fmt.Errorf("postgres: %s: %w", what, store.ErrConflict)
	}
	return nil
}
