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
	files *files
	// permits holds a token for each connection that may still be lent.
	permits chan struct{}
	mu      sync.Mutex
	idle    []*conn
	closed  bool
}

func newPool(of *files, size int) *pool {
	p := &pool{files: of, permits: make(chan struct{}, size)}
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
	c, err := p.open()
	if err != nil {
		p.permits <- struct{}{}
		return nil, err
	}
	return c, nil
}

// open opens a connection, unless the name leads to another database by now.
func (p *pool) open() (*conn, error) {
	if err := p.files.check(); err != nil {
		return nil, err
	}
	c, err := openConn(p.files.path, sqlite.OpenReadOnly)
	if gone := p.files.check(); gone != nil {
		if err == nil {
			err = c.close()
		}
		return nil, errors.Join(gone, err)
	}
	return c, err
}

// give takes a connection back.
func (p *pool) give(c *conn) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	p.permits <- struct{}{}
}

// close waits for all connections to come back and ends each by end.
func (p *pool) close(end func(*conn) error) error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	for range cap(p.permits) {
		<-p.permits
	}
	var errs []error
	for _, c := range p.idle {
		errs = append(errs, end(c))
	}
	p.idle = nil
	for range cap(p.permits) { // who comes later must be told, not kept waiting
		p.permits <- struct{}{}
	}
	return errors.Join(errs...)
}
