// Package pgtest gives each test an empty PostgreSQL database of its own, with pgvector at hand.
//
// It promises that a bare `go test ./...` works: without ALMANAC_TEST_DATABASE_URL it starts the project's own server
// with tools/postgres.sh. It never skips. Where no server can be had the test fails and says what to do.
//
// Only tests import this package.
package pgtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/migrations"
)

// Variable names the environment variable that holds the URL of the server to use. Its role must be a superuser: it
// creates databases and extensions, and deletes the rows of tests in any order.
const Variable = "ALMANAC_TEST_DATABASE_URL"

// prefix starts the name of every test database, so that those of a killed test are easy to find on a server that
// stays.
const prefix = "almanac_test_"

// patience bounds each step against the server; it only ends tests whose server hangs.
const patience = time.Minute

// remedy is the end of every message about a missing server.
const remedy = "start one with `tools/postgres.sh up` and read what it says, or set " + Variable +
	" to the URL of a PostgreSQL 15 or newer with pgvector 0.8 or newer"

// theServer finds the server once per test binary, because every test asks for it and starting is the slow part.
var theServer = sync.OnceValues(func() (*url.URL, error) {
	return findServer(os.Getenv(Variable), startHelper)
})

// URL creates an empty database and returns its URL, in the form postgres://user:password@host:port/name. The extension
// vector is available in it and not yet created: that belongs to the migrations. When the test ends the database is
// dropped, whatever connections are still open. Tests may call it in parallel.
func URL(t testing.TB) string {
	t.Helper()
	server, err := theServer()
	if err != nil {
		t.Fatal(err)
	}
	// template0, because nobody can be connected to it; a connection to template1 would make parallel calls fail.
	return copyOf(t, server, "template0")
}

// copyOf creates a copy of a database to which nobody is connected, for as long as the test runs, and returns its URL.
func copyOf(t testing.TB, server *url.URL, template string) string {
	t.Helper()
	name := newName()
	if nodes := workers(); len(nodes) > 0 {
		return onCitus(t, server, nodes, name)
	}
	// Copying the files takes a quarter of the processor time of writing each page into the log as well.
	if err := execute(server, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY FILE_COPY"); err != nil {
		t.Fatalf("pgtest: create a database: %v; %s", err, remedy)
	}
	t.Cleanup(func() {
		if err := execute(server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("pgtest: drop the database %s: %v", name, err)
		}
	})
	return at(server, name)
}

func newName() string { return prefix + strings.ToLower(rand.Text()) }

// at is the URL of a database of the server.
func at(server *url.URL, name string) string {
	database := *server
	database.Path = "/" + name
	return database.String()
}

// Migrated is URL for a database that has the program's schema already, which migrate brings up in the database at a
// URL. It does so once for each server and state of the migrations: the others are copies of that one, which takes a
// tenth of the time. The one that is copied stays on a server that stays.
func Migrated(t testing.TB, migrate func(ctx context.Context, url string) error) string {
	t.Helper()
	return migrated(t, migrate, copyOf)
}

// Reused is Migrated for a database that another test may have had before, and that was put in order after it.
// Statistics and the size of its files may be of what it had. It takes a tenth of the time.
func Reused(t testing.TB, migrate func(ctx context.Context, url string) error) string {
	t.Helper()
	return migrated(t, migrate, reused)
}

func migrated(t testing.TB, migrate func(ctx context.Context, url string) error,
	from func(t testing.TB, server *url.URL, template string) string) string {
	t.Helper()
	server, err := theServer()
	if err != nil {
		t.Fatal(err)
	}
	if len(workers()) > 0 { // a copy of a database would know nothing of the other servers
		url := URL(t)
		if err := migrate(t.Context(), url); err != nil {
			t.Fatalf("pgtest: migrate a database: %v", err)
		}
		return url
	}
	steps, err := migrations.For(migrations.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, step := range steps {
		fmt.Fprintln(sum, step.Number, step.Name, step.SQL)
	}
	template := prefix + "schema_" + hex.EncodeToString(sum.Sum(nil)[:12])
	if err := makeTemplate(server, template, migrate); err != nil {
		t.Fatalf("pgtest: make a database to copy: %v; %s", err, remedy)
	}
	return from(t, server, template)
}

// templateLock is the advisory lock with which processes take turns in making what is copied.
const templateLock = 0x70677465737401

// makeTemplate makes a migrated database of that name unless there is one. It gets its name when it is complete.
func makeTemplate(server *url.URL, name string, migrate func(ctx context.Context, url string) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server.String())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // which gives the lock back
	there := func() (is bool, err error) {
		err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&is)
		return is, err
	}
	if is, err := there(); is || err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(templateLock)); err != nil {
		return err
	}
	if is, err := there(); is || err != nil {
		return err
	}
	fresh := newName()
	for _, step := range []func() error{
		func() error { return execute(server, "CREATE DATABASE "+fresh+" TEMPLATE template0") },
		func() error { return migrate(ctx, at(server, fresh)) },
		func() error { return execute(server, "ALTER DATABASE "+fresh+" RENAME TO "+name) },
	} {
		if err := step(); err != nil {
			return errors.Join(err, execute(server, "DROP DATABASE IF EXISTS "+fresh+" WITH (FORCE)"))
		}
	}
	return nil
}

// findServer returns the server's URL: the given one, or where that is empty what start prints. It connects once, to
// fail with one clear sentence rather than with every test's own.
func findServer(given string, start func() (string, error)) (*url.URL, error) {
	raw := given
	if raw == "" {
		var err error
		if raw, err = start(); err != nil {
			return nil, fmt.Errorf("pgtest: no PostgreSQL to test with: %w; %s", err, remedy)
		}
	}
	server, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("pgtest: %s: %w", Variable, err)
	}
	if err := check(server); err != nil {
		return nil, fmt.Errorf("pgtest: the server at %s: %w; %s", server.Host, err, remedy)
	}
	return server, nil
}

// parse reads a server's URL. Its error repeats nothing of it, not even the cause: a password may be in any part.
func parse(raw string) (*url.URL, error) {
	server, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || (server.Scheme != "postgres" && server.Scheme != "postgresql") || server.Path == "" {
		return nil, errors.New("must look like postgres://user:password@host:5432/database")
	}
	return server, nil
}

// check refuses a server that is too old or has no pgvector.
func check(server *url.URL) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server.String())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var number int
	var vector string
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int,
		coalesce((SELECT default_version FROM pg_available_extensions WHERE name = 'vector'), '')`).Scan(&number, &vector)
	if err != nil {
		return fmt.Errorf("ask for the versions: %w", err)
	}
	return suits(number, vector)
}

// suits tells what is wrong with a server_version_num (150004 is 15.4) and a version of pgvector ("" is none).
func suits(server int, vector string) error {
	if server < 150000 {
		return fmt.Errorf("is PostgreSQL %d, needs 15 or newer", server/10000)
	}
	if vector == "" {
		return errors.New("has no pgvector")
	}
	major, rest, _ := strings.Cut(vector, ".")
	minor, _, _ := strings.Cut(rest, ".")
	x, errMajor := strconv.Atoi(major)
	y, errMinor := strconv.Atoi(minor)
	if err := errors.Join(errMajor, errMinor); err != nil {
		return fmt.Errorf("has a pgvector of an unknown version %q: %w", vector, err)
	}
	if x == 0 && y < 8 {
		return fmt.Errorf("has pgvector %s, needs 0.8 or newer", vector)
	}
	return nil
}

// execute runs one statement on a connection of its own. It has no caller's context: a test's is done at cleanup.
func execute(server *url.URL, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server.String())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, sql); err != nil {
		return err
	}
	return nil
}

// startHelper runs `tools/postgres.sh up` and returns the URL that it prints.
func startHelper() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	// The first start downloads about 50 MB.
	ctx, cancel := context.WithTimeout(context.Background(), 10*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", filepath.Join(root, "tools", "postgres.sh"), "up")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// A server that kept the pipes open must not keep the test waiting.
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("tools/postgres.sh up: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}

// moduleRoot is the nearest folder above the test's own that holds a go.mod.
func moduleRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod above %s", start)
		}
	}
}
