package postgres

import (
	"context"
	"fmt"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// PendingKnowledge returns entities, then facts, that have no vector of the model; see the contract.
func (s *Store) PendingKnowledge(ctx context.Context, name string, after store.KnowledgePlace,
	limit int) ([]store.PendingKnowledge, store.KnowledgePlace, error) {
	var found []store.PendingKnowledge
	fail := func(err error) ([]store.PendingKnowledge, store.KnowledgePlace, error) {
		return nil, after, fmt.Errorf("postgres: read knowledge without a vector: %w", err)
	}
	place := after
	if !place.Facts {
		shape := entityShape(store.EntityRow)
		next, err := s.pending(ctx, entityPopulation(), name, place.PendingPlace, limit,
			pendingRows{list: shape.list("t"), read: func(r *row, user model.UserID) model.UUID {
				entity := new(model.Entity)
				shape.read(r, entity)
				found = append(found, store.PendingKnowledge{User: user, Entity: entity})
				return entity.ID.UUID
			}})
		if err != nil {
			return fail(err)
		}
		if len(found) >= limit {
			return found, store.KnowledgePlace{PendingPlace: next}, nil
		}
		place = store.KnowledgePlace{Facts: true}
	}
	shape := factShape(store.FactWant{Fact: store.FactRow, Ends: store.EntityName | store.EntityType})
	next, err := s.pending(ctx, factPopulation(), name, place.PendingPlace, limit-len(found), pendingRows{
		list: shape.list(), joins: shape.joins("t.user_id"), read: func(r *row, user model.UserID) model.UUID {
			fact := new(model.Fact)
			shape.read(r, fact)
			found = append(found, store.PendingKnowledge{User: user, Fact: fact})
			return fact.ID.UUID
		},
	})
	if err != nil {
		return fail(err)
	}
	return found, store.KnowledgePlace{Facts: true, PendingPlace: next}, nil
}

// SaveKnowledgeVectors keeps vectors of entities and facts that are still as they were when they were embedded; of one
// given twice, the last.
func (s *Store) SaveKnowledgeVectors(ctx context.Context, user model.UserID,
	vectors []store.KnowledgeVectorOf) (int, error) {
	of := make(map[population]*vectorRows, 2)
	for kind, in := range map[model.Kind]population{model.KindEntity: entityPopulation(),
		model.KindFact: factPopulation()} {
		var c vectorRows
		own := slices.DeleteFunc(slices.Clone(vectors), func(v store.KnowledgeVectorOf) bool { return v.Kind != kind })
		for _, v := range lastOf(own, func(v store.KnowledgeVectorOf) model.UUID { return v.ID }) {
			if err := c.add(v.ID, v.Version, v.Embedding, v.Entries); err != nil {
				return 0, err
			}
		}
		of[in] = &c
	}
	kept, err := s.keepVectors(ctx, user, of)
	if err != nil {
		return 0, fmt.Errorf("postgres: save vectors of knowledge: %w", err)
	}
	return kept, nil
}
