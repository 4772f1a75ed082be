package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testRemoteLog(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("in order with own records' changes", func(t *testing.T) { remoteInOrder(h.in(t)) })
	t.Run("any bytes are a reference", func(t *testing.T) { remoteBytes(h.in(t)) })
	t.Run("the last change of each", func(t *testing.T) { remoteLast(h.in(t)) })
	t.Run("within a transaction", func(t *testing.T) { remoteInside(h.in(t)) })
	t.Run("what was pruned is not known any more", func(t *testing.T) { remotePruned(newFixture(t, open)) })
	t.Run("refused", func(t *testing.T) { remoteRefused(h.in(t)) })
	t.Run("of many", func(t *testing.T) { remoteMany(h.in(t)) })
}

// remote makes a change of an event.
func remote(reference string, operation model.Operation, version string) model.Change {
	return model.Change{Type: model.ChangeEvent, ID: model.RemoteID(model.KindEvent, reference).UUID, Operation: operation,
		Remote: reference, Version: version}
}

// report logs changes of remote records.
func (h *fixture) report(changes ...model.Change) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.LogRemote(ctx, changes) })
}

// last returns the numbers of the last changes, by reference.
func (h *fixture) last(references ...string) map[string]int64 {
	h.Helper()
	ids := make([]model.UUID, len(references))
	for i, reference := range references {
		ids[i] = model.RemoteID(model.KindEvent, reference).UUID
	}
	numbers := map[string]int64{}
	h.write(func(ctx context.Context, tx store.Tx) error {
		found, err := tx.LastRemote(ctx, ids)
		for id, change := range found {
			h.same("the id", change.ID, id)
			numbers[change.Remote] = change.Seq
		}
		return err
	})
	return numbers
}

func remoteInOrder(h *fixture) {
	h = h.as("remote and own")
	task := h.task("own")
	h.clock.advance(time.Minute)
	at := h.clock.Now()
	created, updated, deleted := remote("one", model.OperationCreated, `"3380"`),
		remote("two", model.OperationUpdated, ""), remote("one", model.OperationDeleted, `"3381"`)
	created.Seq, created.At = 99, noon.Add(-time.Hour) // are not looked at
	signals, stop := h.Watch(h.user)
	defer stop()
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.InsertTasks(ctx, []model.Task{task}), tx.LogRemote(ctx, []model.Change{created, updated}),
			tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{task}))
	})
	h.awaits("a remote change", signals)
	h.report(deleted)
	h.report()
	h.delete(task.ID)
	for i, change := range []*model.Change{&created, &updated, &deleted} {
		change.Seq, change.At = []int64{2, 3, 5}[i], at
	}
	got := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, 0, nil, 100) })
	h.same("changes", got, []model.Change{
		{Seq: 1, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationCreated, At: at},
		created, updated,
		{Seq: 4, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationUpdated, At: at},
		deleted,
		{Seq: 6, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationDeleted, At: at},
	})
	events := must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 2, []model.ChangeType{model.ChangeEvent}, 1)
	})
	h.same("events only, after a place, one of them", events, []model.Change{updated})
	h.same("head", h.head(), int64(6))
}

func remoteBytes(h *fixture) {
	h = h.as("remote bytes")
	for _, reference := range []string{"\x00", "\xff\xfe", "a\x00b", "אירוע", "'; --",
		string(make([]byte, model.MaxRemote))} {
		change := remote(reference, model.OperationCreated, "גרסה")
		h.report(change)
		got := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, h.head()-1, nil, 1) })
		change.Seq, change.At = h.head(), h.clock.Now()
		h.same("change", got, []model.Change{change})
		h.same("last", h.last(reference), map[string]int64{reference: h.head()})
	}
}

func remoteLast(h *fixture) {
	h = h.as("remote last")
	h.same("of nothing", h.last(), map[string]int64{})
	h.same("of what never was", h.last("never"), map[string]int64{})
	h.report(remote("a", model.OperationCreated, "1"), remote("b", model.OperationCreated, "1"),
		remote("a", model.OperationUpdated, "2"))
	h.report(remote("c", model.OperationCreated, "1"), remote("b", model.OperationDeleted, ""))
	h.same("of some, one of them twice", h.last("a", "b", "a", "never"), map[string]int64{"a": 3, "b": 5})
	whole := remote("a", model.OperationUpdated, "2")
	whole.Seq, whole.At = 3, h.clock.Now()
	var got map[model.UUID]model.Change
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		got, err = tx.LastRemote(ctx, []model.UUID{whole.ID})
		return err
	})
	h.same("whole", got, map[model.UUID]model.Change{whole.ID: whole})
	// An own record is none, whatever its id.
	task := h.task("own")
	h.add(task)
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		got, err = tx.LastRemote(ctx, []model.UUID{task.ID})
		return err
	})
	h.same("an own record", len(got), 0)
	other := h.as("remote last of another")
	h.same("another user's", other.last("a", "b", "c"), map[string]int64{})
	other.report(remote("a", model.OperationDeleted, ""))
	h.same("another's change of the same record", []map[string]int64{other.last("a"), h.last("a")},
		[]map[string]int64{{"a": 1}, {"a": 3}})
}

func remoteInside(h *fixture) {
	h = h.as("remote inside")
	h.report(remote("a", model.OperationCreated, "1"))
	id := model.RemoteID(model.KindEvent, "a").UUID
	version := func(ctx context.Context, tx store.Tx) string {
		h.Helper()
		return must(h, func() (map[model.UUID]model.Change, error) {
			return tx.LastRemote(ctx, []model.UUID{id})
		})[id].Version
	}
	h.write(func(ctx context.Context, tx store.Tx) error {
		h.same("before", version(ctx, tx), "1")
		if err := tx.LogRemote(ctx, []model.Change{remote("a", model.OperationUpdated, "2")}); err != nil {
			return err
		}
		h.same("one's own", version(ctx, tx), "2")
		err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.LogRemote(ctx, []model.Change{remote("a", model.OperationUpdated, "3")}); err != nil {
				return err
			}
			h.same("in a nested write", version(ctx, tx), "3")
			return errFailed
		})
		h.fails("the nested one", err, errFailed)
		h.same("after it was undone", version(ctx, tx), "2")
		return tx.LogRemote(ctx, []model.Change{remote("a", model.OperationUpdated, "4")})
	})
	log := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, 0, nil, 10) })
	versions := ""
	for i, change := range log {
		versions += change.Version
		h.same("number", change.Seq, int64(i+1))
	}
	h.same("logged", versions, "124")
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.LogRemote(ctx, []model.Change{remote("a", model.OperationDeleted, "")}), errFailed)
	})
	h.fails("a failing write", err, errFailed)
	h.same("leaves nothing", h.head(), int64(3))
}

func remotePruned(h *fixture) {
	h.report(remote("old", model.OperationCreated, "1"), remote("changed since", model.OperationCreated, "1"))
	h.clock.advance(48 * time.Hour)
	h.report(remote("changed since", model.OperationUpdated, "2"), remote("new", model.OperationCreated, "1"))
	if err := h.Sweep(h.ctx, h.clock.Now(), 24*time.Hour); err != nil {
		h.Fatal(err)
	}
	h.same("last", h.last("old", "changed since", "new"), map[string]int64{"changed since": 3, "new": 4})
	h.report(remote("old", model.OperationUpdated, "2"))
	h.same("logged anew", h.last("old"), map[string]int64{"old": 5})
}

func remoteRefused(h *fixture) {
	h = h.as("remote refused")
	task := h.task("beside")
	h.write(func(ctx context.Context, tx store.Tx) error {
		nameless := remote("", model.OperationCreated, "")
		if err := tx.LogRemote(ctx, []model.Change{remote("a", model.OperationCreated, ""), nameless}); err == nil ||
			errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
			h.Errorf("without a reference: %v", err)
		}
		if err := tx.LogRemote(ctx, []model.Change{remote("a", model.OperationCreated, ""),
			remote("b", model.OperationCreated, "\x00")}); model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("a version with a NUL: %v", err)
		}
		return tx.InsertTasks(ctx, []model.Task{task})
	})
	h.same("log", h.log(0), lines(model.OperationCreated, task.ID))
}

func remoteMany(h *fixture) {
	h = h.as("remote many")
	const many = 1500
	var changes []model.Change
	var references []string
	want := map[string]int64{}
	for i := range many {
		reference := fmt.Sprint("event ", i%(many/3))
		changes = append(changes, remote(reference, model.OperationUpdated, fmt.Sprint(i)))
		references = append(references, reference)
		want[reference] = int64(i + 1)
	}
	h.report(changes...)
	if got := h.last(references...); !maps.Equal(got, want) {
		h.Errorf("%d last changes, want %d", len(got), len(want))
	}
	h.same("head", h.head(), int64(many))
}
