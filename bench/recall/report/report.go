//go:build bench

// Package report measures how well memories are found: by meaning with the local embedder, by words, and by both.
//
// It promises that what it measures is the store's own search over what the store keeps; that the half of the queries
// that nothing was tuned with is told apart; and that an index is held against looking at everything.
package report

import (
	"context"
	"fmt"
	"io"
	"slices"

	"almanac/adapters/store"
	"almanac/bench/recall/set"
	"almanac/graph/model"
)

// depth is how many hits are looked at.
const depth = 10

// Store is what is needed of one.
type Store interface {
	store.MemoryReader
	store.Transactor
	EnsureUser(ctx context.Context, user model.User) (model.User, error)
}

// Options say how much is measured.
type Options struct {
	// Memories is the size of the set, at least that of what is written by hand.
	Memories int
	// Index is how many memories an index is measured with; 0 for none. Asked is how many queries ask it.
	Index, Asked int
}

// Everything is what a report has.
func Everything() Options { return Options{Memories: set.Size, Index: 100_000, Asked: 200} }

// Run measures on an empty, migrated store, and writes the report as Markdown.
func Run(ctx context.Context, s Store, o Options, out, progress io.Writer) error {
	made, err := set.Make(o.Memories)
	if err != nil {
		return err
	}
	fmt.Fprintln(progress, "recall: keeping the set")
	k, err := keep(ctx, s, "recall", made.Memories, vectorsOf(made.Memories))
	if err != nil {
		return err
	}
	fmt.Fprintln(progress, "recall: asking")
	outcomes, err := measure(ctx, k, made.Queries, legs())
	if err != nil {
		return err
	}
	writeRecall(out, made, outcomes)
	fmt.Fprintln(progress, "recall: comparing weights")
	b := newBrute(made.Memories)
	writeWeights(out, made.Queries, b)
	writeCurves(out, made, b)
	if o.Index == 0 {
		return nil
	}
	fmt.Fprintf(progress, "recall: keeping %d memories\n", o.Index)
	found, err := measureIndex(ctx, s, o.Index, o.Asked)
	if err != nil {
		return err
	}
	found.write(out)
	return nil
}

// weights are how much each leg counts.
type weights struct{ similarity, keyword float64 }

// leg is a way to search.
type leg struct {
	name string
	weights
}

// legs are each leg alone, and both with the weights that a search has by default.
func legs() []leg {
	return []leg{{"meaning", weights{1, 0}}, {"words", weights{0, 1}}, {"both", weights{0.7, 0.3}}}
}

// searcher finds the best memories, as places in the set.
type searcher interface {
	search(ctx context.Context, text string, w weights) ([]int, error)
}

// figures are sums over queries.
type figures struct{ recall, reciprocal, queries float64 }

func (f figures) plus(o figures) figures {
	return figures{f.recall + o.recall, f.reciprocal + o.reciprocal, f.queries + o.queries}
}

// mean returns recall@10 and the mean reciprocal rank.
func (f figures) mean() (recall, reciprocal float64) {
	if f.queries == 0 {
		return 0, 0
	}
	return f.recall / f.queries, f.reciprocal / f.queries
}

// outcome is what each leg made of a query.
type outcome struct {
	query set.Query
	legs  []figures
}

func measure(ctx context.Context, s searcher, queries []set.Query, by []leg) ([]outcome, error) {
	all := make([]outcome, 0, len(queries))
	for _, q := range queries {
		o := outcome{query: q}
		for _, l := range by {
			hits, err := s.search(ctx, q.Text, l.weights)
			if err != nil {
				return nil, fmt.Errorf("search %q by %s: %w", q.Text, l.name, err)
			}
			o.legs = append(o.legs, judge(q, hits))
		}
		all = append(all, o)
	}
	return all, nil
}

// judge returns how many of the answers are among the hits, of as many as there could be, and 1 over the rank of the
// first.
func judge(q set.Query, hits []int) figures {
	f := figures{queries: 1}
	for i, at := range hits {
		if !slices.Contains(q.Answers, at) {
			continue
		}
		if f.recall == 0 {
			f.reciprocal = 1 / float64(i+1)
		}
		f.recall++
	}
	f.recall /= float64(min(depth, len(q.Answers)))
	return f
}

// total adds up a leg of the outcomes that pass.
func total(outcomes []outcome, at int, pass func(q set.Query) bool) figures {
	var sum figures
	for _, o := range outcomes {
		if pass(o.query) {
			sum = sum.plus(o.legs[at])
		}
	}
	return sum
}
