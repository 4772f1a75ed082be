package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// testKnowledgeTexts: what a database cannot hold is refused in front of it, and nothing is cut short. Everything else
// comes back byte for byte.
func testKnowledgeTexts(t *testing.T, open Open) {
	h := newFixture(t, open)
	hub, told := h.entity("hub"), h.episode("told")
	h.learn(hub)
	h.hear(told)
	head := h.head()
	for what, bad := range map[string]string{
		"NUL": "a\x00b", "only NUL": "\x00", "a stray byte": "a\xffb", "half a character": "שלו\xd7",
		"a surrogate": "\xed\xa0\x80", "overlong": "\xc0\xaf",
	} {
		t.Run(what, func(t *testing.T) { knowledgeTextRefused(h.in(t), hub, bad) })
	}
	h.same("log", h.log(head), []string{})
	for _, good := range []string{
		" spaces kept ", "tab\tand\nline", "\u0001\u007f control", "\u200f\u202eright to left\u202c",
		"noncharacter \uffff \U0010ffff", "e\u0301 é", "שָׁלוֹם", "👩‍👩‍👧‍👦", "NULL", "'; DROP TABLE facts; --",
		"{\"json\":true}", `\x00`, "%s%d", `{a,"b",NULL}`, `back\slash "quote"`, strings.Repeat("ארוך ", 400),
	} {
		e, f, said := h.entity(good), h.fact(hub, good, hub), h.episode(good)
		e.Type, e.Summary, e.Aliases, e.Attributes = good, good, []string{good + "2", good}, `{"t":`+quoted(good)+`}`
		f.Sentence, f.Attributes = good, e.Attributes
		said.Name, said.SourceDescription, said.Problem = good, good, good
		h.learn(e)
		h.tell(f)
		h.hear(said)
		gotEntity, _ := h.entityByID(e.ID)
		h.same("an entity", gotEntity, e)
		gotFact, _ := h.factByID(f.ID)
		h.same("a fact", gotFact, f)
		twin := must(h, func() (model.Episode, error) { return h.TwinEpisode(h.ctx, h.user, said, store.EpisodeRow) })
		h.same("an episode by its text", twin, said)
		key := graphtext.Name(good)
		byName := must(h, func() (map[string][]model.Entity, error) {
			return h.EntitiesByName(h.ctx, h.user, []string{key}, 0)
		})
		h.same("by its name", idsOfEntities(byName[key]), []model.UUID{e.ID.UUID})
		page := must(h, func() (store.EntityPage, error) {
			return h.ListEntities(h.ctx, h.user, store.EntityQuery{Where: store.EntityWhere{Name: key, Types: []string{key}},
				Page: &store.Window[store.EntityPlace]{Limit: 9}})
		})
		h.same("by its name and type", idsOfEntities(page.Entities), []model.UUID{e.ID.UUID})
		h.same("by its relation", h.factsWhere(store.FactWhere{Relations: []string{good}}), []model.UUID{f.ID.UUID})
		h.write(func(ctx context.Context, tx store.Tx) error {
			_, _, err := tx.DeleteEntities(ctx, []model.UUID{e.ID.UUID})
			return err
		})
	}
}

func knowledgeTextRefused(h *fixture, hub model.Entity, bad string) {
	refused := func(what string, err error) {
		h.Helper()
		if model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("%s of %q: got %v, want BAD_USER_INPUT", what, bad, err)
		}
	}
	written := func(what string, fn func(ctx context.Context, tx store.Tx) error) {
		h.Helper()
		refused(what, h.Write(h.ctx, h.user, fn))
	}
	for what, spoil := range map[string]func(row *store.EntityRowOf){
		"name":       func(row *store.EntityRowOf) { row.Entity.Name = bad },
		"type":       func(row *store.EntityRowOf) { row.Entity.Type = bad },
		"summary":    func(row *store.EntityRowOf) { row.Entity.Summary = bad },
		"alias":      func(row *store.EntityRowOf) { row.Entity.Aliases = []string{"fine", bad} },
		"attributes": func(row *store.EntityRowOf) { row.Entity.Attributes = `{"a":"` + bad + `"}` },
		"model":      func(row *store.EntityRowOf) { row.Entity.Embedding = embedded(bad, 1, 0) },
		"entry":      func(row *store.EntityRowOf) { row.Entries = []string{bad} },
	} {
		row := entityRow(h.entity("spoilt"))
		spoil(&row)
		written("SaveEntities with such "+what, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(h.entity("fine")), row})
		})
	}
	for what, spoil := range map[string]func(row *store.FactRowOf){
		"relation":   func(row *store.FactRowOf) { row.Fact.Relation = bad },
		"sentence":   func(row *store.FactRowOf) { row.Fact.Sentence = bad },
		"attributes": func(row *store.FactRowOf) { row.Fact.Attributes = `{"a":"` + bad + `"}` },
		"model":      func(row *store.FactRowOf) { row.Fact.Embedding = embedded(bad, 1, 0) },
		"entry":      func(row *store.FactRowOf) { row.Entries = []string{bad} },
	} {
		row := factRow(h.fact(hub, "KNOWS", hub))
		spoil(&row)
		written("SaveFacts with such "+what, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveFacts(ctx, []store.FactRowOf{factRow(h.fact(hub, "KNOWS", hub)), row})
		})
	}
	for what, spoil := range map[string]func(e *model.Episode){
		"name": func(e *model.Episode) { e.Name = bad }, "content": func(e *model.Episode) {
			e.Content = bad
		}, "source": func(e *model.Episode) { e.SourceDescription = bad },
		"problem": func(e *model.Episode) { e.Problem = bad },
	} {
		e := h.episode("spoilt")
		spoil(&e)
		written("SaveEpisodes with such "+what, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveEpisodes(ctx, []model.Episode{h.episode("fine"), e})
		})
	}
	written("SaveKnowledgeVectors", func(ctx context.Context, tx store.Tx) error {
		_, err := h.SaveKnowledgeVectors(ctx, h.user, []store.KnowledgeVectorOf{
			{Kind: model.KindEntity, ID: hub.ID.UUID, Version: 1, Embedding: embedded(bad, 1, 0)}})
		return errors.Join(err)
	})
	_, err := h.EntitiesByName(h.ctx, h.user, []string{"fine", bad}, 0)
	refused("EntitiesByName", err)
	_, err = h.FactsOfPairs(h.ctx, h.user, []store.FactPair{{Source: hub.ID.UUID, Relation: bad}}, wholeFact)
	refused("FactsOfPairs", err)
	twin := h.episode(bad)
	_, err = h.TwinEpisode(h.ctx, h.user, twin, 0)
	refused("TwinEpisode", err)
	relation := store.FactWhere{Relations: []string{"FINE", bad}}
	_, err = h.ListFacts(h.ctx, h.user, store.FactQuery{Where: relation, Total: true})
	refused("ListFacts", err)
	_, err = h.FactsAround(h.ctx, h.user, []model.UUID{hub.ID.UUID}, relation, 5, 5, wholeFact)
	refused("FactsAround", err)
	_, err = h.SearchFacts(h.ctx, h.user, store.FactSearch{Looking: lookWords("fine"), Where: relation})
	refused("SearchFacts", err)
	for what, where := range map[string]store.EntityWhere{"name": {Name: bad}, "type": {Types: []string{"fine", bad}}} {
		_, err = h.ListEntities(h.ctx, h.user, store.EntityQuery{Where: where, Total: true})
		refused("ListEntities by "+what, err)
		_, err = h.SearchEntities(h.ctx, h.user, store.EntitySearch{Looking: lookWords("fine"), Where: where})
		refused("SearchEntities by "+what, err)
	}
	for _, prefix := range []bool{false, true} {
		looking := store.Looking{Words: model.SearchWords{Terms: []model.SearchTerm{
			{Forms: []model.TermForm{{Term: bad, Prefix: prefix, Weight: 1}}}}}, KeywordWeight: 1, Limit: 10}
		_, err = h.SearchEntities(h.ctx, h.user, store.EntitySearch{Looking: looking})
		refused("SearchEntities for a word", err)
		_, err = h.SearchFacts(h.ctx, h.user, store.FactSearch{Looking: looking})
		refused("SearchFacts for a word", err)
	}
}
