package gmail_test

import (
	"fmt"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"almanac/internal/standin/gmail"
	"almanac/internal/standin/google"
)

// note is a message that a client writes.
func note(to, subject string, more ...string) string {
	lines := append([]string{"From: Ada Levi <ada@example.com>", "To: " + to, "Subject: " + subject}, more...)
	return crlf(append(lines, "Message-ID: <mine@client>", "", "Hello.", "")...)
}

// stored returns the raw text of a message in a mailbox.
func (w *world) stored(email, id string) string {
	w.t.Helper()
	for _, m := range w.s.Mailbox(email) {
		if m.ID == id {
			return string(m.Raw)
		}
	}
	w.t.Fatalf("%s has no message %s", email, id)
	return ""
}

func TestSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.mustSend(ada, note("ben@example.com, Clara <CLARA@elsewhere.org>", "Hi"), "")
	same(t, "labels", m.LabelIds, []string{"SENT"})
	if m.ThreadId != m.Id || m.Raw != "" || m.Payload != nil {
		t.Errorf("the answer: %+v", m)
	}
	kept, err := mail.ReadMessage(strings.NewReader(w.stored(ada, m.Id)))
	if err != nil {
		t.Fatal(err)
	}
	id := kept.Header.Get("Message-ID")
	if !regexp.MustCompile(`^<CA[A-Za-z0-9_-]{40}@mail\.gmail\.com>$`).MatchString(id) ||
		len(kept.Header["Message-Id"]) != 1 {
		t.Errorf("Message-ID %q", id)
	}
	for _, who := range []string{ben, clara} {
		box := w.s.Mailbox(who)
		if len(box) != 1 || "<"+box[0].MessageID+">" != id {
			t.Fatalf("%s has %+v", who, box)
		}
		same(t, who, box[0].LabelIDs, []string{"INBOX", "UNREAD"})
		if box[0].ID == m.Id {
			t.Errorf("%s has the sender's id", who)
		}
	}
	if out := w.s.Outgoing(); len(out) != 1 || out[0].From != ada || out[0].ID != m.Id || "<"+out[0].RFC+">" != id ||
		!out[0].At.Equal(w.Now()) {
		t.Errorf("%+v", out)
	}
	same(t, "recipients", w.s.Outgoing()[0].To, []string{ben, clara})
	same(t, "found", w.list("in:sent"), []string{m.Id})
}

func TestSendRewritesTheHeader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ name, raw, from string }{
		{"own", "From: Somebody <ADA@example.com>\r\nTo: ben@example.com\r\n\r\nx", "Somebody <ADA@example.com>"},
		{"an alias", "From: ada.work@example.net\r\nTo: ben@example.com\r\n\r\nx", "ada.work@example.net"},
		{"another's", "From: Clara <clara@elsewhere.org>\r\nTo: ben@example.com\r\n\r\nx", `"Ada Levi" <ada@example.com>`},
		{"none", "To: ben@example.com\r\n\r\nx", `"Ada Levi" <ada@example.com>`},
		{"two", "From: ada@example.com\r\nFrom: clara@elsewhere.org\r\nTo: ben@example.com\r\n\r\nx", "ada@example.com"},
		{"bare line ends", "To: ben@example.com\n\nx", `"Ada Levi" <ada@example.com>`},
	} {
		m := w.mustSend(ada, c.raw, "")
		stored := w.stored(ada, m.Id)
		kept, err := mail.ReadMessage(strings.NewReader(stored))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := kept.Header["From"]; len(got) != 1 || got[0] != c.from {
			t.Errorf("%s: From %q, want %q", c.name, got, c.from)
		}
		if at, err := kept.Header.Date(); err != nil || !at.Equal(w.Now().Truncate(time.Second)) ||
			kept.Header.Get("MIME-Version") != "1.0" {
			t.Errorf("%s: %v %v", c.name, kept.Header, err)
		}
		if strings.Contains(strings.ReplaceAll(stored, "\r\n", ""), "\n") || !strings.HasSuffix(stored, "\r\n\r\nx") {
			t.Errorf("%s: lines of %q", c.name, stored)
		}
	}
	dated := w.mustSend(ada, note(ben, "x", "Date: Sun, 1 Mar 2026 10:00:00 +0200", "X-Own: kept"), "")
	stored := w.stored(ada, dated.Id)
	if !strings.Contains(stored, "Date: Sun, 1 Mar 2026 10:00:00 +0200\r\n") ||
		!strings.Contains(stored, "X-Own: kept\r\n") || strings.Count(stored, "Date:") != 1 {
		t.Errorf("%q", stored)
	}
	same(t, "internal date", w.get(dated.Id).InternalDate, w.Now().UnixMilli())
}

func TestSendIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.lenient = true // the description knows what base64 is
	for _, c := range []struct{ name, raw, message string }{
		{"nothing", "", "'raw' RFC822 payload message string or uploading message via /upload/* URL required"},
		{"nobody", "Subject: x\r\n\r\nx", "Recipient address required"},
		{"empty", "To: \r\nCc:\r\n\r\nx", "Recipient address required"},
		{"no address", "To: ben\r\n\r\nx", "Invalid To header"},
		{"no domain", "To: ben@example\r\n\r\nx", "Invalid To header"},
		{"one is none", "To: ben@example.com, x y z\r\n\r\nx", "Invalid To header"},
		{"cc", "To: ben@example.com\r\nCc: @@\r\n\r\nx", "Invalid Cc header"},
		{"bcc", "To: ben@example.com\r\nBcc: <<\r\n\r\nx", "Invalid Bcc header"},
		{"too many", "To: " + list(501) + "\r\n\r\nx", "Too many recipients"},
		{"a long line", "To: ben@example.com\r\nX: " + strings.Repeat("x", 998) + "\r\n\r\nx", "Header line is too long"},
		{"many lines", "To: ben@example.com\r\n" + strings.Repeat("X: y\r\n", 50_000) + "\r\nx", "The header is too long"},
	} {
		_, err := w.send(ada, c.raw, "")
		wants(t, c.name, err, 400, "invalidArgument", c.message, "INVALID_ARGUMENT")
	}
	_, err := w.ada().Messages.Send("me", &api.Message{Raw: "***"}).Do()
	wants(t, "no base64", err, 400, "invalidArgument", "Invalid value for ByteString: raw", "INVALID_ARGUMENT")
	_, err = w.send(ada, note(ben, "x"), "19cae0c46a500000")
	wants(t, "a thread that is not there", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	_, err = w.send(ada, note(ben, "x"), "no thread")
	wants(t, "no thread at all", err, 400, "invalidArgument", "Invalid thread_id value", "INVALID_ARGUMENT")
	_, err = w.ada().Drafts.Create("me",
		&api.Draft{Message: &api.Message{Raw: encode("X: " + strings.Repeat("x", 998))}}).Do()
	wants(t, "a draft with a long line", err, 400, "invalidArgument", "Header line is too long", "INVALID_ARGUMENT")
	if len(w.s.Outgoing())+len(w.s.Mailbox(ada))+len(w.s.Mailbox(ben)) != 0 {
		t.Error("something was sent")
	}
}

// list writes n addresses.
func list(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("a%d@b.org,", i)
		if i%50 == 49 {
			all[i] += "\r\n "
		}
	}
	return strings.TrimRight(strings.Join(all, ""), ", \r\n")
}

func TestRawNeedsNoPadding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	raw := note(ben, "x", "X: ???>>>~~~") // gives letters in which the alphabets differ
	for _, text := range []string{encode(raw), strings.TrimRight(encode(raw), "="),
		strings.NewReplacer("-", "+", "_", "/").Replace(encode(raw))} {
		if _, err := w.ada().Messages.Send("me", &api.Message{Raw: text}).Do(); err != nil {
			t.Error(err)
		}
	}
	if n := len(w.s.Mailbox(ben)); n != 3 {
		t.Errorf("%d arrived", n)
	}
}

func TestBcc(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.mustSend(ada, note(ben, "x", "bcc: clara@elsewhere.org,\r\n other@example.org"), "")
	if !strings.Contains(w.stored(ada, m.Id), "bcc: clara@elsewhere.org,\r\n other@example.org\r\n") {
		t.Error("the sender has no Bcc")
	}
	for _, who := range []string{ben, clara} {
		box := w.s.Mailbox(who)
		if len(box) != 1 || strings.Contains(strings.ToLower(string(box[0].Raw)), "bcc") ||
			strings.Contains(string(box[0].Raw), "other@example.org") {
			t.Errorf("%s has %+v", who, box)
		}
	}
	same(t, "recipients", w.s.Outgoing()[0].To, []string{ben, clara, "other@example.org"})
	same(t, "found by the sender", w.list("bcc:clara"), []string{m.Id})
}

func TestToOneself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, to := range []string{ada, "Ada+lists@example.com", "ada.work@example.net"} {
		m := w.mustSend(ada, note(to, "x"), "")
		same(t, to, m.LabelIds, []string{"INBOX", "SENT", "UNREAD"})
	}
	if n := len(w.s.Mailbox(ada)); n != 3 {
		t.Errorf("%d messages, where each is one", n)
	}
}

func TestDeliveryBetweenAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustSend(ada, note("ben+shop@example.com, BEN@example.com", "x"), "")
	box := w.s.Mailbox(ben)
	if len(box) != 1 {
		t.Fatalf("ben has it %d times", len(box))
	}
	got, err := w.clients[ben].Users.Messages.Get("me", box[0].ID).Do()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "delivered to", header(got.Payload, "Delivered-To"), []string{"ben+shop@example.com"})
	same(t, "return path", header(got.Payload, "Return-Path"), []string{"<ada@example.com>"})
	if len(header(got.Payload, "Received")) != 1 || decode(t, got.Payload.Body.Data) != "Hello.\r\n" {
		t.Errorf("%+v", got.Payload)
	}
	found, err := w.clients[ben].Users.Messages.List("me").Q("deliveredto:ben+shop@example.com").Do()
	if err != nil || len(found.Messages) != 1 {
		t.Errorf("%+v %v", found, err)
	}
}

func TestThreadingOfTheSender(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.deliver(gmail.Letter{From: ben, To: ada, Subject: "Plan", MessageID: "p@x", Text: "x"})
	alone := w.mustSend(ada, note(ben, "Re: Plan", "In-Reply-To: <p@x>", "References: <p@x>"), "")
	if alone.ThreadId == first {
		t.Error("References alone thread on the sender's side")
	}
	if m := w.mustSend(ada, note(ben, "Another subject"), first); m.ThreadId != first {
		t.Error("threadId does not thread on the sender's side")
	}
	w.s.SetSwitches(gmail.Switches{ThreadByReferences: true})
	if m := w.mustSend(ada, note(ben, "Re: Plan", "References: <p@x>"), ""); m.ThreadId != first {
		t.Error("the switch does not thread by References")
	}
}

func TestThreadingOfTheRecipient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sent := w.mustSend(ada, note(ben, "Plan"), "")
	there := w.s.Mailbox(ben)[0]
	reply := func(subject string, more ...string) string {
		w.mustSend(ada, note(ben, subject, more...), sent.ThreadId)
		return w.s.Mailbox(ben)[0].ThreadID
	}
	id := "<" + there.MessageID + ">"
	for _, c := range []struct {
		name, got string
		joins     bool
	}{
		{"references", reply("Re: Plan", "References: <other@x> "+id), true},
		{"in reply to", reply("RE: re:  plan", "In-Reply-To: "+id), true},
		{"hebrew", reply("השב: Plan", "References: "+id), true},
		{"the subject alone", reply("Re: Plan"), false},
		{"another subject", reply("Re: Plans", "References: "+id), false},
		{"another message", reply("Re: Plan", "References: <no@x>"), false},
	} {
		if joined := c.got == there.ThreadID; joined != c.joins {
			t.Errorf("%s: joined %v", c.name, joined)
		}
	}
	thread, err := w.ada().Threads.Get("me", sent.ThreadId).Do()
	if err != nil || len(thread.Messages) != 7 {
		t.Errorf("the sender's thread: %d, %v", len(thread.Messages), err)
	}
}

func TestUploads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.deliver(gmail.Letter{Subject: "Plan"})
	raw := note(ben, "Re: Plan")
	small, err := w.ada().Messages.Send("me", &api.Message{ThreadId: first}).
		Media(strings.NewReader(raw), googleapi.ContentType("message/rfc822")).Do()
	if err != nil || small.ThreadId != first {
		t.Fatalf("%+v %v", small, err)
	}
	large := note(ben, "Large") + strings.Repeat("0123456789abcdef\r\n", 20_000)
	resumed, err := w.ada().Messages.Send("me", &api.Message{}).
		Media(strings.NewReader(large), googleapi.ContentType("message/rfc822"),
			googleapi.ChunkSize(googleapi.MinUploadChunkSize)).Do()
	if err != nil || !strings.HasSuffix(w.stored(ada, resumed.Id), large[len(large)-1000:]) {
		t.Fatalf("%+v %v", resumed, err)
	}
	draft, err := w.ada().Drafts.Create("me", &api.Draft{}).Media(strings.NewReader(raw),
		googleapi.ContentType("message/rfc822")).Do()
	if err != nil || draft.Message == nil {
		t.Fatalf("%+v %v", draft, err)
	}
	if n := len(w.s.Mailbox(ben)); n != 2 {
		t.Errorf("%d arrived", n)
	}
}

func TestMessagesAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	huge := note(ben, "x") + strings.Repeat("x", gmail.MaxMessage)
	_, err := w.ada().Messages.Send("me", &api.Message{}).Media(strings.NewReader(huge),
		googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0)).Do()
	wants(t, "too large", err, 413, "uploadTooLarge", "Request payload size exceeds the limit.", "INVALID_ARGUMENT")
	if _, err := w.s.Deliver(ada, []byte(huge), w.Now()); err == nil {
		t.Error("it was delivered")
	}
	w.s.SetSwitches(gmail.Switches{MaxBytes: 1000})
	if _, err := w.send(ada, note(ben, "x"), ""); err != nil {
		t.Error(err)
	}
	_, err = w.send(ada, note(ben, "x")+strings.Repeat("x", 1000), "")
	wants(t, "no room", err, 403, "quotaExceeded", "The stand-in's mailboxes are full.", "PERMISSION_DENIED")
	w.s.SetSwitches(gmail.Switches{MaxMessages: 1})
	_, err = w.send(ada, note(ben, "x"), "")
	wants(t, "too many", err, 403, "quotaExceeded", "The stand-in's mailboxes are full.", "PERMISSION_DENIED")
	if n := len(w.s.Outgoing()); n != 1 {
		t.Errorf("%d were sent", n)
	}
}

func TestSendingLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.s.SetSwitches(gmail.Switches{SendLimit: 3})
	w.mustSend(ada, note("ben@example.com, clara@elsewhere.org", "x"), "")
	first := w.Now()
	w.tick(50 * time.Minute)
	w.mustSend(ada, note(ben, "x"), "")
	_, err := w.send(ada, note(ben, "x"), "")
	message := "User-rate limit exceeded.  Retry after " +
		first.Truncate(time.Second).Add(24*time.Hour).Format("2006-01-02T15:04:05.000Z") + " (Mail sending)"
	wants(t, "one too many", err, 429, "userRateLimitExceeded", message, "RESOURCE_EXHAUSTED")
	w.mustSend(ben, note(ada, "of another"), "")
	w.tick(23*time.Hour + 10*time.Minute)
	w.clients[ada] = w.client(ada, api.MailGoogleComScope) // the token has ended
	w.mustSend(ada, note(ben, "x"), "")
	w.s.SetSwitches(gmail.Switches{SendLimit: -1})
	for range 20 {
		w.mustSend(ada, note(ben, "x"), "")
	}
}

func TestALostAnswerSendsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.front.Inject(google.Fault{Method: "gmail.users.messages.send", LoseAnswer: true, Times: 1})
	if _, err := w.send(ada, note(ben, "x"), ""); err == nil {
		t.Fatal("there was an answer")
	}
	if len(w.s.Outgoing()) != 1 || len(w.s.Mailbox(ben)) != 1 {
		t.Error("it was not sent, or more than once")
	}
	w.mustSend(ada, note(ben, "x"), "") // and nothing keeps a client from sending it again
	if len(w.s.Outgoing()) != 2 || len(w.s.Mailbox(ben)) != 2 {
		t.Error("the second one was taken for the first")
	}
}
