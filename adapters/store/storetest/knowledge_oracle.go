package storetest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/projections/vector"
	terms "almanac/projections/words"
)

// web is the oracle of knowledge: one user's graph. It does and answers what the contract says, by looking at
// everything. What is in it is never changed in place.
type web struct {
	entities map[model.UUID]knownEntity
	facts    map[model.UUID]knownFact
	episodes map[model.UUID]model.Episode
	// mentions are the entities noted with an episode.
	mentions map[model.UUID]map[model.UUID]bool
	// moved is what an entity has become part of, which is there.
	moved map[model.UUID]model.UUID
	// changed is when anything was saved or deleted last.
	changed time.Time
}

// knownEntity is an entity as it is kept, with its keys.
type knownEntity struct {
	model.Entity
	key, typeKey string
	names        map[string]bool
	entries      []string
}

// knownFact is a fact as it is kept: of its ends the ids alone.
type knownFact struct {
	model.Fact
	entries []string
}

func newWeb() *web {
	return &web{
		entities: map[model.UUID]knownEntity{}, facts: map[model.UUID]knownFact{}, episodes: map[model.UUID]model.Episode{},
		mentions: map[model.UUID]map[model.UUID]bool{}, moved: map[model.UUID]model.UUID{},
	}
}

func (w *web) clone() *web {
	out := &web{entities: maps.Clone(w.entities), facts: maps.Clone(w.facts), episodes: maps.Clone(w.episodes),
		mentions: map[model.UUID]map[model.UUID]bool{}, moved: maps.Clone(w.moved), changed: w.changed}
	for id, noted := range w.mentions {
		out.mentions[id] = maps.Clone(noted)
	}
	return out
}

func entityID(id model.UUID) model.ID  { return model.ID{Kind: model.KindEntity, UUID: id} }
func factID(id model.UUID) model.ID    { return model.ID{Kind: model.KindFact, UUID: id} }
func episodeID(id model.UUID) model.ID { return model.ID{Kind: model.KindEpisode, UUID: id} }

func (w *web) saveEntity(row store.EntityRowOf) (operation model.Operation) {
	e := row.Entity
	e.SourceID, e.CreatedAt, e.UpdatedAt, e.Embedding = "", keptTime(e.CreatedAt), keptTime(e.UpdatedAt),
		keptEmbedding(e.Embedding)
	if len(e.Aliases) == 0 {
		e.Aliases = nil
	}
	operation = model.OperationCreated
	if old, ok := w.entities[e.ID.UUID]; ok {
		operation = model.OperationUpdated
		e.CreatedAt = old.CreatedAt
		if len(row.Entity.Embedding.Vector) == 0 && e.Name == old.Name && e.Type == old.Type && e.Summary == old.Summary &&
			slices.Equal(e.Aliases, old.Aliases) && e.Attributes == old.Attributes {
			e.Embedding = old.Embedding
		}
	}
	known := knownEntity{Entity: e, key: graphtext.Name(e.Name), typeKey: graphtext.Name(e.Type), names: map[string]bool{},
		entries: row.Entries}
	for _, name := range append([]string{e.Name}, e.Aliases...) {
		known.names[graphtext.Name(name)] = true
	}
	w.entities[e.ID.UUID] = known
	delete(w.moved, e.ID.UUID)
	return operation
}

// saveFact tells with an empty operation that an end is missing.
func (w *web) saveFact(row store.FactRowOf) (operation model.Operation) {
	f := row.Fact
	if _, ok := w.entities[f.Source.ID.UUID]; !ok {
		return ""
	}
	if _, ok := w.entities[f.Target.ID.UUID]; !ok {
		return ""
	}
	f.SourceID, f.Source, f.Target = "", model.Entity{ID: f.Source.ID}, model.Entity{ID: f.Target.ID}
	f.ValidAt, f.InvalidAt, f.CreatedAt, f.ExpiredAt, f.Embedding = keptTime(f.ValidAt), keptTime(f.InvalidAt),
		keptTime(f.CreatedAt), keptTime(f.ExpiredAt), keptEmbedding(f.Embedding)
	operation = model.OperationCreated
	episodes := slices.Clone(f.Episodes)
	if old, ok := w.facts[f.ID.UUID]; ok {
		operation = model.OperationUpdated
		if len(row.Fact.Embedding.Vector) == 0 && f.Sentence == old.Sentence && f.Relation == old.Relation &&
			f.Source.ID == old.Source.ID && f.Target.ID == old.Target.ID {
			f.Embedding = old.Embedding
		}
		episodes = append(episodes, old.Episodes...)
	}
	slices.SortFunc(episodes, func(a, b model.ID) int { return compareIDs(a.UUID, b.UUID) })
	episodes = slices.Compact(episodes)
	if f.Episodes = episodes[:min(len(episodes), model.MaxFactEpisodes)]; len(f.Episodes) == 0 {
		f.Episodes = nil
	}
	w.facts[f.ID.UUID] = knownFact{Fact: f, entries: row.Entries}
	return operation
}

func keptEpisode(e model.Episode) model.Episode {
	e.SourceID, e.ReferenceTime, e.CreatedAt, e.NextAt = "", keptTime(e.ReferenceTime), keptTime(e.CreatedAt),
		keptTime(e.NextAt)
	return e
}

func (w *web) saveEpisode(e model.Episode) (operation model.Operation) {
	operation = model.OperationCreated
	if _, ok := w.episodes[e.ID.UUID]; ok {
		operation = model.OperationUpdated
	}
	w.episodes[e.ID.UUID] = keptEpisode(e)
	return operation
}

func (w *web) note(episode model.UUID, entities []model.UUID) {
	if _, ok := w.episodes[episode]; !ok {
		return
	}
	for _, id := range entities {
		if _, ok := w.entities[id]; ok {
			if w.mentions[episode] == nil {
				w.mentions[episode] = map[model.UUID]bool{}
			}
			w.mentions[episode][id] = true
		}
	}
}

// hasFacts reports whether a fact has the entity at an end.
func (w *web) hasFacts(id model.UUID) bool {
	for _, f := range w.facts {
		if f.Source.ID.UUID == id || f.Target.ID.UUID == id {
			return true
		}
	}
	return false
}

// move must only be told of entities that are there and without facts.
func (w *web) move(from, into model.UUID) {
	for _, noted := range w.mentions {
		if noted[from] {
			delete(noted, from)
			noted[into] = true
		}
	}
	for before, to := range w.moved {
		if to == from {
			w.moved[before] = into
		}
	}
	delete(w.entities, from)
	w.moved[from] = into
}

func (w *web) removeFact(id model.UUID) { delete(w.facts, id) }

// removeEntity returns the facts that went.
func (w *web) removeEntity(id model.UUID) (facts []model.UUID) {
	for _, f := range w.facts {
		if f.Source.ID.UUID == id || f.Target.ID.UUID == id {
			facts = append(facts, f.ID.UUID)
		}
	}
	for _, fact := range facts {
		w.removeFact(fact)
	}
	for _, noted := range w.mentions {
		delete(noted, id)
	}
	maps.DeleteFunc(w.moved, func(_, into model.UUID) bool { return into == id })
	delete(w.entities, id)
	return facts
}

// leads returns the entity that an id stands for.
func (w *web) leads(id model.UUID) (knownEntity, bool) {
	if into, ok := w.moved[id]; ok {
		id = into
	}
	e, ok := w.entities[id]
	return e, ok
}

func (w *web) removeEpisode(id model.UUID) (facts, entities []model.UUID) {
	candidates := maps.Clone(w.mentions[id])
	if candidates == nil {
		candidates = map[model.UUID]bool{}
	}
	delete(w.episodes, id)
	delete(w.mentions, id)
	for of, f := range maps.Clone(w.facts) {
		at := slices.Index(f.Episodes, episodeID(id))
		switch {
		case at < 0:
			continue
		case len(f.Episodes) == 1:
			candidates[f.Source.ID.UUID], candidates[f.Target.ID.UUID] = true, true
			facts = append(facts, of)
			w.removeFact(of)
		default:
			f.Episodes = slices.Delete(slices.Clone(f.Episodes), at, at+1)
			w.facts[of] = f
		}
	}
	for candidate := range candidates {
		spoken := w.hasFacts(candidate)
		for _, noted := range w.mentions {
			spoken = spoken || noted[candidate]
		}
		if !spoken && w.entities[candidate].Version == 1 {
			entities = append(entities, candidate)
			w.removeEntity(candidate)
		}
	}
	return facts, entities
}

// saveVectors returns how many are kept.
func (w *web) saveVectors(vectors []store.KnowledgeVectorOf) (kept int) {
	for _, v := range vectors {
		if e, ok := w.entities[v.ID]; ok && v.Kind == model.KindEntity && e.Version == v.Version {
			e.Embedding = keptEmbedding(v.Embedding)
			w.entities[v.ID] = e
			kept++
		}
		if f, ok := w.facts[v.ID]; ok && v.Kind == model.KindFact && f.Version == v.Version {
			f.Embedding = keptEmbedding(v.Embedding)
			w.facts[v.ID] = f
			kept++
		}
	}
	return kept
}

func (e knownEntity) passes(where store.EntityWhere) bool {
	return (len(where.Types) == 0 || slices.Contains(where.Types, e.typeKey)) &&
		(where.Name == "" || e.names[where.Name]) && within(e.CreatedAt, where.CreatedFrom, where.CreatedTo)
}

// within: from is inclusive, to exclusive; zero is no bound.
func within(t, from, to time.Time) bool {
	return (from.IsZero() || !t.Before(from)) && (to.IsZero() || t.Before(to))
}

func (f knownFact) passes(where store.FactWhere) bool {
	source, target := f.Source.ID.UUID, f.Target.ID.UUID
	switch {
	case where.Time == store.FactsHolding && !f.HoldsAt(where.At),
		where.Time == store.FactsNotHolding && f.HoldsAt(where.At),
		where.Entity != model.UUID{} && source != where.Entity && target != where.Entity,
		where.Between != nil && [2]model.UUID{source, target} != *where.Between &&
			[2]model.UUID{target, source} != *where.Between,
		len(where.Relations) > 0 && !slices.Contains(where.Relations, f.Relation),
		where.Episode != model.UUID{} && !slices.Contains(f.Episodes, episodeID(where.Episode)),
		!where.ValidFrom.IsZero() && (f.ValidAt.IsZero() || f.ValidAt.Before(where.ValidFrom)),
		!where.ValidTo.IsZero() && !f.ValidAt.IsZero() && !f.ValidAt.Before(where.ValidTo),
		!within(f.CreatedAt, where.CreatedFrom, where.CreatedTo):
		return false
	}
	return true
}

func passesEpisode(e model.Episode, where store.EpisodeWhere) bool {
	return (len(where.Sources) == 0 || slices.Contains(where.Sources, e.Source)) && (len(where.States) == 0 ||
		slices.Contains(where.States, e.State)) && within(e.ReferenceTime, where.From, where.To)
}

func entityPlaceOf(e knownEntity) store.EntityPlace {
	return store.EntityPlace{Name: e.key, ID: e.ID.UUID}
}
func factPlaceOf(f knownFact) store.TimePlace {
	return store.TimePlace{At: f.CreatedAt, ID: f.ID.UUID}
}
func episodePlaceOf(e model.Episode) store.TimePlace {
	return store.TimePlace{At: e.ReferenceTime, ID: e.ID.UUID}
}

func compareEntityPlaces(a, b store.EntityPlace) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), compareIDs(a.ID, b.ID))
}

// compareTimePlaces: the latest first, then the greater id.
func compareTimePlaces(a, b store.TimePlace) int {
	return cmp.Or(b.At.Compare(a.At), compareIDs(b.ID, a.ID))
}

// ranked returns what passes, in the order of its places.
func ranked[N, P any](all map[model.UUID]N, passes func(N) bool, place func(N) P, compare func(a, b P) int) []N {
	out := []N{}
	for _, n := range all {
		if passes(n) {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b N) int { return compare(place(a), place(b)) })
	return out
}

func (w *web) listEntities(where store.EntityWhere) []knownEntity {
	return ranked(w.entities, func(e knownEntity) bool { return e.passes(where) }, entityPlaceOf, compareEntityPlaces)
}

func (w *web) listFacts(where store.FactWhere) []knownFact {
	return ranked(w.facts, func(f knownFact) bool { return f.passes(where) }, factPlaceOf, compareTimePlaces)
}

func (w *web) listEpisodes(where store.EpisodeWhere) []model.Episode {
	return ranked(w.episodes, func(e model.Episode) bool { return passesEpisode(e, where) }, episodePlaceOf,
		compareTimePlaces)
}

// around answers FactsAround.
func (w *web) around(entities []model.UUID, where store.FactWhere, perEntity, limit int) []knownFact {
	near := map[model.UUID]bool{}
	for _, id := range entities {
		where.Entity = id
		of := w.listFacts(where)
		for _, f := range of[:min(perEntity, len(of))] {
			near[f.ID.UUID] = true
		}
	}
	out := slices.DeleteFunc(w.listFacts(store.FactWhere{}), func(f knownFact) bool { return !near[f.ID.UUID] })
	return out[:min(limit, len(out))]
}

// mentioned answers MentionedIn without its limit.
func (w *web) mentioned(episode model.UUID) []knownEntity {
	named := maps.Clone(w.mentions[episode])
	if named == nil {
		named = map[model.UUID]bool{}
	}
	for _, f := range w.facts {
		if slices.Contains(f.Episodes, episodeID(episode)) {
			named[f.Source.ID.UUID], named[f.Target.ID.UUID] = true, true
		}
	}
	return ranked(w.entities, func(e knownEntity) bool { return named[e.ID.UUID] }, entityPlaceOf, compareEntityPlaces)
}

func (w *web) counts(now time.Time) store.KnowledgeCounts {
	counts := store.KnowledgeCounts{Entities: len(w.entities), Facts: len(w.facts), Episodes: len(w.episodes),
		LastUpdated: w.changed}
	found := map[string]model.ModelCount{}
	count := func(e model.Embedding) {
		if e.Model != "" {
			found[e.Model] = model.ModelCount{Model: e.Model, Dimensions: e.Dimensions, Rows: found[e.Model].Rows + 1}
		}
	}
	for _, e := range w.entities {
		count(e.Embedding)
	}
	for _, f := range w.facts {
		count(f.Embedding)
		if f.HoldsAt(now) {
			counts.CurrentFacts++
		}
	}
	for _, e := range w.episodes {
		switch e.State {
		case model.EpisodeQueued:
			counts.Queued++
		case model.EpisodeFailed:
			counts.Failed++
		}
	}
	counts.Models = slices.SortedFunc(maps.Values(found), func(a, b model.ModelCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Model, b.Model))
	})
	return counts
}

// sought is what a search looks at in a row.
type sought struct {
	id        model.UUID
	entries   []string
	embedding model.Embedding
	passes    bool
}

// foundRow is a row that a search finds.
type foundRow struct {
	id model.UUID
	store.Found
}

// seekRows returns all hits, ranked, of one population; a term counts over all of it.
func seekRows(rows []sought, looking store.Looking) []foundRow {
	all := make([][]string, len(rows))
	for i, row := range rows {
		all[i] = row.entries
	}
	var found []int
	looking.Words, found = settled(looking.Words, all)
	hits := []foundRow{}
	for _, row := range rows {
		hit := foundRow{id: row.id}
		for _, query := range looking.Vectors {
			if row.embedding.Model == query.Model {
				hit.Measured = true
				hit.Similarity = vector.Cosine(query.Vector, row.embedding.Vector)
				hit.ByVector = hit.Similarity >= looking.MinSimilarity
			}
		}
		if len(looking.Words.Terms) > 0 {
			best := terms.Match(looking.Words, row.entries)
			if hit.ByKeyword = slices.ContainsFunc(best, func(weight float64) bool { return weight > 0 }); hit.ByKeyword {
				hit.Keyword = terms.Score(looking.Words, found, best)
			}
		}
		hit.Score = looking.SimilarityWeight*max(hit.Similarity, 0) + looking.KeywordWeight*hit.Keyword
		if row.passes && (hit.ByVector || hit.ByKeyword) {
			hits = append(hits, hit)
		}
	}
	slices.SortFunc(hits, func(a, b foundRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity), compareIDs(b.id, a.id))
	})
	return hits
}

func (w *web) searchEntities(search store.EntitySearch) []store.EntityHit {
	var rows []sought
	for id, e := range w.entities {
		rows = append(rows, sought{id: id, entries: e.entries, embedding: e.Embedding, passes: e.passes(search.Where)})
	}
	hits := []store.EntityHit{}
	for _, hit := range seekRows(rows, search.Looking) {
		hits = append(hits, store.EntityHit{Entity: onlyEntity(w.entities[hit.id], search.Columns), Found: hit.Found})
	}
	return hits
}

func (w *web) searchFacts(search store.FactSearch) []store.FactHit {
	var rows []sought
	for id, f := range w.facts {
		rows = append(rows, sought{id: id, entries: f.entries, embedding: f.Embedding, passes: f.passes(search.Where)})
	}
	hits := []store.FactHit{}
	for _, hit := range seekRows(rows, search.Looking) {
		hits = append(hits, store.FactHit{Fact: w.onlyFact(w.facts[hit.id], search.Want), Found: hit.Found})
	}
	return hits
}
