package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// Delete implements knowledge.Writer. The id of a merged entity is a CONFLICT: what would be erased is more than it
// once meant.
func (b *Base) Delete(ctx context.Context, user model.UserID, id model.ID) (out knowledge.Erased, err error) {
	counts := store.KnowledgeCounts{}
	err = b.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		switch {
		case own(id, model.KindEntity):
			return deleteEntity(ctx, tx, user, id, &counts)
		case own(id, model.KindFact):
			deleted, err := tx.DeleteFacts(ctx, []model.UUID{id.UUID})
			if err != nil {
				return fmt.Errorf("erase a fact: %w", err)
			}
			counts.Facts = len(deleted)
			return notFoundUnless(len(deleted) > 0, id)
		case own(id, model.KindEpisode):
			facts, entities, err := tx.DeleteEpisode(ctx, id.UUID)
			if errors.Is(err, store.ErrNotFound) {
				return notFoundUnless(false, id)
			}
			if err != nil {
				return fmt.Errorf("erase an episode: %w", err)
			}
			counts.Facts, counts.Entities, counts.Episodes = facts, entities, 1
			return nil
		}
		return notFoundUnless(false, id)
	})
	if err != nil {
		return out, err
	}
	return knowledge.Erased{Counts: &counts}, nil
}

func deleteEntity(ctx context.Context, tx store.Tx, user model.UserID, id model.ID,
	counts *store.KnowledgeCounts) error {
	there, err := tx.EntitiesByID(ctx, user, []model.UUID{id.UUID}, 0)
	if err != nil {
		return fmt.Errorf("read an entity: %w", err)
	}
	if e, found := there[id.UUID]; found && e.ID != id {
		err := model.Errorf(model.CodeConflict, "the entity %s became part of %s; erase that one if it is meant", id, e.ID)
		err.Field = model.FieldPath("input.id")
		return err
	}
	deleted, facts, err := tx.DeleteEntities(ctx, []model.UUID{id.UUID})
	if err != nil {
		return fmt.Errorf("erase an entity: %w", err)
	}
	counts.Entities, counts.Facts = len(deleted), facts
	return notFoundUnless(len(deleted) > 0, id)
}

func notFoundUnless(there bool, id model.ID) error {
	if there {
		return nil
	}
	kind := id.Kind
	if kind != model.KindEntity && kind != model.KindFact && kind != model.KindEpisode {
		kind = "such thing"
	}
	return model.NotFound("input.id", "you have no %s %s", kind, model.Clip(id.String()))
}

// Clear implements knowledge.Writer.
func (b *Base) Clear(ctx context.Context, user model.UserID) (out knowledge.Erased, err error) {
	err = b.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		counts, err := tx.ClearKnowledge(ctx)
		out.Counts = &counts
		return err
	})
	if err != nil {
		return knowledge.Erased{}, fmt.Errorf("erase the whole graph: %w", err)
	}
	return out, nil
}

// Invalidate implements knowledge.Editor. A fact that was to end later ends at the moment now, and counts as one that
// was open.
func (b *Base) Invalidate(ctx context.Context, user model.UserID, facts []model.ID, moment,
	now time.Time) (closed map[model.ID]model.Fact, updated int, problems map[model.ID]error, err error) {
	moment, now = stored(moment), stored(now)
	err = b.write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		closed, updated, problems = map[model.ID]model.Fact{}, 0, map[model.ID]error{}
		asked := ownUUIDs(facts, model.KindFact)
		if len(asked) == 0 {
			return nil
		}
		there, err := tx.FactsByID(ctx, user, asked,
			store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityRow})
		if err != nil {
			return fmt.Errorf("read the facts to close: %w", err)
		}
		var save []model.Fact
		for _, fact := range there {
			held := period{fact.ValidAt, fact.InvalidAt}
			switch {
			case !held.to.IsZero() && !held.to.After(moment): // closed already
			case !held.from.IsZero() && !held.from.Before(moment):
				problems[fact.ID] = model.BadInput("input.at", "the fact %s began on %s; it can be closed only after that", fact.ID,
					held.from.Format(time.RFC3339))
				continue
			default:
				fact.InvalidAt = moment
				if fact.ExpiredAt.IsZero() {
					fact.ExpiredAt = now
				}
				fact.Version++
				updated++
				save = append(save, fact)
			}
			closed[fact.ID] = fact
		}
		return b.saveFacts(ctx, tx, save)
	})
	if err != nil {
		return nil, 0, nil, err
	}
	return closed, updated, problems, nil
}

// UpdateEntity implements knowledge.Editor. The id of a merged entity changes the one that it became part of. Aliases
// that are its name, or come twice, are left out. With a new name its facts are found by that from then on, and
// sentences that were made of its name are made anew. A change that changes nothing is none.
func (b *Base) UpdateEntity(ctx context.Context, user model.UserID, id model.ID, ifVersion int,
	change func(*model.Entity) error, now time.Time) (out model.Entity, err error) {
	err = b.write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		before, err := oneEntity(ctx, tx, user, id, "input.id")
		if err != nil {
			return err
		}
		if ifVersion != 0 && before.Version != ifVersion {
			err := model.Errorf(model.CodeConflict, "the entity has version %d by now, not %d", before.Version, ifVersion)
			err.Field = model.FieldPath("input.ifVersion")
			return err
		}
		out = before
		out.Aliases = slices.Clone(before.Aliases)
		if err := change(&out); err != nil {
			return err
		}
		out.ID, out.SourceID, out.Version, out.CreatedAt, out.UpdatedAt = before.ID, before.SourceID, before.Version,
			before.CreatedAt, before.UpdatedAt
		out.Aliases = otherNames(out.Name, out.Aliases)
		if sameEntity(before, out) {
			return nil
		}
		out.Version++
		out.UpdatedAt = stored(now)
		if err := b.saveEntities(ctx, tx, []model.Entity{out}); err != nil {
			return err
		}
		if out.Name == before.Name {
			return nil
		}
		return b.renamed(ctx, tx, user, before, out)
	})
	if err != nil {
		return model.Entity{}, err
	}
	return out, nil
}

// oneEntity reads an entity by its id, or that of one which became part of it. NOT_FOUND of the field.
func oneEntity(ctx context.Context, from store.EntityReader, user model.UserID, id model.ID,
	field string) (model.Entity, error) {
	if own(id, model.KindEntity) {
		there, err := from.EntitiesByID(ctx, user, []model.UUID{id.UUID}, store.EntityRow)
		if err != nil {
			return model.Entity{}, fmt.Errorf("read an entity: %w", err)
		}
		if e, found := there[id.UUID]; found {
			return e, nil
		}
	}
	return model.Entity{}, model.NotFound(field, "you have no entity %s", model.Clip(id.String()))
}

// otherNames are aliases that are not the name, each once.
func otherNames(name string, aliases []string) []string {
	seen := map[string]bool{graphtext.Name(name): true}
	return slices.DeleteFunc(aliases, func(alias string) bool {
		key := graphtext.Name(alias)
		again := seen[key]
		seen[key] = true
		return again
	})
}

func sameEntity(a, b model.Entity) bool {
	return a.Name == b.Name && a.Type == b.Type && a.Summary == b.Summary && a.Attributes == b.Attributes &&
		slices.Equal(a.Aliases, b.Aliases)
}

// renamed saves the facts of an entity that has a new name, step by step.
func (b *Base) renamed(ctx context.Context, tx store.Tx, user model.UserID, before, after model.Entity) error {
	var place *store.TimePlace
	for {
		page, err := tx.ListFacts(ctx, user, store.FactQuery{
			Where: store.FactWhere{Entity: after.ID.UUID}, Want: planWant,
			Page: &store.Window[store.TimePlace]{Limit: b.factsAStep(), After: place},
		})
		if err != nil {
			return fmt.Errorf("read the facts of an entity: %w", err)
		}
		for i := range page.Facts {
			f := &page.Facts[i]
			// The store returns the ends as they are by now; the sentence was made when they were called otherwise.
			was := *f
			was.Source, was.Target = renamedEnd(f.Source, before), renamedEnd(f.Target, before)
			f.Source, f.Target = renamedEnd(f.Source, after), renamedEnd(f.Target, after)
			f.Sentence = resaid(was, *f)
			f.Version++
		}
		if err := b.saveFacts(ctx, tx, page.Facts); err != nil {
			return err
		}
		if !page.HasNext {
			return nil
		}
		place = &page.Places[len(page.Places)-1]
	}
}

// renamedEnd is an end with the name that the entity has, if it is that one.
func renamedEnd(end, entity model.Entity) model.Entity {
	if end.ID == entity.ID {
		end.Name = entity.Name
	}
	return end
}

// resaid is the sentence of a fact whose ends have other names than they had: made anew when it was made of the names.
func resaid(was, is model.Fact) string {
	if graphtext.Same(was.Sentence, graphtext.Sentence(was.Source.Name, was.Relation, was.Target.Name)) {
		return graphtext.Sentence(is.Source.Name, is.Relation, is.Target.Name)
	}
	return is.Sentence
}
