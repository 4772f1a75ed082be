// Package sdl prints a schema in the schema definition language, always with the same bytes.
package sdl

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// Text is the schema in one file: types by name, with descriptions and directives. What every server has
// (introspection, the scalars and directives of the specification) is left out.
func Text(schema *ast.Schema) string {
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatSchema(schema)
	return text.String()
}
