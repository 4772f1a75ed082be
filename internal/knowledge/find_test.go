package knowledge_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/ngram"
)

func search(text string) knowledge.Search {
	return knowledge.Search{Text: text, SimilarityWeight: 0.7, KeywordWeight: 0.3}
}

// pages asks page after page, and returns what each had.
func pages[T any](h *fixture, first int, ask func(knowledge.Page) (knowledge.Answer[T], error),
	name func(T) string) (all [][]string) {
	h.Helper()
	var place []byte
	for range 50 {
		out, err := ask(knowledge.Page{First: first, After: place})
		h.must(err)
		var names []string
		for _, hit := range out.Hits {
			names = append(names, name(hit.Item))
			place = hit.Place
		}
		all = append(all, names)
		if !out.HasNext {
			return all
		}
	}
	h.Fatal("it never ends")
	return nil
}

func TestListings(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		for _, name := range []string{"Ruth", "אבי", "dana", "Yossi", "בני"} {
			h.tell(fact(name, "KNOWS", "Dana", since(2020)))
			h.clock.Advance(time.Hour)
		}
		entities := func(p knowledge.Page) (knowledge.Answer[model.Entity], error) {
			return h.base.FindEntities(h.Context(), h.user, knowledge.EntityAsk{Page: p, Want: store.EntityRow, Total: true})
		}
		if got, want := pages(h, 2, entities, func(e model.Entity) string { return e.Name }),
			[][]string{{"Dana", "Ruth"}, {"Yossi", "אבי"}, {"בני"}}; fmt.Sprint(got) != fmt.Sprint(want) {
			h.Errorf("entities come as %q, want %q", got, want)
		}
		facts := func(p knowledge.Page) (knowledge.Answer[model.Fact], error) {
			return h.base.FindFacts(h.Context(), h.user, knowledge.FactAsk{Page: p, Want: everyFact, Total: true})
		}
		if got, want := pages(h, 3, facts, func(f model.Fact) string { return f.Source.Name }),
			[][]string{{"בני", "Yossi", "Dana"}, {"אבי", "Ruth"}}; fmt.Sprint(got) != fmt.Sprint(want) {
			h.Errorf("facts come as %q, want %q", got, want)
		}
		for name, c := range map[string]struct {
			ask  knowledge.FactAsk
			want int
			left int
		}{
			"counted, and nothing read": {knowledge.FactAsk{Where: store.FactWhere{Time: store.FactsHolding, At: in(2019)},
				Total: true, Suppressed: true}, 0, 5},
			"holding": {knowledge.FactAsk{Where: store.FactWhere{Time: store.FactsHolding, At: in(2020)},
				Total: true, Suppressed: true}, 5, 0},
			"of a user who has none": {knowledge.FactAsk{Entity: model.ID{Kind: model.KindEntity, UUID: model.UUID{9}},
				Total: true}, 0, 0},
			"of an entity elsewhere": {knowledge.FactAsk{
				Entity: model.KnowledgeRef{UUID: "3f2a9c1e-0000"}.ID(model.KindEntity), Total: true}, 0, 0},
			"of an episode elsewhere": {knowledge.FactAsk{
				Episode: model.KnowledgeRef{UUID: "3f2a9c1e-0000"}.ID(model.KindEpisode), Total: true}, 0, 0},
			"between one that is not": {knowledge.FactAsk{
				Between: []model.ID{{Kind: model.KindEntity, UUID: model.UUID{9}}, h.facts()[0].Source.ID}, Total: true}, 0, 0},
			"between two": {knowledge.FactAsk{
				Between: []model.ID{h.facts()[0].Target.ID, h.facts()[0].Source.ID}, Total: true}, 1, 0},
			"of an entity": {knowledge.FactAsk{Entity: h.facts()[0].Source.ID, Total: true}, 1, 0},
			"the filter's ids count not": {knowledge.FactAsk{Where: store.FactWhere{Entity: model.UUID{9},
				Between: &[2]model.UUID{}, Episode: model.UUID{9}}, Total: true}, 5, 0},
			"of an entity, and between": {knowledge.FactAsk{Entity: h.facts()[1].Source.ID,
				Between: []model.ID{h.facts()[0].Target.ID, h.facts()[0].Source.ID}, Total: true}, 0, 0},
			"of one that is both of them": {knowledge.FactAsk{Entity: h.facts()[2].Source.ID, Total: true}, 5, 0},
		} {
			out, err := h.base.FindFacts(h.Context(), h.user, c.ask)
			h.must(err)
			if out.Total == nil || *out.Total != c.want || out.Suppressed != c.left || len(out.Hits) != 0 || len(out.Legs) != 0 {
				h.Errorf("%s: %v, %d left out, %d hits, want %d and %d", name, out.Total, out.Suppressed, len(out.Hits), c.want,
					c.left)
			}
		}
		if out, err := h.base.FindFacts(h.Context(), h.other,
			knowledge.FactAsk{Entity: h.facts()[0].Source.ID, Page: page}); err != nil || len(out.Hits) != 0 {
			h.Errorf("another user finds %d, %v", len(out.Hits), err)
		}
		byTime, err := h.base.FindFacts(h.Context(), h.user, knowledge.FactAsk{Page: knowledge.Page{First: 1}})
		h.must(err)
		for _, wrong := range [][]byte{{}, {'n'}, {'t', 1}, []byte("r1234"), []byte("t00000000000000000000000000"),
			byTime.Hits[0].Place} {
			_, err := h.base.FindEntities(h.Context(), h.user, knowledge.EntityAsk{Page: knowledge.Page{First: 1, After: wrong}})
			h.wantCode(err, model.CodeBadUserInput)
			_, err = h.base.FindFacts(h.Context(), h.user, knowledge.FactAsk{Search: search("dana"),
				Page: knowledge.Page{First: 1, After: append([]byte{'x'}, wrong...)}})
			h.wantCode(err, model.CodeBadUserInput)
		}
	})
}

func TestSearches(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		h.tell(
			fact("Dana", "LIVES_IN", "Haifa", since(2018), alone), fact("Dana", "LIVES_IN", "Tel Aviv", since(2021), alone),
			fact("Yossi", "WORKS_AT", "Acme"),
			fact("רות", "גרה_ב", "חיפה", says("רות גרה בחיפה ליד הים.")),
		)
		ask := func(text string, more ...func(*knowledge.FactAsk)) knowledge.Answer[model.Fact] {
			h.Helper()
			q := knowledge.FactAsk{Search: search(text), Where: store.FactWhere{Time: store.FactsHolding, At: noon}, Page: page,
				Want: everyFact, Suppressed: true}
			for _, change := range more {
				change(&q)
			}
			out, err := h.base.FindFacts(h.Context(), h.user, q)
			h.must(err)
			return out
		}
		out := ask("where does dana live")
		if len(out.Hits) == 0 || out.Hits[0].Item.Sentence != "Dana lives in Tel Aviv" || out.Suppressed != 1 ||
			!slices.Equal(out.Legs, []model.SearchLeg{model.LegVector, model.LegKeyword}) || out.Total != nil ||
			out.Trouble != nil {
			h.Errorf("it has come to %+v", out)
		}
		if hit := out.Hits[0]; hit.Found == nil || !hit.Found.ByKeyword || !hit.Found.Measured || hit.Found.Score <= 0 {
			h.Errorf("it was found by %+v", hit.Found)
		}
		if out := ask("חיפה הים"); len(out.Hits) == 0 || out.Hits[0].Item.Source.Name != "רות" {
			h.Errorf("in Hebrew: %+v", out.Hits)
		}
		// What held then, and what is left out when the page is full: what stands before its last hit.
		at := func(year int) func(*knowledge.FactAsk) { return func(q *knowledge.FactAsk) { q.Where.At = in(year) } }
		if out := ask("dana haifa", at(2019)); len(out.Hits) == 0 || out.Hits[0].Item.Sentence != "Dana lives in Haifa" ||
			out.Suppressed != 1 {
			h.Errorf("then: %+v", out)
		}
		one := func(q *knowledge.FactAsk) { q.Page.First = 1 }
		if out := ask("dana haifa", at(2019), one); len(out.Hits) != 1 || out.Suppressed != 0 || !out.HasNext {
			h.Errorf("Haifa stands before Tel Aviv: %+v", out)
		}
		if out := ask("dana haifa", one); len(out.Hits) != 1 || out.Suppressed != 1 {
			h.Errorf("Tel Aviv stands behind Haifa: %+v", out)
		}
		if out := ask("dana haifa", func(q *knowledge.FactAsk) { q.Where.Time = store.FactsAny }); len(out.Hits) < 2 ||
			out.Suppressed != 0 {
			h.Errorf("whenever: %+v", out)
		}
		if out := ask("dana", func(q *knowledge.FactAsk) { q.Page.First = 0 }); len(out.Hits) != 0 || len(out.Legs) != 2 {
			h.Errorf("nothing wanted: %+v", out)
		}
		if out := ask("---"); len(out.Hits) != 0 || len(out.Legs) != 0 {
			h.Errorf("nothing looked for: %+v", out)
		}

		// Page by page comes the same as at once.
		whole := ask("dana lives works haifa acme",
			func(q *knowledge.FactAsk) { q.Where.Time, q.MinSimilarity = store.FactsAny, new(-1.0) })
		var wantIDs, gotIDs []model.ID
		for _, hit := range whole.Hits {
			wantIDs = append(wantIDs, hit.Item.ID)
		}
		var place []byte
		for range 10 {
			out := ask("dana lives works haifa acme", one, func(q *knowledge.FactAsk) {
				q.Where.Time, q.MinSimilarity, q.Page.After = store.FactsAny, new(-1.0), place
			})
			for _, hit := range out.Hits {
				gotIDs, place = append(gotIDs, hit.Item.ID), hit.Place
			}
			if !out.HasNext {
				break
			}
		}
		if len(wantIDs) != 4 || !slices.Equal(gotIDs, wantIDs) {
			h.Errorf("page by page: %v, want %v", gotIDs, wantIDs)
		}

		// Entities, with a filter.
		found, err := h.base.FindEntities(h.Context(), h.user,
			knowledge.EntityAsk{Search: search("haifa"), Page: page, Want: store.EntityRow})
		h.must(err)
		if len(found.Hits) == 0 || found.Hits[0].Item.Name != "Haifa" {
			h.Errorf("entities: %+v", found.Hits)
		}

		// The endpoint is away: words still find.
		h.embedder.away = &model.Error{Code: model.CodeUpstreamUnavailable, Message: "away"}
		out = ask("dana haifa")
		if !errors.Is(out.Trouble, h.embedder.away) || !slices.Equal(out.Legs, []model.SearchLeg{model.LegKeyword}) ||
			len(out.Hits) == 0 || out.Hits[0].Found.ByVector {
			h.Errorf("by words alone: %+v", out)
		}
		if want := []string{ngram.Model().Name}; !slices.Equal(h.embedder.asked, want) {
			h.Errorf("it was asked under %q", h.embedder.asked)
		}
	})
}

func TestFactsAround(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		var ids []model.ID
		for n := range 6 {
			out := h.tell(fact("Dana", "KNOWS", fmt.Sprint("P", n)))
			ids = append(ids, h.target(out, 0))
			h.clock.Advance(time.Hour)
		}
		dana := h.facts()[0].Source.ID
		h.tell(fact("Dana", "LIKES", "Dana"))
		for _, c := range []struct {
			name       string
			entities   []model.ID
			per, limit int
			relations  []string
			want       []string
			more       bool
		}{
			{"all", []model.ID{dana}, 10, 10, nil, []string{"Dana", "P5", "P4", "P3", "P2", "P1", "P0"}, false},
			{"exactly all", []model.ID{dana}, 7, 7, nil, []string{"Dana", "P5", "P4", "P3", "P2", "P1", "P0"}, false},
			{"some of each", []model.ID{dana}, 2, 10, nil, []string{"Dana", "P5"}, true},
			{"some of each, and those of others", []model.ID{dana, ids[0]}, 2, 10, nil, []string{"Dana", "P5", "P0"}, true},
			{"some in all", []model.ID{dana, ids[0]}, 7, 3, nil, []string{"Dana", "P5", "P4"}, true},
			{"a relation", []model.ID{dana}, 5, 5, []string{"LIKES"}, []string{"Dana"}, false},
			{"nobody", nil, 5, 5, nil, nil, false},
			{"somebody elsewhere", []model.ID{model.KnowledgeRef{UUID: "3f2a9c1e-0000"}.ID(model.KindEntity)}, 5, 5, nil, nil,
				false},
			{"nothing", []model.ID{dana}, 0, 5, nil, nil, false},
		} {
			facts, more, err := h.base.FactsAround(h.Context(), h.user, knowledge.Around{
				Entities: c.entities, Where: store.FactWhere{Relations: c.relations, Entity: model.UUID{1}}, PerEntity: c.per,
				Limit: c.limit, Want: everyFact,
			})
			h.must(err)
			var got []string
			for _, f := range facts {
				got = append(got, f.Target.Name)
			}
			if !slices.Equal(got, c.want) || more != c.more {
				h.Errorf("%s: %q, more %v, want %q, %v", c.name, got, more, c.want, c.more)
			}
		}
	})
}
