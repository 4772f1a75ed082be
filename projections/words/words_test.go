package words

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/memo"
)

// note is a memory with nothing but a content.
func note(content string) model.Memory { return model.Memory{Type: model.MemoryNote, Content: content} }

// scoreOf is the score of one text, where every term of the query is found once.
func scoreOf(content, query string) float64 {
	q := Query(query)
	found := make([]int, len(q.Terms))
	for i := range found {
		found[i] = 1
	}
	return Score(q, found, Match(q, Entries(note(content))))
}

func TestFindsAndDoesNot(t *testing.T) {
	t.Parallel()
	const exactly, partly, not = 2, 1, 0
	for _, c := range []struct {
		text, query string
		want        int
	}{
		// English
		{"WiFi password is 1234", "wifi", exactly},
		{"WiFi password is 1234", "PASSWORD 1234", exactly},
		{"WiFi password is 1234", "what is the password?", exactly},
		{"WiFi password is 1234", "passw", partly},
		{"WiFi password is 1234", "12", not},
		{"WiFi password is 1234", "123", partly},
		{"WiFi password is 1234", "sword", not},
		{"WiFi password is 1234", "passwords", partly},
		{"the passwords of the house", "password", partly},
		{"two parties", "party", not},  // no stemming of what is kept,
		{"a party", "parties", partly}, // but of what is asked
		{"two boxes", "box", partly},
		{"a box", "boxes", partly},
		{"Dana's dentist", "dana", exactly},
		{"Dana's dentist", "Dana’s", exactly},
		{"Dana is here", "dana's", partly},
		{"O'Brien called", "obrien", exactly},
		{"O’Brien called", "brien", exactly},
		{"l'école est là", "ECOLE", exactly},
		{"don’t forget", "dont", exactly},
		{"dont forget", "don't forget", exactly},
		{"send an e-mail", "email", exactly},
		{"send an email", "e-mail", exactly},
		{"well-known place", "well known", exactly},
		{"a well known place", "well-known", exactly},
		{"snake_case and kebab-case", "snake", exactly},
		{"Café Crème", "cafe creme", exactly},
		{"and/or", "or and", exactly},
		{"The Who", "the", exactly},
		{"the cat", "dog", not},
		{"the cat", "the dog", not}, // function words find by themselves only
		// Hebrew
		{"הסיסמה של הוויפי היא 1234", "סיסמה", partly},
		{"סיסמה 1234", "הסיסמה", partly},
		{"הסיסמה היא 1234", "הסיסמה", exactly},
		{"הסיסמה היא 1234", "מה הסיסמה?", exactly},
		{"סִיסְמָה", "סיסמה", exactly},
		{"סיסמה", "סִיסְמָה", exactly},
		{"שלום עולם", "שלומ", exactly},
		{"אנחנו בבית", "בית", partly},
		{"אנחנו בבית", "הבית", partly},
		{"אנחנו בבית", "ושבבית", partly},
		{"המסמך ושבבית הספר", "בית", partly},
		{"המסמך ושבבית הספר", "שבבית", partly},
		{"כשהגענו לירושלים", "ירושלים", partly},
		{"כשהגענו לירושלים", "הגענו", partly},
		{"בגן של נועה", "גן", partly},
		{"הגן של נועה", "לגן", not}, // two letters are too little for a prefix on both sides
		{"גן", "בגן", partly},
		{"כלב לבן", "לב", partly}, // the beginning of לבן
		{"כלב", "לב", not},
		{"מים", "ים", not},
		{"מלון", "לון", partly}, // it cannot be told from a prefix
		{"בית", "יתד", not},
		{"שלג", "לג", not},
		{"סיסמת הוויפי", "סיסמה", partly},
		{"רשימות קניות", "רשימה", partly},
		{"ספר טוב", "ספרים", partly},
		{"ספרים טובים", "ספר", partly},
		{`הוא שירת בצה"ל`, "צהל", partly},
		{`צה"ל`, "צה״ל", exactly},
		{"צה״ל", "צהל", exactly},
		{`ד"ר כהן`, "דר כהן", exactly},
		{"ג׳ירפה", "ג'ירפה", exactly},
		{"ג'ירפה", "גירפה", exactly},
		{"בית־ספר", "בית ספר", exactly},
		{"בית ספר", "בית־ספר", exactly},
		{"בית-ספר", "ביתספר", exactly},
		{"ביתספר", "בית-ספר", exactly},
		{"ה-WhatsApp שלי", "whatsapp", exactly},
		{"בWhatsApp", "WhatsApp", exactly},
		{"הוא אמר \"שלום\" והלך", "שלום", exactly},
		{"קראתי ב\"הארץ\"", "הארץ", partly},
		{"תור לרופא השיניים", "רופא שיניים", partly},
		{"של מי זה", "של", exactly},
		{"חתול", "של חתול", exactly},
		// Numbers
		{"Jones 050-9999999", "+972 50 999 9999", exactly},
		{"Jones 050-9999999", "0509999999", exactly},
		{"Jones +972-50-999-9999", "050-9999999", exactly},
		{"Jones +972-50-999-9999", "0509999999", exactly},
		{"Jones 050 999 99 99", "050-9999999", exactly},
		{"Jones 050-9999999", "9999999", exactly},
		{"Jones 050-999-9999", "999-9999", exactly},
		{"Jones 050-999-9999", "9999999", exactly},
		{"Jones 050-9999999", "05099", partly},
		{"Jones +972509999999", "05099", partly},
		{"Jones 999-9999", "050-9999999", partly},
		{"Jones 050-9999999", "050-1234567", not},
		{"(02) 555-1234", "025551234", exactly},
		{"+1 (212) 555-0123", "212-555-0123", exactly},
		{"טלפון ל-050-9999999", "050-9999999", exactly},
		{"born 21.11.2026", "2026-11-21", exactly},
		{"born 21.11.2026", "11/21/2026", exactly},
		{"born 21.11.2026", "21/11/26", exactly},
		{"born 21.11.2026", "2026", exactly},
		{"born 21.11.2026", "21.11", partly},
		{"born 21.11.2026", "22.11.2026", not},
		{"every 21.11", "21.11.2026", partly},
		{"at 08:30", "8:30", exactly},
		{"at 08:30", "30", exactly},
		{"₪1,234.50", "1234.5", exactly},
		{"costs 1234.5", "1,234.50", exactly},
		{"pi is 3.14", "3.14", exactly},
		{"pi is 3.14", "31.4", not},
		{"the code is A-12-B", "a12b", exactly},
		{"the code is A-12-B", "A 12 B", exactly},
		{"the code is a12b", "A-12-B", exactly},
		{"the code is A 12 B", "A-12-B", partly},
		{"card 4580 1234 5678 9012", "4580123456789012", exactly},
		{"card 4580123456789012", "4580-1234-5678-9012", exactly},
		{"card 4580 1234 5678 9012", "9012", exactly},
		{"id 12345678-9", "123456789", exactly},
		{"version 1.2.3", "1.2.3", exactly},
		{"version 12.3", "1.2.3", not},
		{"192.168.1.10", "192.168.1.10", exactly},
		{"5kg of rice", "5 kg", exactly},
		{"٠٥٠-٩٩٩٩٩٩٩", "050-9999999", exactly},
		// Addresses
		{"mail Dana.Levi@Example.com now", "dana.levi@example.com", exactly},
		{"mail Dana.Levi@Example.com now", "levi", exactly},
		{"mail Dana.Levi@Example.com now", "example.com", exactly},
		{"mail Dana.Levi@Example.com now", "dana@example.com", not},
		{"see https://www.example.com/a/b?x=1.", "example.com/a/b?x=1", exactly},
		{"see https://www.example.com/a/b?x=1.", "http://example.com/a/b?x=1", exactly},
		{"see https://www.example.com/a/b?x=1.", "https://example.com", partly},
		{"see https://www.example.com/recipes", "recipes", exactly},
		// Other scripts
		{"東京都庁", "東京", exactly},
		{"東京都庁", "庁", exactly},
		{"東京都庁", "都", partly},
		{"東京都庁", "京東", not},
		{"Москва слезам не верит", "МОСКВА", exactly},
		{"كِتَاب جميل", "كتاب", exactly},
		{"हिन्दी भाषा", "हिन्दी", exactly},
		{"I ❤ tea", "❤", exactly},
		{"ＡＢＣ", "abc", exactly},
	} {
		score := scoreOf(c.text, c.query)
		ok := score > 0 == (c.want > not) && (score == 1) == (c.want == exactly)
		if !ok {
			t.Errorf("%q in %q: %.3f, want %d; asked %v, kept %q", c.query, c.text, score, c.want, Query(c.query),
				Entries(note(c.text)))
		}
	}
}

// What is nearer to what was asked comes first.
func TestRelations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query string
		texts []string // from the best on, each better than the next
	}{
		{"password", []string{"the password", "passwords here", "passwordless login"}},
		{"בית", []string{"בית גדול", "הבית הגדול", "ביתן גדול", "ביתנית"}},
		{"הבית", []string{"הבית", "בית", "בבית"}},
		{"wifi password home", []string{"home wifi password", "wifi password", "wifi", "wi"}},
		{"סיסמה", []string{"סיסמה", "הסיסמה", "סיסמת הבית"}},
		{"050-9999999", []string{"+972 50 9999999", "999-9999", "509999998"}},
		{"21.11.2026", []string{"21.11.2026", "ב-21.11", "21.12.2026"}},
	} {
		for i := 1; i < len(c.texts); i++ {
			better, worse := scoreOf(c.texts[i-1], c.query), scoreOf(c.texts[i], c.query)
			if better <= worse {
				t.Errorf("%q: %q has %.3f and %q %.3f", c.query, c.texts[i-1], better, c.texts[i], worse)
			}
		}
	}
}

// A word is found in all the ways to write it.
func TestFoldings(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"password", "PASSWORD", "Ｐａｓｓｗｏｒｄ", "pass\u200bword"},
		{"שלום", "שָׁלוֹם", "שלומ", "\u200fשלום\u200e"},
		{`צה"ל`, "צה״ל", "צה”ל", "צהל"},
		{"050-9999999", "0509999999", "+972-50-999-9999", "972509999999", "(050) 999 9999", "00972 50 9999999", "050.9999999",
			"٠٥٠٩٩٩٩٩٩٩"},
		{"21.11.2026", "21/11/2026", "2026-11-21", "11/21/26"},
		{"https://example.com/a", "HTTP://WWW.EXAMPLE.COM/a/", "www.example.com/a"},
		{"café", "CAFE\u0301", "cafe"},
	} {
		for _, text := range same {
			for _, query := range same {
				if score := scoreOf("before "+text+" behind", query); score != 1 {
					t.Errorf("%q in %q: %v", query, text, score)
				}
			}
		}
	}
}

func TestHebrewPrefixesOnBothSides(t *testing.T) {
	t.Parallel()
	prefixes := []string{"", "ה", "ב", "ל", "מ", "כ", "ש", "ו", "וה", "וב", "ול", "שה", "שב", "מה", "כש", "כשה", "ושב",
		"ושל", "ומה", "לכש", "שבה"}
	for _, word := range []string{"בית", "ירושלים", "מחשב", "ילדים", "שולחן", "הודעה"} {
		for _, text := range prefixes {
			for _, query := range prefixes {
				got := scoreOf(text+word, query+word)
				if got <= 0 || got > 1 || got == 1 && text != query {
					t.Errorf("%s in %s: %v", query+word, text+word, got)
				}
				if bare := scoreOf(word, word); text != query && got >= bare {
					t.Errorf("%s in %s counts as much as the word itself", query+word, text+word)
				}
			}
		}
	}
}

func TestEntriesOfAMemory(t *testing.T) {
	t.Parallel()
	m := model.Memory{
		Type: model.MemoryContact, Content: "Jones - Phone: 050-9999999", Summary: "Contact info",
		Tags:     []string{"old friend", "חבר"},
		Metadata: `{"city":"חיפה","email":"j@example.com","name":"Jones","phone":"050-9999999"}`,
	}
	got := Entries(m)
	for _, want := range []string{"wjones", "w509999999", "wcontact", "winfo", "wold", "wfriend", "wחבר", "told friend",
		"tחבר", "wcity", "wחיפה", "wj@example.com", `m"city"="חיפה"`, "iname:jones", "iphone:509999999",
		"iemail:j@example.com"} {
		if _, found := slices.BinarySearch(got, want); !found {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	for _, pair := range memo.Pairs(m.Metadata) {
		if _, found := slices.BinarySearch(got, PairEntry(pair)); !found {
			t.Errorf("the pair %q is not among %q", pair, got)
		}
	}
	if got := Entries(model.Memory{}); len(got) != 0 {
		t.Errorf("an empty memory has the entries %q", got)
	}
}

// checkEntries holds for the entries of every memory.
func checkEntries(t *testing.T, entries []string) {
	t.Helper()
	if len(entries) > MaxEntries || !slices.IsSorted(entries) ||
		len(slices.Compact(slices.Clone(entries))) != len(entries) {
		t.Fatalf("%d entries, in order %v", len(entries), slices.IsSorted(entries))
	}
	for _, entry := range entries {
		if len(entry) > 300 || !utf8.ValidString(entry) || strings.ContainsFunc(entry, unicode.IsControl) || len(entry) < 2 {
			t.Fatalf("the entry %q", entry)
		}
	}
}

func TestEntriesAreBounded(t *testing.T) {
	t.Parallel()
	var different strings.Builder
	for i := range model.MaxMemoryContent / 4 {
		different.WriteString(string(rune('א'+i%22)) + string(rune('א'+i/22%22)) + string(rune('א'+i/484%22)) + " ")
	}
	for name, content := range map[string]string{
		"one word": strings.Repeat("ש", model.MaxMemoryContent), "words": different.String(),
		"digits":   strings.Repeat("9", model.MaxMemoryContent),
		"compound": strings.Repeat("a-", model.MaxMemoryContent/2), "numbers": strings.Repeat("1 ", model.MaxMemoryContent/2),
		"kana":      strings.Repeat("あい", 10_000),
		"addresses": strings.Repeat("www.", model.MaxMemoryContent/4), "signs": strings.Repeat("a@",
			model.MaxMemoryContent/2), "pluses": strings.Repeat("+(", model.MaxMemoryContent/2),
		"points": strings.Repeat("1.", model.MaxMemoryContent/2), "marks": strings.Repeat("\u0e38", model.MaxMemoryContent),
		"mixed": strings.Repeat("a1ש", model.MaxMemoryContent/3),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := model.Memory{Type: model.MemoryContact, Content: content, Tags: []string{"a"}, Metadata: `{"name":"Dana"}`}
			entries := Entries(m)
			checkEntries(t, entries)
			for _, want := range []string{"ta", `m"name"="Dana"`, "iname:dana", "wdana"} {
				if _, found := slices.BinarySearch(entries, want); !found {
					t.Errorf("%q is missing", want)
				}
			}
			if q := Query(content); len(q.Terms) > MaxTerms {
				t.Errorf("a query has %d terms", len(q.Terms))
			}
		})
	}
}

func TestLongWordsAreTheirOwn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 500)
	if scoreOf("see "+long+"y", long+"y") != 1 {
		t.Error("a long word is not found")
	}
	if scoreOf("see "+long+"y", long+"z") != 0 {
		t.Error("a long word finds another one")
	}
	if scoreOf("see "+long, long[:10]) == 0 {
		t.Error("a long word is not found by its beginning")
	}
}

func TestQuery(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want string
	}{
		{"", ""},
		{" \u200f ?!", ""},
		{"what is the password of the gate", "wpassword wgate"},
		{"what is the", "wwhat wis wthe"},
		{"password Password PASSWORD", "wpassword"},
		{"מה הקוד של השער", "wהקוד wהשער"},
		{"של מה", "wשל wמה"},
		{"ומה הוא אמר", "wאמר"},
		{"ועד הבית", "wועד wהבית"},
	} {
		var terms []string
		for _, term := range Query(c.in).Terms {
			terms = append(terms, term.Forms[0].Term)
		}
		if got := strings.Join(terms, " "); got != c.want {
			t.Errorf("Query(%q) asks for %q, want %q", c.in, got, c.want)
		}
	}
	var many strings.Builder
	for i := range 60 {
		many.WriteString(strings.Repeat(string(rune('a'+i%26)), 2+i) + " ")
	}
	q := Query(many.String())
	if len(q.Terms) != MaxTerms || len(q.Terms[0].Forms[0].Term) != 3+60-MaxTerms {
		t.Errorf("of 60 words %d stay, the first is %q", len(q.Terms), q.Terms[0].Forms[0].Term)
	}
}

// checkQuery holds for every text: what it asks for is bounded and in order, and finds the text itself in all its
// terms.
func checkQuery(t *testing.T, text string) {
	t.Helper()
	q := Query(text)
	if len(q.Terms) > MaxTerms {
		t.Fatalf("%q has %d terms", text, len(q.Terms))
	}
	for _, term := range q.Terms {
		if len(term.Forms) == 0 || len(term.Forms) > 20 || term.Forms[0].Prefix || term.Forms[0].Weight != 1 {
			t.Fatalf("%q asks for %v", text, term)
		}
		for i, form := range term.Forms {
			if form.Weight <= 0 || form.Weight > 1 || i > 0 && form.Weight > term.Forms[i-1].Weight || len(form.Term) < 2 ||
				len(form.Term) > maxWord+1 || !utf8.ValidString(form.Term) {
				t.Fatalf("%q asks for %v", text, form)
			}
		}
	}
	entries := Entries(note(text))
	checkEntries(t, entries)
	if again := Entries(note(text)); !slices.Equal(entries, again) {
		t.Fatalf("%q has the entries %q and %q", text, entries, again)
	}
	if len(entries) == MaxEntries {
		return
	}
	for i, weight := range Match(q, entries) {
		if weight != 1 {
			t.Fatalf("%q does not find itself by %v (%v): %q", text, q.Terms[i], weight, entries)
		}
	}
	for word := range strings.FieldsSeq(text) {
		asked := Query(word)
		for i, weight := range Match(asked, entries) {
			if weight <= 0 {
				t.Fatalf("%q is not found by its word %q: asked %v, kept %q", text, word, asked.Terms[i], entries)
			}
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{
		"WiFi password is 1234", "ושבבית הספר של צה\"ל", "Jones - Phone: 050-9999999", "+972-50-999 9999 (02) 555-1234 ext 5",
		"A-12-B 12.50 1,234.00 08:30 21.11.2026 ב-21.11",
		"dana.levi@example.com, https://www.example.com/a/b?x=1.", "4580 1234 5678 9012 O'Brien's",
		"東京都庁 ไทย בWhatsApp ל-050-9999999", "192.168.1.1 v1.2.3 ❤ 12kg", "\xff\u200f\u0301", "1@2.co3 www.1 +1+1",
		"a\u0301-1 ٣٤-5 ½ ²", "ּ\"ש\"'ש'",
	} {
		f.Add(s)
	}
	f.Fuzz(checkQuery)
}
