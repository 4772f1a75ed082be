package postgres

import (
	"slices"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// TestWhatIsWorthMeasuring: of those that words found only what can be among the best is measured, and what may not be
// a hit at all does not count among the best.
func TestWhatIsWorthMeasuring(t *testing.T) {
	k := &seeker{depth: 2, search: store.Looking{SimilarityWeight: 0.5, KeywordWeight: 0.5, MinSimilarity: 0.25}}
	found := &worded{
		query: model.SearchWords{Terms: []model.SearchTerm{{}, {}}}, counts: []int{1, 1}, rows: []int32{9, 8, 7, 3},
		forms: []wordForm{
			{term: 0, weight: 1, rows: []int32{9, 8}, whole: true},
			{term: 1, weight: 1, rows: []int32{9, 7}}, // older ones than 7 may have it
		},
	}
	least, most := found.bounds([]int32{9, 8, 7, 3})
	if want := []float64{1, 0.5, 0.5, 0}; !slices.Equal(least, want) {
		t.Errorf("the least is %v, want %v", least, want)
	}
	if want := []float64{1, 0.5, 0.5, 0.5}; !slices.Equal(most, want) {
		t.Errorf("the most is %v, want %v", most, want)
	}
	near := &nearest{list: []near{{n: 1, similarity: 0.75}, {n: 2, similarity: 0.2}}, rest: 0.125}
	all := k.candidates(found, near)
	// 9 has both words; 1 is near, and may have the second word; 8 and 7 have one word each; 3 may have one; 2 is neither
	// near enough for a hit nor sure to have a word.
	if got, want := k.enough(all), 0.375; got != want {
		t.Errorf("the second best is worth at least %v, want %v", got, want)
	}
	k.depth = 4
	if got, want := k.enough(all), 0.25; got != want {
		t.Errorf("the fourth best is worth at least %v, want %v", got, want)
	}
	k.depth = 5
	if got := k.enough(all); got != -1 {
		t.Errorf("the fifth best may be none, and is worth at least %v", got)
	}
	k.depth = 7
	if got := k.enough(all); got != -1 {
		t.Errorf("there is no seventh, and it is worth at least %v", got)
	}
}
