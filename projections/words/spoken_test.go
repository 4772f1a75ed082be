package words

import (
	"testing"

	"almanac/graph/model"
)

// TestOtherWays holds that what is written in one way is found when it is asked for in another.
func TestOtherWays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, content string
		found          bool
	}{
		{"17/6", "Michal was born on 17 June 1988", true},
		{"June seventeenth", "born on 17.6.1988", true},
		{"17.6.1988", "born on June 17th, 1988", true},
		{"חמישה במאי", "יום ההולדת ב-5.5", true},
		{"5/5", "יום ההולדת בחמישה במאי", true},
		{"8 December", "renews in December", false},
		{"three hundred and ten", "the permit costs 310", true},
		{"310", "עולה שלוש מאות ועשרה שקלים", true},
		{"Yehoshua", "יהושע השרברב", true},
		{"ג'סיקה", "Jessica declined", true},
		{"ליהושע", "Yehoshua called", true},
		{"Yehoshua", "שולמית", false},
	} {
		search := Query(c.query)
		found := false
		for _, weight := range Match(search, Entries(model.Memory{Content: c.content})) {
			found = found || weight > 0
		}
		if found != c.found {
			t.Errorf("%q in %q: %v", c.query, c.content, found)
		}
	}
}

// TestSettle holds that only a term that is found nowhere is looked for by related words, and that the query that was
// given stays as it was.
func TestSettle(t *testing.T) {
	t.Parallel()
	query := Query("attorney Smith 42")
	entries := Entries(model.Memory{Content: "the lawyer's office"})
	settled, again := Settle(query, []int{0, 0, 0})
	if len(again) != 1 || again[0] != 0 || Match(settled, entries)[0] <= 0 || Match(query, entries)[0] != 0 {
		t.Errorf("%v: %v", again, settled)
	}
	misspelled, again := Settle(Query("volunteerd"), []int{0})
	if len(again) != 1 || Match(misspelled, Entries(model.Memory{Content: "I volunteered to count"}))[0] <= 0 {
		t.Errorf("a misspelled word is not looked for by its beginning: %v", misspelled)
	}
	if same, again := Settle(query, []int{1, 0, 0}); len(again) > 0 || &same.Terms[0] != &query.Terms[0] {
		t.Errorf("a word that is there is looked for otherwise: %v", again)
	}
}
