package engine_test

import (
	"context"
	"testing"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
)

// What an operation says of its reach is held against what then runs.
func TestReachIsThatOfTheFieldsThatRun(t *testing.T) {
	const fragments = `fragment Own on Mutation{increment} fragment Far on Mutation{send(text:"x")}`
	for _, c := range []struct {
		query, variables, operation string
		want                        engine.Reach
		// own and remote are how many fields run.
		own, remote int
	}{
		{`{hello}`, "", "", engine.ReachOwn, 0, 0},
		{`query{...on Query{hello}}`, "", "", engine.ReachOwn, 0, 0},
		{`mutation{increment}`, "", "", engine.ReachOwn, 1, 0},
		{`mutation{__typename}`, "", "", engine.ReachOwn, 0, 0},
		{`mutation{send(text:"x")}`, "", "", engine.ReachRemote, 0, 1},
		{`mutation{send(text:"x") send(text:"x")}`, "", "", engine.ReachRemote, 0, 1},
		{`mutation{a:send(text:"x") b:send(text:"y") __typename}`, "", "", engine.ReachRemote, 0, 2},
		{`mutation{increment send(text:"x")}`, "", "", engine.ReachMixed, 1, 1},
		{`mutation{send:increment}`, "", "", engine.ReachOwn, 1, 0},
		{`mutation{increment:send(text:"x")}`, "", "", engine.ReachRemote, 0, 1},

		{`mutation{...Far ...Far} fragment Far on Mutation{send(text:"x")}`, "", "", engine.ReachRemote, 0, 1},
		{`mutation F{...Far} query Q{hello} mutation O{...Own} ` + fragments, "", "F", engine.ReachRemote, 0, 1},
		{`mutation F{...Far} query Q{hello} mutation O{...Own} ` + fragments, "", "O", engine.ReachOwn, 1, 0},
		{`mutation F{...Far} query Q{hello} mutation O{...Own} ` + fragments, "", "Q", engine.ReachOwn, 0, 0},
		{`mutation{...{...on Mutation{...Far}} ...Own} ` + fragments, "", "", engine.ReachMixed, 1, 1},
		{`mutation{...Far @skip(if:true) ...Own} ` + fragments, "", "", engine.ReachOwn, 1, 0},
		{`mutation{...Far ...Own @include(if:false)} ` + fragments, "", "", engine.ReachRemote, 0, 1},
		{`mutation{...Far @skip(if:true) ...Own @skip(if:true) __typename} ` + fragments, "", "", engine.ReachOwn, 0, 0},
		{`mutation{...Far @skip(if:true) ...Far ...Own} ` + fragments, "", "", engine.ReachMixed, 1, 1},
		{`mutation M($far:Boolean!){increment@skip(if:$far) send(text:"x")@include(if:$far)}`, `{"far":true}`, "",
			engine.ReachRemote, 0, 1},
		{`mutation M($far:Boolean!){increment@skip(if:$far) send(text:"x")@include(if:$far)}`, `{"far":false}`, "",
			engine.ReachOwn, 1, 0},
		{
			`mutation M($far:Boolean!,$own:Boolean=true){...@include(if:$far){send(text:"x")} ...Own @include(if:$own)} ` +
				`fragment Own on Mutation{increment}`, `{"far":true}`, "", engine.ReachMixed, 1, 1},
		{
			`mutation M($far:Boolean!,$own:Boolean=true){...@include(if:$far){send(text:"x")} ...Own @include(if:$own)} ` +
				`fragment Own on Mutation{increment}`, `{"far":true,"own":false}`, "", engine.ReachRemote, 0, 1},
		{`mutation M($own:Boolean=false){send(text:"x") increment @include(if:$own)}`, "", "", engine.ReachRemote, 0, 1},
	} {
		s := newServer(t, nil)
		remote := 0
		s.resolver.Remote = func(context.Context, string) (string, error) { remote++; return "", nil }
		req := engine.Request{Query: c.query, OperationName: c.operation}
		if c.variables != "" {
			value, err := request.ParseJSON([]byte(c.variables))
			if err != nil {
				t.Fatal(err)
			}
			req.Variables = value.(map[string]any)
		}
		for range 2 { // the second from the documents that are kept
			op, errs := s.Prepare(everything(), req)
			if len(errs) > 0 {
				t.Errorf("%s: %s", c.query, show(errs))
				break
			}
			remote = 0
			own := s.resolver.Counter.Load()
			if got := op.Reach(); got != c.want {
				t.Errorf("%s: reach %d, want %d", c.query, got, c.want)
			}
			if remote != 0 || s.resolver.Counter.Load() != own {
				t.Errorf("%s: asking ran something", c.query)
			}
			if response := op.Execute(everything()); len(response.Errors) > 0 {
				t.Errorf("%s: %s", c.query, show(response.Errors))
			}
			if got := int(s.resolver.Counter.Load() - own); got != c.own || remote != c.remote {
				t.Errorf("%s: %d own fields and %d remote ones ran", c.query, got, remote)
			}
		}
	}
}
