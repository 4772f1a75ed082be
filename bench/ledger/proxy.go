//go:build bench

package main

import (
	"context"
	"math"
	"net"
	"sync"
)

// proxy passes connections on to PostgreSQL and breaks them in the ways of real networks. Its mode holds for the
// connections that stand and for those to come.
type proxy struct {
	listener net.Listener

	mu     sync.Mutex
	target string
	mode   mode
	turn   chan struct{} // closed when the mode changes
	links  map[*link]struct{}
	done   sync.WaitGroup
}

// mode is what a proxy does with what passes.
type mode struct {
	// refuse ends new connections at once.
	refuse bool
	// stall holds everything back; nothing is lost.
	stall bool
	// deaf drops what PostgreSQL answers, while what it is asked gets through: commits succeed and nobody hears of it.
	deaf bool
	// toServer and toClient are how many more bytes a connection passes in that direction before it is reset; negative
	// means any number.
	toServer, toClient int64
}

// openRoad is a network without faults.
func openRoad() mode { return mode{toServer: -1, toClient: -1} }

// link is one connection through the proxy, from one end to the other.
type link struct {
	client, server net.Conn

	mu sync.Mutex
	// passed counts the bytes since the mode changed, by direction.
	passed [2]int64
}

const (
	toServer = 0
	toClient = 1
)

func newProxy(ctx context.Context, target string) (*proxy, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{target: target, listener: listener, mode: openRoad(), turn: make(chan struct{}),
		links: make(map[*link]struct{})}
	p.done.Go(p.serve)
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// aim lets connections to come go to another server.
func (p *proxy) aim(target string) {
	p.mu.Lock()
	p.target = target
	p.mu.Unlock()
	p.resetAll()
}

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		if now, _ := p.now(); now.refuse {
			reset(client)
			continue
		}
		p.done.Go(func() { p.pass(client) })
	}
}

func (p *proxy) pass(client net.Conn) {
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", target)
	if err != nil {
		reset(client)
		return
	}
	l := &link{client: client, server: server}
	p.mu.Lock()
	p.links[l] = struct{}{}
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.pump(l, toServer, server, client) })
	both.Go(func() { p.pump(l, toClient, client, server) })
	both.Wait()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// pump passes one direction on until an end of the connection closes or the mode breaks it.
func (p *proxy) pump(l *link, direction int, to, from net.Conn) {
	defer l.reset()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			allowed, drop := p.gate(l, direction, n)
			if !drop {
				if _, err := to.Write(buffer[:allowed]); err != nil {
					return
				}
			}
			if allowed < n {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// gate waits while the network stalls, and says how many of n bytes pass and whether they are dropped on the way.
func (p *proxy) gate(l *link, direction, n int) (allowed int, drop bool) {
	now, turn := p.now()
	for now.stall {
		<-turn
		now, turn = p.now()
	}
	limit := now.toServer
	if direction == toClient {
		limit = now.toClient
	}
	if limit < 0 {
		limit = math.MaxInt64
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	allowed = int(min(int64(n), max(limit-l.passed[direction], 0)))
	l.passed[direction] += int64(allowed)
	return allowed, now.deaf && direction == toClient
}

func (p *proxy) now() (mode, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode, p.turn
}

// set changes the mode; counting of bytes begins anew.
func (p *proxy) set(next mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = next
	close(p.turn)
	p.turn = make(chan struct{})
	for l := range p.links {
		l.mu.Lock()
		l.passed = [2]int64{}
		l.mu.Unlock()
	}
}

// resetAll ends every connection, without the manners of TCP.
func (p *proxy) resetAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.reset()
	}
}

func (p *proxy) close() {
	_ = p.listener.Close()
	p.set(openRoad())
	p.resetAll()
	p.done.Wait()
}

func (l *link) reset() {
	reset(l.client)
	reset(l.server)
}

// reset closes a connection with a reset, as a host does that has forgotten it.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
