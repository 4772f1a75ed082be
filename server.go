// Command almanac serves one typed GraphQL API for everything a personal assistant knows and does.
//
// It promises that settings are checked before anything is opened, that a failed start leaves nothing behind and says
// how to mend it, and that a stop loses nothing: requests in flight finish, sockets are told.
package main

//go:generate go tool gqlgen generate

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/connect"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"
	"almanac/internal/mcp"
	"almanac/internal/reminders"
	"almanac/internal/seal"
	"almanac/internal/telemetry"
	"almanac/projections/recur"
	"almanac/resolvers"
	"almanac/web"
)

func main() {
	os.Exit(program(os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// program runs until its command is done or it is told to stop, and gives the exit status. Being told twice ends it at
// once, whatever still drains.
func program(args, environ []string, out, errOut *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	err := run(ctx, args, environ, out, errOut)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(errOut, "almanac:", err)
	return 1
}

// server is a running Almanac: everything between the settings and the listener.
type server struct {
	settings config.Config
	log      *slog.Logger
	store    openStore
	ids      *clock.IDs
	clock    clock.Clock
	resolver *resolvers.Root
	handler  *httpapi.Handler
	metrics  *httpapi.Metrics
	worker   reminders.Worker
	google   *googleRoom
	vectors  *embeddingRoom
	// knowledge, agent and exa are nil until the rooms are furnished.
	knowledge *knowledgeRoom
	agent     *agentRoom
	exa       *exaRoom
	// shutdown flushes what telemetry holds.
	shutdown func(context.Context) error
}

// newServer builds the house from its settings: store, resolvers, front door. base is where browsers reach it. Close
// must be called when it gives no error.
func newServer(ctx context.Context, settings config.Config, log *slog.Logger, base *url.URL) (*server, error) {
	s := &server{settings: settings, log: log, clock: clock.System{}}
	s.ids = clock.NewIDs(s.clock.Now, rand.Reader)
	var err error
	if s.store, err = open(ctx, settings, log, s.clock.Now); err != nil {
		return nil, err
	}
	if err := s.furnish(ctx, base); err != nil {
		s.exa.Close()
		s.agent.Close()
		return nil, errors.Join(err, s.knowledge.Close(), s.google.Close(), s.store.Close())
	}
	return s, nil
}

// furnish builds everything that stands on the store.
func (s *server) furnish(ctx context.Context, base *url.URL) error {
	keys, err := tokenKeys(ctx, s.settings, s.store)
	if err != nil {
		return err
	}
	sealer, err := seal.New(keys...)
	if err != nil {
		return err
	}
	box, err := seal.NewBox(keys...)
	if err != nil {
		return err
	}
	metrics := httpapi.NewMetrics()
	s.metrics = metrics
	s.google, err = newGoogleRoom(googleParts{
		settings: s.settings, store: s.store, box: box, ids: s.ids, clock: s.clock, log: s.log, registry: metrics.Registry,
		base: base,
	})
	if err != nil {
		return err
	}
	s.vectors, err = newEmbeddingRoom(embeddingParts{
		settings: s.settings, store: s.store, knowledge: ownVectors(s.settings, s.store), clock: s.clock, log: s.log,
		registry: metrics.Registry,
	})
	if err != nil {
		return err
	}
	s.knowledge, err = newKnowledgeRoom(knowledgeParts{
		settings: s.settings, store: s.store, embedder: s.vectors, ids: s.ids, clock: s.clock, log: s.log,
		registry: metrics.Registry,
	})
	if err != nil {
		return err
	}
	s.exa, err = newExaRoom(exaParts{
		settings: s.settings, store: s.store, box: box, sealer: sealer, ids: s.ids, clock: s.clock, log: s.log,
		registry: metrics.Registry, base: base,
	})
	if err != nil {
		return err
	}
	s.agent, err = newAgentRoom(agentParts{settings: s.settings, clock: s.clock, log: s.log, registry: metrics.Registry})
	if err != nil {
		return err
	}
	authenticator, err := auth.New(auth.Options{
		Tokens: s.store, Now: s.clock.Now, LocalUser: s.settings.LocalUser,
		JWTSecret: secretBytes(s.settings.JWTSecret), JWTIssuer: s.settings.JWTIssuer, JWTAudience: s.settings.JWTAudience,
		OIDCIssuer: s.settings.OIDCIssuer, OIDCAudience: s.settings.OIDCAudience, Logger: s.log,
	})
	if err != nil {
		return err
	}
	tracer, shutdown, err := telemetry.NewTracerProvider(ctx,
		telemetry.TraceOptions{Endpoint: s.settings.OTLPEndpoint, Version: version(), Logger: s.log})
	if err != nil {
		return err
	}
	s.shutdown = shutdown
	s.resolver = resolvers.New(resolvers.Config{
		Store: s.store, Now: s.clock.Now, NewID: s.ids.New, Sealer: sealer,
		Defaults: model.Settings{TimeZone: s.settings.TimeZone, Locale: s.settings.Locale, WeekStart: s.settings.WeekStart},
		Keep:     s.settings.ChangeRetention,
		Google:   s.google.wired(),
		Embedder: s.vectors, KnowledgeBase: s.knowledge.base,
		Exa: s.exa.wired(), WebsetHooks: s.exa.hooks,
		Planner: s.agent,
	})
	schema := graph.Config{Resolvers: s.resolver}
	schema.Schema = engine.Offered(graph.NewExecutableSchema(schema).Schema())
	preparer, err := engine.New(engine.Config{
		Schema: graph.NewExecutableSchema(schema), Introspection: s.settings.Introspection,
		Logger: s.log, Tracer: tracer, Observer: metrics, Now: s.clock.Now,
	})
	if err != nil {
		return err
	}
	gate := httpapi.NewGate(s.settings.MaxInFlight, httpapi.MaxQueued)
	sockets := ws.New(ws.Config{
		Preparer: preparer, Authenticator: authenticator, Open: s.resolver.Open, Admit: gate.Enter,
		AllowedOrigins: origins(s.settings), Logger: s.log, Now: s.clock.Now,
	})
	streams := sse.New(sse.Config{Preparer: preparer, Authenticator: authenticator, Admit: gate.Enter, Logger: s.log,
		Now: s.clock.Now})
	models, front, err := s.newMCP(authenticator, box, schema.Schema)
	if err != nil {
		return err
	}
	pages := s.pages()
	pages[mcp.Path] = models
	s.handler, err = httpapi.New(httpapi.Config{
		Engine: preparer, Authenticator: authenticator, Open: s.resolver.Open, Idempotency: s.store,
		WebSocket: sockets, Streams: streams, Explorer: web.Explorer(web.Options{Version: version()}), Pages: pages,
		Ready: s.store.Ready, Drain: []func(context.Context) error{sockets.Shutdown, streams.Shutdown, models.Shutdown},
		LocalOnly: s.settings.LocalUser, Origins: origins(s.settings), Running: gate,
		Metrics: metrics, Logger: s.log, Tracer: tracer, Now: s.clock.Now,
	})
	if err != nil {
		return err
	}
	front.Handler = s.handler
	s.exa.opened(s.handler)
	s.worker = reminders.Worker{
		Store: s.store, Remind: recur.Remind, Now: s.clock.Now, Interval: s.settings.ReminderInterval,
		KeepChanges: s.settings.ChangeRetention, Logger: s.log, Observe: countReminders(metrics.Registry),
	}
	countListeners(metrics.Registry, sockets, streams)
	return nil
}

// pages are what browsers and remote systems open.
func (s *server) pages() map[string]http.Handler {
	pages := s.google.pages()
	maps.Copy(pages, s.exa.pages())
	return pages
}

// Serve answers on the listener until the context is done, then drains.
func (s *server) Serve(ctx context.Context, listener net.Listener) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return httpapi.Serve(ctx, listener, s.handler, httpapi.DrainOptions{Notice: s.settings.DrainNotice})
	})
	group.Go(func() error { // without an interval it only sweeps
		if err := s.worker.Run(ctx); ctx.Err() == nil {
			return err
		}
		return nil // it was told to stop
	})
	group.Go(func() error { return s.google.run(ctx) })
	group.Go(func() error { return s.vectors.run(ctx) })
	group.Go(func() error { return s.knowledge.run(ctx) })
	group.Go(func() error { return s.exa.run(ctx) })
	return group.Wait()
}

// Close lets go of everything, in the reverse order.
func (s *server) Close(ctx context.Context) error {
	s.resolver.Close()
	s.vectors.Close()
	s.exa.Close()
	s.agent.Close()
	return errors.Join(s.shutdown(ctx), s.knowledge.Close(), s.google.Close(), s.store.Close())
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

// secretBytes gives a secret's bytes, nil when it is not set.
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
		out = append(out, (&url.URL{Scheme: settings.PublicURL.Scheme, Host: settings.PublicURL.Host}).String())
	}
	return out
}

// serve is the command of that name.
func serve(ctx context.Context, args, environ []string, out, logOut *os.File) error {
	settings, err := config.Load(args, environ)
	if err != nil {
		return err
	}
	tuneMemory(environ)
	log := telemetry.NewLogger(logOut, settings.LogLevel)
	for _, warning := range settings.Warnings {
		log.Warn("settings", "warning", warning)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", settings.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w (another program may use it; choose another with --addr)", settings.Addr, err)
	}
	if settings.LocalUser && !config.Loopback(listener.Addr()) {
		return errors.Join(fmt.Errorf("%s is not loopback, and the local user may be asked for only there", listener.Addr()),
			listener.Close())
	}
	s, err := newServer(ctx, settings, log, settings.Base(listener.Addr()))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if settings.Demo {
		if err := seedDemo(ctx, s.store, s.ids, s.clock.Now(), settings); err != nil {
			return errors.Join(err, listener.Close(), s.Close(ctx))
		}
	}
	if err := s.google.settle(ctx, s); err != nil {
		return errors.Join(err, listener.Close(), s.Close(ctx))
	}
	greet(out, settings, listener.Addr())
	err = s.Serve(ctx, listener)
	// The context is done; closing still takes a moment.
	return errors.Join(err, s.Close(context.WithoutCancel(ctx)))
}

// greet tells a person where to look. Machines read the log instead.
func greet(out *os.File, settings config.Config, addr net.Addr) {
	base := settings.Base(addr)
	address := base.String() + "/"
	calendars := "none; set ALMANAC_GOOGLE_CLIENT_ID and ALMANAC_GOOGLE_CLIENT_SECRET"
	switch {
	case settings.GoogleClientID != "":
		calendars = "Google; register the redirect URI " + connect.RedirectURI(base)
	case settings.LocalUser && settings.DataDir == "":
		calendars = "a stand-in for Google, in memory; --data-dir keeps it"
	case settings.LocalUser:
		calendars = "a stand-in for Google"
	}
	fmt.Fprintf(out,
		"\n  Almanac %s\n\n  explorer  %s\n  endpoint  %sgraphql\n  models    %smcp\n  data      %s\n  memories  %s\n  "+
			"knowledge %s\n  episodes  %s\n  websets   %s\n  calendars %s\n\n",
		version(), address, address, address, where(settings), foundBy(settings), knownBy(settings), readBy(settings),
		searchedBy(settings), calendars)
}

var _ http.Handler = (*httpapi.Handler)(nil)
