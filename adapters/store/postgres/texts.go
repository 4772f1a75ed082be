package postgres

import "strings"

// The texts of a result share their memory: one allocation for many texts instead of one for each. Whoever keeps a
// single text of them keeps at most maxShared bytes.
const (
	firstShared = 256
	maxShared   = 4096
	// ownText is the length from which on a text has memory of its own.
	ownText = 1024
)

// texts copies texts out of the connection's buffer.
type texts struct{ shared strings.Builder }

// keep returns the value as a text that stays valid.
func (t *texts) keep(value []byte) string {
	if len(value) >= ownText {
		return string(value)
	}
	if t.shared.Cap()-t.shared.Len() < len(value) {
		next := min(max(4*t.shared.Cap(), firstShared), maxShared)
		t.shared.Reset() // the texts keep what they are in
		t.shared.Grow(max(next, len(value)))
	}
	start := t.shared.Len()
	_, _ = t.shared.Write(value) // never fails, by its contract
	return t.shared.String()[start:]
}
