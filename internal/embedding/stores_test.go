package embedding_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/embedding"
	standin "almanac/internal/standin/openai"
	"almanac/internal/teststore"
	"almanac/projections/memo"
)

// eachPlug runs a test on both stores, fresh ones.
func eachPlug(t *testing.T, test func(t *testing.T, s store.Store)) {
	t.Run("sqlite", func(t *testing.T) {
		s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
		if err != nil {
			t.Fatal(err)
		}
		opened(t, s, test)
	})
	t.Run("postgres", func(t *testing.T) {
		s, err := postgres.Open(t.Context(), postgres.Options{URL: teststore.Postgres(t)})
		if err != nil {
			t.Fatal(err)
		}
		opened(t, s, test)
	})
}

func opened(t *testing.T, s interface {
	store.Store
	Migrate(ctx context.Context) error
	Close() error
}, test func(t *testing.T, s store.Store),
) {
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	test(t, s)
}

// street is some users' memories in a real store, and the embedders that are used one after another.
type street struct {
	*testing.T
	store    store.Store
	endpoint *standin.Server
	ids      *clock.IDs
	users    []model.UserID
	all      map[model.UserID][]model.Memory
}

// patience bounds every wait for something that is to happen. It is met only when a test fails.
const patience = time.Minute

func newStreet(t *testing.T, s store.Store, users int) *street {
	t.Helper()
	h := &street{T: t, store: s, endpoint: standin.New(standin.Options{Models: models}),
		ids: clock.NewIDs(time.Now, rand.Reader), all: map[model.UserID][]model.Memory{}}
	for i := range users {
		subject := fmt.Sprint("user ", i)
		user, err := s.EnsureUser(t.Context(), model.User{ID: model.UserIDOf(subject), Subject: subject,
			CreatedAt: time.Now(), Settings: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}})
		if err != nil {
			t.Fatal(err)
		}
		h.users = append(h.users, user.ID)
	}
	return h
}

// write keeps memories with the vectors that the embedder gives them now, none where it returns an error, as a resolver
// does.
func (h *street) write(embedder *embedding.Embedder, user model.UserID, contents ...string) {
	h.Helper()
	now := time.Now()
	memories := make([]model.Memory, len(contents))
	texts := make([]string, len(contents))
	for i, content := range contents {
		memories[i] = model.Memory{ID: h.ids.New(), Type: model.MemoryNote, Content: content, CreatedAt: now, UpdatedAt: now,
			Version: 1}
		texts[i] = memo.Text(memories[i])
	}
	vectors, err := embedder.Embed(h.Context(), texts)
	for i := range vectors {
		memories[i].Embedding = vectors[i]
	}
	if err := h.store.Write(h.Context(), user, func(ctx context.Context,
		tx store.Tx) error {
		return tx.InsertMemories(ctx, memories)
	}); err != nil {
		h.Fatal(err)
	}
	if err != nil {
		embedder.Wake()
	}
	h.all[user] = append(h.all[user], memories...)
}

// models returns by which models a user's memories have their vectors.
func (h *street) models(user model.UserID) map[string]int {
	h.Helper()
	counts, err := h.store.MemoryCounts(h.Context(), user, time.Now())
	if err != nil {
		h.Fatal(err)
	}
	models := map[string]int{}
	for _, c := range counts.Models {
		if c.Rows > 0 {
			models[c.Model] = c.Rows
		}
	}
	return models
}

// found returns how many of a user's memories are found by meaning alone.
func (h *street) found(embedder *embedding.Embedder, user model.UserID, text string) int {
	h.Helper()
	var names []string
	for name := range h.models(user) {
		names = append(names, name)
	}
	vectors, err := embedder.Query(h.Context(), text, names)
	if err != nil {
		h.Fatal(err)
	}
	hits, err := h.store.SearchMemories(h.Context(), user,
		store.MemorySearch{Now: time.Now(), Vectors: vectors, MinSimilarity: 0.2, SimilarityWeight: 1, Limit: 500})
	if err != nil {
		h.Fatal(err)
	}
	for _, hit := range hits.Hits {
		if !slices.ContainsFunc(h.all[user], func(m model.Memory) bool { return m.ID == hit.Memory.ID }) {
			h.Error("another user's memory was found")
		}
	}
	return len(hits.Hits)
}

// living is a embedder in which the worker runs.
type living struct {
	*embedding.Embedder
	street *street
	stop   func()

	mu      sync.Mutex
	changed chan struct{}
	seen    embedding.Report
}

// start makes a embedder with a model, and lets its worker run, for the graph too when it is given.
func (h *street) start(use model.EmbeddingModel, graphs ...store.KnowledgeVectors) *living {
	h.Helper()
	l := &living{street: h, changed: make(chan struct{})}
	inner := newFixture(h.T, use, h.endpoint, nil)
	l.Embedder = inner.embedder
	l.Store = h.store
	for _, g := range graphs {
		l.Knowledge = g
	}
	l.Observe = func(r embedding.Report) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen = r
		close(l.changed)
		l.changed = make(chan struct{})
	}
	l.Wake() // the first pass is made at once
	stop := inner.run()
	l.stop = sync.OnceFunc(stop)
	h.Cleanup(l.stop)
	return l
}

// await waits until what the worker reports is so.
func (l *living) await(what string, is func(embedding.Report) bool) {
	l.street.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		l.mu.Lock()
		seen, changed := l.seen, l.changed
		l.mu.Unlock()
		if is(seen) {
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			l.street.Fatalf("waited in vain until %s; the last report is %+v", what, seen)
		}
	}
}

func caughtUp(r embedding.Report) bool { return r.CaughtUp }
func failing(r embedding.Report) bool  { return r.Code != "" }

// Changing the model in a real store: everything is found before, meanwhile and afterwards, also when the endpoint dies
// midway and a worker is stopped; old vectors go; what is written while the endpoint is away is found later; and so it
// goes back.
func TestChangingTheModelInAStore(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		const each = 90
		h := newStreet(t, s, 3)
		first := h.start(model.EmbeddingModel{})
		for _, user := range h.users {
			var texts []string
			for i := range each {
				texts = append(texts, fmt.Sprintf("the car number %d", i))
			}
			h.write(first.Embedder, user, texts...)
		}
		everything := func(l *living, want int, when string) {
			t.Helper()
			for _, user := range h.users {
				if n := h.found(l.Embedder, user, "the car number"); n < want {
					t.Errorf("%s: %d of %d are found, with vectors of %v", when, n, want, h.models(user))
				}
			}
		}
		everything(first, each, "at first")
		first.stop()

		h.endpoint.Inject(standin.Fault{Reset: true, After: 1}) // one batch passes
		second := h.start(tiny)
		second.await("the endpoint died", failing)
		ready := 0
		for _, user := range h.users {
			ready += h.models(user)["tiny"]
		}
		if ready == 0 || ready == 3*each {
			t.Fatalf("%d of %d have the new vector; that is not midway", ready, 3*each)
		}
		h.write(second.Embedder, h.users[0], "an automobile of which nobody knows yet")
		second.stop()
		h.endpoint.Clear()

		third := h.start(tiny)
		everything(third, each, "midway")
		third.await("all are ready", caughtUp)
		for i, user := range h.users {
			want := each
			if i == 0 {
				want++
			}
			if got := h.models(user); len(got) != 1 || got["tiny"] != want {
				t.Errorf("vectors are %v, want %d of tiny", got, want)
			}
		}
		if n := h.found(third.Embedder, h.users[0], "מכונית"); n != each+1 {
			t.Errorf("by meaning, in the other language, %d are found", n)
		}
		if n := h.found(third.Embedder, h.users[0], "a physician"); n != 0 {
			t.Errorf("%d are about a physician", n)
		}
		third.stop()

		fourth := h.start(model.EmbeddingModel{})
		fourth.await("all are back", caughtUp)
		everything(fourth, each, "afterwards")
		if got := h.models(h.users[0]); len(got) != 1 || got[builtIn()] != each+1 {
			t.Errorf("vectors are %v", got)
		}
	})
}

// An endpoint that comes back is noticed by the next question of anybody, and the memories that were waiting get their
// vectors.
func TestTheEndpointComesBack(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		h := newStreet(t, s, 1)
		h.endpoint.Inject(standin.Fault{Status: 401})
		embedder := h.start(tiny)
		embedder.await("nothing is there to do", caughtUp)
		h.write(embedder.Embedder, h.users[0], "the password of the wifi")
		embedder.await("the endpoint refuses", failing)
		if got := h.models(h.users[0]); len(got) != 0 {
			t.Errorf("vectors are %v", got)
		}
		h.endpoint.Clear()
		if _, err := embedder.Query(t.Context(), "סיסמה", []string{"tiny"}); err != nil {
			t.Fatal(err)
		}
		embedder.await("all are ready", caughtUp)
		if n := h.found(embedder.Embedder, h.users[0], "קוד של האינטרנט"); n != 1 {
			t.Errorf("%d are found", n)
		}
	})
}

// Two processes on one store, while memories are written, changed and deleted, end with each memory's own vector.
func TestTwoProcesses(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		h := newStreet(t, s, 2)
		writer := newFixture(t, tiny, standin.New(standin.Options{Key: "another"}), nil).embedder // writes without vectors
		for _, user := range h.users {
			var texts []string
			for i := range 150 {
				texts = append(texts, fmt.Sprintf("memory %d of %s", i, user))
			}
			h.write(writer, user, texts...)
		}
		a, b := h.start(tiny), h.start(tiny)
		changed, gone := h.all[h.users[0]][10], h.all[h.users[1]][20].ID
		changed.Content, changed.Version = "changed meanwhile", 2
		if err := s.Write(t.Context(), h.users[0], func(ctx context.Context, tx store.Tx) error {
			return tx.UpdateMemory(ctx, changed, model.MemoryUpdated)
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), h.users[1], func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteMemories(ctx, []model.UUID{gone})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		a.await("one has done all", caughtUp)
		b.await("the other has", caughtUp)
		a.Wake() // what was changed while a pass had gone by already
		a.await("nothing is left", func(embedding.Report) bool {
			return h.models(h.users[0])["tiny"] == 150 && h.models(h.users[1])["tiny"] == 149
		})
		for _, user := range h.users {
			var ids []model.UUID
			for _, m := range h.all[user] {
				ids = append(ids, m.ID)
			}
			memories, err := s.MemoriesByID(t.Context(), user, ids, time.Now(),
				store.MemoryRow|store.MemoryModel|store.MemoryVector)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range memories {
				want := h.endpoint.Vector("tiny", memo.Text(m))
				for i, x := range m.Embedding.Vector {
					if d := float64(x) - want[i]; d > 1e-2 || d < -1e-2 {
						t.Fatalf("%q has another's vector", m.Content)
					}
				}
			}
		}
	})
}
