package engine

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxOverlapSteps bounds the work of proving that fields can be merged. A document whose fields do not repeat takes
// one or two steps a field.
const maxOverlapSteps = 100_000

// overlaps proves that fields of one response name agree (October 2021, section 5.3.2), in every operation of a
// document that is otherwise valid. Instead of comparing every pair, it looks at the fields of one name as a group:
// being of one shape, or of one name with equal arguments, carries over, so each is compared with the first alone,
// and what they select is merged and looked at once. This is the way of Sangria's validator.
func overlaps(schema *ast.Schema, doc *ast.QueryDocument) *gqlerror.Error {
	o := overlap{schema: schema, fragments: fragmentsOf(doc)}
	for _, op := range doc.Operations {
		fields := o.collect([]ast.SelectionSet{op.SelectionSet})
		if err := o.sameShape(fields); err != nil {
			return err.report()
		}
		if err := o.sameField(fields); err != nil {
			return err.report()
		}
		if o.steps > maxOverlapSteps {
			return tooExpensive(limitOverlap, int64(o.steps), maxOverlapSteps, true, "Select each field once.")
		}
	}
	return nil
}

// fragmentsOf returns the fragments by name, of two with one name the first.
func fragmentsOf(doc *ast.QueryDocument) map[string]*ast.FragmentDefinition {
	fragments := make(map[string]*ast.FragmentDefinition, len(doc.Fragments))
	for _, fragment := range doc.Fragments {
		if _, twice := fragments[fragment.Name]; !twice {
			fragments[fragment.Name] = fragment
		}
	}
	return fragments
}

type overlap struct {
	schema    *ast.Schema
	fragments map[string]*ast.FragmentDefinition
	steps     int
}

// conflict is where two fields do not agree, innermost; names lead to it from the inside out.
type conflict struct {
	names  []string
	reason string
	at     [2]*ast.Position
}

func (c *conflict) within(name string) *conflict {
	if c != nil {
		c.names = append(c.names, name)
	}
	return c
}

func (c *conflict) report() *gqlerror.Error {
	reason := c.reason
	for _, name := range c.names[:len(c.names)-1] {
		reason = fmt.Sprintf(`subfields "%s" conflict because %s`, name, reason)
	}
	err := gqlerror.Errorf(
		`Fields "%s" conflict because %s. Use different aliases on the fields to fetch both if this was intentional.`,
		c.names[len(c.names)-1], reason)
	for _, at := range c.at {
		if at != nil {
			err.Locations = append(err.Locations, gqlerror.Location{Line: at.Line, Column: at.Column})
		}
	}
	return err
}

// group is the fields of one response name, in the order of the document.
type group []*ast.Field

func (g group) name() string { return g[0].Alias }

// collect returns the fields of the sets, with those of their fragments, each fragment once, grouped by response name.
func (o *overlap) collect(sets []ast.SelectionSet) []group {
	var groups []group
	index := map[string]int{}
	spread := map[string]bool{}
	var walk func(set ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			if o.steps++; o.steps > maxOverlapSteps {
				return
			}
			switch selection := selection.(type) {
			case *ast.Field:
				i, ok := index[selection.Alias]
				if !ok {
					i = len(groups)
					index[selection.Alias] = i
					groups = append(groups, nil)
				}
				groups[i] = append(groups[i], selection)
			case *ast.InlineFragment:
				walk(selection.SelectionSet)
			case *ast.FragmentSpread:
				if fragment := o.fragments[selection.Name]; fragment != nil && !spread[selection.Name] {
					spread[selection.Name] = true
					walk(fragment.SelectionSet)
				}
			}
		}
	}
	for _, set := range sets {
		walk(set)
	}
	return groups
}

// below returns what the fields of a group select, merged.
func (o *overlap) below(g group) []group {
	sets := make([]ast.SelectionSet, 0, len(g))
	for _, field := range g {
		if len(field.SelectionSet) > 0 {
			sets = append(sets, field.SelectionSet)
		}
	}
	if len(sets) == 0 {
		return nil
	}
	return o.collect(sets)
}

// sameShape proves that whatever the types of the objects, one name always has one shape of value.
func (o *overlap) sameShape(groups []group) *conflict {
	for _, g := range groups {
		first := g[0]
		for _, other := range g[1:] {
			if o.differInShape(first.Definition.Type, other.Definition.Type) {
				return (&conflict{
					reason: fmt.Sprintf(`they return conflicting types "%s" and "%s"`, first.Definition.Type, other.Definition.Type),
					at:     [2]*ast.Position{first.Position, other.Position},
				}).within(g.name())
			}
		}
		if err := o.sameShape(o.below(g)); err != nil {
			return err.within(g.name())
		}
	}
	return nil
}

func (o *overlap) differInShape(a, b *ast.Type) bool {
	if a.NonNull != b.NonNull || (a.Elem == nil) != (b.Elem == nil) {
		return true
	}
	if a.Elem != nil {
		return o.differInShape(a.Elem, b.Elem)
	}
	return a.NamedType != b.NamedType && (o.isLeaf(a) || o.isLeaf(b))
}

func (o *overlap) isLeaf(t *ast.Type) bool {
	definition := o.schema.Types[t.NamedType]
	return definition != nil && definition.IsLeafType()
}

// sameField proves that fields that can meet on one object are the same field with the same arguments.
func (o *overlap) sameField(groups []group) *conflict {
	for _, g := range groups {
		for _, meeting := range meetings(g) {
			first := meeting[0]
			for _, other := range meeting[1:] {
				reason := ""
				if first.Name != other.Name {
					reason = fmt.Sprintf(`"%s" and "%s" are different fields`, first.Name, other.Name)
				} else if !sameArguments(first.Arguments, other.Arguments) {
					reason = "they have differing arguments"
				}
				if reason != "" {
					return (&conflict{reason: reason, at: [2]*ast.Position{first.Position, other.Position}}).within(g.name())
				}
			}
			if err := o.sameField(o.below(meeting)); err != nil {
				return err.within(g.name())
			}
		}
	}
	return nil
}

// meetings splits a group by the object types its fields are asked of. Fields of an interface or a union can meet
// those of every object type; fields of two object types never meet.
func meetings(g group) []group {
	var anywhere group
	var objects []*ast.Definition
	byObject := map[*ast.Definition]group{}
	for _, field := range g {
		parent := field.ObjectDefinition
		if parent == nil || parent.Kind != ast.Object {
			anywhere = append(anywhere, field)
			continue
		}
		if byObject[parent] == nil {
			objects = append(objects, parent)
		}
		byObject[parent] = append(byObject[parent], field)
	}
	if len(objects) == 0 {
		return []group{anywhere}
	}
	result := make([]group, 0, len(objects))
	for _, object := range objects {
		result = append(result, append(byObject[object], anywhere...))
	}
	return result
}

func sameArguments(a, b ast.ArgumentList) bool {
	if len(a) != len(b) {
		return false
	}
	for _, argument := range a {
		other := b.ForName(argument.Name)
		if other == nil || !sameValue(argument.Value, other.Value) {
			return false
		}
	}
	return true
}

func sameValue(a, b *ast.Value) bool {
	if a.Kind != b.Kind || a.Raw != b.Raw || len(a.Children) != len(b.Children) {
		return false
	}
	for i, child := range a.Children {
		other := b.Children[i].Value
		if a.Kind == ast.ObjectValue {
			if other = b.Children.ForName(child.Name); other == nil {
				return false
			}
		}
		if !sameValue(child.Value, other) {
			return false
		}
	}
	return true
}
