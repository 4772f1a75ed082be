package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// benchMemories are how many memories the searches are measured on.
const benchMemories = 100_000

// manyMemories writes memories whose vectors lie in clusters, and whose words are common and rare ones.
func manyMemories(t testing.TB, s *Store, user model.UserID, random *rand.Rand, rows int) (vectors [][]float32) {
	t.Helper()
	centres := make([][]float32, 300)
	for i := range centres {
		centres[i] = randomUnit(random, 256)
	}
	zipf := rand.NewZipf(random, 1.2, 3, 30_000)
	for at := 0; at < rows; {
		memories := make([]model.Memory, 0, 500)
		for ; at < rows && len(memories) < cap(memories); at++ {
			v := randomUnit(random, 256)
			for i, x := range centres[random.IntN(len(centres))] {
				v[i] = x + 0.6*v[i]
			}
			vector.Unit(v)
			vectors = append(vectors, v)
			text := ""
			for range 12 {
				text += fmt.Sprintf("word%d ", zipf.Uint64())
			}
			created := memoryNoon.Add(-rowAge(at))
			memories = append(memories, model.Memory{
				ID: model.UUID{0: 1, 2: byte(at >> 16), 3: byte(at >> 8), 4: byte(at)}, Type: model.MemoryNote, Content: text,
				Tags: []string{fmt.Sprint("tag", at%100)}, CreatedAt: created, UpdatedAt: created,
				Version: 1, Embedding: model.Embedding{Model: "bench", Dimensions: 256, Vector: v},
			})
		}
		if err := s.Write(t.Context(), user, func(ctx context.Context,
			tx store.Tx) error {
			return tx.InsertMemories(ctx, memories)
		}); err != nil {
			t.Fatal(err)
		}
	}
	return vectors
}

func randomUnit(random *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	vector.Unit(v)
	return v
}

// BenchmarkMemories measures the writing of memories, the first search, which loads the vectors, and searches after it.
func BenchmarkMemories(b *testing.B) {
	s := memoryStore(b, Options{})
	user, random := model.UserIDOf("bench"), rand.New(rand.NewPCG(8, 8))
	vectors := manyMemories(b, s, user, random, benchMemories)
	b.Logf("%.0f memories written a second", benchMemories/b.Elapsed().Seconds())
	if _, err := s.SearchMemories(b.Context(), user, store.MemorySearch{Now: memoryNoon, Limit: 1,
		Vectors: []store.QueryVector{{Model: "bench", Vector: vectors[0]}}}); err != nil {
		b.Fatal(err)
	}
	b.Logf("%.1f s with the first search", b.Elapsed().Seconds())
	meaning := func() []store.QueryVector {
		v := append([]float32(nil), vectors[random.IntN(len(vectors))]...)
		for i, x := range randomUnit(random, 256) {
			v[i] += 0.5 * x
		}
		vector.Unit(v)
		return []store.QueryVector{{Model: "bench", Vector: v}}
	}
	tag := store.MemoryWhere{TagsAll: []string{"tag7"}}
	recent := store.MemoryWhere{CreatedFrom: memoryNoon.Add(-rowAge(benchMemories / 100))}
	kind := store.MemoryWhere{Types: []model.MemoryType{model.MemoryNote}}
	word := func(n int) model.SearchWords { return words.Query(fmt.Sprintf("word%d word%d", n, n+1)) }
	for _, c := range []struct {
		name   string
		search store.MemorySearch
		vector bool
	}{
		{"vector", store.MemorySearch{}, true},
		{"rare words", store.MemorySearch{Words: word(5_000)}, false},
		{"common words", store.MemorySearch{Words: word(1)}, false},
		{"both, rare", store.MemorySearch{Words: word(5_000)}, true},
		{"both, common", store.MemorySearch{Words: word(1)}, true},
		{"vector, by tag 1 %", store.MemorySearch{Where: tag}, true},
		{"vector, newest 1 %", store.MemorySearch{Where: recent}, true},
		{"vector, by type 100 %", store.MemorySearch{Where: kind}, true},
		{"both, common, by tag", store.MemorySearch{Where: tag, Words: word(1)}, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			search := c.search
			search.Now, search.Limit, search.SimilarityWeight, search.KeywordWeight = memoryNoon, 10, 0.7, 0.3
			search.Columns = store.MemoryRow
			for b.Loop() {
				if c.vector {
					search.Vectors = meaning()
				}
				if hits, err := s.SearchMemories(b.Context(), user, search); err != nil || len(hits.Hits) == 0 {
					b.Fatalf("%d hits: %v", len(hits.Hits), err)
				}
			}
		})
	}
}
