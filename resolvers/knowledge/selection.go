package knowledge

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

// entityColumns are the columns that the fields asked of an entity need. What hangs on it needs its id alone.
func entityColumns(s core.Selection) store.EntityColumns {
	var columns store.EntityColumns
	for _, field := range s.Fields {
		columns |= store.EntityColumnsFor(field.Name)
	}
	for _, field := range s.Under("itemContext", "EntityItemContext").Fields {
		columns |= store.EntityColumnsFor(field.Name)
	}
	if s.Compact {
		columns |= store.EntityName | store.EntityType | store.EntitySummary
	}
	return columns
}

// factWant is what the fields asked of a fact need of it, and of its ends.
func factWant(s core.Selection) store.FactWant {
	var want store.FactWant
	for _, field := range s.Fields {
		want.Fact |= store.FactColumnsFor(field.Name)
	}
	for _, field := range s.Under("itemContext", "FactItemContext").Fields {
		want.Fact |= store.FactColumnsFor(field.Name)
	}
	for _, end := range []core.Selection{s.Under("source", "Entity"), s.Under("target", "Entity")} {
		end.Compact = false // of ends compact text shows the names alone
		want.Ends |= entityColumns(end)
	}
	if s.Compact {
		want.Fact |= store.FactRelation | store.FactSentence | store.FactValidAt | store.FactInvalidAt | store.FactConfidence
		want.Ends |= store.EntityName
	}
	return want
}

// episodeColumns are the columns that the fields asked of an episode need.
func episodeColumns(s core.Selection) store.EpisodeColumns {
	var columns store.EpisodeColumns
	for _, field := range s.Fields {
		columns |= store.EpisodeColumnsFor(field.Name)
	}
	if s.Compact {
		columns |= store.EpisodeName | store.EpisodeContent | store.EpisodeSource | store.EpisodeOrigin |
			store.EpisodeReferenceTime | store.EpisodeProgress
	}
	return columns
}
