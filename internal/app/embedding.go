package app

import (
	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/config"
	"almanac/internal/embedding"
	"almanac/projections/ngram"
)

// newEmbedding makes what keeps vectors of memories, entities and facts: with a model of the endpoint where one is set,
// with the built-in one otherwise. Without a model no endpoint is asked, also not for memories that have vectors of
// one.
func (s *Server) newEmbedding() (*embedding.Embedder, error) {
	var knowledge store.KnowledgeVectors // none where a Graphiti server keeps the graph
	if !hasGraphiti(s.settings) {
		knowledge = s.store
	}
	worker := &embedding.Embedder{
		Store: s.store, Knowledge: knowledge, InUse: embeddingModel(s.settings), Now: s.clock.Now, Logger: s.log,
		Observe: s.metrics.vectors(),
	}
	if !worker.InUse.Local {
		endpoint, err := s.openAI(openai.Limits{})
		if err != nil {
			return nil, err
		}
		worker.Remote = &openai.Client{Endpoint: endpoint, MaxTokens: s.settings.EmbeddingMaxTokens}
	}
	s.workers = append(s.workers, worker.Run)
	return worker, nil
}

// embeddingModel is the model that the settings name.
func embeddingModel(settings config.Config) model.EmbeddingModel {
	in := ngram.Model()
	if settings.EmbeddingModel != "" {
		in = model.EmbeddingModel{
			Name:       embedding.Name(settings.EmbeddingModel, settings.EmbeddingDimensions, settings.EmbeddingShorten),
			Dimensions: settings.EmbeddingDimensions,
		}
	}
	if settings.EmbeddingFloor != nil {
		in.Floor = *settings.EmbeddingFloor
	}
	if settings.EmbeddingNear != nil {
		in.Near = *settings.EmbeddingNear
	}
	return in
}

// vectors registers what the worker does and returns the observer that counts it.
func (m metrics) vectors() func(embedding.Report) {
	vectors := m.counter("almanac_memory_vectors_total", "Vectors made in the background, by what came of them: kept, "+
		"overtaken (the memory was changed meanwhile), blank (nothing to see), refused (by the endpoint).", "outcome")
	knowledge := m.counter("almanac_knowledge_vectors_total", "The same of entities and facts.", "outcome")
	expired := m.counter("almanac_memories_expired_total",
		"Memories that were deleted since they had expired.").WithLabelValues()
	failures := m.counter("almanac_memory_vector_failures_total",
		"Times that making vectors, of memories and of knowledge, had to wait, by the error's code.", "code")
	behind := m.gauge("almanac_memory_vectors_behind",
		"1 while memories lack a vector of the model in use, 0 when all that can have one have it.")
	knowledgeBehind := m.gauge("almanac_knowledge_vectors_behind", "The same of entities and facts.")
	wait := m.gauge("almanac_memory_vectors_wait_seconds",
		"How long making vectors waits after its last failure; 0 when it does not.")
	return func(r embedding.Report) {
		made, late := vectors, behind
		if r.Of == embedding.OfKnowledge {
			made, late = knowledge, knowledgeBehind
		}
		made.WithLabelValues("kept").Add(float64(r.Kept))
		made.WithLabelValues("overtaken").Add(float64(r.Overtaken))
		made.WithLabelValues("blank").Add(float64(r.Blank))
		made.WithLabelValues("refused").Add(float64(r.Refused))
		expired.Add(float64(r.Expired))
		switch {
		case r.Code != "":
			failures.WithLabelValues(string(r.Code)).Inc()
			late.Set(1)
			wait.Set(r.Wait.Seconds())
		case r.CaughtUp:
			late.Set(0)
			wait.Set(0)
		case r.Kept+r.Overtaken > 0:
			late.Set(1)
			wait.Set(0)
		}
	}
}
