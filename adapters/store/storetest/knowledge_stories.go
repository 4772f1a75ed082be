package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testKnowledgeStories lives through random stories of two users at once, who have much in common, and compares
// everything that can be asked with what the oracle says: for each user, inside of transactions, and through another
// handle on the same database.
func testKnowledgeStories(t *testing.T, open Open) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			h := newFixture(t, open)
			beside := open(t, Options{Now: h.clock.Now, Beside: h.Store})
			random := dice(510 + seed)
			stories := []*story{{fixture: h.as("one"), random: random, web: newWeb()},
				{fixture: h.as("two"), random: random, web: newWeb()}}
			for step := range 50 {
				s := stories[step%2]
				s.step()
				for _, s := range stories {
					s.check(s.ctx, s.Store, s.web)
					s.checkSearches(s.Store, 2)
				}
				if step%5 == 0 {
					s.check(s.ctx, beside, s.web)
					s.checkSearches(beside, 3)
				}
				if step%10 == 9 {
					checkPendingKnowledge(h, stories)
				}
				if t.Failed() {
					t.Fatalf("at step %d", step)
				}
			}
			for _, s := range stories {
				s.tellsAll()
			}
		})
	}
}

// story is one user's history.
type story struct {
	*fixture
	random *rand.Rand
	web    *web
	// told is what the change log must say, in groups within which the order is free.
	told [][]string
}

// step lets a little time pass and runs one transaction, which may fail.
func (s *story) step() {
	s.Helper()
	s.clock.advance(time.Duration(s.random.IntN(300)) * time.Minute)
	draft, told := s.web.clone(), [][]string{}
	failing := s.random.IntN(5) == 0
	err := s.Write(s.ctx, s.user, func(ctx context.Context, tx store.Tx) error {
		for range 1 + s.random.IntN(5) {
			told = append(told, s.act(ctx, tx, draft)...)
		}
		if s.random.IntN(3) == 0 {
			inner, innerTold, innerFails := draft.clone(), [][]string{}, s.random.IntN(2) == 0
			err := s.Write(ctx, s.user, func(ctx context.Context, tx store.Tx) error {
				for range 1 + s.random.IntN(3) {
					innerTold = append(innerTold, s.act(ctx, tx, inner)...)
				}
				if innerFails {
					return errFailed
				}
				return nil
			})
			switch {
			case innerFails:
				s.fails("a nested write", err, errFailed)
			case err != nil:
				return err
			default:
				draft, told = inner, append(told, innerTold...)
			}
			told = append(told, s.act(ctx, tx, draft)...)
		}
		if s.random.IntN(2) == 0 {
			s.check(ctx, tx, draft)
			// A search takes no part: it sees what is committed.
			s.checkSearches(s.Store, 1)
		}
		if failing {
			return errFailed
		}
		return nil
	})
	if failing {
		s.fails("a transaction", err, errFailed)
		return
	}
	if err != nil {
		s.Fatalf("Write: %v", err)
	}
	s.web, s.told = draft, append(s.told, told...)
}

func (s *story) does(what string, err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%s: %v", what, err)
	}
}

// wire is a line of the change log with its type.
func wire(kind model.ChangeType, operation model.Operation, id model.UUID) string {
	return string(kind) + " " + line(operation, id)
}

func wires(kind model.ChangeType, operation model.Operation, ids []model.UUID) []string {
	return mapped(ids, func(id model.UUID) string { return wire(kind, operation, id) })
}

// act does one thing, to the store and to the oracle, and returns the lines that the log must get, in groups.
func (s *story) act(ctx context.Context, tx store.Tx, of *web) (told [][]string) {
	s.Helper()
	told = s.acts(ctx, tx, of)
	for _, group := range told {
		if len(group) > 0 {
			of.changed = s.clock.Now()
		}
	}
	return told
}

func (s *story) acts(ctx context.Context, tx store.Tx, of *web) (told [][]string) {
	s.Helper()
	switch n := s.random.IntN(24); {
	case n < 5:
		return s.actEntities(ctx, tx, of)
	case n < 11 && len(of.entities) > 0:
		return s.actFacts(ctx, tx, of)
	case n < 14:
		return s.actEpisodes(ctx, tx, of)
	case n < 16:
		episode, _ := some(s.random, of.episodes)
		ids := someIDs(s.random, s.fixture, of.entities, entityUUID)
		if episode.ID.UUID == (model.UUID{}) {
			episode.ID.UUID = s.ids.next()
		}
		s.does("NoteMentions", tx.NoteMentions(ctx, episode.ID.UUID, ids))
		of.note(episode.ID.UUID, ids)
	case n < 18:
		return s.actMove(ctx, of)
	case n == 18:
		ids := someIDs(s.random, s.fixture, of.entities, entityUUID)[:1]
		deleted, facts, err := tx.DeleteEntities(ctx, ids)
		s.does("DeleteEntities", err)
		want, gone := []model.UUID{}, []model.UUID{}
		for _, id := range ids {
			if _, ok := of.entities[id]; ok {
				want, gone = append(want, id), append(gone, of.removeEntity(id)...)
			}
		}
		s.same("entities deleted", append([]model.UUID{}, deleted...), want)
		s.same("facts deleted with them", facts, len(gone))
		return [][]string{wires(model.ChangeFact, model.OperationDeleted, gone),
			wires(model.ChangeEntity, model.OperationDeleted, want)}
	case n == 19:
		ids := someIDs(s.random, s.fixture, of.facts, factUUID)
		deleted, err := tx.DeleteFacts(ctx, ids)
		s.does("DeleteFacts", err)
		want := slices.DeleteFunc(ids, func(id model.UUID) bool { _, ok := of.facts[id]; return !ok })
		for _, id := range want {
			of.removeFact(id)
		}
		s.same("facts deleted", append([]model.UUID{}, deleted...), append([]model.UUID{}, want...))
		for _, id := range want {
			told = append(told, wires(model.ChangeFact, model.OperationDeleted, []model.UUID{id}))
		}
	case n == 20:
		if episode, ok := some(s.random, of.episodes); ok {
			facts, entities, err := tx.DeleteEpisode(ctx, episode.ID.UUID)
			s.does("DeleteEpisode", err)
			wantFacts, wantEntities := of.removeEpisode(episode.ID.UUID)
			s.same("facts and entities deleted with the episode", []int{facts, entities},
				[]int{len(wantFacts), len(wantEntities)})
			return [][]string{
				wires(model.ChangeFact, model.OperationDeleted, wantFacts), wires(model.ChangeEntity, model.OperationDeleted,
					wantEntities), wires(model.ChangeEpisode, model.OperationDeleted, []model.UUID{episode.ID.UUID}),
			}
		}
	case n == 21 && s.random.IntN(6) == 0:
		counts, err := tx.ClearKnowledge(ctx)
		s.does("ClearKnowledge", err)
		s.same("cleared", []int{counts.Entities, counts.Facts, counts.Episodes},
			[]int{len(of.entities), len(of.facts), len(of.episodes)})
		if counts.Entities+counts.Facts+counts.Episodes > 0 {
			told = [][]string{wires(model.ChangeKnowledge, model.OperationDeleted, []model.UUID{model.UUID(s.user)})}
		}
		changed := of.changed
		*of = *newWeb()
		of.changed = changed
	default:
		s.actVectors(ctx, of)
	}
	return told
}

func (s *story) actEntities(ctx context.Context, tx store.Tx, of *web) (told [][]string) {
	var rows []store.EntityRowOf
	chosen := map[model.UUID]bool{}
	for range 1 + s.random.IntN(5) {
		e := randomEntity(s.random, s.fixture)
		if old, ok := some(s.random, of.entities); ok && s.random.IntN(3) == 0 && !chosen[old.ID.UUID] {
			e.ID, e.Version = old.ID, old.Version+1
			if s.random.IntN(2) == 0 { // nothing that is embedded changes
				e.Name, e.Type, e.Summary, e.Aliases, e.Attributes = old.Name, old.Type, old.Summary, old.Aliases, old.Attributes
			}
			if s.random.IntN(2) == 0 {
				e.Embedding = model.Embedding{}
			}
		}
		chosen[e.ID.UUID] = true
		rows = append(rows, entityRow(e))
	}
	s.does("SaveEntities", tx.SaveEntities(ctx, rows))
	for _, row := range rows {
		told = append(told, []string{wire(model.ChangeEntity, of.saveEntity(row), row.Entity.ID.UUID)})
	}
	return told
}

func (s *story) actFacts(ctx context.Context, tx store.Tx, of *web) (told [][]string) {
	var rows []store.FactRowOf
	chosen := map[model.UUID]bool{}
	for range 1 + s.random.IntN(6) {
		f := randomFact(s.random, s.fixture, of)
		if old, ok := some(s.random, of.facts); ok && s.random.IntN(3) == 0 && !chosen[old.ID.UUID] {
			f.ID, f.Version = old.ID, old.Version+1
			if s.random.IntN(2) == 0 { // closed
				f.Relation, f.Sentence, f.Source, f.Target = old.Relation, old.Sentence, of.entities[old.Source.ID.UUID].Entity,
					of.entities[old.Target.ID.UUID].Entity
			}
			if s.random.IntN(2) == 0 {
				f.Embedding = model.Embedding{}
			}
		}
		chosen[f.ID.UUID] = true
		rows = append(rows, factRow(f))
	}
	if s.random.IntN(6) == 0 {
		lost := slices.Clone(rows)
		spoilt := &lost[s.random.IntN(len(lost))].Fact
		if s.random.IntN(2) == 0 {
			spoilt.Source.ID = entityID(s.ids.next())
		} else {
			spoilt.Target.ID = entityID(s.ids.next())
		}
		err := s.Write(ctx, s.user, func(ctx context.Context, tx store.Tx) error { return tx.SaveFacts(ctx, lost) })
		s.fails("a fact without an end", err, store.ErrNotFound)
	}
	s.does("SaveFacts", tx.SaveFacts(ctx, rows))
	for _, row := range rows {
		told = append(told, []string{wire(model.ChangeFact, of.saveFact(row), row.Fact.ID.UUID)})
	}
	return told
}

func (s *story) actEpisodes(ctx context.Context, tx store.Tx, of *web) (told [][]string) {
	var episodes []model.Episode
	chosen := map[model.UUID]bool{}
	for range 1 + s.random.IntN(3) {
		e := randomEpisode(s.random, s.fixture)
		if old, ok := some(s.random, of.episodes); ok && s.random.IntN(3) == 0 && !chosen[old.ID.UUID] {
			e.ID = old.ID
		}
		if old, ok := some(s.random, of.episodes); ok && s.random.IntN(4) == 0 { // a twin
			e.Source, e.Content, e.ReferenceTime = old.Source, old.Content, old.ReferenceTime
		}
		chosen[e.ID.UUID] = true
		episodes = append(episodes, e)
	}
	s.does("SaveEpisodes", tx.SaveEpisodes(ctx, episodes))
	for _, e := range episodes {
		told = append(told, []string{wire(model.ChangeEpisode, of.saveEpisode(e), e.ID.UUID)})
	}
	return told
}

// actMove makes one entity part of another; the call is a savepoint of its own, since it may be refused.
func (s *story) actMove(ctx context.Context, of *web) [][]string {
	from, into := s.ids.next(), s.ids.next()
	if e, ok := some(s.random, of.entities); ok && s.random.IntN(8) > 0 {
		from = e.ID.UUID
	}
	bare := slices.DeleteFunc(of.listEntities(store.EntityWhere{}),
		func(e knownEntity) bool { return of.hasFacts(e.ID.UUID) })
	if len(bare) > 0 && s.random.IntN(2) == 0 {
		from = bare[s.random.IntN(len(bare))].ID.UUID
	}
	if e, ok := some(s.random, of.entities); ok && s.random.IntN(8) > 0 {
		into = e.ID.UUID
	}
	err := s.Write(ctx, s.user, func(ctx context.Context, tx store.Tx) error { return tx.MoveEntity(ctx, from, into) })
	_, fromThere := of.entities[from]
	_, intoThere := of.entities[into]
	switch {
	case !fromThere || !intoThere:
		s.fails("MoveEntity of what is not there", err, store.ErrNotFound)
	case from == into, of.hasFacts(from):
		s.fails("MoveEntity of one with facts, or into itself", err, store.ErrConflict)
	default:
		s.does("MoveEntity", err)
		of.move(from, into)
		return [][]string{wires(model.ChangeEntity, model.OperationDeleted, []model.UUID{from})}
	}
	return nil
}

func (s *story) actVectors(ctx context.Context, of *web) {
	var vectors []store.KnowledgeVectorOf
	chosen := map[model.UUID]bool{}
	for range 1 + s.random.IntN(4) {
		v := store.KnowledgeVectorOf{Kind: pick(s.random, model.KindEntity, model.KindFact), ID: s.ids.next(), Version: 1,
			Embedding: randomEmbedding(s.random)}
		if e, ok := some(s.random, of.entities); ok && v.Kind == model.KindEntity {
			v.ID, v.Version = e.ID.UUID, e.Version+pick(s.random, 0, 0, 0, 1, -1)
		}
		if f, ok := some(s.random, of.facts); ok && v.Kind == model.KindFact {
			v.ID, v.Version = f.ID.UUID, f.Version+pick(s.random, 0, 0, 0, 1, -1)
		}
		if !chosen[v.ID] {
			vectors = append(vectors, v)
		}
		chosen[v.ID] = true
	}
	kept, err := s.SaveKnowledgeVectors(ctx, s.user, vectors)
	s.does("SaveKnowledgeVectors", err)
	s.same("vectors kept", kept, of.saveVectors(vectors))
}

// tellsAll compares the whole change log.
func (s *story) tellsAll() {
	s.Helper()
	changes := must(s.fixture, func() ([]model.Change, error) { return s.Changes(s.ctx, s.user, 0, nil, 1_000_000) })
	got := mapped(changes, func(c model.Change) string { return wire(c.Type, c.Operation, c.ID) })
	want := slices.Concat(s.told...)
	s.same("lines of the log", len(got), len(want))
	at := 0
	for _, group := range s.told {
		if at+len(group) > len(got) {
			return
		}
		part := slices.Sorted(slices.Values(got[at : at+len(group)]))
		if !slices.Equal(part, slices.Sorted(slices.Values(group))) {
			s.Fatalf("from change %d the log says\n%v, want\n%v", at+1, part, group)
		}
		at += len(group)
	}
}
