package ngram

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/projections/vector"
)

func similarity(a, b string) float64 { return vector.Cosine(Embed(a), Embed(b)) }

// TestSame holds what must make no difference at all.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{
		{"Milk and BREAD", "milk and bread"},
		{"שָׁלוֹם עוֹלָם", "שלום עולם"},
		{"café", "cafe"},
		{"050-999-9999", "+972 50 9999999"},
		{"(02) 555-1234", "025551234"},
		{"00972-52-773-1940", "0527731940"},
		{"12.5.2026", "2026-05-12"},
		{"12/05/2026", "12-5-2026"},
		{"48,213", "48213"},
		{"84-612-35", "8461235"},
		{"3051 8842 1190 7743", "3051-8842-1190-7743"},
		{"צה״ל", `צה"ל`},
		{"  two\n\twords ", "two words"},
	} {
		if got := similarity(same[0], same[1]); got < 0.999999 {
			t.Errorf("%q and %q: %.4f", same[0], same[1], got)
		}
	}
}

// TestNearer holds which of two texts is nearer to a query, by a margin that chance does not give.
func TestNearer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, near, far string }{
		{"חלב", "לקנות לחלב", "לקנות ללחם"},
		{"doctor", "רופא בעיר", "מורה בעיר"},
		{"רופא", "the physician called", "the plumber called"},
		{"wifi password", "סיסמת האינטרנט האלחוטי", "קוד לשער"},
		{"האינטרנט האלחוטי", "wi-fi at home", "water at home"},
		{"המכונית במוסך", "the car is at the mechanic", "the cat is at the vet"},
		{"ג'ונס", "Jones", "Brown"},
		{"Zuckerman", "צוקרמן", "רבינוביץ"},
		{"Weizmann", "ויצמן", "סוקולוב"},
		{"docter", "doctor", "lawyer"},
		{"restarant", "מסעדה", "מספרה"},
		{"Zilberstien", "Zilberstein", "Rabinovich"},
		{"תוכנית", "תכנית", "תמונה"},
		{"טיולים", "טיול", "בישול"},
		{"3 במרץ", "on 3 March", "on 4 March"},
		{"March 3, 2025", "3.3.2025", "4.3.2025"},
		{"ובבית הספר", "בית ספר", "ספר על בית"},
		{"9999", "050-1239999", "050-1234321"},
		{"grandma's recipe", "המתכון של סבתא", "המתכון של הגננת"},
		{"東京の天気", "東京", "大阪"},
	} {
		near, far := similarity(c.query, c.near), similarity(c.query, c.far)
		if near < far+0.1 {
			t.Errorf("%q: %.3f to %q, %.3f to %q", c.query, near, c.near, far, c.far)
		}
	}
}

func TestBlank(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{"", " \t\n", "\u200b\u200f", "...", "-- , !", "\xff\xfe", "'\"", "()+"} {
		if v := Embed(blank); v != nil {
			t.Errorf("%q has a vector", blank)
		}
	}
	for _, text := range []string{"a", "א", "7", "the", "של", "7,", "😀", "中", "ß", "+1", "a'", "x's"} {
		if v := Embed(text); v == nil {
			t.Errorf("%q has none", text)
		}
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	m := Model()
	if m.Dimensions != len(Embed("word")) || !m.Local || !strings.HasPrefix(m.Name, "local-ngram-") {
		t.Errorf("%+v", m)
	}
	if m.Floor <= 0 || m.Floor >= m.Near || m.Near >= 1 {
		t.Errorf("floor %v, near %v", m.Floor, m.Near)
	}
}

// TestLong holds that only the beginning of an endless text is read, and that repeating a word does not drown the
// others.
func TestLong(t *testing.T) {
	t.Parallel()
	const head = "the plumber fixed the leak. "
	long := head + strings.Repeat("שלום ", maxText)
	if got, want := Embed(long+"another"), Embed(long); vector.Cosine(got, want) < 0.999999 {
		t.Error("the end of an endless text counts")
	}
	if got := similarity("leak", head+strings.Repeat("water ", 50)); got < 0.15 {
		t.Errorf("a word repeated drowns the others: %.3f", got)
	}
	if v := Embed(strings.Repeat("x", 1<<20)); v == nil {
		t.Error("an endless word has no vector")
	}
}

func FuzzEmbed(f *testing.F) {
	for _, seed := range []string{
		"", "שלום world", "050-999-9999 (02) +972", "12.5.2026, 3 March", "'\"׳״", "\xff\x00a", "x's y'", "ולכשהבית",
		"1,2,3-4/5:6 (7) 8", "日本語テキスト", "e\u0301\u200d😀",
		"a" + strings.Repeat("\u0301", 100), "+", "(", "1(", "00", "(((1)))", "٣٤", "ﷺ", "ǆ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := Embed(text)
		if v == nil {
			return
		}
		var square float64
		for _, x := range v {
			square += float64(x) * float64(x)
		}
		if math.Abs(square-1) > 1e-5 || len(v) != dimensions {
			t.Fatalf("length %v, %d dimensions", math.Sqrt(square), len(v))
		}
		if utf8.ValidString(text) && len(text) < maxText {
			if got := vector.Cosine(Embed(" "+text+"\n"), v); got < 0.999999 {
				t.Fatalf("white space around it makes a difference: %v", got)
			}
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	const text = "Dr. Cohen's clinic moved to 14 Weizmann street, ask for Ruti. התור הבא ברביעי בשמונה וחצי בבוקר, " +
		"להביא " +
		"טפסים"
	b.ReportAllocs()
	for b.Loop() {
		Embed(text)
	}
}
