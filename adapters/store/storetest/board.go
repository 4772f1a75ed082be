package storetest

import (
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// RunBoard runs what Run does of boards, for drivers that read them in several ways.
func RunBoard(t *testing.T, open Open) { testBoard(t, open) }

func testBoard(t *testing.T, open Open) {
	h := newFixture(t, open)
	tasks := manyTasks(h, dice(30), 250)
	t.Run("counts and rows of the filtered set", func(t *testing.T) { boardRandom(h.in(t), tasks) })
	t.Run("the bounds of the buckets", func(t *testing.T) { boardBounds(h.in(t)) })
	t.Run("beside a page, with relations", func(t *testing.T) { boardBesidePage(h.in(t), tasks) })
}

func boardRandom(h *fixture, tasks []model.Task) {
	random := dice(31)
	for _, order := range taskOrders() {
		for range 15 {
			where := randomWhere(random, tasks)
			if random.IntN(3) == 0 {
				where = store.TaskWhere{Completed: new(false)}
			}
			now := noon.Add(time.Duration(random.IntN(48)) * time.Hour)
			board := &store.BoardQuery{
				Now: now, Tomorrow: now.Add(time.Duration(random.IntN(24)) * time.Hour), Counts: random.IntN(4) > 0,
				Columns: pick(random, store.TaskRow, store.TaskText|store.TaskDueAt, 0), First: map[model.TaskBucket]int{},
			}
			for _, bucket := range model.TaskBuckets() {
				if random.IntN(3) > 0 {
					board.First[bucket] = random.IntN(30)
				}
			}
			checkBoard(h, tasks, where, order, board)
		}
	}
}

// checkBoard asks for a board and compares it with the oracle's.
func checkBoard(h *fixture, tasks []model.Task, where store.TaskWhere, order model.TaskOrder, query *store.BoardQuery) {
	h.Helper()
	page := must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: order, Board: query})
	})
	buckets, sizes := map[model.TaskBucket][]model.Task{}, map[model.TaskBucket]int{}
	found := answer(tasks, where, order)
	for i := range found {
		bucket := bucketOf(&found[i], query.Now, query.Tomorrow)
		if sizes[bucket]++; sizes[bucket] <= query.First[bucket] {
			buckets[bucket] = append(buckets[bucket], only(found[i], query.Columns))
		}
	}
	for _, bucket := range model.TaskBuckets() {
		want := buckets[bucket]
		count := 0
		if query.Counts {
			count = sizes[bucket]
		}
		if got := page.Board.Counts[bucket]; got != count {
			h.Errorf("%v %s: %d in bucket %v, want %d", order, show(where), got, bucket, count)
		}
		if got := page.Board.Rows[bucket]; !slices.Equal(taskIDs(got), taskIDs(want)) {
			h.Errorf("%v %s: first %d of bucket %v:\n got %v\nwant %v", order, show(where), query.First[bucket], bucket,
				taskIDs(got), taskIDs(want))
		} else if len(want) > 0 {
			h.same("rows of a bucket", got, want)
		}
	}
	if page.Tasks != nil || page.Total != 0 {
		h.Errorf("rows came that were not asked for: %v", page.Tasks)
	}
}

func boardBounds(h *fixture) {
	h = h.as("buckets")
	tomorrow := noon.Add(9 * time.Hour)
	due := func(text string, at time.Time) model.Task {
		task := h.task(text)
		task.DueAt = at
		return task
	}
	tasks := []model.Task{
		due("a moment overdue", noon.Add(-time.Microsecond)), due("due now", noon),
		due("the last of today", tomorrow.Add(-time.Microsecond)), due("the first of tomorrow", tomorrow), h.task("undated"),
	}
	nudge := due("an overdue nudge is recurring", noon.Add(-time.Hour))
	nudge.Recurrence = &model.Recurrence{Type: model.Nudge, Interval: time.Hour}
	daily := h.task("an undated daily one is recurring")
	daily.Recurrence = &model.Recurrence{Type: model.Daily, Time: "08:00", TimeZone: "UTC"}
	tasks = append(tasks, nudge, daily)
	h.add(tasks...)
	first := map[model.TaskBucket]int{}
	for _, bucket := range model.TaskBuckets() {
		first[bucket] = 10
	}
	order := model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Ascending}
	page := must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Order: order,
			Board: &store.BoardQuery{Now: noon, Tomorrow: tomorrow, Counts: true, First: first}})
	})
	for bucket, want := range map[model.TaskBucket][]int{
		model.BucketOverdue: {0}, model.BucketToday: {1, 2}, model.BucketUpcoming: {3}, model.BucketNoDueDate: {4},
		model.BucketRecurring: {5, 6},
	} {
		ids := []model.UUID{}
		for _, i := range want {
			ids = append(ids, tasks[i].ID)
		}
		h.same("bucket "+string(bucket), taskIDs(page.Board.Rows[bucket]), ids)
		h.same("count of "+string(bucket), page.Board.Counts[bucket], len(ids))
	}
	// At midnight nothing is left of today.
	page = must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Order: order,
			Board: &store.BoardQuery{Now: tomorrow, Tomorrow: tomorrow, Counts: true}})
	})
	h.same("nothing is today", page.Board.Counts[model.BucketToday], 0)
	h.same("all that was today is overdue", page.Board.Counts[model.BucketOverdue], 3)
}

func boardBesidePage(h *fixture, tasks []model.Task) {
	order := model.TaskOrder{Field: model.TaskOrderDueDate, Direction: model.Ascending}
	var page store.TaskPage
	batches := h.trace.during(func() {
		page = must(h, func() (store.TaskPage, error) {
			return h.Tasks(h.ctx, h.user, store.TaskQuery{
				Order: order, Columns: store.TaskText | store.TaskSubtasks | store.TaskCompletions,
				Page: &store.Window[store.TaskPlace]{Limit: 10}, Total: true,
				Board: &store.BoardQuery{
					Now: noon, Tomorrow: noon.Add(12 * time.Hour), Counts: true, Columns: store.TaskSubtasks,
					First: map[model.TaskBucket]int{model.BucketUpcoming: 5, model.BucketRecurring: 3},
				},
			})
		})
	})
	h.same("batches", len(batches), 1)
	want := answer(tasks, store.TaskWhere{}, order)
	h.same("page", taskIDs(page.Tasks), taskIDs(want[:10]))
	h.same("total", page.Total, len(tasks))
	sum := 0
	for _, n := range page.Board.Counts {
		sum += n
	}
	h.same("every task is in one bucket", sum, len(tasks))
	h.same("rows", len(page.Board.Rows[model.BucketUpcoming])+len(page.Board.Rows[model.BucketRecurring]), 8)
}
