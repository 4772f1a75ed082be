//go:build bench

package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
)

// tape stands between clients and the stand-in as net/http's transport does: it asks for packed answers and unpacks
// them. It counts what crosses, and can give again what it has heard, so that clients are measured without the one who
// answers.
type tape struct {
	inner http.RoundTripper

	mu      sync.Mutex
	replays bool
	heard   map[string]*heard
	last    *url.URL
	counted traffic
}

// traffic is what has crossed: answers as they were packed, and unpacked.
type traffic struct{ requests, packed, plain int }

func (t traffic) since(before traffic) traffic {
	return traffic{t.requests - before.requests, t.packed - before.packed, t.plain - before.plain}
}

// heard is an answer.
type heard struct {
	status int
	header http.Header
	body   []byte
}

// RoundTrip implements http.RoundTripper.
func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	key := r.Method + " " + r.URL.String()
	t.mu.Lock()
	t.last = r.URL
	known := t.heard[key]
	replays := t.replays
	t.mu.Unlock()
	if !replays || known == nil {
		return t.record(r, key)
	}
	if r.Body != nil {
		_, err := io.Copy(io.Discard, r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return nil, err
		}
	}
	return known.answer(r), nil
}

// record asks, counts and remembers.
func (t *tape) record(r *http.Request, key string) (*http.Response, error) {
	asked := r.Clone(r.Context())
	asked.Header.Set("Accept-Encoding", "gzip")
	response, err := t.inner.RoundTrip(asked)
	if err != nil {
		return nil, err
	}
	packed, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	said := &heard{status: response.StatusCode, header: response.Header, body: packed}
	if said.header.Get("Content-Encoding") == "gzip" {
		reader, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, fmt.Errorf("a packed answer: %w", err)
		}
		if said.body, err = io.ReadAll(reader); err != nil {
			return nil, fmt.Errorf("a packed answer: %w", err)
		}
		said.header.Del("Content-Encoding")
		said.header.Del("Content-Length")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counted.requests++
	t.counted.packed += len(packed)
	t.counted.plain += len(said.body)
	if said.status < http.StatusBadRequest && t.heard != nil {
		t.heard[key] = said
	}
	return said.answer(r), nil
}

func (h *heard) answer(r *http.Request) *http.Response {
	return &http.Response{
		Status: http.StatusText(h.status), StatusCode: h.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h.header.Clone(),
		Body:   io.NopCloser(bytes.NewReader(h.body)), ContentLength: -1, Uncompressed: true, Request: r,
	}
}

// remember begins to keep answers, forget ends it.
func (t *tape) remember() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heard = map[string]*heard{}
}

func (t *tape) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heard, t.replays = nil, false
}

// replay says whether what was heard is given again.
func (t *tape) replay(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.replays = on
}

// traffic is what has crossed so far.
func (t *tape) traffic() traffic {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counted
}

// query is that of the last request.
func (t *tape) query() url.Values {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last.Query()
}
