package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// PendingKnowledge: see store.KnowledgeVectors. Entities and facts are walked as memories are.
func (s *Store) PendingKnowledge(ctx context.Context, name string, after store.KnowledgePlace,
	limit int) (pending []store.PendingKnowledge, last store.KnowledgePlace, err error) {
	last = after
	if limit <= 0 {
		return nil, last, ctx.Err()
	}
	err = s.reading(ctx, oneTransaction, func(q *session) error {
		if !last.Facts {
			entities, place, err := pendingEntities().next(q, name, last.PendingPlace, limit)
			if err != nil {
				return err
			}
			pending, last.PendingPlace = entities, place
		}
		if len(pending) == limit {
			return nil
		}
		from := store.PendingPlace{}
		if last.Facts {
			from = last.PendingPlace
		}
		facts, place, err := pendingFacts().next(q, name, from, limit-len(pending))
		if err != nil {
			return err
		}
		if len(facts) > 0 {
			pending, last = append(pending, facts...), store.KnowledgePlace{Facts: true, PendingPlace: place}
		}
		return nil
	})
	if err != nil {
		return nil, store.KnowledgePlace{}, wrap("knowledge to embed", err)
	}
	return pending, last, nil
}

func pendingEntities() *pendingOf[store.PendingKnowledge] {
	selected := entitySelection(store.EntityTable.Read(store.EntityRow))
	var columns statement
	selected.write(&columns, "m")
	return &pendingOf[store.PendingKnowledge]{of: &entityPopulation, columns: columns.sql.String(),
		read: func(stmt *sqlite.Stmt, user model.UserID) (p store.PendingKnowledge, id model.UUID, err error) {
			p = store.PendingKnowledge{User: user, Entity: new(model.Entity)}
			err = selected.readRow(stmt, p.Entity)
			return p, p.Entity.ID.UUID, err
		}}
}

func pendingFacts() *pendingOf[store.PendingKnowledge] {
	selected := selectFact(store.FactWant{Fact: store.FactRow, Ends: store.EntityName | store.EntityType})
	var columns, joins statement
	selected.write(&columns)
	selected.join(&joins)
	return &pendingOf[store.PendingKnowledge]{of: &factPopulation, columns: columns.sql.String(),
		joins: joins.sql.String(),
		read: func(stmt *sqlite.Stmt, user model.UserID) (p store.PendingKnowledge, id model.UUID, err error) {
			p = store.PendingKnowledge{User: user, Fact: new(model.Fact)}
			err = selected.readRow(stmt, p.Fact)
			return p, p.Fact.ID.UUID, err
		}}
}

// SaveKnowledgeVectors: see store.KnowledgeVectors.
func (s *Store) SaveKnowledgeVectors(ctx context.Context, user model.UserID,
	vectors []store.KnowledgeVectorOf) (kept int, err error) {
	if len(vectors) == 0 {
		return 0, ctx.Err()
	}
	of := make(map[*population][]vectorOf, 2)
	for _, v := range vectors {
		p := &entityPopulation
		switch v.Kind {
		case model.KindEntity:
		case model.KindFact:
			p = &factPopulation
		default:
			return 0, model.BadInput("", "a vector is of an entity or a fact, not of a %s", v.Kind)
		}
		of[p] = append(of[p], vectorOf{v.ID, v.Version, v.Embedding, v.Entries})
	}
	err = s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.atomically(ctx, func(q *session) error {
			kept = 0
			for _, p := range [...]*population{&entityPopulation, &factPopulation} {
				some, err := saveVectors(q, p, user, of[p])
				if err != nil {
					return err
				}
				kept += some
			}
			return nil
		})
	})
	if err != nil {
		return 0, wrap("save vectors", err)
	}
	return kept, nil
}
