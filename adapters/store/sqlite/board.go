package sqlite

import (
	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
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
	if query.Counts {
		var err error
		if board.Counts, err = countBuckets(q, &f, now, tomorrow); err != nil {
			return board, err
		}
	}
	for _, bucket := range model.TaskBuckets() {
		first := query.First[bucket]
		if first <= 0 {
			continue
		}
		part, condition := f, isOnce
		switch bucket {
		case model.BucketRecurring:
			condition = isRecurring
		case model.BucketNoDueDate:
			part.noDueDate = true
		case model.BucketOverdue:
			part = f.narrow(unbegun, now)
		case model.BucketToday:
			part = f.narrow(now, tomorrow)
		case model.BucketUpcoming:
			part = f.narrow(tomorrow, unended)
		}
		tasks, err := readBucket(q, &part, condition, by, query.Columns, first)
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

// countBuckets counts all five in one pass.
func countBuckets(q *session, f *taskFilter, now, tomorrow int64) (map[model.TaskBucket]int, error) {
	var b statement
	b.add("SELECT count(*) FILTER (WHERE "+isRecurring+")"+
		", count(*) FILTER (WHERE "+isOnce+" AND due_at = ?)"+
		", count(*) FILTER (WHERE "+isOnce+" AND due_at < ?)"+
		", count(*) FILTER (WHERE "+isOnce+" AND due_at >= ? AND due_at < ?)"+
		", count(*) FILTER (WHERE "+isOnce+" AND due_at >= ? AND due_at < ?)",
		intArg(int64(unended)), intArg(now), intArg(now), intArg(tomorrow), intArg(tomorrow), intArg(int64(unended)))
	f.write(&b, f.dueIndex())
	counts := make(map[model.TaskBucket]int, 5)
	err := q.read(&b, func(stmt *sqlite.Stmt) error {
		for i, bucket := range model.TaskBuckets() {
			counts[bucket] = stmt.ColumnInt(i)
		}
		return nil
	})
	return counts, err
}

// readBucket reads the first rows of one bucket. The ids are found in the index and sorted there; only those that are
// wanted are read.
func readBucket(q *session, f *taskFilter, condition string, by model.TaskOrder, want store.TaskColumns,
	first int) ([]model.Task, error) {
	key, descending := taskKey(by.Field), by.Direction == model.Descending
	columns := taskSelection(store.TaskTable.Read(want))
	var b statement
	b.add("SELECT ")
	columns.write(&b, "")
	b.add(" FROM tasks WHERE user_id = ? AND id IN (SELECT id", userArg(f.user))
	f.write(&b, f.dueIndex())
	b.add(" AND " + condition + order(key, descending))
	b.add(" LIMIT ?)"+orderFew(key, descending), intArg(first))
	var tasks []model.Task
	if err := q.read(&b, into(&tasks, columns.readRow)); err != nil {
		return nil, err
	}
	return tasks, readRelations(q, f.user, tasks, want)
}
