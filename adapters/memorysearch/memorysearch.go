// Package memorysearch finds memories: it asks the store, and reads what the store puts first again, word by word.
//
// It promises the same order and the same scores over every store; that a score is the weighted sum of a hit's
// similarity and of its keyword score; that with the vectors of the own model the similarity of a hit that was read
// again is what vectors and words say together; and that pages of one search fit together.
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
	"almanac/projections/words"
)

// deep is how many of the store's best hits are read again.
const deep = 100

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

// answered is how much of what is missing a memory has more when it has what the query asks for: a day, a number, a
// place.
const answered = 0.1

// trusted is how much of a similarity is believed beside what the words say.
const trusted = 0.8

// mostIndexed is up to which length of a content its words are looked for as the index has them, which takes longer
// than all else.
const mostIndexed = 4 << 10

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
func (a *Ask) order(hits []store.MemoryHit) (found []store.MemoryHit, byThemselves int) {
	r, own := a.reader(), a.ofOwnModel()
	sure, best := a.Bounded, 0.0
	weak := make([]store.MemoryHit, 0, len(hits))
	for _, hit := range hits {
		cover, answers := r.cover(&hit)
		sure = sure || hit.Similarity >= sureSimilarity || hit.Keyword >= sureKeyword || cover >= sureCover
		hit.ByVector = hit.ByVector && hit.Similarity >= a.Search.MinSimilarity
		byItself := hit.ByVector || hit.ByKeyword
		hit.ByKeyword = hit.ByKeyword || cover >= said
		if hit.Keyword = max(hit.Keyword, cover); answers && hit.Keyword > 0 {
			hit.Keyword += float64(answered * (1 - hit.Keyword))
		}
		if own {
			hit.Similarity = together(&hit)
		}
		hit.Score = a.score(&hit)
		best = max(best, hit.Score)
		switch {
		case byItself:
			byThemselves++
			found = append(found, hit)
		case hit.ByKeyword:
			weak = append(weak, hit)
		}
	}
	if !sure {
		return nil, byThemselves
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
	return found, byThemselves
}

// together is the similarity of a hit that was read again: what its vector and its words say together, taken as if
// neither knew of the other, so that it is far when both say so. Never less than the vectors say; 0, which is none,
// stays.
//
// The words tell more than one of our own vectors of a whole text. Whoever has chosen another model is told its cosine.
func together(hit *store.MemoryHit) float64 {
	if hit.Similarity == 0 {
		return 0
	}
	// each rounded, so that no machine fuses them
	doubt := float64((1 - float64(trusted*max(hit.Similarity, 0))) * (1 - hit.Keyword))
	return max(hit.Similarity, 1-doubt)
}

// score is what a hit that was read again is ranked by.
func (a *Ask) score(hit *store.MemoryHit) float64 {
	// each rounded, so that no machine fuses them
	return float64(a.Search.SimilarityWeight*max(hit.Similarity, 0)) + float64(a.Search.KeywordWeight*hit.Keyword)
}

// ofOwnModel reports whether all vectors that are compared are of the model that is part of this program.
func (a *Ask) ofOwnModel() bool {
	return len(a.Search.Vectors) > 0 && !slices.ContainsFunc(a.Search.Vectors, func(v store.QueryVector) bool {
		return v.Model != ngram.Model().Name
	})
}

// reader reads memories again.
type reader struct {
	asked *ngram.Asked
	words model.SearchWords
	// terms are the places of the query's words among the terms that were looked for; -1 for none.
	terms []int
	had   []float64
}

func (a *Ask) reader() *reader {
	r := &reader{asked: ngram.Ask(a.Query), words: a.Search.Words}
	for _, word := range r.asked.Words() {
		r.terms = append(r.terms, slices.IndexFunc(r.words.Terms, func(term model.SearchTerm) bool {
			return len(term.Forms) > 0 && term.Forms[0].Term != "" && term.Forms[0].Term[1:] == word
		}))
	}
	r.had = make([]float64, len(r.terms))
	return r
}

// cover returns how much of the query a hit says, and whether it has what the query asks for.
func (r *reader) cover(hit *store.MemoryHit) (covered float64, answers bool) {
	clear(r.had)
	if hit.Keyword > 0 && len(hit.Memory.Content) <= mostIndexed {
		match := words.Match(r.words, words.Entries(hit.Memory))
		for i, at := range r.terms {
			if at >= 0 {
				r.had[i] = match[at]
			}
		}
	}
	return r.asked.Cover(memo.Text(hit.Memory), r.had)
}
