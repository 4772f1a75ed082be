package knowledge

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

var entityFieldColumns = map[string]store.EntityColumns{
	"name":       store.EntityName,
	"type":       store.EntityType,
	"summary":    store.EntitySummary,
	"aliases":    store.EntityAliases,
	"attributes": store.EntityAttributes,
	"createdAt":  store.EntityCreatedAt,
	"updatedAt":  store.EntityUpdatedAt,
	"version":    store.EntityVersion,
}

// entityColumns are the columns that the fields asked of an entity need. What hangs on it needs its id alone.
func entityColumns(s core.Selection) store.EntityColumns {
	var columns store.EntityColumns
	for _, field := range s.Fields {
		columns |= entityFieldColumns[field.Name]
	}
	if s.Under("itemContext", "EntityItemContext").Has("hasSummary") {
		columns |= store.EntitySummary
	}
	if s.Compact {
		columns |= store.EntityName | store.EntityType | store.EntitySummary
	}
	return columns
}

var factFieldColumns = map[string]store.FactColumns{
	"relation":   store.FactRelation,
	"fact":       store.FactSentence,
	"validAt":    store.FactValidAt,
	"invalidAt":  store.FactInvalidAt,
	"createdAt":  store.FactCreatedAt,
	"expiredAt":  store.FactExpiredAt,
	"confidence": store.FactConfidence,
	"attributes": store.FactAttributes,
	"episodeIds": store.FactEpisodes,
	"episodes":   store.FactEpisodes,
	"replacedBy": store.FactReplacedBy,
}

// factWant is what the fields asked of a fact need of it, and of its ends.
func factWant(s core.Selection) store.FactWant {
	var want store.FactWant
	for _, field := range s.Fields {
		want.Fact |= factFieldColumns[field.Name]
	}
	if s.Under("itemContext", "FactItemContext").Has("isCurrent", "isInvalidated", "isUpcoming") {
		want.Fact |= store.FactValidAt | store.FactInvalidAt
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

var episodeFieldColumns = map[string]store.EpisodeColumns{
	"name":              store.EpisodeName,
	"content":           store.EpisodeContent,
	"source":            store.EpisodeSource,
	"sourceDescription": store.EpisodeOrigin,
	"referenceTime":     store.EpisodeReferenceTime,
	"createdAt":         store.EpisodeCreatedAt,
	"state":             store.EpisodeProgress,
	"problem":           store.EpisodeProgress,
}

// episodeColumns are the columns that the fields asked of an episode need.
func episodeColumns(s core.Selection) store.EpisodeColumns {
	var columns store.EpisodeColumns
	for _, field := range s.Fields {
		columns |= episodeFieldColumns[field.Name]
	}
	if s.Compact {
		columns |= store.EpisodeName | store.EpisodeContent | store.EpisodeSource | store.EpisodeOrigin |
			store.EpisodeReferenceTime | store.EpisodeProgress
	}
	return columns
}
