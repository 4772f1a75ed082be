package app

import (
	"net/http"
	"os"

	"almanac/adapters/graphiti"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/config"
)

// hasGraphiti reports whether a Graphiti server keeps the knowledge graph.
func hasGraphiti(settings config.Config) bool {
	return settings.GraphitiURL != nil || len(settings.GraphitiCommand) > 0
}

func graphitiTarget(settings config.Config) graphiti.Target {
	return graphiti.Target{URL: settings.GraphitiURL, Command: settings.GraphitiCommand}
}

// newGraphiti makes the client of the Graphiti server. That is not asked before somebody asks for something: it may
// start later than this one.
func (s *Server) newGraphiti() (*graphiti.Base, error) {
	base := &graphiti.Base{
		Target: graphitiTarget(s.settings), Token: s.settings.GraphitiToken.Reveal(),
		AllowHTTP: s.settings.GraphitiAllowHTTP,
		Environ:   os.Environ(), // a command is started as a shell would start it
		Now:       s.clock.Now, Logger: s.log, Observe: s.metrics.graphiti(),
	}
	if s.settings.GraphitiURL != nil {
		base.HTTP = http.RoundTripper(graphiti.NewTransport())
	}
	if s.settings.GraphitiGroup != "" && s.settings.LocalUser {
		base.Group, base.GroupOwner = s.settings.GraphitiGroup, model.UserIDOf(auth.LocalSubject)
	}
	if err := base.Check(); err != nil {
		return nil, err
	}
	s.onClose(base.Close) // ends the session, and a command with it
	return base, nil
}

// graphiti registers what is asked of the server and returns the observer that counts it.
func (m metrics) graphiti() func(graphiti.Attempt) {
	observe := m.attempts("graphiti", "Requests to the Graphiti server, by tool and by what came of them.",
		"How long the Graphiti server took, by tool.", 14)
	return func(a graphiti.Attempt) { observe(a.Operation, a.Result, a.Latency) }
}
