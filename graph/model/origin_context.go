package model

import "context"

type originKey struct{}

// WithOrigin returns a context whose request comes from elsewhere than a client of GraphQL.
func WithOrigin(ctx context.Context, origin Origin) context.Context {
	return context.WithValue(ctx, originKey{}, origin)
}

// OriginFrom returns what WithOrigin put there; a client of GraphQL when nothing was.
func OriginFrom(ctx context.Context) Origin {
	origin, ok := ctx.Value(originKey{}).(Origin)
	if !ok {
		origin.Source = SourceGraphQL
	}
	return origin
}
