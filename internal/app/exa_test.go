package app

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/seal"
	"almanac/internal/websets"
)

// exaServer is a server that has Exa alone, with a clock that moves when it is told to.
type exaServer struct {
	*Server
	*exaIntegration
	now *clock.Manual
}

func exaServerOf(t *testing.T, settings config.Config, base string) exaServer {
	t.Helper()
	key := []byte(strings.Repeat("k", config.MinSecret))
	address, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.NewManual(time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	s, _ := bareServer(t, settings, now)
	s.base, s.store = address, storeOf(t)
	s.ids = clock.NewIDs(now.Now, strings.NewReader(strings.Repeat("random ", 10_000)))
	if s.box, err = seal.NewBox(key); err != nil {
		t.Fatal(err)
	}
	if s.sealer, err = seal.New(key); err != nil {
		t.Fatal(err)
	}
	made, err := s.newExa()
	if err != nil {
		t.Fatal(err)
	}
	return exaServer{Server: s, exaIntegration: made, now: now}
}

var exaItself = &url.URL{Scheme: "https", Host: "api.exa.ai"}

// Who serves whom follows from the settings, and what cannot be is said by its code.
func TestExa(t *testing.T) {
	t.Parallel()
	local, other := model.UserIDOf(auth.LocalSubject), model.UserIDOf("noam")
	for name, c := range map[string]struct {
		settings config.Config
		standIn  bool
		said     string
		// codes are those of opening the local user's account, and another's.
		codes [2]model.ErrorCode
		// shared says whose account is shared.
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
			h := exaServerOf(t, c.settings, "https://almanac.example.com")
			if said := websetsGreeting(c.settings); !strings.Contains(said, c.said) ||
				strings.Contains(said, "key-of-the-server") {
				t.Errorf("the greeting says %q", said)
			}
			if (h.standIn != nil) != c.standIn || (len(h.pages) == 0) != c.settings.ExaOff ||
				(h.repair == nil) != c.settings.ExaOff {
				t.Errorf("%+v", h.exaIntegration)
			}
			for i, user := range []model.UserID{local, other} {
				account, err := h.forResolvers().For(t.Context(), user)
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
			if status, standIn := h.forResolvers().Status(); standIn != c.standIn ||
				(status == model.ConnectionConnected) != (c.codes[0] == "") {
				t.Errorf("status %s, %v", status, standIn)
			}
		})
	}
	h := exaServerOf(t, config.Config{ExaOff: true}, "https://almanac.example.com")
	if _, err := h.forResolvers().Connect(t.Context(), local,
		"a-key-of-somebody"); model.CodeOf(err) != model.CodeNotConfigured {
		t.Errorf("linking where there are no websets: %v", err)
	}
}

// The stand-in calls this server's webhooks below whatever path the server has, and nobody else.
func TestTheStandInCallsNobodyElse(t *testing.T) {
	t.Parallel()
	var came []string
	own := &ownServer{base: &url.URL{Scheme: "http", Host: "127.0.0.1:8080", Path: "/below"}}
	call := func(address string) (int, error) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := own.RoundTrip(r)
		if err != nil {
			return 0, err
		}
		return answer.StatusCode, answer.Body.Close()
	}
	hook := "http://127.0.0.1:8080/below" + websets.PathHooks + "x"
	if _, err := call(hook); err == nil {
		t.Error("a handler that is not there yet was called")
	}
	(&exaIntegration{ownServer: own}).opened(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came = append(came, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	}))
	if status, err := call(hook); err != nil || status != http.StatusNoContent {
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
		h := exaServerOf(t, config.Config{ExaURL: exaItself, ExaStandIn: true, LocalUser: true}, base)
		account, err := h.forResolvers().For(t.Context(), model.UserIDOf(auth.LocalSubject))
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
	h := exaServerOf(t, config.Config{ExaURL: exaItself, ExaStandIn: true, LocalUser: true, Demo: true,
		ExaRepair: 5 * time.Minute}, "http://127.0.0.1:8080")
	user := model.UserIDOf(auth.LocalSubject)
	front := http.NewServeMux()
	for path, page := range h.pages {
		front.Handle(path, page)
	}
	h.opened(front)
	account, err := h.forResolvers().For(t.Context(), user)
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
