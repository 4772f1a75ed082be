//go:build bench

package main

import (
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"
)

// mostAllocated is what a request of a case may allocate, the database's driver included and the network not. A change
// may lower it.
var mostAllocated = map[string]struct{ postgres, sqlite float64 }{
	"t50":      {122, 215},
	"slim":     {106, 151},
	"t100":     {415, 820},
	"tiny":     {99, 99},
	"nodes100": {895, 985},
	"board":    {310, 335},
}

// TestAllocations holds the requests of each case to what they have come to.
func TestAllocations(t *testing.T) {
	d, w := smallWorld(t)
	lite := database{dir: filepath.Join(t.TempDir(), "sqlite")}
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

// BenchmarkRequests runs each case within this process, the network aside, for profiles.
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
				for _, request := range requests {
					h.handler.ServeHTTP(&nowhere{header: make(http.Header, 8)}, request)
				}
			})
		}
	}
}
