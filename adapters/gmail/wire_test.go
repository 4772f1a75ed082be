package gmail

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	api "google.golang.org/api/gmail/v1"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	inbox "almanac/internal/standin/gmail"
)

// TestWhatCrossesTheWire asks at each depth and looks at what was asked and at what came back.
func TestWhatCrossesTheWire(t *testing.T) {
	l := letter("Budget תקציב")
	l.HTML = "<p>The text in HTML</p>"
	l.Fields = []string{"X-Tracking: 12345", "List-Id: <people.example.com>", "Received: by one", "Received: by two"}
	l.Attachments = []inbox.Attachment{{Name: "table.csv", Type: "text/csv", Content: []byte("a,b\r\n")}}
	for _, c := range []struct {
		depth              Depth
		format             string
		headers            []string
		has, lacks         []string
		headerNames, parts int
	}{
		{store.MailMinimal, "minimal", nil, []string{`"snippet"`, `"labelIds"`, `"internalDate"`},
			[]string{`"payload"`, `"historyId"`}, 0, 0},
		{store.MailHeaders, "metadata", KnownHeaders(), []string{`"Subject"`, "תקציב", "people.example.com"},
			[]string{`"body"`, `"parts"`, "X-Tracking", `"mimeType"`}, 4, 0},
		{store.MailStructure, "full", nil, []string{`"attachmentId"`, "table.csv", "X-Tracking", `"size"`},
			[]string{`"data"`}, 9, 5},
		{store.MailFull, "full", nil, []string{`"data"`, "table.csv", "X-Tracking"}, nil, 9, 5},
	} {
		t.Run(fmt.Sprint(c.depth), func(t *testing.T) {
			h := newHarness(t, builder{})
			id := h.deliver(l)
			var answer string
			judged := h.base
			h.base = transport(func(r *http.Request) (*http.Response, error) {
				response, err := judged.RoundTrip(r)
				if err == nil && strings.Contains(r.URL.Path, "/messages/") {
					body, _ := io.ReadAll(response.Body)
					answer, response.Body = string(body), io.NopCloser(bytes.NewReader(body))
				}
				return response, err
			})
			email := h.read(c.depth, id)[id]
			asked := h.asked("messages.get")
			if len(asked) != 1 {
				t.Fatalf("%d requests", len(asked))
			}
			if format := query(t, asked[0], "format"); !slices.Equal(format, []string{c.format}) {
				t.Errorf("format %v", format)
			}
			if headers := query(t, asked[0], "metadataHeaders"); !slices.Equal(headers, c.headers) {
				t.Errorf("headers %v", headers)
			}
			for _, text := range c.has {
				if !strings.Contains(answer, text) {
					t.Errorf("the answer has no %s: %s", text, answer)
				}
			}
			for _, text := range c.lacks {
				if strings.Contains(answer, text) {
					t.Errorf("the answer has %s: %s", text, answer)
				}
			}
			if len(email.Headers) != c.headerNames || countParts(email.Root) != c.parts {
				t.Errorf("%d headers and %d parts: %+v", len(email.Headers), countParts(email.Root), email)
			}
			if email.Snippet == "" || email.Date.IsZero() || email.Size == 0 || email.Thread == "" || email.Account != alice ||
				!slices.Equal(email.Labels, []string{"INBOX", "UNREAD"}) {
				t.Errorf("got %+v", email)
			}
			if c.depth == store.MailFull {
				text := email.Root.Parts[0].Parts[0]
				if !strings.HasPrefix(string(text.Content), "The text of Budget") || email.Root.Parts[1].Content != nil ||
					!email.Root.Parts[1].Attachment || email.Root.Parts[1].ID != "1" {
					t.Errorf("got %+v", email.Root)
				}
			}
		})
	}
}

func countParts(part *model.EmailPart) int {
	if part == nil {
		return 0
	}
	n := 1
	for i := range part.Parts {
		n += countParts(&part.Parts[i])
	}
	return n
}

func TestDepthOfHeaders(t *testing.T) {
	for names, want := range map[string]Depth{"": store.MailHeaders, "from,MESSAGE-ID,list-id": store.MailHeaders,
		"From,List-Unsubscribe": store.MailStructure} {
		var list []string
		if names != "" {
			list = strings.Split(names, ",")
		}
		if got := DepthOfHeaders(list); got != want {
			t.Errorf("%q: %d", names, got)
		}
	}
}

// nested is a message whose text lies so many multiparts deep, with a file beside it.
func nested(levels int) []byte {
	var b strings.Builder
	b.WriteString("From: " + bob + "\r\nTo: " + alice + "\r\nSubject: nested\r\nMIME-Version: 1.0\r\n")
	for i := range levels {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	fmt.Fprintf(&b,
		"Content-Type: text/plain\r\n\r\ndeep text\r\n--b%d\r\nContent-Type: application/pdf; name=deep.pdf\r\n"+
			"Content-Disposition: attachment; filename=deep.pdf\r\n\r\nPDF\r\n", levels-1)
	for i := levels - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "--b%d--\r\n", i)
	}
	return []byte(b.String())
}

// TestDeepTrees has files below what one mask reaches: they take a second look, and still no text crosses the wire.
func TestDeepTrees(t *testing.T) {
	for levels, looks := range map[int]int{1: 1, 4: 1, 5: 1, 6: 2, 9: 2, 19: 2, 40: 2} {
		t.Run(fmt.Sprint(levels), func(t *testing.T) {
			h := newHarness(t, builder{})
			id := h.deliverRaw(nested(levels))
			contents := 0
			judged := h.base
			h.base = transport(func(r *http.Request) (*http.Response, error) {
				response, err := judged.RoundTrip(r)
				if err == nil {
					body, _ := io.ReadAll(response.Body)
					contents += strings.Count(string(body), `"data"`)
					response.Body = io.NopCloser(bytes.NewReader(body))
				}
				return response, err
			})
			email := h.read(store.MailStructure, id)[id]
			if n := len(h.asked("messages.get")); n != looks {
				t.Errorf("%d looks, want %d", n, looks)
			}
			if n := countParts(email.Root); n < levels+1 && levels < 40 {
				t.Errorf("%d parts: %+v", n, email.Root)
			}
			if contents > 0 && levels < deepStructure {
				t.Error("a text crossed the wire")
			}
			part := email.Root
			for len(part.Parts) > 0 && part.Parts[0].MIMEType == "multipart/mixed" {
				part = &part.Parts[0]
			}
			if levels < 40 {
				if len(part.Parts) != 2 || part.Parts[1].Filename != "deep.pdf" || part.Parts[0].Content != nil {
					t.Fatalf("got %+v", part)
				}
				file, err := h.Attachment(t.Context(), h.connection, id, part.Parts[1].ID, 1000)
				if err != nil || string(file.Content) != "PDF" || file.Name != "deep.pdf" || file.MIMEType != "application/pdf" {
					t.Errorf("the file: %+v, %v", file, err)
				}
			}
		})
	}
}

func TestAttachments(t *testing.T) {
	h := newHarness(t, builder{})
	l := letter("files")
	l.Attachments = []inbox.Attachment{
		{Name: "דוח.pdf", Type: "application/pdf", Content: bytes.Repeat([]byte{0, 0xff, 7}, 1000)},
		{Name: "note.txt", Type: "text/plain", Content: []byte("short")},
	}
	id := h.deliver(l)
	read := func(part string, most int64) (File, error) {
		return h.Attachment(t.Context(), h.connection, id, part, most)
	}
	file, err := read("1", 3000)
	if err != nil || file.Name != "דוח.pdf" || !bytes.Equal(file.Content, l.Attachments[0].Content) {
		t.Errorf("%q, %d bytes, %v", file.Name, len(file.Content), err)
	}
	if fields := query(t, h.asked("messages.get")[0], "fields"); strings.Contains(fields[0], "data") ||
		strings.Count(fields[0], "parts") != 1 {
		t.Errorf("asked for %v", fields)
	}
	if again, err := read("1", 3000); err != nil || len(again.Content) != 3000 {
		t.Errorf("again: %v", err)
	}
	h.server.Reset()
	if _, err := read("1", 2999); model.CodeOf(err) != model.CodeBadUserInput ||
		len(h.asked("messages.attachments.get")) != 0 {
		t.Errorf("too large: %v, %v", err, h.calls())
	}
	if file, err := read("0", 1000); err != nil || !strings.HasPrefix(string(file.Content), "The text of files") {
		t.Errorf("the text: %+v, %v", file, err)
	}
	if file, err := read("2", 1000); err != nil || string(file.Content) != "short" {
		t.Errorf("the note: %+v, %v", file, err)
	}
	h.server.Reset()
	for _, part := range []string{"7", "0.1", "1.2.3", "x", "1..2", "../1", "-1", " 1", "1/2",
		strings.Repeat("1.", 400) + "1"} {
		if _, err := read(part, 1000); model.CodeOf(err) != model.CodeNotFound {
			t.Errorf("%.20q: %v", part, err)
		}
	}
	if _, err := h.Attachment(t.Context(), h.connection, "../labels", "1", 10); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("a bad id: %v", err)
	}
	if _, err := h.Attachment(t.Context(), h.connection, "ffff", "1", 10); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("no message: %v", err)
	}
	for _, r := range h.server.Requests() {
		if r.HTTPMethod != http.MethodGet || strings.Contains(r.URL, "labels") {
			t.Errorf("asked %s", r.URL)
		}
	}
}

// TestLongTexts has Gmail keep a text like a file, as it does with long ones.
func TestLongTexts(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	l := letter("long")
	l.HTML = "<p>html</p>"
	l.Attachments = []inbox.Attachment{{Name: "x.bin", Content: []byte("the long text")}}
	id := h.deliver(l)
	judged := h.base
	h.base = transport(func(r *http.Request) (*http.Response, error) {
		response, err := judged.RoundTrip(r)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/messages/"+id) || r.URL.Query().Get("format") != "full" {
			return response, err
		}
		var message api.Message
		if err := json.NewDecoder(response.Body).Decode(&message); err != nil {
			return nil, err
		}
		// The text has the file's id now, and the file is gone.
		text, file := message.Payload.Parts[0].Parts[0], message.Payload.Parts[1]
		text.Body, message.Payload.Parts = file.Body, []*api.MessagePart{nil, message.Payload.Parts[0]}
		body, err := json.Marshal(&message)
		response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		response.Header.Del("Content-Length")
		return response, err
	})
	for range 2 {
		email := h.read(store.MailFull, id)[id]
		if text := email.Root.Parts[0].Parts[0]; string(text.Content) != "the long text" || !text.Attachment {
			t.Errorf("got %+v", text)
		}
	}
	if calls := h.calls(); !slices.Equal(calls, []string{"getProfile", "messages.get", "messages.attachments.get"}) {
		t.Errorf("calls: %v", calls)
	}
	h.server.Reset()
	if email := h.read(store.MailStructure, id)[id]; email.Root.Parts[0].Parts[0].Content != nil || len(h.calls()) != 0 {
		t.Errorf("got %+v after %v", email.Root, h.calls())
	}
}

func TestLists(t *testing.T) {
	h := newHarness(t, builder{})
	var ids []string
	for n := range 7 {
		ids = append(ids, h.deliver(letter(fmt.Sprint("mail ", n))))
	}
	h.mark(ids[3], []string{"TRASH"}, []string{"INBOX"})
	h.mark(ids[5], []string{"STARRED"}, nil)
	var pages [][]string
	query := Query{Size: 3}
	for {
		page, err := h.List(t.Context(), h.connection, query)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, found := range page.Found {
			names = append(names, found.Message)
			if found.Thread == "" {
				t.Error("no thread")
			}
		}
		pages = append(pages, names)
		if query.Page = page.Next; query.Page == "" {
			break
		}
	}
	if fmt.Sprint(pages) != fmt.Sprint([][]string{{ids[6], ids[5], ids[4]}, {ids[2], ids[1], ids[0]}}) {
		t.Errorf("pages %v", pages)
	}
	for name, c := range map[string]struct {
		query Query
		want  int
	}{
		"with trash":   {Query{Size: 100, IncludeSpamTrash: true}, 7},
		"labels":       {Query{Size: 100, Labels: []string{"INBOX", "STARRED"}}, 1},
		"text":         {Query{Size: 100, Text: `subject:"mail 5"`}, 1},
		"nothing":      {Query{Size: 100, Text: "nothing-at-all"}, 0},
		"no size":      {Query{}, 1},
		"far too many": {Query{Size: 1 << 40}, 6},
	} {
		if page, err := h.List(t.Context(), h.connection, c.query); err != nil || len(page.Found) != c.want {
			t.Errorf("%s: %d found, %v", name, len(page.Found), err)
		}
	}
	_, err := h.List(t.Context(), h.connection, Query{Page: "nonsense", Size: 3})
	code(t, err, model.CodeUpstreamRejected)
	if len(h.asked("messages.get")) != 0 {
		t.Error("a list read messages")
	}
}

func TestLabels(t *testing.T) {
	h := newHarness(t, builder{})
	work, err := h.CreateLabel(t.Context(), h.connection, "עבודה")
	if err != nil || work.Name != "עבודה" || work.System || work.SourceID == "" {
		t.Fatalf("%+v, %v", work, err)
	}
	_, err = h.CreateLabel(t.Context(), h.connection, "עבודה")
	code(t, err, model.CodeConflict)
	_, err = h.CreateLabel(t.Context(), h.connection, "inbox")
	code(t, err, model.CodeUpstreamRejected)
	h.server.Reset()
	names := func(labels []model.EmailLabel, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var own []string
		system := true
		for _, label := range labels {
			if label.System && !system {
				t.Error("Gmail's own labels do not come first")
			}
			if system = label.System; !system {
				own = append(own, label.Name)
			}
		}
		return own
	}
	want := func(what string, got []string, calls int, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) || len(h.calls()) != calls {
			t.Errorf("%s: %v after %v", what, got, h.calls())
		}
	}
	want("first", names(h.Labels(t.Context(), h.connection)), 1, "עבודה")
	want("kept", names(h.Labels(t.Context(), h.connection)), 1, "עבודה")
	made, err := h.truth.Users.Labels.Create("me", &api.Label{Name: "Another"}).Do()
	if err != nil {
		t.Fatal(err)
	}
	h.server.Reset()
	h.tick(labelsAnew)
	want("kept still", names(h.Labels(t.Context(), h.connection)), 0, "עבודה")
	want("with ids that are known", names(h.LabelsOf(t.Context(), h.connection, []string{"INBOX", work.SourceID})), 0,
		"עבודה")
	want("with an id that is not", names(h.LabelsOf(t.Context(), h.connection, []string{made.Id})), 1, "Another", "עבודה")
	want("with one that nobody knows", names(h.LabelsOf(t.Context(), h.connection, []string{"Label_999"})), 1, "Another",
		"עבודה")
	want("as they are now", names(h.LabelsNow(t.Context(), h.connection)), 2, "Another", "עבודה")
	h.tick(labelsKept)
	want("old", names(h.Labels(t.Context(), h.connection)), 3, "Another", "עבודה")
	if _, err := h.CreateLabel(t.Context(), h.connection, "Third"); err != nil {
		t.Fatal(err)
	}
	want("after one was made", names(h.Labels(t.Context(), h.connection)), 5, "Another", "Third", "עבודה")
}

func TestModify(t *testing.T) {
	h := newHarness(t, builder{})
	var ids []string
	for n := range 3 {
		ids = append(ids, h.deliver(letter(fmt.Sprint(n))))
	}
	many := slices.Clone(ids)
	for n := range 2_100 {
		many = append(many, fmt.Sprintf("%x", 0x1000+n)) // of nothing
	}
	if err := h.Modify(t.Context(), h.connection, many, []string{"STARRED"}, []string{"UNREAD"}); err != nil {
		t.Fatal(err)
	}
	if n := len(h.asked("messages.batchModify")); n != 3 || len(h.calls()) != 3 {
		t.Errorf("%d calls for 2,103 messages", n)
	}
	for id, email := range h.read(store.MailMinimal, ids...) {
		if !slices.Equal(email.Labels, []string{"INBOX", "STARRED"}) {
			t.Errorf("%s has %v", id, email.Labels)
		}
	}
	h.server.Reset()
	for _, c := range []struct{ ids, add, remove []string }{{nil, []string{"STARRED"}, nil}, {ids, nil, nil},
		{[]string{"../x", ""}, []string{"STARRED"}, nil}} {
		if err := h.Modify(t.Context(), h.connection, c.ids, c.add, c.remove); err != nil || len(h.calls()) != 0 {
			t.Errorf("nothing to do: %v, %v", err, h.calls())
		}
	}
	code(t, h.Modify(t.Context(), h.connection, ids, []string{"Label_404"}, nil), model.CodeUpstreamRejected)
	if err := h.Modify(t.Context(), h.connection, ids, []string{"STARRED"}, []string{"STARRED"}); err != nil {
		t.Errorf("a label on and off: %v", err)
	}
}

func TestHistory(t *testing.T) {
	h := newHarness(t, builder{})
	one := h.deliver(letter("one"))
	address, since, err := h.Profile(t.Context(), h.connection)
	if err != nil || address != alice {
		t.Fatal(address, err)
	}
	quiet, err := h.History(t.Context(), h.connection, since)
	if err != nil || quiet.At != since || quiet.Lost || len(quiet.Added)+len(quiet.Deleted)+len(quiet.Labelled) != 0 {
		t.Errorf("quiet: %+v, %v", quiet, err)
	}
	two, three := h.deliver(letter("two")), h.deliver(letter("three"))
	h.mark(one, []string{"STARRED"}, nil)
	h.mark(two, nil, []string{"UNREAD"})
	h.mark(one, nil, []string{"INBOX"})
	if err := h.truth.Users.Messages.Delete("me", three).Do(); err != nil {
		t.Fatal(err)
	}
	got, err := h.History(t.Context(), h.connection, since)
	if err != nil || fmt.Sprint(got.Added, got.Labelled, got.Deleted) != fmt.Sprint([]Arrived{
		{two, two, []string{"INBOX"}}}, []Arrived{{one, one, []string{"STARRED", "UNREAD"}}}, []string{three}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for n := range 600 {
		h.mark(one, []string{[]string{"UNREAD", "IMPORTANT"}[n%2]}, []string{[]string{"UNREAD", "IMPORTANT"}[1-n%2]})
	}
	h.server.Reset()
	if long, err := h.History(t.Context(), h.connection, since); err != nil || len(long.Labelled) != 1 ||
		long.At == got.At || len(h.calls()) != 2 {
		t.Errorf("600 steps: %+v, %v, %d calls", long, err, len(h.calls()))
	}
	for _, bad := range []string{"", "abc", "-1", "99999999999999999999999", "1"} {
		if lost, err := h.History(t.Context(), h.connection, bad); err != nil || !lost.Lost {
			t.Errorf("%q: %+v, %v", bad, lost, err)
		}
	}
	h.service.ExpireHistory(alice)
	if lost, err := h.History(t.Context(), h.connection, got.At); err != nil || !lost.Lost {
		t.Errorf("expired: %+v, %v", lost, err)
	}
}

// TestTheRequestsBudget counts questions: what is kept asks none.
func TestTheRequestsBudget(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	id := h.deliver(letter("one"))
	ctx := model.WithUpstream(t.Context(), 1)
	for range 3 {
		if got, err := h.Messages(ctx, h.connection, []string{id}, store.MailHeaders); err != nil || len(got) != 1 {
			t.Fatal(got, err)
		}
	}
	_, err := h.Thread(ctx, h.connection, id, store.MailHeaders)
	code(t, err, model.CodeQueryTooExpensive)
	h.server.Reset()
	draft, err := h.CreateDraft(ctx, h.connection, Outgoing{Raw: letter("x").Bytes()})
	code(t, err, model.CodeQueryTooExpensive)
	if len(h.calls()) != 0 || draft.ID != "" {
		t.Errorf("asked all the same: %v", h.calls())
	}
}

// TestMissingScope asks for the scope that each call needs.
func TestMissingScope(t *testing.T) {
	h := newHarness(t, builder{scopes: []string{google.ScopeCalendarEvents}})
	for name, do := range map[string]func(context.Context) error{
		"list": func(ctx context.Context) error {
			_, err := h.List(ctx, h.connection, Query{Size: 1})
			return err
		},
		"read": func(ctx context.Context) error {
			_, err := h.Messages(ctx, h.connection, []string{"abc"}, store.MailFull)
			return err
		},
		"draft": func(ctx context.Context) error {
			_, err := h.CreateDraft(ctx, h.connection, Outgoing{Raw: []byte("x")})
			return err
		},
		"modify": func(ctx context.Context) error {
			return h.Modify(ctx, h.connection, []string{"abc"}, []string{"STARRED"}, nil)
		},
	} {
		shown := code(t, do(t.Context()), model.CodeNotConnected)
		want := google.ScopeGmailModify
		if name == "list" || name == "read" {
			want = google.ScopeGmailReadonly
		}
		address, err := url.Parse(shown.ConnectURL)
		if err != nil || !slices.Equal(address.Query()["scope"], []string{want}) {
			t.Errorf("%s: to be linked at %q", name, shown.ConnectURL)
		}
	}
	if len(h.calls()) != 0 {
		t.Errorf("asked: %v", h.calls())
	}
}
