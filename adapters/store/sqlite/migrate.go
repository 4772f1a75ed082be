package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/migrations"
)

// errStop ends the reading of rows early.
var errStop = errors.New("stop")

// Fresh reports whether the database has none of our tables yet.
func (s *Store) Fresh(ctx context.Context) (bool, error) {
	at, err := s.schemaVersion(ctx)
	return at == 0, err
}

// Migrate brings the schema up to this program's, in one transaction: when a step fails, the program that ran before
// finds everything as it left it. Several processes may do so at once: the first that gets to it does it.
// ErrNewerSchema when the database has steps that this program does not know; a file that is some other program's is
// refused too.
func (s *Store) Migrate(ctx context.Context) error {
	steps, err := migrations.For(migrations.SQLite)
	if err != nil {
		return err
	}
	if err := s.migrate(ctx, steps); err != nil {
		return fmt.Errorf("migrate %s: %w", s.path, err)
	}
	return nil
}

func (s *Store) migrate(ctx context.Context, steps []migrations.Migration) error {
	at, err := s.schemaVersion(ctx)
	if err == nil && at == len(steps) {
		return nil // the usual start needs no lock
	}
	if err != nil {
		return err
	}
	return s.exclusively(ctx, func(q *session) error {
		at, err := prepareSchema(q)
		if err != nil {
			return err
		}
		if at > len(steps) {
			return newer(at, len(steps))
		}
		for _, step := range steps[at:] {
			if err := script(q.Conn, step.SQL); err != nil {
				return fmt.Errorf("step %04d_%s: %w", step.Number, step.Name, err)
			}
			if _, err := q.write(`INSERT INTO schema_migrations (number, name, applied_at) VALUES (?, ?, ?)`,
				intArg(step.Number), textArg(step.Name), instantArg(s.now().UTC().Truncate(time.Microsecond))); err != nil {
				return err
			}
		}
		return nil
	})
}

// prepareSchema makes the table of steps in a database that is empty, and returns the number of the last step done.
func prepareSchema(q *session) (int, error) {
	at, known, err := lastStep(q)
	if err != nil || known {
		return at, err
	}
	others := 0
	if err := q.readSQL(`SELECT count(*) FROM sqlite_schema`,
		func(stmt *sqlite.Stmt) error { others = stmt.ColumnInt(0); return nil }); err != nil {
		return 0, err
	}
	if others > 0 {
		return 0, errors.New("this file is the database of some other program; name another file")
	}
	return 0,
		script(q.Conn,
			`CREATE TABLE schema_migrations (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL,
applied_at INTEGER NOT NULL) STRICT;`)
}

// lastStep returns the number of the last step done; known is whether the table of steps is there.
func lastStep(q *session) (at int, known bool, err error) {
	err = q.readSQL(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'`,
		func(*sqlite.Stmt) error { known = true; return nil })
	if err != nil || !known {
		return 0, false, err
	}
	err = q.readSQL(`SELECT coalesce(max(number), 0) FROM schema_migrations`,
		func(stmt *sqlite.Stmt) error { at = stmt.ColumnInt(0); return nil })
	return at, true, err
}

// schemaVersion returns the number of the last step done, 0 for none.
func (s *Store) schemaVersion(ctx context.Context) (at int, err error) {
	err = s.reading(ctx, oneTransaction, func(q *session) error {
		at, _, err = lastStep(q)
		return err
	})
	return at, err
}

// newer says kindly that the program is too old.
func newer(at, known int) error {
	return fmt.Errorf(
		"%w: it is at step %d and this program knows %d; start the newer program, or restore a backup made before it ran",
		store.ErrNewerSchema, at, known)
}

// Ready: see store.Maintainer.
func (s *Store) Ready(ctx context.Context) error {
	steps, err := migrations.For(migrations.SQLite)
	if err != nil {
		return err
	}
	// Before anything is read of a file that may be another one by now.
	if err := s.files.check(); err != nil {
		return err
	}
	at, err := s.schemaVersion(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", s.path, err)
	case at > len(steps):
		return fmt.Errorf("%s: %w", s.path, newer(at, len(steps)))
	case at < len(steps):
		return fmt.Errorf("%s: the database is at step %d of %d; run the migrations first", s.path, at, len(steps))
	}
	if err := s.durable.failed(); err != nil {
		return fmt.Errorf("%s: %w: %w", s.path, store.ErrUnavailable, err)
	}
	return s.full.Probe(func() error { return s.probe(ctx) })
}

// probe commits a write that leaves nothing behind.
func (s *Store) probe(ctx context.Context) error {
	return s.exclusively(ctx, func(q *session) error {
		if _, err := q.write(`INSERT INTO secrets (name, value) VALUES ('probe', zeroblob(?))`,
			intArg(store.ProbeBytes)); err != nil {
			return err
		}
		_, err := q.write(`DELETE FROM secrets WHERE name = 'probe'`)
		return err
	})
}
