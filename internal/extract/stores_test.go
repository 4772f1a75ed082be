package extract_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/embedding"
	"almanac/internal/extract"
	own "almanac/internal/knowledge"
	standin "almanac/internal/standin/openai"
	"almanac/internal/teststore"
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

// patience bounds every wait for something that is to happen. It is met only when a test fails.
const patience = time.Minute

// stack is a real store with the knowledge base before it, and the readers that read for it.
type stack struct {
	*testing.T
	store store.Store
	base  *own.Base
	user  model.UserID

	mu      sync.Mutex
	readers []*extract.Extractor
	changed chan struct{}
	reports []extract.Report
}

func newStack(t *testing.T, s store.Store, subject string) *stack {
	t.Helper()
	h := &stack{T: t, store: s, changed: make(chan struct{})}
	ids := clock.NewIDs(time.Now, rand.Reader)
	h.base = &own.Base{
		Store: s, Embedder: &embedding.Embedder{Store: s, Now: time.Now}, NewID: ids.New, Now: clock.System{}.Now,
		Extraction: own.Extraction{Model: "gpt-4o-mini", Wake: h.wake},
	}
	user, err := s.EnsureUser(t.Context(), model.User{ID: model.UserIDOf(subject), Subject: subject, CreatedAt: time.Now(),
		Settings: model.Settings{TimeZone: "Asia/Jerusalem", Locale: "he", WeekStart: model.Sunday}})
	if err != nil {
		t.Fatal(err)
	}
	h.user = user.ID
	return h
}

func (h *stack) wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.readers {
		r.Wake()
	}
}

// startReader has another reader read, until the function given is called.
func (h *stack) startReader(keeper extract.Keeper) (stop func()) {
	h.Helper()
	f := newFixture(h.T, &fakeStore{}, standin.Options{})
	f.extractor.Store, f.extractor.Keeper = h.store, keeper
	f.extractor.Now = clock.System{}.Now
	f.extractor.Observe = func(r extract.Report) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.reports = append(h.reports, r)
		close(h.changed)
		h.changed = make(chan struct{})
	}
	h.mu.Lock()
	h.readers = append(h.readers, f.extractor)
	h.mu.Unlock()
	f.extractor.Wake()
	stop = sync.OnceFunc(f.run())
	h.Cleanup(stop)
	return stop
}

// await waits until so many episodes have come to an outcome.
func (h *stack) await(outcome extract.Outcome, times int) {
	h.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		h.mu.Lock()
		n, changed := 0, h.changed
		for _, r := range h.reports {
			if r.Outcome == outcome {
				n++
			}
		}
		reports := fmt.Sprintf("%+v", h.reports)
		h.mu.Unlock()
		if n >= times {
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			h.Fatalf("waited in vain for %d %s; reports are %s", times, outcome, reports)
		}
	}
}

// tell adds an episode that happened at a moment.
func (h *stack) tell(content string, source model.EpisodeSource, at time.Time) model.ID {
	h.Helper()
	added, err := h.base.AddEpisode(h.Context(), h.user, knowledge.NewEpisode{
		Episode: model.Episode{Content: content, Source: source, ReferenceTime: at, State: model.EpisodeQueued},
		Now:     clock.System{}.Now(),
	})
	if err != nil || added.Episode.State != model.EpisodeQueued {
		h.Fatalf("%+v %v", added, err)
	}
	return added.Episode.ID
}

// facts returns the facts that hold at a moment, in short, sorted; of all times when it is zero.
func (h *stack) facts(at time.Time) (all []string) {
	h.Helper()
	where := store.FactWhere{}
	if !at.IsZero() {
		where = store.FactWhere{Time: store.FactsHolding, At: at}
	}
	page, err := h.store.ListFacts(h.Context(), h.user,
		store.FactQuery{Where: where, Want: store.FactWant{Fact: store.FactRow, Ends: store.EntityName},
			Page: &store.Window[store.TimePlace]{Limit: 100}})
	if err != nil {
		h.Fatal(err)
	}
	for _, f := range page.Facts {
		all = append(all, f.Source.Name+" "+f.Relation+" "+f.Target.Name)
	}
	slices.Sort(all)
	return all
}

// The whole way in a real store: what is told is read, entities are found again by their other names, what is replaced
// is history, what is said twice is one fact with two episodes, and what happened at a time holds then.
func TestReadingInAStore(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		h := newStack(t, s, "dana")
		h.startReader(h.base)
		h.startReader(h.base) // another process on the same queue
		day := func(text string) time.Time {
			at, err := time.Parse(time.DateOnly, text)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		first := h.tell("Dana Levi works at Acme since 2024-05-01. Dana Levi lives in Haifa.", model.EpisodeText,
			day("2025-01-01"))
		h.await(extract.OutcomeRead, 1)
		h.tell("דנה לוי אוהבת את תל אביב.\nעומר כץ גר בתל אביב.", model.EpisodeText, day("2025-02-01"))
		h.await(extract.OutcomeRead, 2)
		h.tell("Dana Levi joined Globex since 2025-06-01.", model.EpisodeText, day("2025-07-01"))
		h.await(extract.OutcomeRead, 3)
		h.tell("Omer: Dana Levi lives in Haifa\nאח: נו", model.EpisodeMessage, day("2025-08-01"))
		h.await(extract.OutcomeRead, 4)

		if got, want := h.facts(day("2025-03-01")), []string{"Dana Levi LIVES_IN Haifa", "Dana Levi WORKS_AT Acme",
			"דנה לוי LIKES תל אביב", "עומר כץ LIVES_IN תל אביב"}; !slices.Equal(got, want) {
			t.Errorf("in March: %q, want %q", got, want)
		}
		if got, want := h.facts(day("2025-09-01")), []string{"Dana Levi LIVES_IN Haifa", "Dana Levi WORKS_AT Globex",
			"דנה לוי LIKES תל אביב", "עומר כץ LIVES_IN תל אביב"}; !slices.Equal(got, want) {
			t.Errorf("in September: %q, want %q", got, want)
		}
		if all := h.facts(time.Time{}); len(all) != 5 {
			t.Errorf("there are %q", all)
		}
		counts, err := s.KnowledgeCounts(t.Context(), h.user, time.Now())
		if err != nil || counts.Entities != 7 || counts.Queued != 0 || counts.Failed != 0 || counts.Episodes != 4 {
			t.Errorf("%+v %v", counts, err)
		}
		contents, err := h.base.Contents(t.Context(), h.user, first, 10, store.EntityName,
			store.FactWant{Fact: store.FactRow | store.FactEpisodes})
		if err != nil || len(contents.Entities) != 3 || len(contents.Facts) != 2 {
			t.Fatalf("%+v %v", contents, err)
		}
		if f := contents.Facts[slices.IndexFunc(contents.Facts,
			func(f model.Fact) bool { return f.Relation == "LIVES_IN" })]; len(f.Episodes) != 2 {
			t.Errorf("it is known by %v", f.Episodes)
		}
		if other := newStack(t, s, "omer"); len(other.facts(time.Time{})) != 0 {
			t.Error("another user sees them")
		}
	})
}

// half is a keeper whose answers are lost after the transaction, or that fails before it, for some calls.
type half struct {
	extract.Keeper
	mu     sync.Mutex
	before int
	after  int
}

func (k *half) AddExtracted(ctx context.Context, user model.UserID,
	found knowledge.Extracted) (knowledge.FactsAdded, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.before > 0 {
		k.before--
		return knowledge.FactsAdded{}, errors.New("the disk is full")
	}
	added, err := k.Keeper.AddExtracted(ctx, user, found)
	if k.after > 0 {
		k.after--
		return knowledge.FactsAdded{}, errors.Join(store.ErrOutcomeUnknown, err)
	}
	return added, err
}

// Where it cannot be known whether a writing was done, it is not done twice; where it surely was not, it is done later.
func TestLostWritings(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		h := newStack(t, s, "dana")
		keeper := &half{Keeper: h.base, after: 1}
		stop := h.startReader(keeper)
		id := h.tell("Dana Levi works at Acme.", model.EpisodeText, time.Now())
		h.await(extract.OutcomeOvertaken, 1) // it finds that somebody has read it: itself
		stop()
		episodes, err := s.EpisodesByID(t.Context(), h.user, []model.UUID{id.UUID}, store.EpisodeRow)
		if err != nil || episodes[0].State != model.EpisodeExtracted || episodes[0].Attempts != 1 ||
			len(h.facts(time.Time{})) != 1 {
			t.Errorf("%+v %v, facts %q", episodes, err, h.facts(time.Time{}))
		}

		keeper.before = 1
		stop = h.startReader(keeper)
		id = h.tell("Omer Katz works at Acme.", model.EpisodeText, time.Now())
		h.await(extract.OutcomeDeferred, 1)
		stop()
		episodes, err = s.EpisodesByID(t.Context(), h.user, []model.UUID{id.UUID}, store.EpisodeRow)
		if err != nil || episodes[0].State != model.EpisodeQueued || !strings.Contains(episodes[0].Problem,
			"could not be kept") || !episodes[0].NextAt.After(time.Now()) || len(h.facts(time.Time{})) != 1 {
			t.Errorf("%+v %v, facts %q", episodes, err, h.facts(time.Time{}))
		}
	})
}
