package openai

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go/v3/option"

	"almanac/internal/retry"
)

// DefaultURL is OpenAI's own endpoint.
const DefaultURL = "https://api.openai.com/v1"

// Endpoint is a server that speaks OpenAI's API. Its fields are set before the first use and not changed after it; only
// URL is needed. It is safe for goroutines and must not be copied.
type Endpoint struct {
	// URL is what the API's paths are put behind: "https://api.openai.com/v1".
	URL *url.URL
	// Key is sent as bearer token; empty for servers that want none.
	Key string
	// AllowHTTP lets texts and the key travel in the clear, also to other machines. Without it plain http is for loopback
	// only.
	AllowHTTP bool
	// Base sends the requests; NewTransport's when nil.
	Base http.RoundTripper
	// Now is the clock for Retry-After; deadlines, pauses and latencies are of the machine's time always, like those of
	// contexts.
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
	// guards are the breakers for those who wait and for the background, each with an opinion of its own: what is too slow
	// for a person may be quick enough for a worker.
	guards [2]retry.Breaker
	mu     sync.Mutex
	// rests is until when the endpoint asked to be left alone.
	rests time.Time
}

// Limits bound what a call may cost. A zero field has the default that is named with it.
type Limits struct {
	// Attempts is how many requests one call may send (3).
	Attempts int
	// Attempt bounds one request from its first byte to the last of the answer (30 s), Call a call with all its attempts
	// and waits (60 s); the context's deadline may be nearer. A server of one's own may have to load its model first.
	Attempt time.Duration
	Call    time.Duration
	// BackoffBase (250 ms) and BackoffMost (8 s) give the waits: min(2^n·base, most), of which between a half and the
	// whole.
	BackoffBase time.Duration
	BackoffMost time.Duration
	// Failures in a row open the breaker (4), for Pause (15 s).
	Failures int
	Pause    time.Duration
	// Slow is after how long it is the endpoint that is slow when a caller's time ends (1 s). Before that it may be the
	// caller that is hasty, and the breaker hears nothing.
	Slow time.Duration
	// Rest bounds for how long the endpoint is left alone at its own wish (1 min), so that a wrong header does not turn it
	// off.
	Rest time.Duration
	// Answer is how large an unpacked answer may be, in bytes (64 MiB).
	Answer int64
}

// Attempt is one request that was sent, or was not because the endpoint is left alone.
type Attempt struct {
	// Operation is the end of the API's path, "embeddings" or "completions".
	Operation string
	// Background: nobody waits for it.
	Background bool
	// Number counts the attempts of a call from 1.
	Number int
	// Status is 0 when there was no answer.
	Status int
	// Result is one of the Result constants.
	Result string
	// Reason is the endpoint's code for a refusal.
	Reason  string
	Latency time.Duration
}

// What an Attempt may result in.
const (
	ResultOK          = "ok"          // an answer below 300
	ResultRejected    = "rejected"    // any other answer below 500
	ResultRateLimited = "rateLimited" // 429
	ResultUnavailable = "unavailable" // 5xx, or no whole answer
	ResultTimeout     = "timeout"     // the attempt's own time ended, or a caller's that had waited long enough
	ResultCancelled   = "cancelled"   // the caller went away
	ResultLeftAlone   = "leftAlone"   // not sent
)

type contextKey int

const backgroundKey contextKey = iota

// InBackground says that nobody waits for the calls made with this context, so they are tried even while those who wait
// are spared the endpoint.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey, true)
}

func isBackground(ctx context.Context) bool {
	background, _ := ctx.Value(backgroundKey).(bool)
	return background
}

// NewTransport makes a transport with limits on each step of connecting. The caller may close its idle connections at
// the end.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    5 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		// A connection that died without a word would otherwise hold every call until it timed out.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
	}
}

// prepare fills in what was left out.
func (e *Endpoint) prepare() {
	if e.Base == nil {
		e.Base = NewTransport()
	}
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Jitter == nil {
		e.Jitter = rand.Float64
	}
	if e.Wait == nil {
		e.Wait = retry.Sleep
	}
	if e.Logger == nil {
		e.Logger = slog.New(slog.DiscardHandler)
	}
	if e.Observe == nil {
		e.Observe = func(Attempt) {}
	}
	l := &e.Limits
	l.Attempts = positive(l.Attempts, 3)
	l.Attempt = positive(l.Attempt, 30*time.Second)
	l.Call = positive(l.Call, time.Minute)
	l.BackoffBase = positive(l.BackoffBase, 250*time.Millisecond)
	l.BackoffMost = positive(l.BackoffMost, 8*time.Second)
	l.Failures = positive(l.Failures, 4)
	l.Pause = positive(l.Pause, 15*time.Second)
	l.Slow = positive(l.Slow, time.Second)
	l.Rest = positive(l.Rest, time.Minute)
	l.Answer = positive(l.Answer, 64<<20)
	for i := range e.guards {
		e.guards[i].Failures, e.guards[i].Pause = l.Failures, l.Pause
	}
	e.machine = time.Now
}

func positive[N int | int64 | time.Duration](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}

// Check tells what is wrong with the address, if anything: a service must not be started with one that would leak what
// is sent there.
func (e *Endpoint) Check() error {
	switch u := e.URL; {
	case u == nil || u.Hostname() == "":
		return errors.New("openai: the endpoint has no address")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("openai: the endpoint's address has a user, a query or a fragment")
	case u.Scheme == "https", u.Scheme == "http" && (e.AllowHTTP || isLoopback(u.Hostname())):
		return nil
	default:
		return fmt.Errorf("openai: the endpoint's address is neither https nor loopback but %s", u.Scheme)
	}
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// options configure a service of the client library for this endpoint. Its own repeats are off: there is one policy.
// The services are made with these alone, since the library's whole client reads keys and addresses from the
// environment.
func (e *Endpoint) options() []option.RequestOption {
	options := []option.RequestOption{
		option.WithBaseURL(e.URL.String()),
		option.WithHTTPClient(&http.Client{Transport: e, CheckRedirect: dontFollow}),
		option.WithMaxRetries(0),
		option.WithHeader("User-Agent", "almanac"),
	}
	if e.Key != "" {
		options = append(options, option.WithAPIKey(e.Key))
	}
	return options
}

// dontFollow leaves redirects to the caller, who takes them for refusals: the API has none, and one that came would
// carry texts and the key to wherever it points.
func dontFollow(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
