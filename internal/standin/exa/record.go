package exa

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// Request is one that came in.
type Request struct {
	Method string
	// Path is unescaped.
	Path  string
	Query url.Values
	// Key is the API key it came with.
	Key string
	// Header is all that came with it, and Body too, up to 64 KiB.
	Header http.Header
	Body   string
	// Status is what was answered; 0 when the connection was broken.
	Status int
}

const (
	// mostRequests is how many requests are remembered: the last ones.
	mostRequests = 1000
	// mostRemembered is how much is remembered of a body.
	mostRemembered = 64 << 10
)

// record remembers requests.
type record struct {
	mu  sync.Mutex
	all []*Request
}

func (r *record) add(one *Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) == mostRequests {
		r.all = slices.Delete(r.all, 0, mostRequests/2)
	}
	r.all = append(r.all, one)
}

// Requests returns what was asked so far, in order, the last 500 at least.
func (s *Server) Requests() []Request {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	all := make([]Request, len(s.record.all))
	for i, one := range s.record.all {
		all[i] = *one
	}
	return all
}
