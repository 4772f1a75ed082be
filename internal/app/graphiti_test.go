package app

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/graphiti"
	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	standingraphiti "almanac/internal/standin/graphiti"
)

// graphitiOf is the Graphiti server that these settings choose, nil for none.
func graphitiOf(t *testing.T, settings config.Config) (*graphiti.Base, *prometheus.Registry, error) {
	t.Helper()
	s, registry := bareServer(t, settings, clock.System{})
	made, err := s.newKnowledge(nil)
	base, _ := made.(*graphiti.Base)
	return base, registry, err
}

// Without a setting no server is used; an address that would leak is refused, also past the settings' own rules.
func TestGraphiti(t *testing.T) {
	t.Parallel()
	base, _, err := graphitiOf(t, config.Config{})
	if err != nil || base != nil || !strings.Contains(knowledgeGreeting(config.Config{}), "in the database") {
		t.Errorf("%+v %v", base, err)
	}
	if _, _, err := graphitiOf(t,
		config.Config{GraphitiURL: &url.URL{Scheme: "http", Host: "graphiti:8000"}}); err == nil {
		t.Error("plain http to another machine is taken")
	}
	base, _, err = graphitiOf(t,
		config.Config{GraphitiCommand: []string{"uv", "run"}, GraphitiGroup: "main", LocalUser: true})
	if err != nil || base.Group != "main" || base.GroupOwner != model.UserIDOf(auth.LocalSubject) {
		t.Errorf("%+v %v", base, err)
	}
	base, _, err = graphitiOf(t, config.Config{GraphitiCommand: []string{"uv"}, GraphitiGroup: "main"})
	if err != nil || base.Group != "" {
		t.Errorf("a group that was set, and no local user: %v", err)
	}
}

// Over a real network, from settings to an answer, with what was asked counted; /mcp leads to /mcp/.
func TestGraphitiOverTheNetwork(t *testing.T) {
	t.Parallel()
	server := standingraphiti.New(standingraphiti.Options{Now: clock.System{}.Now, Token: "tok-1", Eager: true})
	front := httptest.NewServer(server)
	t.Cleanup(func() { server.Close(); front.Close() })
	address, err := url.Parse(front.URL + strings.TrimSuffix(standingraphiti.Path, "/"))
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Config{GraphitiURL: address, GraphitiToken: config.NewSecret("tok-1")}
	base, registry, err := graphitiOf(t, settings)
	if err != nil {
		t.Fatal(err)
	}
	if said := knowledgeGreeting(settings); !strings.Contains(said, address.Host) || strings.Contains(said, "tok-1") {
		t.Error(said)
	}
	TellAndFind(t, base)
	families, err := registry.Gather()
	if err != nil || len(families) != 2 {
		t.Errorf("%d metrics, %v", len(families), err)
	}
}

// TellAndFind tells a base something and wants it found, as soon as it was read.
func TellAndFind(t *testing.T, base knowledge.Base) {
	t.Helper()
	user := model.UserIDOf("dana")
	added, err := base.AddEpisode(t.Context(), user, knowledge.NewEpisode{
		Episode: model.Episode{Name: "news", Content: "Dana works at Acme.", Source: model.EpisodeText}})
	if err != nil || added.Message == "" {
		t.Fatalf("%+v %v", added, err)
	}
	for t.Context().Err() == nil { // what waits in its queue is not seen yet
		answer, err := base.FindFacts(t.Context(), user, knowledge.FactAsk{
			Search: knowledge.Search{Text: "Dana"}, Page: knowledge.Page{First: 5},
			Want: store.FactWant{Fact: store.FactRow, Ends: store.EntityName},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(answer.Hits) == 1 && answer.Hits[0].Item.Source.Name == "Dana" {
			return
		}
	}
}
