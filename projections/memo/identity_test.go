package memo

import (
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
)

func TestIdentityOfContacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content, metadata string
		want                    []string
	}{
		{"the seed's", "Jones - Phone: 050-9999999", `{"name":"Jones","phone":"050-9999999"}`,
			[]string{"name:jones", "phone:509999999"}},
		{"from the content", "Jones - Phone: 050-9999999", ``, []string{"name:jones", "phone:509999999"}},
		{"case, points and white space", "x", `{"name":"  JÖNES \t Bob "}`, []string{"name:jones bob"}},
		{"niqqud and final letters", "x", `{"name":"שִׁמְעוֹן כהן"}`, []string{"name:שמעונ כהנ"}},
		{"last name first", "x", `{"name":"Levi, Dana"}`, []string{"name:dana levi"}},
		{"punctuation", "x", `{"name":"Dr. O'Brien-Smith"}`, []string{"name:dr obrien smith"}},
		{"geresh", "x", `{"name":"ג׳ורג׳ ד״ר"}`, []string{"name:גורג דר"}},
		{"an address", "x", `{"name":"D","email":"Dana.Levi@Example.COM"}`,
			[]string{"email:dana.levi@example.com", "name:d"}},
		{"an address with its name", "x", `{"name":"D","email":"Dana <dana@example.com>"}`,
			[]string{"email:dana@example.com", "name:d"}},
		{"fields of another shape", "Dana: dana@example.com", `{"name":["x"],"email":5}`,
			[]string{"email:dana@example.com", "name:dana"}},
		{"blank fields", "Dana: 03-1234567", `{"name":" ","phone":""}`, []string{"name:dana", "phone:31234567"}},
		{"Hebrew", "הטלפון של יוסי כהן: 052-1234567", ``, []string{"name:יוסי כהנ", "phone:521234567"}},
		{"Hebrew with a prefix", "דנה, נייד ל-0521234567", ``, []string{"name:דנה", "phone:521234567"}},
		{"possessive", "Dana's phone is +972 52-123-4567", ``, []string{"name:dana", "phone:521234567"}},
		{"only an address", "dana@example.com", ``, []string{"email:dana@example.com"}},
		{"an address behind a name", "Dana Levi dana@example.com", ``, []string{"email:dana@example.com", "name:dana levi"}},
		{"two numbers", "Noa: 03-1234567, 0521234567", ``, []string{"name:noa", "phone:31234567", "phone:521234567"}},
		{"only a name", "Dana Levi", ``, []string{"name:dana levi"}},
		{"a story has no name", "Somebody whom I met at the party in Haifa", ``, nil},
		{"a date is no phone", "Noa, born 05.12.2001", ``, []string{"name:noa"}},
		{"a long name is hashed", "x", `{"name":"` + strings.Repeat("long ", 40) + `"}`, []string{"~"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Identity(model.Memory{Type: model.MemoryContact, Content: c.content, Metadata: c.metadata})
			if len(c.want) == 1 && c.want[0] == "~" {
				if len(got) != 1 || got[0][0] != '~' || len(got[0]) > maxPair {
					t.Errorf("Identity = %q", got)
				}
				return
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("Identity = %q, want %q", got, c.want)
			}
		})
	}
	if got := Identity(model.Memory{Type: model.MemoryNote, Content: "Jones - 050-9999999",
		Metadata: `{"name":"Jones"}`}); got != nil {
		t.Errorf("a note has the identity %q", got)
	}
}

func TestPhones(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"+972-50-999 9999", []string{"509999999"}},
		{"050-9999999", []string{"509999999"}},
		{"0509999999", []string{"509999999"}},
		{"050 999 99 99", []string{"509999999"}},
		{"050.999.9999", []string{"509999999"}},
		{"(050) 999-9999", []string{"509999999"}},
		{"00972509999999", []string{"509999999"}},
		{"00 972 50 9999999", []string{"509999999"}},
		{"972-50-9999999", []string{"509999999"}},
		{"972509999999", []string{"509999999"}},
		{"+972 (0)50-9999999", []string{"509999999"}},
		{"+٩٧٢", nil},
		{"(02) 555-1234", []string{"25551234"}},
		{"02-5551234", []string{"25551234"}},
		{"+972 2 555 1234", []string{"25551234"}},
		{"tel:025551234", []string{"25551234"}},
		{"(02) 555-1234 ext. 17", []string{"25551234x17"}},
		{"02-5551234 שלוחה 17", []string{"25551234x17"}},
		{"02-5551234x17", []string{"25551234x17"}},
		{"02-5551234 #17", []string{"25551234x17"}},
		{"+1 (212) 555-0123", []string{"2125550123"}},
		{"212-555-0123", []string{"2125550123"}},
		{"1-212-555-0123", []string{"2125550123"}},
		{"1-800-123456", []string{"1800123456"}},
		{"00000123456789", nil},
		{"1-800-123-456", []string{"1800123456"}},
		{"+44 20 7946 0958", []string{"2079460958"}},
		{"020 7946 0958", []string{"2079460958"}},
		{"+33 1 23 45 67 89", []string{"123456789"}},
		{"01 23 45 67 89", []string{"123456789"}},
		{"050-9999999 052-1234567", []string{"509999999", "521234567"}},
		{"050-9999999 / 02-5551234", []string{"509999999", "25551234"}},
		{"call 050-999-9999 (02) 555-1234", []string{"509999999", "25551234"}},
		{"ל-050-9999999 בבקשה", []string{"509999999"}},
		{"050-9999999.", []string{"509999999"}},
		// False friends.
		{"21.11.2026", nil},
		{"05.12.2001 10", nil},
		{"2026-11-21 08:30", nil},
		{"01/02/2026", nil},
		{"199.90", nil},
		{"₪1,234,567.00", nil},
		{"1234567890", nil},
		{"id 034567890", nil},
		{"034567890", nil},
		{"טלפון 034567890", []string{"34567890"}},
		{"ת.ז. 034567890", nil},
		{"order 050-9999999", nil},
		{"4580 1234 5678 9012", nil},
		{"192.168.10.100", nil},
		{"ISBN 978-3-16-148410-0", nil},
		{"0501234567890", nil},
		{"050123456", nil},
		{"2025 2026 2027", nil},
		{"A050-9999999B", nil},
		{"", nil},
		{"+", nil},
		{"((((", nil},
	} {
		if got := phonesIn(c.in, false); !slices.Equal(got, c.want) {
			t.Errorf("phonesIn(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestIdentityOfKeyValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, metadata, want string }{
		{"WiFi password is 1234", `{"subject":"wifi password","value":"1234"}`, "subject:wifi password"},
		{"WiFi password is 1234", ``, "subject:wifi password"},
		{"The WiFi-Password: 1234", ``, "subject:wifi password"},
		{"x", `{"subject":"  The  Wifi   PASSWORD "}`, "subject:wifi password"},
		{"gate code = 4821", ``, "subject:gate code"},
		{"shoe size - 42", ``, "subject:shoe size"},
		{"קוד השער הוא 4821", ``, "subject:קוד השער"},
		{"הקוד של השער: 4821", ``, "subject:הקוד השער"},
		{"x", `{"subject":"קוֹד השער"}`, "subject:קוד השער"},
		{"x", `{"subject":["a"]}`, ""},
		{"4821", ``, ""},
		{"Netflix https://netflix.example", ``, ""},
		{"The shop opens 08:30", ``, ""},
		{"gate:4821", ``, "subject:gate"},
		{": 4821", ``, ""},
		{"All that I have ever wanted to say about the gate of our house is this", ``, ""},
	} {
		got := strings.Join(Identity(model.Memory{Type: model.MemoryKV, Content: c.content, Metadata: c.metadata}), " ")
		if got != c.want {
			t.Errorf("Identity(%q, %s) = %q, want %q", c.content, c.metadata, got, c.want)
		}
	}
}

func TestSameSubject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"wifi password", "WiFi  Password", true},
		{"wifi password", "the wifi password at home", true},
		{"password", "wifi password", true},
		{"my wifi password", "wifi password", true},
		{"קוד השער", "קוד לשער", true},
		{"קוד השער", "קוֹד שַׁעַר", true},
		{"הקוד של השער", "קוד השער", true},
		{"סיסמת הוויפי", "סיסמת הוויפי במשרד", true},
		{"pin", "shipping address", false},
		{"wifi password", "wifi name", false},
		{"password wifi", "wifi password", false},
		{"קוד השער", "קוד הדלת", false},
		{"בית", "גבית", false},
		{"", "wifi", false},
		{"", "", false},
		{"--", "--", false},
	} {
		if got := SameSubject(c.a, c.b); got != c.want || SameSubject(c.b, c.a) != c.want {
			t.Errorf("SameSubject(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func FuzzIdentity(f *testing.F) {
	for _, s := range []string{"Jones - Phone: 050-9999999", "+972 (0)50-999 9999 ext 7", "קוד השער הוא 4821", "a@b.co",
		"+(((", "0000000000000", "1 2 3 4 5 6 7 8 9", "\xff05012345\xff67"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range []model.MemoryType{model.MemoryContact, model.MemoryKV} {
			for _, metadata := range []string{"", `{"name":` + string(appendText(nil, s)) + `,"phone":` +
				string(appendText(nil, s)) + `,"subject":` + string(appendText(nil, s)) + `}`} {
				got := Identity(model.Memory{Type: kind, Content: s, Metadata: metadata})
				if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) || len(got) > 2*maxNamed+1 {
					t.Fatalf("%q has the identity %q", s, got)
				}
				for _, entry := range got {
					if len(entry) > maxPair {
						t.Fatalf("%q has the identity %q", s, got)
					}
				}
				if again := Identity(model.Memory{Type: kind, Content: s, Metadata: metadata}); !slices.Equal(got, again) {
					t.Fatalf("%q has the identities %q and %q", s, got, again)
				}
			}
		}
		if words := subjectWords(s); SameSubject(s, s) != (len(words) > 0) {
			t.Fatalf("%q, of the words %q, is not like itself", s, words)
		}
	})
}
