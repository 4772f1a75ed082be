package mail_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"encoding/base64"
	"mime/quotedprintable"

	"almanac/graph/model"
	"almanac/projections/mail"
)

func message() mail.Message {
	return mail.Message{
		From:    model.EmailAddress{Name: "Ada", Email: "ada@example.com"},
		To:      []model.EmailAddress{{Name: "דנה כהן", Email: "dana@example.com"}},
		Subject: "Coffee", Date: time.Date(2026, 11, 17, 9, 0, 0, 0, time.FixedZone("", 2*60*60)),
		MessageID: "<1@example.com>", Text: "Tuesday?", Boundary: "part-1",
	}
}

func TestComposeIsWhatItIs(t *testing.T) {
	t.Parallel()
	m := message()
	m.InReplyTo, m.References = "<0@example.com>", []string{"<00@example.com>", "<0@example.com>"}
	got, err := mail.Compose(m)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"MIME-Version: 1.0", "Date: Tue, 17 Nov 2026 09:00:00 +0200", "Message-ID: <1@example.com>",
		`From: "Ada" <ada@example.com>`, "To: =?utf-8?B?15PXoNeUINeb15TXnw==?= <dana@example.com>",
		"Subject: Coffee", "In-Reply-To: <0@example.com>", "References: <00@example.com> <0@example.com>",
		"Content-Type: text/plain; charset=UTF-8", "Content-Transfer-Encoding: quoted-printable", "", "Tuesday?", "",
	}, "\r\n")
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, err := mail.Compose(m)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("the same message is written in two ways: %v", err)
	}
}

// read parses a message with the standard library alone.
func read(t *testing.T, raw []byte) (headers netmail.Header, subject, text, html string) {
	t.Helper()
	for line := range strings.SplitSeq(string(raw), "\r\n") {
		if len(line) > 998 || strings.ContainsAny(line, "\r\n") {
			t.Errorf("a line of %d bytes, or a bare line end: %.80q", len(line), line)
		}
	}
	parsed, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%v in\n%s", err, raw)
	}
	decoder := mime.WordDecoder{}
	if subject, err = decoder.DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	kind, named, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if kind == "text/plain" {
		return parsed.Header, subject, strings.TrimSuffix(decode(t, parsed.Header.Get("Content-Transfer-Encoding"),
			parsed.Body), "\r\n"), ""
	}
	reader := multipart.NewReader(parsed.Body, named["boundary"])
	var texts []string
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, raw)
		}
		texts = append(texts, decode(t, part.Header.Get("Content-Transfer-Encoding"), part))
	}
	if len(texts) != 2 {
		t.Fatalf("%d parts in\n%s", len(texts), raw)
	}
	return parsed.Header, subject, texts[0], texts[1]
}

func decode(t *testing.T, encoding string, from io.Reader) string {
	t.Helper()
	switch encoding {
	case "base64":
		from = base64.NewDecoder(base64.StdEncoding, from)
	case "quoted-printable":
		from = quotedprintable.NewReader(from)
	default:
		t.Fatalf("encoding %q", encoding)
	}
	all, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

func roundTrip(t *testing.T, m mail.Message) {
	t.Helper()
	raw, err := mail.Compose(m)
	if err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
	headers, subject, text, html := read(t, raw)
	if subject != m.Subject {
		t.Errorf("subject %q became %q in\n%.500s", m.Subject, subject, raw)
	}
	wantText := strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n", "\x00", "").Replace(m.Text)
	if strings.TrimSuffix(text, "\r\n") != strings.TrimSuffix(wantText, "\r\n") {
		t.Errorf("text %q became %q", wantText, text)
	}
	if wantHTML := strings.ReplaceAll(mail.CleanHTML(m.HTML), "\n", "\r\n"); html != wantHTML &&
		mail.CleanHTML(m.HTML) != "" {
		t.Errorf("HTML %q became %q", wantHTML, html)
	}
	for _, field := range []struct {
		name string
		want []model.EmailAddress
	}{{"To", m.To}, {"Cc", m.Cc}, {"Bcc", m.Bcc}} {
		if len(field.want) == 0 {
			if headers.Get(field.name) != "" {
				t.Errorf("%s is %q", field.name, headers.Get(field.name))
			}
			continue
		}
		list, err := headers.AddressList(field.name)
		if err != nil {
			t.Fatalf("%s: %v in\n%s", field.name, err, raw)
		}
		var got []model.EmailAddress
		for _, a := range list {
			got = append(got, model.EmailAddress{Name: a.Name, Email: a.Address})
		}
		if !slices.Equal(got, field.want) {
			t.Errorf("%s: %+q became %+q", field.name, field.want, got)
		}
		if ours := mail.Addresses(headers.Get(field.name)); !slices.Equal(ours, field.want) {
			t.Errorf("%s: %+q is read by Addresses as %+q", field.name, field.want, ours)
		}
	}
}

func TestComposeRoundTrip(t *testing.T) {
	t.Parallel()
	many := make([]model.EmailAddress, 50)
	for i := range many {
		many[i] = model.EmailAddress{Name: "Somebody, the " + strings.Repeat("x", i) + "th",
			Email: strings.Repeat("a", i+1) + "@example.com"}
	}
	for name, change := range map[string]func(*mail.Message){
		"plain": func(*mail.Message) {},
		"Hebrew": func(m *mail.Message) {
			m.Subject, m.Text = "פגישה ביום שלישי", "שלום,\nנתראה מחר.\n"
		},
		"long Hebrew subject":  func(m *mail.Message) { m.Subject = strings.Repeat("שלום עולם ", 49) + "." },
		"emoji across a fold":  func(m *mail.Message) { m.Subject = strings.Repeat("a", 40) + strings.Repeat("👩‍👩‍👧", 20) },
		"long ASCII subject":   func(m *mail.Message) { m.Subject = strings.TrimSpace(strings.Repeat("word ", 99)) },
		"one long word":        func(m *mail.Message) { m.Subject = strings.Repeat("a", 500) },
		"blanks":               func(m *mail.Message) { m.Subject = " two  blanks " + strings.Repeat("x  ", 40) },
		"encoded word as data": func(m *mail.Message) { m.Subject = "=?utf-8?B?eA==?=" },
		"empty subject":        func(m *mail.Message) { m.Subject = "" },
		"long lines":           func(m *mail.Message) { m.Text = strings.Repeat("word ", 2_000) },
		"old line ends":        func(m *mail.Message) { m.Text = "a\rb\nc\r\nd\n\n" },
		"dots and From":        func(m *mail.Message) { m.Text = ".\nFrom here\n.." },
		"text with the boundary": func(m *mail.Message) {
			m.Text, m.HTML = "--part-1\r\nContent-Type: x\r\n\r\n--part-1--", "<p>x</p>"
		},
		"HTML": func(m *mail.Message) {
			m.Text, m.HTML = "שלום", `<p dir="rtl">שלום</p><script>x</script>`
		},
		"equals signs":        func(m *mail.Message) { m.Text = "a=3D b=\n=" },
		"blanks at line ends": func(m *mail.Message) { m.Text = "a  \nb\t\n" },
		"many recipients":     func(m *mail.Message) { m.To, m.Cc, m.Bcc = many[:20], many[20:40], many[40:] },
		"names": func(m *mail.Message) {
			m.To = []model.EmailAddress{{Name: `"Ada" \ (B), <c>`, Email: "a@x.org"}, {Name: "=?utf-8?q?x?=", Email: "b@x.org"}}
		},
		"long Hebrew name": func(m *mail.Message) {
			m.To = []model.EmailAddress{{Name: strings.Repeat("דנה ", 49) + "כהן", Email: "a@x.org"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := message()
			change(&m)
			roundTrip(t, m)
		})
	}
}

func TestComposeRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*mail.Message){
		"line break in the subject":     func(m *mail.Message) { m.Subject = "a\r\nBcc: x@evil.example" },
		"line feed in the subject":      func(m *mail.Message) { m.Subject = "a\nb" },
		"NUL in the subject":            func(m *mail.Message) { m.Subject = "a\x00b" },
		"line separator in the subject": func(m *mail.Message) { m.Subject = "a\u2028b" },
		"next line in the subject":      func(m *mail.Message) { m.Subject = "a\u0085b" },
		"invalid UTF-8 in the subject":  func(m *mail.Message) { m.Subject = "a\xff" },
		"line break in a name":          func(m *mail.Message) { m.To[0].Name = "a\r\nBcc: x@evil.example" },
		"line break in an address":      func(m *mail.Message) { m.To[0].Email = "a@x.org>\r\nBcc: <x@evil.example" },
		"two addresses in one":          func(m *mail.Message) { m.To[0].Email = "a@x.org, b@x.org" },
		"no address":                    func(m *mail.Message) { m.Cc = []model.EmailAddress{{Name: "a"}} },
		"not ASCII":                     func(m *mail.Message) { m.Bcc = []model.EmailAddress{{Email: "a@bücher.example"}} },
		"line break in a Message-ID":    func(m *mail.Message) { m.InReplyTo = "<a@b\r\nBcc: x@evil.example>" },
		"no Message-ID":                 func(m *mail.Message) { m.References = []string{"a@b"} },
		"two Message-IDs in one":        func(m *mail.Message) { m.MessageID = "<a@b> <c@d>" },
	} {
		m := message()
		change(&m)
		if raw, err := mail.Compose(m); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%s: %v\n%s", name, err, raw)
		}
	}
	m := message()
	m.HTML, m.Boundary = "<p>a", `a"b`
	if _, err := mail.Compose(m); err == nil {
		t.Error("a boundary that leaves its quotes")
	}
}

func FuzzCompose(f *testing.F) {
	f.Add("Coffee", "Tuesday?", "<p>Tuesday?</p>", "Dana")
	f.Add("שלום", "שלום\n", "", "דנה \"כהן\"")
	f.Add("a\r\nb", "\r", "<", "=?utf-8?q?x?=")
	f.Add(strings.Repeat("👩‍👧 ", 30), "=", "<b>=</b>", ", <x>")
	f.Fuzz(func(t *testing.T, subject, text, html, name string) {
		m := message()
		m.Subject, m.Text, m.HTML = subject, strings.ToValidUTF8(text, ""), html
		m.To[0].Name = strings.Join(strings.Fields(name), " ")
		if _, err := mail.Compose(m); err != nil || len([]rune(name)) > 100 {
			return // refused
		}
		if strings.ContainsFunc(name, func(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }) {
			return // Addresses takes it out, and Recipient refuses it
		}
		roundTrip(t, m)
	})
}

func TestShown(t *testing.T) {
	t.Parallel()
	for _, want := range []mail.Shown{
		{},
		{From: model.EmailAddress{Name: "Ada", Email: "a@x.org"}, To: []model.EmailAddress{{Email: "b@x.org"}},
			Cc: []model.EmailAddress{{Email: "c@x.org"}}, Bcc: []model.EmailAddress{{Name: "ד", Email: "d@x.org"}},
			Subject: "שלום <&>", Body: "a\n\"b\"", HTML: "<p>a</p>", InReplyTo: "<1@x>", References: []string{"<0@x>", "<1@x>"}},
	} {
		written, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got mail.Shown
		if err := json.Unmarshal(written, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v became %+v through %s: %v", want, got, written, err)
		}
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	if got, want := mail.Quote("a\n\n> b\n"), "> a\n>\n>> b"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}
