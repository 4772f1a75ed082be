package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	"almanac/internal/outbox"
	"almanac/internal/seal"
)

func TestAnEmailIsSentAsItWasShown(t *testing.T) {
	h := newFixture(t)
	kept, p := h.keep(), h.process()
	for range 3 {
		sent, err := p.Send(t.Context(), h.user, kept.ID, kept.Hash)
		if err != nil || sent.State != model.OutboxSent || sent.Holder != (model.UUID{}) {
			t.Fatalf("%+v, %v", sent.State, err)
		}
	}
	h.sentOnce("three times", kept)
	if want := []string{"write", "connections", "create", "write", "send", "write", "write",
		"write"}; !slices.Equal(p.names(), want) {
		t.Errorf("the calls were %v, want %v", p.names(), want)
	}
	if drafts := h.drafts(kept); len(drafts) > 0 {
		t.Errorf("drafts are left: %v", drafts)
	}
	all := h.mailbox.Mailbox(alice)
	_, body, _ := strings.Cut(string(kept.Message), "\r\n\r\n")
	if _, sent, _ := strings.Cut(string(all[0].Raw), "\r\n\r\n"); sent != body {
		t.Errorf("sent was %q, shown %q", sent, body)
	}
}

func TestWhatIsRefused(t *testing.T) {
	h := newFixture(t)
	ctx, p := t.Context(), h.process()
	kept := h.keep()
	wrong := kept.Hash
	wrong[31] ^= 1
	code := func(what string, err error, want model.ErrorCode) {
		t.Helper()
		if got := model.CodeOf(err); got != want {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	}
	_, err := p.Send(ctx, h.user, kept.ID, wrong)
	code("another hash", err, model.CodeBadUserInput)
	_, err = p.Send(ctx, model.UserIDOf("bob"), kept.ID, kept.Hash)
	code("somebody else's", err, model.CodeNotFound)
	code("discarding somebody else's", p.Discard(ctx, model.UserIDOf("bob"), kept.ID), model.CodeNotFound)
	_, err = p.Get(ctx, model.UserIDOf("bob"), kept.ID)
	code("reading somebody else's", err, model.CodeNotFound)
	gone := h.keep()
	code("discarding", p.Discard(ctx, h.user, gone.ID), "")
	code("discarding twice", p.Discard(ctx, h.user, gone.ID), model.CodeNotFound)
	_, err = p.Send(ctx, h.user, gone.ID, gone.Hash)
	code("what was discarded", err, model.CodeNotFound)
	sent := h.keep()
	_, err = p.Send(ctx, h.user, sent.ID, sent.Hash)
	code("sending", err, "")
	code("discarding what was sent", p.Discard(ctx, h.user, sent.ID), model.CodeConflict)
	_, err = p.Send(ctx, h.user, sent.ID, wrong)
	code("what was sent, with another hash", err, model.CodeBadUserInput)
	h.clock.Advance(outbox.Life - time.Second)
	last := kept
	h.clock.Advance(time.Second)
	_, err = p.Send(ctx, h.user, last.ID, last.Hash)
	code("what has expired", err, model.CodeConflict)
	if n := len(h.mailbox.Outgoing()); n != 1 {
		t.Errorf("%d e-mails have left", n)
	}
}

// Whatever is kept of an e-mail is hidden, and bound to its place.
func TestWhatIsKeptIsSealed(t *testing.T) {
	h := newFixture(t)
	kept, other := h.keep(), h.keep()
	raw, err := h.store.Outgoing(t.Context(), h.user, kept.ID)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw.Message)+string(raw.Shown), "example.org") {
		t.Error("it is kept in the clear")
	}
	if _, err := h.box.Open(seal.Place{User: h.user, Row: other.ID, Column: "outbox.message"}, raw.Message); err == nil {
		t.Error("it can be opened in another place")
	}
	list, err := h.process().List(t.Context(), h.user, 10)
	if err != nil || len(list) != 2 || list[0].ID != other.ID || string(list[1].Shown) != string(kept.Shown) ||
		list[0].Message != nil {
		t.Errorf("the list: %v, %v", list, err)
	}
}

// A lost answer, a refusal, a dead process at any call: never more than one e-mail leaves, and whoever sends again, or
// the worker, has one leave in the end.
func TestOneTroubleAtAnyCall(t *testing.T) {
	h := newFixture(t)
	for call := range 6 {
		for what := refused; what < harms; what++ {
			for _, again := range []string{"by the user", "by the worker"} {
				kept, p := h.keep(), h.process()
				name := fmt.Sprintf("call %d %s, again %s", call, what, again)
				p.at = func(n int, _ string) harm {
					if n == call {
						return what
					}
					return none
				}
				var first model.OutgoingEmail
				var failed error
				died := survive(func() { first, failed = p.Send(t.Context(), h.user, kept.ID, kept.Hash) })
				p.finish()
				h.check(name, kept, first, failed, died)
				h.clock.Advance(outbox.Lease + time.Minute)
				after := h.process()
				if again == "by the worker" {
					if err := after.Settle(t.Context()); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if now := h.now(kept); now.State == model.OutboxPreview { // it was told so
						if n := len(h.left(kept)); n != 0 && now.Draft == "" {
							t.Errorf("%s: PREVIEW, and %d have left", name, n)
						}
						if failed == nil && !died {
							t.Errorf("%s: nobody was told that it was not sent", name)
						}
					}
				}
				if sent, err := after.Send(t.Context(), h.user, kept.ID, kept.Hash); err != nil || sent.State != model.OutboxSent {
					t.Errorf("%s: in the end %s, %v\n%v", name, sent.State, err, after.names())
				}
				h.sentOnce(name, kept)
			}
		}
	}
}

// check holds what was told against what has happened.
func (h *fixture) check(name string, kept, told model.OutgoingEmail, failed error, died bool) {
	h.t.Helper()
	left := len(h.left(kept))
	if left > 1 {
		h.t.Fatalf("%s: %d have left", name, left)
	}
	if died {
		return
	}
	switch told.State {
	case model.OutboxSent:
		if left != 1 {
			h.t.Errorf("%s: told SENT, and %d have left", name, left)
		}
	case model.OutboxPreview, model.OutboxFailed:
		if failed == nil || left != 0 {
			h.t.Errorf("%s: told %s, and %d have left, with %v", name, told.State, left, failed)
		}
	}
}

// A process that is stopped before any of its calls for longer than its lease, and goes on when another has taken over.
func TestAProcessThatSleepsPastItsLease(t *testing.T) {
	h := newFixture(t)
	for call := range 6 {
		for _, harmed := range []harm{none, refused, lostAfter} {
			name := fmt.Sprintf("before call %d, other %s", call, harmed)
			kept, slow, other := h.keep(), h.process(), h.process()
			other.at = func(_ int, name string) harm {
				if name == "send" {
					return harmed
				}
				return none
			}
			slow.before = func(n int, _ string) {
				if n != call {
					return
				}
				h.clock.Advance(outbox.Lease + time.Second)
				if _, err := other.Send(t.Context(), h.user, kept.ID, kept.Hash); err != nil && harmed == none {
					t.Errorf("%s: the other: %v", name, err)
				}
			}
			told, failed := slow.Send(t.Context(), h.user, kept.ID, kept.Hash)
			h.check(name, kept, told, failed, false)
			h.clock.Advance(outbox.Lease + time.Minute)
			if sent, err := h.process().Send(t.Context(), h.user, kept.ID, kept.Hash); err != nil ||
				sent.State != model.OutboxSent {
				t.Errorf("%s: in the end %s, %v", name, sent.State, err)
			}
			h.sentOnce(name, kept)
		}
	}
}

// Many at once, in two processes.
func TestManySendTheSameAtOnce(t *testing.T) {
	h := newFixture(t)
	kept := h.keep()
	processes := []*process{h.process(), h.process()}
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			told, err := processes[i%2].Send(t.Context(), h.user, kept.ID, kept.Hash)
			if err != nil || told.State != model.OutboxSent && told.State != model.OutboxSending {
				t.Errorf("%s, %v", told.State, err)
			}
		})
	}
	group.Wait()
	h.sentOnce("at once", kept)
}

func TestWhatIsUnderWayIsLeftAlone(t *testing.T) {
	h := newFixture(t)
	kept, p := h.keep(), h.process()
	p.before = func(n int, _ string) {
		if n != 4 {
			return
		}
		other := h.process()
		if told, err := other.Send(t.Context(), h.user, kept.ID, kept.Hash); err != nil || told.State != model.OutboxSending {
			t.Errorf("sent again meanwhile: %s, %v", told.State, err)
		}
		if err := other.Settle(t.Context()); err != nil || len(other.names()) != 1 {
			t.Errorf("the worker meanwhile: %v, %v", err, other.names())
		}
		if err := other.Discard(t.Context(), h.user, kept.ID); model.CodeOf(err) != model.CodeConflict {
			t.Errorf("discarded meanwhile: %v", err)
		}
	}
	if _, err := p.Send(t.Context(), h.user, kept.ID, kept.Hash); err != nil {
		t.Fatal(err)
	}
	h.sentOnce("alone", kept)
}

// onSend makes something happen to the sending of drafts, and to whatever is asked about one after that.
func onSend(p *process, what harm, after harm) {
	sent := false
	p.at = func(_ int, name string) harm {
		switch {
		case name == "send":
			sent = true
			return what
		case sent && slices.Contains([]string{"state", "thread", "delete"}, name):
			return after
		}
		return none
	}
}

func TestUnknown(t *testing.T) {
	for _, what := range []harm{lostBefore, lostAfter} {
		h := newFixture(t)
		kept, p := h.keep(), h.process()
		onSend(p, what, refused)
		told, err := p.Send(t.Context(), h.user, kept.ID, kept.Hash)
		if err != nil || told.State != model.OutboxUnknown {
			t.Fatalf("%s: %s, %v", what, told.State, err)
		}
		if err := p.Discard(t.Context(), h.user, kept.ID); model.CodeOf(err) != model.CodeConflict {
			t.Errorf("%s: discarded: %v", what, err)
		}
		worker := h.process()
		if err := worker.Settle(t.Context()); err != nil || len(worker.names()) != 0 {
			t.Errorf("%s: the worker looks at once: %v, %v", what, err, worker.names())
		}
		h.clock.Advance(time.Minute)
		if err := worker.Settle(t.Context()); err != nil {
			t.Error(err)
		}
		h.sentOnce(what.String(), kept)
	}
}

// A draft that the user deletes in Gmail while nobody knows what became of it: nothing is sent again, and in the end
// that is said.
func TestADraftThatTheUserDeletes(t *testing.T) {
	h := newFixture(t)
	kept, p := h.keep(), h.process()
	onSend(p, lostBefore, refused)
	if _, err := p.Send(t.Context(), h.user, kept.ID, kept.Hash); err != nil {
		t.Fatal(err)
	}
	for _, draft := range h.drafts(kept) {
		if err := h.client.DeleteDraft(t.Context(), h.linked, draft); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		told, err := h.process().Send(t.Context(), h.user, kept.ID, kept.Hash)
		if err != nil || told.State != model.OutboxUnknown {
			t.Fatalf("%s, %v", told.State, err)
		}
	}
	h.clock.Advance(outbox.Life)
	if err := h.process().Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := h.now(kept)
	if now.State != model.OutboxFailed || now.Problem == "" || len(h.left(kept)) != 0 {
		t.Errorf("%s %q, %d have left", now.State, now.Problem, len(h.left(kept)))
	}
	if _, err := h.process().Send(t.Context(), h.user, kept.ID, kept.Hash); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("it can still be sent: %v", err)
	}
}

// A draft that somebody has written in is not what was shown: it is not sent.
func TestADraftOfAnEarlierTryIsNotSent(t *testing.T) {
	h := newFixture(t)
	kept, p := h.keep(), h.process()
	p.at = func(_ int, name string) harm {
		if name == "send" {
			return crashBefore
		}
		return none
	}
	if !survive(func() { _, _ = p.Send(t.Context(), h.user, kept.ID, kept.Hash) }) {
		t.Fatal("it did not die")
	}
	drafts := h.drafts(kept)
	h.clock.Advance(outbox.Lease)
	if err := h.process().Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.sentOnce("by the worker", kept)
	if left := h.left(kept); len(drafts) != 1 || left[0].Draft == drafts[0] {
		t.Errorf("the draft of the process that died was sent: %v of %v", left, drafts)
	}
}

// What could be sent no more by the time that somebody can is not sent, and its draft is taken out of Gmail.
func TestWhatExpiresUnderWay(t *testing.T) {
	for _, died := range []string{"create", "send"} {
		h := newFixture(t)
		kept, p := h.keep(), h.process()
		p.at = func(_ int, name string) harm {
			if name == died {
				return crashBefore
			}
			return none
		}
		survive(func() { _, _ = p.Send(t.Context(), h.user, kept.ID, kept.Hash) })
		h.clock.Advance(outbox.Life)
		if err := h.process().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := h.now(kept)
		if now.State != model.OutboxFailed || now.Problem == "" || len(h.left(kept)) != 0 || len(h.drafts(kept)) != 0 {
			t.Errorf("%s: %s %q, %d have left, drafts %v", died, now.State, now.Problem, len(h.left(kept)), h.drafts(kept))
		}
	}
}

// A preview of which Gmail has a draft: what is discarded can never be sent, by nobody.
func TestDiscardingWhatHasADraft(t *testing.T) {
	noted := func(t *testing.T, what harm) (*fixture, model.OutgoingEmail, *process) {
		t.Helper()
		h := newFixture(t)
		kept, p := h.keep(), h.process()
		onSend(p, what, refused)
		told, err := p.Send(t.Context(), h.user, kept.ID, kept.Hash)
		if err == nil || told.State != model.OutboxPreview || len(h.drafts(kept)) != 1 || h.now(kept).Draft == "" {
			t.Fatalf("%s, %v, drafts %v", told.State, err, h.drafts(kept))
		}
		return h, kept, p
	}
	t.Run("the draft goes with it", func(t *testing.T) {
		h, kept, _ := noted(t, refused)
		if err := h.process().Discard(t.Context(), h.user, kept.ID); err != nil {
			t.Fatal(err)
		}
		if drafts := h.drafts(kept); len(drafts) != 0 {
			t.Errorf("drafts are left: %v", drafts)
		}
		if _, err := h.process().Get(t.Context(), h.user, kept.ID); model.CodeOf(err) != model.CodeNotFound {
			t.Errorf("it is still there: %v", err)
		}
	})
	t.Run("Gmail cannot be asked", func(t *testing.T) {
		h, kept, p := noted(t, refused)
		if err := p.Discard(t.Context(), h.user, kept.ID); model.CodeOf(err) != model.CodeUpstreamUnavailable {
			t.Errorf("%v", err)
		}
		if _, err := h.process().Send(t.Context(), h.user, kept.ID, kept.Hash); err != nil {
			t.Error(err)
		}
		h.sentOnce("after it could not be discarded", kept)
	})
	t.Run("the user has sent it in Gmail", func(t *testing.T) {
		h, kept, _ := noted(t, refused)
		if _, err := h.client.SendDraft(t.Context(), h.linked, h.now(kept).Draft); err != nil {
			t.Fatal(err)
		}
		if err := h.process().Discard(t.Context(), h.user, kept.ID); model.CodeOf(err) != model.CodeConflict {
			t.Errorf("%v", err)
		}
		h.sentOnce("in Gmail", kept)
	})
	t.Run("while it is sent", func(t *testing.T) {
		h, kept, _ := noted(t, refused)
		p := h.process()
		p.before = func(_ int, name string) {
			if name != "state" {
				return
			}
			if _, err := h.process().Send(t.Context(), h.user, kept.ID, kept.Hash); model.CodeOf(err) != model.CodeConflict {
				t.Errorf("sent while it is discarded: %v", err)
			}
		}
		if err := p.Discard(t.Context(), h.user, kept.ID); err != nil {
			t.Fatal(err)
		}
		if n := len(h.left(kept)); n != 0 {
			t.Errorf("%d have left", n)
		}
	})
}

// Gmail refuses the e-mail itself: nothing is sent, no draft is left, and another try begins anew.
func TestWhatGmailRefuses(t *testing.T) {
	h := newFixture(t)
	kept := h.keep(func(one *model.OutgoingEmail) { one.Thread = "1234567890abcdef" })
	told, err := h.process().Send(t.Context(), h.user, kept.ID, kept.Hash)
	if model.CodeOf(err) != model.CodeNotFound || told.State != model.OutboxFailed || told.Problem == "" {
		t.Errorf("a conversation that is gone: %s %q, %v", told.State, told.Problem, err)
	}
	if err := h.process().Discard(t.Context(), h.user, kept.ID); err != nil {
		t.Error(err)
	}
}

func TestAnUnlinkedAccount(t *testing.T) {
	h := newFixture(t)
	kept, p := h.keep(), h.process()
	p.before = func(_ int, name string) {
		if name != "create" {
			return
		}
		if _, err := h.store.User(t.Context(), h.user); err != nil {
			t.Fatal(err)
		}
		err := h.store.Write(t.Context(), h.user, unlink(h.linked.ID))
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Send(t.Context(), h.user, kept.ID, kept.Hash); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("%v", err)
	}
	if len(h.left(kept)) != 0 || len(h.drafts(kept)) != 0 {
		t.Errorf("%d have left, drafts %v", len(h.left(kept)), h.drafts(kept))
	}
}

// What cannot be opened does not keep the worker from the rest.
func TestTheWorkerGetsPastWhatItCannotOpen(t *testing.T) {
	h := newFixture(t)
	var all []model.OutgoingEmail
	for range 25 {
		kept, p := h.keep(), h.process()
		p.at = func(_ int, name string) harm {
			if name == "create" {
				return crashBefore
			}
			return none
		}
		survive(func() { _, _ = p.Send(t.Context(), h.user, kept.ID, kept.Hash) })
		all = append(all, kept)
	}
	h.clock.Advance(outbox.Lease)
	blind := h.process()
	var err error
	if blind.Box, err = seal.NewBox([]byte(strings.Repeat("x", 32))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := blind.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if held, err := h.store.HeldOutgoing(t.Context(), h.clock.Now(), 100); err != nil || len(held) != 0 {
		t.Errorf("%d are in the way, %v", len(held), err)
	}
	h.clock.Advance(time.Hour)
	for range 2 {
		if err := h.process().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, kept := range all {
		h.sentOnce("by who can open it", kept)
	}
}

func TestTooManyPreviews(t *testing.T) {
	h := newFixture(t)
	for range model.MaxPreviews {
		h.keep()
	}
	one := model.OutgoingEmail{Connection: h.linked.ID, Account: alice, Message: []byte("m"), Shown: []byte("{}")}
	if _, err := h.process().Keep(t.Context(), h.user, one); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("%v", err)
	}
	h.clock.Advance(outbox.Life)
	first, err := h.process().Keep(t.Context(), h.user, one)
	if err != nil {
		t.Errorf("after all have expired: %v", err)
	}
	one.ID, one.Message = first.ID, []byte("another")
	if again, err := h.process().Keep(t.Context(), h.user, one); err != nil || again.Hash != first.Hash {
		t.Errorf("the same id again: %v", err)
	}
}

// Nothing of an e-mail, nor of whom it is for, stands in the log.
func TestTheLogHoldsNothingOfAnEmail(t *testing.T) {
	h := newFixture(t)
	kept, p := h.keep(), h.process()
	onSend(p, lostAfter, lostBefore)
	_, _ = p.Send(t.Context(), h.user, kept.ID, kept.Hash)
	h.logging.Lock()
	defer h.logging.Unlock()
	if log := h.log.String(); log == "" || strings.Contains(log, "example") || strings.Contains(log, "subject") {
		t.Errorf("the log: %q", log)
	}
}

// emptyStore holds nothing, and counts how often it is asked.
type emptyStore struct {
	outbox.Store
	asked chan time.Time
	fail  bool
}

func (s *emptyStore) HeldOutgoing(context.Context, time.Time, int) (none []storeHeld, err error) {
	s.asked <- time.Now()
	if s.fail {
		err = errors.New("away")
	}
	return nil, err
}

func TestTheWorkerLooksEveryFewSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &emptyStore{asked: make(chan time.Time), fail: true}
		o := &outbox.Outbox{Store: s, Now: time.Now, Logger: quiet()}
		done := make(chan error, 1)
		go func() { done <- o.Run(ctx) }()
		begun := <-s.asked
		for i := range 3 {
			if at := <-s.asked; at.Sub(begun) != time.Duration(i+1)*5*time.Second {
				t.Errorf("look %d came after %s", i+1, at.Sub(begun))
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
