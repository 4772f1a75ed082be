package tasks

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// namesFake is a store of one user's tasks, in memory.
type namesFake struct {
	tasks   map[model.UUID]model.Task
	log     []model.Change
	pruned  int64
	reads   int
	between func()
}

func (f *namesFake) write(operation model.Operation, tasks ...model.Task) {
	for _, task := range tasks {
		if operation == model.OperationDeleted {
			delete(f.tasks, task.ID)
		} else {
			f.tasks[task.ID] = task
		}
		f.log = append(f.log, model.Change{Seq: int64(len(f.log)) + 1, Type: model.ChangeTask, ID: task.ID})
	}
}

func (f *namesFake) ChangeHead(context.Context, model.UserID) (int64, error) {
	return int64(len(f.log)), nil
}

func (f *namesFake) Changes(_ context.Context, _ model.UserID, after int64, _ []model.ChangeType,
	limit int) ([]model.Change, error) {
	if after < f.pruned {
		return nil, store.ErrCursorExpired
	}
	f.meanwhile()
	changes := f.log[after:]
	return changes[:min(len(changes), limit)], nil
}

func (f *namesFake) meanwhile() {
	if f.between != nil {
		between := f.between
		f.between = nil
		between()
	}
}

func (f *namesFake) TaskTexts(context.Context, model.UserID) ([]model.Task, error) {
	f.reads++
	f.meanwhile()
	var open []model.Task
	for _, task := range f.tasks {
		if task.CompletedAt.IsZero() {
			open = append(open, task)
		}
	}
	slices.SortFunc(open, func(a, b model.Task) int { return bytes.Compare(b.ID[:], a.ID[:]) })
	return open[:min(len(open), model.MaxOpenTasks)], nil
}

func (f *namesFake) TasksByID(_ context.Context, _ model.UserID, ids []model.UUID,
	_ store.TaskColumns) (tasks []model.Task, err error) {
	f.meanwhile()
	seen := map[model.UUID]bool{}
	for _, id := range ids {
		if task, ok := f.tasks[id]; ok && !seen[id] {
			tasks = append(tasks, task)
			seen[id] = true
		}
	}
	return tasks, nil
}

func namedTask(random *rand.Rand) model.Task {
	var id model.UUID
	n := random.IntN(8000)
	id[0], id[1] = byte(n>>8), byte(n)
	task := model.Task{ID: id, Text: fmt.Sprint("text ", random.IntN(1e6))}
	if random.IntN(4) == 0 {
		task.CompletedAt = time.Unix(1e9, 0)
	}
	return task
}

// TestKeptNamesAreThoseOfTheStore: whatever is written, also while names are read, once it is over the names are those
// that reading all of them would find, and names that somebody has do not change.
func TestKeptNamesAreThoseOfTheStore(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	f := &namesFake{tasks: map[model.UUID]model.Task{}}
	for range 6000 {
		f.write(model.OperationCreated, namedTask(random))
	}
	var cache namesCache
	user := model.UserIDOf("many")
	step := func() {
		for range random.IntN(40) {
			task := namedTask(random)
			f.write([]model.Operation{model.OperationUpdated, model.OperationDeleted}[random.IntN(2)], task)
		}
	}
	ask := func() taskNames {
		names, err := cache.TaskNames(t.Context(), f, user)
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	textsOf := func(names taskNames) (texts []string) {
		for place, task := range names.All() {
			if names.At(place) != task {
				t.Fatalf("place %d has another task", place)
			}
			texts = append(texts, string(task.ID[:2])+task.Text)
		}
		return texts
	}
	caughtUp := 0
	for round := range 300 {
		step()
		if round%3 == 0 { // others write while this reads
			f.between = step
		}
		before := ask()
		had := textsOf(before)
		reads := f.reads
		f.between = nil
		step()
		got := textsOf(ask())
		if f.reads == reads {
			caughtUp++
		}
		open, _ := f.TaskTexts(t.Context(), user)
		f.reads = reads
		if want := textsOf(namesOf(open)); !slices.Equal(got, want) {
			t.Fatalf("round %d: %d names, want %d", round, len(got), len(want))
		}
		if !slices.Equal(had, textsOf(before)) {
			t.Fatal("names have changed that somebody had")
		}
		if random.IntN(20) == 0 {
			f.pruned = int64(len(f.log))
			step()
		}
	}
	if caughtUp < 250 {
		t.Errorf("caught up %d times of 300 only", caughtUp)
	}
}

// TestKeptNamesAreBounded: names of few tasks are not kept, and of all users together no more than there may be.
func TestKeptNamesAreBounded(t *testing.T) {
	var cache namesCache
	of := func(count int) *namesFake {
		f := &namesFake{tasks: make(map[model.UUID]model.Task, count)}
		for i := range count {
			id := model.UUID{byte(i >> 16), byte(i >> 8), byte(i)}
			f.tasks[id] = model.Task{ID: id, Text: "x"}
		}
		return f
	}
	ask := func(user string, f *namesFake, reads int) {
		t.Helper()
		f.reads = 0
		for range 2 {
			if _, err := cache.TaskNames(t.Context(), f, model.UserIDOf(user)); err != nil {
				t.Fatal(err)
			}
		}
		if f.reads != reads {
			t.Errorf("%s: read %d times, want %d", user, f.reads, reads)
		}
		if cache.count > maxKeptNames {
			t.Errorf("%d names are kept", cache.count)
		}
	}
	ask("few", of(keepNamesFrom-1), 2)
	a, b, c := of(45_000), of(45_000), of(45_000)
	ask("a", a, 1)
	ask("b", b, 1)
	ask("a", a, 0)
	ask("c", c, 1) // b was not used for longest
	ask("a", a, 0)
	ask("b", b, 1)
}

// TestFewNamesAreCopied: a change of one task costs neither the others' time nor their room.
func TestFewNamesAreCopied(t *testing.T) {
	f := &namesFake{tasks: map[model.UUID]model.Task{}}
	for i := range 49_000 {
		f.write(model.OperationCreated, model.Task{ID: model.UUID{byte(i >> 8), byte(i)}, Text: "some text"})
	}
	var cache namesCache
	user := model.UserIDOf("many")
	ask := func() {
		f.write(model.OperationUpdated, model.Task{ID: model.UUID{100, 100}, Text: "another"})
		if _, err := cache.TaskNames(t.Context(), f, user); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if allocations := testing.AllocsPerRun(50, ask); allocations > 100 {
		t.Errorf("%v allocations to catch up with one change", allocations)
	}
	if f.reads != 1 {
		t.Errorf("all names were read %d times", f.reads)
	}
}
