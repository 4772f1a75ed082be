package numerals

import (
	"strings"
	"testing"

	"almanac/projections/fold"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Number{
		"three hundred and ten":          {Value: 310, Words: 4},
		"one thousand two hundred forty": {Value: 1240, Words: 5},
		"twenty-first":                   {Value: 21, Words: 1, Ordinal: true},
		"five":                           {Value: 5, Words: 1},
		"four million":                   {Value: 4_000_000, Words: 2},
		"two and bread":                  {Value: 2, Words: 1},
		"שלוש מאות שקל":                  {Value: 300, Words: 2},
		"ארבע מאות ועשרה":                {Value: 410, Words: 3},
		"עשרים ואחד בינואר":              {Value: 21, Words: 2},
		"השישה עשר":                      {Value: 16, Words: 2},
		"אלפיים ושלוש":                   {Value: 2003, Words: 2},
		"שלושת אלפים וחמש מאות":          {Value: 3500, Words: 4},
		"מאתיים חמישים":                  {Value: 250, Words: 2},
		"בחמישה במאי":                    {Value: 5, Words: 1},
	} {
		got, ok := Read(strings.Fields(fold.Text(text)))
		if !ok || got != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for _, none := range []string{"bread", "310", "לחם"} {
		if got, ok := Read(strings.Fields(fold.Text(none))); ok {
			t.Errorf("%q: %+v", none, got)
		}
	}
}

func TestReadDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Day{
		"17 june":         {17, 6, 0, 2},
		"june 17th 2026":  {17, 6, 2026, 3},
		"march the third": {3, 3, 0, 3},
		"fourth of april": {4, 4, 0, 3},
		"ב-7 במרץ":        {},
		"7 במרץ 2027":     {7, 3, 2027, 3},
		"בחמישה במאי":     {5, 5, 0, 2},
		"לעשרים ושניים בדצמבר בערב": {22, 12, 0, 3},
		"the end of march":            {},
		"september twenty second now": {22, 9, 0, 3},
		"40 may":                      {},
	} {
		got, ok := ReadDay(strings.Fields(fold.Text(text)))
		if ok != (want != Day{}) || got != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
