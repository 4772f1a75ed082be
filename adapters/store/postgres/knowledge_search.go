package postgres

import (
	"context"
	"fmt"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// SearchEntities ranks entities as SearchMemories does memories; see the contract.
func (d reader) SearchEntities(ctx context.Context, user model.UserID,
	search store.EntitySearch) (store.EntityHits, error) {
	if err := checkEntities(&search.Where); err != nil {
		return store.EntityHits{}, err
	}
	if err := checkLooking(&search.Looking); err != nil {
		return store.EntityHits{}, err
	}
	shape := entityShape(search.Columns)
	entities := &shelfOf[model.Entity]{columns: shape.list("t"), read: func(r *row) (model.UUID, model.Entity) {
		var entity model.Entity
		shape.read(r, &entity)
		return entity.ID.UUID, entity
	}}
	k := &seeker{store: d.store, user: user, in: entityPopulation(), sieve: entitySieve{where: &search.Where},
		search: search.Looking, shelf: entities}
	page, hasNext, err := k.seek(ctx)
	if err != nil {
		return store.EntityHits{}, fmt.Errorf("postgres: search entities: %w", err)
	}
	return store.EntityHits{HasNext: hasNext,
		Hits: hitsOf(page, entities.kept, func(entity model.Entity, c *candidate) store.EntityHit {
			return store.EntityHit{Entity: entity, Found: c.found()}
		})}, nil
}

// SearchFacts ranks facts; see the contract.
func (d reader) SearchFacts(ctx context.Context, user model.UserID, search store.FactSearch) (store.FactHits, error) {
	if err := checkFacts(&search.Where); err != nil {
		return store.FactHits{}, err
	}
	if err := checkLooking(&search.Looking); err != nil {
		return store.FactHits{}, err
	}
	shape := factShape(search.Want)
	facts := &shelfOf[model.Fact]{columns: shape.list(), joined: shape.joins("$1"),
		read: func(r *row) (model.UUID, model.Fact) {
			var fact model.Fact
			shape.read(r, &fact)
			return fact.ID.UUID, fact
		}}
	k := &seeker{store: d.store, user: user, in: factPopulation(), sieve: factSieve{where: &search.Where},
		search: search.Looking, shelf: facts}
	page, hasNext, err := k.seek(ctx)
	if err != nil {
		return store.FactHits{}, fmt.Errorf("postgres: search facts: %w", err)
	}
	return store.FactHits{HasNext: hasNext,
		Hits: hitsOf(page, facts.kept, func(fact model.Fact, c *candidate) store.FactHit {
			return store.FactHit{Fact: fact, Found: c.found()}
		})}, nil
}

func (c *candidate) found() store.Found {
	return store.Found{Similarity: c.similarity, Keyword: c.keyword, Score: c.score, ByVector: c.byVector,
		ByKeyword: c.byKeyword, Measured: c.measured}
}

// everyoneThere is of populations of which no row is kept that is not there.
type everyoneThere struct{}

func (everyoneThere) there(*query) string { return "" }
func (everyoneThere) gone(*query) string  { return "" }

// entitySieve is a filter of entities.
type entitySieve struct {
	where *store.EntityWhere
	everyoneThere
}

func (s entitySieve) asks() bool { return s.conditions(newQuery(nil)) != "" }

func (s entitySieve) conditions(q *query) string { return entityFilter(q, s.where, true).sql() }

func (s entitySieve) beside(*query) string { return "" }

func (s entitySieve) all(q *query, what string) string {
	return "SELECT " + what + " FROM entities AS t WHERE t.user_id = $1" + entityFilter(q, s.where, true).and()
}

// factSieve is a filter of facts.
type factSieve struct {
	where *store.FactWhere
	everyoneThere
}

func (s factSieve) asks() bool { return s.conditions(newQuery(nil)) != "" }

func (s factSieve) filter(q *query) filter {
	return append(factFilter(q, s.where, fromAll), factTime(q, s.where, "t")...)
}

func (s factSieve) conditions(q *query) string { return s.filter(q).sql() }

// beside answers what asks about the moment alone, as nearly every search does.
func (s factSieve) beside(q *query) string {
	if len(factFilter(newQuery(nil), s.where, fromAll)) > 0 {
		return ""
	}
	return factTime(q, s.where, "v").sql()
}

func (s factSieve) all(q *query, what string) string {
	return "SELECT " + what + " FROM facts AS t WHERE t.user_id = $1" + s.filter(q).and()
}
