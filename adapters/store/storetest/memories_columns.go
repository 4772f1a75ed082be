package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
)

// memoryColumnNames are how the suite knows columns in SQL; vectors and history are in tables of their own.
var memoryColumnNames = columnNames(&store.MemoryTable)

// memoryTables are named only where something in them is asked for.
var memoryTables = []string{"memory_vectors", "memory_models", "memory_versions", "memory_terms", "entries",
	"content_key"}

// testMemoryColumns looks whether only that is read which is asked for, or needed to answer, and whether in one go.
// What has expired must be known to be left out.
func testMemoryColumns(t *testing.T, open Open) {
	h := newFixture(t, open)
	random, all := dice(370), shelf{}
	for range 40 {
		m := randomMemory(random, h)
		h.remember(m)
		all.insert(m)
		m.Version++
		h.revise(m, model.MemoryUpdated)
		all.update(m, model.MemoryUpdated)
	}
	there := all.there(noon)
	filled(t, &store.MemoryTable, there)
	sets := append(memoryColumns(), 0, store.MemoryRow, wholeMemory)
	for range 30 {
		sets = append(sets, store.MemoryColumns(random.Uint32())&wholeMemory)
	}
	filters := []struct {
		where store.MemoryWhere
		needs []string
	}{
		{store.MemoryWhere{}, nil},
		{store.MemoryWhere{Types: []model.MemoryType{model.MemoryKV}}, []string{"type"}},
		{store.MemoryWhere{TagsAny: []string{"home"}}, []string{"memory_terms"}},
		{store.MemoryWhere{TagsNone: []string{"home"}}, []string{"memory_terms"}},
		{store.MemoryWhere{Pairs: memo.Pairs(`{"name":"Dana Levi"}`)}, []string{"memory_terms"}},
		{store.MemoryWhere{HasMetadata: new(true)}, []string{"metadata"}},
		{store.MemoryWhere{CreatedFrom: noon, CreatedTo: noon.Add(time.Hour)}, []string{"created_at"}},
		{store.MemoryWhere{UpdatedFrom: noon, UpdatedTo: noon.Add(time.Hour)}, []string{"updated_at"}},
	}
	orderNeeds := map[model.MemoryOrderField]string{model.MemoryOrderCreatedAt: "created_at",
		model.MemoryOrderUpdatedAt: "updated_at"}
	for i, columns := range sets {
		needs := memoryNeeds(columns)
		filter, order := filters[i%len(filters)], pick(random, memoryOrders()...)
		var page store.MemoryPage
		forbidMemory(h, fmt.Sprintf("Memories of columns %b", columns), h.trace.during(func() {
			page = must(h, func() (store.MemoryPage, error) {
				return h.Memories(h.ctx, h.user, store.MemoryQuery{Where: filter.where, Now: noon, Order: order, Columns: columns,
					Total: true, Page: &store.Window[store.MemoryPlace]{Limit: 5}})
			})
		}), slices.Concat(needs, filter.needs, []string{orderNeeds[order.Field]})...)
		want := all.answer(filter.where, order, noon)
		h.same("Memories", tidyMemories(page.Memories), onlyMemories(want[:min(5, len(want))], columns))

		one := there[random.IntN(len(there))]
		var got []model.Memory
		forbidMemory(h, fmt.Sprintf("MemoriesByID of columns %b", columns), h.trace.during(func() {
			got = must(h, func() ([]model.Memory, error) {
				return h.MemoriesByID(h.ctx, h.user, []model.UUID{one.ID}, noon, columns)
			})
		}), needs...)
		h.same("MemoriesByID", tidyMemories(got), []model.Memory{onlyMemory(one, columns)})

		twin := store.MemoryTwin{Type: one.Type, Key: memo.Key(one.Content), Pairs: memo.Identity(one)}
		twins := all.twins(twin, noon)
		got = must(h, func() ([]model.Memory, error) { return h.TwinMemories(h.ctx, h.user, twin, noon, 100, columns) })
		h.same("TwinMemories", tidyMemories(got), onlyMemories(twins, columns))

		search := randomSearch(random, noon, there)
		search.Columns = columns
		h.sameHits(h.seek(search), search, all.search(search))
	}
	counted := h.trace.during(func() {
		must(h, func() (store.MemoryPage, error) {
			return h.Memories(h.ctx, h.user,
				store.MemoryQuery{Now: noon, Order: memoryOrders()[0], Columns: wholeMemory, Total: true})
		})
	})
	forbidMemory(h, "a total alone", counted, "created_at")
}

// memoryNeeds are the names that columns need.
func memoryNeeds(columns store.MemoryColumns) []string {
	needs := []string{"expires_at"}
	needs = append(needs, needsOf(memoryColumnNames, columns)...)
	if columns.Has(store.MemoryModel) {
		needs = append(needs, "memory_vectors", "memory_models")
	}
	if columns.Has(store.MemoryVector) {
		needs = append(needs, "memory_vectors")
	}
	if columns.Has(store.MemoryHistory) {
		needs = append(needs, "memory_versions")
		for _, names := range memoryColumnNames { // which the versions have too
			needs = append(needs, names...)
		}
	}
	return needs
}

func forbidMemory(h *fixture, what string, batches []string, allowed ...string) {
	h.Helper()
	all := slices.Clone(memoryTables)
	for _, names := range memoryColumnNames {
		all = append(all, names...)
	}
	forbid(h, what, batches, all, append(allowed, "expires_at")...)
}
