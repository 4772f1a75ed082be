package app_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manifestOf writes a manifest and returns the flag that names it.
func manifestOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "documents.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "--documents=" + path
}

// Where only trusted documents are served, they are, the server's own tools and sentences work, and nothing else does.
func TestTrustedDocumentsAlone(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo", "--documents-only",
		manifestOf(t, `{"board": "query Board($first: Int!) { tasks(first: $first) { nodes { id } } }"}`))
	if !strings.Contains(p.greeting, "your day  off; only the documents of") {
		t.Errorf("the greeting: %s", p.greeting)
	}
	for name, c := range map[string]struct{ method, path, body, want string }{
		"trusted": {"POST", "/graphql", `{"documentId":"board","variables":{"first":1}}`,
			`{"data":{"tasks":{"nodes":[{"id":"task_`},
		"unknown":  {"POST", "/graphql", `{"documentId":"other"}`, "PERSISTED_QUERY_NOT_FOUND"},
		"free":     {"POST", "/graphql", `{"query":"{viewer{id}}"}`, "only the documents that its operator has listed"},
		"schema":   {"GET", "/schema.graphql", "", "type Query"},
		"explorer": {"GET", "/", "", "nothing at this address"},
		"agent":    {"POST", "/agent/chat", `{"text":"what is on my calendar today"}`, `"success":true`},
		"tool": {"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` +
			`{"name":"agenda","arguments":{}}}`, `Agenda, Today`},
	} {
		request, err := http.NewRequestWithContext(t.Context(), c.method, p.address+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.body != "" {
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/json, text/event-stream")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %d %.500s %v", name, response.StatusCode, text, err)
		}
	}
}

// A manifest that cannot be served stops the start with the setting, the document and the reason.
func TestAManifestThatIsRefused(t *testing.T) {
	t.Parallel()
	for manifest, says := range map[string]string{
		`{"old": "{ tasks { nodes { title } } }"}`: `ALMANAC_DOCUMENTS: document "old": Cannot query field "title"`,
		`{"dear": "{ tasks(first: 100) { nodes { subtasks { id text } history(first: 100) { nodes { id } } } } }"}`: `document "dear": `,
		`[]`: "is no manifest of documents: it must be a JSON object",
	} {
		s := runCommand(t, nil, "serve", "--addr=127.0.0.1:0", "--data-dir="+t.TempDir(), manifestOf(t, manifest))
		if s.code != 1 || !strings.Contains(s.err, says) {
			t.Errorf("%s: %+v", manifest, s)
		}
	}
}
