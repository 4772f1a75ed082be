package storetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testChanges(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what a change says", func(t *testing.T) { changesSay(h.in(t)) })
	t.Run("reading from a place", func(t *testing.T) { changesRead(h.in(t)) })
	t.Run("pruning", func(t *testing.T) { changesPruned(newFixture(t, open)) })
	t.Run("numbers in commit order under parallel writers", func(t *testing.T) { changesParallel(newFixture(t, open)) })
}

func changesSay(h *fixture) {
	h = h.as("says")
	task, list := h.task("task"), h.list("List", "item")
	h.clock.advance(time.Minute)
	first := h.clock.Now()
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.InsertTasks(ctx, []model.Task{task}), tx.InsertList(ctx, list))
	})
	h.clock.advance(time.Minute)
	second := h.clock.Now()
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(
			tx.UpdateTasks(ctx, model.OperationCompleted, []model.Task{task}),
			tx.SaveSubtasks(ctx, noon, []model.Subtask{{ID: h.ids.next(), TaskID: task.ID, Text: "x", CreatedAt: noon}}, nil),
			tx.UpdateList(ctx, list),
			tx.SaveListItems(ctx, list.ID, second, nil, nil),
		)
	})
	h.delete(task.ID)
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteLists(ctx, []model.UUID{list.ID})
		return err
	})
	got := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, 0, nil, 100) })
	h.same("changes", got, []model.Change{
		{Seq: 1, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationCreated, At: first},
		{Seq: 2, Type: model.ChangeList, ID: list.ID, Operation: model.OperationCreated, At: first},
		{Seq: 3, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationCompleted, At: second},
		{Seq: 4, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationUpdated, At: second},
		{Seq: 5, Type: model.ChangeList, ID: list.ID, Operation: model.OperationUpdated, At: second},
		{Seq: 6, Type: model.ChangeList, ID: list.ID, Operation: model.OperationUpdated, At: second},
		{Seq: 7, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationDeleted, At: second},
		{Seq: 8, Type: model.ChangeList, ID: list.ID, Operation: model.OperationDeleted, At: second},
	})
	h.same("head", h.head(), int64(8))
	tasksOnly := must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 3, []model.ChangeType{model.ChangeTask}, 100)
	})
	h.same("of one type", seqs(tasksOnly), []int64{4, 7})
	both := must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 0, []model.ChangeType{model.ChangeSettings, model.ChangeList}, 2)
	})
	h.same("of two types, two of them", seqs(both), []int64{2, 5})
}

func seqs(changes []model.Change) []int64 {
	out := []int64{}
	for _, change := range changes {
		out = append(out, change.Seq)
	}
	return out
}

func changesRead(h *fixture) {
	h = h.as("reads")
	h.same("head of nothing", h.head(), int64(0))
	h.same("changes of nothing", h.log(0), []string{})
	stranger := model.UserIDOf("never seen")
	head := must(h, func() (int64, error) { return h.ChangeHead(h.ctx, stranger) })
	none := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, stranger, 0, nil, 10) })
	h.same("a stranger's", []int{int(head), len(none)}, []int{0, 0})
	for range 25 {
		h.add(h.task("x"))
	}
	read := func(after int64, limit int) []int64 {
		return seqs(must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, after, nil, limit) }))
	}
	h.same("limited", read(3, 4), []int64{4, 5, 6, 7})
	h.same("the rest", read(23, 100), []int64{24, 25})
	h.same("after the last", read(25, 100), []int64{})
	_, err := h.Changes(h.ctx, h.user, 1_000, nil, 100) // given out before a backup was restored, by nobody else
	h.fails("from beyond the last", err, store.ErrCursorExpired)
	h.same("none wanted", read(0, 0), []int64{})
	h.same("from the oldest", read(-1, 3), []int64{1, 2, 3})
}

func changesPruned(h *fixture) {
	for range 5 {
		h.add(h.task("old"))
	}
	h.clock.advance(48 * time.Hour)
	for range 3 {
		h.add(h.task("new"))
	}
	other := h.as("all old")
	h.clock.advance(-47 * time.Hour)
	other.add(other.task("old"), other.task("old"))
	h.clock.advance(47 * time.Hour)
	sweep := func(keep time.Duration) {
		h.Helper()
		if err := h.Sweep(h.ctx, h.clock.Now(), keep); err != nil {
			h.Fatalf("Sweep: %v", err)
		}
	}
	sweep(72 * time.Hour)
	h.same("nothing is old enough", len(h.log(0)), 8)
	sweep(24 * time.Hour)
	for after := range int64(5) {
		_, err := h.Changes(h.ctx, h.user, after, nil, 10)
		h.fails("a place before the pruning", err, store.ErrCursorExpired)
	}
	kept := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, -1, nil, 10) })
	h.same("from the oldest that is kept", seqs(kept), []int64{6, 7, 8})
	// Nothing after the fifth has been pruned.
	got := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, 5, nil, 10) })
	h.same("the place of the last one pruned", seqs(got), []int64{6, 7, 8})
	got = must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, -1, nil, 2) })
	h.same("from the oldest that is kept", seqs(got), []int64{6, 7})
	h.same("head", h.head(), int64(8))
	_, err := other.Changes(h.ctx, other.user, 1, nil, 10)
	h.fails("another user's", err, store.ErrCursorExpired)
	h.same("all of another user's are gone, the head stays", []any{len(other.log(2)), len(other.log(-1)), other.head()},
		[]any{0, 0, int64(2)})
	other.add(other.task("after the pruning"))
	h.same("the numbers go on", other.head(), int64(3))
	sweep(24 * time.Hour)
	h.same("a second sweep finds nothing", len(h.log(5)), 3)
}

// changesParallel has many writers append while readers follow the log: what a reader has seen must never get a smaller
// number added behind it.
func changesParallel(h *fixture) {
	users := []*fixture{h, h.as("second"), h.as("third")}
	const writers, each = 4, 25
	stop := make(chan struct{})
	var readers, wait sync.WaitGroup
	for _, u := range users {
		readers.Go(func() {
			var seen []int64
			for last := false; ; {
				select {
				case <-stop:
					last = true
				default:
				}
				after := int64(len(seen))
				changes, err := u.Changes(u.ctx, u.user, after, nil, 7)
				if err != nil {
					u.Errorf("Changes: %v", err)
					return
				}
				seen = append(seen, seqs(changes)...)
				for i := range seen {
					if seen[i] != int64(i+1) {
						u.Errorf("the log as it was read: %v", seen)
						return
					}
				}
				if last && len(changes) == 0 {
					u.same("changes", len(seen), writers*each*2)
					return
				}
			}
		})
		for range writers {
			wait.Go(func() {
				for range each {
					task := u.task("x")
					err := u.Write(u.ctx, u.user, func(ctx context.Context, tx store.Tx) error {
						if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
							return err
						}
						return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{task})
					})
					if err != nil {
						u.Errorf("Write: %v", err)
						return
					}
				}
			})
		}
	}
	wait.Wait()
	close(stop)
	readers.Wait()
	for _, u := range users {
		log := u.log(0)
		for i := 0; i+1 < len(log); i += 2 {
			if log[i][len("CREATED "):] != log[i+1][len("UPDATED "):] {
				u.Fatalf("two transactions are mixed in the log: %v", log[i:i+2])
			}
		}
	}
}

// patience is how long a test waits for what must come soon; only a failing test waits so long.
const patience = 20 * time.Second

func testWatch(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("a signal for every commit with changes", func(t *testing.T) { watchSignals(h.in(t)) })
	t.Run("no signal is lost", func(t *testing.T) { watchNothingLost(h.in(t)) })
	t.Run("many watchers, some of whom leave", func(t *testing.T) { watchMany(h.in(t)) })
	t.Run("a second handle on the same database", func(t *testing.T) { watchBeside(h.in(t), open) })
	t.Run("a signal for every commit of settings", func(t *testing.T) { watchSettings(h.in(t)) })
	t.Run("no signal of settings is lost", func(t *testing.T) { watchSettingsLosesNothing(h.in(t), open) })
}

// awaits fails the test when no signal comes.
func (h *fixture) awaits(what string, signals <-chan struct{}) bool {
	h.Helper()
	select {
	case <-signals:
		return true
	case <-time.After(patience):
		h.Errorf("no signal: %s", what)
		return false
	}
}

func watchSignals(h *fixture) {
	signals, stop := h.Watch(h.user)
	defer stop()
	h.add(h.task("x"))
	h.awaits("a task was added", signals)
	// Signals of before may still come, folded; after they have been taken, a write must signal anew.
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday})
	})
	h.awaits("settings were saved", signals)
	h.once(call("watched", 1), h.adds(h.task("once"), "x"))
	h.awaits("a task was added by Once", signals)
}

// watchNothingLost follows the log by signals alone, as a subscription does, and must see all of it.
func watchNothingLost(h *fixture) {
	h = h.as("watched")
	signals, stop := h.Watch(h.user)
	defer stop()
	const writers, each = 3, 30
	var wait sync.WaitGroup
	for range writers {
		wait.Go(func() {
			for range each {
				task := h.task("x")
				if err := h.Write(h.ctx, h.user, func(ctx context.Context,
					tx store.Tx) error {
					return tx.InsertTasks(ctx, []model.Task{task})
				}); err != nil {
					h.Errorf("Write: %v", err)
				}
			}
		})
	}
	for after := int64(0); after < writers*each; {
		if !h.awaits("more changes are to come", signals) {
			break
		}
		changes := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, after, nil, 1000) })
		after += int64(len(changes))
	}
	wait.Wait()
}

func watchMany(h *fixture) {
	h = h.as("crowd of watchers")
	var watchers []<-chan struct{}
	for i := range 30 {
		signals, stop := h.Watch(h.user)
		if i%3 == 0 {
			stop()
			stop() // stopping twice is harmless
			continue
		}
		h.Cleanup(stop)
		watchers = append(watchers, signals)
	}
	h.add(h.task("x"))
	for _, signals := range watchers {
		h.awaits("one of many watchers", signals)
	}
}

func watchBeside(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	other := *h
	other.Store = beside
	if beside.Facts().Replicas {
		signals, stop := beside.Watch(h.user)
		defer stop()
		for range 3 {
			h.add(h.task("x"))
			h.awaits("the other process wrote", signals)
		}
	}
	// Replicas or not, both see one database.
	task := h.task("from beside")
	other.add(task)
	got, there := h.byID(task.ID, store.TaskRow)
	h.same("there", there, true)
	h.same("task", got, task)
	h.same("the log's end", h.log(h.head()-1), lines(model.OperationCreated, task.ID))
	var wait sync.WaitGroup
	head := h.head()
	for _, u := range []*fixture{h, &other} {
		wait.Go(func() {
			for range 20 {
				u.add(u.task("both write"))
			}
		})
	}
	wait.Wait()
	log := must(h, func() ([]model.Change, error) { return other.Changes(h.ctx, h.user, head, nil, 100) })
	h.same("changes of both", len(log), 40)
	h.same("in order", slices.IsSorted(seqs(log)), true)
	var ran int
	h.once(call("both", 1), func(context.Context) ([]byte, error) { ran++; return []byte("a"), nil })
	h.same("a key used there", other.once(call("both", 1),
		func(context.Context) ([]byte, error) { ran++; return nil, nil }), "a replayed=true")
	h.same("runs", ran, 1)
}
