package reminders_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// memoryStore is what the worker needs of a store, in memory: writes of one user come one after another and are undone
// when they fail. A test can make it fail.
type memoryStore struct {
	mu     sync.Mutex
	tasks  map[model.UserID]map[model.UUID]model.Task
	locks  map[model.UserID]*sync.Mutex
	fired  map[model.UUID]int // how often a task was written as REMINDED
	writes map[model.UserID]int
	limits []int // of the calls of DueReminders
	sweeps []time.Time
	kept   time.Duration

	// refuse, when set, is asked before a task is written; failing, before anything is done.
	refuse  func(model.Task) error
	failing func(method string, user model.UserID) error
}

func newMemoryStore() *memoryStore {
	return &memoryStore{tasks: map[model.UserID]map[model.UUID]model.Task{}, locks: map[model.UserID]*sync.Mutex{},
		fired: map[model.UUID]int{}, writes: map[model.UserID]int{}}
}

func (m *memoryStore) add(user model.UserID, task model.Task) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tasks[user] == nil {
		m.tasks[user] = map[model.UUID]model.Task{}
		m.locks[user] = &sync.Mutex{}
	}
	m.tasks[user][task.ID] = task
}

func (m *memoryStore) get(user model.UserID, id model.UUID) model.Task {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tasks[user][id]
}

func (m *memoryStore) firedInAll() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, times := range m.fired {
		n += times
	}
	return n
}

func (m *memoryStore) fail(method string, user model.UserID) error {
	if m.failing == nil {
		return nil
	}
	return m.failing(method, user)
}

func (m *memoryStore) DueReminders(ctx context.Context, now time.Time, limit int) ([]store.DueReminder, error) {
	if err := cmp.Or(ctx.Err(), m.fail("DueReminders", model.UserID{})); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limits = append(m.limits, limit)
	var due []store.DueReminder
	for user, own := range m.tasks {
		for id, task := range own {
			if !task.NextReminderAt.IsZero() && !task.NextReminderAt.After(now) {
				due = append(due, store.DueReminder{User: user, Task: id, At: task.NextReminderAt})
			}
		}
	}
	slices.SortFunc(due, func(a, b store.DueReminder) int {
		return cmp.Or(a.At.Compare(b.At), slices.Compare(a.Task[:], b.Task[:]))
	})
	return due[:min(len(due), limit)], nil
}

func (m *memoryStore) Write(ctx context.Context, user model.UserID,
	fn func(ctx context.Context, tx store.Tx) error) error {
	if err := cmp.Or(ctx.Err(), m.fail("Write", user)); err != nil {
		return err
	}
	m.mu.Lock()
	lock := m.locks[user]
	m.writes[user]++
	m.mu.Unlock()
	lock.Lock()
	defer lock.Unlock()
	m.mu.Lock()
	tx := &memoryTx{store: m, user: user, tasks: maps.Clone(m.tasks[user])}
	m.mu.Unlock()
	if err := fn(ctx, tx); err != nil {
		return fmt.Errorf("rolled back: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tasks[user] = tx.tasks
	for _, id := range tx.reminded {
		m.fired[id]++
	}
	return nil
}

func (m *memoryStore) Sweep(_ context.Context, now time.Time, keep time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweeps = append(m.sweeps, now)
	m.kept = keep
	return m.fail("Sweep", model.UserID{})
}

// memoryTx does what the worker asks of a transaction; everything else would panic.
type memoryTx struct {
	store.Tx
	store    *memoryStore
	user     model.UserID
	tasks    map[model.UUID]model.Task
	reminded []model.UUID
}

func (t *memoryTx) TasksByID(_ context.Context, user model.UserID, ids []model.UUID,
	want store.TaskColumns) ([]model.Task, error) {
	if err := t.store.fail("TasksByID", user); err != nil {
		return nil, err
	}
	if user != t.user || !want.Has(store.TaskRow) {
		return nil, errors.New("a task that is to be written must be read whole, by its user")
	}
	var found []model.Task
	for _, id := range ids {
		if task, there := t.tasks[id]; there {
			found = append(found, task)
		}
	}
	slices.Reverse(found) // "in any order"
	return found, nil
}

func (t *memoryTx) UpdateTasks(_ context.Context, operation model.Operation, tasks []model.Task) error {
	if operation != model.OperationReminded {
		return fmt.Errorf("operation %s", operation)
	}
	if len(tasks) == 0 {
		return errors.New("nothing to write")
	}
	for _, task := range tasks {
		if t.store.refuse != nil {
			if err := t.store.refuse(task); err != nil {
				return err
			}
		}
		t.tasks[task.ID] = task
		t.reminded = append(t.reminded, task.ID)
	}
	return nil
}
