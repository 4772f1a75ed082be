package google

import (
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
)

// secrets makes tokens that nobody can guess, or, with a seed, the same ones in every run.
type secrets struct {
	mu     sync.Mutex
	source io.Reader
}

func newSecrets(seed uint64) *secrets {
	if seed == 0 {
		return &secrets{source: crand.Reader}
	}
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return &secrets{source: rand.NewChaCha8(key)}
}

// next makes a token of 192 bits after a prefix. It panics when the system has no randomness.
func (s *secrets) next(prefix string) string {
	var raw [24]byte
	s.mu.Lock()
	_, err := io.ReadFull(s.source, raw[:])
	s.mu.Unlock()
	if err != nil {
		panic("google: no randomness for a token: " + err.Error())
	}
	return prefix + base64.RawURLEncoding.EncodeToString(raw[:])
}

// digest is what is kept of a token: enough to know it again, too little to use it.
type digest [sha256.Size]byte

func digestOf(token string) digest { return sha256.Sum256([]byte(token)) }

// MarshalText writes a digest in hexadecimal.
func (d digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return errors.New("a digest of the wrong length")
	}
	_, err := hex.Decode(d[:], text)
	return err
}
