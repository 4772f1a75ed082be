package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	zombie "zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/projections/vector"
)

func rowOfEntity(e model.Entity) store.EntityRowOf {
	return store.EntityRowOf{Entity: e, Indexed: store.Indexed{Entries: graphtext.EntityEntries(e)}}
}

func rowOfFact(f model.Fact) store.FactRowOf {
	return store.FactRowOf{Fact: f, Indexed: store.Indexed{Entries: graphtext.FactEntries(f)}}
}

// TestIndexesFollowKnowledge: whatever was saved, saved again in the same call, moved, deleted, cleared and rolled
// back, by several at once, the indexes by words and by name have exactly what the rows say, the vectors are those of
// the rows, and their counts are right.
func TestIndexesFollowKnowledge(t *testing.T) {
	s := memoryStore(t, Options{})
	user := model.UserIDOf("follows")
	var writers sync.WaitGroup
	for w := range 3 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 6))
			entity := func() model.ID { return ownEntity(model.UUID{1: byte(w), 2: byte(random.IntN(7))}) }
			fact := func() model.ID { return ownFact(model.UUID{1: byte(w), 2: byte(random.IntN(20))}) }
			embedding := func() model.Embedding {
				if random.IntN(2) == 0 {
					return model.Embedding{}
				}
				return model.Embedding{Model: fmt.Sprint("m", random.IntN(2)), Vector: []float32{1, random.Float32()}}
			}
			for n := range 150 {
				err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
					var err error
					switch kind := random.IntN(14); {
					case n < 5, kind < 4:
						var rows []store.EntityRowOf
						for range 1 + random.IntN(4) { // an id may come twice
							rows = append(rows, rowOfEntity(model.Entity{
								ID: entity(), Name: fmt.Sprint("Name ", random.IntN(6)), Aliases: []string{fmt.Sprint("name ", random.IntN(6)),
									"שם"}, Summary: fmt.Sprint("of", random.IntN(3)), CreatedAt: memoryNoon, UpdatedAt: memoryNoon,
								Version: 1, Embedding: embedding(),
							}))
						}
						err = tx.SaveEntities(ctx, rows)
					case kind < 11:
						var rows []store.FactRowOf
						for range 1 + random.IntN(4) {
							rows = append(rows, rowOfFact(model.Fact{
								ID: fact(), Source: model.Entity{ID: entity()}, Target: model.Entity{ID: entity()}, Relation: "KNOWS",
								Sentence: fmt.Sprint("word", random.IntN(9), " of ", n), CreatedAt: memoryNoon, Version: 1,
								Embedding: embedding(), Episodes: []model.ID{ownEpisode(model.UUID{byte(random.IntN(3))})},
							}))
						}
						if err = tx.SaveFacts(ctx, rows); errors.Is(err, store.ErrNotFound) {
							err = nil // an end is not there: nothing is done
						}
					case kind == 11:
						_, _, err = tx.DeleteEntities(ctx, []model.UUID{entity().UUID})
					case kind == 12:
						_, err = tx.DeleteFacts(ctx, []model.UUID{fact().UUID, fact().UUID})
					case n == 60:
						_, err = tx.ClearKnowledge(ctx)
					default:
						_ = tx.MoveEntity(ctx, entity().UUID, entity().UUID)
					}
					if err == nil && random.IntN(5) == 0 {
						err = errUndone
					}
					return err
				})
				if err != nil && !errors.Is(err, errUndone) {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	for _, of := range []*population{&entityPopulation, &factPopulation} {
		var want, got []string
		rows, vectors := 0, map[int64]int{}
		err := s.reading(t.Context(), oneTransaction, func(q *session) error {
			if err := q.readSQL(`SELECT n, id, entries FROM `+of.rows, func(stmt *zombie.Stmt) error {
				rows++
				entries, err := entriesOf(columnBytes(stmt, 2))
				for _, entry := range entries {
					want = append(want, fmt.Sprint(entry, " ", stmt.ColumnInt64(0)))
				}
				return err
			}); err != nil {
				return err
			}
			if err := q.readSQL(`SELECT term, n FROM `+of.terms, func(stmt *zombie.Stmt) error {
				got = append(got, fmt.Sprint(string(columnBytes(stmt, 0)), " ", stmt.ColumnInt64(1)))
				return nil
			}); err != nil {
				return err
			}
			matched := 0
			if err := q.readSQL(`SELECT v.model FROM `+of.vectors+` v JOIN `+of.rows+
				` m ON m.user_id = v.user_id AND m.n = v.n AND m.id = v.`+of.id, func(stmt *zombie.Stmt) error {
				matched++
				if !stmt.ColumnIsNull(0) {
					vectors[stmt.ColumnInt64(0)]++
				}
				return nil
			}); err != nil {
				return err
			}
			if matched != rows {
				t.Errorf("%s: %d rows and %d vectors of them", of.rows, rows, matched)
			}
			if err := q.readSQL(`SELECT count(*) FROM `+of.vectors, func(stmt *zombie.Stmt) error {
				if stmt.ColumnInt(0) != rows {
					t.Errorf("%s: %d rows, %d vectors", of.rows, rows, stmt.ColumnInt(0))
				}
				return nil
			}); err != nil {
				return err
			}
			models, err := readModels(q, of, user)
			for number, known := range models {
				if known.rows != vectors[number] {
					t.Errorf("%s: %s has %d vectors, %d are counted", of.rows, known.name, vectors[number], known.rows)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		slices.Sort(got)
		if rows == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %d rows; the index has\n%q, the rows\n%q", of.rows, rows, got, want)
		}
	}
	// Names, and what hangs on rows by a foreign key.
	var want, got []string
	err := s.reading(t.Context(), oneTransaction, func(q *session) error {
		if err := q.readSQL(`SELECT id, name, aliases FROM entities`, func(stmt *zombie.Stmt) error {
			aliases, err := textsOf(stmt.ColumnText(2))
			for _, name := range append(aliases, stmt.ColumnText(1)) {
				want = append(want, fmt.Sprintf("%x %s", columnID(stmt, 0), graphtext.Name(name)))
			}
			return err
		}); err != nil {
			return err
		}
		return q.readSQL(`SELECT entity_id, name_key FROM entity_names`, func(stmt *zombie.Stmt) error {
			got = append(got, fmt.Sprintf("%x %s", columnID(stmt, 0), stmt.ColumnText(1)))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	slices.Sort(got)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("names\n%q, want\n%q", got, want)
	}
}

// TestSearchAfterClearing: what was cleared is found no more, by this process or another, and vectors of another length
// under the same model's name are found after it.
func TestSearchAfterClearing(t *testing.T) {
	path := t.TempDir() + "/cleared.db"
	here, beside := memoryStore(t, Options{Path: path}), memoryStore(t, Options{Path: path})
	user, random := model.UserIDOf("clears"), rand.New(rand.NewPCG(4, 4))
	write := func(fn func(ctx context.Context, tx store.Tx) error) {
		t.Helper()
		if err := here.Write(t.Context(), user, fn); err != nil {
			t.Fatal(err)
		}
	}
	for round, dimensions := range []int{24, 24, 48, 24} {
		vectors := map[model.UUID][]float32{}
		var rows []store.EntityRowOf
		for n := range 40 {
			v := randomUnit(random, dimensions)
			id := model.UUID{byte(round), byte(n), 1}
			vectors[id] = vector.Unpack(vector.Pack(v))
			rows = append(rows, rowOfEntity(model.Entity{ID: ownEntity(id), Name: fmt.Sprint("n", n), CreatedAt: memoryNoon,
				UpdatedAt: memoryNoon, Version: 1, Embedding: model.Embedding{Model: "m", Vector: v}}))
		}
		write(func(ctx context.Context, tx store.Tx) error { return tx.SaveEntities(ctx, rows) })
		query := randomUnit(random, dimensions)
		var all []nearest.Found
		for id, v := range vectors {
			all = append(all, nearest.Found{Entry: nearest.Entry{ID: id}, Similarity: vector.Cosine(query, v)})
		}
		slices.SortFunc(all, nearest.Better)
		search := store.EntitySearch{Looking: store.Looking{Vectors: []store.QueryVector{{Model: "m", Vector: query}},
			MinSimilarity: -1, SimilarityWeight: 1, Limit: 10}}
		for name, s := range map[string]*Store{"here": here, "beside": beside} {
			hits, err := s.SearchEntities(t.Context(), user, search)
			if err != nil {
				t.Fatal(err)
			}
			for i, hit := range hits.Hits {
				if hit.Entity.ID.UUID != all[i].ID || hit.Similarity != all[i].Similarity {
					t.Errorf("round %d, %s: hit %d is %x", round, name, i, hit.Entity.ID.UUID)
				}
			}
			if len(hits.Hits) != 10 || !hits.HasNext {
				t.Errorf("round %d, %s: %d hits", round, name, len(hits.Hits))
			}
		}
		write(func(ctx context.Context, tx store.Tx) error {
			counts, err := tx.ClearKnowledge(ctx)
			if counts.Entities != 40 {
				t.Errorf("%d entities were cleared", counts.Entities)
			}
			return err
		})
		if here.library.bytes() != 0 {
			t.Errorf("%d bytes of vectors stay in memory", here.library.bytes())
		}
		for _, s := range []*Store{here, beside} {
			if hits, err := s.SearchEntities(t.Context(), user, search); err != nil || len(hits.Hits) != 0 {
				t.Errorf("round %d: %d hits of nothing, %v", round, len(hits.Hits), err)
			}
		}
	}
}
