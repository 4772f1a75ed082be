package plan

import (
	"strings"
	"testing"

	"almanac/bench/sentences/framed"
)

// TestFramesNeverWrite holds that no question of bench/sentences/dev/frames.txt has a plan that changes anything, with
// a question mark and as it is written, in capitals, behind courtesy and behind a time.
func TestFramesNeverWrite(t *testing.T) {
	questions, err := framed.Read("../../bench/sentences/dev/frames.txt", 100)
	if err != nil {
		t.Fatal(err)
	}
	said := said(t, "en")
	n := 0
	for _, q := range questions {
		marked := strings.TrimSuffix(q.Text, "?") + "?"
		texts := []string{q.Text, marked}
		if q.Lang == "en" {
			texts = append(texts, strings.ToUpper(q.Text[:1])+q.Text[1:], strings.ToUpper(marked),
				"hi, "+q.Text, "please "+marked, "so "+marked, "tomorrow, "+marked)
		} else {
			texts = append(texts, "היי, "+q.Text, "בבקשה "+marked, "אז "+marked, "מחר, "+marked)
		}
		for _, text := range texts {
			n++
			if p, err := Understand(text, said); err == nil && !p.Tool.Reads() {
				t.Errorf("%q: %s", text, everyday(p))
			}
		}
	}
	if n < 3000 {
		t.Errorf("%d questions, want 3,000", n)
	}
	t.Log(n, "questions")
}
