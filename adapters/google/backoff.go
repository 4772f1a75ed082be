package google

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// backoff is how long to wait before attempt n+2, that is after n+1 failures: min(2^n·base + jitter·base, most), as Google
// asks for. The jitter is in [0, 1), so that callers who failed together do not come back together.
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

// maxRetryAfter bounds what is believed of a remote's wish to be left alone.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the header of that name in both its forms (RFC 9110, section 10.2.3): seconds, and a date. A date is
// measured against the answer's own Date, so that our clock may be wrong, or against now when that is missing; nil is no
// clock. Zero: nothing is said, or the time has come.
func retryAfter(header http.Header, now func() time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return until(at, header, now)
}

// until is how far a time is from the moment of the answer, between 0 and maxRetryAfter.
func until(at time.Time, header http.Header, now func() time.Time) time.Duration {
	sent, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		if now == nil {
			return 0
		}
		sent = now()
	}
	return max(0, min(at.Sub(sent), maxRetryAfter))
}

// sleep waits on a timer, or until the context ends; then it gives the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
