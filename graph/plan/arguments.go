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
		args, err := w.pathless(ctx, f, arguments)
		if err != nil {
			args, err = arguments(ctx, w.given(f))
		}
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

// pathless reads the arguments of a field without keeping track of where in a value something stands, which costs
// three allocations for each field and element. It is of use to an error alone; so when there is one, they are read
// once more.
func (w *Writer) pathless(ctx context.Context, f *Field,
	arguments func(ctx context.Context, raw map[string]any) (map[string]any, error)) (map[string]any, error) {
	w.reading.Context = ctx //nolint:fatcontext // it is that of this call
	return arguments(&w.reading, w.given(f))
}

// pathless is the context in which arguments are read without keeping track of where in them something stands.
type pathless struct{ context.Context }

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
	if _, is := ctx.(*pathless); is {
		return ctx
	}
	return graphql.WithPathContext(ctx, graphql.NewPathWithField(name))
}

// AtIndex returns the context for reading an element of a list of an input.
func AtIndex(ctx context.Context, i int) context.Context {
	if _, is := ctx.(*pathless); is {
		return ctx
	}
	return graphql.WithPathContext(ctx, graphql.NewPathWithIndex(i))
}
