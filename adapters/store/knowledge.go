package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// EntityWhere is a filter; all parts are ANDed, the zero value of a part asks nothing.
type EntityWhere struct {
	// Types are folded; the entity's folded type is one of them.
	Types []string
	// Name is folded; the entity's folded name, or one of its folded aliases, equals it.
	Name string
	// CreatedFrom is inclusive, CreatedTo exclusive.
	CreatedFrom, CreatedTo time.Time
}

// FactTime says which facts are wanted with regard to a moment.
type FactTime int

// A fact holds at a moment when model.Fact.HoldsAt says so.
const (
	// FactsAny: all of them.
	FactsAny FactTime = iota
	// FactsHolding: those that hold at the moment.
	FactsHolding
	// FactsNotHolding: the others.
	FactsNotHolding
)

// FactWhere is a filter; all parts are ANDed, the zero value of a part asks nothing.
type FactWhere struct {
	// Time and At: those that hold at the moment, or those that do not.
	Time FactTime
	At   time.Time
	// Entity is one of the two ends.
	Entity model.UUID
	// Between: one is the source and the other the target, in either order.
	Between *[2]model.UUID
	// Relations: one of these, as they are kept.
	Relations []string
	// Episode supports it.
	Episode model.UUID
	// The lower bounds are inclusive, the upper ones exclusive. A fact without ValidAt began before any moment: it is
	// outside of a ValidFrom and inside of a ValidTo.
	ValidFrom, ValidTo, CreatedFrom, CreatedTo time.Time
}

// EpisodeWhere is a filter; all parts are ANDed, the zero value of a part asks nothing.
type EpisodeWhere struct {
	Sources []model.EpisodeSource
	States  []model.EpisodeState
	// From is inclusive, To exclusive, both of ReferenceTime.
	From, To time.Time
}

// EntityPlace is an entity's place in the order of names: its folded name, then its id.
type EntityPlace struct {
	Name string
	ID   model.UUID
}

// TimePlace is a place in an order of times, the latest first, then the greater id: of facts by CreatedAt, of episodes
// by ReferenceTime.
type TimePlace struct {
	At time.Time
	ID model.UUID
}

// EntityQuery is one question about entities, in the order of their folded names (bytewise), then ids.
type EntityQuery struct {
	Where   EntityWhere
	Columns EntityColumns
	Page    *Window[EntityPlace]
	Total   bool
}

// EntityPage answers an EntityQuery; the fields mean what TaskPage's mean.
type EntityPage struct {
	Entities             []model.Entity
	Places               []EntityPlace
	HasNext, HasPrevious bool
	Total                int
}

// FactQuery is one question about facts, newest (CreatedAt, then id) first.
type FactQuery struct {
	Where FactWhere
	Want  FactWant
	Page  *Window[TimePlace]
	// Total counts what the filter finds; Suppressed what it would find in addition if Time were FactsAny.
	Total, Suppressed bool
}

// FactPage answers a FactQuery.
type FactPage struct {
	Facts                []model.Fact
	Places               []TimePlace
	HasNext, HasPrevious bool
	Total, Suppressed    int
}

// EpisodeQuery is one question about episodes, the latest (ReferenceTime, then id) first.
type EpisodeQuery struct {
	Where   EpisodeWhere
	Columns EpisodeColumns
	Page    *Window[TimePlace]
	Total   bool
}

// EpisodePage answers an EpisodeQuery.
type EpisodePage struct {
	Episodes             []model.Episode
	Places               []TimePlace
	HasNext, HasPrevious bool
	Total                int
}

// Looking is what is common to searches in the knowledge graph; the fields mean what MemorySearch's mean.
type Looking struct {
	Vectors                         []QueryVector
	Words                           model.SearchWords
	MinSimilarity                   float64
	SimilarityWeight, KeywordWeight float64
	Offset, Limit                   int
}

// EntitySearch ranks entities.
type EntitySearch struct {
	Looking
	Where   EntityWhere
	Columns EntityColumns
}

// FactSearch ranks facts.
type FactSearch struct {
	Looking
	Where FactWhere
	Want  FactWant
}

// Found is how well something was found; the fields mean what MemoryHit's mean. Measured reports whether it has a
// vector that could be compared.
type Found struct {
	Similarity, Keyword, Score float64
	ByVector, ByKeyword        bool
	Measured                   bool
}

// EntityHit is an entity that was found.
type EntityHit struct {
	Entity model.Entity
	Found
}

// FactHit is a fact that was found.
type FactHit struct {
	Fact model.Fact
	Found
}

// EntityHits answers an EntitySearch as MemoryHits does a MemorySearch: best first, ties to the higher similarity, then
// to the newer id.
type EntityHits struct {
	Hits    []EntityHit
	HasNext bool
}

// FactHits answers a FactSearch, in the same order.
type FactHits struct {
	Hits    []FactHit
	HasNext bool
}

// EntityReader reads entities.
type EntityReader interface {
	// ListEntities returns one page and whatever else the query wants, from one moment of the database, in one statement
	// or one batch. It reads no column that the query does not name or need.
	ListEntities(ctx context.Context, user model.UserID, query EntityQuery) (EntityPage, error)
	// EntitiesByID returns the entities that exist among ids, by the id asked for: for one that became part of another,
	// that other one, however long the chain.
	EntitiesByID(ctx context.Context, user model.UserID, ids []model.UUID,
		want EntityColumns) (map[model.UUID]model.Entity, error)
	// EntitiesByName returns, of each of the folded names, the entities that have it as folded name or alias, oldest id
	// first. In one statement or one batch, whatever the number of names, which is at most 2·model.MaxFactsAtOnce.
	EntitiesByName(ctx context.Context, user model.UserID, names []string, want EntityColumns) (map[string][]model.Entity,
		error)
	// SearchEntities ranks entities as MemoryReader.SearchMemories does memories, and under the same rules: it sees what
	// is committed, and a filter never starves it. A term's count is that of the different rows of the index of entities,
	// one for each entry of each entity, at most words.Common.
	SearchEntities(ctx context.Context, user model.UserID, search EntitySearch) (EntityHits, error)
}

// FactPair names the facts of one source and one relation.
type FactPair struct {
	Source   model.UUID
	Relation string
}

// FactReader reads facts.
type FactReader interface {
	// ListFacts returns one page and whatever else the query wants, from one moment of the database, in one statement or
	// one batch.
	ListFacts(ctx context.Context, user model.UserID, query FactQuery) (FactPage, error)
	// FactsByID returns the facts that exist among ids, in any order, each once.
	FactsByID(ctx context.Context, user model.UserID, ids []model.UUID, want FactWant) ([]model.Fact, error)
	// FactsOfPairs returns all facts of each pair, of at most model.MaxFactsAtOnce, whether they hold or not, oldest id
	// first.
	FactsOfPairs(ctx context.Context, user model.UserID, pairs []FactPair, want FactWant) ([]model.Fact, error)
	// FactsAround returns facts that have one of the entities at an end, newest (CreatedAt, then id) first: of each entity
	// at most perEntity, and at most limit in all, the newest ones; each once. where.Entity and where.Between must be
	// zero.
	FactsAround(ctx context.Context, user model.UserID, entities []model.UUID, where FactWhere, perEntity, limit int,
		want FactWant) ([]model.Fact, error)
	// SearchFacts ranks facts as SearchEntities does entities, among the rows of the index of facts.
	SearchFacts(ctx context.Context, user model.UserID, search FactSearch) (FactHits, error)
}

// EpisodeReader reads episodes.
type EpisodeReader interface {
	// ListEpisodes returns one page and whatever else the query wants, from one moment of the database, in one statement
	// or one batch.
	ListEpisodes(ctx context.Context, user model.UserID, query EpisodeQuery) (EpisodePage, error)
	// EpisodesByID returns the episodes that exist among ids, in any order, each once.
	EpisodesByID(ctx context.Context, user model.UserID, ids []model.UUID, want EpisodeColumns) ([]model.Episode, error)
	// TwinEpisode returns the oldest episode with this source, reference time and content, byte for byte. ErrNotFound.
	TwinEpisode(ctx context.Context, user model.UserID, twin model.Episode, want EpisodeColumns) (model.Episode, error)
	// MentionedIn returns the entities that an episode speaks of: those noted with it, and the ends of the facts that it
	// supports; by folded name, then id, at most limit.
	MentionedIn(ctx context.Context, user model.UserID, episode model.UUID, limit int, want EntityColumns) ([]model.Entity,
		error)
}

// KnowledgeCounts is how much there is.
type KnowledgeCounts struct {
	Entities, Facts, CurrentFacts, Episodes, Queued, Failed int
	// LastUpdated is the latest change of a row that is there, or of the last deletion; zero when nothing ever was.
	LastUpdated time.Time
	// Models counts the vectors of entities and facts by model, the most first; those without are the rest of Entities +
	// Facts.
	Models []model.ModelCount
}

// KnowledgeReader reads the knowledge graph.
type KnowledgeReader interface {
	EntityReader
	FactReader
	EpisodeReader
	// KnowledgeCounts counts the user's graph.
	KnowledgeCounts(ctx context.Context, user model.UserID, now time.Time) (KnowledgeCounts, error)
}

// Indexed is what a row of the graph is found by: the entries of the index of words (see projections/words), made by
// projections/graphtext. The vector is the record's Embedding; one without a vector waits for the worker (see
// KnowledgeVectors).
type Indexed struct {
	Entries []string
}

// EntityRowOf is an entity to be written.
type EntityRowOf struct {
	Entity model.Entity
	Indexed
}

// FactRowOf is a fact to be written.
type FactRowOf struct {
	Fact model.Fact
	Indexed
}

// ID returns the entity's id.
func (e EntityRowOf) ID() model.UUID { return e.Entity.ID.UUID }

// ID returns the fact's id.
func (f FactRowOf) ID() model.UUID { return f.Fact.ID.UUID }

// KnowledgeWriter writes the knowledge graph. Ids are own ones: only their UUIDs are kept.
type KnowledgeWriter interface {
	// SaveEntities inserts entities or replaces them by id, with their words, in one batch. A vector stays when the
	// embedding given holds none and name, type, summary, aliases and attributes are the same, and is dropped when one of
	// them is not. CreatedAt of one that is there stays. Change: CREATED or UPDATED each, in order.
	SaveEntities(ctx context.Context, entities []EntityRowOf) error
	// SaveFacts inserts facts or replaces them by id, with their words and their Episodes (those named are added; none are
	// taken away; the oldest ids stay when there are more than model.MaxFactEpisodes). Both ends must be there:
	// ErrNotFound, and nothing is done. The vector is treated as SaveEntities does, by sentence, relation and ends.
	// Change: CREATED or UPDATED each, in order.
	SaveFacts(ctx context.Context, facts []FactRowOf) error
	// SaveEpisodes inserts episodes or replaces them by id. Change: CREATED or UPDATED each, in order.
	SaveEpisodes(ctx context.Context, episodes []model.Episode) error
	// NoteMentions notes that an episode speaks of entities; those noted before stay. What is not there is left out. No
	// change of its own.
	NoteMentions(ctx context.Context, episode model.UUID, entities []model.UUID) error
	// MoveEntity makes an entity part of another: mentions and redirects follow to the other, its row, words and vector
	// go, and its id leads to the other from then on. It must have no facts left (ErrConflict otherwise); whoever merges
	// has moved them. ErrNotFound. Change: DELETED of the one.
	MoveEntity(ctx context.Context, from, into model.UUID) error
	// DeleteEntities erases entities with their facts, words, vectors, mentions, the redirects that lead to them, and what
	// recorded answers of idempotent calls tell of them (as MemoryWriter.DeleteMemories does), and returns the ids that
	// were there, in the order given, and how many facts went. Change: DELETED of each fact, then of each entity.
	DeleteEntities(ctx context.Context, ids []model.UUID) (deleted []model.UUID, facts int, err error)
	// DeleteFacts erases facts alike and returns the ids that were there. What they have replaced stays closed. Change:
	// DELETED each.
	DeleteFacts(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error)
	// DeleteEpisode erases an episode, the facts that only it supports, and the entities that it mentions, or that were at
	// an end of those facts, of which no episode and no fact speaks any more and which were not changed by hand (their
	// version is 1). ErrNotFound. Change: DELETED of facts, entities and the episode, in this order.
	DeleteEpisode(ctx context.Context, id model.UUID) (facts, entities int, err error)
	// ClearKnowledge erases everything, redirects and recorded answers included, and returns what there was. Change:
	// DELETED of type KNOWLEDGE with the user's id, once; none when there was nothing.
	ClearKnowledge(ctx context.Context) (KnowledgeCounts, error)
}

// PendingKnowledge is an entity or a fact whose vector is missing or of another model.
type PendingKnowledge struct {
	User model.UserID
	// One of both is set, with what its text is made of: an entity with its row, a fact with its row and the names and
	// types of its ends.
	Entity *model.Entity
	Fact   *model.Fact
}

// KnowledgeVectorOf is a vector to be kept with an entity or a fact.
type KnowledgeVectorOf struct {
	Kind model.Kind
	ID   model.UUID
	// Version is the row's when it was embedded; a vector of another version is not kept.
	Version   int
	Embedding model.Embedding
	// Entries replace those of the index of words, which an earlier version of the program may have made; none: they stay.
	Entries []string
}

// KnowledgePlace is a place in the rows of all users: entities first, then facts; of each first those without any
// vector, then those whose vector is stale.
type KnowledgePlace struct {
	Facts bool
	PendingPlace
}

// KnowledgeVectors keeps vectors up to date. They are not part of the change log.
type KnowledgeVectors interface {
	// PendingKnowledge walks as VectorStore.PendingMemories does.
	PendingKnowledge(ctx context.Context, name string, after KnowledgePlace, limit int) ([]PendingKnowledge,
		KnowledgePlace, error)
	// SaveKnowledgeVectors keeps vectors as VectorStore.SaveVectors does.
	SaveKnowledgeVectors(ctx context.Context, user model.UserID, vectors []KnowledgeVectorOf) (int, error)
}

// QueuedEpisode is an episode that waits to be read.
type QueuedEpisode struct {
	User    model.UserID
	Episode model.Episode
}

// EpisodeQueue returns episodes to those who read them.
type EpisodeQueue interface {
	// ClaimEpisodes returns up to limit episodes of any users, whole, whose state is QUEUED and whose NextAt is not after
	// now, the longest due first, counts an attempt and sets their NextAt to until in the same transaction, so that no
	// other process takes them meanwhile. What it returns holds the new values. No change of its own.
	ClaimEpisodes(ctx context.Context, now, until time.Time, limit int) ([]QueuedEpisode, error)
}
