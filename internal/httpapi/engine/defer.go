package engine

import (
	"almanac/graph/plan"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// deferDirective is described in schema/root.graphqls.
const deferDirective = "defer"

// maxLabel is the length of the longest label of a deferred fragment, in bytes: it is repeated with each part of an
// answer.
const maxLabel = 256

// takeDefers renames @defer to the name that plans know, in a valid document that is not shared yet.
func takeDefers(doc *ast.QueryDocument) {
	eachDefer(doc, func(directive *ast.Directive) { directive.Name = plan.DeferDirective })
}

func eachDefer(doc *ast.QueryDocument, do func(*ast.Directive)) {
	var walk func(ast.SelectionSet)
	directives := func(list ast.DirectiveList) {
		for _, directive := range list {
			if directive.Name == deferDirective {
				do(directive)
			}
		}
	}
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch selection := selection.(type) {
			case *ast.Field:
				walk(selection.SelectionSet)
			case *ast.InlineFragment:
				directives(selection.Directives)
				walk(selection.SelectionSet)
			case *ast.FragmentSpread:
				directives(selection.Directives)
			}
		}
	}
	for _, op := range doc.Operations {
		walk(op.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		walk(fragment.SelectionSet)
	}
}

// maybeDeferred reports whether directives may defer their fragment.
func maybeDeferred(directives ast.DirectiveList) bool {
	directive := directives.ForName(deferDirective)
	if directive == nil {
		directive = directives.ForName(plan.DeferDirective)
	}
	return directive != nil && !isNever(directive)
}

// isNever reports whether a directive has if: false.
func isNever(directive *ast.Directive) bool {
	condition := directive.Arguments.ForName("if")
	return condition != nil && condition.Value.Kind == ast.BooleanValue && condition.Value.Raw == "false"
}

// deferLabels refuses labels that are no literal, are too long, or stand twice in the document (the draft on
// incremental delivery, "Defer And Stream Directive Labels Are Unique").
func deferLabels(observers *core.Events, addError core.AddErrFunc) {
	var looked bool
	check := func(seen map[string]bool, directive *ast.Directive) {
		label := directive.Arguments.ForName("label")
		if label == nil {
			return
		}
		at := core.At(directive.Position)
		switch value := label.Value; {
		case value.Kind != ast.StringValue && value.Kind != ast.BlockValue:
			addError(core.Message(`The label of @defer must be a string that stands in the document.`), at)
		case len(value.Raw) > maxLabel:
			addError(core.Message("A label of @defer may be %d bytes long; this one is %d.", maxLabel, len(value.Raw)), at)
		case seen[value.Raw]:
			addError(core.Message("The label %q of @defer stands twice in the document.", value.Raw), at)
		default:
			seen[value.Raw] = true
		}
	}
	observers.OnOperation(func(walker *core.Walker, _ *ast.OperationDefinition) {
		if looked { // the walker goes through fragments wherever they are spread
			return
		}
		looked = true
		seen := map[string]bool{}
		eachDefer(walker.Document, func(directive *ast.Directive) { check(seen, directive) })
	})
}

// deferPlaces refuses @defer on what a mutation or a subscription selects itself, and in subscriptions as a whole
// unless its condition can be false (the draft on incremental delivery, "Defer And Stream Directives Are Used On Valid
// Root Field" and "Defer And Stream Directives Are Used On Valid Operations").
func deferPlaces(observers *core.Events, addError core.AddErrFunc) {
	observers.OnOperation(func(walker *core.Walker, op *ast.OperationDefinition) {
		if op.Operation == ast.Query {
			return
		}
		fragments, visited := fragmentsOf(walker.Document), map[string]bool{}
		check := func(directives ast.DirectiveList, root bool) {
			directive := directives.ForName(deferDirective)
			switch {
			case directive == nil:
			case root:
				addError(core.Message("The fields of a %s itself cannot be deferred.", op.Operation),
					core.At(directive.Position))
			case op.Operation == ast.Subscription && !isNever(directive) && !hasCondition(directive):
				addError(core.Message("A subscription cannot defer."), core.At(directive.Position))
			}
		}
		var walk func(set ast.SelectionSet, root bool)
		walk = func(set ast.SelectionSet, root bool) {
			for _, selection := range set {
				switch selection := selection.(type) {
				case *ast.Field:
					walk(selection.SelectionSet, false)
				case *ast.InlineFragment:
					check(selection.Directives, root)
					walk(selection.SelectionSet, root)
				case *ast.FragmentSpread:
					check(selection.Directives, root)
					if fragment := fragments[selection.Name]; fragment != nil && !visited[selection.Name] {
						visited[selection.Name] = true
						walk(fragment.SelectionSet, root)
					}
				}
			}
		}
		walk(op.SelectionSet, true)
	})
}

func hasCondition(directive *ast.Directive) bool {
	condition := directive.Arguments.ForName("if")
	return condition != nil && condition.Value.Kind == ast.Variable
}
