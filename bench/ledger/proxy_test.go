//go:build bench

package main

import (
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// echo is a server that gives back what it gets, and counts it.
type echo struct {
	listener net.Listener
	mu       sync.Mutex
	got      strings.Builder
	arrived  chan struct{}
}

func newEcho(t *testing.T) *echo {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &echo{listener: listener, arrived: make(chan struct{}, 100)}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buffer := make([]byte, 1024)
				for {
					n, err := conn.Read(buffer)
					if err != nil {
						return
					}
					e.mu.Lock()
					e.got.Write(buffer[:n])
					e.mu.Unlock()
					_, _ = conn.Write(buffer[:n])
					e.arrived <- struct{}{}
				}
			}()
		}
	}()
	return e
}

func through(t *testing.T, p *proxy) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.address())
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func testProxy(t *testing.T) (*proxy, *echo) {
	t.Helper()
	e := newEcho(t)
	p, err := newProxy(t.Context(), e.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p, e
}

func say(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

func hear(t *testing.T, conn net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(conn, got); err != nil || string(got) != want {
		t.Fatalf("heard %q, want %q: %v", got[:n], want, err)
	}
}

func TestProxyPassesOn(t *testing.T) {
	t.Parallel()
	p, _ := testProxy(t)
	conn := through(t, p)
	for _, text := range []string{"one", "two", strings.Repeat("x", 100_000)} {
		go func() { _, _ = io.WriteString(conn, text) }()
		hear(t, conn, text)
	}
}

func TestProxyCutsAfterSoManyBytes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mode         mode
		there, heard string
	}{
		"to the server": {mode{toServer: 5, toClient: -1}, "hello", ""}, // its echo may be cut with the rest
		"to the client": {mode{toServer: -1, toClient: 5}, "hello, world", "hello"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, e := testProxy(t)
			conn := through(t, p)
			say(t, conn, "before")
			hear(t, conn, "before")
			p.set(test.mode)
			say(t, conn, "hello, world")
			got, err := io.ReadAll(conn)
			if err != nil && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("it ended with %v", err)
			}
			if !strings.HasPrefix("hello", string(got)) {
				t.Errorf("heard %q", got)
			}
			<-e.arrived
			<-e.arrived
			e.mu.Lock()
			defer e.mu.Unlock()
			if there := strings.TrimPrefix(e.got.String(), "before"); there != test.there {
				t.Errorf("the server got %q, want %q", there, test.there)
			}
		})
	}
}

func TestProxyStallsAndLosesNothing(t *testing.T) {
	t.Parallel()
	p, e := testProxy(t)
	conn := through(t, p)
	p.set(mode{stall: true, toServer: -1, toClient: -1})
	say(t, conn, "patience")
	select {
	case <-e.arrived:
		t.Error("it passed though the network stalls")
	default:
	}
	p.set(openRoad())
	hear(t, conn, "patience")
}

func TestProxySwallowsAnswers(t *testing.T) {
	t.Parallel()
	p, e := testProxy(t)
	conn := through(t, p)
	p.set(mode{deaf: true, toServer: -1, toClient: -1})
	say(t, conn, "commit")
	<-e.arrived // the server has done it
	p.resetAll()
	if got, err := io.ReadAll(conn); len(got) > 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("heard %q, %v; want nothing but a reset", got, err)
	}
}

func TestProxyRefuses(t *testing.T) {
	t.Parallel()
	p, e := testProxy(t)
	p.set(mode{refuse: true, toServer: -1, toClient: -1})
	// The reset may come before the client knows that it was connected.
	if conn, err := net.Dial("tcp", p.address()); err == nil {
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("it answered")
		}
		_ = conn.Close()
	}
	p.set(openRoad())
	conn := through(t, p)
	say(t, conn, "again")
	hear(t, conn, "again")
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.got.String() != "again" {
		t.Errorf("the server got %q", e.got.String())
	}
}
