//go:build bench

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"almanac/bench/recall/report"
)

// TestRecallIsMeasured makes the report of a small set.
func TestRecallIsMeasured(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	o := options{recall: report.Options{Memories: 200, Index: 200, Asked: 2}}
	if err := measureRecall(t.Context(), o, database{dir: t.TempDir()}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"### Memories: what is found", "| **all** |",
		"#### The index against looking at everything", "| all | 1.0000 |"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in the report\n%s", part, out.String())
		}
	}
	if o, err := readOptions([]string{"-only", "recall"}, io.Discard); err != nil || !o.wants(partRecall) ||
		o.wants(partTask) || o.recall != report.Everything() {
		t.Error(o.only, o.recall, err)
	}
}
