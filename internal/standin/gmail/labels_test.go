package gmail_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	api "google.golang.org/api/gmail/v1"

	"almanac/internal/standin/gmail"
)

func (w *world) label(name string) string {
	w.t.Helper()
	l, err := w.ada().Labels.Create("me", &api.Label{Name: name}).Do()
	if err != nil {
		w.t.Fatal(err)
	}
	return l.Id
}

func TestLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made, err := w.ada().Labels.Create("me", &api.Label{Name: " עבודה/לקוחות ",
		Color: &api.LabelColor{TextColor: "#000000", BackgroundColor: "#16A766"}}).Do()
	if err != nil || made.Id != "Label_1" || made.Name != "עבודה/לקוחות" || made.Type != "user" ||
		made.LabelListVisibility != "labelShow" || made.MessageListVisibility != "show" {
		t.Fatalf("%+v %v", made, err)
	}
	all, err := w.ada().Labels.List("me").Do()
	if err != nil {
		t.Fatal(err)
	}
	var system []string
	for _, l := range all.Labels {
		if l.Type == "system" {
			system = append(system, l.Id)
			if l.Name != l.Id {
				t.Errorf("%s is called %s", l.Id, l.Name)
			}
		}
		if l.MessagesTotal != 0 || l.ThreadsTotal != 0 {
			t.Errorf("counts in a list: %+v", l)
		}
	}
	same(t, "system labels", sorted(system), []string{"CATEGORY_FORUMS", "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS",
		"CATEGORY_SOCIAL", "CATEGORY_UPDATES",
		"CHAT", "DRAFT", "IMPORTANT", "INBOX", "SENT", "SPAM", "STARRED", "TRASH", "UNREAD"})
	patched, err := w.ada().Labels.Patch("me", made.Id, &api.Label{Name: "Work", LabelListVisibility: "labelHide"}).Do()
	if err != nil || patched.Name != "Work" || patched.LabelListVisibility != "labelHide" || patched.Color == nil {
		t.Errorf("%+v %v", patched, err)
	}
	updated, err := w.ada().Labels.Update("me", made.Id,
		&api.Label{Id: made.Id, Name: "WORK", LabelListVisibility: "labelShow", MessageListVisibility: "hide"}).Do()
	if err != nil || updated.Name != "WORK" || updated.Color != nil || updated.MessageListVisibility != "hide" {
		t.Errorf("%+v %v", updated, err)
	}
	if err := w.ada().Labels.Delete("me", made.Id).Do(); err != nil {
		t.Error(err)
	}
	_, err = w.ada().Labels.Get("me", made.Id).Do()
	wants(t, "deleted", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	if again := w.label("Work"); again == made.Id {
		t.Error("an id was given twice")
	}
}

func TestLabelNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.label("Clients")
	other := w.label("Other")
	for _, name := range []string{"clients", "CLIENTS", " Clients "} {
		_, err := w.ada().Labels.Create("me", &api.Label{Name: name}).Do()
		wants(t, name, err, 409, "aborted", "Label name exists or conflicts", "ALREADY_EXISTS")
		_, err = w.ada().Labels.Patch("me", other, &api.Label{Name: name}).Do()
		wants(t, "patch to "+name, err, 409, "aborted", "Label name exists or conflicts", "ALREADY_EXISTS")
	}
	for _, name := range []string{"INBOX", "inbox", "Sent", "drafts", "Category_Social", "/a", "a/", "a//b", " ", "a^b",
		strings.Repeat("x", 226)} {
		_, err := w.ada().Labels.Create("me", &api.Label{Name: name}).Do()
		wants(t, name, err, 400, "invalidArgument", "Invalid label name", "INVALID_ARGUMENT")
	}
	for _, name := range []string{"Clients/North", "Clients-North", "Inbox 2", strings.Repeat("א", 225)} {
		w.label(name)
	}
	_, err := w.ada().Labels.Create("me", &api.Label{Name: "c",
		Color: &api.LabelColor{TextColor: "#000000", BackgroundColor: "#123456"}}).Do()
	wants(t, "colour", err, 400, "invalidArgument", "Label color #123456 is not on the allowed color palette",
		"INVALID_ARGUMENT")
}

func TestSystemLabelsStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wants(t, "delete", w.ada().Labels.Delete("me", "INBOX").Do(), 400, "invalidArgument",
		"Invalid delete of a system label", "INVALID_ARGUMENT")
	_, err := w.ada().Labels.Patch("me", "INBOX", &api.Label{Name: "x"}).Do()
	wants(t, "patch", err, 400, "invalidArgument", "Invalid update of a system label", "INVALID_ARGUMENT")
	_, err = w.ada().Labels.Update("me", w.label("a"), &api.Label{Id: "Label_7", Name: "b"}).Do()
	wants(t, "another id", err, 400, "invalidArgument", "Label id in the body does not match the path", "INVALID_ARGUMENT")
}

func TestLabelCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.label("x")
	w.deliver(gmail.Letter{Subject: "a", MessageID: "a@x"}, id, "UNREAD")
	w.deliver(gmail.Letter{Subject: "Re: a", References: "<a@x>"}, id)
	w.deliver(gmail.Letter{Subject: "b"}, id)
	l, err := w.ada().Labels.Get("me", id).Do()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "counts", []int64{l.MessagesTotal, l.MessagesUnread, l.ThreadsTotal, l.ThreadsUnread}, []int64{3, 1, 2, 1})
	same(t, "by name or id", [][]string{w.list("label:x"), w.list("label:" + id)}, [][]string{w.list(""), w.list("")})
	if err := w.ada().Labels.Delete("me", id).Do(); err != nil {
		t.Fatal(err)
	}
	for _, m := range w.s.Mailbox(ada) {
		if slices.Contains(m.LabelIDs, id) {
			t.Errorf("%s still has it", m.ID)
		}
	}
}

func TestModify(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	label := w.label("x")
	id := w.deliver(gmail.Letter{Text: "x"})
	m, err := w.ada().Messages.Modify("me", id, &api.ModifyMessageRequest{AddLabelIds: []string{label, "STARRED"},
		RemoveLabelIds: []string{"UNREAD", "SPAM"}}).Do()
	if err != nil || m.ThreadId != id || m.Payload != nil {
		t.Fatalf("%+v %v", m, err)
	}
	same(t, "labels", m.LabelIds, []string{"INBOX", label, "STARRED"})
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf("Label_%d", i)
	}
	for _, c := range []struct {
		name        string
		add, remove []string
		message     string
	}{
		{"nothing", nil, nil, "No label add or removes specified"},
		{"sent", []string{"SENT"}, nil, "Invalid label: SENT"},
		{"no draft any more", nil, []string{"DRAFT"}, "Invalid label: DRAFT"},
		{"unknown", []string{"Label_77"}, nil, "Invalid label: Label_77"},
		{"a name", []string{"x"}, nil, "Invalid label: x"},
		{"both", []string{"SPAM"}, []string{"SPAM"}, "Cannot both add and remove the same label"},
		{"many", many, nil, "Too many labels"},
	} {
		_, err := w.ada().Messages.Modify("me", id,
			&api.ModifyMessageRequest{AddLabelIds: c.add, RemoveLabelIds: c.remove}).Do()
		wants(t, c.name, err, 400, "invalidArgument", c.message, "INVALID_ARGUMENT")
	}
	before := w.get(id).HistoryId
	if _, err := w.ada().Messages.Modify("me", id, &api.ModifyMessageRequest{
		AddLabelIds: []string{"STARRED"}}).Do(); err != nil || w.get(id).HistoryId != before {
		t.Errorf("what changes nothing is history: %v", err)
	}
}

func TestTrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.deliver(gmail.Letter{Text: "x"}, "INBOX", "STARRED")
	m, err := w.ada().Messages.Trash("me", id).Do()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "trashed", m.LabelIds, []string{"STARRED", "TRASH"})
	if m, err = w.ada().Messages.Untrash("me", id).Do(); err != nil {
		t.Fatal(err)
	}
	same(t, "taken out", m.LabelIds, []string{"STARRED"})
	limited := w.client(ada, api.GmailModifyScope)
	err = limited.Users.Messages.Delete("me", id).Do()
	if err == nil || !strings.Contains(err.Error(), "insufficient") {
		t.Errorf("gmail.modify deletes: %v", err)
	}
	if err := w.client(ada, api.MailGoogleComScope).Users.Messages.Delete("me", id).Do(); err != nil ||
		len(w.s.Mailbox(ada)) != 0 {
		t.Errorf("%v", err)
	}
}

func TestBatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b, c := w.deliver(gmail.Letter{Text: "a"}), w.deliver(gmail.Letter{Text: "b"}), w.deliver(gmail.Letter{Text: "c"})
	modify := func(ids []string, add ...string) error {
		return w.ada().Messages.BatchModify("me", &api.BatchModifyMessagesRequest{Ids: ids, AddLabelIds: add}).Do()
	}
	if err := modify([]string{a, "19cae0c46a500000", b, a}, "STARRED"); err != nil {
		t.Fatal(err)
	}
	same(t, "starred", w.list("is:starred"), []string{b, a})
	wants(t, "nothing", modify(nil, "STARRED"), 400, "invalidArgument", "No message ids specified", "INVALID_ARGUMENT")
	wants(t, "too many", modify(make([]string, 1001), "STARRED"), 400, "invalidArgument", "Too many message ids specified",
		"INVALID_ARGUMENT")
	wants(t, "no id", modify([]string{"?"}, "STARRED"), 400, "invalidArgument", "Invalid ids value", "INVALID_ARGUMENT")
	wants(t, "a bad label", modify([]string{c}, "SENT"), 400, "invalidArgument", "Invalid label: SENT", "INVALID_ARGUMENT")
	if err := w.ada().Messages.BatchDelete("me", &api.BatchDeleteMessagesRequest{Ids: []string{a, c}}).Do(); err != nil {
		t.Fatal(err)
	}
	same(t, "left", w.list(""), []string{b})
}

func TestThreads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.deliver(gmail.Letter{From: ben, Subject: "Plan", MessageID: "p@x", Text: "one"})
	other := w.deliver(gmail.Letter{From: clara, Subject: "Other", Text: "other"})
	second := w.deliver(gmail.Letter{From: ben, Subject: "Re: Plan", InReplyTo: "p@x", Text: "two"}, "STARRED")
	w.tick(1e9)
	w.draft(note(ben, "Re: Plan"), first)
	list, err := w.ada().Threads.List("me").Do()
	if err != nil || len(list.Threads) != 2 || list.Threads[0].Id != first || list.Threads[1].Id != other {
		t.Fatalf("%+v %v", list, err)
	}
	same(t, "snippet of the latest that is no draft", list.Threads[0].Snippet, "two")
	thread, err := w.ada().Threads.Get("me", first).Format("metadata").MetadataHeaders("Subject").Do()
	if err != nil || len(thread.Messages) != 3 || thread.Messages[0].Id != first || thread.Messages[1].Id != second ||
		len(thread.Messages[1].Payload.Headers) != 1 {
		t.Errorf("%+v %v", thread, err)
	}
	if thread.HistoryId != list.Threads[0].HistoryId || thread.HistoryId != w.s.Mailbox(ada)[0].HistoryID {
		t.Errorf("history %d", thread.HistoryId)
	}
	for q, want := range map[string][]string{"one": {first}, "is:starred": {first}, "from:clara": {other},
		"one is:starred": nil} {
		found, err := w.ada().Threads.List("me").Q(q).Do()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, th := range found.Threads {
			got = append(got, th.Id)
		}
		same(t, q, got, want)
	}
	page, err := w.ada().Threads.List("me").MaxResults(1).Do()
	if err != nil {
		t.Fatal(err)
	}
	if page, err = w.ada().Threads.List("me").MaxResults(1).PageToken(page.NextPageToken).Do(); err != nil ||
		page.Threads[0].Id != other {
		t.Errorf("%+v %v", page, err)
	}
	_, err = w.ada().Threads.Get("me", second).Do()
	wants(t, "a message that begins no thread", err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	_, err = w.ada().Threads.Get("me", "?").Do()
	wants(t, "no id", err, 400, "invalidArgument", "Invalid id value", "INVALID_ARGUMENT")
}

func TestThreadChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.deliver(gmail.Letter{Subject: "Plan", MessageID: "p@x"})
	second := w.deliver(gmail.Letter{Subject: "Re: Plan", InReplyTo: "p@x"})
	answer, err := w.ada().Threads.Modify("me", first,
		&api.ModifyThreadRequest{AddLabelIds: []string{"STARRED"}, RemoveLabelIds: []string{"UNREAD"}}).Do()
	if err != nil || answer.Id != first || len(answer.Messages) != 2 {
		t.Fatalf("%+v %v", answer, err)
	}
	third := w.deliver(gmail.Letter{Subject: "Re: Plan", InReplyTo: "p@x"})
	same(t, "starred, without the later one", w.list("is:starred"), []string{second, first})
	if _, err := w.ada().Threads.Trash("me", first).Do(); err != nil {
		t.Fatal(err)
	}
	same(t, "in the trash", w.list("in:trash"), []string{third, second, first})
	same(t, "in the inbox", w.list("in:inbox"), []string{})
	if _, err := w.ada().Threads.Untrash("me", first).Do(); err != nil {
		t.Fatal(err)
	}
	same(t, "back", len(w.list("")), 3)
	if err := w.ada().Messages.Delete("me", first).Do(); err != nil {
		t.Fatal(err)
	}
	if thread, err := w.ada().Threads.Get("me", first).Do(); err != nil || len(thread.Messages) != 2 {
		t.Errorf("a thread ends with its first message: %+v %v", thread, err)
	}
	if err := w.ada().Threads.Delete("me", first).Do(); err != nil || len(w.s.Mailbox(ada)) != 0 {
		t.Errorf("%v", err)
	}
}
