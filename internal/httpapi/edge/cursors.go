package edge

import (
	"context"
	"sync"
)

// LastEventID is the key of Request.Extensions under which a streaming transport hands down the id of the last event
// that a reconnecting client has seen.
const LastEventID = "lastEventId"

// Cursors carries the cursors of a subscription's answers from the resolver to the transport, in order: the resolver
// pushes one before each answer, the engine takes one with each answer. Without it a transport could not name its
// events, since an answer is plain GraphQL by then. A nil *Cursors takes no part.
type Cursors struct {
	mu    sync.Mutex
	queue []string
}

// Push adds the cursor of the next answer.
func (c *Cursors) Push(cursor string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, cursor)
}

// Take returns the cursor of the answer at hand, "" when the resolver pushed none.
func (c *Cursors) Take() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return ""
	}
	cursor := c.queue[0]
	c.queue = c.queue[1:]
	return cursor
}

type cursorsKey struct{}

// WithCursors returns a context whose subscription can name its events.
func WithCursors(ctx context.Context) (context.Context, *Cursors) {
	c := &Cursors{}
	return context.WithValue(ctx, cursorsKey{}, c), c
}

// CursorsFrom returns the context's cursors, nil when the transport does not name events.
func CursorsFrom(ctx context.Context) *Cursors {
	c, _ := ctx.Value(cursorsKey{}).(*Cursors)
	return c
}
