package engine

import (
	"context"
	"encoding/json"
	"strings"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"

	"github.com/vektah/gqlparser/v2/ast"
)

// sameKey is what those have in common who are answered together.
type sameKey struct {
	subject, email, token, scopes, zone, language, query, operation, variables string
}

// keyOf returns the key of those who ask what an operation asks; one that nobody else has where it cannot be told.
func keyOf(ctx context.Context, o *operation) any {
	hints, known := edge.HintsOf(ctx)
	caller, proved := model.CallerFrom(ctx)
	given := o.context.Variables
	// Where to begin is over when a subscription has begun.
	if place := placeVariable(o.context.Doc, o.definition); given[place] != nil {
		given = make(map[string]any, len(o.context.Variables))
		for name, value := range o.context.Variables {
			if name != place {
				given[name] = value
			}
		}
	}
	variables, err := json.Marshal(given)
	if !known || !proved || err != nil {
		return o
	}
	scopes := make([]string, len(caller.Scopes))
	for i, scope := range caller.Scopes {
		scopes[i] = string(scope)
	}
	return sameKey{
		subject: caller.Subject, email: caller.Email, token: caller.Token, scopes: strings.Join(scopes, " "),
		zone: hints.TimeZone, language: hints.AcceptLanguage,
		query: o.context.RawQuery, operation: o.context.OperationName, variables: string(variables),
	}
}

// placeVariable returns the variable that says where the subscription begins and is used for nothing else; "" when
// there is none.
func placeVariable(doc *ast.QueryDocument, definition *ast.OperationDefinition) string {
	if len(definition.SelectionSet) != 1 {
		return ""
	}
	root, is := definition.SelectionSet[0].(*ast.Field)
	if !is {
		return ""
	}
	after := root.Arguments.ForName("after")
	if after == nil || after.Value.Kind != ast.Variable {
		return ""
	}
	name, uses := after.Value.Raw, 0
	for _, operation := range doc.Operations {
		uses += usesIn(operation.Directives, name) + usesBelow(operation.SelectionSet, name)
	}
	for _, fragment := range doc.Fragments {
		uses += usesBelow(fragment.SelectionSet, name)
	}
	if uses != 1 {
		return ""
	}
	return name
}

func usesBelow(set ast.SelectionSet, name string) (uses int) {
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			uses += usesIn(selection.Directives, name) + usesInArguments(selection.Arguments, name) +
				usesBelow(selection.SelectionSet, name)
		case *ast.InlineFragment:
			uses += usesIn(selection.Directives, name) + usesBelow(selection.SelectionSet, name)
		case *ast.FragmentSpread:
			uses += usesIn(selection.Directives, name)
		}
	}
	return uses
}

func usesIn(directives ast.DirectiveList, name string) (uses int) {
	for _, directive := range directives {
		uses += usesInArguments(directive.Arguments, name)
	}
	return uses
}

func usesInArguments(arguments ast.ArgumentList, name string) (uses int) {
	for _, argument := range arguments {
		uses += usesInValue(argument.Value, name)
	}
	return uses
}

func usesInValue(value *ast.Value, name string) (uses int) {
	if value.Kind == ast.Variable && value.Raw == name {
		return 1
	}
	for _, child := range value.Children {
		uses += usesInValue(child.Value, name)
	}
	return uses
}
