package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"

	"github.com/vektah/gqlparser/v2/ast"
)

func TestErrorsOfResolvers(t *testing.T) {
	for how, want := range map[string]string{
		"BAD_INPUT": `"message":"the text is empty","path":["fail"],"locations":[{"line":1,"column":2}],` +
			`"extensions":{"code":"BAD_USER_INPUT","field":["input","text"]}`,
		"NOT_FOUND":    `"extensions":{"code":"NOT_FOUND","field":["id"]}`,
		"RATE_LIMITED": `"extensions":{"code":"RATE_LIMITED","retryAfterMs":1500}`,
		"UPSTREAM": `"message":"the calendar does not answer","path":["fail"],"locations":[{"line":1,"column":2}],` +
			`"extensions":{"code":"UPSTREAM_UNAVAILABLE"}`,
		"NOT_CONNECTED": `"extensions":{"code":"NOT_CONNECTED","connectUrl":"/connect/google"}`,
		"DEADLINE":      `"extensions":{"code":"TIMEOUT"}`,
		"PLAIN":         `"extensions":{"code":"INTERNAL","traceId":"`,
		"PANIC":         `"extensions":{"code":"INTERNAL","traceId":"`,
	} {
		s := newServer(t, nil)
		data, errs, refused := s.run(t, "{fail(how:"+how+")}", "")
		text := show(errs)
		if refused || data != `{"fail":null}` || len(errs) != 1 || !strings.Contains(text, want) {
			t.Errorf("%s: %s %s", how, data, text)
		}
		if strings.Contains(text, testschema.Secret) || strings.Contains(text, "postgres") {
			t.Errorf("%s: the cause is shown: %s", how, text)
		}
		if trace, ok := errs[0].Extensions["traceId"].(string); ok {
			log := s.log.String()
			if len(trace) != 32 || !strings.Contains(log, trace) || !strings.Contains(log, testschema.Secret) ||
				!strings.Contains(log, "Query.fail") {
				t.Errorf("%s: the log: %s", how, log)
			}
			if how == "PANIC" && (!strings.Contains(log, "goroutine") || strings.Count(log, "\n") != 1) {
				t.Errorf("the log of a panic: %s", log)
			}
		} else if how == "UPSTREAM" && !strings.Contains(s.log.String(), testschema.Secret) {
			t.Errorf("%s: the log lacks the cause", how)
		}
	}
}

func TestANonNullFailureTakesItsParent(t *testing.T) {
	data, errs, refused := newServer(t, nil).run(t, "{mustFail(how:PANIC)}", "")
	if refused || data != "null" || codeOf(errs) != model.CodeInternal {
		t.Errorf("%s %s", data, show(errs))
	}
}

func TestAtMostTwentyErrors(t *testing.T) {
	s := newServer(t, nil)
	for count, want := range map[int]int{1: 1, 20: 20, 21: 20, 900: 20} {
		data, errs, _ := s.run(t, fmt.Sprintf("{failures(count:%d){part}}", count), "")
		if len(errs) != want || strings.Count(data, `"part":null`) != count {
			t.Errorf("%d failures: %d errors", count, len(errs))
		}
	}
	if lines := strings.Count(s.log.String(), "\n"); lines > 61 {
		t.Errorf("%d log lines", lines)
	}
	for _, query := range []string{"{person(id:1){" + numberedFields(30) + "}}",
		"query(" + numbered(30, "$v%d:Int ") + "){hello}"} {
		if _, errs, refused := s.run(t, query, ""); !refused || len(errs) != 20 {
			t.Errorf("%d errors of %s", len(errs), query)
		}
	}
	// What is wrong in many places is told once, with the places: a name that is not known, and that it stands there
	// again.
	if _, errs, refused := s.run(t, "{hello"+repeat(10, " @nope")+"}", ""); !refused || len(errs) != 2 ||
		len(errs[0].Locations) != 10 {
		t.Errorf("of ten unknown directives: %v", errs)
	}
	many := `{"strings":[` + repeat(99, "1,") + `1]}`
	if _, errs, _ := s.run(t, echoes, many); len(errs) != 20 {
		t.Errorf("%d errors of variables", len(errs))
	}
}

func TestErrorsOfArgumentsNameTheField(t *testing.T) {
	s := newServer(t, nil)
	for query, field := range map[string]string{
		`{echoes(stamp:"soon")}`: "stamp",
		`{a:echo(input:{text:"a",child:{text:"b",stamp:"soon"}}){text}}`: "input.child.stamp",
	} {
		_, errs, refused := s.run(t, query, "")
		if refused || len(errs) != 1 || codeOf(errs) != model.CodeBadUserInput || len(errs[0].Path) != 1 ||
			len(errs[0].Locations) != 1 {
			t.Errorf("%s: %v %s", query, refused, show(errs))
			continue
		}
		if got, _ := errs[0].Extensions["field"].([]string); strings.Join(got, ".") != field {
			t.Errorf("%s: %s", query, show(errs))
		}
	}
}

func TestLongTextsAreClippedInErrors(t *testing.T) {
	s := newServer(t, nil)
	long := repeat(100_000, "ש")
	for _, query := range []string{`{"` + long + `"}`, `{people(first:"` + long + `"){totalCount}}`,
		`{hello(name:["` + long + `"])}`} {
		if _, errs, refused := s.run(t, query, ""); !refused || len(show(errs)) > 3000 {
			t.Errorf("%d bytes", len(show(errs)))
		}
	}
}

func TestRequestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		start := time.Now()
		data, errs, _ := s.run(t, "{slow hello}", "")
		if took := time.Since(start); took != engine.RequestDeadline {
			t.Errorf("took %v", took)
		}
		if data != `{"slow":null,"hello":"hello, world"}` || codeOf(errs) != model.CodeTimeout ||
			strings.Contains(show(errs), testschema.Secret) {
			t.Errorf("%s %s", data, show(errs))
		}
	})
}

func TestACancelledRequest(t *testing.T) {
	s := newServer(t, nil)
	s.resolver.Started = make(chan struct{})
	for _, early := range []bool{true, false} {
		op, errs := s.Prepare(everything(), engine.Request{Query: "{slow}"})
		if len(errs) > 0 {
			t.Fatal(show(errs))
		}
		ctx, cancel := context.WithCancel(everything())
		if early {
			cancel()
		} else {
			go func() {
				<-s.resolver.Started
				cancel()
			}()
		}
		response := op.Execute(ctx)
		if codeOf(response.Errors) != model.CodeTimeout || response.Data == nil || strings.Contains(s.log.String(), "ERROR") {
			t.Errorf("%s %s", show(response.Errors), s.log)
		}
		cancel()
	}
}

func TestScopes(t *testing.T) {
	s := newServer(t, nil)
	for _, c := range []struct {
		ctx   context.Context
		query string
		code  model.ErrorCode
	}{
		{context.Background(), "{hello}", model.CodeUnauthenticated},
		{asCaller(), "{hello}", model.CodeForbidden},
		{asCaller(model.ScopeSend), "{hello}", model.CodeForbidden},
		{asCaller(model.ScopeWrite), "{hello}", model.CodeForbidden},
		{asCaller(model.ScopeRead), "{hello}", ""},
		{asCaller(model.ScopeRead), "subscription{ticks(count:1){number}}", ""},
		{asCaller(model.ScopeWrite), "subscription{ticks(count:1){number}}", model.CodeForbidden},
		{asCaller(model.ScopeRead), "mutation{increment}", model.CodeForbidden},
		{asCaller(model.ScopeWrite), "mutation{increment}", ""},
	} {
		_, errs := s.Prepare(c.ctx, engine.Request{Query: c.query})
		if codeOf(errs) != c.code {
			t.Errorf("%s: %s", c.query, show(errs))
		}
	}
	if s.resolver.Counter.Load() != 0 {
		t.Error("preparing ran a mutation")
	}
}

func TestOperationChoice(t *testing.T) {
	s := newServer(t, nil)
	two := "query a{hello}mutation b{increment}"
	for _, c := range []struct {
		query, name string
		getOnly     bool
		kind        ast.Operation
		method      bool
	}{
		{"{hello}", "", false, ast.Query, false},
		{two, "a", true, ast.Query, false},
		{two, "b", false, ast.Mutation, false},
		{two, "b", true, "", true},
		{"subscription{ticks{number}}", "", true, "", true},
		{two, "", false, "", false},
		{two, "c", false, "", false},
		{"query a{hello}", "b", false, "", false},
		{"fragment a on Query{hello}", "", false, "", false},
		{"", "", false, "", false},
		{"type A{b:Int}", "", false, "", false},
	} {
		op, errs := s.Prepare(everything(), engine.Request{Query: c.query, OperationName: c.name, QueriesOnly: c.getOnly})
		if c.kind != "" && (len(errs) > 0 || op.Kind() != c.kind || op.Name() != c.name) {
			t.Errorf("%q %q: %s", c.query, c.name, show(errs))
		}
		if c.kind == "" && (codeOf(errs) != model.CodeBadUserInput || engine.MethodRefused(errs) != c.method) {
			t.Errorf("%q %q: %s", c.query, c.name, show(errs))
		}
	}
}
