package mcp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// message is an answer of the protocol as it is sent.
type message struct {
	status int
	header http.Header
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// raw sends one request as JSON-RPC, without a library that would mend it; headers come in pairs.
func (h *harness) raw(token, body string, headers ...string) (out message) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.url, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	out.status, out.header = response.StatusCode, response.Header
	if err := json.Unmarshal(text, &out); err != nil {
		h.t.Fatalf("%s: %v: %s", body, err, text)
	}
	return out
}

// A call that is none of the protocol is an error of the protocol, and nobody's fault here; a call whose arguments are
// wrong is an answer that a model can read and mend (MCP, "Tools", "Error Handling").
func TestProtocolErrors(t *testing.T) {
	t.Parallel()
	h := build(t)
	const invalid = -32602
	for name, c := range map[string]struct {
		token, params string
		said          string
	}{
		"an unknown tool":           {"alice", `{"name":"no_such_tool","arguments":{}}`, `There is no tool "no_such_tool"`},
		"a tool without a name":     {"alice", `{"arguments":{}}`, `There is no tool ""`},
		"arguments that are null":   {"alice", `{"name":"agenda","arguments":null}`, "are an object"},
		"arguments that are a list": {"alice", `{"name":"agenda","arguments":[]}`, "are an object"},
		"arguments that are a text": {"alice", `{"name":"agenda","arguments":"today"}`, "are an object"},
		"beyond the token's scopes": {"alice.READ", `{"name":"change_tasks","arguments":{"action":"create","text":"x"}}`,
			"does not allow"},
		"reading with a token that only writes": {"alice.WRITE", `{"name":"agenda"}`, "does not allow"},
	} {
		got := h.raw(c.token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+c.params+`}`)
		if got.Error == nil || got.Error.Code != invalid || !strings.Contains(got.Error.Message, c.said) ||
			got.Result != nil {
			t.Errorf("%s: %d %+v %s", name, got.status, got.Error, got.Result)
		}
	}
	if said := h.log.String(); strings.Contains(said, "panic") || strings.Contains(said, "goroutine") {
		t.Errorf("the log has %s", said)
	}
	for _, params := range []string{`{"name":"agenda"}`, `{"name":"agenda","arguments":{}}`,
		`{"name":"agenda","arguments": { } }`} {
		if got := h.raw("alice", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`); got.Error != nil ||
			!strings.Contains(string(got.Result), `"content"`) || strings.Contains(string(got.Result), `"isError":true`) {
			t.Errorf("%s: %+v %s", params, got.Error, got.Result)
		}
	}
	wrong := h.raw("alice",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agenda","arguments":{"from":7}}}`)
	if wrong.Error != nil || !strings.Contains(string(wrong.Result), `"isError":true`) {
		t.Errorf("a wrong argument: %+v %s", wrong.Error, wrong.Result)
	}
}

// What a client is promised is served: listening to resources is a matter of the version that has it without sessions.
func TestListeningIsPromisedWhereItIsServed(t *testing.T) {
	t.Parallel()
	h := build(t)
	initialize := h.raw("alice", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
		"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if initialize.Error != nil || !strings.Contains(string(initialize.Result), `"resources":{}`) {
		t.Errorf("initialize: %+v %s", initialize.Error, initialize.Result)
	}
	if got := h.raw("alice",
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"almanac://agenda/today"}}`); got.Error == nil ||
		got.Error.Code != -32601 {
		t.Errorf("what was not promised is served: %+v %s", got.Error, got.Result)
	}
	discover := h.raw("alice", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{
		"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},
		"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}}}`,
		"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover")
	if discover.Error != nil || !strings.Contains(string(discover.Result), `"resources":{"subscribe":true}`) {
		t.Errorf("discover: %+v %s", discover.Error, discover.Result)
	}
}

// What is one user's is kept by no cache that others share, as HTTP and as the protocol say it.
func TestAnswersArePrivate(t *testing.T) {
	t.Parallel()
	h := build(t)
	for _, request := range []string{`"method":"tools/list"`, `"method":"resources/list"`,
		`"method":"resources/templates/list"`, `"method":"resources/read","params":{"uri":"almanac://agenda/today"}`,
		`"method":"tools/call","params":{"name":"agenda"}`} {
		got := h.raw("alice", `{"jsonrpc":"2.0","id":1,`+request+`}`)
		if control := got.header.Get("Cache-Control"); got.Error != nil || !strings.Contains(control, "private") ||
			!strings.Contains(control, "no-store") {
			t.Errorf("%s: Cache-Control %q, %+v", request, control, got.Error)
		}
		if strings.Contains(string(got.Result), `"public"`) ||
			!strings.Contains(request, "tools/call") && !strings.Contains(string(got.Result), `"cacheScope":"private"`) {
			t.Errorf("%s: %s", request, got.Result)
		}
	}
}
