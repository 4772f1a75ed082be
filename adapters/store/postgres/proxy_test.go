package postgres_test

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between a store and its server and breaks connections on demand.
type proxy struct {
	t        *testing.T
	server   string
	listener net.Listener

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]struct{}
	muted net.Conn // the client that hears no answer any more
	// cut, when not empty, ends the connection that sends these bytes; passOn is whether they still reach the server.
	cut    []byte
	passOn bool
	// heard is closed when what was held back by silence may go on; nil when nothing is held back. lost are connections
	// whose bytes never arrive any more, although nothing breaks.
	heard chan struct{}
	lose  bool
	lost  map[net.Conn]bool
	done  sync.WaitGroup
}

// newProxy returns a proxy before the server of a URL, and the URL that leads through it.
func newProxy(t *testing.T, raw string) (*proxy, string) {
	t.Helper()
	target, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{t: t, server: target.Host, listener: listener, conns: map[net.Conn]struct{}{},
		lost: map[net.Conn]bool{}}
	p.done.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close()
		p.speak()
		p.stop()
		p.done.Wait()
	})
	target.Host = listener.Addr().String()
	return p, target.String()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil {
			p.t.Errorf("proxy: %v", err)
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		down := p.down
		if !down {
			p.conns[client], p.conns[server] = struct{}{}, struct{}{}
			p.lost[client], p.lost[server] = p.lose, p.lose
		}
		p.mu.Unlock()
		if down {
			_, _ = client.Close(), server.Close()
			continue
		}
		p.done.Go(func() { p.pump(server, client, true) })
		p.done.Go(func() { p.pump(client, server, false) })
	}
}

// pump copies until one side ends, and then ends both.
func (p *proxy) pump(to, from net.Conn, watched bool) {
	defer func() {
		_, _ = to.Close(), from.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, to)
		delete(p.conns, from)
		delete(p.lost, to)
		delete(p.lost, from)
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if watched && p.mustCut(from, buffer[:n]) {
				if p.passOn {
					// The server does all of it before it sees the end.
					_, _ = to.Write(buffer[:n])
					if half, ok := to.(*net.TCPConn); ok {
						_ = half.CloseWrite()
					}
					_, _ = io.Copy(io.Discard, to)
				}
				return
			}
			if !watched && p.isMuted(to) || p.isLost(to) {
				continue
			}
			if heard := p.held(); heard != nil {
				<-heard
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// silence holds back everything that is sent in either direction, until speak; nothing breaks, and new connections are
// taken. With lose, the connections of that time never hear anything again.
func (p *proxy) silence(lose bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lose = lose
	if !lose {
		p.heard = make(chan struct{})
		return
	}
	for conn := range p.conns {
		p.lost[conn] = true
	}
}

// speak ends the silence.
func (p *proxy) speak() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lose = false
	if p.heard != nil {
		close(p.heard)
		p.heard = nil
	}
}

func (p *proxy) held() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.heard
}

func (p *proxy) isLost(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost[conn]
}

func (p *proxy) isMuted(client net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.muted == client
}

func (p *proxy) mustCut(client net.Conn, data []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.cut) == 0 || !bytes.Contains(data, p.cut) {
		return false
	}
	p.cut, p.muted = nil, client // once
	return true
}

// cutAt ends the next connection on which the client sends a text.
func (p *proxy) cutAt(text string, passOn bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut, p.passOn = []byte(text), passOn
}

// stop ends all connections and takes no new ones, as a server that is restarting.
func (p *proxy) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// start takes connections again.
func (p *proxy) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = false
}
