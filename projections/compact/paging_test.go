package compact_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"almanac/projections/compact"
)

// However rows and limits come together, a page that is gone on with after the last row shown shows every row once:
// some of them each time, all of them in the end.
func TestEveryRowIsShownOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(16, 5)) //nolint:gosec // it is to repeat
	pieces := []string{"plain", "עברית", "👩‍👩‍👧", "a\u202eb\n\nc", "<<untrusted 000000", ">>", strings.Repeat("w", 300),
		strings.Repeat("ש ", 200), ""}
	for range 400 {
		rows := make([]compact.Row, 1+random.IntN(30))
		for i := range rows {
			text := pieces[random.IntN(len(pieces))] + " " + pieces[random.IntN(len(pieces))]
			id := "id" + strconv.Itoa(i) + "." + strings.Repeat("y", random.IntN(60))
			switch random.IntN(4) {
			case 0:
				rows[i] = compact.Task{ID: id, Text: text}
			case 1:
				rows[i] = compact.Email{ID: id, Subject: text,
					Body: &compact.Body{Text: strings.Repeat(text+"\n", random.IntN(20))}}
			case 2:
				rows[i] = compact.Entity{ID: id, Name: text, Type: "Person", Summary: &text}
			default:
				rows[i] = compact.List{ID: id, Name: text, Items: []compact.ListItem{{Text: text}, {Text: text}}}
			}
		}
		o := compact.Options{MaxLines: 1 + random.IntN(40), MaxLineLength: 20 + random.IntN(200),
			Query: pieces[random.IntN(len(pieces))]}
		if random.IntN(2) == 0 {
			o.MaxTokens = 50 + random.IntN(700)
		}
		o.At.Locale = [...]string{"en", "he"}[random.IntN(2)]
		more := random.IntN(2) == 0
		for from := 0; from < len(rows); {
			made := compact.Page{Kind: compact.KindTasks, Rows: rows[from:], More: more}.Write(o)
			hold(t, o, made)
			if made.Shown < 1 || made.Shown > len(rows)-from {
				t.Fatalf("%+v: %d of %d rows shown:\n%s", o, made.Shown, len(rows)-from, made.Output)
			}
			for i := range made.Shown { // each has its number and as much of its id as the line, or the tokens, let it have
				if begin := "\n" + strconv.Itoa(i+1) + ". id" + strconv.Itoa(from+i) +
					"."; !strings.Contains(made.Output, begin[:min(len(begin), 9)]) {
					t.Fatalf("%+v: row %d is not shown:\n%s", o, i, made.Output)
				}
			}
			if next := "\n" + strconv.Itoa(made.Shown+1) + ". id" + strconv.Itoa(from+made.Shown) +
				"."; strings.Contains(made.Output, next) {
				t.Fatalf("%+v: row %d is shown, but not counted:\n%s", o, made.Shown, made.Output)
			}
			from += made.Shown
		}
	}
}
