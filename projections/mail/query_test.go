package mail_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"almanac/graph/model"
	"almanac/projections/mail"
)

func TestQuery(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	at := time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		filter mail.Filter
		want   string
	}{
		{"nothing", mail.Filter{}, ""},
		{"from", mail.Filter{From: "Ada Byron"}, `from:"Ada" from:"Byron"`},
		{"to", mail.Filter{To: "a@x.org"}, `{to:"a@x.org" cc:"a@x.org" bcc:"a@x.org"}`},
		{"operators are data", mail.Filter{Text: "from:x OR in:trash -{a}"}, `"from:x" "OR" "in:trash" "-{a}"`},
		{"quotes part words", mail.Filter{Subject: `a" OR in:anywhere "b`},
			`subject:"a" subject:"OR" subject:"in:anywhere" subject:"b"`},
		{"other quotes too", mail.Filter{Text: "“a” «b»"}, `"a" "b"`},
		{"backslashes", mail.Filter{Text: `a\" b`}, `"a" "b"`},
		{"Hebrew abbreviation", mail.Filter{Text: `צה"ל צה״ל ג׳`}, `"צה״ל" "צה״ל" "ג׳"`},
		{"emoji", mail.Filter{Text: "☕ 👩‍👧"}, `"☕" "👩‍👧"`},
		{"what is not seen", mail.Filter{Text: "a\u200bb\u202e \u200f"}, `"ab"`},
		{"time", mail.Filter{After: at, Before: at.Add(time.Hour)}, "after:1794906000 before:1794909600"},
		{"parts of a second", mail.Filter{After: at.Add(time.Millisecond), Before: at.Add(time.Millisecond)},
			"after:1794906000 before:1794906001"},
		{"before there was mail", mail.Filter{After: time.Unix(5, 0), Before: time.Unix(-5, 0)}, "before:86400"},
		{"flags", mail.Filter{Unread: &yes, HasAttachment: &no}, "is:unread -has:attachment"},
		{"raw", mail.Filter{From: "a", Raw: " b OR  c "}, `from:"a" (b OR c)`},
		{"raw that asks for more", mail.Filter{Raw: "in:anywhere", WithoutSpamTrash: true},
			"(in:anywhere) -in:spam -in:trash"},
		{"raw with a phrase", mail.Filter{Raw: `subject:"a (b)" {c d}"e"f צה"ל`}, `(subject:"a b " {c d}"e" f צה״ל)`},
	} {
		got, err := mail.Query(c.filter)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestQueryRefuses(t *testing.T) {
	t.Parallel()
	for name, filter := range map[string]mail.Filter{
		"no word": {Text: "-- !!"}, "long": {From: strings.Repeat("a", 501)},
		"many words": {Subject: strings.Repeat("a ", 60)}, "bracket": {Raw: "a) OR (in:trash"}, "brace": {Raw: "a} {b"},
		"mixed": {Raw: "(a}"},
		"open":  {Raw: "(a"}, "quote": {Raw: `a"`}, "typographic quote": {Raw: "a “b"},
		"long raw": {Raw: strings.Repeat("a", 1_001)}, "control": {Raw: "a\x00"},
		"deep":          {Raw: strings.Repeat("(", 30) + strings.Repeat(")", 30)},
		"open operator": {Raw: "from:"}, "open minus": {Raw: "a -"}, "nothing": {Raw: "\u200b"},
	} {
		if got, err := mail.Query(filter); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%s: %q, %v; want BAD_USER_INPUT", name, got, err)
		}
	}
}

// clause is one term of a query: an operator and a phrase, or a group of others.
type clause struct {
	operator, phrase string
	negated          bool
	anyOf, allOf     []clause
}

// readClauses is a reading of Gmail's language of its own, as far as the conjunctions go that Query writes. How quotes
// in the middle of a word are read is open, so both readings are tried: quotes that begin anywhere, and quotes that
// begin a word or a value only.
func readClauses(t *testing.T, query string, anywhere bool) []clause {
	t.Helper()
	r := &clauseReader{text: query, anywhere: anywhere}
	all := r.until("")
	if r.text != "" || r.depth != 0 {
		t.Fatalf("%q is left of %q", r.text, query)
	}
	return all
}

type clauseReader struct {
	text     string
	anywhere bool
	depth    int
	broken   bool
}

func (r *clauseReader) until(end string) (all []clause) {
	for {
		r.text = strings.TrimLeftFunc(r.text, unicode.IsSpace)
		switch {
		case r.text == "":
			r.broken = r.broken || end != ""
			return all
		case end != "" && strings.HasPrefix(r.text, end):
			r.text = r.text[1:]
			return all
		case r.text[0] == ')' || r.text[0] == '}':
			r.broken = true
			return all
		}
		all = append(all, r.term(""))
	}
}

func (r *clauseReader) term(operator string) (c clause) {
	c.operator = operator
	switch {
	case r.text == "":
	case r.text[0] == '-':
		r.text = r.text[1:]
		c = r.term(operator)
		c.negated = !c.negated
	case r.text[0] == '(':
		r.text = r.text[1:]
		c.allOf = r.until(")")
	case r.text[0] == '{':
		r.text = r.text[1:]
		c.anyOf = r.until("}")
	case r.text[0] == '"':
		c.phrase, r.text, _ = strings.Cut(r.text[1:], `"`)
	default:
		stop := "(){} \t\n"
		if r.anywhere {
			stop += `"`
		}
		end := strings.IndexAny(r.text, stop)
		if end < 0 {
			end = len(r.text)
		}
		if colon := strings.IndexByte(r.text[:end], ':'); colon > 0 && operator == "" {
			operator = r.text[:colon]
			r.text = r.text[colon+1:]
			return r.term(operator)
		}
		c.phrase, r.text = r.text[:end], r.text[end:]
	}
	return c
}

// For any data, any reader sees exactly the conjunction that was meant.
func TestQueryMeansWhatItSays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "from:", "OR", "in:trash", `"`, `\`, "(", ")", "{", "}", "-", " ", " ", "שלום", `צה"ל`, "״",
		"“", "”", "👍", "\n", "\u200b", "x@y.z", "AND", "AROUND", ":", "\u202e", "+", "|", "*", "'"}
	sentence := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	compiled := 0
	for range 4_000 {
		filter := mail.Filter{From: sentence(), To: sentence(), Subject: sentence(), Text: sentence(),
			After: time.Unix(1_700_000_000, 0)}
		query, err := mail.Query(filter)
		if err != nil {
			continue
		}
		compiled++
		for _, anywhere := range []bool{true, false} {
			var counted [4]int
			for _, c := range readClauses(t, query, anywhere) {
				switch {
				case c.negated || len(c.allOf) > 0:
					t.Fatalf("%+v in %q", c, query)
				case len(c.anyOf) == 3 && c.anyOf[0].operator == "to" && c.anyOf[1].operator == "cc" &&
					c.anyOf[2].operator == "bcc":
					counted[1]++
				case c.operator == "from":
					counted[0]++
				case c.operator == "subject":
					counted[2]++
				case c.operator == "" && len(c.anyOf) == 0:
					counted[3]++
				case c.operator == "after" && c.phrase == "1700000000":
				default:
					t.Fatalf("%+v in %q of %+v", c, query, filter)
				}
			}
			for i, given := range []string{filter.From, filter.To, filter.Subject, filter.Text} {
				if (given == "") != (counted[i] == 0) {
					t.Fatalf("part %d of %+v has %d clauses in %q", i, filter, counted[i], query)
				}
			}
		}
	}
	if compiled < 200 {
		t.Errorf("only %d of the filters were compiled", compiled)
	}
}

// A query of the user's own stays within its brackets for any reader.
func FuzzQueryNarrows(f *testing.F) {
	for _, seed := range []string{"a", "a) OR (b", `"a`, `"(" )`, "{a b}", "-(a)", `a"b)c"d`, "“(”)", "from:(a b)",
		`"a" "b`, "a:b:c", "(((", `\"`, "after:2026/01/01", `0" "`, `a"("b`, `צה"ל`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		query, err := mail.Query(mail.Filter{From: "a", Raw: raw})
		if err != nil || strings.TrimSpace(raw) == "" {
			return
		}
		for _, anywhere := range []bool{true, false} {
			r := &clauseReader{text: query, anywhere: anywhere}
			all := r.until("")
			if len(all) != 2 || all[0].operator != "from" || all[0].phrase != "a" || all[1].operator != "" || r.text != "" ||
				r.broken {
				t.Errorf("%q became %q, read as %+v, %q left", raw, query, all, r.text)
			}
		}
	})
}

func TestReplySubject(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"Coffee": "Re: Coffee", "Re: Coffee": "Re: Coffee", "RE: re: Coffee": "Re: Coffee", "Re[2]: Coffee": "Re: Coffee",
		"Fwd: Coffee": "Re: Fwd: Coffee", "Re: Fwd: Coffee": "Re: Fwd: Coffee", "השב: קפה": "Re: קפה",
		"RE: תגובה: קפה": "Re: קפה", "\u200fRe: קפה": "Re: קפה", "AW: Kaffee": "Re: Kaffee", "": "Re:",
		"Regarding: x": "Re: Regarding: x", "a\r\n b": "Re: a b", "12:30": "Re: 12:30", "Re:Coffee": "Re: Coffee",
	} {
		if got := mail.ReplySubject(subject); got != want {
			t.Errorf("ReplySubject(%q) = %q; want %q", subject, got, want)
		}
	}
	if got := []rune(mail.ReplySubject(strings.Repeat("ש", 2_000))); len(got) != model.MaxEmailSubject {
		t.Errorf("a long subject has %d characters", len(got))
	}
}

func headers(pairs ...string) (out []model.EmailHeader) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, model.EmailHeader{Name: pairs[i], Value: pairs[i+1]})
	}
	return out
}

func TestReplyTo(t *testing.T) {
	t.Parallel()
	own := []string{"me@x.org"}
	for _, c := range []struct {
		name      string
		headers   []model.EmailHeader
		everybody bool
		to, cc    string
		noReply   bool
	}{
		{"sender", headers("From", "Ada <a@x.org>", "To", "me@x.org, b@x.org"), false, "a@x.org", "", false},
		{"everybody", headers("From", "a@x.org", "To", "Me@X.org, b@x.org, A@x.org", "Cc", "c@x.org, b@x.org"), true,
			"a@x.org", "b@x.org c@x.org", false},
		{"reply-to", headers("From", "a@x.org", "Reply-To", "list@x.org", "To", "me@x.org"), false, "list@x.org", "", false},
		{"one's own", headers("From", "Me <me@x.org>", "To", "a@x.org, b@x.org", "Cc", "c@x.org"), false, "a@x.org b@x.org",
			"", false},
		{"one's own, to everybody", headers("From", "me@x.org", "To", "a@x.org", "Cc", "c@x.org, me@x.org"), true, "a@x.org",
			"c@x.org", false},
		{"to oneself", headers("From", "me@x.org", "To", "me@x.org"), false, "me@x.org", "", false},
		{"nobody", headers("Subject", "x"), true, "", "", false},
		{"no reply", headers("From", "Shop <no-reply@shop.example>"), false, "no-reply@shop.example", "", true},
		{"do not reply", headers("From", "Do_Not_Reply@shop.example"), false, "Do_Not_Reply@shop.example", "", true},
	} {
		got := mail.ReplyTo(c.headers, own, c.everybody)
		if to, cc := addresses(got.To), addresses(got.Cc); to != c.to || cc != c.cc || got.NoReply != c.noReply {
			t.Errorf("%s: to %q, cc %q, no reply %v; want %q, %q, %v", c.name, to, cc, got.NoReply, c.to, c.cc, c.noReply)
		}
	}
}

func addresses(list []model.EmailAddress) string {
	var out []string
	for _, a := range list {
		out = append(out, a.Email)
	}
	return strings.Join(out, " ")
}

func TestReplyThreads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		headers   []model.EmailHeader
		inReplyTo string
		want      string
	}{
		{"first", headers("Message-ID", "<1@x>"), "<1@x>", "<1@x>"},
		{"later", headers("Message-Id", "<3@x>", "References", "<1@x>\r\n <2@x>"), "<3@x>", "<1@x> <2@x> <3@x>"},
		{"only in reply to", headers("Message-ID", "<2@x>", "In-Reply-To", "<1@x>"), "<2@x>", "<1@x> <2@x>"},
		{"in reply to many", headers("Message-ID", "<3@x>", "In-Reply-To", "<1@x> <2@x>"), "<3@x>", "<3@x>"},
		{"names itself", headers("Message-ID", "<1@x>", "References", "<1@x> <0@x>"), "<1@x>", "<0@x> <1@x>"},
		{"unsound", headers("Message-ID", "<a b@x>", "References", "<1@x> <2\u0007@x> junk <3"), "", "<1@x>"},
		{"none", nil, "", ""},
	} {
		got := mail.ReplyTo(c.headers, nil, false)
		if got.InReplyTo != c.inReplyTo || strings.Join(got.References, " ") != c.want {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, got.InReplyTo, got.References, c.inReplyTo, c.want)
		}
	}
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf("<%d@x>", i))
	}
	got := mail.ReplyTo(headers("Message-ID", "<last@x>", "References", strings.Join(many, " ")), nil, false).References
	if len(got) != 30 || got[0] != "<0@x>" || got[28] != "<99@x>" || got[29] != "<last@x>" {
		t.Errorf("of a long conversation: %q", got)
	}
	long := headers("Message-ID", "<last@x>", "References",
		strings.Repeat("<"+strings.Repeat("a", 800)+"@x> ", 1)+"<"+strings.Repeat("b", 880)+"@x>")
	if got := mail.ReplyTo(long, nil, false).References; len(got) != 3 {
		t.Errorf("long ids: %d", len(got))
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	all := headers("Received", "a", "Subject", " Hi ", "received", "b", "X", strings.Repeat("ש", 1<<20))
	if got := mail.Header(all, "SUBJECT"); got != "Hi" {
		t.Errorf("%q", got)
	}
	got, err := mail.Select(all, []string{"received", "X", "Missing"})
	if err != nil || len(got) != 3 || got[0].Value != "a" || got[1].Value != "b" || len([]rune(got[2].Value)) != 10_000 {
		t.Errorf("%d headers, %v", len(got), err)
	}
	if none, err := mail.Select(all, nil); err != nil || none == nil || len(none) != 0 {
		t.Errorf("no names: %#v, %v", none, err)
	}
	for _, bad := range [][]string{{""}, {"a b"}, {"a:"}, {"א"}, slices.Repeat([]string{"a"}, 21),
		{strings.Repeat("a", 101)}} {
		if _, err := mail.Select(all, bad); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for value, want := range map[string]string{"=?utf-8?B?15PXoNeU?=": "דנה", "=?windows-1255?B?+ezl7Q==?=": "שלום",
		"plain": "plain", "=?klingon?B?eA==?=": "=?klingon?B?eA==?="} {
		if got := mail.Plain(value); got != want {
			t.Errorf("Plain(%q) = %q; want %q", value, got, want)
		}
	}
}
