//go:build !windows

package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// saveSettings is a small write.
func saveSettings(t *testing.T, s *Store, user model.UserID, zone string) error {
	t.Helper()
	return s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSettings(ctx, model.Settings{TimeZone: zone, Locale: "en", WeekStart: model.Sunday})
	})
}

// TestAFileThatIsGoneTakesNoWrites: whichever of the database's files is removed or replaced, nothing more is
// acknowledged, what was acknowledged can be read, and writing goes on when the file is back.
func TestAFileThatIsGoneTakesNoWrites(t *testing.T) {
	user := model.UserIDOf("x")
	for _, suffix := range suffixes {
		for _, replaced := range []bool{false, true} {
			s := openAt(t, filepath.Join(t.TempDir(), "gone.db"))
			if err := errors.Join(s.Migrate(t.Context()), saveSettings(t, s, user, "UTC")); err != nil {
				t.Fatal(err)
			}
			name := s.path + suffix
			if err := os.Rename(name, name+".away"); err != nil {
				t.Fatal(err)
			}
			if replaced {
				if err := os.WriteFile(name, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for what, err := range map[string]error{"write": saveSettings(t, s, user, "Asia/Jerusalem"),
				"ready": s.Ready(t.Context())} {
				if !errors.Is(err, store.ErrFileReplaced) || !errors.Is(err, store.ErrUnavailable) {
					t.Errorf("%q, replaced %v: %s: %v", suffix, replaced, what, err)
				}
			}
			if got, err := s.User(t.Context(), user); err != nil || got.Settings.TimeZone != "UTC" {
				t.Errorf("%q, replaced %v: reading: %v %v", suffix, replaced, got.Settings, err)
			}
			if err := os.Rename(name+".away", name); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(saveSettings(t, s, user, "Asia/Jerusalem"), s.Ready(t.Context())); err != nil {
				t.Errorf("%q, replaced %v: when it is back: %v", suffix, replaced, err)
			}
		}
	}
}

// TestAFileThatIsOverwrittenTakesNoWrites: a database that is truncated or overwritten in place keeps its file, and
// takes no writes either.
func TestAFileThatIsOverwrittenTakesNoWrites(t *testing.T) {
	user := model.UserIDOf("x")
	for _, how := range []string{"truncated", "overwritten"} {
		path := filepath.Join(t.TempDir(), "over.db")
		s := openAt(t, path)
		if err := errors.Join(s.Migrate(t.Context()), saveSettings(t, s, user, "UTC"), s.Close()); err != nil {
			t.Fatal(err)
		}
		s = openAt(t, path)
		if err := errors.Join(saveSettings(t, s, user, "UTC"), s.Ready(t.Context())); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path) //nolint:gosec // the test's own file
		if err != nil {
			t.Fatal(err)
		}
		short := []byte(nil)
		if how == "overwritten" {
			short = []byte("somebody else's notes")
		}
		if err := os.WriteFile(path, short, 0o600); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{"write": saveSettings(t, s, user, "Asia/Jerusalem"),
			"ready": s.Ready(t.Context())} {
			if !errors.Is(err, store.ErrFileReplaced) {
				t.Errorf("%s: %s: %v", how, what, err)
			}
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(saveSettings(t, s, user, "Asia/Jerusalem"), s.Ready(t.Context())); err != nil {
			t.Errorf("%s: when it is back: %v", how, err)
		}
	}
}

// TestAFileThatGoesDuringAWrite: what is committed to a file that goes meanwhile is there when the file comes back, so
// nobody is told that nothing was saved.
func TestAFileThatGoesDuringAWrite(t *testing.T) {
	user := model.UserIDOf("x")
	s := openAt(t, filepath.Join(t.TempDir(), "amid.db"))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
		return errors.Join(os.Rename(s.path, s.path+".away"),
			tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}))
	})
	for _, want := range []error{store.ErrFileReplacedAmid, store.ErrOutcomeUnknown, store.ErrFileReplaced,
		store.ErrUnavailable} {
		if !errors.Is(err, want) {
			t.Errorf("%v is not %v", err, want)
		}
	}
	if shown, ok := errors.AsType[*model.Error](err); !ok || shown.Error() != store.ErrFileReplacedAmid.Error() {
		t.Errorf("a client is told %v", shown)
	}
	if err := os.Rename(s.path+".away", s.path); err != nil {
		t.Fatal(err)
	}
	if got, err := s.User(t.Context(), user); err != nil || got.Settings.TimeZone != "UTC" {
		t.Errorf("when it is back: %v %v", got.Settings, err)
	}
}

// TestAReplacedFileKeepsItsLog: the store that is left with the old files must touch neither the new ones' content, by
// a connection that it opens by their name, nor their log, which closing a connection of SQLite removes.
func TestAReplacedFileKeepsItsLog(t *testing.T) {
	user := model.UserIDOf("x")
	path := filepath.Join(t.TempDir(), "replaced.db")
	old, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(old.Migrate(t.Context()), saveSettings(t, old, user, "UTC")); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range suffixes {
		if err := os.Remove(path + suffix); err != nil {
			t.Fatal(err)
		}
	}
	fresh := openAt(t, path)
	if err := errors.Join(fresh.Migrate(t.Context()), saveSettings(t, fresh, user, "Asia/Jerusalem")); err != nil {
		t.Fatal(err)
	}
	if _, err := old.readers.open(); !errors.Is(err, store.ErrFileReplaced) {
		t.Errorf("a new connection for reading: %v", err)
	}
	if err := old.Close(); !errors.Is(err, store.ErrFileReplaced) {
		t.Errorf("Close: %v", err)
	}
	if err := saveSettings(t, fresh, user, "Europe/Berlin"); err != nil {
		t.Errorf("the new file's store: %v", err)
	}
}

// TestAFullDisk: a write that SQLite has no room for is refused as such and leaves nothing; reading goes on, and
// writing when there is room again, which readiness finds out by itself.
func TestAFullDisk(t *testing.T) {
	user := model.UserIDOf("x")
	s := openAt(t, filepath.Join(t.TempDir(), "full.db"))
	if err := errors.Join(s.Migrate(t.Context()), saveSettings(t, s, user, "UTC")); err != nil {
		t.Fatal(err)
	}
	limit := func(pages string) {
		t.Helper()
		if err := script(s.writer.Conn, "PRAGMA max_page_count = "+pages+";"); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // it cannot be less than the file has
	large := func() error {
		return s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.SaveSettings(ctx, model.Settings{TimeZone: "Asia/Jerusalem", Locale: "en",
				WeekStart: model.Sunday}); err != nil {
				return err
			}
			return s.exclusively(ctx, func(q *session) error {
				_, err := q.write(`INSERT INTO secrets (name, value) VALUES ('large', zeroblob(1000000))`)
				return err
			})
		})
	}
	for what, err := range map[string]error{"write": large(), "ready": s.Ready(t.Context())} {
		if !errors.Is(err, store.ErrDiskFull) || !errors.Is(err, store.ErrUnavailable) ||
			model.CodeOf(err) != model.CodeUpstreamUnavailable {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, err := s.User(t.Context(), user); err != nil || got.Settings.TimeZone != "UTC" {
		t.Errorf("reading: %v %v", got.Settings, err)
	}
	limit("1000000")
	if err := errors.Join(s.Ready(t.Context()), large()); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if _, there, err := (&session{conn: s.writer}).number(`SELECT 1 FROM secrets WHERE name = 'probe'`); there ||
		err != nil {
		t.Errorf("the trial is left in the file: %v", err)
	}
}
