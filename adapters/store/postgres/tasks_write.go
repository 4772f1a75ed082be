package postgres

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

const (
	taskRowColumns = `id, due_at, next_reminder_at, reminded_at, completed_at, created_at, updated_at, reminder, nudge_count,
text, text_key, category, category_key, recurrence_type, recurrence`

	taskArrays = `unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
$9::bigint[], $10::integer[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::json[]) AS i (` + taskRowColumns + `)`

	sqlInsertTask = `INSERT INTO tasks (user_id, ` + taskRowColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (user_id, id) DO NOTHING`

	sqlInsertTasks = `INSERT INTO tasks (user_id, ` + taskRowColumns + `)
SELECT $1, i.* FROM ` + taskArrays + ` WHERE NOT EXISTS (SELECT FROM tasks WHERE user_id = $1 AND id = ANY($2))`

	sqlUpdateTask = `UPDATE tasks SET (due_at, next_reminder_at, reminded_at, completed_at, created_at, updated_at, reminder, nudge_count,
text, text_key, category, category_key, recurrence_type, recurrence) = ROW($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
WHERE user_id = $1 AND id = $2`

	sqlUpdateTasks = `UPDATE tasks AS t SET (due_at, next_reminder_at, reminded_at, completed_at, created_at, updated_at, reminder, nudge_count,
text, text_key, category, category_key, recurrence_type, recurrence) = ROW(i.due_at, i.next_reminder_at, i.reminded_at, i.completed_at, i.created_at,
i.updated_at, i.reminder, i.nudge_count, i.text, i.text_key, i.category, i.category_key, i.recurrence_type, i.recurrence)
FROM ` + taskArrays + ` WHERE t.user_id = $1 AND t.id = i.id
AND (SELECT count(*) FROM tasks WHERE user_id = $1 AND id = ANY($2)) = cardinality($2)`

	sqlDeleteTasks = `DELETE FROM tasks WHERE user_id = $1 AND id = ANY($2) RETURNING id`
)

// taskRows are tasks as parameters, one array for each column, in the order of taskRowColumns.
type taskRows struct {
	ids                                                      []pgtype.UUID
	due, nextReminder, reminded, completed, created, updated []pgtype.Timestamptz
	reminders                                                []int64
	nudges                                                   []int32
	texts, textKeys, categories, categoryKeys                []string
	recurrenceTypes, recurrences                             []pgtype.Text
}

func taskRowsOf(tasks []model.Task) (*taskRows, error) {
	var c taskRows
	for i := range tasks {
		task := &tasks[i]
		if err := rows.Text(task.Text, task.Category); err != nil {
			return nil, err
		}
		kind, rule, err := rows.Recurrence(task.Recurrence)
		if err != nil {
			return nil, err
		}
		if err := rows.Text(kind, rule); err != nil {
			return nil, err
		}
		c.ids = append(c.ids, uuidArg(task.ID))
		c.due = append(c.due, dueArg(task.DueAt))
		c.nextReminder = append(c.nextReminder, timeArg(task.NextReminderAt))
		c.reminded = append(c.reminded, timeArg(task.RemindedAt))
		c.completed = append(c.completed, timeArg(task.CompletedAt))
		c.created = append(c.created, instantArg(task.CreatedAt))
		c.updated = append(c.updated, instantArg(task.UpdatedAt))
		c.reminders = append(c.reminders, int64(task.Reminder/time.Microsecond))
		c.nudges = append(c.nudges, int32(min(task.NudgeCount, math.MaxInt32)))
		c.texts = append(c.texts, task.Text)
		c.textKeys = append(c.textKeys, fold.Text(task.Text))
		c.categories = append(c.categories, task.Category)
		c.categoryKeys = append(c.categoryKeys, fold.Text(task.Category))
		c.recurrenceTypes = append(c.recurrenceTypes, textArg(kind))
		c.recurrences = append(c.recurrences, textArg(rule))
	}
	return &c, nil
}

// arrays are the parameters of a statement with taskArrays.
func (c *taskRows) arrays(user any) []any {
	return []any{
		user, c.ids, c.due, c.nextReminder, c.reminded, c.completed, c.created, c.updated, c.reminders, c.nudges,
		c.texts, c.textKeys, c.categories, c.categoryKeys, c.recurrenceTypes, c.recurrences,
	}
}

// first are the parameters of a statement for the first task only.
func (c *taskRows) first(user any) []any {
	return []any{
		user, c.ids[0], c.due[0], c.nextReminder[0], c.reminded[0], c.completed[0], c.created[0], c.updated[0],
		c.reminders[0], c.nudges[0],
		c.texts[0], c.textKeys[0], c.categories[0], c.categoryKeys[0], c.recurrenceTypes[0], c.recurrences[0],
	}
}

func taskID(task model.Task) model.UUID { return task.ID }

// idsOf gives the id of each item.
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
	columns, err := taskRowsOf(tasks)
	if err != nil {
		return err
	}
	b := newBatch()
	if len(tasks) == 1 {
		b.exec(sqlInsertTask, all(1, store.ErrConflict), columns.first(t.user())...)
	} else {
		b.exec(sqlInsertTasks, all(len(tasks), store.ErrConflict), columns.arrays(t.user())...)
	}
	return t.write(ctx, "insert tasks", b, changesOf(model.ChangeTask, model.OperationCreated, ids...))
}

// UpdateTasks replaces tasks, all or none. Of a task given twice the last stays.
func (t tx) UpdateTasks(ctx context.Context, operation model.Operation, tasks []model.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	ids := idsOf(tasks, taskID)
	tasks = lastOf(tasks, taskID)
	columns, err := taskRowsOf(tasks)
	if err != nil {
		return err
	}
	b := newBatch()
	if len(tasks) == 1 {
		b.exec(sqlUpdateTask, all(1, store.ErrNotFound), columns.first(t.user())...)
	} else {
		b.exec(sqlUpdateTasks, all(len(tasks), store.ErrNotFound), columns.arrays(t.user())...)
	}
	return t.write(ctx, "update tasks", b, changesOf(model.ChangeTask, operation, ids...))
}

// DeleteTasks deletes tasks with what hangs on them, and gives the ids that were there, in the order given.
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
SELECT $1, i.task_id, i.completed_at,
	(coalesce((SELECT max(c.n) FROM task_completions AS c WHERE c.user_id = $1 AND c.task_id = i.task_id AND c.completed_at = i.completed_at), 0)
		+ row_number() OVER (PARTITION BY i.task_id, i.completed_at ORDER BY i.given))::integer, i.occurrence
FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS i (task_id, completed_at, occurrence, given)
WHERE (SELECT count(*) FROM tasks WHERE user_id = $1 AND id = ANY($5)) = cardinality($5)`

// AddCompletions appends to histories. ErrNotFound, and nothing is done, when a task is not there.
func (t tx) AddCompletions(ctx context.Context, completions []model.TaskCompletion) error {
	if len(completions) == 0 {
		return nil
	}
	tasks := idsOf(completions, func(line model.TaskCompletion) model.UUID { return line.TaskID })
	completed, occurrences := make([]pgtype.Timestamptz, len(tasks)), make([]pgtype.Timestamptz, len(tasks))
	for i, line := range completions {
		completed[i], occurrences[i] = instantArg(line.CompletedAt), timeArg(line.Occurrence)
	}
	b := newBatch()
	b.exec(sqlAddCompletions, all(len(tasks), store.ErrNotFound), t.user(), uuidArgs(tasks), completed, occurrences,
		uuidArgs(rows.Distinct(tasks)))
	return t.write(ctx, "add completions", b, nil)
}

// sqlSaveSubtasks says whether the tasks are there and the ids free or theirs; only then it does something, and gives
// the tasks that lost a subtask.
const sqlSaveSubtasks = `WITH i AS (
	SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::timestamptz[]) AS i (id, task_id, text, completed, created_at)
), may AS (
	SELECT (SELECT count(*) FROM tasks WHERE user_id = $1 AND id = ANY($7)) = cardinality($7) AS found,
		NOT EXISTS (SELECT FROM i JOIN subtasks AS s ON s.user_id = $1 AND s.id = i.id AND s.task_id <> i.task_id) AS free
), gone AS (
	DELETE FROM subtasks AS s USING unnest($8::uuid[], $9::uuid[]) AS g (id, task_id)
	WHERE s.user_id = $1 AND s.id = g.id AND s.task_id = g.task_id AND (SELECT found AND free FROM may) RETURNING s.task_id
), saved AS (
	INSERT INTO subtasks (user_id, id, task_id, text, completed, created_at)
	SELECT $1, i.id, i.task_id, i.text, i.completed, i.created_at FROM i WHERE (SELECT found AND free FROM may)
	ON CONFLICT (user_id, id) DO UPDATE SET text = excluded.text, completed = excluded.completed, created_at = excluded.created_at
), touched AS (
	UPDATE tasks SET updated_at = $10 WHERE user_id = $1 AND id IN (SELECT task_id FROM i UNION SELECT task_id FROM gone) AND (SELECT found AND free FROM may)
)
SELECT found, free, ARRAY(SELECT task_id FROM gone) FROM may`

// SaveSubtasks inserts or replaces subtasks and deletes others. A subtask that is named for both is saved.
func (t tx) SaveSubtasks(ctx context.Context, updatedAt time.Time, save []model.Subtask, remove []model.Subtask) error {
	if len(save)+len(remove) == 0 {
		return nil
	}
	save = lastOf(save, func(step model.Subtask) model.UUID { return step.ID })
	var (
		saved               = make(map[model.UUID]struct{}, len(save))
		ids, tasks          []model.UUID
		goneIDs, goneTasks  []model.UUID
		texts               = make([]string, 0, len(save))
		completed           = make([]bool, 0, len(save))
		created             = make([]pgtype.Timestamptz, 0, len(save))
		found, free         bool
		concerned, lostStep = make(map[model.UUID]struct{}), make(map[model.UUID]struct{})
	)
	for _, step := range save {
		if err := rows.Text(step.Text); err != nil {
			return err
		}
		saved[step.ID], concerned[step.TaskID] = struct{}{}, struct{}{}
		ids, tasks = append(ids, step.ID), append(tasks, step.TaskID)
		texts, completed, created = append(texts, step.Text), append(completed, step.Completed),
			append(created, instantArg(step.CreatedAt))
	}
	for _, step := range remove {
		if _, both := saved[step.ID]; !both {
			goneIDs, goneTasks = append(goneIDs, step.ID), append(goneTasks, step.TaskID)
		}
	}
	b := newBatch()
	b.query(sqlSaveSubtasks, func(r *row) {
		found, free = r.bool(), r.bool()
		for gone := r.array(); gone.left > 0; {
			lostStep[uuidOf(gone.element())] = struct{}{}
		}
	}, t.user(), uuidArgs(ids), uuidArgs(tasks), texts, completed, created, uuidArgs(rows.Distinct(tasks)),
		uuidArgs(goneIDs), uuidArgs(goneTasks), instantArg(updatedAt))
	err := t.write(ctx, "save subtasks", b, func() []change {
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
