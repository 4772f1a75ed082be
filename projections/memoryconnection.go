package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// MemoryEdge is a memory in a page.
type MemoryEdge = Edge[Memory]

// MemoryConnection is a page of memories.
type MemoryConnection struct {
	Page[Memory]
}

// Context is the response context of a listing.
func (c *MemoryConnection) Context() MemoryContext {
	return MemoryContext{IsListing: true, IsEmpty: c.IsEmpty()}
}

// MemoryContext is the response context of the seed, for memories.
type MemoryContext struct {
	answered
	IsListing  bool
	IsEmpty    bool
	IsNew      bool
	IsOverride bool
}

// MemoryContextOf is the response context of a mutation: each flag says whether any of the memories has it.
func MemoryContextOf(memories []Memory) *MemoryContext {
	all := &MemoryContext{IsEmpty: len(memories) == 0}
	for _, memory := range memories {
		one := memory.ItemContext()
		all.IsNew = all.IsNew || one.IsNew
		all.IsOverride = all.IsOverride || one.IsOverride
	}
	return all
}

// MemoryFound is a memory that a search has found, with how well it fits.
type MemoryFound struct {
	Memory Memory
	// Similarity is nil when the memory or the query has no vector.
	Similarity   *float64
	KeywordScore float64
	Score        float64
	MatchedBy    []model.SearchLeg
}

// Row is the hit for compact text.
func (f MemoryFound) Row() compact.FoundMemory {
	return compact.FoundMemory{Similarity: f.Similarity, KeywordScore: &f.KeywordScore, Score: &f.Score,
		Node: f.Memory.Row()}
}

// MemorySearchConnection is a page of what a search has found.
type MemorySearchConnection struct {
	Page[MemoryFound]
	// Legs took part in the search.
	Legs          []model.SearchLeg
	MinSimilarity float64
}

// Nodes are the memories; never nil.
func (c *MemorySearchConnection) Nodes() []Memory {
	nodes := make([]Memory, len(c.Items))
	for i, item := range c.Items {
		nodes[i] = item.Memory
	}
	return nodes
}

// Edges are the memories with their scores.
func (c *MemorySearchConnection) Edges() []MemorySearchEdge {
	edges := make([]MemorySearchEdge, len(c.Items))
	for i, item := range c.Items {
		edges[i] = MemorySearchEdge{found: item, index: i, cursor: c.Cursor}
	}
	return edges
}

// IsEmpty reports whether nothing was found.
func (c *MemorySearchConnection) IsEmpty() bool { return len(c.Items) == 0 && !c.HasPrevious }

// Context is the response context of a listing.
func (c *MemorySearchConnection) Context() MemoryContext {
	return MemoryContext{IsListing: true, IsEmpty: c.IsEmpty()}
}

// MemorySearchEdge is a memory that was found.
type MemorySearchEdge struct {
	found  MemoryFound
	index  int
	cursor func(int) string
}

// Cursor is the hit's rank.
func (e MemorySearchEdge) Cursor() string { return e.cursor(e.index) }

// Similarity is the cosine similarity, nil when there is none.
func (e MemorySearchEdge) Similarity() *float64 { return e.found.Similarity }

// KeywordScore is how much of the query's words it has.
func (e MemorySearchEdge) KeywordScore() float64 { return e.found.KeywordScore }

// Score is what the hits are ranked by.
func (e MemorySearchEdge) Score() float64 { return e.found.Score }

// MatchedBy are the legs that found it.
func (e MemorySearchEdge) MatchedBy() []model.SearchLeg { return e.found.MatchedBy }

// Node is the memory.
func (e MemorySearchEdge) Node() Memory { return e.found.Memory }

// MemoryStatus is what a user has, and how far it can be found by meaning.
type MemoryStatus struct {
	Counts model.MemoryCounts
	// Model is the one in use.
	Model model.EmbeddingModel
}

// Total is how many memories there are.
func (s MemoryStatus) Total() int { return s.Notes() + s.Contacts() + s.Kvs() }

// Notes is how many of them are notes.
func (s MemoryStatus) Notes() int { return s.Counts.ByType[model.MemoryNote] }

// Contacts is how many of them are contacts.
func (s MemoryStatus) Contacts() int { return s.Counts.ByType[model.MemoryContact] }

// Kvs is how many of them are key-values.
func (s MemoryStatus) Kvs() int { return s.Counts.ByType[model.MemoryKV] }

// Embedding is the model in use, and how far it has come.
func (s MemoryStatus) Embedding() EmbeddingStatus {
	return EmbeddingStatusOf(s.Model, s.Counts.Models, s.Total())
}

// EmbeddingStatusOf says how far a model has come with so many things, of which so many have vectors of which models.
func EmbeddingStatusOf(current model.EmbeddingModel, counts []model.ModelCount, total int) EmbeddingStatus {
	out := EmbeddingStatus{
		Model: current.Name, Dimensions: current.Dimensions, Local: current.Local, Threshold: current.Floor, Progress: 1,
	}
	for _, count := range counts {
		if count.Model == current.Name {
			out.Ready += count.Rows
		} else {
			out.Stale += count.Rows
		}
	}
	out.Pending = max(total-out.Ready-out.Stale, 0)
	if total > 0 {
		out.Progress = float64(out.Ready) / float64(max(total, out.Ready))
	}
	return out
}

// EmbeddingStatus is how far memories, or the records of the knowledge graph, can be found by meaning.
type EmbeddingStatus struct {
	Model                 string
	Dimensions            int
	Local                 bool
	Threshold             float64
	Ready, Stale, Pending int
	Progress              float64
}

// MemoryChange is a change of a memory.
type MemoryChange struct {
	Change
	Memory *Memory
}

// ID is the id of this change.
func (c MemoryChange) ID() model.ID { return c.idAs(model.FormMemory) }

// MemoryExport is a page of memories as JSON Lines.
type MemoryExport struct {
	JSONLines string
	Count     int
	PageInfo  model.PageInfo
}
