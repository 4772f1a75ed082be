package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/projections/words"
)

const (
	benchEntities = 20_000
	benchFacts    = 100_000
)

func benchEntity(at int) model.UUID {
	return model.UUID{0: 2, 13: byte(at >> 16), 14: byte(at >> 8), 15: byte(at)}
}

// manyFacts writes entities and facts between them, a tenth of which holds; some entities have far more than others.
func manyFacts(t testing.TB, s *Store, user model.UserID, random *rand.Rand, dimensions int) (vectors [][]float32) {
	t.Helper()
	save := func(fn func(ctx context.Context, tx store.Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), user, fn); err != nil {
			t.Fatal(err)
		}
	}
	for at := 0; at < benchEntities; at += 1_000 {
		var entities []store.EntityRowOf
		for n := at; n < at+1_000; n++ {
			e := model.Entity{ID: ownEntity(benchEntity(n)), Name: fmt.Sprint("name ", n), Type: fmt.Sprint("type", n%10),
				CreatedAt: memoryNoon, UpdatedAt: memoryNoon, Version: 1}
			entities = append(entities,
				store.EntityRowOf{Entity: e, Indexed: store.Indexed{Entries: graphtext.EntityEntries(e)}})
		}
		save(func(ctx context.Context, tx store.Tx) error { return tx.SaveEntities(ctx, entities) })
	}
	hubs, terms := rand.NewZipf(random, 1.1, 20, benchEntities-1), rand.NewZipf(random, 1.2, 3, 30_000)
	for at := 0; at < benchFacts; at += 1_000 {
		var facts []store.FactRowOf
		for n := at; n < at+1_000; n++ {
			v := randomUnit(random, dimensions)
			vectors = append(vectors, v)
			f := model.Fact{
				ID:       ownFact(model.UUID{0: 3, 13: byte(n >> 16), 14: byte(n >> 8), 15: byte(n)}),
				Relation: fmt.Sprint("RELATION_", n%50), CreatedAt: memoryNoon.Add(time.Duration(n) * time.Second), Version: 1,
				Source:    model.Entity{ID: ownEntity(benchEntity(int(hubs.Uint64())))},
				Target:    model.Entity{ID: ownEntity(benchEntity(random.IntN(benchEntities)))},
				Embedding: model.Embedding{Model: "bench", Dimensions: dimensions, Vector: v},
			}
			for range 8 {
				f.Sentence += fmt.Sprintf("word%d ", terms.Uint64())
			}
			if n%10 != 0 {
				f.InvalidAt = memoryNoon
			}
			facts = append(facts, store.FactRowOf{Fact: f, Indexed: store.Indexed{Entries: graphtext.FactEntries(f)}})
		}
		save(func(ctx context.Context, tx store.Tx) error { return tx.SaveFacts(ctx, facts) })
	}
	return vectors
}

// BenchmarkKnowledge measures a graph of 100,000 facts between 20,000 entities.
func BenchmarkKnowledge(b *testing.B) {
	s := memoryStore(b, Options{})
	user, random := model.UserIDOf("bench"), rand.New(rand.NewPCG(8, 8))
	start := time.Now()
	vectors := manyFacts(b, s, user, random, 256)
	b.Logf("%.1f s for %d facts, in calls of 1,000", time.Since(start).Seconds(), benchFacts)
	want := store.FactWant{Fact: store.FactRow, Ends: store.EntityName}
	holding := store.FactWhere{Time: store.FactsHolding, At: memoryNoon}
	meaning := func() store.Looking {
		return store.Looking{Vectors: []store.QueryVector{{Model: "bench", Vector: vectors[random.IntN(len(vectors))]}},
			MinSimilarity: -1, SimilarityWeight: 0.7, KeywordWeight: 0.3, Limit: 10}
	}
	both := func() store.Looking {
		looking := meaning()
		looking.Words = words.Query(fmt.Sprintf("word%d word%d", random.IntN(100), random.IntN(2_000)))
		return looking
	}
	search := func(where store.FactWhere, looking func() store.Looking) func() error {
		return func() error {
			hits, err := s.SearchFacts(b.Context(), user, store.FactSearch{Looking: looking(), Where: where, Want: want})
			if err == nil && len(hits.Hits) == 0 {
				err = fmt.Errorf("nothing was found")
			}
			return err
		}
	}
	around := func(entities int) func() error {
		ids := make([]model.UUID, entities)
		return func() error {
			for i := range ids {
				ids[i] = benchEntity(random.IntN(benchEntities))
			}
			_, err := s.FactsAround(b.Context(), user, ids, holding, 50, 500, want)
			return err
		}
	}
	list := func(where store.FactWhere, page bool) func() error {
		return func() error {
			query := store.FactQuery{Where: where, Want: want, Total: !page, Suppressed: !page}
			if page {
				query.Page = &store.Window[store.TimePlace]{Limit: 50}
			}
			_, err := s.ListFacts(b.Context(), user, query)
			return err
		}
	}
	of := holding
	of.Entity = benchEntity(0)
	for _, c := range []struct {
		name string
		ask  func() error
	}{
		{"vector", search(store.FactWhere{}, meaning)},
		{"both", search(store.FactWhere{}, both)},
		{"vector, of the 10 % that hold", search(holding, meaning)},
		{"both, of the 10 % that hold", search(holding, both)},
		{"both, those of a relation that hold", search(store.FactWhere{Time: store.FactsHolding, At: memoryNoon,
			Relations: []string{"RELATION_10"}}, both)},
		{"around 1", around(1)},
		{"around 100", around(100)},
		{"page", list(store.FactWhere{}, true)},
		{"page of those that hold", list(holding, true)},
		{"page of the greatest entity", list(of, true)},
		{"totals of those that hold", list(holding, false)},
		{"totals of the greatest entity", list(of, false)},
		{"1,000 pairs", func() error {
			pairs := make([]store.FactPair, 1_000)
			for i := range pairs {
				pairs[i] = store.FactPair{Source: benchEntity(20 + random.IntN(benchEntities-20)),
					Relation: fmt.Sprint("RELATION_", random.IntN(50))}
			}
			_, err := s.FactsOfPairs(b.Context(), user, pairs, want)
			return err
		}},
		{"2,000 names", func() error {
			names := make([]string, 2_000)
			for i := range names {
				names[i] = fmt.Sprint("name ", random.IntN(benchEntities))
			}
			_, err := s.EntitiesByName(b.Context(), user, names, store.EntityRow)
			return err
		}},
		{"counts", func() error { _, err := s.KnowledgeCounts(b.Context(), user, memoryNoon); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			if err := c.ask(); err != nil { // the first search loads the vectors
				b.Fatal(err)
			}
			for b.Loop() {
				if err := c.ask(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
