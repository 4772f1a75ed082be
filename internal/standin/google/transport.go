package google

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Transport reaches the stand-in in the same process, without sockets, under Google's true addresses. It does for its
// client what net/http's own transport does: it asks for gzip and unpacks it where the client has not said anything, it
// fails with the context's error as soon as that ends, and where the stand-in breaks a connection it fails as a broken
// connection does: with io.EOF before an answer, with io.ErrUnexpectedEOF inside of one. Unlike net/http's it never
// repeats a request by itself.
func (s *Server) Transport() http.RoundTripper { return inProcess{handler: s.Handler(), now: s.now} }

type inProcess struct {
	handler http.Handler
	now     func() time.Time
}

// RoundTrip serves one request.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		closeBody(r)
		return nil, err
	}
	if r.URL == nil || r.URL.Host == "" || (r.URL.Scheme != "https" && r.URL.Scheme != "http") {
		closeBody(r)
		return nil, errors.New("google: the request has no address")
	}
	inside, unpack := arriving(r)
	a := &inMemory{header: http.Header{}}
	finished := make(chan error, 1)
	go func() {
		err := a.serve(t.handler, inside)
		closeBody(r)
		finished <- err
	}()
	select {
	case <-ctx.Done():
		closeBody(r) // so that a handler that reads it ends
		return nil, ctx.Err()
	case err := <-finished:
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		return a.response(r, t.now(), unpack)
	}
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close() // its errors are its owner's
	}
}

// arriving is the request as a server sees it; unpack says that the answer is to be unpacked again.
func arriving(r *http.Request) (inside *http.Request, unpack bool) {
	inside = r.Clone(r.Context())
	inside.Host = r.Host
	if inside.Host == "" {
		inside.Host = r.URL.Host
	}
	inside.RequestURI = r.URL.RequestURI()
	inside.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	inside.Proto, inside.ProtoMajor, inside.ProtoMinor = "HTTP/1.1", 1, 1
	inside.RemoteAddr = "192.0.2.1:443" // of a block for documentation (RFC 5737)
	inside.Body = http.NoBody
	if r.Body != nil {
		inside.Body = r.Body
		if r.ContentLength == 0 && r.Body != http.NoBody {
			inside.ContentLength = -1
		}
	}
	if _, set := inside.Header["User-Agent"]; !set {
		inside.Header.Set("User-Agent", "Go-http-client/1.1")
	}
	if inside.Header.Get("Accept-Encoding") == "" && inside.Header.Get("Range") == "" && r.Method != http.MethodHead {
		inside.Header.Set("Accept-Encoding", "gzip")
		unpack = true
	}
	return inside, unpack
}

// inMemory is the server's side of a connection.
type inMemory struct {
	mu     sync.Mutex
	header http.Header
	// sent are the headers as they were when the status was written.
	sent   http.Header
	status int
	body   bytes.Buffer
	// cut says that the connection broke inside of the body.
	cut bool
}

// serve runs the handler. An aborted one returns io.EOF, unless an answer has begun; another panic is told as an error,
// so that it fails the one request and not the process.
func (a *inMemory) serve(handler http.Handler, r *http.Request) (err error) {
	defer func() {
		switch reason := recover(); {
		case reason == nil:
		case reason != http.ErrAbortHandler: //nolint:errorlint // net/http compares it so
			err = fmt.Errorf("google: the stand-in failed: %v", reason)
		default:
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.status == 0 {
				err = io.EOF
			}
			a.cut = true
		}
	}()
	handler.ServeHTTP(a, r)
	a.WriteHeader(http.StatusOK)
	return nil
}

// Header are the headers to be sent.
func (a *inMemory) Header() http.Header { return a.header }

// WriteHeader sends them, once.
func (a *inMemory) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.status == 0 && status >= http.StatusOK {
		a.status, a.sent = status, a.header.Clone()
	}
}

// Write sends a part of the body.
func (a *inMemory) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.body.Write(p)
}

// Flush has nothing to do: nothing is held back.
func (*inMemory) Flush() {}

// response is the client's side of what was sent.
func (a *inMemory) response(r *http.Request, now time.Time, unpack bool) (*http.Response, error) {
	raw := a.body.Bytes()
	bodiless := r.Method == http.MethodHead || a.status == http.StatusNoContent || a.status == http.StatusNotModified
	if bodiless {
		raw = nil
	} else if a.sent.Get("Content-Length") == "" {
		a.sent.Set("Content-Length", decimal(len(raw)))
	}
	if a.sent.Get("Date") == "" {
		a.sent.Set("Date", now.UTC().Format(http.TimeFormat))
	}
	answer := &http.Response{
		Status: fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)), StatusCode: a.status, Proto: "HTTP/1.1",
		ProtoMajor: 1, ProtoMinor: 1,
		Header: a.sent, ContentLength: int64(len(raw)), Request: r,
	}
	if bodiless {
		answer.Body = http.NoBody
		if length, err := strconv.ParseInt(a.sent.Get("Content-Length"), 10, 64); err == nil {
			answer.ContentLength = length // of what GET would have given
		}
		return answer, nil
	}
	var body io.Reader = bytes.NewReader(raw)
	if a.cut {
		body = io.MultiReader(body, brokenOff{})
		answer.ContentLength = -1
	}
	if unpack && a.sent.Get("Content-Encoding") == "gzip" {
		body = &unpacking{packed: body}
		a.sent.Del("Content-Encoding")
		a.sent.Del("Content-Length")
		answer.ContentLength, answer.Uncompressed = -1, true
	}
	answer.Body = &untilEnd{Reader: body, done: r.Context().Done(), err: r.Context().Err}
	return answer, nil
}

// unpacking opens gzip when it is first read, so that its faults are the body's and not the answer's.
type unpacking struct {
	packed io.Reader
	plain  *gzip.Reader
}

// Read returns what is inside.
func (u *unpacking) Read(p []byte) (int, error) {
	if u.plain == nil {
		plain, err := gzip.NewReader(u.packed)
		if err != nil {
			return 0, err
		}
		u.plain = plain
	}
	return u.plain.Read(p)
}

type brokenOff struct{}

// Read fails.
func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// untilEnd is a body that cannot be read after the request's context has ended, or after it was closed.
type untilEnd struct {
	io.Reader
	done <-chan struct{}
	err  func() error

	mu     sync.Mutex
	closed bool
}

// Read returns what is left.
func (b *untilEnd) Read(p []byte) (int, error) {
	b.mu.Lock()
	closed := b.closed
	b.mu.Unlock()
	if closed {
		return 0, errors.New("google: read on closed response body")
	}
	select {
	case <-b.done:
		return 0, b.err()
	default:
		return b.Reader.Read(p)
	}
}

// Close ends reading.
func (b *untilEnd) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return nil
}
