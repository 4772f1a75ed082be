package model

import (
	"strings"
	"time"
)

// Entity is what facts are about: a person, a place, an organisation, a thing, an idea.
type Entity struct {
	ID ID
	// SourceID is the remote's own id; empty for the own store's.
	SourceID string
	Name     string
	// Type is empty when nobody has said what it is.
	Type    string
	Summary string
	// Aliases are other names, each once, in the order in which they were learned; at most MaxAliases.
	Aliases []string
	// Attributes is one JSON object in canonical form (see projections/memo); empty for none.
	Attributes string
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// Version counts its changes from 1.
	Version int
	// Embedding is what is kept with it; it is written, and never read for a caller.
	Embedding Embedding
}

// Fact is a relation between two entities with two times: that of the world and that of the record.
type Fact struct {
	ID ID
	// SourceID is the remote's own id; empty for the own store's.
	SourceID string
	// Relation is in capitals, words joined by underscores.
	Relation string
	// Sentence says it in words.
	Sentence string
	// Source and Target are its ends; their ids always are there, the rest as far as it was asked for.
	Source, Target Entity
	// ValidAt and InvalidAt bound when it holds in the world, half-open; zero for unbounded.
	ValidAt, InvalidAt time.Time
	// CreatedAt is when it was kept, ExpiredAt when it became known that it holds no more; zero when it is not known to.
	CreatedAt, ExpiredAt time.Time
	// Confidence is from 0 to 1; nil when nobody has said.
	Confidence *float64
	// Attributes is one JSON object in canonical form; empty for none.
	Attributes string
	// Episodes are those that it was read from, oldest first; at most MaxFactEpisodes. Filled only when asked for.
	Episodes []ID
	// ReplacedBy is the fact that closed it; zero for none.
	ReplacedBy ID
	// Version counts its changes from 1.
	Version int
	// Embedding is what is kept with it; it is written, and never read for a caller.
	Embedding Embedding
}

// HoldsAt reports whether the fact holds in the world at a moment.
func (f *Fact) HoldsAt(at time.Time) bool {
	return (f.ValidAt.IsZero() || !f.ValidAt.After(at)) && (f.InvalidAt.IsZero() || f.InvalidAt.After(at))
}

// Episode is something that happened or was said, word for word.
type Episode struct {
	ID ID
	// SourceID is the remote's own id; empty for the own store's.
	SourceID string
	Name     string
	Content  string
	Source   EpisodeSource
	// SourceDescription is empty when nobody has said.
	SourceDescription string
	// ReferenceTime is when it happened.
	ReferenceTime time.Time
	CreatedAt     time.Time
	State         EpisodeState
	// Problem is why it could not be read, fit for clients; empty otherwise.
	Problem string
	// Attempts counts how often a model was asked to read it; NextAt is when to try next, of a queued one.
	Attempts int
	NextAt   time.Time
}

// EpisodeSource is what kind of text an episode is.
type EpisodeSource string

// The kinds.
const (
	EpisodeText    EpisodeSource = "TEXT"
	EpisodeMessage EpisodeSource = "MESSAGE"
	EpisodeJSON    EpisodeSource = "JSON"
)

// EpisodeState is how far an episode has been read.
type EpisodeState string

// The states.
const (
	EpisodeVerbatim  EpisodeState = "VERBATIM"
	EpisodeQueued    EpisodeState = "QUEUED"
	EpisodeExtracted EpisodeState = "EXTRACTED"
	EpisodeFailed    EpisodeState = "FAILED"
)

// KnowledgeBackend is where a knowledge graph is kept.
type KnowledgeBackend string

// The backends.
const (
	KnowledgeOwn      KnowledgeBackend = "OWN"
	KnowledgeGraphiti KnowledgeBackend = "GRAPHITI"
)

// Limits of a knowledge graph.
const (
	MaxEntityName       = 200
	MaxEntityType       = 64
	MaxEntitySummary    = 2_000
	MaxAliases          = 20
	MaxRelation         = 64
	MaxFactSentence     = 2_000
	MaxFactEpisodes     = 100
	MaxAttributes       = 16 << 10
	MaxEpisodeName      = 200
	MaxEpisodeContent   = 100_000
	MaxEpisodeOrigin    = 500
	MaxFactsAtOnce      = 1_000
	MaxFactsShown       = 200
	MaxNeighbourDepth   = 3
	MaxPathLength       = 6
	MaxFactsAStep       = 2_000
	MaxMergedEntities   = 50
	MaxSuppressedSearch = 1_000
)

// KnowledgeRef names a record of a Graphiti server: its uuid there, and for an entity its name, since entities are only
// found by searching.
type KnowledgeRef struct {
	UUID string
	Name string
}

const (
	graphitiMark = "graphiti\x00"
	// minRemoteUUID keeps references longer than the 16 bytes of an own id, so that each text is one or the other.
	minRemoteUUID = 8
	maxRemoteUUID = 200
)

// ID makes the id of a record of a Graphiti server. The name is cut so that the id stays within MaxRemote. An empty or
// odd uuid returns the zero ID.
func (r KnowledgeRef) ID(kind Kind) ID {
	if len(r.UUID) < minRemoteUUID || len(r.UUID) > maxRemoteUUID || strings.Contains(r.UUID, "\x00") {
		return ID{}
	}
	name := r.Name
	if kind != KindEntity || strings.Contains(name, "\x00") {
		name = ""
	}
	const room = 400
	if len(name) > room {
		cut := room
		for cut > 0 && name[cut]&0xc0 == 0x80 {
			cut--
		}
		name = name[:cut]
	}
	return RemoteID(kind, graphitiMark+r.UUID+"\x00"+name)
}

// KnowledgeRefOf reads the reference of an id that KnowledgeRef.ID made. ErrMalformedID for any other id, the own
// store's among them.
func KnowledgeRefOf(id ID) (KnowledgeRef, error) {
	rest, ours := strings.CutPrefix(id.Remote, graphitiMark)
	uuid, name, whole := strings.Cut(rest, "\x00")
	ref := KnowledgeRef{UUID: uuid, Name: name}
	if !ours || !whole || ref.ID(id.Kind) != id {
		return KnowledgeRef{}, ErrMalformedID
	}
	return ref, nil
}
