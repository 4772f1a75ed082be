package gmail

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
	inbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
)

// TestAWarmListCostsTwoCalls reads fifty messages twice.
func TestAWarmListCostsTwoCalls(t *testing.T) {
	for _, depth := range []Depth{store.MailMinimal, store.MailHeaders, store.MailStructure, store.MailFull} {
		t.Run(fmt.Sprint("depth ", depth), func(t *testing.T) {
			h := newHarness(t, builder{cache: newShelf()})
			for n := range 50 {
				h.deliver(letter(fmt.Sprint("mail ", n)))
			}
			first := h.list(Query{Size: 50, Ahead: true}, depth)
			if calls := h.calls(); len(calls) != 52 || len(h.asked("messages.get")) != 50 ||
				calls[0] != "getProfile" && calls[1] != "getProfile" {
				t.Errorf("cold: %d calls, %v", len(calls), calls[:2])
			}
			h.tick(time.Minute)
			h.server.Reset()
			if again := h.list(Query{Size: 50, Ahead: true}, depth); !reflect.DeepEqual(again, first) {
				t.Error("the same list again is another one")
			}
			if calls := slices.Sorted(slices.Values(h.calls())); !slices.Equal(calls,
				[]string{"history.list", "messages.list"}) {
				t.Errorf("warm: %v", calls)
			}
			h.server.Reset()
			h.list(Query{Size: 50}, depth) // at once: labels hold
			if calls := h.calls(); !slices.Equal(calls, []string{"messages.list"}) {
				t.Errorf("at once: %v", calls)
			}
			used := h.server.Used("gmail", alice)
			if used.Total != 1+5+50*20+5+2+5 {
				t.Errorf("%d units: %v", used.Total, used.Calls)
			}
		})
	}
}

// list lists and reads.
func (h *harness) list(query Query, depth Depth) map[string]model.Email {
	h.t.Helper()
	listing, err := h.List(h.t.Context(), h.connection, query)
	if err != nil {
		h.t.Fatal(err)
	}
	ids := make([]string, len(listing.Found))
	for i, found := range listing.Found {
		ids[i] = found.Message
	}
	return h.read(depth, ids...)
}

func TestDepthsOfWhatIsKept(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	id := h.deliver(letter("deep"))
	gets := func() int { return len(h.asked("messages.get")) }
	bare := newHarness(t, builder{})
	if bare.deliver(letter("deep")) != id {
		t.Fatal("the two harnesses are not alike")
	}
	for n, step := range []struct {
		depth Depth
		gets  int
	}{{store.MailHeaders, 1}, {store.MailMinimal, 1}, {store.MailHeaders, 1}, {store.MailFull, 2},
		{store.MailStructure, 2}, {store.MailHeaders, 2}, {store.MailMinimal, 2}, {store.MailFull, 2}} {
		got, want := h.read(step.depth, id), bare.read(step.depth, id)
		if gets() != step.gets {
			t.Errorf("step %d: %d gets, want %d", n, gets(), step.gets)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("step %d: kept\n%+v\nnot kept\n%+v", n, got, want)
		}
	}
}

func TestWhatIsKeptIsSealed(t *testing.T) {
	kept := newShelf()
	h := newHarness(t, builder{cache: kept})
	l := letter("a secret subject")
	l.Text = strings.Repeat("a secret text ", 400)
	one, two := h.deliver(l), h.deliver(l)
	h.read(store.MailFull, one, two)
	for id, mail := range kept.mails {
		if bytes.Contains(mail.Sealed, []byte("secret")) || len(mail.Sealed) > 2_000 {
			t.Errorf("%s is kept as %d bytes: %.80q", id, len(mail.Sealed), mail.Sealed)
		}
	}
	first, second := kept.mails[one], kept.mails[two]
	first.Sealed, second.Sealed = second.Sealed, first.Sealed
	kept.mails[one], kept.mails[two] = first, second
	h.server.Reset()
	if got := h.read(store.MailFull, one, two); got[one].Ref.Message != one || len(got) != 2 {
		t.Errorf("swapped: %+v", got)
	}
	if n := len(h.asked("messages.get")); n != 2 {
		t.Errorf("what was sealed for another message was opened: %d gets", n)
	}
	other, err := seal.NewBox([]byte(strings.Repeat("o", 32)))
	if err != nil {
		t.Fatal(err)
	}
	h.Box = other
	h.server.Reset()
	h.read(store.MailFull, one)
	if n := len(h.asked("messages.get")); n != 1 {
		t.Errorf("under another key: %d gets", n)
	}
	mail := kept.mails[one]
	size, n := binary.Uvarint(mail.Sealed)
	opening, ending := mail.Sealed[n:n+int(size)], mail.Sealed[n+int(size):]
	join := func(first, second []byte) []byte {
		return slices.Concat(binary.AppendUvarint(nil, uint64(len(first))), first, second)
	}
	place := h.session(t.Context(), h.connection).place
	for name, sealed := range map[string][]byte{
		"nothing": nil, "no head": {0}, "a length of nothing": {200, 1},
		"a length without end": bytes.Repeat([]byte{0xff}, 20), "noise": []byte(strings.Repeat("x", 300)),
		"no rest": join(opening, nil), "the parts changed about": join(ending, opening),
		"a rest that is a head":       join(opening, opening),
		"the form of another program": join(h.Box.Seal(place(one, partHead), []byte("\x07{}")), ending),
		"no JSON":                     join(opening, h.Box.Seal(place(one, partRest), []byte("\x01{"))),
	} {
		mail.Sealed = sealed
		kept.mails[one] = mail
		h.server.Reset()
		if got := h.read(store.MailFull, one); len(got[one].Root.Content) == 0 || len(h.asked("messages.get")) != 1 {
			t.Errorf("%s: %d gets, %+v", name, len(h.asked("messages.get")), got)
		}
	}
}

// TestLostHistoryCostsLabelsOnly forgets the mailbox's history: what is kept stays, and labels are read again.
func TestLostHistoryCostsLabelsOnly(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	one, two := h.deliver(letter("one")), h.deliver(letter("two"))
	h.read(store.MailFull, one, two)
	h.tick(time.Minute)
	h.mark(one, []string{"STARRED"}, []string{"UNREAD"})
	h.service.ExpireHistory(alice)
	h.server.Reset()
	got := h.read(store.MailFull, one, two)
	if !slices.Equal(got[one].Labels, []string{"INBOX", "STARRED"}) || !slices.Equal(got[two].Labels,
		[]string{"INBOX", "UNREAD"}) || got[two].Root == nil || len(got[two].Root.Content) == 0 {
		t.Errorf("got %+v", got)
	}
	for _, r := range h.asked("messages.get") {
		if format := query(t, r, "format"); !slices.Equal(format, []string{"minimal"}) {
			t.Errorf("asked for %v", format)
		}
	}
	if calls := slices.Sorted(slices.Values(h.calls())); !slices.Equal(calls,
		[]string{"getProfile", "history.list", "messages.get", "messages.get"}) {
		t.Errorf("calls: %v", calls)
	}
	h.server.Reset()
	h.read(store.MailFull, one, two)
	if calls := h.calls(); len(calls) != 0 {
		t.Errorf("after that: %v", calls)
	}
}

// mark changes labels past the adapter.
func (h *harness) mark(id string, add, remove []string) {
	h.t.Helper()
	if _, err := h.truth.Users.Messages.Modify("me", id, modifyRequest(add, remove)).Do(); err != nil {
		h.t.Fatal(err)
	}
}

func TestWhatIsGoneIsForgotten(t *testing.T) {
	kept := newShelf()
	h := newHarness(t, builder{cache: kept})
	one, two := h.deliver(letter("one")), h.deliver(letter("two"))
	h.read(store.MailHeaders, one, two)
	if err := h.truth.Users.Messages.Delete("me", one).Do(); err != nil {
		t.Fatal(err)
	}
	h.tick(time.Minute)
	h.server.Reset()
	if got := h.read(store.MailHeaders, one, two); len(got) != 1 || got[two].Ref.Message != two {
		t.Errorf("got %+v", got)
	}
	if _, still := kept.mails[one]; still {
		t.Error("it is still kept")
	}
	if err := h.truth.Users.Messages.Delete("me", two).Do(); err != nil {
		t.Fatal(err)
	}
	h.service.ExpireHistory(alice)
	h.tick(time.Minute)
	if got := h.read(store.MailHeaders, one, two, "nonsense/../x", "", "ffff"); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	if len(kept.mails) != 0 {
		t.Errorf("kept: %v", slices.Collect(maps.Keys(kept.mails)))
	}
	for _, r := range h.server.Requests() {
		if strings.Contains(r.URL, "nonsense") {
			t.Errorf("asked %s", r.URL)
		}
	}
}

// TestOwnChangesAreSeenAtOnce changes labels here and in another process, and reads in both without letting time pass.
func TestOwnChangesAreSeenAtOnce(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	id := h.deliver(letter("one"))
	h.read(store.MailHeaders, id)
	other := h.again()
	labels := func(c *Client) string {
		t.Helper()
		got, err := c.Messages(t.Context(), h.connection, []string{id}, store.MailHeaders)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(got[id].Labels, " ")
	}
	for n, c := range []struct {
		by          *Client
		add, remove []string
		want        string
	}{
		{h.Client, []string{"STARRED"}, []string{"UNREAD"}, "INBOX STARRED"},
		{h.Client, []string{"UNREAD", "STARRED"}, []string{"INBOX"}, "STARRED UNREAD"},
		{other, nil, []string{"STARRED", "UNREAD", "IMPORTANT"}, ""},
		{h.Client, []string{"INBOX"}, nil, "INBOX"},
	} {
		if err := c.by.Modify(t.Context(), h.connection, []string{id, id}, c.add, c.remove); err != nil {
			t.Fatal(err)
		}
		if got := labels(c.by); got != c.want {
			t.Errorf("%d: who changed it reads %q, want %q", n, got, c.want)
		}
		if got := labels(h.Client); got != c.want {
			t.Errorf("%d: here is %q, want %q", n, got, c.want)
		}
		if got := labels(other); got != c.want {
			t.Errorf("%d: there is %q, want %q", n, got, c.want)
		}
	}
}

func TestABrokenCacheHurtsNobody(t *testing.T) {
	kept := newShelf()
	h := newHarness(t, builder{cache: kept})
	id := h.deliver(letter("one"))
	for range 2 {
		kept.broken = true
		if got := h.read(store.MailHeaders, id); len(got) != 1 {
			t.Errorf("got %+v", got)
		}
		if err := h.Modify(t.Context(), h.connection, []string{id}, []string{"STARRED"}, nil); err != nil {
			t.Error(err)
		}
		if got, err := h.Thread(t.Context(), h.connection, id, store.MailFull); err != nil || len(got) != 1 {
			t.Error(got, err)
		}
		kept.broken = false
		if got := h.read(store.MailHeaders, id); !slices.Contains(got[id].Labels, "STARRED") {
			t.Errorf("got %+v", got)
		}
	}
}

// TestACacheThatCannotBeWritten is not believed when the mailbox has gone on.
func TestACacheThatCannotBeWritten(t *testing.T) {
	kept := newShelf()
	h := newHarness(t, builder{cache: kept})
	id := h.deliver(letter("one"))
	h.read(store.MailHeaders, id)
	for _, lose := range []bool{false, true} {
		kept.readOnly = true
		h.tick(time.Minute)
		h.mark(id, []string{"STARRED"}, nil)
		if lose {
			h.service.ExpireHistory(alice)
		}
		for range 2 {
			if got := h.read(store.MailHeaders, id); !slices.Contains(got[id].Labels, "STARRED") {
				t.Errorf("got %+v", got)
			}
			if got, err := h.Thread(t.Context(), h.connection, id, store.MailHeaders); err != nil ||
				!slices.Contains(got[0].Labels, "STARRED") {
				t.Errorf("got %+v, %v", got, err)
			}
		}
		kept.readOnly = false
		h.mark(id, nil, []string{"STARRED"})
		h.tick(time.Minute)
		if got := h.read(store.MailHeaders, id); slices.Contains(got[id].Labels, "STARRED") {
			t.Errorf("got %+v", got)
		}
	}
}

func TestLargeMessagesAreKeptWithoutTexts(t *testing.T) {
	kept := newShelf()
	h := newHarness(t, builder{cache: kept})
	l := letter("large")
	l.Text = strings.Repeat("שלום ", maxKeptBodies/8)
	id := h.deliver(l)
	h.read(store.MailFull, id)
	if mail := kept.mails[id]; mail.Depth != store.MailStructure {
		t.Errorf("kept at %d", mail.Depth)
	}
	h.server.Reset()
	got := h.read(store.MailFull, id)
	if content := got[id].Root.Content; !strings.HasPrefix(string(content), "שלום שלום") || len(content) < len(l.Text) {
		t.Errorf("%d bytes", len(content))
	}
	h.read(store.MailStructure, id)
	if n := len(h.asked("messages.get")); n != 1 {
		t.Errorf("%d gets", n)
	}
	l.Fields = []string{"X-Long: " + strings.Repeat("x", maxKept)}
	huge := h.deliver(l)
	if got := h.read(store.MailStructure, huge); len(got) != 1 {
		t.Errorf("got %d", len(got))
	}
	if _, is := kept.mails[huge]; is {
		t.Error("it is kept")
	}
}

// TestPartOfAListIsPaidForOnce fails in the middle of a list; who asks again pays for the rest.
func TestPartOfAListIsPaidForOnce(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	var ids []string
	for n := range 20 {
		ids = append(ids, h.deliver(letter(fmt.Sprint(n))))
	}
	h.server.Inject(standin.Fault{Method: "gmail.users.messages.get", Status: http.StatusForbidden, Reason: "domainPolicy",
		After: 12, Times: 1})
	_, err := h.Messages(t.Context(), h.connection, ids, store.MailHeaders)
	if shown := code(t, err, model.CodeUpstreamRejected); shown.Reason != "domainPolicy" {
		t.Errorf("the reason is %q", shown.Reason)
	}
	h.server.Clear()
	h.server.Reset()
	if got := h.read(store.MailHeaders, ids...); len(got) != 20 {
		t.Errorf("%d messages", len(got))
	}
	if n := len(h.asked("messages.get")); n > 8+concurrent-1 { // those that were under way may have been given up
		t.Errorf("%d messages were read again", n-8)
	}
}

func TestThreads(t *testing.T) {
	h := newHarness(t, builder{cache: newShelf()})
	first := letter("Plan")
	first.MessageID = "one@example.com"
	root := h.deliver(first)
	reply := func(n int) string {
		return h.deliver(inbox.Letter{
			From: bob, To: alice, Subject: "Re: Plan", MessageID: fmt.Sprintf("%d@example.com", n), InReplyTo: "one@example.com",
			References: "<one@example.com>", Text: "תשובה",
		})
	}
	ids := []string{root, reply(2), reply(3)}
	read := func(depth Depth, want ...string) {
		t.Helper()
		h.tick(time.Minute)
		h.server.Reset()
		got, err := h.Thread(t.Context(), h.connection, root, depth)
		if err != nil {
			t.Fatal(err)
		}
		bare := newClientOf(h)
		truth, err := bare.Thread(t.Context(), h.connection, root, depth)
		if err != nil || !reflect.DeepEqual(got, truth) {
			t.Errorf("got\n%+v\nwant\n%+v, %v", got, truth, err)
		}
		if len(got) != len(ids) {
			t.Errorf("%d messages, want %d", len(got), len(ids))
		}
		calls := h.calls()
		if calls = calls[:len(calls)-1]; !slices.Equal(calls, want) { // the last one is the bare client's
			t.Errorf("calls %v, want %v", calls, want)
		}
	}
	read(store.MailFull, "getProfile", "threads.get")
	read(store.MailFull, "threads.get")
	if format := query(t, h.asked("threads.get")[0], "format"); format[0] != "minimal" {
		t.Errorf("a warm one is read with %v", format)
	}
	ids = append(ids, reply(4))
	h.mark(ids[1], []string{"STARRED"}, nil)
	read(store.MailFull, "threads.get", "messages.get")
	ids = append(ids, reply(5), reply(6), reply(7))
	read(store.MailFull, "threads.get", "threads.get")
	read(store.MailHeaders, "threads.get")
	h.service.ExpireHistory(alice)
	read(store.MailHeaders, "threads.get")
	if _, err := h.Thread(t.Context(), h.connection, "ffffffff",
		store.MailHeaders); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("none: %v", err)
	}
	if _, err := h.Thread(t.Context(), h.connection, "../drafts",
		store.MailHeaders); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("nonsense: %v", err)
	}
}
