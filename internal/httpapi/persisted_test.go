package httpapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"

	"github.com/coder/websocket"
)

// transports is a server with every transport. Its parts are released at the end of the test.
func transports(t *testing.T, adjust func(*httpapi.Config)) (front, *httptest.Server) {
	t.Helper()
	var sockets *ws.Handler
	var streams *sse.Handler
	d := newFront(t, func(cfg *httpapi.Config) {
		if adjust != nil {
			adjust(cfg)
		}
		sockets = ws.New(ws.Config{Preparer: cfg.Engine, Authenticator: cfg.Authenticator,
			Open: func(ctx context.Context, _ model.Caller, _ edge.Hints) (context.Context, error) { return ctx, nil }})
		streams = sse.New(sse.Config{Preparer: cfg.Engine, Authenticator: cfg.Authenticator})
		cfg.WebSocket, cfg.Streams = sockets, streams
	})
	server := httptest.NewServer(d)
	t.Cleanup(func() {
		for _, shutdown := range []func(context.Context) error{sockets.Shutdown, streams.Shutdown} {
			if err := shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		}
		server.Close()
	})
	return d, server
}

// everyWay sends a request by each transport and returns what came of it, by the transport's name.
func everyWay(t *testing.T, server *httptest.Server, token string, fields map[string]any) map[string]string {
	t.Helper()
	body, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	parameters := url.Values{}
	for name, value := range fields {
		text, isText := value.(string)
		if !isText {
			encoded, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			text = string(encoded)
		}
		parameters.Set(name, text)
	}
	out := map[string]string{}
	send := func(name, method, path, accept, body string) {
		request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Accept", accept)
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(text)
	}
	send("POST", http.MethodPost, "/graphql", "application/json", string(body))
	send("GET", http.MethodGet, "/graphql?"+parameters.Encode(), "application/graphql-response+json", "")
	send("SSE", http.MethodPost, "/graphql", "text/event-stream", string(body))

	socket, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"},
			HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.CloseNow() }()
	for _, message := range []string{`{"type":"connection_init","payload":{"graphql-client-name":"socket",` +
		`"graphql-client-version":"9"}}`, `{"id":"1","type":"subscribe","payload":` +
		string(body) + `}`} {
		if err := socket.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	for out["WebSocket"] == "" {
		_, message, err := socket.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(message), `"id":"1"`) {
			out["WebSocket"] = string(message)
		}
	}
	return out
}

func hashed(query string) map[string]any {
	sum := sha256.Sum256([]byte(query))
	return map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hex.EncodeToString(sum[:])}}
}

// A hash alone is answered over every transport: first as clients wait for, then with the document's answer, and never
// beyond the rights of the token that it comes with.
func TestPersistedQueriesOverEveryTransport(t *testing.T) {
	_, server := transports(t, nil)
	const query, subscription, mutation = "{hello}", "subscription{ticks(count:1){number}}", "mutation{increment}"
	want := func(when, token string, fields map[string]any, part string, but ...string) {
		t.Helper()
		for name, answer := range everyWay(t, server, token, fields) {
			excepted := len(but) > 0 && strings.Contains(but[0], name)
			if strings.Contains(answer, part) == excepted {
				t.Errorf("%s, %s: %s", when, name, answer)
			}
		}
	}
	unknown := `"message":"PersistedQueryNotFound"`
	want("unknown", "noa", map[string]any{"extensions": hashed(query)}, unknown)
	want("unknown", "noa", map[string]any{"extensions": hashed(query)}, `"code":"PERSISTED_QUERY_NOT_FOUND"`)
	want("whole", "noa", map[string]any{"query": query, "extensions": hashed(query)}, `"hello":"hello, world"`)
	want("by hash", "dan", map[string]any{"extensions": hashed(query)}, `"hello":"hello, world"`)
	want("by hash, without the right", "nobody", map[string]any{"extensions": hashed(query)}, `"FORBIDDEN"`)

	want("a mutation, whole", "noa", map[string]any{"query": mutation, "extensions": hashed(mutation)}, `"increment":`,
		"GET")
	want("a mutation by hash, with a token that reads", "reader", map[string]any{"extensions": hashed(mutation)},
		`"FORBIDDEN"`, "GET")
	want("a mutation by hash", "noa", map[string]any{"extensions": hashed(mutation)}, `"increment":`, "GET")

	want("a subscription, whole", "noa", map[string]any{"query": subscription, "extensions": hashed(subscription)},
		`"number":1`, "GET POST")
	want("a subscription by hash", "noa", map[string]any{"extensions": hashed(subscription)}, `"number":1`, "GET POST")
}

// What is not found is not kept by anybody, since the next answer is another.
func TestUnknownHashesAreNotCached(t *testing.T) {
	d := newFront(t, nil)
	extensions, err := json.Marshal(hashed("{hello}"))
	if err != nil {
		t.Fatal(err)
	}
	path := "/graphql?extensions=" + url.QueryEscape(string(extensions))
	for range 2 {
		w := d.do(call{method: "GET", path: path})
		if w.Code != 200 || read(t, w).code() != "PERSISTED_QUERY_NOT_FOUND" ||
			w.Result().Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %v %s", w.Code, w.Result().Header, w.Body)
		}
	}
	d.do(call{body: `{"query":"{hello}","extensions":` + string(extensions) + `}`})
	w := d.do(call{method: "GET", path: path})
	if w.Code != 200 || w.Result().Header.Get("Cache-Control") != "private, no-cache" ||
		w.Result().Header.Get("ETag") == "" || !strings.Contains(w.Body.String(), "hello, world") {
		t.Errorf("%d %v %s", w.Code, w.Result().Header, w.Body)
	}
}

// A trusted document runs by its id over every transport, and where it is served alone nothing else does over any.
func TestTrustedDocumentsOverEveryTransport(t *testing.T) {
	_, server := transports(t, func(cfg *httpapi.Config) {
		e, err := engine.New(engine.Config{Schema: testschema.New(&testschema.Resolver{}),
			Introspection: true, DocumentsOnly: true, Documents: []engine.Document{{ID: "greet", Text: "{hello}"}}})
		if err != nil {
			t.Fatal(err)
		}
		cfg.Engine = e
	})
	for want, fields := range map[string]map[string]any{
		`"hello":"hello, world"`:               {"documentId": "greet"},
		`"PERSISTED_QUERY_NOT_FOUND"`:          {"documentId": "other"},
		`only the documents that its operator`: {"query": "{hello whoami}"},
	} {
		for name, answer := range everyWay(t, server, "noa", fields) {
			if !strings.Contains(answer, want) {
				t.Errorf("%s, %v: %s", name, fields, answer)
			}
		}
	}
}
