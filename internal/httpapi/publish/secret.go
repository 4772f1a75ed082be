package publish

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Hash is what the store keeps of a secret.
type Hash [sha256.Size]byte

// secretBytes is how much chance a secret holds.
const secretBytes = 32

// NewSecret returns the secret of a new publication, 43 characters for an address, and its hash. The secret is shown
// once and kept nowhere.
func NewSecret() (string, Hash) {
	var random [secretBytes]byte
	_, _ = rand.Read(random[:]) // never fails (Go 1.24)
	secret := base64.RawURLEncoding.EncodeToString(random[:])
	return secret, HashOf(secret)
}

// HashOf returns the hash of a secret. A secret of this much chance needs no salt and no slow hash.
func HashOf(secret string) Hash { return sha256.Sum256([]byte("almanac feed v1\x00" + secret)) }
