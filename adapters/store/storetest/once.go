package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testOnce(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("the second call is answered from the record", func(t *testing.T) { onceReplay(h.in(t)) })
	t.Run("another fingerprint is a conflict", func(t *testing.T) { onceFingerprint(h.in(t)) })
	t.Run("a failure records nothing", func(t *testing.T) { onceFailure(h.in(t)) })
	t.Run("for 24 hours", func(t *testing.T) { onceExpiry(h.in(t)) })
	t.Run("at the same time", func(t *testing.T) { onceParallel(h.in(t)) })
	t.Run("nested", func(t *testing.T) { onceNested(h.in(t)) })
	t.Run("keys of two users", func(t *testing.T) { onceUsers(h.in(t)) })
}

func call(key string, fingerprint byte) model.IdempotentCall {
	return model.IdempotentCall{Key: key, Fingerprint: [32]byte{fingerprint, 31: fingerprint}}
}

// adds returns a function for Once that adds a task and answers.
func (h *fixture) adds(task model.Task, answer string) func(ctx context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		err := h.Write(ctx, h.user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{task}) })
		return []byte(answer), err
	}
}

// once calls Once and shows the outcome as one text.
func (h *fixture) once(c model.IdempotentCall, fn func(ctx context.Context) ([]byte, error)) string {
	h.Helper()
	got, replayed, err := h.Once(h.ctx, h.user, c, fn)
	if err != nil {
		return "error " + string(model.CodeOf(err))
	}
	return fmt.Sprintf("%s replayed=%v", got, replayed)
}

func (h *fixture) mustNotRun(context.Context) ([]byte, error) {
	h.Error("the function ran again")
	return nil, errFailed
}

func onceReplay(h *fixture) {
	task := h.task("once")
	head := h.head()
	h.same("first", h.once(call("key ~!", 1), h.adds(task, "תשובה")), "תשובה replayed=false")
	h.same("second", h.once(call("key ~!", 1), h.mustNotRun), "תשובה replayed=true")
	h.same("log", h.log(head), lines(model.OperationCreated, task.ID))
	h.same("an empty answer", h.once(call("empty", 1), func(context.Context) ([]byte, error) { return nil, nil }),
		" replayed=false")
	h.same("an empty answer again", h.once(call("empty", 1), h.mustNotRun), " replayed=true")
	binary := make([]byte, 300_000)
	for i := range binary {
		binary[i] = byte(i * 7)
	}
	h.once(call("binary", 1), func(context.Context) ([]byte, error) { return binary, nil })
	got, replayed, err := h.Once(h.ctx, h.user, call("binary", 1), h.mustNotRun)
	if err != nil || !replayed || string(got) != string(binary) {
		h.Errorf("a large answer came back as %d bytes, %v, %v", len(got), replayed, err)
	}
}

func onceFingerprint(h *fixture) {
	h.once(call("print", 1), h.adds(h.task("print"), "a"))
	head := h.head()
	_, replayed, err := h.Once(h.ctx, h.user, call("print", 2), h.mustNotRun)
	if model.CodeOf(err) != model.CodeIdempotencyConflict || replayed {
		h.Errorf("got %v, replayed %v", err, replayed)
	}
	h.same("the first request still replays", h.once(call("print", 1), h.mustNotRun), "a replayed=true")
	h.same("keys are told apart by case", h.once(call("PRINT", 2),
		func(context.Context) ([]byte, error) { return []byte("b"), nil }), "b replayed=false")
	h.same("log", h.log(head), []string{})
}

func onceFailure(h *fixture) {
	task := h.task("fails first")
	head := h.head()
	_, _, err := h.Once(h.ctx, h.user, call("fails", 1), func(ctx context.Context) ([]byte, error) {
		_, err := h.adds(task, "")(ctx)
		return []byte("x"), errors.Join(err, errFailed)
	})
	h.fails("Once", err, errFailed)
	caught := catch(func() {
		_, _, _ = h.Once(h.ctx, h.user, call("fails", 1), func(ctx context.Context) ([]byte, error) {
			_, _ = h.adds(task, "")(ctx)
			panic("inside")
		})
	})
	h.same("the panic", caught, any("inside"))
	h.same("log", h.log(head), []string{})
	h.same("then, with another fingerprint", h.once(call("fails", 2), h.adds(task, "done")), "done replayed=false")
}

func onceExpiry(h *fixture) {
	h.once(call("day", 1), func(context.Context) ([]byte, error) { return []byte("old"), nil })
	h.clock.advance(24*time.Hour - time.Second)
	h.same("just before", h.once(call("day", 1), h.mustNotRun), "old replayed=true")
	h.clock.advance(2 * time.Second)
	h.same("just after, even with another fingerprint", h.once(call("day", 2),
		func(context.Context) ([]byte, error) { return []byte("new"), nil }), "new replayed=false")
	h.same("from then on", h.once(call("day", 2), h.mustNotRun), "new replayed=true")
}

func onceParallel(h *fixture) {
	var ran atomic.Int32
	var wait sync.WaitGroup
	head := h.head()
	task := h.task("one effect")
	var fresh atomic.Int32
	for range 24 {
		wait.Go(func() {
			got, replayed, err := h.Once(h.ctx, h.user, call("race", 1), func(ctx context.Context) ([]byte, error) {
				ran.Add(1)
				return h.adds(task, "the answer")(ctx)
			})
			if err != nil || string(got) != "the answer" {
				h.Errorf("got %q, %v", got, err)
			}
			if !replayed {
				fresh.Add(1)
			}
		})
	}
	wait.Wait()
	h.same("runs, and answers that were not replayed", []int32{ran.Load(), fresh.Load()}, []int32{1, 1})
	h.same("log", h.log(head), lines(model.OperationCreated, task.ID))
	// One that waits for a first one that fails runs itself.
	inside, leave := make(chan struct{}), make(chan struct{})
	wait.Go(func() {
		_, _, err := h.Once(h.ctx, h.user, call("fails while waited for", 1), func(context.Context) ([]byte, error) {
			close(inside)
			<-leave
			return nil, errFailed
		})
		h.fails("the first", err, errFailed)
	})
	<-inside
	wait.Go(func() {
		h.same("the second", h.once(call("fails while waited for", 1),
			func(context.Context) ([]byte, error) { return []byte("mine"), nil }), "mine replayed=false")
	})
	close(leave)
	wait.Wait()
}

func onceNested(h *fixture) {
	first, second := h.task("first"), h.task("second")
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		got, replayed, err := h.Once(ctx, h.user, call("nested", 1), h.adds(first, "inner"))
		h.same("inside of a Write", fmt.Sprintf("%s %v %v", got, replayed, err), "inner false <nil>")
		_, _, err = h.Once(ctx, h.user, call("nested and failing", 1), func(ctx context.Context) ([]byte, error) {
			_, err := h.adds(second, "")(ctx)
			return nil, errors.Join(err, errFailed)
		})
		h.fails("a failing one", err, errFailed)
		return nil
	})
	h.same("log", h.log(head), lines(model.OperationCreated, first.ID))
	h.same("recorded", h.once(call("nested", 1), h.mustNotRun), "inner replayed=true")
	h.same("not recorded", h.once(call("nested and failing", 1), h.adds(second, "later")), "later replayed=false")
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, _, err := h.Once(ctx, h.user, call("rolled back", 1),
			func(context.Context) ([]byte, error) { return []byte("x"), nil })
		return errors.Join(err, errFailed)
	})
	h.fails("the outer one", err, errFailed)
	h.same("the record went with the outer one", h.once(call("rolled back", 1),
		func(context.Context) ([]byte, error) { return []byte("y"), nil }), "y replayed=false")
}

func onceUsers(h *fixture) {
	other := h.as("another caller")
	h.once(call("shared", 1), func(context.Context) ([]byte, error) { return []byte("mine"), nil })
	h.same("the other's own", other.once(call("shared", 2),
		func(context.Context) ([]byte, error) { return []byte("theirs"), nil }), "theirs replayed=false")
	h.same("mine", h.once(call("shared", 1), h.mustNotRun), "mine replayed=true")
}
