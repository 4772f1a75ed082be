package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
	"almanac/internal/pgtest"
	"almanac/migrations"
)

// TestUserLeadsEveryIndex walks the catalogue: what it finds, not what the migrations seem to say.
func TestUserLeadsEveryIndex(t *testing.T) {
	s := open(t, postgres.Options{URL: pgtest.URL(t)})
	indexes, names, err := s.Catalogue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*storetest.Table{}
	for _, name := range names {
		byName[name] = &storetest.Table{Name: name, Indexes: map[string][]string{}}
	}
	for _, index := range indexes {
		table := byName[index.Table]
		if table == nil {
			t.Fatalf("index %s is of an unknown table %s", index.Index, index.Table)
		}
		if index.Primary {
			table.PrimaryKey = index.Names
		} else {
			table.Indexes[index.Index] = index.Names
		}
	}
	var tables []storetest.Table
	for _, table := range byName {
		tables = append(tables, *table)
	}
	storetest.Catalogue(t, tables)

	keys, err := s.ForeignKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) != 3 {
		t.Errorf("foreign keys: %v", keys)
	}
	for name, columns := range keys {
		if len(columns) < 2 || columns[0] != "user_id" {
			t.Errorf("foreign key %s is on %v, which user_id must lead", name, columns)
		}
	}
}

func unmigrated(t *testing.T, options postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestManyMigrateAtOnce: processes that start at the same time migrate once, and all of them find the schema they need.
func TestManyMigrateAtOnce(t *testing.T) {
	for _, pooler := range []bool{false, true} {
		url := pgtest.URL(t)
		var wait sync.WaitGroup
		for range 8 {
			s := unmigrated(t, postgres.Options{URL: url, Pooler: pooler, MaxConns: 2})
			wait.Go(func() {
				if err := s.Migrate(t.Context()); err != nil {
					t.Errorf("Migrate: %v", err)
				}
				if err := s.Ready(t.Context()); err != nil {
					t.Errorf("Ready: %v", err)
				}
			})
		}
		wait.Wait()
	}
}

func TestASchemaOfAnotherAge(t *testing.T) {
	s := unmigrated(t, postgres.Options{URL: pgtest.URL(t)})
	if err := s.Ready(t.Context()); err == nil || errors.Is(err, store.ErrNewerSchema) || !strings.Contains(err.Error(), "almanac migrate") {
		t.Errorf("Ready before the first migration: %v", err)
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Errorf("a second time: %v", err)
	}
	steps, err := migrations.For(migrations.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, s, "INSERT INTO schema_migrations SELECT max(number) + 1, 'of_the_future', now() FROM schema_migrations")
	for what, call := range map[string]func(context.Context) error{"Migrate": s.Migrate, "Ready": s.Ready} {
		err := call(t.Context())
		if !errors.Is(err, store.ErrNewerSchema) || !strings.Contains(err.Error(), "newer Almanac") {
			t.Errorf("%s on a newer schema: %v", what, err)
		}
	}
	execute(t, s, "DELETE FROM schema_migrations WHERE name = 'of_the_future'")
	execute(t, s, "UPDATE schema_migrations SET name = 'another_house' WHERE number = 1")
	if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "another_house") {
		t.Errorf("Migrate on a schema of another line: %v", err)
	}
	execute(t, s, "UPDATE schema_migrations SET name = '"+steps[0].Name+"', number = 7 WHERE number = 1")
	if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "number 7") {
		t.Errorf("Migrate on numbers with a gap: %v", err)
	}
}

// TestAFailedStepLeavesNothing: a step is done whole or not at all.
func TestAFailedStepLeavesNothing(t *testing.T) {
	s := unmigrated(t, postgres.Options{URL: pgtest.URL(t)})
	execute(t, s, "CREATE TABLE secrets (mine integer)") // the last table of the first step is in the way
	if err := s.Migrate(t.Context()); err == nil {
		t.Fatal("Migrate found nothing in its way")
	}
	_, tables, err := s.Catalogue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(tables, " ") != "secrets" {
		t.Errorf("the failed step left %v", tables)
	}
	execute(t, s, "DROP TABLE secrets")
	if err := s.Migrate(t.Context()); err != nil {
		t.Errorf("with the way free: %v", err)
	}
}

func TestARoleWithoutRightsIsToldWhatToDo(t *testing.T) {
	url := pgtest.URL(t)
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	limited := unmigrated(t, postgres.Options{URL: url + separator + "role=pg_monitor"})
	if err := limited.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "GRANT CREATE") {
		t.Errorf("Migrate: %v", err)
	}
	// Once another role has migrated there is nothing to do that would need the right.
	s := open(t, postgres.Options{URL: url})
	execute(t, s, "GRANT SELECT ON schema_migrations TO pg_monitor")
	if err := limited.Migrate(t.Context()); err != nil {
		t.Errorf("Migrate where there is nothing to do: %v", err)
	}
}

func TestOldServersAreRefused(t *testing.T) {
	if err := postgres.VersionSuits(150004); err != nil {
		t.Error(err)
	}
	if err := postgres.VersionSuits(140011); err == nil || !strings.Contains(err.Error(), "PostgreSQL 14") || !strings.Contains(err.Error(), "15") {
		t.Errorf("got %v", err)
	}
}
