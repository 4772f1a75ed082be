package resolvers

import (
	base "almanac/adapters/knowledge"
	"almanac/resolvers/agent"
)

// SetPlanner exchanges the planner before the first request.
func (r *Root) SetPlanner(planner agent.Planner) { r.all.agent.Planner = planner }

// SetKnowledgeBase exchanges what keeps the knowledge graph before the first request.
func (r *Root) SetKnowledgeBase(kept base.Base) { r.all.knowledge.KnowledgeBase = kept }
