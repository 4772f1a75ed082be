package knowledge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// mergeWant is what must be known of facts that may be joined: their episodes too.
var mergeWant = store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityName}

// Merge implements knowledge.Editor.
//
// The facts of the others move to the one that stays, step by step. Those that say the same then, of the same ends at
// overlapping times, are joined: the oldest stays, with all episodes, and holds whenever one of them held; what it
// lacks it takes from the others. Sentences that were made of names are made anew. A fact between two that become one
// is kept, and is about the one alone then: nothing is erased by a merge but what another fact says. An entity that
// became part of the one before is counted no more, and nothing is done for it.
func (b *Base) Merge(ctx context.Context, user model.UserID, into model.ID, others []model.ID,
	now time.Time) (out knowledge.Merged, err error) {
	if len(others) > model.MaxMergedEntities {
		return out, model.BadInput("input.entities", "at most %d entities can be merged at once, not %d",
			model.MaxMergedEntities, len(others))
	}
	err = b.write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		m, parts, err := b.mergerOf(ctx, tx, user, into, others)
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err := m.take(ctx, part); err != nil {
				return err
			}
		}
		if len(parts) > 0 {
			m.stays.Version++
			m.stays.UpdatedAt = stored(now)
			if err := b.saveEntities(ctx, tx, []model.Entity{m.stays}); err != nil {
				return err
			}
		}
		out = knowledge.Merged{Entity: m.stays, Merged: len(parts), FactsMoved: len(m.moved), Joined: len(m.joined)}
		return nil
	})
	if err != nil {
		return knowledge.Merged{}, err
	}
	return out, nil
}

// merger makes entities part of one.
type merger struct {
	base  *Base
	tx    store.Tx
	user  model.UserID
	stays model.Entity
	moved map[model.UUID]bool
	// joined leads from each fact that went to the one that says the same.
	joined map[model.ID]model.ID
}

// mergerOf reads the entities; those that are part of the one already are left out.
func (b *Base) mergerOf(ctx context.Context, tx store.Tx, user model.UserID, into model.ID,
	others []model.ID) (*merger, []model.Entity, error) {
	there, err := tx.EntitiesByID(ctx, user, ownUUIDs(append([]model.ID{into}, others...), model.KindEntity),
		store.EntityRow)
	if err != nil {
		return nil, nil, fmt.Errorf("read entities: %w", err)
	}
	find := func(id model.ID, field string) (model.Entity, error) {
		if e, found := there[id.UUID]; found && own(id, model.KindEntity) {
			return e, nil
		}
		return model.Entity{}, model.NotFound(field, "you have no entity %s", model.Clip(id.String()))
	}
	m := &merger{base: b, tx: tx, user: user, moved: map[model.UUID]bool{}, joined: map[model.ID]model.ID{}}
	if m.stays, err = find(into, "input.into"); err != nil {
		return nil, nil, err
	}
	m.stays.Aliases = slices.Clone(m.stays.Aliases)
	var parts []model.Entity
	seen := map[model.ID]bool{m.stays.ID: true}
	for i, id := range others {
		field := "input.entities." + strconv.Itoa(i)
		if id == into {
			return nil, nil, model.BadInput(field, "an entity cannot become part of itself")
		}
		part, err := find(id, field)
		if err != nil {
			return nil, nil, err
		}
		if !seen[part.ID] {
			seen[part.ID] = true
			parts = append(parts, part)
		}
	}
	return m, parts, nil
}

// take makes an entity part of the one that stays.
func (m *merger) take(ctx context.Context, part model.Entity) error {
	for {
		// What was moved is not this entity's any more, so the first page always is of what is left.
		page, err := m.tx.ListFacts(ctx, m.user, store.FactQuery{
			Where: store.FactWhere{Entity: part.ID.UUID}, Want: mergeWant,
			Page: &store.Window[store.TimePlace]{Limit: m.base.factsAStep()},
		})
		if err != nil {
			return fmt.Errorf("read the facts of an entity: %w", err)
		}
		if len(page.Facts) == 0 {
			break
		}
		if err := m.move(ctx, part, page.Facts); err != nil {
			return err
		}
	}
	if err := m.tx.MoveEntity(ctx, part.ID.UUID, m.stays.ID.UUID); err != nil {
		return fmt.Errorf("make an entity part of another: %w", err)
	}
	m.learn(part)
	return nil
}

// learn adds what the entity was called, and what it knew where the other one knew nothing.
func (m *merger) learn(part model.Entity) {
	for _, name := range append([]string{part.Name}, part.Aliases...) {
		if len(m.stays.Aliases) < model.MaxAliases && !hasName(m.stays, graphtext.Name(name)) {
			m.stays.Aliases = append(m.stays.Aliases, name)
		}
	}
	if m.stays.Type == "" {
		m.stays.Type = part.Type
	}
	if m.stays.Summary == "" {
		m.stays.Summary = part.Summary
	}
	m.stays.Attributes = withAttributes(m.stays.Attributes, part.Attributes)
}

// endsOf names facts that may be the same.
type endsOf struct {
	source, target model.ID
	relation       string
}

// mergedFact is a fact as it is after a merge.
type mergedFact struct {
	model.Fact
	changed, gone bool
	saying
}

func newMergedFact(fact model.Fact, changed bool) *mergedFact {
	return &mergedFact{Fact: fact, changed: changed,
		saying: sayingOf(fact.Sentence, fact.Source.Name, fact.Relation, fact.Target.Name)}
}

// move moves some facts of a part to the one that stays, and joins them with what is there.
func (m *merger) move(ctx context.Context, part model.Entity, facts []model.Fact) error {
	moving := make([]*mergedFact, len(facts))
	here := map[model.ID]bool{}
	var pairs []store.FactPair
	asked := map[store.FactPair]bool{}
	for i, was := range facts {
		is := was
		is.Source, is.Target = m.end(was.Source, part), m.end(was.Target, part)
		is.Sentence = resaid(was, is)
		moving[i] = newMergedFact(is, true)
		m.moved[was.ID.UUID] = true
		here[was.ID] = true
		pair := store.FactPair{Source: is.Source.ID.UUID, Relation: is.Relation}
		if !asked[pair] {
			asked[pair] = true
			pairs = append(pairs, pair)
		}
	}
	there, err := m.tx.FactsOfPairs(ctx, m.user, pairs, mergeWant)
	if err != nil {
		return fmt.Errorf("read the facts that may be the same: %w", err)
	}
	groups := map[endsOf][]*mergedFact{}
	for _, f := range moving {
		ends := endsOf{f.Source.ID, f.Target.ID, f.Relation}
		groups[ends] = append(groups[ends], f)
	}
	var all []*mergedFact
	for _, fact := range there {
		if here[fact.ID] {
			continue
		}
		ends := endsOf{fact.Source.ID, fact.Target.ID, fact.Relation}
		if _, concerned := groups[ends]; concerned {
			groups[ends] = append(groups[ends], newMergedFact(fact, false))
		} else {
			all = append(all, &mergedFact{Fact: fact})
		}
	}
	for _, group := range groups {
		m.join(group)
		all = append(all, group...)
	}
	for _, f := range all {
		m.follow(f)
	}
	slices.SortFunc(all, func(a, b *mergedFact) int { return bytes.Compare(a.ID.UUID[:], b.ID.UUID[:]) })
	return m.save(ctx, all)
}

// end is an end of a fact after the merge.
func (m *merger) end(entity, part model.Entity) model.Entity {
	if entity.ID == part.ID {
		return model.Entity{ID: m.stays.ID, Name: m.stays.Name}
	}
	return entity
}

func (f *mergedFact) period() period { return period{f.ValidAt, f.InvalidAt} }

// join joins those of a group, facts of the same ends and relation, that say the same at overlapping times, until no
// two do.
func (m *merger) join(group []*mergedFact) {
	slices.SortFunc(group, func(a, b *mergedFact) int { return bytes.Compare(a.ID.UUID[:], b.ID.UUID[:]) })
	for again := true; again; {
		again = false
		for i, older := range group {
			for _, newer := range group[i+1:] {
				if !older.gone && !newer.gone && (older.changed || newer.changed) && older.period().overlaps(newer.period()) &&
					older.saysAs(newer.saying) {
					older.absorb(newer)
					m.joined[newer.ID] = older.ID
					again = true // it may have grown into another one
				}
			}
		}
	}
}

// follow has a fact that was closed by one that went name the one that says the same. What closes a fact has its source
// and relation nearly always, so those are the facts that were read.
func (m *merger) follow(f *mergedFact) {
	for {
		stays, went := m.joined[f.ReplacedBy]
		if !went {
			break
		}
		f.ReplacedBy, f.changed = stays, true
	}
	if f.ReplacedBy == f.ID {
		f.ReplacedBy = model.ID{} // nothing closes itself
	}
}

// absorb takes what a newer fact knows that says the same.
func (f *mergedFact) absorb(newer *mergedFact) {
	held := f.period().union(newer.period())
	if !held.to.Equal(f.InvalidAt) {
		f.InvalidAt, f.ExpiredAt, f.ReplacedBy = newer.InvalidAt, newer.ExpiredAt, newer.ReplacedBy
	}
	f.ValidAt = held.from
	if f.plain && !newer.plain {
		f.Sentence, f.saying = newer.Sentence, newer.saying
	}
	if newer.CreatedAt.Before(f.CreatedAt) {
		f.CreatedAt = newer.CreatedAt
	}
	if f.Confidence == nil {
		f.Confidence = newer.Confidence
	}
	f.Attributes = withAttributes(f.Attributes, newer.Attributes)
	for _, episode := range newer.Episodes {
		if !slices.Contains(f.Episodes, episode) {
			f.Episodes = append(slices.Clip(f.Episodes), episode)
		}
	}
	f.changed, newer.gone = true, true
}

// save writes what has become of facts. Those that went are withdrawn before the others come to say the same.
func (m *merger) save(ctx context.Context, all []*mergedFact) error {
	var gone []model.ID
	var changed []model.Fact
	for _, f := range all {
		switch {
		case f.gone:
			gone = append(gone, f.ID)
		case f.changed:
			f.Version++
			changed = append(changed, f.Fact)
		}
	}
	if len(gone) > 0 {
		if err := m.tx.Withdraw(ctx, gone); err != nil {
			return fmt.Errorf("withdraw facts that another one says too: %w", err)
		}
	}
	return m.base.saveFacts(ctx, m.tx, changed)
}
