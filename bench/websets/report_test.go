//go:build bench

package websets_test

import (
	"testing"

	"almanac/bench/websets"
)

// The bounds, a median of 500 bytes, 1 KB at p95 and ten times below what is sent, hold for items of one
// criterion and one enrichment; each criterion more takes some 50 bytes, each enrichment more some 140, and of four the
// fields alone are twice as much.
func TestItemsAreSmall(t *testing.T) {
	t.Parallel()
	sizes, err := websets.Measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all := websets.All(sizes); len(all) < 500 || all.Times(0.5) < 10 {
		t.Errorf("%d items were measured, %.1f times smaller in the median", len(all), all.Times(0.5))
	}
	for shape, of := range sizes {
		median, late := of.At(0.5), of.At(0.95)
		if shape.Criteria <= 1 && shape.Enrichments <= 1 && median.Projected > 500 {
			t.Errorf("%+v: a median of %d bytes", shape, median.Projected)
		}
		if shape.Enrichments <= 2 && late.Projected > 1000 {
			t.Errorf("%+v: %d bytes at p95", shape, late.Projected)
		}
	}
}
