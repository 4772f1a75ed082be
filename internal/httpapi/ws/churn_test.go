package ws_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/internal/fakeengine"
	"almanac/internal/httpapi/internal/testschema"
	"almanac/internal/httpapi/ws"
)

func plainHandler(config ws.Config) *ws.Handler {
	config.Authenticator = &fakeAuth{callers: map[string]model.Caller{"": person("local")}}
	config.Open = func(ctx context.Context, _ model.Caller, _ edge.Hints) (context.Context, error) { return ctx, nil }
	return ws.New(config)
}

// A thousand sockets that come and go in every way leave nothing behind: no socket, no operation, no goroutine.
func TestChurn(t *testing.T) {
	resolver := &testschema.Resolver{Events: make(chan int32)}
	handler := plainHandler(ws.Config{Preparer: realEngine(t, resolver)})
	server := httptest.NewServer(handler)
	defer server.Close()
	before := runtime.NumGoroutine()

	const sockets, atOnce = 1_000, 50
	var group sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for i := range sockets {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			if err := visit(server.URL, i); err != nil {
				t.Errorf("socket %d: %v", i, err)
			}
		})
	}
	group.Wait()
	eventually(t, "sockets end", func() bool {
		http.DefaultClient.CloseIdleConnections()
		return handler.Stats() == ws.Stats{} && resolver.Streams.Load() == 0 && runtime.NumGoroutine() <= before
	})
}

// visit opens a socket, runs something on it and leaves in a way that depends on i.
func visit(url string, i int) error {
	ctx := context.Background()
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{ws.Subprotocol}})
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }()
	send := func(text string) { err = errors.Join(err, conn.Write(ctx, websocket.MessageText, []byte(text))) }
	if i%5 == 4 {
		return err // it never says a word
	}
	send(`{"type":"connection_init"}`)
	send(`{"id":"1","type":"subscribe","payload":{"query":"subscription { ticks { number } }"}}`)
	send(`{"id":"2","type":"subscribe","payload":{"query":"{ hello }"}}`)
	for range 3 { // ack, next, complete
		if _, _, readErr := conn.Read(ctx); readErr != nil {
			return errors.Join(err, readErr)
		}
	}
	switch i % 5 {
	case 0:
		return errors.Join(err, conn.Close(websocket.StatusNormalClosure, ""))
	case 1:
		send(`{"id":"1","type":"complete"}`)
	case 2:
		send(`nonsense`)
		if _, _, readErr := conn.Read(ctx); websocket.CloseStatus(readErr) != 4400 {
			return fmt.Errorf("closed with %w", readErr)
		}
	}
	return err // the rest just drop the connection
}

// rawUpgrade is a client so small that what a benchmark measures is the server.
func rawUpgrade(address string) (net.Conn, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(conn, "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: "+ws.Subprotocol+
		"\r\n\r\n")
	return conn, err
}

// rawText is a masked text frame whose mask is zero.
func rawText(text string) []byte {
	frame := []byte{0x81, 0xfe, 0, 0, 0, 0, 0, 0}
	binary.BigEndian.PutUint16(frame[2:], uint16(len(text))) //nolint:gosec // short texts
	return append(frame, text...)
}

// BenchmarkOpenSubscription says what a socket with one idle subscription costs the process, with the client's end of
// the connection in it.
func BenchmarkOpenSubscription(b *testing.B) {
	handler := plainHandler(ws.Config{Preparer: fakeengine.New(), Limits: ws.Limits{MaxSockets: 1 << 20}})
	server := httptest.NewServer(handler)
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	memory := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	before := memory()
	conns := make([]net.Conn, 0, b.N)
	for b.Loop() {
		conn, err := rawUpgrade(address)
		if err != nil {
			b.Fatal(err)
		}
		conns = append(conns, conn)
		if _, err := conn.Write(append(rawText(`{"type":"connection_init"}`),
			rawText(`{"id":"1","type":"subscribe","payload":{"query":"subscription { feed }"}}`)...)); err != nil {
			b.Fatal(err)
		}
	}
	for handler.Stats().Operations < len(conns) {
		time.Sleep(time.Millisecond)
	}
	b.ReportMetric(float64(memory()-before)/float64(len(conns)), "B/subscription")
	for _, conn := range conns {
		_ = conn.Close()
	}
	for handler.Stats().Sockets > 0 {
		time.Sleep(time.Millisecond)
	}
}

// Whatever bytes come after the upgrade, the handler ends when the connection does.
func FuzzFrames(f *testing.F) {
	f.Add(rawText(`{"type":"connection_init"}`))
	f.Add(append(rawText(`{"type":"connection_init"}`),
		rawText(`{"id":"1","type":"subscribe","payload":{"query":"subscription { feed }"}}`)...))
	f.Add([]byte{0x81, 0x05, 'h', 'e', 'l', 'l', 'o'})                        // not masked
	f.Add([]byte{0x01, 0x81, 0, 0, 0, 0, '{', 0x80, 0x81, 0, 0, 0, 0, '}'})   // in two frames
	f.Add([]byte{0x89, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}) // a ping too long
	f.Add([]byte{0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	f.Add([]byte{0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8}) // close 1000
	f.Add([]byte{0x88, 0x81, 0, 0, 0, 0, 0x03})       // half a close code
	f.Add([]byte{0xf1, 0x80, 0, 0, 0, 0})             // reserved bits
	handler := plainHandler(ws.Config{Preparer: fakeengine.New(), Limits: ws.Limits{
		InitTimeout: 100 * time.Millisecond, MessageTimeout: 100 * time.Millisecond, CloseTimeout: 100 * time.Millisecond}})
	server := httptest.NewServer(handler)
	f.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "http://")
	f.Fuzz(func(t *testing.T, frames []byte) {
		conn, err := rawUpgrade(address)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("%v %v", response, err)
		}
		_, _ = conn.Write(frames)
		_ = conn.Close()
		eventually(t, "the handler ends", func() bool { return handler.Stats() == ws.Stats{} })
	})
}
