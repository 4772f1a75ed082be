package engine

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph/model"
)

// needs are the scopes that an operation needs: those of its own fields, and those of what their answers show.
type needs struct{ root, shown model.ScopeSet }

// needsOf returns what each operation of a valid document needs, by its name; nil when no field has a scope of its own.
func needsOf(doc *ast.QueryDocument, schema *ast.Schema,
	scope func(object, field string) model.ScopeSet) map[string]needs {
	if scope == nil {
		return nil
	}
	all := make(map[string]needs, len(doc.Operations))
	for _, operation := range doc.Operations {
		walk := scopeWalk{doc: doc, root: rootOf(schema, operation.Operation), scope: scope, seen: map[spread]bool{}}
		walk.set(operation.SelectionSet, false)
		all[operation.Name] = walk.needs
	}
	return all
}

// scopeWalk goes through what an operation selects, whatever its directives leave out.
type scopeWalk struct {
	doc   *ast.QueryDocument
	root  *ast.Definition
	scope func(object, field string) model.ScopeSet
	seen  map[spread]bool
	needs needs
}

// spread is a fragment in a place where the object itself needs no scope, or in another.
type spread struct {
	name string
	own  bool
}

// set goes through a selection. own: the object is what the operation itself has done, which its caller may see, so
// that only what lies below it counts.
func (w *scopeWalk) set(selections ast.SelectionSet, own bool) {
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			if !own && selection.ObjectDefinition != nil && !strings.HasPrefix(selection.Name, "__") {
				needed := w.scope(selection.ObjectDefinition.Name, selection.Name)
				if selection.ObjectDefinition == w.root {
					w.needs.root |= needed
				} else {
					w.needs.shown |= needed
				}
			}
			w.set(selection.SelectionSet, isOwnAction(selection))
		case *ast.InlineFragment:
			w.set(selection.SelectionSet, own)
		case *ast.FragmentSpread:
			at := spread{selection.Name, own}
			if definition := w.doc.Fragments.ForName(selection.Name); definition != nil && !w.seen[at] {
				w.seen[at] = true
				w.set(definition.SelectionSet, own)
			}
		}
	}
}

// isOwnAction reports whether a field is the action of a payload.
func isOwnAction(field *ast.Field) bool {
	return field.ObjectDefinition != nil && strings.HasSuffix(field.ObjectDefinition.Name, "Payload") &&
		field.Definition != nil && field.Definition.Type.Name() == "Action"
}

// mayAtAll is FORBIDDEN for a caller who may run no operation of the kind, whatever it selects.
func mayAtAll(caller model.Caller, kind ast.Operation) *model.Error {
	held, needed := model.ScopeSetOf(caller.Scopes...), model.ScopeRead
	if kind == ast.Mutation {
		if held.Writes() {
			return nil
		}
		needed = model.ScopeWrite
	} else if held.Reads() {
		return nil
	}
	return model.Errorf(model.CodeForbidden, "The token's scopes do not allow a %s; it needs %s.", kind, needed)
}

// rootOf is the type of an operation's own fields.
func rootOf(schema *ast.Schema, kind ast.Operation) *ast.Definition {
	switch kind {
	case ast.Mutation:
		return schema.Mutation
	case ast.Subscription:
		return schema.Subscription
	default:
		return schema.Query
	}
}

// missing returns what of the needs of an operation its caller does not have. In the answer of a mutation, what may be
// written may be read.
func missing(caller model.Caller, kind ast.Operation, needed needs) model.ScopeSet {
	held := model.ScopeSetOf(caller.Scopes...)
	lacks := needed.root &^ held
	if kind == ast.Mutation {
		held = held.ReadingWhatItWrites()
	}
	return lacks | needed.shown&^held
}
