package rows

import (
	"bytes"
	"crypto/rand"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// KeyTerm is how long an idempotency key is kept: from its answer on, or, as long as it has none, from when it was
// taken last.
const KeyTerm = 24 * time.Hour

// KeyRecord is what is kept under an idempotency key whose term has not ended.
type KeyRecord struct {
	Fingerprint []byte
	// Answered reports whether there is an answer, which may be an empty one.
	Answered bool
	Answer   []byte
	// Seed is that of a key that was claimed; zero for one that Once has recorded.
	Seed model.UUID
	// HeldUntil is when the lease of a claim ends that was not given back; zero when nobody holds the key.
	HeldUntil time.Time
	// Notes are what the claim's holders so far have noted; empty for nothing.
	Notes []byte
	// Erased tells that what the answer told of was erased since, and the answer with it. The key stays, so that nothing
	// is done again.
	Erased bool
}

// erased refuses to give an answer that is no more.
func (r *KeyRecord) erased() error {
	if !r.Erased {
		return nil
	}
	return model.Errorf(model.CodeConflict,
		"this request was done, and what its answer told of was erased since; use a new Idempotency-Key to do it again")
}

// another refuses a call that is not the one that the key was first used for.
func (r *KeyRecord) another(call model.IdempotentCall) error {
	if bytes.Equal(r.Fingerprint, call.Fingerprint[:]) {
		return nil
	}
	return model.Errorf(model.CodeIdempotencyConflict,
		"this Idempotency-Key was used for another request; use a new key for a new request")
}

// Once says what store.Transactor.Once does about the record of its key, nil for none: give the answer again, refuse,
// or run.
func (r *KeyRecord) Once(call model.IdempotentCall, now time.Time) (replay bool, err error) {
	if r == nil {
		return false, nil
	}
	if err := r.another(call); err != nil {
		return false, err
	}
	if err := r.erased(); err != nil {
		return false, err
	}
	if !r.Answered && r.HeldUntil.After(now) {
		return false, model.Errorf(model.CodeConflict,
			"the same request is under way; repeat it in a moment, with the same Idempotency-Key")
	}
	return r.Answered, nil
}

// Claim says what comes of store.Claimer.Claim by the record of its key, nil for none. A claim that is taken must be
// stored, with its holder and seed. What is noted stays with the seed: storing another one forgets it.
func (r *KeyRecord) Claim(call model.IdempotentCall, now time.Time) (store.Claim, error) {
	if r == nil {
		return store.Claim{State: store.ClaimTaken, Key: call.Key, Holder: randomID(), Seed: randomID()}, nil
	}
	if err := r.another(call); err != nil {
		return store.Claim{}, err
	}
	if err := r.erased(); err != nil {
		return store.Claim{}, err
	}
	switch {
	case r.Answered:
		return store.Claim{State: store.ClaimSettled, Key: call.Key, Seed: r.Seed, Answer: r.Answer}, nil
	case r.HeldUntil.After(now):
		return store.Claim{State: store.ClaimHeld, Key: call.Key, Seed: r.Seed, HeldUntil: r.HeldUntil}, nil
	}
	return store.Claim{State: store.ClaimTaken, Key: call.Key, Holder: randomID(), Seed: r.Seed, Notes: r.Notes}, nil
}

// randomID makes a UUID of chance alone: version 4 (RFC 9562, 5.4). What it names is never listed, so its order does
// not matter.
func randomID() (id model.UUID) {
	_, _ = rand.Read(id[:]) // never fails, by its contract
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}
