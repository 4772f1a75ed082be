package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/internal/config"
)

// openStore is a store with what its owner does to it.
type openStore interface {
	store.Store
	// Migrate brings the schema up to this program's; ErrNewerSchema when it is ahead already.
	Migrate(ctx context.Context) error
	Close() error
}

// databaseFile is the name of the embedded database in the data folder.
const databaseFile = "almanac.db"

// open opens the store of the settings and migrates it.
func open(ctx context.Context, settings config.Config, log *slog.Logger, now func() time.Time) (openStore, error) {
	opened, err := openUnmigrated(ctx, settings, log, now)
	if err != nil {
		return nil, err
	}
	if err := opened.Migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("migrate %s: %w", where(settings), err), opened.Close())
	}
	return opened, nil
}

func openUnmigrated(ctx context.Context, settings config.Config, log *slog.Logger,
	now func() time.Time) (openStore, error) {
	if !settings.DatabaseURL.IsSet() {
		opened, err := sqlite.Open(ctx,
			sqlite.Options{Path: filepath.Join(settings.DataDir, databaseFile), Now: now, Logger: log})
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", where(settings), err)
		}
		return opened, nil
	}
	opened, err := postgres.Open(ctx, postgres.Options{
		URL: settings.DatabaseURL.Reveal(), ListenURL: settings.DatabaseListenURL.Reveal(), Pooler: settings.DatabasePooler,
		MaxConns: settings.DatabaseMaxConns, Now: now, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", where(settings), err)
	}
	return opened, nil
}

// where names the database for people, without its password.
func where(settings config.Config) string {
	if !settings.DatabaseURL.IsSet() {
		return filepath.Join(settings.DataDir, databaseFile)
	}
	parsed, err := url.Parse(settings.DatabaseURL.Reveal())
	if err != nil {
		return "the PostgreSQL database of ALMANAC_DATABASE_URL"
	}
	return "postgres://" + parsed.Host + parsed.Path
}
