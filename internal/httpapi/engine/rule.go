package engine

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// shape is what the rule measures of a parsed document. Measuring takes time linear to the document: a fragment is
// measured once, however often it is spread.
type shape struct {
	limits    Limits
	schema    *ast.Schema
	fragments map[string]*ast.FragmentDefinition
	measured  map[string]*measure
	// open are the fragments that are being measured, outermost first; a spread of one of them is a cycle.
	open  []string
	cycle *gqlerror.Error

	aliases, directives, valueDepth int
	introspects                     *ast.Field
	// objectVariables are the variables that stand inside a literal object. When one is left out, so is its entry.
	objectVariables map[string]bool
}

// measure is what one selection set comes to, fragments included.
type measure struct {
	// depth is how many fields stand inside one another.
	depth int
	// fields is how many fields the set has itself, those of its fragments included.
	fields int64
	// lists is how many lists of the schema's description nest.
	lists int
}

func (m *measure) include(other measure) {
	m.depth = max(m.depth, other.depth)
	m.fields = add(m.fields, other.fields)
	m.lists = max(m.lists, other.lists)
}

// measureDocument holds a parsed, not yet validated document against every limit that its text alone decides.
// Only cost is left, since page sizes stand in variables.
func (e *Engine) measureDocument(doc *ast.QueryDocument) (*shape, *gqlerror.Error) {
	s := &shape{
		limits: e.limits, schema: e.schema, objectVariables: map[string]bool{},
		fragments: fragmentsOf(doc),
		measured:  make(map[string]*measure, len(doc.Fragments)),
	}
	if n := len(doc.Operations) + len(doc.Fragments); n > e.limits.Definitions {
		return nil, tooExpensive(limitDefinitions, int64(n), int64(e.limits.Definitions), false,
			"Send only what this request runs.")
	}
	var deepest measure
	for _, op := range doc.Operations {
		s.addDirectives(op.Directives)
		for _, variable := range op.VariableDefinitions {
			s.addDirectives(variable.Directives)
			s.addValue(variable.DefaultValue, 0, false)
		}
		m := s.set(rootType(e.schema, op.Operation), op.SelectionSet)
		deepest.include(measure{depth: m.depth, lists: m.lists})
		deepest.fields = max(deepest.fields, m.fields)
	}
	for _, fragment := range doc.Fragments {
		s.addDirectives(fragment.Directives)
		s.fragment(fragment.Name, fragment.Position)
		if s.fragments[fragment.Name] != fragment {
			s.set(e.schema.Types[fragment.TypeCondition], fragment.SelectionSet)
		}
	}
	if s.cycle != nil {
		return nil, s.cycle
	}
	if s.introspects != nil && !e.introspection {
		return nil, gqlerror.ErrorPosf(s.introspects.Position,
			"This server does not describe its schema: introspection is switched off.")
	}
	if err := s.check(deepest); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *shape) check(deepest measure) *gqlerror.Error {
	for _, c := range []struct {
		name              string
		measured, allowed int64
		hint              string
	}{
		{limitDepth, int64(deepest.depth), int64(s.limits.Depth), "Ask for fewer levels at once, and for the rest by id."},
		{limitRootFields, deepest.fields, int64(s.limits.RootFields), "Ask for fewer things in one request."},
		{limitAliases, int64(s.aliases), int64(s.limits.Aliases), "Ask for many of a kind by nodes(ids:) or a page."},
		{limitDirectives, int64(s.directives), int64(s.limits.Directives), "Leave out what the request does not need."},
		{limitValueDepth, int64(s.valueDepth), int64(s.limits.ValueDepth), "Send the value in a variable."},
		{limitIntrospection, int64(deepest.lists), int64(s.limits.IntrospectionLists),
			"Ask for the types once and join them by name."},
	} {
		if c.measured > c.allowed {
			return tooExpensive(c.name, c.measured, c.allowed, false, c.hint)
		}
	}
	return nil
}

func (s *shape) set(parent *ast.Definition, set ast.SelectionSet) measure {
	var total measure
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			total.include(s.field(parent, selection))
		case *ast.InlineFragment:
			s.addDirectives(selection.Directives)
			on := parent
			if selection.TypeCondition != "" {
				on = s.schema.Types[selection.TypeCondition]
			}
			total.include(s.set(on, selection.SelectionSet))
		case *ast.FragmentSpread:
			s.addDirectives(selection.Directives)
			total.include(s.fragment(selection.Name, selection.Position))
		}
	}
	return total
}

func (s *shape) field(parent *ast.Definition, field *ast.Field) measure {
	if field.Alias != field.Name {
		s.aliases++
	}
	if s.introspects == nil && (field.Name == "__schema" || field.Name == "__type") {
		s.introspects = field
	}
	s.addDirectives(field.Directives)
	s.addArguments(field.Arguments)
	_, result := fieldOf(s.schema, parent, field.Name)
	below := s.set(result, field.SelectionSet)
	m := measure{depth: below.depth + 1, fields: 1, lists: below.lists}
	if parent != nil && parent.Name == "__Type" {
		switch field.Name {
		case "fields", "interfaces", "possibleTypes", "inputFields":
			m.lists++
		}
	}
	return m
}

func (s *shape) fragment(name string, at *ast.Position) measure {
	if m, ok := s.measured[name]; ok {
		if m == nil {
			s.addCycle(name, at)
			return measure{}
		}
		return *m
	}
	definition := s.fragments[name]
	if definition == nil { // the validator will say so
		return measure{}
	}
	s.measured[name] = nil
	s.open = append(s.open, name)
	m := s.set(s.schema.Types[definition.TypeCondition], definition.SelectionSet)
	s.open = s.open[:len(s.open)-1]
	s.measured[name] = &m
	return m
}

func (s *shape) addCycle(name string, at *ast.Position) {
	if s.cycle != nil {
		return
	}
	via := ""
	for i, open := range s.open {
		if open == name && i+1 < len(s.open) {
			via = ` via "` + strings.Join(s.open[i+1:], `", "`) + `"`
		}
	}
	s.cycle = gqlerror.ErrorPosf(at, `Cannot spread fragment "%s" within itself%s.`, name, via)
}

func (s *shape) addDirectives(directives ast.DirectiveList) {
	s.directives += len(directives)
	for _, directive := range directives {
		s.addArguments(directive.Arguments)
	}
}

func (s *shape) addArguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		s.addValue(argument.Value, 0, false)
	}
}

func (s *shape) addValue(value *ast.Value, depth int, inObject bool) {
	if value == nil {
		return
	}
	switch value.Kind {
	case ast.ListValue, ast.ObjectValue:
		depth++
		s.valueDepth = max(s.valueDepth, depth)
		for _, child := range value.Children {
			s.addValue(child.Value, depth, value.Kind == ast.ObjectValue)
		}
	case ast.Variable:
		if inObject {
			s.objectVariables[value.Raw] = true
		}
	}
}
