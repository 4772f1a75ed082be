package graphtext

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/words"
)

func TestName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"nothing to see", " \u200b\t", ""},
		{"case and white space", "  Dana \t LEVI\n", "dana levi"},
		{"accents", "José Muñoz", "jose munoz"},
		{"niqqud and final letters", "שִׁמְעוֹן  כהן", "שמעונ כהנ"},
		{"width", "Ａｃｍｅ", "acme"},
		{"gershayim", "צה״ל", `צה"ל`},
		{"direction marks", "\u200fדנה\u200e", "דנה"},
		{"punctuation stays", "Acme, Inc.", "acme, inc."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Name(c.in); got != c.want {
				t.Errorf("Name(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestNameIsBounded(t *testing.T) {
	t.Parallel()
	// One character that folds to eighteen: as many as a name may have.
	long := strings.Repeat("ﷺ", model.MaxEntityName)
	one, other := Name(long), Name(long+"x")
	if len(one) > MaxKey || len(other) > MaxKey || one == other {
		t.Errorf("keys of %d and %d bytes, the same: %v", len(one), len(other), one == other)
	}
	if whole := strings.Repeat("𐐨", model.MaxEntityName); Name(whole) != whole {
		t.Error("a plain name of the greatest length is not its own key")
	}
}

func TestRelation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"works at", "WORKS_AT"}, {"works-at", "WORKS_AT"}, {"worksAt", "WORKS_AT"}, {"WorksAt", "WORKS_AT"},
		{"WORKS_AT", "WORKS_AT"}, {"  works   at. ", "WORKS_AT"}, {"__works__at__", "WORKS_AT"},
		{"works\nat", "WORKS_AT"}, {"works→at", "WORKS_AT"}, {"ｗｏｒｋｓ ａｔ", "WORKS_AT"}, {"is CEO of", "IS_CEO_OF"},
		{"isCEOOf", "IS_CEO_OF"}, {"HTTPServer", "HTTP_SERVER"}, {"v2Of", "V2_OF"}, {"top10", "TOP10"},
		{"Works", "WORKS"}, {"CEO's friend", "CEOS_FRIEND"}, {"straße", "STRASSE"}, {"né à", "NE_A"},
		{"родился в", "РОДИЛСЯ_В"}, {"ΦίλοςΤου", "ΦΙΛΟΣ_ΤΟΥ"}, {"朋友", "朋友"}, {"मित्र है", "मित्र_है"},
		{"עובד ב", "עובד_ב"}, {"עוֹבֵד־ב", "עובד_ב"}, {"בן של", "בן_של"}, {"שירת בצה״ל", "שירת_בצהל"},
		{"\u200fעובד\u200e ב", "עובד_ב"}, {"ספק של Acme", "ספק_של_ACME"},
		{"", ""}, {"?!", ""}, {"_ _", ""}, {"\x00\xff", ""}, {strings.Repeat("a", model.MaxRelation),
			strings.Repeat("A", model.MaxRelation)}, {strings.Repeat("a", model.MaxRelation+1), ""},
		{strings.Repeat("ß", model.MaxRelation), ""}, {strings.Repeat("א", model.MaxRelation),
			strings.Repeat("א", model.MaxRelation)}, {strings.Repeat(" ", 1<<20) + "a", ""},
		{"' works '' at '", "WORKS_AT"}, {"works\x00at", "WORKSAT"}, {"works\xffat", "WORKS_AT"},
	} {
		got, ok := Relation(c.in)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Relation(%.40q) = %q, %v, want %q", c.in, got, ok, c.want)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ source, relation, target, want string }{
		{"Dana", "WORKS_AT", "Acme", "Dana works at Acme"},
		{"דנה", "עובדת_ב", "אקמה", "דנה עובדת ב אקמה"},
		{" Dana  Levi ", "KNOWS", "Noa\n", "Dana Levi knows Noa"},
		{"Dana", "", "Acme", "Dana Acme"},
		{"", "KNOWS", "", "knows"},
	} {
		if got := Sentence(c.source, c.relation, c.target); got != c.want {
			t.Errorf("Sentence(%q, %q, %q) = %q, want %q", c.source, c.relation, c.target, got, c.want)
		}
	}
	if got := Sentence(strings.Repeat("שלום ", 1_000), "R", "x"); utf8.RuneCountInString(got) > model.MaxFactSentence ||
		strings.HasSuffix(got, " ") {
		t.Errorf("a sentence of %d characters", utf8.RuneCountInString(got))
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Dana works at Acme.", "dana  works at ACME", true}, {"Dana works at Acme", "Dana works at Acme!?", true},
		{"דנה עובדת באקמה.", "דָּנָה עוֹבֶדֶת באקמה", true}, {"שלום", "שלומ", true},
		{"Dana works at Acme", "Dana worked at Acme", false}, {"Dana, works", "Dana works", false}, {"grew 5%", "grew 5",
			false}, {"knows C#", "knows C", false}, {"", " \u200b", true}, {"?", "!", false}, {".", "", false},
		{"She said “yes”", "She said \"yes\".", true}, {"סוף׃", "סופ", true},
	} {
		if got := Same(c.a, c.b); got != c.want || Same(c.b, c.a) != got {
			t.Errorf("Same(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	acme := model.Entity{
		Name: "Acme", Type: "Organisation", Summary: "Makes anvils.", Aliases: []string{"Acme Inc.", "אקמה"},
		Attributes: `{"address":{"city":"חיפה"},"founded":1952,"listed":true}`,
	}
	if got, want := Entity(acme),
		"Acme (Organisation)\nAcme Inc., אקמה\nMakes anvils.\naddress\ncity\nחיפה\nfounded\n1952\nlisted"; got != want {
		t.Errorf("Entity = %q, want %q", got, want)
	}
	if got := Entity(model.Entity{Name: "דנה"}); got != "דנה" {
		t.Errorf("Entity of a name = %q", got)
	}
	fact := model.Fact{Relation: "WORKS_AT", Sentence: "Dana has been with Acme since May",
		Source: model.Entity{Name: "Dana", Summary: "unseen"}, Target: acme}
	if got, want := Fact(fact), "Dana has been with Acme since May\nDana works at Acme"; got != want {
		t.Errorf("Fact = %q, want %q", got, want)
	}
	fact.Sentence = "Dana works at Acme."
	if got := Fact(fact); got != fact.Sentence {
		t.Errorf("Fact of the plain sentence = %q", got)
	}
	fact.Sentence = ""
	if got := Fact(fact); got != "Dana works at Acme" {
		t.Errorf("Fact without a sentence = %q", got)
	}
	huge := model.Entity{Name: "Dana", Summary: strings.Repeat("ארוך ", 10_000),
		Attributes: `{"a":"` + strings.Repeat("x", 10_000) + `"}`}
	if n := utf8.RuneCountInString(Entity(huge)); n > MaxText {
		t.Errorf("an entity of %d characters", n)
	}
	fact.Sentence = strings.Repeat("ארוך ", 10_000)
	if got := Fact(fact); utf8.RuneCountInString(got) > MaxText || !strings.HasSuffix(got, "\nDana works at Acme") {
		t.Errorf("a fact of %d characters", utf8.RuneCountInString(got))
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	entity := EntityEntries(model.Entity{
		Name: "Acme", Type: "Company", Summary: "Makes anvils", Aliases: []string{"אקמה", "ACME 1952"},
		Attributes: `{"city":"חיפה","phones":["050-9999999"]}`,
	})
	fact := FactEntries(model.Fact{
		Relation: "WORKS_AT", Sentence: "דנה עובדת באקמה מאז מאי", Source: model.Entity{Name: "Dana Levi",
			Aliases: []string{"Zuzi"}}, Target: model.Entity{Name: "אקמה"}, Attributes: `{"since":"spring"}`,
	})
	finds := func(entries []string, query string) bool {
		asked := words.Query(query)
		return len(asked.Terms) > 0 && !slices.Contains(words.Match(asked, entries), 0)
	}
	for query, want := range map[string]bool{
		"acme": true, "ANVIL": true, "company": true, "אקמה": true, "לאקמה": true, "1952": true, "חיפה": true, "city": true,
		"0509999999": true, "Dana": false, "1952050": false,
	} {
		if got := finds(entity, query); got != want {
			t.Errorf("an entity is found by %q: %v, want %v", query, got, want)
		}
	}
	for query, want := range map[string]bool{
		"dana": true, "levi works": true, "אקמה": true, "עוֹבֶדֶת": true, "דנה": true, "מאי": true, "zuzi": false,
		"spring": false,
	} {
		if got := finds(fact, query); got != want {
			t.Errorf("a fact is found by %q: %v, want %v", query, got, want)
		}
	}
	if len(EntityEntries(model.Entity{})) != 0 || len(FactEntries(model.Fact{})) != 0 {
		t.Error("nothing has entries")
	}
	for _, entry := range slices.Concat(entity, fact) {
		if entry[0] != 'w' && entry[0] != 'h' && entry[0] != 's' {
			t.Errorf("%q is no entry of a word or of what one sounds like", entry)
		}
	}
}

func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"works at", "worksAt", "HTTPServer", "עוֹבֵד־ב", "straße", "ǅungla", "ĸx", "ŉA", "İi",
		"ﬃ", "e\u0301", "\u0345a", "ﷺ", "Ⅷ", "ⓐⓑ", "x\x00\xff", "'a'b'", strings.Repeat("ﷺ", 70), "ᾳᾼ", "ꭰᎠ", "क्षि", "१२"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 {
			return
		}
		name := Name(text)
		if len(name) > MaxKey || !utf8.ValidString(name) || Name(name) != name || strings.ContainsRune(name, 0) {
			t.Errorf("Name(%q) = %q, and again %q", text, name, Name(name))
		}
		relation, ok := Relation(text)
		again, sameOK := Relation(relation)
		if again != relation || ok != sameOK || ok != (relation != "") {
			t.Errorf("Relation(%q) = %q, and again %q", text, relation, again)
		}
		if utf8.RuneCountInString(relation) > model.MaxRelation || strings.Contains(relation, "__") ||
			strings.Trim(relation, "_") != relation || !utf8.ValidString(relation) {
			t.Errorf("Relation(%q) = %q", text, relation)
		}
		if strings.ContainsFunc(relation, func(r rune) bool { return r != '_' && !isWordy(r) }) ||
			strings.ContainsFunc(relation, unicode.IsControl) {
			t.Errorf("Relation(%q) = %q has more than words", text, relation)
		}
		if strings.TrimFunc(name, isEnding) != "" && !Same(text, text+" .") {
			t.Errorf("a full stop makes %q another sentence", text)
		}
		sentence := Sentence(text, relation, text)
		if utf8.RuneCountInString(sentence) > model.MaxFactSentence {
			t.Errorf("a sentence of %d characters", utf8.RuneCountInString(sentence))
		}
		entity := model.Entity{Name: text, Type: text, Summary: text, Aliases: []string{text}}
		fact := model.Fact{Relation: relation, Sentence: text, Source: entity, Target: entity}
		for _, written := range []string{Entity(entity), Fact(fact)} {
			if utf8.RuneCountInString(written) > MaxText {
				t.Errorf("a text of %d characters", utf8.RuneCountInString(written))
			}
		}
		for _, entries := range [][]string{EntityEntries(entity), FactEntries(fact)} {
			if !slices.IsSorted(entries) || len(slices.Compact(slices.Clone(entries))) != len(entries) ||
				len(entries) > words.MaxEntries {
				t.Errorf("entries of %q are not in order, or too many", text)
			}
		}
	})
}
