package words

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"almanac/graph/model"
)

func terms(n int) model.SearchWords {
	var q model.SearchWords
	for i := range n {
		q.Terms = append(q.Terms, model.SearchTerm{Forms: []model.TermForm{{Term: fmt.Sprint("w", i), Weight: 1}}})
	}
	return q
}

func TestScore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		n     int
		found []int
		best  []float64
		want  float64
	}{
		{"no query", 0, nil, nil, 0},
		{"all, exactly", 3, []int{1, 500, Common}, []float64{1, 1, 1}, 1},
		{"none", 2, []int{1, 2}, []float64{0, 0}, 0},
		{"half of it", 1, []int{7}, []float64{0.5}, 0.5},
		{"two that are as rare", 2, []int{9, 9}, []float64{1, 0}, 0.5},
		{"the rare one", 2, []int{1, Common}, []float64{1, 0}, 0.9088},
		{"the common one", 2, []int{1, Common}, []float64{0, 1}, 0.0912},
		{"counts beyond Common", 2, []int{math.MaxInt, Common}, []float64{1, 0}, 0.5},
		{"what nobody wrote", 2, []int{1, 0}, []float64{1, 0}, 0.6647},
		{"nothing but what nobody wrote", 1, []int{0}, []float64{0}, 0},
		{"counts that are missing", 2, nil, []float64{1, 0}, 0.5},
		{"negative counts", 2, []int{-5, -5}, []float64{1, 0}, 0.5},
		{"weights that are missing", 2, []int{1, 1}, []float64{1}, 0.5},
		{"weights out of range", 3, []int{1, 1, 1}, []float64{7, -7, math.NaN()}, 1. / 3},
		{"infinite weights", 2, []int{1, 1}, []float64{math.Inf(1), math.Inf(-1)}, 0.5},
		{"more weights than terms", 1, []int{1, 1}, []float64{1, 1}, 1},
	} {
		if got := Score(terms(c.n), c.found, c.best); math.Abs(got-c.want) > 1e-4 || math.IsNaN(got) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestScoreIsMonotone(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	for range 5_000 {
		n := 1 + random.IntN(6)
		found, best := make([]int, n), make([]float64, n)
		for i := range n {
			found[i], best[i] = random.IntN(Common+1), random.Float64()
		}
		before := Score(terms(n), found, best)
		at := random.IntN(n)
		better := append([]float64(nil), best...)
		better[at] += (1 - better[at]) * random.Float64()
		after := Score(terms(n), found, better)
		if before < 0 || before > 1 || after < before || after > 1 {
			t.Fatalf("found %v: %v has %v, and %v has %v", found, best, before, better, after)
		}
		// The rarer the term that is there, the better.
		alone := make([]float64, n)
		alone[at] = 1
		rarer := append([]int(nil), found...)
		if found[at] = max(found[at], 2); n > 1 {
			rarer[at] = found[at] - 1
			if Score(terms(n), rarer, alone) <= Score(terms(n), found, alone) {
				t.Fatalf("found %v counts no more than %v", rarer, found)
			}
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	entries := []string{"hbc", "wab", "wabcd", "wabcdefgh", "wx"}
	form := func(term string, prefix bool, weight float64) model.TermForm {
		return model.TermForm{Term: term, Prefix: prefix, Weight: weight}
	}
	for _, c := range []struct {
		name  string
		forms []model.TermForm
		want  float64
	}{
		{"no form", nil, 0},
		{"the entry", []model.TermForm{form("wab", false, 0.7)}, 0.7},
		{"no entry", []model.TermForm{form("wa", false, 1)}, 0},
		{"the shortest that begins so", []model.TermForm{form("wabc", true, 1)}, 0.75},
		{"the best form", []model.TermForm{form("wabc", true, 0.4), form("hbc", false, 0.9)}, 0.9},
		{"a beginning may be all of it", []model.TermForm{form("wx", true, 0.5)}, 0.5},
		{"behind the last", []model.TermForm{form("wz", true, 1)}, 0},
		{"a weight out of range", []model.TermForm{form("wab", false, 9)}, 1},
		{"a negative weight", []model.TermForm{form("wab", false, -1)}, 0},
		{"no number", []model.TermForm{form("wab", false, math.NaN())}, 0},
		{"an empty beginning", []model.TermForm{form("", true, 1)}, 0},
	} {
		got := Match(model.SearchWords{Terms: []model.SearchTerm{{Forms: c.forms}}}, entries)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := Match(terms(2), nil); len(got) != 2 || got[0] != 0 {
		t.Errorf("without entries: %v", got)
	}
}

// The text of an average memory, in both languages.
const (
	english = "The WiFi password at the summer house is sunflower1987; ask Dana (050-9999999) if it does not work any more"
	ivrit   = "הסיסמה של הוויפי בבית הקיץ היא חמנייה 1987, ואם היא לא עובדת אפשר להתקשר לדנה בטלפון 050-9999999"
)

func BenchmarkEntries(b *testing.B) {
	for name, content := range map[string]string{"english": english, "hebrew": ivrit,
		"long": strings.Repeat(english+" ", 180)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Entries(note(content))
			}
		})
	}
}

func BenchmarkQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Query("מה הסיסמה של הוויפי בבית הקיץ? wifi password")
	}
}

func BenchmarkMatch(b *testing.B) {
	for name, query := range map[string]string{"english": "summer house wifi password",
		"hebrew": "מה הסיסמה של הוויפי בבית הקיץ"} {
		for entryName, content := range map[string]string{"english": english, "hebrew": ivrit} {
			b.Run(name+" in "+entryName, func(b *testing.B) {
				q, entries := Query(query), Entries(note(content))
				b.ReportMetric(float64(len(entries)), "entries")
				b.ReportAllocs()
				for b.Loop() {
					Match(q, entries)
				}
			})
		}
	}
}
