package postgres

import (
	"strconv"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// manyTasks is how many tasks of a bucket are rather looked for in the list's order than sorted.
const manyTasks = 2000

// queueBoard adds the one statement of the board: how large the buckets are, and the rows that are shown.
func queueBoard(b *batch, user model.UserID, where store.TaskWhere, order ordering, board *store.BoardQuery,
	into *store.Board) {
	firsts, most := bucketFirsts(board.First)
	if !board.Counts && most == 0 {
		return
	}
	if board.Counts {
		into.Counts = make(map[model.TaskBucket]int, len(firsts))
	}
	q := newQuery(userArg(user))
	q.add("WITH c AS MATERIALIZED (")
	if where.Search == "" {
		writeSizes(q, where, board)
	} else { // each of the tasks that may be found is looked at once
		q.add("SELECT b.bucket, coalesce(s.size, 0) AS size FROM generate_series(0, 4) AS b (bucket) LEFT JOIN (",
			"SELECT s.bucket, count(*) AS size FROM (")
		writeBuckets(q, where, board, false)
		q.add(" AND ")
		writeCommon(q, where.Search)
		q.add(" UNION ALL ")
		writeBuckets(q, where, board, true)
		q.add(" AND NOT ")
		writeCommon(q, where.Search)
		q.add(") AS s GROUP BY s.bucket) AS s ON s.bucket = b.bucket")
	}
	if most == 0 {
		q.add(") SELECT bucket, size FROM c")
		q.into(b, func(r *row) { into.Counts[bucketAt(r.int32())] = int(r.int64()) })
		return
	}
	into.Rows = make(map[model.TaskBucket][]model.Task, len(firsts))
	shape := shapeOfTask(board.Columns, ordering{})
	q.add(") SELECT c.bucket, c.size, ", shape.list(), " FROM c LEFT JOIN (")
	for i, some := 0, false; i < len(firsts); i++ {
		if firsts[i] > 0 {
			if some {
				q.add(" UNION ALL ")
			}
			writeShown(q, where, order, board, i, firsts[i])
			some = true
		}
	}
	q.add(") AS r ON r.bucket = c.bucket LEFT JOIN tasks AS t ON t.user_id = $1 AND t.id = r.id", shape.joins(),
		" ORDER BY c.bucket, ", order.by("t", false))
	q.into(b, func(r *row) {
		bucket := bucketAt(r.int32())
		size := int(r.int64())
		if board.Counts {
			into.Counts[bucket] = size
		}
		if r.isNull() { // counted, not shown
			r.skip(len(r.values) - r.next)
			return
		}
		tasks := into.Rows[bucket]
		if tasks == nil {
			tasks = make([]model.Task, 0, min(size, board.First[bucket]))
		}
		tasks = append(tasks, model.Task{})
		shape.read(r, &tasks[len(tasks)-1], nil)
		into.Rows[bucket] = tasks
	})
}

// bucketOf returns the part of the filtered set that a bucket takes.
func bucketOf(where store.TaskWhere, board *store.BoardQuery,
	bucket model.TaskBucket) (store.TaskWhere, rows.Recurring) {
	tomorrow := board.Tomorrow
	if tomorrow.Before(board.Now) {
		tomorrow = board.Now
	}
	from := func(t time.Time) {
		if where.DueFrom.IsZero() || where.DueFrom.Before(t) {
			where.DueFrom = t
		}
	}
	to := func(t time.Time) {
		if where.DueTo.IsZero() || where.DueTo.After(t) {
			where.DueTo = t
		}
	}
	switch bucket {
	case model.BucketRecurring:
		return where, rows.OnlyRecurring
	case model.BucketNoDueDate:
		where.NoDueDate = true
	case model.BucketOverdue:
		to(board.Now)
	case model.BucketToday:
		from(board.Now)
		to(tomorrow)
	case model.BucketUpcoming:
		from(tomorrow)
	}
	return where, rows.OnlyOnce
}

// writeSizes selects the number of each bucket, and how many tasks it takes.
func writeSizes(q *query, where store.TaskWhere, board *store.BoardQuery) {
	for i, bucket := range model.TaskBuckets() {
		q.add([...]string{"", " UNION ALL "}[min(i, 1)], "SELECT "+strconv.Itoa(i)+" AS bucket, ")
		part, r := bucketOf(where, board, bucket)
		writeCount(q, part, r)
		q.add(" AS size")
	}
}

// writeShown selects the number of a bucket and the ids of the tasks that it shows. In a large one they are looked for
// in the list's order; of another, all are found and sorted.
func writeShown(q *query, where store.TaskWhere, order ordering, board *store.BoardQuery, bucket, first int) {
	number := strconv.Itoa(bucket)
	columns := []string{"id"}
	if order.column != "" {
		columns = append(columns, order.column)
	}
	part, r := bucketOf(where, board, bucketAt(int32(bucket)))
	look := func(due, gate string, index bool) {
		q.add("SELECT ", qualified(columns), " FROM tasks AS t WHERE t.user_id = $1")
		writeRest(q, part, due)
		writeSearch(q, part.Search, index)
		q.add(r.Condition(), gate)
	}
	size := " AND (SELECT size FROM c WHERE bucket = " + number + ")"
	many, limit := strconv.Itoa(manyTasks), q.param(int64(first))
	q.add("SELECT " + number + " AS bucket, x.id FROM (")
	q.add("(")
	due := dueAtUnindexed
	if order.column == "due_at" {
		due = dueAt
	}
	look(due, size+" > "+many, false)
	q.add(" ORDER BY ", order.by("t", false), " LIMIT ", limit, ") UNION ALL (SELECT ", qualified(columns), " FROM (")
	look(dueAt, size+" > 0"+size+" <= "+many, true)
	q.add(" OFFSET 0) AS t ORDER BY ", order.by("t", false), " LIMIT ", limit, ")) AS x")
}

// bucketFirsts returns how many rows of each bucket are wanted, in the order of the buckets, and the largest of the
// numbers.
func bucketFirsts(first map[model.TaskBucket]int) (firsts [5]int, most int) {
	for i, bucket := range model.TaskBuckets() {
		firsts[i] = max(first[bucket], 0)
		most = max(most, firsts[i])
	}
	return firsts, most
}

// bucketAt names the bucket of a number; numbers are the order of precedence.
func bucketAt(number int32) model.TaskBucket {
	buckets := model.TaskBuckets()
	if number < 0 || int(number) >= len(buckets) {
		return ""
	}
	return buckets[number]
}

// writeBuckets selects of the filtered set the number of the first bucket that takes the task.
func writeBuckets(q *query, where store.TaskWhere, board *store.BoardQuery, index bool) {
	q.add("SELECT CASE WHEN t.recurrence_type IS NOT NULL THEN 0 WHEN t.due_at = 'infinity' THEN 1",
		" WHEN t.due_at < ", q.param(timeArg(board.Now)), " THEN 2 WHEN t.due_at < ", q.param(timeArg(board.Tomorrow)),
		" THEN 3 ELSE 4 END AS bucket FROM tasks AS t WHERE t.user_id = $1")
	writeRest(q, where, dueAt)
	writeSearch(q, where.Search, index)
}
