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
	"almanac/projections/vector"
	terms "almanac/projections/words"
)

func testKnowledgeSearch(t *testing.T, open Open) {
	t.Run("exactly as the oracle", func(t *testing.T) { knowledgeSearchRandom(newFixture(t, open)) })
	t.Run("page by page, and ties", func(t *testing.T) { knowledgeSearchPages(newFixture(t, open)) })
	t.Run("what ranks before what", func(t *testing.T) { knowledgeSearchRanks(newFixture(t, open)) })
	t.Run("by words, in English and Hebrew", func(t *testing.T) { knowledgeSearchWords(newFixture(t, open)) })
	t.Run("filters never starve", func(t *testing.T) { knowledgeSearchFiltered(newFixture(t, open)) })
	t.Run("three indexes that do not see each other", func(t *testing.T) { knowledgeSearchApart(newFixture(t, open)) })
	t.Run("sees what is committed, at once", func(t *testing.T) { knowledgeSearchCommitted(newFixture(t, open), open) })
}

// seekEntities and seekFacts give what a search finds, in order.
func (h *fixture) seekEntities(search store.EntitySearch) []model.UUID {
	h.Helper()
	hits := must(h, func() (store.EntityHits, error) { return h.SearchEntities(h.ctx, h.user, search) })
	return mapped(hits.Hits, func(hit store.EntityHit) model.UUID { return hit.Entity.ID.UUID })
}

func (h *fixture) seekFacts(search store.FactSearch) []model.UUID {
	h.Helper()
	hits := must(h, func() (store.FactHits, error) { return h.SearchFacts(h.ctx, h.user, search) })
	return mapped(hits.Hits, func(hit store.FactHit) model.UUID { return hit.Fact.ID.UUID })
}

// lookVector and lookWords are searches of one leg.
func lookVector(name string, least float64, query ...float32) store.Looking {
	return store.Looking{Vectors: []store.QueryVector{{Model: name, Vector: query}}, MinSimilarity: least,
		SimilarityWeight: 1, Limit: 100}
}

func lookWords(query string) store.Looking {
	return store.Looking{Words: terms.Query(query), KeywordWeight: 1, Limit: 100}
}

// grown fills a user's graph once and returns its story.
func grown(h *fixture, seed uint64, entities, facts int) *story {
	h.Helper()
	s := &story{fixture: h, random: dice(seed), web: newWeb()}
	episodes := many(10, func(int) model.Episode { return randomEpisode(s.random, h) })
	h.hear(episodes...)
	for _, e := range episodes {
		s.web.saveEpisode(e)
	}
	things := many(entities, func(int) model.Entity { return randomEntity(s.random, h) })
	h.learn(things...)
	for _, e := range things {
		s.web.saveEntity(entityRow(e))
	}
	told := many(facts, func(int) model.Fact { return randomFact(s.random, h, s.web) })
	for i := 3; i < len(told); i += 4 {
		told[i].ReplacedBy = told[i-1].ID
	}
	h.tell(told...)
	for _, f := range told {
		s.web.saveFact(factRow(f))
	}
	s.web.changed = h.clock.Now()
	return s
}

func knowledgeSearchRandom(h *fixture) {
	s := grown(h.as("searched"), 530, 120, 250)
	empty, both := 0, 0
	for range 80 {
		entities := store.EntitySearch{Looking: randomLooking(s.random, s.web.rowsOfEntities()),
			Columns: randomEntityColumns(s.random)}
		facts := store.FactSearch{Looking: randomLooking(s.random, s.web.rowsOfFacts()), Want: randomWant(s.random)}
		if s.random.IntN(2) == 0 {
			entities.Where, facts.Where = randomEntityWhere(s.random, s.web), randomFactWhere(s.random, h, s.web)
		}
		s.sameSearches(s.Store, entities, facts)
		hits := s.web.searchFacts(facts)
		if len(hits) == 0 {
			empty++
		}
		if slices.ContainsFunc(hits, func(hit store.FactHit) bool { return hit.ByVector && hit.ByKeyword }) {
			both++
		}
		if h.Failed() {
			return
		}
	}
	if empty > 40 || both < 8 {
		h.Errorf("of 80 searches %d found nothing and %d something by both legs, so little was tested", empty, both)
	}
}

// knowledgeSearchPages: pages put together are the whole ranking, also where scores are the same and ids did not come
// in their order.
func knowledgeSearchPages(h *fixture) {
	s := &story{fixture: h, random: dice(531), web: newWeb()}
	hub := h.entity("hub")
	var rows []store.EntityRowOf
	var facts []store.FactRowOf
	for i := range 60 {
		e := h.entity("the same name")
		f := h.fact(hub, "KNOWS", hub)
		if e.Embedding, f.Embedding = embedded("alpha", 0.6, 0.8), embedded("alpha", 0.6, 0.8); i%2 == 0 {
			e.ID.UUID, f.ID.UUID = h.ids.earlier(s.random), h.ids.earlier(s.random)
		}
		rows, facts = append(rows, entityRow(e)), append(facts, factRow(f))
	}
	rows = append(rows, entityRow(hub))
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.SaveEntities(ctx, rows), tx.SaveFacts(ctx, facts))
	})
	for _, row := range rows {
		s.web.saveEntity(row)
	}
	for _, row := range facts {
		s.web.saveFact(row)
	}
	for _, size := range []int{1, 7, 59, 60, 61} {
		for _, words := range []string{"", "same hub"} {
			looking := lookVector("alpha", 0, 0.8, 0.6)
			looking.Words, looking.KeywordWeight, looking.Limit = terms.Query(words), 0.5, size
			for looking.Offset = 0; looking.Offset < 65; looking.Offset += size {
				s.sameSearches(h.Store, store.EntitySearch{Looking: looking}, store.FactSearch{Looking: looking})
			}
		}
	}
}

func knowledgeSearchRanks(h *fixture) {
	hub := h.entity("hub")
	h.learn(hub)
	add := func(sentence string, embedding model.Embedding) model.UUID {
		f := h.fact(hub, "KNOWS", hub)
		f.Sentence, f.Embedding = sentence, embedding
		h.tell(f)
		e := h.entity(sentence)
		e.ID.UUID, e.Embedding = f.ID.UUID, embedding // an entity and a fact may even have the same id
		h.learn(e)
		return f.ID.UUID
	}
	near, far := add("near milk", embedded("alpha", 1, 0)), add("far", embedded("alpha", 0.6, 0.8))
	against, other, none := add("against milk", embedded("alpha", -1, 0)), add("other model milk", embedded("beta", 1, 0)),
		add("no vector milk", model.Embedding{})
	both := func(what string, looking store.Looking, want ...model.UUID) {
		h.Helper()
		h.same(what+", entities", h.seekEntities(store.EntitySearch{Looking: looking}), append([]model.UUID{}, want...))
		h.same(what+", facts", h.seekFacts(store.FactSearch{Looking: looking}), append([]model.UUID{}, want...))
	}
	both("by vector", lookVector("alpha", 0, 1, 0), near, far)
	both("with a lower bound", lookVector("alpha", -1, 1, 0), near, far, against)
	exact := vector.Cosine([]float32{1, 0}, keptEmbedding(embedded("alpha", 0.6, 0.8)).Vector)
	both("a bound that is met exactly", lookVector("alpha", exact, 1, 0), near, far)
	both("a bound just missed", lookVector("alpha", exact+1e-12, 1, 0), near)
	both("a model of nobody", lookVector("gamma", -1, 1, 0))
	two := lookVector("alpha", 0.9, 1, 0)
	two.Vectors = append(two.Vectors, store.QueryVector{Model: "beta", Vector: []float32{1, 0}})
	both("under two models", two, other, near)
	fused := lookVector("alpha", 0.9, 1, 0)
	fused.Words, fused.SimilarityWeight, fused.KeywordWeight = terms.Query("milk"), 0.7, 0.3
	rows := []string{}
	for _, hit := range must(h, func() (store.FactHits, error) {
		return h.SearchFacts(h.ctx, h.user, store.FactSearch{Looking: fused})
	}).Hits {
		rows = append(rows, fmt.Sprintf("%d score %.3f similarity %.3f %v %v keyword %.3f %v",
			slices.Index([]model.UUID{near, far, against, other, none}, hit.Fact.ID.UUID), hit.Score, hit.Similarity,
			hit.Measured, hit.ByVector, hit.Keyword, hit.ByKeyword))
	}
	// The similarity of what words found is told although it is below the bound, and does not lower the score below 0.
	h.same("fused", rows, []string{
		"0 score 1.000 similarity 1.000 true true keyword 1.000 true",
		"4 score 0.300 similarity 0.000 false false keyword 1.000 true",
		"3 score 0.300 similarity 0.000 false false keyword 1.000 true",
		"2 score 0.300 similarity -1.000 true false keyword 1.000 true",
	})
	fused.SimilarityWeight, fused.KeywordWeight, fused.MinSimilarity = 0, 1, -1
	both("words alone count: the more similar first", fused, near, none, other, against, far)
	fused.Offset, fused.Limit = 4, 1
	both("the last", fused, far)
	fused.Offset = model.MaxSearchDepth - 1
	both("as deep as may be asked", fused)
}

func knowledgeSearchWords(h *fixture) {
	dana, acme := h.entity("Dana Levi"), h.entity("Acme")
	dana.Type, dana.Aliases, dana.Summary = "Person", []string{"דנה כרמלי"}, "Plays the cello; גרה בחיפה"
	acme.Type, acme.Attributes = "Company", `{"phone":"050-9999999"}`
	h.learn(dana, acme)
	works, said := h.fact(dana, "WORKS_AT", acme), h.fact(acme, "KNOWS", dana)
	said.Sentence = "דָּנָה אמרה שלום בפגישה ב-2026"
	h.tell(works, said)
	for query, want := range map[string][2][]model.UUID{
		"levi":       {{dana.ID.UUID}, {said.ID.UUID, works.ID.UUID}},
		"CELLO":      {{dana.ID.UUID}, {}},
		"חיפה":       {{dana.ID.UUID}, {}},
		"לוי":        {{dana.ID.UUID}, {said.ID.UUID, works.ID.UUID}}, // in the other script
		"כרמלי":      {{dana.ID.UUID}, {}},
		"company":    {{acme.ID.UUID}, {}},
		"0509999999": {{acme.ID.UUID}, {}},
		"works":      {{}, {works.ID.UUID}},
		"פגישה":      {{}, {said.ID.UUID}},
		"שָׁלוֹם":    {{}, {said.ID.UUID}},
		"2026":       {{}, {said.ID.UUID}},
		"quagga":     {{}, {}},
		"":           {{}, {}},
	} {
		h.same(query+", entities", h.seekEntities(store.EntitySearch{Looking: lookWords(query)}), want[0])
		found := h.seekFacts(store.FactSearch{Looking: lookWords(query)})
		h.same(query+", facts", sorted(found), sorted(want[1]))
	}
	// What an entity or a fact no longer says does not find it.
	dana.Aliases, dana.Version = nil, 2
	works.Sentence, works.Relation, works.Version = "Dana has left Acme", "LEFT", 2
	h.learn(dana)
	h.tell(works)
	h.same("an alias that went", h.seekEntities(store.EntitySearch{Looking: lookWords("כרמלי")}), []model.UUID{})
	h.same("a sentence that went", h.seekFacts(store.FactSearch{Looking: lookWords("works")}), []model.UUID{})
}

// knowledgeSearchFiltered: all that is near is outside of the filter, and what is inside is far and has few of the
// words; it comes all the same.
func knowledgeSearchFiltered(h *fixture) {
	hub, other := h.entity("hub"), h.entity("beside")
	h.learn(hub, other)
	told := h.episode("told")
	h.hear(told)
	var insideEntities, insideFacts []model.UUID
	var entities []model.Entity
	var facts []model.Fact
	for n := range 400 {
		e, f := h.entity(numbered("milk and bread ", n)), h.fact(hub, "KNOWS", hub)
		e.Type, e.Embedding = "outside", embedded("alpha", 1, float32(n%7)/1000)
		f.Sentence, f.Embedding, f.InvalidAt = e.Name, e.Embedding, noon
		if n%50 == 3 {
			e.Name, e.Type, e.Embedding, e.CreatedAt, e.Aliases = "milk", "inside", embedded("alpha", 0.3, 1),
				noon.Add(time.Hour), []string{"the one"}
			f.Sentence, f.Relation, f.Embedding, f.InvalidAt, f.ValidAt, f.Target, f.Episodes, f.CreatedAt = "milk", "IS_INSIDE",
				e.Embedding, time.Time{}, noon, other, []model.ID{told.ID}, noon.Add(time.Hour)
			insideEntities, insideFacts = append(insideEntities, e.ID.UUID), append(insideFacts, f.ID.UUID)
		}
		entities, facts = append(entities, e), append(facts, f)
	}
	h.learn(entities...)
	h.tell(facts...)
	slices.Reverse(insideEntities)
	slices.Reverse(insideFacts)
	legs := map[string]store.Looking{"vector": lookVector("alpha", 0, 1, 0), "words": lookWords("milk and bread 17"),
		"both": lookWords("milk bread")}
	fused := legs["both"]
	fused.Vectors, fused.SimilarityWeight = legs["vector"].Vectors, 1
	legs["both"] = fused
	for leg, looking := range legs {
		for what, where := range map[string]store.EntityWhere{"type": {Types: []string{"inside", "x"}},
			"alias": {Name: "the one"}, "creation": {CreatedFrom: noon.Add(time.Hour)}} {
			looking.Limit, looking.Offset = 5, 0
			h.same("entities by "+leg+" within "+what, h.seekEntities(store.EntitySearch{Looking: looking, Where: where}),
				insideEntities[:5])
			looking.Offset = 5
			h.same("entities by "+leg+" within "+what+", the rest",
				h.seekEntities(store.EntitySearch{Looking: looking, Where: where}), insideEntities[5:])
		}
		for what, where := range map[string]store.FactWhere{
			"the present": {Time: store.FactsHolding, At: noon}, "relation": {Relations: []string{"IS_INSIDE"}},
			"entity": {Entity: other.ID.UUID}, "ends": {Between: &[2]model.UUID{other.ID.UUID, hub.ID.UUID}},
			"episode": {Episode: told.ID.UUID}, "validity": {ValidFrom: noon}, "creation": {CreatedFrom: noon.Add(time.Hour)},
		} {
			looking.Limit, looking.Offset = 5, 0
			h.same("facts by "+leg+" within "+what, h.seekFacts(store.FactSearch{Looking: looking, Where: where}),
				insideFacts[:5])
			looking.Offset = 5
			h.same("facts by "+leg+" within "+what+", the rest", h.seekFacts(store.FactSearch{Looking: looking, Where: where}),
				insideFacts[5:])
		}
		looking.Limit, looking.Offset = 1000, 0
		h.same("facts by "+leg+" of the past", len(h.seekFacts(store.FactSearch{Looking: looking,
			Where: store.FactWhere{Time: store.FactsNotHolding, At: noon}})), 400-len(insideFacts))
	}
}

// knowledgeSearchApart: memories, entities and facts with the same texts and vectors are three indexes; a term's count
// is that of its own.
func knowledgeSearchApart(h *fixture) {
	hub := h.entity("hub")
	h.learn(hub)
	f, e, m := h.fact(hub, "KNOWS", hub), h.entity("zebra milk"), h.memory("zebra milk")
	f.Sentence, f.Embedding, e.Embedding, m.Embedding = "zebra milk", embedded("alpha", 1, 0), embedded("alpha", 1, 0),
		embedded("alpha", 1, 0)
	search := lookWords("zebra quagga")
	keyword := func() (of [3]float64) {
		h.Helper()
		memories := h.seek(store.MemorySearch{Words: search.Words, KeywordWeight: 1, Limit: 100})
		entities := must(h, func() (store.EntityHits, error) {
			return h.SearchEntities(h.ctx, h.user, store.EntitySearch{Looking: search})
		})
		facts := must(h, func() (store.FactHits, error) {
			return h.SearchFacts(h.ctx, h.user, store.FactSearch{Looking: search})
		})
		if len(memories.Hits) > 0 {
			of[0] = memories.Hits[0].Keyword
		}
		if len(entities.Hits) > 0 {
			of[1] = entities.Hits[0].Keyword
		}
		if len(facts.Hits) > 0 {
			of[2] = facts.Hits[0].Keyword
		}
		return of
	}
	found := func() (of [3]int) {
		h.Helper()
		looking := lookVector("alpha", 0.5, 1, 0)
		return [3]int{len(h.seekIDs(byVector("alpha", 0.5, 1, 0))), len(h.seekEntities(store.EntitySearch{Looking: looking})),
			len(h.seekFacts(store.FactSearch{Looking: looking}))}
	}
	h.learn(e)
	h.same("only an entity", found(), [3]int{0, 1, 0})
	one := keyword()
	h.same("only an entity, by words", []bool{one[0] > 0, one[1] > 0, one[2] > 0}, []bool{false, true, false})
	h.tell(f)
	h.same("and a fact", found(), [3]int{0, 1, 1})
	h.remember(m)
	h.same("and a memory", found(), [3]int{1, 1, 1})
	h.same("all by the same words, each rare in its own index", keyword(), [3]float64{one[1], one[1], one[1]})
	h.learn(many(50, func(i int) model.Entity { return h.entity(numbered("zebra ", i)) })...)
	more := keyword()
	h.same("the word is frequent among entities alone", []bool{more[0] == one[1], more[1] < one[1], more[2] == one[1]},
		[]bool{true, true, true})
	h.forget(m.ID)
	h.same("the memory is gone", found(), [3]int{0, 1, 1})
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteFacts(ctx, []model.UUID{f.ID.UUID})
		return err
	})
	h.same("the fact is gone", found(), [3]int{0, 1, 0})
}

// knowledgeSearchCommitted: a search sees every commit at once, of this process and of another one on the same
// database, and nothing that is not committed or was rolled back, of words and vectors alike.
func knowledgeSearchCommitted(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	hub := h.entity("hub")
	h.learn(hub)
	e, f := h.entity("zebra"), h.fact(hub, "KNOWS", hub)
	e.Embedding, f.Sentence, f.Embedding = embedded("alpha", 1, 0), "zebra", embedded("alpha", 1, 0)
	sees := func(what string, ctx context.Context, in store.Store, word string, want bool) {
		h.Helper()
		for leg, looking := range map[string]store.Looking{"vector": lookVector("alpha", 0.9, 1, 0),
			"words": lookWords(word)} {
			entities := must(h, func() (store.EntityHits, error) {
				return in.SearchEntities(ctx, h.user, store.EntitySearch{Looking: looking})
			})
			facts := must(h, func() (store.FactHits, error) {
				return in.SearchFacts(ctx, h.user, store.FactSearch{Looking: looking})
			})
			if got := [2]bool{len(entities.Hits) > 0, len(facts.Hits) > 0}; got != [2]bool{want, want} {
				h.Errorf("%s, by %s: found %v, want %v", what, leg, got, want)
			}
		}
	}
	everywhere := func(what, word string, want bool) {
		h.Helper()
		sees(what, h.ctx, h.Store, word, want)
		sees(what+", in another process", h.ctx, beside, word, want)
	}
	save := func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(e)}),
			tx.SaveFacts(ctx, []store.FactRowOf{factRow(f)}))
	}
	rolledBack := func(fn func(ctx context.Context, tx store.Tx) error, what, word string, want bool) {
		h.Helper()
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			err := fn(ctx, tx)
			sees(what+" in its transaction", ctx, h.Store, word, want)
			everywhere(what+" that is not committed", word, want)
			return errors.Join(err, errFailed)
		})
		h.fails("Write", err, errFailed)
		everywhere(what+" that was rolled back", word, want)
	}
	everywhere("before", "zebra", false)
	rolledBack(save, "an insert", "zebra", false)
	h.write(save)
	everywhere("an insert", "zebra", true)
	e.Version, e.Name, e.Embedding = 2, "quagga", embedded("alpha", 0, 1)
	f.Version, f.Sentence, f.Embedding = 2, "quagga", embedded("alpha", 0, 1)
	rolledBack(save, "an update", "zebra", true)
	h.write(save)
	everywhere("an update", "zebra", false)
	vectors := func(in store.Store, ctx context.Context) error {
		n, err := in.SaveKnowledgeVectors(ctx, h.user, []store.KnowledgeVectorOf{
			{Kind: model.KindEntity, ID: e.ID.UUID, Version: 2, Embedding: embedded("alpha", 1, 0)},
			{Kind: model.KindFact, ID: f.ID.UUID, Version: 2, Embedding: embedded("alpha", 1, 0)},
		})
		h.same("vectors kept", n, 2)
		return err
	}
	rolledBack(func(ctx context.Context, _ store.Tx) error { return vectors(h.Store, ctx) }, "a vector", "zebra", false)
	if err := vectors(beside, h.ctx); err != nil {
		h.Fatal(err)
	}
	everywhere("vectors of another process", "quagga", true)
	drop := func(ctx context.Context, tx store.Tx) error {
		_, _, err := tx.DeleteEntities(ctx, []model.UUID{e.ID.UUID})
		_, more := tx.DeleteFacts(ctx, []model.UUID{f.ID.UUID})
		return errors.Join(err, more)
	}
	rolledBack(drop, "a deletion", "quagga", true)
	rolledBack(func(ctx context.Context, tx store.Tx) error { _, err := tx.ClearKnowledge(ctx); return err }, "clearing",
		"quagga", true)
	if err := beside.Write(h.ctx, h.user, drop); err != nil {
		h.Fatal(err)
	}
	everywhere("a deletion", "quagga", false)
	e.ID, f.ID = entityID(h.ids.next()), factID(h.ids.next())
	e.Embedding, f.Embedding = embedded("alpha", 1, 0), embedded("alpha", 1, 0)
	if err := beside.Write(h.ctx, h.user, save); err != nil {
		h.Fatal(err)
	}
	everywhere("an insert by another process", "quagga", true)
	h.write(func(ctx context.Context, tx store.Tx) error { _, err := tx.ClearKnowledge(ctx); return err })
	everywhere("cleared", "quagga", false)
}
