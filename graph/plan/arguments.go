package plan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// prepare reads the arguments of a field, and reports whether it is to be resolved.
func (w *Writer) prepare(ctx context.Context, f *Field, fc *graphql.FieldContext,
	arguments func(ctx context.Context, raw map[string]any) (map[string]any, error)) bool {
	operation := w.run.operation
	if arguments != nil {
		args, err := readArguments(ctx, w.given(f), arguments)
		if err != nil {
			operation.Error(ctx, err)
			return false
		}
		fc.Args = args
	}
	if err := ctx.Err(); err != nil {
		operation.Error(ctx, graphql.AddFieldLocationToError(ctx, err))
		return false
	}
	return true
}

// given returns the values that the operation gives a field's arguments. The map is used again for the next field.
func (w *Writer) given(f *Field) map[string]any {
	if w.arguments == nil {
		w.arguments = make(map[string]any)
	}
	clear(w.arguments)
	for _, argument := range f.collected.Definition.Arguments {
		value, given := Given(f.collected.Field, argument.Name, w.run.operation.Variables)
		if given {
			w.arguments[argument.Name] = value
		}
	}
	return w.arguments
}

// Given returns the value that an operation gives an argument of a field, or else the schema, and whether there is one;
// it is one entry of (*ast.Field).ArgumentMap.
func Given(field *ast.Field, name string, variables map[string]any) (value any, given bool) {
	var from *ast.Value
	if definition := field.Definition.Arguments.ForName(name); definition != nil {
		from = definition.DefaultValue
	}
	if argument := field.Arguments.ForName(name); argument != nil {
		if argument.Value.Kind != ast.Variable {
			from = argument.Value
		} else if value, given = variables[argument.Value.Raw]; given {
			return value, true
		}
	}
	if from == nil {
		return nil, false
	}
	value, err := from.Value(variables)
	if err != nil {
		panic(err) // the operation is not valid
	}
	return value, true
}

// readArguments reads a field's arguments in the context that enter has made for it. Where in a value something stands
// is only of use to an error, and costs three allocations for each field and element; so it is kept track of when there
// is an error, of which they are read once more.
func readArguments(ctx context.Context, raw map[string]any,
	arguments func(ctx context.Context, raw map[string]any) (map[string]any, error)) (map[string]any, error) {
	if own, is := ctx.(*fieldContext); is {
		own.pathless = true
		args, err := arguments(ctx, raw)
		own.pathless = false
		if err == nil {
			return args, nil
		}
	}
	return arguments(ctx, raw)
}

func pathless(ctx context.Context) bool {
	own, is := ctx.(*fieldContext)
	return is && own.pathless
}

// Argument is graphql.ProcessArgField, which reads the argument of that name by a function; it returns the zero value
// for one that is not given.
func Argument[T any](ctx context.Context, raw map[string]any, name string,
	read func(ctx context.Context, value any) (T, error)) (T, error) {
	value, given := raw[name]
	if !given {
		var none T
		return none, nil
	}
	return read(AtName(ctx, name), value)
}

// AtName returns the context for reading the field of that name of an input.
func AtName(ctx context.Context, name string) context.Context {
	if pathless(ctx) {
		return ctx
	}
	return graphql.WithPathContext(ctx, graphql.NewPathWithField(name))
}

// AtIndex returns the context for reading an element of a list of an input.
func AtIndex(ctx context.Context, i int) context.Context {
	if pathless(ctx) {
		return ctx
	}
	return graphql.WithPathContext(ctx, graphql.NewPathWithIndex(i))
}
