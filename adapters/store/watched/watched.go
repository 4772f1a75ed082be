// Package watched remembers something of each user that nearly every request needs.
//
// It promises that what it remembers is forgotten as soon as the store signals that it may have changed, by whichever
// process, so it is never older than the signal; and that it remembers of a bounded number of users.
package watched

import (
	"sync"

	"almanac/graph/model"
)

// maxUsers bounds of how many users something is remembered; each costs a few hundred bytes and a watch.
const maxUsers = 10_000

// Cache remembers a T of each user. Close it when done.
type Cache[T any] struct {
	watch func(user model.UserID) (signals <-chan struct{}, stop func())
	mu    sync.Mutex
	known map[model.UserID]*entry[T]
}

type entry[T any] struct {
	value   T
	signals <-chan struct{}
	stop    func()
}

// New makes an empty cache of what a watch says may have changed.
func New[T any](watch func(user model.UserID) (signals <-chan struct{}, stop func())) *Cache[T] {
	return &Cache[T]{watch: watch, known: make(map[model.UserID]*entry[T])}
}

// Get returns what is remembered of a user, or else what read returns, which is remembered unless it fails.
func (c *Cache[T]) Get(user model.UserID, read func() (T, error)) (T, error) {
	if value, ok := c.Remembered(user); ok {
		return value, nil
	}
	signals, stop := c.watch(user) // before reading, so that no change falls between
	value, err := read()
	if err != nil {
		stop()
		return value, err
	}
	c.remember(user, &entry[T]{value: value, signals: signals, stop: stop})
	return value, nil
}

// Remembered returns what is remembered of a user, if anything is. It allocates nothing.
func (c *Cache[T]) Remembered(user model.UserID) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.known[user]
	if found == nil {
		return value, false
	}
	select {
	case <-found.signals:
		c.drop(user, found)
		return value, false
	default:
		return found.value, true
	}
}

func (c *Cache[T]) remember(user model.UserID, fresh *entry[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.known[user]; old != nil {
		c.drop(user, old)
	}
	if len(c.known) >= maxUsers {
		for victim, old := range c.known { // any will do: it is read again when it comes back
			c.drop(victim, old)
			break
		}
	}
	c.known[user] = fresh
}

// Forget drops what is remembered of a user, for the process that changed it.
func (c *Cache[T]) Forget(user model.UserID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.known[user]; old != nil {
		c.drop(user, old)
	}
}

func (c *Cache[T]) drop(user model.UserID, old *entry[T]) {
	old.stop()
	delete(c.known, user)
}

// Close stops watching.
func (c *Cache[T]) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for user, old := range c.known {
		c.drop(user, old)
	}
}
