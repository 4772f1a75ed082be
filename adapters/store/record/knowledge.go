package record

import (
	"context"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// Entity is an entity with what leads to it.
type Entity struct {
	model.Entity
	store.EntityLinks
}

// entities are entities with what leads to them.
type entities struct{}

func (entities) read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error) {
	found, err := in.tx.EntitiesByID(ctx, in.user, ids, store.EntityRow)
	if err != nil {
		return nil, err
	}
	links, err := in.tx.EntityLinks(ctx, in.user, ids)
	if err != nil {
		return nil, err
	}
	records := make(map[model.UUID]any, len(found))
	for id, entity := range found {
		if entity.ID.UUID == id { // else it has become part of another one
			records[id] = &Entity{entity, links[id]}
		}
	}
	return records, nil
}

func (entities) layout() layout {
	return layout{fixed: []string{"ID", "CreatedAt", "UpdatedAt", "Version"}, left: []string{"Embedding"}}
}

func (entities) join(parts Parts) (any, error) { return joined[Entity](parts) }

func (entities) about(any) []model.ID { return nil }

func (entities) put(ctx context.Context, in scope, changes []change) error {
	var rows []store.EntityRowOf
	for _, c := range changes {
		want, _ := c.want.(*Entity)
		if want == nil {
			continue
		}
		want.UpdatedAt = in.now
		if now, there := c.now.(*Entity); there {
			want.Version = now.Version + 1
		}
		rows = append(rows, store.EntityRowOf{Entity: want.Entity,
			Indexed: store.Indexed{Entries: graphtext.EntityEntries(want.Entity)}})
	}
	if err := in.tx.SaveEntities(ctx, rows); err != nil {
		return err
	}
	for _, c := range changes {
		want, _ := c.want.(*Entity)
		now, there := c.now.(*Entity)
		if want != nil && there && now.Name != want.Name {
			if err := reindexFacts(ctx, in, want.ID.UUID); err != nil {
				return err
			}
		}
		if want == nil || there && sameLinks(now.EntityLinks, want.EntityLinks) {
			continue
		}
		if err := in.tx.SetEntityLinks(ctx, want.ID.UUID, want.EntityLinks); err != nil {
			return err
		}
	}
	return nil
}

// factsAStep is how many facts of an entity are read and saved at once.
const factsAStep = 500

// reindexFacts saves the facts of an entity that has got its name back, by which they are found too.
func reindexFacts(ctx context.Context, in scope, entity model.UUID) error {
	query := store.FactQuery{Where: store.FactWhere{Entity: entity},
		Want: store.FactWant{Fact: store.FactRow, Ends: store.EntityName | store.EntityType},
		Page: &store.Window[store.TimePlace]{Limit: factsAStep}}
	for {
		page, err := in.tx.ListFacts(ctx, in.user, query)
		if err != nil {
			return err
		}
		rows := make([]store.FactRowOf, len(page.Facts))
		for i, fact := range page.Facts {
			rows[i] = store.FactRowOf{Fact: fact, Indexed: store.Indexed{Entries: graphtext.FactEntries(fact)}}
		}
		if err := in.tx.SaveFacts(ctx, rows); err != nil {
			return err
		}
		if !page.HasNext {
			return nil
		}
		query.Page.After = &page.Places[len(page.Places)-1]
	}
}

func sameLinks(a, b store.EntityLinks) bool {
	return slices.Equal(a.Redirects, b.Redirects) && slices.Equal(a.Mentions, b.Mentions)
}

// facts are facts with the episodes that support them.
type facts struct{}

func (facts) read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error) {
	found, err := in.tx.FactsByID(ctx, in.user, ids,
		store.FactWant{Fact: store.FactRow | store.FactEpisodes})
	if err != nil {
		return nil, err
	}
	records := make(map[model.UUID]any, len(found))
	for i := range found {
		records[found[i].ID.UUID] = &found[i]
	}
	return records, nil
}

func (facts) layout() layout {
	return layout{fixed: []string{"ID", "Version"}, left: []string{"Embedding"}}
}

func (facts) join(parts Parts) (any, error) { return joined[model.Fact](parts) }

// about: a fact says what its ends are called and what an episode told.
func (facts) about(record any) []model.ID {
	fact, is := record.(*model.Fact)
	if !is {
		return nil
	}
	return append([]model.ID{fact.Source.ID, fact.Target.ID}, fact.Episodes...)
}

func (facts) put(ctx context.Context, in scope, changes []change) error {
	var rows []store.FactRowOf
	ends, err := endsOf(ctx, in, changes)
	if err != nil {
		return err
	}
	for _, c := range changes {
		want, _ := c.want.(*model.Fact)
		if want == nil {
			continue
		}
		if now, there := c.now.(*model.Fact); there {
			want.Version = now.Version + 1
		}
		want.Source, want.Target = ends[want.Source.ID.UUID], ends[want.Target.ID.UUID]
		rows = append(rows, store.FactRowOf{Fact: *want,
			Indexed: store.Indexed{Entries: graphtext.FactEntries(*want)}})
	}
	if err := in.tx.SaveFacts(ctx, rows); err != nil {
		return err
	}
	for _, c := range changes {
		want, _ := c.want.(*model.Fact)
		now, there := c.now.(*model.Fact)
		if want == nil || !there || slices.Equal(now.Episodes, want.Episodes) {
			continue
		}
		episodes := make([]model.UUID, len(want.Episodes))
		for i, id := range want.Episodes {
			episodes[i] = id.UUID
		}
		if err := in.tx.SetFactEpisodes(ctx, want.ID.UUID, episodes); err != nil {
			return err
		}
	}
	return nil
}

// endsOf reads the entities at the ends of facts that shall be there, since facts are found by their names too.
func endsOf(ctx context.Context, in scope, changes []change) (map[model.UUID]model.Entity, error) {
	var ids []model.UUID
	for _, c := range changes {
		if want, is := c.want.(*model.Fact); is && want != nil {
			ids = append(ids, want.Source.ID.UUID, want.Target.ID.UUID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return in.tx.EntitiesByID(ctx, in.user, ids, store.EntityName|store.EntityType)
}

// episodes are episodes. How far one has been read is the server's affair; what was read from it is taken back with it
// (see Plan).
type episodes struct{}

func (episodes) read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error) {
	found, err := in.tx.EpisodesByID(ctx, in.user, ids, store.EpisodeRow)
	if err != nil {
		return nil, err
	}
	records := make(map[model.UUID]any, len(found))
	for i := range found {
		records[found[i].ID.UUID] = &found[i]
	}
	return records, nil
}

func (episodes) layout() layout {
	return layout{loose: []string{"State", "Problem", "Attempts", "NextAt"}, fixed: []string{"ID", "CreatedAt"}}
}

func (episodes) join(parts Parts) (any, error) { return joined[model.Episode](parts) }

func (episodes) about(any) []model.ID { return nil }

func (episodes) put(ctx context.Context, in scope, changes []change) error {
	var all []model.Episode
	for _, c := range changes {
		if want, is := c.want.(*model.Episode); is && want != nil {
			all = append(all, *want)
		}
	}
	return in.tx.SaveEpisodes(ctx, all)
}

// SaveEntities records and writes.
func (t *recording) SaveEntities(ctx context.Context, rows []store.EntityRowOf) error {
	if err := t.before(ctx, model.KindEntity, idsOf(rows, store.EntityRowOf.ID)...); err != nil {
		return err
	}
	return t.Tx.SaveEntities(ctx, rows)
}

// SaveFacts records and writes.
func (t *recording) SaveFacts(ctx context.Context, rows []store.FactRowOf) error {
	if err := t.before(ctx, model.KindFact, idsOf(rows, store.FactRowOf.ID)...); err != nil {
		return err
	}
	return t.Tx.SaveFacts(ctx, rows)
}

// SaveEpisodes records and writes.
func (t *recording) SaveEpisodes(ctx context.Context, all []model.Episode) error {
	if err := t.before(ctx, model.KindEpisode,
		idsOf(all, func(e model.Episode) model.UUID { return e.ID.UUID })...); err != nil {
		return err
	}
	return t.Tx.SaveEpisodes(ctx, all)
}

// NoteMentions records and writes.
func (t *recording) NoteMentions(ctx context.Context, episode model.UUID, entities []model.UUID) error {
	if err := t.before(ctx, model.KindEntity, entities...); err != nil {
		return err
	}
	return t.Tx.NoteMentions(ctx, episode, entities)
}

// MoveEntity records and writes.
func (t *recording) MoveEntity(ctx context.Context, from, into model.UUID) error {
	if err := t.before(ctx, model.KindEntity, from, into); err != nil {
		return err
	}
	return t.Tx.MoveEntity(ctx, from, into)
}

// SetEntityLinks records and writes.
func (t *recording) SetEntityLinks(ctx context.Context, entity model.UUID, links store.EntityLinks) error {
	led, err := t.EntitiesByID(ctx, t.r.User, links.Redirects, 0) // those that lose a redirect
	if err != nil {
		return err
	}
	ids := []model.UUID{entity}
	for _, other := range led {
		ids = append(ids, other.ID.UUID)
	}
	if err := t.before(ctx, model.KindEntity, ids...); err != nil {
		return err
	}
	return t.Tx.SetEntityLinks(ctx, entity, links)
}

// SetFactEpisodes records and writes.
func (t *recording) SetFactEpisodes(ctx context.Context, fact model.UUID, episodes []model.UUID) error {
	if err := t.before(ctx, model.KindFact, fact); err != nil {
		return err
	}
	return t.Tx.SetFactEpisodes(ctx, fact, episodes)
}

// DeleteEntities notes what was erased.
func (t *recording) DeleteEntities(ctx context.Context, ids []model.UUID) ([]model.UUID, int, error) {
	deleted, facts, err := t.Tx.DeleteEntities(ctx, ids)
	t.erased(model.KindEntity, deleted...)
	return deleted, facts, err
}

// DeleteFacts notes what was erased.
func (t *recording) DeleteFacts(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	deleted, err := t.Tx.DeleteFacts(ctx, ids)
	t.erased(model.KindFact, deleted...)
	return deleted, err
}

// DeleteEpisode notes what was erased.
func (t *recording) DeleteEpisode(ctx context.Context, id model.UUID) (facts, entities int, err error) {
	facts, entities, err = t.Tx.DeleteEpisode(ctx, id)
	if err == nil {
		t.erased(model.KindEpisode, id)
	}
	return facts, entities, err
}

// ClearKnowledge notes what was erased.
func (t *recording) ClearKnowledge(ctx context.Context) (store.KnowledgeCounts, error) {
	counts, err := t.Tx.ClearKnowledge(ctx)
	if err == nil && counts.Entities+counts.Facts+counts.Episodes > 0 {
		t.erased(model.KindUser, model.UUID(t.r.User))
	}
	return counts, err
}

// idsOf returns the id of each item.
func idsOf[T any](items []T, id func(T) model.UUID) []model.UUID {
	ids := make([]model.UUID, len(items))
	for i, item := range items {
		ids[i] = id(item)
	}
	return ids
}
