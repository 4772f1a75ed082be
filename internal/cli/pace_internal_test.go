package cli

import "testing"

// Garbage is three times what lives on while that is little, then what is left of smallHeap, and half of what lives on
// of large heaps.
func TestPercentFor(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for live, want := range map[uint64]int{
		0: 300, 1: 300, 10 * mib: 300, 16 * mib: 300, 20 * mib: 220, 32 * mib: 100, 40 * mib: 60, 48 * mib: 50, 96 * mib: 50,
		4096 * mib: 50,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("of %d MiB: %d, want %d", live/mib, got, want)
		}
	}
}

// The limit leaves room for what the pace lets be garbage, and is never so low that a small heap meets it.
func TestLimitFor(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for live, want := range map[uint64]int64{0: 80, 16 * mib: 80, 36 * mib: 80, 64 * mib: 128, 400 * mib: 716} {
		if got := limitFor(live) / mib; got != want {
			t.Errorf("of %d MiB: %d MiB, want %d", live/mib, got, want)
		}
	}
}
