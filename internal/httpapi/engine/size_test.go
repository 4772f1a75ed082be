package engine_test

import (
	"runtime"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// A document just below the limit on cost whose answer is larger than an answer may be is refused while it is written,
// and nothing of it is kept, with plans and without them.
func TestAnswersAreBounded(t *testing.T) {
	const query = "{people(first:29){nodes{friends(first:20){nodes{friends(first:50){nodes{id name tags}}}}}}}"
	for _, executor := range []bool{false, true} {
		whole := newServer(t, func(cfg *engine.Config) { cfg.Executor = executor })
		op, errs := whole.Prepare(everything(), engine.Request{Query: query, ShowCost: true})
		if len(errs) > 0 {
			t.Fatal(show(errs))
		}
		answer := op.Execute(everything())
		size := int64(len(answer.Data))
		cost := answer.Extensions["cost"].(map[string]int64)
		if size < 100_000 || len(answer.Errors) > 0 || cost["requested"] < cost["limit"]*9/10 {
			t.Fatalf("%d bytes, %v, %s", size, cost, show(answer.Errors))
		}
		for limit, refused := range map[int64]bool{size: false, size - 2: true, size / 2: true, 5_000: true} {
			s := newServer(t, func(cfg *engine.Config) { cfg.Executor, cfg.Limits.AnswerBytes = executor, limit })
			op, errs := s.Prepare(everything(), engine.Request{Query: query})
			if len(errs) > 0 {
				t.Fatal(show(errs))
			}
			answer := op.Execute(everything())
			if !refused {
				if len(answer.Errors) > 0 || int64(len(answer.Data)) != size {
					t.Errorf("%d: %d bytes, %s", limit, len(answer.Data), show(answer.Errors))
				}
				continue
			}
			if codeOf(answer.Errors) != model.CodeQueryTooExpensive || len(answer.Errors) != 1 ||
				answer.Errors[0].Extensions["limit"] != "answer" || string(answer.Data) != "null" || op.Body() != nil {
				t.Errorf("%d: %.100s %s", limit, answer.Data, show(answer.Errors))
			}
			op.Release()
			if strings.Contains(s.log.String(), "panic") {
				t.Errorf("the log: %s", s.log)
			}
		}
	}
}

// The published bound ends an answer of more than 100 MB, and its memory is free afterwards.
func TestAnswersAreRefusedWhileTheyAreWritten(t *testing.T) {
	s := newServer(t, nil)
	op, errs := s.Prepare(everything(), engine.Request{
		Query:     "query($n:String!){" + numbered(20, "a%d:hello(name:$n) ") + "}",
		Variables: map[string]any{"n": strings.Repeat("\x01", 900_000)}, // six bytes each, once they are escaped
	})
	if len(errs) > 0 {
		t.Fatal(show(errs))
	}
	before := heap()
	answer := op.Execute(everything())
	if codeOf(answer.Errors) != model.CodeQueryTooExpensive {
		t.Fatalf("%d bytes, %s", len(answer.Data), show(answer.Errors))
	}
	op.Release()
	if after := heap(); after > before+(8<<20) {
		t.Errorf("%d bytes are kept", after-before)
	}
	runtime.KeepAlive(op)
}

// What a mutation has done is not undone by the size of its answer, and the operation can be run again.
func TestALargeAnswerOfAMutation(t *testing.T) {
	s := newServer(t, func(cfg *engine.Config) { cfg.Limits.AnswerBytes = 5_000 })
	op, errs := s.Prepare(everything(), engine.Request{Query: "mutation($t:String!){increment send(text:$t)}",
		Variables: map[string]any{"t": strings.Repeat("x", 10_000)}})
	if len(errs) > 0 {
		t.Fatal(show(errs))
	}
	for range 2 {
		if answer := op.Execute(everything()); codeOf(answer.Errors) != model.CodeQueryTooExpensive ||
			!strings.Contains(answer.Errors[0].Message, "stays changed") {
			t.Errorf("%.100s %s", answer.Data, show(answer.Errors))
		}
	}
	if n := s.resolver.Counter.Load(); n != 2 {
		t.Errorf("%d changes", n)
	}
}
