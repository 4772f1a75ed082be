package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	terms "almanac/projections/words"
)

// testMemoryTenancy sends one user through every method with the other's ids, texts, tags, metadata and vectors. It
// must find nothing, be told the same as of what never was, and change nothing of the other's.
func testMemoryTenancy(t *testing.T, open Open) {
	h := newFixture(t, open)
	owner, thief := h.as("owner"), h.as("thief")
	all, random := shelf{}, dice(360)
	for range 40 {
		m := randomMemory(random, owner)
		m.ExpiresAt = time.Time{}
		owner.remember(m)
		all.insert(m)
	}
	m := owner.memory("the owner's secret")
	m.Type, m.Tags, m.Metadata, m.Embedding, m.ExpiresAt = model.MemoryContact, []string{"private"},
		`{"name":"Dana","phone":"050-1234567"}`, embedded("two", 1, 0), noon.Add(24*time.Hour)
	owner.remember(m)
	all.insert(m)
	m.Version, m.Summary = 2, "changed"
	owner.revise(m, model.MemoryUpdated)
	all.update(m, model.MemoryUpdated)
	owner.answered(call("the owner's key", 1), false, publicID(m.ID))

	l := &life{fixture: owner, random: dice(361), shelf: all}
	picture := func(t *testing.T) {
		l.fixture = owner.in(t)
		for range 10 {
			l.check(l.ctx, l.Store, all)
			l.checkSearches(l.Store, 3)
		}
		l.same("log", len(l.log(0)), len(all)+1)
		l.same("the owner's key", l.replays(call("the owner's key", 1)), publicID(m.ID)+" replayed=true")
	}
	picture(t)
	t.Run("reading", func(t *testing.T) { memoryThiefReads(thief.in(t), m, all) })
	t.Run("writing", func(t *testing.T) { memoryThiefWrites(thief.in(t), m) })
	t.Run("afterwards", picture)
	t.Run("the same for oneself", func(t *testing.T) { memoryThiefOwns(thief.in(t), all) })
	t.Run("after that", picture)
	t.Run("without a trace", func(t *testing.T) {
		thief := thief.in(t)
		ids := memoryIDs(all.there(noon))
		thief.forget(ids...)
		if n, err := thief.ExpireMemories(thief.ctx, noon, 100); n != 0 || err != nil {
			t.Errorf("ExpireMemories: %d, %v", n, err)
		}
		picture(t)
	})
}

// memoryThiefReads asks for everything that the owner has.
func memoryThiefReads(h *fixture, m model.Memory, all shelf) {
	ids := memoryIDs(all.there(noon))
	found := func(reader store.MemoryReader, ctx context.Context) int {
		n := len(must(h, func() ([]model.Memory, error) { return reader.MemoriesByID(ctx, h.user, ids, noon, wholeMemory) }))
		for _, where := range []store.MemoryWhere{
			{}, {TagsAny: m.Tags}, {TagsNone: []string{"nobody's"}}, {Pairs: memo.Pairs(m.Metadata)}, {HasMetadata: new(true)},
			{Not: &store.MemoryWhere{TagsAny: []string{"nobody's"}}}, {Or: []store.MemoryWhere{{}, {TagsAll: m.Tags}}},
		} {
			for _, order := range memoryOrders() {
				place := placeOf(m, order) // another's row as a place is only a place
				for _, window := range []store.Window[store.MemoryPlace]{{Limit: 100}, {Limit: 100, After: &place},
					{Limit: 100, Before: &place, Backward: true}} {
					page := must(h, func() (store.MemoryPage, error) {
						return reader.Memories(ctx, h.user, store.MemoryQuery{Where: where, Now: noon, Order: order, Columns: wholeMemory,
							Page: &window, Total: true})
					})
					n += len(page.Memories) + page.Total
				}
			}
			search := byWords("the owner's secret dana 0501234567 private milk חלב")
			search.Now, search.Where, search.MinSimilarity, search.SimilarityWeight, search.Columns = noon, where, -1, 1,
				wholeMemory
			search.Vectors = []store.QueryVector{{Model: "two", Vector: []float32{1, 0}}}
			for name, dimensions := range models {
				search.Vectors = append(search.Vectors, store.QueryVector{Model: name, Vector: randomVector(dice(1), dimensions)})
			}
			hits := must(h, func() (store.MemoryHits, error) { return reader.SearchMemories(ctx, h.user, search) })
			n += len(hits.Hits)
			if hits.HasNext {
				n++
			}
		}
		n += len(must(h, func() ([]model.Memory, error) {
			return reader.TwinMemories(ctx, h.user, store.MemoryTwin{Type: m.Type, Key: memo.Key(m.Content),
				Pairs: memo.Identity(m)}, noon, 100, wholeMemory)
		}))
		counts := must(h, func() (model.MemoryCounts, error) { return reader.MemoryCounts(ctx, h.user, noon) })
		return n + len(counts.ByType) + len(counts.Models)
	}
	h.same("found of the other's", found(h.Store, h.ctx), 0)
	h.write(func(ctx context.Context, tx store.Tx) error {
		h.same("found inside of a transaction", found(tx, ctx), 0)
		return nil
	})
	h.same("log", h.log(0), []string{})
}

// memoryThiefWrites names the other's memories in every write. Each must say what it says of ids that never were.
func memoryThiefWrites(h *fixture, m model.Memory) {
	for _, id := range []model.UUID{m.ID, h.ids.next()} {
		stolen := m
		stolen.ID, stolen.Content, stolen.Version = id, "stolen", 3
		for what, fn := range map[string]func(ctx context.Context, tx store.Tx) error{
			"UpdateMemory": func(ctx context.Context,
				tx store.Tx) error {
				return tx.UpdateMemory(ctx, stolen, model.MemoryUpdated)
			},
			"RestoreHistory": func(ctx context.Context, tx store.Tx) error {
				return tx.RestoreHistory(ctx, id, []model.MemoryVersion{{Memory: id, Version: 1, Type: m.Type, Content: "stolen",
					WrittenAt: noon, ReplacedAt: noon, Reason: model.MemoryUpdated}})
			},
			"RestoreHistory to none": func(ctx context.Context, tx store.Tx) error { return tx.RestoreHistory(ctx, id, nil) },
		} {
			h.fails(what, h.Write(h.ctx, h.user, fn), store.ErrNotFound)
		}
		h.same("DeleteMemories", len(h.forget(id)), 0)
		h.same("SaveVectors", h.saveVectors(store.MemoryVectorOf{ID: id, Version: m.Version,
			Embedding: embedded("two", 0, 1)}), 0)
	}
	h.same("log", h.log(0), []string{})
	h.same("counts", len(must(h,
		func() (model.MemoryCounts, error) { return h.MemoryCounts(h.ctx, h.user, noon) }).Models), 0)
}

// memoryThiefOwns: two users may have the same memories under the same ids; each finds only its own, and ranks by its
// own words alone.
func memoryThiefOwns(h *fixture, all shelf) {
	own := shelf{}
	var twins []model.Memory
	for i, m := range all.there(noon) {
		if i%3 != 0 {
			continue
		}
		m.History, m.Version = nil, 1
		if i%2 == 0 {
			m.Embedding = model.Embedding{}
		}
		twins = append(twins, m)
	}
	h.remember(twins...)
	own.insert(twins...)
	l := &life{fixture: h, random: dice(362), shelf: own}
	for range 10 {
		l.check(l.ctx, l.Store, own)
		l.checkSearches(l.Store, 3)
		search := randomSearch(l.random, noon, all.there(noon)) // for what the other has
		h.sameHits(h.seek(search), search, own.search(search))
	}
	pending := slices.DeleteFunc(h.pendingOf("two", 7, nil), func(p store.PendingMemory) bool { return p.User != h.user })
	h.same("pending", len(pending), len(own.pending("two", noon)))
	changed := twins[0]
	changed.Content, changed.Version, changed.Embedding = "changed by its other owner", 2, embedded("two", 0, 1)
	h.revise(changed, model.MemoryUpdated)
	if ids := h.seekIDs(store.MemorySearch{Words: terms.Query("changed by its other owner"), KeywordWeight: 1,
		Limit: 1}); !slices.Equal(ids, []model.UUID{changed.ID}) {
		h.Errorf("found %v", ids)
	}
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteMemories(ctx, memoryIDs(twins))
		return errors.Join(err, errFailed)
	})
	h.fails("Write", err, errFailed)
}
