package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testClaims(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("taken, held, settled", func(t *testing.T) { claimsSettled(h.in(t)) })
	t.Run("given back", func(t *testing.T) { claimsReleased(h.in(t)) })
	t.Run("when the lease has ended", func(t *testing.T) { claimsLease(h.in(t)) })
	t.Run("another fingerprint is a conflict", func(t *testing.T) { claimsFingerprint(h.in(t)) })
	t.Run("only the holder settles and releases", func(t *testing.T) { claimsHolder(h.in(t)) })
	t.Run("for 24 hours", func(t *testing.T) { claimsExpiry(h.in(t)) })
	t.Run("swept", func(t *testing.T) { claimsSwept(h.in(t)) })
	t.Run("a key of Once", func(t *testing.T) { claimsAfterOnce(h.in(t)) })
	t.Run("Once with a claimed key", func(t *testing.T) { claimsBeforeOnce(h.in(t)) })
	t.Run("at the same time", func(t *testing.T) { claimsParallel(h.in(t), open) })
	t.Run("at the same time as Once", func(t *testing.T) { claimsBesideOnce(h.in(t)) })
	t.Run("keys of two users", func(t *testing.T) { claimsUsers(h.in(t)) })
	t.Run("in transactions", func(t *testing.T) { claimsInTransactions(h.in(t)) })
	t.Run("noted", func(t *testing.T) { claimsNoted(h.in(t), open) })
	t.Run("the user's first call ever", func(t *testing.T) { claimsOfStranger(h.in(t)) })
}

const lease = time.Minute

// claim claims a key now.
func (h *fixture) claim(c model.IdempotentCall) store.Claim {
	h.Helper()
	return must(h, func() (store.Claim, error) { return h.Claim(h.ctx, h.user, c, h.clock.Now(), lease) })
}

// takes claims a key, which must be free.
func (h *fixture) takes(c model.IdempotentCall) store.Claim {
	h.Helper()
	claim := h.claim(c)
	if claim.State != store.ClaimTaken || claim.Key != c.Key || claim.Holder == (model.UUID{}) ||
		claim.Seed == (model.UUID{}) {
		h.Fatalf("the claim was not taken: %+v", claim)
	}
	return claim
}

func (h *fixture) settle(claim store.Claim, answer string) {
	h.Helper()
	if err := h.Settle(h.ctx, h.user, claim, []byte(answer)); err != nil {
		h.Fatalf("Settle: %v", err)
	}
}

func (h *fixture) release(claim store.Claim) {
	h.Helper()
	if err := h.Release(h.ctx, h.user, claim); err != nil {
		h.Fatalf("Release: %v", err)
	}
}

// settled shows what a claim of a settled key returns.
func (h *fixture) settled(c model.IdempotentCall) string {
	h.Helper()
	claim := h.claim(c)
	if claim.State != store.ClaimSettled || claim.Key != c.Key || claim.Holder != (model.UUID{}) {
		return fmt.Sprintf("not settled: %+v", claim)
	}
	return string(claim.Answer)
}

// held tells what a claim returns to others who come with the key.
func held(claim store.Claim, until time.Time) store.Claim {
	return store.Claim{State: store.ClaimHeld, Key: claim.Key, Seed: claim.Seed, HeldUntil: until}
}

func claimsSettled(h *fixture) {
	c := call("claimed ~!", 1)
	head := h.head()
	claim := h.takes(c)
	until := h.clock.Now().Add(lease)
	h.same("meanwhile", h.claim(c), held(claim, until))
	h.settle(claim, "\x00התשובה\xff")
	want := store.Claim{State: store.ClaimSettled, Key: c.Key, Seed: claim.Seed, Answer: []byte("\x00התשובה\xff")}
	for range 2 {
		h.same("afterwards", h.claim(c), want)
	}
	h.clock.advance(2 * lease)
	h.same("and later", h.claim(c), want)
	h.settle(claim, "another")
	h.same("settling again keeps the first answer", h.claim(c), want)
	h.release(claim)
	h.same("a settled claim is not given back", h.claim(c), want)
	h.settle(claim, "another") // which is how to learn that an answer was recorded, after a connection broke
	h.same("nor is its holder forgotten", h.claim(c), want)
	empty := h.takes(call("empty claim", 1))
	h.settle(empty, "")
	h.same("an empty answer", h.settled(call("empty claim", 1)), "")
	large := make([]byte, 300_000)
	for i := range large {
		large[i] = byte(i * 7)
	}
	h.settle(h.takes(call("large claim", 1)), string(large))
	if h.settled(call("large claim", 1)) != string(large) {
		h.Error("a large answer came back as another")
	}
	h.same("log", h.log(head), []string{})
}

func claimsReleased(h *fixture) {
	c := call("given back", 1)
	first := h.takes(c)
	h.release(first)
	second := h.takes(c)
	h.same("the seed stays", second.Seed, first.Seed)
	if second.Holder == first.Holder {
		h.Error("two holders are not told apart")
	}
	h.release(first) // is not the holder any more
	h.same("after the first has given back again", h.claim(c).State, store.ClaimHeld)
	h.release(second)
	h.release(second)
	h.fails("settling what was given back", h.Settle(h.ctx, h.user, second, []byte("late")), store.ErrNotFound)
	third := h.takes(c)
	h.same("the seed still stays", third.Seed, first.Seed)
	h.settle(third, "done")
	h.same("settled", h.settled(c), "done")
	if other := h.takes(call("another key", 1)); other.Seed == first.Seed {
		h.Error("two keys have one seed")
	}
}

func claimsLease(h *fixture) {
	c := call("lease", 1)
	first := h.takes(c)
	until := h.clock.Now().Add(lease)
	at := func(now time.Time, lease time.Duration) store.Claim {
		h.Helper()
		return must(h, func() (store.Claim, error) { return h.Claim(h.ctx, h.user, c, now, lease) })
	}
	// What counts is the time handed in, not the store's clock.
	h.same("just before its end", at(until.Add(-time.Microsecond), time.Hour), held(first, until))
	second := at(until, 2*time.Hour)
	h.same("at its end: taken, with the same seed", []any{second.State, second.Seed}, []any{store.ClaimTaken, first.Seed})
	h.same("for the new lease", at(until.Add(time.Hour), lease), held(second, until.Add(2*time.Hour)))
	h.fails("the first holder settles", h.Settle(h.ctx, h.user, first, []byte("of the first")), store.ErrNotFound)
	h.settle(second, "of the second")
	h.same("settled", h.settled(c), "of the second")
	// As long as nobody else has taken the key, a late answer is welcome.
	late := h.takes(call("late", 1))
	h.clock.advance(10 * lease)
	h.settle(late, "late")
	h.same("a late answer", h.settled(call("late", 1)), "late")
}

func claimsFingerprint(h *fixture) {
	conflict := func(what string) {
		h.Helper()
		claim, err := h.Claim(h.ctx, h.user, call("print of claim", 2), h.clock.Now(), lease)
		if model.CodeOf(err) != model.CodeIdempotencyConflict {
			h.Errorf("%s: got %+v, %v", what, claim, err)
		}
		h.same(what+", by Once", h.once(call("print of claim", 2), h.mustNotRun), "error IDEMPOTENCY_CONFLICT")
	}
	c := call("print of claim", 1)
	h.takes(c)
	conflict("held")
	h.clock.advance(2 * lease)
	conflict("when the lease has ended")
	h.release(h.takes(c))
	conflict("given back")
	h.settle(h.takes(c), "a")
	conflict("settled")
	h.same("the first request", h.settled(c), "a")
	h.takes(call("PRINT OF CLAIM", 2)) // keys are told apart by case
}

func claimsHolder(h *fixture) {
	c := call("holder", 1)
	claim := h.takes(c)
	forged := claim
	forged.Holder = h.ids.next()
	nobody := claim
	nobody.Holder = model.UUID{}
	elsewhere := claim
	elsewhere.Key = "no such key"
	stranger := h.as("another holder of claims")
	for what, try := range map[string]func() error{
		"another holder":      func() error { return h.Settle(h.ctx, h.user, forged, []byte("forged")) },
		"no holder":           func() error { return h.Settle(h.ctx, h.user, nobody, []byte("forged")) },
		"another key":         func() error { return h.Settle(h.ctx, h.user, elsewhere, []byte("forged")) },
		"another user":        func() error { return h.Settle(h.ctx, stranger.user, claim, []byte("forged")) },
		"what others hear of": func() error { return h.Settle(h.ctx, h.user, h.claim(c), []byte("forged")) },
	} {
		h.fails("Settle by "+what, try(), store.ErrNotFound)
	}
	for _, other := range []store.Claim{forged, nobody, elsewhere, h.claim(c)} {
		h.release(other)
	}
	stranger.release(claim)
	h.same("still held", h.claim(c).State, store.ClaimHeld)
	h.settle(claim, "mine")
	h.same("settled", h.settled(c), "mine")
	h.once(call("of once, not of a claim", 1), func(context.Context) ([]byte, error) { return []byte("x"), nil })
	h.fails("Settle what Once has recorded", h.Settle(h.ctx, h.user, store.Claim{Key: "of once, not of a claim"},
		[]byte("forged")), store.ErrNotFound)
}

func claimsExpiry(h *fixture) {
	answered, open := call("day of an answer", 1), call("day of a claim", 1)
	first := h.takes(open)
	claim := h.takes(answered)
	h.clock.advance(12 * time.Hour)
	h.settle(claim, "a")
	second := h.takes(open)
	h.same("half a day later", second.Seed, first.Seed)
	h.release(second)
	h.clock.advance(24*time.Hour - time.Second)
	h.same("just before a day after the answer", h.settled(answered), "a")
	third := h.takes(open)
	h.same("just before a day after it was last taken", third.Seed, first.Seed)
	h.clock.advance(2 * time.Second)
	again := h.takes(call(answered.Key, 2)) // even with another fingerprint
	if again.Seed == claim.Seed {
		h.Error("a forgotten key has its seed still")
	}
	h.settle(again, "b")
	h.same("anew", h.settled(call(answered.Key, 2)), "b")
	h.clock.advance(24 * time.Hour)
	fourth := h.takes(call(open.Key, 2))
	if fourth.Seed == first.Seed {
		h.Error("a forgotten claim has its seed still")
	}
	h.fails("the holder of a forgotten claim settles", h.Settle(h.ctx, h.user, third, []byte("late")), store.ErrNotFound)
}

func claimsSwept(h *fixture) {
	sweep := func() {
		h.Helper()
		if err := h.Sweep(h.ctx, h.clock.Now(), 240*time.Hour); err != nil {
			h.Fatalf("Sweep: %v", err)
		}
	}
	held, settled, released := h.takes(call("swept, held", 1)), h.takes(call("swept, settled", 1)),
		h.takes(call("swept, released", 1))
	h.settle(settled, "a")
	h.release(released)
	h.clock.advance(23 * time.Hour)
	sweep()
	h.same("a day is not over", h.settled(call("swept, settled", 1)), "a")
	again := h.takes(call("swept, released", 1)) // taken anew, so kept for another day
	h.same("its seed", again.Seed, released.Seed)
	h.clock.advance(2 * time.Hour)
	sweep()
	h.fails("a forgotten claim cannot be settled", h.Settle(h.ctx, h.user, held, []byte("late")), store.ErrNotFound)
	h.release(held)
	h.takes(call("swept, settled", 2))
	h.settle(again, "b")
	h.same("one that was taken two hours ago", h.settled(call("swept, released", 1)), "b")
}

func claimsAfterOnce(h *fixture) {
	c := call("once, then claimed", 1)
	h.once(c, func(context.Context) ([]byte, error) { return []byte("of once"), nil })
	h.same("the claim", h.claim(c), store.Claim{State: store.ClaimSettled, Key: c.Key, Answer: []byte("of once")})
	_, err := h.Claim(h.ctx, h.user, call(c.Key, 2), h.clock.Now(), lease)
	h.same("with another fingerprint", model.CodeOf(err), model.CodeIdempotencyConflict)
	failed := call("once failed, then claimed", 1)
	h.once(failed, func(context.Context) ([]byte, error) { return nil, errFailed })
	h.takes(call(failed.Key, 2))
}

func claimsBeforeOnce(h *fixture) {
	c := call("claimed, then once", 1)
	claim := h.takes(c)
	head := h.head()
	h.same("while it is held", h.once(c, h.mustNotRun), "error CONFLICT")
	h.settle(claim, "of the claim")
	h.same("when it is settled", h.once(c, h.mustNotRun), "of the claim replayed=true")
	// Given back, or left behind by a crash, the key is free for Once too, and what it records stands.
	for i, leave := range []func(store.Claim){h.release, func(store.Claim) { h.clock.advance(2 * lease) }} {
		c := call(fmt.Sprint("left, then once ", i), 1)
		claim := h.takes(c)
		leave(claim)
		h.same("runs", h.once(c, func(context.Context) ([]byte, error) { return []byte("of once"), nil }),
			"of once replayed=false")
		h.fails("the claim's holder comes late", h.Settle(h.ctx, h.user, claim, []byte("late")), store.ErrNotFound)
		h.release(claim)
		h.same("for Once", h.once(c, h.mustNotRun), "of once replayed=true")
		h.same("for claims", h.settled(c), "of once")
	}
	h.same("log", h.log(head), []string{})
}

func claimsParallel(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	for round := range 3 {
		c := call(fmt.Sprint("claimed by many ", round), 1)
		var wait sync.WaitGroup
		claims, start := make([]store.Claim, 20), make(chan struct{})
		for i := range claims {
			of := []store.Store{h.Store, beside}[i%2]
			wait.Go(func() {
				<-start
				var err error
				if claims[i], err = of.Claim(h.ctx, h.user, c, noon, lease); err != nil {
					h.Errorf("Claim: %v", err)
				}
			})
		}
		close(start)
		wait.Wait()
		var taken store.Claim
		states := map[store.ClaimState]int{}
		for _, claim := range claims {
			states[claim.State]++
			if claim.State == store.ClaimTaken {
				taken = claim
			}
			h.same("the seed", claim.Seed, claims[0].Seed)
		}
		h.same("states", states, map[store.ClaimState]int{store.ClaimTaken: 1, store.ClaimHeld: 19})
		// The one may settle from wherever it is.
		if err := beside.Settle(h.ctx, h.user, taken, []byte("a")); err != nil {
			h.Errorf("Settle: %v", err)
		}
		got := must(h, func() (store.Claim, error) { return h.Claim(h.ctx, h.user, c, noon, lease) })
		h.same("settled", string(got.Answer), "a")
	}
}

// claimsBesideOnce claims a key while Once runs with it: the claim waits for the answer. And calls of both kinds that
// race have one effect.
func claimsBesideOnce(h *fixture) {
	c := call("claimed while once runs", 1)
	inside, leave := make(chan struct{}), make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		got := h.once(c, func(context.Context) ([]byte, error) {
			close(inside)
			<-leave
			return []byte("of once"), nil
		})
		h.same("Once", got, "of once replayed=false")
	})
	<-inside
	wait.Go(func() {
		claim, err := h.Claim(h.ctx, h.user, c, h.clock.Now(), lease)
		if err != nil || claim.State != store.ClaimSettled || string(claim.Answer) != "of once" {
			h.Errorf("the claim that waited: %+v, %v", claim, err)
		}
	})
	close(leave)
	wait.Wait()
	for round := range 5 {
		c := call(fmt.Sprint("raced for ", round), 1)
		start := make(chan struct{})
		var mu sync.Mutex
		effects := 0
		effect := func() {
			mu.Lock()
			defer mu.Unlock()
			effects++
		}
		for i := range 8 {
			wait.Go(func() {
				<-start
				if i%2 == 0 {
					_, _, err := h.Once(h.ctx, h.user, c, func(context.Context) ([]byte, error) { effect(); return []byte("a"), nil })
					if err != nil && model.CodeOf(err) != model.CodeConflict {
						h.Errorf("Once: %v", err)
					}
					return
				}
				claim, err := h.Claim(h.ctx, h.user, c, h.clock.Now(), lease)
				if err == nil && claim.State == store.ClaimTaken {
					effect()
					err = h.Settle(h.ctx, h.user, claim, []byte("a"))
				}
				if err != nil {
					h.Errorf("a claim: %v", err)
				}
			})
		}
		close(start)
		wait.Wait()
		h.same("effects", effects, 1)
		h.same("the answer", h.settled(c), "a")
	}
}

func claimsUsers(h *fixture) {
	other := h.as("another claimer")
	mine, theirs := h.takes(call("key of two", 1)), other.takes(call("key of two", 2))
	if mine.Seed == theirs.Seed || mine.Holder == theirs.Holder {
		h.Error("two users share a seed or a holder")
	}
	h.settle(mine, "mine")
	h.same("the other's is held still", other.claim(call("key of two", 2)).State, store.ClaimHeld)
	other.settle(theirs, "theirs")
	h.same("answers", []string{h.settled(call("key of two", 1)), other.settled(call("key of two", 2))},
		[]string{"mine", "theirs"})
}

func claimsInTransactions(h *fixture) {
	c := call("claimed in vain", 1)
	err := h.Write(h.ctx, h.user, func(ctx context.Context, _ store.Tx) error {
		claim, err := h.Claim(ctx, h.user, c, h.clock.Now(), lease)
		h.same("taken", claim.State, store.ClaimTaken)
		again := must(h, func() (store.Claim, error) { return h.Claim(ctx, h.user, c, h.clock.Now(), lease) })
		h.same("held inside", again.State, store.ClaimHeld)
		return errors.Join(err, h.Settle(ctx, h.user, claim, []byte("x")), errFailed)
	})
	h.fails("Write", err, errFailed)
	claim := h.takes(c)
	// A settlement goes with the changes that it stands for.
	task := h.task("the change")
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.InsertTasks(ctx, []model.Task{task}), h.Settle(ctx, h.user, claim, []byte("done")))
	})
	h.same("settled", h.settled(c), "done")
	other := h.as("other of claims")
	h.write(func(ctx context.Context, _ store.Tx) error {
		// For another user than the transaction's.
		_, err := h.Claim(ctx, other.user, c, h.clock.Now(), lease)
		for _, err := range []error{err, h.Settle(ctx, other.user, claim, nil), h.Release(ctx, other.user, claim)} {
			if err == nil || errors.Is(err, store.ErrNotFound) {
				h.Errorf("another user's claim in a Write: %v", err)
			}
		}
		err = h.Settle(ctx, h.user, store.Claim{Key: c.Key, Holder: h.ids.next()}, nil)
		h.fails("a refused settlement", err, store.ErrNotFound) // and the transaction goes on
		return nil
	})
}

func claimsOfStranger(h *fixture) {
	stranger := *h
	stranger.user = model.UserIDOf("nobody has seen this claimer")
	claim := stranger.takes(call("first", 1))
	stranger.settle(claim, "a")
	h.same("settled", stranger.settled(call("first", 1)), "a")
	for what, try := range map[string]func(user model.UserID) error{
		"Settle":  func(user model.UserID) error { return h.Settle(h.ctx, user, claim, nil) },
		"Release": func(user model.UserID) error { return h.Release(h.ctx, user, claim) },
	} {
		err := try(model.UserIDOf("nor this one, " + what))
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			h.Errorf("%s: %v", what, err)
		}
	}
	_, err := h.Claim(h.ctx, h.user, model.IdempotentCall{Key: "a\x00b"}, noon, lease)
	h.same("a key that cannot be kept", model.CodeOf(err), model.CodeBadUserInput)
}
