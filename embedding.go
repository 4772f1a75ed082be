package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/embedding"
	"almanac/projections/ngram"
)

// embeddingRoom is everything of this process that has to do with vectors of memories, entities and facts.
type embeddingRoom struct {
	*embedding.Embedder
	// transport is nil where nothing is sent.
	transport *http.Transport
}

// embeddingParts is what the room is made of.
type embeddingParts struct {
	settings config.Config
	store    store.VectorStore
	// knowledge keeps the vectors of the graph; nil where another server keeps the graph.
	knowledge store.KnowledgeVectors
	clock     clock.Clock
	log       *slog.Logger
	registry  prometheus.Registerer
}

// newEmbeddingRoom furnishes the room: with a model of the endpoint where one is set, with the built-in one otherwise.
// Without a model no endpoint is asked, also not for memories that have vectors of one.
func newEmbeddingRoom(parts embeddingParts) (*embeddingRoom, error) {
	room := &embeddingRoom{Embedder: &embedding.Embedder{
		Store: parts.store, Knowledge: parts.knowledge, InUse: modelOf(parts.settings), Now: parts.clock.Now,
		Logger: parts.log, Observe: countVectors(parts.registry),
	}}
	if room.InUse.Local {
		return room, nil
	}
	room.transport = openai.NewTransport()
	endpoint := &openai.Endpoint{
		URL: parts.settings.OpenAIBaseURL, Key: parts.settings.OpenAIAPIKey.Reveal(),
		AllowHTTP: parts.settings.OpenAIAllowHTTP,
		Base:      room.transport, Now: parts.clock.Now, Logger: parts.log, Observe: countEndpoint(parts.registry),
	}
	if err := endpoint.Check(); err != nil {
		return nil, err
	}
	room.Remote = &openai.Client{Endpoint: endpoint, MaxTokens: parts.settings.EmbeddingMaxTokens}
	return room, nil
}

// modelOf is the model that the settings name.
func modelOf(settings config.Config) model.EmbeddingModel {
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

// run keeps vectors up to date until the context is done.
func (e *embeddingRoom) run(ctx context.Context) error { return e.Run(ctx) }

// Close lets go of the connections that the room holds open.
func (e *embeddingRoom) Close() {
	if e.transport != nil {
		e.transport.CloseIdleConnections()
	}
}

// foundBy tells the person who started the server which model finds memories, and where their texts go for that.
func foundBy(settings config.Config) string {
	if in := modelOf(settings); !in.Local {
		return fmt.Sprintf("found by %s at %s", in.Name, settings.OpenAIBaseURL.Host)
	}
	return "found by a built-in model; ALMANAC_EMBEDDING_MODEL chooses another"
}

// countVectors registers what the worker does and gives the observer that counts it.
func countVectors(registry prometheus.Registerer) func(embedding.Report) {
	vectors := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_memory_vectors_total",
		Help: "Vectors made in the background, by what came of them: kept, overtaken (the memory was changed meanwhile), " +
			"blank (nothing to see), refused (by the endpoint).",
	}, []string{"outcome"})
	knowledge := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_knowledge_vectors_total", Help: "The same of entities and facts.",
	}, []string{"outcome"})
	expired := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "almanac_memories_expired_total", Help: "Memories that were deleted since they had expired.",
	})
	failures := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_memory_vector_failures_total",
		Help: "Times that making vectors, of memories and of knowledge, had to wait, by the error's code.",
	}, []string{"code"})
	behind := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "almanac_memory_vectors_behind",
		Help: "1 while memories lack a vector of the model in use, 0 when all that can have one have it.",
	})
	knowledgeBehind := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "almanac_knowledge_vectors_behind", Help: "The same of entities and facts.",
	})
	wait := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "almanac_memory_vectors_wait_seconds",
		Help: "How long making vectors waits after its last failure; 0 when it does not.",
	})
	registry.MustRegister(vectors, knowledge, expired, failures, behind, knowledgeBehind, wait)
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

// countEndpoint registers what is asked of the endpoint, once for all rooms that ask it, and gives the observer that
// counts it.
func countEndpoint(registry prometheus.Registerer) func(openai.Attempt) {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_openai_attempts_total",
		Help: "Requests to the endpoint for models, by operation, by what came of them, and whether somebody waited.",
	}, []string{"operation", "result", "background"})
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "almanac_openai_attempt_seconds", Help: "How long the endpoint for models took, by operation.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 16),
	}, []string{"operation"})
	attempts, latency = registered(registry, attempts), registered(registry, latency)
	return func(a openai.Attempt) {
		background := "no"
		if a.Background {
			background = "yes"
		}
		attempts.WithLabelValues(a.Operation, a.Result, background).Inc()
		if a.Result != openai.ResultLeftAlone {
			latency.WithLabelValues(a.Operation).Observe(a.Latency.Seconds())
		}
	}
}
