package manifest_test

import (
	"reflect"
	"strings"
	"testing"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/manifest"
)

// The three forms, as the tools write them.
func TestForms(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []engine.Document
	}{
		"Relay": {`{
  "fa52017d18ce5c58a90fb4c6cc2b8a4c": "query A {\n  hello\n}\n",
  "0c6e2f1ac7a3b8fb6c5b4a37a1f9ad5d": "mutation B {\n  increment\n}\n"
}`, []engine.Document{{ID: "0c6e2f1ac7a3b8fb6c5b4a37a1f9ad5d", Text: "mutation B {\n  increment\n}\n"},
			{ID: "fa52017d18ce5c58a90fb4c6cc2b8a4c", Text: "query A {\n  hello\n}\n"}}},
		"GraphQL Code Generator": {`{"b61b879c1eb0040bce65d70c8adfb1ae9360f52f": "query A { hello }"}`,
			[]engine.Document{{ID: "b61b879c1eb0040bce65d70c8adfb1ae9360f52f", Text: "query A { hello }"}}},
		"Apollo": {`{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
  {"id": "e0321f6b438bb42c022f633d38c19549dea9a2d55c908f64c5c6cb8403442fef", "name": "A", "type": "query",
    "body": "query A {\n  hello\n}", "clientName": "web"}]}`,
			[]engine.Document{{ID: "e0321f6b438bb42c022f633d38c19549dea9a2d55c908f64c5c6cb8403442fef", Name: "A",
				Text: "query A {\n  hello\n}"}}},
		"a hash as its id": {`{"sha256:71f7dc5758652baac68e4a10c50be732b741c892ade2883a99358f52b555286b":` +
			`"query($id:ID!){user(id:$id){name}}"}`,
			[]engine.Document{{ID: "sha256:71f7dc5758652baac68e4a10c50be732b741c892ade2883a99358f52b555286b",
				Text: "query($id:ID!){user(id:$id){name}}"}}},
	} {
		got, err := manifest.Parse([]byte(c.text))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

func TestWhatIsNoManifest(t *testing.T) {
	for text, says := range map[string]string{
		``: "no JSON", `[]`: "object", `{}`: "no documents", `{"a":1}`: `"a"`, `{"a":"{x}","a":"{y}"}`: "twice",
		`{"":"{x}"}`: "bytes",
		`{"` + strings.Repeat("x", 257) + `":"{x}"}`:                                         "bytes",
		`{"sha256:00":"{x}"}`:                                                                "not the hash",
		`{"format":"apollo-persisted-query-manifest","version":2,"operations":[]}`:           "version",
		`{"version":1,"operations":[]}`:                                                      "format",
		`{"format":"apollo-persisted-query-manifest","version":1,"operations":{}}`:           "list",
		`{"format":"apollo-persisted-query-manifest","version":1,"operations":[]}`:           "no documents",
		`{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"a"}]}`: "operations[0]",
		`{"format":"apollo-persisted-query-manifest","version":1,"operations":[7]}`:          "operations[0]",
		`{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"a","body":"{x}"},` +
			`{"id":"a","body":"{y}"}]}`: "two documents",
	} {
		if documents, err := manifest.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v %v", text, documents, err)
		}
	}
}
