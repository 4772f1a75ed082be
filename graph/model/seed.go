package model

import "context"

type seedKey struct{}

// WithSeed returns a context whose mutation derives the ids of what it makes in remote systems from the seed, so that a
// repetition under the same Idempotency-Key makes the same things and not others.
func WithSeed(ctx context.Context, seed UUID) context.Context {
	return context.WithValue(ctx, seedKey{}, seed)
}

// SeedFrom returns the seed that WithSeed put there; false when the request has no Idempotency-Key.
func SeedFrom(ctx context.Context) (UUID, bool) {
	seed, ok := ctx.Value(seedKey{}).(UUID)
	return seed, ok
}

// Notes keep what a mutation of a remote system decided before it did anything, for repetitions under the same
// Idempotency-Key: which events it means and what it makes of them. A repetition does what was decided, and does not
// decide anew on what the first try left behind.
type Notes interface {
	// Recall returns what an earlier try has noted under the name of the mutation's field in the answer; false when
	// nothing is.
	Recall(name string) ([]byte, bool)
	// Note records it, for good as soon as it returns nil. A name is noted once; at most MaxNotes bytes in all.
	Note(ctx context.Context, name string, what []byte) error
}

// MaxNotes is how much one request may note, in bytes: the targets of a bulk mutation with their ids and times come
// nowhere near it.
const MaxNotes = 1 << 20

type notesKey struct{}

// WithNotes returns a context that carries the notes of its request.
func WithNotes(ctx context.Context, notes Notes) context.Context {
	return context.WithValue(ctx, notesKey{}, notes)
}

// NotesFrom returns the notes that WithNotes put there; false when the request has no Idempotency-Key.
func NotesFrom(ctx context.Context) (Notes, bool) {
	notes, ok := ctx.Value(notesKey{}).(Notes)
	return notes, ok
}
