package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// knowledgePlans returns the plans of all that is asked of the store.
func knowledgePlans(p *planner, ask func(ctx context.Context) error) string {
	p.Helper()
	p.sql = nil
	if err := ask(p.Context()); err != nil {
		p.Fatal(err)
	}
	var all []string
	for _, sql := range p.sql {
		all = append(all, p.plan(sql))
	}
	return strings.Join(all, "\n")
}

func windows[P any]() []store.Window[P] {
	return []store.Window[P]{
		{Limit: 50}, {Limit: 50, After: new(P)}, {Limit: 50, Before: new(P), Backward: true},
		{Limit: 50, After: new(P), Before: new(P)},
	}
}

// TestKnowledgePagesAreReadInOrder: a page is read along the index of its order from its place on, and no more is
// sorted than a page from each of several ways has.
func TestKnowledgePagesAreReadInOrder(t *testing.T) {
	p := newPlanner(t)
	for index, where := range map[string]store.EntityWhere{
		"entities_name (user_id=?": {}, "entities_type (user_id=? AND type_key=?": {Types: []string{"person"},
			CreatedFrom: time.Unix(1e9, 0)},
	} {
		for _, window := range windows[store.EntityPlace]() {
			plan := knowledgePlans(p, func(ctx context.Context) error {
				_, err := p.s.ListEntities(ctx, p.user, store.EntityQuery{Where: where, Columns: store.EntityRow, Page: &window})
				return err
			})
			if strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, index) {
				t.Errorf("entities %+v %+v:\n%s", where, window, plan)
			}
		}
	}
	one := model.UUID{1}
	for _, c := range []struct {
		index string
		where store.FactWhere
	}{
		{"facts_created (user_id=?", store.FactWhere{}},
		{"facts_created (user_id=?", store.FactWhere{Time: store.FactsHolding, At: memoryNoon}},
		{"facts_created (user_id=? AND created_at>", store.FactWhere{CreatedFrom: memoryNoon}},
		{"facts_relation (user_id=? AND relation=?",
			store.FactWhere{Relations: []string{"KNOWS"}, Time: store.FactsHolding, At: memoryNoon}},
		{"facts_source (user_id=? AND source_id=?", store.FactWhere{Between: &[2]model.UUID{one, one}}},
		{"facts_source (user_id=? AND source_id=?", store.FactWhere{Entity: one}},
		{"facts_target (user_id=? AND target_id=?",
			store.FactWhere{Entity: one, Time: store.FactsNotHolding, At: memoryNoon}},
	} {
		for _, window := range windows[store.TimePlace]() {
			for _, ends := range []store.EntityColumns{0, store.EntityName} {
				plan := knowledgePlans(p, func(ctx context.Context) error {
					_, err := p.s.ListFacts(ctx, p.user, store.FactQuery{Where: c.where,
						Want: store.FactWant{Fact: store.FactRow, Ends: ends}, Page: &window})
					return err
				})
				sorts := strings.Count(plan, "TEMP B-TREE")
				if !strings.Contains(plan, c.index) || strings.Contains(plan, "SCAN m") ||
					sorts > 0 && c.where.Entity == (model.UUID{}) && ends == 0 {
					t.Errorf("facts %+v %+v with %b:\n%s", c.where, window, ends, plan)
				}
			}
		}
	}
	for _, where := range []store.EpisodeWhere{{}, {States: []model.EpisodeState{model.EpisodeFailed}},
		{From: memoryNoon}} {
		for _, window := range windows[store.TimePlace]() {
			plan := knowledgePlans(p, func(ctx context.Context) error {
				_, err := p.s.ListEpisodes(ctx, p.user, store.EpisodeQuery{Where: where, Columns: store.EpisodeRow, Page: &window})
				return err
			})
			if strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, "episodes_reference (user_id=?") {
				t.Errorf("episodes %+v %+v:\n%s", where, window, plan)
			}
		}
	}
}

// TestKnowledgeIsCountedInIndexes: what is only counted or checked is found in an index alone.
func TestKnowledgeIsCountedInIndexes(t *testing.T) {
	p := newPlanner(t)
	for what, ask := range map[string]func(ctx context.Context) error{
		"all": func(ctx context.Context) error { _, err := p.s.KnowledgeCounts(ctx, p.user, memoryNoon); return err },
		"entities of types": func(ctx context.Context) error {
			_, err := p.s.ListEntities(ctx, p.user,
				store.EntityQuery{Where: store.EntityWhere{Types: []string{"a", "b"}}, Total: true})
			return err
		},
		"facts that hold": func(ctx context.Context) error {
			_, err := p.s.ListFacts(ctx, p.user, store.FactQuery{
				Where: store.FactWhere{Time: store.FactsHolding, At: memoryNoon}, Total: true, Suppressed: true})
			return err
		},
		"facts of an entity": func(ctx context.Context) error {
			_, err := p.s.ListFacts(ctx, p.user, store.FactQuery{Where: store.FactWhere{Time: store.FactsHolding, At: memoryNoon,
				Entity: model.UUID{1}}, Total: true, Suppressed: true})
			return err
		},
		"episodes": func(ctx context.Context) error {
			_, err := p.s.ListEpisodes(ctx, p.user, store.EpisodeQuery{
				Where: store.EpisodeWhere{Sources: []model.EpisodeSource{model.EpisodeText}}, Total: true})
			return err
		},
	} {
		for line := range strings.Lines(knowledgePlans(p, ask)) {
			of := strings.Contains(line, "facts") || strings.Contains(line, "entities") || strings.Contains(line, "episodes")
			if of && !strings.Contains(line, "COVERING INDEX") && !strings.Contains(line, "SCALAR SUBQUERY") {
				t.Errorf("%s: %s", what, line)
			}
		}
	}
}

// TestKnowledgeLookupsSeek: what names ids, names, pairs or episodes reads no more than it returns, and what is looked
// for across users reads what there is to find.
func TestKnowledgeLookupsSeek(t *testing.T) {
	p := newPlanner(t)
	ids := []model.UUID{{1}, {2}}
	for what, c := range map[string]struct {
		index []string
		ask   func(ctx context.Context) error
	}{
		"by id and by what became of it": {[]string{"(user_id=? AND id=?)", "r USING PRIMARY KEY (user_id=? AND id=?)"},
			func(ctx context.Context) error {
				_, err := p.s.EntitiesByID(ctx, p.user, ids, store.EntityRow)
				return err
			}},
		"by name": {[]string{"r USING PRIMARY KEY (user_id=? AND name_key=?)", "(user_id=? AND id=?)"},
			func(ctx context.Context) error {
				_, err := p.s.EntitiesByName(ctx, p.user, []string{"a", "b"}, store.EntityRow)
				return err
			}},
		"facts by id": {[]string{"(user_id=? AND id=?)", "source USING", "target USING"}, func(ctx context.Context) error {
			_, err := p.s.FactsByID(ctx, p.user, ids,
				store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityName})
			return err
		}},
		"pairs": {[]string{"facts_pair (user_id=? AND source_id=? AND relation=?)"}, func(ctx context.Context) error {
			_, err := p.s.FactsOfPairs(ctx, p.user, []store.FactPair{{Source: ids[0], Relation: "A"}},
				store.FactWant{Fact: store.FactRow})
			return err
		}},
		"around": {[]string{"COVERING INDEX facts_source (user_id=? AND source_id=?)",
			"COVERING INDEX facts_target (user_id=? AND target_id=?)"}, func(ctx context.Context) error {
			_, err := p.s.FactsAround(ctx, p.user, ids, store.FactWhere{Time: store.FactsHolding, At: memoryNoon,
				Relations: []string{"A", "B"}}, 10, 20, store.FactWant{Fact: store.FactRow})
			return err
		}},
		"facts of an episode": {[]string{"COVERING INDEX fact_episodes_episode (user_id=? AND episode_id=?)"},
			func(ctx context.Context) error {
				_, err := p.s.ListFacts(ctx, p.user, store.FactQuery{Where: store.FactWhere{Episode: ids[0]},
					Page: &store.Window[store.TimePlace]{Limit: 5}, Want: store.FactWant{Fact: store.FactRow}})
				return err
			}},
		"twin": {[]string{"episodes_content (user_id=? AND content_key=?)"}, func(ctx context.Context) error {
			if _, err := p.s.TwinEpisode(ctx, p.user, model.Episode{Content: "x"}, store.EpisodeRow); !errors.Is(err,
				store.ErrNotFound) {
				return fmt.Errorf("a twin where there is none: %w", err)
			}
			return nil
		}},
		"mentioned": {[]string{"PRIMARY KEY (user_id=? AND episode_id=?)",
			"fact_episodes_episode (user_id=? AND episode_id=?)"}, func(ctx context.Context) error {
			_, err := p.s.MentionedIn(ctx, p.user, ids[0], 5, store.EntityName)
			return err
		}},
		"queued": {[]string{"episodes_queued (next_at<?)"}, func(ctx context.Context) error {
			_, err := p.s.ClaimEpisodes(ctx, memoryNoon, memoryNoon, 5)
			return err
		}},
		"pending": {[]string{"entity_vectors_model (user_id=? AND model=?", "fact_vectors_model (user_id=? AND model=?",
			"entities_n (user_id=? AND n=?)", "facts_n (user_id=? AND n=?)"}, func(ctx context.Context) error {
			_, _, err := p.s.PendingKnowledge(ctx, "m", store.KnowledgePlace{}, 5)
			return err
		}},
	} {
		plan := knowledgePlans(p, c.ask)
		for _, index := range c.index {
			if !strings.Contains(plan, index) {
				t.Errorf("%s: no %q in\n%s", what, index, plan)
			}
		}
		if strings.Contains(plan, "SCAN m") || strings.Contains(plan, "SCAN v") {
			t.Errorf("%s:\n%s", what, plan)
		}
	}
}

// TestKnowledgeSearchReadsIndexes: what a search checks of rows, it reads from an index; only hits are read whole.
func TestKnowledgeSearchReadsIndexes(t *testing.T) {
	p := newPlanner(t)
	facts, err := filterFacts(p.user, store.FactWhere{Time: store.FactsHolding, At: memoryNoon, Relations: []string{"A"},
		Entity: model.UUID{1}, CreatedTo: memoryNoon, ValidFrom: memoryNoon})
	if err != nil {
		t.Fatal(err)
	}
	entities, err := filterEntities(p.user, store.EntityWhere{Types: []string{"a"}, Name: "b", CreatedTo: memoryNoon})
	if err != nil {
		t.Fatal(err)
	}
	for _, asked := range []question{{of: &entityPopulation, user: p.user, filter: entities},
		{of: &factPopulation, user: p.user, filter: facts}} {
		for _, entries := range []bool{false, true} {
			p.sql = nil
			r := &searching{s: p.s, question: asked, legs: []*vectorLeg{{}}}
			if err := p.s.reading(t.Context(), oneStatement, func(q *session) error {
				return r.readRows(q, []int64{1, 2, 3}, entries, map[int64]checkedRow{})
			}); err != nil {
				t.Fatal(err)
			}
			if plan := p.plan(p.sql[0]); strings.Contains(plan,
				"COVERING INDEX "+asked.of.byNumber+" (user_id=? AND n=?)") == entries {
				t.Errorf("%s, with entries %v:\n%s", asked.of.rows, entries, plan)
			}
		}
	}
	if names := []string{memoryPopulation.rows, entityPopulation.rows,
		factPopulation.rows}; len(slices.Compact(slices.Sorted(slices.Values(names)))) != 3 {
		t.Errorf("populations share a table: %v", names)
	}
}
