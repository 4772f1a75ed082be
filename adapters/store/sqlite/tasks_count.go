package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// taskCount is what a row of task_counts counts.
type taskCount struct {
	done bool
	// week is unended for tasks without a due date.
	week           int64
	kind, category string
}

// taskCounts are changes of counts. They are kept here and not by triggers of the database, each of which would cost
// what the whole transaction has written so far: SQLite then has a statement's own journal within that of the
// savepoint.
type taskCounts map[taskCount]int

// countedAs returns where a task is counted.
func countedAs(task *model.Task) taskCount {
	c := taskCount{done: !task.CompletedAt.IsZero(), week: unended, category: fold.Text(task.Category)}
	if !task.DueAt.IsZero() {
		c.week = weekOf(rows.Micros(task.DueAt))
	}
	if task.Recurrence != nil {
		c.kind = string(task.Recurrence.Type)
	}
	return c
}

// weekOf returns the number of the week that a due date is in.
func weekOf(due int64) int64 {
	_, week := rows.Weeks(due, due)
	return week
}

// writtenTask is what a write must know of a task as it was.
type writtenTask struct {
	// n is the task's row in the index for searches, 0 for none, and text what it has of it.
	n    int64
	text string
}

// sqlCategories reads the counts of the open tasks, and of each category how its newest open task writes it.
const sqlCategories = `SELECT (SELECT category FROM tasks INDEXED BY tasks_category WHERE user_id = ?1
	AND category_key = c.category_key AND completed_at IS NULL ORDER BY id DESC LIMIT 1), c.open
FROM (SELECT category_key, sum(n) AS open FROM task_counts WHERE user_id = ?1 AND done = 0 AND category_key <> ''
	GROUP BY category_key HAVING sum(n) > 0 ORDER BY open DESC, category_key LIMIT ?2) AS c
ORDER BY c.open DESC, c.category_key`

// TaskCategories: see store.TaskReader.
func (r reader) TaskCategories(ctx context.Context, user model.UserID, limit int) ([]model.TaskCategory, error) {
	return answer(ctx, r, "categories", oneStatement, func(q *session) (found []model.TaskCategory, err error) {
		err = q.readSQL(sqlCategories, into(&found, func(stmt *sqlite.Stmt, one *model.TaskCategory) error {
			*one = model.TaskCategory{Name: stmt.ColumnText(0), Open: stmt.ColumnInt(1)}
			return nil
		}), userArg(user), intArg(limit))
		return found, err
	})
}

// forget counts out what a task was, if it is there.
func (c taskCounts) forget(q *session, user model.UserID, id model.UUID) (old writtenTask, err error) {
	err = q.readSQL(`SELECT completed_at IS NOT NULL, due_at, recurrence_type, category_key, text_key, n FROM tasks
WHERE user_id = ? AND id = ?`, func(stmt *sqlite.Stmt) error {
		was := taskCount{done: stmt.ColumnBool(0), week: unended, kind: stmt.ColumnText(2), category: stmt.ColumnText(3)}
		if due := stmt.ColumnInt64(1); due != unended {
			was.week = weekOf(due)
		}
		c[was]--
		old = writtenTask{n: stmt.ColumnInt64(5), text: searched(stmt.ColumnText(4), was.category)}
		return nil
	}, userArg(user), idArg(id))
	return old, err
}

// keep writes the changes.
func (c taskCounts) keep(q *session, user model.UserID) error {
	for of, change := range c {
		if change == 0 {
			continue
		}
		done := 0
		if of.done {
			done = 1
		}
		if _, err := q.write(`INSERT INTO task_counts (user_id, done, week, recurrence_type, category_key, n)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, done, week, recurrence_type, category_key) DO UPDATE SET n = n + excluded.n`,
			userArg(user), intArg(done), intArg(of.week), textArg(of.kind), textArg(of.category), intArg(change)); err != nil {
			return err
		}
	}
	return nil
}

// fewTasks is how many tasks are rather sorted than looked for in the list's order.
const fewTasks = 2000

// writeCount appends an expression: how many tasks are asked for. What task_counts knows is summed up; of a stretch of
// due dates it knows the whole weeks, and the tasks before and behind them are counted in the index.
func (f *taskFilter) writeCount(b *statement, r rows.Recurring) {
	count := func(f taskFilter) {
		b.add("(SELECT count(*)")
		f.write(b, f.countIndex())
		b.add(r.Condition() + ")")
	}
	switch {
	case f.search != "":
		count(*f)
		return
	case f.noDueDate && f.bounded:
		b.add("0")
		return
	case f.noDueDate:
		f.writeKept(b, r, unended, 0)
		return
	case !f.bounded:
		f.writeKept(b, r, unbegun, 0)
		return
	}
	first, end := int64(unbegun), int64(unended)
	whole, behind := rows.Weeks(f.from, f.to)
	if f.from != unbegun {
		first = whole
	}
	if f.to != unended {
		end = behind
	}
	if end <= first {
		count(*f)
		return
	}
	f.writeKept(b, r, first, end)
	if f.from != unbegun {
		b.add(" + ")
		count(f.narrow(unbegun, first*rows.Week))
	}
	if f.to != unended {
		b.add(" + ")
		count(f.narrow(end*rows.Week, unended))
	}
}

// countIndex is the index by which tasks are counted one by one: where rows must be read, in the order in which they
// lie.
func (f *taskFilter) countIndex() string {
	if f.search != "" && !f.bounded && !f.noDueDate {
		return f.index("tasks_open", "")
	}
	return f.dueIndex()
}

// writeKept appends the sum of what task_counts knows from a week on, and before another one; 0 for no end.
func (f *taskFilter) writeKept(b *statement, r rows.Recurring, first, end int64) {
	b.add("(SELECT coalesce(sum(n), 0) FROM task_counts WHERE user_id = ?", userArg(f.user))
	switch {
	case f.completed == nil:
		b.add(" AND done IN (0, 1)")
	case *f.completed:
		b.add(" AND done = 1")
	default:
		b.add(" AND done = 0")
	}
	if b.add(" AND week >= ?", intArg(first)); end != 0 || f.bounded {
		b.add(" AND week < ?", intArg(end))
	}
	switch f.kind {
	case model.TaskTypeRecurring:
		b.add(rows.OnlyRecurring.Counted())
	case model.TaskTypeNudge:
		b.add(" AND recurrence_type = ?", textArg(string(model.Nudge)))
	case model.TaskTypeUnplanned:
		b.add(rows.OnlyOnce.Counted()+" AND week = ?", intArg(int64(unended)))
	case model.TaskTypeReminder:
		b.add(rows.OnlyOnce.Counted()+" AND week < ?", intArg(int64(unended)))
	}
	b.add(r.Counted())
	if f.category != nil {
		b.add(" AND category_key = ?", textArg(*f.category))
	}
	b.add(")")
}

// countTasks returns how many tasks are asked for.
func (f *taskFilter) countTasks(q *session) (int, error) {
	var b statement
	b.add("SELECT ")
	f.writeCount(&b, rows.Either)
	return q.count(&b)
}
