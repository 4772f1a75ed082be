// Package memorysearch finds memories: it asks the store, and reads what the store puts first again, word by word.
//
// It promises the same order and the same scores over every store; that a score is the weighted sum of the similarity
// and the keyword score that it returns with a hit; and that pages of one search fit together.
package memorysearch

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/ngram"
)

// deep is how many of the store's best hits are read again.
const deep = 50

// Reading is what a hit is read again with.
const Reading = store.MemoryType | store.MemoryContent | store.MemorySummary | store.MemoryTags | store.MemoryMetadata

// Bounds of what counts as found when the caller names no similarity; they were chosen on the development sets of
// bench/recall.
const (
	// reach is the share of the model's own threshold from which a memory is read again.
	reach = 0.2
	// said is how much of the query a memory must say in near words, if it is below the threshold and has none of its own.
	said = 0.1
	// beside is the share of the best hit's score that such a memory has at least.
	beside = 0.4
	// At least one hit must be as similar as this, or say as much of the query in its own or in near words; else nothing
	// is found at all.
	sureSimilarity, sureKeyword, sureCover = 0.24, 0.2, 0.45
)

// Ask is a search of the user's memories.
type Ask struct {
	// Query is the text that Search.Vectors and Search.Words were made of.
	Query string
	// Search is what the store is asked.
	Search store.MemorySearch
	// Bounded tells that the caller has named the least similarity: nothing below it is found but by words.
	Bounded bool
}

// Memories returns what is found, best first.
func Memories(ctx context.Context, s store.MemoryReader, user model.UserID, ask Ask) (store.MemoryHits, error) {
	search := ask.Search
	if search.KeywordWeight <= 0 || len(search.Words.Terms) == 0 {
		return s.SearchMemories(ctx, user, search)
	}
	near := search
	near.Offset, near.Limit = 0, deep
	near.Columns |= Reading
	if !ask.Bounded {
		near.MinSimilarity *= reach
	}
	first, err := s.SearchMemories(ctx, user, near)
	if err != nil {
		return store.MemoryHits{}, err
	}
	hits, own := ask.order(first.Hits)
	from, to := min(search.Offset, len(hits)), min(search.Offset+search.Limit, len(hits))
	out := store.MemoryHits{Hits: hits[from:to], HasNext: len(hits) > to}
	if len(hits) > to || !first.HasNext || len(hits) == 0 {
		return out, nil
	}
	rest := search // what follows is what the store finds by itself, without the first ones of it
	rest.Offset = own + max(0, search.Offset-len(hits))
	rest.Limit = min(search.Limit-(to-from), max(model.MaxSearchDepth-rest.Offset, 0))
	asked := rest.Limit
	rest.Limit = max(rest.Limit, 1) // is there another?
	more, err := s.SearchMemories(ctx, user, rest)
	if err != nil {
		return store.MemoryHits{}, err
	}
	out.Hits = append(out.Hits, more.Hits[:min(asked, len(more.Hits))]...)
	out.HasNext = more.HasNext || len(more.Hits) > asked
	return out, nil
}

// order reads hits again and returns those that are found, the best first, and how many of the hits the store finds
// without being read again.
func (a *Ask) order(hits []store.MemoryHit) (found []store.MemoryHit, own int) {
	asked := ngram.Ask(a.Query)
	sure, best := a.Bounded, 0.0
	weak := make([]store.MemoryHit, 0, len(hits))
	for _, hit := range hits {
		cover := asked.Cover(memo.Text(hit.Memory))
		sure = sure || hit.Similarity >= sureSimilarity || hit.Keyword >= sureKeyword || cover >= sureCover
		hit.ByVector = hit.ByVector && hit.Similarity >= a.Search.MinSimilarity
		byItself := hit.ByVector || hit.ByKeyword
		hit.ByKeyword = hit.ByKeyword || cover >= said
		hit.Keyword = max(hit.Keyword, cover)
		// each rounded, so that no machine fuses them
		hit.Score = float64(a.Search.SimilarityWeight*max(hit.Similarity, 0)) + float64(a.Search.KeywordWeight*hit.Keyword)
		best = max(best, hit.Score)
		switch {
		case byItself:
			own++
			found = append(found, hit)
		case hit.ByKeyword:
			weak = append(weak, hit)
		}
	}
	if !sure {
		return nil, own
	}
	for _, hit := range weak {
		if hit.Score >= beside*best {
			found = append(found, hit)
		}
	}
	slices.SortFunc(found, func(x, y store.MemoryHit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(y.Similarity, x.Similarity),
			bytes.Compare(y.Memory.ID[:], x.Memory.ID[:]))
	})
	return found, own
}
