package ws_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"almanac/internal/httpapi/internal/fakeengine"
	"almanac/internal/httpapi/ws"
)

// padded is a ping of exactly size bytes.
func padded(size int) string {
	const frame = `{"type":"ping","payload":{"x":""}}`
	return strings.Replace(frame, `""`, `"`+strings.Repeat("x", size-len(frame))+`"`, 1)
}

func TestMessageSize(t *testing.T) {
	for _, c := range []struct {
		name   string
		acked  bool
		size   int
		passes bool
	}{
		{"largest before the ack", false, ws.MaxInitMessage, true},
		{"one byte more before the ack", false, ws.MaxInitMessage + 1, false},
		{"largest", true, ws.MaxMessage, true},
		{"one byte more", true, ws.MaxMessage + 1, false},
		{"2 MiB", true, 2 << 20, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				p := b.connect()
				if c.acked {
					p.play(b, initial)
				}
				// The server may close while the rest is still on its way.
				err := p.conn.Write(context.Background(), websocket.MessageText, []byte(padded(c.size)))
				if c.passes {
					if err != nil {
						t.Fatal(err)
					}
					if got := p.next(); len(got) != c.size {
						t.Fatalf("pong of %d bytes, want %d: %.80s", len(got), c.size, got)
					}
				} else {
					p.expect("x 1009 …")
				}
				p.bye()
			})
		})
	}
}

// The limit holds for a message in many frames too.
func TestFragmentedMessageSize(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		w, err := p.conn.Writer(context.Background(), websocket.MessageText)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 * ws.MaxMessage / 65536 {
			if _, err := w.Write(bytes.Repeat([]byte(" "), 65536)); err != nil {
				break
			}
		}
		p.expect("x 1009 …")
		p.bye()
	})
}

func TestOperationsPerSocket(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		for i := range ws.MaxOperations {
			p.send(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"subscription { feed }"}}`, i))
		}
		p.quiet()
		if n := b.handler.Stats().Operations; n != ws.MaxOperations {
			t.Fatalf("%d operations run", n)
		}
		p.play(b, `
			> {"id":"101","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"101","type":"error","payload":[{"message":"A socket runs at most 100 operations at a time. Complete one first.","extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}
			=
			> {"id":"7","type":"complete"}
			> {"id":"101","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"101","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"101","type":"complete"}`)
		p.bye()
	})
}

// Two hundred operations at once are all answered: those that find no place are read when others have ended. Those that
// find none in time are refused, with when to try again.
func TestOperationsBeyondTheLimitAreReadLater(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		go func() {
			for i := range 2 * ws.MaxOperations {
				p.send(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"{ slow }"}}`, i))
			}
		}()
		synctest.Wait()
		if n := b.handler.Stats().Operations; n != ws.MaxOperations {
			t.Fatalf("%d operations run", n)
		}
		go func() {
			for range 2 * ws.MaxOperations {
				b.engine.Release <- struct{}{}
			}
		}()
		for range 2 * ws.MaxOperations {
			if text := p.next(); !strings.Contains(text, `"next"`) && !strings.Contains(text, `"complete"`) {
				t.Fatal(text)
			}
			p.next()
		}
		for i := range ws.MaxOperations {
			p.send(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"{ slow }"}}`, i))
		}
		p.play(b, fmt.Sprintf(`
			> {"id":"more","type":"subscribe","payload":{"query":"{ hello }"}}
			~ %v
			< {"id":"more","type":"error","payload":[{"message":"…","extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}`,
			ws.Patience))
		p.bye()
	})
}

// A user has a bounded number of sockets, and others are not touched by it.
func TestSocketsPerUser(t *testing.T) {
	run(t, func(c *ws.Config) { c.Limits.MaxUserSockets = 2 }, func(b *bench) {
		one, two, three := b.ready(), b.ready(), b.connect()
		three.play(b, `
			> {"type":"connection_init","payload":{"authorization":"Bearer good"}}
			x 1013 This user has too many sockets`)
		three.bye()
		other := b.connect()
		other.play(b, `
			> {"type":"connection_init","payload":{"authorization":"Bearer other"}}
			< {"type":"connection_ack"}`)
		one.bye()
		synctest.Wait()
		four := b.ready()
		for _, p := range []*peer{two, four, other} {
			p.bye()
		}
	})
}

// An address has a bounded number of sockets that have not said whose they are; one that has is not counted, nor one
// that is gone.
func TestUnprovedSocketsPerAddress(t *testing.T) {
	handler := plainHandler(ws.Config{Preparer: fakeengine.New(), Limits: ws.Limits{MaxAddressSockets: 2}})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	dial := func() (*websocket.Conn, int) {
		t.Helper()
		conn, response, err := websocket.Dial(t.Context(), server.URL, &websocket.DialOptions{
			Subprotocols: []string{ws.Subprotocol}})
		if err != nil && response == nil {
			t.Fatal(err)
		}
		return conn, response.StatusCode
	}
	one, _ := dial()
	two, _ := dial()
	if _, status := dial(); status != http.StatusTooManyRequests {
		t.Errorf("a third is answered %d", status)
	}
	if err := one.Write(t.Context(), websocket.MessageText,
		[]byte(`{"type":"connection_init","payload":{}}`)); err != nil {
		t.Fatal(err)
	}
	if _, text, err := one.Read(t.Context()); err != nil || !strings.Contains(string(text), "connection_ack") {
		t.Fatalf("%s %v", text, err)
	}
	three, status := dial()
	if status != http.StatusSwitchingProtocols {
		t.Errorf("after one has said whose it is, another is answered %d", status)
	}
	for _, conn := range []*websocket.Conn{one, two, three} {
		_ = conn.CloseNow()
	}
	for handler.Stats().Sockets > 0 {
		runtime.Gosched()
	}
	for range 2 {
		conn, status := dial()
		if status != http.StatusSwitchingProtocols {
			t.Errorf("after all are gone, another is answered %d", status)
		}
		_ = conn.CloseNow()
	}
}

// Completing does not allow ever more mutations that still run.
func TestCompletedOperationsStillCount(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		for i := range 2 * ws.MaxOperations {
			p.send(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"mutation { add }"}}`, i))
			p.quiet()
			p.send(fmt.Sprintf(`{"id":"%d","type":"complete"}`, i))
		}
		p.play(b, `
			> {"id":"more","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"more","type":"error","payload":[{"message":"…","extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}`)
		close(b.engine.Release)
		p.quiet()
		if n := b.engine.Added.Load(); n != 2*ws.MaxOperations {
			t.Errorf("%d mutations came to their end", n)
		}
		p.bye()
	})
}

func TestSocketsPerProcess(t *testing.T) {
	run(t, func(c *ws.Config) { c.Limits.MaxSockets = 2 }, func(b *bench) {
		one, two := b.ready(), b.ready()
		_, response, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}})
		if err == nil {
			t.Fatal("a third socket was let in")
		}
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") != "1" ||
			!strings.Contains(string(body), `"RATE_LIMITED"`) {
			t.Fatalf("%d %v %s", response.StatusCode, response.Header, body)
		}
		one.bye()
		synctest.Wait()
		three := b.ready()
		two.bye()
		three.bye()
	})
}

// A peer that does not read holds one answer an operation, and is cut off when the write limit has passed.
func TestSlowConsumer(t *testing.T) {
	var logged bytes.Buffer
	run(t, func(c *ws.Config) { c.Logger = slog.New(slog.NewJSONHandler(&logged, nil)) }, func(b *bench) {
		p, _, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}, silent: true})
		if err != nil {
			t.Fatal(err)
		}
		p.send(`{"type":"connection_init"}`)
		if _, _, err := p.conn.Read(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i := range 50 {
			p.send(fmt.Sprintf(
				`{"id":"%d","type":"subscribe","payload":{"query":"subscription { large }","variables":{"size":100000}}}`, i))
		}
		time.Sleep(ws.WriteTimeout - time.Millisecond)
		synctest.Wait()
		if stats := b.handler.Stats(); stats.Sockets != 1 || stats.Operations != 50 {
			t.Fatalf("before the limit: %+v", stats)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if stats := b.handler.Stats(); stats != (ws.Stats{}) {
			t.Fatalf("after the limit: %+v", stats)
		}
		p.listen()
		for range p.frames {
		}
	})
	if !strings.Contains(logged.String(), `"cause":"slow peer"`) {
		t.Errorf("the log does not say why: %s", logged.String())
	}
}

// A peer that reads slowly, but each message in time, loses nothing and keeps its order.
func TestPatientConsumer(t *testing.T) {
	run(t, nil, func(b *bench) {
		p, _, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}, silent: true})
		if err != nil {
			t.Fatal(err)
		}
		p.send(`{"type":"connection_init"}`)
		if _, _, err := p.conn.Read(context.Background()); err != nil {
			t.Fatal(err)
		}
		p.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
		go func() {
			for i := range 20 {
				b.engine.Feed <- &graphql.Response{Data: json.RawMessage(fmt.Sprintf(`{"feed":%d}`, i))}
			}
			close(b.engine.Feed)
		}()
		var got []string
		for len(got) < 21 {
			time.Sleep(9 * time.Second)
			_, text, err := p.conn.Read(context.Background())
			if err != nil {
				t.Fatalf("after %d messages: %v", len(got), err)
			}
			if string(text) != `{"type":"ping"}` {
				got = append(got, string(text))
			}
		}
		for i, text := range got[:20] {
			if !same(text, fmt.Sprintf(`{"id":"s","type":"next","payload":{"data":{"feed":%d}}}`, i)) {
				t.Fatalf("message %d is %s", i, text)
			}
		}
		p.listen()
		p.bye()
	})
}

// A peer that falls silent without a word is noticed.
func TestDeadPeer(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		p.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
		// A living peer's library answers control frames whether or not the client says anything.
		p.play(b, `~ 10m
			=`)
		if stats := b.handler.Stats(); stats.Sockets != 1 || stats.Operations != 1 {
			t.Fatalf("a quiet peer was cut off: %+v", stats)
		}
		p.bye()

		deaf, _, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}, silent: true})
		if err != nil {
			t.Fatal(err)
		}
		deaf.send(`{"type":"connection_init"}`)
		// It drains the pipe, as a network would, and understands nothing.
		time.Sleep(2*ws.KeepAlive + ws.WriteTimeout + time.Second)
		synctest.Wait()
		if stats := b.handler.Stats(); stats != (ws.Stats{}) {
			t.Fatalf("a dead peer was not noticed: %+v", stats)
		}
		deaf.listen()
		for range deaf.frames {
		}
	})
}

func TestKeepAlive(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		start := time.Now()
		for i := 1; i <= 4; i++ {
			if got := <-p.frames; got != `{"type":"ping"}` {
				t.Fatalf("got %s", got)
			}
			if waited := time.Since(start); waited != time.Duration(i)*ws.KeepAlive {
				t.Errorf("ping %d after %v", i, waited)
			}
			p.send(`{"type":"pong"}`)
		}
		synctest.Wait()
		b.auth.mu.Lock()
		defer b.auth.mu.Unlock()
		if b.auth.calls != 5 {
			t.Errorf("authenticated %d times over four keep-alives", b.auth.calls)
		}
		p.bye()
	})
}

// A message that begins and does not end is not waited for.
func TestDribble(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		w, err := p.conn.Writer(context.Background(), websocket.MessageText)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 30; i++ {
			if _, err := w.Write([]byte(" ")); err != nil {
				break
			}
			time.Sleep(time.Second)
		}
		p.expect("x 1008 The message took too long")
		p.bye()
	})
}

// Two hundred operations at once, and a hundred clients at once.
func TestManyAtOnce(t *testing.T) {
	run(t, func(c *ws.Config) { c.Limits.MaxOperations = 200 }, func(b *bench) {
		p := b.ready()
		for i := range 200 {
			p.send(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"subscription { count }"}}`, i))
		}
		counts := map[string]int{}
		for range 200 * 4 {
			var m struct {
				ID, Type string
				Payload  struct{ Data struct{ Count int } }
			}
			if err := json.Unmarshal([]byte(p.next()), &m); err != nil {
				t.Fatal(err)
			}
			counts[m.ID]++
			want := counts[m.ID]
			if want <= 3 && (m.Type != "next" || m.Payload.Data.Count != want) || want == 4 && m.Type != "complete" {
				t.Fatalf("message %d of %s is %+v", want, m.ID, m)
			}
		}
		p.bye()
	})
}
