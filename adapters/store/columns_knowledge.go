package store

import "almanac/graph/model"

// EntityColumns says what of an entity is wanted; the id always is.
type EntityColumns uint32

// The columns of an entity.
const (
	EntityName EntityColumns = 1 << iota
	EntityType
	EntitySummary
	EntityAliases
	EntityAttributes
	EntityCreatedAt
	EntityUpdatedAt
	EntityVersion

	// EntityRow is the whole row; an entity that is to be written back must be read with it.
	EntityRow EntityColumns = 1<<iota - 1
)

// Has reports whether all of the columns given are wanted.
func (c EntityColumns) Has(other EntityColumns) bool { return c&other == other }

// EntityTable has the columns of entities.
var EntityTable = Table[model.Entity, EntityColumns]{Name: "entities", Columns: []Column[model.Entity, EntityColumns]{
	{Name: "id", Refers: model.KindEntity, Field: func(e *model.Entity) any { return &e.ID }},
	{Name: "name", Want: EntityName, Asked: "name compact", Field: func(e *model.Entity) any { return &e.Name }},
	{Name: "name_key", Kind: FoldedName, Field: func(e *model.Entity) any { return &e.Name }},
	{Name: "type", Want: EntityType, Asked: "type compact", Field: func(e *model.Entity) any { return &e.Type }},
	{Name: "type_key", Kind: FoldedName, Field: func(e *model.Entity) any { return &e.Type }},
	{Name: "summary", Want: EntitySummary, Asked: "summary hasSummary compact",
		Field: func(e *model.Entity) any { return &e.Summary }},
	{Name: "aliases", Want: EntityAliases, Asked: "aliases", Field: func(e *model.Entity) any { return &e.Aliases }},
	{Name: "attributes", Want: EntityAttributes, Kind: JSON, Asked: "attributes",
		Field: func(e *model.Entity) any { return &e.Attributes }},
	{Name: "created_at", Want: EntityCreatedAt, Once: true, Asked: "createdAt",
		Field: func(e *model.Entity) any { return &e.CreatedAt }},
	{Name: "updated_at", Want: EntityUpdatedAt, Asked: "updatedAt",
		Field: func(e *model.Entity) any { return &e.UpdatedAt }},
	{Name: "version", Want: EntityVersion, Asked: "version", Field: func(e *model.Entity) any { return &e.Version }},
}}

var entityFields = EntityTable.asked()

// EntityColumnsFor returns what a GraphQL field of an entity or of its itemContext needs, or its compact text; 0 for
// nothing but the id.
func EntityColumnsFor(field string) EntityColumns { return entityFields[field] }

// FactColumns says what of a fact is wanted; its id and those of its ends always are.
type FactColumns uint32

// The columns of a fact, and what hangs on it.
const (
	FactRelation FactColumns = 1 << iota
	FactSentence
	FactValidAt
	FactInvalidAt
	FactCreatedAt
	FactExpiredAt
	FactConfidence
	FactAttributes
	FactReplacedBy
	FactVersion
	// FactEpisodes are the ids of the episodes that support it, oldest first.
	FactEpisodes

	// FactRow is the whole row without its episodes; a fact that is to be written back must be read with it.
	FactRow = FactEpisodes - 1
)

// Has reports whether all of the columns given are wanted.
func (c FactColumns) Has(other FactColumns) bool { return c&other == other }

// FactWant is what of facts, and of the entities at their ends, is wanted. With Ends zero nothing of the entities is
// read but their ids.
type FactWant struct {
	Fact FactColumns
	Ends EntityColumns
}

// FactTable has the columns of facts.
var FactTable = Table[model.Fact, FactColumns]{Name: "facts", Columns: []Column[model.Fact, FactColumns]{
	{Name: "id", Refers: model.KindFact, Field: func(f *model.Fact) any { return &f.ID }},
	{Name: "source_id", Refers: model.KindEntity, Field: func(f *model.Fact) any { return &f.Source.ID }},
	{Name: "target_id", Refers: model.KindEntity, Field: func(f *model.Fact) any { return &f.Target.ID }},
	{Name: "relation", Want: FactRelation, Asked: "relation compact",
		Field: func(f *model.Fact) any { return &f.Relation }},
	{Name: "sentence", Want: FactSentence, Asked: "fact compact", Field: func(f *model.Fact) any { return &f.Sentence }},
	{Name: "valid_at", Want: FactValidAt, Kind: Unbegun, Asked: "validAt isCurrent isInvalidated isUpcoming compact",
		Field: func(f *model.Fact) any { return &f.ValidAt }},
	{Name: "invalid_at", Want: FactInvalidAt, Kind: Unending,
		Asked: "invalidAt isCurrent isInvalidated isUpcoming compact",
		Field: func(f *model.Fact) any { return &f.InvalidAt }},
	{Name: "created_at", Want: FactCreatedAt, Asked: "createdAt",
		Field: func(f *model.Fact) any { return &f.CreatedAt }},
	{Name: "expired_at", Want: FactExpiredAt, Kind: Optional, Asked: "expiredAt",
		Field: func(f *model.Fact) any { return &f.ExpiredAt }},
	{Name: "confidence", Want: FactConfidence, Asked: "confidence compact",
		Field: func(f *model.Fact) any { return &f.Confidence }},
	{Name: "attributes", Want: FactAttributes, Kind: JSON, Asked: "attributes",
		Field: func(f *model.Fact) any { return &f.Attributes }},
	{Name: "replaced_by", Want: FactReplacedBy, Kind: Optional, Refers: model.KindFact, Asked: "replacedBy",
		Field: func(f *model.Fact) any { return &f.ReplacedBy }},
	{Name: "version", Want: FactVersion, Field: func(f *model.Fact) any { return &f.Version }},
	{Name: "fact_episodes", Want: FactEpisodes, Kind: Relation, Asked: "episodeIds episodes",
		Field: func(f *model.Fact) any { return &f.Episodes }},
}}

var factFields = FactTable.asked()

// FactColumnsFor returns what a GraphQL field of a fact or of its itemContext needs; 0 for nothing but the ids.
func FactColumnsFor(field string) FactColumns { return factFields[field] }

// EpisodeColumns says what of an episode is wanted; the id always is.
type EpisodeColumns uint32

// The columns of an episode.
const (
	EpisodeName EpisodeColumns = 1 << iota
	EpisodeContent
	EpisodeSource
	EpisodeOrigin
	EpisodeReferenceTime
	EpisodeCreatedAt
	// EpisodeProgress is State, Problem, Attempts and NextAt.
	EpisodeProgress

	// EpisodeRow is the whole row; an episode that is to be written back must be read with it.
	EpisodeRow EpisodeColumns = 1<<iota - 1
)

// Has reports whether all of the columns given are wanted.
func (c EpisodeColumns) Has(other EpisodeColumns) bool { return c&other == other }

// EpisodeTable has the columns of episodes.
var EpisodeTable = Table[model.Episode, EpisodeColumns]{Name: "episodes",
	Columns: []Column[model.Episode, EpisodeColumns]{
		{Name: "id", Refers: model.KindEpisode, Field: func(e *model.Episode) any { return &e.ID }},
		{Name: "name", Want: EpisodeName, Asked: "name compact", Field: func(e *model.Episode) any { return &e.Name }},
		{Name: "content", Want: EpisodeContent, Asked: "content compact",
			Field: func(e *model.Episode) any { return &e.Content }},
		{Name: "content_key", Kind: Hash, Field: func(e *model.Episode) any { return &e.Content }},
		{Name: "source", Want: EpisodeSource, Asked: "sourceType compact",
			Field: func(e *model.Episode) any { return (*string)(&e.Source) }},
		{Name: "source_description", Want: EpisodeOrigin, Asked: "sourceDescription compact",
			Field: func(e *model.Episode) any { return &e.SourceDescription }},
		{Name: "reference_time", Want: EpisodeReferenceTime, Asked: "referenceTime compact",
			Field: func(e *model.Episode) any { return &e.ReferenceTime }},
		{Name: "created_at", Want: EpisodeCreatedAt, Asked: "createdAt",
			Field: func(e *model.Episode) any { return &e.CreatedAt }},
		{Name: "state", Want: EpisodeProgress, Asked: "extraction problem compact",
			Field: func(e *model.Episode) any { return (*string)(&e.State) }},
		{Name: "problem", Want: EpisodeProgress, Field: func(e *model.Episode) any { return &e.Problem }},
		{Name: "attempts", Want: EpisodeProgress, Field: func(e *model.Episode) any { return &e.Attempts }},
		{Name: "next_at", Want: EpisodeProgress, Kind: Waiting, Field: func(e *model.Episode) any { return &e.NextAt }},
	}}

var episodeFields = EpisodeTable.asked()

// EpisodeColumnsFor returns what a GraphQL field of an episode needs, or its compact text; 0 for nothing
// but the id.
func EpisodeColumnsFor(field string) EpisodeColumns { return episodeFields[field] }
