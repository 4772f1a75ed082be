package postgres

import (
	"strconv"
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// queueBoard adds the one statement of the board. The filtered set is gone through once, with nothing but ids, what it
// is ordered by and the bucket; the rows that are shown, and only they, are then looked up.
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
	if most == 0 {
		q.add("SELECT s.bucket, count(*) FROM (")
		writeBuckets(q, where, ordering{}, board)
		q.add(") AS s GROUP BY s.bucket")
		q.into(b, func(r *row) { into.Counts[bucketAt(r.int32())] = int(r.int64()) })
		return
	}
	into.Rows = make(map[model.TaskBucket][]model.Task, len(firsts))
	shape := shapeOfTask(board.Columns, ordering{})
	if board.Counts {
		q.add("WITH s AS MATERIALIZED (") // gone through twice, to count and to show
		writeBuckets(q, where, order, board)
		q.add(") SELECT c.bucket, c.size, ", shape.list(),
			" FROM (SELECT s.bucket, count(*) AS size FROM s GROUP BY s.bucket) AS c LEFT JOIN (")
		writeShown(q, order, firsts, most)
		q.add(") AS r ON r.bucket = c.bucket LEFT JOIN tasks AS t ON t.user_id = $1 AND t.id = r.id", shape.joins(),
			" ORDER BY c.bucket, r.n")
	} else {
		q.add("WITH s AS (")
		writeBuckets(q, where, order, board)
		q.add(") SELECT r.bucket, ", shape.list(), " FROM (")
		writeShown(q, order, firsts, most)
		q.add(") AS r JOIN tasks AS t ON t.user_id = $1 AND t.id = r.id", shape.joins(), " ORDER BY r.bucket, r.n")
	}
	q.into(b, func(r *row) {
		bucket := bucketAt(r.int32())
		if board.Counts {
			into.Counts[bucket] = int(r.int64())
			if r.isNull() { // counted, not shown
				r.skip(len(r.values) - r.next)
				return
			}
		}
		tasks := into.Rows[bucket]
		tasks = append(tasks, model.Task{})
		shape.read(r, &tasks[len(tasks)-1], nil)
		into.Rows[bucket] = tasks
	})
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

// writeBuckets selects the filtered set: id, what it is ordered by, and the number of the first bucket that takes the
// task.
func writeBuckets(q *query, where store.TaskWhere, order ordering, board *store.BoardQuery) {
	columns := []string{"id"}
	if order.column != "" {
		columns = append(columns, order.column)
	}
	q.add("SELECT ", qualified(columns),
		", CASE WHEN t.recurrence_type IS NOT NULL THEN 0 WHEN t.due_at = 'infinity' THEN 1",
		" WHEN t.due_at < ", q.param(timeArg(board.Now)), " THEN 2 WHEN t.due_at < ", q.param(timeArg(board.Tomorrow)),
		" THEN 3 ELSE 4 END AS bucket FROM tasks AS t")
	writeWhere(q, where)
}

// writeShown selects the rows that are shown: in each bucket the first ones, numbered in the order.
func writeShown(q *query, order ordering, firsts [5]int, most int) {
	var (
		limits strings.Builder
		sum    int64
	)
	for i, first := range firsts {
		sum += int64(first)
		limits.WriteString(" WHEN " + strconv.Itoa(i) + " THEN " + q.param(int64(first)) + "::bigint")
	}
	// The second condition and the limit say nothing new, but the server understands them: it stops numbering there, and
	// looks the few rows up instead of reading all.
	q.add("SELECT w.id, w.bucket, w.n FROM (SELECT s.id, s.bucket, row_number() OVER (PARTITION BY s.bucket ORDER BY ",
		order.by("s", false), ") AS n FROM s",
		") AS w WHERE w.n <= CASE w.bucket", limits.String(), " END AND w.n <= ", q.param(int64(most)), " LIMIT ",
		q.param(sum))
}
