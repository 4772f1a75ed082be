//go:build bench

package report

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/memorysearch"
	"almanac/adapters/store"
	"almanac/bench/recall/set"
	"almanac/graph/model"
	"almanac/projections/ngram"
	"almanac/projections/words"
)

// kept is a set in a store.
type kept struct {
	store Store
	user  model.UserID
	now   time.Time
	at    map[model.UUID]int
	// bare asks the store alone, without reading its first hits again.
	bare bool
}

// keptAtOnce is how many memories one transaction adds.
const keptAtOnce = 1_000

// keep returns memories, with their vectors, to a user of their own.
func keep(ctx context.Context, s Store, subject string, memories []model.Memory, vectors [][]float32) (*kept, error) {
	last := memories[len(memories)-1].CreatedAt
	user := model.User{
		ID: model.UserIDOf("bench " + subject), Subject: subject, CreatedAt: last,
		Settings: model.Settings{TimeZone: "Asia/Jerusalem", Locale: "en", WeekStart: model.Sunday},
	}
	if _, err := s.EnsureUser(ctx, user); err != nil {
		return nil, fmt.Errorf("make a user: %w", err)
	}
	k := &kept{store: s, user: user.ID, now: last.Add(time.Hour), at: make(map[model.UUID]int, len(memories))}
	local := ngram.Model()
	for from := 0; from < len(memories); from += keptAtOnce {
		some := make([]model.Memory, 0, keptAtOnce)
		for i, m := range memories[from:min(from+keptAtOnce, len(memories))] {
			m.Embedding = model.Embedding{Model: local.Name, Dimensions: local.Dimensions, Vector: vectors[from+i]}
			k.at[m.ID] = from + i
			some = append(some, m)
		}
		err := s.Write(ctx, k.user, func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, some) })
		if err != nil {
			return nil, fmt.Errorf("keep memories: %w", err)
		}
	}
	return k, nil
}

// search is a searcher's.
func (k *kept) search(ctx context.Context, text string, w weights) ([]int, error) {
	search := store.MemorySearch{Now: k.now, MinSimilarity: floor(), SimilarityWeight: w.similarity,
		KeywordWeight: w.keyword, Limit: depth}
	if w.similarity > 0 {
		search.Vectors = []store.QueryVector{{Model: ngram.Model().Name, Vector: ngram.Embed(text)}}
	}
	if w.keyword > 0 {
		search.Words = words.Query(text)
	}
	found, err := k.ask(ctx, text, search)
	if err != nil {
		return nil, err
	}
	places := make([]int, 0, len(found.Hits))
	for _, hit := range found.Hits {
		at, known := k.at[hit.Memory.ID]
		if !known {
			return nil, fmt.Errorf("a hit that is none of the user's: %s", model.ID{Kind: model.KindMemory, UUID: hit.Memory.ID})
		}
		places = append(places, at)
	}
	return places, nil
}

func (k *kept) ask(ctx context.Context, text string, search store.MemorySearch) (store.MemoryHits, error) {
	if k.bare || search.Vectors == nil {
		return k.store.SearchMemories(ctx, k.user, search)
	}
	return memorysearch.Memories(ctx, k.store, k.user, memorysearch.Ask{Query: text, Search: search})
}

// indexFigures are how an index does against looking at everything.
type indexFigures struct {
	memories, asked int
	// whole and part are recall@10 among all memories and among a hundredth of them.
	whole, part float64
	// wholeTook and partTook are the medians of what a search took.
	wholeTook, partTook time.Duration
}

// selective is how many parts the memories have, of which one is searched.
const selective = 100

// measureIndex asks a store with so many memories for the most similar ones, and looks at everything to see what it
// missed. A memory as similar as the last right one is right.
func measureIndex(ctx context.Context, s Store, size, asked int) (indexFigures, error) {
	made, err := set.Make(size)
	if err != nil {
		return indexFigures{}, err
	}
	vectors := vectorsOf(made.Memories)
	for i, m := range made.Memories { // their words are not looked for, so they need not be written
		made.Memories[i] = model.Memory{
			ID: m.ID, Type: m.Type, Content: fmt.Sprintf("memory %d", i), Tags: []string{fmt.Sprintf("part%d", i%selective)},
			CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, Version: 1,
		}
	}
	k, err := keep(ctx, s, "index", made.Memories, vectors)
	if err != nil {
		return indexFigures{}, err
	}
	b := &brute{vectors: vectors}
	queries := queriesOf(made, asked)
	f := indexFigures{memories: len(made.Memories), asked: len(queries)}
	var whole, part []time.Duration
	for i, q := range queries {
		query := ngram.Embed(q.Text)
		found, took, err := k.similar(ctx, query, store.MemoryWhere{})
		if err != nil {
			return f, err
		}
		whole = append(whole, took)
		f.whole += rightOf(found, b.nearest(query, depth, func(int) bool { return true }))
		number := i % selective
		found, took, err = k.similar(ctx, query, store.MemoryWhere{TagsAll: []string{fmt.Sprintf("part%d", number)}})
		if err != nil {
			return f, err
		}
		part = append(part, took)
		f.part += rightOf(found, b.nearest(query, depth, func(at int) bool { return at%selective == number }))
	}
	f.whole /= float64(len(queries))
	f.part /= float64(len(queries))
	f.wholeTook, f.partTook = median(whole), median(part)
	return f, nil
}

// similar asks for the most similar memories, however similar, and returns their similarities and how long it took.
func (k *kept) similar(ctx context.Context, query []float32,
	where store.MemoryWhere) ([]float64, time.Duration, error) {
	start := time.Now()
	found, err := k.store.SearchMemories(ctx, k.user, store.MemorySearch{
		Where: where, Now: k.now, Vectors: []store.QueryVector{{Model: ngram.Model().Name, Vector: query}}, MinSimilarity: -1,
		SimilarityWeight: 1, Limit: depth,
	})
	took := time.Since(start)
	if err != nil {
		return nil, 0, fmt.Errorf("search the index: %w", err)
	}
	similarities := make([]float64, 0, depth)
	for _, hit := range found.Hits {
		similarities = append(similarities, hit.Similarity)
	}
	return similarities, took, nil
}

// rightOf is the share of the hits that are as similar as the last right one; of the wanted depth, so that missing hits
// count as wrong.
func rightOf(similarities []float64, last float64) float64 {
	right := 0.0
	for _, s := range similarities {
		if s >= last {
			right++
		}
	}
	return right / depth
}
