package app_test

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"
)

// silent is a socket whose peer proves who it is, subscribes and never reads; what the system keeps for it is little.
func (p *process) silent(token string, documents []string) *websocket.Conn {
	p.t.Helper()
	dialer := &net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10)
		})
	}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	conn, response, err := websocket.Dial(p.t.Context(), "ws"+strings.TrimPrefix(p.address, "http")+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"},
			HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		p.t.Fatal(err)
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	s := &socket{t: p.t, conn: conn}
	if err := s.write(frame{Type: "connection_init", Payload: fmt.Appendf(nil, `{"Authorization":"Bearer %s"}`,
		token)}); err != nil {
		p.t.Fatal(err)
	}
	for i, document := range documents {
		if err := s.subscribe(strconv.Itoa(i), document, nil); err != nil {
			p.t.Fatal(err)
		}
	}
	return conn
}

// Peers that subscribe and never read, each to something else, hold no more than a user may, also while much changes;
// after ten seconds they are cut off, and what they held is free.
func TestPeersThatNeverReadHoldLittle(t *testing.T) {
	t.Parallel()
	const (
		sockets, operations, most = 300, 100, 64 << 20
		// A socket has a goroutine that reads and one that writes, and some subscriptions are answered.
		goroutines = 2*sockets + 100
	)
	p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret, "GOGC=25"}, "--data-dir="+t.TempDir(),
		"--user-cost=off").await()
	header := subjectBearer(t, "greedy")
	token := strings.TrimPrefix(header[1], "Bearer ")
	write := func(i int) {
		t.Helper()
		// While the sockets' subscriptions begin, the user has all that one may have under way.
		eventually(t, "a write", func() bool {
			r, a := p.post(createTask, map[string]any{"text": fmt.Sprint(strings.Repeat("ב", 1_900), i)}, header...)
			if code := a.code(); code != "" && code != "RATE_LIMITED" {
				t.Fatalf("%d %s", r.status, r.body)
			}
			return a.code() == ""
		})
	}
	number := func(name string) int {
		n, err := strconv.ParseFloat(p.metric(name), 64)
		if err != nil {
			t.Fatal(err)
		}
		return int(n)
	}
	// held is the least heap of some looks: in between are answers to others.
	held := func(looks int) int {
		least := number("go_memstats_heap_alloc_bytes")
		for range looks {
			least = min(least, number("go_memstats_heap_alloc_bytes"))
		}
		return least
	}
	write(0)
	before := held(40)
	conns := make([]*websocket.Conn, sockets)
	for i := range conns {
		documents := make([]string, operations)
		for j := range documents {
			documents[j] = fmt.Sprintf("subscription { taskChanged { cursor task { a%d: text text b: text c: text } } }",
				i*operations+j)
		}
		conns[i] = p.silent(token, documents)
	}
	// Until each is answered or refused, a socket has a goroutine for each of those that begin. One that has begun them
	// all has the one that reads.
	eventually(t, "subscriptions", func() bool {
		return number("almanac_socket_operations") > 900 && number("go_goroutines") < sockets+100
	})
	greatest, running := 0, 0
	for range 4 {
		for i := range 6 {
			write(i + 1)
			running = max(running, number("go_goroutines"))
		}
		greatest = max(greatest, held(40)-before)
	}
	t.Logf("%d subscriptions of %d sockets hold %d MiB and %d goroutines", number("almanac_socket_operations"), sockets,
		greatest>>20, running)
	if running > goroutines {
		t.Errorf("peers that never read have %d goroutines, each of which may hold an answer", running)
	}
	if greatest > most {
		t.Errorf("peers that never read hold %d MiB", greatest>>20)
	}
	eventually(t, "peers that never read to be cut off", func() bool { return number("almanac_sockets") < sockets/2 })
	for _, conn := range conns {
		_ = conn.CloseNow()
	}
	eventually(t, "everything to be gone", func() bool { return number("almanac_socket_operations") == 0 })
	eventually(t, "memory to come back", func() bool { write(99); return held(40)-before < most/4 })
}
