package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	// counted are the columns of tasks by which they are counted, and undated is the week of those without a due date.
	counted = "due_at, recurrence_type, category_key, completed_at"
	undated = "2147483647"

	// sqlCount selects, of tasks as t with a change of the count each, the rows of task_counts that change.
	sqlCount = `SELECT o.user_id, t.completed_at IS NOT NULL, CASE WHEN t.due_at = 'infinity' THEN ` + undated + `
	ELSE floor(extract(epoch FROM t.due_at) / 604800)::integer END, coalesce(t.recurrence_type, ''), t.category_key,
	sum(t.change) FROM ` + ofUser + `, (`
	// sqlKeepCounts begins a part of a statement that changes the counts by what sqlCount has selected, until its end.
	sqlKeepCounts = `
), counted AS (
	INSERT INTO task_counts AS c (user_id, done, week, recurrence_type, category_key, n)
	` + sqlCount
	sqlKeptCounts = `) AS t GROUP BY 1, 2, 3, 4, 5 HAVING sum(t.change) <> 0
	ON CONFLICT (user_id, done, week, recurrence_type, category_key) DO UPDATE SET n = c.n + excluded.n
)
`
)

// counting has a statement that inserts tasks count them, and return how many they were.
func counting(insert string) string {
	return "WITH done AS (\n\t" + insert + " RETURNING " + counted + sqlKeepCounts + "SELECT " + counted +
		", 1 AS change FROM done" + sqlKeptCounts + "SELECT count(*) FROM done"
}

// recounting has a statement that updates the tasks t of some ids keep the counts, and return how many they were.
func recounting(ids, update string) string {
	return "WITH old AS MATERIALIZED (\n\tSELECT id, " + counted + " FROM tasks WHERE user_id = $1 AND id = " + ids +
		"\n), done AS (\n\t" + update + " RETURNING t.id, t.due_at, t.recurrence_type, t.category_key, t.completed_at" +
		sqlKeepCounts + "SELECT " + counted + ", 1 AS change FROM done UNION ALL SELECT " + counted +
		", -1 FROM old WHERE id IN (SELECT id FROM done)" + sqlKeptCounts + "SELECT count(*) FROM done"
}

// allCounted asks that a statement has counted so many tasks; anything else means that its condition did not hold.
func (b *batch) allCounted(sql string, expected int, otherwise error, args ...any) {
	count := 0
	b.statements = append(b.statements, statement{sql: sql, args: args,
		read: func(r *row) { count = int(r.int64()) },
		done: func(pgconn.CommandTag) error {
			if count != expected {
				return otherwise
			}
			return nil
		}})
}

// sqlCategories reads the counts of the open tasks, and of each category how its newest open task writes it.
const sqlCategories = `SELECT t.category, c.open FROM (
	SELECT category_key, sum(n)::bigint AS open FROM task_counts
	WHERE user_id = $1 AND NOT done AND category_key <> '' GROUP BY category_key
	HAVING sum(n) > 0 ORDER BY open DESC, category_key LIMIT $2) AS c
CROSS JOIN LATERAL (SELECT category FROM tasks WHERE user_id = $1 AND category_key = c.category_key
	AND completed_at IS NULL ORDER BY id DESC LIMIT 1) AS t
ORDER BY c.open DESC, c.category_key`

// TaskCategories returns the categories of the open tasks.
func (d reader) TaskCategories(ctx context.Context, user model.UserID, limit int) (found []model.TaskCategory,
	err error) {
	b := newBatch()
	b.query(sqlCategories, func(r *row) {
		found = append(found, model.TaskCategory{Name: r.text(), Open: int(r.int64())})
	}, userArg(user), int64(limit))
	err = d.run(ctx, "read categories", b)
	return found, err
}

// writeCount appends an expression: how many tasks the filter finds. What task_counts knows is summed up; of a stretch
// of due dates it knows the whole weeks, and the tasks before and behind them are counted in the index.
func writeCount(q *query, where store.TaskWhere, r rows.Recurring) {
	count := func(where store.TaskWhere, index bool) {
		q.add("(SELECT count(*) FROM tasks AS t WHERE t.user_id = $1")
		writeRest(q, where, dueAt)
		writeSearch(q, where.Search, index)
		q.add(r.Condition(), ")")
	}
	bounded := !where.DueFrom.IsZero() || !where.DueTo.IsZero()
	switch {
	case where.Search != "":
		q.add("CASE WHEN ")
		writeCommon(q, where.Search)
		q.add(" THEN ")
		count(where, false)
		q.add(" ELSE ")
		count(where, true)
		q.add(" END")
		return
	case where.NoDueDate && bounded:
		writeKept(q, where, r, " AND false")
		return
	case where.NoDueDate:
		writeKept(q, where, r, " AND week = "+undated)
		return
	case !bounded:
		writeKept(q, where, r, "")
		return
	}
	first, end := rows.Weeks(microsOf(where.DueFrom), microsOf(where.DueTo))
	if !where.DueFrom.IsZero() && !where.DueTo.IsZero() && end <= first {
		count(where, false)
		return
	}
	weeks := ""
	if !where.DueFrom.IsZero() {
		weeks = " AND week >= " + q.param(int32(first))
	}
	if where.DueTo.IsZero() {
		weeks += " AND week < " + undated
	} else {
		weeks += " AND week < " + q.param(int32(end))
	}
	writeKept(q, where, r, weeks)
	if !where.DueFrom.IsZero() {
		before := where
		before.DueTo = rows.TimeOf(first * rows.Week)
		q.add(" + ")
		count(before, false)
	}
	if !where.DueTo.IsZero() {
		behind := where
		behind.DueFrom = rows.TimeOf(end * rows.Week)
		q.add(" + ")
		count(behind, false)
	}
}

// microsOf returns a bound in microseconds, 0 for none.
func microsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return rows.Micros(t)
}

// writeKept appends the sum of what task_counts knows of some weeks.
func writeKept(q *query, where store.TaskWhere, r rows.Recurring, weeks string) {
	q.add("(SELECT coalesce(sum(n), 0)::bigint FROM task_counts WHERE user_id = $1")
	switch {
	case where.Completed == nil:
		q.add(" AND done = ANY('{f,t}')")
	case *where.Completed:
		q.add(" AND done = true")
	default:
		q.add(" AND done = false")
	}
	q.add(weeks)
	switch where.Type {
	case model.TaskTypeRecurring:
		q.add(rows.OnlyRecurring.Counted())
	case model.TaskTypeNudge:
		q.add(" AND recurrence_type = 'NUDGE'")
	case model.TaskTypeUnplanned:
		q.add(rows.OnlyOnce.Counted(), " AND week = "+undated)
	case model.TaskTypeReminder:
		q.add(rows.OnlyOnce.Counted(), " AND week < "+undated)
	}
	q.add(r.Counted())
	if where.Category != nil {
		q.add(" AND category_key = ", q.param(*where.Category))
	}
	q.add(")")
}
