// Package app composes the server from its settings: the store, each remote system in a file of its own, the resolvers,
// and what answers HTTP.
//
// It promises that a failed start leaves nothing behind and says how to mend it, and that a stop loses nothing:
// requests in flight finish, sockets are told.
package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"almanac/adapters/knowledge"
	"almanac/adapters/openai"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/adapters/store/watched"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/graph/sdl"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/share"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"
	"almanac/internal/reminders"
	"almanac/internal/seal"
	"almanac/internal/telemetry"
	"almanac/projections/compact"
	"almanac/projections/occur"
	"almanac/projections/recur"
	"almanac/resolvers"
	"almanac/resolvers/users"
)

// Options are what a server is made from.
type Options struct {
	Settings config.Config
	Log      *slog.Logger
	// Base is where browsers and remote systems reach the server.
	Base    *url.URL
	Version string
	// Formatters write answers as compact text. Who embeds the server registers more on compact.NewRegistry(); nil for
	// those of that alone.
	Formatters *compact.Registry
	// Clock is where the time comes from; nil is the machine's clock.
	Clock clock.Clock
}

// Server is a running Almanac: everything between the settings and the listener. Its parts are made by methods, which
// read the first group of fields and add to the second.
type Server struct {
	settings    config.Config
	log         *slog.Logger
	base        *url.URL
	version     string
	formatters  *compact.Registry
	clock       clock.Clock
	ids         *clock.IDs
	store       Store
	sealer      *seal.Sealer
	box         *seal.Box
	metrics     metrics
	budget      *share.Budget
	observeHTTP *httpapi.Metrics
	// observeOpenAI is nil until the first endpoint for models is made.
	observeOpenAI func(openai.Attempt)

	// pages are what browsers and remote systems open, by path.
	pages map[string]http.Handler
	// workers run while the server serves.
	workers []func(context.Context) error
	// closers release what was opened; the last one opened is closed first.
	closers []func(context.Context) error
	google  *googleIntegration
	exa     *exaIntegration
	graph   knowledge.Base
	handler *httpapi.Handler
	// demoToken is the token of the demo's user, on the start that made it.
	demoToken string
}

// New builds the server from its settings, which opens and migrates the database. Close must be called unless it
// returns an error.
func New(ctx context.Context, options Options) (*Server, error) {
	if options.Clock == nil {
		options.Clock = clock.System{}
	}
	s := newServer(options, options.Clock)
	if err := s.build(ctx); err != nil {
		return nil, s.diskFull(errors.Join(err, s.Close(ctx)))
	}
	return s, nil
}

// diskFull says in one line, in the place of what it met first, that the disk is full; other errors stay.
func (s *Server) diskFull(err error) error {
	if !errors.Is(err, store.ErrDiskFull) {
		return err
	}
	s.log.Error("the disk is full", "cause", err.Error())
	return fmt.Errorf("the disk of %s is full; make room there and start again", StoreName(s.settings))
}

// newServer is a server without any part.
func newServer(options Options, now clock.Clock) *Server {
	observe := httpapi.NewMetrics()
	return &Server{
		settings: options.Settings, log: options.Log, base: options.Base, version: options.Version,
		formatters: cmp.Or(options.Formatters, compact.NewRegistry()),
		clock:      now, ids: clock.NewIDs(now.Now, rand.Reader),
		metrics: metrics{Registerer: observe.Registry}, observeHTTP: observe, pages: map[string]http.Handler{},
	}
}

// build makes every part.
func (s *Server) build(ctx context.Context) error {
	var err error
	if s.store, err = OpenStore(ctx, s.settings, s.log, s.clock.Now); err != nil {
		return err
	}
	s.onClose(s.store.Close)
	keys, err := tokenKeys(ctx, s.settings, s.store)
	if err != nil {
		return err
	}
	if s.sealer, err = seal.New(keys...); err != nil {
		return err
	}
	if s.box, err = seal.NewBox(keys...); err != nil {
		return err
	}
	if s.google, err = s.newGoogle(); err != nil {
		return err
	}
	vectors, err := s.newEmbedding()
	if err != nil {
		return err
	}
	if s.graph, err = s.newKnowledge(vectors); err != nil {
		return err
	}
	if s.exa, err = s.newExa(); err != nil {
		return err
	}
	planner, err := s.newPlanner()
	if err != nil {
		return err
	}
	tracer, shutdown, err := telemetry.NewTracerProvider(ctx,
		telemetry.TraceOptions{Endpoint: s.settings.OTLPEndpoint, Version: s.version, Logger: s.log})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, shutdown) // flushes what telemetry holds
	s.formatters.Failed = s.metrics.formatters(s.log)
	s.budget = share.NewBudget(s.settings.UserCost, time.Minute, time.Now) // waits are the process's own
	resolver := resolvers.New(resolvers.Config{
		Worked: s.budget.Take, Formatters: s.formatters,
		Store: s.store, Now: s.clock.Now, NewID: s.ids.New, Sealer: s.sealer, Defaults: userDefaults(s.settings),
		UndoFor: s.settings.UndoFor, KeepActions: s.settings.ActionRetention, KeepAudit: s.settings.AuditRetention,
		Keep: s.settings.ChangeRetention, Google: s.google.forResolvers(), Embedder: vectors,
		KnowledgeBase: s.graph,
		CalendarLinks: s.newICalendar(), Outside: s.newDelivery(),
		Exa: s.exa.forResolvers(), WebsetHooks: s.exa.hooks, Planner: planner,
	})
	s.onClose(func() error { resolver.Close(); return nil })
	s.serveInvitations()
	worker := reminders.Worker{
		Store: s.store, Remind: recur.Remind, Now: s.clock.Now, Interval: s.settings.ReminderInterval,
		Events:      &owncal.Client{Store: s.store, Rules: occur.NewRules(occur.DefaultRules), Now: s.clock.Now},
		KeepChanges: s.settings.ChangeRetention, Logger: s.log, Observe: s.metrics.reminders(),
	}
	s.workers = append(s.workers, func(ctx context.Context) error { // without an interval it only sweeps
		if err := worker.Run(ctx); ctx.Err() == nil {
			return err
		}
		return nil // it was told to stop
	})
	s.newLLMs()
	if err := s.newHandler(resolver, tracer); err != nil {
		return err
	}
	s.exa.opened(s.handler)
	return nil
}

// newHandler makes what answers HTTP, with its transports.
func (s *Server) newHandler(resolver *resolvers.Root, tracer trace.TracerProvider) error {
	known := watched.NewUsers(s.store)
	s.onClose(func() error { known.Close(); return nil })
	authenticator, err := auth.New(auth.Options{
		Tokens: s.store, Users: known, Now: s.clock.Now, LocalUser: s.settings.LocalUser,
		JWTSecret: secretBytes(s.settings.JWTSecret), JWTIssuer: s.settings.JWTIssuer, JWTAudience: s.settings.JWTAudience,
		OIDCIssuer: s.settings.OIDCIssuer, OIDCAudience: s.settings.OIDCAudience, SignInURL: s.signInURL(), Logger: s.log,
	})
	if err != nil {
		return err
	}
	session := s.serveSignIn(authenticator)
	gate := share.NewGate(httpapi.Places(s.settings.MaxInFlight, s.settings.UserInFlight))
	turns := share.NewGate(httpapi.Turns(s.settings.MaxInFlight, s.settings.UserInFlight, time.Now))
	paid := share.NewPaid(s.settings.UserPaid, time.Now)
	executable := graph.NewPlannedSchema(graph.Config{Resolvers: resolver})
	documents, err := trustedDocuments(s.settings.Documents)
	if err != nil {
		return err
	}
	preparer, err := engine.New(engine.Config{
		Documents: documents, DocumentsOnly: s.settings.DocumentsOnly,
		Schema: executable, Introspection: s.settings.Introspection,
		Limits: engine.Limits{Deadline: s.settings.RequestTimeout},
		Logger: s.log, Tracer: tracer, Observer: s.observeHTTP, Now: s.clock.Now, DryRun: resolver.DryRun,
		Mutate: resolver.Mutate, Turns: turns, Scope: users.ScopeOf,
		Charge: func(caller model.Caller, cost int64) *model.Error {
			if err := s.budget.Spend(caller.UserID, cost+httpapi.OperationCost); err != nil {
				return err
			}
			gate.Charge(share.KeyOf(caller), cost)
			turns.Charge(share.KeyOf(caller), cost)
			return nil
		},
		Ask: func(caller model.Caller, system model.Upstream) *model.Error {
			if system == model.UpstreamExa || system == model.UpstreamModels {
				if err := paid.Ask(caller); err != nil {
					return err
				}
			}
			return s.budget.Spend(caller.UserID, httpapi.QuestionCost)
		},
	})
	if err != nil {
		return fmt.Errorf("ALMANAC_DOCUMENTS: %w", err) // only they can make it fail: the schema is the program's own
	}
	sockets := ws.New(ws.Config{
		Preparer: preparer, Authenticator: authenticator, Open: resolver.Open, Admit: gate.Admit,
		AllowedOrigins: origins(s.settings), Logger: s.log, Now: s.clock.Now,
	})
	streams := sse.New(sse.Config{Preparer: preparer, Authenticator: authenticator, Admit: gate.Admit, Logger: s.log,
		Now: s.clock.Now})
	s.metrics.listeners(sockets, streams)
	s.metrics.server(s.version, s.store)
	s.metrics.waiting(gate)
	models, err := s.newMCP(authenticator, executable.Schema())
	if err != nil {
		return err
	}
	var text func() string
	if s.settings.Introspection {
		text = sync.OnceValue(func() string { return sdl.Text(executable.Schema()) })
	}
	s.handler, err = httpapi.New(httpapi.Config{
		Schema: text,
		Engine: preparer, Authenticator: authenticator, Open: resolver.Open, Idempotency: s.store,
		WebSocket: sockets, Streams: streams, Site: s.site(), Pages: s.pages,
		SessionCookie: session, SessionOrigin: originOf(s.base),
		Ready: s.store.Ready, Drain: []func(context.Context) error{sockets.Shutdown, streams.Shutdown, models.Shutdown},
		LocalOnly: s.settings.LocalUser, Origins: origins(s.settings), Running: gate, Turns: turns, Budget: s.budget,
		Metrics: s.observeHTTP, Logger: s.log, Tracer: tracer, Now: s.clock.Now,
	})
	return err
}

// onClose has close called when the server is closed.
func (s *Server) onClose(closing func() error) {
	s.closers = append(s.closers, func(context.Context) error { return closing() })
}

// Prepare lays the sample and links the stand-in for Google, each where the settings want it and once in the life of
// the database.
func (s *Server) Prepare(ctx context.Context) error { return s.diskFull(s.prepare(ctx)) }

func (s *Server) prepare(ctx context.Context) error {
	since, err := s.store.Held(ctx)
	if err != nil {
		return err
	}
	if !since.IsZero() {
		s.log.Warn("reminders and scheduled e-mails wait since a backup was restored; when they may go: almanac release",
			"restored", since)
	}
	if s.settings.Demo {
		subject := standInUser(s.settings)
		if _, err := LaySample(ctx, s.store, s.settings, s.ids, subject, s.clock.Now()); err != nil {
			return err
		}
		if subject == DemoSubject {
			if err := s.letDemoIn(ctx); err != nil {
				return err
			}
		}
	}
	return s.prepareStandIn(ctx)
}

// letDemoIn makes a token for the demo's user, who would otherwise have no way in, unless one was ever made.
func (s *Server) letDemoIn(ctx context.Context) error {
	user := model.UserIDOf(DemoSubject)
	tokens, err := s.store.Tokens(ctx, user)
	if err != nil || len(tokens) > 0 {
		return err
	}
	issuer := auth.Issuer{Tokens: s.store, Now: s.clock.Now, NewID: s.ids.New, Random: rand.Reader}
	s.demoToken, _, err = issuer.Issue(ctx, auth.Grant{User: user, Name: "demo", Scopes: auth.AllScopes()})
	return err
}

// Serve answers on the listener until the context is done, then drains.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return httpapi.Serve(ctx, listener, s.handler, httpapi.DrainOptions{Notice: s.settings.DrainNotice})
	})
	for _, work := range s.workers {
		group.Go(func() error { return work(ctx) })
	}
	return group.Wait()
}

// Close releases everything, in the reverse order of its opening.
func (s *Server) Close(ctx context.Context) error {
	var failed []error
	for _, closing := range slices.Backward(s.closers) {
		failed = append(failed, closing(ctx))
	}
	return errors.Join(failed...)
}

// tokenKeys are the keys of the settings, or the one that the database keeps for all its servers.
func tokenKeys(ctx context.Context, settings config.Config, keeper store.Maintainer) ([][]byte, error) {
	var keys [][]byte
	for _, key := range settings.TokenKeys {
		keys = append(keys, secretBytes(key))
	}
	if len(keys) == 0 {
		fresh := make([]byte, config.MinSecret)
		if _, err := rand.Read(fresh); err != nil {
			return nil, fmt.Errorf("make a key: %w", err)
		}
		key, err := keeper.Secret(ctx, "seal", fresh)
		if err != nil {
			return nil, fmt.Errorf("the server's key: %w", err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// secretBytes returns a secret's bytes, nil when it is not set.
func secretBytes(secret config.Secret) []byte {
	if !secret.IsSet() {
		return nil
	}
	return []byte(secret.Reveal())
}

// origins are those whose pages may call: the allowed ones and the server's own public one.
func origins(settings config.Config) []string {
	out := slices.Clone(settings.AllowedOrigins)
	if settings.PublicURL != nil {
		out = append(out, originOf(settings.PublicURL))
	}
	return out
}

func originOf(address *url.URL) string {
	return (&url.URL{Scheme: address.Scheme, Host: address.Host}).String()
}
