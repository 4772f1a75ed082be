package storetest

import (
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// How rows of the graph come back: what was asked for and nothing else.

// entityColumns, factColumns and episodeColumns are all columns there are, by name as the database has them.
var (
	entityColumns  = columnNames(&store.EntityTable)
	episodeColumns = columnNames(&store.EpisodeTable)
	factColumns    = func() map[store.FactColumns][]string {
		names := columnNames(&store.FactTable)
		names[store.FactEpisodes] = []string{"fact_episodes", "episode_id"}
		return names
	}()
)

// wholeFact is everything there is of a fact and its ends.
var wholeFact = store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityRow}

// onlyEntity returns the entity with the columns not asked for zeroed; its vector is never read.
func onlyEntity(e knownEntity, want store.EntityColumns) model.Entity {
	out := trimmed(&store.EntityTable, e.Entity, want)
	out.Embedding = model.Embedding{}
	return out
}

// onlyFact returns the fact with the columns not asked for zeroed, and its ends as they are now.
func (w *web) onlyFact(f knownFact, want store.FactWant) model.Fact {
	out := trimmed(&store.FactTable, f.Fact, want.Fact)
	out.Source = onlyEntity(w.entities[f.Source.ID.UUID], want.Ends)
	out.Target = onlyEntity(w.entities[f.Target.ID.UUID], want.Ends)
	out.Embedding = model.Embedding{}
	return out
}

func onlyEpisode(e model.Episode, want store.EpisodeColumns) model.Episode {
	return trimmed(&store.EpisodeTable, e, want)
}

func onlyEntities(all []knownEntity, want store.EntityColumns) []model.Entity {
	return mapped(all, func(e knownEntity) model.Entity { return onlyEntity(e, want) })
}

func (w *web) onlyFacts(all []knownFact, want store.FactWant) []model.Fact {
	return mapped(all, func(f knownFact) model.Fact { return w.onlyFact(f, want) })
}

func onlyEpisodes(all []model.Episode, want store.EpisodeColumns) []model.Episode {
	return mapped(all, func(e model.Episode) model.Episode { return onlyEpisode(e, want) })
}

func mapped[A, B any](all []A, of func(A) B) []B {
	out := make([]B, len(all))
	for i, a := range all {
		out[i] = of(a)
	}
	return out
}

// tidyEntity and tidyFact make nil of what is empty.
func tidyEntity(e model.Entity) model.Entity {
	if len(e.Aliases) == 0 {
		e.Aliases = nil
	}
	return e
}

func tidyFact(f model.Fact) model.Fact {
	f.Source, f.Target = tidyEntity(f.Source), tidyEntity(f.Target)
	if len(f.Episodes) == 0 {
		f.Episodes = nil
	}
	return f
}

func tidyEntities(all []model.Entity) []model.Entity { return mapped(all, tidyEntity) }
func tidyFacts(all []model.Fact) []model.Fact        { return mapped(all, tidyFact) }

// byFactID puts facts in the order of their ids.
func byFactID(all []model.Fact) []model.Fact {
	all = tidyFacts(all)
	slices.SortFunc(all, func(a, b model.Fact) int { return compareIDs(a.ID.UUID, b.ID.UUID) })
	return all
}

func idsOfEntities(all []model.Entity) []model.UUID {
	return mapped(all, func(e model.Entity) model.UUID { return e.ID.UUID })
}

func idsOfFacts(all []model.Fact) []model.UUID {
	return mapped(all, func(f model.Fact) model.UUID { return f.ID.UUID })
}

func idsOfEpisodes(all []model.Episode) []model.UUID {
	return mapped(all, func(e model.Episode) model.UUID { return e.ID.UUID })
}

// paged is the part of an ordered set that a window shows.
type paged[N, P any] struct {
	rows           []N
	places         []P
	next, previous bool
}

// pageOf cuts a window out of the whole ordered set.
func pageOf[N, P any](all []N, w *store.Window[P], place func(N) P, compare func(a, b P) int) paged[N, P] {
	inner := slices.DeleteFunc(slices.Clone(all), func(n N) bool {
		return w.After != nil && compare(place(n), *w.After) <= 0 || w.Before != nil && compare(place(n), *w.Before) >= 0
	})
	out := paged[N, P]{rows: inner[:min(w.Limit, len(inner))], next: len(inner) > w.Limit || w.Before != nil,
		previous: w.After != nil}
	if w.Backward {
		out.rows = inner[len(inner)-min(w.Limit, len(inner)):]
		out.next, out.previous = w.Before != nil, len(inner) > w.Limit || w.After != nil
	}
	out.places = mapped(out.rows, place)
	return out
}
