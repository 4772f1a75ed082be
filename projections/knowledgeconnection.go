package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// Knowledge is the knowledge graph; its fields are questions of their own.
type Knowledge struct{}

// KnowledgeContext is the response context of the seed, for knowledge.
type KnowledgeContext struct {
	answered
	IsListing, IsEmpty, IsNew bool
}

// FoundPage is what pages of entities and facts have in common.
type FoundPage[T any] struct {
	// Items are in the answer's order; Found says of each how it was found, nil when nothing was looked for, or the base
	// does not tell.
	Items []T
	Found []*FoundScores
	// Cursor returns the cursor of the item at an index. It is called only for what is selected.
	Cursor               func(index int) string
	HasNext, HasPrevious bool
	// Counted is the number of all, nil when it is not known, or nobody asked.
	Counted *int
	Taken   []model.SearchLeg
	// Some says that the filter finds something, though this page is empty.
	Some bool
}

// FoundScores is how well something was found.
type FoundScores struct {
	// Similarity is nil when one of the two has no vector.
	Similarity     *float64
	Keyword, Score float64
	MatchedBy      []model.SearchLeg
}

// Nodes are the items; never nil.
func (p FoundPage[T]) Nodes() []T { return present(p.Items) }

// Edges are the items with how they were found.
func (p FoundPage[T]) Edges() []FoundEdge[T] {
	edges := make([]FoundEdge[T], len(p.Items))
	for i, item := range p.Items {
		edges[i] = FoundEdge[T]{item: item, index: i, cursor: p.Cursor}
		if i < len(p.Found) {
			edges[i].found = p.Found[i]
		}
	}
	return edges
}

// PageInfo is where the page stands.
func (p FoundPage[T]) PageInfo() model.PageInfo {
	return Page[T]{Items: p.Items, Cursor: p.Cursor, HasNext: p.HasNext, HasPrevious: p.HasPrevious}.PageInfo()
}

// TotalCount is the number of all, nil when it is not known.
func (p FoundPage[T]) TotalCount() *int { return p.Counted }

// IsEmpty reports whether there is nothing at all.
func (p FoundPage[T]) IsEmpty() bool { return len(p.Items) == 0 && !p.HasPrevious && !p.Some }

// Legs took part in the search; never nil.
func (p FoundPage[T]) Legs() []model.SearchLeg { return present(p.Taken) }

// Context is the response context of a listing.
func (p FoundPage[T]) Context() KnowledgeContext {
	return KnowledgeContext{IsListing: true, IsEmpty: p.IsEmpty()}
}

// FoundEdge is an item with how it was found.
type FoundEdge[T any] struct {
	item   T
	found  *FoundScores
	index  int
	cursor func(int) string
}

// Cursor is the item's place.
func (e FoundEdge[T]) Cursor() string { return e.cursor(e.index) }

// Node is the item.
func (e FoundEdge[T]) Node() T { return e.item }

// Similarity is the cosine similarity, nil when there is none.
func (e FoundEdge[T]) Similarity() *float64 {
	if e.found == nil {
		return nil
	}
	return e.found.Similarity
}

// KeywordScore is how much of the query's words it has, nil when nothing was looked for.
func (e FoundEdge[T]) KeywordScore() *float64 {
	if e.found == nil {
		return nil
	}
	return &e.found.Keyword
}

// Score is what the hits are ranked by, nil when nothing was looked for.
func (e FoundEdge[T]) Score() *float64 {
	if e.found == nil {
		return nil
	}
	return &e.found.Score
}

// MatchedBy are the legs that found it; never nil.
func (e FoundEdge[T]) MatchedBy() []model.SearchLeg {
	if e.found == nil || e.found.MatchedBy == nil {
		return []model.SearchLeg{}
	}
	return e.found.MatchedBy
}

// EntityConnection is a page of entities.
type EntityConnection struct{ FoundPage[Entity] }

// EntityEdge is an entity in a page.
type EntityEdge = FoundEdge[Entity]

// FactConnection is a page of facts.
type FactConnection struct {
	FoundPage[Fact]
	// Suppressed is how many were left out because they do not hold.
	Suppressed int
}

// FactEdge is a fact in a page.
type FactEdge = FoundEdge[Fact]

// EpisodeConnection is a page of episodes.
type EpisodeConnection struct {
	Page[Episode]
	// Counted is the number of all, nil when it is not known, or nobody asked.
	Counted *int
}

// EpisodeEdge is an episode in a page.
type EpisodeEdge = Edge[Episode]

// TotalCount is the number of all, nil when it is not known.
func (c *EpisodeConnection) TotalCount() *int { return c.Counted }

// IsEmpty reports whether there is no episode at all.
func (c *EpisodeConnection) IsEmpty() bool { return len(c.Items) == 0 && !c.HasPrevious }

// Context is the response context of a listing.
func (c *EpisodeConnection) Context() KnowledgeContext {
	return KnowledgeContext{IsListing: true, IsEmpty: c.IsEmpty()}
}

// KnowledgeStatus is how the graph is; what the base does not count is nil.
type KnowledgeStatus struct {
	Backend                                                model.KnowledgeBackend
	Healthy                                                bool
	Message                                                *string
	EntityCount, FactCount, CurrentFactCount, EpisodeCount *int
	LastUpdated                                            model.OptionalDateTime
	ExtractionModel                                        *string
	Queued, Failed                                         *int
	Embedding                                              *EmbeddingStatus
}

// Status is HEALTHY or ERROR.
func (s KnowledgeStatus) Status() string {
	if s.Healthy {
		return "HEALTHY"
	}
	return "ERROR"
}

// Row is the status for compact text.
func (s KnowledgeStatus) Row() compact.Status {
	return compact.Status{
		Backend: s.Backend, Status: s.Status(), Message: s.Message, EntityCount: s.EntityCount, FactCount: s.FactCount,
		CurrentFactCount: s.CurrentFactCount,
		EpisodeCount:     s.EpisodeCount, LastUpdated: rowTime(s.LastUpdated), ExtractionModel: s.ExtractionModel,
		Queued: s.Queued, Failed: s.Failed,
	}
}

// KnowledgeChange is a change in the graph.
type KnowledgeChange struct{ Change }

// ID is the id of this change.
func (c KnowledgeChange) ID() model.ID { return c.idAs(model.FormKnowledge) }
