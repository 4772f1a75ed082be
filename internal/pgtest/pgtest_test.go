package pgtest

import (
	"context"
	"errors"
	"net/url"
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
