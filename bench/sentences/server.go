//go:build bench

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/adapters/store/dry"
	"almanac/adapters/store/sqlite"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/connect"
	"almanac/internal/embedding"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/knowledge"
	"almanac/internal/seal"
	"almanac/internal/standin/calendar"
	mailbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/projections/ngram"
	"almanac/resolvers"
	"almanac/resolvers/emails"

	"crypto/rand"
)

// server is Almanac in this process, on a database of its own and with the stand-in for Google.
type server struct {
	now      func() time.Time
	zone     string
	store    *sqlite.Store
	resolver *resolvers.Root
	handler  http.Handler
	calendar *calendar.Service
	mailbox  *mailbox.Service
	google   *standin.Server
	vault    *connect.Vault
}

// newServer opens a database in the folder. The clock stands at now, and days begin in the zone.
func newServer(ctx context.Context, dir string, now time.Time, zone string) (*server, error) {
	s := &server{now: clock.Fixed(now).Now, zone: zone}
	var err error
	if s.store, err = sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, "almanac.db"), Now: s.now}); err != nil {
		return nil, err
	}
	if err := s.build(ctx); err != nil {
		return nil, errors.Join(err, s.store.Close())
	}
	return s, nil
}

func (s *server) build(ctx context.Context) error {
	if err := s.store.Migrate(ctx); err != nil {
		return err
	}
	key := []byte(rand.Text() + rand.Text())
	sealer, err := seal.New(key)
	if err != nil {
		return err
	}
	kept := dry.Store{Store: s.store}
	ids := clock.NewIDs(s.now, rand.Reader)
	wired, err := s.wire(key)
	if err != nil {
		return err
	}
	vectors := &embedding.Embedder{Store: s.store, Knowledge: s.store, InUse: ngram.Model(), Now: s.now}
	s.resolver = resolvers.New(resolvers.Config{
		Store: kept, Now: s.now, NewID: ids.New, Sealer: sealer, Keep: 30 * 24 * time.Hour, Google: wired,
		Embedder:      vectors,
		KnowledgeBase: &knowledge.Base{Store: s.store, Embedder: vectors, NewID: ids.New, Now: s.now},
		Defaults:      model.Settings{TimeZone: s.zone, Locale: "en", WeekStart: model.Sunday},
	})
	schema := graph.NewPlannedSchema(graph.Config{Resolvers: s.resolver})
	preparer, err := engine.New(engine.Config{Schema: schema, Introspection: true,
		Now: s.now, DryRun: s.resolver.DryRun, Mutate: s.resolver.Mutate, Limits: engine.Limits{Deadline: patience}})
	if err != nil {
		return err
	}
	s.handler, err = httpapi.New(httpapi.Config{Engine: preparer, Authenticator: byName{}, Open: s.resolver.Open,
		Idempotency: s.store, Now: s.now})
	return err
}

// wire makes the stand-in for Google and returns the resolvers' views of it. Its quotas do not bind: users are laid as
// fast as the machine can.
func (s *server) wire(key []byte) (resolvers.Google, error) {
	box, err := seal.NewBox(key)
	if err != nil {
		return resolvers.Google{}, err
	}
	s.calendar = calendar.New(calendar.Options{Now: s.now, Seed: 1})
	s.mailbox = mailbox.New(mailbox.Options{Now: s.now, Seed: 1})
	s.google, err = standin.New(standin.Options{
		Now: s.now, Services: []wire.Service{s.calendar, s.mailbox}, Seed: 1, Forgetful: true,
		Client: standin.OAuthClient{ID: "almanac", Secret: "stand-in"},
	})
	if err != nil {
		return resolvers.Google{}, err
	}
	oauth := google.OAuth{ClientID: "almanac", ClientSecret: "stand-in", Base: s.google.Transport()}
	linker := &connect.Linker{Store: s.store, Box: box, Base: &url.URL{Scheme: "http", Host: "127.0.0.1"}, OAuth: oauth,
		Now: s.now}
	s.vault = &connect.Vault{Linker: linker}
	clients := &google.Clients{OAuth: oauth, Vault: s.vault, Base: s.google.Transport(), Now: s.now,
		ConnectURL: linker.ConnectURL, Limits: google.Limits{Attempt: patience, Call: patience}}
	events := &gcal.Client{Google: clients, Now: s.now}
	mail := &gmail.Client{Google: clients, Cache: s.store, Box: box, Now: s.now, Units: 1 << 30}
	return resolvers.Google{
		Events: events, Calendars: events, Writer: events, Series: events, Linker: linked{linker}, Scopes: scopes(),
		Mail: emails.Mail{Reader: mail, Marker: mail, Labels: mail,
			AttachmentURL: func(model.UserID, model.EmailRef, string) string { return "" }},
	}, nil
}

// patience is how long the stand-in may take: a machine that does much else must not change what is judged.
const patience = 5 * time.Minute

// scopes are what accounts are linked with.
func scopes() []string { return append(connect.CalendarScopes(false), connect.MailScopes(false)...) }

// linked is the linker as resolvers see it.
type linked struct{ *connect.Linker }

// Disconnect implements core.Linker.
func (l linked) Disconnect(ctx context.Context, c model.Connection) (bool, error) {
	_, err := l.Linker.Disconnect(ctx, c.User, c.Provider, c.Account)
	return err == nil, err
}

// byName authenticates whoever says their name.
type byName struct{}

// Authenticate implements httpapi's Authenticator.
func (byName) Authenticate(_ context.Context, name string) (model.Caller, error) {
	if name == "" {
		return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "no token")
	}
	return model.Caller{UserID: model.UserIDOf(name), Subject: name,
		Scopes: []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeSend}}, nil
}

// link makes a Google account and links it to the user, as the consent page would.
func (s *server) link(ctx context.Context, user, email string) error {
	err := errors.Join(
		s.calendar.AddAccount(calendar.Account{Email: email, Name: "Alex", TimeZone: s.zone}),
		s.mailbox.AddAccount(mailbox.Account{Email: email, Name: "Alex"}),
		s.google.AddAccount(standin.Account{Email: email}))
	if err != nil {
		return err
	}
	granted, err := s.google.Grant(email, scopes())
	if err != nil {
		return err
	}
	id := model.UserIDOf(user)
	var saved model.Connection
	err = s.store.Write(ctx, id, func(ctx context.Context, tx store.Tx) error {
		saved, err = tx.SaveConnection(ctx, model.Connection{
			ID: model.RemoteID(model.KindConnection, email).UUID, User: id, Provider: model.ProviderGoogle, Account: email,
			Status: model.ConnectionConnected, Scopes: granted.Scopes, LinkedAt: s.now(), UpdatedAt: s.now(),
		}, model.Credentials{})
		return err
	})
	if err != nil {
		return err
	}
	return s.vault.SaveToken(ctx, google.Account{User: id, Connection: saved.ID, Email: email}, google.Token{
		Access: granted.Access, Refresh: granted.Refresh, Expiry: granted.Expiry, Scopes: granted.Scopes,
	})
}

// client is a user who speaks GraphQL in one language.
type client struct {
	*server
	user, lang string
}

// problem is an error of an answer.
type problem struct {
	Message    string
	Extensions struct{ Code string }
}

// ask sends a document and reads the answer's data into out. Errors of fields are returned beside it.
func (c *client) ask(ctx context.Context, out any, query string, variables map[string]any) ([]problem, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/graphql-response+json")
	r.Header.Set("Authorization", "Bearer "+c.user)
	r.Header.Set("Accept-Language", c.lang)
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	var answer struct {
		Data   json.RawMessage
		Errors []problem
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return nil, fmt.Errorf("status %d: %w", w.Code, err)
	}
	if len(answer.Data) == 0 || string(answer.Data) == "null" {
		return answer.Errors, fmt.Errorf("no data: %v", answer.Errors)
	}
	return answer.Errors, json.Unmarshal(answer.Data, out)
}

// Close lets go of everything.
func (s *server) Close() error {
	s.resolver.Close()
	return s.store.Close()
}
