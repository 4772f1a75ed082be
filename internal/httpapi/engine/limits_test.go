package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// nested returns a document in which so many fields stand inside one another.
func nested(depth int) string {
	// person, then friends and nodes in turn, then a connection with two levels or one below it.
	inner, pairs := "totalCount", (depth-3)/2
	if depth%2 == 0 {
		inner, pairs = "pageInfo{hasNextPage}", (depth-4)/2
	}
	return "{person(id:1){" + repeat(pairs, "friends(first:0){nodes{") + "friends(first:0){" + inner + "}" +
		repeat(pairs, "}}") + "}}"
}

func literal(depth int) string {
	return `{echoes(matrix:` + repeat(depth, "[") + repeat(depth, "]") + `)}`
}

// documentOf returns, for a limit, a document that measures exactly the number.
func documentOf(t *testing.T, name string, n int) string {
	t.Helper()
	numbered := func(count int, each func(i int) string) string {
		var b strings.Builder
		for i := range count {
			b.WriteString(each(i))
		}
		return b.String()
	}
	switch name {
	case "tokens":
		return "{hello}" + repeat(n-3, "#\n")
	case "name":
		return "query " + repeat(n, "q") + "{hello}"
	case "depth":
		return nested(n)
	case "valueDepth":
		return literal(n)
	case "aliases":
		return "{person(id:1){" + numbered(n, func(i int) string { return fmt.Sprintf("a%d:name ", i) }) + "}}"
	case "rootFields":
		return "{" + repeat(n, "hello ") + "}"
	case "directives":
		return "{person(id:1){" + repeat(n, "name @include(if:true) ") + "}}"
	case "definitions":
		return "{...f0}" + numbered(n-2, func(i int) string { return fmt.Sprintf("fragment f%d on Query{...f%d}", i, i+1) }) +
			fmt.Sprintf("fragment f%d on Query{hello}", n-2)
	case "introspection":
		return "{__type(name:\"Person\"){" + repeat(n, "fields{type{") + "name" + repeat(n, "}}") + "}}"
	default:
		t.Fatalf("no document for the limit %s", name)
		return ""
	}
}

func TestEachLimitAtItsNumberAndOneBeyond(t *testing.T) {
	s := newServer(t, nil)
	for _, limit := range s.Limits().Table() {
		if limit.Name == "overlap" || limit.Name == "cost" || limit.Name == "fields" {
			continue // see TestCost, TestOverlapBudget and TestFieldsOfManyTypes
		}
		t.Run(limit.Name, func(t *testing.T) {
			if _, errs, refused := s.run(t, documentOf(t, limit.Name, int(limit.Max)), ""); refused &&
				codeOf(errs) != model.CodeBadUserInput {
				t.Errorf("at the limit: %s", show(errs))
			}
			_, errs, refused := s.run(t, documentOf(t, limit.Name, int(limit.Max)+1), "")
			if !refused || codeOf(errs) != limit.Code || errs[0].Extensions["limit"] != limit.Name ||
				errs[0].Extensions["measured"] != limit.Max+1 || errs[0].Extensions["allowed"] != limit.Max {
				t.Errorf("one beyond: refused %v, %s", refused, show(errs))
			}
		})
	}
}

func TestCost(t *testing.T) {
	s := newServer(t, nil)
	for _, c := range []struct {
		name, query, variables string
		tenths                 int64
	}{
		{"a leaf", "{hello}", "", 1},
		{"an object", "{person(id:1){name age}}", "", 10 + 2},
		{"edges are as many as the page", "{people(first:10){edges{node{id name}}}}", "", 10 + 10 + 10*(10+2)},
		{"page facts count once", "{people(first:10){totalCount pageInfo{hasNextPage}}}", "", 10 + 1 + 10 + 1},
		{"no page size means 50", "{people{nodes{id}}}", "", 10 + 10 + 50},
		{"the argument's default counts", "{person(id:1){friends{nodes{id}}}}", "", 10 + 10 + 10 + 50},
		{"last counts like first", "{people(last:7){nodes{id}}}", "", 10 + 10 + 7},
		{"the larger of both counts", "{people(first:3 last:7){nodes{id}}}", "", 10 + 10 + 7},
		{"null means 50", "{people(first:null){nodes{id}}}", "", 10 + 10 + 50},
		{"a variable", "query($n:Int){people(first:$n){nodes{id}}}", `{"n":20}`, 10 + 10 + 20},
		{"a variable left out", "query($n:Int){people(first:$n){nodes{id}}}", `{}`, 10 + 10 + 50},
		{"a variable's default", "query($n:Int=5){people(first:$n){nodes{id}}}", `{}`, 10 + 10 + 5},
		{"a variable beside a literal", "query($n:Int){people(first:$n,last:9){nodes{id}}}", `{"n":2}`, 10 + 10 + 9},
		{"pages multiply", "{people(first:10){nodes{friends(first:10){nodes{id}}}}}", "", 10 + 10 + 10*(10+10+10)},
		{"through fragments",
			"{people(first:10){...c}}fragment c on PersonConnection{nodes{...p}}fragment p on Person{id name}", "",
			10 + 10 + 10*2},
		{"through inline fragments", "{people(first:10){...{nodes{... on Person{id}}}}}", "", 10 + 10 + 10},
		{"a list without pages", "{pets{__typename}}", "", 10 + 10},
		{"ids", `{nodes(ids:["person_1","person_2","person_3"]){id name}}`, "", 10 + 3*2},
		{"ids in a variable", `query($ids:[ID!]!){nodes(ids:$ids){id}}`, `{"ids":["person_1","person_2"]}`, 10 + 2},
		{"ids as a single value", `query($ids:[ID!]!){nodes(ids:$ids){id}}`, `{"ids":"person_1"}`, 10 + 1},
		{"introspection", `{__schema{queryType{name}}}`, "", 10 * (engine.IntrospectionCost + 2)},
		{"repetition", "{person(id:1){name name name}}", "", 10 + 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			cost := (c.tenths + 9) / 10
			at := newServer(t, func(cfg *engine.Config) { cfg.Limits.Cost = cost })
			if _, errs := at.prepare(t, c.query, c.variables); len(errs) > 0 {
				t.Errorf("at its cost of %d: %s", cost, show(errs))
			}
			below := newServer(t, func(cfg *engine.Config) { cfg.Limits.Cost = cost - 1 })
			if cost == 1 {
				return // a limit of 0 would mean the default
			}
			_, errs, refused := below.run(t, c.query, c.variables)
			if !refused || errs[0].Extensions["limit"] != "cost" || errs[0].Extensions["measured"] != cost {
				t.Errorf("below its cost of %d: refused %v, %s", cost, refused, show(errs))
			}
		})
	}
	// The number itself: 1 + 1 + 100×(1 + 1 + 98) is beyond, 1 + 1 + 100×(1 + 1 + 97.9) is not.
	if _, errs, refused := s.run(t, "{people(first:100){nodes{friends(first:979){nodes{id}}}}}", ""); refused {
		t.Errorf("cost 9992: %s", show(errs))
	}
	if _, errs, refused := s.run(t, "{people(first:100){nodes{friends(first:980){nodes{id}}}}}", ""); !refused ||
		errs[0].Extensions["measured"] != int64(10_002) {
		t.Errorf("cost 10002: refused %v, %s", refused, show(errs))
	}
}

func TestCostIsComputedForEveryRequestOfAKeptDocument(t *testing.T) {
	s := newServer(t, nil)
	query := "query($n:Int){people(first:$n){nodes{friends(first:$n){nodes{id}}}}}"
	for _, n := range []int{10, 1000, 10, 2000} {
		_, errs, refused := s.run(t, query, fmt.Sprintf(`{"n":%d}`, n))
		if refused != (n >= 1000) {
			t.Errorf("pages of %d: refused %v, %s", n, refused, show(errs))
		}
	}
}

func TestPageSizesThatAreNone(t *testing.T) {
	s := newServer(t, nil)
	for variables, code := range map[string]model.ErrorCode{
		`{"n":-5}`:                  "",
		`{"n":1e400}`:               model.CodeQueryTooExpensive,
		`{"n":-1e400}`:              model.CodeBadUserInput,
		`{"n":9223372036854775808}`: model.CodeQueryTooExpensive,
		`{"n":"x"}`:                 model.CodeBadUserInput,
		`{"n":{}}`:                  model.CodeBadUserInput,
		`{"n":[]}`:                  model.CodeBadUserInput,
	} {
		_, errs, _ := s.run(t, "query($n:Int){people(first:$n){nodes{id}}}", variables)
		if codeOf(errs) != code {
			t.Errorf("%s: %s", variables, show(errs))
		}
	}
}
