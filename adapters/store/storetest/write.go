package storetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testWrite(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("an error rolls back", func(t *testing.T) { writeRollback(h.in(t)) })
	t.Run("a panic rolls back and goes on", func(t *testing.T) { writePanic(h.in(t)) })
	t.Run("a transaction reads its own writes, others do not", func(t *testing.T) { writeIsolation(h.in(t)) })
	t.Run("a nested write is a savepoint", func(t *testing.T) { writeNested(h.in(t)) })
	t.Run("a nested panic undoes its own part", func(t *testing.T) { writeNestedPanic(h.in(t)) })
	t.Run("nested writes at the same time", func(t *testing.T) { writeNestedParallel(h.in(t)) })
	t.Run("the outer Tx writes nothing meanwhile", func(t *testing.T) { writeOuterTx(h.in(t)) })
	t.Run("not for another user", func(t *testing.T) { writeOtherUser(h.in(t)) })
	t.Run("not after its end", func(t *testing.T) { writeEnded(h.in(t)) })
	t.Run("a cancelled context", func(t *testing.T) { writeCancelled(h.in(t)) })
	t.Run("waits, but no longer than its context", func(t *testing.T) { writeWaits(h.in(t)) })
	t.Run("reads from several goroutines", func(t *testing.T) { writeReadsParallel(h.in(t)) })
}

var errFailed = errors.New("failed")

func writeRollback(h *fixture) {
	head := h.head()
	task, list := h.task("gone"), h.list("Gone", "x")
	kept := h.task("kept")
	h.add(kept)
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, deleted := tx.DeleteTasks(ctx, []model.UUID{kept.ID})
		return errors.Join(tx.InsertTasks(ctx, []model.Task{task}), tx.InsertList(ctx, list), deleted,
			tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Monday}), errFailed)
	})
	h.fails("Write", err, errFailed)
	_, there := h.byID(task.ID, 0)
	_, listThere := h.listByID(list.ID)
	_, keptThere := h.byID(kept.ID, 0)
	h.same("the task, the list, the deleted one", []bool{there, listThere, keptThere}, []bool{false, false, true})
	user := must(h, func() (model.User, error) { return h.User(h.ctx, h.user) })
	h.same("settings", user.Settings, person("dana").Settings)
	h.same("log", h.log(head), lines(model.OperationCreated, kept.ID))
	// The numbers of the log have no gap.
	h.add(task)
	h.same("head", h.head(), head+2)
}

func writePanic(h *fixture) {
	task := h.task("panic")
	head := h.head()
	caught := catch(func() {
		_ = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
				return err
			}
			panic("of the function")
		})
	})
	h.same("the panic", caught, any("of the function"))
	_, there := h.byID(task.ID, 0)
	h.same("the task is there", there, false)
	h.same("head", h.head(), head)
	h.add(h.task("the store still works"))
	// A test that stops itself inside of a write (runtime.Goexit) must not leave the store locked.
	var wait sync.WaitGroup
	wait.Go(func() {
		_ = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
				return err
			}
			runtime.Goexit()
			return nil
		})
	})
	wait.Wait()
	_, there = h.byID(task.ID, 0)
	h.same("the task of the stopped write is there", there, false)
	h.add(h.task("and still works"))
}

func catch(call func()) (caught any) {
	defer func() { caught = recover() }()
	call()
	return nil
}

func writeIsolation(h *fixture) {
	task, list := h.task("isolated  text"), h.list("Isolated", "x")
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		if err := errors.Join(tx.InsertTasks(ctx, []model.Task{task}), tx.InsertList(ctx, list)); err != nil {
			return err
		}
		inside := must(h, func() ([]model.Task, error) {
			return tx.TasksByID(ctx, h.user, []model.UUID{task.ID}, store.TaskText)
		})
		h.same("by the Tx", len(inside), 1)
		inside = must(h, func() ([]model.Task, error) {
			return h.TasksByID(ctx, h.user, []model.UUID{task.ID}, store.TaskText)
		})
		h.same("by the store with the transaction's context", len(inside), 1)
		byText := must(h, func() (model.Task, error) { return h.TaskByText(ctx, h.user, "isolated text", 0) })
		h.same("by text", byText.ID, task.ID)
		byTexts := must(h, func() (map[string]model.Task, error) {
			return tx.TasksByText(ctx, h.user, []string{"isolated text"}, 0)
		})
		h.same("by texts", byTexts, map[string]model.Task{"isolated text": {ID: task.ID}})
		page := must(h, func() (store.TaskPage, error) {
			return tx.Tasks(ctx, h.user, store.TaskQuery{Order: taskOrders()[0], Total: true,
				Page: &store.Window[store.TaskPlace]{Limit: 1000}})
		})
		h.same("in a page", slices.Contains(taskIDs(page.Tasks), task.ID), true)
		byName := must(h, func() (model.List, error) { return tx.ListByName(ctx, h.user, "isolated", store.ListItems) })
		h.same("the list", byName.Items, list.Items)
		inLog := must(h, func() (int64, error) { return h.ChangeHead(ctx, h.user) })
		h.same("the head inside", inLog, head+2)
		_, outside := h.byID(task.ID, 0)
		h.same("outside, meanwhile", outside, false)
		h.same("the head outside", h.head(), head)
		return nil
	})
	_, after := h.byID(task.ID, 0)
	h.same("outside, after", after, true)
}

func writeNested(h *fixture) {
	outer, inner, failed, deep := h.task("outer"), h.task("inner"), h.task("failed"), h.task("deep")
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(ctx, []model.Task{outer}); err != nil {
			return err
		}
		err := h.Write(ctx, h.user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{inner}) })
		if err != nil {
			return err
		}
		err = h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.InsertTasks(ctx, []model.Task{failed}); err != nil {
				return err
			}
			err := h.Write(ctx, h.user,
				func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{deep}) })
			return errors.Join(err, errFailed)
		})
		h.fails("the failed one", err, errFailed)
		// A statement that fails inside of a nested write does not spoil the outer one.
		err = h.Write(ctx, h.user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{inner}) })
		h.fails("a conflict", err, store.ErrConflict)
		return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{outer})
	})
	left := must(h, func() ([]model.Task, error) {
		return h.TasksByID(h.ctx, h.user, []model.UUID{outer.ID, inner.ID, failed.ID, deep.ID}, 0)
	})
	h.same("left", sorted(taskIDs(left)), []model.UUID{outer.ID, inner.ID})
	want := append(lines(model.OperationCreated, outer.ID, inner.ID), lines(model.OperationUpdated, outer.ID)...)
	h.same("log", h.log(head), want)

	// When the outer one fails, the inner one's work goes too.
	late := h.task("late")
	err := h.Write(h.ctx, h.user, func(ctx context.Context, _ store.Tx) error {
		err := h.Write(ctx, h.user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{late}) })
		return errors.Join(err, errFailed)
	})
	h.fails("the outer one", err, errFailed)
	_, there := h.byID(late.ID, 0)
	h.same("the inner one's task is there", there, false)
}

func writeNestedPanic(h *fixture) {
	outer, inner := h.task("outer"), h.task("inner")
	h.write(func(ctx context.Context, tx store.Tx) error {
		caught := catch(func() {
			_ = h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
				_ = tx.InsertTasks(ctx, []model.Task{inner})
				panic("inside")
			})
		})
		h.same("the panic", caught, any("inside"))
		return tx.InsertTasks(ctx, []model.Task{outer})
	})
	left := must(h, func() ([]model.Task, error) {
		return h.TasksByID(h.ctx, h.user, []model.UUID{outer.ID, inner.ID}, 0)
	})
	h.same("left", taskIDs(left), []model.UUID{outer.ID})
}

func writeNestedParallel(h *fixture) {
	const many = 12
	tasks := make([]model.Task, many)
	for i := range tasks {
		tasks[i] = h.task(fmt.Sprint("parallel ", i))
	}
	h.write(func(ctx context.Context, _ store.Tx) error {
		var wait sync.WaitGroup
		for i, task := range tasks {
			wait.Go(func() {
				err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
					if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
						return err
					}
					if i%3 == 0 {
						return errFailed
					}
					return nil
				})
				if i%3 == 0 {
					h.fails("a failed one", err, errFailed)
				} else if err != nil {
					h.Errorf("write %d: %v", i, err)
				}
			})
		}
		wait.Wait()
		return nil
	})
	left := must(h, func() ([]model.Task, error) { return h.TasksByID(h.ctx, h.user, taskIDs(tasks), 0) })
	h.same("left", len(left), many-many/3)
}

func writeOuterTx(h *fixture) {
	task, refused := h.task("inner"), h.task("refused")
	h.write(func(ctx context.Context, outer store.Tx) error {
		return h.Write(ctx, h.user, func(inner context.Context, tx store.Tx) error {
			if err := outer.InsertTasks(inner, []model.Task{refused}); err == nil {
				h.Error("the outer Tx wrote into the inner savepoint")
			}
			_, err := outer.TasksByID(inner, h.user, []model.UUID{task.ID}, 0)
			return errors.Join(err, tx.InsertTasks(inner, []model.Task{task}))
		})
	})
	left := must(h, func() ([]model.Task, error) {
		return h.TasksByID(h.ctx, h.user, []model.UUID{task.ID, refused.ID}, 0)
	})
	h.same("left", taskIDs(left), []model.UUID{task.ID})
}

func writeOtherUser(h *fixture) {
	other := h.as("other of write")
	mine, theirs := h.task("mine"), h.task("theirs")
	ran := false
	h.write(func(ctx context.Context, tx store.Tx) error {
		if err := h.Write(ctx, other.user, func(context.Context, store.Tx) error { ran = true; return nil }); err == nil {
			h.Error("Write for another user inside of a Write was not refused")
		}
		_, _, err := h.Once(ctx, other.user, model.IdempotentCall{Key: "k"},
			func(context.Context) ([]byte, error) { ran = true; return nil, nil })
		if err == nil {
			h.Error("Once for another user inside of a Write was not refused")
		}
		return tx.InsertTasks(ctx, []model.Task{mine})
	})
	h.same("the function ran", ran, false)
	_, there := h.byID(mine.ID, 0)
	h.same("the outer one was committed", there, true)
	_, there = other.byID(theirs.ID, 0)
	h.same("the other's", there, false)
}

func writeEnded(h *fixture) {
	type handed struct {
		ctx context.Context
		tx  store.Tx
	}
	out := make(chan handed, 1)
	h.write(func(ctx context.Context, tx store.Tx) error {
		out <- handed{ctx, tx}
		return nil
	})
	kept := <-out
	ended, endedTx := kept.ctx, kept.tx
	task := h.task("too late")
	if err := endedTx.InsertTasks(h.ctx, []model.Task{task}); err == nil {
		h.Error("a Tx wrote after its end")
	}
	if _, err := endedTx.TasksByID(h.ctx, h.user, []model.UUID{task.ID}, 0); err == nil {
		h.Error("a Tx read after its end")
	}
	if err := h.Write(ended, h.user, func(ctx context.Context,
		tx store.Tx) error {
		return tx.InsertTasks(ctx, []model.Task{task})
	}); err == nil {
		h.Error("a Write joined a transaction after its end")
	}
	if _, err := h.TasksByID(ended, h.user, []model.UUID{task.ID}, 0); err == nil {
		h.Error("a read joined a transaction after its end")
	}
	_, there := h.byID(task.ID, 0)
	h.same("the task is there", there, false)
}

func writeCancelled(h *fixture) {
	ctx, cancel := context.WithCancel(h.ctx)
	cancel()
	ran := false
	err := h.Write(ctx, h.user, func(context.Context, store.Tx) error { ran = true; return nil })
	h.fails("Write", err, context.Canceled)
	h.same("the function ran", ran, false)
	_, err = h.TasksByID(ctx, h.user, h.ids.several(1), store.TaskRow)
	h.fails("TasksByID", err, context.Canceled)
	_, err = h.Tasks(ctx, h.user, store.TaskQuery{Order: taskOrders()[0], Page: &store.Window[store.TaskPlace]{Limit: 3},
		Total: true})
	h.fails("Tasks", err, context.Canceled)

	// Cancelled in the middle: all is rolled back, and the store goes on.
	ctx, cancel = context.WithCancel(h.ctx)
	task := h.task("cancelled")
	head := h.head()
	err = h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
			return err
		}
		cancel()
		return nil
	})
	h.fails("Write", err, context.Canceled)
	_, there := h.byID(task.ID, 0)
	h.same("the task is there", there, false)
	h.same("head", h.head(), head)
	h.add(task)
}

func writeWaits(h *fixture) {
	inside, leave := make(chan struct{}), make(chan struct{})
	var wait sync.WaitGroup
	first, second := h.task("first"), h.task("second")
	wait.Go(func() {
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			close(inside)
			<-leave
			return tx.InsertTasks(ctx, []model.Task{first})
		})
		if err != nil {
			h.Errorf("the first: %v", err)
		}
	})
	<-inside
	ctx, cancel := context.WithTimeout(h.ctx, 30*time.Millisecond)
	defer cancel()
	err := h.Write(ctx, h.user,
		func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{second}) })
	h.fails("a write that waits too long", err, context.DeadlineExceeded)
	close(leave)
	wait.Wait()
	head := h.head()
	h.add(second)
	h.same("log", h.log(head-1), lines(model.OperationCreated, first.ID, second.ID))
}

func writeReadsParallel(h *fixture) {
	h = h.as("reads in parallel")
	tasks := manyTasks(h, dice(70), 40)
	h.write(func(ctx context.Context, tx store.Tx) error {
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				order := taskOrders()[i]
				page, err := tx.Tasks(ctx, h.user, store.TaskQuery{Order: order, Columns: store.TaskRow,
					Page: &store.Window[store.TaskPlace]{Limit: 100}})
				if err != nil {
					h.Errorf("%v", err)
				} else {
					h.same("page", taskIDs(page.Tasks), taskIDs(answer(tasks, store.TaskWhere{}, order)))
				}
			})
		}
		wait.Wait()
		return nil
	})
}
