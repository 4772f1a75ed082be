// Package knowledge answers the fields of the knowledge graph: entities, facts and episodes, kept by the own store or
// by a Graphiti server.
package knowledge

import (
	"almanac/adapters/knowledge"
	"almanac/resolvers/core"
)

// Resolver answers the fields of the knowledge graph.
type Resolver struct {
	*core.Base
	// KnowledgeBase keeps the graph: the own store's, or a Graphiti server.
	KnowledgeBase knowledge.Base
}
