package httpapi_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// front is a front door over the test schema, with what a test may look at.
type front struct {
	*httpapi.Handler
	resolver *testschema.Resolver
	log      *lockedBuffer
	metrics  *httpapi.Metrics
}

// lockedBuffer lets a test read a log that requests still write.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

func newFront(t testing.TB, adjust func(*httpapi.Config)) front {
	t.Helper()
	d := front{resolver: &testschema.Resolver{}, log: &lockedBuffer{}, metrics: httpapi.NewMetrics()}
	log := slog.New(slog.NewJSONHandler(d.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	e, err := engine.New(engine.Config{
		Schema: testschema.New(d.resolver), Introspection: true, Logger: log, Observer: d.metrics,
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg := httpapi.Config{Engine: e, Authenticator: tokens{}, Logger: log, Metrics: d.metrics}
	if adjust != nil {
		adjust(&cfg)
	}
	if d.Handler, err = httpapi.New(cfg); err != nil {
		t.Fatal(err)
	}
	return d
}

// tokens is an authenticator for which no token is the local user, and a token is its user's name.
type tokens struct{ noLocalUser bool }

func (a tokens) Authenticate(_ context.Context, token string) (model.Caller, error) {
	scopes := []model.Scope{model.ScopeRead, model.ScopeWrite}
	switch token {
	case "":
		if a.noLocalUser {
			return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "Send a bearer token.")
		}
		token = "local"
	case "revoked":
		return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "The token has been revoked.")
	case "banned":
		return model.Caller{}, model.Errorf(model.CodeForbidden, "The account is closed.")
	case "unknowable":
		return model.Caller{}, model.Errorf(model.CodeUpstreamUnavailable, "The issuer does not answer.")
	case "broken":
		return model.Caller{}, io.ErrUnexpectedEOF
	case "reader":
		scopes = scopes[:1]
	case "nobody":
		scopes = nil
	}
	return model.Caller{UserID: model.UserIDOf(token), Subject: token, Scopes: scopes}, nil
}

// call is one HTTP request of a test; its zero value is a POST that any client would send.
type call struct {
	method, path, body string
	host               string
	header             map[string]string
}

func (c call) request() *http.Request {
	if c.method == "" {
		c.method = http.MethodPost
	}
	if c.path == "" {
		c.path = "/graphql"
	}
	var body io.Reader
	if c.body != "" {
		body = strings.NewReader(c.body)
	}
	r := httptest.NewRequest(c.method, c.path, body)
	r.RemoteAddr = "127.0.0.1:40000"
	r.Host = "localhost:8080"
	if c.host != "" {
		r.Host = c.host
	}
	if c.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.header {
		r.Header.Del(name)
		if value != "" {
			for part := range strings.SplitSeq(value, "\n") {
				r.Header.Add(name, part)
			}
		}
	}
	return r
}

func (d front) do(c call) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, c.request())
	return w
}

func newRecorder(d front, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

// patient streams a word, waits an hour, and streams another.
type patient struct{ waited chan error }

func (p *patient) Stream(w http.ResponseWriter, r *http.Request, _ engine.Request) {
	_, _ = io.WriteString(w, "begin ")
	_ = http.NewResponseController(w).Flush()
	select {
	case <-time.After(time.Hour):
		p.waited <- nil
	case <-r.Context().Done():
		p.waited <- r.Context().Err()
	}
	_, _ = io.WriteString(w, "end")
}

// upgraderFunc answers an upgrade at once.
type upgraderFunc func(w http.ResponseWriter)

func (f upgraderFunc) Upgrade(w http.ResponseWriter, _ *http.Request, ended func()) {
	f(w)
	ended()
}
