package storetest

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testTaskQueries(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("a user without tasks", func(t *testing.T) { queriesEmpty(h.in(t)) })
	tasks := manyTasks(h, dice(10), 250)
	t.Run("every filter in every order", func(t *testing.T) { queriesRandom(h.in(t), tasks) })
	t.Run("the bounds of due dates are half-open", func(t *testing.T) { queriesBounds(h.in(t)) })
	t.Run("categories fold, none is a category", func(t *testing.T) { queriesCategory(h.in(t)) })
	t.Run("one after the other", func(t *testing.T) { queriesEach(h.in(t), tasks) })
	t.Run("no page, only the total", func(t *testing.T) { queriesTotal(h.in(t), tasks) })
}

// manyTasks adds random tasks, among them many that are equal in what they are ordered by.
func manyTasks(h *fixture, random *rand.Rand, n int) []model.Task {
	tasks := make([]model.Task, n)
	for i := range tasks {
		tasks[i] = randomTask(random, h.ids.next(), noon)
		if i > 0 && random.IntN(3) == 0 {
			twin := tasks[random.IntN(i)]
			tasks[i].DueAt, tasks[i].UpdatedAt, tasks[i].Text = twin.DueAt, twin.UpdatedAt, twin.Text
			tasks[i].Position = twin.Position
		}
	}
	h.add(tasks...)
	return tasks
}

// randomWhere makes a filter whose bounds often fall exactly on a task's due date.
func randomWhere(random *rand.Rand, tasks []model.Task) store.TaskWhere {
	var where store.TaskWhere
	moment := func() time.Time {
		if at := tasks[random.IntN(len(tasks))].DueAt; random.IntN(2) == 0 && !at.IsZero() {
			return at
		}
		return noon.Add(time.Duration(random.Int64N(int64(60*24*time.Hour))) - 30*24*time.Hour).Truncate(time.Microsecond)
	}
	if random.IntN(3) == 0 {
		where.DueFrom = moment()
	}
	if random.IntN(3) == 0 {
		where.DueTo = moment()
	}
	where.NoDueDate = random.IntN(8) == 0
	where.Type = pick(random, "", "", "", model.TaskTypeRecurring, model.TaskTypeUnplanned, model.TaskTypeReminder,
		model.TaskTypeNudge)
	if random.IntN(4) == 0 {
		where.Category = new(pick(random, "", "hOme", "בית", "work", "other"))
	}
	if random.IntN(3) > 0 {
		where.Completed = new(random.IntN(3) == 0)
	}
	where.Search = pick(random, "", "", "", "milk", "MI", "חלב", "%", "_", "בַיִת", "strasse", "resume")
	return where
}

func queriesEmpty(h *fixture) {
	for _, order := range taskOrders() {
		page := must(h, func() (store.TaskPage, error) {
			return h.Tasks(h.ctx, h.user, store.TaskQuery{
				Order: order, Columns: store.TaskRow | store.TaskSubtasks, Page: &store.Window[store.TaskPlace]{Limit: 10},
				Total: true,
				Board: &store.BoardQuery{Now: noon, Tomorrow: noon.Add(time.Hour), Counts: true,
					First: map[model.TaskBucket]int{model.BucketToday: 5}},
			})
		})
		if len(page.Tasks)+len(page.Places)+page.Total != 0 || page.HasNext || page.HasPrevious {
			h.Errorf("%v: %+v", order, page)
		}
		for _, bucket := range model.TaskBuckets() {
			if page.Board.Counts[bucket] != 0 || len(page.Board.Rows[bucket]) != 0 {
				h.Errorf("%v: bucket %v: %+v", order, bucket, page.Board)
			}
		}
	}
}

func queriesRandom(h *fixture, tasks []model.Task) {
	random := dice(11)
	found := 0
	for _, order := range taskOrders() {
		for range 25 {
			where := randomWhere(random, tasks)
			want := answer(tasks, where, order)
			// A page far larger than any that the schema allows.
			page := must(h, func() (store.TaskPage, error) {
				return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: order, Columns: store.TaskRow, Total: true,
					Page: &store.Window[store.TaskPlace]{Limit: 100_000}})
			})
			if !slices.Equal(taskIDs(page.Tasks), taskIDs(want)) {
				h.Fatalf("%v %s:\n got %v\nwant %v", order, show(where), taskIDs(page.Tasks), taskIDs(want))
			}
			for i, task := range page.Tasks {
				h.same("row", task, want[i])
				h.same("place", page.Places[i].ID, task.ID)
			}
			if page.Total != len(want) || page.HasNext || page.HasPrevious || len(page.Places) != len(want) {
				h.Errorf("%v %s: total %d, want %d; next %v, previous %v", order, show(where), page.Total, len(want), page.HasNext,
					page.HasPrevious)
			}
			found += len(want)
		}
	}
	if found < 1000 {
		h.Errorf("the random filters found %d rows in all, too few to tell anything", found)
	}
}

func queriesBounds(h *fixture) {
	h = h.as("bounds")
	before, at, after, none := h.task("before"), h.task("at"), h.task("after"), h.task("none")
	before.DueAt, at.DueAt, after.DueAt = noon.Add(-time.Microsecond), noon, noon.Add(time.Microsecond)
	h.add(before, at, after, none)
	find := func(where store.TaskWhere) []model.UUID { return h.find(where) }
	h.same("from is inclusive", find(store.TaskWhere{DueFrom: noon}), []model.UUID{at.ID, after.ID})
	h.same("to is exclusive", find(store.TaskWhere{DueTo: noon}), []model.UUID{before.ID})
	h.same("both", find(store.TaskWhere{DueFrom: noon, DueTo: noon.Add(time.Microsecond)}), []model.UUID{at.ID})
	h.same("an empty window", find(store.TaskWhere{DueFrom: noon, DueTo: noon}), []model.UUID{})
	h.same("a window turned round", find(store.TaskWhere{DueFrom: noon.Add(time.Hour), DueTo: noon}), []model.UUID{})
	h.same("none", find(store.TaskWhere{NoDueDate: true}), []model.UUID{none.ID})
	h.same("none and a bound", find(store.TaskWhere{NoDueDate: true, DueFrom: noon}), []model.UUID{})
	h.same("up to the end of time", find(store.TaskWhere{DueTo: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)}),
		[]model.UUID{before.ID, at.ID, after.ID})
	east := time.FixedZone("east", 9*3600)
	h.same("a bound in another zone", find(store.TaskWhere{DueTo: noon.In(east)}), []model.UUID{before.ID})
}

// find returns the ids of a filtered set, oldest first.
func (h *fixture) find(where store.TaskWhere) []model.UUID {
	h.Helper()
	page := must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{
			Where: where, Order: model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Ascending},
			Page: &store.Window[store.TaskPlace]{Limit: 1_000_000},
		})
	})
	return taskIDs(page.Tasks)
}

func queriesCategory(h *fixture) {
	h = h.as("categories")
	none, home, fixture, hebrew := h.task("a"), h.task("b"), h.task("c"), h.task("d")
	home.Category, fixture.Category, hebrew.Category = "Home", "hOME ", "בַּיִת"
	h.add(none, home, fixture, hebrew)
	for category, want := range map[string][]model.UUID{
		"": {none.ID}, "home": {home.ID, fixture.ID}, " HOME": {home.ID, fixture.ID}, "בית": {hebrew.ID}, "ho": {}, "h%": {},
		"hom_": {},
	} {
		h.same("category "+category, h.find(store.TaskWhere{Category: &category}), want)
	}
	h.same("any category", len(h.find(store.TaskWhere{})), 4)
}

func queriesTotal(h *fixture, tasks []model.Task) {
	done := true
	where := store.TaskWhere{Completed: &done}
	page := must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user,
			store.TaskQuery{Where: where, Total: true, Columns: store.TaskRow, Order: taskOrders()[0]})
	})
	if page.Tasks != nil || page.Total != len(answer(tasks, where, taskOrders()[0])) {
		h.Errorf("total %d, tasks %v", page.Total, page.Tasks)
	}
	page = must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: taskOrders()[0],
			Page: &store.Window[store.TaskPlace]{Limit: 3}})
	})
	if page.Total != 0 || len(page.Tasks) != 3 || len(page.Board.Counts)+len(page.Board.Rows) != 0 {
		h.Errorf("what was not asked for came: %+v", page)
	}
}
