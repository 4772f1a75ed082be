package knowledge

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// planWant is what a plan must know of facts: whole rows, which are written back, and the names of their ends, of which
// sentences and entries are made.
var planWant = store.FactWant{Fact: store.FactRow, Ends: store.EntityName}

// AddFacts implements knowledge.Writer.
//
// An entity is found by its id, else by its folded name or alias. With a type it is the one of that type, or one
// without a type, which takes it; without, the only one: CONFLICT where several have the name. When there is none, a
// new one is made; unless an alias that comes with it is the only name of an entity that is there. What is told of an
// entity is added where nothing was said before: type, summary, aliases, entries of attributes. An alias that would not
// tell two entities apart is left out, and so is what is more than an entity may have.
//
// A fact is known when one with the same ends, relation and sentence is there whose time overlaps with its own. A
// sentence that says no more than ends and relation do says the same as any: a fact that has one takes the first that
// says more. A known fact begins at the earliest beginning that was told, and ends at the earliest end. Closes ends
// facts where the new one begins, or now. Exclusive ends facts to other targets which began before it there, too, and
// ends it where the next one begins: so history may be told in any order. An exclusive fact without a time begins now
// when there are others before it.
//
// Within one call the order of the facts makes no difference at all. Between calls it may where they contradict each
// other or leave something open: the first summary is kept; a name without a type means what it meant then; of two
// exclusive facts that begin at the same moment, or have no time, the later told holds (in one call: CONFLICT); and
// what is told again without saying since when, of a fact that has been closed, does not open it.
//
// Atomic returns the problem of the first fact that has one. It takes a bounded number of store calls: one for names
// (and one for each 2,000 aliases), ids, facts by id and facts by pair, one to save entities, one to save facts.
func (b *Base) AddFacts(ctx context.Context, user model.UserID,
	add knowledge.NewFacts) (out knowledge.FactsAdded, err error) {
	if len(add.Facts) > model.MaxFactsAtOnce {
		return out, model.BadInput("input.facts", "at most %d facts can be added at once, not %d", model.MaxFactsAtOnce,
			len(add.Facts))
	}
	err = b.write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		if add.Episode != (model.ID{}) {
			there, err := oneEpisode(ctx, tx, user, add.Episode, "input.episodeId", 0)
			if err != nil {
				return err
			}
			add.Episode = there.ID
		}
		done, problems, err := b.tell(ctx, tx, user, telling{facts: add.Facts, episode: add.Episode, now: stored(add.Now)},
			add.Atomic)
		if err != nil {
			return err
		}
		out = done.answer(problems)
		return nil
	})
	if err != nil {
		return knowledge.FactsAdded{}, err
	}
	return out, nil
}

// answer puts a plan into the words of the contract.
func (p *plan) answer(problems []error) knowledge.FactsAdded {
	return knowledge.FactsAdded{
		Ids: p.told, Problems: problems,
		Created: p.created, Unchanged: p.unchanged, Invalidated: p.invalidated, EntitiesMade: p.entitiesMade,
		New: p.factsNew, EntitiesNew: p.entitiesNew,
	}
}

// tell reads what is there, plans, and saves. With atomic the first problem is its error.
func (b *Base) tell(ctx context.Context, tx store.Tx, user model.UserID, t telling,
	atomic bool) (done plan, problems []error, err error) {
	t.facts = slices.Clone(t.facts)
	there, err := around(ctx, tx, user, t)
	if err != nil {
		return done, nil, err
	}
	p := newPlanner(t, there)
	p.check()
	for {
		missing := p.run()
		if len(missing) == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return done, nil, err
		}
		want := planWant
		if t.episode != (model.ID{}) {
			want.Fact |= store.FactEpisodes
		}
		for pairs := range slices.Chunk(missing, model.MaxFactsAtOnce) {
			facts, err := tx.FactsOfPairs(ctx, user, pairs, want)
			if err != nil {
				return done, nil, fmt.Errorf("read what is known of the ends: %w", err)
			}
			p.learned(pairs, facts)
		}
	}
	if atomic {
		for _, problem := range p.problems {
			if problem != nil {
				return done, nil, problem
			}
		}
	}
	done = p.done(b.NewID)
	if err := b.saveEntities(ctx, tx, done.entities); err != nil {
		return done, nil, err
	}
	if err := b.saveFacts(ctx, tx, done.facts); err != nil {
		return done, nil, err
	}
	return done, p.problems, nil
}

// check brings times to what the stores keep, and refuses facts whose end does not come after their beginning.
func (p *planner) check() {
	for i := range p.telling.facts {
		f := &p.telling.facts[i]
		f.ValidAt, f.InvalidAt = stored(f.ValidAt), stored(f.InvalidAt)
		if !f.ValidAt.IsZero() && !f.InvalidAt.IsZero() && !f.ValidAt.Before(f.InvalidAt) {
			p.problems[i] = model.BadInput(at(i, "invalidAt"), "invalidAt must be after validAt")
		}
	}
}

// around reads the entities that are named, and the facts that are to be closed.
func around(ctx context.Context, tx store.Tx, user model.UserID, t telling) (known, error) {
	there := known{
		named: map[string][]model.Entity{}, byID: map[model.UUID]model.Entity{},
		pairs: map[store.FactPair]bool{}, facts: map[model.UUID]model.Fact{},
	}
	names, others := map[string]bool{}, map[string]bool{}
	ids, closes := map[model.UUID]bool{}, map[model.UUID]bool{}
	note := func(end knowledge.End) {
		if own(end.ID, model.KindEntity) {
			ids[end.ID.UUID] = true
		} else if end.ID == (model.ID{}) {
			names[graphtext.Name(end.Name)] = true
		}
		for _, alias := range end.Aliases {
			others[graphtext.Name(alias)] = true
		}
	}
	for _, fact := range t.facts {
		note(fact.Source)
		note(fact.Target)
		for _, id := range fact.Closes {
			if own(id, model.KindFact) {
				closes[id.UUID] = true
			}
		}
	}
	for _, end := range t.mentions {
		note(end)
	}
	maps.Copy(names, others)
	delete(names, "")
	for some := range slices.Chunk(slices.Sorted(maps.Keys(names)), 2*model.MaxFactsAtOnce) {
		found, err := tx.EntitiesByName(ctx, user, some, store.EntityRow)
		if err != nil {
			return there, fmt.Errorf("read entities by their names: %w", err)
		}
		maps.Copy(there.named, found)
	}
	if len(ids) > 0 {
		found, err := tx.EntitiesByID(ctx, user, slices.Collect(maps.Keys(ids)), store.EntityRow)
		if err != nil {
			return there, fmt.Errorf("read entities by their ids: %w", err)
		}
		maps.Copy(there.byID, found)
	}
	if len(closes) > 0 {
		found, err := tx.FactsByID(ctx, user, slices.Collect(maps.Keys(closes)),
			store.FactWant{Fact: planWant.Fact | store.FactEpisodes, Ends: planWant.Ends})
		if err != nil {
			return there, fmt.Errorf("read the facts to close: %w", err)
		}
		for _, fact := range found {
			there.facts[fact.ID.UUID] = fact
		}
	}
	return there, nil
}

// saveEntities saves entities with their entries, and their vectors where they can be had at once.
func (b *Base) saveEntities(ctx context.Context, tx store.Tx, entities []model.Entity) error {
	rows := make([]store.EntityRowOf, len(entities))
	made := vectors(ctx, b, entities, graphtext.Entity)
	for i, entity := range entities {
		entity.Embedding = made[i]
		rows[i] = store.EntityRowOf{Entity: entity, Indexed: store.Indexed{Entries: graphtext.EntityEntries(entity)}}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := tx.SaveEntities(ctx, rows); err != nil {
		return fmt.Errorf("save entities: %w", err)
	}
	return nil
}

// saveFacts saves facts, which have the names of their ends, as saveEntities saves entities.
func (b *Base) saveFacts(ctx context.Context, tx store.Tx, facts []model.Fact) error {
	rows := make([]store.FactRowOf, len(facts))
	made := vectors(ctx, b, facts, graphtext.Fact)
	for i, fact := range facts {
		fact.Embedding = made[i]
		rows[i] = store.FactRowOf{Fact: fact, Indexed: store.Indexed{Entries: graphtext.FactEntries(fact)}}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := tx.SaveFacts(ctx, rows); err != nil {
		return fmt.Errorf("save facts: %w", err)
	}
	return nil
}

// vectors makes the vectors of things' texts when that asks nobody else; otherwise they are empty, and the worker makes
// them.
func vectors[T any](ctx context.Context, b *Base, things []T, text func(T) string) []model.Embedding {
	all := make([]model.Embedding, len(things))
	if !b.Embedder.Model().Local {
		return all
	}
	done := 0
	for some := range slices.Chunk(things, model.MaxBulk) {
		texts := make([]string, len(some))
		for i, one := range some {
			texts[i] = text(one)
		}
		made, err := b.Embedder.Embed(ctx, texts)
		if err != nil || len(made) != len(some) {
			return make([]model.Embedding, len(things)) // a vector can come later
		}
		done += copy(all[done:], made)
	}
	return all
}
