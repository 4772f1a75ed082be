package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/share"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"

	"github.com/coder/websocket"
)

var _ httpapi.Streamer = (*sse.Handler)(nil)

// TestTheTransportsBehindTheFrontDoor sends a subscription through the front door in each of the ways there are.
func TestTheTransportsBehindTheFrontDoor(t *testing.T) {
	gate := share.NewGate(httpapi.Places(httpapi.MaxInFlight, httpapi.MaxUserInFlight))
	var sockets *ws.Handler
	var streams *sse.Handler
	d := newFront(t, func(cfg *httpapi.Config) {
		sockets = ws.New(ws.Config{
			Preparer: cfg.Engine, Authenticator: cfg.Authenticator, Admit: gate.Admit, AllowedOrigins: cfg.Origins,
			Open: func(ctx context.Context, _ model.Caller, _ edge.Hints) (context.Context, error) { return ctx, nil },
		})
		streams = sse.New(sse.Config{Preparer: cfg.Engine, Authenticator: cfg.Authenticator})
		cfg.Running, cfg.WebSocket, cfg.Streams = gate, sockets, streams
		cfg.Drain = []func(context.Context) error{sockets.Shutdown, streams.Shutdown}
	})
	server := httptest.NewServer(d)
	defer server.Close()

	const subscription = `{"query":"subscription{ticks(count:2){number}}"}`
	for accept, want := range map[string][]string{
		"text/event-stream": {"event: next", `{"data":{"ticks":{"number":1}}}`,
			`{"data":{"ticks":{"number":2}}}`, "event: complete"},
		"application/json, text/event-stream": {"event: next", `{"data":{"ticks":{"number":2}}}`, "event: complete"},
		`multipart/mixed;boundary="graphql";subscriptionSpec="1.0", application/json`: {
			`{"payload":{"data":{"ticks":{"number":1}}}}`, `{"payload":{"data":{"ticks":{"number":2}}}}`},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/graphql",
			strings.NewReader(subscription))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", accept)
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %v", accept, response.StatusCode, err)
		}
		for _, part := range want {
			if !strings.Contains(string(body), part) {
				t.Errorf("%s: no %s in\n%s", accept, part, body)
			}
		}
	}

	socket, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.CloseNow() }()
	for _, message := range []string{`{"type":"connection_init"}`,
		`{"id":"1","type":"subscribe","payload":{"query":"subscription{ticks(count:2){number}}"}}`} {
		if err := socket.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	var got strings.Builder
	for !strings.Contains(got.String(), `"complete"`) {
		_, message, err := socket.Read(t.Context())
		if err != nil {
			t.Fatalf("%v after %s", err, got.String())
		}
		got.Write(message)
	}
	if !strings.Contains(got.String(), "connection_ack") || !strings.Contains(got.String(), `{"ticks":{"number":2}}`) {
		t.Errorf("the socket: %s", got.String())
	}
	_ = socket.Close(websocket.StatusNormalClosure, "")

	if n := d.resolver.Streams.Load(); n != 0 {
		t.Errorf("%d streams run", n)
	}
	for _, shutdown := range []func(context.Context) error{sockets.Shutdown, streams.Shutdown} {
		if err := shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
