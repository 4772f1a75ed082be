package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testCounts: what a store keeps of counts is what counting finds, whatever was written and whatever was taken back.
func testCounts(t *testing.T, open Open) {
	h := newFixture(t, open)
	other := h.as("other")
	others := manyTasks(other, dice(70), 60)
	random := dice(71)
	tasks := manyTasks(h, random, 150)
	t.Run("after random histories", func(t *testing.T) {
		h := h.in(t)
		for range 120 {
			tasks = countedStep(h, random, tasks)
			checkTotal(h, tasks, randomWhere(random, tasks))
			checkTotal(h, tasks, store.TaskWhere{Completed: new(random.IntN(2) == 0)})
		}
		for range 300 {
			checkTotal(h, tasks, randomWhere(random, tasks))
		}
	})
	t.Run("of many", func(t *testing.T) {
		h := h.in(t)
		more := manyTasks(h, random, 6000)
		tasks = append(tasks, more...)
		boardRandom(h, tasks)
		for _, order := range taskOrders() {
			for range 15 {
				where := randomWhere(random, tasks)
				checkTotal(h, tasks, where)
				page := must(h, func() (store.TaskPage, error) {
					return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: order,
						Page: &store.Window[store.TaskPlace]{Limit: 20}})
				})
				want := taskIDs(answer(tasks, where, order))
				if got := taskIDs(page.Tasks); !slices.Equal(got, want[:min(len(want), 20)]) {
					h.Errorf("%v %s: the first page is another", order, show(where))
				}
			}
		}
	})
	t.Run("of another user", func(t *testing.T) {
		for range 100 {
			checkTotal(other.in(t), others, randomWhere(random, others))
		}
	})
}

// checkTotal compares a total with the oracle's.
func checkTotal(h *fixture, tasks []model.Task, where store.TaskWhere) {
	h.Helper()
	order := model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}
	page := must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: order, Total: true})
	})
	if want := len(answer(tasks, where, order)); page.Total != want {
		h.Errorf("%s: %d tasks, want %d", show(where), page.Total, want)
	}
}

// errTakenBack is what transactions fail with that are to leave nothing.
var errTakenBack = errors.New("taken back")

// countedStep writes something at random, and returns the tasks that are there then.
func countedStep(h *fixture, random *rand.Rand, tasks []model.Task) []model.Task {
	h.Helper()
	after := slices.Clone(tasks)
	some := func() []int {
		places := random.Perm(len(after))
		return places[:min(len(places), 1+random.IntN(20))]
	}
	insert := func(ctx context.Context, tx store.Tx) error {
		fresh := make([]model.Task, 1+random.IntN(20))
		for i := range fresh {
			fresh[i] = randomTask(random, h.ids.next(), noon)
		}
		after = append(after, fresh...)
		return tx.InsertTasks(ctx, fresh)
	}
	update := func(ctx context.Context, tx store.Tx) error {
		var changed []model.Task
		for _, i := range some() {
			task := randomTask(random, after[i].ID, noon)
			switch random.IntN(4) {
			case 0: // as it is
				task = after[i]
			case 1:
				task = after[i]
				task.CompletedAt = pick(random, time.Time{}, noon)
			}
			changed = append(changed, task)
			if random.IntN(4) == 0 { // of a task given twice the last stays
				task.CompletedAt, task.DueAt = noon, noon.Add(time.Duration(random.IntN(2000))*time.Hour)
				changed = append(changed, task)
			}
			after[i] = task
		}
		return tx.UpdateTasks(ctx, model.OperationUpdated, changed)
	}
	remove := func(ctx context.Context, tx store.Tx) error {
		ids := []model.UUID{h.ids.next()} // one that is not there
		for _, i := range some() {
			ids = append(ids, after[i].ID)
		}
		after = slices.DeleteFunc(after, func(task model.Task) bool { return slices.Contains(ids, task.ID) })
		_, err := tx.DeleteTasks(ctx, append(ids, ids[len(ids)-1]))
		return err
	}
	// refused are writes that the store must refuse whole, after which the transaction goes on.
	refused := func(ctx context.Context, tx store.Tx) error {
		there, missing := after[random.IntN(len(after))], randomTask(random, h.ids.next(), noon)
		if err := tx.InsertTasks(ctx, []model.Task{missing, there}); !errors.Is(err, store.ErrConflict) {
			return errors.Join(errors.New("an id was taken twice"), err)
		}
		if err := tx.InsertTasks(ctx, []model.Task{there}); !errors.Is(err, store.ErrConflict) {
			return errors.Join(errors.New("an id was taken twice"), err)
		}
		there.CompletedAt = noon
		if err := tx.UpdateTasks(ctx, model.OperationUpdated,
			[]model.Task{there, missing}); !errors.Is(err, store.ErrNotFound) {
			return errors.Join(errors.New("a missing task was updated"), err)
		}
		return nil
	}
	step := func(ctx context.Context, tx store.Tx) error {
		return pick(random, insert, insert, update, update, update, remove, refused)(ctx, tx)
	}
	// takenBack is a savepoint that fails.
	takenBack := func(ctx context.Context, tx store.Tx) error {
		before := after
		after = slices.Clone(after)
		err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return errors.Join(step(ctx, tx), errTakenBack)
		})
		if after = before; !errors.Is(err, errTakenBack) {
			return err
		}
		return nil
	}
	whole := random.IntN(5) > 0
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		for range 1 + random.IntN(3) {
			if err := pick(random, step, step, step, takenBack)(ctx, tx); err != nil {
				return err
			}
		}
		if !whole {
			return errTakenBack
		}
		return nil
	})
	if whole && err != nil || !whole && !errors.Is(err, errTakenBack) {
		h.Fatalf("Write: %v", err)
	}
	if !whole {
		return tasks
	}
	return after
}
