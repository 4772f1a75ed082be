package calsync

import (
	"time"

	"almanac/adapters/remote"
)

// The first wait after a failure, and the longest.
const (
	firstBackoff = 30 * time.Second
	mostBackoff  = time.Hour
)

// backoff is how long to wait after so many failures in a row.
func (w *Worker) backoff(failures int) time.Duration {
	return remote.Backoff(failures, w.Jitter(), firstBackoff, mostBackoff)
}
