package plan

import (
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// usage is a deferred fragment where it is selected. Label is "" without one.
type usage struct {
	label  string
	parent *usage
}

// within reports whether the usage lies in another one; nil is what is not deferred, in which all lie.
func (u *usage) within(other *usage) bool {
	if other == nil {
		return true
	}
	for ; u != nil; u = u.parent {
		if u == other {
			return true
		}
	}
	return false
}

// source is a selection set, with the deferred fragment in which it stands.
type source struct {
	set   ast.SelectionSet
	usage *usage
}

// gathered are the places at which a field of one response name is selected.
type gathered struct {
	alias  string
	places []fieldPlace
}

type fieldPlace struct {
	field *ast.Field
	usage *usage
}

// collected returns the field as gqlgen would have it.
func (g gathered) collected() graphql.CollectedField {
	out := graphql.CollectedField{Field: g.places[0].field}
	for _, place := range g.places {
		out.Selections = append(out.Selections, place.field.SelectionSet...)
	}
	return out
}

func (g gathered) below() []source {
	out := make([]source, len(g.places))
	for i, place := range g.places {
		out[i] = source{place.field.SelectionSet, place.usage}
	}
	return out
}

// usages returns the deferred fragments that a field belongs to: none when it is also selected outside of them, and of
// those within one another the outermost.
func (g gathered) usages() []*usage {
	var out []*usage
	for _, place := range g.places {
		if place.usage == nil {
			return nil
		}
		if slices.ContainsFunc(g.places, func(p fieldPlace) bool {
			return p.usage != place.usage && place.usage.within(p.usage)
		}) || slices.Contains(out, place.usage) {
			continue
		}
		out = append(out, place.usage)
	}
	return out
}

// gathering collects the fields of an object (October 2021, section 6.3.2, with the deferred fragments of the draft on
// incremental delivery), in the order of their first places.
type gathering struct {
	*compiler

	of     Type
	fields []gathered
	// usages are the deferred fragments that begin here.
	usages []*usage
	spread map[spread]bool
}

// spread is a fragment that has been collected, by its name and where it was spread.
type spread struct {
	name string
	in   *usage
}

func (g *gathering) collect(from ast.SelectionSet, in *usage) {
	for _, selection := range from {
		switch selection := selection.(type) {
		case *ast.Field:
			if !g.included(selection.Directives) {
				continue
			}
			at := slices.IndexFunc(g.fields, func(f gathered) bool { return f.alias == selection.Alias })
			if at < 0 {
				at = len(g.fields)
				g.fields = append(g.fields, gathered{alias: selection.Alias})
			}
			g.fields[at].places = append(g.fields[at].places, fieldPlace{selection, in})
		case *ast.InlineFragment:
			if g.included(selection.Directives) && g.fits(selection.TypeCondition) {
				g.collect(selection.SelectionSet, g.deferral(selection.Directives, in))
			}
		case *ast.FragmentSpread:
			if !g.included(selection.Directives) {
				continue
			}
			fragment := g.doc.Fragments.ForName(selection.Name)
			if !g.fits(fragment.TypeCondition) || g.spreadAround(selection.Name, in) {
				continue
			}
			within := g.deferral(selection.Directives, in)
			g.spread[spread{selection.Name, within}] = true
			g.collect(fragment.SelectionSet, within)
		}
	}
}

// spreadAround reports whether the fragment has been spread there, or where it comes earlier in the answer.
func (g *gathering) spreadAround(name string, in *usage) bool {
	for ; in != nil; in = in.parent {
		if g.spread[spread{name, in}] {
			return true
		}
	}
	return g.spread[spread{name, nil}]
}

// deferral returns the deferred fragment that begins with these directives, or the one around them.
func (g *gathering) deferral(directives ast.DirectiveList, in *usage) *usage {
	directive := directives.ForName(DeferDirective)
	if directive == nil || !g.parts || !g.holds(directive) {
		return in
	}
	own := &usage{parent: in}
	if label := directive.Arguments.ForName("label"); label != nil {
		own.label = label.Value.Raw
	}
	g.usages = append(g.usages, own)
	g.defers = true
	return own
}

func (g *gathering) fits(condition string) bool {
	return condition == "" || slices.Contains(g.of.Implements, condition)
}

func (g *gathering) included(directives ast.DirectiveList) bool {
	if skip := directives.ForName("skip"); skip != nil && g.holds(skip) {
		return false
	}
	include := directives.ForName("include")
	return include == nil || g.holds(include)
}

// holds reports the value of a directive's condition. A variable's is a boolean (see Bits); only @defer may have none,
// or one that is absent, and holds then.
func (g *gathering) holds(directive *ast.Directive) bool {
	condition := directive.Arguments.ForName("if")
	switch {
	case condition == nil:
		return true
	case condition.Value.Kind == ast.Variable:
		value, given := g.variables[condition.Value.Raw].(bool)
		return value || !given
	default:
		return condition.Value.Raw == "true"
	}
}

// group are fields that run together since they belong to the same deferred fragments.
type group struct {
	usages []*usage
	fields []gathered
}

// divide returns the fields that run within the fragments, and the others by the fragments that they belong to.
func divide(fields []gathered, within []*usage) (own []gathered, apart []group) {
	for _, field := range fields {
		usages := field.usages()
		if same(usages, within) {
			own = append(own, field)
			continue
		}
		at := slices.IndexFunc(apart, func(g group) bool { return same(g.usages, usages) })
		if at < 0 {
			at = len(apart)
			apart = append(apart, group{usages: usages})
		}
		apart[at].fields = append(apart[at].fields, field)
	}
	return own, apart
}

func same(a, b []*usage) bool {
	if len(a) != len(b) {
		return false
	}
	for _, one := range a {
		if !slices.Contains(b, one) {
			return false
		}
	}
	return true
}
