package remote

import (
	"sync"
	"time"
)

// Breaker stops calls to a remote that fails, so that a dead one costs those who wait nothing but an error. It opens
// after a number of failures in a row, and after a pause lets one call through as a probe: when that succeeds it
// closes, when it fails the pause begins anew. Its exported fields are set before the first use. It is safe for
// goroutines and must not be copied.
type Breaker struct {
	// Failures in a row open it, for Pause.
	Failures int
	Pause    time.Duration

	mu sync.Mutex
	// row counts failures since the last success.
	row     int
	open    bool
	until   time.Time
	probing bool
	// era grows at each opening and closing; calls that began in an earlier one have no say in the present one.
	era uint64
}

// Pass is the leave to make one attempt; it must be given back to Done.
type Pass struct {
	era   uint64
	probe bool
}

// Verdict is what an attempt says about the remote.
type Verdict int

// The verdicts.
const (
	// NoSay: the caller went away, or nothing was sent.
	NoSay Verdict = iota
	// Healthy: it answered, whatever it said.
	Healthy
	// Failing: no answer, half an answer, or a fault of its own.
	Failing
)

// probeTime is how long others wait while a probe is under way; its verdict will be known by then.
const probeTime = time.Second

// Enter returns a pass, or how long to wait before asking again.
func (b *Breaker) Enter(now time.Time) (pass Pass, wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.open:
		return Pass{era: b.era}, 0, true
	case now.Before(b.until):
		return Pass{}, b.until.Sub(now), false
	case b.probing:
		return Pass{}, probeTime, false
	default:
		b.probing = true
		return Pass{era: b.era, probe: true}, 0, true
	}
}

// Done says how an attempt went, and reports whether that opened the breaker.
func (b *Breaker) Done(pass Pass, verdict Verdict, now time.Time) (opened bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if pass.era != b.era {
		return false
	}
	if pass.probe {
		b.probing = false
	}
	switch verdict {
	case Healthy:
		b.row = 0
		if pass.probe {
			b.open = false
			b.era++
		}
	case Failing:
		b.row++
		if pass.probe || b.row >= b.Failures {
			b.open, b.until, b.row = true, now.Add(b.Pause), 0
			b.era++
			return true
		}
	case NoSay:
	}
	return false
}

// Left is for how long attempts are refused; zero when one would be let through. It takes no pass.
func (b *Breaker) Left(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.open && now.Before(b.until):
		return b.until.Sub(now)
	case b.open && b.probing:
		return probeTime
	default:
		return 0
	}
}

// Rest is until when a remote asked to be left alone. It is safe for goroutines and must not be copied.
type Rest struct {
	mu    sync.Mutex
	asked time.Time
	until time.Time
}

// left is for how long the remote is to be left alone still. Who has waited for the end of the rest until a time does
// not wait for it again.
func (r *Rest) left(now, waited time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.until.After(waited) {
		return 0
	}
	return r.until.Sub(now)
}

// ask begins a rest, unless one that is longer is under way, and returns until when it is.
func (r *Rest) ask(now time.Time, wait time.Duration) (until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if end := now.Add(wait); wait > 0 && end.After(r.until) {
		r.asked, r.until = now, end
	}
	return r.until
}

// answered ends a rest that was asked for before an attempt began which the remote has answered.
func (r *Rest) answered(began time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if began.After(r.asked) {
		r.until = time.Time{}
	}
}
