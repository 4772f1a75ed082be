package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
)

// maxAnswer bounds an answer of the front door that is kept in memory.
const maxAnswer = 8 << 20

// carried are the headers of a client's request that its GraphQL requests bring too. Who asks is proved anew by each of
// them.
var carried = [...]string{"Authorization", edge.HeaderTimeZone, "Accept-Language", "User-Agent", "Traceparent",
	"Tracestate"}

// call is what a client's HTTP request says of everything that it asks.
type call struct {
	caller model.Caller
	// request is the client's own; its context ends when the client hangs up.
	request *http.Request
}

type callKey struct{}

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// callOf returns the call of a context; an error without one, which would be a mistake of ours.
func callOf(ctx context.Context) (*call, error) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return nil, errors.New("a tool was called outside of a request")
	}
	return c, nil
}

// lasting ends a context also when the client has hung up: nobody can hear the answer then. Older revisions of the
// protocol would let it run.
func (c *call) lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.request.Context(), cancel)
	return ctx, func() { stop(); cancel() }
}

// document is a GraphQL document with one operation.
type document struct{ name, text string }

// graphQL is /graphql, asked from within the process. Whatever holds there, its tokens, scopes, limits and idempotency,
// holds for every tool.
type graphQL struct{ front http.Handler }

// graphQLRequest is a request's body (GraphQL over HTTP, section 5.4.1).
type graphQLRequest struct {
	Query         string `json:"query"`
	OperationName string `json:"operationName,omitempty"`
	Variables     any    `json:"variables,omitempty"`
}

// request makes a request to /graphql for a call.
func (c *call) asked(ctx context.Context, doc document, variables any, accept string) (*http.Request, error) {
	body, err := json.Marshal(graphQLRequest{Query: doc.text, OperationName: doc.name, Variables: variables})
	if err != nil {
		return nil, fmt.Errorf("encode a request: %w", err)
	}
	r, err := http.NewRequestWithContext(model.WithSource(ctx, model.SourceMCP), http.MethodPost, "/graphql",
		bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	r.Host, r.RemoteAddr, r.TLS = c.request.Host, c.request.RemoteAddr, c.request.TLS
	for _, name := range carried {
		if values := c.request.Header.Values(name); len(values) > 0 {
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	if id := edge.RequestID(c.request.Context()); id != "" {
		r.Header.Set("X-Request-Id", id)
	}
	return r, nil
}

// run asks a document. A key makes it have one effect however often it is asked. The error is one of the transport;
// what GraphQL has to say is in the answer.
func (g graphQL) run(ctx context.Context, c *call, doc document, variables any, key string) (answer, error) {
	r, err := c.asked(ctx, doc, variables, "application/graphql-response+json")
	if err != nil {
		return answer{}, err
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w := &memory{header: http.Header{}}
	if err := g.serve(w, r); err != nil {
		return answer{}, err
	}
	if w.full {
		return answer{}, model.Errorf(model.CodeQueryTooExpensive, "the answer is larger than %d MiB; ask for less",
			maxAnswer>>20)
	}
	var out answer
	if err := json.Unmarshal(w.body.Bytes(), &out); err != nil {
		return answer{}, fmt.Errorf("the front door answered %d and no GraphQL: %w", w.status, err)
	}
	return out, nil
}

// serve lets the front door answer. It cuts a connection by a panic (http.ErrAbortHandler), which must not cut the
// client's.
func (g graphQL) serve(w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = errCut
		}
	}()
	g.front.ServeHTTP(w, r)
	return nil
}

var errCut = errors.New("the front door cut the connection")

// memory keeps an answer.
type memory struct {
	header http.Header
	status int
	body   bytes.Buffer
	full   bool
}

func (m *memory) Header() http.Header { return m.header }

func (m *memory) WriteHeader(status int) {
	if m.status == 0 {
		m.status = status
	}
}

func (m *memory) Write(p []byte) (int, error) {
	m.WriteHeader(http.StatusOK)
	if m.full = m.full || m.body.Len()+len(p) > maxAnswer; m.full {
		return len(p), nil
	}
	return m.body.Write(p)
}
