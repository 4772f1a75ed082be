package sse_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"
	"almanac/internal/httpapi/sse"
)

// TestClients runs graphql-sse, an EventSource and Apollo Client on Node.js against a server with a real engine. It
// fails without node and npm: a protocol that no client has spoken must not look as if one had.
func TestClients(t *testing.T) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing; the real clients need Node.js 20 or newer (apt-get install nodejs npm): %v", tool, err)
		}
	}
	if _, err := os.Stat(filepath.Join("clients", "node_modules", "graphql-sse")); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund")
		install.Dir = "clients"
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci in internal/httpapi/sse/clients: %v\n%s", err, out)
		}
	}
	resolver := &testschema.Resolver{}
	preparer, err := engine.New(engine.Config{Schema: testschema.New(resolver)})
	if err != nil {
		t.Fatal(err)
	}
	handler := sse.New(sse.Config{Preparer: preparer})
	caller := model.Caller{Subject: "noa", Scopes: []model.Scope{model.ScopeRead, model.ScopeWrite}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(model.WithCaller(r.Context(), caller)))
	}))
	defer server.Close()
	run := exec.CommandContext(t.Context(), "node", "clients.mjs", server.URL+"/graphql")
	run.Dir = "clients"
	out, err := run.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "15 passed, 0 failed") {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for resolver.Streams.Load() > 0 || handler.Streams() > 0 {
		select {
		case <-ctx.Done():
			t.Fatalf("%d subscriptions and %d streams are left", resolver.Streams.Load(), handler.Streams())
		case <-time.After(time.Millisecond):
		}
	}
}
