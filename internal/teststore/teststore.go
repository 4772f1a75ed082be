// Package teststore gives each test an empty database of its own that has the program's schema already.
//
// The schema is brought up once for each test program (SQLite) or server and state of the migrations (PostgreSQL), and
// copied for each test, or used again (Postgres): the steps take longer than most tests. A test of the steps themselves
// opens an empty database instead: pgtest.URL, or a path where no file is.
//
// Only tests import this package.
package teststore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/internal/pgtest"
)

// SQLite returns the path of a database of the test's own, which goes with the test.
func SQLite(t testing.TB) string {
	t.Helper()
	content, err := migrated()
	if err != nil {
		t.Fatalf("teststore: make a database to copy: %v", err)
	}
	path := filepath.Join(t.TempDir(), "almanac.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// migrated returns the bytes of a database file with the schema and no rows.
var migrated = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "teststore")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	ctx, path := context.Background(), filepath.Join(folder, "almanac.db")
	s, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	if err != nil {
		return nil, err
	}
	// Closing moves what the write-ahead log holds into the file.
	if err := errors.Join(s.Migrate(ctx), s.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Postgres returns the URL of a database that is the test's own for as long as it runs; pgtest says of which server.
// Other tests may have had it before, and there are no rows of theirs.
func Postgres(t testing.TB) string {
	t.Helper()
	return pgtest.Reused(t, migrate)
}

// NewPostgres is Postgres for a database that nobody had before, so that the plans of its statements are of this test
// alone. It goes with the test.
func NewPostgres(t testing.TB) string {
	t.Helper()
	return pgtest.Migrated(t, migrate)
}

func migrate(ctx context.Context, url string) error {
	s, err := postgres.Open(ctx, postgres.Options{URL: url})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}
