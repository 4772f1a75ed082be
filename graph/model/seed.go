package model

import "context"

type seedKey struct{}

// WithSeed gives a context whose mutation derives the ids of what it makes in remote systems from the seed, so that a
// repetition under the same Idempotency-Key makes the same things and not others.
func WithSeed(ctx context.Context, seed UUID) context.Context {
	return context.WithValue(ctx, seedKey{}, seed)
}

// SeedFrom gives the seed that WithSeed put there; false when the request has no Idempotency-Key.
func SeedFrom(ctx context.Context) (UUID, bool) {
	seed, ok := ctx.Value(seedKey{}).(UUID)
	return seed, ok
}
