//go:build bench

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
)

// databaseVariable names the environment variable with the URL of a PostgreSQL whose role may create databases.
const databaseVariable = "ALMANAC_TEST_DATABASE_URL"

// database is where the servers of a run keep their data: a new PostgreSQL database, or a new folder for SQLite. It is
// passed on to the servers by environment, since a URL may hold a password.
type database struct {
	// url is PostgreSQL's; empty for SQLite, whose folder is dir.
	url, dir string
	// postmaster is the process of PostgreSQL's server, 0 where it is not of this machine.
	postmaster int
	// now is what the users see; nil for time.Now.
	now func() time.Time
}

// clock is what the users see.
func (d database) clock() func() time.Time {
	if d.now == nil {
		return time.Now
	}
	return d.now
}

// openedStore is a store with what its owner does to it.
type openedStore interface {
	store.Store
	Migrate(ctx context.Context) error
	Close() error
}

// newDatabase makes an empty one; drop takes it away.
func newDatabase(ctx context.Context, kind, dir string) (d database, drop func(), err error) {
	if kind == "sqlite" {
		return database{dir: filepath.Join(dir, "sqlite")}, func() {}, nil
	}
	server, err := url.Parse(os.Getenv(databaseVariable))
	if err != nil || server.Host == "" {
		return d, nil, fmt.Errorf("set %s to the URL of a PostgreSQL, or run this by `make bench`", databaseVariable)
	}
	name := "almanac_bench_" + strings.ToLower(rand.Text())
	var postmaster int
	err = onServer(ctx, server, func(conn *pgx.Conn) error {
		postmaster = postmasterOf(ctx, conn)
		_, err := conn.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE template0")
		return err
	})
	if err != nil {
		return d, nil, fmt.Errorf("create a database: %w", err)
	}
	drop = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		err := onServer(ctx, server, func(conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
			return err
		})
		if err != nil {
			fmt.Fprintf(os.Stderr, "the database %s is left over: %v\n", name, err)
		}
	}
	own := *server
	own.Path = "/" + name
	return database{url: own.String(), postmaster: postmaster}, drop, nil
}

func onServer(ctx context.Context, server *url.URL, do func(conn *pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, server.String())
	if err != nil {
		return err
	}
	return errors.Join(do(conn), conn.Close(ctx))
}

// postmasterOf finds the server's main process by a session's; 0 when they are not processes of this machine.
func postmasterOf(ctx context.Context, conn *pgx.Conn) int {
	var session int
	if conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&session) != nil {
		return 0
	}
	title, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", session))
	if err != nil || !strings.Contains(string(title), "postgres: ") {
		return 0
	}
	s, err := readStat(session)
	if err != nil {
		return 0
	}
	return s.parent
}

// open opens the store.
func (d database) open(ctx context.Context) (openedStore, error) {
	if d.url != "" {
		return postgres.Open(ctx, postgres.Options{URL: d.url})
	}
	return sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(d.dir, "almanac.db")})
}

// settle lets PostgreSQL do at once what it would do during the run.
func (d database) settle(ctx context.Context) error {
	if d.url == "" {
		return nil
	}
	conn, err := pgx.Connect(ctx, d.url)
	if err != nil {
		return err
	}
	var failures []error
	for _, sql := range []string{"VACUUM ANALYZE", "CHECKPOINT"} {
		_, err := conn.Exec(ctx, sql)
		failures = append(failures, err)
	}
	return errors.Join(append(failures, conn.Close(ctx))...)
}

// version is what the database says of itself.
func (d database) version(ctx context.Context) string {
	if d.url == "" {
		return "SQLite (embedded)"
	}
	conn, err := pgx.Connect(ctx, d.url)
	if err != nil {
		return "PostgreSQL"
	}
	var version, fsync string
	_ = conn.QueryRow(ctx, "SELECT current_setting('server_version'), current_setting('fsync')").Scan(&version, &fsync)
	_ = conn.Close(ctx)
	return "PostgreSQL " + version + ", fsync " + fsync
}
