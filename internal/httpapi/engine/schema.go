package engine

import (
	"maps"

	"github.com/vektah/gqlparser/v2/ast"
)

// deferDirective is the directive that every schema of gqlparser has and that this server does not serve: a client
// that accepts only JSON would lose what is deferred for good.
const deferDirective = "defer"

// Offered returns the schema as the server offers it: without @defer. Put it into the generated Config.Schema, so that
// introspection tells the same.
func Offered(schema *ast.Schema) *ast.Schema {
	offered := *schema
	offered.Directives = maps.Clone(schema.Directives)
	delete(offered.Directives, deferDirective)
	return &offered
}
