package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"almanac/graph/model"
)

// ErrNoKey says that none of the keys at hand made a ciphertext. Whoever has the key can still open it.
var ErrNoKey = errors.New("sealed with a key that is not at hand")

// Place is where a secret is kept. A ciphertext opens only in the place it was sealed for, so that nobody who can write
// to the database can hand one user's secret to another, or one column's to the next.
type Place struct {
	User model.UserID
	// Row is the row's own id; zero where there is none.
	Row model.UUID
	// Column is the name of the column, or of another use.
	Column string
}

// The form of a ciphertext: the version, the id of the key, the nonce, and what AES-256-GCM gives with its tag.
const (
	boxVersion  = 1
	keyIDSize   = 8
	boxPrefix   = 1 + keyIDSize
	nonceSize   = 12
	tagSize     = 16
	boxOverhead = boxPrefix + nonceSize + tagSize
)

// The uses that a key is derived for. The same secret signs cursors too, and no use may learn anything of another
// (RFC 5869, 3.2).
const (
	infoCipher = "almanac box v1 cipher"
	infoKeyID  = "almanac box v1 key id"
)

// Box hides secrets with AES-256-GCM (NIST SP 800-38D) under keys derived with HKDF-SHA256 (RFC 5869). The first key
// encrypts and all of them open, so that keys can be rotated. It is safe for goroutines.
//
// Nonces are random, 96 bits: one key is good for 2^32 ciphertexts, which is two tokens an hour for a quarter of a
// million accounts for a year.
type Box struct{ keys []boxKey }

type boxKey struct {
	id   [keyIDSize]byte
	aead cipher.AEAD
}

// NewBox makes a box of secrets of 32 bytes or more, at least one. The secrets may be those of a Sealer.
func NewBox(secrets ...[]byte) (*Box, error) {
	if len(secrets) == 0 {
		return nil, errors.New("seal: no key")
	}
	b := &Box{}
	for _, secret := range secrets {
		if len(secret) < 32 {
			return nil, errors.New("seal: a key must have at least 32 bytes")
		}
		key, err := newBoxKey(secret)
		if err != nil {
			return nil, fmt.Errorf("seal: derive a key: %w", err)
		}
		b.keys = append(b.keys, key)
	}
	return b, nil
}

func newBoxKey(secret []byte) (boxKey, error) {
	derived, err := hkdf.Key(sha256.New, secret, nil, infoCipher, 32)
	if err != nil {
		return boxKey{}, err
	}
	id, err := hkdf.Key(sha256.New, secret, nil, infoKeyID, keyIDSize)
	if err != nil {
		return boxKey{}, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return boxKey{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return boxKey{id: [keyIDSize]byte(id), aead: aead}, err
}

// Seal returns the ciphertext of a secret for its place, 37 bytes longer than the secret. No two are alike.
func (b *Box) Seal(at Place, secret []byte) []byte {
	key := b.keys[0]
	sealed := make([]byte, 0, len(secret)+boxOverhead)
	sealed = append(sealed, boxVersion)
	sealed = append(sealed, key.id[:]...)
	bound := at.bound(sealed)
	return key.aead.Seal(sealed, nil, secret, bound) //nolint:gosec // G407: nil asks this AEAD for a random nonce
}

// Open returns the secret back. ErrNoKey when it was sealed with another key; ErrBroken when it was altered, or sealed
// for another place.
func (b *Box) Open(at Place, sealed []byte) ([]byte, error) {
	if len(sealed) < boxOverhead || sealed[0] != boxVersion {
		return nil, ErrBroken
	}
	prefix, rest := sealed[:boxPrefix], sealed[boxPrefix:]
	for _, key := range b.keys {
		if key.id != [keyIDSize]byte(prefix[1:]) {
			continue
		}
		secret, err := key.aead.Open(nil, nil, rest, at.bound(prefix))
		if err != nil {
			return nil, ErrBroken // the cause tells nothing more
		}
		return secret, nil
	}
	return nil, ErrNoKey
}

// Stale reports whether a ciphertext was not made with the first key, so that it should be sealed anew when it is next
// written.
func (b *Box) Stale(sealed []byte) bool {
	return len(sealed) < boxOverhead || sealed[0] != boxVersion || b.keys[0].id != [keyIDSize]byte(sealed[1:boxPrefix])
}

// Reseal returns a ciphertext of the same secret under the first key, or the one given when it is under that key
// already. Errors are those of Open.
func (b *Box) Reseal(at Place, sealed []byte) ([]byte, error) {
	secret, err := b.Open(at, sealed)
	if err != nil || !b.Stale(sealed) {
		return sealed, err
	}
	return b.Seal(at, secret), nil
}

// SealText is Seal for what travels in addresses and forms: URL-safe base64.
func (b *Box) SealText(at Place, secret []byte) string {
	return encoding.EncodeToString(b.Seal(at, secret))
}

// OpenText is Open for what SealText gives. ErrBroken when the text is no such base64.
func (b *Box) OpenText(at Place, text string) ([]byte, error) {
	sealed, err := encoding.DecodeString(text)
	if err != nil || encoding.EncodeToString(sealed) != text {
		return nil, ErrBroken
	}
	return b.Open(at, sealed)
}

// bound is what a ciphertext is bound to besides its key: the prefix before it and the place. Every part but the last
// has a fixed size, so no two places have the same bytes.
func (p Place) bound(prefix []byte) []byte {
	data := make([]byte, 0, len(prefix)+len(p.User)+len(p.Row)+8+len(p.Column))
	data = append(data, prefix...)
	data = append(data, p.User[:]...)
	data = append(data, p.Row[:]...)
	data = binary.BigEndian.AppendUint64(data, uint64(len(p.Column)))
	return append(data, p.Column...)
}
