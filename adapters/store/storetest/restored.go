package storetest

import (
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testRestored plays what a restored backup is: the log goes on elsewhere, with places of the lost history around.
func testRestored(t *testing.T, open Open) {
	h := newFixture(t, open)
	after := func(place int64) []int64 {
		t.Helper()
		return seqs(must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, place, nil, 100) }))
	}
	lost := func(places ...int64) {
		t.Helper()
		for _, place := range places {
			for _, types := range [][]model.ChangeType{nil, {model.ChangeTask}} {
				_, err := h.Changes(h.ctx, h.user, place, types, 100)
				h.fails("a place of the lost history", err, store.ErrCursorExpired)
			}
		}
	}
	for range 3 {
		h.add(h.task("in the backup"))
	}
	lost(4, 1000)
	h.same("nothing is held", must(h, func() (time.Time, error) { return h.Held(h.ctx) }), time.Time{})
	at := h.clock.Now().Truncate(time.Microsecond).UTC()
	for round := int64(1); round <= 2; round++ {
		if err := h.MarkRestored(h.ctx, at); err != nil {
			t.Fatal(err)
		}
		h.same("held since", must(h, func() (time.Time, error) { return h.Held(h.ctx) }), at)
		h.same("the log has moved", h.head(), round*store.LogSpan)
	}
	h.same("places of the backup", [][]int64{after(0), after(1), after(2), after(3), after(-1)},
		[][]int64{{1, 2, 3}, {2, 3}, {3}, {}, {1, 2, 3}})
	lost(4, 1000, store.LogSpan-1, store.LogSpan, store.LogSpan+1, 2*store.LogSpan-1, 2*store.LogSpan+1)
	h.add(h.task("after"), h.task("after"))
	first := int64(2*store.LogSpan + 1)
	h.same("what came after", [][]int64{after(2), after(3), after(2 * store.LogSpan), after(first), after(first + 1)},
		[][]int64{{3, first, first + 1}, {first, first + 1}, {first, first + 1}, {first + 1}, {}})
	lost(4, 1000, store.LogSpan, first+2)
	// The last place of the backup stays one when the changes before it are pruned.
	h.clock.advance(48 * time.Hour)
	h.add(h.task("new"))
	if err := h.Sweep(h.ctx, h.clock.Now(), 24*time.Hour); err != nil {
		t.Fatal(err)
	}
	h.same("pruned", after(-1), []int64{first + 2})
	lost(3, 4, first)
	h.same("the end of what was pruned", after(first+1), []int64{first + 2})
	for range 2 {
		if err := h.EndHold(h.ctx); err != nil {
			t.Fatal(err)
		}
	}
	h.same("nothing is held", must(h, func() (time.Time, error) { return h.Held(h.ctx) }), time.Time{})
}
