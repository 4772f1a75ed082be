package app

import (
	"almanac/adapters/knowledge"
	own "almanac/internal/knowledge"
)

// newKnowledge makes the knowledge graph: on a Graphiti server where one is set, in the database otherwise. There a
// model reads episodes where one is set; a Graphiti server reads by itself.
func (s *Server) newKnowledge(embedder own.Embedder) (knowledge.Base, error) {
	if hasGraphiti(s.settings) {
		return s.newGraphiti()
	}
	base := &own.Base{Store: s.store, Embedder: embedder, NewID: s.ids.New, Now: s.clock.Now,
		Extraction: own.Extraction{Model: s.settings.ChatModel}}
	reader, err := s.newExtract(base)
	if reader != nil {
		base.Extraction.Wake = reader.Wake
	}
	return base, err
}
