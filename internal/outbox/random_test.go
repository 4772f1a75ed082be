package outbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/outbox"
)

type storeHeld = store.OutgoingOf

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func unlink(id model.UUID) func(context.Context, store.Tx) error {
	return func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, id) }
}

// Any sequence of sending, scheduling, taking back, discarding and looking after, by two processes, with any faults at
// any of their calls, and any time in between: never more than one e-mail leaves; whoever is told SENT is told the
// truth; what was discarded never leaves; and when the faults end, the outbox knows what has left.
func TestAnySequenceOfFaults(t *testing.T) {
	h := newFixture(t)
	stories := 150
	if testing.Short() {
		stories = 40
	}
	for seed := range stories {
		random := rand.New(rand.NewPCG(uint64(seed), 1)) //nolint:gosec // a test's
		if !tell(t, h, random, fmt.Sprintf("story %d", seed)) {
			return
		}
	}
}

func tell(t *testing.T, h *fixture, random *rand.Rand, name string) bool {
	t.Helper()
	kept := h.keep()
	processes := []*process{h.process(), h.process()}
	for _, p := range processes {
		p.at = func(int, string) harm {
			if random.IntN(4) == 0 {
				return harm(random.IntN(int(harms)))
			}
			return none
		}
	}
	var told []string
	discarded := false
	for range 1 + random.IntN(6) {
		p := processes[random.IntN(len(processes))]
		var say string
		died := survive(func() {
			switch random.IntN(11) {
			case 0:
				err := p.Discard(t.Context(), h.user, kept.ID)
				discarded = discarded || err == nil
				say = fmt.Sprintf("discard: %v", err)
			case 8, 9:
				at := h.clock.Now().Add(time.Duration(random.IntN(5)) * outbox.Lease / 2)
				mail, err := p.Schedule(t.Context(), h.user, kept.ID, kept.Hash, at)
				say = fmt.Sprintf("schedule: %s, %v", mail.State, err)
			case 10:
				mail, err := p.Unschedule(t.Context(), h.user, kept.ID)
				say = fmt.Sprintf("unschedule: %s, %v", mail.State, err)
				if err == nil && len(h.left(kept)) != 0 {
					t.Errorf("%s: told that it was taken back, and it has left: %v", name, told)
				}
			case 1, 2:
				say = fmt.Sprintf("settle: %v", p.Settle(t.Context()))
			default:
				mail, err := p.Send(t.Context(), h.user, kept.ID, kept.Hash)
				say = fmt.Sprintf("send: %s, %v", mail.State, err)
				if mail.State == model.OutboxSent && len(h.left(kept)) != 1 {
					t.Errorf("%s: told SENT, and %d have left: %v", name, len(h.left(kept)), told)
				}
			}
		})
		told = append(told, fmt.Sprintf("%s (died: %t)", say, died))
		h.clock.Advance(time.Duration(random.IntN(4)) * outbox.Lease / 2)
	}
	for _, p := range processes {
		p.finish()
	}
	h.clock.Advance(outbox.Lease + time.Minute)
	calm := h.process()
	if err := calm.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	last, err := calm.Send(t.Context(), h.user, kept.ID, kept.Hash)
	left := len(h.left(kept))
	switch {
	case left > 1:
		t.Errorf("%s: %d have left: %q", name, left, told)
	case model.CodeOf(err) == model.CodeNotFound: // it was discarded, though that may not have been told
		if left != 0 {
			t.Errorf("%s: it was discarded, and %d have left: %q", name, left, told)
		}
	case discarded:
		t.Errorf("%s: told that it was discarded, and it is there: %q", name, told)
	case err != nil:
		t.Errorf("%s: in the end %v: %q", name, err, told)
	// a process has died between taking the draft out of Gmail and writing that down
	case last.State == model.OutboxUnknown:
		if left != 0 {
			t.Errorf("%s: it is not known that it has left: %q", name, told)
		}
	case last.State != model.OutboxSent || left != 1 || last.Sent != h.left(kept)[0].ID:
		t.Errorf("%s: in the end %s, and %d have left: %q", name, last.State, left, told)
	}
	return !t.Failed()
}
