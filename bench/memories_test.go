//go:build bench

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"almanac/internal/pgtest"
)

// TestMemoriesAreMeasured runs everything once with few memories, which both stores search exactly.
func TestMemoriesAreMeasured(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		database database
		parts    []string
	}{
		{"sqlite", database{dir: t.TempDir()}, []string{"#### SQLite", "Plan: exact.", "| hybrid, filter of 1 % |",
			"| exact scan in Go |", "| all | 1.0000 |", "| 10 % | 1.0000 |", "| 1 % | 1.0000 |"}},
		{"postgres", database{url: pgtest.URL(t)}, []string{"#### PostgreSQL", "#### SQLite", "| bare SQL, exact |",
			"Sweep, which made no index", "300 more of other users", "| all | 1.0000 |"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := measureMemories(t.Context(), options{rounds: 1, hurry: 20, memories: 250, others: 300}, c.database, &out,
				io.Discard); err != nil {
				t.Fatal(err)
			}
			for _, part := range append(c.parts, "250 memories of one user") {
				if !strings.Contains(out.String(), part) {
					t.Errorf("%q is not in the report", part)
				}
			}
			for _, wrong := range []string{"NaN", "Inf", "| 0.00 | 0.00 |", "–"} {
				if strings.Contains(strings.ReplaceAll(out.String(), " (", ""), wrong) {
					t.Errorf("%q is in the report", wrong)
				}
			}
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
	o, err := readOptions([]string{"-only", "memories", "-quick"}, io.Discard)
	if err != nil || !o.wants(partMemories) || o.memories != 5_000 || o.others != 5_000 {
		t.Error(o.only, o.memories, o.others, err)
	}
	if o, err = readOptions(nil, io.Discard); err != nil || o.memories != 100_000 || o.others != 900_000 {
		t.Error(o.memories, o.others, err)
	}
	if _, err := readOptions([]string{"-memories", "0"}, io.Discard); err == nil {
		t.Error("no memories are accepted")
	}
}

// TestFiguresOfMemories holds what the figures are made of to small examples.
func TestFiguresOfMemories(t *testing.T) {
	t.Parallel()
	values := []time.Duration{5, 1, 4, 2, 3}
	for of, want := range map[int]time.Duration{0: 1, 20: 1, 50: 3, 95: 5, 100: 5} {
		if got := percentile(values, of); got != want {
			t.Errorf("percentile %d: %d instead of %d", of, got, want)
		}
	}
	if got := recallOf([]float64{0.9, 0.7, 0.1}, []float64{0.9, 0.8, 0.7, 0.6}); got != 0.5 {
		t.Errorf("recall %v instead of 0.5", got)
	}
	l := &library{}
	for i := range 30 {
		l.vectors = append(l.vectors, []float32{float32(i%15) / 20, 0})
	}
	if best := l.scan([]float32{1, 0}, func(at int) bool { return at < 15 }); len(best) != wantedHits ||
		best[0] < best[9] || recallOf(best, best) != 1 {
		t.Errorf("the scan gives %v", best)
	}
	s := &shelf{rounds: []map[string][]time.Duration{{wayVector: {20}, wayWords: {10}, wayHybrid: {30}}}}
	if got := s.hybrid(50); len(got) != 1 || got[0] != 1.5 {
		t.Errorf("hybrid against the slower leg: %v", got)
	}
}
