package storetest

import (
	"context"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testShortIDs holds that records are found by the end of their ids, all that have it, and nobody else's.
func testShortIDs(t *testing.T, open Open) {
	h := newFixture(t, open)
	thief := h.as("thief of short ids")
	end := [5]byte{1, 2, 3, 4, 5}
	ending := func() model.UUID {
		id := h.ids.next()
		copy(id[11:], end[:])
		return id
	}
	task := model.Task{ID: ending(), Text: "Call mom", CreatedAt: noon, UpdatedAt: noon}
	list := model.List{ID: ending(), Name: "Shopping", CreatedAt: noon, UpdatedAt: noon}
	find := func(h *fixture, end [5]byte, most int) []model.ID {
		return must(h, func() ([]model.ID, error) { return h.IDsEnding(h.ctx, h.user, end, most) })
	}
	h.same("before", len(find(h, end, 2)), 0)
	write := func(fn func(ctx context.Context, tx store.Tx) error) {
		if err := h.Write(h.ctx, h.user, fn); err != nil {
			h.Fatal(err)
		}
	}
	write(func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{task}) })
	h.same("one", find(h, end, 2), []model.ID{{Kind: model.KindTask, UUID: task.ID}})
	write(func(ctx context.Context, tx store.Tx) error { return tx.InsertList(ctx, list) })
	h.same("two of two kinds", len(find(h, end, 5)), 2)
	h.same("at most one", len(find(h, end, 1)), 1)
	h.same("another end", len(find(h, [5]byte{1, 2, 3, 4, 6}, 2)), 0)
	h.same("somebody else's", len(find(thief, end, 2)), 0)
}
