package gmail

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
	"almanac/internal/standin/discovery"
	inbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	alice = "alice@example.com"
	bob   = "bob@example.com"
)

// harness is the adapter before the stand-in for Google. Every request and every response is held against Google's own
// description of the API.
type harness struct {
	*Client
	t          testing.TB
	connection model.Connection
	server     *standin.Server
	service    *inbox.Service
	vault      *vault
	// base is what the adapter's requests go through; tests put things before it.
	base http.RoundTripper
	// truth asks the stand-in past the adapter.
	truth *api.Service

	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

// builder says what a harness is like.
type builder struct {
	switches inbox.Switches
	limits   google.Limits
	quota    standin.Quota
	cache    store.MailCache
	scopes   []string
	// real: what is to be waited for is waited for.
	real bool
}

func newHarness(t testing.TB, b builder) *harness {
	t.Helper()
	h := &harness{t: t, now: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		vault: &vault{tokens: map[string]google.Token{}}}
	h.service = inbox.New(inbox.Options{Now: h.clock, Seed: 1, Switches: b.switches})
	report := func(v discovery.Violation) { t.Errorf("against the description of the API: %s", v) }
	if b.quota.Cost == nil {
		b.quota.Cost = standin.GmailCosts()
	}
	if b.scopes == nil {
		b.scopes = []string{google.ScopeGmailModify}
	}
	var err error
	h.server, err = standin.New(standin.Options{
		Now: h.clock, Services: []wire.Service{h.service}, Seed: 1, Report: report, StrictParameters: true,
		Client: standin.OAuthClient{ID: "client", Secret: "secret"}, Quotas: map[string]standin.Quota{"gmail": b.quota},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, email := range []string{alice, bob} {
		if err := h.service.AddAccount(inbox.Account{Email: email}); err != nil {
			t.Fatal(err)
		}
		if err := h.server.AddAccount(standin.Account{Email: email}); err != nil {
			t.Fatal(err)
		}
	}
	h.link(alice, b.scopes)
	h.link(bob, b.scopes)
	h.base = discovery.WatchTransport(h.server.Transport(), report, discovery.Gmail())
	box, err := seal.NewBox([]byte(strings.Repeat("k", 32)))
	if err != nil {
		t.Fatal(err)
	}
	h.Client = &Client{Now: h.clock, Cache: b.cache, Box: box, Google: h.clients(b)}
	h.connection = connectionOf(alice, 1)
	if b.cache == nil {
		h.Cache = nil // and not a nil of a type
	}
	granted, err := h.server.Grant(alice, []string{"https://mail.google.com/"})
	if err != nil {
		t.Fatal(err)
	}
	h.truth, err = api.NewService(t.Context(),
		option.WithHTTPClient(&http.Client{Transport: bearer{granted.Access, h.server.Transport()}}))
	if err != nil {
		t.Fatal(err)
	}
	h.server.Reset()
	return h
}

func (h *harness) clients(b builder) *google.Clients {
	clients := &google.Clients{
		OAuth: google.OAuth{ClientID: "client", ClientSecret: "secret"},
		ConnectURL: func(_ google.Account, scopes []string) string {
			return "https://almanac.example/connect?" + url.Values{"scope": scopes}.Encode()
		},
		Vault: h.vault, Now: h.clock, Jitter: func() float64 { return 0.5 }, Wait: h.wait, Limits: b.limits,
		Base: transport(func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.Header.Set("Accept-Encoding", "identity") // packing costs the race detector more than all the rest
			return h.base.RoundTrip(r)
		}),
	}
	if b.real {
		clients.Wait = nil
	}
	return clients
}

// again is another process with the same accounts and the same cache.
func (h *harness) again() *Client {
	return &Client{Now: h.clock, Cache: h.Cache, Box: h.Box, Google: h.clients(builder{})}
}

// link gives the adapter a token for an account.
func (h *harness) link(email string, scopes []string) {
	h.t.Helper()
	granted, err := h.server.Grant(email, scopes)
	if err != nil {
		h.t.Fatal(err)
	}
	h.vault.mu.Lock()
	defer h.vault.mu.Unlock()
	h.vault.tokens[email] = google.Token{Access: granted.Access, Refresh: granted.Refresh,
		Expiry: h.now.Add(100 * time.Hour), Scopes: scopes}
}

func connectionOf(email string, number int) model.Connection {
	return model.Connection{
		ID: model.UUID{byte(number)}, User: model.UserID{byte(number)}, Number: number, Provider: model.ProviderGoogle,
		Account: email,
		Status:  model.ConnectionConnected,
	}
}

// clock stands still until a test moves it.
func (h *harness) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *harness) tick(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// wait remembers how long it was to wait, and moves the clock instead.
func (h *harness) wait(ctx context.Context, d time.Duration) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waits = append(h.waits, d)
	h.now = h.now.Add(d)
	return ctx.Err()
}

// deliver puts a letter into alice's mailbox, a second after the one before.
func (h *harness) deliver(l inbox.Letter, labels ...string) string {
	h.t.Helper()
	return h.deliverRaw(l.Bytes(), labels...)
}

func (h *harness) deliverRaw(raw []byte, labels ...string) string {
	h.t.Helper()
	h.tick(time.Second)
	id, err := h.service.Deliver(alice, raw, h.clock(), labels...)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

// letter is a plain one with a subject.
func letter(subject string) inbox.Letter {
	return inbox.Letter{From: "Bob <" + bob + ">", To: alice, Subject: subject, Text: "The text of " + subject + ".\r\n"}
}

// read reads messages and fails the test when that fails.
func (h *harness) read(depth Depth, ids ...string) map[string]model.Email {
	h.t.Helper()
	found, err := h.Messages(h.t.Context(), h.connection, ids, depth)
	if err != nil {
		h.t.Fatalf("reading: %v", err)
	}
	return found
}

// calls are the methods asked since the last Reset, in order, without their prefix.
func (h *harness) calls() []string {
	var methods []string
	for _, r := range h.server.Requests() {
		methods = append(methods, strings.TrimPrefix(r.Method, "gmail.users."))
	}
	return methods
}

// asked are the requests of a method since the last Reset.
func (h *harness) asked(method string) []standin.Request {
	return slices.DeleteFunc(h.server.Requests(),
		func(r standin.Request) bool { return r.Method != "gmail.users."+method })
}

// query gives a parameter of a request.
func query(t testing.TB, r standin.Request, name string) []string {
	t.Helper()
	u, err := url.Parse(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()[name]
}

func code(t testing.TB, err error, want model.ErrorCode) *model.Error {
	t.Helper()
	if got := model.CodeOf(err); got != want {
		t.Fatalf("got %v, want %q", err, want)
	}
	var shown *model.Error
	_ = errors.As(err, &shown)
	return shown
}

// transport is a function as one.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// vault keeps a token for each account.
type vault struct {
	mu      sync.Mutex
	tokens  map[string]google.Token
	expired string
}

func (v *vault) Token(_ context.Context, account google.Account) (google.Token, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.expired != "" {
		return google.Token{}, model.Errorf(model.CodeNotConnected, "The account must be linked again.")
	}
	return v.tokens[account.Email], nil
}

func (v *vault) SaveToken(_ context.Context, account google.Account, token google.Token) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tokens[account.Email] = token
	return nil
}

func (v *vault) Expire(_ context.Context, _ google.Account, reason string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.expired = reason
	return nil
}

// bearer puts a token into requests.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}
