package clock

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"time"

	"almanac/graph/model"
)

// IDs makes UUIDv7s (RFC 9562, 5.7): 48 bits of milliseconds, then 74 bits that start at random and count on. Each id
// of one IDs is greater than the one before, bytewise, also within one millisecond and when the clock goes back
// (RFC 9562, 6.2, methods 1 and 2 together). It is safe for goroutines.
//
// Ids of different processes are ordered by their milliseconds and kept apart by at least 73 random bits.
type IDs struct {
	now  func() time.Time
	rand io.Reader

	mu      sync.Mutex
	started bool
	// milli, high and low are the last id: its time, the upper 12 and the lower 62 of its other 74 bits.
	milli uint64
	high  uint16
	low   uint64
}

const (
	maxMilli = 1<<48 - 1
	maxHigh  = 1<<12 - 1
	maxLow   = 1<<62 - 1

	// startHigh leaves the top bit of a fresh millisecond's counter free, so that it cannot soon run over (RFC 9562, 6.2,
	// "Counter Rollover Handling").
	startHigh = maxHigh >> 1
)

// NewIDs makes a generator that asks now for the time and takes its randomness from rand, which is crypto/rand.Reader
// outside of tests.
func NewIDs(now func() time.Time, rand io.Reader) *IDs { return &IDs{now: now, rand: rand} }

// New returns the next id, for the present time. It panics when the source of randomness fails: an id that could be
// guessed or repeated must not be given out.
func (g *IDs) New() model.UUID { return g.At(g.now()) }

// At returns the next id, for the time given. It carries that millisecond, or the last id's when that is later; so a
// time far in the future would draw all later ids after it. It panics as New does.
func (g *IDs) At(t time.Time) model.UUID {
	var random [10]byte
	if _, err := io.ReadFull(g.rand, random[:]); err != nil {
		panic(fmt.Sprintf("clock: no randomness for ids: %v", err))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if milli := toMilli(t); milli > g.milli || !g.started {
		g.started = true
		g.milli = milli
		g.high = binary.BigEndian.Uint16(random[:2]) & startHigh
		g.low = binary.BigEndian.Uint64(random[2:]) & maxLow
	} else {
		// A random step keeps neighbours from being guessed.
		g.step(1 + uint64(binary.BigEndian.Uint32(random[:4])))
	}
	return g.id()
}

// step adds to the 74 bits and carries into the time when they are full.
func (g *IDs) step(by uint64) {
	g.low += by
	if g.low <= maxLow {
		return
	}
	g.low &= maxLow
	g.high++
	if g.high <= maxHigh {
		return
	}
	g.high = 0
	g.milli++
}

func (g *IDs) id() model.UUID {
	var id model.UUID
	binary.BigEndian.PutUint64(id[:8], g.milli<<16|0x7000|uint64(g.high))
	binary.BigEndian.PutUint64(id[8:], 0x8000000000000000|g.low)
	return id
}

// toMilli brings a time into the 48 bits there are: from 1970 to the year 10889.
func toMilli(t time.Time) uint64 {
	return uint64(min(max(t.UnixMilli(), 0), maxMilli))
}
