package storetest

import (
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// queriesEach: tasks that are handed out one after the other are those of the page that is read as a whole.
func queriesEach(h *fixture, tasks []model.Task) {
	random, handed := dice(12), 0
	columns := []store.TaskColumns{
		0, store.TaskText, store.TaskRow, store.TaskRow | store.TaskSubtasks | store.TaskCompletions,
	}
	for _, order := range taskOrders() {
		var after *store.TaskPlace
		for i := range 24 {
			query := store.TaskQuery{
				Where: randomWhere(random, tasks), Order: order, Columns: columns[i%len(columns)], Total: i%3 == 0,
				Page: &store.Window[store.TaskPlace]{
					Limit: pick(random, 0, 1, 2, 7, 100_000), After: after, Backward: i%7 == 0,
				},
			}
			if i%2 == 0 {
				query.Page.After = nil
			}
			if i%3 == 1 {
				query.Where = store.TaskWhere{}
			}
			if i%5 == 0 {
				query.Board = &store.BoardQuery{Now: noon, Tomorrow: noon.AddDate(0, 0, 1), Counts: true}
			}
			want := must(h, func() (store.TaskPage, error) { return h.Tasks(h.ctx, h.user, query) })
			if len(want.Places) > 0 {
				after = &want.Places[len(want.Places)/4]
			}
			query.Ends = i%4 < 2
			most := pick(random, 100_000, 100_000, 1, 3)
			var got []model.Task
			query.Each = func(task *model.Task) bool {
				got = append(got, *task)
				return len(got) < most
			}
			page := must(h, func() (store.TaskPage, error) { return h.Tasks(h.ctx, h.user, query) })
			whole := want.Tasks[:min(most, len(want.Tasks))]
			if !slices.Equal(taskIDs(got), taskIDs(whole)) {
				h.Fatalf("%v %s: handed out %v, want %v", order, show(query.Where), taskIDs(got), taskIDs(whole))
			}
			for i := range got {
				h.same("a task that was handed out", got[i], whole[i])
			}
			handed += len(got)
			places := want.Places
			want.Tasks, want.Places = nil, nil
			if query.Ends && len(places) > 0 {
				want.Places = []store.TaskPlace{places[0], places[len(places)-1]}
			}
			h.same("the rest of the page", page, want)
		}
	}
	if handed < 1000 {
		h.Errorf("%d tasks were handed out in all, too few to tell anything", handed)
	}
}
