package projections_test

import (
	"fmt"
	"slices"
	"testing"

	"almanac/graph/model"
	"almanac/projections"
)

// TestImportReportMakesWhatIsAskedFor reads a page of the report on a file with very many entries.
func TestImportReportMakesWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	made := 0
	report := projections.ImportReport{Count: 300_000, Outcome: func(place int) model.ImportOutcome {
		if place%2 == 0 {
			return model.ImportCreated
		}
		return model.ImportRefused
	}, Entry: func(place int) projections.ImportEntry {
		made++
		return projections.ImportEntry{Line: place}
	}}
	lines := func(outcomes []model.ImportOutcome, first, skip int32) []int {
		t.Helper()
		entries, err := report.Entries(outcomes, first, skip)
		if err != nil {
			t.Fatal(err)
		}
		var out []int
		for _, entry := range entries {
			out = append(out, entry.Line)
		}
		return out
	}
	refused := []model.ImportOutcome{model.ImportRefused}
	for _, c := range []struct{ got, want []int }{
		{lines(nil, 3, 0), []int{0, 1, 2}},
		{lines(refused, 2, 10), []int{21, 23}},
		{lines(refused, 100, 149_999), []int{299_999}},
		{lines(refused, 100, 150_000), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if made != 6 {
		t.Errorf("%d entries were made", made)
	}
	for _, c := range [][2]int32{{0, 0}, {101, 0}, {1, -1}} {
		if _, err := report.Entries(nil, c[0], c[1]); model.CodeOf(err) != model.CodeBadUserInput {
			t.Error(fmt.Sprint(c, err))
		}
	}
}
