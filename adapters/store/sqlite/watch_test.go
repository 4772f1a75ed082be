package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// TestOtherChangesLeaveTheSettingsAlone: whoever remembers settings is not signalled for what did not change them; for
// what another process did, which nobody knows, they are.
func TestOtherChangesLeaveTheSettingsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "watch.db")
	s := openAt(t, path)
	defer func() { _ = s.Close() }()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	user, at := model.UserIDOf("x"), time.Unix(1e9, 0)
	adds := func(n int) func(context.Context, store.Tx) error {
		return func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{{ID: model.UUID{byte(n)}, Text: "x", CreatedAt: at, UpdatedAt: at}})
		}
	}
	saves := func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday})
	}
	write := func(s *Store, fn func(context.Context, store.Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), user, fn); err != nil {
			t.Fatal(err)
		}
	}
	settings, stop := s.WatchSettings(user)
	defer stop()
	all, stopAll := s.Watch(user)
	defer stopAll()
	for n := range 20 {
		write(s, adds(n))
		if len(all) != 1 || len(settings) != 0 {
			t.Fatalf("task %d: %d signals, %d of settings", n, len(all), len(settings))
		}
		<-all
	}
	failed := errors.New("failed")
	if err := s.Write(t.Context(), user, func(ctx context.Context,
		tx store.Tx) error {
		return errors.Join(saves(ctx, tx), failed)
	}); !errors.Is(err, failed) {
		t.Fatal(err)
	}
	if len(all) != 0 || len(settings) != 0 {
		t.Error("a signal of what was rolled back")
	}
	write(s, saves)
	if len(all) != 1 || len(settings) != 1 {
		t.Errorf("settings: %d signals, %d of settings", len(all), len(settings))
	}
	<-settings
	write(openAt(t, path), adds(100))
	select {
	case <-settings:
	case <-time.After(20 * time.Second):
		t.Error("another process's write was not heard of")
	}
}
