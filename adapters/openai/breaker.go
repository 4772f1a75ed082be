package openai

import (
	"sync"
	"time"
)

// breaker stops calls to an endpoint that fails, so that a dead one costs those who wait nothing but an error. It opens after a number of failures in
// a row, and after a pause lets one call through as a probe: when that succeeds it closes, when it fails the pause begins anew.
type breaker struct {
	failures int // how many in a row open it
	pause    time.Duration

	mu sync.Mutex
	// row counts failures since the last success.
	row     int
	open    bool
	until   time.Time
	probing bool
	// era grows at each opening and closing; calls that began in an earlier one have no say in the present one.
	era uint64
}

// pass is the leave to make one attempt; it must be given back to done.
type pass struct {
	era   uint64
	probe bool
}

// verdict is what an attempt says about the endpoint.
type verdict int

const (
	noSay   verdict = iota // the caller went away, or nothing was sent
	healthy                // it answered, whatever it said
	failing                // no answer, half an answer, or a fault of its own
)

// enter gives a pass, or how long to wait before asking again.
func (b *breaker) enter(now time.Time) (p pass, wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.open:
		return pass{era: b.era}, 0, true
	case now.Before(b.until):
		return pass{}, b.until.Sub(now), false
	case b.probing:
		return pass{}, time.Second, false // the probe will have told by then
	default:
		b.probing = true
		return pass{era: b.era, probe: true}, 0, true
	}
}

// done tells how an attempt went, and whether that opened the breaker.
func (b *breaker) done(p pass, v verdict, now time.Time) (opened bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.era != b.era {
		return false
	}
	if p.probe {
		b.probing = false
	}
	switch v {
	case healthy:
		b.row = 0
		if p.probe {
			b.open = false
			b.era++
		}
	case failing:
		b.row++
		if p.probe || b.row >= b.failures {
			b.open, b.until, b.row = true, now.Add(b.pause), 0
			b.era++
			return true
		}
	case noSay:
	}
	return false
}

// isOpen tells whether an attempt would be refused, and takes no pass.
func (b *breaker) isOpen(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open && (b.probing || now.Before(b.until))
}
