// Package pipenet is a network of pipes for tests, so that a whole server and its clients live in one synctest bubble.
//
// It promises that time is the bubble's and that no test waits for anything but the program itself: pipes have no
// buffers, so a peer that does not read is noticed at once.
package pipenet

import (
	"context"
	"net"
	"sync"
)

// Listener accepts what Dial connects.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	mu     sync.Mutex
	dialed []net.Conn
}

// New makes an open Listener.
func New() *Listener { return &Listener{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Accept waits for a connection (net.Listener).
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial, not the connections (net.Listener).
func (l *Listener) Close() error { l.once.Do(func() { close(l.closed) }); return nil }

// Addr is the same for all (net.Listener).
func (l *Listener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// Dial connects, whatever the address; it fits http.Transport.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	server, client := net.Pipe()
	select {
	case l.conns <- server:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.dialed = append(l.dialed, client)
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Cut ends every connection, so that a failed test fails and does not hang.
func (l *Listener) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.dialed {
		_ = conn.Close()
	}
}
