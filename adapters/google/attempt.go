package google

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"almanac/internal/retry"
)

// kind is what an attempt came to.
type kind int

const (
	kindDone         kind = iota // an answer for the caller
	kindRefused                  // it was not sent, or another attempt cannot help
	kindUnauthorized             // 401
	kindLacksScope               // 403, the token is for other things
	kindLimited                  // too fast: not applied
	kindBroken                   // 5xx, or no whole answer
)

// result is one attempt.
type result struct {
	kind     kind
	response *http.Response // nil without an answer
	body     []byte
	said     problem       // of an answer from 400 up
	wait     time.Duration // what the answer asks for
	err      error         // without an answer
	unsent   bool          // surely nothing was sent
	passed   time.Duration
	timedOut bool
}

// slowPart is the part of Limits.Attempt, a third, after which it is Google that is slow when the caller's time ends.
// Before that it may be the caller that is hasty, and the breaker hears nothing.
const slowPart = 3

// attempt waits for one of the account's slots and a pass of the breaker, sends the request and reads the answer whole.
func (c *call) attempt(ctx context.Context, token Token) result {
	select {
	case c.state.slots <- struct{}{}:
		defer func() { <-c.state.slots }()
	case <-ctx.Done():
		return result{kind: kindRefused, err: ctx.Err()}
	}
	leave, pause, ok := c.guard.Enter(c.clients.machine())
	if !ok {
		c.observe(ctx, c.told(result{kind: kindRefused}, ResultBreaker))
		return result{kind: kindRefused, err: breakerOpen(c.req.URL.Host, pause)}
	}
	say := retry.NoSay
	defer func() {
		if c.guard.Done(leave, say, c.clients.machine()) {
			c.warnOpened(ctx, c.req.URL.Host)
		}
	}()

	began := c.clients.machine()
	c.sent++
	c.outcome.attempts.Add(1)
	got := c.exchange(ctx, token)
	got.passed = c.clients.machine().Sub(began)
	if got.kind == kindBroken && !c.safe && !got.unsent {
		c.uncertain = true
	}
	var said string
	switch {
	case got.response == nil && ctx.Err() != nil:
		got.kind, said = kindRefused, ResultCancelled
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && got.passed >= c.clients.Limits.Attempt/slowPart {
			say, said = retry.Failing, ResultTimeout
		}
	case got.kind == kindBroken:
		say, said = retry.Failing, ResultUnavailable
		if got.timedOut {
			said = ResultTimeout
		}
	case got.kind == kindRefused:
		said = ResultRejected
	default:
		say, said = retry.Healthy, resultOf(got)
	}
	c.observe(ctx, c.told(got, said))
	return got
}

func resultOf(got result) string {
	switch {
	case got.kind == kindLimited:
		return ResultRateLimited
	case got.kind == kindUnauthorized, got.kind == kindLacksScope:
		return ResultUnauth
	case got.response.StatusCode >= 500:
		return ResultUnavailable
	case got.response.StatusCode >= 400:
		return ResultRejected
	default:
		return ResultOK
	}
}

func (c *call) told(got result, said string) Attempt {
	a := Attempt{Operation: operationOf(c.req.Context()), Method: c.req.Method, Host: c.req.URL.Host, Number: c.sent,
		Result: said, Reason: got.said.reason(), Latency: got.passed}
	if got.response != nil {
		a.Status = got.response.StatusCode
	}
	return a
}

// exchange sends the request once and judges what comes back.
func (c *call) exchange(ctx context.Context, token Token) result {
	within, cancel := context.WithTimeout(ctx, c.clients.Limits.Attempt)
	defer cancel()
	wire := new(wireTrace)
	request, err := c.request(httptrace.WithClientTrace(within, wire.hooks()), token)
	if err != nil {
		return result{kind: kindRefused, err: err, unsent: true}
	}
	response, err := c.clients.Base.RoundTrip(request) //nolint:bodyclose // readAnswer closes it
	if err == nil && response == nil {
		err = errors.New("google: the transport gave neither an answer nor an error")
	}
	if err != nil {
		return result{kind: kindBroken, err: err, unsent: wire.unsent(err), timedOut: within.Err() != nil}
	}
	body, err := readAnswer(response, c.req.Method == http.MethodHead, c.clients.Limits.Answer)
	if err != nil && response.StatusCode < 400 {
		if errors.Is(err, errTooLarge) {
			c.uncertain = c.uncertain || !c.safe
			return result{kind: kindRefused, err: err}
		}
		return result{kind: kindBroken, err: fmt.Errorf("reading the answer: %w", err), timedOut: within.Err() != nil}
	}
	return c.judge(result{response: response, body: body})
}

// judge says what an answer means for the call.
func (c *call) judge(got result) result {
	status, header := got.response.StatusCode, got.response.Header
	if status < 400 {
		return got
	}
	got.said = readProblem(got.body)
	got.wait = waitOf(header, got.said, c.clients.Now)
	switch {
	case status == http.StatusUnauthorized:
		got.kind = kindUnauthorized
	case got.said.limited(status):
		got.kind = kindLimited
	case got.said.lacksScope(status):
		got.kind = kindLacksScope
	case status == http.StatusRequestTimeout, status == http.StatusInternalServerError, status == http.StatusBadGateway,
		status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		got.kind = kindBroken
	}
	return got
}

// request makes the copy that is sent: with the token, and with a body of its own.
func (c *call) request(ctx context.Context, token Token) (*http.Request, error) {
	request := c.req.Clone(ctx)
	if c.req.GetBody != nil {
		body, err := c.req.GetBody()
		if err != nil {
			return nil, fmt.Errorf("google: the request's body: %w", err)
		}
		request.Body = body
	}
	request.Header.Set("Authorization", "Bearer "+token.Access)
	// Google packs its answers only when both Accept-Encoding, which the transport sets, and User-Agent say so.
	// https://developers.google.com/workspace/calendar/api/guides/performance
	if agent := request.Header.Get("User-Agent"); !strings.Contains(agent, "gzip") {
		request.Header.Set("User-Agent", strings.TrimSpace(orDefault(agent, "almanac")+" (gzip)"))
	}
	return request, nil
}

// give makes an answer ready for the client library: with its body to be read, and without the token.
func (c *call) give(got result) *http.Response {
	response := got.response
	response.Request = c.req
	response.Body = io.NopCloser(bytes.NewReader(got.body))
	if c.req.Method != http.MethodHead {
		response.ContentLength = int64(len(got.body))
	}
	if response.Header == nil {
		response.Header = http.Header{}
	}
	response.Header.Del(uncertainHeader)
	if c.uncertain && response.StatusCode >= 400 {
		response.Header.Set(uncertainHeader, "1")
	}
	return response
}

var errTooLarge = errors.New("google: the answer is larger than allowed")

// readAnswer reads a body whole and closes it: half an answer is none. Bodies of errors are cut at maxProblem.
func readAnswer(response *http.Response, head bool, most int64) ([]byte, error) {
	if response.Body == nil {
		return nil, nil
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= 400 {
		return io.ReadAll(io.LimitReader(response.Body, maxProblem))
	}
	var buffer bytes.Buffer
	if known := response.ContentLength; known > 0 && known <= 1<<20 {
		buffer.Grow(int(known) + bytes.MinRead) // what ReadFrom wants, or it would grow once more at the end
	}
	n, err := buffer.ReadFrom(io.LimitReader(response.Body, most+1))
	body := buffer.Bytes()
	switch {
	case err != nil:
		return nil, err
	case n > most:
		return nil, errTooLarge
	case head:
		return body, nil
	case response.ContentLength > n, isCut(response.Header, body):
		return nil, io.ErrUnexpectedEOF
	}
	return body, nil
}

// isCut tells JSON that begins and does not end. It is no check of the whole, which the client library does.
func isCut(header http.Header, body []byte) bool {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	body = bytes.TrimSpace(body)
	if err != nil || media != "application/json" || len(body) == 0 {
		return false
	}
	first, last := body[0], body[len(body)-1]
	return first == '{' && last != '}' || first == '[' && last != ']'
}

// wireTrace learns from the transport how far a request came. A transport that tells nothing leaves it unknown.
type wireTrace struct{ asked, wrote atomic.Bool }

func (w *wireTrace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:      func(string) { w.asked.Store(true) },
		WroteHeaders: func() { w.wrote.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { w.wrote.Store(true) },
	}
}

// unsent tells whether it is certain that not a byte of the request reached the remote.
func (w *wireTrace) unsent(err error) bool {
	return !w.wrote.Load() && (w.asked.Load() || isDial(err))
}
