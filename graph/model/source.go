package model

import "context"

type sourceKey struct{}

// WithSource returns a context whose request comes in another way than from a client of GraphQL.
func WithSource(ctx context.Context, source ActionSource) context.Context {
	return context.WithValue(ctx, sourceKey{}, source)
}

// SourceFrom returns what WithSource put there; GRAPHQL when nothing was.
func SourceFrom(ctx context.Context) ActionSource {
	if source, ok := ctx.Value(sourceKey{}).(ActionSource); ok {
		return source
	}
	return SourceGraphQL
}
