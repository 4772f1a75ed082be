// Package clock is where Almanac gets its time and its time-ordered ids.
//
// It promises that nothing else has to read the machine's clock: a Clock is handed in wherever time matters, so a test
// sets it, and ids made by one IDs are strictly increasing whatever the machine's clock does.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time. Now gives UTC to the microsecond, which is what the stores keep, so that a time that was
// written and one that is read back are equal.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now reads the machine's clock.
func (System) Now() time.Time { return toStore(time.Now()) }

// Fixed is a clock that stands still at its time.
type Fixed time.Time

// Now returns the fixed time.
func (f Fixed) Now() time.Time { return toStore(time.Time(f)) }

// Manual is a clock that moves only when it is told to. It is safe for goroutines.
type Manual struct {
	mu  sync.Mutex
	now time.Time
}

// NewManual returns a clock that stands at the time given.
func NewManual(at time.Time) *Manual { return &Manual{now: at} }

// Now returns the time the clock was last moved to.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return toStore(m.now)
}

// Set moves the clock to a time, also to an earlier one.
func (m *Manual) Set(at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = at
}

// Advance moves the clock by a length of time, backwards when it is negative, and returns the new time.
func (m *Manual) Advance(by time.Duration) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(by)
	return toStore(m.now)
}

func toStore(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
