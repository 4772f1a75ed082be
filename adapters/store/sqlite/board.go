package sqlite

import (
	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// A board is read through the index by due date: three of the buckets are stretches of it, and those without a due date
// are its end. That a task repeats rides along in the index, so counting reads nothing else.

// Whether a task repeats; one that does is in no other bucket than that of the recurring ones.
const (
	isRecurring = "recurrence_type IS NOT NULL"
	isOnce      = "recurrence_type IS NULL"
)

// readBoard answers a BoardQuery over the filtered set.
func readBoard(q *session, f taskFilter, by model.TaskOrder, query *store.BoardQuery) (store.Board, error) {
	var board store.Board
	now, tomorrow := ceilMicros(query.Now), ceilMicros(query.Tomorrow)
	tomorrow = max(now, tomorrow)
	sizes, err := countBuckets(q, f, now, tomorrow)
	if err != nil {
		return board, err
	}
	if query.Counts {
		board.Counts = sizes
	}
	for _, bucket := range model.TaskBuckets() {
		first := query.First[bucket]
		if first <= 0 {
			continue
		}
		b := taskBucket{first: first, size: sizes[bucket]}
		b.taskFilter, b.Recurring = bucketOf(f, bucket, now, tomorrow)
		tasks, err := b.read(q, by, query.Columns)
		if err != nil {
			return board, err
		}
		if board.Rows == nil {
			board.Rows = make(map[model.TaskBucket][]model.Task, len(query.First))
		}
		board.Rows[bucket] = tasks
	}
	return board, nil
}

// bucketOf returns the part of the filtered set that a bucket takes.
func bucketOf(f taskFilter, bucket model.TaskBucket, now, tomorrow int64) (taskFilter, rows.Recurring) {
	switch bucket {
	case model.BucketRecurring:
		return f, rows.OnlyRecurring
	case model.BucketNoDueDate:
		f.noDueDate = true
	case model.BucketOverdue:
		f = f.narrow(unbegun, now)
	case model.BucketToday:
		f = f.narrow(now, tomorrow)
	case model.BucketUpcoming:
		f = f.narrow(tomorrow, unended)
	}
	return f, rows.OnlyOnce
}

// countBuckets counts all five with one statement.
func countBuckets(q *session, f taskFilter, now, tomorrow int64) (map[model.TaskBucket]int, error) {
	var b statement
	if f.search == "" {
		for i, bucket := range model.TaskBuckets() {
			b.add([...]string{"SELECT ", ", "}[min(i, 1)])
			part, r := bucketOf(f, bucket, now, tomorrow)
			part.writeCount(&b, r)
		}
	} else { // one pass over what must be read anyway
		b.add("SELECT count(*) FILTER (WHERE "+isRecurring+")"+
			", count(*) FILTER (WHERE "+isOnce+" AND due_at = ?)"+
			", count(*) FILTER (WHERE "+isOnce+" AND due_at < ?)"+
			", count(*) FILTER (WHERE "+isOnce+" AND due_at >= ? AND due_at < ?)"+
			", count(*) FILTER (WHERE "+isOnce+" AND due_at >= ? AND due_at < ?)",
			intArg(int64(unended)), intArg(now), intArg(now), intArg(tomorrow), intArg(tomorrow), intArg(int64(unended)))
		f.write(&b, f.countIndex())
	}
	counts := make(map[model.TaskBucket]int, 5)
	err := q.read(&b, func(stmt *sqlite.Stmt) error {
		for i, bucket := range model.TaskBuckets() {
			counts[bucket] = stmt.ColumnInt(i)
		}
		return nil
	})
	return counts, err
}

// taskBucket is a bucket as it is being read.
type taskBucket struct {
	taskFilter
	rows.Recurring
	first, size int
}

// read reads the first rows of the bucket. A large one is looked for among the first tasks in the list's order.
// Otherwise the ids of all are found in an index and sorted there; only the rows that are wanted are read.
func (t *taskBucket) read(q *session, by model.TaskOrder, want store.TaskColumns) (tasks []model.Task, err error) {
	if t.size == 0 {
		return nil, nil
	}
	tasks = make([]model.Task, 0, min(t.size, t.first))
	key, descending := taskKey(by.Field), by.Direction == model.Descending
	columns := taskSelection(store.TaskTable.Read(want))
	look := func(rows func(b *statement)) error {
		var b statement
		b.add("SELECT ")
		columns.write(&b, "")
		b.add(" FROM tasks WHERE user_id = ? AND id IN (SELECT id", userArg(t.user))
		rows(&b)
		b.add(" LIMIT ?)"+orderFew(key, descending), intArg(t.first))
		tasks = tasks[:0]
		return q.read(&b, into(&tasks, columns.readRow))
	}
	index := t.dueIndex()
	inOrder := by.Field == model.TaskOrderDueDate
	switch {
	case t.search != "" || inOrder:
	case t.size > fewTasks && by.Field != model.TaskOrderText:
		all := taskFilter{user: t.user, completed: t.completed}
		along, _ := all.pageIndex(by.Field)
		if err := look(func(b *statement) {
			b.add(" FROM (SELECT id, due_at, recurrence_type, category_key, completed_at, updated_at, position")
			all.write(b, along)
			b.add(order(key, descending)+" LIMIT ?)", intArg(fewTasks))
			b.add(" WHERE true")
			t.writeRest(b)
			b.add(t.Condition() + order(key, descending))
		}); err != nil {
			return nil, err
		}
		if len(tasks) == t.first {
			return tasks, readRelations(q, t.user, tasks, want)
		}
	case t.category != nil && t.size <= fewTasks:
		index = "tasks_category"
	case t.Recurring == rows.OnlyRecurring:
		index = "tasks_recurring"
	}
	if err := look(func(b *statement) {
		t.write(b, index)
		b.add(t.Condition() + order(key, descending))
	}); err != nil {
		return nil, err
	}
	return tasks, readRelations(q, t.user, tasks, want)
}
