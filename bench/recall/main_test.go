//go:build bench

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestRun makes the whole report, of a small set.
func TestRun(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-memories", "150", "-index", "150", "-asked", "5"}, &out,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"### Memories: what is found", "| **all** |", "| script |", "#### Other ways", "| 0.7 · similarity + 0.3 · keyword |",
		"#### Similarities", "| 0.25 |",
		"#### The index", "| all | 1.0000 |", "| 1 % of them, by a tag |",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in the report", part)
		}
	}
	if strings.Contains(out.String(), "NaN") {
		t.Error("a figure is missing")
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

func TestWrongFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-none"}, {"-memories", "many"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}
