package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	zombie "zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/storetest"
	"almanac/graph/model"
	"almanac/migrations"
)

func openAt(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestCatalogue proves from SQLite's own catalogue that user_id leads every primary key and every index.
func TestCatalogue(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "catalogue.db"))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	column := func(sql string, args ...arg) (out []string) {
		t.Helper()
		err := s.reading(t.Context(), oneStatement, func(q *session) error {
			return q.run(sql, args, func(stmt *zombie.Stmt) error { out = append(out, stmt.ColumnText(0)); return nil })
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var tables []storetest.Table
	for _, name := range column(`SELECT name FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`) {
		table := storetest.Table{
			Name:       name,
			Columns:    column(`SELECT name FROM pragma_table_info(?)`, textArg(name)),
			PrimaryKey: column(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, textArg(name)),
			Indexes:    map[string][]string{},
		}
		for _, index := range column(`SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk'`, textArg(name)) {
			table.Indexes[index] = column(`SELECT coalesce(name, '(expression)') FROM pragma_index_info(?) ORDER BY seqno`,
				textArg(index))
		}
		tables = append(tables, table)
	}
	storetest.Catalogue(t, tables)
}

// TestMigratedOnce has many stores migrate one new file at the same moment, as servers that start together do.
func TestMigratedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "together.db")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			s, err := Open(t.Context(), Options{Path: path})
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			if err := errors.Join(s.Migrate(t.Context()), s.Ready(t.Context()), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	s := openAt(t, path)
	steps, err := migrations.For(migrations.SQLite)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := s.schemaVersion(t.Context()); err != nil || at != len(steps) {
		t.Errorf("at step %d of %d: %v", at, len(steps), err)
	}
}

func TestStepsAreTakenInOrderAndOnce(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "steps.db"))
	steps := []migrations.Migration{{Number: 1, Name: "one", SQL: "CREATE TABLE t (n INTEGER);"},
		{Number: 2, Name: "two", SQL: "INSERT INTO t VALUES (2); INSERT INTO t VALUES (3);"}}
	broken := append(steps[:2:2], migrations.Migration{Number: 3, Name: "broken",
		SQL: "INSERT INTO t VALUES (4); INSERT INTO nowhere VALUES (1);"})
	if err := s.migrate(t.Context(), steps[:1]); err != nil {
		t.Fatal(err)
	}
	if err := s.migrate(t.Context(), broken); err == nil || !strings.Contains(err.Error(), "step 0003_broken") {
		t.Errorf("a broken step: %v", err)
	}
	for range 2 {
		if err := s.migrate(t.Context(), steps); err != nil {
			t.Error(err)
		}
	}
	sum := 0
	err := s.reading(t.Context(), oneStatement, func(q *session) error {
		return q.readSQL(`SELECT sum(n) FROM t`, func(stmt *zombie.Stmt) error { sum = stmt.ColumnInt(0); return nil })
	})
	if err != nil || sum != 5 {
		t.Errorf("the table sums to %d, want 5: what the broken step did must be undone, and step two done once (%v)", sum,
			err)
	}
}

// TestTheOldProgramGoesOn: when a newer program fails in a step, also after steps that it did, the old one runs as
// before.
func TestTheOldProgramGoesOn(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "failed.db"))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	steps, err := migrations.For(migrations.SQLite)
	if err != nil {
		t.Fatal(err)
	}
	further := func(more ...string) error {
		all := steps[:len(steps):len(steps)]
		for _, sql := range more {
			all = append(all, migrations.Migration{Number: len(all) + 1, Name: "planted", SQL: sql})
		}
		return s.migrate(t.Context(), all)
	}
	const rename, fails = "ALTER TABLE tasks RENAME TO chores;", "SELECT * FROM nowhere;"
	for _, planted := range [][]string{{fails}, {rename, fails}} {
		if err := further(planted...); err == nil || !strings.Contains(err.Error(), "planted") {
			t.Errorf("a step that fails: %v", err)
		}
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("the old program after it: %v", err)
		}
		if err := s.Write(t.Context(), model.UserIDOf("dana"), func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{{ID: model.UUID{byte(len(planted))}, Text: "on"}})
		}); err != nil {
			t.Errorf("the old program writes: %v", err)
		}
	}
	if err := further(rename); err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("the old program after a step that was done: %v", err)
	}
}

func TestANewerDatabaseIsRefused(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "newer.db"))
	if err := s.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "step 0 of") {
		t.Errorf("Ready before Migrate: %v", err)
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := s.exclusively(t.Context(), func(q *session) error {
		_, err := q.write(`INSERT INTO schema_migrations (number, name, applied_at) VALUES (99, 'of the future', 0)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"Migrate": s.Migrate(t.Context()), "Ready": s.Ready(t.Context())} {
		if !errors.Is(err, store.ErrNewerSchema) || !strings.Contains(err.Error(), "step 99") ||
			!strings.Contains(err.Error(), "newer program") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestAnotherProgramsFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	c, err := zombie.OpenConn(path)
	if err == nil {
		err = script(c, "CREATE TABLE tracks (id INTEGER PRIMARY KEY); INSERT INTO tracks VALUES (1);")
	}
	if err = errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	s := openAt(t, path)
	if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "other program") {
		t.Errorf("Migrate: %v", err)
	}
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is a letter, not a database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), Options{Path: text}); err == nil {
		_ = s.Close()
		t.Error("a file that is no database was opened")
	}
	if got, err := os.ReadFile(text); err != nil || !strings.HasPrefix(string(got), "this is a letter") {
		t.Errorf("the file was changed: %v", err)
	}
}

// TestFilesAreForTheirOwnerOnly looks at everything that SQLite and the store make.
func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "by the store")
	s := openAt(t, filepath.Join(folder, "private.db"))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) < 3 {
		t.Fatalf("%d files, want the database, its log and its index: %v", len(entries), err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o", entry.Name(), mode)
		}
	}
	for _, dir := range []string{folder, filepath.Dir(folder)} {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o700 {
			t.Errorf("%s has mode %o", dir, mode)
		}
	}
}

// TestALinkedFile: SQLite keeps its log beside the file that a link leads to, and that log is the one to flush.
func TestALinkedFile(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "there", "real.db"), filepath.Join(folder, "link.db")
	openAt(t, target)
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	s := openAt(t, link)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.durable.file == nil || filepath.Dir(s.durable.file.Name()) != filepath.Dir(target) {
		t.Errorf("the log that is flushed: %v", s.durable.file)
	}
}

// TestTheFirstSchemaIsBroughtUp migrates a file that an older Almanac has filled.
func TestTheFirstSchemaIsBroughtUp(t *testing.T) {
	of := storetest.Old()
	s, err := Open(t.Context(),
		Options{Path: filepath.Join(t.TempDir(), "old.db"), Now: func() time.Time { return of.At }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	steps, err := migrations.For(migrations.SQLite)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.migrate(t.Context(), steps[:1]); err != nil {
		t.Fatal(err)
	}
	user, at, ends := userArg(of.User), instantArg(of.At), instantArg(of.At.AddDate(0, 0, 1))
	err = s.exclusively(t.Context(), func(q *session) error {
		for _, one := range []struct {
			sql  string
			args []arg
		}{
			{`INSERT INTO users VALUES (?, 'old', 'old@example.com', 'Asia/Jerusalem', 'he', 'SUNDAY', ?, 3, 1)`,
				[]arg{user, at}},
			{
				`INSERT INTO tasks (user_id, id, due_at, created_at, updated_at, reminder, nudge_count, text, text_key, category,
category_key) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?, '',
'')`, []arg{user, idArg(of.Task), intArg(int64(unended)), at, at, textArg(of.Text), textArg(of.Text)}},
			{`INSERT INTO changes VALUES (?, 2, 'TASK', ?, 'CREATED', ?), (?, 3, 'TASK', ?, 'UPDATED', ?)`,
				[]arg{user, idArg(of.Task), at, user, idArg(of.Task), at}},
			{`INSERT INTO idempotency VALUES (?, ?, ?, ?, ?), (?, 'empty', ?, ?, x'')`,
				[]arg{user, textArg(of.Call.Key), bytesArg(of.Call.Fingerprint[:]), ends, bytesArg([]byte(of.Answer)), user,
					bytesArg(of.Call.Fingerprint[:]), ends}},
			{`INSERT INTO confirmations VALUES (?, ?, ?)`, []arg{user, idArg(of.Confirmation), ends}},
		} {
			if _, err := q.write(one.sql, one.args...); err != nil {
				return fmt.Errorf("%w: %s", err, one.sql)
			}
		}
		for i, due := range of.Due {
			if _, err := q.write(`INSERT INTO tasks (user_id, id, due_at, created_at, updated_at, reminder, nudge_count, text,
text_key, category, category_key, completed_at, recurrence_type) VALUES (?, ?, ?, 0, 0, 0, 0, '', '', 'x', 'x',
CASE ? WHEN 1 THEN 0 END, CASE ? WHEN 1 THEN 'DAILY' END)`, userArg(of.OtherUser), idArg(storetest.DueID(i)), instantArg(due),
				intArg(i%2), intArg(i%2)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); err == nil || errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("Ready before the migration: %v", err)
	}
	if err := errors.Join(s.Migrate(t.Context()), s.Ready(t.Context())); err != nil {
		t.Fatal(err)
	}
	storetest.Kept(t, s, of)
	if err := s.migrate(t.Context(), steps[:1]); !errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("the older Almanac again: %v", err)
	}
}
