package core

import (
	"testing"

	"almanac/graph/model"
)

// Matching runs while the user's writes wait, so its work is bounded, however many texts and tasks there are.
func TestMatchingIsBounded(t *testing.T) {
	for _, c := range []struct {
		lookedFor, lookedAt int
		refused             bool
	}{
		{0, 1 << 40, false},
		{200 * 30, 5_000 * 30, false}, // two hundred texts against five thousand tasks of a person
		{1, maxMatching, false},
		{1, maxMatching + 1, true},
		{200 * 310, 2_000 * 2_000, true},
		{1 << 40, 1 << 40, true},
	} {
		err := Affordable("input.texts", c.lookedFor, c.lookedAt)
		if (err != nil) != c.refused {
			t.Errorf("%d against %d: %v", c.lookedFor, c.lookedAt, err)
		}
		if err != nil && model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%d against %d: code %s", c.lookedFor, c.lookedAt, model.CodeOf(err))
		}
	}
}
