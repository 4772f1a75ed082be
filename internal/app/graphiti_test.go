package app

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

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

func graphitiRoomOf(t *testing.T, settings config.Config) (*graphitiRoom, *prometheus.Registry, error) {
	t.Helper()
	registry := prometheus.NewRegistry()
	room, err := newGraphitiRoom(graphitiParts{settings: settings, clock: clock.System{},
		log: slog.New(slog.DiscardHandler), registry: registry})
	t.Cleanup(func() {
		if err := room.Close(); err != nil {
			t.Error(err)
		}
	})
	return room, registry, err
}

// Without a setting the room is empty; an address that would leak is refused, also past the settings' own rules.
func TestGraphitiRoom(t *testing.T) {
	t.Parallel()
	room, _, err := graphitiRoomOf(t, config.Config{})
	if err != nil || room.base != nil || !strings.Contains(knownBy(config.Config{}), "in the database") {
		t.Errorf("%+v %v", room, err)
	}
	if _, _, err := graphitiRoomOf(t,
		config.Config{GraphitiURL: &url.URL{Scheme: "http", Host: "graphiti:8000"}}); err == nil {
		t.Error("plain http to another machine is taken")
	}
	room, _, err = graphitiRoomOf(t,
		config.Config{GraphitiCommand: []string{"uv", "run"}, GraphitiGroup: "main", LocalUser: true})
	if err != nil || room.base.Group != "main" || room.base.GroupOwner != model.UserIDOf(auth.LocalSubject) {
		t.Errorf("%+v %v", room.base, err)
	}
	room, _, err = graphitiRoomOf(t, config.Config{GraphitiCommand: []string{"uv"}, GraphitiGroup: "main"})
	if err != nil || room.base.Group != "" {
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
	room, registry, err := graphitiRoomOf(t, settings)
	if err != nil {
		t.Fatal(err)
	}
	if said := knownBy(settings); !strings.Contains(said, address.Host) || strings.Contains(said, "tok-1") {
		t.Error(said)
	}
	tellAndFind(t, room.base)
	families, err := registry.Gather()
	if err != nil || len(families) != 2 {
		t.Errorf("%d metrics, %v", len(families), err)
	}
}

// tellAndFind tells a base something and wants it found, as soon as it was read.
func tellAndFind(t *testing.T, base knowledge.Base) {
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

// The command serves what the adapter asks, until it is told to stop; other machines are kept out.
func TestGraphitiStandInCommand(t *testing.T) {
	t.Parallel()
	out, told, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		err := command{out: told, errOut: told}.graphitiStandIn(ctx, []string{"--addr=127.0.0.1:0"})
		_ = told.Close()
		done <- err
	}()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	line := make([]byte, 1000)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(regexp.MustCompile(`http://\S+`).FindString(string(line[:n])))
	if err != nil {
		t.Fatal(err)
	}
	base := &graphiti.Base{Target: graphiti.Target{URL: address}}
	tellAndFind(t, base)
	if err := base.Close(); err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{{"--addr=0.0.0.0:0"}, {"serve"}, {"--nonsense"}, {"--addr=nowhere"}} {
		within, cancel := context.WithTimeout(t.Context(), time.Minute)
		nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := (command{out: nowhere, errOut: nowhere}).graphitiStandIn(within, args); err == nil {
			t.Errorf("%q is taken", args)
		}
		cancel()
		_ = nowhere.Close()
	}
	stop()
	_, _ = io.Copy(io.Discard, out)
	_ = out.Close()
}
