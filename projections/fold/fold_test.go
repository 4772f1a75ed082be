package fold

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"key already", "buy milk", "buy milk"},
		{"case and spaces", "  Buy \t MILK\n", "buy milk"},
		{"control characters", "buy\x00 \x1bmilk\x7f", "buy milk"},
		{"accents", "Café CRÈME", "cafe creme"},
		{"accents written apart", "Cafe\u0301", "cafe"},
		{"German", "Straße GROẞ", "strasse gross"},
		{"Turkish", "İstanbul", "istanbul"},
		{"Greek final sigma", "ΟΔΟΣ οδος", "οδοσ οδοσ"},
		{"iota subscript", "\u1fb3", "α"},
		{"ligature and full width", "ﬁne ＡＢＣ", "fine abc"},
		{"superscript", "m²", "m2"},
		{"niqqud", "שָׁלוֹם", "שלומ"},
		{"niqqud in presentation forms", "\ufb2a\ufb4b\ufb1e", "שו"},
		{"cantillation", "בְּרֵאשִׁ֖ית", "בראשית"},
		{"final letters", "ךםןףץ", "כמנפצ"},
		{"gershayim and geresh", "צה״ל ג׳ירפה", "צה\"ל ג'ירפה"},
		{"typed for gershayim", "צה\"ל ג'ירפה", "צה\"ל ג'ירפה"},
		{"curly quotes", "Mom’s “list”", "mom's \"list\""},
		{"maqaf and dashes", "בית־ספר a–b", "בית-ספר a-b"},
		{"Yiddish digraphs", "װײס", "ווייס"},
		{"bidi controls", "\u200fקניות\u200e \u202bמחר\u202c", "קניות מחר"},
		{"zero width", "to\u200bdo\ufeff", "todo"},
		{"joined emoji", "👨\u200d👩 ❤\ufe0f", "👨👩 ❤"},
		{"no-break and wide spaces", "a\u00a0\u3000b", "a b"},
		{"line separator", "a\u2028b", "a b"},
		{"kana voicing stays", "が", "が"},
		{"Cherokee", "Ꭰꭰ", "ᎠᎠ"},
		{"Hangul stays", "한국", "한국"},
		{"Hindi vowels stay", "हिन्दी", "हिन्दी"},
		{"Arabic vowel signs", "كِتَاب", "كتاب"},
		{"invalid UTF-8", "a\xffb", "ab"},
		{"nothing to see", "\u200b \u00ad\u115f", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
			}
			if IsBlank(c.in) != (c.want == "") {
				t.Errorf("IsBlank(%q) = %t", c.in, IsBlank(c.in))
			}
		})
	}
}

func TestUnmarked(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Buy milk", "Buy milk"},
		{"שָׁלוֹם  עוֹלָם", "שלום  עולם"},
		{"Café", "Cafe"},
		{"\u200fקניות\u2069", "קניות"},
		{"a\n\tb", "a\n\tb"},
		{"²", "²"},
	} {
		if got := Unmarked(c.in); got != c.want {
			t.Errorf("Unmarked(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"  Buy milk \n", "Buy milk"},
		{"line 1\r\nline 2\rline 3\n\tindented", "line 1\nline 2\nline 3\n\tindented"},
		{"a\x00b\x1b[31mc\u009b", "ab[31mc"},
		{"\xff\xfeok\xc3", "ok"},
		{"one\u0085next\u0085", "one\nnext"},
		{"\x00 \x00", ""},
		{"שָׁלוֹם \u200f👨\u200d👩", "שָׁלוֹם \u200f👨\u200d👩"},
		{"kept \ufffd", "kept \ufffd"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// checkLaws holds for every text there is.
func checkLaws(t *testing.T, s string) {
	t.Helper()
	key := Text(s)
	if again := Text(key); again != key {
		t.Errorf("the key of %q is %q (%+q), and its key is %q (%+q)", s, key, key, again, again)
	}
	if !utf8.ValidString(key) || strings.TrimSpace(key) != key || strings.Contains(key, "  ") {
		t.Errorf("the key of %q is %q", s, key)
	}
	for _, r := range key {
		if isHidden(r) || unicode.IsSpace(r) && r != ' ' {
			t.Errorf("the key of %q holds %U", s, r)
		}
	}
	clean := Clean(s)
	if Clean(clean) != clean || !utf8.ValidString(clean) || strings.ContainsRune(clean, 0) {
		t.Errorf("%q is cleaned to %q, and that to %q", s, clean, Clean(clean))
	}
	if Text(clean) != key && !strings.ContainsFunc(s, unicode.IsControl) {
		t.Errorf("cleaning %q changes its key from %q to %q", s, key, Text(clean))
	}
	if bare := Unmarked(clean); Unmarked(bare) != bare || Text(bare) != key && clean == s {
		t.Errorf("%q unmarked is %q, and that %q", clean, bare, Unmarked(bare))
	}
	if upper := strings.ToUpper(s); isASCII(s) && Text(upper) != key {
		t.Errorf("%q and %q have different keys", s, upper)
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

func TestLawsForEveryCharacter(t *testing.T) {
	for r := rune(0); r <= 0xe0fff; r++ {
		if unicode.In(r, unicode.Cs, unicode.Co) || r%64 > 0 && hasNoRules(r) {
			continue
		}
		key := Text(string(r))
		if again := Text(key); again != key {
			t.Errorf("%U: key %+q, its key %+q", r, key, again)
		}
		if bare := Unmarked(string(r)); Unmarked(bare) != bare || Text(bare) != key {
			t.Errorf("%U: unmarked %+q, whose key is %+q, not %+q", r, bare, Text(bare), key)
		}
	}
}

// hasNoRules picks out the characters that fold to themselves by every table, and those of which one in many stands for
// all; a few of them are enough.
func hasNoRules(r rune) bool {
	if unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Han, r) { // tens of thousands, all alike
		return true
	}
	plain := unicode.IsLetter(r) || !unicode.IsPrint(r) && !isHidden(r)
	return plain && !unicode.IsSpace(r) && unicode.SimpleFold(r) == r &&
		norm.NFKD.PropertiesString(string(r)).Decomposition() == nil && r > 0x600
}

func TestLawsForRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ranges := [][2]rune{{0, 0x7f}, {0x80, 0x24f}, {0x300, 0x36f}, {0x370, 0x3ff}, {0x590, 0x5ff}, {0x600, 0x6ff},
		{0x900, 0x97f}, {0xe00, 0xe7f}, {0x1100, 0x11ff}, {0x1f00, 0x206f}, {0x3040, 0x30ff}, {0xf900, 0xfeff},
		{0x1d400, 0x1d7ff}, {0, unicode.MaxRune}}
	for range 600 {
		var b strings.Builder
		one := ranges[random.IntN(len(ranges))]
		for range random.IntN(60) {
			pick := one
			if random.IntN(3) == 0 {
				pick = ranges[random.IntN(len(ranges))]
			}
			b.WriteRune(pick[0] + random.Int32N(pick[1]-pick[0]+1))
		}
		checkLaws(t, b.String())
	}
}

func TestQuickPathAgreesWithTheTables(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var quick []rune
	for r := rune(0); r < 0x2100; r++ {
		if r < 0x80 || isQuick(r) || r == '\u200e' || r == '\u200f' {
			quick = append(quick, r)
		}
	}
	for range 5_000 {
		raw := make([]rune, random.IntN(20))
		for i := range raw {
			raw[i] = quick[random.IntN(len(quick))]
			if random.IntN(2) == 0 {
				raw[i] = random.Int32N(0x80)
			}
		}
		// A letter of another script keeps the text off the quick path.
		fast, slow := Text("x"+string(raw)), Text("д"+string(raw))
		if strings.TrimPrefix(fast, "x") != strings.TrimPrefix(slow, "д") {
			t.Fatalf("%q: quick path %q, tables %q", string(raw), fast, slow)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", " a  b ", "שָׁלוֹם", "Cafe\u0301", "\u0e38\u0e38", strings.Repeat("\u0e38\u0e48", 40),
		"\u1100\u1160\u11a8", "ﬁ\u0345", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(checkLaws)
}

func BenchmarkText(b *testing.B) {
	for name, s := range map[string]string{
		"ascii key": "call the dentist about tuesday",
		"ascii":     "Call the dentist about Tuesday",
		"hebrew":    "להתקשר לרופא השיניים ביום שלישי",
		"niqqud":    "שָׁלוֹם עוֹלָם",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = Text(s)
			}
		})
	}
}
