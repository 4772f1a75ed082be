package engine

import (
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// literalsRead refuses values of custom scalars in the arguments of a document that their readers refuse (October 2021,
// section 5.6.1), so that none of its fields has run when the value of a later one turns out to be wrong. Errors name
// the path of the value, argument first, in extensions.field. A value with variables inside is left to the execution,
// which knows them.
func literalsRead(observers *core.Events, addError core.AddErrFunc) {
	observers.OnField(func(_ *core.Walker, field *ast.Field) {
		for _, argument := range field.Arguments {
			readLiterals(path{name: argument.Name}, argument.Value, addError)
		}
	})
}

// readLiterals reads the custom scalars of a value.
func readLiterals(at path, value *ast.Value, addError core.AddErrFunc) {
	isList := value.Kind == ast.ListValue && value.ExpectedType != nil && value.ExpectedType.Elem != nil
	switch {
	case value.Definition == nil: // another rule says what it is not
	case isList, value.Definition.Kind == ast.InputObject:
		for i, child := range value.Children {
			name := child.Name
			if isList {
				name = strconv.Itoa(i)
			}
			readLiterals(path{up: &at, name: name}, child.Value, addError)
		}
	case value.Definition.Kind == ast.Scalar && value.Kind != ast.NullValue && !holdsVariable(value):
		read, err := value.Value(nil)
		if err != nil {
			return // NumbersFit refuses it
		}
		if err := readScalar(inWords(value.Definition.Name, at.name, read), read); err != nil {
			addError(core.Message("%s", err.Error()), core.At(value.Position), func(e *gqlerror.Error) {
				e.Extensions = map[string]any{"field": at.names()}
			})
		}
	}
}

// holdsVariable reports whether the value is, or has inside, a variable.
func holdsVariable(value *ast.Value) bool {
	return value.Kind == ast.Variable ||
		slices.ContainsFunc(value.Children, func(child *ast.ChildValue) bool { return holdsVariable(child.Value) })
}
