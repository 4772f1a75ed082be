//go:build bench

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestMailIsMeasured runs everything once. A list that is asked for again costs two calls at most.
func TestMailIsMeasured(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := measureMail(t.Context(), options{rounds: 1, hurry: 100}, database{dir: t.TempDir()}, &out,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"### A list of 50 e-mails", "| bare client, six at once | 51 | 1005 |", "| Almanac, at once again |",
		"| Almanac, again after 2.5 s | 2 | 7 |", "### Dashboard with mail", "| the dashboard with mail |",
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
