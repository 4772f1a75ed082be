package google

import "time"

// backoff is how long to wait before attempt n+2, that is after n+1 failures: min(2^n·base + jitter·base, most), as
// Google asks for. The jitter is in [0, 1), so that callers who failed together do not come back together.
func backoff(n int, jitter float64, base, most time.Duration) time.Duration {
	wait := base
	for range n {
		if wait >= most {
			return most
		}
		wait *= 2
	}
	return min(wait+time.Duration(jitter*float64(base)), most)
}
