package google

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Clients makes HTTP clients for the accounts of all users. Its fields are set before the first use and not changed
// after it; Vault and Base are needed, the rest has defaults. It is safe for goroutines and must not be copied.
type Clients struct {
	OAuth OAuth
	Vault Vault
	// Base sends the requests of all accounts; NewTransport makes one.
	Base http.RoundTripper
	// Now, Jitter, Wait, Logger and Observe are those of remote.Caller; Now is also the clock for tokens.
	Now     func() time.Time
	Jitter  func() float64
	Wait    func(context.Context, time.Duration) error
	Logger  *slog.Logger
	Observe func(Attempt)
	// ConnectURL returns the address where the account can be linked again; the scopes are those to ask for in addition,
	// nil for none. Errors have no address when it is nil.
	ConnectURL func(account Account, scopes []string) string
	// Asked are the scopes that accounts are asked for. A call that needs others is refused before anything is sent, even
	// if an account has granted them before; nil refuses none.
	Asked []string
	// Trusted reports which addresses may be sent a token; the hosts of googleapis.com over TLS when nil.
	Trusted func(*url.URL) bool
	Limits  Limits

	once     sync.Once
	caller   *remote.Caller
	renewals singleflight.Group
	states   *lru.Cache[accountKey, *accountState]
}

// Limits bound what a call may cost. A zero field has a default: 4 attempts of 10 s in 20 s, which is less than a
// request of ours may take, so that a slow Google costs its own fields and not the whole answer; waits from 500 ms to
// 32 s; a pause of 30 s after 5 failures of an account and host; slow after a third of an attempt; a rest of at most 1
// min; answers of 64 MiB; 8 requests of one account at once.
type Limits = remote.Limits

// Attempt is one request that was sent, or was not because the host is left alone. The Operation is what WithOperation
// said, the Reason Google's.
type Attempt = remote.Attempt

// What an Attempt may result in.
const (
	ResultOK          = remote.ResultOK
	ResultRejected    = remote.ResultRejected
	ResultRateLimited = remote.ResultRateLimited // 429, or 403 for going too fast
	ResultUnavailable = remote.ResultUnavailable
	ResultTimeout     = remote.ResultTimeout
	ResultCancelled   = remote.ResultCancelled
	ResultUnauth      = "unauth"  // 401, or a scope is lacking
	ResultBreaker     = "breaker" // not sent
)

// HTTP makes a client for the account's calls. The context bounds all of them, beside the context of each request, so
// the client lives as long as one request of ours, or one worker. It is cheap to make and safe for goroutines; it reads
// what the vault holds when it is first used, and again every half a minute.
//
// Its errors are for Classify. What Google answers is returned as it is, read whole, but for four kinds of answers that
// come as errors with a code: a token that is rejected twice, a scope that is lacking, going too fast, and a breaker
// that is open.
//
// A client is one question to the system in the sense of model.AskUpstream. Beyond what its context allows it sends
// nothing, and each of its calls fails with QUERY_TOO_EXPENSIVE.
func (c *Clients) HTTP(ctx context.Context, account Account, system model.Upstream) *http.Client {
	c.once.Do(c.prepare)
	if err := model.AskUpstream(ctx, system); err != nil {
		return &http.Client{Transport: refusing{err}}
	}
	return &http.Client{
		Transport:     &session{clients: c, ctx: ctx, account: account, state: c.state(account.key())},
		CheckRedirect: remote.DontFollow,
	}
}

// refusing is the transport of a client that may send nothing.
type refusing struct{ err error }

// RoundTrip returns the refusal, in a form that says that nothing was sent.
func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	if outcome := outcomeOf(req.Context()); outcome != nil {
		outcome.attempts.Store(0)
		outcome.uncertain.Store(false)
	}
	return nil, &failure{Remote: "google", Unsent: true, Err: r.err}
}

// prepare fills in what was left out.
func (c *Clients) prepare() {
	if c.ConnectURL == nil {
		c.ConnectURL = func(Account, []string) string { return "" }
	}
	if c.Trusted == nil {
		c.Trusted = googleHosts
	}
	attempt := remote.Or(c.Limits.Attempt, 10*time.Second)
	c.caller = remote.Caller{Name: "google", Title: "Google", Now: c.Now, Jitter: c.Jitter, Wait: c.Wait, Backoff: backoff,
		Logger: c.Logger, Observe: c.observe, Patient: true, Limits: c.Limits}.Ready(Limits{
		Attempts: 4, Attempt: attempt, Call: 20 * time.Second, BackoffBase: 500 * time.Millisecond,
		BackoffMost: 32 * time.Second, Failures: 5, Pause: 30 * time.Second, Slow: attempt / 3, Rest: time.Minute,
		Answer: 64 << 20, Concurrent: 8,
	})
	c.Now, c.Logger, c.Limits = c.caller.Now, c.caller.Logger, c.caller.Limits
	if c.OAuth.Base == nil {
		c.OAuth.Base = c.Base
	}
	if c.OAuth.Now == nil {
		c.OAuth.Now = c.Now
	}
	c.states = remote.NewCache[accountKey, *accountState](maxAccounts)
}

func (c *Clients) observe(a Attempt) {
	if a.Result == remote.ResultLeftAlone {
		a.Result = ResultBreaker // as metrics of Google's have always called it
	}
	if c.Observe != nil {
		c.Observe(a)
	}
}

// maxAccounts is of how many accounts slots and breakers are remembered; the ones used last.
const maxAccounts = 4096

// state is what is remembered of an account between its calls.
func (c *Clients) state(key accountKey) *accountState {
	return remote.Cached(c.states, key, c.newState)
}

func (c *Clients) newState() *accountState {
	return &accountState{slots: make(remote.Slots, c.Limits.Concurrent), hosts: remote.NewCache[string, *host](maxHosts)}
}

// accountState is shared by all clients of an account.
type accountState struct {
	slots remote.Slots
	hosts *lru.Cache[string, *host]

	mu sync.Mutex
	// ended is the fingerprint of the refresh token that Google does not accept any more, rejected of the access token
	// that it did not accept last, at a time by the process's own clock.
	ended      [32]byte
	rejected   [32]byte
	rejectedAt time.Time
}

// maxHosts bounds the breakers of an account; the hosts are few, and named by our own code.
const maxHosts = 16

// host is what an account's calls of one host share. They share no rest: Google's Retry-After is about the call that it
// answers, and what is asked next may be of another quota.
type host struct{ breaker *remote.Breaker }

func (s *accountState) host(name string, caller *remote.Caller) *host {
	return remote.Cached(s.hosts, name, func() *host { return &host{breaker: caller.NewBreaker()} })
}
