package extract_test

import (
	"bytes"
	"cmp"
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

	"almanac/adapters/knowledge"
	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/extract"
	standin "almanac/internal/standin/openai"
	"almanac/projections/graphtext"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// secret is in texts that no log may tell.
const secret = "Zanzibar"

var dana, other = model.UserID{1}, model.UserID{2}

// fakeStore is a store of episodes and a small graph in maps, and the keeper of what is read. Its clock is the
// bubble's.
type fakeStore struct {
	mu       sync.Mutex
	episodes []*queued
	entities []model.Entity
	facts    []model.Fact
	// kept are the writings, in order.
	kept []knowledge.Extracted
	// before and after are called around each call of the store, by its name; an error of before is given instead of the
	// call, and one of after instead of its answer.
	before, after func(call string) error
	saves         int
}

type queued struct {
	user model.UserID
	model.Episode
}

var errFakeStore = errors.New("the store has failed")

func (s *fakeStore) around(call string, do func() error) error {
	if s.before != nil {
		if err := s.before(call); err != nil {
			return err
		}
	}
	s.mu.Lock()
	err := do()
	s.mu.Unlock()
	if s.after != nil {
		if late := s.after(call); late != nil {
			return late
		}
	}
	return err
}

// add queues an episode.
func (s *fakeStore) add(user model.UserID, source model.EpisodeSource, content string) model.ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	e := model.Episode{
		ID: model.ID{Kind: model.KindEpisode, UUID: model.UUID{0: 9, 15: byte(len(s.episodes) + 1)}}, Name: "Note",
		Content: content, Source: source,
		ReferenceTime: now, CreatedAt: now, State: model.EpisodeQueued, NextAt: now,
	}
	s.episodes = append(s.episodes, &queued{user, e})
	return e.ID
}

// know puts an entity into the graph.
func (s *fakeStore) know(name, kind string, aliases ...string) model.Entity {
	e := model.Entity{ID: model.ID{Kind: model.KindEntity, UUID: model.UUID{0: 7, 15: byte(len(s.entities) + 1)}},
		Name: name, Type: kind, Aliases: aliases, Version: 1}
	s.entities = append(s.entities, e)
	return e
}

// hold puts a fact into the graph.
func (s *fakeStore) hold(source model.Entity, relation string, target model.Entity, sentence string,
	from time.Time) model.Fact {
	f := model.Fact{ID: model.ID{Kind: model.KindFact, UUID: model.UUID{0: 8, 15: byte(len(s.facts) + 1)}},
		Relation: relation, Sentence: sentence, Source: source, Target: target, ValidAt: from, Version: 1}
	s.facts = append(s.facts, f)
	return f
}

func (s *fakeStore) episode(id model.ID) model.Episode {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.episodes {
		if e.ID == id {
			return e.Episode
		}
	}
	return model.Episode{}
}

// begun is how many episodes were claimed at least once.
func (s *fakeStore) begun() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.episodes {
		if e.Attempts > 0 {
			n++
		}
	}
	return n
}

// change changes an episode past everybody.
func (s *fakeStore) change(id model.ID, change func(*model.Episode)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.episodes {
		if e.ID == id {
			change(&e.Episode)
		}
	}
}

func (s *fakeStore) writings() []knowledge.Extracted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}

func (s *fakeStore) ClaimEpisodes(_ context.Context, now, until time.Time,
	limit int) (claimed []store.QueuedEpisode, err error) {
	err = s.around("ClaimEpisodes", func() error {
		var due []*queued
		for _, e := range s.episodes {
			if e.State == model.EpisodeQueued && !e.NextAt.After(now) {
				due = append(due, e)
			}
		}
		slices.SortStableFunc(due, func(a, b *queued) int { return a.NextAt.Compare(b.NextAt) })
		for _, e := range due[:min(len(due), limit)] {
			e.Attempts++
			e.NextAt = until
			claimed = append(claimed, store.QueuedEpisode{User: e.user, Episode: e.Episode})
		}
		return nil
	})
	if err != nil {
		claimed = nil
	}
	return claimed, err
}

func (s *fakeStore) User(_ context.Context, user model.UserID) (found model.User, err error) {
	err = s.around("User", func() error {
		found = model.User{ID: user,
			Settings: model.Settings{TimeZone: "Asia/Jerusalem", Locale: "he", WeekStart: model.Sunday}}
		return nil
	})
	return found, err
}

func (s *fakeStore) EntitiesByName(_ context.Context, user model.UserID, names []string,
	_ store.EntityColumns) (found map[string][]model.Entity, err error) {
	err = s.around("EntitiesByName", func() error {
		found = map[string][]model.Entity{}
		if len(names) > 2*model.MaxFactsAtOnce {
			return errors.New("too many names")
		}
		for _, e := range s.entities {
			for _, name := range append([]string{e.Name}, e.Aliases...) {
				if key := graphtext.Name(name); user == dana && slices.Contains(names, key) {
					found[key] = append(found[key], e)
				}
			}
		}
		return nil
	})
	return found, err
}

func (s *fakeStore) SearchEntities(_ context.Context, user model.UserID,
	search store.EntitySearch) (found store.EntityHits, err error) {
	err = s.around("SearchEntities", func() error {
		for _, e := range s.entities {
			for _, term := range search.Words.Terms {
				if user == dana && slices.Contains(graphtext.EntityEntries(e), term.Forms[0].Term) &&
					len(found.Hits) < search.Limit {
					found.Hits = append(found.Hits, store.EntityHit{Entity: e})
					break
				}
			}
		}
		return nil
	})
	return found, err
}

func (s *fakeStore) FactsAround(_ context.Context, _ model.UserID, entities []model.UUID, where store.FactWhere, _,
	limit int, _ store.FactWant) (found []model.Fact, err error) {
	err = s.around("FactsAround", func() error {
		for _, f := range s.facts {
			if f.HoldsAt(where.At) && (slices.Contains(entities, f.Source.ID.UUID) ||
				slices.Contains(entities, f.Target.ID.UUID)) && len(found) < limit {
				found = append(found, f)
			}
		}
		return nil
	})
	return found, err
}

func (s *fakeStore) Write(ctx context.Context, user model.UserID,
	fn func(ctx context.Context, tx store.Tx) error) error {
	return s.around("Write", func() error {
		t := &fakeTx{store: s, user: user}
		if err := fn(ctx, t); err != nil {
			return err
		}
		for _, saved := range t.saved {
			for _, e := range s.episodes {
				if e.ID == saved.ID && e.user == user {
					e.Episode = saved
					s.saves++
				}
			}
		}
		return nil
	})
}

// fakeTx is a transaction that knows episodes.
type fakeTx struct {
	store.Tx
	store *fakeStore
	user  model.UserID
	saved []model.Episode
}

func (t *fakeTx) EpisodesByID(_ context.Context, user model.UserID, ids []model.UUID,
	_ store.EpisodeColumns) (found []model.Episode, err error) {
	for _, e := range t.store.episodes {
		if e.user == user && slices.Contains(ids, e.ID.UUID) {
			found = append(found, e.Episode)
		}
	}
	return found, nil
}

func (t *fakeTx) SaveEpisodes(_ context.Context, episodes []model.Episode) error {
	t.saved = append(t.saved, episodes...)
	return nil
}

// AddExtracted does as the contract says, without a graph behind it.
func (s *fakeStore) AddExtracted(_ context.Context, user model.UserID,
	found knowledge.Extracted) (added knowledge.FactsAdded, err error) {
	err = s.around("AddExtracted", func() error {
		at := slices.IndexFunc(s.episodes, func(e *queued) bool { return e.ID == found.Episode && e.user == user })
		switch {
		case at < 0:
			return model.Errorf(model.CodeNotFound, "gone")
		case s.episodes[at].State != model.EpisodeQueued, s.episodes[at].Attempts != found.Attempt:
			return model.Errorf(model.CodeConflict, "somebody else's")
		}
		e := s.episodes[at]
		e.State, e.Problem, e.NextAt = model.EpisodeExtracted, "", time.Time{}
		s.kept = append(s.kept, found)
		added.Created, added.EntitiesMade, added.Problems = len(found.Facts), len(found.Entities),
			make([]error, len(found.Facts))
		return nil
	})
	return added, err
}

// fixture is a reader with an endpoint and a store.
type fixture struct {
	t         *testing.T
	extractor *extract.Extractor
	endpoint  *standin.Server
	store     *fakeStore

	mu      sync.Mutex
	reports []extract.Report
	log     bytes.Buffer
}

func (h *fixture) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.Write(p)
}

// newFixture makes a reader before a store that may have been another's.
func newFixture(t *testing.T, s *fakeStore, options standin.Options) *fixture {
	t.Helper()
	h := &fixture{t: t, store: s, endpoint: standin.New(options)}
	h.extractor = &extract.Extractor{
		Store: s, Keeper: s, ModelName: "gpt-4o-mini", Now: time.Now, Jitter: func() float64 { return 1 },
		Logger: slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(r extract.Report) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.reports = append(h.reports, r)
		},
		Model: &openai.Chat{Endpoint: &openai.Endpoint{
			URL: &url.URL{Scheme: "https", Host: "model.example", Path: "/v1"}, Base: h.endpoint.Transport(),
			Jitter: func() float64 { return 1 }, Limits: openai.ChatLimits(),
		}},
	}
	return h
}

// run lets the worker work until the function given is called.
func (h *fixture) run() (stop func()) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	done := make(chan error, 1)
	go func() { done <- h.extractor.Run(ctx) }()
	return func() {
		h.t.Helper()
		cancel()
		if err := <-done; err != nil {
			h.t.Errorf("Run gave %v", err)
		}
	}
}

// outcomes counts what has become of episodes.
func (h *fixture) outcomes() map[extract.Outcome]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := map[extract.Outcome]int{}
	for _, r := range h.reports {
		if r.Outcome != "" {
			counts[r.Outcome]++
		}
	}
	return counts
}

// private fails when the log holds what a user wrote.
func (h *fixture) private() {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if said := h.log.String(); strings.Contains(said, secret) || strings.Contains(said, "model.example") {
		h.t.Errorf("the log tells too much:\n%s", said)
	}
}

// told writes facts in short, sorted: "Dana Levi -WORKS_AT-> Acme".
func told(found knowledge.Extracted, names map[model.ID]string) []string {
	var all []string
	name := func(e knowledge.End) string { return cmp.Or(e.Name, names[e.ID]) }
	for _, f := range found.Facts {
		all = append(all, name(f.Source)+" -"+f.Relation+"-> "+name(f.Target))
	}
	slices.Sort(all)
	return all
}
