package engine_test

import (
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Fields of an interface meet those of every object type, so each level here doubles the work. The budget ends it; a
// level fewer than it takes passes.
func TestOverlapBudget(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		interface N { n: N x: Int }
		type A implements N { n: N x: Int }
		type B implements N { n: N x: Int }
		type Query { n: N }`})
	document := func(levels int) string {
		set := "x"
		for range levels {
			set = "...on A{n{x}}...on B{n{x}}n{" + set + "}"
		}
		return "{n{" + set + "}}"
	}
	if err := engine.Overlaps(schema, mustParse(t, schema, document(8))); err != nil {
		t.Errorf("8 levels: %v", err)
	}
	err := engine.Overlaps(schema, mustParse(t, schema, document(40)))
	if err == nil || engine.CodeOf(err) != model.CodeQueryTooExpensive || !strings.Contains(err.Message, "overlap") {
		t.Errorf("40 levels: %v", err)
	}
}
