package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	zombie "zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/words"
)

var (
	memoryNoon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	errUndone  = errors.New("undone")
)

func memoryStore(t testing.TB, options Options) *Store {
	t.Helper()
	if options.Path == "" {
		options.Path = t.TempDir() + "/memories.db"
	}
	s, err := Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// rowAge is how old the row of a number is: the rows of a test lie a minute apart.
func rowAge(row int) time.Duration { return time.Duration(row) * time.Minute }

// TestTermsFollowMemories: whatever was inserted, changed, deleted and rolled back, by several at once, the index by
// words has exactly the entries of the memories there are, and the counts of vectors are those of the vectors.
func TestTermsFollowMemories(t *testing.T) {
	s := memoryStore(t, Options{})
	user := model.UserIDOf("follows")
	var writers sync.WaitGroup
	for w := range 3 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 5))
			var there []model.Memory
			for n := range 40 {
				m := model.Memory{
					ID: model.UUID{1: byte(w), 2: byte(n), 15: 1}, Type: model.MemoryNote,
					Content:   fmt.Sprintf("shared of%d word%d n%d", w, random.IntN(20), n),
					Tags:      []string{fmt.Sprint("tag", random.IntN(3))},
					CreatedAt: memoryNoon, UpdatedAt: memoryNoon, Version: 1,
					Embedding: model.Embedding{Model: "m", Vector: []float32{1, float32(n)}},
				}
				err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
					switch kind := random.IntN(4); {
					case kind == 0 && len(there) > 0:
						changed := there[random.IntN(len(there))]
						changed.Content, changed.Version, changed.Embedding = m.Content, n+2, model.Embedding{}
						return tx.UpdateMemory(ctx, changed, model.MemoryUpdated)
					case kind == 1 && len(there) > 0:
						_, err := tx.DeleteMemories(ctx, []model.UUID{there[len(there)-1].ID})
						there = there[:len(there)-1]
						return err
					case kind == 2:
						return errors.Join(tx.InsertMemories(ctx, []model.Memory{m}), errUndone)
					}
					there = append(there, m)
					return tx.InsertMemories(ctx, []model.Memory{m})
				})
				if err != nil && !errors.Is(err, errUndone) {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	page, err := s.Memories(t.Context(), user, store.MemoryQuery{Now: memoryNoon,
		Columns: store.MemoryRow | store.MemoryModel, Page: &store.Window[store.MemoryPlace]{Limit: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	vectors := 0
	for _, m := range page.Memories {
		want = append(want, words.Entries(m)...)
		if m.Embedding.Model != "" {
			vectors++
		}
	}
	slices.Sort(want)
	var got []string
	if err := s.reading(t.Context(), oneStatement, func(q *session) error {
		return q.readSQL(`SELECT term FROM memory_terms ORDER BY term`,
			func(stmt *zombie.Stmt) error { got = append(got, string(columnBytes(stmt, 0))); return nil })
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d rows of the index by words, want %d:\n%q\n%q", len(got), len(want), got, want)
	}
	counts, err := s.MemoryCounts(t.Context(), user, memoryNoon)
	if err != nil || len(counts.Models) != 1 || counts.Models[0].Rows != vectors {
		t.Errorf("counts %+v, want %d vectors: %v", counts, vectors, err)
	}
}
