package google

import (
	"math/rand/v2"
	"testing"
	"time"
)

// For any jitter and any number of failures the wait lies between 2^n·base and 2^n·base + base, and never above the
// most.
func TestBackoffBounds(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		base := time.Duration(1 + chance.Int64N(int64(10*time.Second)))
		most := base + time.Duration(chance.Int64N(int64(time.Minute)))
		n, jitter := chance.IntN(100), chance.Float64()
		wait := backoff(n+1, jitter, base, most)
		least := most
		if n < 30 {
			least = min(base<<n, most)
		}
		if wait < least || wait > most || n < 30 && wait > least+base {
			t.Fatalf("backoff(%d, %v, %v, %v) = %v, not from %v", n, jitter, base, most, wait, least)
		}
		if further := backoff(n+2, jitter, base, most); further < wait {
			t.Fatalf("backoff(%d) = %v is less than backoff(%d) = %v", n+1, further, n, wait)
		}
	}
	for n, want := range []time.Duration{750, 1250, 2250, 4250, 8250, 10000, 10000} {
		if got := backoff(n+1, 0.5, 500, 10_000); got != want {
			t.Errorf("after %d failures %d, not %d", n+1, got, want)
		}
	}
}
