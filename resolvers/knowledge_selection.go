package resolvers

import "almanac/adapters/store"

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
func (s selection) entityColumns() store.EntityColumns {
	var columns store.EntityColumns
	for _, field := range s.fields {
		columns |= entityFieldColumns[field.Name]
	}
	if s.under("itemContext", "EntityItemContext").has("hasSummary") {
		columns |= store.EntitySummary
	}
	if s.compact {
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
func (s selection) factWant() store.FactWant {
	var want store.FactWant
	for _, field := range s.fields {
		want.Fact |= factFieldColumns[field.Name]
	}
	if s.under("itemContext", "FactItemContext").has("isCurrent", "isInvalidated", "isUpcoming") {
		want.Fact |= store.FactValidAt | store.FactInvalidAt
	}
	for _, end := range []selection{s.under("source", "Entity"), s.under("target", "Entity")} {
		end.compact = false // of ends compact text shows the names alone
		want.Ends |= end.entityColumns()
	}
	if s.compact {
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
func (s selection) episodeColumns() store.EpisodeColumns {
	var columns store.EpisodeColumns
	for _, field := range s.fields {
		columns |= episodeFieldColumns[field.Name]
	}
	if s.compact {
		columns |= store.EpisodeName | store.EpisodeContent | store.EpisodeSource | store.EpisodeOrigin |
			store.EpisodeReferenceTime | store.EpisodeProgress
	}
	return columns
}
