package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"almanac/internal/retry"
)

// maxRetryAfter bounds what is believed of an endpoint's wish to be left alone.
const maxRetryAfter = time.Hour

// kind is what an attempt came to.
type kind int

const (
	kindDone      kind = iota // an answer for the caller
	kindRejected              // a refusal; another attempt cannot help
	kindLimited               // too fast
	kindSpent                 // an allowance is used up
	kindBroken                // 5xx, or no whole answer
	kindLate                  // the caller's time ended
	kindLeftAlone             // not sent: the breaker is open, or the endpoint asked for it
)

// failure is a call without an answer that is of use. Its text has neither address nor body.
type failure struct {
	kind kind
	// status is 0 when there was no answer.
	status   int
	said     problem
	attempts int
	// wait is how long the endpoint asks to be left alone, or how long it will be.
	wait time.Duration
	// final tells that another attempt is no use, by the endpoint's own word.
	final bool
	err   error
}

func (f *failure) Error() string {
	var b strings.Builder
	b.WriteString("openai")
	if f.status != 0 {
		fmt.Fprintf(&b, ": status %d", f.status)
	}
	if f.said.code != "" {
		b.WriteString(" " + f.said.code)
	}
	if f.err != nil {
		b.WriteString(": " + f.err.Error())
	}
	if f.attempts > 1 {
		fmt.Fprintf(&b, " (attempt %d)", f.attempts)
	}
	return b.String()
}

func (f *failure) Unwrap() error { return f.err }

// call is one request of the client library with all its attempts.
type call struct {
	*Endpoint
	req        *http.Request
	guard      *retry.Breaker
	background bool
	sent       int
}

// RoundTrip sends a request of the client library, and again where that may help: nothing that is asked here changes
// anything there. Its errors are for Classify.
func (e *Endpoint) RoundTrip(req *http.Request) (*http.Response, error) {
	e.once.Do(e.prepare)
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }() // the request's body is the transport's to close, also when it is never sent
	}
	if err := e.Check(); err != nil {
		return nil, &failure{kind: kindRejected, err: err}
	}
	c := &call{Endpoint: e, req: req, guard: &e.guards[0], background: isBackground(req.Context())}
	if c.background {
		c.guard = &e.guards[1]
	}
	ctx, cancel := context.WithTimeout(req.Context(), e.Limits.Call)
	defer cancel()
	response, lost := c.run(ctx)
	if lost != nil {
		lost.attempts = c.sent
		return nil, lost
	}
	return response, nil
}

// run makes attempts until one counts.
func (c *call) run(ctx context.Context) (*http.Response, *failure) {
	failed := 0
	var before *failure
	for {
		response, lost := c.attempt(ctx)
		switch {
		case lost == nil:
			return response, nil
		case lost.kind == kindLeftAlone && before != nil:
			return nil, before // what the endpoint did tells more than that it is left alone now
		case lost.kind != kindLimited && lost.kind != kindBroken:
			return nil, lost
		}
		failed, before = failed+1, lost
		wait := max(retry.Backoff(failed, c.Jitter(), c.Limits.BackoffBase, c.Limits.BackoffMost), lost.wait)
		if lost.kind == kindLimited {
			lost.wait = wait // who went too fast always hears how long to wait
		}
		if failed >= c.Limits.Attempts || lost.final || c.guard.IsOpen(c.machine()) || !c.fits(ctx, wait) ||
			c.req.Body != nil && c.req.GetBody == nil {
			return nil, lost
		}
		if c.Wait(ctx, wait) != nil {
			return nil, lost
		}
	}
}

// fits tells whether an attempt after the wait would begin in time.
func (c *call) fits(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || c.machine().Add(wait).Before(deadline)
}

// attempt sends the request once, if the endpoint is not to be left alone, and judges what comes back.
func (c *call) attempt(ctx context.Context) (*http.Response, *failure) {
	if ctx.Err() != nil {
		return nil, &failure{kind: kindLate, err: ctx.Err()}
	}
	if rest := c.resting(); rest > 0 {
		c.tell(ctx, Attempt{Result: ResultLeftAlone})
		return nil, &failure{kind: kindLimited, final: true, wait: rest, err: errResting}
	}
	leave, pause, ok := c.guard.Enter(c.machine())
	if !ok {
		c.tell(ctx, Attempt{Result: ResultLeftAlone})
		return nil, &failure{kind: kindLeftAlone, wait: pause, err: errBreaker}
	}
	say := retry.NoSay
	defer func() {
		if c.guard.Done(leave, say, c.machine()) {
			c.Logger.WarnContext(ctx, "the model endpoint fails and is left alone for a while",
				slog.String("operation", c.operation()), slog.Bool("background", c.background),
				slog.Duration("pause", c.Limits.Pause))
		}
	}()

	began := c.machine()
	c.sent++
	response, lost := c.exchange(ctx)
	told := Attempt{Result: ResultOK, Latency: c.machine().Sub(began)}
	if lost != nil && lost.status == 0 && ctx.Err() != nil {
		lost.kind, lost.err = kindLate, ctx.Err()
	}
	switch {
	case lost == nil:
		say, told.Status = retry.Healthy, response.StatusCode
	case lost.kind == kindLate:
		told.Result = ResultCancelled
		if errors.Is(lost.err, context.DeadlineExceeded) && told.Latency >= c.Limits.Slow {
			say, told.Result = retry.Failing, ResultTimeout
		}
	case lost.kind == kindBroken:
		say, told.Result = retry.Failing, ResultUnavailable
		if errors.Is(lost.err, context.DeadlineExceeded) {
			told.Result = ResultTimeout
		}
	case lost.kind == kindLimited:
		say, told.Result = retry.Healthy, ResultRateLimited
		c.rest(lost.wait)
	default:
		say, told.Result = retry.Healthy, ResultRejected
	}
	if lost != nil {
		told.Status, told.Reason = lost.status, lost.said.code
	}
	c.tell(ctx, told)
	return response, lost
}

var (
	errBreaker  = errors.New("it failed several times and is left alone for a moment")
	errResting  = errors.New("it asked to be left alone")
	errTooLarge = errors.New("the answer is larger than allowed")
)

// resting is for how much longer the endpoint wants to be left alone.
func (e *Endpoint) resting() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.rests.Sub(e.machine())
}

func (e *Endpoint) rest(wait time.Duration) {
	if wait <= 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if until := e.machine().Add(min(wait, e.Limits.Rest)); until.After(e.rests) {
		e.rests = until
	}
}

// exchange sends the request and reads the answer whole.
func (c *call) exchange(ctx context.Context) (*http.Response, *failure) {
	within, cancel := context.WithTimeout(ctx, c.Limits.Attempt)
	defer cancel()
	request, err := c.request(within)
	if err != nil {
		return nil, &failure{kind: kindRejected, err: errors.New("the request's body cannot be read")}
	}
	response, err := c.Base.RoundTrip(request)
	switch {
	case err != nil:
		return nil, &failure{kind: kindBroken, err: lostBy(within, err)}
	case response == nil:
		return nil, &failure{kind: kindBroken, err: errors.New("the transport gave neither an answer nor an error")}
	}
	body, err := readAnswer(response, c.Limits.Answer)
	switch {
	case response.StatusCode >= http.StatusMultipleChoices:
		return nil, c.refusal(response, body)
	case errors.Is(err, errTooLarge):
		return nil, &failure{kind: kindRejected, err: err}
	case err != nil:
		return nil, &failure{kind: kindBroken, err: lostBy(within, err)}
	}
	response.Request, response.Body, response.ContentLength = c.req, io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

// refusal judges an answer that is none.
func (c *call) refusal(response *http.Response, body []byte) *failure {
	status := response.StatusCode
	f := &failure{
		kind: kindRejected, status: status, said: readProblem(body, c.Key),
		wait:  min(retry.After(response.Header, c.Now), maxRetryAfter),
		final: response.Header.Get("X-Should-Retry") == "false",
	}
	switch {
	case status == http.StatusTooManyRequests && f.said.spent:
		f.kind = kindSpent
	case status == http.StatusTooManyRequests:
		f.kind = kindLimited
	case f.said.tooLong: // llama.cpp says so with a 500
	// and this too, where it cannot make a grammar of a schema
	case f.said.about == aboutForm && c.operation() == operationChat:
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict:
		f.kind = kindBroken
	}
	return f
}

// request makes the copy that is sent: with a body of its own, and without what the client library tells about this
// machine.
func (c *call) request(ctx context.Context) (*http.Request, error) {
	request := c.req.Clone(ctx)
	if c.req.GetBody != nil {
		body, err := c.req.GetBody()
		if err != nil {
			return nil, err
		}
		request.Body = body
	}
	for name := range request.Header {
		if strings.HasPrefix(name, "X-Stainless-") {
			request.Header.Del(name)
		}
	}
	return request, nil
}

// readAnswer reads a body whole and closes it: half an answer is none. Bodies of refusals are cut.
func readAnswer(response *http.Response, most int64) ([]byte, error) {
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return io.ReadAll(io.LimitReader(response.Body, maxProblem))
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch trimmed := bytes.TrimSpace(body); {
	case err != nil:
		return nil, err
	case int64(len(body)) > most:
		return nil, errTooLarge
	case len(trimmed) == 0, trimmed[0] == '{' && trimmed[len(trimmed)-1] != '}':
		return nil, io.ErrUnexpectedEOF
	}
	return body, nil
}

// lostBy is why there is no answer, without the address that the standard library's errors quote.
func lostBy(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return plainError(err)
}

// operationChat is the end of the path of chat completions.
const operationChat = "completions"

// operation is the end of the API's path behind the endpoint's address.
func (c *call) operation() string { return path.Base(c.req.URL.Path) }

// tell tells the log and the metrics of an attempt.
func (c *call) tell(ctx context.Context, a Attempt) {
	a.Operation, a.Background, a.Number = c.operation(), c.background, c.sent
	c.Observe(a)
	if !c.Logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	c.Logger.LogAttrs(ctx, slog.LevelDebug, "called the model endpoint",
		slog.String("operation", a.Operation), slog.Bool("background", a.Background), slog.Int("attempt", a.Number),
		slog.Int("status", a.Status),
		slog.String("result", a.Result), slog.String("reason", a.Reason), slog.Duration("latency", a.Latency))
}
