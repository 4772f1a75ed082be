package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/knowledge"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/config"
	own "almanac/internal/knowledge"
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
		"a key alone":    {"ALMANAC_OPENAI_API_KEY=" + openAIKey},
		"a vector model": {"ALMANAC_OPENAI_API_KEY=" + openAIKey, "ALMANAC_EMBEDDING_MODEL=text-embedding-3-small"},
		"another reads": {"ALMANAC_OPENAI_API_KEY=" + openAIKey, "ALMANAC_CHAT_MODEL=gpt-5-mini",
			"ALMANAC_EXTRACT_PARALLEL=0"},
	} {
		settings := settingsOf(t, variables...)
		room, err := newExtractRoom(extractParts{settings: settings, clock: clock.System{},
			log: slog.New(slog.DiscardHandler), registry: prometheus.NewRegistry()})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		room.Wake()
		if err := room.run(t.Context()); err != nil || room.reader != nil {
			t.Errorf("%s: it reads (%v)", name, err)
		}
		if said := readBy(settings); strings.Contains(said, "read by") != (settings.ChatModel != "") ||
			strings.Contains(said, openAIKey) {
			t.Errorf("%s: said is %q", name, said)
		}
		room.Close()
	}
	(*extractRoom)(nil).Close()
}

// With a model, what is told is read over the network, beside the room of vectors that asks the same endpoint, and
// counted; neither the key nor a text is in the log.
func TestSomebodyReads(t *testing.T) {
	endpoint := standinopenai.New(standinopenai.Options{Key: openAIKey})
	server := httptest.NewServer(endpoint)
	defer server.Close()
	settings := settingsOf(t, "ALMANAC_OPENAI_BASE_URL="+server.URL+"/v1", "ALMANAC_OPENAI_API_KEY="+openAIKey,
		"ALMANAC_CHAT_MODEL=gpt-4o-mini", "ALMANAC_EMBEDDING_MODEL=text-embedding-3-small")
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "test.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := clock.System{}
	user, err := s.EnsureUser(t.Context(), model.User{ID: model.UserIDOf("dana"), Subject: "dana", CreatedAt: now.Now(),
		Settings: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}})
	if err != nil {
		t.Fatal(err)
	}
	log, registry := &lockedBuffer{}, prometheus.NewRegistry()
	logger := slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	vectors, err := newEmbeddingRoom(embeddingParts{settings: settings, store: s, knowledge: s, clock: now, log: logger,
		registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	defer vectors.Close()
	base := &own.Base{Store: s, Embedder: vectors, NewID: clock.NewIDs(now.Now, rand.Reader).New, Now: now.Now}
	room, err := newExtractRoom(extractParts{settings: settings, store: s, keeper: base, clock: now, log: logger,
		registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	defer room.Close()
	base.Extraction = own.Extraction{Model: settings.ChatModel, Wake: room.Wake}
	added, err := base.AddEpisode(t.Context(), user.ID,
		knowledge.NewEpisode{Episode: model.Episode{Content: "Zanzibar Levi works at Acme.", Source: model.EpisodeText,
			ReferenceTime: now.Now(), State: model.EpisodeQueued}, Now: now.Now()})
	if err != nil || added.Episode.State != model.EpisodeQueued {
		t.Fatalf("%+v %v", added, err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	var running sync.WaitGroup
	running.Go(func() { _ = room.run(ctx) })
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
	counts, err := s.KnowledgeCounts(t.Context(), user.ID, now.Now())
	if err != nil || counts.Facts != 1 || counts.Entities != 2 || counts.Queued != 0 {
		t.Errorf("%+v %v", counts, err)
	}
	if said := log.String(); strings.Contains(said, openAIKey) || strings.Contains(said, "Zanzibar") ||
		strings.Contains(said, server.URL) {
		t.Errorf("the log tells too much:\n%s", said)
	}
}

// counted gives a counter's value, of all rows that have a label of this value.
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
