package storetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// check asks everything but searches once, in a random way.
func (s *story) check(ctx context.Context, reader store.KnowledgeReader, of *web) {
	s.Helper()
	s.checkEntities(ctx, reader, of)
	s.checkFacts(ctx, reader, of)
	s.checkEpisodes(ctx, reader, of)
	now := storyTime(s.random, s.clock.Now())
	counts := must(s.fixture, func() (store.KnowledgeCounts, error) { return reader.KnowledgeCounts(ctx, s.user, now) })
	if len(counts.Models) == 0 {
		counts.Models = nil
	}
	s.same("counts", counts, of.counts(now))
}

func (s *story) checkEntities(ctx context.Context, reader store.KnowledgeReader, of *web) {
	s.Helper()
	columns, where := randomEntityColumns(s.random), randomEntityWhere(s.random, of)
	all := of.listEntities(where)
	query := store.EntityQuery{Where: where, Columns: columns, Page: windowOn(s.random, all, entityPlaceOf),
		Total: s.random.IntN(2) == 0}
	want := pageOf(all, query.Page, entityPlaceOf, compareEntityPlaces)
	page := must(s.fixture, func() (store.EntityPage, error) { return reader.ListEntities(ctx, s.user, query) })
	what := fmt.Sprintf("entities of %+v %+v", where, *query.Page)
	s.same(what, tidyEntities(page.Entities), onlyEntities(want.rows, columns))
	s.same(what+": places", append([]store.EntityPlace{}, page.Places...), want.places)
	s.same(what+": next, previous", []bool{page.HasNext, page.HasPrevious}, []bool{want.next, want.previous})
	if query.Total {
		s.same(what+": total", page.Total, len(all))
	}

	ids := someIDs(s.random, s.fixture, of.entities, entityUUID)
	for from := range of.moved {
		ids = append(ids, from)
	}
	wantByID := map[model.UUID]model.Entity{}
	for _, id := range ids {
		if e, ok := of.leads(id); ok {
			wantByID[id] = onlyEntity(e, columns)
		}
	}
	byID := must(s.fixture, func() (map[model.UUID]model.Entity, error) {
		return reader.EntitiesByID(ctx, s.user, ids, columns)
	})
	got := map[model.UUID]model.Entity{}
	for id, e := range byID {
		got[id] = tidyEntity(e)
	}
	s.same("entities by id", got, wantByID)

	keys := []string{"nobody's"}
	for range s.random.IntN(6) {
		if key := graphtext.Name(pick(s.random, people...)); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	wantByName := map[string][]model.Entity{}
	for _, key := range keys {
		for _, e := range of.listEntities(store.EntityWhere{Name: key}) {
			wantByName[key] = append(wantByName[key], onlyEntity(e, columns))
		}
		slices.SortFunc(wantByName[key], func(a, b model.Entity) int { return compareIDs(a.ID.UUID, b.ID.UUID) })
		if len(wantByName[key]) == 0 {
			delete(wantByName, key)
		}
	}
	byName := must(s.fixture, func() (map[string][]model.Entity, error) {
		return reader.EntitiesByName(ctx, s.user, keys, columns)
	})
	gotByName := map[string][]model.Entity{}
	for key, all := range byName {
		gotByName[key] = tidyEntities(all)
	}
	s.same("entities by name", gotByName, wantByName)
}

func (s *story) checkFacts(ctx context.Context, reader store.KnowledgeReader, of *web) {
	s.Helper()
	want, where := randomWant(s.random), randomFactWhere(s.random, s.fixture, of)
	all := of.listFacts(where)
	query := store.FactQuery{Where: where, Want: want, Page: windowOn(s.random, all, factPlaceOf),
		Total: s.random.IntN(2) == 0, Suppressed: s.random.IntN(2) == 0}
	expected := pageOf(all, query.Page, factPlaceOf, compareTimePlaces)
	page := must(s.fixture, func() (store.FactPage, error) { return reader.ListFacts(ctx, s.user, query) })
	what := fmt.Sprintf("facts of %+v %+v", where, *query.Page)
	s.same(what, tidyFacts(page.Facts), of.onlyFacts(expected.rows, want))
	s.same(what+": places", append([]store.TimePlace{}, page.Places...), expected.places)
	s.same(what+": next, previous", []bool{page.HasNext, page.HasPrevious}, []bool{expected.next, expected.previous})
	if query.Total {
		s.same(what+": total", page.Total, len(all))
	}
	if query.Suppressed {
		whenever := where
		whenever.Time = store.FactsAny
		s.same(what+": suppressed", page.Suppressed, len(of.listFacts(whenever))-len(all))
	}

	ids := someIDs(s.random, s.fixture, of.facts, factUUID)
	var byID []model.Fact
	for _, id := range ids {
		if f, ok := of.facts[id]; ok {
			byID = append(byID, of.onlyFact(f, want))
		}
	}
	got := must(s.fixture,
		func() ([]model.Fact, error) { return reader.FactsByID(ctx, s.user, append(ids, ids...), want) })
	s.same("facts by id", byFactID(got), byFactID(byID))

	var pairs []store.FactPair
	for range s.random.IntN(5) {
		f := of.someFact(s.random)
		pairs = append(pairs, store.FactPair{Source: f.Source.ID.UUID,
			Relation: pick(s.random, f.Relation, f.Relation, "KNOWS")})
	}
	ofPairs := ranked(of.facts, func(f knownFact) bool {
		return slices.Contains(pairs, store.FactPair{Source: f.Source.ID.UUID, Relation: f.Relation})
	}, factUUID, compareIDs)
	got = must(s.fixture, func() ([]model.Fact, error) { return reader.FactsOfPairs(ctx, s.user, pairs, want) })
	s.same(fmt.Sprintf("facts of pairs %+v", pairs), tidyFacts(got), of.onlyFacts(ofPairs, want))

	where.Entity, where.Between = model.UUID{}, nil
	near := someIDs(s.random, s.fixture, of.entities, entityUUID)
	perEntity, limit := pick(s.random, 1, 2, 5, 100), pick(s.random, 1, 3, 10, 1000)
	got = must(s.fixture, func() ([]model.Fact, error) {
		return reader.FactsAround(ctx, s.user, near, where, perEntity, limit, want)
	})
	s.same(fmt.Sprintf("%d facts around %v, %d each, %+v", limit, near, perEntity, where), tidyFacts(got),
		of.onlyFacts(of.around(near, where, perEntity, limit), want))
}

func (s *story) checkEpisodes(ctx context.Context, reader store.KnowledgeReader, of *web) {
	s.Helper()
	columns, where := randomEpisodeColumns(s.random), randomEpisodeWhere(s.random, of)
	all := of.listEpisodes(where)
	query := store.EpisodeQuery{Where: where, Columns: columns, Page: windowOn(s.random, all, episodePlaceOf),
		Total: s.random.IntN(2) == 0}
	want := pageOf(all, query.Page, episodePlaceOf, compareTimePlaces)
	page := must(s.fixture, func() (store.EpisodePage, error) { return reader.ListEpisodes(ctx, s.user, query) })
	what := fmt.Sprintf("episodes of %+v %+v", where, *query.Page)
	s.same(what, append([]model.Episode{}, page.Episodes...), onlyEpisodes(want.rows, columns))
	s.same(what+": places", append([]store.TimePlace{}, page.Places...), want.places)
	s.same(what+": next, previous", []bool{page.HasNext, page.HasPrevious}, []bool{want.next, want.previous})
	if query.Total {
		s.same(what+": total", page.Total, len(all))
	}

	ids := someIDs(s.random, s.fixture, of.episodes, episodeUUID)
	byID := slices.DeleteFunc(slices.Clone(of.listEpisodes(store.EpisodeWhere{})),
		func(e model.Episode) bool { return !slices.Contains(ids, e.ID.UUID) })
	got := must(s.fixture, func() ([]model.Episode, error) {
		return reader.EpisodesByID(ctx, s.user, append(ids, ids...), columns)
	})
	byEpisodeID := func(a, b model.Episode) int { return compareIDs(a.ID.UUID, b.ID.UUID) }
	slices.SortFunc(got, byEpisodeID)
	slices.SortFunc(byID, byEpisodeID)
	s.same("episodes by id", append([]model.Episode{}, got...), onlyEpisodes(byID, columns))

	twin := model.Episode{Source: model.EpisodeText, Content: "nobody said it", ReferenceTime: noon}
	if e, ok := some(s.random, of.episodes); ok {
		twin = pick(s.random, e, e, model.Episode{Source: e.Source, ReferenceTime: e.ReferenceTime, Content: e.Content + " "},
			model.Episode{Source: e.Source, ReferenceTime: e.ReferenceTime.Add(1000), Content: e.Content})
		limit := pick(s.random, 1, 2, 100)
		mentioned := of.mentioned(e.ID.UUID)
		entities := must(s.fixture, func() ([]model.Entity, error) {
			return reader.MentionedIn(ctx, s.user, e.ID.UUID, limit, store.EntityRow)
		})
		s.same(fmt.Sprintf("%d of %d mentioned", limit, len(mentioned)), tidyEntities(entities),
			onlyEntities(mentioned[:min(limit, len(mentioned))], store.EntityRow))
	}
	twins := ranked(of.episodes, func(e model.Episode) bool {
		return e.Source == twin.Source && e.Content == twin.Content && e.ReferenceTime.Equal(twin.ReferenceTime)
	}, episodeUUID, compareIDs)
	found, err := reader.TwinEpisode(ctx, s.user,
		model.Episode{Source: twin.Source, Content: twin.Content, ReferenceTime: twin.ReferenceTime}, columns)
	if len(twins) == 0 {
		s.fails("TwinEpisode", err, store.ErrNotFound)
		return
	}
	s.same("TwinEpisode", []any{found, err}, []any{onlyEpisode(twins[0], columns), nil})
}

// rowsOfEntities and rowsOfFacts are what a search could look at, in one order.
func (w *web) rowsOfEntities() []sought {
	return mapped(w.listEntities(store.EntityWhere{}), func(e knownEntity) sought {
		return sought{id: e.ID.UUID, entries: e.entries, embedding: e.Embedding}
	})
}

func (w *web) rowsOfFacts() []sought {
	return mapped(w.listFacts(store.FactWhere{}), func(f knownFact) sought {
		return sought{id: f.ID.UUID, entries: f.entries, embedding: f.Embedding}
	})
}

// checkSearches compares searches with what is committed.
func (s *story) checkSearches(in store.Store, times int) {
	s.Helper()
	for range times {
		entities := store.EntitySearch{Looking: randomLooking(s.random, s.web.rowsOfEntities()),
			Columns: randomEntityColumns(s.random)}
		facts := store.FactSearch{Looking: randomLooking(s.random, s.web.rowsOfFacts()), Want: randomWant(s.random)}
		if s.random.IntN(2) == 0 {
			entities.Where, facts.Where = randomEntityWhere(s.random, s.web), randomFactWhere(s.random, s.fixture, s.web)
		}
		s.sameSearches(in, entities, facts)
	}
}

// sameSearches compares one search of each kind with the oracle's.
func (s *story) sameSearches(in store.Store, entities store.EntitySearch, facts store.FactSearch) {
	s.Helper()
	gotEntities := must(s.fixture, func() (store.EntityHits, error) { return in.SearchEntities(s.ctx, s.user, entities) })
	for i := range gotEntities.Hits {
		gotEntities.Hits[i].Entity = tidyEntity(gotEntities.Hits[i].Entity)
	}
	sameFound(s.fixture, "SearchEntities "+show(entities), gotEntities.Hits, gotEntities.HasNext,
		s.web.searchEntities(entities), entities.Looking)
	gotFacts := must(s.fixture, func() (store.FactHits, error) { return in.SearchFacts(s.ctx, s.user, facts) })
	for i := range gotFacts.Hits {
		gotFacts.Hits[i].Fact = tidyFact(gotFacts.Hits[i].Fact)
	}
	sameFound(s.fixture, "SearchFacts "+show(facts), gotFacts.Hits, gotFacts.HasNext, s.web.searchFacts(facts),
		facts.Looking)
}

// sameFound compares hits with the whole ranking: exactly the same rows, similarities and scores.
func sameFound[H any](h *fixture, what string, got []H, next bool, all []H, looking store.Looking) {
	h.Helper()
	want := all[min(looking.Offset, len(all)):min(looking.Offset+looking.Limit, len(all))]
	if len(got) != len(want) || next != (len(all) > looking.Offset+looking.Limit) {
		h.Errorf("%s: %d hits, next %v; want %d of %d in all", what, len(got), next, len(want), len(all))
		return
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			h.Errorf("%s: hit %d\n got %s\nwant %s", what, i, show(got[i]), show(want[i]))
			return
		}
	}
}

// pendingKnowledgeOf walks all that is pending.
func (h *fixture) pendingKnowledgeOf(name string, limit int,
	between func(some []store.PendingKnowledge)) []store.PendingKnowledge {
	h.Helper()
	var out []store.PendingKnowledge
	var after store.KnowledgePlace
	for range 10_000 {
		some, next, err := h.PendingKnowledge(h.ctx, name, after, limit)
		if err != nil || len(some) > limit {
			h.Fatalf("PendingKnowledge: %d of at most %d, %v", len(some), limit, err)
		}
		if len(some) == 0 {
			return out
		}
		if out, after = append(out, some...), next; between != nil {
			between(some)
		}
	}
	h.Fatal("the walk does not end")
	return nil
}

// pendingWant is what of a pending fact is needed for its text.
var pendingWant = store.FactWant{Fact: store.FactRow, Ends: store.EntityName | store.EntityType}

// pendingAs tells in which of the four parts of a walk something pending comes, and what it is as text for a
// comparison.
func (w *web) pendingAs(name string) map[model.UUID]string {
	out := map[model.UUID]string{}
	for id, e := range w.entities {
		if e.Embedding.Model != name {
			out[id] = fmt.Sprintf("entity, stale %v: %s", e.Embedding.Model != "", show(onlyEntity(e, store.EntityRow)))
		}
	}
	for id, f := range w.facts {
		if f.Embedding.Model != name {
			out[id] = fmt.Sprintf("fact, stale %v: %s", f.Embedding.Model != "", showFact(w.onlyFact(f, pendingWant)))
		}
	}
	return out
}

// showFact shows a fact with its confidence as a number.
func showFact(f model.Fact) string {
	confidence := "none"
	if f.Confidence != nil {
		confidence = fmt.Sprint(*f.Confidence)
	}
	f.Confidence = nil
	return show(f) + " confidence " + confidence
}

// checkPendingKnowledge compares a walk over all users with what they have.
func checkPendingKnowledge(h *fixture, stories []*story) {
	h.Helper()
	random := stories[0].random
	name := pick(random, "alpha", "beta@5", "gamma", "a new model")
	got, want, phase := map[model.UserID]map[model.UUID]string{}, map[model.UserID]map[model.UUID]string{}, 0
	stale := map[model.UUID]bool{}
	for _, s := range stories {
		if pending := s.web.pendingAs(name); len(pending) > 0 {
			want[s.user] = pending
		}
		for id, e := range s.web.entities {
			stale[id] = e.Embedding.Model != ""
		}
		for id, f := range s.web.facts {
			stale[id] = f.Embedding.Model != ""
		}
	}
	for _, p := range h.pendingKnowledgeOf(name, pick(random, 1, 3, 100), nil) {
		if (p.Entity == nil) == (p.Fact == nil) {
			h.Fatalf("pending is an entity or a fact: %s", show(p))
		}
		var part int
		var id model.UUID
		var shown string
		if p.Entity != nil {
			id = p.Entity.ID.UUID
			shown = fmt.Sprintf("entity, stale %v: %s", stale[id], show(tidyEntity(*p.Entity)))
		} else {
			part, id = 2, p.Fact.ID.UUID
			shown = fmt.Sprintf("fact, stale %v: %s", stale[id], showFact(tidyFact(*p.Fact)))
		}
		if stale[id] {
			part++
		}
		if part < phase {
			h.Errorf("of the walk's parts %d comes after %d: %s", part, phase, shown)
		}
		phase = part
		if got[p.User] == nil {
			got[p.User] = map[model.UUID]string{}
		}
		if _, twice := got[p.User][id]; twice {
			h.Errorf("pending twice: %s", shown)
		}
		got[p.User][id] = shown
	}
	h.same("pending for "+name, got, want)
}
