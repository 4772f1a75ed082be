package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/coder/websocket"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"
)

// documentsAt returns, for each limit on documents, a document of the real schema that measures so much.
func documentsAt() map[string]func(n int) string {
	repeat := strings.Repeat
	return map[string]func(n int) string{
		"tokens": func(n int) string { return "{viewer{id}}" + repeat("#\n", n-6) },
		"name":   func(n int) string { return "query " + repeat("q", n) + "{viewer{id}}" },
		"depth": func(n int) string {
			return `{__type(name:"Task"){` + repeat("ofType{", n-2) + "name" + repeat("}", n)
		},
		"valueDepth": func(n int) string { return `{nodes(ids:` + repeat("[", n) + repeat("]", n) + `){id}}` },
		"aliases": func(n int) string {
			var out strings.Builder
			for i := range n {
				fmt.Fprintf(&out, "a%d:id ", i)
			}
			return "{viewer{" + out.String() + "}}"
		},
		"rootFields": func(n int) string { return "{" + repeat("viewer{id} ", n) + "}" },
		"directives": func(n int) string { return "{viewer{" + repeat("id @include(if:true) ", n) + "}}" },
		"definitions": func(n int) string {
			var out strings.Builder
			for i := range n - 2 {
				fmt.Fprintf(&out, "fragment f%d on Query{...f%d}", i, i+1)
			}
			return "{...f0}" + out.String() + fmt.Sprintf("fragment f%d on Query{viewer{id}}", n-2)
		},
		"introspection": func(n int) string {
			return `{__type(name:"Task"){` + repeat("fields{type{", n) + "name" + repeat("}}", n) + "}}"
		},
		// In tenths: ten for tasks, ten for nodes, 100 items with objects of one value, and the rest in values.
		"cost": func(n int) string {
			const each = 100 * 11
			rest := 10*n - 20
			return "{tasks(first:100){nodes{" + repeat("itemContext{isToday} ", rest/each) + "}" +
				repeat("isEmpty ", rest%each) + "}}"
		},
	}
}

// provedElsewhere are the limits that a whole server cannot be brought to in a test of a few seconds.
func provedElsewhere() map[string]string {
	return map[string]string{
		"overlap":           "internal/httpapi/engine measures the steps",
		"fields":            "internal/httpapi/engine, over a schema of its own",
		"questions":         "internal/httpapi/engine counts what is asked of remote systems",
		"mutationQuestions": "internal/httpapi/engine",
		"answer":            "internal/httpapi/engine, with a smaller number",
		"inFlight":          "TestOverloadIsRefused, with a smaller number", "queued": "internal/httpapi",
		"reading": "internal/httpapi",
		"upload":  "TestHostileFilesAreRefused", "uploads": "internal/httpapi/share",
		"userUploads":   "internal/httpapi/share",
		"userInFlight":  "TestAFloodOfOneUserHoldsNobodyElse, with a smaller number",
		"tokenInFlight": "internal/httpapi/share", "userReading": "internal/httpapi/share",
		"proving": "internal/httpapi/share", "addressProving": "internal/httpapi/share",
		"userQueued":    "internal/httpapi/share",
		"userCost":      "TestABudgetOfCostIsEachUsersOwn, with a smaller number",
		"operationCost": "TestABudgetOfCostIsEachUsersOwn",
		"questionCost":  "internal/httpapi/share; graph/model asks before each question",
		"userPaid":      "internal/httpapi/share; graph/model asks before each question",
		"userStreams":   "internal/httpapi/sse, with a smaller number",
		"sockets":       "internal/httpapi/ws, with a smaller number", "userSockets": "internal/httpapi/ws, with a smaller number",
		"addressSockets": "internal/httpapi/ws, with a smaller number",
		"streams":        "internal/httpapi/sse, with a smaller number",
		"socketInit":     "time: internal/httpapi/ws, in a bubble", "socketArrival": "time: internal/httpapi/ws",
		"socketWrite": "time: internal/httpapi/ws", "streamWrite": "time: internal/httpapi/sse",
	}
}

// Each limit that docs/limits.md publishes, on the running server: at the number it passes, one beyond is refused with
// the status and the code of the table.
func TestPublishedLimits(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir())
	documents, elsewhere := documentsAt(), provedElsewhere()
	others := map[string]func(*testing.T, *process, engine.Limit){
		"body": bodyLimit, "headers": headersLimit, "idempotencyKey": keyLimit, "eventId": eventIDLimit,
		"socketMessage": messageLimit, "socketInitMessage": initLimit, "socketOperations": operationsLimit,
		"socketOperationId": operationIDLimit,
	}
	table := httpapi.Limits(engine.Limits{})
	table = append(table, ws.Limits{}.Table()...)
	table = append(table, sse.Limits{}.Table()...)
	for _, limit := range table {
		document, prove := documents[limit.Name], others[limit.Name]
		if document == nil && prove == nil {
			if elsewhere[limit.Name] == "" {
				t.Errorf("nothing proves the limit %s", limit.Name)
			}
			continue
		}
		t.Run(limit.Name, func(t *testing.T) {
			t.Parallel()
			p := p.in(t)
			if prove != nil {
				prove(t, p, limit)
				return
			}
			// What the schema itself refuses is no matter of limits.
			if r, a := p.post(document(int(limit.Max)), nil); a.code() != "" && a.code() != "BAD_USER_INPUT" {
				t.Errorf("at the number: %d %.300s", r.status, r.body)
			}
			r, a := p.post(document(int(limit.Max)+1), nil)
			if r.status != limit.Status || a.code() != string(limit.Code) || a.Data != nil ||
				a.Errors[0].Extensions["limit"] != limit.Name || a.Errors[0].Extensions["measured"] != float64(limit.Max+1) {
				t.Errorf("one beyond: %d %.300s", r.status, r.body)
			}
		})
	}
	// What people's tools ask passes.
	if r, a := p.post(introspection.Query, nil); r.status != http.StatusOK || len(a.Errors) > 0 ||
		!strings.Contains(string(a.Data), `"TaskConnection"`) {
		t.Errorf("the introspection query: %d %.300s", r.status, r.body)
	}
}

func bodyLimit(t *testing.T, p *process, limit engine.Limit) {
	body := func(n int64) []byte {
		const query = `{"query":"{viewer{id}}"}`
		return []byte(query + strings.Repeat(" ", int(n)-len(query)))
	}
	if r := p.mustSend(http.MethodPost, "/graphql", body(limit.Max), "Content-Type",
		"application/json"); r.status != http.StatusOK {
		t.Errorf("at the number: %d %s", r.status, r.body)
	}
	if r := p.mustSend(http.MethodPost, "/graphql", body(limit.Max+1), "Content-Type",
		"application/json"); r.status != limit.Status || !strings.Contains(string(r.body), string(limit.Code)) {
		t.Errorf("one beyond: %d %s", r.status, r.body)
	}
}

// headersLimit allows for the few kilobytes beyond the number that net/http adds for its own.
func headersLimit(t *testing.T, p *process, limit engine.Limit) {
	const others = 1 << 10
	if r := p.mustSend(http.MethodGet, "/healthz", nil, "X-Filler",
		strings.Repeat("x", int(limit.Max)-others)); r.status != http.StatusOK {
		t.Errorf("at the number: %d", r.status)
	}
	if r := p.mustSend(http.MethodGet, "/healthz", nil, "X-Filler",
		strings.Repeat("x", int(limit.Max)+8*others)); r.status != limit.Status {
		t.Errorf("beyond: %d", r.status)
	}
}

func keyLimit(t *testing.T, p *process, limit engine.Limit) {
	key := strings.Repeat("k", int(limit.Max))
	if r, a := p.post(createTask, map[string]any{"text": "under a long key"}, "Idempotency-Key", key); len(a.Errors) > 0 {
		t.Errorf("at the number: %d %s", r.status, r.body)
	}
	if r, a := p.post(createTask, map[string]any{"text": "under a longer key"}, "Idempotency-Key",
		key+"k"); r.status != limit.Status || a.code() != string(limit.Code) {
		t.Errorf("one beyond: %d %s", r.status, r.body)
	}
}

func eventIDLimit(t *testing.T, p *process, limit engine.Limit) {
	id := strings.Repeat("e", int(limit.Max))
	e, err := p.listen(watchTasks, nil, id) // no cursor of ours, which the stream itself tells
	if err != nil {
		t.Fatalf("at the number: %v", err)
	}
	if _, err := e.next(&struct{}{}); err == nil || !strings.Contains(err.Error(), "BAD_USER_INPUT") {
		t.Errorf("at the number: %v", err)
	}
	if _, err := p.listen(watchTasks, nil, id+"e"); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("status %d", limit.Status)) {
		t.Errorf("one beyond: %v", err)
	}
}

// padded is a message of so many bytes.
func padded(t *testing.T, f frame, n int64) []byte {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return append(text, strings.Repeat(" ", int(n)-len(text))...)
}

func (s *socket) mustWrite(t *testing.T, text []byte) {
	t.Helper()
	if err := s.conn.Write(t.Context(), websocket.MessageText, text); err != nil {
		t.Fatal(err)
	}
}

func messageLimit(t *testing.T, p *process, limit engine.Limit) {
	s := p.mustDial("")
	f := frame{ID: "1", Type: "subscribe", Payload: json.RawMessage(`{"query":"{viewer{id}}"}`)}
	s.mustWrite(t, padded(t, f, limit.Max))
	if err := s.next(&struct{}{}); err != nil {
		t.Errorf("at the number: %v", err)
	}
	s.mustWrite(t, padded(t, frame{ID: "2", Type: f.Type, Payload: f.Payload}, limit.Max+1))
	if code := s.closed(); code != websocket.StatusCode(limit.Status) {
		t.Errorf("one beyond: closed with %d", code)
	}
}

func initLimit(t *testing.T, p *process, limit engine.Limit) {
	for beyond, want := range map[int64]string{0: "connection_ack", 1: ""} {
		conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(p.address, "http")+"/graphql",
			&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.CloseNow() })
		s := &socket{t: t, conn: conn}
		s.mustWrite(t, padded(t, frame{Type: "connection_init"}, limit.Max+beyond))
		f, err := s.read()
		if f.Type != want || beyond > 0 && websocket.CloseStatus(err) != websocket.StatusCode(limit.Status) {
			t.Errorf("%d beyond: %v %v", beyond, f, err)
		}
	}
}

func operationsLimit(t *testing.T, p *process, limit engine.Limit) {
	s := p.mustDial("")
	for i := range limit.Max + 1 {
		if err := s.subscribe(fmt.Sprint(i), watchTasks, nil); err != nil {
			t.Fatal(err)
		}
	}
	f, err := s.read()
	if err != nil || f.Type != "error" || f.ID != fmt.Sprint(limit.Max) ||
		!strings.Contains(string(f.Payload), string(limit.Code)) {
		t.Fatalf("one beyond: %+v %v", f, err)
	}
	if err := s.write(frame{ID: "0", Type: "complete"}); err != nil {
		t.Fatal(err)
	}
	if err := s.subscribe("again", askViewer, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.next(&struct{}{}); err != nil {
		t.Errorf("after one was completed: %v", err)
	}
}

func operationIDLimit(t *testing.T, p *process, limit engine.Limit) {
	s := p.mustDial("")
	id := strings.Repeat("i", int(limit.Max))
	if err := s.subscribe(id, askViewer, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.next(&struct{}{}); err != nil {
		t.Errorf("at the number: %v", err)
	}
	if err := s.subscribe(id+"i", askViewer, nil); err != nil {
		t.Fatal(err)
	}
	if code := s.closed(); code != websocket.StatusCode(limit.Status) {
		t.Errorf("one beyond: closed with %d", code)
	}
}
