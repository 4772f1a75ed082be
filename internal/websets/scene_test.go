package websets_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/seal"
	standin "almanac/internal/standin/exa"
	"almanac/internal/standin/loopback"
	"almanac/internal/teststore"
	"almanac/internal/websets"
)

// eachPlug runs a test on both databases.
func eachPlug(t *testing.T, test func(t *testing.T, s store.Store)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteStore(t)) })
	t.Run("postgres", func(t *testing.T) {
		s, err := postgres.Open(t.Context(), postgres.Options{URL: teststore.Postgres(t)})
		if err != nil {
			t.Fatal(err)
		}
		test(t, migrated(t, s))
	})
}

func sqliteStore(t testing.TB) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	return migrated(t, s)
}

func migrated(t testing.TB, s interface {
	store.Store
	Migrate(ctx context.Context) error
	Close() error
},
) store.Store {
	t.Helper()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func newBox(t testing.TB, keys ...byte) *seal.Box {
	t.Helper()
	secrets := make([][]byte, len(keys))
	for i, key := range keys {
		secrets[i] = slices.Repeat([]byte{key}, 32)
	}
	box, err := seal.NewBox(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// scene is the receiver and the worker between the stand-in for Exa, through the real adapter, and a real store.
type scene struct {
	testing.TB
	clock    *clock.Manual
	store    store.Store
	remote   *standin.Server
	client   *exa.Client
	hooks    *websets.Hooks
	receiver *websets.Receiver
	repair   *websets.Repair
	ids      *clock.IDs
	// account is what a user is served by; their own key when nil.
	account func(user model.UserID) *exa.Account

	came  []websets.DeliveryOutcome
	looks chan websets.Look
}

var dana, noam = model.UserIDOf("dana"), model.UserIDOf("noam")

func keyOf(user model.UserID) string { return "key-" + user.String() }

func newScene(t testing.TB, s store.Store) *scene {
	t.Helper()
	h := &scene{TB: t, clock: clock.NewManual(time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)), store: s,
		looks: make(chan websets.Look, 1000)}
	h.ids = clock.NewIDs(h.clock.Now, zeros{})
	h.hooks = &websets.Hooks{
		Base: &url.URL{Scheme: "https", Host: "almanac.example.com"}, Box: newBox(t, 1),
		Account: func(_ context.Context, user model.UserID) (websets.HookAccount, error) {
			return websets.HookAccount{Shared: h.accountOf(user).Owner.Seal != nil}, nil
		},
	}
	h.repair = &websets.Repair{
		Store: s, Now: h.clock.Now, Interval: 5 * time.Minute, Jitter: func() float64 { return 0 },
		Observe: func(l websets.Look) { h.looks <- l },
		Account: func(_ context.Context, user model.UserID) (websets.Events, error) { return h.accountOf(user), nil },
	}
	h.receiver = &websets.Receiver{Hooks: h.hooks, Store: s, Now: h.clock.Now, Ring: h.repair.Ring,
		Observe: func(d websets.Delivery) { h.came = append(h.came, d.Outcome) }}
	h.remote = standin.New(standin.Options{Now: h.clock.Now, Seed: 1, Open: true, Content: 2000,
		Transport: loopback.Transport(h.receiver)})
	h.client = &exa.Client{Base: h.remote.Transport(), Now: h.clock.Now, Wait: func(ctx context.Context,
		_ time.Duration) error {
		return ctx.Err()
	}, Limits: exa.Limits{Limits: remote.Limits{Failures: 1 << 20}, Websets: 1e6}}
	return h
}

// zeros is no source of chance: ids are told apart by their time and count.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func (h *scene) accountOf(user model.UserID) *exa.Account {
	if h.account != nil {
		return h.account(user)
	}
	return &exa.Account{Client: h.client, Key: keyOf(user), Own: true}
}

// listen makes a webhook of a user to this server, for all that can be told.
func (h *scene) listen(user model.UserID) store.WebsetHook {
	h.Helper()
	hook := store.WebsetHook{User: user, ID: h.ids.New(), Receives: true, CreatedAt: h.clock.Now()}
	address, err := h.hooks.Address(h.Context(), user, hook.ID)
	if err != nil {
		h.Fatal(err)
	}
	made, err := h.accountOf(user).CreateWebhook(h.Context(), exa.Webhook{URL: address, Events: model.WebsetEventTypes()})
	if err != nil {
		h.Fatal(err)
	}
	if made.Secret == "" {
		h.Fatal("the remote told no secret")
	}
	hook.Remote = made.Ref.ID
	if hook.Secret, err = h.hooks.Seal(user, hook.ID, made.Secret); err != nil {
		h.Fatal(err)
	}
	h.save(hook)
	return hook
}

func (h *scene) save(hook store.WebsetHook) {
	h.Helper()
	if err := h.store.Write(h.Context(), hook.User,
		func(ctx context.Context, tx store.Tx) error { return tx.SaveWebsetHook(ctx, hook) }); err != nil {
		h.Fatal(err)
	}
}

// search makes a webset with a search, an enrichment, and so many items after a while.
func (h *scene) search(user model.UserID, count int) model.Webset {
	h.Helper()
	webset, err := h.accountOf(user).CreateWebset(h.Context(), exa.NewWebset{
		Search:      &exa.Search{Query: "companies that save water", Count: count},
		Enrichments: []exa.Enrichment{{Description: "Contact e-mail address", Format: "email"}},
	})
	if err != nil {
		h.Fatal(err)
	}
	return webset
}

// pass lets time pass in steps, with what the remote delivers meanwhile.
func (h *scene) pass(steps int, step time.Duration) {
	h.Helper()
	for range steps {
		h.clock.Advance(step)
		if _, err := h.remote.Deliver(h.Context()); err != nil {
			h.Fatal(err)
		}
	}
}

// look runs the worker until it has looked so often, and returns what came of it.
func (h *scene) look(times int) []websets.Look {
	h.Helper()
	ctx, stop := context.WithCancel(h.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.repair.Run(ctx) }()
	looks := make([]websets.Look, times)
	for i := range looks {
		looks[i] = <-h.looks
	}
	stop()
	if err := <-ended; err != nil {
		h.Fatal(err)
	}
	return looks
}

// events are all that the remote gives to a user, in their order.
func (h *scene) events(user model.UserID) []model.WebsetEvent {
	h.Helper()
	var all []model.WebsetEvent
	page := exa.Page{Limit: 200}
	for {
		got, err := h.accountOf(user).Events(h.Context(), exa.EventFilter{}, page)
		if err != nil {
			h.Fatal(err)
		}
		all = append(all, got.Items...)
		if got.Next == "" {
			break
		}
		page.After = got.Next
	}
	slices.Reverse(all) // the stand-in returns the newest first
	slices.SortStableFunc(all, func(a, b model.WebsetEvent) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all
}

// log returns a user's change log as "TYPE OPERATION id".
func (h *scene) log(user model.UserID) []string {
	h.Helper()
	changes, err := h.store.Changes(h.Context(), user, 0, nil, 100_000)
	if err != nil {
		h.Fatal(err)
	}
	lines := make([]string, len(changes))
	for i, c := range changes {
		id, err := model.ParseID(model.RemoteID(kinds[c.Type], c.Remote).String())
		if err != nil || id.UUID != c.ID {
			h.Fatalf("line %d names nothing: %+v: %v", i, c, err)
		}
		ref, err := model.WebsetRefOf(id)
		if err != nil {
			h.Fatal(err)
		}
		lines[i] = fmt.Sprint(c.Type, " ", c.Operation, " ", ref.ID)
	}
	return lines
}

var kinds = map[model.ChangeType]model.Kind{
	model.ChangeWebset: model.KindWebset, model.ChangeWebsetItem: model.KindWebsetItem,
	model.ChangeMonitor: model.KindMonitor, model.ChangeWebsetImport: model.KindWebsetImport,
}

// post calls the receiver as a stranger would.
func (h *scene) post(path, signature string, body []byte) int {
	h.Helper()
	return post(h, h.receiver, http.MethodPost, path, signature, body)
}

// pathOf is the path of an address for a webhook.
func (h *scene) pathOf(hook store.WebsetHook) string {
	h.Helper()
	address, err := h.hooks.Address(h.Context(), hook.User, hook.ID)
	if err != nil {
		h.Fatal(err)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		h.Fatal(err)
	}
	return parsed.Path
}

// secret is a webhook's.
func (h *scene) secret(hook store.WebsetHook) string {
	h.Helper()
	secret, err := h.hooks.Open(hook.User, hook.ID, hook.Secret)
	if err != nil {
		h.Fatal(err)
	}
	return secret
}

// told are the lines that events come to when each is told once, in their order.
func told(events []model.WebsetEvent) []string {
	var lines []string
	for _, e := range events {
		switch operation := operations[e.Type]; e.Subject.Kind {
		case model.KindWebset:
			lines = append(lines, "WEBSET "+operation+" "+e.Subject.ID)
		case model.KindWebsetSearch:
			lines = append(lines, "WEBSET UPDATED "+e.Subject.Within)
		case model.KindWebsetItem:
			lines = append(lines, "WEBSET_ITEM "+operation+" "+e.Subject.ID)
		case model.KindMonitor:
			lines = append(lines, "WEBSET_MONITOR "+operation+" "+e.Subject.ID)
		case model.KindMonitorRun:
			lines = append(lines, "WEBSET_MONITOR UPDATED "+e.Subject.Within)
		case model.KindWebsetImport:
			lines = append(lines, "WEBSET_IMPORT "+operation+" "+e.Subject.ID)
		}
	}
	return lines
}

var operations = map[string]string{
	"webset.created": "CREATED", "webset.deleted": "DELETED", "webset.paused": "UPDATED", "webset.idle": "UPDATED",
	"webset.item.created": "CREATED", "webset.item.enriched": "UPDATED",
	"monitor.created": "CREATED", "monitor.updated": "UPDATED", "monitor.deleted": "DELETED", "import.created": "CREATED",
	"import.completed": "UPDATED",
}
