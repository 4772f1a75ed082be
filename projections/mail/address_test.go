package mail_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/mail"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	type list = []model.EmailAddress
	one := func(name, email string) model.EmailAddress { return model.EmailAddress{Name: name, Email: email} }
	for _, c := range []struct {
		name, text string
		want       list
	}{
		{"none", "", nil},
		{"bare", "ada@example.com", list{one("", "ada@example.com")}},
		{"named", "Ada Byron <ada@example.com>", list{one("Ada Byron", "ada@example.com")}},
		{"quoted with a comma", `"Byron, Ada" <ada@example.com>, ben@example.com`,
			list{one("Byron, Ada", "ada@example.com"), one("", "ben@example.com")}},
		{"gershayim without a pair", `מס"ד <bank@example.org>`, list{one(`מס"ד`, "bank@example.org")}},
		{"gershayim in two words", `צה"ל ומס"ד <army@example.org>, ben@example.com`,
			list{one(`צה"ל ומס"ד`, "army@example.org"), one("", "ben@example.com")}},
		{"quote that does not close", `"Ada <ada@example.com>`, list{one(`"Ada`, "ada@example.com")}},
		{"a quote that does not end", `Ada "the B <ada@example.com>`, list{one(`Ada "the B`, "ada@example.com")}},
		{"escaped quote", `"Ada \"the\" B" <ada@example.com>`, list{one(`Ada "the" B`, "ada@example.com")}},
		{"Hebrew", `דנה כהן <dana@example.com>`, list{one("דנה כהן", "dana@example.com")}},
		{"Hebrew, gershayim written as a quote", `"עו""ד כהן" <dana@example.com>`, list{one(`עוד כהן`, "dana@example.com")}},
		{"comma of a decoded name", `כהן, דנה <dana@example.com>`, list{one("כהן, דנה", "dana@example.com")}},
		{"comma of a decoded name behind another", `b@example.com, כהן, דנה <dana@example.com>`,
			list{one("", "b@example.com"), one("כהן, דנה", "dana@example.com")}},
		{"group", `Friends: Ada <a@x.org>, b@x.org; c@x.org`,
			list{one("Ada", "a@x.org"), one("", "b@x.org"), one("", "c@x.org")}},
		{"quoted group", `"My friends": a@x.org;`, list{one("", "a@x.org")}},
		{"empty group", "undisclosed-recipients:;", nil},
		{"comment as a name", "ada@example.com (Ada (the first) Byron)",
			list{one("Ada (the first) Byron", "ada@example.com")}},
		{"comment beside a name", "Ada (home) <ada@example.com>", list{one("Ada", "ada@example.com")}},
		{"semicolons", "a@x.org; B <b@x.org>", list{one("", "a@x.org"), one("B", "b@x.org")}},
		{"a name that looks like an address", `"security@paypal.com" <x@evil.example>`,
			list{one("security@paypal.com", "x@evil.example")}},
		{"the same without quotes", `security@paypal.com <x@evil.example>`,
			list{one("security@paypal.com", "x@evil.example")}},
		{"name and address without brackets", "Ada ada@example.com", list{one("Ada", "ada@example.com")}},
		{"bracket that does not close", "Ada <ada@example.com, b@x.org",
			list{one("Ada", "ada@example.com"), one("", "b@x.org")}},
		{"route", "Ada <@relay.example,@b.example:ada@example.com>", list{one("Ada", "ada@example.com")}},
		{"quoted local part", `"ada byron"@example.com`, list{one("", `"ada byron"@example.com`)}},
		{"domain of another script", "Ada <ada@דוגמה.co.il>", list{one("Ada", "ada@דוגמה.co.il")}},
		{"encoded words that were left", "=?utf-8?B?15PXoNeU?= <dana@example.com>", list{one("דנה", "dana@example.com")}},
		{"no address", "MAILER-DAEMON", nil},
		{"empty brackets", "<>", nil},
		{"line break and override in a name", "A\r\n b\u202e <a@x.org>", list{one("A b", "a@x.org")}},
		{"control character in an address", "<a\x00@x.org>", nil},
		{"invalid UTF-8", "A\xff <a@x.org>", list{one("A\ufffd", "a@x.org")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := mail.Addresses(c.text); !reflect.DeepEqual(got, c.want) {
				t.Errorf("Addresses(%q)\n got %+q\nwant %+q", c.text, got, c.want)
			}
		})
	}
}

func TestAddressesAreBounded(t *testing.T) {
	t.Parallel()
	if got := len(mail.Addresses(strings.Repeat("a@x.org,", 10_000))); got != 2_000 {
		t.Errorf("%d addresses; want 2,000", got)
	}
	for _, hostile := range []string{strings.Repeat("(", 1<<20), strings.Repeat(`"`, 1<<20), strings.Repeat("<", 1<<20),
		strings.Repeat("a@", 1<<20), strings.Repeat("a ", 1<<20) + "b@x.org"} {
		for _, a := range mail.Addresses(hostile) {
			if len(a.Email) > 320 || utf8.RuneCountInString(a.Name) > 200 {
				t.Errorf("%.20q: an address of %d and %d bytes", hostile, len(a.Email), len(a.Name))
			}
		}
	}
}

func TestRecipient(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]model.EmailAddress{
		"ada@example.com":                      {Email: "ada@example.com"},
		" Ada  Byron <Ada@Example.com> ":       {Name: "Ada Byron", Email: "Ada@Example.com"},
		`"Byron, Ada" <ada+x@example.com>`:     {Name: "Byron, Ada", Email: "ada+x@example.com"},
		"דנה כהן <dana@example.co.il>":         {Name: "דנה כהן", Email: "dana@example.co.il"},
		"\u200fדנה\u200f <dana@example.co.il>": {Name: "דנה", Email: "dana@example.co.il"},
		"ada@bücher.example":                   {Email: "ada@xn--bcher-kva.example"},
		"👩‍👧 <a@example.com>":                  {Name: "👩‍👧", Email: "a@example.com"},
	} {
		got, err := mail.Recipient(text)
		if err != nil || got != want {
			t.Errorf("Recipient(%q) = %+v, %v; want %+v", text, got, err, want)
		}
	}
	for name, text := range map[string]string{
		"empty": "", "name only": "Ada", "two": "a@x.org, b@x.org", "group": "g: a@x.org;",
		"line break": "a@x.org\r\nBcc: b@x.org", "line break in a name": "A\nBcc: b@x.org <a@x.org>",
		"NUL": "a\x00@x.org", "override": "a\u202egro.x@moc.example", "override in a name": "A\u202e <a@x.org>",
		"isolate": "\u2066A <a@x.org>", "zero width": "a\u200b@x.org",
		"line separator": "A\u2028 <a@x.org>", "no dot": "a@localhost", "number": "a@10.0.0.1", "literal": "a@[10.0.0.1]",
		"local part in Hebrew": "דנה@example.com", "quoted local part": `"a b"@x.org`,
		"dots": "a..b@x.org", "leading dot": ".a@x.org", "hyphen": "a@-x.org",
		"long local part": strings.Repeat("a", 65) + "@x.org", "long label": "a@" + strings.Repeat("a", 64) + ".org",
		"long": strings.Repeat("a", 2_000) + "@x.org", "underscore": "a@b_c.org", "invalid UTF-8": "a\xff@x.org",
		"encoded word": "=?utf-8?q?a?= <a@x.org>", "long name": strings.Repeat("a", 300) + " <a@x.org>",
	} {
		if got, err := mail.Recipient(text); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%s: Recipient(%q) = %+v, %v; want BAD_USER_INPUT", name, text, got, err)
		}
	}
}

func TestDistinct(t *testing.T) {
	t.Parallel()
	got := mail.Distinct([]model.EmailAddress{{Email: "A@x.org"}, {Name: "B", Email: "b@x.org"},
		{Name: "Ada", Email: "a@X.org"}, {Name: "Other", Email: "a@x.org"}, {Email: "a+1@x.org"}})
	want := []model.EmailAddress{{Name: "Ada", Email: "A@x.org"}, {Name: "B", Email: "b@x.org"}, {Email: "a+1@x.org"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
	if !mail.SameAddress(" Ada@X.org", "ada@x.ORG") || mail.SameAddress("a+1@x.org", "a@x.org") {
		t.Error("SameAddress: case does not count, a plus does")
	}
}

// What is sent to can be read again, and what is read never breaks a line.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{"", `"a, b" <c@d.org>`, "x: a@b.org;", "a@b.org (c)", "כהן, דנה <d@x.org>", "<<a@b>>",
		`"\`, "(((", "=?utf-8?b?4pyI?= <a@b.org>", "a@xn--.org"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, a := range mail.Addresses(text) {
			if !utf8.ValidString(a.Name) || strings.ContainsAny(a.Name+a.Email, "\r\n\x00") || !strings.Contains(a.Email, "@") {
				t.Errorf("%q gives %+q", text, a)
			}
		}
		one, err := mail.Recipient(text)
		if err != nil {
			return
		}
		again, err := mail.Recipient(one.Email)
		if err != nil || again.Email != one.Email {
			t.Errorf("%q gives %+q, which gives %+q, %v", text, one, again, err)
		}
		if read := mail.Addresses(one.Email); len(read) != 1 || read[0].Email != one.Email {
			t.Errorf("%q gives %+q, which is read as %+q", text, one, read)
		}
	})
}
