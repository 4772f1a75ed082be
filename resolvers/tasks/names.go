package tasks

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// keepNamesFrom is how many open tasks a user has before their names are kept: fewer are read in a moment.
	keepNamesFrom = 1_000
	// maxKeptNames bounds how many names are kept, of all users together; one takes some 200 bytes.
	maxKeptNames = 100_000
	// maxNewChanges is how many changes are caught up with before all names are read again.
	maxNewChanges = 500
	// namesTogether is how many names are copied when one of them changes.
	namesTogether = 512
)

// taskNames are the open tasks of a user by what they may be named by, newest first. They do not change.
type taskNames struct {
	// parts are neighbours in that order, none of them empty. Their tasks have the columns of store.TaskReader's
	// TaskTexts.
	parts [][]model.Task
	count int
}

// All returns the tasks with their places.
func (n taskNames) All() iter.Seq2[int, *model.Task] {
	return func(yield func(int, *model.Task) bool) {
		place := 0
		for _, part := range n.parts {
			for i := range part {
				if !yield(place, &part[i]) {
					return
				}
				place++
			}
		}
	}
}

// At returns the task at a place.
func (n taskNames) At(place int) *model.Task {
	for _, part := range n.parts {
		if place < len(part) {
			return &part[place]
		}
		place -= len(part)
	}
	return nil
}

// namesOf takes tasks that are newest first.
func namesOf(tasks []model.Task) taskNames {
	return taskNames{slices.Collect(slices.Chunk(tasks, namesTogether)), len(tasks)}
}

// with returns the names with a task in place of the one with its id: one that is not open any more is left out.
func (n taskNames) with(task model.Task, open bool) taskNames {
	// The last part that begins before it, since newer ids are greater.
	p, exact := slices.BinarySearchFunc(n.parts, task.ID, func(part []model.Task, id model.UUID) int {
		return bytes.Compare(id[:], part[0].ID[:])
	})
	if !exact && p > 0 {
		p--
	}
	var part []model.Task
	if p < len(n.parts) {
		part = n.parts[p]
	}
	i, there := slices.BinarySearchFunc(part, task.ID, func(other model.Task, id model.UUID) int {
		return bytes.Compare(id[:], other.ID[:])
	})
	changed := make([]model.Task, 0, len(part)+1)
	changed = append(changed, part[:i]...)
	if open {
		changed = append(changed, task)
		n.count++
	}
	if there {
		i++
		n.count--
	}
	changed = append(changed, part[i:]...)
	after := min(p+1, len(n.parts))
	n.parts = slices.Concat(n.parts[:min(p, len(n.parts))], slices.Collect(slices.Chunk(changed, namesTogether)),
		n.parts[after:])
	return n
}

// namesCache keeps the names of the open tasks of users who have many, as of one of their changes. It begins empty.
type namesCache struct {
	mu    sync.Mutex
	users map[model.UserID]*keptNames
	count int
	uses  uint64
}

// keptNames are those of a user as of the change head, or of a later one.
type keptNames struct {
	names taskNames
	head  int64
	used  uint64
}

// namesStore is what the names are read from.
type namesStore interface {
	TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error)
	TasksByID(ctx context.Context, user model.UserID, ids []model.UUID, want store.TaskColumns) ([]model.Task, error)
	Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType,
		limit int) ([]model.Change, error)
	ChangeHead(ctx context.Context, user model.UserID) (int64, error)
}

// TaskNames returns the names as they are now or were since the call began: from what is kept, caught up with the
// changes since, or read anew.
func (c *namesCache) TaskNames(ctx context.Context, s namesStore, user model.UserID) (taskNames, error) {
	head, err := s.ChangeHead(ctx, user)
	if err != nil {
		return taskNames{}, err
	}
	if kept, ok := c.get(user); ok {
		if kept.head == head {
			return kept.names, nil
		}
		names, ok, err := caughtUp(ctx, s, user, kept)
		if err != nil {
			return taskNames{}, err
		}
		if ok {
			c.put(user, names, head)
			return names, nil
		}
	}
	tasks, err := s.TaskTexts(ctx, user)
	if err != nil {
		return taskNames{}, err
	}
	names := namesOf(tasks)
	c.put(user, names, head)
	return names, nil
}

// caughtUp looks at the tasks that have changed since; false when those are too many, or the log does not say. What it
// reads may be newer than the last change that it looked at, which the next time is looked at again.
func caughtUp(ctx context.Context, s namesStore, user model.UserID, kept keptNames) (taskNames, bool, error) {
	names := kept.names
	if names.count >= model.MaxOpenTasks { // there may be older ones, which come when newer ones go
		return names, false, nil
	}
	changes, err := s.Changes(ctx, user, kept.head, []model.ChangeType{model.ChangeTask}, maxNewChanges+1)
	if errors.Is(err, store.ErrCursorExpired) || err == nil && len(changes) > maxNewChanges {
		return names, false, nil
	}
	if err != nil {
		return names, false, err
	}
	ids := make([]model.UUID, len(changes))
	for i := range changes {
		ids[i] = changes[i].ID
	}
	tasks, err := s.TasksByID(ctx, user, ids, store.TaskText|store.TaskCategory|store.TaskDueAt|store.TaskRecurrence|
		store.TaskCompletedAt)
	if err != nil {
		return names, false, err
	}
	for _, id := range ids {
		names = names.with(model.Task{ID: id}, false)
	}
	for _, task := range tasks {
		if task.CompletedAt.IsZero() {
			names = names.with(task, true)
		}
	}
	return names, names.count <= model.MaxOpenTasks, nil
}

func (c *namesCache) get(user model.UserID) (keptNames, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.users[user]
	if kept == nil {
		return keptNames{}, false
	}
	c.uses++
	kept.used = c.uses
	return *kept, true
}

// put keeps names unless newer ones are kept. Those that were not used for longest make room.
func (c *namesCache) put(user model.UserID, names taskNames, head int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.users[user]; old != nil {
		if old.head > head {
			return
		}
		c.count -= old.names.count
		delete(c.users, user)
	}
	if names.count < keepNamesFrom || names.count > maxKeptNames {
		return
	}
	for c.count+names.count > maxKeptNames {
		var oldest model.UserID
		used := c.uses + 1
		for other, kept := range c.users {
			if kept.used < used {
				oldest, used = other, kept.used
			}
		}
		c.count -= c.users[oldest].names.count
		delete(c.users, oldest)
	}
	if c.users == nil {
		c.users = make(map[model.UserID]*keptNames)
	}
	c.uses++
	c.users[user] = &keptNames{names, head, c.uses}
	c.count += names.count
}
