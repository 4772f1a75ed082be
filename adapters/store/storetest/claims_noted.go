package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func claimsNoted(h *fixture, open Open) {
	for _, c := range []struct {
		name string
		run  func(h *fixture)
	}{
		{"for the next holder", notesForTheNext},
		{"for the next holder in another process", func(h *fixture) { notesBeside(h, open) }},
		{"replaced", notesReplaced},
		{"any bytes", notesOfAnyBytes},
		{"the holder's alone", notesOfTheHolder},
		{"gone with the answer", notesGoneWithTheAnswer},
		{"gone with the key", notesGoneWithTheKey},
		{"gone when Once takes the key", notesGoneWithOnce},
		{"of two users", notesOfTwoUsers},
		{"in transactions", notesInTransactions},
	} {
		h.Run(c.name, func(t *testing.T) { c.run(h.in(t)) })
	}
}

func (h *fixture) note(claim store.Claim, notes string) {
	h.Helper()
	if err := h.Note(h.ctx, h.user, claim, []byte(notes)); err != nil {
		h.Fatalf("Note: %v", err)
	}
}

// takesNotes takes a key, which must be free, and come with these notes.
func (h *fixture) takesNotes(what string, c model.IdempotentCall, notes string) store.Claim {
	h.Helper()
	claim := h.takes(c)
	if got := string(claim.Notes); got != notes {
		h.Errorf("%s: %d bytes of notes, %s; want %d, %s", what, len(got), show(fmt.Sprintf("%.40q", got)), len(notes),
			show(fmt.Sprintf("%.40q", notes)))
	}
	return claim
}

// keptNotes returns the claim back and takes it again with these notes.
func (h *fixture) keptNotes(what string, c model.IdempotentCall, claim store.Claim, notes string) store.Claim {
	h.Helper()
	h.release(claim)
	return h.takesNotes(what, c, notes)
}

func notesForTheNext(h *fixture) {
	c := call("noted", 1)
	head := h.head()
	first := h.takesNotes("a new key", c, "")
	h.note(first, "decided")
	until := h.clock.Now().Add(lease)
	h.same("whoever waits for the key does not get them", h.claim(c), held(first, until))
	second := h.keptNotes("given back", c, first, "decided")
	h.same("the seed", second.Seed, first.Seed)
	h.clock.advance(2 * lease)
	third := h.takesNotes("when the lease has ended", c, "decided")
	fourth := h.keptNotes("given back by one who noted nothing", c, third, "decided")
	// As long as nobody else has taken the key, the holder may note after its lease too.
	h.clock.advance(2 * lease)
	h.note(fourth, "decided late")
	h.takesNotes("noted after the lease", c, "decided late")
	h.same("log", h.log(head), []string{})
}

func notesBeside(h *fixture, open Open) {
	beside := *h
	beside.Store = open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	c := call("noted by another process", 1)
	claim := beside.takes(c)
	beside.note(claim, "decided there")
	h.fails("the claim it would have", h.Note(h.ctx, h.user, h.claim(c), []byte("here")), store.ErrNotFound)
	h.clock.advance(2 * lease) // the other process has died
	h.takesNotes("here", c, "decided there")
	h.fails("the other, if it lives", beside.Note(h.ctx, h.user, claim, []byte("late")), store.ErrNotFound)
	h.clock.advance(2 * lease)
	beside.takesNotes("there", c, "decided there")
}

func notesReplaced(h *fixture) {
	c := call("noted again", 1)
	claim := h.takes(c)
	for _, notes := range []string{"one", "one and two", "two", "", "three"} {
		h.note(claim, notes)
		claim = h.keptNotes("replaced", c, claim, notes)
	}
	if err := h.Note(h.ctx, h.user, claim, nil); err != nil {
		h.Errorf("Note of nothing: %v", err)
	}
	claim = h.keptNotes("nothing", c, claim, "")
	h.same("nothing is nil", claim.Notes == nil, true)
	h.note(claim, "theirs")
	other := h.takes(call("NOTED AGAIN", 1))
	h.same("another key has none", string(other.Notes), "")
	h.note(other, "of another key")
	h.keptNotes("and this one keeps its own", c, claim, "theirs")
}

func notesOfAnyBytes(h *fixture) {
	large := make([]byte, model.MaxNotes)
	for i := range large {
		large[i] = byte(i * i >> 7)
	}
	for name, notes := range map[string]string{
		"NUL first": "\x00a\x00", "NUL alone": "\x00", "not UTF-8": "\xff\xfe\x80", "Hebrew": "הוחלט: 30 דקות",
		"a quote": `'"\`, "as much as there may be": string(large),
	} {
		c := call("noted bytes: "+name, 1)
		claim := h.takes(c)
		h.note(claim, notes)
		claim = h.keptNotes(name, c, claim, notes)
		h.keptNotes(name+", taken twice", c, claim, notes)
	}
}

func notesOfTheHolder(h *fixture) {
	c := call("holder of notes", 1)
	first := h.takes(c)
	h.note(first, "mine")
	forged, nobody, elsewhere := first, first, first
	forged.Holder, nobody.Holder, elsewhere.Key = h.ids.next(), model.UUID{}, "no such noted key"
	stranger := h.as("another holder of notes")
	for what, try := range map[string]func() error{
		"another holder":      func() error { return h.Note(h.ctx, h.user, forged, []byte("forged")) },
		"no holder":           func() error { return h.Note(h.ctx, h.user, nobody, []byte("forged")) },
		"another key":         func() error { return h.Note(h.ctx, h.user, elsewhere, []byte("forged")) },
		"another user":        func() error { return h.Note(h.ctx, stranger.user, first, []byte("forged")) },
		"what others hear of": func() error { return h.Note(h.ctx, h.user, h.claim(c), []byte("forged")) },
		"a user of no row": func() error {
			return h.Note(h.ctx, model.UserIDOf("nobody has noted"), first, []byte("forged"))
		},
	} {
		h.fails("Note by "+what, try(), store.ErrNotFound)
	}
	h.release(first)
	h.fails("Note by who gave the key back", h.Note(h.ctx, h.user, first, []byte("late")), store.ErrNotFound)
	second := h.takesNotes("after all that", c, "mine")
	h.fails("Note by the holder before", h.Note(h.ctx, h.user, first, []byte("late")), store.ErrNotFound)
	h.clock.advance(2 * lease)
	third := h.takes(c)
	h.fails("Note by one whose lease has ended", h.Note(h.ctx, h.user, second, []byte("late")), store.ErrNotFound)
	h.keptNotes("at the end", c, third, "mine")
}

func notesGoneWithTheAnswer(h *fixture) {
	c := call("noted and settled", 1)
	claim := h.takes(c)
	h.note(claim, "decided")
	h.settle(claim, "done")
	want := store.Claim{State: store.ClaimSettled, Key: c.Key, Seed: claim.Seed, Answer: []byte("done")}
	h.same("settled", h.claim(c), want)
	h.fails("Note when it is settled", h.Note(h.ctx, h.user, claim, []byte("late")), store.ErrNotFound)
	h.settle(claim, "again")
	h.same("as it was", h.claim(c), want)
	once := call("of once, not of a claim with notes", 1)
	h.once(once, func(context.Context) ([]byte, error) { return []byte("x"), nil })
	h.fails("Note with what Once has recorded", h.Note(h.ctx, h.user, store.Claim{Key: once.Key}, []byte("forged")),
		store.ErrNotFound)
}

func notesGoneWithTheKey(h *fixture) {
	sweep := func() {
		if err := h.Sweep(h.ctx, h.clock.Now(), 240*time.Hour); err != nil {
			h.Fatalf("Sweep: %v", err)
		}
	}
	for name, forget := range map[string]func(){"forgotten": func() {}, "swept": sweep} {
		c := call("noted and "+name, 1)
		claim := h.takes(c)
		h.note(claim, "decided")
		h.clock.advance(24*time.Hour - time.Second)
		sweep()
		claim = h.takesNotes(name+": just before a day", c, "decided") // which keeps it for another day
		h.clock.advance(24*time.Hour - time.Second)
		sweep()
		h.takesNotes(name+": just before another", c, "decided")
		h.clock.advance(24*time.Hour + time.Second)
		forget()
		again := h.takesNotes(name, c, "")
		if again.Seed == claim.Seed {
			h.Errorf("%s: the key has its seed still", name)
		}
		h.fails(name+": the holder before", h.Note(h.ctx, h.user, claim, []byte("late")), store.ErrNotFound)
		h.keptNotes(name+": and later", c, again, "")
	}
}

// notesGoneWithOnce: when a mutation moved from remote to own between two versions of the schema, Once may take a key
// that was given back.
func notesGoneWithOnce(h *fixture) {
	c := call("noted, then once", 1)
	claim := h.takes(c)
	h.note(claim, "decided")
	h.release(claim)
	h.same("Once", h.once(c, func(context.Context) ([]byte, error) { return []byte("of once"), nil }),
		"of once replayed=false")
	h.same("for claims", h.claim(c), store.Claim{State: store.ClaimSettled, Key: c.Key, Answer: []byte("of once")})
	h.clock.advance(24*time.Hour + time.Second)
	h.takesNotes("a day later", c, "")
}

func notesOfTwoUsers(h *fixture) {
	other := h.as("another who notes")
	c := call("noted by two", 1)
	mine, theirs := h.takes(c), other.takes(c)
	h.note(mine, "mine")
	theirs = other.keptNotes("before they note", c, theirs, "")
	other.note(theirs, "theirs")
	h.keptNotes("mine", c, mine, "mine")
	other.keptNotes("theirs", c, theirs, "theirs")
}

func notesInTransactions(h *fixture) {
	c := call("noted in vain", 1)
	claim := h.takes(c)
	h.note(claim, "before")
	err := h.Write(h.ctx, h.user, func(ctx context.Context, _ store.Tx) error {
		return errors.Join(h.Note(ctx, h.user, claim, []byte("undone")), errFailed)
	})
	h.fails("Write", err, errFailed)
	claim = h.keptNotes("rolled back", c, claim, "before")
	other := h.as("other of notes")
	h.write(func(ctx context.Context, _ store.Tx) error {
		if err := h.Note(ctx, other.user, claim, []byte("forged")); err == nil {
			h.Error("noted for another user than the transaction's")
		}
		h.fails("a refused note", h.Note(ctx, h.user, store.Claim{Key: c.Key, Holder: h.ids.next()}, []byte("forged")),
			store.ErrNotFound)
		return h.Note(ctx, h.user, claim, []byte("with the write")) // and the transaction goes on
	})
	h.keptNotes("committed", c, claim, "with the write")
}
