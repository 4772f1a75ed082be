package postgres_test

import (
	"context"
	"errors"
	"testing"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/teststore"
)

// TestRoundTripsOfWrites holds how many round trips to the server a transaction takes: what may go together goes
// together.
func TestRoundTripsOfWrites(t *testing.T) {
	t.Parallel()
	sent := &reached{}
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t), Trace: sent.trace})
	look := func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.TaskByText(ctx, dana, "nobody's", 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("TaskByText: %v", err)
		}
		return nil
	}
	add := func(ctx context.Context, tx store.Tx) error { return tx.AddTasks(ctx, []model.Task{newTask("x")}) }
	if err := insert(t.Context(), s, dana, newTask("makes the user")); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	for _, one := range []struct {
		what  string
		steps []func(ctx context.Context, tx store.Tx) error
		trips int
	}{
		{"begin, look; add, commit", []func(ctx context.Context, tx store.Tx) error{look, add}, 2},
		{"begin; add, commit", []func(ctx context.Context, tx store.Tx) error{add, add}, 2},
		{"begin, look; add, look; commit", []func(ctx context.Context, tx store.Tx) error{look, add, look}, 3},
		{"nothing", []func(ctx context.Context, tx store.Tx) error{
			func(context.Context, store.Tx) error { return failed }}, 0},
		{"begin, look; roll back", []func(ctx context.Context, tx store.Tx) error{look,
			func(context.Context, store.Tx) error { return failed }}, 2},
	} {
		before := sent.count()
		err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
			for _, step := range one.steps {
				if err := step(ctx, tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, failed) {
			t.Errorf("%s: %v", one.what, err)
		}
		if got := sent.count() - before; got != one.trips {
			t.Errorf("%s: %d round trips, want %d", one.what, got, one.trips)
		}
	}
}
