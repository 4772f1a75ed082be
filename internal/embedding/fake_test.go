package embedding_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/embedding"
	standin "almanac/internal/standin/openai"
	"almanac/projections/ngram"
	"almanac/projections/vector"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// source is a store of memories in a map, with what the worker needs of one.
type source struct {
	mu   sync.Mutex
	rows []*row
	// fails are errors that the next calls give, by the name of the method.
	fails map[string][]error
	// onSave is called before vectors are kept, without the lock.
	onSave func()
	reads  int
}

type row struct {
	store.PendingMemory
	embedding model.Embedding
	expires   time.Time
}

var errStore = errors.New("the store has failed")

// fail makes the next calls of a method fail.
func (s *source) fail(method string, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails == nil {
		s.fails = map[string][]error{}
	}
	s.fails[method] = slices.Repeat([]error{errStore}, times)
}

func (s *source) failure(method string) error {
	if len(s.fails[method]) == 0 {
		return nil
	}
	err := s.fails[method][0]
	s.fails[method] = s.fails[method][1:]
	return err
}

// add puts a memory into the store, for one of a few users.
func (s *source) add(user byte, content string) *row {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &row{PendingMemory: store.PendingMemory{User: model.UserID{user}, ID: model.UUID{0: 1, 14: byte(len(s.rows) >> 8),
		15: byte(len(s.rows))}, Type: model.MemoryNote, Content: content, Version: 1}}
	s.rows = append(s.rows, r)
	return r
}

// change returns a memory another text, and takes its vector away.
func (s *source) change(r *row, content string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Content, r.Version, r.embedding = content, r.Version+1, model.Embedding{}
}

func placeOf(r *row) store.PendingPlace {
	return store.PendingPlace{Stale: r.embedding.Model != "", User: r.User, ID: r.ID}
}

func compare(a, b store.PendingPlace) int {
	if a.Stale != b.Stale {
		if b.Stale {
			return -1
		}
		return 1
	}
	if c := bytes.Compare(a.User[:], b.User[:]); c != 0 {
		return c
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}

func (s *source) PendingMemories(_ context.Context, name string, now time.Time, after store.PendingPlace,
	limit int) ([]store.PendingMemory, store.PendingPlace, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	if err := s.failure("PendingMemories"); err != nil {
		return nil, after, err
	}
	var found []*row
	for _, r := range s.rows {
		if r.embedding.Model != name && (r.expires.IsZero() || r.expires.After(now)) && compare(placeOf(r), after) > 0 {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b *row) int { return compare(placeOf(a), placeOf(b)) })
	found = found[:min(len(found), limit)]
	var pending []store.PendingMemory
	for _, r := range found {
		pending, after = append(pending, r.PendingMemory), placeOf(r)
	}
	return pending, after, nil
}

func (s *source) SaveVectors(_ context.Context, user model.UserID, vectors []store.MemoryVectorOf) (int, error) {
	if s.onSave != nil {
		s.onSave()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.failure("SaveVectors"); err != nil {
		return 0, err
	}
	kept := 0
	for _, v := range vectors {
		for _, r := range s.rows {
			if r.User == user && r.ID == v.ID && r.Version == v.Version {
				r.embedding = v.Embedding
				kept++
			}
		}
	}
	return kept, nil
}

func (s *source) ExpireMemories(_ context.Context, now time.Time, limit int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.failure("ExpireMemories"); err != nil {
		return 0, err
	}
	n := 0
	s.rows = slices.DeleteFunc(s.rows, func(r *row) bool {
		gone := n < limit && !r.expires.IsZero() && !r.expires.After(now)
		if gone {
			n++
		}
		return gone
	})
	return n, nil
}

// looks is how often it was read for the worker.
func (s *source) looks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

// counts tells how many memories have a vector of each model; those without one stand under "".
func (s *source) counts() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := map[string]int{}
	for _, r := range s.rows {
		counts[r.embedding.Model]++
	}
	return counts
}

// find returns the texts that are near what is looked for, by the vectors of their own models.
func (s *source) find(queries []store.QueryVector, least float64) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []string
	for _, r := range s.rows {
		for _, q := range queries {
			if q.Model == r.embedding.Model && vector.Cosine(q.Vector, r.embedding.Vector) >= least {
				found = append(found, r.Content)
			}
		}
	}
	return found
}

var (
	// models are short ones, which leave more of a test's time for the test.
	models = map[string]standin.ModelFacts{"tiny": {Dimensions: 64}, "bendy": {Dimensions: 512, Shorter: true}}
	// tiny and bendy are the same as a embedder has them.
	tiny  = model.EmbeddingModel{Name: "tiny", Dimensions: 64, Floor: 0.3, Near: 0.85}
	bendy = model.EmbeddingModel{Name: "bendy@128", Dimensions: 128, Floor: 0.3, Near: 0.85}
)

const secret = "Zanzibar"

// fixture is a embedder with an endpoint and a source.
type fixture struct {
	t        *testing.T
	embedder *embedding.Embedder
	standin  *standin.Server
	source   *source

	mu      sync.Mutex
	reports []embedding.Report
	log     bytes.Buffer
}

func (h *fixture) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.Write(p)
}

// newFixture makes a embedder with a model, before a source that may have been another's.
func newFixture(t *testing.T, use model.EmbeddingModel, endpoint *standin.Server, rows *source) *fixture {
	t.Helper()
	h := &fixture{t: t, standin: endpoint, source: rows}
	h.embedder = &embedding.Embedder{
		Store: rows, InUse: use, Now: time.Now, Jitter: func() float64 { return 1 },
		Logger: slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(r embedding.Report) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.reports = append(h.reports, r)
		},
	}
	if endpoint != nil {
		h.embedder.Remote = &openai.Client{Endpoint: &openai.Endpoint{
			URL: &url.URL{Scheme: "https", Host: "model.example", Path: "/v1"}, Base: endpoint.Transport(),
			Jitter: func() float64 { return 1 },
		}}
	}
	return h
}

func newFixtureOf(t *testing.T, use model.EmbeddingModel) *fixture {
	t.Helper()
	return newFixture(t, use, standin.New(standin.Options{Models: models}), &source{})
}

// run lets the worker work until the function given is called.
func (h *fixture) run() (stop func()) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	done := make(chan error, 1)
	go func() { done <- h.embedder.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			h.t.Errorf("Run gave %v", err)
		}
	}
}

// total adds the reports up.
func (h *fixture) total() (sum embedding.Report) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.reports {
		sum.Kept += r.Kept
		sum.Overtaken += r.Overtaken
		sum.Blank += r.Blank
		sum.Refused += r.Refused
		sum.Expired += r.Expired
		sum.CaughtUp = sum.CaughtUp || r.CaughtUp
	}
	return sum
}

// waits are those after failures, in order.
func (h *fixture) waits() (all []time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.reports {
		if r.Code != "" {
			all = append(all, r.Wait)
		}
	}
	return all
}

// said is the log.
func (h *fixture) said() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.String()
}

// private fails when the log holds what a user wrote.
func (h *fixture) private() {
	h.t.Helper()
	if said := h.said(); strings.Contains(said, secret) || strings.Contains(said, "model.example") {
		h.t.Errorf("the log tells too much:\n%s", said)
	}
}

func builtIn() string { return ngram.Model().Name }
