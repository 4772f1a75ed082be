package engine

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Usage is what an admitted request uses of the schema, and who says that they send it. The names are the client's own
// words, unbounded but for the limits on names and headers.
type Usage struct {
	// Operation is the operation's name, "" when it has none.
	Operation string
	// Client and Version are what the client calls itself, "" when it does not say.
	Client, Version string
	// Deprecated are the schema coordinates of what is deprecated: "Type.field", "Type.field(argument:)".
	Deprecated []string
}

// ownClient stands for the server itself, which sends the documents of /mcp and /agent/chat.
const ownClient = "almanac"

func (o *operation) usage(request Request, document *admitted) Usage {
	usage := Usage{Operation: o.Name(), Client: request.Client, Version: request.ClientVersion,
		Deprecated: document.deprecated[o.Name()]}
	if request.Own {
		usage.Client, usage.Version = ownClient, ""
	}
	return usage
}

// deprecatedIn returns the coordinates of deprecated fields and arguments by the names of a valid document's
// operations; nil when there are none.
func deprecatedIn(doc *ast.QueryDocument) map[string][]string {
	var found map[string][]string
	for _, operation := range doc.Operations {
		walk := deprecations{doc: doc, seen: map[string]bool{}}
		walk.set(operation.SelectionSet)
		if len(walk.found) == 0 {
			continue
		}
		if found == nil {
			found = map[string][]string{}
		}
		slices.Sort(walk.found)
		found[operation.Name] = slices.Compact(walk.found)
	}
	return found
}

type deprecations struct {
	doc   *ast.QueryDocument
	seen  map[string]bool
	found []string
}

const deprecatedDirective = "deprecated"

func (d *deprecations) set(set ast.SelectionSet) {
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			d.field(selection)
			d.set(selection.SelectionSet)
		case *ast.InlineFragment:
			d.set(selection.SelectionSet)
		case *ast.FragmentSpread:
			if fragment := d.doc.Fragments.ForName(selection.Name); fragment != nil && !d.seen[selection.Name] {
				d.seen[selection.Name] = true
				d.set(fragment.SelectionSet)
			}
		}
	}
}

func (d *deprecations) field(field *ast.Field) {
	if field.Definition == nil || field.ObjectDefinition == nil {
		return
	}
	coordinate := field.ObjectDefinition.Name + "." + field.Name
	if field.Definition.Directives.ForName(deprecatedDirective) != nil {
		d.found = append(d.found, coordinate)
	}
	for _, argument := range field.Arguments {
		definition := field.Definition.Arguments.ForName(argument.Name)
		if definition != nil && definition.Directives.ForName(deprecatedDirective) != nil {
			d.found = append(d.found, coordinate+"("+argument.Name+":)")
		}
	}
}
