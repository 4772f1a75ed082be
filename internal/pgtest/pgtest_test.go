package pgtest

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func connect(t *testing.T, ctx context.Context, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(ctx)) })
	return conn
}

func TestEachDatabaseIsEmptyAndItsOwn(t *testing.T) {
	t.Parallel()
	first, second := connect(t, t.Context(), URL(t)), connect(t, t.Context(), URL(t))
	if _, err := first.Exec(t.Context(), "CREATE TABLE mine (id int)"); err != nil {
		t.Fatal(err)
	}
	var tables, extensions int
	err := second.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM pg_tables WHERE schemaname = 'public'),
		(SELECT count(*) FROM pg_extension WHERE extname = 'vector')`).Scan(&tables, &extensions)
	if err != nil {
		t.Fatal(err)
	}
	if tables != 0 || extensions != 0 {
		t.Errorf("a new database has %d tables and %d vector extensions, want none", tables, extensions)
	}
}

func TestVectorCanBeCreated(t *testing.T) {
	t.Parallel()
	conn := connect(t, t.Context(), URL(t))
	var distance float64
	if _, err := conn.Exec(t.Context(), "CREATE EXTENSION vector"); err != nil {
		t.Fatal(err)
	}
	if err := conn.QueryRow(t.Context(), "SELECT '[3,4]'::vector <-> '[0,0]'::vector").Scan(&distance); err != nil {
		t.Fatal(err)
	}
	if distance != 5 {
		t.Errorf("distance = %v, want 5", distance)
	}
}

func TestDatabaseIsDroppedUnderAnOpenConnection(t *testing.T) {
	outer := t
	var database string
	var open *pgx.Conn
	t.Run("user", func(t *testing.T) {
		database = URL(t)
		open = connect(outer, outer.Context(), database) // closed by the outer test, so it outlives this one
	})
	server, err := theServer()
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	var left int
	err = connect(t, t.Context(), server.String()).
		QueryRow(t.Context(), "SELECT count(*) FROM pg_database WHERE datname = $1",
			strings.TrimPrefix(parsed.Path, "/")).Scan(&left)
	if err != nil {
		t.Fatal(err)
	}
	if left != 0 {
		t.Errorf("the database %s is still there", parsed.Path)
	}
	if err := open.Ping(t.Context()); err == nil {
		t.Error("the open connection still works")
	}
}

// Whoever takes a database finds it as it was made, whatever those before have done to it.
func TestADatabaseIsUsedAgainAsNew(t *testing.T) {
	migrate := func(ctx context.Context, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		_, err = conn.Exec(ctx, `CREATE TABLE owners (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text);
			CREATE TABLE things (owner bigint REFERENCES owners); CREATE TABLE versions (n int);
			INSERT INTO versions VALUES (7)`)
		return err
	}
	server, err := theServer()
	if err != nil {
		t.Fatal(err)
	}
	template := newName()
	if err := makeTemplate(server, template, migrate); err != nil {
		t.Fatal(err)
	}
	databases := map[string]bool{}
	t.Cleanup(func() {
		for _, name := range append(slices.Collect(maps.Keys(databases)), template) {
			if err := execute(server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
				t.Error(err)
			}
		}
	})
	for _, test := range []struct{ name, does string }{
		{"nothing", "SELECT 1"},
		{"rows", "INSERT INTO owners (name) VALUES ('a'), ('b'); INSERT INTO things VALUES (1), (2)"},
		{"many rows", "INSERT INTO things SELECT NULL FROM generate_series(1, 5000)"},
		{"what was there", "UPDATE versions SET n = 8"},
		{"what was there goes", "DELETE FROM versions"},
		{"a table", "CREATE TABLE mine (id int)"},
		{"a column", "ALTER TABLE things ADD COLUMN more text"},
		{"an index", "CREATE INDEX ON things (owner)"},
		{"a constraint", "ALTER TABLE things DROP CONSTRAINT things_owner_fkey"},
		{"a function", "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'"},
		{"a trigger", "ALTER TABLE things DISABLE TRIGGER ALL"},
		{"a setting", "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 64', current_database()); END $$"},
		{"the end", "SELECT 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := reused(t, server, template)
			parsed, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			databases[strings.TrimPrefix(parsed.Path, "/")] = true
			conn := connect(t, t.Context(), address)
			var found string
			err = conn.QueryRow(t.Context(), `SELECT concat_ws(' ', (SELECT count(*) FROM owners), (SELECT count(*) FROM things),
				(SELECT string_agg(n::text, ',') FROM versions), to_regclass('mine'), to_regproc('one'),
				(SELECT count(*) FROM pg_attribute WHERE attrelid = 'things'::regclass AND attnum > 0),
				(SELECT count(*) FROM pg_index WHERE indrelid = 'things'::regclass),
				(SELECT count(*) FROM pg_constraint WHERE conrelid = 'things'::regclass AND contype = 'f'),
				(SELECT count(*) FROM pg_trigger WHERE tgrelid = 'things'::regclass AND tgenabled <> 'O'),
				current_setting('work_mem') = '64kB')`).Scan(&found)
			if err != nil || found != "0 0 7 1 0 1 0 f" {
				t.Fatalf("a database that was used has %s, %v", found, err)
			}
			var first int
			err = conn.QueryRow(t.Context(), "INSERT INTO owners (name) VALUES ('c') RETURNING id").Scan(&first)
			if err != nil || first != 1 {
				t.Fatalf("the first row is number %d, %v", first, err)
			}
			if _, err := conn.Exec(t.Context(), test.does); err != nil {
				t.Fatal(err)
			}
			second, err := url.Parse(reused(t, server, template))
			if err != nil || second.Path == parsed.Path {
				t.Fatalf("two have %s at the same time, %v", second.Path, err)
			}
			databases[strings.TrimPrefix(second.Path, "/")] = true
		})
	}
	if len(databases) != 2 {
		t.Errorf("%d databases were made where two were used at a time", len(databases))
	}
}

func TestAMissingServerIsExplained(t *testing.T) {
	t.Parallel()
	offline := func() (string, error) { return "", errors.New("the download failed") }
	never := func() (string, error) { t.Error("the helper was started although a server is given"); return "", nil }
	for name, test := range map[string]struct {
		given string
		start func() (string, error)
		want  []string
	}{
		"no helper": {"", offline, []string{"the download failed", "tools/postgres.sh up", Variable}},
		"not running": {"postgres://u:s3cret@127.0.0.1:1/x", never,
			[]string{"127.0.0.1:1", "tools/postgres.sh up", Variable}},
		"not a URL": {"postgres://u:s3cret@127.0.0.1:port/x", never, []string{Variable, "must look like"}},
		"key=value": {"host=127.0.0.1 password=s3cret", never,
			[]string{Variable, "postgres://user:password@host:5432/database"}},
		"other URL":   {"https://u:s3cret@example.com/x", never, []string{Variable, "must look like"}},
		"no database": {"postgres://u:s3cret@127.0.0.1:1", never, []string{Variable, "must look like"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := findServer(test.given, test.start)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%q tells the password", err)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		server int
		vector string
		want   string
	}{
		{150000, "0.8.0", ""},
		{180006, "0.10.1", ""},
		{170012, "1.0", ""},
		{140020, "0.8.0", "needs 15 or newer"},
		{170012, "", "has no pgvector"},
		{170012, "0.7.4", "needs 0.8 or newer"},
		{170012, "next", "unknown version"},
	} {
		got := ""
		if err := suits(test.server, test.vector); err != nil {
			got = err.Error()
		}
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("suits(%d, %q) = %q, want %q", test.server, test.vector, got, test.want)
		}
	}
}
