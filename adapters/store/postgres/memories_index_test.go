package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/pgtest"
	"almanac/projections/vector"
	"almanac/projections/words"
)

var memoryNow = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// collection is a user with many memories: vectors in bunches, a type for one in ten, a tag for one in three, and
// expired ones.
type collection struct {
	*Store
	user     model.UserID
	memories []model.Memory
	random   *rand.Rand
	bunches  [][]float32
}

const collectionDimensions = 12

func (c *collection) near(bunch int) []float32 {
	v := slices.Clone(c.bunches[bunch])
	for i := range v {
		v[i] += 0.3 * float32(c.random.NormFloat64())
	}
	vector.Unit(v)
	return v
}

func newCollection(t *testing.T, url string, from int) *collection {
	t.Helper()
	s, err := Open(t.Context(), Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.indexed.from = from
	c := &collection{Store: s, user: model.UserIDOf("collector"), random: rand.New(rand.NewPCG(3, 4))}
	for range 40 {
		v := make([]float32, collectionDimensions)
		for i := range v {
			v[i] = float32(c.random.NormFloat64())
		}
		c.bunches = append(c.bunches, v)
	}
	return c
}

// add inserts so many memories more.
func (c *collection) add(t *testing.T, count int) {
	t.Helper()
	for count > 0 {
		some := make([]model.Memory, min(count, 500))
		for i := range some {
			n := len(c.memories) + i
			some[i] = model.Memory{
				ID: model.UUID{1, byte(n >> 16), byte(n >> 8), byte(n)}, Type: model.MemoryNote, Content: "m", CreatedAt: memoryNow,
				UpdatedAt: memoryNow, Version: 1,
				Embedding: model.Embedding{Model: "m", Dimensions: collectionDimensions,
					Vector: c.near(c.random.IntN(len(c.bunches)))},
			}
			if n%10 == 0 {
				some[i].Type = model.MemoryContact
			}
			if c.random.IntN(3) == 0 {
				some[i].Tags = []string{"third"}
			}
			if n%50 == 0 {
				some[i].ExpiresAt = memoryNow
			}
		}
		if err := c.Write(t.Context(), c.user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, some) }); err != nil {
			t.Fatal(err)
		}
		c.memories = append(c.memories, some...)
		count -= len(some)
	}
}

// exactly returns the ids that a search should find, by looking at everything.
func (c *collection) exactly(query []float32, limit int, passes func(m *model.Memory) bool) []model.UUID {
	type scored struct {
		id         model.UUID
		similarity float64
	}
	var all []scored
	for i := range c.memories {
		if m := &c.memories[i]; (m.ExpiresAt.IsZero() || m.ExpiresAt.After(memoryNow)) && passes(m) {
			all = append(all, scored{m.ID, vector.Cosine(query, vector.Unpack(vector.Pack(m.Embedding.Vector)))})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), slices.Compare(b.id[:], a.id[:]))
	})
	ids := make([]model.UUID, min(limit, len(all)))
	for i := range ids {
		ids[i] = all[i].id
	}
	return ids
}

var collectionFilters = []struct {
	name   string
	where  store.MemoryWhere
	passes func(m *model.Memory) bool
}{
	{"all", store.MemoryWhere{}, func(*model.Memory) bool { return true }},
	{"most", store.MemoryWhere{Types: []model.MemoryType{model.MemoryNote}},
		func(m *model.Memory) bool { return m.Type == model.MemoryNote }},
	{"a third", store.MemoryWhere{TagsAny: []string{"third", "none"}},
		func(m *model.Memory) bool { return len(m.Tags) > 0 }},
	{"a tenth", store.MemoryWhere{Types: []model.MemoryType{model.MemoryContact}},
		func(m *model.Memory) bool { return m.Type == model.MemoryContact }},
	{"none", store.MemoryWhere{TagsAll: []string{"none"}}, func(*model.Memory) bool { return false }},
}

// check searches with every filter, by vectors and with a word beside them, and returns the recall at 10. The number of
// hits is always what it should be.
func (c *collection) check(t *testing.T) (recall float64) {
	t.Helper()
	found, wanted := 0, 0
	for _, filter := range collectionFilters {
		for i := range 20 {
			query := c.near(i)
			want := c.exactly(query, 10, filter.passes)
			hits, err := c.SearchMemories(t.Context(), c.user, store.MemorySearch{
				Where: filter.where, Now: memoryNow, Vectors: []store.QueryVector{{Model: "m", Vector: query}}, MinSimilarity: -1,
				SimilarityWeight: 1, Limit: 10,
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(hits.Hits) != len(want) {
				t.Errorf("filter %s: %d hits, want %d", filter.name, len(hits.Hits), len(want))
			}
			if hits.HasNext != (len(want) > 0) {
				t.Errorf("filter %s: HasNext is %v", filter.name, hits.HasNext)
			}
			wanted += len(want)
			for _, hit := range hits.Hits {
				if slices.Contains(want, hit.Memory.ID) {
					found++
				}
			}
		}
	}
	return float64(found) / float64(wanted)
}

func (c *collection) indexes(t *testing.T) (names []string, sound int) {
	t.Helper()
	b := newBatch()
	b.query(
		`SELECT i.relname::text, x.indisvalid, pg_get_expr(x.indpred, x.indrelid) FROM pg_index AS x
JOIN pg_class AS i ON i.oid = x.indexrelid
WHERE x.indrelid = 'memory_vectors'::regclass AND starts_with(i.relname::text, 'memory_vectors_near')
ORDER BY 1`, func(r *row) {
			names = append(names, r.text())
			if r.bool() {
				sound++
			}
			// The rule that user_id leads every index is for lookups that forget it. This one has no other user's rows.
			if condition := r.text(); !strings.Contains(condition, "user_id = '") || !strings.Contains(condition, "model = ") {
				t.Errorf("index %s holds rows where %s", names[len(names)-1], condition)
			}
		})
	if err := c.run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return names, sound
}

// TestALargeCollectionGetsAnIndex follows a collection as it grows and shrinks: searches find the same, in the same
// number, with and without the index.
func TestALargeCollectionGetsAnIndex(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	c := newCollection(t, url, 4_000)
	c.add(t, 3_990)
	sweep := func(want int) {
		t.Helper()
		if err := c.Sweep(t.Context(), memoryNow, time.Hour); err != nil {
			t.Fatal(err)
		}
		if names, sound := c.indexes(t); len(names) != want || sound != want {
			t.Errorf("with %d memories there are %d indexes, %d of them sound: %v", len(c.memories), len(names), sound, names)
		}
	}
	sweep(0)
	if recall := c.check(t); recall != 1 {
		t.Errorf("without an index the recall is %v", recall)
	}
	c.add(t, 110)
	sweep(1)
	if recall := c.check(t); recall < 0.98 {
		t.Errorf("with an index the recall is %v", recall)
	}
	key := indexedModel{user: c.user, name: "m", dimensions: collectionDimensions}
	if c.indexed.number(key) == 0 {
		t.Error("the searches did not use the index")
	}
	// Another process finds the index by itself, and both see what is written now.
	beside, err := Open(t.Context(), Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = beside.Close() })
	beside.indexed.from = c.indexed.from
	c.add(t, 100)
	other := *c
	other.Store = beside
	if recall := other.check(t); recall < 0.98 {
		t.Errorf("another process has the recall %v", recall)
	}
	if beside.indexed.number(key) == 0 {
		t.Error("another process did not use the index")
	}
	sweep(1)

	// The index goes, and with it what the searches remember of it.
	for len(c.memories) > 1_900 {
		last := c.memories[len(c.memories)-200:]
		if err := c.Write(t.Context(), c.user, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteMemories(ctx, idsOf(last, memoryID))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		c.memories = c.memories[:len(c.memories)-200]
	}
	if recall := c.check(t); recall < 0.98 {
		t.Errorf("after much was deleted the recall is %v", recall)
	}
	sweep(0)
	if recall := c.check(t); recall != 1 {
		t.Errorf("without the index the recall is %v", recall)
	}
	if c.indexed.number(key) != 0 {
		t.Error("the searches still look for the index")
	}
}

// TestIndexesAreMended: what a build left behind that did not end is dropped and made anew, by one of several
// processes; what belongs to nobody goes.
func TestIndexesAreMended(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	c := newCollection(t, url, 300)
	c.add(t, 400)
	stray := indexName(model.UserIDOf("nobody"), 1)
	for _, sql := range []string{
		"CREATE INDEX " + stray +
			" ON memory_vectors USING hnsw ((embedding::halfvec(12)) halfvec_cosine_ops) WHERE user_id = '" +
			strings.Repeat("0", 32) + "' AND model = 1",
		"CREATE INDEX " + indexName(c.user, 1) +
			" ON memory_vectors USING hnsw ((embedding::halfvec(12)) halfvec_cosine_ops) WHERE user_id = '" +
			strings.Repeat("0", 32) + "' AND model = 1",
		"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '" + indexName(c.user, 1) + "'::regclass",
	} {
		if err := c.Execute(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if recall := c.check(t); recall != 1 {
		t.Errorf("with an index that is not sound the recall is %v", recall)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			s, err := Open(t.Context(), Options{URL: url, MaxConns: 2})
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = s.Close() }()
			s.indexed.from = c.indexed.from
			if err := s.Sweep(t.Context(), memoryNow, time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if err := c.Sweep(t.Context(), memoryNow, time.Hour); err != nil {
		t.Fatal(err)
	}
	if names, sound := c.indexes(t); len(names) != 1 || sound != 1 || names[0] != indexName(c.user, 1) {
		t.Errorf("there are the indexes %v, %d of them sound", names, sound)
	}
}

// TestNearestPlans asserts which plan answers: all of a small user's vectors and nobody else's, a large one's index,
// few memories one by one.
func TestNearestPlans(t *testing.T) {
	t.Parallel()
	c := newCollection(t, pgtest.URL(t), 3_000)
	c.add(t, 3_200)
	small := model.UserIDOf("0")
	for i := range 200 { // nearly all users have little
		one := model.Memory{ID: model.UUID{1}, Type: model.MemoryNote, Content: "m", CreatedAt: memoryNow,
			UpdatedAt: memoryNow, Version: 1, Embedding: c.memories[0].Embedding}
		if err := c.Write(t.Context(), model.UserIDOf(strconv.Itoa(i)), func(ctx context.Context,
			tx store.Tx) error {
			return tx.InsertMemories(ctx, []model.Memory{one})
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Sweep(t.Context(), memoryNow, time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := c.Execute(t.Context(), "VACUUM ANALYZE"); err != nil {
		t.Fatal(err)
	}
	search := store.Looking{Vectors: []store.QueryVector{{Model: "m", Vector: c.near(0)}}, Words: words.Query("m"),
		Limit: 10}
	for _, want := range []struct {
		name string
		user model.UserID
		ask  func(k *seeker, b *batch)
		read string // the table that is read
		most float64
		by   string // a step that must be there
	}{
		{"a small user, exactly", small, func(k *seeker, b *batch) { k.queueExact(b, 0, 30, true, &looked{}) },
			"memory_vectors", 1, "memory_vectors_pkey"},
		{"a large user, by the index", c.user, func(k *seeker, b *batch) { k.queueByIndex(b, 0, 1, 30, &looked{}) },
			"memory_vectors", 40, indexName(c.user, 1)},
		{"few, one by one", c.user, func(k *seeker, b *batch) {
			k.filtered, k.complete, k.few = true, true, []int32{1, 2, 3, 4, 5}
			k.queueExact(b, 0, 30, false, &looked{})
		}, "memory_vectors", 5, "memory_vectors_pkey"},
		{"words", c.user, func(k *seeker, b *batch) { k.queueForms(b, &worded{forms: formsOf(search.Words)}) },
			"memory_terms", deepWords, "memory_terms_pkey"},
	} {
		k := &seeker{
			store: c.Store, user: want.user, in: memoryPopulation(), sieve: &memorySieve{where: &store.MemoryWhere{},
				now: memoryNow}, search: search, depth: 11, numbers: make([]int16, 1),
		}
		b := newBatch()
		want.ask(k, b)
		asked := 0
		for _, one := range b.statements {
			if one.read == nil || strings.Contains(one.sql, "set_config") {
				continue
			}
			asked++
			var reads []string
			explainGeneric(t, c.Store, &batch{statements: []statement{one}}).walk(func(n node) {
				reads = append(reads, fmt.Sprint(n.Type, " ", n.Index, " ", n.Relation))
				if n.Relation == want.read && (n.Type == "Seq Scan" || n.Rows*n.Loops > want.most) {
					t.Errorf("%s: %s over %v rows of %s", want.name, n.Type, n.Rows*n.Loops, n.Relation)
				}
			})
			if !strings.Contains(strings.Join(reads, "\n"), want.by) {
				t.Errorf("%s: %s is not used: %q", want.name, want.by, reads)
			}
		}
		if asked == 0 {
			t.Errorf("%s: nothing was asked", want.name)
		}
	}
}
