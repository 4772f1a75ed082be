package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
)

// MarkRestored: see store.Restorer.
func (s *Store) MarkRestored(ctx context.Context, at time.Time) error {
	return wrap("mark restored", s.exclusively(ctx, func(q *session) error {
		if _, err := q.write(`UPDATE users SET change_seq = (change_seq / ? + 1) * ?`, intArg(store.LogSpan),
			intArg(store.LogSpan)); err != nil {
			return err
		}
		_, err := q.write(
			`INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
			textArg(store.HeldSecret), bytesArg([]byte(at.UTC().Format(time.RFC3339Nano))))
		return err
	}))
}

// Held: see store.Restorer.
func (s *Store) Held(ctx context.Context) (since time.Time, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT value FROM secrets WHERE name = ?`, func(stmt *sqlite.Stmt) (err error) {
			since, err = time.Parse(time.RFC3339Nano, string(columnBytes(stmt, 0)))
			return err
		}, textArg(store.HeldSecret))
	})
	return since, wrap("held", err)
}

// EndHold: see store.Restorer.
func (s *Store) EndHold(ctx context.Context) error {
	return wrap("end hold", s.exclusively(ctx, func(q *session) error {
		_, err := q.write(`DELETE FROM secrets WHERE name = ?`, textArg(store.HeldSecret))
		return err
	}))
}

// backupPages is how many pages are copied between two looks at the context.
const backupPages = 4096

// Backup copies the database in a file, which a server may be using, into a new one that only its owner may read: as it
// is at one moment, and checked. Without keys the copy has none of the server's own secrets, so that what is sealed in
// it, the credentials of linked accounts above all, can be read by nobody.
func Backup(ctx context.Context, from, to string, keys bool) (err error) {
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("sqlite: back up: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("sqlite: back up: %w", err)
	}
	defer func() {
		if err != nil { // half a backup must not look like one
			err = errors.Join(fmt.Errorf("sqlite: back up %s: %w", from, explain(ctx, err)), os.Remove(to))
		}
	}()
	source, err := openConn(from, sqlite.OpenReadOnly)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // it has only read
	target, err := sqlite.OpenConn(to, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	if err := copyPages(ctx, source.Conn, target); err != nil {
		return errors.Join(err, target.Close())
	}
	// One file, without a log beside it.
	finish := "PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON;"
	if !keys {
		finish += "DELETE FROM secrets;"
	}
	if err := errors.Join(script(target, finish), whole(target), target.Close()); err != nil {
		return err
	}
	return syncFile(to)
}

// copyPages copies a database as it is at one moment: the read transaction holds it, so writers do not begin it anew.
func copyPages(ctx context.Context, source, target *sqlite.Conn) error {
	if err := script(source, "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1;"); err != nil {
		return err
	}
	backup, err := sqlite.NewBackup(target, "main", source, "main")
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		if err = ctx.Err(); err == nil {
			more, err = backup.Step(backupPages)
		}
	}
	return errors.Join(err, backup.Close(), script(source, "ROLLBACK"))
}

// whole reports damage of a database as an error.
func whole(c *sqlite.Conn) error {
	stmt, _, err := c.PrepareTransient("PRAGMA quick_check(1)")
	if err != nil {
		return err
	}
	if _, err = stmt.Step(); err == nil && stmt.ColumnText(0) != "ok" {
		err = fmt.Errorf("the copy is damaged: %s", stmt.ColumnText(0))
	}
	return errors.Join(err, stmt.Finalize())
}

func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// Check reports a file that is no SQLite database, or a damaged one, as an error.
func Check(path string) error {
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	return errors.Join(whole(c), c.Close())
}
