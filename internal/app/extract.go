package app

import (
	"almanac/adapters/openai"
	"almanac/internal/extract"
)

// newExtract makes what reads episodes by a model; nil where this process reads none. Without a model nothing is sent
// anywhere.
func (s *Server) newExtract(keeper extract.Keeper) (*extract.Extractor, error) {
	if s.settings.ChatModel == "" {
		return nil, nil
	}
	endpoint, err := s.openAI(openai.ChatLimits())
	if err != nil {
		return nil, err
	}
	reader := &extract.Extractor{
		Store: s.store, Keeper: keeper, Model: &openai.Chat{Endpoint: endpoint}, ModelName: s.settings.ChatModel,
		Now: s.clock.Now, Parallel: s.settings.ExtractParallel, PartTokens: s.settings.ExtractPartTokens,
		AnswerTokens: s.settings.ChatMaxTokens, Logger: s.log, Observe: s.metrics.episodes(),
	}
	if s.settings.ExtractParallel == 0 {
		return nil, nil // another process reads
	}
	s.workers = append(s.workers, reader.Run)
	return reader, nil
}

// episodes registers what the reader does and returns the observer that counts it.
func (m metrics) episodes() func(extract.Report) {
	episodes := m.counter("almanac_episodes_total",
		"Episodes that were taken from the queue, by what came of them: read, "+
			"deferred (tried again later), failed (given up), overtaken (erased, or read by another process).", "outcome")
	found := m.counter("almanac_episodes_found_total", "What was read from episodes: facts (new), known (facts that were "+
		"there), closed (facts that hold no more), entities (new).", "what")
	dropped := m.counter("almanac_episodes_dropped_total",
		"Parts of a model's answers that were not kept, by what is wrong with them.", "why")
	tokens := m.counter("almanac_episodes_tokens_total",
		"Tokens that reading has taken, as the endpoint counts them: prompt, answer.", "kind")
	failures := m.counter("almanac_episodes_failures_total",
		"Times that an episode, or all of them, had to wait, by the error's code.", "code")
	wait := m.gauge("almanac_episodes_wait_seconds",
		"How long reading waits after its last failure; 0 when it does not.")
	took := m.histogram("almanac_episodes_seconds", "How long an episode took, from its claim to its end.",
		0.25, 13).WithLabelValues()
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
