//go:build !windows

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// copyOver writes a file's content over another's, as cp does: the file that is there stays and is truncated first.
func copyOver(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from) //nolint:gosec // the test's own file
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// insertTasks writes some tasks in a transaction each.
func insertTasks(t *testing.T, s *Store, user model.UserID, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{{ID: model.UUID{byte(n >> 8), byte(n), 1}, Text: fmt.Sprint("task ", n),
				CreatedAt: time.Unix(int64(n), 0), UpdatedAt: time.Unix(int64(n), 0)}})
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func checkpoint(t *testing.T, s *Store, mode string) {
	t.Helper()
	if err := s.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { s.turn <- struct{}{} }()
	if err := s.writer.run("PRAGMA wal_checkpoint("+mode+")", nil, nil); err != nil {
		t.Fatal(err)
	}
}

// TestAFileThatIsCopiedOverTakesNoWrites: whatever is copied over the database in place, nothing is acknowledged or
// read after it, and the next start has what was copied, without the writes of the one before.
func TestAFileThatIsCopiedOverTakesNoWrites(t *testing.T) {
	t.Parallel()
	user := model.UserIDOf("x")
	// Each is given a database with tasks that is open, and does something to its file. It returns how many tasks the
	// file has now; -1 when it is damaged.
	ways := map[string]func(t *testing.T, s *Store, path string) int{
		"an older copy of the file": func(t *testing.T, s *Store, path string) int {
			checkpoint(t, s, "TRUNCATE")
			copyOver(t, path, path+".copy")
			if err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
				return tx.SaveSettings(ctx, model.Settings{TimeZone: "Asia/Jerusalem", Locale: "he", WeekStart: model.Sunday})
			}); err != nil { // no page more
				t.Fatal(err)
			}
			checkpoint(t, s, "PASSIVE")
			copyOver(t, path+".copy", path)
			return 20
		},
		"an older copy of the file and its log": func(t *testing.T, s *Store, path string) int {
			for _, suffix := range suffixes[:2] {
				copyOver(t, path+suffix, path+".copy"+suffix)
			}
			insertTasks(t, s, user, 20, 30)
			checkpoint(t, s, "PASSIVE")
			insertTasks(t, s, user, 30, 40)
			for _, suffix := range suffixes[:2] {
				copyOver(t, path+".copy"+suffix, path+suffix)
			}
			return 20
		},
		"a backup": func(t *testing.T, s *Store, path string) int {
			if err := Backup(t.Context(), path, path+".backup", true); err != nil {
				t.Fatal(err)
			}
			insertTasks(t, s, user, 20, 30)
			copyOver(t, path+".backup", path)
			return 20
		},
		"another database": func(t *testing.T, _ *Store, path string) int {
			other := openAt(t, filepath.Join(t.TempDir(), "other.db"))
			if err := other.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			insertTasks(t, other, user, 0, 3)
			if err := other.Close(); err != nil {
				t.Fatal(err)
			}
			copyOver(t, other.path, path)
			return 3
		},
		"another database, without the log": func(t *testing.T, _ *Store, path string) int {
			other := openAt(t, filepath.Join(t.TempDir(), "other.db"))
			if err := errors.Join(other.Migrate(t.Context()), other.Close()); err != nil {
				t.Fatal(err)
			}
			copyOver(t, other.path, path)
			if err := errors.Join(os.Remove(path+"-wal"), os.Remove(path+"-shm")); err != nil {
				t.Fatal(err)
			}
			return 0
		},
		"an older log": func(t *testing.T, s *Store, path string) int {
			copyOver(t, path+"-wal", path+".wal")
			insertTasks(t, s, user, 20, 30)
			copyOver(t, path+".wal", path+"-wal")
			return 20
		},
		"noise in its middle": func(t *testing.T, _ *Store, path string) int {
			if !keepsTimes(path) {
				t.Skip("where this is, nobody can tell")
			}
			file, err := os.OpenFile(path, os.O_WRONLY, 0) //nolint:gosec // the test's own file
			if err != nil {
				t.Fatal(err)
			}
			_, err = file.WriteAt(make([]byte, 4<<12), 10<<12)
			if err := errors.Join(err, file.Close()); err != nil {
				t.Fatal(err)
			}
			return -1
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "over.db")
			s := openAt(t, path)
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			insertTasks(t, s, user, 0, 20)
			checkpoint(t, s, "PASSIVE")
			if err := s.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := way(t, s, s.path)
			for what, err := range map[string]error{"write": saveSettings(t, s, user, "Asia/Jerusalem"),
				"ready": s.Ready(t.Context())} {
				if !errors.Is(err, store.ErrFileReplaced) || !errors.Is(err, store.ErrUnavailable) ||
					errors.Is(err, store.ErrOutcomeUnknown) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if _, err := s.User(t.Context(), user); !errors.Is(err, store.ErrFileOverwritten) {
				t.Errorf("reading: %v", err)
			}
			if err := s.Close(); !errors.Is(err, store.ErrFileReplaced) {
				t.Errorf("Close: %v", err)
			}
			if want < 0 {
				return
			}
			// The store that is left has the files open, and SQLite shares what a process has open. What the next process
			// would find is all in them but the log's index, which is made anew.
			restarted := filepath.Join(t.TempDir(), "over.db")
			for _, suffix := range []string{"", "-wal", noteSuffix} {
				if _, err := os.Stat(path + suffix); err == nil {
					copyOver(t, path+suffix, restarted+suffix)
				}
			}
			next := openAt(t, restarted)
			if err := errors.Join(next.Migrate(t.Context()), next.Ready(t.Context()), whole(next.writer.Conn),
				saveSettings(t, next, user, "UTC")); err != nil {
				t.Errorf("the next start: %v", err)
			}
			got, _, err := (&session{conn: next.writer}).number("SELECT count(*) FROM tasks")
			if err != nil || got != int64(want) {
				t.Errorf("the next start has %d tasks, want %d: %v", got, want, err)
			}
		})
	}
}

// TestACopyUnderWrites: a copy that comes between writes, checkpoints and all, is noticed by the write after it.
func TestACopyUnderWrites(t *testing.T) {
	user := model.UserIDOf("x")
	path := filepath.Join(t.TempDir(), "busy.db")
	s := openAt(t, path)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	insertTasks(t, s, user, 0, 10)
	if err := Backup(t.Context(), path, path+".backup", true); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	var mu sync.Mutex // held by the copy, and by each of the writes that it comes between
	copied := false
	go func() {
		for {
			mu.Lock()
			late := copied
			err := saveSettings(t, s, user, "Asia/Jerusalem")
			mu.Unlock()
			if err != nil || late {
				failed <- err
				return
			}
		}
	}()
	insertTasks(t, s, user, 10, 600)
	mu.Lock()
	copyOver(t, path+".backup", path)
	copied = true
	mu.Unlock()
	if err := <-failed; !errors.Is(err, store.ErrFileReplaced) {
		t.Errorf("a write after the copy: %v", err)
	}
}

// TestWhatIsNoCopy: nothing that SQLite does to the file, in this process or in another, passes for a copy: writes,
// checkpoints of every kind, logs that begin anew, VACUUM, backups, another store on the same file.
func TestWhatIsNoCopy(t *testing.T) {
	user, other := model.UserIDOf("x"), model.UserIDOf("y")
	path := filepath.Join(t.TempDir(), "own.db")
	s := openAt(t, path)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	looking := make(chan struct{})
	var looks sync.WaitGroup
	looks.Go(func() { // much more often than it is done otherwise
		for {
			select {
			case <-looking:
				return
			default:
			}
			if err := s.files.check(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	foreign := func(sql string) error {
		c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
		if err != nil {
			return err
		}
		return errors.Join(script(c, sql), c.Close())
	}
	var writing sync.WaitGroup
	writing.Go(func() { insertTasks(t, s, user, 0, 1500) })
	writing.Go(func() {
		beside := openAt(t, path)
		insertTasks(t, beside, other, 0, 400)
		if err := beside.Close(); err != nil {
			t.Error(err)
		}
	})
	writing.Go(func() {
		kinds := [...]string{"PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(FULL)",
			"PRAGMA wal_checkpoint(RESTART)", "PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM",
			"CREATE TABLE other (a); INSERT INTO other VALUES (zeroblob(8000000)); DROP TABLE other",
			"PRAGMA application_id = 7"}
		for n := range 28 {
			if err := foreign(kinds[n%len(kinds)] + ";"); err != nil {
				t.Error(err)
			}
			to := fmt.Sprint(path, ".", n)
			if err := Backup(t.Context(), path, to, true); err != nil {
				t.Error(err)
			}
		}
	})
	writing.Wait()
	if err := errors.Join(s.Sweep(t.Context(), time.Now(), 0), s.Ready(t.Context())); err != nil {
		t.Error(err)
	}
	close(looking)
	looks.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + noteSuffix); err == nil {
		t.Error("a note is left that the file was gone")
	}
}
