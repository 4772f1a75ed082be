package postgres

import (
	"slices"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5/pgtype"

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
// small part of the text of queueBoard, of its parameters and of what the server has to prepare for each run.
func (d reader) queueFewBoard(b *batch, user model.UserID, where store.TaskWhere, order ordering,
	board *store.BoardQuery) *fewBoard {
	read := &fewBoard{shape: shapeOfTask(board.Columns, ordering{}), counted: board.Counts, last: -1}
	q := newQuery(userArg(user))
	of, _ := shapeOfPage(where, order, store.TaskQuery{Columns: board.Columns, Page: &store.Window[store.TaskPlace]{}})
	beyond := d.store.many.beyond
	known := q.ofShape(&d.store.texts, fewShape{of, beyond})
	var most int
	read.first, most = bucketFirsts(board.First)
	asked := make(arrayOf[pgtype.Int8], len(read.first))
	for i, first := range read.first {
		asked[i] = pgtype.Int8{Int64: int64(max(first, 1)), Valid: true} // a row tells how large its bucket is
	}
	now, tomorrow := q.param(timeArg(board.Now)), q.param(timeArg(board.Tomorrow))
	largest, each := q.param(int64(most)), q.param(asked)
	if known {
		writeRest(q, where, dueAt)
	} else {
		list := append(read.shape.columns(), "recurrence_type", "due_at")
		if order.column != "" {
			list = append(list, order.column)
		}
		slices.Sort(list)
		q.add("SELECT t.bucket, t.size, ", read.shape.list(),
			" FROM (SELECT t.*, row_number() OVER w AS place, count(*) OVER w AS size FROM (SELECT ",
			qualified(slices.Compact(list)),
			", CASE WHEN t.recurrence_type IS NOT NULL THEN 0 WHEN t.due_at = 'infinity' THEN 1",
			" WHEN t.due_at < ", now, " THEN 2 WHEN t.due_at < ", tomorrow, " THEN 3 ELSE 4 END AS bucket",
			" FROM tasks AS t WHERE t.user_id = $1")
		writeRest(q, where, dueAt)
		// One window for both, and its own order for the rows: the server goes over them once, and need not sort again.
		by := order.by("t", false)
		q.add(" LIMIT ", strconv.Itoa(beyond+1), ") AS t WINDOW w AS (PARTITION BY t.bucket ORDER BY ", by,
			" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS t", read.shape.joins(), " WHERE t.place <= ",
			largest, " AND t.place <= (", each, "::bigint[])[t.bucket + 1] ORDER BY t.bucket, ", by)
	}
	q.into(b, read.row)
	return read
}

// fewBoard is the board of queueFewBoard as it is being read, its buckets by their numbers.
type fewBoard struct {
	shape   *taskShape
	first   [5]int
	counted bool
	// last is the bucket that is being read; negative before the first.
	last   int
	counts [5]int
	rows   [5][]model.Task
}

func (f *fewBoard) row(r *row) {
	at, size := int(r.int32()), int(r.int64())
	if at < 0 || at >= len(f.first) {
		r.err = errColumns
		return
	}
	if at != f.last {
		f.last, f.counts[at], f.rows[at] = at, size, make([]model.Task, 0, min(size, f.first[at]))
	}
	if f.first[at] == 0 {
		r.skip(len(r.values) - r.next)
		return
	}
	f.rows[at] = append(f.rows[at], model.Task{})
	f.shape.read(r, &f.rows[at][len(f.rows[at])-1], nil)
}

// size returns how many tasks were divided. When there are more than are read, not all were seen, and the board is
// wrong.
func (f *fewBoard) size() (n int) {
	for _, count := range f.counts {
		n += count
	}
	return n
}

func (f *fewBoard) fill(board *store.Board) {
	board.Rows = make(map[model.TaskBucket][]model.Task, len(f.rows))
	if f.counted {
		board.Counts = make(map[model.TaskBucket]int, len(f.counts))
	}
	for i, bucket := range model.TaskBuckets() {
		if f.counted {
			board.Counts[bucket] = f.counts[i]
		}
		if len(f.rows[i]) > 0 {
			board.Rows[bucket] = f.rows[i]
		}
	}
}
