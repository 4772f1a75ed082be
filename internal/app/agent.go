package app

import (
	"context"

	"almanac/adapters/openai"
	"almanac/internal/agent"
	"almanac/projections/when"
	agentchat "almanac/resolvers/agent"
)

// planner is the agent's planner as the resolvers see it.
type planner struct{ *agent.Planner }

// Plan implements agentchat.Planner.
func (p planner) Plan(ctx context.Context, text string, at when.Moment) (agentchat.Planned, error) {
	made, byModel, err := p.Planner.Plan(ctx, text, at)
	return agentchat.Planned{Plan: made, ByModel: byModel}, err
}

// newPlanner makes what reads sentences for the calendar: the grammar alone, and with a model that model for what the
// grammar does not understand. Without a model nothing is sent anywhere.
func (s *Server) newPlanner() (planner, error) {
	made := planner{&agent.Planner{Observe: s.metrics.sentences()}}
	if s.settings.ChatModel == "" {
		return made, nil
	}
	endpoint, err := s.openAI(openai.SentenceLimits())
	if err != nil {
		return planner{}, err
	}
	made.Model, made.ModelName = &openai.Chat{Endpoint: endpoint}, s.settings.ChatModel
	made.AnswerTokens = s.settings.ChatMaxTokens
	return made, nil
}

// sentences registers what becomes of sentences and returns the observer that counts it.
func (m metrics) sentences() func(agent.Report) {
	sentences := m.counter("almanac_agent_sentences_total", "Sentences for the calendar, by who read them last (grammar, "+
		"model), by what came of them: planned, refused (by the grammar), failed (the model gave no answer), useless (its "+
		"answer does not fit the sentence), unsure (it does not understand either); and by the tool planned.",
		"planner", "outcome", "tool")
	failures := m.counter("almanac_agent_model_failures_total",
		"Times that the model gave no answer for a sentence, by the error's code.", "code")
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
