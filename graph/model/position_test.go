package model_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
)

// Wherever something is put among others, it is there by comparing texts, and there is room for the next.
func TestPositionBetween(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	id := func(i int) model.UUID { return model.UUID{1, 0x99, byte(i >> 8), byte(i)} }
	for range 50 {
		order := []string{model.NewPosition(id(0)), model.NewPosition(id(16)), model.NewPosition(id(17))}
		for i := range 200 {
			at := random.IntN(len(order) + 1)
			after, before := "", ""
			if at > 0 {
				after = order[at-1]
			}
			if at < len(order) {
				before = order[at]
			}
			got := model.PositionBetween(after, before, id(100+i))
			if got <= after || before != "" && got >= before || strings.HasSuffix(got, "0") || strings.Trim(got,
				"0123456789abcdef") != "" {
				t.Fatalf("%q is not between %q and %q", got, after, before)
			}
			order = slices.Insert(order, at, got)
		}
	}
}

// What is moved to the front or to the end again and again keeps positions short, and leaves the end to what is new.
func TestPositionsAtTheEndsDoNotGrow(t *testing.T) {
	now := model.UUID{1, 0x99, 5}
	first, last := model.NewPosition(model.UUID{1, 0x99, 1}), model.NewPosition(model.UUID{1, 0x99, 2})
	for range 10_000 {
		first = model.PositionBetween("", first, now)
	}
	last = model.PositionBetween(last, "", now)
	if len(first) > 40 || len(last) > 40 {
		t.Errorf("the positions are %q and %q", first, last)
	}
	if next := model.NewPosition(model.UUID{1, 0x99, 6}); next <= last {
		t.Errorf("what is created after a move, %q, is before what was moved, %q", next, last)
	}
}

// Thousands of moves into one gap are allowed.
func TestPositionsInOneGap(t *testing.T) {
	after, before := model.NewPosition(model.UUID{1}), model.NewPosition(model.UUID{2})
	for range 3_000 {
		before = model.PositionBetween(after, before, model.UUID{9})
	}
	if len(before) > model.MaxPosition {
		t.Errorf("3,000 moves into one gap make %d digits", len(before))
	}
}
