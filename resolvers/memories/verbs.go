package memories

import (
	"context"

	"almanac/adapters/memorysearch"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// Find returns the memories that a query finds best, best first, as searchMemories finds them.
func (r *Resolver) Find(ctx context.Context, v *core.Viewer, query string, most int) ([]model.Memory, error) {
	first := int32(most)
	ask, err := r.readSearch(v, SearchArgs{Query: query, First: &first})
	if err != nil {
		return nil, err
	}
	models, err := r.modelsOf(ctx, v)
	if err != nil {
		return nil, err
	}
	search := &ask.Search
	if search.Vectors, err = r.Embedder.Query(ctx, ask.Query, models); err != nil {
		core.AddError(ctx, err) // what is found by words is an answer too
	}
	if len(search.Vectors) == 0 && len(search.Words.Terms) == 0 {
		return nil, nil
	}
	search.Columns = store.MemoryRow
	found, err := memorysearch.Memories(ctx, r.Store, v.User, ask)
	if err != nil {
		return nil, err
	}
	out := make([]model.Memory, len(found.Hits))
	for i, hit := range found.Hits {
		out[i] = hit.Memory
	}
	return out, nil
}
