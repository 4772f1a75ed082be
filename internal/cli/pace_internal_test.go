package cli

import "testing"

// Garbage is three times what lives on while that is little, at most mostGarbage then, and half of it of the largest
// heaps.
func TestPercentFor(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for live, want := range map[uint64]int{
		0: 300, 1: 300, 20 * mib: 300, 32 * mib: 300, 48 * mib: 200, 96 * mib: 100, 192 * mib: 50, 4096 * mib: 50,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("of %d MiB: %d, want %d", live/mib, got, want)
		}
	}
}
