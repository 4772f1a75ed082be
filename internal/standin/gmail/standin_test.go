package gmail_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"almanac/internal/standin/gmail"
	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

func snapshot(t testing.TB, s *gmail.Service) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Snapshot(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSnapshotRoundTrip(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	random := rand.New(rand.NewPCG(3, 3))
	labels := []string{"STARRED", "IMPORTANT", "UNREAD", "INBOX", "SPAM", w.label("a")}
	w.deliver(gmail.Letter{Text: "x", Attachments: []gmail.Attachment{{Name: "a", Content: []byte("b")}}})
	for range 80 {
		w.anything(random, &labels)
	}
	id := w.deliver(gmail.Letter{Text: "x", Attachments: []gmail.Attachment{{Name: "a", Content: []byte("b")}}})
	page, err := w.ada().Messages.List("me").MaxResults(2).Do()
	if err != nil {
		t.Fatal(err)
	}
	attachment := w.get(id).Payload.Parts[1].Body.AttachmentId
	since := w.s.Mailbox(ada)[3].HistoryID
	before, kept, rest := snapshot(t, w.s), w.s.Mailbox(ada), func() []string {
		answer, err := w.ada().Messages.List("me").MaxResults(500).PageToken(page.NextPageToken).Do()
		if err != nil {
			t.Fatal(err)
		}
		return ids(answer.Messages)
	}
	rows := rest()
	records, _ := w.history(since, 100)

	other := gmail.New(gmail.Options{Now: w.Now, Seed: 99})
	if err := other.Restore(strings.NewReader(before)); err != nil {
		t.Fatal(err)
	}
	same(t, "the same bytes again", snapshot(t, other), before)
	if err := w.s.Restore(strings.NewReader(before)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(w.s.Mailbox(ada), kept) {
		t.Error("the mailbox is another one")
	}
	same(t, "page tokens hold", rest(), rows)
	if a, err := w.ada().Messages.Attachments.Get("me", id, attachment).Do(); err != nil || decode(t, a.Data) != "b" {
		t.Errorf("an attachment's id: %v", err)
	}
	again, _ := w.history(since, 100)
	same(t, "history", len(again), len(records))
	now, err := other.Deliver(ada, []byte("x"), w.Now())
	here, err2 := w.s.Deliver(ada, []byte("x"), w.Now())
	if now != here || err != nil || err2 != nil {
		t.Errorf("ids go on differently: %s, %s, %v, %v", now, here, err, err2)
	}
}

func TestBrokenSnapshots(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deliver(gmail.Letter{Text: "x"})
	w.draft(note(ben, "x"), "")
	w.label("a")
	good := snapshot(t, w.s)
	for _, c := range []struct{ name, old, with string }{
		{"empty", good, ""},
		{"no object", good, "[]"},
		{"cut off", good, good[:len(good)/2]},
		{"twice", good, good + good},
		{"another version", `"version":1`, `"version":2`},
		{"unknown fields", `"version":1`, `"version":1,"x":1`},
		{"no accounts", `"accounts":{`, `"accounts":null,"outgoing":[],"x":{`},
		{"another's account", `"email":"ada@example.com"`, `"email":"eve@example.com"`},
		{"an unknown label", `"UNREAD"`, `"WONDER"`},
		{"labels out of order", `["INBOX","UNREAD"]`, `["UNREAD","INBOX"]`},
		{"a label of the system's", `"Label_1":{"id":"Label_1"`, `"INBOX":{"id":"INBOX"`},
		{"a draft of nothing", `"drafts":{"r`, `"drafts":{"r7":"19cae0c46a500000","r`},
		{"history that goes back", `"historyId":"`, `"historyId":"0`},
	} {
		text := strings.Replace(good, c.old, c.with, 1)
		if c.name == "history that goes back" {
			text = strings.Replace(good, `"history":[{"id":"`, `"history":[{"id":"9999999`, 1)
		}
		if text == good {
			t.Errorf("%s: nothing to break", c.name)
		}
		if err := w.s.Restore(strings.NewReader(text)); err == nil {
			t.Errorf("%s: it was taken", c.name)
		}
	}
	same(t, "nothing has changed", snapshot(t, w.s), good)
}

func TestForget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustSend(ada, note(ben, "x"), "")
	w.mustSend(ben, note(ada, "y"), "")
	w.front.RemoveAccount(ada)
	if w.s.Mailbox(ada) != nil || len(w.s.Mailbox(ben)) != 2 || len(w.s.Outgoing()) != 1 ||
		strings.Contains(snapshot(t, w.s), `"ada@example.com":{`) {
		t.Errorf("%+v", w.s.Outgoing())
	}
	w.mustSend(ben, note(ada, "to nobody"), "")
	if err := w.s.AddAccount(gmail.Account{Email: ada}); err != nil || len(w.s.Mailbox(ada)) != 0 {
		t.Errorf("%v", err)
	}
	w.s.Forget("nobody@example.com")
}

func TestSetUpIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, a := range []gmail.Account{
		{Email: ""}, {Email: "ada"}, {Email: "Ada <x@example.com>"}, {Email: "ADA@example.com"},
		{Email: "ada.work@example.net"},
		{Email: "new@example.com", Aliases: []gmail.Alias{{Email: ben}}},
		{Email: "new@example.com", Aliases: []gmail.Alias{{Email: "x"}}},
	} {
		if err := w.s.AddAccount(a); err == nil {
			t.Errorf("%+v was added", a)
		}
	}
	if _, err := w.s.Deliver("nobody@example.com", nil, start); !errors.Is(err, gmail.ErrNoAccount) {
		t.Errorf("deliver: %v", err)
	}
	if _, err := w.s.AddLabel("nobody@example.com", "x"); !errors.Is(err, gmail.ErrNoAccount) {
		t.Errorf("label: %v", err)
	}
	for _, label := range []string{"DRAFT", "Label_5", "x"} {
		if _, err := w.s.Deliver(ada, nil, start, label); err == nil {
			t.Errorf("%s was given", label)
		}
	}
	if _, err := w.s.AddLabel(ada, "inbox"); err == nil {
		t.Error("inbox was made")
	}
	if id, err := w.s.AddLabel(ada, "Shop"); err != nil || id != "Label_1" {
		t.Errorf("%s %v", id, err)
	}
}

func TestIDsRepeatWithTheSeed(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) string {
		w := newWorld(t, func(o *gmail.Options, _ *google.Options) { o.Seed = seed })
		w.deliver(gmail.Letter{Text: "x"})
		w.mustSend(ada, note(ben, "x"), "")
		w.draft(note(ben, "x"), "")
		return snapshot(t, w.s)
	}
	same(t, "one seed", run(5), run(5))
	if run(5) == run(6) {
		t.Error("the seed changes nothing")
	}
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := time.Date(2020, 5, 1, 8, 0, 0, 999_999, time.FixedZone("", 3*3600))
	raw := []byte("Subject: x\n\ny")
	id, err := w.s.Deliver("ADA@example.com", raw, at, "STARRED", "STARRED")
	if err != nil {
		t.Fatal(err)
	}
	raw[0] = 'Z'
	m := w.s.Mailbox(ada)[0]
	if m.ID != id || !m.Date.Equal(at.Truncate(time.Millisecond)) || !m.Received.Equal(m.Date) ||
		string(m.Raw) != "Subject: x\n\ny" {
		t.Errorf("%+v", m)
	}
	same(t, "labels", m.LabelIDs, []string{"STARRED"})
	same(t, "old mail is new history", w.get(id).HistoryId, w.profile().HistoryId)
	if all, _ := w.history(w.profile().HistoryId-1, 10); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	before := w.deliver(gmail.Letter{Text: "later"})
	same(t, "order", w.list(""), []string{before, id})
}

func TestUnservedMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	served := 0
	for id := range w.s.Document().Methods {
		_, err := w.s.Serve(wire.Call{Method: id, Account: ada, Path: map[string]string{"userId": "me"}, Now: w.Now()})
		var p *wire.Problem
		if errors.As(err, &p) && p.Status == 501 {
			if !strings.HasPrefix(id, "gmail.users.settings.") {
				t.Errorf("%s is not served", id)
			}
			continue
		}
		served++
	}
	same(t, "served", served, 36)
}

func TestWatchNeedsATopic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.ada().Watch("me", &api.WatchRequest{TopicName: "projects/p/topics/t"}).Do()
	wants(t, "a topic", err, 403, "forbidden",
		"Error sending test message to Cloud PubSub projects/p/topics/t : User not authorized to perform this action.",
		"PERMISSION_DENIED")
	_, err = w.ada().Watch("me", &api.WatchRequest{TopicName: "t"}).Do()
	wants(t, "no topic", err, 400, "invalidArgument", "Invalid topicName does not match projects/*/topics/*",
		"INVALID_ARGUMENT")
	_, err = w.ada().Watch("me", &api.WatchRequest{}).Do()
	wants(t, "nothing", err, 400, "invalidArgument", "Invalid topicName: it is missing", "INVALID_ARGUMENT")
	if err := w.ada().Stop("me").Do(); err != nil {
		t.Error(err)
	}
}

func TestQuotaInUnits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *gmail.Options, o *google.Options) {
		o.Quotas = map[string]google.Quota{"gmail": google.GmailQuota()}
	})
	id := w.deliver(gmail.Letter{Text: "x"})
	w.list("")
	for range 50 {
		w.get(id)
	}
	same(t, "a list of 50", w.front.Used("gmail", ada), google.Usage{
		Minute: 1005, Total: 1005, Calls: map[string]int{"gmail.users.messages.list": 1, "gmail.users.messages.get": 50},
	})
	for range 249 {
		w.get(id)
	}
	_, err := w.ada().Messages.Get("me", id).Do()
	wants(t, "too much", err, 403, "rateLimitExceeded",
		"Quota exceeded for quota metric 'Queries' and limit 'Units per minute per user' of service 'gmail.googleapis.com'.",
		"PERMISSION_DENIED")
	var refused *googleapi.Error
	if errors.As(err, &refused) && (refused.Header.Get("Retry-After") != "" ||
		!strings.Contains(refused.Body, "RATE_LIMIT_EXCEEDED")) {
		t.Errorf("%v %s", refused.Header, refused.Body)
	}
	w.list("") // five units are left for
	if _, err := w.clients[ben].Users.GetProfile("me").Do(); err != nil {
		t.Errorf("another account: %v", err)
	}
	w.tick(time.Minute)
	w.get(id)
	if used := w.front.Used("gmail", "ADA@example.com"); used.Minute != 20 || used.Total != 1005+249*20+5+20 {
		t.Errorf("%+v", used)
	}
}

func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.deliver(gmail.Letter{From: ben, Subject: "x", Text: "words",
		Attachments: []gmail.Attachment{{Name: "a", Content: []byte("b")}}})
	var group sync.WaitGroup
	const each = 15
	for i := range 8 {
		group.Go(func() {
			users := w.ada()
			for n := range each {
				var err error
				switch (i + n) % 6 {
				case 0:
					_, err = users.Messages.Send("me", &api.Message{Raw: encode(note(ben, fmt.Sprint(i, n)))}).Do()
				case 1:
					_, err = users.Messages.List("me").Q("words has:attachment").Do()
				case 2:
					_, err = users.Messages.Get("me", id).Do()
				case 3:
					_, err = users.Messages.Modify("me", id, &api.ModifyMessageRequest{AddLabelIds: []string{"STARRED"}}).Do()
				case 4:
					_, err = w.s.Deliver(ada, []byte("Subject: y\r\n\r\nz"), start)
				case 5:
					err = w.s.Snapshot(io.Discard)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if sent := len(w.s.Outgoing()); sent != len(w.s.Mailbox(ben)) || sent != 8*each/6 {
		t.Errorf("%d sent, %d arrived", sent, len(w.s.Mailbox(ben)))
	}
}
