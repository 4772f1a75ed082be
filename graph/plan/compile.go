package plan

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Schema is what the generated code offers beside gqlgen's graphql.ExecutableSchema.
type Schema interface {
	// PlanTypes describes the types of the schema. It is asked once.
	PlanTypes() Types
	// AppendPlan appends the answer of a query or a mutation; false stands for null. The context holds the operation.
	AppendPlan(ctx context.Context, w *Writer, s *Selection) bool
	// StartPlan starts the field of a subscription; nil when it could not start.
	StartPlan(ctx context.Context, w *Writer, f *Field) Stream
}

// Types are the object types by name, and the object types of each interface and union in the order of its children.
type Types struct {
	Objects  map[string]Type
	Abstract map[string][]string
}

// Type is an object type.
type Type struct {
	// Implements is its name and those of its interfaces and unions.
	Implements []string
	// Fields by name.
	Fields map[string]Info
}

// Info is what the generator knows of a field.
type Info struct {
	// ID is the field's number in the accessor of its type, from 1 on.
	ID int
	// Waits marks a field that is resolved, beside others where there are any.
	Waits bool
	// Resolver marks a field with a resolver, which is not a method of the view.
	Resolver bool
}

// Selection is what is asked of an object.
type Selection struct {
	fields []Field
	// deferred is nil where nothing is deferred.
	deferred *deferred
	// waiting is how many of the fields run beside each other.
	waiting int
	// waits: some field here or below is resolved.
	waits bool
	// apart: something here or below is deferred.
	apart bool
}

// Parallel reports whether several fields run beside each other.
func (s *Selection) Parallel() bool { return s.waiting > 1 }

// Field is one entry of a selection.
type Field struct {
	// ID is the field's number in the accessor of its type; 0 is __typename.
	ID int
	// NonNull: null here is the null of the object.
	NonNull bool
	// Children are the selections below, by the number of the object type: one for a field of an object type, none for
	// leaves.
	Children []*Selection

	// key is `,"alias":`.
	key       string
	object    string
	resolver  bool
	waits     bool
	below     bool
	streams   bool
	isID      bool
	collected graphql.CollectedField
	// kept is what Once has made.
	kept atomic.Pointer[any]
}

// Waits reports whether something below the field is resolved, so that the elements of a list run beside each other.
func (f *Field) Waits() bool { return f.below }

// Plan is an operation compiled for one set of conditions. It is safe for concurrent use.
type Plan struct {
	root   string
	size   int64
	set    *Selection
	defers bool
}

// What a field of a plan comes to in memory, and each of the selections below it before they are merged; measured by
// TestPlanMemory and rounded up.
const (
	bytesPerField     = 260
	bytesPerSelection = 24
)

// Size is what keeping the plan costs in bytes, by estimate.
func (p *Plan) Size() int64 { return p.size }

// MaxFields bounds a plan: below an abstract type a field counts once for each object type, which multiplies where
// abstract types stand within one another.
const MaxFields = 16_384

// Conditions returns the variables on which @skip and @include depend in an operation, and with parts those of @defer;
// nil and false when there are more than a plan's key has bits.
func Conditions(doc *ast.QueryDocument, operation *ast.OperationDefinition, parts bool) ([]string, bool) {
	var names []string
	seen := map[string]bool{}
	var walk func(ast.SelectionSet)
	directives := func(list ast.DirectiveList) {
		for _, directive := range list {
			if directive.Name != "skip" && directive.Name != "include" && (!parts || directive.Name != DeferDirective) {
				continue
			}
			argument := directive.Arguments.ForName("if")
			if argument != nil && argument.Value.Kind == ast.Variable && !slices.Contains(names, argument.Value.Raw) {
				names = append(names, argument.Value.Raw)
			}
		}
	}
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch selection := selection.(type) {
			case *ast.Field:
				directives(selection.Directives)
				walk(selection.SelectionSet)
			case *ast.InlineFragment:
				directives(selection.Directives)
				walk(selection.SelectionSet)
			case *ast.FragmentSpread:
				directives(selection.Directives)
				if !seen[selection.Name] {
					seen[selection.Name] = true
					walk(doc.Fragments.ForName(selection.Name).SelectionSet)
				}
			}
		}
	}
	walk(operation.SelectionSet)
	return names, len(names) <= 64
}

// Bits are the values of the first 64 conditions, as the key of a plan; null is the name of one that is no boolean,
// which is an error. A variable can only be absent from a @defer, which is then meant.
func Bits(conditions []string, variables map[string]any) (bits uint64, null string) {
	for i, name := range conditions {
		value, given := variables[name]
		if !given {
			value = true
		}
		set, ok := value.(bool)
		if !ok {
			return 0, name
		}
		if set {
			bits |= 1 << i
		}
	}
	return bits, ""
}

// Compile returns the plan of an operation, which must be valid, for these variables' conditions. It is nil for a
// subscription of not exactly one field, for what the accessors lack, and, with large, for more than MaxFields fields.
// With parts, fragments with @defer are left out of the first part of the answer, which Start runs; without, the
// directive means nothing.
func Compile(types Types, schema *ast.Schema, doc *ast.QueryDocument, operation *ast.OperationDefinition,
	variables map[string]any, parts bool) (made *Plan, large bool) {
	var root *ast.Definition
	switch operation.Operation {
	case ast.Query:
		root = schema.Query
	case ast.Mutation:
		root = schema.Mutation
	case ast.Subscription:
		root = schema.Subscription
	}
	c := compiler{types: types, schema: schema, doc: doc, variables: variables, parts: parts}
	set := c.selection(root.Name, []source{{set: operation.SelectionSet}}, nil)
	if set == nil || root == schema.Subscription && (len(set.fields) != 1 || set.fields[0].ID == 0) {
		return nil, c.fields > MaxFields
	}
	return &Plan{
		root: root.Name, set: set, size: int64(c.fields)*bytesPerField + int64(c.selections)*bytesPerSelection,
		defers: c.defers,
	}, false
}

type compiler struct {
	types     Types
	schema    *ast.Schema
	doc       *ast.QueryDocument
	variables map[string]any
	// parts has @defer honoured; defers says that there was one.
	parts, defers bool
	fields        int
	// selections are those below the fields, as they are written.
	selections int
}

// selection is nil when the plan cannot be made. The fields that belong to the fragments of within are its own, all
// others are deferred.
func (c *compiler) selection(object string, from []source, within []*usage) *Selection {
	of, known := c.types.Objects[object]
	if !known {
		return nil
	}
	g := gathering{compiler: c, of: of, spread: map[spread]bool{}}
	for _, s := range from {
		g.collect(s.set, s.usage)
	}
	own, apart := divide(g.fields, within)
	s := c.append(object, of, own, within)
	if s == nil || len(apart) == 0 && len(g.usages) == 0 {
		return s
	}
	s.deferred, s.apart = &deferred{usages: g.usages}, true
	for _, group := range apart {
		later := c.append(object, of, group.fields, group.usages)
		if later == nil {
			return nil
		}
		s.deferred.groups = append(s.deferred.groups, deferredGroup{group.usages, later})
	}
	return s
}

// append returns the selection of these fields.
func (c *compiler) append(object string, of Type, fields []gathered, within []*usage) *Selection {
	if c.fields += len(fields); c.fields > MaxFields {
		return nil
	}
	s := &Selection{fields: make([]Field, len(fields))}
	for i, from := range fields {
		field := from.collected()
		info, known := of.Fields[field.Name]
		if !known && field.Name != "__typename" {
			return nil
		}
		f := &s.fields[i]
		f.ID, f.NonNull, f.key, f.object = info.ID, field.Definition.Type.NonNull, `,"`+field.Alias+`":`, object
		f.resolver, f.waits, f.isID = info.Resolver, info.Waits, field.Definition.Type.NamedType == "ID"
		f.collected = field
		c.selections += len(field.Selections)
		if !c.children(f, from.below(), within) {
			return nil
		}
		if info.Waits {
			s.waiting++
		}
		s.waits = s.waits || info.Waits || info.Resolver || f.below
		for _, child := range f.Children {
			s.apart = s.apart || child.apart
		}
	}
	return s
}

func (c *compiler) children(f *Field, from []source, within []*usage) bool {
	if len(f.collected.Selections) == 0 {
		return true
	}
	objects := []string{f.collected.Definition.Type.Name()}
	if definition := c.schema.Types[objects[0]]; definition == nil || definition.IsAbstractType() {
		var known bool
		if objects, known = c.types.Abstract[objects[0]]; !known {
			return false
		}
	}
	f.Children = make([]*Selection, len(objects))
	for i, object := range objects {
		if f.Children[i] = c.selection(object, from, within); f.Children[i] == nil {
			return false
		}
		f.below = f.below || f.Children[i].waits
	}
	f.streams = len(objects) == 1 && f.Children[0].streams()
	return true
}
