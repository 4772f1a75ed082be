package app

import "almanac/adapters/openai"

// openAI returns the endpoint for models, with connections and limits for one use of it.
func (s *Server) openAI(limits openai.Limits) (*openai.Endpoint, error) {
	if s.observeOpenAI == nil { // one for all uses
		s.observeOpenAI = s.metrics.openAI()
	}
	transport := openai.NewTransport()
	endpoint := &openai.Endpoint{
		URL: s.settings.OpenAIBaseURL, Key: s.settings.OpenAIAPIKey.Reveal(), AllowHTTP: s.settings.OpenAIAllowHTTP,
		Base: transport, Now: s.clock.Now, Logger: s.log, Observe: s.observeOpenAI, Limits: limits,
	}
	if err := endpoint.Check(); err != nil {
		return nil, err
	}
	s.onClose(func() error { transport.CloseIdleConnections(); return nil })
	return endpoint, nil
}

// openAI registers what is asked of the endpoint for models and returns the observer that counts it.
func (m metrics) openAI() func(openai.Attempt) {
	observe := m.attempts("openai",
		"Requests to the endpoint for models, by operation, by what came of them, and whether somebody waited.",
		"How long the endpoint for models took, by operation.", 16, "background")
	return func(a openai.Attempt) {
		background := "no"
		if a.Background {
			background = "yes"
		}
		observe(a.Operation, a.Result, a.Latency, background)
	}
}
