package postgres

import (
	"slices"
	"strconv"
	"sync"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// maxManyUsers bounds the users who are remembered to have many tasks.
const maxManyUsers = 10_000

// manyUsers are users whose boards were found to be of more tasks than are read as a whole.
type manyUsers struct {
	// beyond is how many tasks those are; manyTasks, less in tests.
	beyond int

	mu  sync.Mutex
	all map[model.UserID]struct{}
}

func (m *manyUsers) has(user model.UserID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, has := m.all[user]
	return has
}

// add remembers a user. When there are too many, all others are forgotten, and are found again.
func (m *manyUsers) add(user model.UserID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil || len(m.all) >= maxManyUsers {
		m.all = make(map[model.UserID]struct{})
	}
	m.all[user] = struct{}{}
}

// fewBoard reports whether a board is best read by queueFewBoard: rows of open tasks of a user with few of them.
func (s *Store) fewBoard(user model.UserID, where store.TaskWhere, board *store.BoardQuery) bool {
	_, most := bucketFirsts(board.First)
	return most > 0 && where.Search == "" && where.Completed != nil && !*where.Completed && !s.many.has(user)
}

// fewShape is what the text of queueFewBoard depends on.
type fewShape struct {
	page   pageShape
	beyond int
}

// queueFewBoard adds a statement for the board of a user with few tasks, of which all are read and divided. It is a
// small part of the text of queueBoard, of its parameters and of what the server has to prepare for each run. When size
// is greater than beyond, not all tasks were seen, and the board is wrong.
func (d reader) queueFewBoard(b *batch, user model.UserID, where store.TaskWhere, order ordering,
	board *store.BoardQuery, into *store.Board) (size *int) {
	size = new(int)
	q := newQuery(userArg(user))
	shape := shapeOfTask(board.Columns, ordering{})
	of, _ := shapeOfPage(where, order, store.TaskQuery{Columns: board.Columns, Page: &store.Window[store.TaskPlace]{}})
	beyond := d.store.many.beyond
	known := q.ofShape(&d.store.texts, fewShape{of, beyond})
	firsts, most := bucketFirsts(board.First)
	asked := make([]int64, len(firsts))
	for i, first := range firsts {
		asked[i] = int64(max(first, 1)) // a row tells how large its bucket is
	}
	now, tomorrow := q.param(timeArg(board.Now)), q.param(timeArg(board.Tomorrow))
	largest, each := q.param(int64(most)), q.param(asked)
	if known {
		writeRest(q, where, dueAt)
	} else {
		list := append(shape.columns(), "recurrence_type", "due_at")
		if order.column != "" {
			list = append(list, order.column)
		}
		slices.Sort(list)
		q.add("SELECT t.bucket, t.size, ", shape.list(),
			" FROM (SELECT t.*, row_number() OVER (PARTITION BY t.bucket ORDER BY ",
			order.by("t", false), ") AS place, count(*) OVER (PARTITION BY t.bucket) AS size FROM (SELECT ",
			qualified(slices.Compact(list)),
			", CASE WHEN t.recurrence_type IS NOT NULL THEN 0 WHEN t.due_at = 'infinity' THEN 1",
			" WHEN t.due_at < ", now, " THEN 2 WHEN t.due_at < ", tomorrow, " THEN 3 ELSE 4 END AS bucket",
			" FROM tasks AS t WHERE t.user_id = $1")
		writeRest(q, where, dueAt)
		q.add(" LIMIT ", strconv.Itoa(beyond+1), ") AS t) AS t", shape.joins(), " WHERE t.place <= ", largest,
			" AND t.place <= (", each, "::bigint[])[t.bucket + 1] ORDER BY t.bucket, t.place")
	}
	if board.Counts {
		into.Counts = make(map[model.TaskBucket]int, len(firsts))
		for _, bucket := range model.TaskBuckets() {
			into.Counts[bucket] = 0
		}
	}
	into.Rows = make(map[model.TaskBucket][]model.Task, len(firsts))
	last := -1
	var tasks []model.Task
	q.into(b, func(r *row) {
		at, many := int(r.int32()), int(r.int64())
		bucket := bucketAt(int32(at))
		if at != last {
			last, tasks = at, make([]model.Task, 0, min(many, board.First[bucket]))
			*size += many
			if board.Counts {
				into.Counts[bucket] = many
			}
		}
		if board.First[bucket] == 0 {
			r.skip(len(r.values) - r.next)
			return
		}
		tasks = append(tasks, model.Task{})
		shape.read(r, &tasks[len(tasks)-1], nil)
		into.Rows[bucket] = tasks
	})
	return size
}
