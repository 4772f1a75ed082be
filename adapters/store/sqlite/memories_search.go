package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// SearchMemories: see store.MemoryReader.
func (r reader) SearchMemories(ctx context.Context, user model.UserID,
	search store.MemorySearch) (store.MemoryHits, error) {
	filter, err := filterMemories(user, search.Where, search.Now)
	if err != nil {
		return store.MemoryHits{}, err
	}
	asked := question{of: &memoryPopulation, user: user, filter: &filter, Looking: store.Looking{
		Vectors: search.Vectors, Words: search.Words, MinSimilarity: search.MinSimilarity,
		SimilarityWeight: search.SimilarityWeight, KeywordWeight: search.KeywordWeight,
		Offset: search.Offset, Limit: search.Limit,
	}}
	hits, hasNext, err := searchFor(ctx, r.store, asked, func(q *session, best []found) ([]model.Memory, error) {
		return memoriesOf(q, user, best, search.Columns)
	}, func(memory model.Memory, f store.Found) store.MemoryHit {
		return store.MemoryHit{Memory: memory, Similarity: f.Similarity, Keyword: f.Keyword, Score: f.Score,
			ByVector: f.ByVector, ByKeyword: f.ByKeyword}
	})
	return store.MemoryHits{Hits: hits, HasNext: hasNext}, wrap("search memories", err)
}

// searchFor ranks what a question finds, reads the records of the hits and makes hits of them.
func searchFor[R, H any](ctx context.Context, s *Store, asked question,
	read func(q *session, best []found) ([]R, error), hit func(R, store.Found) H) (hits []H, hasNext bool, err error) {
	hasNext, err = s.search(ctx, asked, func(q *session, best []found) error {
		records, err := read(q, best)
		if err != nil {
			return err
		}
		hits = make([]H, len(best))
		for i := range best {
			hits[i] = hit(records[i], best[i].Found)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return hits, hasNext, nil
}

// memoriesOf reads the memories that were found, in their order, with the columns wanted.
func memoriesOf(q *session, user model.UserID, best []found, want store.MemoryColumns) ([]model.Memory, error) {
	columns, err := selectMemory(q, user, want)
	if err != nil {
		return nil, err
	}
	memories := make([]model.Memory, len(best))
	for i := range best {
		memories[i].ID = best[i].id
	}
	if want&^store.MemoryHistory != 0 {
		if err := readFound(q, best, memories, columns.width(), func(b *statement) {
			b.add("SELECT ")
			columns.write(b)
			b.add(", m.n FROM memories m INDEXED BY memories_n WHERE m.user_id = ? AND ", userArg(user))
		}, columns.readRow); err != nil {
			return nil, err
		}
	}
	return memories, readHistories(q, user, memories, want)
}

// readFound reads the records of what was found into their places, by their numbers: the statement returns the number
// as the column that is given, and its condition on it is what follows.
func readFound[R any](q *session, best []found, records []R, number int, write func(b *statement),
	read func(*sqlite.Stmt, *R) error) error {
	at, ns := placesOf(best)
	for some := range slices.Chunk(ns, checkAtOnce) {
		var b statement
		write(&b)
		b.inNumbers(some)
		if err := q.read(&b, func(stmt *sqlite.Stmt) error {
			return read(stmt, &records[at[stmt.ColumnInt64(number)]])
		}); err != nil {
			return err
		}
	}
	return nil
}
