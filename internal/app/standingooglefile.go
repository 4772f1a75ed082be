package app

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	standingoogle "almanac/internal/standin/google"
)

// standInFileName is the file that keeps what the stand-in holds, in the data folder.
const standInFileName = "google-standin.db"

// standInWait bounds how long a process waits for another one that writes to the same stand-in.
const standInWait = 10 * time.Second

// sample is how far the sample calendar and mailbox were laid.
type sample string

// The states of the sample.
const (
	sampleNone  sample = "none"
	sampleBegun sample = "begun" // a kill may have come in between
	sampleLaid  sample = "laid"  // the calendar
	sampleFull  sample = "full"  // the mailbox too
)

// standInFile keeps a stand-in in a small database of its own. What is written is kept before its answer is given, so
// that a kill at any moment loses no event that somebody was told of; and several processes on one data folder see one
// calendar.
type standInFile struct {
	front *standingoogle.Server

	mu   sync.Mutex
	conn *sqlite.Conn
	// version is the state that front has, 0 for none of the file's; sum is its digest.
	version int64
	sum     [sha256.Size]byte
}

// errUnreadable: the file is none of ours, or is damaged.
var errUnreadable = errors.New("the file cannot be read")

// openStandInFile opens the file, or makes it with the state that fresh brings front into. A file that cannot be read
// is put aside: what was tried out is lost, and the server starts.
func openStandInFile(path string, front *standingoogle.Server, fresh func() error,
	log *slog.Logger) (*standInFile, error) {
	f, err := openStandInFileOnce(path, front, fresh)
	if !errors.Is(err, errUnreadable) {
		return f, err
	}
	log.Warn("the stand-in for Google starts empty, since its file cannot be read", "file", path, "kept", path+".broken",
		"cause", err.Error())
	for _, ending := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+ending, path+".broken"+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return openStandInFileOnce(path, front, fresh)
}

func openStandInFileOnce(path string, front *standingoogle.Server, fresh func() error) (_ *standInFile, err error) {
	if err := makePrivateFile(path); err != nil {
		return nil, err
	}
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, unreadable(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(unreadable(err), conn.Close())
		}
	}()
	conn.SetBusyTimeout(standInWait)
	if err = useWAL(conn); err != nil {
		return nil, err
	}
	f := &standInFile{front: front, conn: conn}
	err = f.begin(fresh)
	return f, err
}

// useWAL has the file use a write-ahead log. Two processes that do so at once get in each other's way without
// SQLite waiting for it, so this waits.
func useWAL(conn *sqlite.Conn) error {
	const longest = 50 * time.Millisecond
	waited := time.Duration(0)
	for wait := time.Millisecond; ; wait = min(2*wait, longest) {
		err := sqlitex.ExecuteTransient(conn, `PRAGMA journal_mode = WAL`, nil)
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy || waited >= standInWait {
			return err
		}
		time.Sleep(wait)
		waited += wait
	}
}

// unreadable marks errors that are about the content of the file.
func unreadable(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultNotADB, sqlite.ResultCorrupt:
		return errors.Join(errUnreadable, err)
	default:
		return err
	}
}

// makePrivateFile makes an empty file that only its owner may read; one that is there is left alone.
func makePrivateFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// begin reads the state, or writes the first one.
func (f *standInFile) begin(fresh func() error) (err error) {
	// With a write-ahead log a commit costs no wait for the disk, and a crash of the machine damages nothing.
	if err := sqlitex.ExecuteTransient(f.conn, `PRAGMA synchronous = NORMAL`, nil); err != nil {
		return err
	}
	end, err := sqlitex.ImmediateTransaction(f.conn)
	if err != nil {
		return err
	}
	defer end(&err)
	err = sqlitex.ExecuteTransient(f.conn, `CREATE TABLE IF NOT EXISTS standin (
		one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL, sample TEXT NOT NULL, state BLOB NOT NULL
	) STRICT`, nil)
	if err != nil {
		return err
	}
	if err := f.reload(); err != nil || f.version > 0 {
		return err
	}
	if err := fresh(); err != nil {
		return err
	}
	state, err := f.snapshot()
	if err != nil {
		return err
	}
	f.version, f.sum = 1, sha256.Sum256(state)
	return sqlitex.Execute(f.conn, `INSERT INTO standin (one, version, sample, state) VALUES (1, 1, ?, ?)`,
		&sqlitex.ExecOptions{Args: []any{string(sampleNone), state}})
}

// refresh brings front to what another process may have written.
func (f *standInFile) refresh() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reload()
}

// reload is refresh under the lock.
func (f *standInFile) reload() error {
	var version int64
	var state []byte
	err := sqlitex.Execute(f.conn, `SELECT version, CASE WHEN version <> ? THEN state END FROM standin`,
		&sqlitex.ExecOptions{
			Args: []any{f.version},
			ResultFunc: func(row *sqlite.Stmt) error {
				version = row.ColumnInt64(0)
				state = make([]byte, row.ColumnLen(1))
				row.ColumnBytes(1, state)
				return nil
			},
		})
	if err != nil || version == f.version {
		return err
	}
	if err := f.front.Restore(bytes.NewReader(state)); err != nil {
		return errors.Join(errUnreadable, err)
	}
	f.version, f.sum = version, sha256.Sum256(state)
	return nil
}

func (f *standInFile) snapshot() ([]byte, error) {
	var state bytes.Buffer
	if err := f.front.Snapshot(&state); err != nil {
		return nil, err
	}
	return state.Bytes(), nil
}

// write runs fn, which may change what front holds, while no other process does, and keeps what it has become. The
// error says that it could not be kept; then it did not happen.
func (f *standInFile) write(fn func()) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	end, err := sqlitex.ImmediateTransaction(f.conn)
	if err != nil {
		return fmt.Errorf("the stand-in's file: %w", err)
	}
	defer func() {
		if end(&err); err != nil {
			f.version = 0 // front may be ahead of the file; the next use reads it again
		}
	}()
	if err := f.reload(); err != nil {
		return fmt.Errorf("the stand-in's file: %w", err)
	}
	fn()
	state, err := f.snapshot()
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(state); sum != f.sum {
		if err := sqlitex.Execute(f.conn, `UPDATE standin SET version = version + 1, state = ?`,
			&sqlitex.ExecOptions{Args: []any{state}}); err != nil {
			return fmt.Errorf("the stand-in's file: %w", err)
		}
		f.version, f.sum = f.version+1, sum
	}
	return nil
}

// sample returns how far the sample was laid.
func (f *standInFile) sample() (laid sample, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err = sqlitex.Execute(f.conn, `SELECT sample FROM standin`, &sqlitex.ExecOptions{
		ResultFunc: func(row *sqlite.Stmt) error { laid = sample(row.ColumnText(0)); return nil },
	})
	return laid, err
}

// setSample keeps how far the sample was laid.
func (f *standInFile) setSample(laid sample) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return sqlitex.Execute(f.conn, `UPDATE standin SET sample = ?`, &sqlitex.ExecOptions{Args: []any{string(laid)}})
}

// Close closes the file.
func (f *standInFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.conn.Close()
}
