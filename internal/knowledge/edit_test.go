package knowledge_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// source is the entity at that end of the n-th fact told.
func (h *fixture) source(out knowledge.FactsAdded, n int) model.ID { return h.told(out, n).Source.ID }
func (h *fixture) target(out knowledge.FactsAdded, n int) model.ID { return h.told(out, n).Target.ID }

func (h *fixture) told(out knowledge.FactsAdded, n int) model.Fact {
	h.Helper()
	found, err := h.base.FactsByID(h.Context(), h.user, []model.ID{out.Ids[n]}, everyFact)
	h.must(err)
	return found[out.Ids[n]]
}

// found are the sentences that a search finds by words, sorted.
func (h *fixture) found(text string) []string {
	h.Helper()
	h.embedder.away = errors.New("away")
	defer func() { h.embedder.away = nil }()
	out, err := h.base.FindFacts(h.Context(), h.user, knowledge.FactAsk{
		Search: knowledge.Search{Text: text, SimilarityWeight: 0.7, KeywordWeight: 0.3}, Page: page, Want: everyFact,
	})
	h.must(err)
	all := []string{}
	for _, hit := range out.Hits {
		all = append(all, hit.Item.Sentence)
	}
	slices.Sort(all)
	return all
}

func TestMerge(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		episode, err := h.base.AddEpisode(h.Context(), h.user, knowledge.NewEpisode{
			Episode: model.Episode{Content: "Dana works at Acme.", Source: model.EpisodeText}, Now: h.clock.Now()})
		h.must(err)
		stays := h.tell(
			knowledge.NewFact{Source: knowledge.End{Name: "Dana Cohen", Aliases: []string{"DC"}, Attributes: `{"eyes":"green"}`},
				Relation: "WORKS_AT", Target: knowledge.End{Name: "Acme"}, ValidAt: in(2020), InvalidAt: in(2022)},
			fact("Yossi", "KNOWS", "Dana Cohen"),
		)
		h.clock.Advance(time.Hour)
		goes, err := h.base.AddFacts(h.Context(), h.user,
			knowledge.NewFacts{Episode: episode.Episode.ID, Now: h.clock.Now(), Facts: []knowledge.NewFact{
				{Source: knowledge.End{Name: "דנה", Type: "Person", Summary: "An engineer.",
					Attributes: `{"born":1990,"eyes":"blue"}`, Aliases: []string{"dc", "דנה כהן"}}, Relation: "WORKS_AT",
					Target: knowledge.End{Name: "Acme"}, ValidAt: in(2021), InvalidAt: in(2024)},
				fact("Yossi", "KNOWS", "דנה"),
				fact("דנה", "KNOWS", "Dana Cohen", says("Some say that the two are one.")),
				fact("דנה", "LIVES_IN", "חיפה", says("דנה גרה בחיפה כבר שנים.")),
				fact("דנה", "ADMIRES", "דנה"),
			}})
		h.must(err)
		dana, hebrew := h.source(stays, 0), h.source(goes, 0)
		if dana == hebrew {
			h.Fatal("they are one already")
		}
		head := h.head()
		h.clock.Advance(time.Hour)
		out, err := h.base.Merge(h.Context(), h.user, dana, []model.ID{hebrew}, h.clock.Now())
		h.must(err)
		if out.Merged != 1 || out.FactsMoved != 5 || out.Joined != 2 {
			h.Errorf("it has come to %+v", out)
		}
		e := h.entity(hebrew)
		if e.ID != dana || e.Name != "Dana Cohen" || !slices.Equal(e.Aliases, []string{"DC", "דנה", "דנה כהן"}) ||
			e.Type != "Person" || e.Summary != "An engineer." ||
			e.Attributes != `{"born":1990,"eyes":"green"}` || e.Version != 2 || !e.UpdatedAt.Equal(h.clock.Now()) {
			h.Errorf("it is %+v", e)
		}
		h.wantSentences("Dana Cohen works at Acme 2020–2024", "Yossi knows Dana Cohen …–…",
			"Some say that the two are one. …–…", "דנה גרה בחיפה כבר שנים. …–…", "Dana Cohen admires Dana Cohen …–…")
		if works := h.facts()[0]; works.ID != stays.Ids[0] || !slices.Equal(works.Episodes, []model.ID{episode.Episode.ID}) {
			h.Errorf("the joined one is %+v", works)
		}
		if got := h.found("admires cohen"); !slices.Contains(got, "Dana Cohen admires Dana Cohen") {
			h.Errorf("by the new name is found %q", got)
		}
		changes := h.changes(head)
		if want := []string{"DELETED ENTITY", "DELETED FACT", "DELETED FACT", "UPDATED ENTITY", "UPDATED FACT",
			"UPDATED FACT", "UPDATED FACT", "UPDATED FACT", "UPDATED FACT"}; !slices.Equal(sorted(changes), want) {
			h.Errorf("the log says %q", sorted(changes))
		}

		// Again nothing is left to do, and the old id leads on.
		again, err := h.base.Merge(h.Context(), h.user, hebrew, []model.ID{}, h.clock.Now())
		h.must(err)
		if again.Merged != 0 || again.Entity.ID != dana {
			h.Errorf("again: %+v", again)
		}
		if again, err = h.base.Merge(h.Context(), h.user, dana, []model.ID{hebrew}, h.clock.Now()); err != nil ||
			again.Merged != 0 || again.Entity.Version != 2 {
			h.Errorf("again: %+v, %v", again, err)
		}
		byOld, err := h.base.FindFacts(h.Context(), h.user, knowledge.FactAsk{Entity: hebrew, Page: page})
		h.must(err)
		if len(byOld.Hits) != 5 {
			h.Errorf("the old id finds %d facts", len(byOld.Hits))
		}
		_, err = h.base.Delete(h.Context(), h.user, hebrew)
		h.wantCode(err, model.CodeConflict)
		for _, c := range []struct {
			into   model.ID
			others []model.ID
			code   model.ErrorCode
		}{
			{dana, []model.ID{dana}, model.CodeBadUserInput},
			{dana, []model.ID{{Kind: model.KindEntity, UUID: model.UUID{9}}}, model.CodeNotFound},
			{model.ID{Kind: model.KindEntity, UUID: model.UUID{9}}, []model.ID{dana}, model.CodeNotFound},
			{dana, make([]model.ID, model.MaxMergedEntities+1), model.CodeBadUserInput},
		} {
			_, err := h.base.Merge(h.Context(), h.user, c.into, c.others, h.clock.Now())
			h.wantCode(err, c.code)
		}
	})
}

// TestMergeOfLives: what was told of one person under two names becomes one life.
func TestMergeOfLives(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		h.base.InSteps(2)
		one := h.tell(fact("Dana", "LIVES_IN", "Haifa", since(2018), alone), fact("Dana", "LIVES_IN", "Tel Aviv", since(2021),
			alone), fact("Dana", "LIVES_IN", "Eilat", since(2024), alone))
		h.clock.Advance(time.Hour)
		two := h.tell(fact("דנה", "LIVES_IN", "Haifa", since(2017), alone), fact("דנה", "LIVES_IN", "Tel Aviv", since(2022),
			says("היא גרה בתל אביב."), alone), fact("דנה", "LIVES_IN", "Akko", since(2025), alone))
		out, err := h.base.Merge(h.Context(), h.user, h.source(two, 0), []model.ID{h.source(one, 0)}, h.clock.Now())
		h.must(err)
		if out.FactsMoved != 3 || out.Joined != 2 {
			h.Errorf("it has come to %+v", out)
		}
		h.wantSentences("דנה lives in Haifa 2017–2022", "היא גרה בתל אביב. 2021–2025", "דנה lives in Eilat 2024–…",
			"דנה lives in Akko 2025–…")
		// Whatever closed a fact is there.
		facts := h.facts()
		for _, f := range facts {
			if f.ReplacedBy != (model.ID{}) && !slices.ContainsFunc(facts,
				func(other model.Fact) bool { return other.ID == f.ReplacedBy && other.ID != f.ID }) {
				h.Errorf("%q was closed by %s, which is not there", f.Sentence, f.ReplacedBy)
			}
		}
		if facts[0].ReplacedBy != one.Ids[1] {
			h.Errorf("Haifa was closed by %s, not %s", facts[0].ReplacedBy, one.Ids[1])
		}
	})
}

func sorted(all []string) []string { return slices.Sorted(slices.Values(all)) }

func TestManyFactsAreMerged(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		h.base.InSteps(25)
		const each = 60
		var ids [3]model.ID
		for part := range ids {
			var facts []knowledge.NewFact
			for n := range each {
				f := fact(fmt.Sprint("Part ", part), "OWNS", fmt.Sprint("thing ", n%(each-10*part)))
				if n%3 == 0 {
					f.Source, f.Target = f.Target, f.Source
				}
				facts = append(facts, f)
			}
			for some := range slices.Chunk(facts, model.MaxFactsAtOnce) {
				h.tell(some...)
			}
			entities, err := h.base.FindEntities(h.Context(), h.user,
				knowledge.EntityAsk{Where: store.EntityWhere{Name: fmt.Sprint("part ", part)}, Page: page})
			h.must(err)
			ids[part] = entities.Hits[0].Item.ID
		}
		h.clock.Advance(time.Hour)
		out, err := h.base.Merge(h.Context(), h.user, ids[0], ids[1:], h.clock.Now())
		h.must(err)
		counts, err := h.base.Status(h.Context(), h.user, h.clock.Now())
		h.must(err)
		// What is said of each thing in each direction stays once.
		want := map[string]bool{}
		for part := range ids {
			for n := range each {
				want[fmt.Sprint(n%(each-10*part), n%3 == 0)] = true
			}
		}
		if counts.Counts.Facts != len(want) || counts.Counts.Entities != 1+each || out.Merged != 2 ||
			out.FactsMoved-out.Joined != len(want)-each {
			h.Errorf("%+v of %d, and %+v", *counts.Counts, len(want), out)
		}
		for _, m := range counts.Counts.Models {
			if m.Rows != counts.Counts.Facts+counts.Counts.Entities {
				h.Errorf("%d of %d rows have a vector", m.Rows, counts.Counts.Facts+counts.Counts.Entities)
			}
		}
	})
}

func TestUpdateEntity(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		out := h.tell(fact("Dana", "WORKS_AT", "Acme"), fact("Yossi", "KNOWS", "Dana", says("Yossi met Dana at school.")),
			fact("Yossi", "KNOWS", "Acme"))
		dana := h.source(out, 0)
		h.clock.Advance(time.Hour)
		after, err := h.base.UpdateEntity(h.Context(), h.user, dana, 1, func(e *model.Entity) error {
			e.Name, e.Aliases, e.Version, e.ID = "דנה לוי", []string{"Dana", "dana", "דָּנָה לוי"}, 99, model.ID{}
			return nil
		}, h.clock.Now())
		h.must(err)
		if after.Name != "דנה לוי" || !slices.Equal(after.Aliases, []string{"Dana"}) || after.Version != 2 ||
			after.ID != dana || !after.UpdatedAt.Equal(h.clock.Now()) {
			h.Errorf("it is %+v", after)
		}
		h.wantSentences("דנה לוי works at Acme …–…", "Yossi met Dana at school. …–…", "Yossi knows Acme …–…")
		if got, want := h.found("דנה"),
			[]string{"Yossi met Dana at school.", "דנה לוי works at Acme"}; !slices.Equal(got, want) {
			h.Errorf("by the new name is found %q", got)
		}
		// The sentence that was made of the new name is found by the old one too: they sound alike.
		if got, want := h.found("dana"),
			[]string{"Yossi met Dana at school.", "דנה לוי works at Acme"}; !slices.Equal(got, want) {
			h.Errorf("by the old name is found %q", got)
		}

		head := h.head()
		if same, err := h.base.UpdateEntity(h.Context(), h.user, dana, 0, func(e *model.Entity) error {
			e.Name = "דנה לוי"
			return nil
		}, h.clock.Now()); err != nil || same.Version != 2 || h.head() != head {
			h.Errorf("nothing was changed: %+v, %v", same, err)
		}
		_, err = h.base.UpdateEntity(h.Context(), h.user, dana, 1, func(e *model.Entity) error { e.Name = "X"; return nil },
			h.clock.Now())
		h.wantCode(err, model.CodeConflict)
		_, err = h.base.UpdateEntity(h.Context(), h.other, dana, 0, func(e *model.Entity) error { e.Name = "X"; return nil },
			h.clock.Now())
		h.wantCode(err, model.CodeNotFound)
		refused := model.BadInput("input.set.name", "no")
		_, err = h.base.UpdateEntity(h.Context(), h.user, dana, 0,
			func(e *model.Entity) error { e.Name = "X"; return refused }, h.clock.Now())
		if !errors.Is(err, refused) || h.entity(dana).Name != "דנה לוי" {
			h.Errorf("%v, and it is %+v", err, h.entity(dana))
		}
	})
}

func TestAnEntityWithManyFactsIsRenamed(t *testing.T) {
	t.Parallel()
	h := newFixture(t, onSQLite)
	h.base.InSteps(20)
	var facts []knowledge.NewFact
	for n := range 70 {
		facts = append(facts, fact("Dana", "OWNS", fmt.Sprint("thing ", n)))
		if n%7 == 0 {
			facts[n].Target = knowledge.End{Name: "Dana"}
			facts[n].Relation = fmt.Sprint("OWNS_", n)
		}
	}
	for some := range slices.Chunk(facts, 40) {
		h.tell(some...)
		h.clock.Advance(time.Hour)
	}
	entities, err := h.base.FindEntities(t.Context(), h.user,
		knowledge.EntityAsk{Where: store.EntityWhere{Name: "dana"}, Page: page})
	h.must(err)
	_, err = h.base.UpdateEntity(t.Context(), h.user, entities.Hits[0].Item.ID, 0,
		func(e *model.Entity) error { e.Name = "Ruth"; return nil }, h.clock.Now())
	h.must(err)
	var place []byte
	seen := 0
	for {
		out, err := h.base.FindFacts(t.Context(), h.user,
			knowledge.FactAsk{Page: knowledge.Page{First: 30, After: place}, Want: everyFact})
		h.must(err)
		for _, hit := range out.Hits {
			seen++
			if !strings.HasPrefix(hit.Item.Sentence, "Ruth owns") || strings.Contains(hit.Item.Sentence, "Dana") ||
				hit.Item.Version != 2 {
				t.Fatalf("there is %q, version %d", hit.Item.Sentence, hit.Item.Version)
			}
			place = hit.Place
		}
		if !out.HasNext {
			break
		}
	}
	if seen != len(facts) {
		t.Errorf("%d facts were seen, not %d", seen, len(facts))
	}
}

func TestInvalidate(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		out := h.tell(fact("A", "IS", "B", since(2020)), fact("A", "IS", "C", since(2020), until(2022)),
			fact("A", "IS", "D", since(2025)), fact("A", "IS", "E", until(2030)), fact("A", "IS", "F", since(2023)))
		h.clock.Advance(time.Hour)
		none := model.ID{Kind: model.KindFact, UUID: model.UUID{9}}
		closed, updated, problems, err := h.base.Invalidate(h.Context(), h.user, append(slices.Clone(out.Ids), none),
			in(2023), h.clock.Now())
		h.must(err)
		if updated != 2 || len(closed) != 3 || len(problems) != 2 {
			h.Errorf("%d were closed, %d are, %d problems", updated, len(closed), len(problems))
		}
		h.wantCode(problems[out.Ids[2]], model.CodeBadUserInput)
		h.wantCode(problems[out.Ids[4]], model.CodeBadUserInput)
		if f := closed[out.Ids[0]]; !f.InvalidAt.Equal(in(2023)) || !f.ExpiredAt.Equal(h.clock.Now()) || f.Version != 2 {
			h.Errorf("it is %+v", f)
		}
		h.wantSentences("A is B 2020–2023", "A is C 2020–2022", "A is D 2025–…", "A is E …–2023", "A is F 2023–…")
		if _, updated, _, err := h.base.Invalidate(h.Context(), h.user, out.Ids[:2], in(2023), h.clock.Now()); err != nil ||
			updated != 0 {
			h.Errorf("again: %d, %v", updated, err)
		}
		if closed, updated, problems, err := h.base.Invalidate(h.Context(), h.other, out.Ids, in(2023),
			h.clock.Now()); err != nil || updated+len(closed)+len(problems) != 0 {
			h.Errorf("another user: %d, %v, %v, %v", updated, closed, problems, err)
		}
	})
}

func TestDeleteAndClear(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		episode, err := h.base.AddEpisode(h.Context(), h.user,
			knowledge.NewEpisode{Episode: model.Episode{Content: "…", Source: model.EpisodeText}, Now: h.clock.Now()})
		h.must(err)
		told, err := h.base.AddFacts(h.Context(), h.user, knowledge.NewFacts{Episode: episode.Episode.ID, Now: h.clock.Now(),
			Facts: []knowledge.NewFact{fact("A", "IS", "B")}})
		h.must(err)
		out := h.tell(fact("C", "IS", "D"), fact("C", "WAS", "E"), fact("F", "WAS", "E"))
		for _, c := range []struct {
			id   model.ID
			want store.KnowledgeCounts
		}{
			{out.Ids[2], store.KnowledgeCounts{Facts: 1}},
			{h.source(out, 0), store.KnowledgeCounts{Entities: 1, Facts: 2}},
			{episode.Episode.ID, store.KnowledgeCounts{Entities: 2, Facts: 1, Episodes: 1}},
		} {
			_, err := h.base.Delete(h.Context(), h.other, c.id)
			h.wantCode(err, model.CodeNotFound)
			erased, err := h.base.Delete(h.Context(), h.user, c.id)
			h.must(err)
			if got := *erased.Counts; got.Entities != c.want.Entities || got.Facts != c.want.Facts ||
				got.Episodes != c.want.Episodes {
				h.Errorf("with %s went %+v, want %+v", c.id.Kind, got, c.want)
			}
			_, err = h.base.Delete(h.Context(), h.user, c.id)
			h.wantCode(err, model.CodeNotFound)
		}
		_, err = h.base.Delete(h.Context(), h.user, model.ID{Kind: model.KindMemory, UUID: told.Ids[0].UUID})
		h.wantCode(err, model.CodeNotFound)

		head := h.head()
		erased, err := h.base.Clear(h.Context(), h.user)
		h.must(err)
		if erased.Counts.Entities != 3 || !slices.Equal(h.changes(head), []string{"DELETED KNOWLEDGE"}) {
			h.Errorf("with all went %+v, and the log says %q", *erased.Counts, h.changes(head))
		}
		if erased, err = h.base.Clear(h.Context(), h.user); err != nil || erased.Counts.Entities != 0 {
			h.Errorf("again: %+v, %v", erased.Counts, err)
		}
	})
}

// TestWritesJoinTransactions: what was part of a transaction goes with it.
func TestWritesJoinTransactions(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		undone := errors.New("undone")
		err := h.store.Write(h.Context(), h.user, func(ctx context.Context, _ store.Tx) error {
			if _, err := h.base.AddFacts(ctx, h.user, knowledge.NewFacts{Facts: []knowledge.NewFact{fact("A", "IS", "B")},
				Now: h.clock.Now()}); err != nil {
				return err
			}
			// An atomic one that fails takes nothing else with it.
			if _, err := h.base.AddFacts(ctx, h.user, knowledge.NewFacts{
				Facts: []knowledge.NewFact{fact("C", "IS", "D"), fact("C", "IS", "E", since(2022), until(2021))}, Atomic: true,
				Now: h.clock.Now()}); model.CodeOf(err) != model.CodeBadUserInput {
				return fmt.Errorf("it was not refused: %w", err)
			}
			found, err := h.base.FindFacts(ctx, h.user, knowledge.FactAsk{Page: page, Want: everyFact})
			if err != nil || len(found.Hits) != 1 {
				return fmt.Errorf("within, %d facts are there: %w", len(found.Hits), err)
			}
			return undone
		})
		if !errors.Is(err, undone) {
			h.Fatal(err)
		}
		h.wantSentences()
	})
}
