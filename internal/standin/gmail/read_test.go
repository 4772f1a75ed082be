package gmail_test

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/standin/gmail"
)

func TestShapeOfAMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	letter := gmail.Letter{From: "Ben <ben@example.com>", To: ada, Subject: "Lunch", Text: "At one?",
		MessageID: "m1@example.com"}
	id := w.deliver(letter)
	m := w.get(id)
	if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(m.Id) || m.ThreadId != m.Id {
		t.Errorf("id %q, thread %q", m.Id, m.ThreadId)
	}
	same(t, "labels", m.LabelIds, []string{"INBOX", "UNREAD"})
	same(t, "internal date", m.InternalDate, w.Now().UnixMilli())
	same(t, "size", m.SizeEstimate, int64(len(letter.Bytes())))
	if m.HistoryId == 0 {
		t.Error("no history id")
	}
	p := m.Payload
	same(t, "root", []string{p.PartId, p.Filename, p.MimeType, decode(t, p.Body.Data)},
		[]string{"", "", "text/plain", "At one?"})
	same(t, "size of the body", p.Body.Size, int64(len("At one?")))
}

func TestTreeOfParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.deliver(gmail.Letter{
		From: "x@example.com", To: ada, Subject: "All", Text: "plain", HTML: "<p>html</p>",
		Attachments: []gmail.Attachment{
			{Name: "report.pdf", Type: "application/pdf", Content: []byte("%PDF-1")},
			{Name: "notes.txt", Type: "text/plain", Content: []byte("hello")},
		},
	})
	p := w.get(id).Payload
	same(t, "root", []string{p.MimeType, p.PartId, fmt.Sprint(p.Body.Size), p.Body.Data},
		[]string{"multipart/mixed", "", "0", ""})
	if len(p.Parts) != 3 || len(p.Parts[0].Parts) != 2 {
		t.Fatalf("%+v", p.Parts)
	}
	alternative, pdf, text := p.Parts[0], p.Parts[1], p.Parts[2]
	same(t, "ids", []string{alternative.PartId, alternative.Parts[0].PartId, alternative.Parts[1].PartId, pdf.PartId,
		text.PartId},
		[]string{"0", "0.0", "0.1", "1", "2"})
	same(t, "texts", []string{decode(t, alternative.Parts[0].Body.Data), decode(t, alternative.Parts[1].Body.Data)},
		[]string{"plain", "<p>html</p>"})
	for i, want := range []int64{6, 5} {
		part := p.Parts[i+1]
		if part.Body.Data != "" || part.Body.AttachmentId == "" || part.Body.Size != want {
			t.Errorf("an attachment: %+v", part.Body)
		}
	}
	same(t, "names", []string{pdf.Filename, text.Filename, alternative.Filename}, []string{"report.pdf", "notes.txt", ""})
	if len(header(pdf, "Content-Disposition")) != 1 {
		t.Errorf("headers of a part: %+v", pdf.Headers)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	letter := gmail.Letter{From: "x@example.com", To: ada, Subject: "Hi", Text: "body", MessageID: "m@x",
		Fields: []string{"Received: one", "received: two", "X-Odd: v"}}
	id := w.deliver(letter)
	get := w.ada().Messages.Get
	minimal, err := get("me", id).Format("minimal").Do()
	if err != nil || minimal.Payload != nil || minimal.Raw != "" || minimal.Snippet != "body" ||
		minimal.InternalDate == 0 || minimal.SizeEstimate == 0 {
		t.Errorf("minimal: %+v %v", minimal, err)
	}
	metadata, err := get("me", id).Format("metadata").Do()
	if err != nil || metadata.Payload.MimeType != "text/plain" || metadata.Payload.Body != nil ||
		len(metadata.Payload.Headers) != 10 {
		t.Errorf("metadata: %+v %v", metadata.Payload, err)
	}
	some, err := get("me", id).Format("metadata").MetadataHeaders("SUBJECT", "received").Do()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range some.Payload.Headers {
		got = append(got, h.Name+"="+h.Value)
	}
	same(t, "chosen headers", got, []string{"Subject=Hi", "Received=one", "received=two"})
	raw, err := get("me", id).Format("raw").Do()
	if err != nil || raw.Payload != nil || decode(t, raw.Raw) != string(letter.Bytes()) {
		t.Errorf("raw: %+v %v", raw, err)
	}
	_, err = get("me", "19").Do()
	wants(t, "unknown", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	for _, bad := range []string{"nothing", "12345678901234567", "x1"} {
		_, err = get("me", bad).Do()
		wants(t, bad, err, 400, "invalidArgument", "Invalid id value", "INVALID_ARGUMENT")
	}
}

func TestHeadersAreDecoded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ name, raw, want string }{
		{"plain", "Subject: Hello", "Hello"},
		{"folded", "Subject: Hello\r\n  there\r\n\t you ", "Hello there you"},
		{"hebrew", "Subject: =?utf-8?B?16nXnNeV150=?=", "שלום"},
		{"windows", "Subject: =?windows-1255?Q?=F9=EC=E5=ED_x?=", "שלום x"},
		{"visual", "Subject: =?iso-8859-8-i?B?+ezl7Q==?=", "שלום"},
		{"side by side", "Subject: =?utf-8?Q?a?= =?utf-8?Q?b?= c", "ab c"},
		{"cut letter", "Subject: =?utf-8?B?16nX?=\r\n =?utf-8?B?nNeV150=?=", "שלום"},
		{"two charsets", "Subject: =?utf-8?Q?=D7=A9?= =?iso-8859-8?Q?=EC?=", "של"},
		{"language", "Subject: =?utf-8*he?B?16nXnNeV150=?=", "שלום"},
		{"in a name", "Subject: =?utf-8?Q?Dana?= <d@x.org>", "Dana <d@x.org>"},
		{"not closed", "Subject: =?utf-8?Q?abc", "=?utf-8?Q?abc"},
		{"unknown kind", "Subject: =?utf-8?X?abc?=", "=?utf-8?X?abc?="},
		{"unknown charset", "Subject: =?nosuch?Q?caf=E9?=", "café"},
		{"hidden line end", "Subject: =?utf-8?Q?a=0D=0AX:_b?=", "a X: b"},
		{"raw utf-8", "Subject: שלום", "שלום"},
		{"raw latin", "Subject: caf\xe9", "café"},
		{"japanese", "Subject: =?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=", "日本"},
		{"empty", "Subject:", ""},
	} {
		id := w.deliverRaw(c.raw + "\r\n\r\nx")
		if got := header(w.get(id).Payload, "subject"); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTextsAreUTF8(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ name, head, body, want string }{
		{"windows-1255", "Content-Type: text/plain; charset=windows-1255", "\xf9\xec\xe5\xed", "שלום"},
		{"iso-8859-8-i quoted",
			"Content-Type: text/plain; charset=\"iso-8859-8-i\"\r\nContent-Transfer-Encoding: quoted-printable",
			"=F9=EC=E5=ED=\r\n!", "שלום!"},
		{"iso-2022-jp", "Content-Type: text/plain; charset=iso-2022-jp", "\x1b$BF|K\\\x1b(B", "日本"},
		{"base64", "Content-Transfer-Encoding: BASE64", "16nXnNeV150=", "שלום"},
		{"base64 without padding and with noise", "Content-Transfer-Encoding: base64", "16nX nNeV\r\n!!150", "שלום"},
		{"base64 in two", "Content-Transfer-Encoding: base64", "YQ==\r\nYg==", "ab"},
		{"broken quotes", "Content-Transfer-Encoding: quoted-printable", "a=zz=3D= \r\nb=", "a=zz=b"},
		{"no charset, utf-8", "Content-Type: text/plain", "שלום", "שלום"},
		{"no charset, latin", "Content-Type: text/plain", "caf\xe9", "café"},
		{"a charset of nobody", "Content-Type: text/plain; charset=klingon", "caf\xe9", "café"},
		{"broken utf-8", "Content-Type: text/plain; charset=utf-8", "a\xff\xfeb", "a�b"},
		{"utf-16", "Content-Type: text/plain; charset=utf-16le", "h\x00i\x00", "hi"},
	} {
		id := w.deliverRaw("Subject: x\r\n" + c.head + "\r\n\r\n" + c.body)
		p := w.get(id).Payload
		if got := decode(t, p.Body.Data); got != c.want || p.Body.Size != int64(len(c.want)) {
			t.Errorf("%s: %q of %d, want %q", c.name, got, p.Body.Size, c.want)
		}
	}
	id := w.deliverRaw("Content-Type: text/plain; charset=windows-1255\r\n\r\n\xf9")
	same(t, "the header still says", header(w.get(id).Payload, "Content-Type"),
		[]string{"text/plain; charset=windows-1255"})
}

func TestFilenames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ name, head, want string }{
		{"plain", "Content-Disposition: attachment; filename=a.pdf", "a.pdf"},
		{"quoted", `Content-Disposition: attachment; filename="a \"b\"; c.pdf"`, `a "b"; c.pdf`},
		{"encoded word", `Content-Disposition: attachment; filename="=?utf-8?B?16nXnNeV150=?=.pdf"`, "שלום.pdf"},
		{"rfc 2231", "Content-Disposition: attachment; filename*=utf-8''%D7%A9%D7%9C.pdf", "של.pdf"},
		{"rfc 2231 beside plain", "Content-Disposition: attachment; filename=x.pdf; filename*=utf-8''%D7%A9.pdf", "ש.pdf"},
		{"rfc 2231 in pieces", "Content-Disposition: attachment; filename*1*=%9C.pdf; filename*0*=utf-8'he'%D7%A9%D7",
			"של.pdf"},
		{"pieces of plain text", "Content-Disposition: attachment; filename*0=\"a\"; filename*1=\"b.pdf\"", "ab.pdf"},
		{"of the type", "Content-Type: application/ms-tnef; name=winmail.dat", "winmail.dat"},
		{"not closed", `Content-Disposition: attachment; filename="a.pdf`, "a.pdf"},
		{"none", "Content-Disposition: attachment; filename", ""},
	} {
		id := w.deliverRaw("Subject: x\r\n" + c.head + "\r\n\r\nx")
		if got := w.get(id).Payload.Filename; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		name   string
		letter gmail.Letter
		want   string
	}{
		{"escaped", gmail.Letter{Text: "a & b <c> \"d\" 'e'"}, "a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#39;"},
		{"in one line", gmail.Letter{Text: "\n\n a \t\n\u00a0 b\n"}, "a b"},
		{"of html",
			gmail.Letter{
				HTML: "<html><head><title>no</title><STYLE>p{}</STYLE></head><body><!-- no --><p>Hel<b>lo</b></p><p>there &amp; " +
					"you</p><script>no</script>"}, "Hello there &amp; you"},
		{"plain before html", gmail.Letter{Text: "plain", HTML: "<p>html"}, "plain"},
		{"hebrew", gmail.Letter{Text: "שלום עולם", Charset: "windows-1255"}, "שלום עולם"},
		{"nothing", gmail.Letter{}, ""},
	} {
		c.letter.From = "x@example.com"
		if got := w.get(w.deliver(c.letter)).Snippet; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, text := range []string{strings.Repeat("word ", 500), strings.Repeat("<", 500), strings.Repeat("א", 500)} {
		got := w.get(w.deliver(gmail.Letter{Text: text})).Snippet
		if n := utf8.RuneCountInString(got); n > 201 || n < 190 || !strings.HasPrefix(text, html.UnescapeString(got)) {
			t.Errorf("%d characters: %q", n, got)
		}
	}
}

func TestAttachmentIDsChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	content := strings.Repeat("bytes\x00\xff", 100)
	id := w.deliver(gmail.Letter{Text: "x", Attachments: []gmail.Attachment{{Name: "a.bin", Content: []byte(content)}}})
	first, second := w.get(id).Payload.Parts[1].Body, w.get(id).Payload.Parts[1].Body
	if first.AttachmentId == second.AttachmentId || len(first.AttachmentId) < 383 || len(first.AttachmentId) > 404 {
		t.Errorf("%q and %q", first.AttachmentId, second.AttachmentId)
	}
	for _, a := range []string{first.AttachmentId, second.AttachmentId} {
		got, err := w.ada().Messages.Attachments.Get("me", id, a).Do()
		if err != nil || decode(t, got.Data) != content || got.Size != int64(len(content)) {
			t.Errorf("%+v %v", got, err)
		}
	}
	other := w.deliver(gmail.Letter{Text: "y"})
	for _, c := range []struct{ message, id string }{
		{other, first.AttachmentId}, {id, "ANGjdJ8"},
		{id, strings.Replace(first.AttachmentId, first.AttachmentId[40:44], "AAAA", 1)},
	} {
		_, err := w.ada().Messages.Attachments.Get("me", c.message, c.id).Do()
		wants(t, "a wrong token", err, 400, "invalidArgument", "Invalid attachment token", "INVALID_ARGUMENT")
	}
	w.s.SetSwitches(gmail.Switches{StableAttachmentIDs: true})
	if a, b := w.get(id).Payload.Parts[1].Body.AttachmentId, w.get(id).Payload.Parts[1].Body.AttachmentId; a != b {
		t.Error("the switch does not keep ids")
	}
}

func TestListOrderAndPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var want []string
	for i := range 23 {
		want = append([]string{w.deliver(gmail.Letter{Subject: strconv.Itoa(i), Text: "x"})}, want...)
	}
	var got []string
	call := w.ada().Messages.List("me").MaxResults(5)
	for {
		page, err := call.Do()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Messages {
			if m.ThreadId == "" || m.LabelIds != nil || m.Snippet != "" || m.HistoryId != 0 {
				t.Errorf("a row: %+v", m)
			}
		}
		got = append(got, ids(page.Messages)...)
		if page.NextPageToken == "" {
			break
		}
		if len(got) == 5 { // what comes and goes between pages moves nothing
			w.deliver(gmail.Letter{Subject: "late"})
			if err := w.ada().Messages.Delete("me", got[4]).Do(); err != nil {
				t.Fatal(err)
			}
		}
		call.PageToken(page.NextPageToken)
	}
	same(t, "pages", got, want)
	first, err := w.ada().Messages.List("me").MaxResults(2).Do()
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.ada().Messages.List("me").MaxResults(2).Q("other").PageToken(first.NextPageToken).Do()
	wants(t, "a token of another query", err, 400, "invalidArgument", "Invalid pageToken", "INVALID_ARGUMENT")
	_, err = w.ada().Messages.List("me").PageToken("nonsense").Do()
	wants(t, "no token", err, 400, "invalidArgument", "Invalid pageToken", "INVALID_ARGUMENT")
}

func TestPageSizes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 520 {
		w.deliverRaw("\r\n")
	}
	for _, c := range []struct {
		most int64
		want int
	}{{0, 100}, {1, 1}, {501, 500}} {
		call := w.ada().Messages.List("me")
		if c.most > 0 {
			call.MaxResults(c.most)
		}
		answer, err := call.Do()
		if err != nil || len(answer.Messages) != c.want || answer.NextPageToken == "" {
			t.Errorf("%d: %d rows, %v", c.most, len(answer.Messages), err)
		}
	}
}

func TestEmptyList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deliver(gmail.Letter{Text: "x"})
	answer, err := w.ada().Messages.List("me").Q("nothing").Do()
	if err != nil || answer.Messages != nil || answer.ResultSizeEstimate != 0 || answer.NextPageToken != "" {
		t.Errorf("%+v %v", answer, err)
	}
	some, err := w.ada().Messages.List("me").Do()
	if err != nil || some.ResultSizeEstimate != 201 {
		t.Errorf("%+v %v", some, err)
	}
}

func TestFieldsOfTheMask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.deliver(gmail.Letter{Text: "body", Attachments: []gmail.Attachment{{Name: "a.txt", Content: []byte("x")}}})
	m, err := w.ada().Messages.Get("me", id).Fields("id", "payload(mimeType,parts(filename,body(size,attachmentId)))").Do()
	if err != nil || m.Snippet != "" || m.Payload.Parts[0].Body.Data != "" || m.Payload.Parts[1].Body.AttachmentId == "" {
		t.Errorf("%+v %v", m, err)
	}
}

func TestProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deliver(gmail.Letter{Subject: "a", MessageID: "a@x"})
	w.deliver(gmail.Letter{Subject: "Re: a", References: "<a@x>"})
	p, err := w.ada().GetProfile("me").Do()
	if err != nil || p.EmailAddress != ada || p.MessagesTotal != 2 || p.ThreadsTotal != 1 || p.HistoryId == 0 {
		t.Errorf("%+v %v", p, err)
	}
	if p, err = w.ada().GetProfile("ADA@example.com").Do(); err != nil || p.EmailAddress != ada {
		t.Errorf("%+v %v", p, err)
	}
	_, err = w.ada().GetProfile(ben).Do()
	wants(t, "another's", err, 403, "forbidden", "Delegation denied for "+ada, "PERMISSION_DENIED")
	w.s.Forget(ada)
	_, err = w.ada().GetProfile("me").Do()
	wants(t, "no mailbox", err, 400, "failedPrecondition", "Mail service not enabled", "FAILED_PRECONDITION")
}

func TestMetadataScope(t *testing.T) {
	t.Parallel()
	for _, scopes := range [][]string{
		{"https://www.googleapis.com/auth/gmail.metadata"},
		{"https://www.googleapis.com/auth/gmail.metadata", "https://www.googleapis.com/auth/gmail.readonly"},
	} {
		w := newWorld(t)
		id := w.deliver(gmail.Letter{From: "x@example.com", Subject: "Hi", Text: "body"})
		users := w.client(ada, scopes...).Users
		if list, err := users.Messages.List("me").LabelIds("INBOX").Do(); err != nil || len(list.Messages) != 1 {
			t.Errorf("%v %v", list, err)
		}
		if m, err := users.Messages.Get("me", id).Format("metadata").Do(); err != nil ||
			len(header(m.Payload, "Subject")) != 1 {
			t.Errorf("%v %v", m, err)
		}
		_, err := users.Messages.List("me").Q("hi").Do()
		wants(t, "q", err, 403, "forbidden", "Metadata scope does not support 'q' parameter", "PERMISSION_DENIED")
		for _, format := range []string{"full", "raw"} {
			_, err = users.Messages.Get("me", id).Format(format).Do()
			wants(t, format, err, 403, "forbidden", "Metadata scope doesn't allow format "+strings.ToUpper(format),
				"PERMISSION_DENIED")
		}
	}
}

func TestSendAs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	list, err := w.ada().Settings.SendAs.List("me").Do()
	if err != nil || len(list.SendAs) != 2 {
		t.Fatalf("%+v %v", list, err)
	}
	own, alias := list.SendAs[0], list.SendAs[1]
	if own.SendAsEmail != ada || !own.IsPrimary || !own.IsDefault || own.DisplayName != "Ada Levi" ||
		own.Signature != "<b>Ada</b>" {
		t.Errorf("%+v", own)
	}
	if alias.IsPrimary || alias.VerificationStatus != "accepted" || !alias.TreatAsAlias {
		t.Errorf("%+v", alias)
	}
	one, err := w.ada().Settings.SendAs.Get("me", "ada.work@example.net").Do()
	if err != nil || one.DisplayName != "Ada at work" {
		t.Errorf("%+v %v", one, err)
	}
	_, err = w.ada().Settings.SendAs.Get("me", "nobody@example.net").Do()
	wants(t, "unknown", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
}
