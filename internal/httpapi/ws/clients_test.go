package ws_test

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"
	"almanac/internal/httpapi/ws"
)

// TestClients runs graphql-ws and a bare WebSocket of Node.js against a server with a real engine. It fails without
// node and npm: a protocol that no client has spoken must not look as if one had.
func TestClients(t *testing.T) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing; the real clients need Node.js 20 or newer (apt-get install nodejs npm): %v", tool, err)
		}
	}
	if _, err := os.Stat(filepath.Join("clients", "node_modules", "graphql-ws")); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund")
		install.Dir = "clients"
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci in internal/httpapi/ws/clients: %v\n%s", err, out)
		}
	}
	resolver := &testschema.Resolver{}
	preparer := realEngine(t, resolver)
	auth := &fakeAuth{callers: map[string]model.Caller{"good": person("noa")}}
	open := func(ctx context.Context, _ model.Caller, _ edge.Hints) (context.Context, error) { return ctx, nil }
	handler := ws.New(ws.Config{Preparer: preparer, Authenticator: auth, Open: open})
	server := httptest.NewServer(handler)
	defer server.Close()
	hasty := httptest.NewServer(ws.New(ws.Config{Preparer: preparer, Authenticator: auth, Open: open,
		Limits: ws.Limits{InitTimeout: 50 * time.Millisecond}}))
	defer hasty.Close()

	address := func(s *httptest.Server) string { return strings.Replace(s.URL, "http", "ws", 1) + "/graphql" }
	run := exec.CommandContext(t.Context(), "node", "clients.mjs", address(server), address(hasty))
	run.Dir = "clients"
	out, err := run.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "21 passed, 0 failed") {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := handler.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	eventually(t, "subscriptions end", func() bool { return resolver.Streams.Load() == 0 })
}

func realEngine(t *testing.T, resolver *testschema.Resolver) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Schema: testschema.New(resolver)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// eventually waits for something that the program does by itself; it fails only when the program does not do it at all.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not within a minute", what)
		case <-time.After(time.Millisecond):
		}
	}
}
