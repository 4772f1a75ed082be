package calsync_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	inbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
)

// googleMail is a googleFixture with an account whose mailbox is followed, and was synced once. Nothing is followed but
// that.
func googleMail(t *testing.T, s store.Store) (h *googleFixture, w *calsync.Worker, c model.Connection) {
	t.Helper()
	h = newGoogle(t, s)
	w = h.mailWorker(s)
	h.scopes = []string{google.ScopeGmailModify}
	if err := h.inbox.AddAccount(inbox.Account{Email: dana}); err != nil {
		t.Fatal(err)
	}
	c = h.link(w, "dana", dana)
	if err := s.ForgetSyncState(t.Context(), c.User, c.ID, ""); err != nil {
		t.Fatal(err)
	}
	return h, w, c
}

const dana = "dana@example.com"

func (h *googleFixture) mailWorker(s store.Store) *calsync.Worker {
	w := h.worker(s)
	w.Mail = h.mail
	return w
}

// deliver is what somebody sends, or a filter puts elsewhere.
func (h *googleFixture) deliver(labels ...string) string {
	h.Helper()
	id, err := h.inbox.Deliver(dana, inbox.Letter{From: "Noa <noa@example.com>", To: dana, Subject: "שלום",
		Text: "Hello."}.Bytes(), h.clock.Now(), labels...)
	if err != nil {
		h.Fatal(err)
	}
	return id
}

// notifyMail is notify for the mailbox.
func (h *googleFixture) notifyMail(w *calsync.Worker, c model.Connection, want calsync.Outcome) calsync.Report {
	h.Helper()
	h.clock.Advance(10 * time.Minute)
	if err := w.Notify(h.Context(), c.User, c.ID, model.MailFeed); err != nil {
		h.Fatal(err)
	}
	got := h.sync(want)
	if !got.Mail {
		h.Errorf("%+v was no mailbox", got)
	}
	return got
}

// The way of a mailbox's life, from the link to the unlinking, through the real client library.
func TestFollowingAMailboxOfTheStandIn(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h, w, c := googleMail(t, open(t, 1)[0])
		old := h.deliver()
		h.run(w)
		h.sync(calsync.OutcomeBegun)
		h.wantTold(c)

		var want []string
		tells := func(lines ...string) {
			t.Helper()
			h.notifyMail(w, c, calsync.OutcomeRead)
			want = append(want, lines...)
			h.wantTold(c, want...)
		}
		tells()
		before := h.server.Used("gmail", dana).Total
		id := h.deliver()
		tells("CREATED " + id)
		if used := h.server.Used("gmail", dana); used.Calls["gmail.users.history.list"] == 0 || used.Total-before > 2 {
			t.Errorf("a sync costs %d units: %+v", used.Total-before, used)
		}
		h.deliver("SPAM")
		label, err := h.inbox.AddLabel(dana, "filtered")
		if err != nil {
			t.Fatal(err)
		}
		h.deliver(label)
		tells()

		// What is done through this server is told once, by the sync.
		modify := func(ids []string, add, remove []string) {
			t.Helper()
			if err := h.mail.Modify(t.Context(), c, ids, add, remove); err != nil {
				t.Fatal(err)
			}
		}
		modify([]string{id}, []string{"STARRED"}, []string{"UNREAD"})
		tells("UPDATED " + id)
		tells()
		modify([]string{id}, nil, []string{"INBOX"})
		tells("UPDATED " + id)
		modify([]string{id}, nil, []string{"STARRED"})
		tells()
		modify([]string{old}, nil, []string{"INBOX"})
		tells("UPDATED " + old)

		// Gmail forgets where we were.
		h.deliver()
		h.inbox.ExpireHistory(dana)
		h.notifyMail(w, c, calsync.OutcomeReset)
		want = append(want, "UPDATED CONNECTION")
		id = h.deliver()
		tells("CREATED " + id)

		// Faults that pass.
		h.server.Inject(standin.Fault{Method: "gmail.users.history.list", HTML: true})
		if got := h.notifyMail(w, c, calsync.OutcomeFailed); got.Code != model.CodeUpstreamUnavailable {
			t.Errorf("%+v", got)
		}
		h.server.Clear()
		for _, fault := range []standin.Fault{{Status: 403, Reason: "userRateLimitExceeded"}, {Reset: true},
			{LoseAnswer: true}, {Truncate: true}} {
			fault.Method, fault.Times = "gmail.users.history.list", 1
			h.server.Inject(fault)
			id := h.deliver()
			// it backs off
			if err := h.store.Write(t.Context(), c.User,
				func(ctx context.Context, _ store.Tx) error { return w.Follow(ctx, c) }); err != nil {
				t.Fatal(err)
			}
			if err := h.store.ForgetSyncState(t.Context(), c.User, c.ID, ""); err != nil {
				t.Fatal(err)
			}
			tells("CREATED " + id)
		}

		// Unlinked.
		err = h.store.Write(t.Context(), c.User,
			func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, c.ID) })
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Notify(t.Context(), c.User, c.ID, model.MailFeed); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("notified: %v", err)
		}
	})
}

// An account that was linked without its mail is followed in silence once the mail is granted.
func TestTheMailOfAnAccountIsGrantedLater(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		s := open(t, 1)[0]
		h := newGoogle(t, s)
		w := h.mailWorker(s)
		if err := h.inbox.AddAccount(inbox.Account{Email: dana}); err != nil {
			t.Fatal(err)
		}
		h.link(w, "dana", dana)
		h.run(w)
		if got := h.sync(calsync.OutcomeBegun); got.Mail {
			t.Errorf("%+v", got)
		}
		h.deliver()
		h.scopes = []string{google.ScopeCalendarEvents, google.ScopeCalendarList, google.ScopeFreeBusy,
			google.ScopeGmailModify}
		c := h.link(w, "dana", dana)
		for _, calendars := range []string{"", model.CalendarListFeed} {
			if err := s.ForgetSyncState(t.Context(), c.User, c.ID, calendars); err != nil {
				t.Fatal(err)
			}
		}
		h.notifyMail(w, c, calsync.OutcomeBegun)
		id := h.deliver()
		h.notifyMail(w, c, calsync.OutcomeRead)
		h.wantTold(c, "UPDATED CONNECTION", "UPDATED CONNECTION", "CREATED "+id) // read first, then linked again
		if used := h.server.Used("gmail", dana).Calls["gmail.users.getProfile"]; used != 1 {
			t.Errorf("the profile was asked %d times", used)
		}
	})
}

// Two processes that are notified all the time tell each e-mail once between them.
func TestReplicasTellEachEmailOnce(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		const rounds, each = 3, 60
		both := open(t, 2)
		h, w, c := googleMail(t, both[0])
		workers := []*calsync.Worker{w, h.mailWorker(both[1])}
		for _, w := range workers {
			w.Observe = func(calsync.Report) {}
			h.run(w)
		}
		settled := func(emails int) {
			for {
				states, err := both[1].SyncStates(t.Context(), c.User, c.ID)
				i := slices.IndexFunc(states, func(s store.SyncState) bool { return s.Calendar == model.MailFeed })
				if err != nil || i < 0 {
					t.Fatalf("%d states, %v", len(states), err)
				}
				for _, w := range workers {
					if err := w.Notify(t.Context(), c.User, c.ID, model.MailFeed); err != nil {
						t.Fatal(err)
					}
				}
				if states[i].Token != "" && len(h.told(c)) >= emails {
					return
				}
				h.clock.Advance(time.Millisecond)
			}
		}
		settled(0)
		var want []string
		for round := range rounds {
			for i := range each {
				want = append(want, "CREATED "+h.deliver())
				if i%20 == 0 {
					if err := workers[i/20%2].Notify(t.Context(), c.User, c.ID, model.MailFeed); err != nil {
						t.Fatal(err)
					}
				}
			}
			settled((round + 1) * each)
		}
		for range 20 {
			settled(rounds * each)
		}
		got := h.told(c)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("told %s", fmt.Sprintf("%d changes, want each of %d once", len(got), len(want)))
		}
	})
}
