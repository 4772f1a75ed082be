package postgres

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Texts stay what they were, whatever their lengths and however many follow.
func TestTextsStay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var (
		kept      texts
		got, want []string
		buffer    []byte // used again for each, as the connection's is
	)
	for i := range 10_000 {
		length := random.IntN(200)
		if i%100 == 0 {
			length = random.IntN(3 * maxShared)
		}
		text := strings.Repeat(string(rune('a'+i%26)), length)
		buffer = append(buffer[:0], text...)
		got, want = append(got, kept.keep(buffer)), append(want, text)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("text %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func TestTextsShareMemory(t *testing.T) {
	value := []byte("a text of some thirty characters")
	for count, most := range map[int]float64{1: 1, 50: 3, 1000: 12} {
		allocated := testing.AllocsPerRun(10, func() {
			var kept texts
			for range count {
				kept.keep(value)
			}
		})
		if allocated > most {
			t.Errorf("%d texts: %v allocations, want at most %v", count, allocated, most)
		}
	}
}
