package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// SearchMemories: see store.MemoryReader.
func (s *Store) SearchMemories(ctx context.Context, user model.UserID,
	search store.MemorySearch) (hits store.MemoryHits, err error) {
	filter, err := filterMemories(user, search.Where, search.Now)
	if err != nil {
		return store.MemoryHits{}, err
	}
	asked := question{of: &memoryPopulation, user: user, filter: &filter, Looking: store.Looking{
		Vectors: search.Vectors, Words: search.Words, MinSimilarity: search.MinSimilarity,
		SimilarityWeight: search.SimilarityWeight, KeywordWeight: search.KeywordWeight,
		Offset: search.Offset, Limit: search.Limit,
	}}
	hits.HasNext, err = s.search(ctx, asked, func(q *session, best []found) error {
		memories, err := memoriesOf(q, user, best, search.Columns)
		if err != nil {
			return err
		}
		hits.Hits = make([]store.MemoryHit, len(best))
		for i := range best {
			f := &best[i].Found
			hits.Hits[i] = store.MemoryHit{Memory: memories[i], Similarity: f.Similarity, Keyword: f.Keyword, Score: f.Score,
				ByVector: f.ByVector, ByKeyword: f.ByKeyword}
		}
		return nil
	})
	if err != nil {
		return store.MemoryHits{}, wrap("search memories", err)
	}
	return hits, nil
}

// memoriesOf gives the memories that were found, in their order, with the columns wanted.
func memoriesOf(q *session, user model.UserID, best []found, want store.MemoryColumns) ([]model.Memory, error) {
	selection, err := selectMemory(q, user, want)
	if err != nil {
		return nil, err
	}
	memories := make([]model.Memory, len(best))
	at, ns := placesOf(best)
	for i := range best {
		memories[i].ID = best[i].id
	}
	if want&^store.MemoryHistory != 0 {
		for some := range slices.Chunk(ns, checkAtOnce) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(", m.n FROM memories m INDEXED BY memories_n WHERE m.user_id = ? AND ", userArg(user))
			b.inNumbers(some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				return selection.read(stmt, &memories[at[stmt.ColumnInt64(selection.width())]])
			}); err != nil {
				return nil, err
			}
		}
	}
	return memories, readHistories(q, user, memories, want)
}
