package google

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"almanac/graph/model"
	"almanac/internal/retry"
)

// Clients makes HTTP clients for the accounts of all users. Its fields are set before the first use and not changed
// after it; Vault and Base are needed, the rest has defaults. It is safe for goroutines and must not be copied.
type Clients struct {
	OAuth OAuth
	Vault Vault
	// Base sends the requests of all accounts; NewTransport makes one.
	Base http.RoundTripper
	// Now is the clock for what has a date: tokens, and Retry-After. Deadlines, pauses and latencies are of the machine's
	// time always, like those of contexts.
	Now func() time.Time
	// Jitter gives numbers in [0, 1); random ones when nil.
	Jitter func() float64
	// Wait waits, or gives the context's error when that ends first; on a timer when nil.
	Wait func(context.Context, time.Duration) error
	// Logger gets a line for each attempt (debug) and for what an operator should know (warn); none when nil.
	Logger *slog.Logger
	// Observe is told of each attempt, for metrics; it must be quick and safe for goroutines.
	Observe func(Attempt)
	// ConnectURL gives the address where the account can be linked again; the scopes are those to ask for in addition, nil
	// for none. Errors have no address when it is nil.
	ConnectURL func(account Account, scopes []string) string
	// Trusted tells which addresses may be sent a token; the hosts of googleapis.com over TLS when nil.
	Trusted func(*url.URL) bool
	Limits  Limits

	once    sync.Once
	flights singleflight.Group
	// machine is the clock of contexts' deadlines.
	machine func() time.Time
	mu      sync.Mutex
	states  lru[accountKey, *accountState]
}

// Limits bound what a call may cost. A zero field has the default that is named with it.
type Limits struct {
	// Attempts is how many requests one call may send (4), without the one after a renewed token.
	Attempts int
	// Attempt bounds one request from its first byte to the last of the answer (10 s).
	Attempt time.Duration
	// Call bounds a call with all its attempts and waits (20 s); the context's deadline may be nearer. It is less than a
	// request of ours may take, so that a slow Google costs its own fields and not the whole answer.
	Call time.Duration
	// BackoffBase (500 ms) and BackoffMost (32 s) give the waits: min(2^n·base + jitter·base, most).
	BackoffBase time.Duration
	BackoffMost time.Duration
	// Failures in a row open the breaker of an account and host (5), for BreakerPause (30 s).
	Failures     int
	BreakerPause time.Duration
	// Concurrent is how many requests of one account are under way at once (8).
	Concurrent int
	// Accounts is of how many accounts slots and breakers are remembered (4096); the ones used last.
	Accounts int
	// Answer is how large an unpacked answer may be, in bytes (64 MiB).
	Answer int64
}

// Attempt is one request that was sent, or was not because the breaker was open.
type Attempt struct {
	// Operation is what WithOperation said.
	Operation string
	// Method is the request's, Host its host; the path may hold an e-mail address and is left out.
	Method string
	Host   string
	// Number counts the attempts of a call from 1.
	Number int
	// Status is 0 when there was no answer.
	Status int
	// Result is one of the Result constants.
	Result string
	// Reason is Google's reason for a refusal.
	Reason  string
	Latency time.Duration
}

// What an Attempt may result in.
const (
	ResultOK          = "ok"          // an answer below 400
	ResultRejected    = "rejected"    // any other answer below 500
	ResultUnauth      = "unauth"      // 401, or a scope is lacking
	ResultRateLimited = "rateLimited" // 429, or 403 for going too fast
	ResultUnavailable = "unavailable" // 5xx, or no whole answer
	ResultTimeout     = "timeout"     // the attempt's own time ended
	ResultCancelled   = "cancelled"   // the caller's time ended, or it went away
	ResultBreaker     = "breaker"     // not sent
)

// HTTP gives a client for the account's calls. The context bounds all of them, beside the context of each request, so
// the client lives as long as one request of ours, or one worker. It is cheap to make and safe for goroutines; it reads
// what the vault holds when it is first used, and again every half a minute.
//
// Its errors are for Classify. What Google answers is given as it is, read whole, but for four kinds of answers that
// come as errors with a code: a token that is rejected twice, a scope that is lacking, going too fast, and a breaker
// that is open.
//
// A client is one question in the sense of model.AskUpstream. Beyond what its context allows it sends nothing, and each
// of its calls gives QUERY_TOO_EXPENSIVE.
func (c *Clients) HTTP(ctx context.Context, account Account) *http.Client {
	c.once.Do(c.prepare)
	if err := model.AskUpstream(ctx); err != nil {
		return &http.Client{Transport: refusing{err}}
	}
	return &http.Client{
		Transport:     &session{clients: c, ctx: ctx, account: account, state: c.state(account.key())},
		CheckRedirect: dontFollow,
	}
}

// refusing is the transport of a client that may send nothing.
type refusing struct{ err error }

// RoundTrip gives the refusal, in a form that says that nothing was sent.
func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	if outcome := outcomeOf(req.Context()); outcome != nil {
		outcome.attempts.Store(0)
		outcome.uncertain.Store(false)
	}
	return nil, &failure{host: req.URL.Host, err: r.err}
}

// prepare fills in what was left out.
func (c *Clients) prepare() {
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
	if c.ConnectURL == nil {
		c.ConnectURL = func(Account, []string) string { return "" }
	}
	if c.Trusted == nil {
		c.Trusted = googleHosts
	}
	if c.OAuth.Base == nil {
		c.OAuth.Base = c.Base
	}
	if c.OAuth.Now == nil {
		c.OAuth.Now = c.Now
	}
	l := &c.Limits
	l.Attempts = positive(l.Attempts, 4)
	l.Attempt = positive(l.Attempt, 10*time.Second)
	l.Call = positive(l.Call, 20*time.Second)
	l.BackoffBase = positive(l.BackoffBase, 500*time.Millisecond)
	l.BackoffMost = positive(l.BackoffMost, 32*time.Second)
	l.Failures = positive(l.Failures, 5)
	l.BreakerPause = positive(l.BreakerPause, 30*time.Second)
	l.Concurrent = positive(l.Concurrent, 8)
	l.Accounts = positive(l.Accounts, 4096)
	l.Answer = positive(l.Answer, 64<<20)
	c.states.most = l.Accounts
	c.machine = time.Now
}

func positive[N int | int64 | time.Duration](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}

// state is what is remembered of an account between its calls.
func (c *Clients) state(key accountKey) *accountState {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.states.get(key, func() *accountState {
		return &accountState{slots: make(chan struct{}, c.Limits.Concurrent)}
	})
}

// accountState is shared by all clients of an account.
type accountState struct {
	slots chan struct{}

	mu       sync.Mutex
	breakers map[string]*retry.Breaker
	// ended is the fingerprint of the refresh token that Google does not accept any more, rejected of the access token
	// that it did not accept last, at a time by the machine's clock.
	ended      [32]byte
	rejected   [32]byte
	rejectedAt time.Time
}

// maxHosts bounds the breakers of an account; the hosts are few, and named by our own code.
const maxHosts = 16

func (s *accountState) breaker(host string, limits *Limits) *retry.Breaker {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.breakers[host]
	if !ok {
		if s.breakers == nil || len(s.breakers) >= maxHosts {
			s.breakers = map[string]*retry.Breaker{}
		}
		b = &retry.Breaker{Failures: limits.Failures, Pause: limits.BreakerPause}
		s.breakers[host] = b
	}
	return b
}
