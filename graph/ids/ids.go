// Package ids reads the ids that requests hold. Short ones, the last eight characters as compact text shows them, are
// completed by whoever knows the caller's records.
package ids

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
)

// Completer knows the ids of the caller's records.
type Completer interface {
	// CompleteID returns the id that ends in the characters of a short one. NOT_FOUND when the caller has none, and
	// BAD_USER_INPUT when there are several.
	CompleteID(ctx context.Context, short string) (string, error)
}

// Key is that of the Completer in a context. Without one short ids are left as they are.
type Key struct{}

// MarshalID writes an id.
func MarshalID(text string) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(_ context.Context, w io.Writer) error {
		graphql.MarshalID(text).MarshalGQL(w)
		return nil
	})
}

// UnmarshalID reads an id from a variable or literal, and completes a short one.
func UnmarshalID(ctx context.Context, v any) (string, error) {
	text, err := graphql.UnmarshalID(v)
	if err != nil {
		return "", err
	}
	by, ok := ctx.Value(Key{}).(Completer)
	if !ok {
		return text, nil
	}
	short, ok := model.ShortID(text)
	if !ok {
		return text, nil
	}
	return by.CompleteID(ctx, short)
}
