package meanings

import (
	"math"
	"testing"
)

// TestTable holds the file to its form: ascending keys, directions of the length that is said, related words that are
// there, and no more than 6 MB.
func TestTable(t *testing.T) {
	t.Parallel()
	words, forms := Len()
	if len(table) > 6_000_000 || words < 40_000 || forms < 40_000 {
		t.Fatalf("%d bytes, %d words, %d forms", len(table), words, forms)
	}
	keys := parts().keys
	before := uint32(0)
	for i := range words {
		key := keyAt(keys, i)
		if i > 0 && key <= before {
			t.Fatalf("the key %d follows %d", key, before)
		}
		before = key
		m, ok := Of(key)
		if !ok {
			t.Fatalf("the key %d is not found", key)
		}
		square := 0.0
		for j := range Dimensions {
			square += float64(m.At(j)) * float64(m.At(j))
		}
		if length := math.Sqrt(square); length < 0.75*Length || length > 1.05*Length {
			t.Errorf("the direction of %d has the length %.0f", key, length)
		}
		for word, likeness := range m.Related() {
			if word == "" || likeness < 0.49 || likeness > 1 {
				t.Errorf("%d: %q is alike by %.2f", key, word, likeness)
			}
		}
	}
	if _, ok := Of(before + 1); ok {
		t.Error("a key that is not there is found")
	}
}

func TestLookupAllocatesNothing(t *testing.T) {
	keys := parts().keys
	if got := testing.AllocsPerRun(100, func() { _, _ = Of(keyAt(keys, 1_000)) }); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
