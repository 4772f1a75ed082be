package sqlite

import (
	"bytes"
	"cmp"
	"slices"

	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
	"almanac/projections/words"
)

// hit is a row that is or may be a hit.
type hit struct {
	n   int64
	id  model.UUID
	leg *vectorLeg
	// found is what the leg says of it, once it is compared; before, similarity is not less than what it will be.
	found    nearest.Found
	compared bool
	// best are the weights of its forms; sure is whether they are known, checked whether the row was read and passes the
	// filter.
	best          []float64
	sure, checked bool
	similarity    float64
	keyword       float64
	score         float64
}

// rate computes what a candidate is worth, at most.
func (r *searching) rate(h *hit) {
	if h.compared {
		h.similarity = 0
		if h.leg != nil {
			h.similarity = h.found.Similarity
		}
	}
	h.keyword = 0
	if h.hasWord() {
		h.keyword = words.Score(r.words.query, r.words.found, h.best)
	}
	// each rounded, so that no machine fuses them
	h.score = float64(r.SimilarityWeight*max(h.similarity, 0)) + float64(r.KeywordWeight*h.keyword)
}

// hasWord reports whether it has, or may have, a word of the query.
func (h *hit) hasWord() bool {
	return slices.ContainsFunc(h.best, func(weight float64) bool { return weight > 0 })
}

// near reports whether the leg by meaning finds it.
func (r *searching) near(h *hit) bool { return h.leg != nil && h.similarity >= r.MinSimilarity }

// better orders hits: by score, then similarity, then the newer id.
func better(a, b *hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.similarity, a.similarity), bytes.Compare(b.id[:], a.id[:]))
}

// byScore are candidates as a heap: the best is the first, and each is better than those at twice its place and one and
// two further.
type byScore []*hit

// arrange makes a heap of candidates in any order.
func (c byScore) arrange() {
	for at := len(c)/2 - 1; at >= 0; at-- {
		c.sink(at)
	}
}

// pop takes the best.
func (c *byScore) pop() *hit {
	all := *c
	first, last := all[0], len(all)-1
	all[0] = all[last]
	*c = all[:last]
	c.sink(0)
	return first
}

// sink moves a candidate down to where those below it are not better.
func (c byScore) sink(at int) {
	for {
		child := 2*at + 1
		if child >= len(c) {
			return
		}
		if right := child + 1; right < len(c) && better(c[right], c[child]) < 0 {
			child = right
		}
		if better(c[child], c[at]) >= 0 {
			return
		}
		c[at], c[child] = c[child], c[at]
		at = child
	}
}

// rank checks candidates, the best first, until no other can be among the first hits, and returns those, at most depth.
func (r *searching) rank(q *session, candidates byScore) ([]*hit, error) {
	candidates.arrange()
	best := make([]*hit, 0, r.depth+checkAtOnce)
	some := make([]*hit, 0, checkAtOnce)
	for size := min(checkAtOnce, r.depth+8); len(candidates) > 0; size = min(2*size, checkAtOnce) {
		// Of those that are left none has more than the next; what it has may yet become less, and its id is not known.
		if len(best) == r.depth && best[r.depth-1].score > candidates[0].score {
			break
		}
		some = some[:0]
		for len(some) < size && len(candidates) > 0 {
			some = append(some, candidates.pop())
		}
		if err := r.check(q, some); err != nil {
			return nil, err
		}
		for _, h := range some {
			if h.checked && (r.near(h) || h.hasWord()) {
				best = append(best, h)
			}
		}
		slices.SortFunc(best, better)
		best = best[:min(len(best), r.depth)]
	}
	return best, nil
}
