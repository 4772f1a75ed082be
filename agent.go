package main

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/openai"
	"almanac/internal/agent"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/projections/when"
	agentchat "almanac/resolvers/agent"
)

// agentRoom is everything of this process that has to do with reading sentences.
type agentRoom struct {
	planner *agent.Planner
	// transport is nil where no model is set.
	transport *http.Transport
}

// agentParts is what the room is made of.
type agentParts struct {
	settings config.Config
	clock    clock.Clock
	log      *slog.Logger
	registry prometheus.Registerer
}

// newAgentRoom furnishes the room: the grammar alone, and with a model that model for what the grammar does not
// understand. Without a model nothing is sent anywhere.
func newAgentRoom(parts agentParts) (*agentRoom, error) {
	room := &agentRoom{planner: &agent.Planner{Observe: countSentences(parts.registry)}}
	if parts.settings.ChatModel == "" {
		return room, nil
	}
	room.transport = openai.NewTransport()
	endpoint := &openai.Endpoint{
		URL: parts.settings.OpenAIBaseURL, Key: parts.settings.OpenAIAPIKey.Reveal(),
		AllowHTTP: parts.settings.OpenAIAllowHTTP,
		Base:      room.transport, Now: parts.clock.Now, Logger: parts.log, Observe: countEndpoint(parts.registry),
		Limits: openai.SentenceLimits(),
	}
	if err := endpoint.Check(); err != nil {
		return nil, err
	}
	room.planner.Model, room.planner.ModelName = &openai.Chat{Endpoint: endpoint}, parts.settings.ChatModel
	room.planner.AnswerTokens = parts.settings.ChatMaxTokens
	return room, nil
}

// Plan implements agentchat.Planner.
func (a *agentRoom) Plan(ctx context.Context, text string, at when.Moment) (agentchat.Planned, error) {
	made, byModel, err := a.planner.Plan(ctx, text, at)
	return agentchat.Planned{Plan: made, ByModel: byModel}, err
}

// Close lets go of the connections that the room holds open.
func (a *agentRoom) Close() {
	if a != nil && a.transport != nil {
		a.transport.CloseIdleConnections()
	}
}

// countSentences registers what becomes of sentences and gives the observer that counts it.
func countSentences(registry prometheus.Registerer) func(agent.Report) {
	sentences := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_agent_sentences_total",
		Help: "Sentences for the calendar, by who read them last (grammar, model), by what came of them: planned, refused " +
			"(by the grammar), failed (the model gave no answer), useless (its answer does not fit the sentence), unsure (it " +
			"does not understand either); and by the tool planned.",
	}, []string{"planner", "outcome", "tool"})
	failures := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_agent_model_failures_total",
		Help: "Times that the model gave no answer for a sentence, by the error's code.",
	}, []string{"code"})
	registry.MustRegister(sentences, failures)
	return func(r agent.Report) {
		planner := "grammar"
		if r.ByModel {
			planner = "model"
		}
		sentences.WithLabelValues(planner, r.Outcome, string(r.Tool)).Inc()
		if r.Code != "" {
			failures.WithLabelValues(string(r.Code)).Inc()
		}
	}
}
