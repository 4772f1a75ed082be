// Package disk lets a program's SQLite meet a bad disk: a full one, or a slow one.
//
// It promises that a write either happens as it would have, or fails with the error of a full disk, and that what the
// disk is like can be changed from another process at any time. It works on Linux.
package disk

import (
	"os"
	"time"
)

// State is what a disk is like.
type State string

const (
	// Fine passes every write on.
	Fine State = "fine"
	// Full lets no write make a file grow.
	Full State = "full"
	// Slow makes each write wait for Delay.
	Slow State = "slow"
)

// Delay is how long a write waits on a slow disk.
const Delay = 15 * time.Millisecond

// Set says what the disk is like from now on for processes that follow the file at path.
func Set(path string, is State) error {
	next := path + ".next" // a reader must not meet half of it
	if err := os.WriteFile(next, []byte(is), 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}

// PostgresSwitch are the statements after which PostgreSQL refuses writes as it does on a full disk whenever
// PostgresFull has been said last. Each insertion looks at a table, so that turning it on and off locks nothing that a
// server needs.
func PostgresSwitch() []string {
	statements := []string{
		`CREATE TABLE disk_state (is_full boolean NOT NULL)`, `INSERT INTO disk_state VALUES (false)`,
		`CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
IF (SELECT is_full FROM disk_state) THEN
RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full';
END IF;
RETURN NEW;
END $$`,
	}
	for _, table := range []string{"users", "tasks", "changes", "idempotency", "secrets"} {
		statements = append(statements,
			`CREATE TRIGGER disk_full BEFORE INSERT ON `+table+` FOR EACH ROW EXECUTE FUNCTION disk_full()`)
	}
	return statements
}

// What the disk of PostgreSQL is like from now on.
const (
	PostgresFull = `UPDATE disk_state SET is_full = true`
	PostgresFine = `UPDATE disk_state SET is_full = false`
)
