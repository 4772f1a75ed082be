// Package knowledge is the contract between Almanac and whatever keeps a knowledge graph: its own store, or a Graphiti
// server.
//
// It promises that all bases answer the same questions in the same words, and say by Facts what they cannot do instead
// of pretending; that every call is for one user and sees nothing of another; and that errors are fit for clients
// (*model.Error) or to be hidden. knowledgetest holds every base to the text here.
package knowledge

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Base is a knowledge graph.
type Base interface {
	// Facts tells what the base can do.
	Facts() Facts
	Searcher
	Reader
	EpisodeReader
	Writer
	Editor
}

// Facts are properties of a base that callers and tests may ask for.
type Facts struct {
	Backend model.KnowledgeBackend
	// Transactional: writes join the transaction of their context (see store.Transactor) and are done or not done with it;
	// nothing remote is asked.
	Transactional bool
	// Edits: an Editor's methods work; otherwise they give CodeNotConfigured.
	Edits bool
	// MostFacts is how many facts AddFacts takes at once.
	MostFacts int
	// Extracts reports whether episodes are read, and ExtractionModel by which model; empty when the base does not tell.
	Extracts        bool
	ExtractionModel string
}

// Page asks for one page: First items after the place that an earlier answer named, nil for the start.
type Page struct {
	First int
	After []byte
}

// Search is what is looked for. With an empty Text everything is listed.
type Search struct {
	// Text is clean, at most model.MaxSearchQuery characters.
	Text string
	// MinSimilarity is nil for the model's own threshold.
	MinSimilarity *float64
	// SimilarityWeight and KeywordWeight are those of the score.
	SimilarityWeight, KeywordWeight float64
}

// EntityAsk is one question about entities. Where is as the store has it: Types and Name are folded.
type EntityAsk struct {
	Search
	Where store.EntityWhere
	Page  Page
	Want  store.EntityColumns
	// Total asks for the number of all; of a listing only.
	Total bool
}

// FactAsk is one question about facts. Where.Time and Where.At say which with regard to time; ids in it are EntityIDs'
// and Episode's, since those of a remote base are no UUIDs.
type FactAsk struct {
	Search
	Where store.FactWhere
	// Entity, Between and Episode stand for the fields of Where of the same names, which are not looked at; zero and empty
	// ask nothing.
	Entity  model.ID
	Between []model.ID
	Episode model.ID
	Page    Page
	Want    store.FactWant
	// Total asks for the number of all, of a listing only; Suppressed for how many were left out because of Where.Time.
	Total, Suppressed bool
}

// EpisodeAsk is one question about episodes.
type EpisodeAsk struct {
	Where store.EpisodeWhere
	Page  Page
	Want  store.EpisodeColumns
	Total bool
}

// Hit is one item of an answer. Found is nil when nothing was looked for, or the base does not tell.
type Hit[T any] struct {
	Item  T
	Found *store.Found
	// Place names the item for Page.After.
	Place []byte
}

// Answer is one page.
type Answer[T any] struct {
	Hits    []Hit[T]
	HasNext bool
	// Total is nil when nobody asked, or it is not known.
	Total *int
	// Suppressed is of facts only.
	Suppressed int
	// Legs took part in the search; none when nothing was looked for, or the base does not tell.
	Legs []model.SearchLeg
	// Trouble is why a leg did not take part, to stand beside the answer; nil when nothing went wrong.
	Trouble error
}

// Searcher finds and lists.
type Searcher interface {
	FindEntities(ctx context.Context, user model.UserID, ask EntityAsk) (Answer[model.Entity], error)
	FindFacts(ctx context.Context, user model.UserID, ask FactAsk) (Answer[model.Fact], error)
	// FactsAround is store.FactReader's: facts at any of the entities, newest first, at most perEntity of each and limit
	// in all; more tells that some were left out.
	FactsAround(ctx context.Context, user model.UserID, around Around) (facts []model.Fact, more bool, err error)
}

// Around asks for the facts at some entities. Of Where, Time, At and Relations count.
type Around struct {
	Entities  []model.ID
	Where     store.FactWhere
	PerEntity int
	Limit     int
	Want      store.FactWant
}

// Reader reads by id. What is not there, or another user's, is not in the map; a merged entity's id gives the entity
// that it became part of.
type Reader interface {
	EntitiesByID(ctx context.Context, user model.UserID, ids []model.ID,
		want store.EntityColumns) (map[model.ID]model.Entity, error)
	FactsByID(ctx context.Context, user model.UserID, ids []model.ID, want store.FactWant) (map[model.ID]model.Fact, error)
	// Status says how the base is. It fails only when the base cannot say anything at all.
	Status(ctx context.Context, user model.UserID, now time.Time) (Status, error)
}

// Status is how a base is. Counts is nil when the base does not count.
type Status struct {
	Healthy bool
	// Message is what the base says of itself; empty for nothing.
	Message string
	Counts  *store.KnowledgeCounts
}

// EpisodeReader reads episodes.
type EpisodeReader interface {
	FindEpisodes(ctx context.Context, user model.UserID, ask EpisodeAsk) (Answer[model.Episode], error)
	EpisodesByID(ctx context.Context, user model.UserID, ids []model.ID,
		want store.EpisodeColumns) (map[model.ID]model.Episode, error)
	// Contents returns what was read from an episode: entities by name, facts oldest first, at most limit of each. Nil
	// contents: the base does not tell.
	Contents(ctx context.Context, user model.UserID, episode model.ID, limit int, entities store.EntityColumns,
		facts store.FactWant) (*Contents, error)
}

// Contents is what was read from an episode.
type Contents struct {
	Entities []model.Entity
	Facts    []model.Fact
}

// NewEpisode is an episode to be added. Its texts are clean and within their limits.
type NewEpisode struct {
	// Episode has no id yet. State is VERBATIM when nobody shall read it.
	Episode model.Episode
	Now     time.Time
}

// Added is what came of adding an episode. Episode.ID is zero when the base does not tell; then Message says more.
type Added struct {
	Episode model.Episode
	// Known tells that the same was there already.
	Known   bool
	Message string
}

// End is one end of a fact to be added: an entity by its id or by its name.
type End struct {
	ID model.ID
	// Name and all else are clean and within their limits; Attributes is canonical JSON.
	Name, Type, Summary string
	Aliases             []string
	Attributes          string
}

// NewFact is a fact to be added, as FactInput has it.
type NewFact struct {
	Source, Target End
	// Relation is in capitals with underscores; Sentence is empty when none was given.
	Relation, Sentence string
	ValidAt, InvalidAt time.Time
	Confidence         *float64
	Attributes         string
	Closes             []model.ID
	Exclusive          bool
}

// NewFacts are facts to be added.
type NewFacts struct {
	Facts []NewFact
	// Episode supports them all; zero for none.
	Episode model.ID
	// Atomic: all or none; then the first that is wrong is the error.
	Atomic bool
	Now    time.Time
}

// FactsAdded is what came of it. Ids and Problems go by input: an id is zero where the fact was left out, or the base
// does not tell; a problem is nil where it was not.
type FactsAdded struct {
	Ids                                           []model.ID
	Problems                                      []error
	Created, Unchanged, Invalidated, EntitiesMade int
	// New tells which ids are of facts, and EntitiesNew of entities, that this call has made.
	New         map[model.ID]bool
	EntitiesNew map[model.ID]bool
}

// Erased is what went with something.
type Erased struct {
	// Counts is nil when the base does not count.
	Counts *store.KnowledgeCounts
}

// Writer adds and erases. What is not there, or another user's: CodeNotFound.
type Writer interface {
	AddEpisode(ctx context.Context, user model.UserID, add NewEpisode) (Added, error)
	AddFacts(ctx context.Context, user model.UserID, add NewFacts) (FactsAdded, error)
	// Delete erases an entity, a fact or an episode with what goes with it, by the kind of its id.
	Delete(ctx context.Context, user model.UserID, id model.ID) (Erased, error)
	// Clear erases the user's whole graph.
	Clear(ctx context.Context, user model.UserID) (Erased, error)
}

// Merged is what came of a merge.
type Merged struct {
	Entity                     model.Entity
	Merged, FactsMoved, Joined int
}

// Editor changes what is there; see Facts.Edits.
type Editor interface {
	// Extract has an episode read again.
	Extract(ctx context.Context, user model.UserID, episode model.ID, now time.Time) (model.Episode, error)
	// Invalidate closes facts and returns them as they are then, by id, with how many were open before. What is not there
	// is not in the map; a fact that began at the moment or after it is a problem.
	Invalidate(ctx context.Context, user model.UserID, facts []model.ID, at,
		now time.Time) (closed map[model.ID]model.Fact, updated int, problems map[model.ID]error, err error)
	// UpdateEntity changes an entity by a function of how it is. ifVersion 0 asks nothing; CodeConflict otherwise when it
	// differs.
	UpdateEntity(ctx context.Context, user model.UserID, id model.ID, ifVersion int, change func(*model.Entity) error,
		now time.Time) (model.Entity, error)
	Merge(ctx context.Context, user model.UserID, into model.ID, others []model.ID, now time.Time) (Merged, error)
}
