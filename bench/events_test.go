//go:build bench

package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestEventsAreMeasured runs everything once, which holds the adapter and the bare client to asking for the same.
func TestEventsAreMeasured(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := measureEvents(t.Context(), options{rounds: 1, crowded: 20, hurry: 100}, database{dir: t.TempDir()}, &out,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"### The adapter", "| patch | replay |", "### Bytes for a page", "| every field of an event | 1 |", "### Dashboard",
		"| the dashboard, two accounts |",
		"### A calendar of 200 events", "| a week's second page |",
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

// serves answers requests of a tape.
type serves func(r *http.Request) *http.Response

func (s serves) RoundTrip(r *http.Request) (*http.Response, error) { return s(r), nil }

func TestTape(t *testing.T) {
	t.Parallel()
	asked := 0
	tp := &tape{inner: serves(func(r *http.Request) *http.Response {
		asked++
		if r.Header.Get("Accept-Encoding") != "gzip" {
			t.Error("a packed answer was not asked for")
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write([]byte(strings.Repeat("answer ", 1000)))
		_ = z.Close()
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: io.NopCloser(&packed)}
	})}
	ask := func(address string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := tp.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || response.Header.Get("Content-Encoding") != "" || len(body) != 7000 {
			t.Errorf("%d bytes, %v, %v", len(body), response.Header, err)
		}
		return string(body)
	}
	first := ask("https://example.com/?a=1")
	if crossed := tp.traffic(); crossed.requests != 1 || crossed.plain != 7000 || crossed.packed >= 700 ||
		crossed.packed == 0 {
		t.Errorf("%+v", crossed)
	}
	tp.remember()
	ask("https://example.com/?a=1")
	tp.replay(true)
	if ask("https://example.com/?a=1") != first || asked != 2 {
		t.Error("it was asked once more:", asked)
	}
	if ask("https://example.com/?a=2"); asked != 3 || tp.query().Get("a") != "2" {
		t.Error("an answer was given to another question:", asked)
	}
	tp.forget()
	if ask("https://example.com/?a=1"); asked != 4 {
		t.Error("it remembers what it forgot:", asked)
	}
}

func TestPartsAreChosen(t *testing.T) {
	t.Parallel()
	o, err := readOptions([]string{"-only", "events,start"}, io.Discard)
	if err != nil || o.wants(partTask) || !o.wants(partEvent) || !o.wants(partStart) {
		t.Error(o.only, err)
	}
	if o, err := readOptions(nil, io.Discard); err != nil || !o.wants(partTask) || !o.wants(partEvent) ||
		!o.wants(partStart) {
		t.Error(o.only, err)
	}
}
