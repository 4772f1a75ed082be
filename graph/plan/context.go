package plan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// fieldContext is the context of a resolver: gqlgen's field context and the plan's field, in one allocation.
type fieldContext struct {
	context.Context

	field graphql.FieldContext
	of    *Field
}

type fieldKey struct{}

// Value implements context.Context.
func (c *fieldContext) Value(key any) any {
	switch key {
	case gqlgenKey:
		return &c.field
	case fieldKey{}:
		return c.of
	}
	return c.Context.Value(key)
}

// gqlgenKey is the key under which gqlgen looks for a field context, which it does not export.
var gqlgenKey = func() any {
	var asked keyListener
	asked.Context = context.Background()
	graphql.GetFieldContext(&asked)
	return asked.key
}()

type keyListener struct {
	context.Context

	key any
}

func (l *keyListener) Value(key any) any {
	l.key = key
	return nil
}

// Once returns what f makes of the selection below the field being resolved. In a plan that is made once and kept with
// it, so f must depend on the fields that are selected alone: not on arguments, whose values come with each request,
// nor on the caller. Callers must not change it. Without a plan, and where another type is kept already, it is made
// anew.
func Once[T any](ctx context.Context, f func() T) T {
	field, _ := ctx.Value(fieldKey{}).(*Field)
	if field == nil {
		return f()
	}
	if kept := field.kept.Load(); kept != nil {
		if value, is := (*kept).(T); is {
			return value
		}
		return f()
	}
	value := f()
	var kept any = value
	field.kept.CompareAndSwap(nil, &kept)
	return value
}
