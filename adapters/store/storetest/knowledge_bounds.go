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
	"almanac/projections/vector"
)

// testKnowledgeBounds goes to the ends of what may be written and asked.
func testKnowledgeBounds(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("the largest there may be", func(t *testing.T) { knowledgeLargest(h.in(t)) })
	t.Run("as many in one call as there may be", func(t *testing.T) { knowledgeBulk(h.in(t)) })
	t.Run("a word that is more than common", func(t *testing.T) { knowledgeCommon(newFixture(t, open)) })
}

func largeEmbedding(seed uint64) model.Embedding {
	random := dice(seed)
	e := model.Embedding{Model: "large", Dimensions: model.MaxEmbeddingDimensions,
		Vector: make([]float32, model.MaxEmbeddingDimensions)}
	for i := range e.Vector {
		e.Vector[i] = float32(random.NormFloat64())
	}
	vector.Unit(e.Vector)
	return e
}

func knowledgeLargest(h *fixture) {
	h = h.as("writes much")
	e := h.entity(letters(model.MaxEntityName))
	e.Type, e.Summary, e.Embedding = letters(model.MaxEntityType), letters(model.MaxEntitySummary), largeEmbedding(560)
	for n := range model.MaxAliases {
		// each character folds to eighteen
		e.Aliases = append(e.Aliases, fmt.Sprintf("%02d ", n)+strings.Repeat("ﷺ", model.MaxEntityName-3))
	}
	e.Attributes = `{"text":"` + strings.Repeat("ש", (model.MaxAttributes-20)/2) + `"}`
	h.learn(e)
	want := e
	want.Embedding = model.Embedding{}
	got, _ := h.entityByID(e.ID)
	h.same("an entity", got, want)
	f := h.fact(e, strings.Repeat("ש", model.MaxRelation), e)
	f.Sentence, f.Attributes, f.Embedding = letters(model.MaxFactSentence), e.Attributes, largeEmbedding(561)
	for range model.MaxFactEpisodes {
		f.Episodes = append(f.Episodes, episodeID(h.ids.next()))
	}
	h.tell(f)
	wantFact := f
	wantFact.Embedding, wantFact.Source, wantFact.Target = model.Embedding{}, want, want
	fact, _ := h.factByID(f.ID)
	h.same("a fact", fact, wantFact)
	told := h.episode(strings.Repeat("שלום \U0001f469 ", model.MaxEpisodeContent)[:model.MaxEpisodeContent])
	told.Content = strings.ToValidUTF8(told.Content, "")
	told.Name, told.SourceDescription = letters(model.MaxEpisodeName), letters(model.MaxEpisodeOrigin)
	longest := h.episode(strings.Repeat("א", model.MaxEpisodeContent-1) + "1")
	almost := h.episode(strings.Repeat("א", model.MaxEpisodeContent-1) + "2")
	h.hear(told, longest, almost)
	for _, want := range []model.Episode{told, longest, almost} {
		twin := must(h, func() (model.Episode, error) { return h.TwinEpisode(h.ctx, h.user, want, store.EpisodeRow) })
		h.same("a long episode by its content", twin, want)
	}
	h.same("by their own vectors", [][]model.UUID{
		h.seekEntities(store.EntitySearch{Looking: lookVector("large", 0.999, e.Embedding.Vector...)}),
		h.seekFacts(store.FactSearch{Looking: lookVector("large", 0.999, f.Embedding.Vector...)})},
		[][]model.UUID{{e.ID.UUID}, {f.ID.UUID}})
	word := strings.Fields(e.Summary)[3]
	h.same("by a word", [][]model.UUID{h.seekEntities(store.EntitySearch{Looking: lookWords(word)}),
		h.seekFacts(store.FactSearch{Looking: lookWords(word)})}, [][]model.UUID{{e.ID.UUID}, {f.ID.UUID}})
}

func knowledgeBulk(h *fixture) {
	h = h.as("in bulk")
	s := &story{fixture: h, random: dice(562), web: newWeb()}
	entities := many(2*model.MaxFactsAtOnce, func(i int) model.Entity {
		e := randomEntity(s.random, h)
		e.Name = numbered("entity ", i)
		return e
	})
	head := h.head()
	saved := h.trace.during(func() { h.learn(entities...) })
	for _, e := range entities {
		s.web.saveEntity(entityRow(e))
	}
	facts := many(model.MaxFactsAtOnce, func(i int) model.Fact {
		f := h.fact(entities[2*i], "KNOWS", entities[2*i+1])
		f.Sentence, f.CreatedAt = randomContent(s.random), noon.Add(time.Duration(i/4)*time.Minute)
		if i%2 == 0 {
			f.Embedding = randomEmbedding(s.random)
		}
		return f
	})
	told := h.trace.during(func() { h.tell(facts...) })
	// Not one for each row. What goes with a row may come in a few steps, and very many rows in a few parts.
	if len(saved) > 20 || len(told) > 20 {
		h.Errorf("%d batches for %d entities and %d for %d facts", len(saved), len(entities), len(told), len(facts))
	}
	for _, f := range facts {
		s.web.saveFact(factRow(f))
	}
	s.web.changed = h.clock.Now()
	want := slices.Concat(wires(model.ChangeEntity, model.OperationCreated, idsOfEntities(entities)),
		wires(model.ChangeFact, model.OperationCreated, idsOfFacts(facts)))
	h.same("log", h.logged(head), want)
	for range 3 {
		s.check(h.ctx, h.Store, s.web)
		s.checkSearches(h.Store, 1)
	}
	pairs := mapped(facts, func(f model.Fact) store.FactPair {
		return store.FactPair{Source: f.Source.ID.UUID, Relation: "KNOWS"}
	})
	slices.Reverse(pairs)
	pairs[3].Relation, pairs[4].Source = "LIKES", h.ids.next()
	var got []model.Fact
	batches := h.trace.during(func() {
		got = must(h, func() ([]model.Fact, error) {
			return h.FactsOfPairs(h.ctx, h.user, pairs, store.FactWant{Fact: store.FactRelation})
		})
	})
	ids := idsOfFacts(facts)
	n := len(ids)
	h.same("1,000 pairs, in one batch", []any{idsOfFacts(got), len(batches)}, []any{slices.Delete(ids, n-5, n-3), 1})
	around := must(h, func() ([]model.Fact, error) {
		return h.FactsAround(h.ctx, h.user, idsOfEntities(entities), store.FactWhere{}, 10, model.MaxFactsAStep,
			store.FactWant{})
	})
	h.same("around 2,000 entities", len(around), n)
	byID := must(h, func() ([]model.Fact, error) { return h.FactsByID(h.ctx, h.user, idsOfFacts(facts), wholeFact) })
	h.same("1,000 by id", len(byID), n)
	h.write(func(ctx context.Context, tx store.Tx) error {
		deleted, gone, err := tx.DeleteEntities(ctx, idsOfEntities(entities))
		h.same("deleted", []int{len(deleted), gone}, []int{len(entities), n})
		return err
	})
	counts := must(h, func() (store.KnowledgeCounts, error) { return h.KnowledgeCounts(h.ctx, h.user, noon) })
	h.same("left", []int{counts.Entities, counts.Facts, len(counts.Models)}, []int{0, 0, 0})
}

// knowledgeCommon: a word that more rows have than are counted still finds the rare ones first, and any page of the
// rest.
func knowledgeCommon(h *fixture) {
	hub := h.entity("hub")
	h.learn(hub)
	var few []model.UUID
	for batch := range 3 {
		h.tell(many(500, func(i int) model.Fact {
			f := h.fact(hub, "KNOWS", hub)
			f.Sentence = fmt.Sprintf("common w%d", 500*batch+i)
			if i == 11 {
				f.Sentence += " rare"
				few = append(few, f.ID.UUID)
			}
			return f
		})...)
	}
	slices.Reverse(few)
	h.same("a rare word", h.seekFacts(store.FactSearch{Looking: lookWords("rare")}), few)
	h.same("the rare first", h.seekFacts(store.FactSearch{Looking: lookWords("common rare")})[:3], few)
	seen := map[model.UUID]bool{}
	looking := lookWords("common")
	for looking.Offset = 0; looking.Offset < model.MaxSearchDepth; looking.Offset += 100 {
		for _, id := range h.seekFacts(store.FactSearch{Looking: looking}) {
			if seen[id] {
				h.Fatal("a hit comes twice")
			}
			seen[id] = true
		}
	}
	h.same("as deep as may be asked", len(seen), model.MaxSearchDepth)
}
