package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testParallel lets many goroutines of several users read and write at once, and then looks whether every acknowledged
// write is there, the failed ones are not, and nobody has another's.
func testParallel(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("a query sees one moment", func(t *testing.T) { parallelMoment(h.in(t)) })
	t.Run("everything at once", func(t *testing.T) { parallelEverything(h.in(t)) })
}

// parallelMoment reads while somebody writes: page, total, board and relations must fit each other, as of one moment.
func parallelMoment(h *fixture) {
	h = h.as("moment")
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		var there []model.UUID
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			task, list := h.task("moment"), h.list("List "+string(h.ids.next().AppendText(nil)), "item")
			err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
				if len(there) > 20 {
					if _, err := tx.DeleteTasks(ctx, there[:10]); err != nil {
						return err
					}
					there = there[10:]
				}
				return errors.Join(tx.InsertTasks(ctx, []model.Task{task}), tx.InsertList(ctx, list),
					tx.SaveSubtasks(ctx, noon, []model.Subtask{{ID: h.ids.next(), TaskID: task.ID, Text: "step", CreatedAt: noon}},
						nil),
					tx.AddCompletions(ctx, []model.TaskCompletion{{TaskID: task.ID, CompletedAt: noon}}))
			})
			if err != nil {
				h.Errorf("Write: %v", err)
				return
			}
			there = append(there, task.ID)
		}
	})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for range 40 {
				page, err := h.Tasks(h.ctx, h.user, store.TaskQuery{
					Where: store.TaskWhere{Completed: new(false)}, Order: model.TaskOrder{Field: model.TaskOrderCreatedAt,
						Direction: model.Descending}, Columns: store.TaskSubtasks | store.TaskCompletions,
					Page: &store.Window[store.TaskPlace]{Limit: 1000}, Total: true, Board: &store.BoardQuery{
						Now: noon, Tomorrow: noon, Counts: true, Columns: store.TaskSubtasks,
						First: map[model.TaskBucket]int{model.BucketNoDueDate: 1000},
					},
				})
				if err != nil {
					h.Errorf("Tasks: %v", err)
					return
				}
				undated := page.Board.Rows[model.BucketNoDueDate]
				h.same("page, board's rows and counts against the total", []int{len(page.Tasks), len(undated),
					page.Board.Counts[model.BucketNoDueDate]}, []int{page.Total, page.Total, page.Total})
				for _, task := range page.Tasks {
					h.same("relations of a task", []int{len(task.Subtasks), len(task.Completions)}, []int{1, 1})
				}
				for _, task := range undated {
					h.same("relations in a bucket", len(task.Subtasks), 1)
				}
				lists, err := h.Lists(h.ctx, h.user, store.ListQuery{
					Order: model.ListOrder{Field: model.ListOrderCreatedAt, Direction: model.Ascending}, Columns: store.ListItems,
					Page: &store.Window[store.ListPlace]{Limit: 100_000}, Total: true,
				})
				if err != nil {
					h.Errorf("Lists: %v", err)
					return
				}
				h.same("lists against their total", len(lists.Lists), lists.Total)
				for _, list := range lists.Lists {
					h.same("items of a list", len(list.Items), 1)
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	wait.Wait()
}

func parallelEverything(h *fixture) {
	const users, workers, rounds = 4, 3, 20
	type result struct {
		mu      sync.Mutex
		want    map[model.UUID]string
		refused []model.UUID
	}
	var wait sync.WaitGroup
	fixtures, results := make([]*fixture, users), make([]result, users)
	for u := range users {
		fixtures[u], results[u].want = h.as(string(rune('a'+u))+" busy"), map[model.UUID]string{}
		for w := range workers {
			wait.Go(func() {
				u, result, random := fixtures[u], &results[u], dice(uint64(90+u*10+w))
				for range rounds {
					parallelRound(u, random, func(id model.UUID, text string, kept bool) {
						result.mu.Lock()
						defer result.mu.Unlock()
						if !kept {
							result.refused = append(result.refused, id)
						} else {
							result.want[id] = text
						}
					})
				}
			})
		}
	}
	wait.Wait()
	for u, fixture := range fixtures {
		page := must(fixture, func() (store.TaskPage, error) {
			return fixture.Tasks(fixture.ctx, fixture.user, store.TaskQuery{Order: taskOrders()[0], Columns: store.TaskText,
				Total: true, Page: &store.Window[store.TaskPlace]{Limit: 10_000}})
		})
		got := map[model.UUID]string{}
		for _, task := range page.Tasks {
			got[task.ID] = task.Text
		}
		fixture.same("the tasks of a user", got, results[u].want)
		fixture.same("total", page.Total, len(results[u].want))
		log := must(fixture, func() ([]model.Change, error) {
			return fixture.Changes(fixture.ctx, fixture.user, 0, nil, 1_000_000)
		})
		for i, change := range log {
			if change.Seq != int64(i+1) {
				fixture.Fatalf("change %d has number %d", i, change.Seq)
			}
		}
	}
}

// parallelRound does one random thing and reports what it has done to which task.
func parallelRound(u *fixture, random *rand.Rand, done func(id model.UUID, text string, kept bool)) {
	task := u.task(pick(random, words...))
	switch random.IntN(5) {
	case 0: // a write that fails
		err := u.Write(u.ctx, u.user, func(ctx context.Context, tx store.Tx) error {
			return errors.Join(tx.InsertTasks(ctx, []model.Task{task}), errFailed)
		})
		u.fails("a failing write", err, errFailed)
		done(task.ID, "", false)
	case 1: // a write that is given up somewhere on the way: it is there whole or not at all
		ctx, cancel := context.WithTimeout(u.ctx, time.Duration(random.IntN(2000))*time.Microsecond)
		err := u.Write(ctx, u.user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{task}) })
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			u.Errorf("a write that was given up: %v", err)
		}
		if err == nil {
			done(task.ID, task.Text, true)
		} else {
			done(task.ID, "", false)
		}
	case 2: // reading a page with everything, a board, the log
		_, err := u.Tasks(u.ctx, u.user, store.TaskQuery{
			Order: pick(random, taskOrders()...), Columns: store.TaskRow | store.TaskSubtasks | store.TaskCompletions,
			Total: true, Page: &store.Window[store.TaskPlace]{Limit: 20},
			Board: &store.BoardQuery{Now: noon, Tomorrow: noon, Counts: true,
				First: map[model.TaskBucket]int{model.BucketNoDueDate: 10}},
		})
		_, logErr := u.Changes(u.ctx, u.user, 0, nil, 50)
		if err != nil || logErr != nil {
			u.Errorf("reading: %v, %v", err, logErr)
		}
	case 3: // a key that two goroutines may use
		_, _, err := u.Once(u.ctx, u.user, call(string(task.ID.AppendText(nil)), 1), u.adds(task, "x"))
		if err != nil {
			u.Errorf("Once: %v", err)
		}
		done(task.ID, task.Text, true)
	default:
		task.DueAt = noon.Add(time.Duration(random.IntN(100)) * time.Hour)
		err := u.Write(u.ctx, u.user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
				return err
			}
			task.Text += " updated"
			return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{task})
		})
		if err != nil {
			u.Errorf("Write: %v", err)
		}
		done(task.ID, task.Text, true)
	}
}
