package engine_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"
)

const (
	trustedQuery    = "query Greet($name: String) { hello(name: $name) }"
	trustedMutation = "mutation Count { increment }"
)

func trusting(only bool) func(*engine.Config) {
	return func(cfg *engine.Config) {
		cfg.DocumentsOnly = only
		cfg.Documents = []engine.Document{{ID: "greet", Text: trustedQuery}, {ID: "count", Text: trustedMutation}}
	}
}

func hexOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// A trusted document runs by its id, by its hash in the form of the specification, and as Apollo's clients name it.
func TestTrustedDocuments(t *testing.T) {
	for _, only := range []bool{false, true} {
		s := newServer(t, trusting(only))
		persisted := func(hash string) map[string]any {
			return map[string]any{"persistedQuery": map[string]any{"version": json.Number("1"), "sha256Hash": hash}}
		}
		for name, request := range map[string]engine.Request{
			"id":               {DocumentID: "greet"},
			"hash":             {DocumentID: "sha256:" + hexOf(trustedQuery)},
			"Apollo's id":      {Extensions: persisted("greet")},
			"persisted hash":   {Extensions: persisted(hexOf(trustedQuery))},
			"the whole":        {Query: trustedQuery},
			"whole, with hash": {Query: trustedQuery, Extensions: persisted(hexOf(trustedQuery))},
		} {
			request.Variables = map[string]any{"name": "you"}
			op, errs := s.Prepare(everything(), request)
			if len(errs) > 0 {
				t.Errorf("%s: %s", name, show(errs))
				continue
			}
			if answer := op.Execute(everything()); string(answer.Data) != `{"hello":"hello, you"}` {
				t.Errorf("%s: %s", name, answer.Data)
			}
		}
		for _, id := range []string{"other", "sha256:" + hexOf("{hello}"), "GREET"} {
			if _, errs := s.Prepare(everything(), engine.Request{DocumentID: id}); !unknown(errs) {
				t.Errorf("%s: %s", id, show(errs))
			}
		}
		if _, errs := s.Prepare(everything(), engine.Request{DocumentID: "greet", Query: trustedQuery}); codeOf(errs) !=
			model.CodeBadUserInput {
			t.Errorf("a query beside the id: %s", show(errs))
		}
		if _, errs := s.Prepare(asCaller(model.ScopeRead), engine.Request{DocumentID: "count"}); codeOf(errs) !=
			model.CodeForbidden {
			t.Errorf("a mutation with a token that reads: %s", show(errs))
		}
		if _, errs := s.Prepare(context.Background(), engine.Request{DocumentID: "greet"}); codeOf(errs) !=
			model.CodeUnauthenticated {
			t.Errorf("a stranger: %s", show(errs))
		}
		_, errs := s.Prepare(everything(), engine.Request{DocumentID: "count", QueriesOnly: true})
		if !engine.MethodRefused(errs) {
			t.Errorf("a mutation by GET: %s", show(errs))
		}
	}
}

// Where only trusted documents are served, no other runs, however it comes, but for the server's own.
func TestOnlyTrustedDocuments(t *testing.T) {
	s := newServer(t, trusting(true))
	const other = "{hello}"
	for name, request := range map[string]engine.Request{
		"a document":      {Query: other},
		"with its hash":   {Query: other, Extensions: byHash(other)},
		"almost the same": {Query: trustedQuery + " "},
		"introspection":   {Query: "{__schema{queryType{name}}}"},
		"no GraphQL":      {Query: "{"},
	} {
		if _, errs := s.Prepare(everything(), request); codeOf(errs) != model.CodeBadUserInput ||
			!strings.Contains(errs[0].Message, "documentId") {
			t.Errorf("%s: %s", name, show(errs))
		}
	}
	if _, errs := s.Prepare(everything(), engine.Request{Extensions: byHash(other)}); !unknown(errs) {
		t.Errorf("by a hash: %s", show(errs))
	}
	if _, errs := s.Prepare(everything(), engine.Request{Query: other, Own: true}); len(errs) > 0 {
		t.Errorf("the server's own: %s", show(errs))
	}
}

// A document that could never run stops the start, with its name and its reason.
func TestATrustedDocumentThatIsRefused(t *testing.T) {
	friends := "nodes{friends(first:100){nodes{friends(first:100){nodes{friends(first:100){nodes{id}}}}}}}"
	_, err := engine.New(engine.Config{Schema: testschema.New(&testschema.Resolver{}),
		Documents: []engine.Document{
			{ID: "a", Name: "Broken", Text: "{"}, {ID: "b", Text: "{nothing}"},
			{ID: "c", Name: "Dear", Text: "query Dear($n:Int!){people(first:$n){" + friends + "}}"},
			{ID: "d", Name: "Deep", Text: nested(16)}, {ID: "e", Name: "Good", Text: "{hello}"},
		}})
	if err == nil {
		t.Fatal("the engine starts")
	}
	for _, says := range []string{`"Broken": Syntax error`, `"b": Cannot query field`,
		`"Dear": The query is too expensive: it costs`,
		`"Deep": The query is too expensive: depth`} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("no %s in\n%v", says, err)
		}
	}
	if strings.Contains(err.Error(), "Good") {
		t.Errorf("a good document is named: %v", err)
	}
}

// A document that fits with small pages is served, and the log says that it has to be asked with them.
func TestATrustedDocumentWithSmallPages(t *testing.T) {
	text := "query Pages($n:Int){people(first:$n){nodes{friends(first:$n){nodes{friends(first:$n){nodes{id}}}}}}}"
	s := newServer(t, func(cfg *engine.Config) { cfg.Documents = []engine.Document{{ID: "pages", Text: text}} })
	if !strings.Contains(s.log.String(), "pages") || !strings.Contains(s.log.String(), "small") {
		t.Errorf("the log: %s", s.log)
	}
	for size, refused := range map[string]bool{"2": false, "100": true} {
		_, errs := s.Prepare(everything(), engine.Request{DocumentID: "pages",
			Variables: map[string]any{"n": json.Number(size)}})
		if refused != (codeOf(errs) == model.CodeQueryTooExpensive) || !refused && len(errs) > 0 {
			t.Errorf("%s: %s", size, show(errs))
		}
	}
}

// Trusted documents are ready before the first request: no flood of other documents makes one parse again.
func TestTrustedDocumentsAreCompiled(t *testing.T) {
	s := newServer(t, func(cfg *engine.Config) {
		cfg.Limits.DocumentBytes = 10_000
		cfg.Documents = []engine.Document{
			{ID: "a", Text: "query A($x: Boolean!, $y: Boolean!) { hello @include(if: $x) whoami @skip(if: $y) }"}}
	})
	if plans := s.TrustedPlans("a"); plans != 4 {
		t.Errorf("%d plans", plans)
	}
	for i := range 100 {
		if _, _, refused := s.run(t, fmt.Sprintf("query q%d{hello}", i), ""); refused {
			t.Fatal("refused")
		}
	}
	if _, errs := s.Prepare(everything(),
		engine.Request{DocumentID: "a", Variables: map[string]any{"x": true, "y": true}}); len(errs) > 0 {
		t.Fatal(show(errs))
	}
	if plans := s.TrustedPlans("a"); plans != 4 {
		t.Errorf("%d plans", plans)
	}
}
