package connect

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/seal"
	"almanac/internal/standin/discovery"
	mailbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/internal/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	yael = "yael@example.com"
	omer = "omer@example.com"
)

var (
	local  = model.UserIDOf("local")
	alice  = model.UserIDOf("alice")
	bob    = model.UserIDOf("bob")
	oldKey = bytes.Repeat([]byte{1}, 32)
	newKey = bytes.Repeat([]byte{2}, 32)
)

// fixture is a server with the linker, the stand-in below it, and a store.
type fixture struct {
	*Linker
	t      *testing.T
	clock  *clock.Manual
	google *standin.Server
	store  *counted
	server *httptest.Server
	logs   *logs
	vault  *Vault
}

// fullStore is what tests ask of a store beyond what the linker does.
type fullStore interface {
	Store
	EnsureUser(ctx context.Context, fresh model.User) (model.User, error)
	Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType, limit int) ([]model.Change,
		error)
}

// counted counts the writes of a store, and breaks when it is told to.
type counted struct {
	fullStore
	writes atomic.Int64
	broken atomic.Pointer[error]
}

func (c *counted) Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error {
	c.writes.Add(1)
	if err := c.broken.Load(); err != nil {
		return *err
	}
	return c.fullStore.Write(ctx, user, fn)
}

// logs keeps every line.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// calendars is the least of a calendar: it has the description of the API, and one calendar.
type calendars struct{}

func (calendars) Document() *discovery.Document { return discovery.Calendar() }
func (calendars) Forget(string)                 {}
func (calendars) Snapshot(io.Writer) error      { return nil }
func (calendars) Restore(io.Reader) error       { return nil }
func (calendars) Serve(call wire.Call) (wire.Reply, error) {
	if call.Method == "calendar.calendarList.get" {
		return wire.Reply{Body: map[string]any{"kind": "calendar#calendarListEntry", "id": call.Account}}, nil
	}
	return wire.Reply{}, &wire.Problem{Status: 404, Domain: "global", Reason: "notFound", Message: "Not Found"}
}

func openSQLite(t *testing.T, now func() time.Time) fullStore {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t), Now: now})
	if err == nil {
		err = s.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func openPostgres(t *testing.T, now func() time.Time) fullStore {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Options{URL: teststore.Postgres(t), MaxConns: 4, Now: now})
	if err == nil {
		err = s.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func newFixture(t *testing.T) *fixture { return newFixtureOn(t, openSQLite) }

func newFixtureOn(t *testing.T, open func(*testing.T, func() time.Time) fullStore) *fixture {
	t.Helper()
	h := &fixture{t: t, clock: clock.NewManual(time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)), logs: &logs{}}
	h.store = &counted{fullStore: open(t, h.clock.Now)}
	var mux http.ServeMux
	h.server = httptest.NewUnstartedServer(&mux)
	base := &url.URL{Scheme: "http", Host: h.server.Listener.Addr().String()}
	var err error
	h.google, err = standin.New(standin.Options{
		Now: h.clock.Now, Services: []wire.Service{calendars{}, mailbox.New(mailbox.Options{Now: h.clock.Now, Seed: 1})},
		Seed:   1,
		Client: standin.OAuthClient{ID: "almanac", Secret: "the client's secret", RedirectURIs: []string{RedirectURI(base)}},
		Report: func(v discovery.Violation) { t.Errorf("the description of the API is broken: %v", v) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []standin.Account{{Email: yael, Name: "Yael", Granular: true}, {Email: omer, Name: "עומר"}} {
		if err := h.google.AddAccount(a); err != nil {
			t.Fatal(err)
		}
	}
	h.Linker = &Linker{
		Store: h.store, Box: boxOf(t, oldKey), Base: base, StandIn: true, LocalUser: local,
		OAuth: google.OAuth{
			ClientID: "almanac", ClientSecret: "the client's secret", Base: h.google.Transport(),
			AuthURL: base.JoinPath("/standin/google/o/oauth2/v2/auth").String(),
		},
		NewID: clock.NewIDs(h.clock.Now, rand.Reader).New, Now: h.clock.Now,
		Logger: slog.New(slog.NewJSONHandler(h.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	h.vault = &Vault{Linker: h.Linker}
	mux.Handle("/connect/", h.Linker)
	mux.Handle("/standin/google/", h.google.Mount("/standin/google"))
	h.server.Start()
	t.Cleanup(h.server.Close)
	for user, row := range map[model.UserID]model.User{alice: {Subject: "alice", Email: "alice@work.example"},
		bob: {Subject: "bob"}} {
		row.ID, row.Settings = user, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}
		if _, err := h.store.EnsureUser(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func boxOf(t testing.TB, keys ...[]byte) *seal.Box {
	t.Helper()
	b, err := seal.NewBox(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// browser is a browser with cookies that follows no redirect by itself.
type browser struct {
	t        *testing.T
	client   http.Client
	language string
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, client: http.Client{Jar: jar, Transport: &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	t.Cleanup(b.client.CloseIdleConnections)
	return b
}

// view is what a browser got.
type view struct {
	status int
	header http.Header
	body   string
}

func (v view) location() string { return v.header.Get("Location") }

// input returns the value of a hidden field.
func (v view) input(name string) string {
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(v.body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// link returns the address of the page's button that begins anew.
func (v view) link() string {
	found := regexp.MustCompile(`class="button" href="([^"]*)"`).FindStringSubmatch(v.body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

func (b *browser) do(method, address string, form url.Values) view {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	request.Header.Set("Accept-Language", b.language)
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return view{response.StatusCode, response.Header, string(body)}
}

func (b *browser) get(address string) view { return b.do(http.MethodGet, address, nil) }

// begin opens a link and presses its button; it returns the address of Google's consent page.
func (h *fixture) begin(b *browser, link string) string {
	h.t.Helper()
	asked := b.get(link)
	if asked.status != http.StatusOK || asked.input("form") == "" {
		h.t.Fatalf("the link gives %d and no form:\n%s", asked.status, asked.body)
	}
	sent := b.do(http.MethodPost, h.page(), url.Values{"form": {asked.input("form")}})
	if sent.status != http.StatusSeeOther || !strings.HasPrefix(sent.location(), h.OAuth.AuthURL) {
		h.t.Fatalf("the button gives %d, %q:\n%s", sent.status, sent.location(), sent.body)
	}
	return sent.location()
}

func (h *fixture) page() string { return h.Base.JoinPath(PathStart).String() }

// agree answers Google's consent page for an account, with all scopes but those left out; it returns the address of the
// callback.
func (h *fixture) agree(b *browser, consent, account string, without ...string) string {
	h.t.Helper()
	address, err := url.Parse(consent)
	if err != nil {
		h.t.Fatal(err)
	}
	form := url.Values{"account": {account}, "decision": {"allow"}}
	for scope := range strings.FieldsSeq(address.Query().Get("scope")) {
		if !slices.Contains(without, scope) {
			form.Add("scope", scope)
		}
	}
	answered := b.do(http.MethodPost, consent, form)
	if answered.status != http.StatusSeeOther || !strings.HasPrefix(answered.location(), RedirectURI(h.Base)) {
		h.t.Fatalf("consent gives %d, %q:\n%s", answered.status, answered.location(), answered.body)
	}
	return answered.location()
}

// link goes the whole way.
func (h *fixture) linkWith(b *browser, link, account string, without ...string) view {
	h.t.Helper()
	return b.get(h.agree(b, h.begin(b, link), account, without...))
}

func (h *fixture) mustLink(user model.UserID, account string) model.Connection {
	h.t.Helper()
	done := h.linkWith(newBrowser(h.t), h.URL(user, nil, ""), account)
	if done.status != http.StatusOK || !strings.Contains(done.body, account) {
		h.t.Fatalf("linking gives %d:\n%s", done.status, done.body)
	}
	return h.connection(user, account)
}

func (h *fixture) connections(user model.UserID) []model.Connection {
	h.t.Helper()
	all, err := h.Store.Connections(h.t.Context(), user)
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

func (h *fixture) connection(user model.UserID, account string) model.Connection {
	h.t.Helper()
	all := h.connections(user)
	i := slices.IndexFunc(all, isAccount(account))
	if i < 0 {
		h.t.Fatalf("%s is not linked; there are %v", account, all)
	}
	return all[i]
}

func accountOf(c model.Connection) google.Account {
	return google.Account{User: c.User, Connection: c.ID, Email: c.Account}
}

// calls counts the requests to a method of the stand-in.
func (h *fixture) calls(method string) int {
	n := 0
	for _, r := range h.google.Requests() {
		if r.Method == method {
			n++
		}
	}
	return n
}

func (h *fixture) token(c model.Connection) google.Token {
	h.t.Helper()
	token, err := h.vault.Token(h.t.Context(), accountOf(c))
	if err != nil {
		h.t.Fatalf("no token: %v", err)
	}
	return token
}

// wantNotConnected holds an error to what a client should see: the code and a link that works.
func (h *fixture) wantNotConnected(err error) {
	h.t.Helper()
	shown, ok := errors.AsType[*model.Error](err)
	if !ok || shown.Code != model.CodeNotConnected || !strings.HasPrefix(shown.ConnectURL, h.page()+"?ticket=") {
		h.t.Fatalf("got %v, want NOT_CONNECTED with a link", err)
	}
	if asked := newBrowser(h.t).get(shown.ConnectURL); asked.status != http.StatusOK {
		h.t.Errorf("the error's link gives %d", asked.status)
	}
}
