package sqlite

import (
	"context"
	"errors"
	"sync"

	"zombiezen.com/go/sqlite"
)

// pool lends connections for reading. They are opened when needed, and the one used last is lent first, for its cache
// is warm.
type pool struct {
	path string
	// permits holds a token for each connection that may still be lent.
	permits chan struct{}
	mu      sync.Mutex
	idle    []*conn
	closed  bool
}

func newPool(path string, size int) *pool {
	p := &pool{path: path, permits: make(chan struct{}, size)}
	for range size {
		p.permits <- struct{}{}
	}
	return p
}

// take lends a connection; give must follow. It waits for one as long as the context lasts.
func (p *pool) take(ctx context.Context) (*conn, error) {
	select {
	case <-p.permits:
	default:
		select {
		case <-p.permits:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		p.permits <- struct{}{}
		return nil, errClosed
	}
	if last := len(p.idle) - 1; last >= 0 {
		c := p.idle[last]
		p.idle = p.idle[:last]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := openConn(p.path, sqlite.OpenReadOnly)
	if err != nil {
		p.permits <- struct{}{}
		return nil, err
	}
	return c, nil
}

// give takes a connection back.
func (p *pool) give(c *conn) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	p.permits <- struct{}{}
}

// close waits for all connections to come back and closes them.
func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	for range cap(p.permits) {
		<-p.permits
	}
	var errs []error
	for _, c := range p.idle {
		errs = append(errs, c.close())
	}
	p.idle = nil
	for range cap(p.permits) { // who comes later must be told, not kept waiting
		p.permits <- struct{}{}
	}
	return errors.Join(errs...)
}
