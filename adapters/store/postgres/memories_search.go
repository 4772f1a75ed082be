package postgres

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// SearchMemories ranks memories; see the contract, and nearestOf on when an index is used and what it may miss.
func (d reader) SearchMemories(ctx context.Context, user model.UserID,
	search store.MemorySearch) (store.MemoryHits, error) {
	looking := store.Looking{
		Vectors: search.Vectors, Words: search.Words, MinSimilarity: search.MinSimilarity,
		SimilarityWeight: search.SimilarityWeight, KeywordWeight: search.KeywordWeight,
		Offset: search.Offset, Limit: search.Limit,
	}
	if err := checkMemories(&search.Where); err != nil {
		return store.MemoryHits{}, err
	}
	if err := checkLooking(&looking); err != nil {
		return store.MemoryHits{}, err
	}
	shape := shapeOfMemory(search.Columns, ordering{})
	memories := &shelfOf[model.Memory]{columns: shape.list(), joined: shape.joins(),
		heavy: search.Columns.Has(store.MemoryHistory), read: func(r *row) (model.UUID, model.Memory) {
			var memory model.Memory
			shape.read(r, &memory, nil)
			return memory.ID, memory
		}}
	k := &seeker{store: d.store, user: user, in: memoryPopulation(),
		sieve: &memorySieve{where: &search.Where, now: search.Now}, search: looking, shelf: memories}
	page, hasNext, err := k.seek(ctx)
	if err != nil {
		return store.MemoryHits{}, fmt.Errorf("postgres: search memories: %w", err)
	}
	return store.MemoryHits{HasNext: hasNext,
		Hits: hitsOf(page, memories.kept, func(memory model.Memory, c *candidate) store.MemoryHit {
			return store.MemoryHit{Memory: memory, Similarity: c.similarity, Keyword: c.keyword, Score: c.score,
				ByVector: c.byVector, ByKeyword: c.byKeyword}
		})}, nil
}

// memorySieve is a filter of memories. Those that have expired are not there.
type memorySieve struct {
	where *store.MemoryWhere
	now   time.Time
}

func (s *memorySieve) asks() bool { return memoryConditions(newQuery(nil), s.where, each) != "" }

func (s *memorySieve) conditions(q *query) string { return memoryConditions(q, s.where, each) }

func (s *memorySieve) all(q *query, what string) string { return allMemories(q, what, s.where, s.now) }

func (s *memorySieve) there(q *query) string { return "t.expires_at > " + q.param(instantArg(s.now)) }

func (s *memorySieve) beside(*query) string { return "" }

func (s *memorySieve) gone(q *query) string { return expired(q.param(instantArg(s.now))) }

// expired returns the numbers of the user's memories that have expired and are still there.
func expired(now string) string {
	return "SELECT n FROM memories WHERE user_id = $1 AND expires_at < 'infinity' AND expires_at <= " + now
}
