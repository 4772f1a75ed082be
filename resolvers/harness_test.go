package resolvers_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/adapters/store/dry"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/clock"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"
	"almanac/internal/knowledge"
	"almanac/internal/reminders"
	"almanac/internal/seal"
	standin "almanac/internal/standin/graphiti"
	"almanac/internal/teststore"
	"almanac/projections/occur"
	"almanac/projections/recur"
	"almanac/resolvers"
	"almanac/resolvers/users"
)

// harness is a whole server but for its listener: store, resolvers, engine, front door, and a clock that the test
// moves.
type harness struct {
	store    store.Store
	clock    *clock.Manual
	resolver *resolvers.Root
	handler  http.Handler
	preparer engine.Preparer
	worker   reminders.Worker
	// statements counts what the store was asked, statement by statement.
	statements *trace
	// google is next door; nobody is linked until a test says so.
	google *googleHarness
	// embedder is the local model; it goes away when a test says so.
	embedder *testEmbedder
	// knowledge is the own store's graph.
	knowledge *knowledge.Base
	// graphiti keeps the graph instead, when a test says so.
	graphiti *standin.Server
	// exa is the stand-in for Exa.
	exa *exaHarness
	// dump returns what each table of the store holds.
	dump func(t *testing.T) map[string]string
	// notes, if set, are those of every operation, as if all came with one Idempotency-Key.
	notes *heldNotes
}

// open is the resolver's, with the harness's notes.
func (h *harness) open(ctx context.Context, caller model.Caller, hints edge.Hints) (context.Context, error) {
	ctx, err := h.resolver.Open(ctx, caller, hints)
	if err == nil && h.notes != nil {
		ctx = model.WithSeed(model.WithNotes(ctx, h.notes), model.UUID{1})
	}
	return ctx, err
}

// trace remembers the statements that a store sends.
type trace struct {
	count atomic.Int64
	last  atomic.Pointer[string]
}

func (s *trace) note(sql string) {
	s.count.Add(1)
	s.last.Store(&sql)
}

type harnessKind struct {
	name string
	// first is the kind that scripts are updated from.
	first bool
	// executor has everything run by gqlgen's executor instead of plans.
	executor bool
	// kept has copies of linked calendars kept, which are read.
	kept bool
	open func(t *testing.T, now func() time.Time, note func(string)) store.Store
}

// harnesses are the same harness on either store.
func harnesses() []harnessKind {
	return []harnessKind{
		{name: "sqlite", first: true, open: openSQLite},
		{name: "postgres", open: openPostgres},
	}
}

// dumped is a store with what each of its tables holds.
type dumped struct {
	store.Store
	dump func(t *testing.T) map[string]string
}

func openSQLite(t *testing.T, now func() time.Time, note func(string)) store.Store {
	t.Helper()
	path := teststore.SQLite(t)
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Now: now, Trace: note})
	if err == nil {
		err = s.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return dumped{s, (&sqliteDumps{path: path}).dump}
}

func openPostgres(t *testing.T, now func() time.Time, note func(string)) store.Store {
	t.Helper()
	url := teststore.Postgres(t)
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url, MaxConns: 4, Now: now, Trace: note})
	if err == nil {
		err = s.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return dumped{s, (&postgresDumps{url: url}).dump}
}

// seeded reads the same bytes in every run, so that ids and secrets repeat.
type seeded struct {
	mu   sync.Mutex
	from *rand.ChaCha8
}

func (s *seeded) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from.Read(p)
}

var _ io.Reader = (*seeded)(nil)

func (k harnessKind) build(t *testing.T, now time.Time) *harness {
	t.Helper()
	h := &harness{clock: clock.NewManual(now), statements: &trace{}, embedder: &testEmbedder{}}
	opened := k.open(t, h.clock.Now, h.statements.note)
	h.store = dry.Store{Store: opened}
	if whole, ok := opened.(dumped); ok {
		h.dump = whole.dump
	}
	ids := clock.NewIDs(h.clock.Now, &seeded{from: rand.NewChaCha8([32]byte{1})})
	sealer, err := seal.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	h.google = newGoogleHarness(t, h.store, h.clock.Now)
	if k.kept {
		h.google.follower = &calsync.Worker{Store: h.store, Now: h.clock.Now, Interval: time.Hour}
	}
	h.knowledge = &knowledge.Base{
		Store: h.store, Embedder: h.embedder, NewID: ids.New, Now: h.clock.Now,
		Extraction: knowledge.Extraction{Model: "test-reader"},
	}
	h.exa = newExaHarness(t, h, sealer, ids.New)
	h.resolver = resolvers.New(resolvers.Config{
		Exa: exaDoor{h.exa.connector}, WebsetHooks: h.exa.hooks,
		Google: h.google.wired(), Embedder: h.embedder, KnowledgeBase: h.knowledge,
		CalendarLinks: calendarLinks(h.clock.Now), Outside: &outside{},
		Store: h.store, Now: h.clock.Now, NewID: ids.New, Sealer: sealer, Keep: 30 * 24 * time.Hour,
		Defaults: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday},
	})
	t.Cleanup(h.resolver.Close)
	schema := graph.NewPlannedSchema
	if k.executor {
		if schema = newExecutableSchema; schema == nil {
			t.Fatal("gqlgen's executor is compiled with -tags bench alone, as make test does")
		}
	}
	preparer, err := engine.New(engine.Config{
		Scope:  users.ScopeOf,
		Schema: schema(graph.Config{Resolvers: h.resolver}), Introspection: true,
		Executor: k.executor, Now: h.clock.Now, DryRun: h.resolver.DryRun, Mutate: h.resolver.Mutate})
	if err != nil {
		t.Fatal(err)
	}
	h.preparer = preparer
	sockets := ws.New(ws.Config{Preparer: preparer, Authenticator: byName{}, Open: h.resolver.Open, Now: h.clock.Now})
	streams := sse.New(sse.Config{Preparer: preparer})
	t.Cleanup(func() {
		_ = sockets.Shutdown(context.Background())
		_ = streams.Shutdown(context.Background())
	})
	h.handler, err = httpapi.New(httpapi.Config{
		Engine: preparer, Authenticator: byName{}, Open: h.open, Idempotency: h.store,
		WebSocket: sockets, Streams: streams, Now: h.clock.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	h.worker = reminders.Worker{Store: h.store, Remind: recur.Remind, Now: h.clock.Now, Interval: time.Hour,
		Events: &owncal.Client{Store: h.store, Rules: occur.NewRules(occur.DefaultRules), Now: h.clock.Now}}
	return h
}

// byName proves whoever says their name: "alice" or "alice:READ,WRITE".
type byName struct{}

func (byName) Authenticate(_ context.Context, token string) (model.Caller, error) {
	name, scopes, _ := strings.Cut(token, ".")
	if name == "" {
		return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "no token")
	}
	caller := model.Caller{UserID: model.UserIDOf(name), Subject: name,
		Scopes: []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeSend}}
	if scopes != "" {
		caller.Scopes = nil
		for scope := range strings.SplitSeq(scopes, "-") {
			caller.Scopes = append(caller.Scopes, model.Scope(scope))
		}
	}
	return caller, nil
}

// post sends a request as a user and gives the answer's body.
func (h *harness) post(t *testing.T, user string, scopes []string, header map[string]string, body []byte) []byte {
	t.Helper()
	token := user
	if len(scopes) > 0 {
		token += "." + strings.Join(scopes, "-")
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/graphql-response+json")
	r.Header.Set("Authorization", "Bearer "+token)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w.Body.Bytes()
}

// work lets the reminder worker look once.
func (h *harness) work(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	worker := h.worker
	worker.Observe = func(reminders.Report) { stop() }
	if err := worker.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
