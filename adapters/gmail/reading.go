package gmail

import (
	"context"
	"errors"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// sharedRead is a message being read, for which any number of requests may wait.
type sharedRead struct {
	depth Depth
	// written is how many changes had been made from here when it began.
	written uint64
	done    chan struct{}
	email   model.Email
	err     error
	// given up: it failed for reasons of the request that led it, which are not those of the others.
	givenUp bool
}

// readShared reads a message, or waits for a reading that another request has begun, that goes deep enough and that can
// have missed no change of ours. led reports whether it was this one that asked.
func (s *session) readShared(ctx context.Context, id string, depth Depth) (email model.Email, led bool, err error) {
	for {
		s.box.mu.Lock()
		f := s.box.readings[id]
		if f == nil || f.depth < depth || f.written != s.box.written {
			f = &sharedRead{depth: depth, written: s.box.written, done: make(chan struct{})}
			s.box.readings[id] = f
			s.box.mu.Unlock()
			s.lead(ctx, id, f)
			return f.email, true, f.err
		}
		s.box.mu.Unlock()
		select {
		case <-f.done:
		case <-ctx.Done():
			return model.Email{}, false, google.Classify(ctx.Err())
		}
		if !f.givenUp {
			return f.email, false, f.err
		}
	}
}

// lead asks Gmail for the message that others wait for.
func (s *session) lead(ctx context.Context, id string, f *sharedRead) {
	f.givenUp = true // should it panic
	defer func() {
		s.box.mu.Lock()
		if s.box.readings[id] == f {
			delete(s.box.readings, id)
		}
		s.box.mu.Unlock()
		close(f.done)
	}()
	select {
	case s.box.gets <- struct{}{}:
		defer func() { <-s.box.gets }()
	case <-ctx.Done():
		f.err = google.Classify(ctx.Err())
		return
	}
	f.email, f.err = s.get(ctx, id, f.depth)
	f.givenUp = f.err != nil && (isOver(ctx) || errors.Is(f.err, errOwnLimit) ||
		model.CodeOf(f.err) == model.CodeQueryTooExpensive)
}

// isOver reports whether a context has ended, or is about to: a timer of a context below it may have fired first.
func isOver(ctx context.Context) bool {
	machine := time.Now // a context's deadline is of the machine's time
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !machine().Before(deadline)
}
