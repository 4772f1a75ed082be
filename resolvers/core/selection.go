package core

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/graph/plan"
)

// Selection is the set of fields asked for at one place of the document, fragments merged.
type Selection struct {
	Op     *graphql.OperationContext
	Fields []graphql.CollectedField
	// compact: these stand below something whose compact text is asked for, which shows columns of them that nobody
	// selects.
	Compact bool
}

// satisfied is, for each object type of the schema, itself with the interfaces and unions that it belongs to.
var satisfied = sync.OnceValue(func() map[string][]string {
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	out := make(map[string][]string, len(schema.Types))
	for name, definition := range schema.Types {
		if definition.Kind != ast.Object {
			continue
		}
		out[name] = []string{name}
		for _, abstract := range schema.Implements[name] {
			out[name] = append(out[name], abstract.Name)
		}
	}
	return out
})

// typesOf returns the object type with what it implements, for fragments on either.
func typesOf(object string) []string { return satisfied()[object] }

// Selected returns what is asked for below the field being resolved, which gives the object type named.
func Selected(ctx context.Context, object string) Selection {
	return Selection{Op: graphql.GetOperationContext(ctx), Fields: graphql.CollectFieldsCtx(ctx, typesOf(object))}
}

// Answered returns what is asked for below the field being resolved, by the object type that the schema gives it.
func Answered(ctx context.Context) Selection {
	return Selected(ctx, graphql.GetFieldContext(ctx).Field.Definition.Type.Name())
}

// Asked returns what f makes of the selection below the field being resolved, by the object type that the schema gives
// it. A plan keeps it for all requests of a document, so f may look at which fields are selected and at nothing else:
// neither at their arguments nor at the caller.
func Asked[T any](ctx context.Context, f func(Selection) T) T {
	return plan.Once(ctx, func() T { return f(Answered(ctx)) })
}

// Under merges what is asked for below every field of that name (a field may come several times, under aliases).
func (s Selection) Under(name, object string) Selection {
	out := Selection{Op: s.Op, Compact: s.Compact || s.Has("compact")}
	for _, field := range s.Fields {
		if field.Name == name {
			out.Fields = append(out.Fields, graphql.CollectFields(s.Op, field.Selections, typesOf(object))...)
		}
	}
	return out
}

// Has reports whether any of the fields is asked for.
func (s Selection) Has(names ...string) bool {
	for _, field := range s.Fields {
		for _, name := range names {
			if field.Name == name {
				return true
			}
		}
	}
	return false
}

// Columns returns what is needed of a record for the fields asked of it and of its itemContext, whose type is named (""
// for a record without one), and for its compact text, by the record's table of columns.
func Columns[W ~uint32](s Selection, itemContext string, asked func(field string) W) W {
	var columns W
	for _, field := range s.Fields {
		columns |= asked(field.Name)
	}
	if itemContext != "" {
		for _, field := range s.Under("itemContext", itemContext).Fields {
			columns |= asked(field.Name)
		}
	}
	if s.Compact {
		columns |= asked("compact")
	}
	return columns
}

// Most returns the greatest page size that any field of that name asks for, 0 when none is there. A size out of bounds
// counts as the bound: the field itself refuses it.
func (s Selection) Most(name string, byDefault int) int {
	greatest := 0
	for _, field := range s.Fields {
		if field.Name != name {
			continue
		}
		size := byDefault
		if given, ok := plan.Given(field.Field, "first", s.Op.Variables); ok && given != nil {
			if n, err := graphql.UnmarshalInt(given); err == nil {
				size = min(max(n, 1), model.MaxPageSize)
			}
		}
		greatest = max(greatest, size)
	}
	return greatest
}

// Items merges what a connection's selection asks of its items, through nodes and through edges.
func (s Selection) Items(edge, object string) Selection {
	out := s.Under("nodes", object)
	throughEdges := s.Under("edges", edge).Under("node", object)
	out.Fields = append(out.Fields, throughEdges.Fields...)
	return out
}
