package core

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Embedder makes vectors. Its errors are fit for clients (*model.Error with UPSTREAM_UNAVAILABLE, UPSTREAM_RATE_LIMITED
// or UPSTREAM_REJECTED).
type Embedder interface {
	// Model is the model in use. It never changes while the process runs.
	Model() model.EmbeddingModel
	// Embed returns a vector for each of at most model.MaxBulk texts, by the model in use: all of them or an error. A text
	// in which there is nothing to embed has none.
	Embed(ctx context.Context, texts []string) ([]model.Embedding, error)
	// Query returns what is looked for under each of the models named that can still be asked, the one in use first. It
	// returns what it has beside an error.
	Query(ctx context.Context, text string, models []string) ([]store.QueryVector, error)
	// Wake tells that memories without a vector have been committed.
	Wake()
}
