package gmail_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	api "google.golang.org/api/gmail/v1"

	"almanac/internal/standin/gmail"
)

func (w *world) draft(raw, thread string) *api.Draft {
	w.t.Helper()
	d, err := w.ada().Drafts.Create("me", &api.Draft{Message: &api.Message{Raw: encode(raw), ThreadId: thread}}).Do()
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.draft(note("", "Draft"), "")
	if !regexp.MustCompile(`^r-?\d+$`).MatchString(d.Id) {
		t.Errorf("id %q", d.Id)
	}
	same(t, "labels", d.Message.LabelIds, []string{"DRAFT"})
	if stored := w.stored(ada, d.Message.Id); strings.Contains(stored, "mine@client") ||
		!strings.Contains(stored, "@mail.gmail.com>") {
		t.Errorf("Message-ID: %q", stored)
	}
	got, err := w.ada().Drafts.Get("me", d.Id).Format("full").Do()
	if err != nil || got.Id != d.Id || got.Message.Id != d.Message.Id || got.Message.Payload == nil {
		t.Errorf("%+v %v", got, err)
	}
	w.tick(1e9)
	other := w.draft(note(ben, "Other"), "")
	list, err := w.ada().Drafts.List("me").Do()
	if err != nil || len(list.Drafts) != 2 || list.Drafts[0].Id != other.Id || list.Drafts[1].Message.Id != d.Message.Id {
		t.Errorf("%+v %v", list, err)
	}
	one, err := w.ada().Drafts.List("me").MaxResults(1).Do()
	if err != nil || len(one.Drafts) != 1 || one.NextPageToken == "" {
		t.Fatalf("%+v %v", one, err)
	}
	two, err := w.ada().Drafts.List("me").MaxResults(1).PageToken(one.NextPageToken).Do()
	if err != nil || len(two.Drafts) != 1 || two.Drafts[0].Id != d.Id {
		t.Errorf("%+v %v", two, err)
	}
	if found, err := w.ada().Drafts.List("me").Q("subject:other").Do(); err != nil || len(found.Drafts) != 1 ||
		found.Drafts[0].Id != other.Id {
		t.Errorf("%+v %v", found, err)
	}
	if err := w.ada().Drafts.Delete("me", d.Id).Do(); err != nil {
		t.Error(err)
	}
	_, err = w.ada().Messages.Get("me", d.Message.Id).Do()
	wants(t, "its message", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	if err := w.ada().Messages.Delete("me", other.Message.Id).Do(); err != nil {
		t.Error(err)
	}
	_, err = w.ada().Drafts.Get("me", other.Id).Do()
	wants(t, "a draft whose message was deleted", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	_, err = w.ada().Drafts.Get("me", "19cae0c46a500000").Do()
	wants(t, "a message's id", err, 400, "invalidArgument", "Invalid id value", "INVALID_ARGUMENT")
	if list, err = w.ada().Drafts.List("me").Do(); err != nil || list.Drafts != nil {
		t.Errorf("%+v %v", list, err)
	}
}

func TestUpdateDraftReplaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	thread := w.deliver(gmail.Letter{Subject: "x"})
	d := w.draft(note(ben, "One", "X-Own: 1"), thread)
	same(t, "thread", d.Message.ThreadId, thread)
	changed, err := w.ada().Drafts.Update("me", d.Id,
		&api.Draft{Message: &api.Message{Raw: encode(note(clara, "Two"))}}).Do()
	if err != nil {
		t.Fatal(err)
	}
	if changed.Id != d.Id || changed.Message.Id == d.Message.Id || changed.Message.ThreadId == thread ||
		strings.Contains(w.stored(ada, changed.Message.Id), "X-Own") {
		t.Errorf("%+v", changed)
	}
	if n := len(w.s.Mailbox(ada)); n != 2 {
		t.Errorf("%d messages", n)
	}
	_, err = w.ada().Drafts.Update("me", "r1", &api.Draft{Message: &api.Message{Raw: encode("x")}}).Do()
	wants(t, "unknown", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	_, err = w.ada().Drafts.Update("me", d.Id, &api.Draft{Message: &api.Message{}}).Do()
	wants(t, "nothing", err, 400, "invalidArgument",
		"'raw' RFC822 payload message string or uploading message via /upload/* URL required", "INVALID_ARGUMENT")
}

func TestSendDraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.draft(note(ben, "Draft"), "")
	before := w.s.Mailbox(ada)[0].MessageID
	sent, err := w.ada().Drafts.Send("me", &api.Draft{Id: d.Id}).Do()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "labels", sent.LabelIds, []string{"SENT"})
	if sent.Id == d.Message.Id || sent.ThreadId != d.Message.ThreadId {
		t.Errorf("%+v of %+v", sent, d)
	}
	box := w.s.Mailbox(ada)
	if len(box) != 1 || box[0].MessageID == before || len(w.s.Mailbox(ben)) != 1 || w.s.Outgoing()[0].Draft != d.Id {
		t.Errorf("%+v %+v", box, w.s.Outgoing())
	}
	_, err = w.ada().Drafts.Send("me", &api.Draft{Id: d.Id}).Do()
	wants(t, "again", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	_, err = w.ada().Messages.Get("me", d.Message.Id).Do()
	wants(t, "the draft's message", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")

	empty := w.draft(note("", "To nobody"), "")
	_, err = w.ada().Drafts.Send("me", &api.Draft{Id: empty.Id}).Do()
	wants(t, "to nobody", err, 400, "invalidArgument", "Recipient address required", "INVALID_ARGUMENT")
	if _, err := w.ada().Drafts.Get("me", empty.Id).Do(); err != nil {
		t.Errorf("a draft that could not be sent: %v", err)
	}
	changed, err := w.ada().Drafts.Send("me",
		&api.Draft{Id: empty.Id, Message: &api.Message{Raw: encode(note(clara, "To Clara"))}}).Do()
	if err != nil || changed.ThreadId != empty.Message.ThreadId || len(w.s.Mailbox(clara)) != 1 {
		t.Errorf("%+v %v", changed, err)
	}
	w.lenient = true
	_, err = w.ada().Drafts.Send("me", &api.Draft{}).Do()
	wants(t, "without an id", err, 400, "invalidArgument", "Missing draft id", "INVALID_ARGUMENT")
}

func TestInsertAndImport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	raw := note(ben, "Old", "Date: Thu, 1 Jan 2015 10:00:00 +0000")
	inserted, err := w.ada().Messages.Insert("me",
		&api.Message{Raw: encode(raw), LabelIds: []string{"INBOX", "STARRED"}}).Do()
	if err != nil {
		t.Fatal(err)
	}
	m := w.get(inserted.Id)
	same(t, "labels", m.LabelIds, []string{"INBOX", "STARRED"})
	same(t, "date", m.InternalDate, w.Now().UnixMilli())
	same(t, "kept as it is", w.stored(ada, inserted.Id), raw)
	byHeader, err := w.ada().Messages.Insert("me", &api.Message{Raw: encode(raw)}).InternalDateSource("dateHeader").Do()
	if err != nil {
		t.Fatal(err)
	}
	if m := w.get(byHeader.Id); m.InternalDate != 1420106400000 || m.LabelIds != nil {
		t.Errorf("%+v", m)
	}
	if found := w.list("after:2026/03/01"); !slices.Contains(found, byHeader.Id) || found[len(found)-1] != byHeader.Id {
		t.Errorf("searches go by %v", found)
	}
	imported, err := w.ada().Messages.Import("me", &api.Message{Raw: encode(raw)}).Do()
	if err != nil {
		t.Fatal(err)
	}
	m = w.get(imported.Id)
	same(t, "date of an import", m.InternalDate, 1420106400000)
	same(t, "labels of an import", m.LabelIds, []string{"INBOX", "UNREAD"})
	if m.ThreadId != m.Id || len(w.s.Mailbox(ben)) != 0 || len(w.s.Outgoing()) != 0 {
		t.Error("an import travels")
	}
	answer, err := w.ada().Messages.Insert("me",
		&api.Message{Raw: encode(note(ada, "Re: old", "References: <mine@client>"))}).Do()
	if err != nil || answer.ThreadId == answer.Id {
		t.Errorf("an answer stays alone: %+v %v", answer, err)
	}
	for _, label := range []string{"DRAFT", "Label_9"} {
		_, err = w.ada().Messages.Insert("me", &api.Message{Raw: encode(raw), LabelIds: []string{label}}).Do()
		wants(t, label, err, 400, "invalidArgument", "Invalid label: "+label, "INVALID_ARGUMENT")
	}
	_, err = w.ada().Messages.Insert("me", &api.Message{Raw: encode(raw)}).Deleted(true).Do()
	wants(t, "deleted", err, 400, "failedPrecondition",
		"Only Google Workspace accounts have messages that are deleted at once", "FAILED_PRECONDITION")
}
