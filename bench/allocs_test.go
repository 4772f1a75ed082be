//go:build bench

package main

import (
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"almanac/internal/pgtest"
)

// mostAllocated is what a request of a case may allocate, the database's driver included and the network not. A change
// may lower it.
var mostAllocated = map[string]struct{ postgres, sqlite float64 }{
	"t50":      {119, 207},
	"slim":     {102, 143},
	"t100":     {401, 793},
	"tiny":     {97, 90},
	"nodes100": {253, 438},
	"board":    {158, 263},
	"create":   {390, 225},
	"bulk":     {3900, 4220},
}

// TestAllocations holds the requests of each case to what they have come to.
func TestAllocations(t *testing.T) {
	// It is the same moment for the users whenever this runs: what is due today, and so is shown, depends on it.
	there, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	noon := func() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, there) }
	d := database{url: pgtest.URL(t), now: noon}
	w, err := lay(t.Context(), d, options{users: 2, deep: 700}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	lite := database{dir: filepath.Join(t.TempDir(), "sqlite"), now: noon}
	liteWorld, err := lay(t.Context(), lite, options{users: 2, deep: 700}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases() {
		most, barred := mostAllocated[c.name]
		if !barred {
			continue
		}
		holdAllocations(t, d, w, c, most.postgres+ofRaceDetector)
		holdAllocations(t, lite, liteWorld, c, most.sqlite+ofRaceDetector)
	}
}

func holdAllocations(t *testing.T, d database, w *world, c benchCase, most float64) {
	t.Helper()
	handlers, done, err := inners(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	got, err := handlers[0].allocates(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	on := "PostgreSQL"
	if d.url == "" {
		on = "SQLite"
	}
	t.Logf("%s on %s: %.1f allocations, %.1f KiB", c.name, on, got.pieces, got.bytes/1024)
	if got.pieces > most {
		t.Errorf("%s on %s: %.1f allocations, want at most %.0f", c.name, on, got.pieces, most)
	}
}

// ownCPU is the processor time of this process, which other load on the machine hardly changes.
func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkRequests runs each case within this process, the network to the client aside, for profiles.
func BenchmarkRequests(b *testing.B) {
	d, w := smallWorld(b)
	handlers, done, err := inners(b.Context(), d)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(done)
	for _, c := range cases() {
		for _, h := range handlers {
			if c.name == "page1000" {
				continue // nobody has looked for its cursor
			}
			b.Run(c.name+"/"+h.name, func(b *testing.B) {
				requests := make([]*http.Request, b.N)
				random := rand.New(rand.NewPCG(rand.Uint64(), 2)) //nolint:gosec // it chooses questions
				for i := range requests {
					if requests[i], err = h.request(b.Context(), c.ask(w, random)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportAllocs()
				b.ResetTimer()
				before := ownCPU(b)
				for _, request := range requests {
					h.handler.ServeHTTP(&nowhere{header: make(http.Header, 8)}, request)
				}
				b.ReportMetric(float64(ownCPU(b)-before)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
