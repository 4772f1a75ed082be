package remote

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Backoff is how long to wait after so many failures in a row: twice as long with each, at most a bound, of which
// between a half and the whole, so that callers who failed together do not come back together. The jitter is in [0, 1).
func Backoff(failed int, jitter float64, base, most time.Duration) time.Duration {
	wait := base
	for range failed - 1 {
		if wait >= most {
			break
		}
		wait *= 2
	}
	wait = min(wait, most)
	return wait/2 + time.Duration(jitter*float64(wait/2))
}

// MaxAfter bounds what After believes of a remote's wish to be left alone.
const MaxAfter = 24 * time.Hour

// After reads how long an answer asks to wait: Retry-After-Ms, which some send for waits below a second, or Retry-After
// in both its forms (RFC 9110, section 10.2.3). A date is measured against the answer's own Date, so that our clock may
// be wrong, or against now when that is missing; nil is no clock. Zero: nothing is said, or the time has come.
func After(header http.Header, now func() time.Time) time.Duration {
	if wait, ok := count(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	value := header.Get("Retry-After")
	if wait, ok := count(value, time.Second); ok {
		return wait
	}
	at, err := http.ParseTime(strings.TrimSpace(value))
	if err != nil {
		return 0
	}
	return Until(at, header, now)
}

// Until is how far a time is from the moment of the answer (its Date, or now), between 0 and MaxAfter.
func Until(at time.Time, header http.Header, now func() time.Time) time.Duration {
	sent, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		if now == nil {
			return 0
		}
		sent = now()
	}
	return max(0, min(at.Sub(sent), MaxAfter))
}

// count reads a count of units, with or without a fraction.
func count(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if math.IsInf(n, 1) {
		return MaxAfter, true
	}
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	if n > float64(MaxAfter/unit) {
		return MaxAfter, true
	}
	return time.Duration(n * float64(unit)), true
}

// Sleep waits on a timer, or until the context ends; then it returns the context's error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
