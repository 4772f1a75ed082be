package mail_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/mail"
)

func TestSafeName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"report.pdf":            "report.pdf",
		"דוח שנתי.pdf":          "דוח שנתי.pdf",
		"../../etc/passwd":      "_.._etc_passwd",
		`C:\Windows\win.ini`:    "C__Windows_win.ini",
		"a\u202etxt.exe":        "a_txt.exe",
		"a\x00b\r\nc":           "a_b__c",
		"CON":                   "_CON",
		"nul.txt":               "_nul.txt",
		"COM1.tar.gz":           "_COM1.tar.gz",
		"COM":                   "COM",
		"...":                   "",
		".bashrc":               "bashrc",
		"a. ":                   "a",
		"":                      "",
		"///":                   "",
		"a\xffb":                "a_b",
		"42.zip":                "42.zip",
		"invoice.pdf\u2028.exe": "invoice.pdf_.exe",
		"👩‍👧.png":               "👩‍👧.png",
	} {
		if got := mail.SafeName(name); got != want {
			t.Errorf("SafeName(%q) = %q; want %q", name, got, want)
		}
	}
	long := mail.SafeName(strings.Repeat("ש", 500) + ".pdf")
	if !strings.HasSuffix(long, ".pdf") || len(long) > 255 {
		t.Errorf("a long name becomes %q (%d bytes)", long, len(long))
	}
}

func FuzzSafeName(f *testing.F) {
	for _, seed := range []string{"a/b", "con.txt", ". .", strings.Repeat("a", 300) + ".x", strings.Repeat("x.", 200),
		"\u202e", "a.\u05d0", "COM¹", "_"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		safe := mail.SafeName(name)
		if strings.ContainsAny(safe, "/\\:*?\"<>|\x00\r\n") || !utf8.ValidString(safe) || len(safe) > 255 ||
			strings.HasPrefix(safe, ".") || strings.HasSuffix(safe, ".") {
			t.Errorf("SafeName(%q) = %q", name, safe)
		}
		if again := mail.SafeName(safe); again != safe {
			t.Errorf("SafeName(%q) = %q, then %q", name, safe, again)
		}
	})
}

func part(id, kind string, change ...func(*model.EmailPart)) model.EmailPart {
	p := model.EmailPart{ID: id, MIMEType: kind}
	for _, c := range change {
		c(&p)
	}
	return p
}

func header(name, value string) func(*model.EmailPart) {
	return func(p *model.EmailPart) {
		p.Headers = append(p.Headers, model.EmailHeader{Name: name, Value: value})
	}
}

func content(text string) func(*model.EmailPart) {
	return func(p *model.EmailPart) { p.Content, p.Size = []byte(text), int64(len(text)) }
}

func file(name string) func(*model.EmailPart) {
	return func(p *model.EmailPart) { p.Filename, p.Attachment, p.Size = name, true, 7 }
}

func parts(children ...model.EmailPart) func(*model.EmailPart) {
	return func(p *model.EmailPart) { p.Parts = children }
}

func TestAttachments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		root model.EmailPart
		want []mail.Attachment
	}{
		{"text only", part("", "text/plain", content("hello")), []mail.Attachment{}},
		{"a file beside a text", part("", "multipart/mixed",
			parts(part("0", "text/plain", content("x")), part("1", "application/pdf", file("../a.pdf")))),
			[]mail.Attachment{{PartID: "1", Filename: "_a.pdf", MIMEType: "application/pdf", Size: 7}}},
		{"a picture of the HTML", part("", "multipart/related",
			parts(part("0", "text/html", content("<img src=cid:i@x>")), part("1", "image/png", file("i.png"),
				header("Content-Id", "<i@x>"), header("content-disposition", "inline; filename=i.png")))),
			[]mail.Attachment{{PartID: "1", Filename: "i.png", MIMEType: "image/png", Size: 7, Inline: true, ContentID: "i@x"}}},
		{"a picture with an id that is attached", part("", "multipart/mixed",
			parts(part("0", "image/png", file("i.png"), header("Content-ID", "<i@x>"),
				header("Content-Disposition", "attachment")))),
			[]mail.Attachment{{PartID: "0", Filename: "i.png", MIMEType: "image/png", Size: 7, ContentID: "i@x"}}},
		{"winmail.dat", part("", "application/ms-tnef", file("winmail.dat")),
			[]mail.Attachment{{Filename: "winmail.dat", MIMEType: "application/ms-tnef", Size: 7}}},
		{"a message within, with files of its own", part("", "multipart/mixed",
			parts(part("0", "message/rfc822", file("Re: a?"), parts(part("0.0", "application/pdf", file("inner.pdf")))))),
			[]mail.Attachment{{PartID: "0", Filename: "Re_ a_.eml", MIMEType: "message/rfc822", Size: 7}}},
		{"an invitation", part("", "multipart/alternative",
			parts(part("0", "text/plain", content("x")), part("1", "text/calendar", content("BEGIN")))),
			[]mail.Attachment{{PartID: "1", Filename: "invite.ics", MIMEType: "text/calendar", Size: 5}}},
		{"RFC 2231", part("", "application/pdf", header("Content-Disposition",
			"attachment; filename*0*=utf-8''%D7%93; filename*1*=%D7%95%D7%97.pdf")),
			[]mail.Attachment{{Filename: "דוח.pdf", MIMEType: "application/pdf"}}},
		{"RFC 2231 that was taken for a name", part("", "application/pdf", file("utf-8''%D7%93%D7%95%D7%97.pdf")),
			[]mail.Attachment{{Filename: "דוח.pdf", MIMEType: "application/pdf", Size: 7}}},
		{"encoded words", part("", "application/pdf", file("=?utf-8?B?15PXldeXLnBkZg==?=")),
			[]mail.Attachment{{Filename: "דוח.pdf", MIMEType: "application/pdf", Size: 7}}},
		{"encoded words that hide a path", part("", "text/plain", file("=?utf-8?q?..=2F..=2Fx?=")),
			[]mail.Attachment{{Filename: "_.._x", MIMEType: "text/plain", Size: 7}}},
		{"a text that is a file", part("", "text/plain", content("x"), header("Content-Disposition", "attachment")),
			[]mail.Attachment{{MIMEType: "text/plain", Size: 1}}},
		{"a broken disposition", part("", "application/x", header("Content-Disposition", `attachment; filename="a`)),
			[]mail.Attachment{{MIMEType: "application/x"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := mail.Attachments(&c.root); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
	if got := mail.Attachments(nil); got == nil || len(got) != 0 {
		t.Errorf("a message that was not read has %#v", got)
	}
}

func TestTenThousandParts(t *testing.T) {
	t.Parallel()
	flat := part("", "multipart/mixed")
	deep := part("", "text/plain", content("deep"))
	for range 10_000 {
		flat.Parts = append(flat.Parts, part("0", "application/x", file("42.zip")))
		deep = part("0", "multipart/mixed", parts(deep))
	}
	flat.Parts = append(flat.Parts, part("1", "text/plain", content("words")))
	if got := len(mail.Attachments(&flat)); got != 10_000 {
		t.Errorf("%d files", got)
	}
	if text, _, _ := mail.Body(&flat, model.BodyText, 100); text != "words" {
		t.Errorf("text %q", text)
	}
	if text, _, _ := mail.Body(&deep, model.BodyClean, 100); text != "" {
		t.Errorf("beyond the depth that is looked into: %q", text)
	}
	if got := len(mail.Attachments(&deep)); got != 0 {
		t.Errorf("%d files in the deep", got)
	}
}
