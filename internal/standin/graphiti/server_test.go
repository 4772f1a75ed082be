package graphiti_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"almanac/internal/standin/graphiti"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestHTTP(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		h := open(t, graphiti.Options{PlainJSON: plain})
		transport := h.server.Transport()
		for path, want := range map[string]int{"/health": 200, "/mcp": 307, "/other": 404} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://graphiti.example"+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			response, err := transport.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(response.Body)
			if response.StatusCode != want || want == 200 && !strings.Contains(string(body), "healthy") ||
				want == 307 && response.Header.Get("Location") != "/mcp/" {
				t.Errorf("%s: %d %s", path, response.StatusCode, body)
			}
		}
		kinds := &kinds{next: transport}
		session := h.connect(&http.Client{Transport: kinds})
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_status", Arguments: object{}}); err != nil {
			t.Error(err)
		}
		_ = session.Close()
		want := "text/event-stream"
		if plain {
			want = "application/json"
		}
		if !slices.Contains(kinds.seen, want) {
			t.Errorf("%q, want %s", kinds.seen, want)
		}
	}
}

// kinds notes the types of what comes.
type kinds struct {
	next http.RoundTripper
	seen []string
}

func (k *kinds) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := k.next.RoundTrip(r)
	if err == nil {
		k.seen = append(k.seen, response.Header.Get("Content-Type"))
	}
	return response, err
}

func TestStdio(t *testing.T) {
	t.Parallel()
	server := graphiti.New(graphiti.Options{Now: time.Now})
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- server.ServeStdio(context.Background(), fromClient, toClient) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_status", Arguments: object{}})
	if err != nil || !strings.Contains(fmt.Sprint(result.StructuredContent), "running") {
		t.Errorf("%v %v", result, err)
	}
	_ = session.Close()
	<-done
}

func TestToken(t *testing.T) {
	t.Parallel()
	server := graphiti.New(graphiti.Options{Now: time.Now, Token: "secret"})
	for token, want := range map[string]int{"": 401, "Bearer other": 401, "Bearer secret": 400} { // 400: no request of MCP
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://graphiti.example/mcp/",
			strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", token)
		request.Header.Set("Accept", "application/json, text/event-stream")
		request.Header.Set("Content-Type", "application/json")
		response, err := server.Transport().RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != want || want == 401 && !strings.Contains(string(body), token) {
			t.Errorf("%q: %d %s", token, response.StatusCode, body)
		}
	}
}

func TestForget(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	h.server.Forget()
	_, err := h.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_status", Arguments: object{}})
	if err == nil || !strings.Contains(err.Error(), "Session not found") {
		t.Errorf("%v", err)
	}
	again := h.connect(&http.Client{Transport: h.server.Transport()})
	if _, err := again.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_status", Arguments: object{}}); err != nil {
		t.Error(err)
	}
	_ = again.Close()
	if opened, closed := h.server.Sessions(); opened != 2 || closed != 1 {
		t.Errorf("%d opened, %d closed", opened, closed)
	}
}

func (h *fixture) tools() map[string]string {
	h.Helper()
	list, err := h.session.ListTools(h.Context(), nil)
	if err != nil {
		h.Fatal(err)
	}
	all := map[string]string{}
	for _, tool := range list.Tools {
		var names []string
		for name := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			names = append(names, name)
		}
		slices.Sort(names)
		all[tool.Name] = strings.Join(names, " ")
	}
	return all
}

func TestTools(t *testing.T) {
	t.Parallel()
	today := open(t, graphiti.Options{Without: []string{"get_episode_entities"}}).tools()
	old := open(t, graphiti.Options{Old: true}).tools()
	for tool, want := range map[string]string{
		"search_nodes": "center_node_uuid entity_types group_ids max_nodes query", "get_episodes": "group_ids max_episodes",
		"clear_graph": "group_ids", "get_status": "",
		"search_memory_facts": "center_node_uuid edge_types group_ids invalid_at_after invalid_at_before max_facts query " +
			"valid_at_after valid_at_before",
		"add_triplet": "edge_name fact group_id source_node_name source_node_uuid target_node_name target_node_uuid",
	} {
		if got, ok := today[tool]; !ok || got != want {
			t.Errorf("today's %s: %q, want %q", tool, got, want)
		}
	}
	for tool, want := range map[string]string{
		"search_memory_nodes": "center_node_uuid entity group_ids max_nodes query", "get_episodes": "group_id last_n",
		"clear_graph":         "",
		"add_memory":          "episode_body group_id name source source_description uuid",
		"search_memory_facts": "center_node_uuid group_ids max_facts query",
	} {
		if got, ok := old[tool]; !ok || got != want {
			t.Errorf("the older %s: %q, want %q", tool, got, want)
		}
	}
	if len(today) != 10 || len(old) != 8 {
		t.Errorf("%d and %d tools", len(today), len(old))
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	h.want("today", h.field("get_status", "status", nil), "ok")
	h.server.Inject(graphiti.Fault{Unhealthy: "gone"})
	h.want("unhealthy", h.field("get_status", "status", nil), "error")
	old := open(t, graphiti.Options{Old: true})
	result, err := old.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: graphiti.StatusResource})
	if err != nil || len(result.Contents) != 1 || !strings.Contains(result.Contents[0].Text, `"status":"ok"`) {
		t.Errorf("%+v %v", result, err)
	}
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{Old: true})
	h.tell("One.")
	h.tell("Two.")
	result, err := h.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_episodes", Arguments: object{}})
	if err != nil || len(result.Content) != 2 || len(result.StructuredContent.(map[string]any)["result"].([]any)) != 2 {
		t.Errorf("%+v %v", result, err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	h.want("own", h.field("get_entity_edge", "error", object{"uuid": "x"}), "Error getting entity edge: edge x not found")
	for _, arguments := range []object{{}, {"query": 5}, {"query": "x", "max_nodes": "many"},
		{"query": "x", "group_ids": 7}} {
		if got := fmt.Sprint(h.call("search_nodes", arguments)); !strings.HasPrefix(got,
			"error: Error executing tool search_nodes") {
			t.Errorf("%v: %s", arguments, got)
		}
	}
	h.want("unknown argument", h.field("search_nodes", "message", object{"query": "x", "colour": "red"}),
		"No relevant nodes found")
	if _, err := h.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such", Arguments: object{}}); err == nil {
		t.Error("a tool that is not there answers")
	}
}

// The faults over HTTP are what a client sees as such; those of tools come through both transports.
func TestFaults(t *testing.T) {
	t.Parallel()
	call := func(ctx context.Context, h *fixture) (*mcp.CallToolResult, error) {
		return h.session.CallTool(ctx, &mcp.CallToolParams{Name: "get_episodes", Arguments: object{}})
	}
	for name, c := range map[string]struct {
		fault graphiti.Fault
		want  string
	}{
		"reset":    {graphiti.Fault{Reset: true}, "broke the connection"},
		"half":     {graphiti.Fault{Half: true}, "EOF"},
		"lost":     {graphiti.Fault{LoseAnswer: true}, "broke the connection"},
		"status":   {graphiti.Fault{Status: 503}, "Service Unavailable"},
		"garbage":  {graphiti.Fault{Garbage: true}, "decode"},
		"redirect": {graphiti.Fault{Redirect: "http://graphiti.example/nowhere"}, "session not found"},
		"refuse":   {graphiti.Fault{Refuse: "no!"}, "no!"},
	} {
		h := open(t, graphiti.Options{PlainJSON: true})
		c.fault.Tool = "get_episodes"
		h.server.Inject(c.fault)
		if _, err := call(t.Context(), h); err == nil || !strings.Contains(err.Error(), c.want) && name != "half" {
			t.Errorf("%s: %v", name, err)
		}
	}
	h := open(t, graphiti.Options{})
	h.server.Inject(graphiti.Fault{Tool: "get_episodes", Error: "sorry", After: 1, Times: 1})
	h.want("before", h.field("get_episodes", "error", nil), nil)
	h.want("error", h.field("get_episodes", "error", nil), "sorry")
	h.want("after", h.field("get_episodes", "error", nil), nil)
	h.server.Inject(graphiti.Fault{IsError: "oh", Times: 1})
	h.want("is error", h.call("get_status", nil), "error: oh")
	h.server.Inject(graphiti.Fault{Result: "text", Times: 1})
	if result, err := call(t.Context(), h); err != nil || result.Content[0].(*mcp.TextContent).Text != "text" {
		t.Errorf("%+v %v", result, err)
	}
	h.server.Inject(graphiti.Fault{Pad: 5000, Times: 1})
	if result, err := call(t.Context(), h); err != nil || len(result.Content) != 2 {
		t.Errorf("%+v %v", result, err)
	}
	h.tell("Dana works at Acme.", object{"group_id": "other"})
	h.server.Inject(graphiti.Fault{Foreign: true, Times: 1})
	h.want("foreign", h.rows("search_nodes", "nodes", "name", object{"query": "Dana"}), "Dana; Acme")
	h.server.Clear()
	h.want("own", h.rows("search_nodes", "nodes", "name", object{"query": "Dana"}), "")
	synctest.Test(t, func(t *testing.T) {
		h := open(t, graphiti.Options{})
		h.server.Inject(graphiti.Fault{Tool: "get_episodes", Latency: time.Minute, Times: 1})
		h.server.Inject(graphiti.Fault{Tool: "get_episodes", Hang: true, After: 1})
		began := time.Now()
		if _, err := call(t.Context(), h); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := call(ctx, h); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Minute)
	})
}
