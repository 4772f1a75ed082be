package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/graphiti"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
)

// graphitiRoom is everything of this process that has to do with a Graphiti server.
type graphitiRoom struct {
	// base is nil where the knowledge graph is in the database.
	base *graphiti.Base
}

// graphitiParts is what the room is made of.
type graphitiParts struct {
	settings config.Config
	clock    clock.Clock
	log      *slog.Logger
	registry prometheus.Registerer
}

// newGraphitiRoom furnishes the room. Without a server it is empty, and nothing is sent anywhere. The server is not
// asked before somebody asks for something: it may come later than this one.
func newGraphitiRoom(parts graphitiParts) (*graphitiRoom, error) {
	s := parts.settings
	if s.GraphitiURL == nil && len(s.GraphitiCommand) == 0 {
		return &graphitiRoom{}, nil
	}
	base := &graphiti.Base{
		Target: graphiti.Target{URL: s.GraphitiURL, Command: s.GraphitiCommand}, Token: s.GraphitiToken.Reveal(),
		AllowHTTP: s.GraphitiAllowHTTP,
		Environ:   os.Environ(), // a command is started as a shell would start it
		Now:       parts.clock.Now, Logger: parts.log, Observe: countGraphiti(parts.registry),
	}
	if s.GraphitiURL != nil {
		base.HTTP = http.RoundTripper(graphiti.NewTransport())
	}
	if s.GraphitiGroup != "" && s.LocalUser {
		base.Group, base.GroupOwner = s.GraphitiGroup, model.UserIDOf(auth.LocalSubject)
	}
	if err := base.Check(); err != nil {
		return nil, err
	}
	return &graphitiRoom{base: base}, nil
}

// Close ends the session, and a command with it.
func (g *graphitiRoom) Close() error {
	if g == nil || g.base == nil {
		return nil
	}
	return g.base.Close()
}

// knownBy tells the person who started the server where the knowledge graph is kept.
func knownBy(settings config.Config) string {
	if settings.GraphitiURL == nil && len(settings.GraphitiCommand) == 0 {
		return "in the database; ALMANAC_GRAPHITI_URL chooses a Graphiti server"
	}
	return "on the Graphiti server " + graphiti.Target{URL: settings.GraphitiURL, Command: settings.GraphitiCommand}.Name()
}

// countGraphiti registers what is asked of the server and gives the observer that counts it.
func countGraphiti(registry prometheus.Registerer) func(graphiti.Attempt) {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_graphiti_attempts_total", Help: "Requests to the Graphiti server, by tool and by what came of them.",
	}, []string{"operation", "result"})
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "almanac_graphiti_attempt_seconds", Help: "How long the Graphiti server took, by tool.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 14),
	}, []string{"operation"})
	registry.MustRegister(attempts, latency)
	return func(a graphiti.Attempt) {
		attempts.WithLabelValues(a.Operation, a.Result).Inc()
		if a.Result != graphiti.ResultLeftAlone {
			latency.WithLabelValues(a.Operation).Observe(a.Latency.Seconds())
		}
	}
}
