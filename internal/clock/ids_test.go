package clock_test

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	mathrand "math/rand/v2"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"almanac/graph/model"
	"almanac/internal/clock"
)

var start = time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)

func milliOf(id model.UUID) int64 {
	var b [8]byte
	copy(b[2:], id[:6])
	return int64(binary.BigEndian.Uint64(b[:]))
}

func checkForm(t *testing.T, id model.UUID) {
	t.Helper()
	if id[6]>>4 != 7 || id[8]>>6 != 0b10 {
		t.Fatalf("%x is not a version 7, variant 10 UUID", id)
	}
}

func TestIDsCarryTheirTime(t *testing.T) {
	c := clock.NewManual(start)
	ids := clock.NewIDs(c.Now, rand.Reader)
	for range 100 {
		id := ids.New()
		checkForm(t, id)
		if milliOf(id) != c.Now().UnixMilli() {
			t.Fatalf("%x carries %d, want %d", id, milliOf(id), c.Now().UnixMilli())
		}
		c.Advance(time.Millisecond)
	}
	later := start.Add(time.Hour)
	if id := ids.At(later); milliOf(id) != later.UnixMilli() {
		t.Errorf("At carries %d, want %d", milliOf(id), later.UnixMilli())
	}
}

// A clock that stands, jumps ahead and goes back by hours, in every order a generator of random walks finds.
func TestIDsIncreaseWhateverTheClockDoes(t *testing.T) {
	for seed := range uint64(50) {
		walk := mathrand.New(mathrand.NewPCG(seed, 1))
		c := clock.NewManual(start)
		ids := clock.NewIDs(c.Now, rand.Reader)
		last, latest := model.UUID{}, int64(0)
		for range 2000 {
			switch walk.IntN(8) {
			case 0:
				c.Advance(time.Duration(walk.IntN(5)) * time.Millisecond)
			case 1:
				c.Advance(-time.Duration(walk.IntN(7_200_000)) * time.Millisecond)
			case 2:
				c.Advance(time.Duration(walk.IntN(3_600_000)) * time.Millisecond)
			}
			latest = max(latest, c.Now().UnixMilli())
			id := ids.New()
			checkForm(t, id)
			if bytes.Compare(last[:], id[:]) >= 0 {
				t.Fatalf("seed %d: %x is not after %x", seed, id, last)
			}
			if milliOf(id) != latest {
				t.Fatalf("seed %d: id carries %d, want the latest time seen, %d", seed, milliOf(id), latest)
			}
			last = id
		}
	}
}

func TestIDsOfManyGoroutinesAreDistinctAndEachOnesIncrease(t *testing.T) {
	const workers, each = 16, 2000
	ids := clock.NewIDs(clock.Fixed(start).Now, rand.Reader)
	made := make([][]model.UUID, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for range each {
				made[w] = append(made[w], ids.New())
			}
		})
	}
	wg.Wait()
	seen := make(map[model.UUID]bool, workers*each)
	for _, own := range made {
		for i, id := range own {
			if seen[id] {
				t.Fatalf("%x was given out twice", id)
			}
			seen[id] = true
			if i > 0 && bytes.Compare(own[i-1][:], id[:]) >= 0 {
				t.Fatalf("%x is not after %x", id, own[i-1])
			}
		}
	}
}

// With every bit set the counter starts as high as it may and steps as far as it can.
func TestIDsCarryOnWhenTheCounterRunsOver(t *testing.T) {
	ones := readerOf(0xff)
	ids := clock.NewIDs(clock.Fixed(start).Now, ones)
	last := ids.New()
	for range 100_000 {
		id := ids.New()
		checkForm(t, id)
		if bytes.Compare(last[:], id[:]) >= 0 {
			t.Fatalf("%x is not after %x", id, last)
		}
		last = id
	}
	if milliOf(last) != start.UnixMilli() {
		t.Errorf("100,000 ids used up the millisecond: %d, want %d", milliOf(last), start.UnixMilli())
	}
}

func TestIDsOutsideOfTheirRangeOfTime(t *testing.T) {
	for name, at := range map[string]time.Time{"before 1970": time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), "zero": {},
		"far": time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		ids := clock.NewIDs(func() time.Time { return at }, rand.Reader)
		first, second := ids.New(), ids.New()
		checkForm(t, first)
		if bytes.Compare(first[:], second[:]) >= 0 {
			t.Errorf("%s: %x is not after %x", name, second, first)
		}
	}
}

func TestIDsAreNotMadeWithoutRandomness(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an id was made although the source of randomness failed")
		}
	}()
	clock.NewIDs(clock.Fixed(start).Now, iotest.ErrReader(errors.New("dry"))).New()
}

func BenchmarkNew(b *testing.B) {
	ids := clock.NewIDs(clock.System{}.Now, rand.Reader)
	for b.Loop() {
		ids.New()
	}
}

type readerOf byte

func (r readerOf) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

var _ io.Reader = readerOf(0)
