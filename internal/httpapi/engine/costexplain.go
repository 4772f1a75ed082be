package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
)

const (
	// maxExplained bounds how many fields are looked at to explain a cost; fragments can spread one another to more.
	maxExplained = 20_000
	// maxDearest is how many fields a refusal names.
	maxDearest = 3
)

// costShare is a field with pages, or of a list, and what it costs with all below it.
type costShare struct {
	path string
	cost int64 // in tenths
	// page is the argument that sizes it, "" for none; at is where it stands, so that another size can be tried.
	page string
	at   *ast.Field
}

// explanation adds up what each field of an operation costs, for an error that says where to save.
type explanation struct {
	schema    *ast.Schema
	fragments map[string]*ast.FragmentDefinition
	sizes     costEvaluation
	// tried is the size that replaces that of a field.
	tried map[*ast.Field]int64
	left  int
	// shares are nil while only a total is wanted.
	shares map[string]*costShare
}

// explain returns the refusal of an operation that costs too much: it names the dearest fields with their share, and
// the page size with which the dearest of them would pass.
func (e *Engine) explain(document *admitted, op *ast.OperationDefinition, variables map[string]any,
	cost int64) *gqlerror.Error {
	refusal := tooExpensive(limitCost, cost, e.limits.Cost, cost == maxCounted, "Ask for smaller pages or fewer levels.")
	x := &explanation{schema: e.schema, fragments: map[string]*ast.FragmentDefinition{},
		sizes: costEvaluation{op: op, variables: variables}, shares: map[string]*costShare{}}
	for _, fragment := range document.doc.Fragments {
		x.fragments[fragment.Name] = fragment
	}
	total, ok := x.total(op)
	if !ok || total == 0 || total >= maxCounted {
		return refusal
	}
	dearest := make([]*costShare, 0, len(x.shares))
	for _, one := range x.shares {
		dearest = append(dearest, one)
	}
	slices.SortFunc(dearest, func(a, b *costShare) int {
		return cmp.Or(cmp.Compare(b.cost, a.cost), cmp.Compare(len(b.path), len(a.path)), cmp.Compare(a.path, b.path))
	})
	dearest = dearest[:min(len(dearest), maxDearest)]
	if len(dearest) == 0 {
		return refusal
	}
	type named struct {
		Path  string `json:"path"`
		Cost  int64  `json:"cost"`
		Share int64  `json:"percent"`
	}
	var list []named
	var said []string
	const hundred = 100
	for _, one := range dearest {
		n := named{one.path, whole(one.cost), (hundred*one.cost + total/2) / total}
		list = append(list, n)
		said = append(said, fmt.Sprintf("%s costs %d (%d %%)", n.Path, n.Cost, n.Share))
	}
	message := fmt.Sprintf("The query is too expensive: it costs %d, and at most %d is allowed. %s.", cost, e.limits.Cost,
		strings.Join(said, ", "))
	x.shares = nil
	for _, one := range dearest {
		if size, ok := x.passing(op, one, times(e.limits.Cost, wholeCost)); ok {
			message += fmt.Sprintf(" With %s: %d at %s it would pass.", one.page, size, one.path)
			refusal.Extensions["fits"] = map[string]any{"path": one.path, one.page: size}
			break
		}
	}
	refusal.Message, refusal.Extensions["dearest"] = message, list
	return refusal
}

// passing returns the largest size of a field's page with which the operation is within the limit; false when there is
// none.
func (x *explanation) passing(op *ast.OperationDefinition, one *costShare, limit int64) (int64, bool) {
	if one.page == "" {
		return 0, false
	}
	at := func(size int64) int64 {
		x.tried = map[*ast.Field]int64{one.at: size}
		total, _ := x.total(op)
		return total
	}
	none, each := at(0), at(1)
	if each <= none || none >= limit {
		return 0, false
	}
	// The cost is linear in each size. No page is larger than MaxPageSize, so a larger one would be refused in turn.
	size := min((limit-none)/(each-none), model.MaxPageSize)
	return size, size >= 1 && at(size) <= limit
}

// total adds up an operation; false when it has too many fields to be looked at.
func (x *explanation) total(op *ast.OperationDefinition) (int64, bool) {
	x.left = maxExplained
	sum := x.set(place{rootType(x.schema, op.Operation), nil, 1, UnpagedListSize}, op.SelectionSet)
	return sum.at(UnpagedListSize), x.left > 0
}

// place is where fields are selected: in a type, at a path, so many times, with pages of that size around them.
type place struct {
	parent       *ast.Definition
	path         []string
	times, pages int64
}

// below is the place of a field's own fields.
func (p place) below(result *ast.Definition, name string, size pageSize, number int64) place {
	next := place{result, append(p.path[:len(p.path):len(p.path)], name), p.times, UnpagedListSize}
	switch size.kind {
	case inherited:
		next.times = times(p.times, p.pages)
	case ownList:
		next.times = times(p.times, number)
	case ownPage:
		next.pages = number
	}
	return next
}

// on is the same place for fields of another type.
func (p place) on(parent *ast.Definition) place {
	p.parent = parent
	return p
}

func (x *explanation) set(at place, set ast.SelectionSet) amount {
	var sum amount
	plus := func(a amount) { sum = amount{add(sum.fixed, a.fixed), add(sum.perItem, a.perItem)} }
	for _, selection := range set {
		if x.left--; x.left <= 0 {
			return sum
		}
		switch selection := selection.(type) {
		case *ast.Field:
			plus(x.field(at, selection))
		case *ast.InlineFragment:
			plus(partCost(selection.Directives))
			on := at
			if selection.TypeCondition != "" {
				on = at.on(x.schema.Types[selection.TypeCondition])
			}
			plus(x.set(on, selection.SelectionSet))
		case *ast.FragmentSpread:
			plus(partCost(selection.Directives))
			if fragment := x.fragments[selection.Name]; fragment != nil {
				plus(x.set(at.on(x.schema.Types[fragment.TypeCondition]), fragment.SelectionSet))
			}
		}
	}
	return sum
}

func (x *explanation) field(at place, field *ast.Field) amount {
	result, weight, size := price(x.schema, at.parent, field)
	if len(field.SelectionSet) == 0 {
		return amount{fixed: weight}
	}
	number := x.sizes.size(size)
	if tried, ok := x.tried[field]; ok {
		number = tried
	}
	below := at.below(result, field.Alias, size, number)
	cost := size.apply(weight, x.set(below, field.SelectionSet), number)
	if x.shares != nil && (size.kind == ownPage || size.kind == ownList) {
		key := strings.Join(below.path, ".")
		one := x.shares[key]
		if one == nil {
			one = &costShare{path: key, page: pageArgument(field), at: field}
			x.shares[key] = one
		}
		one.cost = add(one.cost, times(at.times, cost.at(at.pages)))
	}
	return cost
}

// pageArgument is the argument by which a field's page is made smaller; "" when it has none.
func pageArgument(field *ast.Field) string {
	if field.Arguments.ForName("last") != nil && field.Arguments.ForName("first") == nil {
		return "last"
	}
	if field.Arguments.ForName("ids") != nil {
		return ""
	}
	return "first"
}
