package delivery_test

import (
	"testing"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/internal/teststore"
)

// stores opens the same database as often as asked, as that many processes would; SQLite is opened once for all.
type stores func(t *testing.T, n int) []store.Store

func sqliteStores(t *testing.T, n int) []store.Store {
	t.Helper()
	one, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := one.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := make([]store.Store, n)
	for i := range all {
		all[i] = one
	}
	return all
}

func postgresStores(t *testing.T, n int) []store.Store {
	t.Helper()
	address := teststore.Postgres(t)
	all := make([]store.Store, n)
	for i := range all {
		one, err := postgres.Open(t.Context(), postgres.Options{URL: address})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := one.Close(); err != nil {
				t.Error(err)
			}
		})
		if err := one.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		all[i] = one
	}
	return all
}

func eachDriver(t *testing.T, test func(t *testing.T, open stores)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteStores) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresStores) })
}
