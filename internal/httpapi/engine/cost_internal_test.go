package engine

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// A field whose schema says what it counts for counts for that, wherever it stands, and lists multiply it.
func TestFieldsCountForWhatTheSchemaSays(t *testing.T) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: `
		directive @cost(weight: Int!) on FIELD_DEFINITION
		type Query { cheap: Int  dear: [Float!] @cost(weight: 80)  things(first: Int): [Thing!]! }
		type Thing { name: String  vector: [Float!] @cost(weight: 80)  past(first: Int = 10): [Thing!]! @cost(weight: 50) }`})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int64{
		`{ cheap }`:                         1,
		`{ dear }`:                          80,
		`{ a: dear b: dear cheap }`:         161,
		`{ things(first: 100) { name } }`:   1 + 100,
		`{ things(first: 100) { vector } }`: 1 + 100*80,
		`{ things(first: 100) { past(first: 2) { name } } }`:           1 + 100*(50+2),
		`{ things(first: 3) { past { vector } } }`:                     1 + 3*(50+10*80),
		`{ ...f } fragment f on Query { things(first: 2) { vector } }`: 1 + 2*80,
	} {
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			t.Fatal(err)
		}
		fragments := map[string]*ast.FragmentDefinition{}
		for _, fragment := range doc.Fragments {
			fragments[fragment.Name] = fragment
		}
		if got := planCosts(schema, doc, fragments).cost(doc.Operations[0], nil); got != want {
			t.Errorf("%s costs %d, want %d", query, got, want)
		}
	}
}
