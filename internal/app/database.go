package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/dry"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/internal/config"
)

// Store is a store with what its owner does to it.
type Store interface {
	store.Store
	// Migrate brings the schema up to this program's; ErrNewerSchema when it is ahead already.
	Migrate(ctx context.Context) error
	Close() error
}

// databaseFile is the name of the embedded database in the data folder.
const databaseFile = "almanac.db"

// OpenStore opens the database of the settings and migrates it. Close must be called unless it returns an error.
func OpenStore(ctx context.Context, settings config.Config, log *slog.Logger, now func() time.Time) (Store, error) {
	opened, err := openUnmigrated(ctx, settings, log, now)
	if err != nil {
		return nil, err
	}
	if err := opened.Migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("migrate %s: %w", StoreName(settings), err), opened.Close())
	}
	return database{dry.Store{Store: opened}, opened}, nil
}

// database is a database of which dry runs change nothing.
type database struct {
	dry.Store
	below Store
}

// Migrate implements Store.
func (d database) Migrate(ctx context.Context) error { return d.below.Migrate(ctx) }

// Close implements Store.
func (d database) Close() error { return d.below.Close() }

func openUnmigrated(ctx context.Context, settings config.Config, log *slog.Logger,
	now func() time.Time) (Store, error) {
	if !settings.DatabaseURL.IsSet() {
		opened, err := sqlite.Open(ctx,
			sqlite.Options{Path: filepath.Join(settings.DataDir, databaseFile), Now: now, Logger: log})
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", StoreName(settings), err)
		}
		return opened, nil
	}
	opened, err := postgres.Open(ctx, postgres.Options{
		URL: settings.DatabaseURL.Reveal(), ListenURL: settings.DatabaseListenURL.Reveal(), Pooler: settings.DatabasePooler,
		MaxConns: settings.DatabaseMaxConns, Now: now, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", StoreName(settings), err)
	}
	return opened, nil
}

// StoreName names the database for people, without its password.
func StoreName(settings config.Config) string {
	if !settings.DatabaseURL.IsSet() {
		return filepath.Join(settings.DataDir, databaseFile)
	}
	parsed, err := url.Parse(settings.DatabaseURL.Reveal())
	if err != nil {
		return "the PostgreSQL database of ALMANAC_DATABASE_URL"
	}
	return "postgres://" + parsed.Host + parsed.Path
}
