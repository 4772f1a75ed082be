// Package seal makes opaque texts that only this deployment can have made: cursors and confirmation tokens (Sealer),
// and ciphertexts of secrets that it keeps for users (Box).
//
// It promises that both open only for the purpose and the user they were sealed for, unaltered. A Sealer does not hide
// what is inside; nothing secret belongs there.
package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"

	"almanac/graph/model"
)

// ErrBroken says that a text was not sealed here, or for something or somebody else.
var ErrBroken = errors.New("seal is broken")

// macSize is how much of the MAC is kept: 96 bits are out of reach for guessing over the network and keep cursors
// short.
const macSize = 12

var encoding = base64.RawURLEncoding

// Sealer seals with its first key and opens with any, so that keys can be rotated.
type Sealer struct{ keys [][]byte }

// New makes a sealer; at least one key of 32 bytes or more is needed.
func New(keys ...[]byte) (*Sealer, error) {
	if len(keys) == 0 {
		return nil, errors.New("seal: no key")
	}
	for _, key := range keys {
		if len(key) < 32 {
			return nil, errors.New("seal: a key must have at least 32 bytes")
		}
	}
	return &Sealer{keys: keys}, nil
}

// Seal returns the payload in URL-safe base64 with its MAC.
func (s *Sealer) Seal(purpose string, user model.UserID, payload []byte) string {
	raw := make([]byte, 0, len(payload)+macSize)
	raw = append(raw, payload...)
	raw = append(raw, mac(s.keys[0], purpose, user, payload)...)
	return encoding.EncodeToString(raw)
}

// Open returns the payload back; ErrBroken when the text was not sealed for this purpose and user.
func (s *Sealer) Open(purpose string, user model.UserID, text string) ([]byte, error) {
	raw, err := encoding.DecodeString(text)
	if err != nil || len(raw) < macSize || encoding.EncodeToString(raw) != text {
		return nil, ErrBroken
	}
	payload, given := raw[:len(raw)-macSize], raw[len(raw)-macSize:]
	for _, key := range s.keys {
		if hmac.Equal(given, mac(key, purpose, user, payload)) {
			return payload, nil
		}
	}
	return nil, ErrBroken
}

func mac(key []byte, purpose string, user model.UserID, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(purpose)))
	_, _ = h.Write(length[:]) // so that no purpose and payload run into each other
	_, _ = h.Write([]byte(purpose))
	_, _ = h.Write(user[:])
	_, _ = h.Write(payload)
	return h.Sum(nil)[:macSize]
}
