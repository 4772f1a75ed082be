package storetest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func knowledgeHolds(h *fixture) {
	h = h.as("asks when")
	one, other := h.entity("one"), h.entity("other")
	h.learn(one, other)
	from, to := noon.Add(time.Hour), noon.Add(2*time.Hour)
	facts := many(4, func(int) model.Fact { return h.fact(one, "KNOWS", other) })
	always, since, until, between := &facts[0], &facts[1], &facts[2], &facts[3]
	since.ValidAt, until.InvalidAt, between.ValidAt, between.InvalidAt = from, to, from, to
	h.tell(facts...)
	const us = time.Microsecond
	for _, c := range []struct {
		at   time.Time
		want []*model.Fact
	}{
		{from.Add(-us), []*model.Fact{until, always}}, {from, []*model.Fact{between, until, since, always}},
		{from.Add(us), []*model.Fact{between, until, since, always}},
		{to.Add(-us), []*model.Fact{between, until, since, always}}, {to, []*model.Fact{since, always}},
		{to.Add(us), []*model.Fact{since, always}},
		{time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), []*model.Fact{until, always}},
		{time.Date(2900, 1, 1, 0, 0, 0, 0, time.UTC), []*model.Fact{since, always}},
	} {
		holding, not := []model.UUID{}, []model.UUID{}
		for i := len(facts) - 1; i >= 0; i-- {
			if slices.Contains(c.want, &facts[i]) {
				holding = append(holding, facts[i].ID.UUID)
			} else {
				not = append(not, facts[i].ID.UUID)
			}
		}
		h.same("holding at "+c.at.String(), h.factsWhere(store.FactWhere{Time: store.FactsHolding, At: c.at}), holding)
		h.same("not holding at "+c.at.String(), h.factsWhere(store.FactWhere{Time: store.FactsNotHolding, At: c.at}), not)
		h.same("all at "+c.at.String(), len(h.factsWhere(store.FactWhere{At: c.at})), 4)
		for mode, left := range map[store.FactTime]int{store.FactsHolding: len(not), store.FactsNotHolding: len(holding),
			store.FactsAny: 0} {
			page := must(h, func() (store.FactPage, error) {
				return h.ListFacts(h.ctx, h.user, store.FactQuery{Where: store.FactWhere{Time: mode, At: c.at}, Suppressed: true})
			})
			h.same(fmt.Sprint("suppressed in mode ", mode), []int{len(page.Facts), page.Suppressed}, []int{0, left})
		}
		counts := must(h, func() (store.KnowledgeCounts, error) { return h.KnowledgeCounts(h.ctx, h.user, c.at) })
		h.same("counted", []int{counts.Facts, counts.CurrentFacts}, []int{4, len(holding)})
	}
	id := func(facts ...*model.Fact) []model.UUID {
		return mapped(facts, func(f *model.Fact) model.UUID { return f.ID.UUID })
	}
	h.same("valid from, inclusive", h.factsWhere(store.FactWhere{ValidFrom: from}), id(between, since))
	h.same("valid from, a moment late", h.factsWhere(store.FactWhere{ValidFrom: from.Add(us)}), id())
	h.same("valid to, exclusive: what always held began before", h.factsWhere(store.FactWhere{ValidTo: from}),
		id(until, always))
	h.same("valid to, a moment later", h.factsWhere(store.FactWhere{ValidTo: from.Add(us)}),
		id(between, until, since, always))
	h.same("both bounds", h.factsWhere(store.FactWhere{ValidFrom: from, ValidTo: to}), id(between, since))
	self := h.fact(one, "KNOWS", one)
	h.tell(self)
	ends := func(a, b model.Entity) *[2]model.UUID { return &[2]model.UUID{a.ID.UUID, b.ID.UUID} }
	h.same("between two, in either order", [][]model.UUID{h.factsWhere(store.FactWhere{Between: ends(one, other)}),
		h.factsWhere(store.FactWhere{Between: ends(other, one)})},
		[][]model.UUID{id(between, until, since, always), id(between, until, since, always)})
	h.same("between one and itself", h.factsWhere(store.FactWhere{Between: ends(one, one)}), id(&self))
	h.same("between another and itself", h.factsWhere(store.FactWhere{Between: ends(other, other)}), id())
	h.same("of one, each once", h.factsWhere(store.FactWhere{Entity: one.ID.UUID}),
		id(&self, between, until, since, always))
}

func knowledgeSupport(h *fixture) {
	h = h.as("supports")
	dana := h.entity("Dana")
	h.learn(dana)
	f, other := h.fact(dana, "KNOWS", dana), h.fact(dana, "KNOWS", dana)
	episodes := many(model.MaxFactEpisodes+20, func(i int) model.Episode { return h.episode(numbered("episode ", i)) })
	h.hear(episodes...)
	ids := mapped(episodes, func(e model.Episode) model.ID { return e.ID })
	is := func(what string, want []model.ID) {
		h.Helper()
		got, _ := h.factByID(f.ID)
		h.same(what, got.Episodes, want)
	}
	f.Episodes, other.Episodes = []model.ID{ids[5], ids[3], ids[5]}, []model.ID{ids[3]}
	h.tell(f, other)
	is("oldest first, each once", []model.ID{ids[3], ids[5]})
	f.Episodes = nil
	h.tell(f)
	is("none are taken away", []model.ID{ids[3], ids[5]})
	f.Episodes = []model.ID{ids[4], ids[3]}
	h.tell(f)
	is("added", []model.ID{ids[3], ids[4], ids[5]})
	h.same("facts of an episode", h.factsWhere(store.FactWhere{Episode: ids[3].UUID}),
		[]model.UUID{other.ID.UUID, f.ID.UUID})
	h.same("of another", h.factsWhere(store.FactWhere{Episode: ids[4].UUID}), []model.UUID{f.ID.UUID})
	f.Episodes = slices.Clone(ids[10:])
	slices.Reverse(f.Episodes)
	h.tell(f)
	is("the oldest stay", slices.Concat(ids[3:6], ids[10:107]))
	f.Episodes = ids[:1]
	h.tell(f)
	is("an older one comes, the newest goes", slices.Concat(ids[:1], ids[3:6], ids[10:106]))
	h.same("one that went", h.factsWhere(store.FactWhere{Episode: ids[106].UUID}), []model.UUID{})
	got, _ := h.factByID(other.ID)
	h.same("the other fact", got.Episodes, ids[3:4])
}

func knowledgeEnds(h *fixture) {
	h = h.as("has ends")
	dana, gone := h.entity("Dana"), h.entity("gone")
	h.learn(dana)
	head := h.head()
	for what, f := range map[string]model.Fact{"the source": h.fact(gone, "KNOWS", dana),
		"the target": h.fact(dana, "KNOWS", gone)} {
		first := h.fact(dana, "KNOWS", dana)
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			err := tx.SaveFacts(ctx, []store.FactRowOf{factRow(first), factRow(f), factRow(h.fact(dana, "KNOWS", dana))})
			h.fails("without "+what, err, store.ErrNotFound)
			return nil // nothing is done, and the transaction goes on
		})
		h.same("the transaction without "+what, err, nil)
	}
	h.same("facts", h.factsWhere(store.FactWhere{}), []model.UUID{})
	h.same("log", h.log(head), []string{})
}

func knowledgeAround(h *fixture) {
	h = h.as("looks around")
	hub, other, far := h.entity("hub"), h.entity("other"), h.entity("far")
	leaves := many(30, func(i int) model.Entity { return h.entity(numbered("leaf ", i)) })
	h.learn(append([]model.Entity{hub, other, far}, leaves...)...)
	var facts []model.Fact
	for i, leaf := range leaves {
		f := h.fact(hub, "KNOWS", leaf)
		if i%2 == 0 {
			f = h.fact(leaf, "KNOWS", hub)
		}
		f.CreatedAt = noon.Add(time.Duration(i/3) * time.Minute)
		facts = append(facts, f)
	}
	shared, self := h.fact(other, "LIKES", hub), h.fact(hub, "LIKES", hub)
	shared.CreatedAt, self.CreatedAt, shared.InvalidAt = noon.Add(time.Hour), noon.Add(2*time.Hour), noon
	facts = append(facts, shared, self)
	h.tell(facts...)
	newest := mapped(facts, func(f model.Fact) model.UUID { return f.ID.UUID })
	slices.Reverse(newest)
	around := func(where store.FactWhere, perEntity, limit int, of ...model.Entity) []model.UUID {
		h.Helper()
		return idsOfFacts(must(h, func() ([]model.Fact, error) {
			return h.FactsAround(h.ctx, h.user, idsOfEntities(of), where, perEntity, limit, store.FactWant{})
		}))
	}
	h.same("all of one, newest first", around(store.FactWhere{}, 100, 100, hub), newest)
	h.same("at most so many of one", around(store.FactWhere{}, 3, 100, hub), newest[:3])
	h.same("the others have their own", around(store.FactWhere{}, 3, 100, hub, leaves[0], leaves[1]),
		slices.Concat(newest[:3], []model.UUID{facts[1].ID.UUID, facts[0].ID.UUID}))
	h.same("each once", around(store.FactWhere{}, 3, 100, hub, other, hub), newest[:3])
	h.same("at most so many in all, the newest", around(store.FactWhere{}, 100, 4, append(leaves, other)...), newest[1:5])
	h.same("filtered first", around(store.FactWhere{Time: store.FactsHolding, At: noon}, 2, 100, hub),
		[]model.UUID{newest[0], newest[2]})
	h.same("by relation", around(store.FactWhere{Relations: []string{"KNOWS"}}, 2, 100, hub, other), newest[2:4])
	h.same("without facts", around(store.FactWhere{}, 5, 5, far, h.entity("nobody")), []model.UUID{})
	h.same("nobody", around(store.FactWhere{}, 5, 5), []model.UUID{})
}
