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
		directive @cost(weight: Int, size: Int) on FIELD_DEFINITION
		type Query { cheap: Int  dear: [Float!] @cost(weight: 80)  things(first: Int): [Thing!]!
			few: [Thing!]! @cost(size: 3)  some: [Thing!]! }
		type Thing { name: String  vector: [Float!] @cost(weight: 80)  past(first: Int = 10): [Thing!]! @cost(weight: 50)
			parts: [Thing!]! @cost(weight: 2, size: 4) }`})
	if err != nil {
		t.Fatal(err)
	}
	// In tenths.
	for query, want := range map[string]int64{
		`{ cheap }`:                         1,
		`{ dear }`:                          800,
		`{ a: dear b: dear cheap }`:         1601,
		`{ things(first: 100) { name } }`:   10 + 100,
		`{ things(first: 100) { vector } }`: 10 + 100*800,
		// A deferred fragment counts as an object.
		`{ things(first: 9) { name ... @defer { name } } }`:                 10 + 9*(1+10+1),
		`{ things(first: 9) { ...T @defer } } fragment T on Thing { name }`: 10 + 9*(10+1),
		`{ things(first: 9) { name ... @defer(if: false) { name } } }`:      10 + 9*2,
		`{ things(first: 100) { past(first: 2) { name } } }`:                10 + 100*(500+2),
		`{ things(first: 3) { past { vector } } }`:                          10 + 3*(500+10*800),
		`{ ...f } fragment f on Query { things(first: 2) { vector } }`:      10 + 2*800,
		`{ some { name } }`: 10 + 10,
		`{ few { name } }`:  10 + 3,
		`{ things(first: 50) { parts { name vector } } }`: 10 + 50*(20+4*(1+800)),
	} {
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			t.Fatal(err)
		}
		fragments := map[string]*ast.FragmentDefinition{}
		for _, fragment := range doc.Fragments {
			fragments[fragment.Name] = fragment
		}
		if got := planCosts(schema, doc, fragments).tenths(doc.Operations[0], nil); got != want {
			t.Errorf("%s costs %d, want %d", query, got, want)
		}
	}
}
