//go:build bench

package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/ngram"
	"almanac/projections/vector"
)

// wantedHits is how many memories a search gives.
const wantedHits = 10

// The ways to search that are compared.
const (
	wayVector    = "vector alone"
	wayWords     = "words alone"
	wayHybrid    = "hybrid"
	wayTenth     = "hybrid, filter of 10 %"
	wayHundredth = "hybrid, filter of 1 %"
	wayBareExact = "bare SQL, exact"
	wayBareIndex = "bare SQL, index"
	wayScan      = "exact scan in Go"
)

// memoryWay is one way to search; number is the query's.
type memoryWay struct {
	name string
	ask  func(ctx context.Context, number int) error
}

// selection tells which memories are searched by the query with a number.
type selection struct {
	name string
	tag  func(at int) string
}

var everything = selection{name: "all"}

func (f selection) where(number int) store.MemoryWhere {
	if f.tag == nil {
		return store.MemoryWhere{}
	}
	return store.MemoryWhere{TagsAll: []string{f.tag(number)}}
}

// search asks as the product does: with its least similarity and its weights, for whole rows.
func (l *library) search(ctx context.Context, s openedStore, number int, f selection, byVector, byWords bool) error {
	q := l.queries[number]
	search := store.MemorySearch{
		Where: f.where(number), Now: l.now, MinSimilarity: ngram.Model().Floor, SimilarityWeight: 0.7, KeywordWeight: 0.3,
		Limit: wantedHits, Columns: store.MemoryRow,
	}
	if byVector {
		search.Vectors = []store.QueryVector{{Model: ngram.Model().Name, Vector: q.vector}}
	}
	if byWords {
		search.Words = q.words
	}
	_, err := s.SearchMemories(ctx, l.user.ID, search)
	return err
}

// similar asks for the most similar memories, however similar, and returns their similarities.
func (l *library) similar(ctx context.Context, s openedStore, q lookup, f selection) ([]float64, error) {
	return l.similarIn(ctx, s, q, f.where(0), wantedHits)
}

func (l *library) similarIn(ctx context.Context, s openedStore, q lookup, where store.MemoryWhere,
	limit int) ([]float64, error) {
	hits, err := s.SearchMemories(ctx, l.user.ID, store.MemorySearch{
		Where: where, Now: l.now, MinSimilarity: -1, SimilarityWeight: 1, Limit: limit,
		Vectors: []store.QueryVector{{Model: ngram.Model().Name, Vector: q.vector}},
	})
	if err != nil {
		return nil, err
	}
	similarities := make([]float64, len(hits.Hits))
	for i := range hits.Hits {
		similarities[i] = hits.Hits[i].Similarity
	}
	return similarities, nil
}

// scan returns the highest similarities by looking at every vector that passes, the highest first.
func (l *library) scan(query []float32, pass func(at int) bool) []float64 {
	best := make([]float64, 0, wantedHits+1)
	for at, v := range l.vectors {
		if pass != nil && !pass(at) {
			continue
		}
		one := vector.Cosine(query, v)
		if len(best) == wantedHits && one <= best[wantedHits-1] {
			continue
		}
		place, _ := slices.BinarySearchFunc(best, one, func(have, one float64) int {
			if have >= one {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, place, one)
		best = best[:min(len(best), wantedHits)]
	}
	return best
}

// waysOf are the ways that the shelf can be searched.
func (s *shelf) waysOf() []memoryWay {
	product := func(name string, f selection, byVector, byWords bool) memoryWay {
		return memoryWay{name, func(ctx context.Context, number int) error {
			return s.search(ctx, s.store, number, f, byVector, byWords)
		}}
	}
	all := []memoryWay{
		product(wayVector, everything, true, false), product(wayWords, everything, false, true),
		product(wayHybrid, everything, true, true),
		product(wayTenth, selection{"10 %", tenth}, true, true),
		product(wayHundredth, selection{"1 %", hundredth}, true, true),
	}
	if s.bare != nil {
		all = append(all, memoryWay{wayBareExact, func(ctx context.Context, number int) error {
			_, err := s.bare.ask(ctx, s.queries[number], false)
			return err
		}})
		if s.bare.index != "" {
			all = append(all, memoryWay{wayBareIndex, func(ctx context.Context, number int) error {
				_, err := s.bare.ask(ctx, s.queries[number], true)
				return err
			}})
		}
	}
	return append(all, memoryWay{wayScan, func(_ context.Context, number int) error {
		s.scan(s.queries[number].vector, nil)
		return nil
	}})
}

// ask takes the time of each way for each query. The ways take turns, in an order of chance for each query, so that
// what disturbs the machine disturbs all.
func (s *shelf) ask(ctx context.Context, o options) error {
	s.ways = s.waysOf()
	for round := range o.rounds + 1 {
		took := make(map[string][]time.Duration, len(s.ways))
		for number := range s.queries {
			if round == 0 && number == 10 { // the first round warms up
				break
			}
			for _, at := range rand.Perm(len(s.ways)) { //nolint:gosec // an order, no secret
				start := time.Now()
				if err := s.ways[at].ask(ctx, number); err != nil {
					return err
				}
				took[s.ways[at].name] = append(took[s.ways[at].name], time.Since(start))
			}
		}
		if round > 0 {
			s.rounds = append(s.rounds, took)
		}
	}
	return s.compare(ctx)
}

// widerHits is how many hits a wider search gives, of which the first wantedHits count: a hybrid search asks its index
// for about as many.
const widerHits = 100

const (
	foundNear  = "all, of those that are similar enough for a search to give them"
	foundWider = "all, the first 10 of a search for 100"
)

// found is how many of the truly nearest a way has found.
type found struct {
	name   string
	recall float64
}

// compare holds what is found by vector against looking at every vector.
func (s *shelf) compare(ctx context.Context) error {
	sums := map[string]float64{}
	counts := map[string]float64{}
	add := func(name string, have, right []float64) {
		sums[name] += recallOf(have, right)
		counts[name]++
	}
	for number, q := range s.queries {
		for _, f := range []selection{everything, {"10 %", tenth}, {"1 %", hundredth}} {
			var pass func(at int) bool
			if f.tag != nil {
				pass = func(at int) bool { return f.tag(at) == f.tag(number) }
			}
			right := s.scan(q.vector, pass)
			have, err := s.similarIn(ctx, s.store, q, f.where(number), wantedHits)
			if err != nil {
				return err
			}
			add(f.name, have, right)
			if f.tag != nil {
				continue
			}
			if near := slices.DeleteFunc(slices.Clone(right),
				func(one float64) bool { return one < ngram.Model().Floor }); len(near) > 0 {
				add(foundNear, have, near)
			}
			if have, err = s.similarIn(ctx, s.store, q, f.where(number), widerHits); err != nil {
				return err
			}
			add(foundWider, have, right)
			if s.bare == nil || s.bare.index == "" {
				continue
			}
			ids, err := s.bare.ask(ctx, q, true)
			if err != nil {
				return err
			}
			add(wayBareIndex, s.similaritiesOf(q, ids), right)
		}
	}
	for _, name := range []string{everything.name, foundNear, foundWider, "10 %", "1 %", wayBareIndex} {
		if counts[name] > 0 {
			s.found = append(s.found, found{name, sums[name] / counts[name]})
		}
	}
	return nil
}

func (l *library) similaritiesOf(q lookup, ids []model.UUID) []float64 {
	var out []float64
	for _, id := range ids {
		if at, known := l.at[id]; known {
			out = append(out, vector.Cosine(q.vector, l.vectors[at]))
		}
	}
	return out
}

// recallOf is the share of the right ones that were found. What is as similar as the last right one is right, whichever
// it is.
func recallOf(have, right []float64) float64 {
	if len(right) == 0 {
		return 1
	}
	count := 0
	for _, one := range have {
		if one >= right[len(right)-1] {
			count++
		}
	}
	return min(float64(count)/float64(len(right)), 1)
}
