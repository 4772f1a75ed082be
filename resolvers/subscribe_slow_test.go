package resolvers_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"almanac/internal/httpapi/ws"
)

// live is what heap and stacks hold of use, in bytes.
func live() int64 {
	runtime.GC()
	runtime.GC() // the second takes what the first has only let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse) //nolint:gosec // no such machine
}

// silentSocket connects, starts subscriptions, and never reads.
func silentSocket(t *testing.T, address, token string, subscriptions int) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	if tcp, is := conn.(*net.TCPConn); is {
		_ = tcp.SetReadBuffer(4 << 10) // so that it is soon full
	}
	send := func(text string) {
		frame := []byte{0x81, 0xfe, 0, 0, 0, 0, 0, 0}
		binary.BigEndian.PutUint16(frame[2:], uint16(len(text))) //nolint:gosec // short texts
		if _, err := conn.Write(append(frame, text...)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = io.WriteString(conn, "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: "+ws.Subprotocol+
		"\r\nAuthorization: Bearer "+token+"\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	send(`{"type":"connection_init"}`)
	for i := range subscriptions {
		send(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"subscription { taskChanged { task { id text category dueDate } } }"}}`, i))
	}
	return conn
}

// Sockets that never read hold no more than a little each, whatever they have subscribed to and however much is
// changed; they are cut off when the write limit has passed, and then nothing of them is left.
func TestThoseWhoNeverReadHoldLittle(t *testing.T) {
	h := harnesses()[0].build(t, start)
	addTask(t, h, "makes the user")
	handler := ws.New(ws.Config{Preparer: h.preparer, Authenticator: byName{}, Open: h.resolver.Open, Now: h.clock.Now,
		Limits: ws.Limits{WriteTimeout: 2 * time.Second}})
	server := httptest.NewServer(handler)
	defer server.Close()
	const sockets, subscriptions = 20, 100
	before := live()
	var conns []net.Conn
	for range sockets {
		conns = append(conns, silentSocket(t, strings.TrimPrefix(server.URL, "http://"), "alice", subscriptions))
	}
	defer func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
	}()
	for deadline := time.Now().Add(time.Minute); handler.Stats().Operations < sockets*subscriptions; {
		if time.Now().After(deadline) {
			t.Fatalf("%+v", handler.Stats())
		}
		runtime.Gosched()
	}
	// Live heap and stacks, with a generous margin: two thousand subscriptions held 260 MB when each had goroutines and an
	// answer of its own.
	const most = 24 << 20
	text := strings.Repeat("x", 1_900)
	for i, deadline := 0, time.Now().Add(time.Minute); handler.Stats().Sockets > 0; i++ {
		if time.Now().After(deadline) {
			t.Fatalf("not cut off: %+v", handler.Stats())
		}
		if i < 100 {
			addTask(t, h, fmt.Sprint(i, text))
		}
		if held := live() - before; held > most {
			t.Fatalf("%d sockets that never read hold %d KiB", sockets, held>>10)
		}
	}
	if stats := handler.Stats(); stats != (ws.Stats{}) {
		t.Errorf("left behind: %+v", stats)
	}
	if held := live() - before; held > most/4 {
		t.Errorf("%d KiB are left of them", held>>10)
	}
}
