package mcp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/adapters/gcal"
	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/adapters/store/dry"
	"almanac/adapters/store/sqlite"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/sse"
	"almanac/internal/knowledge"
	"almanac/internal/mcp"
	"almanac/internal/outbox"
	"almanac/internal/seal"
	"almanac/internal/standin/calendar"
	mailbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/internal/teststore"
	"almanac/projections/fold"
	vectors "almanac/projections/vector"
	"almanac/resolvers"
	"almanac/resolvers/emails"
)

// now is a Sunday.
var now = time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)

const mailAddress = "alice@example.com"

// harness is a whole server with its listener, and Google next door.
type harness struct {
	t        *testing.T
	store    store.Store
	clock    *clock.Manual
	calendar *calendar.Service
	mailbox  *mailbox.Service
	google   *standin.Server
	front    *flaky
	outbox   *outbox.Outbox
	mcp      *mcp.Server
	schema   *ast.Schema
	url      string
	log      *bytes.Buffer

	mu     sync.Mutex
	tokens map[model.UUID]google.Token
}

// build builds the server, with changes to the server's settings.
func build(t *testing.T, change ...func(*mcp.Config)) *harness {
	t.Helper()
	h := &harness{t: t, clock: clock.NewManual(now), tokens: map[model.UUID]google.Token{}, front: &flaky{},
		log: &bytes.Buffer{}}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	opened, err := sqlite.Open(t.Context(),
		sqlite.Options{Path: teststore.SQLite(t), Now: h.clock.Now})
	must(err)
	t.Cleanup(func() { _ = opened.Close() })
	must(opened.Migrate(t.Context()))
	h.store = dry.Store{Store: opened}
	ids := clock.NewIDs(h.clock.Now, &seeded{from: rand.NewChaCha8([32]byte{1})})
	sealer, err := seal.New(bytes.Repeat([]byte{7}, 32))
	must(err)
	box, err := seal.NewBox(bytes.Repeat([]byte{9}, 32))
	must(err)
	resolver := resolvers.New(resolvers.Config{
		Google: h.wired(box), Embedder: words{}, Store: h.store, Now: h.clock.Now, NewID: ids.New, Sealer: sealer,
		Keep:          30 * 24 * time.Hour,
		KnowledgeBase: &knowledge.Base{Store: h.store, Embedder: words{}, NewID: ids.New, Now: h.clock.Now},
		Defaults:      model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday},
	})
	t.Cleanup(resolver.Close)
	executable := graph.NewPlannedSchema(graph.Config{Resolvers: resolver})
	h.schema = executable.Schema()
	preparer, err := engine.New(engine.Config{Schema: executable, Now: h.clock.Now,
		DryRun: resolver.DryRun, Mutate: resolver.Mutate})
	must(err)
	streams := sse.New(sse.Config{Preparer: preparer, Authenticator: byName{}})
	t.Cleanup(func() { _ = streams.Shutdown(context.Background()) })
	settings := mcp.Config{
		Front: h.front, Authenticator: byName{}, Box: box, Now: h.clock.Now, Schema: h.schema, Version: "test",
		Origins: []string{"https://app.example"},
		Logger:  slog.New(slog.NewTextHandler(h.log, nil)),
	}
	for _, f := range change {
		f(&settings)
	}
	h.mcp, err = mcp.New(settings)
	must(err)
	h.front.Handler, err = httpapi.New(httpapi.Config{
		Engine: preparer, Authenticator: byName{}, Open: resolver.Open, Idempotency: h.store, Streams: streams,
		Now:   h.clock.Now,
		Pages: map[string]http.Handler{mcp.Path: h.mcp},
	})
	must(err)
	server := httptest.NewServer(h.front.Handler)
	t.Cleanup(server.Close)
	h.url = server.URL + mcp.Path
	return h
}

// sendsDue sends what has been stopped by nobody for as long as it could be.
func (h *harness) sendsDue() {
	h.t.Helper()
	h.clock.Advance(10 * time.Second)
	if err := h.outbox.Settle(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// flaky is the front door, which a test can make fail.
type flaky struct {
	http.Handler
	fail atomic.Pointer[http.HandlerFunc]
	// asked counts the requests from within.
	asked atomic.Int64
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.asked.Add(1)
	if fail := f.fail.Load(); fail != nil {
		(*fail)(w, r)
		return
	}
	f.Handler.ServeHTTP(w, r)
}

// byName proves whoever says their name: "alice", or "alice.READ-WRITE" for less than all scopes.
type byName struct{}

func (byName) Authenticate(_ context.Context, token string) (model.Caller, error) {
	name, scopes, _ := strings.Cut(token, ".")
	if name == "" || name == "nobody" {
		return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "no such token")
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

type seeded struct {
	mu   sync.Mutex
	from *rand.ChaCha8
}

func (s *seeded) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from.Read(p)
}

// words is a model for which texts with the same words are near each other.
type words struct{}

func (words) Model() model.EmbeddingModel {
	return model.EmbeddingModel{Name: "words", Dimensions: 64, Floor: 0.35, Near: 0.95, Local: true}
}

func vectorOf(text string) []float32 {
	vector := make([]float32, 64)
	for word := range strings.FieldsSeq(fold.Text(text)) {
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(word))
		vector[hash.Sum32()%64]++
	}
	if !vectors.Unit(vector) {
		return nil
	}
	return vector
}

func (w words) Embed(_ context.Context, texts []string) ([]model.Embedding, error) {
	out := make([]model.Embedding, len(texts))
	for i, text := range texts {
		if vector := vectorOf(text); vector != nil {
			out[i] = model.Embedding{Model: "words", Dimensions: len(vector), Vector: vector}
		}
	}
	return out, nil
}

func (w words) Query(_ context.Context, text string, _ []string) ([]store.QueryVector, error) {
	return []store.QueryVector{{Model: "words", Vector: vectorOf(text)}}, nil
}

func (words) Wake() {}

// wired are the resolvers' views of the stand-in for Google.
func (h *harness) wired(box *seal.Box) resolvers.Google {
	h.t.Helper()
	h.calendar = calendar.New(calendar.Options{Now: h.clock.Now, Seed: 1})
	h.mailbox = mailbox.New(mailbox.Options{Now: h.clock.Now, Seed: 1})
	client := standin.OAuthClient{ID: "almanac", Secret: "secret",
		RedirectURIs: []string{"https://almanac.example/callback"}}
	var err error
	h.google, err = standin.New(standin.Options{
		Now: h.clock.Now, Services: []wire.Service{h.calendar, h.mailbox}, Client: client, Seed: 1,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		h.t.Fatal(err)
	}
	clients := &google.Clients{
		OAuth: google.OAuth{ClientID: client.ID, ClientSecret: client.Secret}, Vault: h, Base: h.google.Transport(),
		Now:    h.clock.Now,
		Jitter: func() float64 { return 0 }, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		ConnectURL: func(google.Account, []string) string { return "https://almanac.example/connect" },
		Limits:     google.Limits{Failures: 1 << 20},
	}
	events := &gcal.Client{Google: clients, Now: h.clock.Now}
	letters := &gmail.Client{Google: clients, Cache: h.store, Box: box, Now: h.clock.Now}
	var made atomic.Uint64
	box2, err := seal.NewBox(bytes.Repeat([]byte{8}, 32))
	if err != nil {
		h.t.Fatal(err)
	}
	out := &outbox.Outbox{
		Store: h.store, Mail: letters, Box: box2, Now: h.clock.Now, Logger: slog.New(slog.DiscardHandler),
		NewID: func() (id model.UUID) {
			binary.BigEndian.PutUint64(id[8:], made.Add(1))
			return id
		},
	}
	h.outbox = out
	return resolvers.Google{
		Events: events, Calendars: events, Writer: events, Series: events, Linker: h, Scopes: wantedScopes,
		Mail: emails.Mail{
			Reader: letters, Marker: letters, Labels: letters, Outbox: out, Policy: emails.MailPolicy{MaxRecipients: 20},
			AttachmentURL: func(model.UserID, model.EmailRef, string) string { return "https://almanac.example/file" },
		},
	}
}

var wantedScopes = []string{google.ScopeCalendarEvents, google.ScopeCalendarList, google.ScopeFreeBusy,
	google.ScopeGmailModify}

func (h *harness) URL(model.UserID, []string, string) string {
	return "https://almanac.example/connect"
}

func (h *harness) Status(c model.Connection) model.ConnectionStatus { return c.Status }

func (h *harness) Disconnect(context.Context, model.Connection) (bool, error) { return true, nil }

func (h *harness) Token(_ context.Context, a google.Account) (google.Token, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	token, ok := h.tokens[a.Connection]
	if !ok {
		return token, model.Errorf(model.CodeNotConnected, "link the account again")
	}
	return token, nil
}

func (h *harness) SaveToken(_ context.Context, a google.Account, token google.Token) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[a.Connection] = token
	return nil
}

func (h *harness) Expire(context.Context, google.Account, string) error { return nil }

// link links Alice's account, as the consent page would.
func (h *harness) link() {
	h.t.Helper()
	user := model.UserIDOf("alice")
	err := h.calendar.AddAccount(calendar.Account{Email: mailAddress, Name: "Alice", TimeZone: "UTC"})
	if err == nil {
		err = h.mailbox.AddAccount(mailbox.Account{Email: mailAddress, Name: "Alice"})
	}
	if err == nil {
		err = h.google.AddAccount(standin.Account{Email: mailAddress})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	granted, err := h.google.Grant(mailAddress, wantedScopes)
	if err != nil {
		h.t.Fatal(err)
	}
	err = h.store.Write(h.t.Context(), user, func(ctx context.Context, tx store.Tx) error {
		saved, err := tx.SaveConnection(ctx, model.Connection{
			ID: model.RemoteID(model.KindConnection, "alice").UUID, User: user, Provider: model.ProviderGoogle,
			Account: mailAddress, Status: model.ConnectionConnected,
			Scopes: slices.Sorted(slices.Values(wantedScopes)), LinkedAt: now, UpdatedAt: now,
		}, model.Credentials{})
		if err != nil {
			return err
		}
		return h.SaveToken(ctx, google.Account{User: user, Connection: saved.ID}, google.Token{
			Access: granted.Access, Refresh: granted.Refresh, Expiry: granted.Expiry, Scopes: granted.Scopes,
		})
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// event puts an event into Alice's calendar from elsewhere.
func (h *harness) event(body map[string]any) {
	h.t.Helper()
	if _, err := h.calendar.Insert(mailAddress, "primary", body); err != nil {
		h.t.Fatal(err)
	}
}

// events are the titles in Alice's calendar, the linked one or her own first one.
func (h *harness) events(linked bool) []string {
	h.t.Helper()
	if !linked {
		rows, err := h.store.AllEvents(h.t.Context(), model.UserIDOf("alice"), 1, "", 100)
		if err != nil {
			h.t.Fatal(err)
		}
		titles := []string{}
		for _, row := range rows {
			titles = append(titles, row.Summary)
		}
		slices.Sort(titles)
		return titles
	}
	reply, err := h.calendar.Serve(wire.Call{
		Method: "calendar.events.list", Account: mailAddress, Path: map[string]string{"calendarId": "primary"},
		Query: url.Values{"maxResults": {"2500"}}, Now: now,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	items, _ := reply.Body["items"].([]any)
	out := make([]string, 0, len(items))
	for _, item := range items {
		object, _ := item.(map[string]any)
		title, _ := object["summary"].(string)
		out = append(out, title)
	}
	slices.Sort(out)
	return out
}

// deliver puts a letter into Alice's inbox.
func (h *harness) deliver(letter mailbox.Letter) {
	h.t.Helper()
	letter.Date = now.Add(-time.Hour)
	if _, err := h.mailbox.Deliver(mailAddress, letter.Bytes(), letter.Date); err != nil {
		h.t.Fatal(err)
	}
}

// sent is how many letters have left.
func (h *harness) sent() int {
	n := 0
	for _, one := range h.mailbox.Mailbox(mailAddress) {
		if slices.Contains(one.LabelIDs, "SENT") {
			n++
		}
	}
	return n
}

// bearer sends a token, and further headers.
type bearer struct {
	token  string
	header map[string]string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	for name, value := range b.header {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// client is a connected client of the official SDK.
type client struct {
	*sdk.ClientSession
	t *testing.T
}

// connect connects as a user, with all options of the SDK's client.
func (h *harness) connect(token string, options *sdk.ClientOptions, header map[string]string) *client {
	h.t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).Connect(h.t.Context(),
		&sdk.StreamableClientTransport{
			Endpoint: h.url, HTTPClient: &http.Client{Transport: bearer{token, header}}, MaxRetries: -1,
		}, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = session.Close() })
	return &client{session, h.t}
}

// as connects a client that cannot ask its user.
func (h *harness) as(token string) *client { return h.connect(token, nil, nil) }

// got is what a tool gave.
type got struct {
	text    string
	failed  bool
	content struct {
		IDs     []string
		Actions []struct {
			ID, Summary, UndoUntil string
			Undoable               bool
		}
		Found   map[string][]string
		Preview struct{ ID, Hash string }
		Free    []struct{ Start, End string }
		Cursor  string
		DryRun  bool

		Confirmation *struct {
			Kind, Question, Token string
			Candidates            []struct{ ID, Label string }
			AllowMultiple         bool
		}
		Declined bool
		Problems []struct {
			Code, Message, Field, About string
			RetryAfterMs                int64
		}
		Data json.RawMessage
	}
}

// try calls a tool; an error is one of the protocol.
func (c *client) try(tool string, arguments map[string]any) (got, error) {
	result, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return got{}, err
	}
	out := got{failed: result.IsError}
	for _, one := range result.Content {
		if text, ok := one.(*sdk.TextContent); ok {
			out.text += text.Text
		}
	}
	body, err := json.Marshal(result.StructuredContent)
	if err == nil && result.StructuredContent != nil {
		err = json.Unmarshal(body, &out.content)
	}
	return out, err
}

// call calls a tool that works.
func (c *client) call(tool string, arguments map[string]any) got {
	c.t.Helper()
	out, err := c.try(tool, arguments)
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	if out.failed {
		c.t.Fatalf("%s %v: %s", tool, arguments, out.text)
	}
	return out
}

// ask calls a tool that has to ask first.
func (c *client) ask(tool string, arguments map[string]any) got {
	c.t.Helper()
	out := c.call(tool, arguments)
	if out.content.Confirmation == nil {
		c.t.Fatalf("%s %v: nothing was asked: %s", tool, arguments, out.text)
	}
	return out
}

type object = map[string]any

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

func boxOf(t *testing.T) *seal.Box {
	t.Helper()
	box, err := seal.NewBox(bytes.Repeat([]byte{9}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return box
}
