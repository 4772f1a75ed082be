package exa

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/retry"
)

// ask is one thing that is asked of Exa.
type ask struct {
	// operation is for log and metrics: "websets.list".
	operation string
	method    string
	// path has the parts of the path, each as it is; they are escaped here.
	path  []string
	query url.Values
	// body becomes JSON; nil for none.
	body any
	lane lane
	// again: it may be sent again though it may have been done, since doing it twice does no more.
	again bool
	// read takes the answer's body; its error makes it none. Without it the body may be anything.
	read func(body []byte) error
}

// call is one ask with all its attempts.
type call struct {
	*Client
	ask
	key     string
	line    *line
	payload []byte
	sent    int
}

// do makes attempts until one counts.
func (c *Client) do(ctx context.Context, key string, a ask) *failure {
	l := c.line(key)
	one := &call{Client: c, ask: a, key: key, line: l}
	if err := c.Check(); err != nil {
		return &failure{kind: kindRejected, unsent: true, err: err}
	}
	if a.body != nil {
		payload, err := encode(a.body)
		if err != nil {
			return &failure{kind: kindRejected, unsent: true, err: errors.New("the request's body cannot be written")}
		}
		one.payload = payload
	}
	ctx, cancel := context.WithTimeout(ctx, c.Limits.Call)
	defer cancel()
	lost := one.run(ctx)
	if lost != nil {
		lost.attempts = one.sent
	}
	return lost
}

func (c *call) run(ctx context.Context) *failure {
	failed, doubted := 0, false
	var before *failure
	for {
		lost := c.attempt(ctx)
		if lost == nil {
			return nil
		}
		if lost.kind == kindLeftAlone && before != nil {
			return before // what Exa did tells more than that it is left alone now
		}
		lost.doubted = doubted
		doubted = lost.unknown()
		if lost.kind != kindLimited && lost.kind != kindBroken {
			return lost
		}
		failed, before = failed+1, lost
		wait := max(retry.Backoff(failed, c.Jitter(), c.Limits.BackoffBase, c.Limits.BackoffMost), lost.wait)
		if lost.kind == kindLimited {
			lost.wait = wait // who went too fast always hears how long to wait
		}
		if failed >= c.Limits.Attempts || lost.final || !c.again && lost.unknown() || c.line.guard.IsOpen(c.machine()) ||
			!c.fits(ctx, wait) {
			return lost
		}
		if c.Wait(ctx, wait) != nil {
			return lost
		}
	}
}

// fits tells whether an attempt after the wait would begin in time.
func (c *Client) fits(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || c.machine().Add(wait).Before(deadline)
}

// attempt asks once, when its turn comes and if Exa is not to be left alone, and judges what comes back.
func (c *call) attempt(ctx context.Context) *failure {
	if ctx.Err() != nil {
		return &failure{kind: kindLate, unsent: true, err: ctx.Err()}
	}
	if lost := c.closed(ctx); lost != nil { // before the wait for a turn, which would be for nothing
		return lost
	}
	if lost := c.turn(ctx, c.line, c.lane); lost != nil {
		c.tell(ctx, Attempt{Result: lost.result()})
		return lost
	}
	if rest := c.line.resting(c.machine()); rest > 0 {
		c.tell(ctx, Attempt{Result: ResultLeftAlone})
		return &failure{kind: kindLimited, unsent: true, final: true, wait: rest, err: errResting}
	}
	pass, pause, ok := c.line.guard.Enter(c.machine())
	if !ok {
		return c.leftAlone(ctx, pause)
	}
	verdict := retry.NoSay
	defer func() {
		if c.line.guard.Done(pass, verdict, c.machine()) {
			c.Logger.WarnContext(ctx, "Exa fails and is left alone for a while", slog.String("operation", c.operation),
				slog.Duration("pause", c.Limits.Pause))
		}
	}()
	began := c.machine()
	c.sent++
	lost, status := c.exchange(ctx)
	told := Attempt{Result: ResultOK, Status: status, Latency: c.machine().Sub(began)}
	if lost == nil {
		verdict = retry.Healthy
		c.tell(ctx, told)
		return nil
	}
	if lost.kind == kindBroken && lost.status == 0 && ctx.Err() != nil {
		lost.kind, lost.err = kindLate, ctx.Err()
	}
	told.Result, told.Reason = lost.result(), lost.said.tag
	switch lost.kind {
	case kindLate:
		if errors.Is(lost.err, context.DeadlineExceeded) && told.Latency >= c.Limits.Slow {
			verdict, told.Result = retry.Failing, ResultTimeout
		}
	case kindBroken:
		verdict = retry.Failing
		if status != 0 && status < http.StatusMultipleChoices && errors.Is(lost.err, errUnreadable) {
			verdict = retry.NoSay // it has answered; one odd thing must not stop all who share the key
		}
	case kindLimited:
		verdict = retry.Healthy
		c.line.rest(c.machine(), min(lost.wait, c.Limits.Rest))
	default:
		verdict = retry.Healthy
	}
	c.tell(ctx, told)
	return lost
}

// closed is the failure of a breaker that is open now.
func (c *call) closed(ctx context.Context) *failure {
	if !c.line.guard.IsOpen(c.machine()) {
		return nil
	}
	pass, pause, ok := c.line.guard.Enter(c.machine())
	if ok { // its pause has just ended
		c.line.guard.Done(pass, retry.NoSay, c.machine())
		return nil
	}
	return c.leftAlone(ctx, pause)
}

func (c *call) leftAlone(ctx context.Context, pause time.Duration) *failure {
	c.tell(ctx, Attempt{Result: ResultLeftAlone})
	return &failure{kind: kindLeftAlone, unsent: true, wait: pause, err: errBreaker}
}

// exchange sends the request once and reads the answer whole.
func (c *call) exchange(ctx context.Context) (lost *failure, status int) {
	within, cancel := context.WithTimeout(ctx, c.Limits.Attempt)
	defer cancel()
	request, err := c.request(within)
	if err != nil {
		return &failure{kind: kindRejected, unsent: true, err: errors.New("the request cannot be made")}, 0
	}
	response, err := c.Base.RoundTrip(request) //nolint:bodyclose // readAnswer closes it
	switch {
	case err != nil:
		return c.broken(within, err), 0
	case response == nil:
		return &failure{kind: kindBroken, err: errors.New("the transport gave neither an answer nor an error")}, 0
	}
	body, err := readAnswer(response, c.Limits.Answer)
	status = response.StatusCode
	switch {
	case status >= http.StatusMultipleChoices: // what was read of its body is enough
		lost := &failure{status: status, said: readProblem(body, c.key), wait: retry.After(response.Header, c.Now)}
		lost.judge()
		return lost, status
	case errors.Is(err, errTooLarge):
		return &failure{kind: kindRejected, final: true, err: errTooLarge}, status
	case err != nil:
		return c.broken(within, err), status
	}
	if c.read == nil {
		return nil, status
	}
	if err := c.read(body); err != nil {
		return &failure{kind: kindBroken, err: errUnreadable}, status
	}
	return nil, status
}

// broken is a failure without a whole answer.
func (c *call) broken(within context.Context, err error) *failure {
	f := &failure{kind: kindBroken, unsent: isUnsent(err), err: plainError(err)}
	if within.Err() != nil {
		f.err = within.Err()
	}
	f.slow = errors.Is(f.err, context.DeadlineExceeded)
	return f
}

// request makes the request, to the API's own address and no other.
func (c *call) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if c.payload != nil {
		body = bytes.NewReader(c.payload)
	}
	request, err := http.NewRequestWithContext(ctx, c.method, c.address().String(), body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-Api-Key", c.key)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "almanac")
	if c.payload != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// address puts the path behind the API's address. No part of it can leave its place, since each is escaped whole.
func (c *call) address() *url.URL {
	u := *c.URL
	plain, escaped := strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.EscapedPath(), "/")
	for _, part := range c.path {
		plain, escaped = plain+"/"+part, escaped+"/"+url.PathEscape(part)
	}
	u.Path, u.RawPath, u.RawQuery = plain, escaped, c.query.Encode()
	return &u
}

// readAnswer reads a body whole and closes it: half an answer is none. Bodies of refusals are cut.
func readAnswer(response *http.Response, most int64) ([]byte, error) {
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return io.ReadAll(io.LimitReader(response.Body, maxProblem))
	}
	var buffer bytes.Buffer
	if known := response.ContentLength; known > 0 && known <= 1<<20 {
		buffer.Grow(int(known) + bytes.MinRead) // what ReadFrom wants, or it would grow once more at the end
	}
	n, err := buffer.ReadFrom(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, err
	case n > most:
		return nil, errTooLarge
	case response.ContentLength > n:
		return nil, io.ErrUnexpectedEOF
	}
	return buffer.Bytes(), nil
}

// encode writes JSON with its characters as they are.
func encode(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// tell tells the log and the metrics of an attempt.
func (c *call) tell(ctx context.Context, a Attempt) {
	a.Operation, a.Number = c.operation, c.sent
	c.Observe(a)
	if !c.Logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	c.Logger.LogAttrs(ctx, slog.LevelDebug, "called Exa", slog.String("operation", a.Operation),
		slog.Int("attempt", a.Number), slog.Int("status", a.Status),
		slog.String("result", a.Result), slog.String("reason", a.Reason), slog.Duration("latency", a.Latency))
}
