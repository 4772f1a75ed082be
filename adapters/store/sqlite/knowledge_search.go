package sqlite

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// SearchEntities: see store.EntityReader. It is the search of memories (see search.go) among entities.
func (r reader) SearchEntities(ctx context.Context, user model.UserID,
	search store.EntitySearch) (store.EntityHits, error) {
	filter, err := filterEntities(user, search.Where)
	if err != nil {
		return store.EntityHits{}, err
	}
	asked := question{of: &entityPopulation, user: user, filter: filter, Looking: search.Looking}
	hits, hasNext, err := searchFor(ctx, r.store, asked, func(q *session, best []found) ([]model.Entity, error) {
		return entitiesOf(q, user, best, search.Columns)
	}, func(entity model.Entity, f store.Found) store.EntityHit {
		return store.EntityHit{Entity: entity, Found: f}
	})
	return store.EntityHits{Hits: hits, HasNext: hasNext}, wrap("search entities", err)
}

// SearchFacts: see store.FactReader. The time that they shall hold at is a part of the filter.
func (r reader) SearchFacts(ctx context.Context, user model.UserID, search store.FactSearch) (store.FactHits, error) {
	filter, err := filterFacts(user, search.Where)
	if err != nil {
		return store.FactHits{}, err
	}
	asked := question{of: &factPopulation, user: user, filter: filter, Looking: search.Looking}
	hits, hasNext, err := searchFor(ctx, r.store, asked, func(q *session, best []found) ([]model.Fact, error) {
		return factsOf(q, user, best, search.Want)
	}, func(fact model.Fact, f store.Found) store.FactHit { return store.FactHit{Fact: fact, Found: f} })
	return store.FactHits{Hits: hits, HasNext: hasNext}, wrap("search facts", err)
}

// entitiesOf reads entities that were found, in their order, with the columns wanted.
func entitiesOf(q *session, user model.UserID, best []found, want store.EntityColumns) ([]model.Entity, error) {
	columns := entitySelection(store.EntityTable.Read(want))
	entities := make([]model.Entity, len(best))
	for i := range best {
		entities[i].ID = ownEntity(best[i].id)
	}
	if want == 0 {
		return entities, nil
	}
	return entities, readFound(q, best, entities, len(columns), func(b *statement) {
		b.add("SELECT ")
		columns.write(b, "m")
		b.add(", m.n FROM entities m INDEXED BY entities_n WHERE m.user_id = ? AND ", userArg(user))
	}, columns.readRow)
}

// factsOf reads facts that were found, in their order, with what is wanted of them. Their ends are always read.
func factsOf(q *session, user model.UserID, best []found, want store.FactWant) ([]model.Fact, error) {
	columns := selectFact(want)
	facts := make([]model.Fact, len(best))
	if err := readFound(q, best, facts, columns.width(), func(b *statement) {
		b.add("SELECT ")
		columns.write(b)
		b.add(", m.n FROM facts m INDEXED BY facts_n")
		columns.join(b)
		b.add(" WHERE m.user_id = ? AND ", userArg(user))
	}, columns.readRow); err != nil {
		return nil, err
	}
	return facts, readSupport(q, user, facts, want.Fact)
}
