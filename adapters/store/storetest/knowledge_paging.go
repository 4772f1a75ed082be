package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testKnowledgePaging(t *testing.T, open Open) {
	h := newFixture(t, open)
	s := grown(h.as("pages"), 550, 80, 150)
	more := many(40, func(int) model.Episode { return randomEpisode(s.random, h) })
	s.hear(more...)
	for _, e := range more {
		s.web.saveEpisode(e)
	}
	t.Run("walking gives exactly the ordered set", func(t *testing.T) { s.in(t).walksKnowledge() })
	t.Run("no page, only the totals", func(t *testing.T) { s.in(t).totalsKnowledge() })
	t.Run("a place whose row is gone still divides", func(t *testing.T) { s.in(t).goneKnowledge() })
}

// in returns the same story inside of a subtest.
func (s *story) in(t *testing.T) *story {
	inner := *s
	inner.fixture = s.fixture.in(t)
	return &inner
}

// walkPages goes through a whole set in pages and returns the ids in the list's order.
func walkPages[P any](h *fixture, size int, backward bool,
	ask func(store.Window[P]) (ids []model.UUID, places []P, next, previous bool)) []model.UUID {
	h.Helper()
	out, window := []model.UUID{}, store.Window[P]{Limit: size, Backward: backward}
	for range 10_000 {
		ids, places, next, previous := ask(window)
		if len(ids) > size || len(places) != len(ids) {
			h.Fatalf("a page of %d has %d rows and %d places", size, len(ids), len(places))
		}
		more := next
		if backward {
			out, more = append(slices.Clone(ids), out...), previous
		} else {
			out = append(out, ids...)
		}
		if !more {
			return out
		}
		if len(places) == 0 {
			h.Fatal("an empty page says that there is more")
		}
		if backward {
			window.Before = &places[0]
		} else {
			window.After = &places[len(places)-1]
		}
	}
	h.Fatal("the walk does not end")
	return nil
}

func (s *story) pageOfEntities(where store.EntityWhere) func(store.Window[store.EntityPlace]) (
	[]model.UUID, []store.EntityPlace, bool, bool) {
	return func(w store.Window[store.EntityPlace]) ([]model.UUID, []store.EntityPlace, bool, bool) {
		page := must(s.fixture, func() (store.EntityPage, error) {
			return s.ListEntities(s.ctx, s.user, store.EntityQuery{Where: where, Page: &w})
		})
		return idsOfEntities(page.Entities), page.Places, page.HasNext, page.HasPrevious
	}
}

func (s *story) pageOfFacts(where store.FactWhere) func(store.Window[store.TimePlace]) (
	[]model.UUID, []store.TimePlace, bool, bool) {
	return func(w store.Window[store.TimePlace]) ([]model.UUID, []store.TimePlace, bool, bool) {
		page := must(s.fixture, func() (store.FactPage, error) {
			return s.ListFacts(s.ctx, s.user, store.FactQuery{Where: where, Page: &w})
		})
		return idsOfFacts(page.Facts), page.Places, page.HasNext, page.HasPrevious
	}
}

func (s *story) pageOfEpisodes(where store.EpisodeWhere) func(store.Window[store.TimePlace]) (
	[]model.UUID, []store.TimePlace, bool, bool) {
	return func(w store.Window[store.TimePlace]) ([]model.UUID, []store.TimePlace, bool, bool) {
		page := must(s.fixture, func() (store.EpisodePage, error) {
			return s.ListEpisodes(s.ctx, s.user, store.EpisodeQuery{Where: where, Page: &w})
		})
		return idsOfEpisodes(page.Episodes), page.Places, page.HasNext, page.HasPrevious
	}
}

func (s *story) walksKnowledge() {
	empty := 0
	for round := range 14 {
		entities, facts, episodes := store.EntityWhere{}, store.FactWhere{}, store.EpisodeWhere{}
		if round > 1 {
			entities, facts, episodes = randomEntityWhere(s.random, s.web), randomFactWhere(s.random, s.fixture, s.web),
				randomEpisodeWhere(s.random, s.web)
		}
		wantEntities := mapped(s.web.listEntities(entities), entityUUID)
		wantFacts := mapped(s.web.listFacts(facts), factUUID)
		wantEpisodes := mapped(s.web.listEpisodes(episodes), episodeUUID)
		if len(wantFacts) == 0 {
			empty++
		}
		for _, backward := range []bool{false, true} {
			size := pick(s.random, 1, 2, 7, 20, max(len(wantFacts), 1))
			what := fmt.Sprintf("%d at a time, backward %v, of ", size, backward)
			s.same(what+show(entities), walkPages(s.fixture, size, backward, s.pageOfEntities(entities)), wantEntities)
			s.same(what+show(facts), walkPages(s.fixture, size, backward, s.pageOfFacts(facts)), wantFacts)
			s.same(what+show(episodes), walkPages(s.fixture, size, backward, s.pageOfEpisodes(episodes)), wantEpisodes)
		}
	}
	if empty > 9 {
		s.Errorf("%d of 14 filters find nothing, so little was tested", empty)
	}
}

func (s *story) totalsKnowledge() {
	entities := must(s.fixture, func() (store.EntityPage, error) {
		return s.ListEntities(s.ctx, s.user, store.EntityQuery{Total: true})
	})
	facts := must(s.fixture, func() (store.FactPage, error) {
		return s.ListFacts(s.ctx, s.user, store.FactQuery{Where: store.FactWhere{Time: store.FactsHolding, At: noon},
			Total: true, Suppressed: true})
	})
	episodes := must(s.fixture, func() (store.EpisodePage, error) {
		return s.ListEpisodes(s.ctx, s.user, store.EpisodeQuery{Total: true})
	})
	s.same("rows", []int{len(entities.Entities), len(entities.Places), len(facts.Facts), len(facts.Places),
		len(episodes.Episodes), len(episodes.Places)}, []int{0, 0, 0, 0, 0, 0})
	holding := s.web.counts(noon).CurrentFacts
	s.same("totals", []int{entities.Total, facts.Total, facts.Suppressed, episodes.Total},
		[]int{len(s.web.entities), holding, len(s.web.facts) - holding, len(s.web.episodes)})
}

func (s *story) goneKnowledge() {
	entities, facts, episodes := s.web.listEntities(store.EntityWhere{}), s.web.listFacts(store.FactWhere{}),
		s.web.listEpisodes(store.EpisodeWhere{})
	e, f, told := entities[len(entities)/2], facts[len(facts)/2], episodes[len(episodes)/2]
	s.write(func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.DeleteFacts(ctx, []model.UUID{f.ID.UUID}); err != nil {
			return err
		}
		if _, _, err := tx.DeleteEntities(ctx, []model.UUID{e.ID.UUID}); err != nil {
			return err
		}
		_, _, err := tx.DeleteEpisode(ctx, told.ID.UUID)
		return err
	})
	s.web.removeFact(f.ID.UUID)
	s.web.removeEntity(e.ID.UUID)
	s.web.removeEpisode(told.ID.UUID)
	divides(s, "entities", s.web.listEntities(store.EntityWhere{}), entityPlaceOf, compareEntityPlaces, entityPlaceOf(e),
		entityUUID, s.pageOfEntities(store.EntityWhere{}))
	divides(s, "facts", s.web.listFacts(store.FactWhere{}), factPlaceOf, compareTimePlaces, factPlaceOf(f), factUUID,
		s.pageOfFacts(store.FactWhere{}))
	divides(s, "episodes", s.web.listEpisodes(store.EpisodeWhere{}), episodePlaceOf, compareTimePlaces,
		episodePlaceOf(told), episodeUUID, s.pageOfEpisodes(store.EpisodeWhere{}))
}

// divides asks for what stands before and after a place that no row has.
func divides[N, P any](s *story, what string, all []N, place func(N) P, compare func(a, b P) int, at P,
	idOf func(N) model.UUID, ask func(store.Window[P]) ([]model.UUID, []P, bool, bool)) {
	s.Helper()
	for _, w := range []store.Window[P]{{Limit: 1000, After: &at}, {Limit: 1000, Before: &at},
		{Limit: 3, Before: &at, Backward: true}, {Limit: 3, After: &at}} {
		want := pageOf(all, &w, place, compare)
		ids, places, next, previous := ask(w)
		s.same(what+" beside a place that is gone", []any{append([]model.UUID{}, ids...), append([]P{}, places...), next,
			previous}, []any{mapped(want.rows, idOf), want.places, want.next, want.previous})
	}
}
