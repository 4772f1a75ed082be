package google

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"google.golang.org/api/googleapi"

	"almanac/graph/model"
	"almanac/internal/retry"
)

// uncertainHeader marks an answer to a write of which an earlier attempt may have taken effect. It is ours: what a
// remote sends under that name is removed.
const uncertainHeader = "X-Almanac-Uncertain"

// failure is a call that got no whole answer.
type failure struct {
	host     string
	attempts int
	// uncertain: it was a write, and may have taken effect.
	uncertain bool
	err       error
}

func (e *failure) Error() string {
	text := plainText(e.err)
	if shown, ok := errors.AsType[*model.Error](e.err); ok {
		text = model.CauseOf(shown)
	}
	if e.attempts == 0 {
		return text
	}
	return fmt.Sprintf("google: %s, attempt %d: %s", e.host, e.attempts, text)
}

func (e *failure) Unwrap() error { return e.err }

// call is one request of the client library with all its attempts.
type call struct {
	*session
	req     *http.Request
	guard   *retry.Breaker
	outcome *Outcome
	safe    bool
	repeat  Repeat
	sent    int // requests sent
	// uncertain: an attempt of a write may have taken effect.
	uncertain bool
}

// RoundTrip sends the request, and again where that is allowed and may help.
func (s *session) RoundTrip(req *http.Request) (*http.Response, error) {
	c := &call{session: s, req: req, guard: s.state.breaker(req.URL.Host, &s.clients.Limits),
		outcome: outcomeOf(req.Context())}
	if c.outcome == nil {
		c.outcome = new(Outcome)
	}
	c.outcome.attempts.Store(0)
	c.outcome.uncertain.Store(false)
	c.safe = req.Method == http.MethodGet || req.Method == http.MethodHead || req.Method == ""
	c.repeat = repeatOf(req.Context())
	if c.safe {
		c.repeat = RepeatAlways
	}
	// The request's body is the transport's to close, also when it is never sent.
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }()
	}
	if !s.clients.Trusted(req.URL) {
		return nil, &ownError{"a request", errors.New("its host is not one of Google's, so it gets no token")}
	}
	ctx, cancel := s.within(req.Context())
	defer cancel()
	response, err := c.run(ctx)
	if err != nil || response.StatusCode >= 400 {
		c.outcome.uncertain.Store(c.uncertain)
	}
	return response, err
}

// within bounds a call by its own time, the request's context and the client's.
func (s *session) within(ctx context.Context) (context.Context, context.CancelFunc) {
	end := s.clients.machine().Add(s.clients.Limits.Call)
	if deadline, ok := s.ctx.Deadline(); ok && deadline.Before(end) {
		end = deadline
	}
	ctx, cancel := context.WithDeadline(ctx, end)
	stop := context.AfterFunc(s.ctx, func() {
		if errors.Is(s.ctx.Err(), context.Canceled) { // its deadline is in the other context already
			cancel()
		}
	})
	return ctx, func() { stop(); cancel() }
}

// run makes attempts until one counts.
func (c *call) run(ctx context.Context) (*http.Response, error) {
	limits := &c.clients.Limits
	renewed, failed := false, 0
	var before result
	for {
		token, err := c.authorize(ctx)
		if err != nil {
			return nil, c.fail(ctx, err)
		}
		got := c.attempt(ctx, token)
		switch got.kind {
		case kindDone:
			return c.give(got), nil
		case kindRefused:
			if failed > 0 && errors.Is(got.err, errBreaker) {
				return c.last(ctx, before, 0) // what Google did tells more than that it is left alone now
			}
			return nil, c.fail(ctx, got.err)
		case kindLacksScope:
			return nil, c.notConnected(c.lacking(token), c.answer(got))
		case kindUnauthorized:
			if renewed || !c.state.reject(token.Access, c.clients.machine()) {
				return nil, c.notConnected(nil, c.answer(got))
			}
			if !c.replayable() {
				return nil, unavailable("Google asks for this to be sent again.", 0, c.answer(got))
			}
			renewed = true
			continue
		case kindLimited, kindBroken:
		}
		failed, before = failed+1, got
		wait := max(backoff(failed-1, c.clients.Jitter(), limits.BackoffBase, limits.BackoffMost), got.wait)
		if failed >= limits.Attempts || !c.mayRepeat(got) || !c.replayable() || c.guard.IsOpen(c.clients.machine()) {
			return c.last(ctx, got, wait)
		}
		if !c.clients.fits(ctx, wait) {
			return c.last(ctx, got, wait)
		}
		if err := c.clients.Wait(ctx, wait); err != nil {
			return nil, c.fail(ctx, err)
		}
	}
}

// authorize gives the token for the next attempt, and refuses when it lacks a scope that the call needs.
func (c *call) authorize(ctx context.Context) (Token, error) {
	if err := ctx.Err(); err != nil {
		return Token{}, err
	}
	token, err := c.access(ctx)
	if err != nil {
		return Token{}, err
	}
	if len(token.Scopes) > 0 {
		if missing := Missing(token.Scopes, scopesOf(c.req.Context())); len(missing) > 0 {
			return Token{}, c.notConnected(missing, errors.New("google: scopes are missing: "+
				strings.ReplaceAll(strings.Join(missing, " "), "https://www.googleapis.com/auth/", "")))
		}
	}
	return token, nil
}

// lacking gives what to ask for after Google refused for want of a scope: what is known to be missing, or all that the
// call needs.
func (c *call) lacking(token Token) []string {
	wanted := scopesOf(c.req.Context())
	if missing := Missing(token.Scopes, wanted); len(missing) > 0 {
		return missing
	}
	return wanted
}

// mayRepeat holds the rules of Repeat.
func (c *call) mayRepeat(got result) bool {
	switch c.repeat {
	case RepeatAlways:
		return true
	case RepeatUnapplied:
		return got.kind == kindLimited || got.unsent
	default:
		return false
	}
}

// replayable tells whether the request can be sent again.
func (c *call) replayable() bool {
	return c.req.Body == nil || c.req.Body == http.NoBody || c.req.GetBody != nil
}

// last gives the outcome of the last attempt as the outcome of the call. Who went too fast always hears how long to
// wait.
func (c *call) last(ctx context.Context, got result, wait time.Duration) (*http.Response, error) {
	if got.kind == kindLimited {
		return nil, rateLimited(max(wait, got.wait), c.answer(got))
	}
	if got.response != nil {
		return c.give(got), nil
	}
	return nil, c.fail(ctx, got.err)
}

// fail wraps an error that ends the call, so that it says whether a write may have been applied. An error with a code
// keeps it.
func (c *call) fail(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) && model.CodeOf(err) == model.CodeInternal {
		err = fmt.Errorf("%w: %w", ended, err)
	}
	lost := &failure{host: c.req.URL.Host, attempts: c.sent, uncertain: c.uncertain, err: err}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		same := *shown
		same.Cause = lost
		return &same
	}
	return lost
}

// answer makes of an answer the error that the client library would make of it.
func (c *call) answer(got result) error {
	err := googleapi.CheckResponseWithBody(c.give(got),
		got.body) //nolint:bodyclose // a body in memory has nothing to close
	if answer := answerIn(err); answer != nil {
		return &remoteError{fmt.Sprintf("google: status %d %s", answer.Code, got.said.reason()), answer}
	}
	return err
}

// observe tells the log and the metrics of an attempt.
func (s *session) observe(ctx context.Context, a Attempt) {
	s.clients.Observe(a)
	if !s.clients.Logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	s.clients.Logger.LogAttrs(ctx, slog.LevelDebug, "called Google",
		slog.String("operation", a.Operation), slog.String("method", a.Method), slog.String("host", a.Host),
		slog.Int("attempt", a.Number), slog.Int("status", a.Status), slog.String("result", a.Result),
		slog.String("reason", a.Reason), slog.Duration("latency", a.Latency))
}

func breakerOpen(host string, pause time.Duration) *model.Error {
	return unavailable("Google did not answer several times, and is left alone for a moment"+laterBy(pause), pause,
		&failure{host: host, err: errBreaker})
}

var errBreaker = errors.New("google: the breaker is open")
