package exa

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"almanac/adapters/remote"
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
	// Now, Jitter, Wait, Logger and Observe are those of remote.Caller; Now is also the clock for what is kept of websets.
	Now     func() time.Time
	Jitter  func() float64
	Wait    func(context.Context, time.Duration) error
	Logger  *slog.Logger
	Observe func(Attempt)
	Limits  Limits

	once   sync.Once
	caller *remote.Caller
	// keys are what is known of each key, by its hash.
	keys *lru.Cache[[32]byte, *key]
}

// Limits bound what a call may cost. A zero field has a default: 3 attempts of 30 s in 60 s, waits from 500 ms to 8 s,
// a pause of 15 s after 5 failures with a key, slow after 1 s, a rest of at most 1 min, answers of 32 MiB, and those
// that are named here.
type Limits struct {
	remote.Limits
	// Upload bounds the sending of a file (5 min).
	Upload time.Duration
	// Websets and Web are how many requests a key may send in a second, to Websets and research (5) and to the search of
	// the web (10). As many may go at once after a silence. Queue is how long a request waits for its turn (10 s).
	// Sources: observed; https://docs.exa.ai/reference/rate-limits.
	Websets, Web float64
	Queue        time.Duration
	// Keys is how many keys are remembered with their breakers and budgets (1,024), Known of how many websets and monitors
	// of each it is remembered whose they are (2,048).
	Keys, Known int
	// Fresh is how long a webset's enrichments are believed, and that something is nobody's (1 min).
	Fresh time.Duration
	// Pages is how many pages of the remote one list looks through for what is a user's (10).
	Pages int
}

// Attempt is one request that was sent, or was not because the key is left alone. The Operation names the endpoint:
// "websets.list".
type Attempt = remote.Attempt

// ResultLeftAlone is the Result of an Attempt that was not sent.
const ResultLeftAlone = remote.ResultLeftAlone

// Check reports what is wrong with the address, if anything: a service must not be started with one that would leak
// what is sent there.
func (c *Client) Check() error {
	if c.URL == nil {
		return nil
	}
	return remote.CheckURL("exa: the server", c.URL, c.AllowHTTP)
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
	c.caller = remote.Caller{Name: remoteName, Title: "Exa", Now: c.Now, Jitter: c.Jitter, Wait: c.Wait, Logger: c.Logger,
		Observe: c.Observe, Limits: c.Limits.Limits}.Ready(remote.Limits{
		Attempts: 3, Attempt: 30 * time.Second, Call: time.Minute, BackoffBase: 500 * time.Millisecond,
		BackoffMost: 8 * time.Second, Failures: 5, Pause: 15 * time.Second, Slow: time.Second, Rest: time.Minute,
		Answer: 32 << 20,
	})
	c.Now = c.caller.Now
	l := &c.Limits
	l.Limits = c.caller.Limits
	l.Upload = remote.Or(l.Upload, 5*time.Minute)
	l.Websets = remote.Or(l.Websets, 5)
	l.Web = remote.Or(l.Web, 10)
	l.Queue = remote.Or(l.Queue, 10*time.Second)
	l.Keys = remote.Or(l.Keys, 1024)
	l.Known = remote.Or(l.Known, 2048)
	l.Fresh = remote.Or(l.Fresh, time.Minute)
	l.Pages = remote.Or(l.Pages, 10)
	c.keys = remote.NewCache[[32]byte, *key](l.Keys)
}
