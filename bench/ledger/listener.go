//go:build bench

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// heard is one change as a subscription or the change log of the API tells it.
type heard struct{ Cursor, Operation, ID string }

// listener is a client that keeps up with one kind of things of one user. It loses its connection again and again, by
// the faults and by itself, and comes back with the last cursor it has seen.
type listener struct {
	person *person
	// kind is kindTask or kindList.
	kind string
	// byEvents says server-sent events; otherwise it is a socket.
	byEvents bool
	where    func() string
	// dropsAfter is how many changes it hears before it drops its connection itself, at most.
	dropsAfter int
	random     *rand.Rand

	mu    sync.Mutex
	begin string
	all   []heard
	// ends counts how its connections ended.
	ends        map[string]int
	connections int
}

// errEnough ends a connection that has heard what it was to hear.
var errEnough = errors.New("heard enough")

func (l *listener) name() string {
	how := "socket"
	if l.byEvents {
		how = "event stream"
	}
	return fmt.Sprintf("user %d, %s by %s", l.person.number, l.kind, how)
}

func (l *listener) document() string {
	if l.kind == kindTask {
		return `subscription ($after: String) { change: taskChanged(after: $after) { cursor operation id: nodeId } }`
	}
	return `subscription ($after: String) { change: listChanged(after: $after) { cursor operation id: nodeId } }`
}

// run listens until the context is done.
func (l *listener) run(ctx context.Context) {
	for ctx.Err() == nil {
		left := 1 + l.random.IntN(l.dropsAfter)
		hear := func(data json.RawMessage) error {
			var got struct{ Change heard }
			if err := json.Unmarshal(data, &got); err != nil || got.Change.Cursor == "" {
				return fmt.Errorf("not a change: %s %w", clip(data), err)
			}
			l.mu.Lock()
			l.all = append(l.all, got.Change)
			l.mu.Unlock()
			if left--; left == 0 {
				return errEnough
			}
			return nil
		}
		var err error
		if l.byEvents {
			err = listenByEvents(ctx, l.where(), l.person.token, l.document(), l.begin, l.last(), hear)
		} else {
			err = listenBySocket(ctx, l.where(), l.person.token, l.document(), l.last(), hear)
		}
		if ctx.Err() != nil {
			return
		}
		l.mu.Lock()
		l.ends[endOf(err)]++
		l.connections++
		l.mu.Unlock()
		if !errors.Is(err, errEnough) {
			pause(ctx, 10*time.Millisecond+rand.N(50*time.Millisecond)) //nolint:gosec // no secret
		}
	}
}

// last is the cursor to come back with.
func (l *listener) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) == 0 {
		return l.begin
	}
	return l.all[len(l.all)-1].Cursor
}

func (l *listener) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all)
}

// ended says how a connection of a listener ended, in words that can be counted.
type ended struct {
	what  string
	cause error
}

func (e *ended) Error() string { return fmt.Sprintf("%s: %v", e.what, e.cause) }

func (e *ended) Unwrap() error { return e.cause }

func endOf(err error) string {
	if errors.Is(err, errEnough) {
		return "dropped by the client"
	}
	if how := new(ended); errors.As(err, &how) {
		return how.what
	}
	return err.Error()
}
