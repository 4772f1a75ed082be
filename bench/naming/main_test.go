//go:build bench

package main

import (
	"bytes"
	"strings"
	"testing"

	"almanac/projections/naming"
)

// TestFloors holds the shares that are promised, on each set as a whole.
func TestFloors(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"people_a", "people_b", "mechanical"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := readSet("testdata/" + name + ".tsv")
			if err != nil || len(set) < 1000 {
				t.Fatalf("%d texts: %v", len(set), err)
			}
			var here, away [verdicts]int // what is there, and what is not
			total := 0
			for _, j := range judge(set, naming.Rules{}) {
				if j.class == "present" {
					here[j.verdict]++
					total++
				} else {
					away[j.verdict]++
				}
			}
			if wrongly := here[wrong] + away[wrong]; float64(wrongly) > 0.003*float64(len(set)) {
				t.Errorf("acted wrongly on %d of %d", wrongly, len(set))
			}
			if n := here[right]; float64(n) < 0.85*float64(total) {
				t.Errorf("acted right on %d of %d", n, total)
			}
			if n := total - here[right]; float64(n) > 0.15*float64(total) {
				t.Errorf("asked needlessly, or did not find, %d of %d", n, total)
			}
		})
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run([]string{"-cases", "testdata/people_a.tsv"}, &out, &out); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"ordinary rule", "strict rule", "| present | **all** | 336 |", "| near | he |"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in the report", part)
		}
	}
}
