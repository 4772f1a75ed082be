package sqlite_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
)

// TestDueSyncsAreLookedForAgain: what another process claims between the look and the claim is not claimed twice.
func TestDueSyncsAreLookedForAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "syncs.db")
	var (
		other    *sqlite.Store
		between  atomic.Int32
		anothers []store.SyncState
	)
	now, user, connection := time.Unix(1e9, 0).UTC(), model.UserIDOf("dana"), model.UUID{1}
	claim := func(s *sqlite.Store) []store.SyncState {
		t.Helper()
		states, err := s.ClaimSyncs(t.Context(), now, now.Add(time.Hour), 10)
		if err != nil {
			t.Fatal(err)
		}
		return states
	}
	s := open(t, sqlite.Options{Path: path, Trace: func(sql string) {
		if strings.Contains(sql, "sync_states_due") && between.Add(1) == 1 {
			anothers = claim(other)
		}
	}})
	other = open(t, sqlite.Options{Path: path})
	err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.SaveConnection(ctx, model.Connection{ID: connection, Provider: model.ProviderGoogle, Account: "a"},
			model.Credentials{}); err != nil {
			return err
		}
		return s.SaveSyncState(ctx, store.SyncState{User: user, Connection: connection, NextAt: now})
	})
	if err != nil {
		t.Fatal(err)
	}
	if own := claim(s); len(anothers) != 1 || len(own) != 0 {
		t.Errorf("the other process claimed %d, this one %d; want 1 and 0", len(anothers), len(own))
	}
}
