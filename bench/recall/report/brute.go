//go:build bench

package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/bench/recall/set"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/ngram"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// brute searches by looking at every memory, with the functions that the stores score with. It is what an index is held
// against.
type brute struct {
	vectors [][]float32
	entries [][]string
	// last is what score gave for the text asked for last: each leg asks for the same.
	last struct {
		text string
		all  []scored
	}
}

func newBrute(memories []model.Memory) *brute {
	b := &brute{vectors: vectorsOf(memories), entries: make([][]string, len(memories))}
	for i, m := range memories {
		b.entries[i] = words.Entries(m)
	}
	return b
}

// scored is what both legs say about one memory.
type scored struct {
	at                  int
	similarity, keyword float64
}

// score returns both scores of every memory.
func (b *brute) score(text string) []scored {
	if text == b.last.text {
		return slices.Clone(b.last.all)
	}
	query, search := ngram.Embed(text), words.Query(text)
	found := b.count(search)
	var again []int
	if search, again = words.Settle(search, found); len(again) > 0 {
		found = b.count(search)
	}
	all := make([]scored, len(b.vectors))
	best := make([][]float64, len(b.vectors))
	for i := range all {
		best[i] = words.Match(search, b.entries[i])
	}
	for i := range all {
		all[i] = scored{i, vector.Cosine(query, b.vectors[i]), words.Score(search, found, best[i])}
	}
	b.last.text, b.last.all = text, slices.Clone(all)
	return all
}

// count is how many index rows each term of a query finds, at most words.Common.
func (b *brute) count(search model.SearchWords) []int {
	found := make([]int, len(search.Terms))
	var rows []int
	for i, term := range search.Terms {
		for _, entries := range b.entries {
			rows = rows[:0]
			for _, f := range term.Forms {
				for at, _ := slices.BinarySearch(entries, f.Term); at < len(entries) &&
					(entries[at] == f.Term || f.Prefix && strings.HasPrefix(entries[at], f.Term)); at++ {
					rows = append(rows, at)
				}
			}
			slices.Sort(rows)
			found[i] = min(found[i]+len(slices.Compact(rows)), words.Common)
		}
	}
	return found
}

// search is a searcher's.
func (b *brute) search(_ context.Context, text string, w weights) ([]int, error) {
	all := b.score(text)
	for i := range all {
		if w.similarity == 0 {
			all[i].similarity = -1
		}
		if w.keyword == 0 {
			all[i].keyword = 0
		}
	}
	return rankBy(all, w.score), nil
}

// rankBy returns the best by a score: what is found is similar enough or has a word; ties go to the more similar, then
// to the newer, as in the stores.
func rankBy(all []scored, score func(s scored) float64) []int {
	bound := floor()
	var hits []scored
	for _, s := range all {
		if s.similarity >= bound || s.keyword > 0 {
			hits = append(hits, s)
		}
	}
	slices.SortFunc(hits, func(a, b scored) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(b.similarity, a.similarity), cmp.Compare(b.at, a.at))
	})
	places := make([]int, 0, depth)
	for _, h := range hits[:min(depth, len(hits))] {
		places = append(places, h.at)
	}
	return places
}

func (w weights) score(s scored) float64 {
	return w.similarity*max(s.similarity, 0) + w.keyword*s.keyword
}

// nearest returns the similarity of the memory that comes last among the most similar n of those that pass.
func (b *brute) nearest(query []float32, n int, pass func(at int) bool) float64 {
	var all []float64
	for i, v := range b.vectors {
		if pass(i) {
			all = append(all, vector.Cosine(query, v))
		}
	}
	slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
	return all[min(n, len(all))-1]
}

// vectorsOf are the vectors of memories as a store keeps them. Keeping them again changes nothing.
func vectorsOf(memories []model.Memory) [][]float32 {
	vectors := make([][]float32, len(memories))
	for i, m := range memories {
		vectors[i] = vector.Unpack(vector.Pack(ngram.Embed(memo.Text(m))))
	}
	return vectors
}

// queriesOf picks n queries of a set, from all over it.
func queriesOf(s set.Set, n int) []set.Query {
	n = min(n, len(s.Queries))
	picked := make([]set.Query, 0, n)
	for i := range n {
		picked = append(picked, s.Queries[i*len(s.Queries)/n])
	}
	return picked
}
