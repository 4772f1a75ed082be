//go:build bench

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/adapters/store/watched"
	"almanac/bench/hand"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/seal"
	"almanac/projections/when"
	"almanac/resolvers"
)

// instance is what Almanac and the stock gqlgen server have in common: store, resolvers and proof of callers.
type instance struct {
	store    openedStore
	resolver *resolvers.Root
	auth     *auth.Authenticator
}

// newInstance opens the database; remote is the stand-in for Google, nil for none.
func newInstance(ctx context.Context, d database, remote *remoteServer) (*instance, error) {
	opened, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	h, err := assemble(ctx, opened, remote, d.clock())
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return h, nil
}

func assemble(ctx context.Context, opened openedStore, remote *remoteServer, now func() time.Time) (*instance, error) {
	if err := opened.Migrate(ctx); err != nil {
		return nil, err
	}
	// The database's own key, so that all servers of a run read each other's cursors.
	key, err := opened.Secret(ctx, "seal", []byte(rand.Text()+rand.Text()))
	if err != nil {
		return nil, err
	}
	sealer, err := seal.New(key)
	if err != nil {
		return nil, err
	}
	authenticator, err := auth.New(auth.Options{Tokens: opened, Users: watched.NewUsers(opened), Now: time.Now,
		JWTSecret: []byte(secret)})
	if err != nil {
		return nil, err
	}
	parts := resolvers.Config{
		Store: opened, Now: now, NewID: clock.NewIDs(now, rand.Reader).New, Sealer: sealer,
		Keep:     30 * 24 * time.Hour,
		Defaults: model.Settings{TimeZone: zone, Locale: "en", WeekStart: model.Sunday},
	}
	if remote != nil {
		if parts.Google, err = remote.wire(opened, key); err != nil {
			return nil, err
		}
	}
	return &instance{store: opened, auth: authenticator, resolver: resolvers.New(parts)}, nil
}

// Close lets go of everything.
func (h *instance) Close() error {
	h.resolver.Close()
	return h.store.Close()
}

// almanac is the product's own front door, for what can only be measured inside of a process.
func (h *instance) almanac() (*httpapi.Handler, error) {
	metrics := httpapi.NewMetrics()
	preparer, err := engine.New(engine.Config{Schema: graph.NewPlannedSchema(graph.Config{Resolvers: h.resolver}),
		Observer: metrics,
		Mutate:   h.resolver.Mutate})
	if err != nil {
		return nil, err
	}
	return httpapi.New(httpapi.Config{Engine: preparer, Authenticator: h.auth, Open: h.resolver.Open, Metrics: metrics,
		Ready: h.store.Ready})
}

// stock is the handler that comes with gqlgen over the same schema and resolvers, set up as its documentation advises.
func (h *instance) stock() http.Handler {
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: h.resolver}))
	server.AddTransport(transport.POST{})
	server.SetQueryCache(lru.New[*ast.QueryDocument](1000))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := edge.Bearer(r.Header.Get("Authorization"))
		caller, err := h.auth.Authenticate(r.Context(), token)
		if err != nil {
			http.Error(w, "unauthenticated", http.StatusUnauthorized)
			return
		}
		ctx, err := h.resolver.Open(model.WithCaller(r.Context(), caller), caller, edge.HintsFrom(r))
		if err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		server.ServeHTTP(w, r.WithContext(ctx))
	})
}

// newHand makes the handler written by hand. Its pool has as many connections as Almanac's. proved says whether callers
// are proved.
func newHand(ctx context.Context, d database, proved bool) (h http.Handler, done func(), err error) {
	config, err := pgxpool.ParseConfig(d.url)
	if err != nil {
		return nil, nil, errors.New("the database's URL cannot be read") // the cause may hold its password
	}
	config.MaxConns = poolSize()
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, fmt.Errorf("open a pool: %w", err)
	}
	location, err := when.LoadZone(zone)
	if err != nil {
		return nil, nil, err
	}
	handler := &hand.Handler{Pool: pool, Zone: location, Now: time.Now, NewID: clock.NewIDs(time.Now, rand.Reader).New}
	if proved {
		handler.Secret = []byte(secret)
	}
	return handler.Routes(), pool.Close, nil
}
