package google

import "time"

// backoff is how long to wait after so many failures in a row: min(2^n·base + jitter·base, most) with n from 0, as
// Google asks for. The jitter is in [0, 1), so that callers who failed together do not come back together.
func backoff(failed int, jitter float64, base, most time.Duration) time.Duration {
	wait := base
	for range failed - 1 {
		if wait >= most {
			return most
		}
		wait *= 2
	}
	return min(wait+time.Duration(jitter*float64(base)), most)
}
