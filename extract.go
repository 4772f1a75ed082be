package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/openai"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/extract"
)

// extractRoom is everything of this process that has to do with reading episodes.
type extractRoom struct {
	// reader is nil where no model is set.
	reader    *extract.Room
	transport *http.Transport
}

// extractParts is what the room is made of.
type extractParts struct {
	settings config.Config
	store    extract.Store
	keeper   extract.Keeper
	clock    clock.Clock
	log      *slog.Logger
	registry prometheus.Registerer
}

// newExtractRoom furnishes the room. Without a model it is empty: nothing is read, and nothing is sent anywhere.
func newExtractRoom(parts extractParts) (*extractRoom, error) {
	room := &extractRoom{}
	if parts.settings.ChatModel == "" {
		return room, nil
	}
	room.transport = openai.NewTransport()
	endpoint := &openai.Endpoint{
		URL: parts.settings.OpenAIBaseURL, Key: parts.settings.OpenAIAPIKey.Reveal(),
		AllowHTTP: parts.settings.OpenAIAllowHTTP,
		Base:      room.transport, Now: parts.clock.Now, Logger: parts.log, Observe: countEndpoint(parts.registry),
		Limits: openai.ChatLimits(),
	}
	if err := endpoint.Check(); err != nil {
		return nil, err
	}
	room.reader = &extract.Room{
		Store: parts.store, Keeper: parts.keeper, Model: &openai.Chat{Endpoint: endpoint},
		ModelName: parts.settings.ChatModel, Now: parts.clock.Now,
		Parallel: parts.settings.ExtractParallel, PartTokens: parts.settings.ExtractPartTokens,
		AnswerTokens: parts.settings.ChatMaxTokens,
		Logger:       parts.log, Observe: countEpisodes(parts.registry),
	}
	if parts.settings.ExtractParallel == 0 {
		room.reader = nil // another process reads
	}
	return room, nil
}

// Wake tells that an episode waits.
func (e *extractRoom) Wake() {
	if e.reader != nil {
		e.reader.Wake()
	}
}

// run reads episodes until the context is done. Where nothing is read it ends at once.
func (e *extractRoom) run(ctx context.Context) error {
	if e.reader == nil {
		return nil
	}
	return e.reader.Run(ctx)
}

// Close lets go of the connections that the room holds open.
func (e *extractRoom) Close() {
	if e != nil && e.transport != nil {
		e.transport.CloseIdleConnections()
	}
}

// readBy tells the person who started the server which model reads episodes, and where they go for that.
func readBy(settings config.Config) string {
	if settings.GraphitiURL != nil || len(settings.GraphitiCommand) > 0 {
		return "read by the Graphiti server"
	}
	if settings.ChatModel == "" {
		return "kept word for word; ALMANAC_CHAT_MODEL has them read"
	}
	return "read by " + settings.ChatModel + " at " + settings.OpenAIBaseURL.Host
}

// countEpisodes registers what the reader does and gives the observer that counts it.
func countEpisodes(registry prometheus.Registerer) func(extract.Report) {
	episodes := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_episodes_total",
		Help: "Episodes that were taken from the queue, by what came of them: read, deferred (tried again later), failed " +
			"(given up), overtaken (erased, or read by another process).",
	}, []string{"outcome"})
	found := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_episodes_found_total",
		Help: "What was read from episodes: facts (new), known (facts that were there), closed (facts that hold no more), " +
			"entities (new).",
	}, []string{"what"})
	dropped := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_episodes_dropped_total",
		Help: "Parts of a model's answers that were not kept, by what is wrong with them.",
	}, []string{"why"})
	tokens := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_episodes_tokens_total",
		Help: "Tokens that reading has taken, as the endpoint counts them: prompt, answer.",
	}, []string{"kind"})
	failures := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_episodes_failures_total",
		Help: "Times that an episode, or all of them, had to wait, by the error's code.",
	}, []string{"code"})
	wait := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "almanac_episodes_wait_seconds", Help: "How long reading waits after its last failure; 0 when it does not.",
	})
	took := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "almanac_episodes_seconds", Help: "How long an episode took, from its claim to its end.",
		Buckets: prometheus.ExponentialBuckets(0.25, 2, 13),
	})
	registry.MustRegister(episodes, found, dropped, tokens, failures, wait, took)
	return func(r extract.Report) {
		if r.Code != "" {
			failures.WithLabelValues(string(r.Code)).Inc()
		}
		if r.Outcome == "" {
			wait.Set(r.Wait.Seconds())
			return
		}
		episodes.WithLabelValues(string(r.Outcome)).Inc()
		took.Observe(r.Took.Seconds())
		tokens.WithLabelValues("prompt").Add(float64(r.PromptTokens))
		tokens.WithLabelValues("answer").Add(float64(r.AnswerTokens))
		for why, n := range r.Dropped {
			dropped.WithLabelValues(why).Add(float64(n))
		}
		if r.Outcome == extract.OutcomeRead {
			wait.Set(0)
			found.WithLabelValues("facts").Add(float64(r.Facts))
			found.WithLabelValues("known").Add(float64(r.Known))
			found.WithLabelValues("closed").Add(float64(r.Closed))
			found.WithLabelValues("entities").Add(float64(r.Entities))
		}
	}
}

// registered registers a collector, or gives the one that another room of this process has registered under the same
// name.
func registered[C prometheus.Collector](registry prometheus.Registerer, collector C) C {
	err := registry.Register(collector)
	if there, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if same, ok := there.ExistingCollector.(C); ok {
			return same
		}
	}
	if err != nil {
		panic(err) // two metrics of one name are a mistake of ours
	}
	return collector
}
