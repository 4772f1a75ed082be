package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// fenced returns the README's blocks of one language, in order.
func fenced(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, found := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

var curlBody = regexp.MustCompile(`(?s)-d '(.*?)'`)

// The query on the README's first screen gives, on the sample, the answer that is printed below it: the same fields, of
// the same types, with the same words where they do not depend on the day.
func TestReadmeQueryHasItsAnswer(t *testing.T) {
	t.Parallel()
	var body string
	for _, block := range fenced(t, "sh") {
		if found := curlBody.FindStringSubmatch(block); found != nil && strings.Contains(block, "127.0.0.1:8080/graphql") {
			body = found[1]
			break
		}
	}
	printed := fenced(t, "json")
	if body == "" || len(printed) == 0 {
		t.Fatal("README.md has no curl command, or no answer")
	}
	p := start(t, "--data-dir="+t.TempDir(), "--demo")
	r := p.mustSend("POST", "/graphql", []byte(body), "Content-Type", "application/json")
	var want, got any
	if err := json.Unmarshal([]byte(printed[0]), &want); err != nil {
		t.Fatalf("the printed answer: %v", err)
	}
	if err := json.Unmarshal(r.body, &got); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	if differs := sameShape(want, got); differs != "" {
		t.Errorf("%s\nprinted: %s\nanswered: %s", differs, printed[0], r.body)
	}
	for _, text := range regexp.MustCompile(`"text":"([^"]*)"`).FindAllStringSubmatch(printed[0], -1) {
		if all := p.mustSend("POST", "/graphql", []byte(`{"query":"{ tasks(first: 100) { nodes { text } } }"}`),
			"Content-Type", "application/json"); !strings.Contains(string(all.body), text[1]) {
			t.Errorf("the sample has no task %q", text[1])
		}
	}
}

// sameShape says where two answers differ in their fields or types. The first item of a list stands for all; a list
// that the hour of the day has emptied has every shape.
func sameShape(want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok || len(object) != len(want) {
			return fmt.Sprintf("want %v, got %v", want, got)
		}
		for name, value := range want {
			found, there := object[name]
			if !there {
				return name + " is not in the answer"
			}
			if differs := sameShape(value, found); differs != "" {
				return name + ": " + differs
			}
		}
	case []any:
		list, ok := got.([]any)
		if !ok {
			return fmt.Sprintf("want a list, got %v", got)
		}
		for _, item := range list {
			if len(want) > 0 {
				if differs := sameShape(want[0], item); differs != "" {
					return differs
				}
			}
		}
	default:
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) {
			return fmt.Sprintf("want %v, got %v", want, got)
		}
	}
	return ""
}

// Every GraphQL document in the README is one that the server answers. An "…" stands for what the reader fills in.
func TestReadmeDocumentsRun(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo")
	documents := fenced(t, "graphql")
	if len(documents) == 0 {
		t.Fatal("README.md has no GraphQL")
	}
	for _, document := range documents {
		document = strings.ReplaceAll(document, `"…"`, `"`+changeHead(p)+`"`)
		parsed, err := parser.ParseQuery(&ast.Source{Input: document})
		if err != nil {
			t.Errorf("%v\n%s", err, document)
			continue
		}
		if parsed.Operations[0].Operation == ast.Subscription {
			s := p.mustDial("")
			if err := s.subscribe("1", document, nil); err != nil {
				t.Fatal(err)
			}
			p.mustAsk(createTask, map[string]any{"text": document}, &struct{}{})
			if err := s.next(&struct{}{}); err != nil {
				t.Errorf("%v\n%s", err, document)
			}
			continue
		}
		r, a := p.post(document, nil)
		if len(a.Errors) > 0 || strings.Contains(string(a.Data), `"code":"`) {
			t.Errorf("%s\n%s", r.body, document)
		}
		if strings.Contains(document, "confirmation") && strings.Contains(string(a.Data), `"confirmation":null`) {
			t.Errorf("the README says that it asks, and it does not: %s\n%s", r.body, document)
		}
	}
}
