package model

import "time"

// MemoryType is what a memory is about.
type MemoryType string

// The types of the seed.
const (
	// MemoryNote is anything worth keeping.
	MemoryNote MemoryType = "NOTE"
	// MemoryContact is about a person or an organisation.
	MemoryContact MemoryType = "CONTACT"
	// MemoryKV is a named value: the code of the gate, a shoe size.
	MemoryKV MemoryType = "KV"
)

// Memory is something the user wants kept: a note, a contact, a named value.
type Memory struct {
	ID   UUID
	Type MemoryType
	// Content is what is remembered, 1–MaxMemoryContent characters, clean (fold.Clean).
	Content string
	// Summary is a line about it, empty for none; at most MaxMemorySummary characters.
	Summary string
	// Tags are folded, sorted, each once; at most MaxMemoryTags of at most MaxMemoryTag characters.
	Tags []string
	// Metadata is one JSON object in canonical form (see projections/memo), at most MaxMemoryMetadata bytes; empty for
	// none.
	Metadata  string
	CreatedAt time.Time
	UpdatedAt time.Time
	// ExpiresAt is the moment from which the memory is gone; zero for never.
	ExpiresAt time.Time
	// Version counts the memory's versions from 1.
	Version int
	// Overridden says that this version replaced another by storeMemory.
	Overridden bool
	// Embedding is filled only when asked for.
	Embedding Embedding
	// History are the versions before this one, newest first; filled only when asked for.
	History []MemoryVersion
}

// Embedding is the vector of one memory, and where it comes from.
type Embedding struct {
	// Model is the name of the model that made it; empty while there is none.
	Model string
	// Dimensions is the vector's length; 0 while there is none.
	Dimensions int
	// Vector has unit length; filled only when asked for.
	Vector []float32
}

// MemoryVersion is a memory as it once was.
type MemoryVersion struct {
	Memory  UUID
	Version int
	// Type, Content, Summary, Tags, Metadata, ExpiresAt and Overridden are as they were.
	Type       MemoryType
	Content    string
	Summary    string
	Tags       []string
	Metadata   string
	ExpiresAt  time.Time
	Overridden bool
	// WrittenAt is when this version became the current one, ReplacedAt when it ceased to be.
	WrittenAt  time.Time
	ReplacedAt time.Time
	// Reason is what replaced it.
	Reason MemoryReason
}

// MemoryReason is why a version was replaced.
type MemoryReason string

// The reasons.
const (
	MemoryUpdated    MemoryReason = "UPDATED"
	MemoryOverridden MemoryReason = "OVERRIDDEN"
	MemoryRestored   MemoryReason = "RESTORED"
)

// Limits of a memory.
const (
	MaxMemoryContent  = 20_000
	MaxMemorySummary  = 500
	MaxMemoryTags     = 50
	MaxMemoryTag      = 64
	MaxMemoryMetadata = 16 << 10
	// MaxMetadataDepth is how deep objects and lists of metadata may nest.
	MaxMetadataDepth = 8
	// MaxMemoryVersions is how many versions before the current one are kept; the oldest goes first.
	MaxMemoryVersions = 100
	// MaxSearchQuery is how long a search may be, in characters.
	MaxSearchQuery = 2_000
	// MaxSearchDepth is how many hits of one search can be paged through.
	MaxSearchDepth = 1_000
	// MaxFilterParts and MaxFilterDepth bound a filter: conditions in all, and how deep and, or and not may nest.
	MaxFilterParts = 50
	MaxFilterDepth = 5
	// MaxEmbeddingDimensions is the longest vector that both stores can index.
	MaxEmbeddingDimensions = 4_000
)

// OnMemoryConflict is what storeMemory does about a memory that is already known.
type OnMemoryConflict string

// The policies.
const (
	OnConflictAsk      OnMemoryConflict = "ASK"
	OnConflictOverride OnMemoryConflict = "OVERRIDE"
	OnConflictKeepBoth OnMemoryConflict = "KEEP_BOTH"
)

// SearchLeg is one of the two ways in which memories are found.
type SearchLeg string

// The legs.
const (
	LegVector  SearchLeg = "VECTOR"
	LegKeyword SearchLeg = "KEYWORD"
)

// EmbeddingState is whether a memory can be found by meaning.
type EmbeddingState string

// The states.
const (
	// EmbeddingReady: by the model in use.
	EmbeddingReady EmbeddingState = "READY"
	// EmbeddingStale: by an earlier model; the new vector is under way.
	EmbeddingStale EmbeddingState = "STALE"
	// EmbeddingPending: not yet; it is found by its words.
	EmbeddingPending EmbeddingState = "PENDING"
)

// MemoryOrderField is what memories can be ordered by.
type MemoryOrderField string

// Ties are broken by id.
const (
	MemoryOrderCreatedAt MemoryOrderField = "CREATED_AT"
	MemoryOrderUpdatedAt MemoryOrderField = "UPDATED_AT"
)

// MemoryOrder is the order of memories.
type MemoryOrder struct {
	Field     MemoryOrderField
	Direction Direction
}

// EmbeddingModel names a model and what it returns.
type EmbeddingModel struct {
	// Name is unique among everything that makes vectors, dimensions included when they were asked for: "local-ngram-1",
	// "text-embedding-3-small", "text-embedding-3-small@256".
	Name       string
	Dimensions int
	// Floor is the similarity from which a memory counts as found when the caller names none.
	Floor float64
	// Near is the similarity from which two memories may be about the same thing.
	Near float64
	// Local: no text leaves the process.
	Local bool
}

// ModelCount is how many of a user's memories have a vector of a model.
type ModelCount struct {
	Model      string
	Dimensions int
	Rows       int
}

// MemoryCounts is what a user has.
type MemoryCounts struct {
	// ByType counts memories that have not expired.
	ByType map[MemoryType]int
	// Models counts vectors by model, the most first.
	Models []ModelCount
}
