package gcal

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	api "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/standin/calendar"
	"almanac/internal/standin/discovery"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

const me = "alice@example.com"

// harness is the adapter before the stand-in for Google. Every request and every response is held against Google's own
// description of the API.
type harness struct {
	*Client
	t          testing.TB
	connection model.Connection
	server     *standin.Server
	service    *calendar.Service
	vault      *vault
	// horizon is up to when occurrences are looked at.
	horizon time.Time
	// base is what the adapter's requests go through; tests put things before it.
	base http.RoundTripper
	// truth asks the stand-in past the adapter.
	truth *api.Service

	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
	next  int
}

// builder says what a harness is like.
type builder struct {
	zone     string
	switches calendar.Switches
	limits   google.Limits
	packed   bool
}

func newHarness(t testing.TB, b builder) *harness {
	t.Helper()
	if b.zone == "" {
		b.zone = "Asia/Jerusalem"
	}
	h := &harness{t: t, now: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		horizon: time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC), vault: &vault{tokens: map[string]google.Token{}}}
	h.service = calendar.New(calendar.Options{Now: h.clock, Seed: 1, Switches: b.switches})
	report := func(v discovery.Violation) { t.Errorf("against the description of the API: %s", v) }
	var err error
	h.server, err = standin.New(standin.Options{Now: h.clock, Services: []wire.Service{h.service}, Seed: 1, Report: report,
		StrictParameters: true,
		Client:           standin.OAuthClient{ID: "client", Secret: "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	h.add(me, b.zone)
	token := h.link(me)
	h.base = discovery.WatchTransport(h.server.Transport(), report, discovery.Calendar())
	base := transport(func(r *http.Request) (*http.Response, error) {
		if !b.packed { // packing costs the race detector more than all the rest
			r = r.Clone(r.Context())
			r.Header.Set("Accept-Encoding", "identity")
		}
		return h.base.RoundTrip(r)
	})
	h.Client = &Client{Now: h.clock, Google: &google.Clients{
		OAuth:      google.OAuth{ClientID: "client", ClientSecret: "secret"},
		ConnectURL: func(google.Account, []string) string { return "https://almanac.example/connect" },
		Vault:      h.vault, Base: base, Now: h.clock, Jitter: func() float64 { return 0.5 }, Wait: h.wait, Limits: b.limits,
	}}
	h.connection = connectionOf(me, 1)
	h.truth, err = api.NewService(t.Context(),
		option.WithHTTPClient(&http.Client{Transport: bearer{token.Access, h.server.Transport()}}))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *harness) add(email, zone string) {
	h.t.Helper()
	if err := h.service.AddAccount(calendar.Account{Email: email, TimeZone: zone}); err != nil {
		h.t.Fatal(err)
	}
	if err := h.server.AddAccount(standin.Account{Email: email}); err != nil {
		h.t.Fatal(err)
	}
}

// link gives the adapter a token for an account.
func (h *harness) link(email string) google.Token {
	h.t.Helper()
	granted, err := h.server.Grant(email,
		[]string{google.ScopeCalendarEvents, google.ScopeCalendarList, google.ScopeFreeBusy})
	if err != nil {
		h.t.Fatal(err)
	}
	token := google.Token{Access: granted.Access, Refresh: granted.Refresh, Expiry: h.now.Add(100 * time.Hour)}
	h.vault.mu.Lock()
	defer h.vault.mu.Unlock()
	h.vault.tokens[email] = token
	return token
}

func connectionOf(email string, number int) model.Connection {
	return model.Connection{ID: model.UUID{byte(number)}, Number: number, Provider: model.ProviderGoogle, Account: email,
		Status: model.ConnectionConnected}
}

// clock goes on by a second with each look, so that every write has a time of its own.
func (h *harness) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(time.Second)
	return h.now
}

// wait remembers how long it was to wait, and does not.
func (h *harness) wait(ctx context.Context, d time.Duration) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waits = append(h.waits, d)
	return ctx.Err()
}

// newID gives the id of the next event.
func (h *harness) newID() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	return fmt.Sprintf("event%05d", h.next)
}

// make inserts an event and gives it whole.
func (h *harness) make(e model.Event) model.Event {
	h.t.Helper()
	made, existed, err := h.Insert(h.t.Context(), h.connection, e.Ref.Calendar,
		NewEvent{Event: e, SourceID: h.newID(), Fields: FieldsAll})
	if err != nil || existed {
		h.t.Fatalf("insert %q: existed %t, %v", e.Summary, existed, err)
	}
	return made
}

// event is a plain event of an hour, in the afternoon of 22 November in Jerusalem.
func (h *harness) event(summary string, lines ...string) model.Event {
	return model.Event{
		Summary: summary, Recurrence: lines,
		Start: timed(h.t, "2026-11-22T16:00:00Z", "Asia/Jerusalem"),
		End:   timed(h.t, "2026-11-22T17:00:00Z", "Asia/Jerusalem"),
	}
}

// stored is an event as the stand-in has it, cancelled or not; nil when there never was one.
func (h *harness) stored(id string) *api.Event {
	h.t.Helper()
	h.server.Clear()
	e, err := h.truth.Events.Get("primary", id).Do()
	if google.Status(err) == http.StatusNotFound {
		return nil
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return e
}

// all are the rows of the primary calendar: single events, series and exceptions, without cancelled ones.
func (h *harness) all() []*api.Event {
	h.t.Helper()
	h.server.Clear()
	var rows []*api.Event
	err := h.truth.Events.List("primary").MaxResults(2500).Pages(h.t.Context(), func(page *api.Events) error {
		for _, e := range page.Items {
			if e.Status != "cancelled" {
				rows = append(rows, e)
			}
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return rows
}

// requests are those for a method since the last Reset.
func (h *harness) requests(method string) []standin.Request {
	return slices.DeleteFunc(h.server.Requests(),
		func(r standin.Request) bool { return r.Method != "calendar.events."+method })
}

// query gives a parameter of a request.
func query(t testing.TB, r standin.Request, name string) string {
	t.Helper()
	u, err := url.Parse(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get(name)
}

// neverReplaces fails the test when a whole event was sent.
func (h *harness) neverReplaces() {
	h.t.Helper()
	for _, r := range h.server.Requests() {
		if r.HTTPMethod == http.MethodPut || strings.HasSuffix(r.Method, ".update") {
			h.t.Errorf("an event was replaced whole: %s %s", r.HTTPMethod, r.URL)
		}
	}
}

func code(t testing.TB, err error, want model.ErrorCode) {
	t.Helper()
	if got := model.CodeOf(err); got != want {
		t.Fatalf("got %v, want %q", err, want)
	}
}

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
