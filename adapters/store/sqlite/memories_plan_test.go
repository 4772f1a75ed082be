package sqlite

import (
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// TestMemoryPagesAreReadInOrder: a page is read along the index of its order from its place on, and nothing is sorted;
// but the few rows of a rare entry are.
func TestMemoryPagesAreReadInOrder(t *testing.T) {
	p := newPlanner(t)
	plans := func(query store.MemoryQuery) string {
		t.Helper()
		p.sql = nil
		query.Now = memoryNoon
		if _, err := p.s.Memories(t.Context(), p.user, query); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, sql := range p.sql {
			all = append(all, p.plan(sql))
		}
		return strings.Join(all, "\n")
	}
	for field, index := range map[model.MemoryOrderField]string{model.MemoryOrderCreatedAt: "memories_created",
		model.MemoryOrderUpdatedAt: "memories_updated"} {
		for _, direction := range []model.Direction{model.Ascending, model.Descending} {
			for _, where := range []store.MemoryWhere{{}, {Types: []model.MemoryType{model.MemoryKV}}, {TagsNone: []string{"x"}},
				{CreatedFrom: time.Unix(1e9, 0)}} {
				for _, window := range []store.Window[store.MemoryPlace]{
					{Limit: 50}, {Limit: 50, After: &store.MemoryPlace{}}, {Limit: 50, Before: &store.MemoryPlace{}, Backward: true},
					{Limit: 50, After: &store.MemoryPlace{}, Before: &store.MemoryPlace{}},
				} {
					order := model.MemoryOrder{Field: field, Direction: direction}
					plan := plans(store.MemoryQuery{Where: where, Order: order, Columns: store.MemoryRow, Page: &window})
					if strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, index+" (user_id=?") {
						t.Errorf("%v %+v %+v:\n%s", order, where, window, plan)
					}
				}
			}
		}
	}
	plan := plans(store.MemoryQuery{Where: store.MemoryWhere{TagsAll: []string{"x"}}, Columns: store.MemoryContent,
		Page: &store.Window[store.MemoryPlace]{Limit: 50}})
	if !strings.Contains(plan, "memory_terms") || strings.Contains(plan, "memories_created") {
		t.Errorf("by a rare tag:\n%s", plan)
	}
	// What is only counted or checked is found in an index, and no text is read.
	for what, plan := range map[string]string{
		"a total": plans(store.MemoryQuery{Total: true}),
		"a total of a month": plans(store.MemoryQuery{Total: true, Where: store.MemoryWhere{CreatedFrom: time.Unix(1e9, 0),
			CreatedTo: time.Unix(2e9, 0), HasMetadata: new(true)}}),
	} {
		if !strings.Contains(plan, "COVERING INDEX") {
			t.Errorf("%s:\n%s", what, plan)
		}
	}
}

// TestSearchReadsIndexes: what a search checks of memories, it reads from an index; only hits are read whole.
func TestSearchReadsIndexes(t *testing.T) {
	p := newPlanner(t)
	for name, filter := range map[string]store.MemoryWhere{"none": {},
		"by type": {Types: []model.MemoryType{model.MemoryNote}}, "by time": {UpdatedTo: memoryNoon},
		"by metadata": {HasMetadata: new(false)}} {
		f := memoryFilter{user: p.user, where: filter, now: memoryNoon.UnixMicro()}
		for _, entries := range []bool{false, true} {
			p.sql = nil
			r := &searching{s: p.s, question: question{of: &memoryPopulation, user: p.user, filter: &f}, legs: []*vectorLeg{{}}}
			if err := p.s.reading(t.Context(), oneStatement, func(q *session) error {
				return r.readRows(q, []int64{1, 2, 3}, entries, map[int64]checkedRow{})
			}); err != nil {
				t.Fatal(err)
			}
			if plan := p.plan(p.sql[0]); strings.Contains(plan, "COVERING INDEX memories_n (user_id=? AND n=?)") == entries {
				t.Errorf("%s, with entries %v:\n%s", name, entries, plan)
			}
		}
	}
}
