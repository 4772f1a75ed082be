package engine_test

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// introspection is what GraphiQL and other tools send: every option of graphql-js 16, types nine levels deep.
//
//go:embed testdata/introspection.graphql
var introspection string

func TestTheIntrospectionOfToolsPasses(t *testing.T) {
	data, errs, refused := newServer(t, nil).run(t, introspection, "")
	if refused || len(errs) > 0 {
		t.Fatal(show(errs))
	}
	var answer struct {
		Schema struct {
			Types      []struct{ Name string }
			Directives []struct{ Name string }
		} `json:"__schema"`
	}
	if err := json.Unmarshal([]byte(data), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Schema.Types) < 15 {
		t.Errorf("%d types", len(answer.Schema.Types))
	}
	names := map[string]bool{}
	for _, directive := range answer.Schema.Directives {
		names[directive.Name] = true
	}
	if !names["defer"] || !names["include"] || !names["oneOf"] {
		t.Errorf("directives: %v", names)
	}
}

func TestAnEngineNeedsASchema(t *testing.T) {
	if _, err := engine.New(engine.Config{}); err == nil {
		t.Error("an engine without a schema")
	}
}

func TestIntrospectionOff(t *testing.T) {
	s := newServer(t, quiet)
	for _, query := range []string{
		introspection,
		"{__schema{queryType{name}}}",
		`{__type(name:"Person"){name}}`,
		"{a:__schema{queryType{name}}}",
		"{...{...f}}fragment f on Query{__schema{queryType{name}}}",
		"query a{hello}query b{__schema{queryType{name}}}",
	} {
		data, errs, refused := s.run(t, query, "")
		if !refused || codeOf(errs) != model.CodeBadUserInput || strings.Contains(show(errs), "Person") {
			t.Errorf("%s: %s %s", query, data, show(errs))
		}
	}
	if data, errs, _ := s.run(t, "{__typename person(id:1){__typename}}",
		""); data != `{"__typename":"Query","person":{"__typename":"Person"}}` {
		t.Errorf("%s %s", data, show(errs))
	}
}

// Names that are nearly right, each of which would be suggested in an error.
var nearly = map[string]string{
	"{helo}":                             "hello",
	"{person(id:1){nam}}":                "name",
	"{hello(nam:\"a\")}":                 "name",
	"{hello(nome:\"a\")}":                "name",
	"{echoes(color:GREN)}":               "GREEN",
	"{echoes(color:\"GREEN\")}":          "GREEN",
	"{echo(input:{tex:\"a\"}){text}}":    "text",
	"{...f}fragment f on Qery{hello}":    "Query",
	"query($c:Colour){echoes(color:$c)}": "",
	"{person}":                           "person { ... }",
	"{hello @skp(if:true)}":              "",
	"{hello @skip(fi:true)}":             "",
	"{fail(how:PLAN)}":                   "PLAIN",
	"{pets{name}}":                       "Cat",
}

func TestSuggestionsOnlyWithIntrospection(t *testing.T) {
	open, quiet := newServer(t, nil), newServer(t, quiet)
	for query, suggestion := range nearly {
		_, errs, _ := open.run(t, query, "")
		if text := show(errs); suggestion != "" &&
			(!strings.Contains(text, "Did you mean") || !strings.Contains(text, suggestion)) {
			t.Errorf("open, %s: %s", query, text)
		}
		_, errs, refused := quiet.run(t, query, "")
		text := strings.ToLower(show(errs))
		if !refused || strings.Contains(text, "did you mean") {
			t.Errorf("quiet, %s: %s", query, text)
		}
	}
}

func TestSpansOfOperations(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	s := newServer(t, func(cfg *engine.Config) { cfg.Tracer = trace.NewTracerProvider(trace.WithSpanProcessor(recorder)) })
	s.run(t, "query Good($private:String){hello(name:$private)}", `{"private":"private"}`)
	s.run(t, "mutation Bad{incrementAndFail(how:PLAIN)}", "")
	spans := recorder.Ended()
	if len(spans) != 2 || spans[0].Name() != "graphql query" || spans[0].Status().Code != codes.Unset ||
		spans[1].Name() != "graphql mutation" || spans[1].Status().Code != codes.Error ||
		spans[1].Status().Description != "INTERNAL" {
		t.Fatalf("%+v", spans)
	}
	for _, span := range spans {
		for _, attribute := range span.Attributes() {
			if strings.Contains(attribute.Value.String(), "private") {
				t.Errorf("%v", attribute)
			}
		}
	}
}
