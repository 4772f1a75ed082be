package storetest

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testPaging(t *testing.T, open Open) {
	h := newFixture(t, open)
	tasks := manyTasks(h, dice(20), 250)
	t.Run("walking gives exactly the ordered set", func(t *testing.T) { pagingWalk(h.in(t), tasks) })
	t.Run("few open tasks in a long history", func(t *testing.T) { pagingHistory(h.in(t)) })
	t.Run("windows between two places", func(t *testing.T) { pagingBetween(h.in(t), tasks) })
	t.Run("a place whose row is gone still divides", func(t *testing.T) { pagingGone(h.in(t)) })
	t.Run("a limit of nothing", func(t *testing.T) { pagingNothing(h.in(t)) })
	t.Run("rows inserted while walking", func(t *testing.T) { pagingInserts(newFixture(t, open)) })
}

// page asks for one page.
func (h *fixture) page(where store.TaskWhere, order model.TaskOrder,
	window store.Window[store.TaskPlace]) store.TaskPage {
	h.Helper()
	return must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: order, Page: &window})
	})
}

// walk goes through the whole set in pages and returns the ids in the list's order. between is called between two
// pages.
func (h *fixture) walk(where store.TaskWhere, order model.TaskOrder, size int, backward bool,
	between func()) []model.UUID {
	h.Helper()
	out := []model.UUID{}
	window := store.Window[store.TaskPlace]{Limit: size, Backward: backward}
	for range 10_000 {
		page := h.page(where, order, window)
		if len(page.Tasks) > size || len(page.Places) != len(page.Tasks) {
			h.Fatalf("a page of %d has %d tasks and %d places", size, len(page.Tasks), len(page.Places))
		}
		more, known := page.HasNext, page.HasPrevious == (window.After != nil)
		if backward {
			out = append(taskIDs(page.Tasks), out...)
			more, known = page.HasPrevious, page.HasNext == (window.Before != nil)
		} else {
			out = append(out, taskIDs(page.Tasks)...)
		}
		if !known {
			h.Fatalf("%v backward=%v after=%v before=%v: next %v, previous %v", order, backward, window.After, window.Before,
				page.HasNext, page.HasPrevious)
		}
		if !more {
			return out
		}
		if len(page.Tasks) != size {
			h.Fatalf("a page of %d has %d tasks although there are more", size, len(page.Tasks))
		}
		if backward {
			window.Before = &page.Places[0]
		} else {
			window.After = &page.Places[size-1]
		}
		if between != nil {
			between()
		}
	}
	h.Fatal("the walk does not end")
	return nil
}

func pagingWalk(h *fixture, tasks []model.Task) {
	random := dice(21)
	for _, order := range taskOrders() {
		for round := range 8 {
			var where store.TaskWhere
			if round > 0 {
				where = randomWhere(random, tasks)
			}
			want := taskIDs(answer(tasks, where, order))
			size := pick(random, 1, 2, 3, 7, 20, 249, 250, 251)
			if size == 1 && len(want) > 60 {
				size = 5
			}
			for _, backward := range []bool{false, true} {
				if got := h.walk(where, order, size, backward, nil); !slices.Equal(got, want) {
					h.Fatalf("%v %s, pages of %d, backward=%v:\n got %v\nwant %v", order, show(where), size, backward, got, want)
				}
			}
		}
	}
}

// pagingHistory walks the open tasks of somebody who has done nearly everything: they lie far apart, in places
// together.
func pagingHistory(h *fixture) {
	h = h.as("long history")
	random := dice(25)
	tasks := make([]model.Task, 500)
	for i := range tasks {
		tasks[i] = randomTask(random, h.ids.next(), noon)
		tasks[i].CompletedAt = noon
		if random.IntN(25) == 0 || i/40 == 7 {
			tasks[i].CompletedAt = time.Time{}
		}
	}
	h.add(tasks...)
	for _, completed := range []bool{false, true} {
		where := store.TaskWhere{Completed: &completed}
		for _, order := range taskOrders() {
			want := taskIDs(answer(tasks, where, order))
			for _, size := range []int{3, 10, 17, 100} {
				for _, backward := range []bool{false, true} {
					if got := h.walk(where, order, size, backward, nil); !slices.Equal(got, want) {
						h.Fatalf("%v completed=%v, pages of %d, backward=%v:\n got %v\nwant %v", order, completed, size, backward, got,
							want)
					}
				}
			}
		}
	}
}

func pagingBetween(h *fixture, tasks []model.Task) {
	random := dice(22)
	for _, order := range taskOrders() {
		full := h.page(store.TaskWhere{}, order, store.Window[store.TaskPlace]{Limit: 1000})
		ids := taskIDs(full.Tasks)
		for range 25 {
			// Between the places of rows i and j lie rows i+1 … j-1; none when i ≥ j.
			i, j, size := random.IntN(len(ids)), random.IntN(len(ids)), 1+random.IntN(40)
			inner := []model.UUID{}
			if i+1 < j {
				inner = ids[i+1 : j]
			}
			window := store.Window[store.TaskPlace]{Limit: size, After: &full.Places[i], Before: &full.Places[j]}
			page := h.page(store.TaskWhere{}, order, window)
			h.same("forward between", taskIDs(page.Tasks), inner[:min(size, len(inner))])
			h.same("forward has next, has previous", []bool{page.HasNext, page.HasPrevious}, []bool{true, true})
			window.Backward = true
			page = h.page(store.TaskWhere{}, order, window)
			h.same("backward between", taskIDs(page.Tasks), inner[len(inner)-min(size, len(inner)):])
			h.same("backward has next, has previous", []bool{page.HasNext, page.HasPrevious}, []bool{true, true})
		}
		page := h.page(store.TaskWhere{}, order, store.Window[store.TaskPlace]{Limit: 5, After: &full.Places[len(ids)-1]})
		h.same("after the last", []any{len(page.Tasks), page.HasNext, page.HasPrevious}, []any{0, false, true})
		page = h.page(store.TaskWhere{}, order,
			store.Window[store.TaskPlace]{Limit: 5, Before: &full.Places[0], Backward: true})
		h.same("before the first", []any{len(page.Tasks), page.HasNext, page.HasPrevious}, []any{0, true, false})
	}
}

func pagingGone(h *fixture) {
	h = h.as("gone")
	tasks := manyTasks(h, dice(23), 30)
	for _, order := range taskOrders() {
		full := h.page(store.TaskWhere{}, order, store.Window[store.TaskPlace]{Limit: 100})
		middle := len(full.Tasks) / 2
		h.delete(full.Tasks[middle].ID)
		want := taskIDs(full.Tasks)[middle+1:]
		page := h.page(store.TaskWhere{}, order, store.Window[store.TaskPlace]{Limit: 100, After: &full.Places[middle]})
		h.same("after a place that is gone", taskIDs(page.Tasks), want)
		page = h.page(store.TaskWhere{}, order, store.Window[store.TaskPlace]{Limit: 100, Before: &full.Places[middle]})
		h.same("before a place that is gone", taskIDs(page.Tasks), taskIDs(full.Tasks)[:middle])
	}
	h.same("some are left", len(tasks) > 8, true)
}

func pagingNothing(h *fixture) {
	for _, backward := range []bool{false, true} {
		page := h.page(store.TaskWhere{}, taskOrders()[0], store.Window[store.TaskPlace]{Limit: 0, Backward: backward})
		if len(page.Tasks)+len(page.Places) != 0 || page.HasNext == backward || page.HasPrevious != backward {
			h.Errorf("backward=%v: %d tasks, next %v, previous %v", backward, len(page.Tasks), page.HasNext, page.HasPrevious)
		}
	}
}

// pagingInserts walks while tasks come in at any place: every task that was there at the start must come exactly once
// and in order, a new one at most once.
func pagingInserts(h *fixture) {
	random := dice(24)
	tasks := manyTasks(h, random, 120)
	for _, order := range taskOrders() {
		for _, backward := range []bool{false, true} {
			want := taskIDs(answer(tasks, store.TaskWhere{}, order))
			var came []model.Task
			got := h.walk(store.TaskWhere{}, order, 1+random.IntN(30), backward, func() {
				fresh := similar(random, h, tasks)
				h.add(fresh)
				came = append(came, fresh)
			})
			all := slices.Concat(tasks, came)
			position := make(map[model.UUID]int, len(all))
			for i, id := range taskIDs(answer(all, store.TaskWhere{}, order)) {
				position[id] = i
			}
			old := make(map[model.UUID]bool, len(want))
			for _, id := range want {
				old[id] = true
			}
			kept := []model.UUID{}
			for i, id := range got {
				if i > 0 && position[got[i-1]] >= position[id] {
					h.Fatalf("%v backward=%v: not in order, or twice: %v", order, backward, got)
				}
				if old[id] {
					kept = append(kept, id)
				}
			}
			if !slices.Equal(kept, want) {
				h.Fatalf("%v backward=%v:\n got %v\nwant %v", order, backward, kept, want)
			}
			tasks = all
		}
	}
}

// similar makes a task that is ordered next to one that is there.
func similar(random *rand.Rand, h *fixture, tasks []model.Task) model.Task {
	task := randomTask(random, h.ids.next(), noon)
	beside := tasks[random.IntN(len(tasks))]
	task.Text, task.DueAt, task.Position = beside.Text, beside.DueAt, beside.Position
	task.UpdatedAt = beside.UpdatedAt.Add(time.Duration(random.IntN(3)-1) * time.Microsecond)
	return task
}
