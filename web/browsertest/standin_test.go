package browsertest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"almanac/web"
)

// standIn serves the explorer beside a GraphQL endpoint that answers every operation of the real schema with made-up
// values of the right types. It keeps no tasks; creating one only tells the subscribers. The real server runs the
// same suite in its own end-to-end test.
type standIn struct {
	schema *ast.Schema
	// token is what a request must bring; empty lets everyone in.
	token string
	mux   *http.ServeMux

	mu          sync.Mutex
	cursor      int
	listeners   map[chan map[string]any]struct{}
	connections []map[string]string
}

type graphQLRequest struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

func newStandIn(t *testing.T, token string) *standIn {
	t.Helper()
	s := &standIn{
		schema:    loadSchema(t),
		token:     token,
		mux:       http.NewServeMux(),
		listeners: make(map[chan map[string]any]struct{}),
	}
	s.mux.Handle("/", web.Pages(web.Options{Version: "0.1.0"}))
	s.mux.HandleFunc("/graphql", s.serveGraphQL)
	return s
}

// loadSchema reads the contract itself, so that an example that the schema does not know cannot pass here.
func loadSchema(t *testing.T) *ast.Schema {
	t.Helper()
	names, err := filepath.Glob("../../schema/*.graphqls")
	if err != nil || len(names) == 0 {
		t.Fatalf("no schema files found: %v", err)
	}
	var sources []*ast.Source
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: filepath.Base(name), Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatalf("load the schema: %v", err)
	}
	return schema
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *standIn) serveGraphQL(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		s.serveSocket(w, r)
	case !s.admits(r.Header.Get("Authorization")):
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		writeJSON(w, refusal("A token is needed.", "UNAUTHENTICATED"))
	case r.Method == http.MethodGet:
		s.serveEvents(w, r)
	default:
		var request graphQLRequest
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, "not JSON", http.StatusBadRequest)
			return
		}
		w.Header().Set("X-Request-Id", "req_01kabcdefg7")
		w.Header().Set("Content-Type", "application/json")
		writeJSON(w, s.execute(request, nil))
	}
}

func (s *standIn) admits(authorization string) bool {
	return s.token == "" || authorization == "Bearer "+s.token
}

// execute answers one operation; source holds what is already known of the root, for events.
func (s *standIn) execute(request graphQLRequest, source map[string]any) any {
	document, refused := gqlparser.LoadQueryWithRules(s.schema, request.Query, rules.NewDefaultRules())
	if refused != nil {
		return map[string]any{"errors": refused}
	}
	operation := document.Operations.ForName(request.OperationName)
	if operation == nil {
		return refusal("No such operation.", "BAD_USER_INPUT")
	}
	variables, err := validator.VariableValues(s.schema, operation, request.Variables)
	if err != nil {
		return refusal(err.Error(), "BAD_USER_INPUT")
	}
	if operation.Operation == ast.Mutation {
		source = s.mutate(operation, variables)
	}
	root := map[ast.Operation]*ast.Definition{
		ast.Query: s.schema.Query, ast.Mutation: s.schema.Mutation, ast.Subscription: s.schema.Subscription,
	}[operation.Operation]
	made := maker{schema: s.schema, document: document, variables: variables}
	return map[string]any{"data": made.object(root, source, operation.SelectionSet)}
}

// mutate tells the subscribers of a created task and returns what the payload is to show.
func (s *standIn) mutate(operation *ast.OperationDefinition, variables map[string]any) map[string]any {
	for _, selection := range operation.SelectionSet {
		field, ok := selection.(*ast.Field)
		if !ok || field.Name != "createTask" {
			continue
		}
		input, _ := field.ArgumentMap(variables)["input"].(map[string]any)
		task := map[string]any{"text": input["text"]}
		if category, given := input["category"]; given {
			task["category"] = category
		}
		s.mu.Lock()
		s.cursor++
		change := map[string]any{"taskChanged": map[string]any{"cursor": fmt.Sprintf("c%d", s.cursor), "operation": "CREATED",
			"task": task}}
		for listener := range s.listeners {
			listener <- change
		}
		s.mu.Unlock()
		return map[string]any{"createTask": map[string]any{"task": task}}
	}
	return nil
}

// listen returns a channel of changes and a function that ends it. Tests create far fewer than fit.
func (s *standIn) listen() (<-chan map[string]any, func()) {
	listener := make(chan map[string]any, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners[listener] = struct{}{}
	return listener, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners, listener)
	}
}

// serveEvents is the distinct connections mode of graphql-sse.
func (s *standIn) serveEvents(w http.ResponseWriter, r *http.Request) {
	changes, stop := s.listen()
	defer stop()
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w).Flush
	if flush() != nil {
		return
	}
	for {
		select {
		case <-r.Context().Done():
			return
		case change := <-changes:
			answer, _ := json.Marshal(s.execute(graphQLRequest{Query: r.URL.Query().Get("query")}, change))
			_, _ = fmt.Fprintf(w, "event: next\ndata: %s\n\n", answer)
			if flush() != nil {
				return
			}
		}
	}
}

// serveSocket speaks as much of graphql-transport-ws as one subscription needs.
func (s *standIn) serveSocket(w http.ResponseWriter, r *http.Request) {
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return
	}
	defer func() { _ = socket.CloseNow() }()
	type frame struct {
		Type    string          `json:"type"`
		ID      string          `json:"id,omitempty"`
		Payload json.RawMessage `json:"payload,omitempty"`
	}
	ctx := r.Context()
	var init frame
	if wsjson.Read(ctx, socket, &init) != nil {
		return
	}
	parameters := make(map[string]string)
	_ = json.Unmarshal(init.Payload, &parameters)
	s.mu.Lock()
	s.connections = append(s.connections, parameters)
	s.mu.Unlock()
	if !s.admits(parameters["authorization"]) {
		_ = socket.Close(4403, "Forbidden")
		return
	}
	var subscribe frame
	if wsjson.Write(ctx, socket, frame{Type: "connection_ack"}) != nil || wsjson.Read(ctx, socket, &subscribe) != nil {
		return
	}
	var request graphQLRequest
	_ = json.Unmarshal(subscribe.Payload, &request)
	changes, stop := s.listen()
	defer stop()
	ctx = socket.CloseRead(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case change := <-changes:
			payload, _ := json.Marshal(s.execute(request, change))
			if wsjson.Write(ctx, socket, frame{Type: "next", ID: subscribe.ID, Payload: payload}) != nil {
				return
			}
		}
	}
}

// lastConnection is the payload of the newest connection_init.
func (s *standIn) lastConnection() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.connections) == 0 {
		return nil
	}
	return s.connections[len(s.connections)-1]
}

func refusal(message, code string) any {
	return map[string]any{"errors": []any{map[string]any{"message": message, "extensions": map[string]any{"code": code}}}}
}

func writeJSON(w http.ResponseWriter, value any) {
	// The browser may have left; the test then fails on what it misses.
	_ = json.NewEncoder(w).Encode(value)
}
