package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
	"almanac/graph/model"
	"almanac/internal/pgtest"
	"almanac/migrations"
)

// TestUserLeadsEveryIndex walks the catalogue: what it finds, not what the migrations seem to say.
func TestUserLeadsEveryIndex(t *testing.T) {
	s := open(t, postgres.Options{URL: pgtest.URL(t)})
	indexes, columns, err := s.Catalogue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*storetest.Table{}
	for name := range columns {
		byName[name] = &storetest.Table{Name: name, Columns: columns[name], Indexes: map[string][]string{}}
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
	if len(keys) != 7 {
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
	if err := s.Ready(t.Context()); err == nil || errors.Is(err, store.ErrNewerSchema) ||
		!strings.Contains(err.Error(), "almanac migrate") {
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
	execute(t, s, "UPDATE schema_migrations SET name = 'another_first_step' WHERE number = 1")
	if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "another_first_step") {
		t.Errorf("Migrate on a schema of another line: %v", err)
	}
	execute(t, s, "UPDATE schema_migrations SET name = '"+steps[0].Name+"' WHERE number = 1")
	execute(t, s, "UPDATE schema_migrations SET number = number + 1 "+
		"WHERE number = (SELECT max(number) FROM schema_migrations)")
	gap := "number " + strconv.Itoa(len(steps)+1)
	if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), gap) {
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
	if len(tables) != 1 || tables["secrets"] == nil {
		t.Errorf("the failed step left %v", tables)
	}
	execute(t, s, "DROP TABLE secrets")
	if err := s.Migrate(t.Context()); err != nil {
		t.Errorf("with the way free: %v", err)
	}
}

// TestTheOldProgramGoesOn: when a newer program fails in a step, also after steps that it did, the old one runs as
// before.
func TestTheOldProgramGoesOn(t *testing.T) {
	s := open(t, postgres.Options{URL: pgtest.URL(t)})
	user := model.UserIDOf("dana")
	for _, planted := range [][]string{{"SELECT 1/0"}, {"ALTER TABLE tasks RENAME TO chores", "SELECT 1/0"}} {
		if err := s.MigrateFurther(t.Context(), planted...); err == nil || !strings.Contains(err.Error(), "planted") {
			t.Errorf("a step that fails: %v", err)
		}
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("the old program after it: %v", err)
		}
		if err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{{ID: model.UUID{byte(len(planted))}, Text: "on"}})
		}); err != nil {
			t.Errorf("the old program writes: %v", err)
		}
	}
	if err := s.MigrateFurther(t.Context(), "ALTER TABLE tasks RENAME TO chores"); err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("the old program after a step that was done: %v", err)
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
	if err := postgres.VersionSuits(140011); err == nil || !strings.Contains(err.Error(), "PostgreSQL 14") ||
		!strings.Contains(err.Error(), "15") {
		t.Errorf("got %v", err)
	}
}

// TestTheFirstSchemaIsBroughtUp migrates a database that an older Almanac has filled.
func TestTheFirstSchemaIsBroughtUp(t *testing.T) {
	of := storetest.Old()
	s := unmigrated(t, postgres.Options{URL: pgtest.URL(t), Now: func() time.Time { return of.At }})
	if err := s.MigrateFirst(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	id := func(id [16]byte) string { return fmt.Sprintf("'%x'", id[:]) }
	bytea := func(b []byte) string { return fmt.Sprintf(`'\x%x'`, b) }
	user, at, ends := id(of.User), "'"+of.At.Format(time.RFC3339Nano)+"'",
		"'"+of.At.AddDate(0, 0, 1).Format(time.RFC3339Nano)+"'"
	for _, sql := range []string{
		`INSERT INTO users VALUES (` + user + `, 'old', 'old@example.com', 'Asia/Jerusalem', 'he', 'SUNDAY', ` + at +
			`, 3, 1)`,
		`INSERT INTO tasks (user_id, id, due_at, created_at, updated_at, reminder, nudge_count, text, text_key, category,
category_key) VALUES (` + user + `, ` + id(of.Task) + `, 'infinity', ` + at + `, ` + at + `, 0, 0, '` + of.Text +
			`', '` + of.Text + `', '', '')`,
		`INSERT INTO changes VALUES (` + user + `, 2, ` + id(of.Task) + `, ` + at + `, 'TASK', 'CREATED'), (` + user +
			`, 3, ` + id(of.Task) + `, ` + at + `, 'TASK', 'UPDATED')`,
		`INSERT INTO idempotency VALUES (` + user + `, '` + of.Call.Key + `', ` + ends + `, ` +
			bytea(of.Call.Fingerprint[:]) + `, ` + bytea([]byte(of.Answer)) + `), (` + user + `, 'empty', ` + ends + `, ` +
			bytea(of.Call.Fingerprint[:]) + `, '')`,
		`INSERT INTO confirmations VALUES (` + user + `, ` + id(of.Confirmation) + `, ` + ends + `)`,
	} {
		execute(t, s, sql)
	}
	for i, due := range of.Due {
		done, recurs := "NULL", "NULL"
		if i%2 == 1 {
			done, recurs = at, "'DAILY'"
		}
		execute(t, s, `INSERT INTO tasks (user_id, id, due_at, created_at, updated_at, reminder, nudge_count, text, text_key,
category, category_key, completed_at, recurrence_type) VALUES (`+id(of.OtherUser)+`, `+id(storetest.DueID(i))+`, '`+
			due.Format(time.RFC3339Nano)+`', `+at+`, `+at+`, 0, 0, '', '', 'x', 'x', `+done+`, `+recurs+`)`)
	}
	if err := s.Ready(t.Context()); err == nil || errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("Ready before the migration: %v", err)
	}
	if err := errors.Join(s.Migrate(t.Context()), s.Ready(t.Context())); err != nil {
		t.Fatal(err)
	}
	storetest.Kept(t, s, of)
	if err := s.MigrateFirst(t.Context(), 1); !errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("the older Almanac again: %v", err)
	}
}
