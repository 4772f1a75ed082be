package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"
	"almanac/internal/httpapi/request"

	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is an engine over the test schema, with its log.
type server struct {
	*engine.Engine
	resolver *testschema.Resolver
	log      *bytes.Buffer
}

func newServer(t testing.TB, adjust func(*engine.Config)) server {
	t.Helper()
	s := server{resolver: &testschema.Resolver{}, log: &bytes.Buffer{}}
	cfg := engine.Config{
		Schema:        testschema.New(s.resolver),
		Introspection: true,
		Logger:        slog.New(slog.NewJSONHandler(s.log, nil)),
	}
	if adjust != nil {
		adjust(&cfg)
	}
	var err error
	if s.Engine, err = engine.New(cfg); err != nil {
		t.Fatal(err)
	}
	return s
}

func quiet(c *engine.Config) { c.Introspection = false }

func asCaller(scopes ...model.Scope) context.Context {
	return model.WithCaller(context.Background(), model.Caller{Subject: "tester", Scopes: scopes})
}

func everything() context.Context { return asCaller(model.ScopeRead, model.ScopeWrite) }

// prepare asks whether a request would run.
func (s server) prepare(t testing.TB, query, variables string) (engine.Operation, gqlerror.List) {
	t.Helper()
	req := engine.Request{Query: query}
	if variables != "" {
		value, err := request.ParseJSON([]byte(variables))
		if err != nil {
			t.Fatal(err)
		}
		req.Variables = value.(map[string]any)
	}
	return s.Prepare(everything(), req)
}

// run prepares and executes; refused says that the request did not run.
func (s server) run(t testing.TB, query, variables string) (data string, errs gqlerror.List, refused bool) {
	t.Helper()
	op, errs := s.prepare(t, query, variables)
	if len(errs) > 0 {
		return "", errs, true
	}
	response := op.Execute(everything())
	if strings.Contains(s.log.String(), "unknown field") {
		t.Fatalf("the test schema only checks a field of %s, and does not run it", query)
	}
	if !json.Valid(response.Data) {
		t.Fatalf("the data is no JSON: %s", response.Data)
	}
	return string(response.Data), response.Errors, false
}

// show returns errors as a client reads them.
func show(errs gqlerror.List) string {
	text, err := json.Marshal(errs)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}

func codeOf(errs gqlerror.List) model.ErrorCode {
	if len(errs) == 0 {
		return ""
	}
	return engine.CodeOf(errs[0])
}

func repeat(n int, text string) string { return strings.Repeat(text, n) }

// decode returns the string that is the answer's only field.
func decode(t testing.TB, data string) string {
	t.Helper()
	var fields map[string]string
	if err := json.Unmarshal([]byte(data), &fields); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	for _, value := range fields {
		return value
	}
	return ""
}

func decimal(n int) string { return fmt.Sprint(n) }

// numbered2At is fragment i of a chain, which spreads the next one so many times.
func numbered2At(i, times int) string {
	return fmt.Sprintf("fragment f%d on Person{%s}", i, repeat(times, fmt.Sprintf("...f%d ", i+1)))
}

func fragmentEnd(i int) string { return fmt.Sprintf("fragment f%d on Person{id}", i) }
