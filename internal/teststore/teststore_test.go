package teststore_test

import (
	"context"
	"path/filepath"
	"testing"

	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/internal/pgtest"
	"almanac/internal/teststore"
)

// A copy is at the last step before anybody migrates it, an empty database is not, and two tests share nothing.
func TestCopiesHaveTheSchema(t *testing.T) {
	t.Parallel()
	type opened interface {
		Ready(ctx context.Context) error
		Close() error
	}
	openSQLite := func(path string) (opened, error) {
		return sqlite.Open(t.Context(), sqlite.Options{Path: path})
	}
	openPostgres := func(url string) (opened, error) {
		return postgres.Open(t.Context(), postgres.Options{URL: url})
	}
	for name, of := range map[string]struct {
		open         func(string) (opened, error)
		empty        string
		copied, next string
	}{
		"sqlite":   {openSQLite, filepath.Join(t.TempDir(), "empty.db"), teststore.SQLite(t), teststore.SQLite(t)},
		"postgres": {openPostgres, pgtest.URL(t), teststore.Postgres(t), teststore.Postgres(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if of.copied == of.next {
				t.Fatalf("two databases at %s", of.next)
			}
			for at, ready := range map[string]bool{of.empty: false, of.copied: true, of.next: true} {
				s, err := of.open(at)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Ready(t.Context()); (err == nil) != ready {
					t.Errorf("%s: ready is %v, want %t", at, err, ready)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
