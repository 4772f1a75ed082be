package calsync_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/clock"
)

func (h *fixture) mailState(c model.Connection) store.SyncState {
	return h.store.rows(c.User).states[stateKey{c.ID, model.MailFeed}]
}

// mailMany delivers what putMany puts into the calendar, under the same names.
func (h *fixture) mailMany(c model.Connection) {
	for i := range rowsOfASync {
		h.mail.do(c, "added", fmt.Sprintf("e%03d", i), "INBOX", "UNREAD")
	}
}

// mailFixture is a fixture with one account whose mailbox was synced once.
func mailFixture(h *fixture) model.Connection {
	h.Helper()
	w := h.worker(func(w *calsync.Worker) { w.Mail = h.mail })
	c := h.link(w, openAccount())
	h.mail.do(c, "added", "before", "INBOX")
	h.run(w)
	h.wantTold(c)
	return c
}

func TestAMailboxIsFollowed(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		c := mailFixture(h)
		var want []string
		happens := func(line string, do func()) {
			t.Helper()
			do()
			pass(interval + 5*time.Second)
			if line != "" {
				want = append(want, line)
			}
			h.wantTold(c, want...)
		}
		do := func(what, id string, labels ...string) func() {
			return func() { h.mail.do(c, what, id, labels...) }
		}
		happens("CREATED new", do("added", "new", "INBOX", "UNREAD"))
		happens("UPDATED new", do("labelled", "new", "INBOX"))
		happens("", func() { // starred, and not any more
			h.mail.do(c, "labelled", "new", "INBOX", "STARRED")
			h.mail.do(c, "labelled", "new", "INBOX")
		})
		happens("UPDATED new", do("labelled", "new", "Label_1")) // archived
		happens("", do("labelled", "new", "Label_1", "Label_2")) // and not of the inbox's any more
		happens("UPDATED new", do("labelled", "new", "INBOX"))   // back
		happens("DELETED new", do("deleted", "new"))
		happens("", do("deleted", "new"))
		happens("UPDATED before", do("labelled", "before", "STARRED")) // was it in the inbox? too much rather than too little
		happens("", do("labelled", "before", "STARRED", "Label_1"))
		happens("", do("added", "sent", "SENT"))
		happens("", do("added", "draft", "DRAFT"))
		happens("", do("labelled", "draft", "DRAFT", "STARRED"))
		happens("", do("deleted", "draft"))
		happens("", func() { // come and gone between two syncs
			h.mail.do(c, "added", "brief", "INBOX")
			h.mail.do(c, "deleted", "brief")
		})
		happens("CREATED both", func() {
			h.mail.do(c, "added", "both", "INBOX", "UNREAD")
			h.mail.do(c, "labelled", "both", "INBOX")
		})
		happens("", do("added", "no/id", "INBOX"))
		if h.mail.profiles != 1 {
			t.Errorf("the profile was asked %d times", h.mail.profiles)
		}
	})
}

// Gmail does not remember so far back: that is told, and telling begins anew.
func TestAMailboxWhoseHistoryIsLost(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		c := mailFixture(h)
		h.mail.do(c, "added", "lost", "INBOX")
		h.mail.mu.Lock()
		h.mail.forgotten = 2
		h.mail.mu.Unlock()
		pass(interval + 5*time.Second)
		h.wantTold(c, "UPDATED connection")
		h.mail.do(c, "added", "new", "INBOX")
		pass(interval + 5*time.Second)
		h.wantTold(c, "UPDATED connection", "CREATED new")
		if state := h.mailState(c); state.Token != "3" || state.Failures != 0 {
			t.Errorf("%+v", state)
		}
	})
}

// A mailbox that may not be read is not asked about, and nobody hears of that, until it may.
func TestAMailboxRestsUntilItMayBeRead(t *testing.T) {
	for name, open := range map[string]bool{"from the link on": false, "taken away later": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *fixture) {
				w := h.worker(func(w *calsync.Worker) { w.Mail = h.mail })
				c := account(1)
				if open {
					c = openAccount()
				}
				c = h.link(w, c)
				h.alter(c, func(rows *userRows) { rows.connections[0].Scopes = nil })
				h.run(w)
				pass(5 * time.Hour)
				if h.mail.profiles+h.mail.histories > 0 || !h.mailState(c).NextAt.IsZero() || h.log.Len() > 0 {
					t.Errorf("asked %d times, state %+v, logged %s", h.mail.profiles+h.mail.histories, h.mailState(c), h.log.String())
				}
				h.remote.put(c, "event", "1", model.EventConfirmed)
				pass(interval + 5*time.Second)
				h.wantTold(c, "CREATED event")

				c = openAccount()
				h.alter(c, func(rows *userRows) { rows.connections[0].Scopes = c.Scopes })
				if err := w.Follow(t.Context(), c); err != nil {
					t.Fatal(err)
				}
				pass(interval)
				h.mail.do(c, "added", "mail", "INBOX")
				pass(interval + 5*time.Second)
				h.wantTold(c, "CREATED event", "CREATED mail")
			})
		})
	}
}

// A mailbox that cannot be read is asked seldom, and its calendar goes on.
func TestAMailboxThatFails(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		c := mailFixture(h)
		h.mail.mu.Lock()
		h.mail.failing = func() error {
			return &model.Error{Code: model.CodeUpstreamUnavailable, Message: "Google does not answer.",
				Cause: fmt.Errorf("dial: refused")}
		}
		before := h.mail.histories
		h.mail.mu.Unlock()
		h.mail.do(c, "added", "new", "INBOX")
		h.remote.put(c, "event", "1", model.EventConfirmed)
		pass(6 * time.Hour)
		h.mail.mu.Lock()
		asked := h.mail.histories - before
		h.mail.failing = nil
		h.mail.mu.Unlock()
		if asked < 5 || asked > 25 {
			t.Errorf("asked %d times in six hours", asked)
		}
		if !strings.Contains(h.log.String(), `"what":"a mailbox"`) ||
			strings.Contains(h.log.String(), `"what":"a calendar"`) {
			t.Errorf("logged %s", h.log.String())
		}
		h.wantTold(c, "CREATED event")
		pass(time.Hour + interval)
		h.wantTold(c, "CREATED event", "CREATED new")
	})
}

// There are no push channels for mail: it is asked at the interval, also where calendars are told of.
func TestMailIsAskedAlsoWithPush(t *testing.T) {
	for name, c := range map[string]struct {
		every       time.Duration
		least, most int
	}{
		"a minute": {interval, 55, 66},
		"none":     {0, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *fixture) {
				w := h.worker(func(w *calsync.Worker) {
					w.Mail, w.Interval = h.mail, c.every
					w.Push = &calsync.PushOptions{Address: address, Box: newBox(t, 1), NewID: clock.NewIDs(now, rand.Reader).New}
				})
				linked := h.link(w, openAccount())
				h.run(w)
				pass(time.Hour + 5*time.Minute)
				if n := h.mail.histories; n < c.least || n > c.most {
					t.Errorf("the mailbox was asked %d times in an hour", n)
				}
				if state := h.mailState(linked); state.Channel != "" || h.remote.asked("Watch") != 1 {
					t.Errorf("%+v, %d channels", state, h.remote.asked("Watch"))
				}
			})
		})
	}
}

// A process that knows nothing of mail leaves mailboxes alone.
func TestAWorkerWithoutMail(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, openAccount())
		h.run(w)
		pass(interval)
		if _, there := h.store.rows(c.User).states[stateKey{c.ID, model.MailFeed}]; there {
			t.Error("it follows a mailbox")
		}
		if got := h.outcomes(); slices.Contains(got, calsync.OutcomeFailed) {
			t.Errorf("syncs %v", got)
		}
	})
}
