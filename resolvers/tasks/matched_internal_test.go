package tasks

import (
	"context"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/teststore"
	"almanac/resolvers/core"
)

// Texts are matched while no transaction is open. A task that is changed meanwhile has them matched again; when that
// goes on for ever the caller is told to come again, and nothing was done.
func TestTextsAreMatchedWithoutALock(t *testing.T) {
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	user := model.UserIDOf("dana")
	number := byte(0)
	insert := func(ctx context.Context) error {
		number++
		return s.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{{ID: model.UUID{number}, Text: "x", CreatedAt: time.Now(),
				UpdatedAt: time.Now()}})
		})
	}
	r, v := &Resolver{Base: &core.Base{Store: s}}, &core.Viewer{User: user}
	for name, c := range map[string]struct {
		changes, matched, worked int
		code                     model.ErrorCode
	}{
		"nothing changes":     {0, 1, 1, ""},
		"it changes once":     {1, 2, 1, ""},
		"it changes for ever": {1_000, 8, 0, model.CodeConflict},
	} {
		matched, worked := 0, 0
		err := writeMatched(t.Context(), r, v, func(ctx context.Context, _ namesReader) (int, error) {
			if s.InTransaction(ctx) {
				t.Errorf("%s: texts are matched in a transaction", name)
			}
			if matched++; matched <= c.changes {
				return matched, insert(ctx)
			}
			return matched, nil
		}, func(context.Context, store.Tx, int) error { worked++; return nil })
		if model.CodeOf(err) != c.code && (err != nil || c.code != "") || matched != c.matched || worked != c.worked {
			t.Errorf("%s: matched %d times, worked %d times, %v", name, matched, worked, err)
		}
	}
}
