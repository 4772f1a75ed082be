package graphiti_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/standin/graphiti"
)

// fixture is a stand-in with a client.
type fixture struct {
	*testing.T
	server  *graphiti.Server
	session *mcp.ClientSession

	mu sync.Mutex
	at time.Time
}

func (h *fixture) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *fixture) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

func open(t *testing.T, options graphiti.Options) *fixture {
	t.Helper()
	h := &fixture{T: t, at: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	options.Now, options.Seed = h.now, 3
	h.server = graphiti.New(options)
	h.session = h.connect(&http.Client{Transport: h.server.Transport()})
	t.Cleanup(func() {
		_ = h.session.Close()
		h.server.Close()
	})
	return h
}

func (h *fixture) connect(client *http.Client) *mcp.ClientSession {
	h.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(h.Context(),
		&mcp.StreamableClientTransport{
			Endpoint: "http://graphiti.example" + graphiti.Path, HTTPClient: client, DisableStandaloneSSE: true, MaxRetries: -1,
		}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		h.Fatal(err)
	}
	return session
}

type object map[string]any

// call calls a tool and returns the result without its envelope.
func (h *fixture) call(tool string, arguments object) any {
	h.Helper()
	result, err := h.session.CallTool(h.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		h.Fatalf("%s: %v", tool, err)
	}
	if result.IsError {
		return "error: " + result.Content[0].(*mcp.TextContent).Text
	}
	return result.StructuredContent.(map[string]any)["result"]
}

// field calls a tool and returns one field of its result.
func (h *fixture) field(tool, name string, arguments object) any {
	h.Helper()
	answer, ok := h.call(tool, arguments).(map[string]any)
	if !ok {
		h.Fatalf("%s: no object", tool)
	}
	return answer[name]
}

// rows calls a tool and returns one field of each item of a list, joined.
func (h *fixture) rows(tool, list, name string, arguments object) string {
	h.Helper()
	all, ok := h.field(tool, list, arguments).([]any)
	if !ok {
		h.Fatalf("%s: no %s", tool, list)
	}
	var texts []string
	for _, one := range all {
		text, err := json.Marshal(one.(map[string]any)[name])
		if err != nil {
			h.Fatal(err)
		}
		texts = append(texts, strings.Trim(string(text), `"`))
	}
	return strings.Join(texts, "; ")
}

func (h *fixture) want(what string, got, want any) {
	h.Helper()
	if got != want {
		h.Errorf("%s: %v, want %v", what, got, want)
	}
}

// tell adds an episode and has it read.
func (h *fixture) tell(content string, more ...object) {
	h.Helper()
	arguments := object{"name": "n", "episode_body": content}
	for _, one := range more {
		for key, value := range one {
			arguments[key] = value
		}
	}
	h.call("add_memory", arguments)
	h.server.Drain()
}
