package auth

import (
	"crypto/sha256"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"almanac/graph/model"
)

const (
	// maxProofs bounds the JWTs whose proof is kept.
	maxProofs = 4096
	// proofFresh is how long a proof is kept at most, and so how much longer than without it a key counts that the issuer
	// has withdrawn.
	proofFresh = time.Minute
)

// proofs keeps what JWTs have proved, since clients send one token with each request and verifying costs more than the
// rest of a small query. A proof counts until the token's exp, for proofFresh at most, and with the keys that it was
// made with. Tokens themselves are not kept. API tokens have no place here: they are revoked at any time.
type proofs struct {
	byToken *lru.Cache[[sha256.Size]byte, proof]
}

type proof struct {
	caller model.Caller
	// keys is the version of the keys that were used.
	keys        uint64
	from, until time.Time
}

func newProofs() proofs {
	byToken, _ := lru.New[[sha256.Size]byte, proof](maxProofs) // fails only for a size that is not positive
	return proofs{byToken}
}

// find returns the caller that the token has proved to be by the keys of that version.
func (p proofs) find(token [sha256.Size]byte, keys uint64, now time.Time) (model.Caller, bool) {
	found, ok := p.byToken.Get(token)
	if !ok || found.keys != keys || now.Before(found.from) || !now.Before(found.until) {
		return model.Caller{}, false
	}
	return found.caller, true
}

func (p proofs) keep(token [sha256.Size]byte, keys uint64, now time.Time, caller model.Caller) {
	until := now.Add(proofFresh)
	if caller.ExpiresAt.Before(until) {
		until = caller.ExpiresAt
	}
	p.byToken.Add(token, proof{caller: caller, keys: keys, from: now, until: until})
}
