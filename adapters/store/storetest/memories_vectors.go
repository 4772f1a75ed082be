package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	terms "almanac/projections/words"
)

func testMemoryVectors(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what an update does to the vector", func(t *testing.T) { vectorsFate(h.in(t)) })
	t.Run("vectors saved late", func(t *testing.T) { vectorsSaved(h.in(t)) })
	t.Run("entries saved with them", func(t *testing.T) { entriesSaved(newFixture(t, open)) })
	t.Run("in transactions", func(t *testing.T) { vectorsInTransactions(h.in(t)) })
	t.Run("pending memories", func(t *testing.T) { vectorsPending(newFixture(t, open)) })
	t.Run("changes while walking", func(t *testing.T) { vectorsPendingMeanwhile(newFixture(t, open)) })
	t.Run("a model is changed", func(t *testing.T) { vectorsModelChanged(newFixture(t, open)) })
	t.Run("expiry", func(t *testing.T) { vectorsExpiry(newFixture(t, open)) })
}

// embedded is an embedding of a model with a vector in a direction of two.
func embedded(name string, x, y float32) model.Embedding {
	return model.Embedding{Model: name, Dimensions: 2, Vector: []float32{x, y}}
}

// entriesSaved holds that entries which come with a vector replace those of an earlier version of the program, unless
// the memory was changed meanwhile, and that another memory keeps its own.
func entriesSaved(h *fixture) {
	m, other := h.memory("okapi and zebra"), h.memory("okapi")
	h.remember(m, other)
	entries := terms.Entries(model.Memory{Content: "zebra and quagga"})
	by := func(when string, want map[string][]model.UUID) {
		h.Helper()
		for word, ids := range want {
			h.same(word+" "+when, h.seekIDs(byWords(word)), ids)
		}
	}
	before := map[string][]model.UUID{"okapi": {other.ID, m.ID}, "zebra": {m.ID}, "quagga": {}}
	h.same("of another version", h.saveVectors(store.MemoryVectorOf{ID: m.ID, Version: m.Version + 1,
		Embedding: embedded("alpha", 1, 0), Entries: entries}), 0)
	by("of another version", before)
	h.same("without entries", h.saveVectors(store.MemoryVectorOf{ID: m.ID, Version: m.Version,
		Embedding: embedded("alpha", 1, 0)}), 1)
	by("without entries", before)
	for range 2 {
		h.same("with entries", h.saveVectors(store.MemoryVectorOf{ID: m.ID, Version: m.Version,
			Embedding: embedded("alpha", 1, 0), Entries: entries}), 1)
		by("with entries", map[string][]model.UUID{"okapi": {other.ID}, "zebra": {m.ID}, "quagga": {m.ID}})
	}
	m.Version++
	h.revise(m, model.MemoryUpdated)
	by("after an update", before)
	h.forget(m.ID)
	by("after an erasure", map[string][]model.UUID{"okapi": {other.ID}, "zebra": {}, "quagga": {}})
}

func vectorsFate(h *fixture) {
	m := h.memory("content")
	m.Embedding = embedded("alpha", 1, 0)
	h.remember(m)
	is := func(what string, want model.Embedding) {
		h.Helper()
		got, _ := h.recall(m.ID, store.MemoryModel|store.MemoryVector)
		h.same(what, got.Embedding, want)
		for _, name := range []string{"alpha", "beta"} {
			hits := must(h, func() (store.MemoryHits, error) {
				return h.SearchMemories(h.ctx, h.user, store.MemorySearch{Now: noon, Vectors: []store.QueryVector{
					{Model: name, Vector: []float32{1, 0}}}, MinSimilarity: -1, SimilarityWeight: 1, Limit: 9})
			})
			found := 0
			if want.Model == name {
				found = 1
			}
			h.same(what+": found under "+name, len(hits.Hits), found)
		}
	}
	changed := func(what string, change func()) {
		h.Helper()
		m.Embedding = embedded("alpha", 1, 0)
		m.Version++
		h.revise(m, model.MemoryUpdated)
		change()
		m.Embedding = model.Embedding{}
		m.Version++
		h.revise(m, model.MemoryUpdated)
		is(what, model.Embedding{})
	}
	update := func(content string, embedding model.Embedding) {
		h.Helper()
		m.Version++
		m.Content, m.Embedding = content, embedding
		h.revise(m, model.MemoryUpdated)
	}
	is("inserted", embedded("alpha", 1, 0))
	m.ExpiresAt, m.Overridden, m.UpdatedAt = noon.Add(time.Hour), true, noon.Add(time.Minute)
	update("content", model.Embedding{})
	is("the same in what is embedded", embedded("alpha", 1, 0))
	update("content", model.Embedding{Model: "beta", Dimensions: 2})
	is("a model without a vector is none", embedded("alpha", 1, 0))
	update("other content", model.Embedding{})
	is("another content", model.Embedding{})
	update("third content", embedded("beta", 0, 1))
	is("another content with a vector", embedded("beta", 0, 1))
	update("third content", embedded("alpha", -1, 0))
	is("the same content with a vector", embedded("alpha", -1, 0))
	update("Third content", model.Embedding{})
	is("a difference in case is a difference", model.Embedding{})
	changed("another summary", func() { m.Summary = "another" })
	changed("another tag", func() { m.Tags = []string{"tag"} })
	changed("no tag", func() { m.Tags = nil })
	changed("other metadata", func() { m.Metadata = `{"name":"Dana"}` })
	changed("another type", func() { m.Type = model.MemoryContact })
}

func vectorsSaved(h *fixture) {
	m, changed, gone, bare := h.memory("m"), h.memory("changed"), h.memory("gone"), h.memory("bare")
	h.remember(m, changed, gone, bare)
	changed.Version = 2
	h.revise(changed, model.MemoryUpdated)
	h.forget(gone.ID)
	head := h.head()
	kept := h.saveVectors(
		store.MemoryVectorOf{ID: m.ID, Version: 1, Embedding: embedded("alpha", 1, 0)},
		store.MemoryVectorOf{ID: changed.ID, Version: 1, Embedding: embedded("alpha", 1, 0)},
		store.MemoryVectorOf{ID: gone.ID, Version: 1, Embedding: embedded("alpha", 1, 0)},
		store.MemoryVectorOf{ID: h.ids.next(), Version: 1, Embedding: embedded("alpha", 1, 0)},
		store.MemoryVectorOf{ID: bare.ID, Version: 1, Embedding: embedded("beta", 0, 1)},
	)
	h.same("kept", kept, 2)
	for what, c := range map[string]struct {
		m    model.Memory
		want model.Embedding
	}{"as it was": {m, embedded("alpha", 1, 0)}, "changed": {changed, model.Embedding{}},
		"of another model": {bare, embedded("beta", 0, 1)}} {
		got, _ := h.recall(c.m.ID, store.MemoryRow|store.MemoryModel|store.MemoryVector)
		want := c.m
		want.Embedding = c.want
		h.same(what, got, want) // nothing else of the row changes, its update time neither
	}
	if _, ok := h.recall(gone.ID, 0); ok {
		h.Error("a memory that was deleted came back with its vector")
	}
	h.same("in place of another",
		h.saveVectors(store.MemoryVectorOf{ID: m.ID, Version: 1, Embedding: embedded("beta", -1, 0)}), 1)
	got, _ := h.recall(m.ID, store.MemoryModel|store.MemoryVector|store.MemoryHistory)
	h.same("in place of another", got, model.Memory{ID: m.ID, Embedding: embedded("beta", -1, 0)})
	counts := must(h, func() (model.MemoryCounts, error) { return h.MemoryCounts(h.ctx, h.user, noon) })
	counts.Models = slices.DeleteFunc(counts.Models, func(c model.ModelCount) bool { return c.Model != "beta" })
	h.same("counted", counts.Models, []model.ModelCount{{Model: "beta", Dimensions: 2, Rows: 2}})
	h.same("log", h.log(head), []string{})
}

func vectorsInTransactions(h *fixture) {
	m := h.memory("m")
	h.remember(m)
	vectors := []store.MemoryVectorOf{{ID: m.ID, Version: 1, Embedding: embedded("alpha", 1, 0)}}
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		n, err := h.SaveVectors(ctx, h.user, vectors)
		h.same("kept", n, 1)
		inside := must(h, func() ([]model.Memory, error) {
			return tx.MemoriesByID(ctx, h.user, []model.UUID{m.ID}, noon, store.MemoryModel)
		})
		h.same("inside", inside[0].Embedding.Model, "alpha")
		return errors.Join(err, errFailed)
	})
	h.fails("Write", err, errFailed)
	got, _ := h.recall(m.ID, store.MemoryModel|store.MemoryVector)
	h.same("rolled back", got.Embedding, model.Embedding{})
	other := h.as("not of this transaction")
	h.write(func(ctx context.Context, _ store.Tx) error {
		_, err := h.SaveVectors(ctx, other.user, vectors)
		if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
			h.Errorf("another user's vectors inside of a transaction: %v", err)
		}
		return nil
	})
}

func vectorsPending(h *fixture) {
	users := []*fixture{h.as("first"), h.as("second"), h.as("third")}
	type key struct {
		user model.UserID
		id   model.UUID
	}
	want := map[key]bool{} // whether its vector is stale
	for i, u := range users {
		var memories []model.Memory
		for n := range 25 {
			m := u.memory(fmt.Sprint("memory ", n))
			m.Summary, m.Tags, m.Metadata, m.Version = "s", []string{"t"}, `{"source":"text"}`, n+1
			switch (n + i) % 5 {
			case 0:
				m.Embedding = embedded("wanted", 1, 0)
			case 1:
				m.Embedding = embedded("older", 1, 0)
			case 2:
				m.Embedding = embedded("oldest", 1, 0)
			case 3:
				m.ExpiresAt = noon.Add(time.Duration(n%2) * time.Hour) // some of them now
			}
			if m.Embedding.Model != "wanted" && (m.ExpiresAt.IsZero() || m.ExpiresAt.After(noon)) {
				want[key{u.user, m.ID}] = m.Embedding.Model != ""
			}
			memories = append(memories, m)
		}
		u.remember(memories...)
	}
	for _, limit := range []int{1, 2, 7, 1000} {
		got, stale := map[key]bool{}, false
		for _, p := range h.pendingOf("wanted", limit, nil) {
			of, there := want[key{p.User, p.ID}]
			if _, twice := got[key{p.User, p.ID}]; twice || !there {
				h.Errorf("in pages of %d: %v comes twice, or is not pending", limit, p)
			}
			if stale && !of {
				h.Errorf("in pages of %d: one without a vector comes after one that has a stale one", limit)
			}
			stale = of
			got[key{p.User, p.ID}] = of
			h.same("pending", []any{p.Type, p.Summary, p.Tags, p.Metadata, p.Content},
				[]any{model.MemoryNote, "s", []string{"t"}, `{"source":"text"}`, fmt.Sprint("memory ", p.Version-1)})
		}
		h.same(fmt.Sprint("in pages of ", limit), got, want)
	}
	h.same("for the oldest model", len(h.pendingOf("oldest", 10, nil)) > len(want)/2, true)
	none, _, err := h.PendingMemories(h.ctx, "wanted", noon, store.PendingPlace{}, 0)
	h.same("no limit, nothing", []any{len(none), err}, []any{0, nil})
}

// vectorsPendingMeanwhile walks while what was found gets its vectors, others are deleted, changed and added: as the
// worker does that embeds.
func vectorsPendingMeanwhile(h *fixture) {
	random := dice(330)
	users := []*fixture{h.as("first"), h.as("second"), h.as("third"), h.as("fourth")}
	byUser := map[model.UserID]*fixture{}
	left := map[model.UUID]bool{} // pending throughout: must come exactly once
	var spare []model.Memory      // may be changed by others
	of := map[model.UUID]*fixture{}
	for _, u := range users {
		byUser[u.user] = u
		for n := range 40 {
			m := u.memory(fmt.Sprint(n))
			if n%2 == 0 {
				m.Embedding = embedded(pick(random, "older", "oldest"), 1, 0)
			}
			u.remember(m)
			if n%4 < 2 {
				left[m.ID] = true
			} else {
				spare, of[m.ID] = append(spare, m), u
			}
		}
	}
	seen := map[model.UUID]int{}
	h.pendingOf("wanted", 7, func(some []store.PendingMemory) {
		vectors := map[model.UserID][]store.MemoryVectorOf{}
		for _, p := range some {
			seen[p.ID]++
			vectors[p.User] = append(vectors[p.User],
				store.MemoryVectorOf{ID: p.ID, Version: p.Version, Embedding: embedded("wanted", 0, 1)})
		}
		for user, of := range vectors {
			byUser[user].saveVectors(of...)
		}
		for range min(3, len(spare)) {
			m := spare[len(spare)-1]
			spare = spare[:len(spare)-1]
			u := of[m.ID]
			switch random.IntN(3) {
			case 0:
				u.forget(m.ID)
			case 1:
				m.Version, m.Content, m.Embedding = 2, m.Content+" changed", model.Embedding{}
				u.revise(m, model.MemoryUpdated)
			default:
				u.remember(u.memory("came meanwhile"))
			}
		}
	})
	for id := range left {
		if seen[id] != 1 {
			h.Errorf("a memory that was pending came %d times", seen[id])
		}
	}
	// What the walk has missed, the next ones find; then nothing is left.
	for range 3 {
		for _, p := range h.pendingOf("wanted", 100, nil) {
			byUser[p.User].saveVectors(store.MemoryVectorOf{ID: p.ID, Version: p.Version, Embedding: embedded("wanted", 0, 1)})
		}
	}
	h.same("in the end", len(h.pendingOf("wanted", 10, nil)), 0)
}

// vectorsModelChanged: while a model is being changed, each query vector looks at the rows of its own model, and all
// rows are found.
func vectorsModelChanged(h *fixture) {
	var memories []model.Memory
	for n := range 10 {
		m := h.memory(fmt.Sprint("memory ", n))
		m.Embedding = embedded("old", 1, 0)
		memories = append(memories, m)
	}
	h.remember(memories...)
	queries := []store.QueryVector{{Model: "new@3", Vector: []float32{0, 0, 1}}, {Model: "old", Vector: []float32{1, 0}}}
	for n := range memories {
		h.saveVectors(store.MemoryVectorOf{ID: memories[n].ID, Version: 1,
			Embedding: model.Embedding{Model: "new@3", Dimensions: 3, Vector: []float32{0, 0, 1}}})
		for what, c := range map[string]struct {
			queries []store.QueryVector
			want    int
		}{"both": {queries, 10}, "the new one": {queries[:1], n + 1}, "the old one": {queries[1:], 9 - n}} {
			hits := must(h, func() (store.MemoryHits, error) {
				return h.SearchMemories(h.ctx, h.user, store.MemorySearch{Now: noon, Vectors: c.queries, MinSimilarity: 0.99,
					SimilarityWeight: 1, Limit: 100})
			})
			h.same(fmt.Sprintf("found by %s after %d", what, n+1), len(hits.Hits), c.want)
		}
		want := []model.ModelCount{{Model: "new@3", Dimensions: 3, Rows: n + 1}, {Model: "old", Dimensions: 2, Rows: 9 - n}}
		if n < 4 {
			slices.Reverse(want)
		}
		want = slices.DeleteFunc(want, func(c model.ModelCount) bool { return c.Rows == 0 })
		counts := must(h, func() (model.MemoryCounts, error) { return h.MemoryCounts(h.ctx, h.user, noon) })
		h.same(fmt.Sprint("counts after ", n+1), counts.Models, want)
	}
}

func vectorsExpiry(h *fixture) {
	users := []*fixture{h.as("first"), h.as("second"), h.as("third")}
	want := map[model.UserID][]string{}
	heads := map[model.UserID]int64{}
	var kept []model.Memory
	for i, u := range users {
		var memories []model.Memory
		for n := range 6 - 2*i {
			m := u.memory("soon gone")
			m.Tags, m.Embedding, m.ExpiresAt = []string{"t"}, embedded("alpha", 1, 0), noon.Add(time.Duration(n-5)*time.Minute)
			memories = append(memories, m)
			want[u.user] = append(want[u.user], line(model.OperationDeleted, m.ID))
		}
		later, never := u.memory("later"), u.memory("never")
		later.ExpiresAt = noon.Add(time.Microsecond)
		u.remember(append(memories, later, never)...)
		kept = append(kept, later, never)
		heads[u.user] = u.head()
	}
	left := 6 + 4 + 2
	for left > 0 {
		n, err := h.ExpireMemories(h.ctx, noon, 4)
		if err != nil || n < 1 || n > min(4, left) {
			h.Fatalf("with %d left: %d, %v", left, n, err)
		}
		left -= n
	}
	n, err := h.ExpireMemories(h.ctx, noon, 4)
	h.same("nothing left", []any{n, err}, []any{0, nil})
	for i, u := range users {
		log := u.log(heads[u.user])
		slices.Sort(log)
		h.same("log", log, slices.Sorted(slices.Values(want[u.user])))
		for _, m := range kept[2*i : 2*i+2] {
			if got, _ := u.recall(m.ID, wholeMemory); got.Content != m.Content {
				h.Errorf("%s was erased", m.Content)
			}
		}
		counts := must(u, func() (model.MemoryCounts, error) { return u.MemoryCounts(u.ctx, u.user, noon.Add(-time.Hour)) })
		h.same("vectors", len(counts.Models), 0)
	}
	// They are gone, not hidden: their ids are free, and no earlier moment shows them.
	early := noon.Add(-time.Hour)
	for _, u := range users {
		page := must(u, func() (store.MemoryPage, error) {
			return u.Memories(u.ctx, u.user, store.MemoryQuery{Now: early, Order: memoryOrders()[0], Total: true})
		})
		h.same("seen from before", page.Total, 2)
	}
}
