package calsync

import "time"

// The first wait after a failure, and the longest.
const (
	firstBackoff = 30 * time.Second
	mostBackoff  = time.Hour
)

// backoff is how long to wait after so many failures in a row: twice as long with each, at most an hour, of which between a half and
// the whole.
func (w *Worker) backoff(failures int) time.Duration {
	wait := firstBackoff
	for range failures - 1 {
		if wait *= 2; wait >= mostBackoff {
			wait = mostBackoff
			break
		}
	}
	return wait/2 + time.Duration(w.Jitter()*float64(wait/2))
}
