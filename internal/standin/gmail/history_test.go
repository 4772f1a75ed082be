package gmail_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	api "google.golang.org/api/gmail/v1"

	"almanac/internal/standin/gmail"
)

// history returns ada's records since an id, over all pages.
func (w *world) history(since uint64, pageSize int64,
	more ...func(*api.UsersHistoryListCall)) ([]*api.History, uint64) {
	w.t.Helper()
	var all []*api.History
	call := w.ada().History.List("me").StartHistoryId(since).MaxResults(pageSize)
	for _, m := range more {
		m(call)
	}
	for {
		page, err := call.Do()
		if err != nil {
			w.t.Fatal(err)
		}
		if len(page.History) > int(pageSize) {
			w.t.Errorf("%d records of %d", len(page.History), pageSize)
		}
		all = append(all, page.History...)
		if page.NextPageToken == "" {
			return all, page.HistoryId
		}
		call.PageToken(page.NextPageToken)
	}
}

func (w *world) profile() *api.Profile {
	w.t.Helper()
	p, err := w.ada().GetProfile("me").Do()
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	since := w.profile().HistoryId
	empty, err := w.ada().History.List("me").StartHistoryId(since).Do()
	if err != nil || empty.History != nil || empty.HistoryId != since {
		t.Errorf("%+v %v", empty, err)
	}
	id := w.deliver(gmail.Letter{Text: "x"})
	if _, err := w.ada().Messages.Modify("me", id, &api.ModifyMessageRequest{AddLabelIds: []string{"STARRED"},
		RemoveLabelIds: []string{"UNREAD"}}).Do(); err != nil {
		t.Fatal(err)
	}
	changed := w.get(id).HistoryId
	if err := w.ada().Messages.Delete("me", id).Do(); err != nil {
		t.Fatal(err)
	}
	all, last := w.history(since, 500)
	if len(all) != 3 || last != w.profile().HistoryId || all[2].Id != last || all[1].Id != changed {
		t.Fatalf("%d records, the last %d", len(all), last)
	}
	added, relabelled, deleted := all[0], all[1], all[2]
	if m := added.MessagesAdded[0].Message; m.Id != id || m.ThreadId != id ||
		!slices.Equal(m.LabelIds, []string{"INBOX", "UNREAD"}) || added.Messages[0].Id != id {
		t.Errorf("added: %+v", m)
	}
	same(t, "labels added", relabelled.LabelsAdded[0].LabelIds, []string{"STARRED"})
	same(t, "labels removed", relabelled.LabelsRemoved[0].LabelIds, []string{"UNREAD"})
	same(t, "labels after", relabelled.LabelsAdded[0].Message.LabelIds, []string{"INBOX", "STARRED"})
	if deleted.MessagesDeleted[0].Message.Id != id {
		t.Errorf("deleted: %+v", deleted)
	}
	gaps := 0
	for i, r := range all[1:] {
		if r.Id <= all[i].Id {
			t.Error("ids do not grow")
		}
		if r.Id > all[i].Id+1 {
			gaps++
		}
	}
	if gaps == 0 {
		t.Error("ids have no gaps")
	}
}

func TestHistoryFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	since := w.profile().HistoryId
	a, b := w.deliver(gmail.Letter{Text: "a"}), w.deliver(gmail.Letter{Text: "b"}, "SPAM")
	for _, id := range []string{a, b} {
		if _, err := w.ada().Messages.Trash("me", id).Do(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		label string
		kinds []string
		want  []string
	}{
		{"all", "", nil, []string{a + "+", b + "+", a + "lu", b + "l"}},
		{"of one kind", "", []string{"labelRemoved"}, []string{a + "u"}},
		{"of two", "", []string{"messageAdded", "labelRemoved"}, []string{a + "+", b + "+", a + "u"}},
		{"of a label", "SPAM", nil, []string{b + "+", b + "l"}},
		{"of a label that it lost", "INBOX", nil, []string{a + "+", a + "lu"}},
		{"of both", "INBOX", []string{"messageAdded"}, []string{a + "+"}},
		{"of nothing", "STARRED", nil, nil},
	} {
		all, _ := w.history(since, 1, func(call *api.UsersHistoryListCall) {
			if c.label != "" {
				call.LabelId(c.label)
			}
			call.HistoryTypes(c.kinds...)
		})
		var got []string
		for _, r := range all {
			text := r.Messages[0].Id
			for mark, n := range map[string]int{"+": len(r.MessagesAdded)} {
				if n > 0 {
					text += mark
				}
			}
			if len(r.LabelsAdded) > 0 {
				text += "l"
			}
			if len(r.LabelsRemoved) > 0 {
				text += "u"
			}
			got = append(got, text)
		}
		same(t, c.name, got, c.want)
	}
}

func TestOldHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	since := w.profile().HistoryId
	id := w.deliver(gmail.Letter{Text: "x"})
	first := w.get(id).HistoryId
	gone := func(what string, start uint64) {
		t.Helper()
		_, err := w.ada().History.List("me").StartHistoryId(start).Do()
		wants(t, what, err, 404, "notFound", "Requested entity was not found.", "NOT_FOUND")
	}
	gone("before there was anything", since-1)
	gone("one", 1)
	gone("of the future", first+1000)
	w.tick(7*24*time.Hour + time.Second)
	w.clients[ada] = w.client(ada, api.MailGoogleComScope)
	gone("a week old", since)
	if all, _ := w.history(first, 10); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	w.deliver(gmail.Letter{Text: "y"})
	if all, _ := w.history(first, 10); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	w.s.ExpireHistory(ada)
	gone("expired", first)
	if all, last := w.history(w.profile().HistoryId, 10); len(all) != 0 || last == 0 {
		t.Errorf("%+v", all)
	}
	w.lenient = true
	_, err := w.ada().History.List("me").Do()
	wants(t, "no start", err, 400, "invalidArgument", "Missing startHistoryId", "INVALID_ARGUMENT")
}

// TestHistoryReplays: who follows history from a full list has at any time what a full list gives.
func TestHistoryReplays(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		w := newWorld(t)
		random := rand.New(rand.NewPCG(seed, 1))
		labels := []string{"STARRED", "IMPORTANT", "UNREAD", "INBOX", "SPAM", w.label("a"), w.label("b")}
		for range 5 {
			w.deliver(gmail.Letter{Subject: "x", Text: "x"})
		}
		known := map[string][]string{}
		for _, m := range w.s.Mailbox(ada) {
			known[m.ID] = m.LabelIDs
		}
		since := w.profile().HistoryId
		for step := range 60 {
			w.anything(random, &labels)
			if step%7 != 0 {
				continue
			}
			all, last := w.history(since, 1+random.Int64N(5))
			for _, r := range all {
				for _, m := range r.MessagesAdded {
					known[m.Message.Id] = m.Message.LabelIds
				}
				for _, m := range r.MessagesDeleted {
					delete(known, m.Message.Id)
				}
				for _, m := range r.LabelsAdded {
					known[m.Message.Id] = sorted(append(slices.Clone(known[m.Message.Id]), m.LabelIds...))
				}
				for _, m := range r.LabelsRemoved {
					known[m.Message.Id] = slices.DeleteFunc(slices.Clone(known[m.Message.Id]),
						func(l string) bool { return slices.Contains(m.LabelIds, l) })
				}
			}
			since = last
			there := map[string]string{}
			for _, m := range w.s.Mailbox(ada) {
				there[m.ID] = fmt.Sprint(m.LabelIDs)
			}
			replayed := map[string]string{}
			for id, l := range known {
				replayed[id] = fmt.Sprint(l)
			}
			same(t, fmt.Sprintf("seed %d, step %d", seed, step), replayed, there)
		}
	}
}

// anything does one thing to ada's mailbox by chance.
func (w *world) anything(random *rand.Rand, labels *[]string) {
	w.t.Helper()
	w.tick(time.Second)
	box := w.s.Mailbox(ada)
	one := func() gmail.Mail {
		if len(box) == 0 {
			return gmail.Mail{ID: "19cae0c46a500000", ThreadID: "19cae0c46a500000"}
		}
		return box[random.IntN(len(box))]
	}
	label := func() string { return (*labels)[random.IntN(len(*labels))] }
	subject := fmt.Sprintf("Plan %d", random.IntN(3))
	users, m := w.ada(), one()
	var err error
	switch random.IntN(16) {
	case 0, 1:
		w.deliver(gmail.Letter{Subject: "Re: " + subject, References: "<" + m.MessageID + ">"})
	case 2:
		_, err = w.send(ada, note([]string{ben, ada}[random.IntN(2)], subject), "")
	case 3:
		_, err = w.send(ada, note(ben, subject), m.ThreadID)
	case 4:
		_, err = w.send(ben, note(ada, subject), "")
	case 5, 6:
		add, remove := label(), label()
		if add != remove {
			_, err = users.Messages.Modify("me", m.ID,
				&api.ModifyMessageRequest{AddLabelIds: []string{add}, RemoveLabelIds: []string{remove}}).Do()
		}
	case 7:
		_, err = users.Messages.Trash("me", m.ID).Do()
	case 8:
		_, err = users.Threads.Untrash("me", m.ThreadID).Do()
	case 9:
		if random.IntN(2) == 0 {
			err = users.Messages.Delete("me", m.ID).Do()
		}
	case 10:
		_, err = users.Drafts.Create("me", &api.Draft{Message: &api.Message{Raw: encode(note(ben, subject))}}).Do()
	case 11, 12:
		i := slices.IndexFunc(box, func(m gmail.Mail) bool { return m.DraftID != "" })
		if i < 0 {
			return
		}
		if random.IntN(2) == 0 {
			_, err = users.Drafts.Send("me", &api.Draft{Id: box[i].DraftID}).Do()
		} else {
			_, err = users.Drafts.Update("me", box[i].DraftID,
				&api.Draft{Message: &api.Message{Raw: encode(note(ben, subject))}}).Do()
		}
	case 13:
		err = users.Messages.BatchModify("me", &api.BatchModifyMessagesRequest{Ids: []string{m.ID, one().ID},
			AddLabelIds: []string{label()}}).Do()
	case 14:
		if last := len(*labels) - 1; last > 4 { // one of her own
			err = users.Labels.Delete("me", (*labels)[last]).Do()
			*labels = (*labels)[:last]
		}
	case 15:
		_, err = users.Messages.Insert("me", &api.Message{Raw: encode(note(ada, subject)), LabelIds: []string{label()}}).Do()
	}
	if err != nil && len(box) > 0 {
		w.t.Error(err)
	}
}
