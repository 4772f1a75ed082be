package graphiti_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/adapters/graphiti"
	"almanac/adapters/knowledge"
	"almanac/graph/model"
	standin "almanac/internal/standin/graphiti"
)

// serverMode is the variable that makes this test binary a Graphiti server on its standard input and output.
const serverMode = "GRAPHITI_TEST_SERVER"

// asServer serves when this process was started for that.
func asServer() bool {
	mode := os.Getenv(serverMode)
	switch mode {
	case "":
		return false
	case "broken":
		_, _ = os.Stdout.WriteString("hello, I am no server\n")
		return true
	}
	if os.Getenv("ALMANAC_JWT_SECRET") != "" {
		return true // it was told what it should not know
	}
	server := standin.New(standin.Options{Now: time.Now, Seed: 1, Old: mode == "old", Eager: true})
	_ = server.ServeStdio(context.Background(), os.Stdin, os.Stdout)
	return true
}

// A command is started when it is needed, told nothing of this program's settings, and ended with the base.
func TestCommand(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"today", "old"} {
		w := newWorld(t, standin.Options{}, func(b *graphiti.Base) {
			b.Target = graphiti.Target{Command: []string{program, "-test.run=none"}}
			b.Environ = append(os.Environ(), serverMode+"="+mode, "ALMANAC_JWT_SECRET=hush")
		})
		added, err := w.base.AddEpisode(t.Context(), w.user,
			knowledge.NewEpisode{Episode: model.Episode{Name: "news", Content: "Dana works at Acme.", Source: model.EpisodeText},
				Now: time.Now()})
		if err != nil || !strings.Contains(added.Message, "queued") {
			t.Fatalf("%s: %+v %v", mode, added, err)
		}
		if got := said(w.facts(w.user,
			knowledge.FactAsk{Search: knowledge.Search{Text: "Dana"}}).Hits); got != "Dana WORKS_AT Acme" {
			t.Errorf("%s: %s", mode, got)
		}
		status, err := w.base.Status(t.Context(), w.user, w.now())
		if err != nil || !status.Healthy {
			t.Errorf("%s: %+v %v", mode, status, err)
		}
		if err := w.base.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A command that is none, or no server, is an upstream that cannot be reached; its name is not told.
func TestCommandsThatAreNone(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string][]string{"not there": {"/nowhere/" + secretText},
		"no server": {program, "-test.run=none"}} {
		w := newWorld(t, standin.Options{}, func(b *graphiti.Base) {
			b.Target, b.Environ = graphiti.Target{Command: command}, append(os.Environ(), serverMode+"=broken")
		})
		w.check(w.find(t.Context()), model.CodeUpstreamUnavailable)
		if got := w.results("connect"); got != "unavailable unavailable unavailable" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
