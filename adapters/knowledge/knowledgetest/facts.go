package knowledgetest

import (
	"context"
	"fmt"
	"slices"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// properties holds Facts to making sense.
func properties(h *harness) {
	f := h.Base.Facts()
	if f.Backend != model.KnowledgeOwn && f.Backend != model.KnowledgeGraphiti {
		h.Errorf("backend %q", f.Backend)
	}
	if f.MostFacts < 1 || f.MostFacts > model.MaxFactsAtOnce {
		h.Errorf("%d facts at once", f.MostFacts)
	}
	if f.ExtractionModel != "" && !f.Extracts {
		h.Error("a model reads, though nothing is read")
	}
	if h.Reads && !f.Extracts {
		h.Error("episodes are read, and the base does not say so")
	}
}

// factsAreFound wants what was added to be found by words, whole, and by its ids.
func factsAreFound(h *harness) {
	added := h.addLines(h.user(), "Dana WORKS_AT Acme", "Noam LIVES_IN Rome")
	if added.Created != 2 || added.Unchanged != 0 || added.EntitiesMade != 4 || len(added.New) != 2 ||
		len(added.EntitiesNew) != 4 {
		h.Errorf("%+v", added)
	}
	found := h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Dana")})
	facts := items(found.Hits)
	if len(facts) == 0 || lines(facts[:1]) != "Dana WORKS_AT Acme" {
		h.Fatalf("found %s", lines(facts))
	}
	f := facts[0]
	if f.ID.Kind != model.KindFact || f.Sentence != "Dana works at Acme" || f.CreatedAt.IsZero() ||
		!f.InvalidAt.IsZero() || !f.HoldsAt(h.Now()) || f.Source.ID.Kind != model.KindEntity {
		h.Errorf("%+v", f)
	}
	if added.Ids[0] != (model.ID{}) && (added.Ids[0] != f.ID || !added.New[f.ID]) {
		h.Errorf("added as %s, found as %s", added.Ids[0], f.ID)
	}
	there, err := h.Base.FactsByID(h.Context(), h.user(), []model.ID{f.ID, f.ID}, wantFact)
	h.must(err)
	if again, ok := there[f.ID]; len(there) != 1 || !ok || again.Sentence != f.Sentence ||
		again.Source.ID != f.Source.ID || again.Target.Name != "Acme" {
		h.Errorf("by id: %+v", there)
	}
	ends, err := h.Base.EntitiesByID(h.Context(), h.user(), []model.ID{f.Source.ID, f.Target.ID}, store.EntityRow)
	h.must(err)
	if ends[f.Source.ID].Name != "Dana" || ends[f.Target.ID].Name != "Acme" || ends[f.Source.ID].Version != 1 ||
		ends[f.Source.ID].CreatedAt.IsZero() {
		h.Errorf("ends: %+v", ends)
	}
	if e := h.entity(h.user(), "Dana"); e.ID != f.Source.ID {
		h.Errorf("Dana is %s as an end and %s when looked for", f.Source.ID, e.ID)
	}
}

// namesInHebrew wants Hebrew to be found as English is.
func namesInHebrew(h *harness) {
	h.addLines(h.user(), "דנה WORKS_AT אלפא", "נועם KNOWS דנה")
	facts := items(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("דנה")}).Hits)
	h.check("Hebrew", facts, "דנה WORKS_AT אלפא", "נועם KNOWS דנה")
	if e := h.entity(h.user(), "נועם"); e.ID.Kind != model.KindEntity {
		h.Errorf("%+v", e)
	}
}

// theSameFactOnce wants a repetition to change nothing, and to say so.
func theSameFactOnce(h *harness) {
	first := h.addLines(h.user(), "Dana WORKS_AT Acme")
	second := h.addLines(h.user(), "Dana WORKS_AT Acme", "dana KNOWS Noam")
	if second.Created != 1 || second.Unchanged != 1 || second.EntitiesMade != 1 || second.New[first.Ids[0]] {
		h.Errorf("%+v", second)
	}
	if second.Ids[0] != first.Ids[0] {
		h.Errorf("%s, then %s", first.Ids[0], second.Ids[0])
	}
	h.check("both", items(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Dana")}).Hits), "Dana WORKS_AT Acme",
		"Dana KNOWS Noam")
}

// endsByID wants facts to be added between entities that are named by their ids, whatever else they are called.
func endsByID(h *harness) {
	h.addLines(h.user(), "Dana WORKS_AT Acme")
	dana := h.entity(h.user(), "Dana")
	fact := h.line("Dana KNOWS Noam")
	fact.Source = knowledge.End{ID: dana.ID}
	if added := h.addFacts(h.user(), fact); added.Created != 1 || added.EntitiesMade != 1 {
		h.Errorf("%+v", added)
	}
	h.check("at Dana", items(h.findFacts(h.user(), knowledge.FactAsk{Entity: dana.ID}).Hits), "Dana WORKS_AT Acme",
		"Dana KNOWS Noam")
	// Another user's entity is none.
	theirs := h.addProblem(h.other(), fact)
	h.wantCode(theirs, model.CodeNotFound)
	h.check("theirs", items(h.findFacts(h.other(), knowledge.FactAsk{Search: looking("Dana Noam")}).Hits))
}

// addProblem adds one fact that must be refused, and returns why.
func (h *harness) addProblem(user model.UserID, fact knowledge.NewFact) error {
	h.Helper()
	var added knowledge.FactsAdded
	err := h.do(user, func(ctx context.Context) (err error) {
		added, err = h.Base.AddFacts(ctx, user, knowledge.NewFacts{Facts: []knowledge.NewFact{fact}, Now: h.Now()})
		return err
	})
	if err != nil {
		return err
	}
	if len(added.Problems) != 1 {
		h.Fatalf("%+v", added)
	}
	return added.Problems[0]
}

// filtersOfFacts wants each part of the filter to count.
func filtersOfFacts(h *harness) {
	h.addLines(h.user(), "Dana WORKS_AT Acme", "Dana KNOWS Noam", "Noam WORKS_AT Acme", "Noam KNOWS Tal",
		"Tal LIVES_IN Rome")
	dana, noam, tal := h.entity(h.user(), "Dana"), h.entity(h.user(), "Noam"), h.entity(h.user(), "Tal")
	for _, c := range []struct {
		name string
		ask  knowledge.FactAsk
		want []string
	}{
		{"at one", knowledge.FactAsk{Entity: tal.ID}, []string{"Noam KNOWS Tal", "Tal LIVES_IN Rome"}},
		{"between", knowledge.FactAsk{Between: []model.ID{noam.ID, dana.ID}}, []string{"Dana KNOWS Noam"}},
		{"between none", knowledge.FactAsk{Between: []model.ID{dana.ID, tal.ID}}, nil},
		{"relation at one", knowledge.FactAsk{Entity: noam.ID, Where: store.FactWhere{Relations: []string{"KNOWS"}}},
			[]string{"Dana KNOWS Noam", "Noam KNOWS Tal"}},
		{"words at one", knowledge.FactAsk{Search: looking("Acme"), Entity: noam.ID}, []string{"Noam WORKS_AT Acme"}},
		{"kept later", knowledge.FactAsk{Search: looking("Noam"), Where: store.FactWhere{CreatedFrom: h.Now().Add(oneDay)}},
			nil},
		{"kept before", knowledge.FactAsk{Search: looking("Rome"), Where: store.FactWhere{CreatedTo: h.Now().Add(oneDay)}},
			[]string{"Tal LIVES_IN Rome"}},
	} {
		got := items(h.findFacts(h.user(), c.ask).Hits)
		if c.ask.Text != "" { // by meaning more may be found
			got = slices.DeleteFunc(got, func(f model.Fact) bool {
				return c.want != nil &&
					!slices.Contains(c.want, lines([]model.Fact{f}))
			})
		}
		h.check(c.name, got, c.want...)
	}
}

// around wants the newest facts at each of several entities, within both limits, and to be told when there are more.
func around(h *harness) {
	for i := range 4 {
		h.addLines(h.user(), fmt.Sprintf("Dana LIKES Tea%d", i))
		h.Pass(oneDay)
	}
	h.addLines(h.user(), "Noam KNOWS Dana")
	dana, noam := h.entity(h.user(), "Dana"), h.entity(h.user(), "Noam")
	for _, c := range []struct {
		each, limit int
		more        bool
		want        []string
	}{
		{10, 10, false, []string{"Dana LIKES Tea0", "Dana LIKES Tea1", "Dana LIKES Tea2", "Dana LIKES Tea3",
			"Noam KNOWS Dana"}},
		{2, 10, true, []string{"Dana LIKES Tea3", "Noam KNOWS Dana"}},
		{10, 3, true, []string{"Dana LIKES Tea2", "Dana LIKES Tea3", "Noam KNOWS Dana"}},
	} {
		facts, more, err := h.Base.FactsAround(h.Context(), h.user(), knowledge.Around{
			Entities: []model.ID{dana.ID, noam.ID}, PerEntity: c.each, Limit: c.limit, Want: wantFact,
		})
		h.must(err)
		h.check(fmt.Sprintf("%d of each, %d in all", c.each, c.limit), facts, c.want...)
		if more != c.more {
			h.Errorf("%d of each, %d in all: more is %v", c.each, c.limit, more)
		}
		if !slices.IsSortedFunc(facts, func(a, b model.Fact) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
			h.Error("the newest are not first")
		}
	}
	facts, _, err := h.Base.FactsAround(h.Context(), h.other(),
		knowledge.Around{Entities: []model.ID{dana.ID}, PerEntity: 10, Limit: 10, Want: wantFact})
	if err != nil || len(facts) != 0 {
		h.Errorf("others see %s, %v", lines(facts), err)
	}
}

// searchesArePaged wants each hit once.
func searchesArePaged(h *harness) {
	for i := range 7 {
		h.addLines(h.user(), fmt.Sprintf("Dana LIKES Tea%d", i))
		h.Pass(oneDay)
	}
	ask := knowledge.FactAsk{Search: looking("Dana"), Page: knowledge.Page{First: 3}}
	h.paged(7, func(page knowledge.Page) knowledge.Answer[model.Fact] {
		ask.Page = page
		return h.findFacts(h.user(), ask)
	})
}

// listsArePaged wants each item of a list once, in its order.
func listsArePaged(h *harness) {
	if !h.Lists {
		h.Skip("what was added without an episode is not listed")
	}
	for i := range 7 {
		h.addLines(h.user(), fmt.Sprintf("Dana LIKES Tea%d", i))
		h.Pass(oneDay)
	}
	h.paged(7, func(page knowledge.Page) knowledge.Answer[model.Fact] {
		answer := h.findFacts(h.user(), knowledge.FactAsk{Page: page, Total: true})
		if answer.Total != nil && *answer.Total != 7 {
			h.Errorf("%d in all", *answer.Total)
		}
		return answer
	})
	var names []string
	page := knowledge.Page{First: 3}
	for range 4 {
		answer := h.findEntities(h.user(), knowledge.EntityAsk{Page: page})
		for _, hit := range answer.Hits {
			names = append(names, hit.Item.Name)
		}
		if !answer.HasNext {
			break
		}
		page.After = answer.Hits[len(answer.Hits)-1].Place
	}
	if fmt.Sprint(names) != "[Dana Tea0 Tea1 Tea2 Tea3 Tea4 Tea5 Tea6]" {
		h.Errorf("by name: %v", names)
	}
}

// paged reads pages of three until there is no more, and wants so many different facts, the newest first.
func (h *harness) paged(want int, read func(knowledge.Page) knowledge.Answer[model.Fact]) {
	h.Helper()
	seen := map[model.ID]bool{}
	page := knowledge.Page{First: 3}
	for range want {
		answer := read(page)
		if len(answer.Hits) > 3 {
			h.Errorf("a page of %d", len(answer.Hits))
		}
		for _, hit := range answer.Hits {
			if seen[hit.Item.ID] {
				h.Errorf("%s came twice", lines([]model.Fact{hit.Item}))
			}
			seen[hit.Item.ID] = true
		}
		if !answer.HasNext {
			break
		}
		if len(answer.Hits) == 0 {
			h.Fatal("an empty page, and more after it")
		}
		page.After = answer.Hits[len(answer.Hits)-1].Place
	}
	if len(seen) != want {
		h.Errorf("%d facts, want %d", len(seen), want)
	}
}
