package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
)

func testMemoryQueries(t *testing.T, open Open) {
	h := newFixture(t, open)
	random, all := dice(320), shelf{}
	memories := make([]model.Memory, 200)
	for i := range memories {
		memories[i] = randomMemory(random, h)
	}
	h.remember(memories...)
	all.insert(memories...)
	t.Run("walking gives exactly the ordered set", func(t *testing.T) { memoryWalks(h.in(t), all) })
	t.Run("every filter alone and nested", func(t *testing.T) { memoryFilters(h.in(t), all) })
	t.Run("what filters mean", func(t *testing.T) { memoryFiltersMean(newFixture(t, open)) })
	t.Run("a place whose row is gone still divides", func(t *testing.T) { memoryPlaceGone(h.in(t)) })
	t.Run("rows inserted while walking", func(t *testing.T) { memoryWalkInserts(newFixture(t, open)) })
	t.Run("no page, only the total", func(t *testing.T) {
		h := h.in(t)
		page := must(h, func() (store.MemoryPage, error) {
			return h.Memories(h.ctx, h.user, store.MemoryQuery{Now: noon, Order: memoryOrders()[0], Total: true})
		})
		h.same("page", []any{len(page.Memories), len(page.Places), page.Total}, []any{0, 0, len(all.there(noon))})
	})
}

// memoryPage asks for one page now.
func (h *fixture) memoryPage(where store.MemoryWhere, order model.MemoryOrder,
	window store.Window[store.MemoryPlace]) store.MemoryPage {
	h.Helper()
	return must(h, func() (store.MemoryPage, error) {
		return h.Memories(h.ctx, h.user, store.MemoryQuery{Where: where, Now: h.clock.Now(), Order: order, Page: &window})
	})
}

// walkMemories goes through the whole set in pages and returns the ids in the list's order. between is called between
// two pages.
func (h *fixture) walkMemories(where store.MemoryWhere, order model.MemoryOrder, size int, backward bool,
	between func()) []model.UUID {
	h.Helper()
	out := []model.UUID{}
	window := store.Window[store.MemoryPlace]{Limit: size, Backward: backward}
	for range 10_000 {
		page := h.memoryPage(where, order, window)
		if len(page.Memories) > size || len(page.Places) != len(page.Memories) {
			h.Fatalf("a page of %d has %d memories and %d places", size, len(page.Memories), len(page.Places))
		}
		more := page.HasNext
		if backward {
			out, more = append(memoryIDs(page.Memories), out...), page.HasPrevious
		} else {
			out = append(out, memoryIDs(page.Memories)...)
		}
		if !more {
			return out
		}
		if len(page.Memories) != size {
			h.Fatalf("a page of %d has %d memories although there are more", size, len(page.Memories))
		}
		if backward {
			window.Before = &page.Places[0]
		} else {
			window.After = &page.Places[size-1]
		}
		if between != nil {
			between()
		}
	}
	h.Fatal("the walk does not end")
	return nil
}

func memoryWalks(h *fixture, all shelf) {
	random := dice(321)
	for _, order := range memoryOrders() {
		for round := range 5 {
			var where store.MemoryWhere
			if round > 0 {
				where = randomMemoryWhere(random, all.there(noon), 2)
			}
			want := memoryIDs(all.answer(where, order, noon))
			size := pick(random, 2, 3, 7, 20, len(want)+1, max(len(want), 1), max(len(want)-1, 1))
			for _, backward := range []bool{false, true} {
				if got := h.walkMemories(where, order, size, backward, nil); !slices.Equal(got, want) {
					h.Fatalf("%v %s, pages of %d, backward=%v:\n got %v\nwant %v", order, show(where), size, backward, got, want)
				}
			}
		}
	}
}

func memoryFilters(h *fixture, all shelf) {
	random := dice(322)
	there := all.there(noon)
	empty := 0
	for round := range 150 {
		where := randomMemoryWhere(random, there, round%5)
		order := pick(random, memoryOrders()...)
		want := all.answer(where, order, noon)
		page := must(h, func() (store.MemoryPage, error) {
			return h.Memories(h.ctx, h.user, store.MemoryQuery{Where: where, Now: noon, Order: order, Total: true,
				Page: &store.Window[store.MemoryPlace]{Limit: 1000}})
		})
		if got := memoryIDs(page.Memories); !slices.Equal(got, memoryIDs(want)) || page.Total != len(want) {
			h.Fatalf("%s: total %d, want %d\n got %v\nwant %v", show(where), page.Total, len(want), got, memoryIDs(want))
		}
		if len(want) == 0 {
			empty++
		}
	}
	if empty > 90 {
		h.Errorf("%d of 150 filters find nothing, so nothing was tested", empty)
	}
}

// memoryFiltersMean says by hand what a few filters find, so that the oracle is not alone in it.
func memoryFiltersMean(h *fixture) {
	byName := map[string]model.Memory{}
	add := func(name string, fill func(m *model.Memory)) {
		m := h.memory(name)
		fill(&m)
		h.remember(m)
		byName[name] = m
	}
	add("bare", func(*model.Memory) {})
	add("home", func(m *model.Memory) { m.Tags, m.Type = []string{"home"}, model.MemoryKV })
	add("both", func(m *model.Memory) {
		m.Tags, m.Metadata = []string{"home", "work"}, `{"entities":["Dana","חיפה"],"n":1.10}`
	})
	add("hebrew", func(m *model.Memory) {
		m.Tags, m.Metadata = []string{"בית"}, `{"entities":["Dana"],"deep":{"a":{"b":true}}}`
	})
	add("later", func(m *model.Memory) { m.CreatedAt, m.UpdatedAt = noon.Add(time.Hour), noon.Add(2*time.Hour) })
	find := func(what string, where store.MemoryWhere, want ...string) {
		h.Helper()
		page := must(h, func() (store.MemoryPage, error) {
			return h.Memories(h.ctx, h.user, store.MemoryQuery{Where: where, Now: noon, Order: memoryOrders()[0],
				Columns: store.MemoryContent, Total: true, Page: &store.Window[store.MemoryPlace]{Limit: 100}})
		})
		got := []string{}
		for _, m := range page.Memories {
			got = append(got, m.Content)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || page.Total != len(want) {
			h.Errorf("%s: got %v (%d in all), want %v", what, got, page.Total, want)
		}
	}
	pairs := func(metadata string) store.MemoryWhere { return store.MemoryWhere{Pairs: memo.Pairs(metadata)} }
	find("nothing asked", store.MemoryWhere{}, slices.Collect(maps.Keys(byName))...)
	find("all tags", store.MemoryWhere{TagsAll: []string{"home", "work"}}, "both")
	find("all of one, twice", store.MemoryWhere{TagsAll: []string{"home", "home"}}, "home", "both")
	find("any tag", store.MemoryWhere{TagsAny: []string{"work", "בית", "none"}}, "both", "hebrew")
	find("none of the tags", store.MemoryWhere{TagsNone: []string{"home", "בית"}}, "bare", "later")
	find("a part of a tag", store.MemoryWhere{TagsAny: []string{"hom", "ome", "ho%", "h_me"}})
	find("types", store.MemoryWhere{Types: []model.MemoryType{model.MemoryKV, model.MemoryContact}}, "home")
	find("with metadata", store.MemoryWhere{HasMetadata: new(true)}, "both", "hebrew")
	find("without", store.MemoryWhere{HasMetadata: new(false)}, "bare", "home", "later")
	find("an entry of a list", pairs(`{"entities":["Dana"]}`), "both", "hebrew")
	find("two of them", pairs(`{"entities":["חיפה","Dana"]}`), "both")
	find("a number", pairs(`{"n":1.10}`), "both")
	find("another number", pairs(`{"n":2}`))
	find("deep down", pairs(`{"deep":{"a":{"b":true}}}`), "hebrew")
	find("not so deep", pairs(`{"deep":{"b":true}}`))
	find("created from, inclusive", store.MemoryWhere{CreatedFrom: noon.Add(time.Hour)}, "later")
	find("created to, exclusive", store.MemoryWhere{CreatedTo: noon.Add(time.Hour)}, "bare", "home", "both", "hebrew")
	find("updated from, a moment late", store.MemoryWhere{UpdatedFrom: noon.Add(2*time.Hour + time.Microsecond)})
	find("a bound within a microsecond", store.MemoryWhere{CreatedFrom: noon.Add(time.Nanosecond),
		UpdatedTo: noon.Add(2*time.Hour + time.Nanosecond)}, "later")
	tag := func(name string) store.MemoryWhere { return store.MemoryWhere{TagsAny: []string{name}} }
	find("or", store.MemoryWhere{Or: []store.MemoryWhere{tag("work"), tag("בית")}}, "both", "hebrew")
	find("no or at all", store.MemoryWhere{Or: []store.MemoryWhere{}, And: []store.MemoryWhere{}},
		slices.Collect(maps.Keys(byName))...)
	find("or with one that asks nothing", store.MemoryWhere{Or: []store.MemoryWhere{tag("work"), {}}},
		slices.Collect(maps.Keys(byName))...)
	find("and", store.MemoryWhere{And: []store.MemoryWhere{tag("home"), tag("work")}}, "both")
	find("not", store.MemoryWhere{Not: new(tag("home"))}, "bare", "hebrew", "later")
	find("not what asks nothing", store.MemoryWhere{Not: &store.MemoryWhere{}})
	find("not not", store.MemoryWhere{Not: &store.MemoryWhere{Not: new(tag("home"))}}, "home", "both")
	find("not a bound", store.MemoryWhere{Not: &store.MemoryWhere{CreatedFrom: noon.Add(time.Hour)}}, "bare", "home",
		"both", "hebrew")
	find("not with several parts", store.MemoryWhere{
		Not: &store.MemoryWhere{TagsAny: []string{"home"}, HasMetadata: new(true)}}, "bare", "home", "hebrew", "later")
	find("not metadata", store.MemoryWhere{Not: new(pairs(`{"entities":["Dana"]}`))}, "bare", "home", "later")
	find("all together", store.MemoryWhere{
		TagsAll: []string{"home"}, And: []store.MemoryWhere{
			{Or: []store.MemoryWhere{{Not: new(tag("work"))}, pairs(`{"n":1.10}`)}}},
		Not: &store.MemoryWhere{Types: []model.MemoryType{model.MemoryKV}},
	}, "both")
	deep := tag("home")
	for range model.MaxFilterDepth {
		deep = store.MemoryWhere{Not: &store.MemoryWhere{And: []store.MemoryWhere{{Or: []store.MemoryWhere{deep}}}}}
	}
	find("as deep as it may be", deep, "bare", "hebrew", "later")
	var wide store.MemoryWhere
	for n := range model.MaxFilterParts {
		wide.Or = append(wide.Or, store.MemoryWhere{TagsAll: []string{fmt.Sprint("tag ", n)},
			Pairs: memo.Pairs(fmt.Sprintf(`{"n":%d}`, n))})
	}
	wide.Or = append(wide.Or, tag("work"))
	find("as wide as it may be", wide, "both")
}

func memoryPlaceGone(h *fixture) {
	h = h.as("gone")
	random := dice(323)
	for range 30 {
		m := randomMemory(random, h)
		m.ExpiresAt = time.Time{}
		h.remember(m)
	}
	for _, order := range memoryOrders() {
		full := h.memoryPage(store.MemoryWhere{}, order, store.Window[store.MemoryPlace]{Limit: 100})
		ids, middle := memoryIDs(full.Memories), len(full.Memories)/2
		h.forget(ids[middle])
		page := h.memoryPage(store.MemoryWhere{}, order,
			store.Window[store.MemoryPlace]{Limit: 100, After: &full.Places[middle]})
		h.same("after a place that is gone", memoryIDs(page.Memories), ids[middle+1:])
		page = h.memoryPage(store.MemoryWhere{}, order,
			store.Window[store.MemoryPlace]{Limit: 100, Before: &full.Places[middle]})
		h.same("before a place that is gone", memoryIDs(page.Memories), ids[:middle])
	}
}

// memoryWalkInserts walks while memories come in at any place: every one that was there at the start must come exactly
// once and in order.
func memoryWalkInserts(h *fixture) {
	random, all := dice(324), shelf{}
	add := func() {
		m := randomMemory(random, h)
		m.ExpiresAt = time.Time{}
		h.remember(m)
		all.insert(m)
	}
	for range 60 {
		add()
	}
	for _, order := range memoryOrders() {
		for _, backward := range []bool{false, true} {
			want := memoryIDs(all.answer(store.MemoryWhere{}, order, noon))
			got := h.walkMemories(store.MemoryWhere{}, order, 1+random.IntN(15), backward, add)
			position := map[model.UUID]int{}
			for i, m := range all.answer(store.MemoryWhere{}, order, noon) {
				position[m.ID] = i
			}
			for i, id := range got {
				if i > 0 && position[got[i-1]] >= position[id] {
					h.Fatalf("%v backward=%v: not in order, or twice: %v", order, backward, got)
				}
			}
			kept := slices.DeleteFunc(got, func(id model.UUID) bool { return !slices.Contains(want, id) })
			if !slices.Equal(kept, want) {
				h.Fatalf("%v backward=%v:\n got %v\nwant %v", order, backward, kept, want)
			}
		}
	}
}
