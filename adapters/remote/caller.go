package remote

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Caller calls one remote. Its fields are set before the first use and not changed after it. It is safe for goroutines.
type Caller struct {
	// Name begins the text of failures ("exa"), Title is what log records call the remote ("Exa"). Both are constants.
	Name, Title string
	// Now is the clock for what has a date, such as Retry-After; deadlines, pauses and latencies are of the process's own
	// clock always, like those of contexts.
	Now func() time.Time
	// Jitter returns numbers in [0, 1); random ones when nil.
	Jitter func() float64
	// Wait waits, or returns the context's error when that ends first; on a timer when nil.
	Wait func(context.Context, time.Duration) error
	// Backoff is how long to wait after so many failures in a row; the function Backoff when nil.
	Backoff func(failed int, jitter float64, base, most time.Duration) time.Duration
	// Logger gets a record of each attempt (debug) and of what an operator should know (warn); none when nil.
	Logger *slog.Logger
	// Observe is called after each attempt, for metrics; it must be quick and safe for goroutines.
	Observe func(Attempt)
	// Patient calls wait until the remote may be asked again, where their deadline allows it.
	Patient bool
	Limits  Limits

	clock func() time.Time
}

// Limits bound what a call may cost. Each remote names its defaults, which hold for zero fields.
type Limits struct {
	// Attempts is how many requests one call may send, without those after a Stale one.
	Attempts int
	// Attempt bounds one request from its first byte to the last of the answer, Call a call with all its attempts and
	// waits; the context's deadline may be nearer.
	Attempt, Call time.Duration
	// BackoffBase and BackoffMost are the first and the longest wait between attempts; see Caller.Backoff.
	BackoffBase, BackoffMost time.Duration
	// Failures in a row open the breaker, for Pause.
	Failures int
	Pause    time.Duration
	// Slow is after how long it is the remote that is slow when a caller's time ends; before, the caller may be hasty.
	Slow time.Duration
	// Rest bounds for how long the remote is left alone at its own wish.
	Rest time.Duration
	// Answer is how large an unpacked answer may be, in bytes.
	Answer int64
	// Concurrent is how many requests are under way at once, where the remote has such a bound.
	Concurrent int
}

// Or fills zero fields with defaults.
func (l Limits) Or(defaults Limits) Limits {
	return Limits{
		Attempts: Or(l.Attempts, defaults.Attempts), Attempt: Or(l.Attempt, defaults.Attempt),
		Call: Or(l.Call, defaults.Call), BackoffBase: Or(l.BackoffBase, defaults.BackoffBase),
		BackoffMost: Or(l.BackoffMost, defaults.BackoffMost), Failures: Or(l.Failures, defaults.Failures),
		Pause: Or(l.Pause, defaults.Pause), Slow: Or(l.Slow, defaults.Slow), Rest: Or(l.Rest, defaults.Rest),
		Answer: Or(l.Answer, defaults.Answer), Concurrent: Or(l.Concurrent, defaults.Concurrent),
	}
}

// Or is a number, or the default when it is not positive.
func Or[N int | int64 | float64 | time.Duration](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}

// Ready fills in what was left out, and returns the caller.
func (c Caller) Ready(defaults Limits) *Caller {
	c.Limits = c.Limits.Or(defaults)
	c.clock = time.Now
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	if c.Wait == nil {
		c.Wait = Sleep
	}
	if c.Backoff == nil {
		c.Backoff = Backoff
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Observe == nil {
		c.Observe = func(Attempt) {}
	}
	return &c
}

// Clock is the process's own clock.
func (c *Caller) Clock() time.Time { return c.clock() }

// NewBreaker makes a breaker with the caller's limits.
func (c *Caller) NewBreaker() *Breaker {
	return &Breaker{Failures: c.Limits.Failures, Pause: c.Limits.Pause}
}

// BackoffAfter is how long to wait after so many failures in a row.
func (c *Caller) BackoffAfter(failed int) time.Duration {
	return c.Backoff(failed, c.Jitter(), c.Limits.BackoffBase, c.Limits.BackoffMost)
}

// Fits reports whether a wait would end before the context does.
func (c *Caller) Fits(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || c.clock().Add(wait).Before(deadline)
}

// Slots is a number of turns, of which each attempt takes one.
type Slots chan struct{}

// Take waits for a turn, which the function that it returns gives back.
func (s Slots) Take(ctx context.Context) (leave func(), lost *Failure) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, Late(ctx.Err())
	}
}

// Attempt is one request that was sent, or was held back by the breaker, a rest or a budget.
type Attempt struct {
	// Operation is the adapter's name for what was asked, one of few.
	Operation string
	// Method and Host are the request's, where an operation does not imply them. The path may hold a name and is left out.
	Method, Host string
	// Background: nobody waits for it.
	Background bool
	// Number counts the requests of a call from 1.
	Number int
	// Status is 0 when there was no answer, or none over HTTP.
	Status int
	// Result is one of the Result constants, or of the adapter's own.
	Result string
	// Reason is the remote's code for a refusal.
	Reason  string
	Latency time.Duration
}

// What an Attempt may result in.
const (
	ResultOK          = "ok"          // an answer of use
	ResultRejected    = "rejected"    // any other answer below 500
	ResultRateLimited = "rateLimited" // too fast
	ResultUnavailable = "unavailable" // 5xx, no whole answer, or one that cannot be read
	ResultTimeout     = "timeout"     // the attempt's own time ended, or a caller's that had waited long enough
	ResultCancelled   = "cancelled"   // the caller's time ended, or it went away
	ResultLeftAlone   = "leftAlone"   // not sent
)

// Report logs an attempt and passes it to Observe.
func (c *Caller) Report(ctx context.Context, a Attempt) {
	c.Observe(a)
	if !c.Logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attributes := []slog.Attr{slog.String("operation", a.Operation), slog.Int("attempt", a.Number),
		slog.Int("status", a.Status), slog.String("result", a.Result), slog.String("reason", a.Reason),
		slog.Duration("latency", a.Latency)}
	if a.Host != "" {
		attributes = append(attributes, slog.String("method", a.Method), slog.String("host", a.Host))
	}
	if a.Background {
		attributes = append(attributes, slog.Bool("background", true))
	}
	c.Logger.LogAttrs(ctx, slog.LevelDebug, "called "+c.Title, attributes...) //nolint:sloglint // a constant each
}
