package ws_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/httpapi/ws"
)

// On drain, idle and subscribed sockets are told at once, and a running mutation is answered first.
func TestShutdown(t *testing.T) {
	run(t, nil, func(b *bench) {
		fresh, subscribed, busy := b.connect(), b.ready(), b.ready()
		subscribed.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
		busy.send(`{"id":"m","type":"subscribe","payload":{"query":"mutation { add }"}}`)
		synctest.Wait()
		done := make(chan error)
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			done <- b.handler.Shutdown(ctx)
		}()
		fresh.expect("x 1001 Going away")
		subscribed.expect("x 1001 Going away")
		busy.quiet()
		if _, response, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}}); err == nil ||
			response.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a draining server let a socket in: %v", err)
		}
		busy.send(`{"id":"late","type":"subscribe","payload":{"query":"mutation { add }"}}`)
		busy.quiet()
		close(b.engine.Release)
		busy.expect(`{"id":"m","type":"next","payload":{"data":{"add":1}}}`)
		busy.expect(`{"id":"m","type":"complete"}`)
		busy.expect("x 1001 Going away")
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := b.engine.Added.Load(); n != 1 {
			t.Errorf("%d mutations ran", n)
		}
		if err := b.handler.Shutdown(context.Background()); err != nil {
			t.Errorf("a second Shutdown: %v", err)
		}
	})
}

// What does not end in time is closed with 1001 all the same, shortly before the limit.
func TestShutdownInTime(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		p.send(`{"id":"m","type":"subscribe","payload":{"query":"mutation { add }"}}`)
		synctest.Wait()
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		done := make(chan error)
		go func() { done <- b.handler.Shutdown(ctx) }()
		p.expect("x 1001 Going away")
		if waited := time.Since(start); waited != 9*time.Second {
			t.Errorf("waited %v", waited)
		}
		if err := <-done; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v while a mutation still runs", err)
		}
		close(b.engine.Release)
	})
}

// A peer that does not read cannot hold up a drain.
func TestShutdownWithADeafPeer(t *testing.T) {
	run(t, nil, func(b *bench) {
		p, _, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}, silent: true})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := b.handler.Shutdown(ctx); err != nil {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if waited := time.Since(start); waited > ws.CloseTimeout {
			t.Errorf("waited %v", waited)
		}
		_ = p.conn.CloseNow()
	})
}

func TestShutdownOfNothing(t *testing.T) {
	run(t, nil, func(b *bench) {
		if err := b.handler.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
