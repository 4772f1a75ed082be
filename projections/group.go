package projections

import (
	"errors"
	"sync"
)

// Group are things that stand side by side in one answer. What is asked of each of them is read for all at once, by
// whoever asks first; so a page of things costs one question for each field, however many things are on it, and no
// timer decides what belongs together.
type Group[T any] struct {
	items []T

	mu   sync.Mutex
	read map[string]*reading
}

// reading is what was read for a group under one name.
type reading struct {
	once  sync.Once
	value any
	err   error
}

// GroupOf makes a group. The items must not be changed afterwards.
func GroupOf[T any](items []T) *Group[T] {
	return &Group[T]{items: items}
}

// Items are the things of the group.
func (g *Group[T]) Items() []T { return g.items }

// errUnread is what the others of a group get when the one who read for them did not come back.
var errUnread = errors.New("what was to be read for a group was not")

// ReadOnce returns what read returns, which is called once for the group and the name, whoever asks, and from however
// many goroutines. The name stands for all that the answer depends on, its type included.
func ReadOnce[V, T any](g *Group[T], name string, read func(items []T) (V, error)) (V, error) {
	g.mu.Lock()
	if g.read == nil {
		g.read = make(map[string]*reading)
	}
	known, there := g.read[name]
	if !there {
		known = &reading{err: errUnread}
		g.read[name] = known
	}
	g.mu.Unlock()
	known.once.Do(func() { known.value, known.err = read(g.items) })
	value, _ := known.value.(V)
	return value, known.err
}
