package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/outbox"
)

// schedule has an e-mail of keep's sent in a while.
func (h *fixture) schedule(kept model.OutgoingEmail, in time.Duration) model.OutgoingEmail {
	h.t.Helper()
	at := h.clock.Now().Add(in)
	mail, err := h.process().Schedule(h.t.Context(), h.user, kept.ID, kept.Hash, at)
	if err != nil || mail.State != model.OutboxScheduled || !mail.SendAt.Equal(at) ||
		!mail.ExpiresAt.Equal(at.Add(outbox.Life)) {
		h.t.Fatalf("%s at %s until %s, %v", mail.State, mail.SendAt, mail.ExpiresAt, err)
	}
	return mail
}

func (h *fixture) settle() {
	h.t.Helper()
	if err := h.process().Settle(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func TestAScheduledEmailLeavesAtItsTime(t *testing.T) {
	h := newFixture(t)
	for _, in := range []time.Duration{10 * time.Second, 300 * 24 * time.Hour} {
		kept := h.keep()
		h.schedule(kept, in)
		h.clock.Advance(in - time.Microsecond)
		h.settle()
		if n := len(h.left(kept)); n != 0 {
			t.Errorf("%s: %d have left before the time", in, n)
		}
		h.clock.Advance(time.Microsecond)
		h.settle()
		h.sentOnce(in.String(), kept)
		h.settle()
		h.sentOnce(in.String()+", looked at again", kept)
	}
}

func TestAScheduleIsChangedAndTakenBack(t *testing.T) {
	h := newFixture(t)
	ctx, p := t.Context(), h.process()
	moved := h.keep()
	h.schedule(moved, time.Minute)
	h.schedule(moved, time.Hour)
	h.clock.Advance(2 * time.Minute)
	h.settle()
	if n := len(h.left(moved)); n != 0 {
		t.Errorf("%d have left at the time that was given up", n)
	}
	h.clock.Advance(time.Hour)
	h.settle()
	h.sentOnce("moved", moved)

	back := h.keep()
	h.schedule(back, time.Minute)
	mail, err := p.Unschedule(ctx, h.user, back.ID)
	if err != nil || mail.State != model.OutboxPreview || !mail.SendAt.IsZero() ||
		!mail.ExpiresAt.Equal(h.clock.Now().Add(outbox.Life)) {
		t.Errorf("taken back: %s, to be sent %s, until %s, %v", mail.State, mail.SendAt, mail.ExpiresAt, err)
	}
	if again, err := p.Unschedule(ctx, h.user, back.ID); err != nil || again.State != model.OutboxPreview {
		t.Errorf("taken back again: %s, %v", again.State, err)
	}
	h.clock.Advance(outbox.Life - time.Second)
	h.settle()
	if n := len(h.left(back)); n != 0 {
		t.Errorf("%d have left that were taken back", n)
	}
	if _, err := p.Send(ctx, h.user, back.ID, back.Hash); err != nil {
		t.Errorf("sending what was taken back: %v", err)
	}
	h.sentOnce("taken back and sent", back)
	if _, err := p.Unschedule(ctx, h.user, back.ID); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("taking back what was sent: %v", err)
	}

	hurried := h.keep()
	h.schedule(hurried, time.Hour)
	if sent, err := p.Send(ctx, h.user, hurried.ID, hurried.Hash); err != nil || sent.State != model.OutboxSent {
		t.Errorf("sent before its time: %s, %v", sent.State, err)
	}
	h.clock.Advance(2 * time.Hour)
	h.settle()
	h.sentOnce("sent before its time", hurried)
	if later, err := p.Schedule(ctx, h.user, hurried.ID, hurried.Hash, h.clock.Now().Add(time.Hour)); err != nil ||
		later.State != model.OutboxSent {
		t.Errorf("scheduling what was sent: %s, %v", later.State, err)
	}

	thrown := h.keep()
	h.schedule(thrown, time.Minute)
	if err := p.Discard(ctx, h.user, thrown.ID); err != nil {
		t.Errorf("throwing a scheduled one away: %v", err)
	}
	h.clock.Advance(time.Hour)
	h.settle()
	if n := len(h.left(thrown)); n != 0 {
		t.Errorf("%d have left that were thrown away", n)
	}
}

func TestSchedulesThatAreRefused(t *testing.T) {
	h := newFixture(t)
	ctx, p, soon := t.Context(), h.process(), h.clock.Now().Add(time.Minute)
	kept := h.keep()
	wrong := kept.Hash
	wrong[0] ^= 1
	for what, test := range map[string]struct {
		user model.UserID
		hash [32]byte
		want model.ErrorCode
	}{
		"another hash":    {h.user, wrong, model.CodeBadUserInput},
		"somebody else's": {model.UserIDOf("bob"), kept.Hash, model.CodeNotFound},
	} {
		if _, err := p.Schedule(ctx, test.user, kept.ID, test.hash, soon); model.CodeOf(err) != test.want {
			t.Errorf("%s: %v, want %s", what, err, test.want)
		}
	}
	if _, err := p.Unschedule(ctx, model.UserIDOf("bob"), kept.ID); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("taking somebody else's back: %v", err)
	}
	h.clock.Advance(outbox.Life)
	_, err := p.Schedule(ctx, h.user, kept.ID, kept.Hash, h.clock.Now().Add(time.Minute))
	if model.CodeOf(err) != model.CodeConflict {
		t.Errorf("what has expired: %v", err)
	}
	if now := h.now(kept); now.State != model.OutboxPreview {
		t.Errorf("it is %s", now.State)
	}
}

// One trouble at any call when its time has come: it leaves once, and nobody has to ask for it.
func TestOneTroubleWhenTheTimeHasCome(t *testing.T) {
	h := newFixture(t)
	for call := range 7 {
		for what := refused; what < harms; what++ {
			kept, p := h.keep(), h.process()
			name := fmt.Sprintf("call %d %s", call, what)
			p.at = func(n int, _ string) harm {
				if n == call {
					return what
				}
				return none
			}
			h.schedule(kept, 10*time.Second)
			h.clock.Advance(10 * time.Second)
			survive(func() { _ = p.Settle(t.Context()) })
			p.finish()
			if n := len(h.left(kept)); n > 1 {
				t.Fatalf("%s: %d have left", name, n)
			}
			for range 3 {
				h.clock.Advance(outbox.Lease + time.Minute)
				h.settle()
			}
			h.sentOnce(name, kept)
		}
	}
}

// Gmail is away for hours, or for longer than a scheduled e-mail may be late.
func TestAScheduledEmailOutlastsGmailsAbsence(t *testing.T) {
	h := newFixture(t)
	for absence, want := range map[time.Duration]model.OutboxState{
		3 * time.Hour: model.OutboxSent, outbox.Life + time.Hour: model.OutboxFailed,
	} {
		kept, away := h.keep(), h.process()
		away.at = func(_ int, name string) harm {
			if name == "create" {
				return refused
			}
			return none
		}
		h.schedule(kept, time.Minute)
		for waited := time.Duration(0); waited < absence; waited += time.Hour {
			h.clock.Advance(time.Hour)
			if err := away.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if now := h.now(kept); want == model.OutboxSent && (now.State != model.OutboxScheduled || now.Problem == "") {
			t.Errorf("away for %s: %s with the problem %q", absence, now.State, now.Problem)
		}
		h.clock.Advance(time.Hour)
		h.settle()
		now := h.now(kept)
		if left := len(h.left(kept)); now.State != want || left > 1 || (left == 1) != (want == model.OutboxSent) {
			t.Errorf("after %s: %s, %d have left; want %s", absence, now.State, left, want)
		}
		if (now.Problem == "") != (want == model.OutboxSent) {
			t.Errorf("after %s: %s with the problem %q", absence, now.State, now.Problem)
		}
	}
}

// What the policy has forbidden since is not sent.
func TestAScheduledEmailIsHeldToThePolicyOfItsTime(t *testing.T) {
	h := newFixture(t)
	kept, strict := h.keep(), h.process()
	strict.Allowed = func(shown []byte) error {
		if string(shown) != string(kept.Shown) {
			t.Errorf("asked about %q", shown)
		}
		return errors.New("not any more")
	}
	h.schedule(kept, time.Minute)
	h.clock.Advance(time.Minute)
	if err := strict.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := h.now(kept); now.State != model.OutboxFailed || now.Problem == "" || len(h.left(kept)) != 0 {
		t.Errorf("%s with the problem %q, %d have left", now.State, now.Problem, len(h.left(kept)))
	}
}

// oneStore has one e-mail, which it writes nowhere.
type oneStore struct {
	emptyStore
	mail model.OutgoingEmail
}

func (s *oneStore) Write(ctx context.Context, _ model.UserID, fn func(context.Context, store.Tx) error) error {
	return fn(ctx, oneTx{mail: s.mail})
}

type oneTx struct {
	store.Tx
	mail model.OutgoingEmail
}

func (t oneTx) Outgoing(context.Context, model.UserID, model.UUID) (model.OutgoingEmail, error) {
	return t.mail, nil
}

func (t oneTx) UpdateOutgoing(context.Context, model.OutgoingEmail, ...model.OutboxState) error {
	return nil
}

// The worker does not wait for its next look when an e-mail that this process has scheduled is due soon.
func TestTheWorkerWakesForWhatIsDue(t *testing.T) {
	h := newFixture(t)
	kept := h.keep()
	sealed, err := h.store.Outgoing(t.Context(), h.user, kept.ID)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &oneStore{emptyStore{asked: make(chan time.Time, 100)}, sealed}
		sealed := &s.mail
		sealed.ExpiresAt = time.Now().Add(outbox.Life)
		o := &outbox.Outbox{Store: s, Box: h.box, Now: time.Now, Logger: quiet()}
		done := make(chan error, 1)
		go func() { done <- o.Run(ctx) }()
		begun := <-s.asked
		time.Sleep(6 * time.Second)
		for _, in := range []time.Duration{2 * time.Second, time.Hour} {
			if _, err := o.Schedule(ctx, h.user, kept.ID, kept.Hash, time.Now().Add(in)); err != nil {
				t.Error(err)
			}
		}
		for _, want := range []time.Duration{5 * time.Second, 8 * time.Second, 10 * time.Second, 15 * time.Second} {
			if at := <-s.asked; at.Sub(begun) != want {
				t.Errorf("a look came after %s, want %s", at.Sub(begun), want)
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
