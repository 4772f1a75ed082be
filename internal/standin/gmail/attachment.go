package gmail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// The parts of an attachment's id before they are written as text: a number that makes it different each time, a digest
// that tells ids of the stand-in from others, and the message and the part, hidden, so that nobody takes them apart.
const (
	nonceSize  = 8
	digestSize = 16
	// hiddenSize makes ids as long as Gmail's, 384 characters.
	hiddenSize = 288 - nonceSize - digestSize
)

// attachmentID makes an id that holds all there is to know, so that nothing need be remembered of it.
func (s *Service) attachmentID(message, part string) string {
	n := s.shown.Add(1)
	if s.switches.StableAttachmentIDs {
		sum := sha256.Sum256([]byte(message + "/" + part))
		n = binary.BigEndian.Uint64(sum[:])
	}
	plain := []byte(message + "/" + part + "/")
	if missing := hiddenSize - len(plain); missing > 0 {
		plain = append(plain, make([]byte, missing)...)
	}
	raw := binary.BigEndian.AppendUint64(nil, n)
	raw = append(raw, s.digest(n, plain)...)
	return base64.URLEncoding.EncodeToString(append(raw, s.hide(n, plain)...))
}

// readAttachmentID returns what an id was made of; ok is false for one that is none.
func (s *Service) readAttachmentID(id string) (message, part string, ok bool) {
	raw, err := base64.URLEncoding.DecodeString(id)
	if err != nil || len(raw) < nonceSize+digestSize {
		return "", "", false
	}
	n := binary.BigEndian.Uint64(raw)
	plain := s.hide(n, raw[nonceSize+digestSize:])
	if !bytes.Equal(raw[nonceSize:nonceSize+digestSize], s.digest(n, plain)) {
		return "", "", false
	}
	message, rest, _ := strings.Cut(string(plain), "/")
	part, _, _ = strings.Cut(rest, "/")
	return message, part, true
}

func (s *Service) digest(n uint64, plain []byte) []byte {
	key := scramble("attachment digest", s.state.Seed, n)
	sum := sha256.Sum256(append(key[:], plain...))
	return sum[:digestSize]
}

// hide covers a text with a stream of bytes, and uncovers it when done again.
func (s *Service) hide(n uint64, text []byte) []byte {
	out := make([]byte, 0, len(text))
	key := scramble("attachment stream", s.state.Seed, n)
	for i := uint64(0); len(out) < len(text); i++ {
		block := scramble(string(key[:]), n, i)
		for _, b := range block[:min(len(block), len(text)-len(out))] {
			out = append(out, b^text[len(out)])
		}
	}
	return out
}
