package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
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

// ErrNoDatabase is returned where a database is expected and there is none.
var ErrNoDatabase = errors.New("there is no database of Almanac")

// OpenStore opens the database of the settings and migrates it, and makes it if there is none. Close must be called
// unless it returns an error.
func OpenStore(ctx context.Context, settings config.Config, log *slog.Logger, now func() time.Time) (Store, error) {
	opened, err := openUnmigrated(ctx, settings, log, now)
	if err != nil {
		return nil, err
	}
	return migrated(ctx, opened, settings)
}

// OpenExisting is OpenStore for a database that a server, or Migrate, has made before; ErrNoDatabase when there is
// none.
func OpenExisting(ctx context.Context, settings config.Config, log *slog.Logger, now func() time.Time) (Store, error) {
	if !settings.DatabaseURL.IsSet() {
		// Opening it would make it.
		if _, err := os.Stat(filepath.Join(settings.DataDir, databaseFile)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: %s", ErrNoDatabase, StoreName(settings))
		}
	}
	opened, err := openUnmigrated(ctx, settings, log, now)
	if err != nil {
		return nil, err
	}
	fresh, err := opened.Fresh(ctx)
	if err == nil && fresh {
		err = fmt.Errorf("%w: %s", ErrNoDatabase, StoreName(settings))
	}
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return migrated(ctx, opened, settings)
}

// migrated migrates an open store, and closes it when that fails.
func migrated(ctx context.Context, opened unmigrated, settings config.Config) (Store, error) {
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

// unmigrated is a store as it was opened.
type unmigrated interface {
	Store
	// Fresh reports whether the database has none of our tables yet.
	Fresh(ctx context.Context) (bool, error)
}

func openUnmigrated(ctx context.Context, settings config.Config, log *slog.Logger,
	now func() time.Time) (unmigrated, error) {
	if !settings.DatabaseURL.IsSet() {
		opened, err := sqlite.Open(ctx,
			sqlite.Options{Path: filepath.Join(settings.DataDir, databaseFile), CallTimeout: callTimeout(settings), Now: now,
				Logger: log})
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", StoreName(settings), err)
		}
		return opened, nil
	}
	opened, err := postgres.Open(ctx, postgres.Options{
		URL: settings.DatabaseURL.Reveal(), ListenURL: settings.DatabaseListenURL.Reveal(), Pooler: settings.DatabasePooler,
		MaxConns: settings.DatabaseMaxConns, CallTimeout: callTimeout(settings), Now: now, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", StoreName(settings), err)
	}
	return opened, nil
}

// callTimeout bounds what is asked of the database without a deadline, such as the look at a token.
func callTimeout(settings config.Config) time.Duration {
	return min(settings.RequestTimeout, 10*time.Second)
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
