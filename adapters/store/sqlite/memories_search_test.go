package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// searcher searches one user's memories and knows what there is.
type searcher struct {
	*testing.T
	s      *Store
	user   model.UserID
	random *rand.Rand
}

func (h *searcher) write(fn func(ctx context.Context, tx store.Tx) error) {
	h.Helper()
	if err := h.s.Write(h.Context(), h.user, fn); err != nil {
		h.Fatal(err)
	}
}

func (h *searcher) search(s *Store, search store.MemorySearch) []store.MemoryHit {
	h.Helper()
	search.Now = memoryNoon
	hits, err := s.SearchMemories(h.Context(), h.user, search)
	if err != nil {
		h.Fatal(err)
	}
	return hits.Hits
}

// exactly are the ids of the nearest, by looking at all.
func (h *searcher) exactly(vectors map[model.UUID][]float32, query []float32, limit int) []model.UUID {
	var all []nearest.Found
	for id, v := range vectors {
		all = append(all, nearest.Found{Entry: nearest.Entry{ID: id},
			Similarity: vector.Cosine(query, vector.Unpack(vector.Pack(v)))})
	}
	slices.SortFunc(all, nearest.Better)
	ids := make([]model.UUID, 0, limit)
	for _, f := range all[:min(limit, len(all))] {
		ids = append(ids, f.ID)
	}
	return ids
}

func hitIDs(hits []store.MemoryHit) []model.UUID {
	ids := make([]model.UUID, len(hits))
	for i := range hits {
		ids[i] = hits[i].Memory.ID
	}
	return ids
}

func numbered(n int) model.UUID {
	return model.UUID{0: 9, 2: byte(n >> 16), 3: byte(n >> 8), 4: byte(n)}
}

func withVector(n int, name string, v []float32) model.Memory {
	return model.Memory{
		ID: numbered(n), Type: model.MemoryNote, Content: fmt.Sprint("text ", n), CreatedAt: memoryNoon,
		UpdatedAt: memoryNoon, Version: 1, Embedding: model.Embedding{Model: name, Dimensions: len(v), Vector: v},
	}
}

// TestSearchFollowsWrites: after any history of writes, rolled-back ones, changes of the model, writes of another
// process and reopening, a search finds exactly what looking at all finds.
func TestSearchFollowsWrites(t *testing.T) {
	path := t.TempDir() + "/follow.db"
	h := &searcher{T: t, s: memoryStore(t, Options{Path: path}), user: model.UserIDOf("follower"),
		random: rand.New(rand.NewPCG(2, 4))}
	other := memoryStore(t, Options{Path: path})
	const dimensions = 24
	vectors := map[string]map[model.UUID][]float32{"old": {}, "new": {}}
	versions := map[model.UUID]int{}
	forget := func(id model.UUID) { delete(vectors["old"], id); delete(vectors["new"], id) }
	any := func() model.UUID {
		ids := make([]model.UUID, 0, len(versions))
		for id := range versions {
			ids = append(ids, id)
		}
		slices.SortFunc(ids, func(a, b model.UUID) int { return slices.Compare(a[:], b[:]) })
		return ids[h.random.IntN(len(ids))]
	}
	for n := range 300 {
		writer := h.s
		if h.random.IntN(4) == 0 {
			writer = other
		}
		name := []string{"old", "new"}[h.random.IntN(2)]
		v := randomUnit(h.random, dimensions)
		err := error(nil)
		switch kind := h.random.IntN(7); {
		case kind == 0 && len(versions) > 0:
			id := any()
			err = writer.Write(t.Context(), h.user, func(ctx context.Context, tx store.Tx) error {
				_, err := tx.DeleteMemories(ctx, []model.UUID{id})
				return err
			})
			forget(id)
			delete(versions, id)
		case kind == 1 && len(versions) > 0: // the text changes, and the vector is gone until there is another
			id := any()
			versions[id]++
			m := model.Memory{ID: id, Type: model.MemoryNote, Content: fmt.Sprint("changed ", n), UpdatedAt: memoryNoon,
				Version: versions[id]}
			err = writer.Write(t.Context(), h.user, func(ctx context.Context,
				tx store.Tx) error {
				return tx.UpdateMemory(ctx, m, model.MemoryUpdated)
			})
			forget(id)
		case kind == 2 && len(versions) > 0:
			id := any()
			_, err = writer.SaveVectors(t.Context(), h.user,
				[]store.MemoryVectorOf{{ID: id, Version: versions[id], Embedding: model.Embedding{Model: name, Vector: v}}})
			forget(id)
			vectors[name][id] = v
		case kind == 3:
			_ = writer.Write(t.Context(), h.user, func(ctx context.Context, tx store.Tx) error {
				if err := tx.InsertMemories(ctx, []model.Memory{withVector(n, name, v)}); err != nil {
					t.Error(err)
				}
				return errUndone
			})
		default:
			err = writer.Write(t.Context(), h.user, func(ctx context.Context, tx store.Tx) error {
				return tx.InsertMemories(ctx, []model.Memory{withVector(n, name, v)})
			})
			vectors[name][numbered(n)], versions[numbered(n)] = v, 1
		}
		if err != nil {
			t.Fatal(err)
		}
		if n == 150 { // a process that has just begun knows nothing
			if err := h.s.Close(); err != nil {
				t.Fatal(err)
			}
			h.s = memoryStore(t, Options{Path: path})
		}
		query, limit := randomUnit(h.random, dimensions), 1+h.random.IntN(12)
		for name, there := range vectors {
			search := store.MemorySearch{Vectors: []store.QueryVector{{Model: name, Vector: query}}, MinSimilarity: -1,
				SimilarityWeight: 1, Limit: limit}
			if got, want := hitIDs(h.search(h.s, search)), h.exactly(there, query, limit); !slices.Equal(got, want) {
				t.Fatalf("step %d, %d nearest of %s: got %x, want %x", n, limit, name, got, want)
			}
		}
	}
}

// TestLibraryIsBounded: the vectors of all users together take no more than they may, whoever searches; and what is too
// large for memory is searched all the same.
func TestLibraryIsBounded(t *testing.T) {
	s := memoryStore(t, Options{})
	const dimensions, rows, users = 64, 300, 6
	s.library = newLibrary(3 * rows * nearest.RowBytes(dimensions))
	random := rand.New(rand.NewPCG(7, 7))
	vectors := make([]map[model.UUID][]float32, users)
	searchers := make([]*searcher, users)
	for u := range users {
		h := &searcher{T: t, s: s, user: model.UserIDOf(fmt.Sprint("user", u)), random: random}
		searchers[u], vectors[u] = h, map[model.UUID][]float32{}
		count := rows
		if u == 0 {
			count = 4 * rows // more than may be in memory at all
		}
		memories := make([]model.Memory, count)
		for n := range memories {
			v := randomUnit(random, dimensions)
			memories[n], vectors[u][numbered(n)] = withVector(n, "m", v), v
			memories[n].Tags = []string{fmt.Sprint("tag", n%10)}
		}
		h.write(func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, memories) })
	}
	if got := s.library.bytes(); got != 0 {
		t.Errorf("%d bytes before anybody has searched", got)
	}
	for range 60 {
		u := random.IntN(users)
		query := randomUnit(random, dimensions)
		search := store.MemorySearch{Vectors: []store.QueryVector{{Model: "m", Vector: query}}, MinSimilarity: -1,
			SimilarityWeight: 1, Limit: 7}
		if got, want := hitIDs(searchers[u].search(s, search)),
			searchers[u].exactly(vectors[u], query, 7); !slices.Equal(got, want) {
			t.Fatalf("user %d: got %x, want %x", u, got, want)
		}
		if got := s.library.bytes(); got > s.library.limit {
			t.Fatalf("%d bytes, may be %d", got, s.library.limit)
		}
	}
	if len(s.library.shelves) < 2 {
		t.Errorf("%d indexes are kept, though more fit", len(s.library.shelves))
	}
	// With a filter and with words, from the file.
	search := store.MemorySearch{
		Where: store.MemoryWhere{TagsAll: []string{"tag3"}}, Vectors: []store.QueryVector{
			{Model: "m", Vector: vectors[0][numbered(13)]}}, Words: words.Query("text 43"), MinSimilarity: 0.99,
		SimilarityWeight: 0.7, KeywordWeight: 0.3, Limit: 3,
	}
	hits := searchers[0].search(s, search)
	if len(hits) < 2 || hits[0].Memory.ID != numbered(13) || !hits[0].ByVector ||
		!slices.ContainsFunc(hits, func(hit store.MemoryHit) bool {
			return hit.Memory.ID == numbered(43) && hit.ByKeyword && !hit.ByVector && hit.Similarity != 0
		}) {
		t.Errorf("both legs from the file: %+v", hits)
	}
}

// TestFiltersNeverStarve: whatever the share of memories that a filter finds, a search of many returns as many as there
// are, and nearly all of the nearest.
func TestFiltersNeverStarve(t *testing.T) {
	h := &searcher{T: t, s: memoryStore(t, Options{}), user: model.UserIDOf("filters"),
		random: rand.New(rand.NewPCG(3, 3))}
	const rows, dimensions = 7_000, 48
	centres := make([][]float32, 40)
	for i := range centres {
		centres[i] = randomUnit(h.random, dimensions)
	}
	vectors := make([][]float32, rows)
	var batch []model.Memory
	for n := range rows {
		v := randomUnit(h.random, dimensions)
		for i, x := range centres[h.random.IntN(len(centres))] {
			v[i] = x + 0.6*v[i]
		}
		vector.Unit(v)
		vectors[n] = v
		m := withVector(n, "m", v)
		m.Content = "x" // few words: this is about vectors
		m.CreatedAt = memoryNoon.Add(-rowAge(n))
		m.Tags = []string{fmt.Sprint("percent", n%100), fmt.Sprint("third", n%3)} // of a third there are more than few
		if n%1000 == 5 {
			m.Type = model.MemoryKV
		}
		if n%20 == 0 {
			m.Metadata = `{"a":1}`
		}
		batch = append(batch, m)
	}
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, batch) })
	no := false
	for name, c := range map[string]struct {
		where store.MemoryWhere
		holds func(n int) bool
	}{
		"one percent, by tag": {store.MemoryWhere{TagsAll: []string{"percent7"}}, func(n int) bool { return n%100 == 7 }},
		"two percent, by tags": {store.MemoryWhere{TagsAny: []string{"percent7", "percent8"}},
			func(n int) bool { return n%100 == 7 || n%100 == 8 }},
		"all but one percent": {store.MemoryWhere{TagsNone: []string{"percent7"}}, func(n int) bool { return n%100 != 7 }},
		"the newest hundred": {store.MemoryWhere{CreatedFrom: memoryNoon.Add(-rowAge(99))},
			func(n int) bool { return n < 100 }},
		"one of a thousand": {store.MemoryWhere{Types: []model.MemoryType{model.MemoryKV}},
			func(n int) bool { return n%1000 == 5 }},
		"without metadata": {store.MemoryWhere{HasMetadata: &no}, func(n int) bool { return n%20 != 0 }},
		"a third, by tag":  {store.MemoryWhere{TagsAll: []string{"third1"}}, func(n int) bool { return n%3 == 1 }},
		"two of a third": {store.MemoryWhere{TagsAll: []string{"third1"}, Types: []model.MemoryType{model.MemoryKV}},
			func(n int) bool { return n%3 == 1 && n%1000 == 5 }},
		"the oldest of a third": {store.MemoryWhere{TagsAll: []string{"third2"}, CreatedTo: memoryNoon.Add(-rowAge(6_900))},
			func(n int) bool { return n%3 == 2 && n > 6_900 }},
		"a tenth, by time": {store.MemoryWhere{CreatedTo: memoryNoon.Add(-rowAge(6_300))},
			func(n int) bool { return n > 6_300 }},
		"none": {store.MemoryWhere{TagsAll: []string{"percent7", "percent8"}},
			func(int) bool { return false }},
		"one percent, by halfs": {store.MemoryWhere{
			Or: []store.MemoryWhere{{TagsAll: []string{"percent1"}, CreatedTo: memoryNoon.Add(-rowAge(3_000))}}},
			func(n int) bool { return n%100 == 1 && n > 3_000 }},
	} {
		t.Run(name, func(t *testing.T) {
			hit, wanted := 0, 0
			for range 15 {
				query := slices.Clone(vectors[h.random.IntN(rows)])
				for i, x := range randomUnit(h.random, dimensions) {
					query[i] += 0.3 * x
				}
				vector.Unit(query)
				there := map[model.UUID][]float32{}
				for n, v := range vectors {
					if c.holds(n) {
						there[numbered(n)] = v
					}
				}
				want := h.exactly(there, query, 10)
				got := hitIDs(h.search(h.s, store.MemorySearch{Where: c.where,
					Vectors: []store.QueryVector{{Model: "m", Vector: query}}, MinSimilarity: -1, SimilarityWeight: 1, Limit: 10}))
				if len(got) != len(want) {
					t.Fatalf("%d hits, want %d", len(got), len(want))
				}
				for _, id := range got {
					if there[id] == nil {
						t.Fatalf("%x is outside of the filter", id)
					}
				}
				wanted += len(want)
				for _, id := range want {
					if slices.Contains(got, id) {
						hit++
					}
				}
			}
			if recall := float64(hit) / float64(max(1, wanted)); wanted > 0 && recall < 0.95 {
				t.Errorf("recall %.3f", recall)
			}
		})
	}
}

// TestCommonWords: of a word that is common the newest memories are found, with a filter the newest of those that it
// finds, and with another word those that have both.
func TestCommonWords(t *testing.T) {
	h := &searcher{T: t, s: memoryStore(t, Options{}), user: model.UserIDOf("common"), random: rand.New(rand.NewPCG(3, 5))}
	const rows = 2*words.Common + 500
	var batch []model.Memory
	for n := range rows {
		m := model.Memory{ID: numbered(n), Type: model.MemoryNote, Content: "common", CreatedAt: memoryNoon,
			UpdatedAt: memoryNoon, Version: 1}
		if n == 3 {
			m.Content = "common and rare"
		}
		m.Tags = []string{"tag"}
		if n == 5 {
			m.Type = model.MemoryKV
			m.Tags = append(m.Tags, "mark")
		}
		batch = append(batch, m)
	}
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, batch) })
	search := store.MemorySearch{Words: words.Query("common"), KeywordWeight: 1, Limit: 5}
	if got, want := hitIDs(h.search(h.s, search)), []model.UUID{numbered(rows - 1), numbered(rows - 2), numbered(rows - 3),
		numbered(rows - 4), numbered(rows - 5)}; !slices.Equal(got, want) {
		t.Errorf("the newest: %x, want %x", got, want)
	}
	search.Where = store.MemoryWhere{Types: []model.MemoryType{model.MemoryKV}}
	if got := hitIDs(h.search(h.s, search)); !slices.Equal(got, []model.UUID{numbered(5)}) {
		t.Errorf("the only one of a type: %x", got)
	}
	search.Where.TagsAll = []string{"tag"}
	if got := hitIDs(h.search(h.s, search)); !slices.Equal(got, []model.UUID{numbered(5)}) {
		t.Errorf("the only one of a type that has a common tag: %x", got)
	}
	search.Where = store.MemoryWhere{TagsAll: []string{"mark", "tag"}}
	if got := hitIDs(h.search(h.s, search)); !slices.Equal(got, []model.UUID{numbered(5)}) {
		t.Errorf("the only one with a tag: %x", got)
	}
	search.Where = store.MemoryWhere{TagsAll: []string{"tag"}, TagsNone: []string{"mark"}}
	if got := hitIDs(h.search(h.s, search)); !slices.Equal(got, []model.UUID{numbered(rows - 1), numbered(rows - 2),
		numbered(rows - 3), numbered(rows - 4), numbered(rows - 5)}) {
		t.Errorf("the newest with a common tag: %x", got)
	}
	search.Where, search.Words = store.MemoryWhere{}, words.Query("common rare")
	hits := h.search(h.s, search)
	if len(hits) != 5 || hits[0].Memory.ID != numbered(3) || hits[0].Keyword != 1 || hits[1].Keyword >= 0.5 {
		t.Errorf("with a rare word: %+v", hits)
	}
}
