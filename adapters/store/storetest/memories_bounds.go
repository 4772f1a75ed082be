package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/vector"
	terms "almanac/projections/words"
)

// testMemoryBounds goes to the ends of what a client may write and ask.
func testMemoryBounds(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("the largest memory there may be", func(t *testing.T) { boundsLargest(h.in(t)) })
	t.Run("as many in one call as there may be", func(t *testing.T) { boundsBulk(h.in(t)) })
	t.Run("a long query", func(t *testing.T) { boundsQuery(h.in(t)) })
	t.Run("ten thousand", func(t *testing.T) { boundsMany(newFixture(t, open)) })
}

// letters makes a text of exactly n characters in Hebrew words that are all different.
func letters(n int) string {
	alphabet := []rune("אבגדהוזחטיכלמנסעפצקרשת")
	var out []rune
	for word := 0; len(out) < n; word++ {
		for rest := word + 500; rest > 0; rest /= len(alphabet) {
			out = append(out, alphabet[rest%len(alphabet)])
		}
		out = append(out, ' ')
	}
	out = out[:n]
	if out[n-1] == ' ' {
		out[n-1] = 'א'
	}
	return string(out)
}

// largest makes a memory as large as one may be.
func largest(h *fixture, seed uint64) model.Memory {
	random := dice(seed)
	m := h.memory(letters(model.MaxMemoryContent))
	m.Type, m.Summary = model.MemoryContact, letters(model.MaxMemorySummary)
	for n := range model.MaxMemoryTags {
		m.Tags = append(m.Tags, fmt.Sprintf("%02d ", n)+strings.Repeat("ת", model.MaxMemoryTag-3))
	}
	var fields []string
	size := 2
	for n := 0; ; n++ {
		field := fmt.Sprintf(`"%05d":["ערכ %d",%d]`, n, n, n)
		if size += len(field) + 1; size > model.MaxMemoryMetadata {
			break
		}
		fields = append(fields, field)
	}
	m.Metadata = "{" + strings.Join(fields, ",") + "}"
	m.Embedding = model.Embedding{Model: "large", Dimensions: model.MaxEmbeddingDimensions,
		Vector: make([]float32, model.MaxEmbeddingDimensions)}
	for i := range m.Embedding.Vector {
		m.Embedding.Vector[i] = float32(random.NormFloat64())
	}
	vector.Unit(m.Embedding.Vector)
	return m
}

func boundsLargest(h *fixture) {
	m, other := largest(h, 380), largest(h, 381)
	other.Content = "22" + strings.TrimPrefix(other.Content, letters(2))
	h.remember(m, other)
	got, _ := h.recall(m.ID, wholeMemory)
	h.same("memory", got, keptMemory(m))
	hits := h.seek(byVector("large", 0.5, m.Embedding.Vector...))
	if len(hits.Hits) != 1 || hits.Hits[0].Memory.ID != m.ID || hits.Hits[0].Similarity < 0.999 {
		h.Errorf("by its own vector: %s", briefly(hits.Hits))
	}
	h.same("by a tag", memoryIDs(h.memoryPage(store.MemoryWhere{TagsAll: m.Tags}, memoryOrders()[0],
		store.Window[store.MemoryPlace]{Limit: 10}).Memories), []model.UUID{m.ID, other.ID})
	h.same("by its metadata", memoryIDs(h.memoryPage(store.MemoryWhere{Pairs: memo.Pairs(`{"00007":[7]}`)},
		memoryOrders()[0], store.Window[store.MemoryPlace]{Limit: 10}).Memories), []model.UUID{m.ID, other.ID})
	twins := must(h, func() ([]model.Memory, error) {
		return h.TwinMemories(h.ctx, h.user, store.MemoryTwin{Type: m.Type, Key: memo.Key(m.Content)}, noon, 10, 0)
	})
	h.same("its twins", memoryIDs(twins), []model.UUID{m.ID})
	search := byWords(strings.Fields(m.Content)[3])
	h.same("by a word", len(h.seek(search).Hits), 2)
	// As many versions of it as are kept, and away with all.
	for range 3 {
		m.Version++
		m.Embedding = model.Embedding{}
		h.revise(m, model.MemoryUpdated)
	}
	got, _ = h.recall(m.ID, store.MemoryHistory|store.MemoryModel)
	h.same("versions, and the vector of the same content", []any{len(got.History), got.Embedding.Dimensions},
		[]any{3, model.MaxEmbeddingDimensions})
	if got.History[2].Content != m.Content || !slices.Equal(got.History[2].Tags, m.Tags) {
		h.Error("a large version was cut")
	}
	h.same("deleted", len(h.forget(m.ID, other.ID)), 2)
}

func boundsBulk(h *fixture) {
	h = h.as("in bulk")
	memories := make([]model.Memory, model.MaxBulk)
	random := dice(382)
	all := shelf{}
	for i := range memories {
		memories[i] = randomMemory(random, h)
		memories[i].Content = fmt.Sprint(i, " ", letters(600))
	}
	head := h.head()
	h.remember(memories...)
	all.insert(memories...)
	h.same("log", h.log(head), lines(model.OperationCreated, memoryIDs(memories)...))
	l := &life{fixture: h, random: random, shelf: all}
	for range 5 {
		l.check(l.ctx, l.Store, all)
		l.checkSearches(l.Store, 1)
	}
	vectors := make([]store.MemoryVectorOf, len(memories))
	for i, m := range memories {
		vectors[i] = store.MemoryVectorOf{ID: m.ID, Version: m.Version, Embedding: randomEmbedding(random)}
	}
	h.same("vectors", h.saveVectors(vectors...), len(vectors))
	all.save(vectors)
	l.check(l.ctx, l.Store, all)
	l.checkSearches(l.Store, 2)
	ids := memoryIDs(memories)
	slices.Reverse(ids)
	head = h.head()
	h.same("deleted", h.forget(ids...), ids)
	h.same("log of the deletion", h.log(head), lines(model.OperationDeleted, ids...))
}

func boundsQuery(h *fixture) {
	h = h.as("asks at length")
	all := searched(h, 383, 120)
	random := dice(384)
	for _, query := range []string{
		strings.Repeat("milk ", 400), strings.Join(strings.Fields(letters(2_000))[:30], " "),
		strings.Join(words, " ") + " 050-9999999 2026 3.14 jones wifi password phone dana@example.com",
		strings.Repeat("של ", 30), "the of and a to in is it that for on with as at by from or an be this",
		strings.Repeat("א", 2_000), strings.Repeat("1", 2_000),
	} {
		for range 3 {
			search := randomSearch(random, noon, all.there(noon))
			search.Words, search.Limit, search.Offset = terms.Query(query), 100, 0
			h.sameHits(h.seek(search), search, all.search(search))
		}
	}
	// Thirty words of many forms each, as many as a query can have.
	var long model.SearchWords
	for len(long.Terms) < 30 {
		long.Terms = append(long.Terms, randomWords(random, all.there(noon)).Terms...)
	}
	search := store.MemorySearch{Now: noon, Words: long, KeywordWeight: 1, Limit: 100}
	h.sameHits(h.seek(search), search, all.search(search))
}

// boundsMany: a user with ten thousand memories, all of which have a word that is far beyond common.
func boundsMany(h *fixture) {
	const n, batch = 10_000, model.MaxBulk
	all := make([]model.Memory, n)
	for i := range all {
		m := h.memory(fmt.Sprintf("common w%d", i))
		m.CreatedAt, m.UpdatedAt = noon.Add(time.Duration(i/3)*time.Second), noon.Add(-time.Duration(i/7)*time.Second)
		if i%2_500 == 11 {
			m.Content, m.Tags, m.Embedding = fmt.Sprintf("common rare w%d", i), []string{"few"}, embedded("alpha", 1, 0)
		}
		all[i] = m
	}
	for batched := range slices.Chunk(all, batch) {
		h.remember(batched...)
	}
	few := []model.UUID{all[7_511].ID, all[5_011].ID, all[2_511].ID, all[11].ID}
	created := model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Ascending}
	for _, from := range []int{0, 4_999, 9_500, 9_990} {
		place := placeOf(all[from], created)
		page := h.memoryPage(store.MemoryWhere{}, created, store.Window[store.MemoryPlace]{Limit: 100, After: &place})
		h.same(fmt.Sprint("after ", from), memoryIDs(page.Memories), memoryIDs(all[from+1:min(from+101, n)]))
		before := h.memoryPage(store.MemoryWhere{}, created,
			store.Window[store.MemoryPlace]{Limit: 100, Before: &place, Backward: true})
		h.same(fmt.Sprint("before ", from), memoryIDs(before.Memories), memoryIDs(all[max(0, from-100):from]))
	}
	page := must(h, func() (store.MemoryPage, error) {
		return h.Memories(h.ctx, h.user, store.MemoryQuery{
			Where: store.MemoryWhere{TagsNone: []string{"few"}}, Now: noon, Order: memoryOrders()[3], Total: true,
			Page: &store.Window[store.MemoryPlace]{Limit: 10},
		})
	})
	h.same("total", page.Total, n-len(few))
	counts := must(h, func() (model.MemoryCounts, error) { return h.MemoryCounts(h.ctx, h.user, noon) })
	h.same("counts", []any{counts.ByType[model.MemoryNote], counts.Models},
		[]any{n, []model.ModelCount{{Model: "alpha", Dimensions: 2, Rows: len(few)}}})

	h.same("a rare word", h.seekIDs(byWords("rare")), few)
	both := h.seek(byWords("common rare"))
	h.same("a rare word with a common one", len(both.Hits), 100)
	h.same("the rare one first", memoryIDs(hitMemories(both.Hits[:4])), few)
	if ids := h.seekIDs(byWords("w777")); len(ids) == 0 || ids[0] != all[777].ID {
		h.Errorf("a word of one finds %d", len(ids))
	}
	common := byWords("common")
	common.Where = store.MemoryWhere{TagsAny: []string{"few"}}
	h.same("a common word within a filter that few pass", h.seekIDs(common), few)
	common.Where = store.MemoryWhere{CreatedTo: noon.Add(100 * time.Second)}
	h.same("a common word among the oldest", len(h.seekIDs(common)), 100)
	common.Where = store.MemoryWhere{}
	seen := map[model.UUID]bool{}
	for common.Offset = 0; common.Offset < model.MaxSearchDepth; common.Offset += common.Limit {
		hits := h.seek(common)
		h.same(fmt.Sprint("a common word from ", common.Offset), len(hits.Hits), common.Limit)
		for _, hit := range hits.Hits {
			if seen[hit.Memory.ID] || !hit.ByKeyword || hit.Keyword <= 0 || hit.Score != hit.Keyword {
				h.Errorf("hit %s comes twice, or for no reason", briefly([]store.MemoryHit{hit}))
			}
			seen[hit.Memory.ID] = true
		}
	}
	// The newest of those that have it: nothing else tells them apart.
	for _, m := range all[n-500:] {
		if !seen[m.ID] {
			h.Errorf("a new memory with the common word was not found")
			break
		}
	}
	vectors := byVector("alpha", 0.5, 1, 0)
	h.same("by vector", h.seekIDs(vectors), few)
	deleted := must(h, func() ([]model.UUID, error) {
		var deleted []model.UUID
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) (err error) {
			deleted, err = tx.DeleteMemories(ctx, few)
			return err
		})
		return deleted, err
	})
	h.same("deleted", deleted, few)
	h.same("afterwards", h.seekIDs(byWords("rare")), []model.UUID{})
}

func hitMemories(hits []store.MemoryHit) []model.Memory {
	out := make([]model.Memory, len(hits))
	for i, hit := range hits {
		out[i] = hit.Memory
	}
	return out
}
