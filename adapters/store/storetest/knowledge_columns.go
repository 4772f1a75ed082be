package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// knowledgeTables are named only where something in them is asked for; the columns beside them are derived ones.
var knowledgeTables = []string{
	"entities", "entity_names", "entity_redirects", "entity_terms", "entity_models", "entity_vectors", "facts",
	"fact_episodes", "fact_terms", "fact_models", "fact_vectors", "episodes", "episode_mentions",
	"name_key", "type_key", "content_key", "entries",
}

// testKnowledgeColumns looks whether only that is read which is asked for, or needed to answer, and whether in one go.
func testKnowledgeColumns(t *testing.T, open Open) {
	h := newFixture(t, open)
	s := grown(h, 570, 30, 60)
	entity := func(e knownEntity) model.Entity { return e.Entity }
	filled(t, &store.EntityTable, mapped(slices.Collect(maps.Values(s.web.entities)), entity))
	fact := func(f knownFact) model.Fact { return f.Fact }
	filled(t, &store.FactTable, mapped(slices.Collect(maps.Values(s.web.facts)), fact))
	filled(t, &store.EpisodeTable, slices.Collect(maps.Values(s.web.episodes)))
	t.Run("entities", func(t *testing.T) { s.in(t).columnsOfEntities() })
	t.Run("facts", func(t *testing.T) { s.in(t).columnsOfFacts() })
	t.Run("episodes", func(t *testing.T) { s.in(t).columnsOfEpisodes() })
}

// forbidKnowledge reports the names in the SQL of a call, which must be one batch, that are not among those allowed.
func (s *story) forbidKnowledge(what string, call func() error, allowed ...[]string) {
	s.Helper()
	batches := s.trace.during(func() { s.does(what, call()) })
	all := slices.Clone(knowledgeTables)
	for _, names := range entityColumns {
		all = append(all, names...)
	}
	for _, names := range factColumns {
		all = append(all, names...)
	}
	for _, names := range episodeColumns {
		all = append(all, names...)
	}
	slices.Sort(all)
	forbid(s.fixture, what, batches, slices.Compact(all), slices.Concat(allowed...)...)
}

// needsOf are the names that columns need.
func needsOf[C interface {
	comparable
	Has(C) bool
}](names map[C][]string, want C) (needs []string) {
	for column, of := range names {
		if want.Has(column) {
			needs = append(needs, of...)
		}
	}
	return needs
}

// endsNeed are those that the ends of facts need; entities without any are not looked at.
func endsNeed(ends store.EntityColumns) []string {
	if ends == 0 {
		return nil
	}
	return append(needsOf(entityColumns, ends), "entities", "source") // the name of an end, and no column here
}

func (s *story) columnsOfEntities() {
	sets := []store.EntityColumns{0, store.EntityRow}
	for column := range entityColumns {
		sets = append(sets, column)
	}
	filters := []struct {
		where store.EntityWhere
		needs []string
	}{
		{store.EntityWhere{}, nil},
		{store.EntityWhere{Types: []string{"person"}}, []string{"type_key"}},
		{store.EntityWhere{Name: "dana"}, []string{"entity_names"}},
		{store.EntityWhere{CreatedFrom: noon, CreatedTo: noon.Add(time.Hour)}, []string{"created_at"}},
	}
	id := s.web.someEntity(s.random).ID.UUID
	for i, columns := range slices.Concat(sets, sets) {
		needs, filter := needsOf(entityColumns, columns), filters[i%len(filters)]
		s.forbidKnowledge(fmt.Sprintf("ListEntities of columns %b by %+v", columns, filter.where), func() error {
			_, err := s.ListEntities(s.ctx, s.user, store.EntityQuery{Where: filter.where, Columns: columns, Total: true,
				Page: &store.Window[store.EntityPlace]{Limit: 5}})
			return err
		}, needs, filter.needs, []string{"entities", "name_key"})
		s.forbidKnowledge(fmt.Sprintf("EntitiesByID of columns %b", columns), func() error {
			_, err := s.EntitiesByID(s.ctx, s.user, []model.UUID{id, s.ids.next()}, columns)
			return err
		}, needs, []string{"entities", "entity_redirects"})
		s.forbidKnowledge(fmt.Sprintf("EntitiesByName of columns %b", columns), func() error {
			_, err := s.EntitiesByName(s.ctx, s.user, []string{"dana", "nobody"}, columns)
			return err
		}, needs, []string{"entities", "entity_names", "name_key"})
	}
}

func (s *story) columnsOfFacts() {
	wants := []store.FactWant{{}, wholeFact, {Fact: store.FactRow}, {Ends: store.EntityRow}}
	for column := range factColumns {
		wants = append(wants, store.FactWant{Fact: column})
	}
	for range 20 {
		wants = append(wants, randomWant(s.random))
	}
	one := s.web.someFact(s.random)
	filters := []struct {
		where store.FactWhere
		needs []string
	}{
		{store.FactWhere{}, nil},
		{store.FactWhere{Time: store.FactsHolding, At: noon}, []string{"valid_at", "invalid_at"}},
		{store.FactWhere{Time: store.FactsNotHolding, At: noon}, []string{"valid_at", "invalid_at"}},
		{store.FactWhere{Entity: one.Source.ID.UUID}, nil},
		{store.FactWhere{Between: &[2]model.UUID{one.Source.ID.UUID, one.Target.ID.UUID}}, nil},
		{store.FactWhere{Relations: []string{"KNOWS"}}, []string{"relation"}},
		{store.FactWhere{Episode: s.ids.next()}, []string{"fact_episodes", "episode_id"}},
		{store.FactWhere{ValidFrom: noon, ValidTo: noon.Add(time.Hour)}, []string{"valid_at"}},
	}
	for i, want := range wants {
		needs, filter := append(needsOf(factColumns, want.Fact), endsNeed(want.Ends)...), filters[i%len(filters)]
		s.forbidKnowledge(fmt.Sprintf("ListFacts of %+v by %+v", want, filter.where), func() error {
			_, err := s.ListFacts(s.ctx, s.user, store.FactQuery{Where: filter.where, Want: want, Total: true, Suppressed: true,
				Page: &store.Window[store.TimePlace]{Limit: 5}})
			return err
		}, needs, filter.needs, []string{"facts", "created_at"})
		s.forbidKnowledge(fmt.Sprintf("FactsByID of %+v", want), func() error {
			_, err := s.FactsByID(s.ctx, s.user, []model.UUID{one.ID.UUID, s.ids.next()}, want)
			return err
		}, needs, []string{"facts"})
		s.forbidKnowledge(fmt.Sprintf("FactsOfPairs of %+v", want), func() error {
			_, err := s.FactsOfPairs(s.ctx, s.user, []store.FactPair{{Source: one.Source.ID.UUID, Relation: one.Relation}}, want)
			return err
		}, needs, []string{"facts", "relation"})
		if filter.where.Entity != (model.UUID{}) || filter.where.Between != nil {
			filter.where, filter.needs = store.FactWhere{}, nil
		}
		s.forbidKnowledge(fmt.Sprintf("FactsAround of %+v by %+v", want, filter.where), func() error {
			_, err := s.FactsAround(s.ctx, s.user, []model.UUID{one.Source.ID.UUID, one.Target.ID.UUID}, filter.where, 5, 7,
				want)
			return err
		}, needs, filter.needs, []string{"facts", "created_at"})
	}
}

func (s *story) columnsOfEpisodes() {
	sets := []store.EpisodeColumns{0, store.EpisodeRow}
	for column := range episodeColumns {
		sets = append(sets, column)
	}
	filters := []struct {
		where store.EpisodeWhere
		needs []string
	}{
		{store.EpisodeWhere{}, nil},
		{store.EpisodeWhere{Sources: []model.EpisodeSource{model.EpisodeText}}, []string{"source"}},
		{store.EpisodeWhere{States: []model.EpisodeState{model.EpisodeFailed}}, []string{"state"}},
		{store.EpisodeWhere{From: noon, To: noon.Add(time.Hour)}, nil},
	}
	one, _ := some(s.random, s.web.episodes)
	for i, columns := range slices.Concat(sets, sets) {
		needs, filter := needsOf(episodeColumns, columns), filters[i%len(filters)]
		s.forbidKnowledge(fmt.Sprintf("ListEpisodes of columns %b by %+v", columns, filter.where), func() error {
			_, err := s.ListEpisodes(s.ctx, s.user, store.EpisodeQuery{Where: filter.where, Columns: columns, Total: true,
				Page: &store.Window[store.TimePlace]{Limit: 5}})
			return err
		}, needs, filter.needs, []string{"episodes", "reference_time"})
		s.forbidKnowledge(fmt.Sprintf("EpisodesByID of columns %b", columns), func() error {
			_, err := s.EpisodesByID(s.ctx, s.user, []model.UUID{one.ID.UUID}, columns)
			return err
		}, needs, []string{"episodes"})
	}
	for column := range entityColumns {
		s.forbidKnowledge(fmt.Sprintf("MentionedIn of columns %b", column), func() error {
			_, err := s.MentionedIn(s.ctx, s.user, one.ID.UUID, 5, column)
			return err
		}, needsOf(entityColumns, column),
			[]string{"entities", "name_key", "episode_mentions", "episode_id", "fact_episodes", "facts"})
	}
}
