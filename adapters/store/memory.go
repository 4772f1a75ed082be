package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// MemoryWhere is a filter with everything relative resolved. All parts are ANDed; the zero value of a part asks
// nothing.
type MemoryWhere struct {
	// Types: one of these.
	Types []model.MemoryType
	// TagsAll, TagsAny and TagsNone are cleaned by memo.Tags.
	TagsAll, TagsAny, TagsNone []string
	// Pairs are entries of the metadata that must be there, as memo.Pairs writes them.
	Pairs []string
	// HasMetadata: nil asks nothing.
	HasMetadata *bool
	// CreatedFrom and UpdatedFrom are inclusive, CreatedTo and UpdatedTo exclusive. A memory's creation is CreatedAt, not
	// its id's time.
	CreatedFrom, CreatedTo, UpdatedFrom, UpdatedTo time.Time
	// And, Or and Not are further filters: all of them, at least one of them (when there are any), none of it.
	And []MemoryWhere
	Or  []MemoryWhere
	Not *MemoryWhere
}

// MemoryPlace is a memory's place in an order: its id and the value of CREATED_AT or UPDATED_AT.
type MemoryPlace struct {
	ID model.UUID
	At time.Time
}

// MemoryQuery is one question about memories.
type MemoryQuery struct {
	Where MemoryWhere
	// Now tells what has expired: such memories are not there.
	Now     time.Time
	Order   model.MemoryOrder
	Columns MemoryColumns
	Page    *Window[MemoryPlace]
	Total   bool
}

// MemoryPage answers a MemoryQuery; the fields mean what TaskPage's mean.
type MemoryPage struct {
	Memories             []model.Memory
	Places               []MemoryPlace
	HasNext, HasPrevious bool
	Total                int
}

// QueryVector is what is looked for by meaning, under one model. It has unit length.
type QueryVector struct {
	Model  string
	Vector []float32
}

// MemorySearch is one search: by meaning, by words, or by both.
type MemorySearch struct {
	Where MemoryWhere
	Now   time.Time
	// Vectors are what is looked for, one for each model; a memory's similarity is to the one of its own model's, and it
	// has none when there is no such vector. Without any, only words count.
	Vectors []QueryVector
	// Words are what is looked for by words, as projections/words reads a query; empty for none.
	Words model.SearchWords
	// MinSimilarity bounds the vector leg, inclusive; what is below is found by words or not at all.
	MinSimilarity float64
	// SimilarityWeight and KeywordWeight are those of the score.
	SimilarityWeight, KeywordWeight float64
	// Offset and Limit name the hits wanted, by rank; together at most model.MaxSearchDepth.
	Offset, Limit int
	Columns       MemoryColumns
}

// MemoryHit is a memory that was found.
type MemoryHit struct {
	Memory model.Memory
	// Similarity is the cosine of the two vectors, -1–1, also when it is below the bound; 0 when the memory or the search
	// has no vector.
	Similarity float64
	// Keyword is words.Score of the memory, 0–1: how much of the query its words cover. A term's count is that of the
	// different rows of the index, one for each entry of each memory, that any of its forms finds, at most words.Common:
	// over all that the user has, whatever the filter, expired memories that are not erased yet among them.
	Keyword float64
	// Score is SimilarityWeight·max(Similarity, 0) + KeywordWeight·Keyword.
	Score float64
	// ByVector and ByKeyword tell which leg found it; at least one has.
	ByVector, ByKeyword bool
}

// MemoryHits answers a MemorySearch: the hits from Offset on, by Score, best first; ties go to the higher Similarity,
// then to the newer id. So a vector leg that has found its nearest has found its best, also when the weight of the
// similarity is 0.
type MemoryHits struct {
	Hits    []MemoryHit
	HasNext bool
}

// MemoryTwin names what may be known already.
type MemoryTwin struct {
	// Key is the folded content. A store finds the memory of the same type and key, whatever its length.
	Type model.MemoryType
	Key  string
	// Pairs find memories of the type that have any of these entries in their metadata, as memo.Identity returns them.
	Pairs []string
}

// MemoryReader reads memories. Expired ones are not there.
type MemoryReader interface {
	// Memories returns one page and whatever else the query wants, from one moment of the database, in one statement or
	// one batch. It must read no column that the query does not name or need.
	Memories(ctx context.Context, user model.UserID, query MemoryQuery) (MemoryPage, error)
	// MemoriesByID returns the memories that exist among ids, in any order, each once.
	MemoriesByID(ctx context.Context, user model.UserID, ids []model.UUID, now time.Time,
		want MemoryColumns) ([]model.Memory, error)
	// MemoryCounts counts the user's memories and vectors, without what has expired. Models that have none are left out;
	// ties go by name.
	MemoryCounts(ctx context.Context, user model.UserID, now time.Time) (model.MemoryCounts, error)
	// TwinMemories returns up to limit memories of the type that have the key or one of the pairs, those with the key
	// first, then the newest by id. An empty key is nobody's.
	TwinMemories(ctx context.Context, user model.UserID, twin MemoryTwin, now time.Time, limit int,
		want MemoryColumns) ([]model.Memory, error)
	// SearchMemories ranks memories. It takes no part in a transaction of its context: it sees what is committed, this
	// process's own commits included. It returns Limit hits whenever so many exist beyond Offset, whatever the filter; the
	// filter holds for both legs. Both drivers compute Similarity, Keyword and Score by the same code from what they keep,
	// so that they answer alike. A vector index may miss a memory that is near: see the driver's own words on when it uses
	// one.
	SearchMemories(ctx context.Context, user model.UserID, search MemorySearch) (MemoryHits, error)
}

// MemoryWriter writes memories, with their words, and their versions.
type MemoryWriter interface {
	// InsertMemories adds memories with their vectors, where Embedding holds one. Version is kept as given; History is not
	// looked at. ErrConflict, and nothing is done, when an id is taken. Change: CREATED each, in order.
	InsertMemories(ctx context.Context, memories []model.Memory) error
	// UpdateMemory replaces a memory by id and puts the row as it was before into its history, for the reason given; the
	// oldest versions beyond model.MaxMemoryVersions go. The version was WrittenAt the old UpdatedAt and ReplacedAt the
	// new one. CreatedAt stays as it was. Version is kept as given; what the history already has under the number of the
	// version that goes there gives way to it. The vector is replaced by Embedding when it holds one; else it stays when
	// type, content, summary, tags and metadata are the same, and is dropped when one of them is not. ErrNotFound. Change:
	// UPDATED.
	UpdateMemory(ctx context.Context, memory model.Memory, reason model.MemoryReason) error
	// DeleteMemories erases memories with words, vectors and history, and what recorded answers of idempotent calls tell
	// of them, and returns the ids that were there, in the order given, each once. Nothing of their texts is left in any
	// table or index. A recorded answer tells of a memory when it has the memory's public id in it; whoever comes with its
	// key again gets a *model.Error of CodeConflict, by Once and by Claim, until the record would have ended. Change:
	// DELETED each.
	DeleteMemories(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error)
	// RestoreHistory replaces a memory's history: for imports. The order of versions does not matter; of more than
	// model.MaxMemoryVersions the oldest go. ErrNotFound. No change of its own.
	RestoreHistory(ctx context.Context, memory model.UUID, versions []model.MemoryVersion) error
}

// PendingMemory is a memory whose vector is missing or of another model.
type PendingMemory struct {
	User model.UserID
	ID   model.UUID
	// Type, Content, Summary, Tags and Metadata are what is embedded (see memo.Text); Version reports whether it is still
	// so.
	Type     model.MemoryType
	Content  string
	Summary  string
	Tags     []string
	Metadata string
	Version  int
}

// MemoryVectorOf is a vector to be kept with a memory.
type MemoryVectorOf struct {
	ID model.UUID
	// Version is the memory's when it was embedded; a vector of another version is not kept.
	Version   int
	Embedding model.Embedding
	// Entries replace those of the index of words, which an earlier version of the program may have made; none: they stay.
	Entries []string
}

// VectorStore keeps vectors up to date. They are not part of the change log: nothing that a client sees of a memory
// changes.
type VectorStore interface {
	// PendingMemories returns up to limit memories of any users that have no vector of the model, those without any vector
	// first, and what has expired left out. after is where the last call ended (the zero value to begin), and the next
	// place is given back; a call that gives nothing has seen all. What is pending throughout a walk comes once in it,
	// whatever else changes meanwhile.
	PendingMemories(ctx context.Context, name string, now time.Time, after PendingPlace, limit int) ([]PendingMemory,
		PendingPlace, error)
	// SaveVectors keeps vectors of one user's memories, in place of those they had; what is gone or was changed meanwhile
	// is left as it is. It returns how many were kept. Inside of another user's transaction it is refused like a Write.
	SaveVectors(ctx context.Context, user model.UserID, vectors []MemoryVectorOf) (int, error)
	// ExpireMemories deletes up to limit memories of any users that expired at or before now, as DeleteMemories does, and
	// returns how many.
	ExpireMemories(ctx context.Context, now time.Time, limit int) (int, error)
}

// PendingPlace is a place in the rows of all users: first come those without any vector, then those whose vector is
// stale.
type PendingPlace struct {
	Stale bool
	User  model.UserID
	ID    model.UUID
}
