package app

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/config"
	standinopenai "almanac/internal/standin/openai"
)

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// settingsOf are those that these variables make.
func settingsOf(t *testing.T, variables ...string) config.Config {
	t.Helper()
	settings, err := config.Load(nil, append(variables, "ALMANAC_DATA_DIR="+t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// Without a model nothing is read and nothing is sent, whatever else of an endpoint is set; with one that this process
// is not to read by, nothing is read either.
func TestNobodyReads(t *testing.T) {
	for name, variables := range map[string][]string{
		"nothing":        nil,
		"a key alone":    {"ALMANAC_OPENAI_API_KEY=" + OpenAIKey},
		"a vector model": {"ALMANAC_OPENAI_API_KEY=" + OpenAIKey, "ALMANAC_EMBEDDING_MODEL=text-embedding-3-small"},
		"another reads": {"ALMANAC_OPENAI_API_KEY=" + OpenAIKey, "ALMANAC_CHAT_MODEL=gpt-5-mini",
			"ALMANAC_EXTRACT_PARALLEL=0"},
	} {
		settings := settingsOf(t, variables...)
		s, _ := bareServer(t, settings, clock.System{})
		reader, err := s.newExtract(nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if reader != nil || len(s.workers) > 0 {
			t.Errorf("%s: it reads", name)
		}
		if said := episodesGreeting(settings); strings.Contains(said, "read by") != (settings.ChatModel != "") ||
			strings.Contains(said, OpenAIKey) {
			t.Errorf("%s: said is %q", name, said)
		}
	}
}

// With a model, what is told is read over the network, beside the vectors, which ask the same endpoint, and
// counted; neither the key nor a text is in the log.
func TestSomebodyReads(t *testing.T) {
	endpoint := standinopenai.New(standinopenai.Options{Key: OpenAIKey})
	server := httptest.NewServer(endpoint)
	defer server.Close()
	settings := settingsOf(t, "ALMANAC_OPENAI_BASE_URL="+server.URL+"/v1", "ALMANAC_OPENAI_API_KEY="+OpenAIKey,
		"ALMANAC_CHAT_MODEL=gpt-4o-mini", "ALMANAC_EMBEDDING_MODEL=text-embedding-3-small")
	now := clock.System{}
	s, registry := bareServer(t, settings, now)
	s.store = storeOf(t)
	user, err := s.store.EnsureUser(t.Context(),
		model.User{ID: model.UserIDOf("dana"), Subject: "dana", CreatedAt: now.Now(),
			Settings: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}})
	if err != nil {
		t.Fatal(err)
	}
	log := &lockedBuffer{}
	s.log = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	vectors, err := s.newEmbedding()
	if err != nil {
		t.Fatal(err)
	}
	s.workers = nil // only the reader runs
	base, err := s.newKnowledge(vectors)
	if err != nil {
		t.Fatal(err)
	}
	added, err := base.AddEpisode(t.Context(), user.ID,
		knowledge.NewEpisode{Episode: model.Episode{Content: "Zanzibar Levi works at Acme.", Source: model.EpisodeText,
			ReferenceTime: now.Now(), State: model.EpisodeQueued}, Now: now.Now()})
	if err != nil || added.Episode.State != model.EpisodeQueued {
		t.Fatalf("%+v %v", added, err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	var running sync.WaitGroup
	for _, work := range s.workers {
		running.Go(func() { _ = work(ctx) })
	}
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for counted(t, registry, "almanac_episodes_total", "read") == 0 && ctx.Err() == nil {
		<-ticker.C
	}
	cancel()
	running.Wait()
	for name, label := range map[string]string{
		"almanac_episodes_total": "read", "almanac_episodes_found_total": "facts", "almanac_episodes_tokens_total": "prompt",
		"almanac_openai_attempts_total": "completions",
	} {
		if n := counted(t, registry, name, label); n == 0 {
			t.Errorf("%s{%s} is not counted", name, label)
		}
	}
	counts, err := s.store.KnowledgeCounts(t.Context(), user.ID, now.Now())
	if err != nil || counts.Facts != 1 || counts.Entities != 2 || counts.Queued != 0 {
		t.Errorf("%+v %v", counts, err)
	}
	if said := log.String(); strings.Contains(said, OpenAIKey) || strings.Contains(said, "Zanzibar") ||
		strings.Contains(said, server.URL) {
		t.Errorf("the log says too much:\n%s", said)
	}
}

// counted returns a counter's value, of all series that have a label of this value.
func counted(t *testing.T, registry *prometheus.Registry, name, label string) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.GetMetric() {
			for _, pair := range metric.GetLabel() {
				if pair.GetValue() == label {
					sum += metric.GetCounter().GetValue()
				}
			}
		}
	}
	return sum
}
