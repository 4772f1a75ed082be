// Package fakeengine is an engine for tests of transports: it knows a dozen operations by their text and lets the test
// say when they answer.
//
// It promises to run nothing but what the test asked for, and to show what still runs.
package fakeengine

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// Engine admits the operations that Prepare names.
type Engine struct {
	// Release lets one waiting operation answer for each value, or all when it is closed.
	Release chan struct{}
	// Feed holds what "subscription { feed }" answers; closing it ends the subscription.
	Feed chan *graphql.Response
	// Running counts the operations that run, Added the mutations that came to their end, Prepared all that were asked.
	Running, Added, Prepared atomic.Int64
	// LastEventID is the extension of the last prepared request, as text.
	LastEventID atomic.Value
}

// New makes an engine whose channels are open.
func New() *Engine {
	return &Engine{Release: make(chan struct{}), Feed: make(chan *graphql.Response)}
}

// Prepare knows, by the text of the query:
//
//	{ hello }                  {"hello":"world"}
//	query Name { who }         the caller's subject
//	{ echo }                   the variable "text"
//	{ partial }                data and an error
//	{ nothing }                data null and an error
//	{ timeout }                an error without data, from execution
//	{ slow }                   waits for Release or its context
//	{ panic }                  panics while it runs
//	{ large }                  an answer of "size" bytes
//	mutation { add }           waits for Release, then counts
//	subscription { count }     1, 2, 3
//	subscription { large }     an answer of "size" bytes, for ever
//	subscription { feed }      what Feed holds
//	subscription { broken }    cannot start
//	subscription { cracks }    1, then an error without data, then 2
//	anything else              refused with BAD_USER_INPUT
func (e *Engine) Prepare(_ context.Context, r engine.Request) (engine.Operation, gqlerror.List) {
	e.Prepared.Add(1)
	if id, ok := r.Extensions["lastEventId"].(string); ok {
		e.LastEventID.Store(id)
	}
	op := &operation{engine: e, request: r, kind: ast.Query}
	head, rest, _ := strings.Cut(r.Query, "{")
	fields := strings.Fields(head)
	if len(fields) > 0 {
		op.kind = ast.Operation(fields[0])
	}
	if len(fields) > 1 {
		op.name = fields[1]
	}
	op.field = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "}"))
	known := map[ast.Operation]string{
		ast.Query:        "hello who echo partial nothing timeout slow panic large",
		ast.Mutation:     "add",
		ast.Subscription: "count large feed broken cracks",
	}[op.kind]
	for _, field := range strings.Fields(known) {
		if field == op.field {
			if r.QueriesOnly && op.kind != ast.Query {
				return nil, refusal("queries only")
			}
			return op, nil
		}
	}
	return nil, refusal("there is no such operation")
}

func refusal(message string) gqlerror.List {
	return gqlerror.List{{Message: message, Extensions: map[string]any{"code": model.CodeBadUserInput}}}
}

type operation struct {
	engine      *Engine
	request     engine.Request
	kind        ast.Operation
	name, field string
}

func (op *operation) Kind() ast.Operation { return op.kind }
func (op *operation) Name() string        { return op.name }

func (op *operation) Reach() engine.Reach     { return engine.ReachOwn }
func (op *operation) Deadline() time.Duration { return engine.RequestDeadline }

// DryRun implements engine.Operation.
func (op *operation) DryRun() bool { return false }

// Body implements engine.Operation.
func (op *operation) Body() []byte { return nil }

// Defers implements engine.Operation.
func (op *operation) Defers() bool { return false }

// Start implements engine.Operation; it is never asked, since nothing is deferred.
func (op *operation) Start(context.Context) (engine.Part, engine.Rest) { panic("nothing is deferred") }

// Release implements engine.Operation.
func (op *operation) Release() {}

func (op *operation) Execute(ctx context.Context) *graphql.Response {
	op.engine.Running.Add(1)
	defer op.engine.Running.Add(-1)
	oops := gqlerror.List{{Message: "oops", Path: ast.Path{ast.PathName(op.field)}}}
	switch op.field {
	case "hello":
		return data(`{"hello":"world"}`)
	case "who":
		caller, _ := model.CallerFrom(ctx)
		return data(`{"who":` + quote(caller.Subject) + `}`)
	case "echo":
		text, _ := op.request.Variables["text"].(string)
		return data(`{"echo":` + quote(text) + `}`)
	case "partial":
		return &graphql.Response{Data: json.RawMessage(`{"partial":null}`), Errors: oops}
	case "nothing":
		return &graphql.Response{Data: json.RawMessage(`null`), Errors: oops}
	case "timeout":
		return &graphql.Response{
			Errors: gqlerror.List{{Message: "too late", Extensions: map[string]any{"code": model.CodeTimeout}}}}
	case "large":
		return op.large()
	case "panic":
		panic("the fake engine's secret")
	default: // slow, add
		select {
		case <-op.engine.Release:
		case <-ctx.Done():
			return &graphql.Response{Errors: gqlerror.List{{Message: "cancelled"}}}
		}
		if op.field == "add" {
			return data(`{"add":` + strconv.FormatInt(op.engine.Added.Add(1), 10) + `}`)
		}
		return data(`{"slow":"at last"}`)
	}
}

// stream implements engine.Stream; it never knows when there is an answer.
type stream struct {
	next func() *graphql.Response
	gone func()
}

func (s *stream) Next() *graphql.Response    { return s.next() }
func (s *stream) Wait(func()) engine.Waiting { return engine.Blocks }
func (s *stream) Close()                     { s.gone() }

func (op *operation) Subscribe(ctx context.Context) engine.Stream {
	ctx, cancel := context.WithCancel(ctx)
	op.engine.Running.Add(1)
	gone := sync.OnceFunc(func() { cancel(); op.engine.Running.Add(-1) })
	context.AfterFunc(ctx, gone)
	return &stream{next: op.answers(ctx, gone), gone: gone}
}

func (op *operation) answers(ctx context.Context, gone func()) func() *graphql.Response {
	ended := false
	end := func() *graphql.Response {
		ended = true
		gone()
		return nil
	}
	step := 0
	return func() *graphql.Response {
		step++
		if ended || ctx.Err() != nil {
			return end()
		}
		switch {
		case op.field == "count" && step <= 3:
			return data(fmt.Sprintf(`{"count":%d}`, step))
		case op.field == "large":
			return op.large()
		case op.field == "broken" && step == 1:
			return &graphql.Response{Errors: refusal("cannot start")}
		case op.field == "cracks" && step == 2:
			return &graphql.Response{Errors: refusal("a crack")}
		case op.field == "cracks" && step <= 3:
			return data(fmt.Sprintf(`{"cracks":%d}`, step))
		case op.field == "feed":
			select {
			case response, open := <-op.engine.Feed:
				if open {
					return response
				}
			case <-ctx.Done():
			}
		}
		return end()
	}
}

func (op *operation) large() *graphql.Response {
	size, _ := op.request.Variables["size"].(json.Number)
	n, _ := size.Int64()
	return data(`{"large":"` + strings.Repeat("x", int(n)) + `"}`)
}

func data(text string) *graphql.Response { return &graphql.Response{Data: json.RawMessage(text)} }

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}
