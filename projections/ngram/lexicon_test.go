package ngram

import (
	"slices"
	"strings"
	"testing"

	"almanac/projections/fold"
)

// TestLexicon holds the file to its own rules.
func TestLexicon(t *testing.T) {
	t.Parallel()
	lines, domains := 0, 0
	for line := range strings.Lines(lexiconText) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if name, found := strings.CutPrefix(line, "= "); found {
			domains++
			if name == "" || strings.Contains(name, "|") {
				t.Errorf("%q is no name of a part", line)
			}
			continue
		}
		lines++
		line = strings.TrimPrefix(line, "~ ")
		english, other, found := strings.Cut(line, " | ")
		if !found || strings.ContainsAny(other, "|abcdefghijklmnopqrstuvwxyz") ||
			strings.ContainsFunc(english, func(r rune) bool { return r > 0x7f }) {
			t.Errorf("%q is not English, a bar, Hebrew", line)
		}
		var all []string
		for _, expression := range strings.Split(english+","+other, ",") {
			key := fold.Text(expression)
			if key == "" || slices.Contains(all, key) {
				t.Errorf("%q: %q is blank or there twice", line, expression)
			}
			if words := piecesOf(key); len(words) > 3 {
				t.Errorf("%q: %q has %d words", line, expression, len(words))
			}
			all = append(all, key)
		}
	}
	if lines < 500 || domains < 5 {
		t.Errorf("%d concepts in %d parts", lines, domains)
	}
}

// TestEveryWordLeadsHome holds that each expression of the lexicon, also with a Hebrew prefix before it, has what it
// means in its vector.
func TestEveryWordLeadsHome(t *testing.T) {
	t.Parallel()
	l := dictionary()
	var c concept
	for line := range strings.Lines(lexiconText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "= "):
			c.domain++
			continue
		}
		c.number++
		line, c.weak = strings.CutPrefix(line, "~ ")
		for _, expression := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == '|' }) {
			if got := l.meaning(expression); !slices.Contains(got, c) {
				t.Errorf("%q does not mean what is on the line of %q", expression, line)
			}
		}
	}
}

// meaning is what a whole expression stands for.
func (l *lexicon) meaning(expression string) []concept {
	var all []said
	for _, p := range piecesOf(fold.Text(expression)) {
		all = append(all, said{stem: familyStem.hash(stemOf(unquoted(p.text)))})
	}
	h := all[0].stem
	for _, next := range all[1:] {
		h = join(h, next.stem)
	}
	return l.concepts[h]
}

func piecesOf(text string) []piece {
	var all []piece
	for {
		p, rest, ok := scan(text)
		if !ok {
			return all
		}
		all, text = append(all, p), rest
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ word, base, other string }{
		{"לחלב", "חלב", ""},
		{"ולכשהרופא", "רופא", ""},
		{"בית", "בית", ""},
		{"מפתח", "מפתח", ""},
		{"שלו", "שלו", ""},
		{"אבנר", "אבנר", ""},
		{"לצוקרמנ", "לצוקרמנ", "צוקרמנ"},
		{"הלב", "לב", ""},
		{"מד", "מד", ""},
	} {
		if base, other := dictionary().divide(c.word); base != c.base || other != c.other {
			t.Errorf("%s: %q, %q", c.word, base, other)
		}
	}
}

func TestStems(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"party", "parties"}, {"box", "boxes"}, {"plan", "plans", "planned", "planning"}, {"recipe", "recipes", "recipe's"},
		{"stop", "stopped"}, {"class", "classes"},
		{"תרופה", "תרופות", "תרופת"}, {"מכונית", "מכוניות"}, {"רופא", "רופאימ", "רופאה"},
	} {
		for _, word := range same[1:] {
			if stemOf(word) != stemOf(same[0]) {
				t.Errorf("%s and %s: %s, %s", same[0], word, stemOf(same[0]), stemOf(word))
			}
		}
	}
	for _, word := range []string{"bus", "glass", "red", "ring", "is", "שיר", "ימ", "עט", "ה"} {
		if stemOf(word) != word {
			t.Errorf("%s became %s", word, stemOf(word))
		}
	}
}

func TestScan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"don't stop":                {"don't", "stop"},
		`רח' הרצל 12, צה"ל`:         {"רח", "הרצל", "12", `צה"ל`},
		"a-b":                       {"a", "b"},
		"call (02) 555-1234 now":    {"call", "02) 555-1234", "now"},
		"+972 50 999 9999.":         {"+972 50 999 9999"},
		"rooms 3, 4":                {"rooms", "3", "4"},
		"12.5.2026 at 18:30":        {"12.5.2026", "at", "18:30"},
		"50ml":                      {"50", "ml"},
		"日本go":                      {"日本", "go"},
		"1--2":                      {"1", "2"},
		"":                          nil,
		"wi-fi ב-5 בערב \u2014 סוף": {"wi", "fi", "ב", "5", "בערב", "סוף"},
	} {
		var got []string
		for _, p := range piecesOf(text) {
			got = append(got, p.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
