package gmail

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"

	"google.golang.org/api/gmail/v1"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func TestDecodeData(t *testing.T) {
	if err := quick.Check(func(data []byte) bool {
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
			base64.RawURLEncoding} {
			text := encoding.EncodeToString(data)
			folded := strings.Join(slices.Collect(func(yield func(string) bool) {
				for chunk := range slices.Chunk([]byte(text), 76) {
					if !yield(string(chunk)) {
						return
					}
				}
			}), "\r\n")
			for _, text := range []string{text, folded} {
				if got, err := decodeData(text); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%q: %q, %v", text, got, err)
					return false
				}
			}
		}
		return true
	}, nil); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"a", "****", "YWJj\x00"} {
		if got, err := decodeData(bad); err == nil {
			t.Errorf("%q gives %q", bad, got)
		}
	}
	if encodeData([]byte{0xfb, 0xff}) != "-_8=" {
		t.Error("it is not what Gmail writes")
	}
}

// sessionOf is a session without anything behind it.
func sessionOf() *session {
	return &session{client: &Client{}, connection: connectionOf(alice, 3), box: &mailbox{}}
}

func TestEmailOfAnything(t *testing.T) {
	for name, c := range map[string]struct {
		json  string
		check func(model.Email) bool
	}{
		"nothing": {`{}`, func(e model.Email) bool { return e.Root == nil && e.Headers == nil && e.Date.IsZero() }},
		"no parts": {`{"id":"1","payload":{"mimeType":"TEXT/HTML"}}`,
			func(e model.Email) bool { return e.Root.MIMEType == "text/html" && e.Root.Parts == nil }},
		"headers twice": {`{"payload":{"headers":[{"name":"Received","value":"a"},null,{"name":"received","value":"b"}]}}`,
			func(e model.Email) bool { return len(e.Headers) == 2 && e.Headers[1].Value == "b" && e.Root == nil }},
		"escaped snippet": {`{"snippet":" Q&amp;A &lt;b&gt; &#39;x&#39; שלום "}`,
			func(e model.Email) bool { return e.Snippet == "Q&A <b> 'x' שלום" }},
		"date": {`{"internalDate":"1760000000123"}`, func(e model.Email) bool {
			return e.Date.UnixMilli() == 1760000000123 && e.Date.Location().String() == "UTC"
		}},
		"broken content": {`{"payload":{"mimeType":"text/plain","body":{"size":3,"data":"!"}}}`,
			func(e model.Email) bool { return e.Root.Content == nil && e.Root.Size == 3 }},
		"null parts": {
			`{"payload":{"mimeType":"multipart/mixed","parts":[null,{"partId":"1","mimeType":"text/plain"},null]}}`,
			func(e model.Email) bool { return len(e.Root.Parts) == 1 && e.Root.Parts[0].ID == "1" }},
		"labels in disorder": {`{"labelIds":["UNREAD","INBOX"]}`,
			func(e model.Email) bool { return slices.Equal(e.Labels, []string{"INBOX", "UNREAD"}) }},
		"standard alphabet": {`{"payload":{"mimeType":"text/plain","body":{"data":"+/8"}}}`,
			func(e model.Email) bool { return bytes.Equal(e.Root.Content, []byte{0xfb, 0xff}) }},
		"a file": {`{"payload":{"mimeType":"image/png","filename":"a.png","body":{"attachmentId":"x","size":7}}}`,
			func(e model.Email) bool { return e.Root.Attachment && e.Root.Size == 7 && e.Root.Content == nil }},
	} {
		var message gmail.Message
		if err := json.Unmarshal([]byte(c.json), &message); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := sessionOf().email(&message); !c.check(got) {
			t.Errorf("%s: %+v, %+v", name, got, got.Root)
		}
	}
}

// TestTreesAreBounded has trees that no mail program makes.
func TestTreesAreBounded(t *testing.T) {
	leaf := func() *gmail.MessagePart { return &gmail.MessagePart{MimeType: "text/plain"} }
	deep := leaf()
	for range 5_000 {
		deep = &gmail.MessagePart{MimeType: "multipart/mixed", Parts: []*gmail.MessagePart{deep}}
	}
	email := sessionOf().email(&gmail.Message{Payload: deep})
	if n := countParts(email.Root); n != maxPartDepth+1 {
		t.Errorf("%d levels", n)
	}
	wide := &gmail.MessagePart{MimeType: "multipart/mixed"}
	for range 150 {
		branch := &gmail.MessagePart{MimeType: "multipart/mixed"}
		for range 150 {
			branch.Parts = append(branch.Parts, leaf())
		}
		wide.Parts = append(wide.Parts, branch)
	}
	if n := countParts(sessionOf().email(&gmail.Message{Payload: wide}).Root); n != maxParts {
		t.Errorf("%d parts", n)
	}
	if findPart(deep, "nowhere", maxPartDepth) != nil {
		t.Error("found what is not there")
	}
}

// FuzzMessage makes e-mails of anything that Google's client can read, and keeps and opens them.
func FuzzMessage(f *testing.F) {
	f.Add(
		`{"id":"1","threadId":"1","labelIds":["INBOX"],"snippet":"a &amp; b","payload":{"mimeType":"multipart/mixed","headers":[{"name":"Subject","value":"שלום"}],"parts":[{"partId":"0","mimeType":"text/plain","body":{"data":"YQ==","size":1}}]}}`)
	f.Add(`{"payload":{"headers":[{"name":"\ud800","value":"\u0000"}],"parts":[null]}}`)
	f.Add(
		`{"internalDate":"-62135596800001","payload":{"mimeType":"x","filename":"../../etc/passwd","body":{"attachmentId":"a","size":-5}}}`)
	f.Add(strings.Repeat(`{"payload":{"parts":[`, 1) + strings.Repeat(`{"parts":[`, 300) + strings.Repeat(`]}`, 300) +
		`]}}`)
	h := newHarness(f, builder{cache: newShelf()})
	f.Fuzz(func(t *testing.T, text string) {
		var message gmail.Message
		if json.Unmarshal([]byte(text), &message) != nil {
			return
		}
		message.Id = "abc"
		s := h.session(t.Context(), h.connection)
		email := s.email(&message)
		if n := countParts(email.Root); n > maxParts {
			t.Fatalf("%d parts", n)
		}
		for _, header := range email.Headers {
			if !utf8.ValidString(header.Name + header.Value) {
				t.Fatalf("%q", header)
			}
		}
		isCut(message.Payload, structureDepth)
		for _, depth := range []Depth{store.MailMinimal, store.MailHeaders, store.MailStructure, store.MailFull} {
			want := shaped(email, depth)
			sealed, reached, err := s.seal("abc", email, depth)
			if err != nil {
				t.Fatal(err)
			}
			if sealed == nil {
				continue
			}
			got, ok := s.open(t.Context(), store.CachedMail{ID: "abc", Depth: reached, Labels: email.Labels, Sealed: sealed},
				depth)
			if !ok || got.depth != reached {
				t.Fatalf("it does not open: %+v", got)
			}
			if a, b := fmt.Sprintf("%+v", plain(got.email)), fmt.Sprintf("%+v", plain(shaped(want, reached))); a != b {
				t.Fatalf("depth %d: kept\n%s\nread\n%s", depth, a, b)
			}
		}
	})
}

// plain is an e-mail whose tree can be printed.
func plain(email model.Email) any {
	root := "none"
	if email.Root != nil {
		raw, err := json.Marshal(email.Root)
		root = fmt.Sprint(string(raw), err)
	}
	email.Root = nil
	return []any{email, root}
}

func TestPackedAndBroken(t *testing.T) {
	c := &Client{}
	for _, size := range []int{0, 10, packFrom, maxKept} {
		raw := bytes.Repeat([]byte("שלום "), size/9+1)[:size]
		form, err := c.packed(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unpack(form); err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
	bomb, err := c.packed(make([]byte, maxKept+1))
	if err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string][]byte{"nothing": nil, "another form": {9, 1}, "cut": bomb[:len(bomb)/2],
		"too much": bomb, "noise": {formPacked, 0xff, 0xff}} {
		if got, err := unpack(form); err == nil {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

func TestRelabelled(t *testing.T) {
	for _, c := range []struct{ labels, add, remove, want []string }{
		{[]string{"INBOX", "UNREAD"}, []string{"STARRED"}, []string{"UNREAD"}, []string{"INBOX", "STARRED"}},
		{nil, []string{"A"}, []string{"B"}, []string{"A"}},
		{[]string{"A"}, []string{"A"}, nil, []string{"A"}},
		{[]string{"A"}, nil, []string{"A"}, nil},
	} {
		if got := relabelled(c.labels, c.add, c.remove); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
