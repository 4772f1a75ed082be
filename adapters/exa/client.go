package exa

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"almanac/internal/retry"
)

// DefaultURL is Exa's own address.
const DefaultURL = "https://api.exa.ai"

// Client speaks with Exa for any number of keys. Its fields are set before the first use and not changed after it; none
// is needed. It is safe for goroutines and must not be copied.
type Client struct {
	// URL is what the API's paths are put behind; DefaultURL when nil.
	URL *url.URL
	// AllowHTTP lets keys and texts travel in the clear, also to other machines. Without it plain http is for loopback
	// only.
	AllowHTTP bool
	// Base sends the requests to URL; NewTransport's when nil. Uploads sends files to the addresses that Exa names,
	// elsewhere; NewUploadTransport's when nil.
	Base, Uploads http.RoundTripper
	// Now is the clock for Retry-After and for what is kept of websets; deadlines, pauses and latencies are of the
	// machine's time always.
	Now func() time.Time
	// Jitter gives numbers in [0, 1); random ones when nil.
	Jitter func() float64
	// Wait waits, or gives the context's error when that ends first; on a timer when nil.
	Wait func(context.Context, time.Duration) error
	// Logger gets a line for each attempt (debug) and for what an operator should know (warn); none when nil.
	Logger *slog.Logger
	// Observe is told of each attempt, for metrics; it must be quick and safe for goroutines.
	Observe func(Attempt)
	Limits  Limits

	once    sync.Once
	machine func() time.Time
	mu      sync.Mutex
	// lines are what is known of each key, by its hash.
	lines lru[[32]byte, *line]
}

// Limits bound what a call may cost. A zero field has the default that is named with it.
type Limits struct {
	// Attempts is how many requests one call may send (3).
	Attempts int
	// Attempt bounds one request from its first byte to the last of the answer (30 s), Call a call with all its attempts
	// and waits (60 s), Upload the sending of a file (5 min); the context's deadline may be nearer.
	Attempt, Call, Upload time.Duration
	// BackoffBase (500 ms) and BackoffMost (8 s) give the waits: min(2^n·base, most), of which between a half and the
	// whole.
	BackoffBase, BackoffMost time.Duration
	// Failures in a row open a key's breaker (5), for Pause (15 s).
	Failures int
	Pause    time.Duration
	// Slow is after how long it is Exa that is slow when a caller's time ends (1 s); before, it may be the caller that is
	// hasty.
	Slow time.Duration
	// Rest bounds for how long Exa is left alone at its own wish (1 min), so that a wrong header does not turn it off.
	Rest time.Duration
	// Websets and Web are how many requests a key may send in a second, to Websets and research (5) and to the search of
	// the web (10). As many may go at once after a silence. Queue is how long a request waits for its turn (10 s).
	// Sources: observed; https://docs.exa.ai/reference/rate-limits.
	Websets, Web float64
	Queue        time.Duration
	// Answer is how large an unpacked answer may be, in bytes (32 MiB).
	Answer int64
	// Keys is how many keys are remembered with their breakers and budgets (1,024), Known of how many websets and monitors
	// of each it is remembered whose they are (2,048).
	Keys, Known int
	// Fresh is how long a webset's enrichments are believed, and that something is nobody's (1 min).
	Fresh time.Duration
	// Pages is how many pages of the remote one list looks through for what is a user's (10).
	Pages int
}

// Attempt is one request that was sent, or was not because the key is left alone.
type Attempt struct {
	// Operation names the endpoint: "websets.list".
	Operation string
	// Number counts the attempts of a call from 1.
	Number int
	// Status is 0 when there was no answer.
	Status int
	// Result is one of the Result constants.
	Result string
	// Reason is Exa's tag of a refusal.
	Reason  string
	Latency time.Duration
}

// What an Attempt may result in.
const (
	ResultOK          = "ok"          // an answer below 300 that could be read
	ResultRejected    = "rejected"    // any other answer below 500
	ResultRateLimited = "rateLimited" // 429
	ResultUnavailable = "unavailable" // 5xx, or no whole answer
	ResultTimeout     = "timeout"     // the attempt's own time ended, or a caller's that had waited long enough
	ResultCancelled   = "cancelled"   // the caller went away
	ResultLeftAlone   = "leftAlone"   // not sent
)

// Check tells what is wrong with the address, if anything: a service must not be started with one that would leak what
// is sent there.
func (c *Client) Check() error {
	switch u := c.URL; {
	case u == nil:
		return nil
	case u.Hostname() == "":
		return errors.New("exa: the server has no address")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("exa: the server's address has a user, a query or a fragment")
	case u.Scheme == "https", u.Scheme == "http" && (c.AllowHTTP || isLoopback(u.Hostname())):
		return nil
	default:
		return fmt.Errorf("exa: the server's address is neither https nor loopback but %s", u.Scheme)
	}
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// prepare fills in what was left out.
func (c *Client) prepare() {
	if c.URL == nil {
		c.URL = &url.URL{Scheme: "https", Host: "api.exa.ai"}
	}
	if c.Base == nil {
		c.Base = NewTransport()
	}
	if c.Uploads == nil {
		c.Uploads = NewUploadTransport()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	if c.Wait == nil {
		c.Wait = retry.Sleep
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Observe == nil {
		c.Observe = func(Attempt) {}
	}
	l := &c.Limits
	l.Attempts = positive(l.Attempts, 3)
	l.Attempt = positive(l.Attempt, 30*time.Second)
	l.Call = positive(l.Call, time.Minute)
	l.Upload = positive(l.Upload, 5*time.Minute)
	l.BackoffBase = positive(l.BackoffBase, 500*time.Millisecond)
	l.BackoffMost = positive(l.BackoffMost, 8*time.Second)
	l.Failures = positive(l.Failures, 5)
	l.Pause = positive(l.Pause, 15*time.Second)
	l.Slow = positive(l.Slow, time.Second)
	l.Rest = positive(l.Rest, time.Minute)
	l.Websets = positive(l.Websets, 5)
	l.Web = positive(l.Web, 10)
	l.Queue = positive(l.Queue, 10*time.Second)
	l.Answer = positive(l.Answer, 32<<20)
	l.Keys = positive(l.Keys, 1024)
	l.Known = positive(l.Known, 2048)
	l.Fresh = positive(l.Fresh, time.Minute)
	l.Pages = positive(l.Pages, 10)
	c.lines.most = l.Keys
	c.machine = time.Now
}

func positive[N int | int64 | float64 | time.Duration](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}
