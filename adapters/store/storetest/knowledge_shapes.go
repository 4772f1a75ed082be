package storetest

import (
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// How rows of the graph come back: what was asked for and nothing else.

// entityColumns, factColumns and episodeColumns are all columns there are, by name as the database has them.
var entityColumns = map[store.EntityColumns][]string{
	store.EntityName: {"name"}, store.EntityType: {"type"}, store.EntitySummary: {"summary"},
	store.EntityAliases: {"aliases"}, store.EntityAttributes: {"attributes"},
	store.EntityCreatedAt: {"created_at"}, store.EntityUpdatedAt: {"updated_at"}, store.EntityVersion: {"version"},
}

var factColumns = map[store.FactColumns][]string{
	store.FactRelation: {"relation"}, store.FactSentence: {"sentence"}, store.FactValidAt: {"valid_at"},
	store.FactInvalidAt: {"invalid_at"}, store.FactCreatedAt: {"created_at"},
	store.FactExpiredAt: {"expired_at"}, store.FactConfidence: {"confidence"}, store.FactAttributes: {"attributes"},
	store.FactReplacedBy: {"replaced_by"}, store.FactVersion: {"version"},
	store.FactEpisodes: {"fact_episodes", "episode_id"},
}

var episodeColumns = map[store.EpisodeColumns][]string{
	store.EpisodeName: {"name"}, store.EpisodeContent: {"content"}, store.EpisodeSource: {"source"},
	store.EpisodeOrigin: {"source_description"}, store.EpisodeReferenceTime: {"reference_time"},
	store.EpisodeCreatedAt: {"created_at"}, store.EpisodeProgress: {"state", "problem", "attempts", "next_at"},
}

// wholeFact is everything there is of a fact and its ends.
var wholeFact = store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityRow}

// onlyEntity gives the entity with the columns not asked for zeroed; its vector is never read.
func onlyEntity(e knownEntity, want store.EntityColumns) model.Entity {
	out := model.Entity{ID: e.ID}
	for column, fill := range map[store.EntityColumns]func(){
		store.EntityName:       func() { out.Name = e.Name },
		store.EntityType:       func() { out.Type = e.Type },
		store.EntitySummary:    func() { out.Summary = e.Summary },
		store.EntityAliases:    func() { out.Aliases = e.Aliases },
		store.EntityAttributes: func() { out.Attributes = e.Attributes },
		store.EntityCreatedAt:  func() { out.CreatedAt = e.CreatedAt },
		store.EntityUpdatedAt:  func() { out.UpdatedAt = e.UpdatedAt },
		store.EntityVersion:    func() { out.Version = e.Version },
	} {
		if want.Has(column) {
			fill()
		}
	}
	return out
}

// onlyFact gives the fact with the columns not asked for zeroed, and its ends as they are now.
func (w *web) onlyFact(f knownFact, want store.FactWant) model.Fact {
	out := model.Fact{ID: f.ID, Source: onlyEntity(w.entities[f.Source.ID.UUID], want.Ends),
		Target: onlyEntity(w.entities[f.Target.ID.UUID], want.Ends)}
	for column, fill := range map[store.FactColumns]func(){
		store.FactRelation:   func() { out.Relation = f.Relation },
		store.FactSentence:   func() { out.Sentence = f.Sentence },
		store.FactValidAt:    func() { out.ValidAt = f.ValidAt },
		store.FactInvalidAt:  func() { out.InvalidAt = f.InvalidAt },
		store.FactCreatedAt:  func() { out.CreatedAt = f.CreatedAt },
		store.FactExpiredAt:  func() { out.ExpiredAt = f.ExpiredAt },
		store.FactConfidence: func() { out.Confidence = f.Confidence },
		store.FactAttributes: func() { out.Attributes = f.Attributes },
		store.FactReplacedBy: func() { out.ReplacedBy = f.ReplacedBy },
		store.FactVersion:    func() { out.Version = f.Version },
		store.FactEpisodes:   func() { out.Episodes = f.Episodes },
	} {
		if want.Fact.Has(column) {
			fill()
		}
	}
	return out
}

func onlyEpisode(e model.Episode, want store.EpisodeColumns) model.Episode {
	out := model.Episode{ID: e.ID}
	for column, fill := range map[store.EpisodeColumns]func(){
		store.EpisodeName:          func() { out.Name = e.Name },
		store.EpisodeContent:       func() { out.Content = e.Content },
		store.EpisodeSource:        func() { out.Source = e.Source },
		store.EpisodeOrigin:        func() { out.SourceDescription = e.SourceDescription },
		store.EpisodeReferenceTime: func() { out.ReferenceTime = e.ReferenceTime },
		store.EpisodeCreatedAt:     func() { out.CreatedAt = e.CreatedAt },
		store.EpisodeProgress: func() {
			out.State, out.Problem, out.Attempts, out.NextAt = e.State, e.Problem, e.Attempts, e.NextAt
		},
	} {
		if want.Has(column) {
			fill()
		}
	}
	return out
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
