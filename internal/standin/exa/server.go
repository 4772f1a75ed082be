package exa

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"net/http"
	"strings"
	"sync"
	"time"

	"almanac/internal/standin/faults"
	"almanac/internal/standin/loopback"
)

// Options are what a stand-in is made with.
type Options struct {
	// Now is its clock; required.
	Now func() time.Time
	// Seed makes its ids and secrets.
	Seed uint64
	// Keys are the API keys that it knows, each an account of its own. Open lets every key in, and makes an account for
	// each.
	Keys []string
	Open bool
	// BaseURL is where its uploads are; "https://api.exa.ai" when empty.
	BaseURL string
	// Transport sends webhooks; without one nothing is sent, and Deliver is an error.
	Transport http.RoundTripper
	// Patience bounds one delivery; 10 seconds when 0.
	Patience time.Duration
	// Ticks tells Run when to deliver, and how to stop telling; a ticker of the machine when nil.
	Ticks func(time.Duration) (ticks <-chan time.Time, stop func())

	// Pace stretches the time that searches, enrichments, imports and research take; 1 when 0.
	Pace float64
	// Content is how many bytes of content each item has; between 2 and 200 thousand, by item, when 0.
	Content int
	// PerSecond is how many requests an account may make in a second; 0: as many as it likes.
	PerSecond int
	// Credits is how many items an account may search for; 0: as many as it likes.
	Credits int
	// NeedBehavior refuses a search that does not say what becomes of the items that are there, as the real API was seen
	// to.
	NeedBehavior bool
	// ResearchRetired answers research as today's API does: it is gone.
	ResearchRetired bool
	// UnknownFields puts fields that nobody knows into every object of every answer. UnknownValues replaces values, by the
	// kind of object and the field: "webset.status", "evaluations.satisfied". The kind is what stands in the field object;
	// of objects without it, the name under which they stand.
	UnknownFields bool
	UnknownValues map[string]string
	// WebhookURL is where the webhook of a seeded account points; without it that webhook is not active.
	WebhookURL string
	// Wait makes slow answers slow; on a timer when nil.
	Wait func(context.Context, time.Duration) error
}

// Server is the stand-in, an http.Handler. It is safe for goroutines.
type Server struct {
	options Options
	world   *world
	faults  faults.Set[Fault]
	record  record

	mu       sync.Mutex
	accounts map[string]*account
	// uploads are the imports that wait for their file, by the secret part of the address.
	uploads map[string]*importing
	made    uint64
	// misdeliver is what befalls webhooks on purpose.
	misdeliver Misdelivery

	// delivering lets one Deliver run at a time.
	delivering sync.Mutex
}

// New makes a stand-in in which nothing has happened yet.
func New(options Options) *Server {
	s := &Server{options: options, world: readWorld(), accounts: map[string]*account{}, uploads: map[string]*importing{}}
	if s.options.BaseURL == "" {
		s.options.BaseURL = "https://api.exa.ai"
	}
	s.options.BaseURL = strings.TrimSuffix(s.options.BaseURL, "/")
	if s.options.Pace <= 0 {
		s.options.Pace = 1
	}
	if s.options.Patience <= 0 {
		s.options.Patience = 10 * time.Second
	}
	if s.options.Wait == nil {
		s.options.Wait = faults.Wait
	}
	if s.options.Ticks == nil {
		s.options.Ticks = func(d time.Duration) (<-chan time.Time, func()) {
			ticker := time.NewTicker(d)
			return ticker.C, ticker.Stop
		}
	}
	for _, key := range options.Keys {
		s.accounts[key] = newAccount(s, key)
	}
	return s
}

// Transport returns a transport whose requests stay in this process, whatever host they name; see loopback.Transport.
func (s *Server) Transport() http.RoundTripper { return loopback.Transport(s) }

// now is the clock's time as the API keeps it: UTC, whole milliseconds.
func (s *Server) now() time.Time { return s.options.Now().UTC().Truncate(time.Millisecond) }

// paced is a duration at the pace of this server.
func (s *Server) paced(d time.Duration) time.Duration {
	return time.Duration(float64(d) * s.options.Pace)
}

// account returns the account of a key, with everything done that is due; nil when the key is not known. The lock is
// held.
func (s *Server) account(key string, now time.Time) *account {
	a := s.accounts[key]
	if a == nil {
		if !s.options.Open || key == "" {
			return nil
		}
		a = newAccount(s, key)
		s.accounts[key] = a
	}
	a.advance(now)
	return a
}

// token makes the next text that nobody could guess from those before it. The lock is held.
func (s *Server) token() string {
	s.made++
	var seed [16]byte
	binary.BigEndian.PutUint64(seed[:8], s.options.Seed)
	binary.BigEndian.PutUint64(seed[8:], s.made)
	sum := sha256.Sum256(seed[:])
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:15]))
}

// id makes the next id of a kind: "ws_…". The lock is held.
func (s *Server) id(prefix string) string { return prefix + "_" + s.token() }
