package storetest

import (
	"context"
	"errors"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testAddTasks holds that tasks which are added are kept, read and logged as those that are inserted, and that their
// ids must be new, however late a store finds out.
func testAddTasks(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("one and several", func(t *testing.T) { addedKept(h.in(t)) })
	t.Run("in the order of writing", func(t *testing.T) { addedInOrder(h.in(t)) })
	t.Run("a taken id", func(t *testing.T) { addedTwice(h.in(t)) })
	t.Run("by a new user", func(t *testing.T) { addedByNewUser(h.in(t)) })
	t.Run("savepoints", func(t *testing.T) { addedNested(h.in(t)) })
	t.Run("what failed is not there", func(t *testing.T) { addedRolledBack(h.in(t)) })
}

func addedKept(h *fixture) {
	for _, n := range []int{0, 1, 3} {
		head := h.head()
		tasks := make([]model.Task, 0, n)
		for range n {
			tasks = append(tasks, h.task("added"))
		}
		h.write(func(ctx context.Context, tx store.Tx) error { return tx.AddTasks(ctx, tasks) })
		for _, task := range tasks {
			found, there := h.byID(task.ID, store.TaskRow)
			h.same("it is there", there, true)
			h.same("the text", found.Text, task.Text)
		}
		h.same("the log", h.log(head), lines(model.OperationCreated, taskIDs(tasks)...))
		counted := must(h, func() (store.TaskPage, error) { return h.Tasks(h.ctx, h.user, store.TaskQuery{Total: true}) })
		listed := must(h, func() (store.TaskPage, error) {
			return h.Tasks(h.ctx, h.user, store.TaskQuery{Order: taskOrders()[0],
				Page: &store.Window[store.TaskPlace]{Limit: 1000}})
		})
		h.same("the count", counted.Total, len(listed.Tasks))
	}
}

func addedInOrder(h *fixture) {
	before, first, second, after := h.task("before"), h.task("first"), h.task("second"), h.task("after")
	first.Text = "added and read"
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		err := errors.Join(tx.InsertTasks(ctx, []model.Task{before}), tx.AddTasks(ctx, []model.Task{first}),
			tx.AddTasks(ctx, []model.Task{second}))
		h.same("the head inside", must(h, func() (int64, error) { return h.ChangeHead(ctx, h.user) }), head+3)
		found := must(h, func() (model.Task, error) { return tx.TaskByText(ctx, h.user, "added and read", 0) })
		h.same("what was read inside", found.ID, first.ID)
		changed := second
		changed.Text = "changed"
		return errors.Join(err, tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{changed}),
			tx.AddTasks(ctx, []model.Task{after}))
	})
	found, _ := h.byID(second.ID, store.TaskRow)
	h.same("the text after", found.Text, "changed")
	log := lines(model.OperationCreated, before.ID, first.ID, second.ID)
	log = append(append(log, lines(model.OperationUpdated, second.ID)...), lines(model.OperationCreated, after.ID)...)
	h.same("the log", h.log(head), log)
}

func addedTwice(h *fixture) {
	there, other := h.task("there"), h.task("other")
	h.add(there)
	head := h.head()
	for what, then := range map[string]func(ctx context.Context, tx store.Tx) error{
		"at the end": func(context.Context, store.Tx) error { return nil },
		"before a read": func(ctx context.Context, tx store.Tx) error {
			_, err := tx.TasksByID(ctx, h.user, []model.UUID{there.ID}, 0)
			return err
		},
		"before a read whose error is not looked at": func(ctx context.Context, tx store.Tx) error {
			_, _ = tx.TasksByID(ctx, h.user, []model.UUID{there.ID}, 0)
			return nil
		},
		"before a write": func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{h.task("more")})
		},
	} {
		for _, taken := range [][]model.Task{{there}, {other, there}, {other, other}} {
			err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
				if err := tx.AddTasks(ctx, taken); err != nil {
					return err
				}
				return then(ctx, tx)
			})
			if err == nil {
				h.Errorf("%s: a task was added under an id that is taken", what)
			}
		}
	}
	_, added := h.byID(other.ID, 0)
	h.same("the other one is there", added, false)
	h.same("the head", h.head(), head)
}

func addedByNewUser(h *fixture) {
	read, unread := h.as("adds at once"), h.as("adds at the end")
	one, two := read.task("one"), unread.task("two")
	read.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.TaskByText(ctx, read.user, "one", 0)
		h.fails("TaskByText of a new user", err, store.ErrNotFound)
		return tx.AddTasks(ctx, []model.Task{one})
	})
	unread.write(func(ctx context.Context, tx store.Tx) error { return tx.AddTasks(ctx, []model.Task{two}) })
	h.same("the log", read.log(0), lines(model.OperationCreated, one.ID))
	h.same("the other log", unread.log(0), lines(model.OperationCreated, two.ID))
}

func addedNested(h *fixture) {
	outer, inner, failed, late := h.task("outer"), h.task("inner"), h.task("failed"), h.task("late")
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		if err := tx.AddTasks(ctx, []model.Task{outer}); err != nil {
			return err
		}
		nested := func(task model.Task, outcome error) error {
			return h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
				return errors.Join(tx.AddTasks(ctx, []model.Task{task}), outcome)
			})
		}
		empty := h.Write(ctx, h.user, func(context.Context, store.Tx) error { return errFailed })
		h.fails("an empty one that fails", empty, errFailed)
		h.fails("the failed one", nested(failed, errFailed), errFailed)
		h.fails("a taken id", nested(outer, nil), store.ErrConflict)
		return errors.Join(nested(inner, nil), tx.AddTasks(ctx, []model.Task{late}))
	})
	left := must(h, func() ([]model.Task, error) {
		return h.TasksByID(h.ctx, h.user, taskIDs([]model.Task{outer, inner, failed, late}), 0)
	})
	h.same("left", sorted(taskIDs(left)), sorted(taskIDs([]model.Task{outer, inner, late})))
	h.same("the log", h.log(head), lines(model.OperationCreated, outer.ID, inner.ID, late.ID))
}

func addedRolledBack(h *fixture) {
	task := h.task("added in vain")
	head := h.head()
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.AddTasks(ctx, []model.Task{task}), errFailed)
	})
	h.fails("Write", err, errFailed)
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	err = h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		defer cancel()
		return tx.AddTasks(ctx, []model.Task{task})
	})
	h.fails("a cancelled Write", err, context.Canceled)
	_, there := h.byID(task.ID, 0)
	h.same("it is there", there, false)
	h.same("the head", h.head(), head)
}
