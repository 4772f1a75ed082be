package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

func (s server) subscribe(t *testing.T, ctx context.Context, query string) func() *graphql.Response {
	t.Helper()
	op, errs := s.Prepare(everything(), engine.Request{Query: query})
	if len(errs) > 0 {
		t.Fatal(show(errs))
	}
	stream := op.Subscribe(ctx)
	t.Cleanup(stream.Close)
	return stream.Next
}

func TestSubscription(t *testing.T) {
	s := newServer(t, nil)
	next := s.subscribe(t, everything(), "subscription{ticks(count:3){number word}}")
	var all []*graphql.Response
	for response := next(); response != nil; response = next() {
		all = append(all, response)
	}
	for i, response := range all { // kept answers keep their data
		if want := fmt.Sprintf(`{"ticks":{"number":%d,"word":"tick %d"}}`, i+1, i+1); string(response.Data) != want ||
			len(response.Errors) > 0 {
			t.Errorf("%s %s", response.Data, show(response.Errors))
		}
	}
	if len(all) != 3 || next() != nil {
		t.Errorf("%d answers", len(all))
	}
}

func TestASubscriptionThatCannotStart(t *testing.T) {
	for how, code := range map[string]model.ErrorCode{"NOT_FOUND": model.CodeNotFound, "PLAIN": model.CodeInternal,
		"PANIC": model.CodeInternal} {
		s := newServer(t, nil)
		next := s.subscribe(t, everything(), "subscription{brokenTicks(how:"+how+"){number}}")
		response := next()
		if response == nil || codeOf(response.Errors) != code || response.Data != nil ||
			strings.Contains(show(response.Errors), testschema.Secret) {
			t.Errorf("%s: %+v", how, response)
		}
		if after := next(); after != nil {
			t.Errorf("%s: another answer: %+v", how, after)
		}
	}
}

func TestAFailingEvent(t *testing.T) {
	for how, code := range map[string]model.ErrorCode{"NOT_FOUND": model.CodeNotFound, "PLAIN": model.CodeInternal,
		"PANIC": model.CodeInternal} {
		s := newServer(t, nil)
		next := s.subscribe(t, everything(), "subscription{badTicks(how:"+how+"){number word}}")
		response := next()
		if response == nil || codeOf(response.Errors) != code ||
			string(response.Data) != `{"badTicks":{"number":1,"word":null}}` {
			t.Errorf("%s: %+v", how, response)
		}
		if next() != nil {
			t.Errorf("%s: no end", how)
		}
	}
}

func TestCancellingEndsASubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		s.resolver.Events = make(chan int32)
		ctx, cancel := context.WithCancel(everything())
		next := s.subscribe(t, ctx, "subscription{ticks{number}}")
		go func() { s.resolver.Events <- 7 }()
		if response := next(); string(response.Data) != `{"ticks":{"number":7}}` {
			t.Errorf("%s", response.Data)
		}
		time.AfterFunc(time.Hour, cancel)
		if response := next(); response != nil {
			t.Errorf("%+v", response)
		}
		synctest.Wait()
		if n := s.resolver.Streams.Load(); n != 0 {
			t.Errorf("%d streams run", n)
		}
	})
}

func TestSubscribeAndExecuteOfTheOtherKind(t *testing.T) {
	s := newServer(t, nil)
	next := s.subscribe(t, everything(), "{hello}")
	if response := next(); string(response.Data) != `{"hello":"hello, world"}` {
		t.Errorf("%s", response.Data)
	}
	if next() != nil {
		t.Error("two answers to a query")
	}
	op, _ := s.Prepare(everything(), engine.Request{Query: "subscription{ticks{number}}"})
	if response := op.Execute(everything()); codeOf(response.Errors) != model.CodeBadUserInput {
		t.Errorf("%s", show(response.Errors))
	}
	if n := s.resolver.Streams.Load(); n != 0 {
		t.Errorf("%d streams run", n)
	}
}

// observed counts what an engine tells.
type observed struct {
	ran, refused atomic.Int32
	last         atomic.Value
}

func (o *observed) Used(engine.Usage) {}

func (o *observed) Refused(reason string) { o.refused.Add(1); o.last.Store(reason) }
func (o *observed) Ran(kind ast.Operation, outcome string, _ time.Duration) {
	o.ran.Add(1)
	o.last.Store(string(kind) + " " + outcome)
}

func TestEveryRequestIsObservedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &observed{}
		s := newServer(t, func(cfg *engine.Config) { cfg.Observer = o })
		for query, want := range map[string]string{
			"{hello}":                           "query ok",
			"mutation{increment}":               "mutation ok",
			"{fail(how:UPSTREAM)}":              "query UPSTREAM_UNAVAILABLE",
			"{fail(how:PANIC)}":                 "query INTERNAL",
			"{":                                 "syntax",
			"{nothing}":                         "validation",
			nested(16):                          "depth",
			"query($a:Int!){echoes(ints:[$a])}": "variables",
			"query a{hello}query b{hello}":      "operation",
		} {
			before := o.ran.Load() + o.refused.Load()
			s.run(t, query, "")
			if got := o.last.Load(); got != want || o.ran.Load()+o.refused.Load() != before+1 {
				t.Errorf("%s: %v", query, got)
			}
		}
		before := o.ran.Load()
		ctx, cancel := context.WithCancel(everything())
		next := s.subscribe(t, ctx, "subscription{ticks{number}}")
		next()
		cancel() // and nobody asks again
		synctest.Wait()
		if got := o.last.Load(); got != "subscription ok" || o.ran.Load() != before+1 {
			t.Errorf("%v, %d", got, o.ran.Load()-before)
		}
		if next() != nil || o.ran.Load() != before+1 {
			t.Error("told twice")
		}
	})
}
