package rows

import (
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// TestTheRecordOfAKey: what Once and Claim make of every state that a record can have, at the very ends of a lease too.
func TestTheRecordOfAKey(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	call := model.IdempotentCall{Key: "key", Fingerprint: [32]byte{1}}
	own, seed, notes := call.Fingerprint[:], model.UUID{7}, []byte("decided")
	const taken, held, settled = store.ClaimTaken, store.ClaimHeld, store.ClaimSettled
	for _, c := range []struct {
		name   string
		record *KeyRecord
		// What Once does: replay, or refuse with a code, or else run.
		replay bool
		code   model.ErrorCode
		// What Claim does, unless it refuses.
		state   store.ClaimState
		refused model.ErrorCode
	}{
		{"none", nil, false, "", taken, ""},
		{"recorded by Once", &KeyRecord{Fingerprint: own, Answered: true, Answer: []byte("a")}, true, "", settled, ""},
		{"settled", &KeyRecord{Fingerprint: own, Answered: true, Seed: seed}, true, "", settled, ""},
		{"erased since", &KeyRecord{Fingerprint: own, Answered: true, Erased: true}, false, model.CodeConflict, 0,
			model.CodeConflict},
		{"another's, erased since", &KeyRecord{Fingerprint: []byte{2}, Answered: true, Erased: true}, false,
			model.CodeIdempotencyConflict, 0, model.CodeIdempotencyConflict},
		{"held", &KeyRecord{Fingerprint: own, Seed: seed, HeldUntil: now.Add(1), Notes: notes}, false, model.CodeConflict,
			held, ""},
		{"held until now", &KeyRecord{Fingerprint: own, Seed: seed, HeldUntil: now, Notes: notes}, false, "", taken, ""},
		{"given back", &KeyRecord{Fingerprint: own, Seed: seed}, false, "", taken, ""},
		{"given back with notes", &KeyRecord{Fingerprint: own, Seed: seed, Notes: notes}, false, "", taken, ""},
		{"another's answer", &KeyRecord{Fingerprint: []byte{2}, Answered: true, Answer: []byte("a")}, false,
			model.CodeIdempotencyConflict, 0, model.CodeIdempotencyConflict},
		{"another's claim", &KeyRecord{Fingerprint: []byte{2}, Seed: seed, HeldUntil: now.Add(1)}, false,
			model.CodeIdempotencyConflict, 0, model.CodeIdempotencyConflict},
		{"another's, given back", &KeyRecord{Fingerprint: []byte{2}, Seed: seed}, false, model.CodeIdempotencyConflict, 0,
			model.CodeIdempotencyConflict},
	} {
		replay, err := c.record.Once(call, now)
		if replay != c.replay || model.CodeOf(err) != c.code {
			t.Errorf("%s: Once: replay %v, %v", c.name, replay, err)
		}
		claim, err := c.record.Claim(call, now)
		if claim.State != c.state || model.CodeOf(err) != c.refused {
			t.Errorf("%s: Claim: %+v, %v", c.name, claim, err)
		}
		if err != nil {
			continue
		}
		if claim.Key != call.Key {
			t.Errorf("%s: the key of the claim is %q", c.name, claim.Key)
		}
		if isTaken := claim.State == taken; isTaken != (claim.Holder != model.UUID{}) {
			t.Errorf("%s: the holder is %x: whoever does not hold the key must not learn who does", c.name, claim.Holder)
		}
		if c.record != nil && claim.Seed != c.record.Seed {
			t.Errorf("%s: the seed is %x, was %x", c.name, claim.Seed, c.record.Seed)
		}
		if noted := c.record != nil && claim.State == taken &&
			c.record.Notes != nil; noted != (string(claim.Notes) == string(notes)) || !noted && claim.Notes != nil {
			t.Errorf("%s: the notes are %q: they are for the holder", c.name, claim.Notes)
		}
		if c.record != nil && claim.State == settled && string(claim.Answer) != string(c.record.Answer) {
			t.Errorf("%s: the answer is %q", c.name, claim.Answer)
		}
		if claim.State == held && !claim.HeldUntil.Equal(c.record.HeldUntil) {
			t.Errorf("%s: held until %v", c.name, claim.HeldUntil)
		}
	}
}

func TestHoldersAndSeedsAreNotTheSameTwice(t *testing.T) {
	seen := map[model.UUID]bool{{}: true}
	for range 100 {
		claim, err := (*KeyRecord)(nil).Claim(model.IdempotentCall{Key: "key"}, time.Time{})
		if err != nil || seen[claim.Holder] || seen[claim.Seed] || claim.Holder == claim.Seed {
			t.Fatalf("%+v, %v", claim, err)
		}
		seen[claim.Holder], seen[claim.Seed] = true, true
		if version, variant := claim.Seed[6]>>4, claim.Seed[8]>>6; version != 4 || variant != 2 {
			t.Errorf("%x has version %d and variant %d", claim.Seed, version, variant)
		}
	}
}
