package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/seal"
	"almanac/internal/websets"
)

// exaHouse is a room of Exa beside a store, with a clock that moves when it is told to.
type exaHouse struct {
	*exaRoom
	store openStore
	ids   *clock.IDs
	now   *clock.Manual
}

func exaRoomOf(t *testing.T, settings config.Config, base string) exaHouse {
	t.Helper()
	key := []byte(strings.Repeat("k", config.MinSecret))
	box, err := seal.NewBox(key)
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := seal.New(key)
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.NewManual(time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	opened, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "exa.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	if err := opened.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids := clock.NewIDs(now.Now, strings.NewReader(strings.Repeat("random ", 10_000)))
	room, err := newExaRoom(exaParts{
		settings: settings, store: opened, box: box, sealer: sealer, ids: ids, clock: now, log: slog.New(slog.DiscardHandler),
		registry: prometheus.NewRegistry(), base: address,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(room.Close)
	return exaHouse{exaRoom: room, store: opened, ids: ids, now: now}
}

var exaItself = &url.URL{Scheme: "https", Host: "api.exa.ai"}

// Who serves whom follows from the settings, and what cannot be is said by its code.
func TestExaRoom(t *testing.T) {
	t.Parallel()
	local, other := model.UserIDOf(auth.LocalSubject), model.UserIDOf("noam")
	for name, c := range map[string]struct {
		settings config.Config
		standIn  bool
		said     string
		// codes are those of opening the local user's account, and another's.
		codes [2]model.ErrorCode
		// shared tells whose account is shared.
		shared [2]bool
	}{
		"off": {config.Config{ExaOff: true, LocalUser: true}, false, "off",
			[2]model.ErrorCode{model.CodeNotConfigured, model.CodeNotConfigured}, [2]bool{}},
		"the stand-in": {config.Config{ExaURL: exaItself, ExaStandIn: true, LocalUser: true}, true, "stand-in",
			[2]model.ErrorCode{}, [2]bool{}},
		"a key of the host": {config.Config{ExaURL: exaItself, ExaAPIKey: config.NewSecret("key-of-the-server"),
			LocalUser: true}, false, "api.exa.ai", [2]model.ErrorCode{}, [2]bool{false, true}},
		"no key": {config.Config{ExaURL: exaItself}, false, "keys that people link",
			[2]model.ErrorCode{model.CodeNotConfigured, model.CodeNotConfigured}, [2]bool{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := exaRoomOf(t, c.settings, "https://almanac.example.com")
			if said := searchedBy(c.settings); !strings.Contains(said, c.said) || strings.Contains(said, "key-of-the-server") {
				t.Errorf("the greeting says %q", said)
			}
			if (h.standIn != nil) != c.standIn || (h.pages() == nil) != c.settings.ExaOff ||
				(h.repair == nil) != c.settings.ExaOff {
				t.Errorf("%+v", h.exaRoom)
			}
			for i, user := range []model.UserID{local, other} {
				account, err := h.wired().For(t.Context(), user)
				if model.CodeOf(err) != c.codes[i] || (account == nil) != (err != nil) {
					t.Errorf("user %d: %v, %v", i, account, err)
				}
				if about, err := h.hookAccount(t.Context(), user); model.CodeOf(err) != c.codes[i] || about.Shared != c.shared[i] ||
					about.Near != c.standIn {
					t.Errorf("user %d: %+v, %v", i, about, err)
				}
				if _, err := h.hooks.Address(t.Context(), user, h.ids.New()); model.CodeOf(err) != c.codes[i] {
					t.Errorf("user %d: an address: %v", i, err)
				}
			}
			if status, standIn := h.wired().Status(); standIn != c.standIn ||
				(status == model.ConnectionConnected) != (c.codes[0] == "") {
				t.Errorf("status %s, %v", status, standIn)
			}
		})
	}
	h := exaRoomOf(t, config.Config{ExaOff: true}, "https://almanac.example.com")
	if _, err := h.wired().Connect(t.Context(), local, "a-key-of-somebody"); model.CodeOf(err) != model.CodeNotConfigured {
		t.Errorf("linking where there are no websets: %v", err)
	}
}

// The stand-in calls this server's webhooks by its front door, below whatever path the server has, and nobody else.
func TestTheStandInCallsNobodyElse(t *testing.T) {
	t.Parallel()
	var came []string
	door := &ownDoor{base: &url.URL{Scheme: "http", Host: "127.0.0.1:8080", Path: "/below"}}
	call := func(address string) (int, error) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := door.RoundTrip(r)
		if err != nil {
			return 0, err
		}
		return answer.StatusCode, answer.Body.Close()
	}
	own := "http://127.0.0.1:8080/below" + websets.PathHooks + "x"
	if _, err := call(own); err == nil {
		t.Error("a door that is not there yet was gone through")
	}
	room := &exaRoom{tells: door}
	room.opened(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came = append(came, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	}))
	if status, err := call(own); err != nil || status != http.StatusNoContent {
		t.Errorf("%d, %v", status, err)
	}
	for _, address := range []string{
		"https://127.0.0.1:8080/below" + websets.PathHooks + "x", "http://127.0.0.1:8081/below" + websets.PathHooks + "x",
		"http://127.0.0.1:8080/graphql", "http://127.0.0.1:8080" + websets.PathHooks + "x",
		"https://hooks.example/exa", "http://169.254.169.254/latest/meta-data",
	} {
		if _, err := call(address); err == nil {
			t.Errorf("%s was called", address)
		}
	}
	if len(came) != 1 || came[0] != websets.PathHooks+"x" {
		t.Errorf("came in at %v", came)
	}
}

// A file for an import reaches the stand-in, below whatever path the server has.
func TestFilesReachTheStandIn(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"http://127.0.0.1:8080", "http://127.0.0.1:8080/", "https://almanac.example.com/below",
		"https://almanac.example.com/below/"} {
		h := exaRoomOf(t, config.Config{ExaURL: exaItself, ExaStandIn: true, LocalUser: true}, base)
		account, err := h.wired().For(t.Context(), model.UserIDOf(auth.LocalSubject))
		if err != nil {
			t.Fatal(err)
		}
		const file = "name,url\nAcme,https://acme.example\n"
		made, err := account.CreateImport(t.Context(), exa.Import{Size: len(file), Count: 1,
			Entity: exa.Entity{Type: "company"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := account.Upload(t.Context(), exa.Upload{URL: made.UploadURL, Size: len(file),
			Body: strings.NewReader(file)}); err != nil {
			t.Errorf("at %s: %v", base, err)
		}
	}
}

// The demo's webset fills while the clock goes on, and what its webhook is told stands in the change log, without
// anybody asking.
func TestTheDemoFillsWhileTheClockGoesOn(t *testing.T) {
	t.Parallel()
	h := exaRoomOf(t, config.Config{ExaURL: exaItself, ExaStandIn: true, LocalUser: true, Demo: true,
		ExaRepair: 5 * time.Minute}, "http://127.0.0.1:8080")
	user := model.UserIDOf(auth.LocalSubject)
	front := http.NewServeMux()
	for path, page := range h.pages() {
		front.Handle(path, page)
	}
	h.opened(front)
	account, err := h.wired().For(t.Context(), user)
	if err != nil {
		t.Fatal(err)
	}
	hook := store.WebsetHook{User: user, ID: h.ids.New(), Receives: true, CreatedAt: h.now.Now()}
	address, err := h.hooks.Address(t.Context(), user, hook.ID)
	if err != nil {
		t.Fatal(err)
	}
	made, err := account.CreateWebhook(t.Context(), exa.Webhook{URL: address, Events: model.WebsetEventTypes()})
	if err != nil {
		t.Fatal(err)
	}
	hook.Remote = made.Ref.ID
	if hook.Secret, err = h.hooks.Seal(user, hook.ID, made.Secret); err != nil {
		t.Fatal(err)
	}
	if err := h.store.Write(t.Context(), user,
		func(ctx context.Context, tx store.Tx) error { return tx.SaveWebsetHook(ctx, hook) }); err != nil {
		t.Fatal(err)
	}
	signals, stop := h.store.Watch(user)
	defer stop()
	count := func() map[model.ChangeType]int {
		t.Helper()
		changes, err := h.store.Changes(t.Context(), user, 0, nil, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[model.ChangeType]int{}
		for _, one := range changes {
			counts[one.Type]++
		}
		return counts
	}
	before := count()
	grown := 0
	for range 10 {
		h.now.Advance(15 * time.Second)
		if _, err := h.standIn.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after := count(); after[model.ChangeWebsetItem] > before[model.ChangeWebsetItem] {
			grown++
			before = after
			<-signals // whoever listens is told
		}
	}
	if grown < 4 || before[model.ChangeWebsetItem] < 30 || before[model.ChangeWebset] == 0 {
		t.Errorf("grew %d times, to %v", grown, before)
	}
}

const (
	makeHook   = `mutation { createWebsetWebhook(input: {}) { webhook { id url receivedHere status } secret userErrors { code message } } }`
	makeWS     = `mutation { createWebset(input: { search: { query: "companies that save water", count: 5 } }) { webset { id } userErrors { code message } } }`
	makeImport = `mutation { createWebsetImport(input: { csv: "name,url\nAcme,https://acme.example\n", entity: { type: "company" } }) {
		import { id status } userErrors { code message } } }`
	watchWS   = `subscription ($after: String) { websetChanged(after: $after) { cursor type operation id } }`
	changesWS = `{ changes(first: 100, types: [WEBSET_ITEM]) { nodes { id operation } } }`
)

// A server that is started with nothing set makes a webhook to itself, and hears of a webset as it fills: on a
// subscription and in the change log.
func TestAServerHearsOfItsWebsets(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir())
	if !strings.Contains(p.greeting, "websets   a stand-in for Exa") {
		t.Errorf("the greeting does not say it:\n%s", p.greeting)
	}
	from := map[string]any{"after": changeHead(p)}
	r, a := p.post(makeHook, nil)
	if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"receivedHere":true`) ||
		!strings.Contains(string(a.Data), p.address+websets.PathHooks) || strings.Contains(string(a.Data), "whsec_") {
		t.Fatalf("%s\n%s", r.body, p.log)
	}
	e := p.mustListen(watchWS, from, "")
	if r, a := p.post(makeWS, nil); len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"userErrors":[]`) {
		t.Fatalf("%s\n%s", r.body, p.log)
	}
	for items := 0; items < 2; {
		var heard struct {
			WebsetChanged struct{ Type, Operation, ID string }
		}
		if _, err := e.next(&heard); err != nil {
			t.Fatalf("%v\n%s", err, p.log)
		}
		if heard.WebsetChanged.Type == "WEBSET_ITEM" {
			items++
		}
	}
	r, a = p.post(changesWS, nil)
	if len(a.Errors) > 0 || strings.Count(string(a.Data), `"CREATED"`) == 0 {
		t.Errorf("%s", r.body)
	}
	if r, a := p.post(makeImport, nil); len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"userErrors":[]`) ||
		!strings.Contains(string(a.Data), `"status":"processing"`) {
		t.Errorf("an import of rows: %s", r.body)
	}
	if p.metric(`almanac_webset_deliveries_total{outcome="told"}`) == "" ||
		p.metric(`almanac_exa_attempts_total{operation="webhooks.create",result="ok"}`) == "" {
		t.Error("/metrics does not count what came")
	}
	// Nobody else comes in by that door, and no token is asked for there.
	for path, want := range map[string]int{websets.PathHooks + "x": http.StatusNotFound,
		websets.PathHooks + strings.Repeat("A", 94): http.StatusNotFound} {
		if got := p.mustSend(http.MethodPost, path, []byte(`{}`)); got.status != want || len(got.body) > 0 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := p.mustSend(http.MethodGet, websets.PathHooks+"x", nil); got.status != http.StatusMethodNotAllowed {
		t.Error(fmt.Sprint("GET: ", got.status))
	}
	if err := p.term(); err != nil {
		t.Error(err)
	}
}
