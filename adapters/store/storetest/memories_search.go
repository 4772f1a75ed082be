package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/vector"
	terms "almanac/projections/words"
)

func testMemorySearch(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("exactly as the oracle", func(t *testing.T) { searchRandom(h.in(t)) })
	t.Run("page by page", func(t *testing.T) { searchPages(h.in(t)) })
	t.Run("what ranks before what", func(t *testing.T) { searchRanks(newFixture(t, open)) })
	t.Run("ties", func(t *testing.T) { searchTies(newFixture(t, open)) })
	t.Run("by words alone, in English and Hebrew", func(t *testing.T) { searchWords(newFixture(t, open)) })
	t.Run("forms of a word", func(t *testing.T) { searchForms(newFixture(t, open)) })
	t.Run("filters never starve", func(t *testing.T) { searchFiltered(newFixture(t, open)) })
	t.Run("sees what is committed, at once", func(t *testing.T) { searchCommitted(newFixture(t, open), open) })
}

// seek searches now.
func (h *fixture) seek(search store.MemorySearch) store.MemoryHits {
	h.Helper()
	search.Now = h.clock.Now()
	return must(h, func() (store.MemoryHits, error) { return h.SearchMemories(h.ctx, h.user, search) })
}

// seekIDs returns what a search finds, in order.
func (h *fixture) seekIDs(search store.MemorySearch) []model.UUID {
	h.Helper()
	out := []model.UUID{}
	for _, hit := range h.seek(search).Hits {
		out = append(out, hit.Memory.ID)
	}
	return out
}

// byVector and byWords are searches of one leg.
func byVector(name string, least float64, query ...float32) store.MemorySearch {
	return store.MemorySearch{Vectors: []store.QueryVector{{Model: name, Vector: query}}, MinSimilarity: least,
		SimilarityWeight: 1, Limit: 100}
}

func byWords(query string) store.MemorySearch {
	return store.MemorySearch{Words: terms.Query(query), KeywordWeight: 1, Limit: 100}
}

// searched fills a user's memories once and returns the oracle.
func searched(h *fixture, seed uint64, n int) shelf {
	h.Helper()
	random, all := dice(seed), shelf{}
	memories := make([]model.Memory, n)
	for i := range memories {
		memories[i] = randomMemory(random, h)
	}
	h.remember(memories...)
	all.insert(memories...)
	return all
}

func searchRandom(h *fixture) {
	h = h.as("searched at random")
	all := searched(h, 340, 200)
	random, empty, both := dice(341), 0, 0
	for range 150 {
		search := randomSearch(random, noon, all.there(noon))
		want := all.search(search)
		h.sameHits(h.seek(search), search, want)
		if len(want) == 0 {
			empty++
		}
		if slices.ContainsFunc(want, func(hit store.MemoryHit) bool { return hit.ByVector && hit.ByKeyword }) {
			both++
		}
		if h.Failed() {
			return
		}
	}
	if empty > 75 || both < 15 {
		h.Errorf("of 150 searches %d found nothing and %d something by both legs, so little was tested", empty, both)
	}
}

func searchPages(h *fixture) {
	h = h.as("searched in pages")
	all := searched(h, 342, 150)
	random := dice(343)
	for range 8 {
		search := randomSearch(random, noon, all.there(noon))
		search.Offset, search.Limit = 0, pick(random, 1, 3, 10, 49)
		search.MinSimilarity = -1
		want := all.search(search)
		for range 200 {
			got := h.seek(search)
			h.sameHits(got, search, want)
			if !got.HasNext || h.Failed() {
				break
			}
			search.Offset += len(got.Hits)
		}
		h.same("the last page", len(want)-search.Offset <= search.Limit, true)
	}
}

func searchRanks(h *fixture) {
	add := func(content string, embedding model.Embedding) model.UUID {
		m := h.memory(content)
		m.Embedding = embedding
		h.remember(m)
		return m.ID
	}
	near, far := add("near milk", embedded("alpha", 1, 0)), add("far", embedded("alpha", 0.6, 0.8))
	against, other, none := add("against milk", embedded("alpha", -1, 0)), add("other model milk", embedded("beta", 1, 0)),
		add("no vector milk", model.Embedding{})
	h.same("by vector", h.seekIDs(byVector("alpha", 0, 1, 0)), []model.UUID{near, far})
	h.same("with a lower bound", h.seekIDs(byVector("alpha", -1, 1, 0)), []model.UUID{near, far, against})
	exact := vector.Cosine([]float32{1, 0}, keptEmbedding(embedded("alpha", 0.6, 0.8)).Vector)
	h.same("a bound that is met exactly", h.seekIDs(byVector("alpha", exact, 1, 0)), []model.UUID{near, far})
	h.same("a bound just missed", h.seekIDs(byVector("alpha", exact+1e-12, 1, 0)), []model.UUID{near})
	h.same("a model of nobody", h.seekIDs(byVector("gamma", -1, 1, 0)), []model.UUID{})
	fused := byVector("alpha", 0.9, 1, 0)
	fused.Words, fused.SimilarityWeight, fused.KeywordWeight = terms.Query("milk"), 0.7, 0.3
	got := h.seek(fused)
	rows := []string{}
	for _, hit := range got.Hits {
		rows = append(rows, fmt.Sprintf("%d score %.3f similarity %.3f %v keyword %.3f %v",
			slices.Index([]model.UUID{near, far, against, other, none}, hit.Memory.ID), hit.Score, hit.Similarity, hit.ByVector,
			hit.Keyword, hit.ByKeyword))
	}
	// The similarity of what words found is told although it is below the bound, and does not lower the score below 0.
	h.same("fused", rows, []string{
		"0 score 1.000 similarity 1.000 true keyword 1.000 true",
		"4 score 0.300 similarity 0.000 false keyword 1.000 true",
		"3 score 0.300 similarity 0.000 false keyword 1.000 true",
		"2 score 0.300 similarity -1.000 false keyword 1.000 true",
	})
	fused.SimilarityWeight, fused.KeywordWeight, fused.MinSimilarity = 0, 1, -1
	h.same("words alone count: the more similar first", h.seekIDs(fused), []model.UUID{near, none, other, against, far})
	fused.Limit = 4
	h.same("there is more", h.seek(fused).HasNext, true)
	fused.Limit = 5
	h.same("there is no more", h.seek(fused).HasNext, false)
	fused.Offset = 5
	h.same("beyond the last", []any{len(h.seek(fused).Hits), h.seek(fused).HasNext}, []any{0, false})
	fused.Offset, fused.Limit = model.MaxSearchDepth-1, 1
	h.same("as deep as may be asked", []any{len(h.seek(fused).Hits), h.seek(fused).HasNext}, []any{0, false})
}

// searchTies: equal scores go by similarity, then to the newer id, also when ids did not come in their order, and at
// the edge of a page.
func searchTies(h *fixture) {
	random, all := dice(344), shelf{}
	for n := range 60 {
		m := h.memory("the same words")
		if n%2 == 0 {
			m.ID = h.ids.earlier(random)
		}
		m.Embedding = embedded("alpha", 0.6, 0.8)
		h.remember(m)
		all.insert(m)
	}
	newest := slices.SortedFunc(maps.Keys(all), func(a, b model.UUID) int { return compareIDs(b, a) })
	for _, size := range []int{1, 7, 59, 60} {
		vectors, both := byVector("alpha", 0, 0.8, 0.6), byWords("same words")
		both.Vectors, both.SimilarityWeight = vectors.Vectors, 0.5
		for what, search := range map[string]store.MemorySearch{"vector": vectors, "words": byWords("words"), "both": both} {
			search.Limit = size
			var got []model.UUID
			for search.Offset = 0; search.Offset < len(all); search.Offset += size {
				got = append(got, h.seekIDs(search)...)
			}
			h.same(fmt.Sprintf("by %s, %d at a time", what, size), got, newest)
		}
	}
}

func searchWords(h *fixture) {
	texts := []string{"Buy milk and bread", "לקנות חָלָב ולחם", "Jones - Phone: 050-9999999", "wifi password is 1234",
		"פגישה עם דנה בשלום", "Nothing of it"}
	byID := map[model.UUID]string{}
	for _, text := range texts {
		m := h.memory(text)
		h.remember(m)
		byID[m.ID] = text
	}
	for query, want := range map[string]string{
		"milk": texts[0], "MILK": texts[0], "חלב": texts[1], "0509999999": texts[2], "jones phone": texts[2],
		"password 1234": texts[3], "שָׁלוֹם": texts[4], "דנה": texts[4],
	} {
		ids := h.seekIDs(byWords(query))
		if len(ids) == 0 || byID[ids[0]] != want {
			h.Errorf("%q finds %d, want %q first", query, len(ids), want)
		}
	}
	for _, query := range []string{"", "quagga", "זברה", "?!", "98765"} {
		h.same(fmt.Sprintf("%q", query), h.seekIDs(byWords(query)), []model.UUID{})
	}
}

// searchForms asks with forms made by hand: exact entries, beginnings, and weights.
func searchForms(h *fixture) {
	one, two, three := h.memory("zebra"), h.memory("zebrafish"), h.memory("זברה")
	h.remember(one, two, three)
	word := func(text string) string {
		h.Helper()
		m := h.memory(text)
		m.Type = "" // nothing but a word
		entries := terms.Entries(m)
		at := slices.IndexFunc(entries,
			func(entry string) bool { return len(entry) > len(text) && entry[len(entry)-len(text):] == text })
		if at < 0 {
			h.Fatalf("%q has no entry of its own among %q", text, entries)
		}
		return entries[at]
	}
	search := func(forms ...model.TermForm) []model.UUID {
		h.Helper()
		return h.seekIDs(store.MemorySearch{Words: model.SearchWords{Terms: []model.SearchTerm{{Forms: forms}}},
			KeywordWeight: 1, Limit: 10})
	}
	zebra := word("zebra")
	h.same("exact", search(model.TermForm{Term: zebra, Weight: 1}), []model.UUID{one.ID})
	h.same("beginning", sorted(search(model.TermForm{Term: zebra[:len(zebra)-2], Prefix: true, Weight: 0.5})),
		[]model.UUID{one.ID, two.ID})
	h.same("not a beginning", search(model.TermForm{Term: zebra[:len(zebra)-2], Weight: 0.5}), []model.UUID{})
	h.same("the whole is a beginning of itself", sorted(search(model.TermForm{Term: zebra, Prefix: true, Weight: 0.5})),
		[]model.UUID{one.ID, two.ID})
	h.same("the better form ranks first", search(model.TermForm{Term: zebra, Weight: 1},
		model.TermForm{Term: zebra[:len(zebra)-2], Prefix: true, Weight: 0.5}), []model.UUID{one.ID, two.ID})
	hebrew := word("זברה")
	h.same("in Hebrew", search(model.TermForm{Term: hebrew[:len(hebrew)-2], Prefix: true, Weight: 1}),
		[]model.UUID{three.ID})
	h.same("wildcards are letters", search(model.TermForm{Term: zebra[:len(zebra)-1] + "%", Prefix: true, Weight: 1},
		model.TermForm{Term: zebra[:len(zebra)-1] + "_", Weight: 1}), []model.UUID{})
	h.same("forms of nothing", h.seekIDs(store.MemorySearch{Words: model.SearchWords{Terms: []model.SearchTerm{{}}},
		KeywordWeight: 1, Limit: 10}), []model.UUID{})
}

// searchFiltered: all that is near is outside of the filter, and what is inside is far and has few of the words; it
// comes all the same.
func searchFiltered(h *fixture) {
	var inside []model.UUID
	var memories []model.Memory
	for n := range 400 {
		m := h.memory("milk and bread " + fmt.Sprint(n))
		m.Embedding, m.Tags, m.Metadata = embedded("alpha", 1, float32(n%7)/1000), []string{"outside"},
			`{"subject":"outside"}`
		if n%50 == 3 {
			m.Content, m.Embedding, m.Tags, m.Metadata = "milk", embedded("alpha", 0.3, 1), []string{"inside"},
				`{"subject":"inside"}`
			inside = append(inside, m.ID)
		}
		memories = append(memories, m)
	}
	h.remember(memories...)
	slices.Reverse(inside)
	for what, where := range map[string]store.MemoryWhere{
		"tag": {TagsAll: []string{"inside"}}, "no tag": {TagsNone: []string{"outside"}},
		"metadata": {Pairs: memo.Pairs(`{"subject":"inside"}`)},
		"nested": {Not: &store.MemoryWhere{Or: []store.MemoryWhere{{TagsAny: []string{"outside"}},
			{Types: []model.MemoryType{model.MemoryKV}}}}},
	} {
		vectors, both := byVector("alpha", 0, 1, 0), byWords("milk bread")
		both.Vectors, both.SimilarityWeight = vectors.Vectors, 1
		for leg, search := range map[string]store.MemorySearch{"vector": vectors, "words": byWords("milk and bread 17"),
			"both": both} {
			search.Where, search.Limit = where, 5
			h.same(leg+" within "+what, h.seekIDs(search), inside[:5])
			search.Offset = 5
			h.same(leg+" within "+what+", the rest", h.seekIDs(search), inside[5:])
		}
	}
}

// searchCommitted: a search sees every commit at once, of this process and of another one on the same database, and
// nothing that is not committed.
func searchCommitted(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	m := h.memory("zebra")
	m.Embedding = embedded("alpha", 1, 0)
	sees := func(what string, ctx context.Context, in store.Store, word string, want bool) {
		h.Helper()
		for leg, search := range map[string]store.MemorySearch{"vector": byVector("alpha", 0.9, 1, 0),
			"words": byWords(word)} {
			search.Now = h.clock.Now()
			got := must(h, func() (store.MemoryHits, error) { return in.SearchMemories(ctx, h.user, search) })
			if found := len(got.Hits) > 0; found != want {
				h.Errorf("%s, by %s: found %v, want %v", what, leg, found, want)
			}
		}
	}
	everywhere := func(what, word string, want bool) {
		h.Helper()
		sees(what, h.ctx, h.Store, word, want)
		sees(what+", in another process", h.ctx, beside, word, want)
	}
	everywhere("before", "zebra", false)
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		err := tx.InsertMemories(ctx, []model.Memory{m})
		sees("an insert in its transaction", ctx, h.Store, "zebra", false)
		everywhere("an insert that is not committed", "zebra", false)
		return errors.Join(err, errFailed)
	})
	h.fails("Write", err, errFailed)
	everywhere("an insert that was rolled back", "zebra", false)
	h.remember(m)
	everywhere("an insert", "zebra", true)
	changed := m
	changed.Version, changed.Content, changed.Embedding = 2, "quagga", embedded("alpha", 0, 1)
	err = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		err := tx.UpdateMemory(ctx, changed, model.MemoryUpdated)
		everywhere("an update that is not committed", "zebra", true)
		return errors.Join(err, errFailed)
	})
	h.fails("Write", err, errFailed)
	everywhere("an update that was rolled back", "zebra", true)
	h.revise(changed, model.MemoryUpdated)
	everywhere("an update", "zebra", false)
	changed.Version, changed.Embedding = 3, m.Embedding
	h.revise(changed, model.MemoryUpdated)
	everywhere("another update", "quagga", true)
	// The other process writes.
	third := changed
	third.Version, third.Content, third.Embedding = 4, "okapi", embedded("alpha", 0, 1)
	if err := beside.Write(h.ctx, h.user, func(ctx context.Context,
		tx store.Tx) error {
		return tx.UpdateMemory(ctx, third, model.MemoryUpdated)
	}); err != nil {
		h.Fatal(err)
	}
	everywhere("an update by another process", "quagga", false)
	if n, err := beside.SaveVectors(h.ctx, h.user,
		[]store.MemoryVectorOf{{ID: m.ID, Version: 4, Embedding: embedded("alpha", 1, 0)}}); n != 1 || err != nil {
		h.Fatalf("SaveVectors: %d, %v", n, err)
	}
	everywhere("a vector of another process", "okapi", true)
	err = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteMemories(ctx, []model.UUID{m.ID})
		everywhere("a deletion that is not committed", "okapi", true)
		return errors.Join(err, errFailed)
	})
	h.fails("Write", err, errFailed)
	everywhere("a deletion that was rolled back", "okapi", true)
	if err := beside.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteMemories(ctx, []model.UUID{m.ID})
		return err
	}); err != nil {
		h.Fatal(err)
	}
	everywhere("a deletion", "okapi", false)
}
