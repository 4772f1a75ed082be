package storetest

import (
	"context"
	"errors"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testKnowledgeTenancy sends one user through every method with the other's ids, names, texts and vectors. It must find
// nothing, be told the same as of what never was, and change nothing of the other's.
func testKnowledgeTenancy(t *testing.T, open Open) {
	h := newFixture(t, open)
	s := grown(h.as("owner"), 580, 40, 60)
	for id := range s.web.episodes {
		noted := mapped(s.web.listEntities(store.EntityWhere{}), entityUUID)[:5]
		s.write(func(ctx context.Context, tx store.Tx) error { return tx.NoteMentions(ctx, id, noted) })
		s.web.note(id, noted)
	}
	moved, into := s.entity("moved"), s.web.someEntity(s.random)
	s.learn(moved)
	if err := s.move(moved, into); err != nil {
		t.Fatal(err)
	}
	s.web.saveEntity(entityRow(moved))
	s.web.move(moved.ID.UUID, into.ID.UUID)
	f := s.web.someFact(s.random)
	s.answered(call("the owner's key", 1), false, f.ID.String()+into.ID.String())
	lines := len(s.log(0))
	thief := &story{fixture: h.as("thief"), random: dice(581), web: newWeb()}
	picture := func(t *testing.T) {
		owner := s.in(t)
		for range 8 {
			owner.check(owner.ctx, owner.Store, owner.web)
			owner.checkSearches(owner.Store, 2)
		}
		owner.same("log", len(owner.log(0)), lines)
		owner.same("the owner's key", owner.replays(call("the owner's key", 1)),
			f.ID.String()+into.ID.String()+" replayed=true")
	}
	picture(t)
	t.Run("reading", func(t *testing.T) { thief.in(t).reads(s.web) })
	t.Run("writing", func(t *testing.T) { thief.in(t).steals(s.web) })
	t.Run("afterwards", picture)
	t.Run("the same for oneself", func(t *testing.T) { thief.in(t).owns(s.web) })
	t.Run("after that", picture)
	t.Run("clearing", func(t *testing.T) {
		of := thief.in(t)
		of.write(func(ctx context.Context, tx store.Tx) error { _, err := tx.ClearKnowledge(ctx); return err })
	})
	t.Run("after all", picture)
}

// reads asks for everything that the owner has.
func (s *story) reads(owner *web) {
	asks := func(ctx context.Context, reader store.KnowledgeReader) {
		entities, facts, episodes := mapped(owner.listEntities(store.EntityWhere{}), entityUUID),
			mapped(owner.listFacts(store.FactWhere{}), factUUID), mapped(owner.listEpisodes(store.EpisodeWhere{}), episodeUUID)
		for id := range owner.moved {
			entities = append(entities, id)
		}
		found := 0
		got, err := reader.EntitiesByID(ctx, s.user, entities, store.EntityRow)
		s.does("EntitiesByID", err)
		byName, err := reader.EntitiesByName(ctx, s.user,
			mapped(owner.listEntities(store.EntityWhere{}), func(e knownEntity) string { return e.key }), 0)
		s.does("EntitiesByName", err)
		byID, err := reader.FactsByID(ctx, s.user, facts, wholeFact)
		s.does("FactsByID", err)
		around, err := reader.FactsAround(ctx, s.user, entities, store.FactWhere{}, 10, 100, wholeFact)
		s.does("FactsAround", err)
		told, err := reader.EpisodesByID(ctx, s.user, episodes, store.EpisodeRow)
		s.does("EpisodesByID", err)
		found += len(got) + len(byName) + len(byID) + len(around) + len(told)
		for _, f := range owner.facts {
			pairs, err := reader.FactsOfPairs(ctx, s.user, []store.FactPair{{Source: f.Source.ID.UUID, Relation: f.Relation}},
				wholeFact)
			s.does("FactsOfPairs", err)
			for _, where := range []store.FactWhere{{}, {Entity: f.Source.ID.UUID},
				{Between: &[2]model.UUID{f.Source.ID.UUID, f.Target.ID.UUID}}, {Relations: relations}} {
				place := factPlaceOf(f) // another's row as a place is only a place
				page, err := reader.ListFacts(ctx, s.user, store.FactQuery{Where: where, Want: wholeFact,
					Page: &store.Window[store.TimePlace]{Limit: 10, After: &place}, Total: true, Suppressed: true})
				s.does("ListFacts", err)
				found += len(page.Facts) + page.Total + page.Suppressed
			}
			found += len(pairs)
		}
		for id, e := range owner.episodes {
			mentioned, err := reader.MentionedIn(ctx, s.user, id, 10, store.EntityRow)
			s.does("MentionedIn", err)
			page, err := reader.ListFacts(ctx, s.user, store.FactQuery{Where: store.FactWhere{Episode: id}, Total: true})
			s.does("ListFacts", err)
			found += len(mentioned) + page.Total
			_, err = reader.TwinEpisode(ctx, s.user, e, 0)
			s.fails("TwinEpisode", err, store.ErrNotFound)
		}
		s.same("found of the other's", found, 0)
		s.check(ctx, reader, newWeb())
		for range 10 {
			s.sameSearches(s.Store, store.EntitySearch{Looking: randomLooking(s.random, owner.rowsOfEntities())},
				store.FactSearch{Looking: randomLooking(s.random, owner.rowsOfFacts())})
		}
	}
	asks(s.ctx, s.Store)
	s.write(func(ctx context.Context, tx store.Tx) error {
		asks(ctx, tx)
		return nil
	})
	s.same("log", s.log(0), []string{})
}

// steals names the other's rows in every write. Each must say what it says of ids that never were.
func (s *story) steals(owner *web) {
	e, f := owner.someEntity(s.random), owner.someFact(s.random)
	told, _ := some(s.random, owner.episodes)
	own := s.entity("own")
	for _, ids := range [][3]model.UUID{{e.ID.UUID, f.ID.UUID, told.ID.UUID}, {s.ids.next(), s.ids.next(), s.ids.next()}} {
		entity := model.Entity{ID: entityID(ids[0]), Name: "stolen", Version: e.Version}
		for what, fn := range map[string]func(ctx context.Context, tx store.Tx) error{
			"SaveFacts with its source": func(ctx context.Context, tx store.Tx) error {
				return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(own)}),
					tx.SaveFacts(ctx, []store.FactRowOf{factRow(s.fact(entity, "KNOWS", own))}))
			},
			"SaveFacts with its target": func(ctx context.Context, tx store.Tx) error {
				return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(own)}),
					tx.SaveFacts(ctx, []store.FactRowOf{factRow(s.fact(own, "KNOWS", entity))}))
			},
			"MoveEntity from it": func(ctx context.Context, tx store.Tx) error {
				return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(own)}),
					tx.MoveEntity(ctx, ids[0], own.ID.UUID))
			},
			"MoveEntity into it": func(ctx context.Context, tx store.Tx) error {
				return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(own)}),
					tx.MoveEntity(ctx, own.ID.UUID, ids[0]))
			},
			"DeleteEpisode": func(ctx context.Context, tx store.Tx) error {
				_, _,
					err := tx.DeleteEpisode(ctx, ids[2])
				return err
			},
		} {
			s.fails(what, s.Write(s.ctx, s.user, fn), store.ErrNotFound)
		}
		s.write(func(ctx context.Context, tx store.Tx) error {
			deleted, facts, err := tx.DeleteEntities(ctx, ids[:1])
			gone, more := tx.DeleteFacts(ctx, ids[1:2])
			s.same("deleted", []int{len(deleted), facts, len(gone)}, []int{0, 0, 0})
			return errors.Join(err, more, tx.NoteMentions(ctx, ids[2], ids[:1]))
		})
		n, err := s.SaveKnowledgeVectors(s.ctx, s.user, []store.KnowledgeVectorOf{
			{Kind: model.KindEntity, ID: ids[0], Version: e.Version, Embedding: embedded("two", 0, 1)},
			{Kind: model.KindFact, ID: ids[1], Version: f.Version, Embedding: embedded("two", 0, 1)},
		})
		s.same("SaveKnowledgeVectors", []any{n, err}, []any{0, nil})
	}
	s.write(func(ctx context.Context, tx store.Tx) error {
		counts, err := tx.ClearKnowledge(ctx)
		s.same("cleared", counts.Entities+counts.Facts+counts.Episodes, 0)
		return err
	})
	s.same("log", s.log(0), []string{})
}

// owns: two users may have the same graph under the same ids; each finds only its own, and ranks by its own words
// alone.
func (s *story) owns(owner *web) {
	var entities []store.EntityRowOf
	var facts []store.FactRowOf
	var episodes []model.Episode
	for i, e := range owner.listEntities(store.EntityWhere{}) {
		e.Version = 1
		if i%2 == 0 {
			e.Embedding = model.Embedding{}
		}
		entities = append(entities, entityRow(e.Entity))
	}
	for i, f := range owner.listFacts(store.FactWhere{}) {
		if i%2 == 0 {
			f.Sentence, f.Source, f.Target = f.Sentence+" again", owner.entities[f.Source.ID.UUID].Entity,
				owner.entities[f.Target.ID.UUID].Entity
			facts = append(facts, factRow(f.Fact))
		}
	}
	for i, e := range owner.listEpisodes(store.EpisodeWhere{}) {
		if i%2 == 0 {
			episodes = append(episodes, e)
		}
	}
	s.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.SaveEntities(ctx, entities), tx.SaveFacts(ctx, facts), tx.SaveEpisodes(ctx, episodes))
	})
	for _, row := range entities {
		s.web.saveEntity(row)
	}
	for _, row := range facts {
		s.web.saveFact(row)
	}
	for _, e := range episodes {
		s.web.saveEpisode(e)
	}
	s.web.changed = s.clock.Now()
	for range 8 {
		s.check(s.ctx, s.Store, s.web)
		s.checkSearches(s.Store, 2)
		// For what the other has.
		s.sameSearches(s.Store, store.EntitySearch{Looking: randomLooking(s.random, owner.rowsOfEntities())},
			store.FactSearch{Looking: randomLooking(s.random, owner.rowsOfFacts())})
	}
}
