package clock

import (
	"bytes"
	"testing"
	"time"
)

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// The two carries happen once in ages, so the state is set just before them.
func TestStepCarries(t *testing.T) {
	at := time.UnixMilli(1000)
	for name, g := range map[string]*IDs{
		"into the upper 12 bits": {started: true, milli: 1000, high: 5, low: maxLow},
		"into the milliseconds":  {started: true, milli: 1000, high: maxHigh, low: maxLow},
	} {
		g.rand, g.now = zeros{}, func() time.Time { return at }
		before := g.id()
		after := g.New()
		if bytes.Compare(before[:], after[:]) >= 0 {
			t.Errorf("%s: %x is not after %x", name, after, before)
		}
		if after[6]>>4 != 7 || after[8]>>6 != 0b10 {
			t.Errorf("%s: %x is not a UUIDv7", name, after)
		}
	}
}

func TestFirstIDMayBeAllZero(t *testing.T) {
	g := NewIDs(func() time.Time { return time.Time{} }, zeros{})
	first, second := g.New(), g.New()
	if bytes.Compare(first[:], second[:]) >= 0 {
		t.Errorf("%x is not after %x", second, first)
	}
}
