package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// SearchEntities: see store.EntityReader. It is the search of memories (see search.go) among entities.
func (s *Store) SearchEntities(ctx context.Context, user model.UserID,
	search store.EntitySearch) (hits store.EntityHits, err error) {
	filter, err := filterEntities(user, search.Where)
	if err != nil {
		return store.EntityHits{}, err
	}
	asked := question{of: &entityPopulation, user: user, filter: filter, Looking: search.Looking}
	hits.HasNext, err = s.search(ctx, asked, func(q *session, best []found) error {
		entities, err := entitiesOf(q, user, best, search.Columns)
		if err != nil {
			return err
		}
		hits.Hits = make([]store.EntityHit, len(best))
		for i := range best {
			hits.Hits[i] = store.EntityHit{Entity: entities[i], Found: best[i].Found}
		}
		return nil
	})
	if err != nil {
		return store.EntityHits{}, wrap("search entities", err)
	}
	return hits, nil
}

// SearchFacts: see store.FactReader. The time that they shall hold at is a part of the filter.
func (s *Store) SearchFacts(ctx context.Context, user model.UserID,
	search store.FactSearch) (hits store.FactHits, err error) {
	filter, err := filterFacts(user, search.Where)
	if err != nil {
		return store.FactHits{}, err
	}
	asked := question{of: &factPopulation, user: user, filter: filter, Looking: search.Looking}
	hits.HasNext, err = s.search(ctx, asked, func(q *session, best []found) error {
		facts, err := factsOf(q, user, best, search.Want)
		if err != nil {
			return err
		}
		hits.Hits = make([]store.FactHit, len(best))
		for i := range best {
			hits.Hits[i] = store.FactHit{Fact: facts[i], Found: best[i].Found}
		}
		return nil
	})
	if err != nil {
		return store.FactHits{}, wrap("search facts", err)
	}
	return hits, nil
}

// entitiesOf gives entities that were found, in their order, with the columns wanted.
func entitiesOf(q *session, user model.UserID, best []found, want store.EntityColumns) ([]model.Entity, error) {
	selection := selectEntity(want)
	entities := make([]model.Entity, len(best))
	at, ns := placesOf(best)
	for i := range best {
		entities[i].ID = ownEntity(best[i].id)
	}
	if want == 0 {
		return entities, nil
	}
	for some := range slices.Chunk(ns, checkAtOnce) {
		var b statement
		b.add("SELECT ")
		selection.write(&b)
		b.add(", m.n FROM entities m INDEXED BY entities_n WHERE m.user_id = ? AND ", userArg(user))
		b.inNumbers(some)
		if err := q.read(&b, func(stmt *sqlite.Stmt) error {
			return selection.read(stmt, &entities[at[stmt.ColumnInt64(selection.width())]])
		}); err != nil {
			return nil, err
		}
	}
	return entities, nil
}

// factsOf gives facts that were found, in their order, with what is wanted of them. Their ends are always read.
func factsOf(q *session, user model.UserID, best []found, want store.FactWant) ([]model.Fact, error) {
	selection := selectFact(want)
	facts := make([]model.Fact, len(best))
	at, ns := placesOf(best)
	for some := range slices.Chunk(ns, checkAtOnce) {
		var b statement
		b.add("SELECT ")
		selection.write(&b)
		b.add(", m.n FROM facts m INDEXED BY facts_n")
		selection.join(&b)
		b.add(" WHERE m.user_id = ? AND ", userArg(user))
		b.inNumbers(some)
		if err := q.read(&b, func(stmt *sqlite.Stmt) error {
			return selection.read(stmt, &facts[at[stmt.ColumnInt64(selection.width())]])
		}); err != nil {
			return nil, err
		}
	}
	return facts, readSupport(q, user, facts, want.Fact)
}
