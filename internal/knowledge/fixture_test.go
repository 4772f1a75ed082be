package knowledge_test

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/knowledge/knowledgetest"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	own "almanac/internal/knowledge"
	"almanac/internal/teststore"
)

// fixture is a base over a real store.
type fixture struct {
	*testing.T
	store    store.Store
	base     *own.Base
	embedder *nGrams
	clock    *clock.Manual
	user     model.UserID
	other    model.UserID
	// read counts how often the reader of episodes was woken.
	read int
}

// eachStore runs a test in a fixture on either store.
func eachStore(t *testing.T, test func(h *fixture)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(newFixture(t, onSQLite))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(newFixture(t, onPostgres))
	})
}

type opened interface {
	store.Store
	Migrate(ctx context.Context) error
	Close() error
}

func onSQLite(t *testing.T, now func() time.Time) (opened, error) {
	return sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t), Now: now})
}

func onPostgres(t *testing.T, now func() time.Time) (opened, error) {
	return postgres.Open(t.Context(), postgres.Options{URL: teststore.Postgres(t), Now: now})
}

func newFixture(t *testing.T, open func(*testing.T, func() time.Time) (opened, error)) *fixture {
	t.Helper()
	h := &fixture{T: t, embedder: &nGrams{}, clock: clock.NewManual(noon)}
	s, err := open(t, h.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.store = s
	h.user, h.other = h.lives("dana"), h.lives("yossi")
	h.base = &own.Base{Store: s, Embedder: h.embedder, NewID: clock.NewIDs(h.clock.Now, rand.Reader).New, Now: h.clock.Now}
	return h
}

func (h *fixture) lives(subject string) model.UserID {
	h.Helper()
	user, err := h.store.EnsureUser(h.Context(), model.User{
		ID: model.UserIDOf(subject), Subject: subject, CreatedAt: h.clock.Now(),
		Settings: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday},
	})
	h.must(err)
	return user.ID
}

func (h *fixture) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// wantCode fails unless the error is of a code.
func (h *fixture) wantCode(err error, code model.ErrorCode) {
	h.Helper()
	if model.CodeOf(err) != code {
		h.Errorf("%v, want %s", err, code)
	}
}

func (h *fixture) tell(facts ...knowledge.NewFact) knowledge.FactsAdded {
	h.Helper()
	out, err := h.base.AddFacts(h.Context(), h.user, knowledge.NewFacts{Facts: facts, Now: h.clock.Now()})
	h.must(err)
	for i, problem := range out.Problems {
		if problem != nil {
			h.Fatalf("fact %d: %v", i, problem)
		}
	}
	return out
}

// fact is one between entities of these names.
func fact(source, relation, target string, more ...func(*knowledge.NewFact)) knowledge.NewFact {
	f := knowledge.NewFact{Source: knowledge.End{Name: source}, Relation: relation, Target: knowledge.End{Name: target}}
	for _, change := range more {
		change(&f)
	}
	return f
}

func since(year int) func(*knowledge.NewFact) {
	return func(f *knowledge.NewFact) { f.ValidAt = in(year) }
}

func until(year int) func(*knowledge.NewFact) {
	return func(f *knowledge.NewFact) { f.InvalidAt = in(year) }
}

func says(sentence string) func(*knowledge.NewFact) {
	return func(f *knowledge.NewFact) { f.Sentence = sentence }
}

func closes(ids ...model.ID) func(*knowledge.NewFact) {
	return func(f *knowledge.NewFact) { f.Closes = ids }
}

func alone(f *knowledge.NewFact) { f.Exclusive = true }

var (
	everyFact = store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityRow}
	page      = knowledge.Page{First: 100}
)

// facts are all of the user's, oldest first.
func (h *fixture) facts() []model.Fact {
	h.Helper()
	out, err := h.base.FindFacts(h.Context(), h.user, knowledge.FactAsk{Page: page, Want: everyFact})
	h.must(err)
	var all []model.Fact
	for _, hit := range out.Hits {
		all = append(all, hit.Item)
	}
	slices.Reverse(all)
	return all
}

// sentences are those of all facts, with when they hold.
func (h *fixture) sentences() []string {
	h.Helper()
	out := []string{}
	for _, f := range h.facts() {
		out = append(out, f.Sentence+" "+year(f.ValidAt)+"–"+year(f.InvalidAt))
	}
	return out
}

func (h *fixture) wantSentences(want ...string) {
	h.Helper()
	if got := h.sentences(); !slices.Equal(got, want) {
		h.Errorf("there is %q, want %q", got, want)
	}
}

// entity is the user's entity of a name.
func (h *fixture) entity(id model.ID) model.Entity {
	h.Helper()
	found, err := h.base.EntitiesByID(h.Context(), h.user, []model.ID{id}, store.EntityRow)
	h.must(err)
	e, there := found[id]
	if !there {
		h.Fatalf("there is no %s", id)
	}
	return e
}

// changes are those of the change log after a place, as "OPERATION kind".
func (h *fixture) changes(after int64) (all []string) {
	h.Helper()
	log, err := h.store.Changes(h.Context(), h.user, after, nil, 1000)
	h.must(err)
	for _, change := range log {
		all = append(all, string(change.Operation)+" "+string(change.Type))
	}
	return all
}

func (h *fixture) head() int64 {
	h.Helper()
	head, err := h.store.ChangeHead(h.Context(), h.user)
	h.must(err)
	return head
}

func TestContract(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T, func() time.Time) (opened, error){
		"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			knowledgetest.Run(t, func(t *testing.T) knowledgetest.Harness {
				h := newFixture(t, open)
				return knowledgetest.Harness{
					Base: h.base, Users: [2]model.UserID{h.user, h.other}, Now: h.clock.Now,
					Pass: func(d time.Duration) { h.clock.Advance(d) }, Lists: true,
					In: func(ctx context.Context, user model.UserID, write func(context.Context) error) error {
						return h.store.Write(ctx, user, func(ctx context.Context, _ store.Tx) error { return write(ctx) })
					},
				}
			})
		})
	}
}
