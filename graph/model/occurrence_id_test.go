package model_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"almanac/graph/model"
)

// Ids of occurrences are written as the layouts say, in every year that a time can have.
func TestOccurrenceIDsAreTimesInTheirLayouts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, at := range []time.Time{{}, time.Unix(0, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(-1, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 1, 1, 2, 3, 4, time.FixedZone("", 5*60*60))} {
		for range 1_000 {
			for isDay, layout := range map[bool]string{false: "20060102T150405Z", true: "20060102"} {
				if got, want := model.OccurrenceID("s", at, isDay), "s_"+at.UTC().Format(layout); got != want {
					t.Fatalf("%v: got %s, want %s", at, got, want)
				}
			}
			at = time.Unix(random.Int64N(500_000_000_000)-100_000_000_000, 0)
		}
	}
}
