package google

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/standin/faults"
)

// Request is what is remembered of a request. It holds no token, code or secret.
type Request struct {
	// Method is the id of the API's method, "calendar.events.list", or "oauth.auth", "oauth.token", "oauth.revoke",
	// "oauth.tokeninfo" and "oauth.userinfo"; empty when none was found.
	Method     string
	HTTPMethod string
	// URL is host, path and query, with secrets taken out.
	URL    string
	Header http.Header
	// Body is the start of an API request's body, at most 16 KiB; those of OAuth are not kept.
	Body []byte
	// Status is the answer's; 0 when the connection broke.
	Status int
	// Account is whose token it was, if any.
	Account string
	// At is the stand-in's time when the request came.
	At time.Time
}

const (
	maxRequests   = 10_000
	maxKeptBody   = 16 << 10
	maxKeptBodies = 32 << 20
)

// requests is the memory of what was asked, bounded by number and by size; the oldest go first.
type requests struct {
	mu   sync.Mutex
	kept []Request
	size int
	// off: nothing is kept.
	off bool
}

func (q *requests) add(r Request) {
	if q.off {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.kept = append(q.kept, r)
	q.size += len(r.Body)
	drop := 0
	for len(q.kept)-drop > maxRequests || q.size > maxKeptBodies {
		q.size -= len(q.kept[drop].Body)
		drop++
	}
	if drop > 0 {
		clear(q.kept[:drop])
		q.kept = q.kept[drop:] // append moves the rest to new memory once this is used up
	}
}

// Requests are the last 10,000 requests, in the order in which they were answered. The parts of a batch are requests of
// their own. The caller owns the list, not what is in it.
func (s *Server) Requests() []Request {
	s.requests.mu.Lock()
	defer s.requests.mu.Unlock()
	return slices.Clone(s.requests.kept)
}

// Reset forgets all requests.
func (s *Server) Reset() {
	s.requests.mu.Lock()
	defer s.requests.mu.Unlock()
	s.requests.kept, s.requests.size = nil, 0
}

// seen is the answer to one request, and what is learned of the request on the way to it.
type seen struct {
	http.ResponseWriter
	request *http.Request
	packers *packers
	// part says that it is a part of a batch, which travels in the body of another answer.
	part    bool
	method  string
	account string
	body    []byte
	status  int
	fault   *Fault
}

// recorded serves a request and remembers it, also when the connection breaks.
func (s *Server) recorded(w http.ResponseWriter, r *http.Request, serve func(*seen, *http.Request)) {
	s.recordedAs(&seen{ResponseWriter: w, request: r, packers: &s.packers}, serve)
}

func (s *Server) recordedAs(w *seen, serve func(*seen, *http.Request)) {
	r, at := w.request, s.now()
	defer func() {
		header := r.Header.Clone()
		for _, secret := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
			header.Del(secret)
		}
		s.requests.add(Request{
			Method: w.method, HTTPMethod: r.Method, URL: withoutSecrets(r), Header: header, Body: w.body, Status: w.status,
			Account: w.account, At: at,
		})
	}()
	serve(w, r)
}

// keep remembers the start of a body.
func (w *seen) keep(body []byte) { w.body = slices.Clone(body[:min(len(body), maxKeptBody)]) }

// secretParameters are those of the query that open something.
var secretParameters = []string{
	"access_token", "oauth_token", "token", "code", "state", "client_secret", "refresh_token", "code_verifier",
	"code_challenge", "key",
}

func withoutSecrets(r *http.Request) string {
	query := r.URL.Query()
	for _, name := range secretParameters {
		if query.Has(name) {
			query.Set(name, "REDACTED")
		}
	}
	u := url.URL{Scheme: "https", Host: r.Host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: query.Encode()}
	return u.String()
}

// WriteHeader notes the status.
func (w *seen) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write writes to the connection.
func (w *seen) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *seen) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// send writes a whole answer, whose headers are set, and lets a fault break it on the way.
func (w *seen) send(status int, body []byte) {
	if w.fault != nil && w.fault.LoseAnswer {
		faults.Break()
	}
	head := w.Header()
	if len(body) > 0 && !w.part && wantsGzip(w.request) {
		body = w.packers.pack(body)
		head.Set("Content-Encoding", "gzip")
		head.Add("Vary", "Accept-Encoding")
	}
	bodiless := status == http.StatusNoContent || status == http.StatusNotModified
	if !bodiless {
		head.Set("Content-Length", decimal(len(body)))
	}
	w.WriteHeader(status)
	if w.request.Method == http.MethodHead || bodiless {
		body = nil
	}
	if w.fault != nil && w.fault.Truncate && len(body) > 0 && !w.part {
		faults.Half(w, body)
	}
	_, _ = w.Write(body) // nobody is left to hear that it failed
}

// packers keeps writers of gzip, since a new one takes 800 KiB of memory, which would be most of what a request costs.
type packers struct{ pool sync.Pool }

// pack returns a body in the form of gzip.
func (p *packers) pack(body []byte) []byte {
	var packed bytes.Buffer
	z, kept := p.pool.Get().(*gzip.Writer)
	if kept {
		z.Reset(&packed)
	} else {
		z = gzip.NewWriter(&packed)
	}
	defer p.pool.Put(z)
	_, _ = z.Write(body) // into memory, as is the end
	_ = z.Close()
	return packed.Bytes()
}

// wantsGzip follows Google's performance pages: gzip must stand in Accept-Encoding and in User-Agent.
func wantsGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") &&
		strings.Contains(r.Header.Get("User-Agent"), "gzip")
}
