package gmail_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"net/http"
	"net/mail"
	"strings"
	"testing"

	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"almanac/internal/standin/gmail"
)

// outline writes a tree in one line: types, names and texts.
func outline(t testing.TB, p *api.MessagePart) string {
	text := p.MimeType
	if p.Filename != "" {
		text += " " + p.Filename
	}
	if p.Body.Data != "" {
		text += "=" + strings.TrimRight(decode(t, p.Body.Data), "\r\n")
	}
	if len(p.Parts) > 0 {
		inner := make([]string, len(p.Parts))
		for i, child := range p.Parts {
			inner[i] = outline(t, child)
		}
		text += "(" + strings.Join(inner, " ") + ")"
	}
	return text
}

func TestHardMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mixed := "Content-Type: multipart/mixed; boundary=b\r\n"
	for _, c := range []struct{ name, raw, want string }{
		{"nothing", "", "text/plain"},
		{"no header", "\r\nhello", "text/plain=hello"},
		{"no empty line", "Subject: x", "text/plain"},
		{"a line that is no field ends the header", "Subject: x\r\nhello there\r\nmore", "text/plain=hello there\r\nmore"},
		{"of a mailbox file", "From ada Mon Mar 2\r\nSubject: x\r\n\r\nhello", "text/plain=hello"},
		{"bare line ends", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n",
			"multipart/mixed(text/plain=one text/plain=two)"},
		{"preamble and epilogue", mixed + "\r\nbefore\r\n--b\r\n\r\none\r\n--b--\r\nafter",
			"multipart/mixed(text/plain=one)"},
		{"never closed", mixed + "\r\n--b\r\n\r\none", "multipart/mixed(text/plain=one)"},
		{"a boundary without its parameter", "Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\none",
			"text/plain=--b\r\n\r\none"},
		{"a boundary that never comes", mixed + "\r\nhello\r\n--c\r\n", "text/plain=hello\r\n--c"},
		{"spaces behind a boundary", mixed + "\r\n--b  \r\n\r\none\r\n--b-- \t\r\n", "multipart/mixed(text/plain=one)"},
		{"a part without a body", mixed + "\r\n--b\r\n--b\r\nSubject: y\r\n--b--", "multipart/mixed(text/plain text/plain)"},
		{"an empty body", mixed + "\r\n--b\r\n\r\n--b--", "multipart/mixed(text/plain)"},
		{
			"the inner one is never closed", mixed +
				"\r\n--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--",
			"multipart/mixed(multipart/alternative(text/plain=one) text/plain=two)",
		},
		{
			"a boundary within another",
			"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/mixed; " +
				"boundary=bb\r\n\r\n--bb\r\n" +
				"\r\none\r\n--bb--\r\n--b--",
			"multipart/mixed(multipart/mixed(text/plain=one))",
		},
		{
			"the same boundary twice", mixed + "\r\n--b\r\n" + mixed + "\r\n--b\r\n\r\none\r\n--b--\r\n--b\r\n\r\ntwo\r\n--b--",
			"multipart/mixed(multipart/mixed(text/plain=one) text/plain=two)",
		},
		{"a type that is none", "Content-Type: text\r\n\r\nx", "text/plain=x"},
		{"another", "Content-Type: ;;;===\r\n\r\nx", "text/plain=x"},
		{"in capitals", "CONTENT-TYPE: TEXT/HTML\r\n\r\nx", "text/html=x"},
		{"winmail", mixed + "\r\n--b\r\nContent-Type: application/ms-tnef; name=\"winmail.dat\"\r\n\r\nx\r\n--b--",
			"multipart/mixed(application/ms-tnef winmail.dat)"},
		{"a name that leads elsewhere", "Content-Disposition: attachment; filename=\"../../etc/passwd\"\r\n\r\nx",
			"text/plain ../../etc/passwd"},
		{
			"a message within", mixed +
				"\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\ninside\r\n--b\r\n\r\ntwo\r\n--b--",
			"multipart/mixed(message/rfc822(text/plain=inside) text/plain=two)",
		},
		{"a digest", "Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n\r\nSubject: one\r\n\r\ninside\r\n--b--",
			"multipart/digest(message/rfc822(text/plain=inside))"},
		{"zeros", "Subject: \x00\r\n\r\n\x00", "text/plain=\x00"},
	} {
		id := w.deliverRaw(c.raw)
		if got := outline(t, w.get(id).Payload); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		raw, err := w.ada().Messages.Get("me", id).Format("raw").Do()
		if err != nil || decode(t, raw.Raw) != c.raw {
			t.Errorf("%s: the raw message is not the one that came: %v", c.name, err)
		}
	}
}

// size counts the parts of a tree, and how deep it goes.
func size(p *api.MessagePart) (parts, depth int) {
	parts, depth = 1, 1
	for _, child := range p.Parts {
		n, d := size(child)
		parts, depth = parts+n, max(depth, d+1)
	}
	return parts, depth
}

func TestHugeMails(t *testing.T) {
	t.Parallel()
	nested := func(n int) string {
		var raw strings.Builder
		for i := range n {
			fmt.Fprintf(&raw, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
		}
		return raw.String() + "\r\ninnermost\r\n"
	}
	for _, c := range []struct {
		name, raw    string
		parts, depth int
	}{
		{"a header of 1 MB", "Subject: " + strings.Repeat("long ", 200_000) + "\r\n\r\nx", 1, 1},
		{"a header of many fields", strings.Repeat("a: b\r\n", 60_000) + "\r\nx", 1, 1},
		{"a header of many lines", "Subject: x" + strings.Repeat("\r\n y", 300_000) + "\r\n\r\nx", 1, 1},
		{"encoded words without end", "Subject: " + strings.Repeat("=?a?Q?x", 100_000) + "\r\n\r\nx", 1, 1},
		{"parameters without end", "Content-Type: text/plain" + strings.Repeat("; a", 200_000) +
			strings.Repeat("; b=c", 100_000) + "\r\n\r\nx", 1, 1},
		{"10,000 parts", "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n", 10_000) +
			"--b--", 10_001, 2},
		{"50,000 parts", "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n", 50_000) +
			"--b--", 20_000, 2},
		{"100 deep", nested(100), 101, 101},
		{"5,000 deep", nested(5_000), 101, 101},
		{"messages within messages", strings.Repeat("Content-Type: message/rfc822\r\n\r\n", 5_000) + "\r\nx", 101, 101},
		{"lines like boundaries", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n" +
			strings.Repeat("--c\r\n", 300_000), 2, 2},
		{"parts that all begin another", "Content-Type: multipart/mixed; boundary=b\r\n\r\n" +
			strings.Repeat("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n", 5_000), 5_001, 2},
	} {
		w := newWorld(t)
		got := w.get(w.deliverRaw(c.raw))
		if parts, depth := size(got.Payload); parts != c.parts || depth != c.depth {
			t.Errorf("%s: %d parts, %d deep; want %d, %d", c.name, parts, depth, c.parts, c.depth)
		}
		if len(got.Payload.Headers) > 50_000 {
			t.Errorf("%s: %d fields", c.name, len(got.Payload.Headers))
		}
		if n := len(w.list("nowhere")); n != 0 {
			t.Errorf("%s: found", c.name)
		}
	}
}

// flat lists the leaves of a message as Go's own packages read it, independent of the stand-in's.
func flat(t testing.TB, header map[string][]string, body io.Reader, id string, into map[string]string) {
	t.Helper()
	get := func(name string) string {
		if v := header[name]; len(v) > 0 {
			return v[0]
		}
		return ""
	}
	kind, parameters, err := mime.ParseMediaType(get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		reader := multipart.NewReader(body, parameters["boundary"])
		for i := 0; ; i++ {
			part, err := reader.NextRawPart()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			below := fmt.Sprint(i)
			if id != "" {
				below = id + "." + below
			}
			flat(t, part.Header, part, below, into)
		}
	}
	if get("Content-Transfer-Encoding") == "base64" {
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	_, disposition, _ := mime.ParseMediaType(get("Content-Disposition"))
	into[id] = kind + "|" + disposition["filename"] + "|" + string(content)
}

func TestTreesAgreeWithTheStandardLibrary(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a.pdf", "דוח שנתי.pdf", "with \"quotes\".txt", "naïve café.bin", "😀.png"}
	for range 60 {
		l := gmail.Letter{From: ada, To: ben, Subject: "x", Text: strings.Repeat("שורה\r\n", random.IntN(50))}
		if random.IntN(2) == 0 {
			l.HTML = "<p>" + l.Text
		}
		for range random.IntN(4) {
			content := make([]byte, random.IntN(500))
			for i := range content {
				content[i] = byte(random.UintN(256))
			}
			l.Attachments = append(l.Attachments, gmail.Attachment{Name: names[random.IntN(len(names))], Content: content})
		}
		raw := l.Bytes()
		parsed, err := mail.ReadMessage(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		flat(t, parsed.Header, parsed.Body, "", want)
		id := w.deliverRaw(string(raw))
		got := map[string]string{}
		var leaves func(p *api.MessagePart)
		leaves = func(p *api.MessagePart) {
			for _, child := range p.Parts {
				leaves(child)
			}
			if len(p.Parts) > 0 {
				return
			}
			data := p.Body.Data
			if p.Body.AttachmentId != "" {
				a, err := w.ada().Messages.Attachments.Get("me", id, p.Body.AttachmentId).Do()
				if err != nil {
					t.Fatal(err)
				}
				data = a.Data
			}
			content := decode(t, data)
			if int64(len(content)) != p.Body.Size {
				t.Errorf("size %d of %d bytes", p.Body.Size, len(content))
			}
			got[p.PartId] = p.MimeType + "|" + p.Filename + "|" + content
		}
		leaves(w.get(id).Payload)
		same(t, "leaves", got, want)
	}
}

func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		"", "Subject: x\r\n\r\ny", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n--b--",
		"Content-Type: multipart/mixed; boundary=\"\"\n\n--\n\n----",
		"Content-Type: message/rfc822\n\nContent-Type: message/rfc822\n\n",
		"Content-Type: text/plain; charset=utf-7\nContent-Transfer-Encoding: base64\n\n=A=B==C===",
		"Subject: =?utf-8?B?=?=\n\n", "From: =?iso-2022-jp?Q?=1B$B?=\n\n",
		"Content-Disposition: x; filename*0*=a'b'%; filename*1=\"\\\nTo: <<>>,\n\n", "\r\r\n\n: x\n",
		"Content-Type: text/html\n\n<a<!--<script></",
	} {
		f.Add([]byte(seed))
	}
	w := newWorld(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		w.t = t
		id, err := w.s.Deliver(ada, raw, w.Now())
		if err != nil {
			t.Fatal(err)
		}
		m := w.get(id)
		if parts, depth := size(m.Payload); parts > 20_000 || depth > 101 {
			t.Errorf("%d parts, %d deep", parts, depth)
		}
		var attachments func(p *api.MessagePart)
		attachments = func(p *api.MessagePart) {
			if p.Body.AttachmentId != "" {
				if a, err := w.ada().Messages.Attachments.Get("me", id, p.Body.AttachmentId).Do(); err != nil ||
					a.Size != p.Body.Size {
					t.Errorf("%+v %v", a, err)
				}
			}
			for _, child := range p.Parts {
				attachments(child)
			}
		}
		attachments(m.Payload)
		w.list("x -y from:z")
		draft, err := w.ada().Drafts.Create("me", &api.Draft{Message: &api.Message{Raw: encode(string(raw))}}).Do()
		if err == nil {
			size(w.get(draft.Message.Id).Payload)
			err = w.ada().Drafts.Delete("me", draft.Id).Do()
		}
		var refused *googleapi.Error
		if err != nil && (!errors.As(err, &refused) || refused.Code != http.StatusBadRequest) {
			t.Error(err)
		}
		if err := w.ada().Messages.Delete("me", id).Do(); err != nil {
			t.Error(err)
		}
	})
}
