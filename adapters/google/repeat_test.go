package google_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
)

const (
	ms  = time.Millisecond
	sec = time.Second
)

var (
	reset   = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	refused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
)

// traced breaks as net/http's transport does: it tells how far the request came.
func traced(err error, wrote bool) step {
	return func(req *http.Request) (*http.Response, error) {
		trace := httptrace.ContextClientTrace(req.Context())
		trace.GetConn(req.URL.Host)
		if wrote {
			trace.WroteHeaders()
			trace.WroteRequest(httptrace.WroteRequestInfo{})
		}
		return nil, err
	}
}

// cut sends half a body.
func cut(length bool) step {
	return func(req *http.Request) (*http.Response, error) {
		res, _ := answer(200, nil, `{"items":[{"id":"1"`)(req)
		if length {
			res.ContentLength = 400
		}
		return res, nil
	}
}

// short sends less than it says, though what it sends looks whole.
func short() step {
	return func(req *http.Request) (*http.Response, error) {
		res, _ := answer(200, nil, `{"items":[]}`)(req)
		res.ContentLength++
		return res, nil
	}
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	limited := refusal(403, "usageLimits", "userRateLimitExceeded", "User Rate Limit Exceeded")
	tooMany := refusal(429, "usageLimits", "rateLimitExceeded", "Rate Limit Exceeded")
	detailed := answer(403, nil,
		`{"error":{"code":403,"status":"PERMISSION_DENIED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"}]}}`)
	html := answer(502, map[string]string{"Content-Type": "text/html"}, "<html><title>Error 502</title></html>")
	never, unapplied, always := google.RepeatNever, google.RepeatUnapplied, google.RepeatAlways
	full := []time.Duration{0, 500 * ms, 1500 * ms, 3500 * ms}
	once, twice := full[:1], full[:2]

	for _, test := range []struct {
		name   string
		method string
		repeat google.Repeat
		script []step
		at     []time.Duration
		code   model.ErrorCode
		// unknown: the write may have been applied.
		unknown bool
	}{
		{name: "a read that is well", script: []step{ok()}, at: once},
		{name: "a read, 429 once", script: []step{tooMany, ok()}, at: twice},
		{name: "a read, 403 for its rate", script: []step{limited, ok()}, at: twice},
		{name: "a read, 403 for its rate in the details", script: []step{detailed, ok()}, at: twice},
		{name: "a read, 500", script: []step{backend(500), ok()}, at: twice},
		{name: "a read, 502 in HTML", script: []step{html, ok()}, at: twice},
		{name: "a read, 503", script: []step{backend(503), ok()}, at: twice},
		{name: "a read, 504", script: []step{backend(504), ok()}, at: twice},
		{name: "a read, reset", script: []step{broken(reset), ok()}, at: twice},
		{name: "a read, refused", script: []step{broken(refused), ok()}, at: twice},
		{name: "a read, half a body by its length", script: []step{cut(true), ok()}, at: twice},
		{name: "a read, less than was said", script: []step{short(), ok()}, at: twice},
		{name: "a read, half a body by its look", script: []step{cut(false), ok()}, at: twice},
		{name: "a read, four times in vain", script: []step{backend(503)}, at: full, code: model.CodeUpstreamUnavailable},
		{name: "a read, limited in vain", script: []step{tooMany}, at: full, code: model.CodeUpstreamRateLimited},
		{name: "a read, reset in vain", script: []step{broken(reset)}, at: full, code: model.CodeUpstreamUnavailable},
		{name: "a read, 501", script: []step{backend(501)}, at: once, code: model.CodeUpstreamUnavailable},
		{name: "a read, 404", script: []step{refusal(404, "global", "notFound", "Not Found")}, at: once,
			code: model.CodeNotFound},
		{name: "a read, 403 for another reason", script: []step{refusal(403, "global", "forbidden", "Forbidden")}, at: once,
			code: model.CodeUpstreamRejected},
		{name: "a read, a quota that is used up", script: []step{refusal(403, "usageLimits", "quotaExceeded",
			"Calendar usage limits exceeded.")}, at: once, code: model.CodeUpstreamRateLimited},
		{name: "a read, 429 for the day", script: []step{refusal(429, "usageLimits", "dailyLimitExceeded",
			"Daily Limit Exceeded")}, at: once, code: model.CodeNotConfigured},

		{name: "never, 429", method: "POST", repeat: never, script: []step{tooMany, ok()}, at: once,
			code: model.CodeUpstreamRateLimited},
		{name: "never, 503", method: "POST", repeat: never, script: []step{backend(503), ok()}, at: once,
			code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "never, reset", method: "DELETE", repeat: never, script: []step{broken(reset), ok()}, at: once,
			code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "never, refused", method: "POST", repeat: never, script: []step{broken(refused), ok()}, at: once,
			code: model.CodeUpstreamUnavailable},

		{name: "unapplied, 429", method: "POST", repeat: unapplied, script: []step{tooMany, ok()}, at: twice},
		{name: "unapplied, 403 for its rate", method: "PATCH", repeat: unapplied, script: []step{limited, ok()}, at: twice},
		{name: "unapplied, refused", method: "POST", repeat: unapplied, script: []step{broken(refused), ok()}, at: twice},
		{name: "unapplied, nothing written", method: "POST", repeat: unapplied, script: []step{traced(reset, false), ok()},
			at: twice},
		{name: "unapplied, something written", method: "POST", repeat: unapplied, script: []step{traced(reset, true), ok()},
			at: once, code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "unapplied, a transport that tells nothing", method: "POST", repeat: unapplied,
			script: []step{broken(reset), ok()}, at: once, code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "unapplied, 500", method: "POST", repeat: unapplied, script: []step{backend(500), ok()}, at: once,
			code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "unapplied, 503 with Retry-After", method: "POST", repeat: unapplied, script: []step{
			backend(503, "Retry-After", "1"), ok()}, at: once, code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "unapplied, half an answer", method: "POST", repeat: unapplied, script: []step{cut(true), ok()}, at: once,
			code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "unapplied, refused then lost", method: "POST", repeat: unapplied,
			script: []step{broken(refused), broken(reset)}, at: twice, code: model.CodeUpstreamUnavailable, unknown: true},

		{name: "always, 500", method: "POST", repeat: always, script: []step{backend(500), ok()}, at: twice},
		{name: "always, reset", method: "POST", repeat: always, script: []step{broken(reset), ok()}, at: twice},
		{name: "always, half an answer", method: "POST", repeat: always, script: []step{cut(true), ok()}, at: twice},
		{name: "always, in vain", method: "POST", repeat: always, script: []step{backend(503)}, at: full,
			code: model.CodeUpstreamUnavailable, unknown: true},
		{name: "always, lost then limited in vain", method: "POST", repeat: always, script: []step{broken(reset), tooMany},
			at: full, code: model.CodeUpstreamRateLimited, unknown: true},
		{name: "always, lost then there already", method: "POST", repeat: always,
			script: []step{broken(reset), refusal(409, "global", "duplicate", "The requested identifier already exists.")},
			at:     twice, code: model.CodeConflict, unknown: true},
		{name: "always, lost then changed", method: "PATCH", repeat: always,
			script: []step{backend(503), refusal(412, "global", "conditionNotMet", "Precondition Failed")}, at: twice,
			code: model.CodeConflict, unknown: true},
		{name: "always, lost then deleted", method: "DELETE", repeat: always,
			script: []step{broken(io.ErrUnexpectedEOF), refusal(410, "global", "deleted", "Resource has been deleted")},
			at:     twice, code: model.CodeNotFound, unknown: true},
		{name: "always, limited then rejected", method: "POST", repeat: always, script: []step{tooMany,
			refusal(400, "global", "invalid", "Invalid Value")}, at: twice, code: model.CodeUpstreamRejected},
		{name: "always, there already", method: "POST", repeat: always,
			script: []step{refusal(409, "global", "duplicate", "The requested identifier already exists.")}, at: once,
			code: model.CodeConflict},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, test.script...)
				ctx, outcome := google.WithOutcome(google.WithRepeat(t.Context(), test.repeat))
				_, err := s.do(ctx, orGet(test.method))
				classes(t, err, test.code)
				same(t, "requests", s.remote.at, test.at)
				if outcome.Attempts() != len(test.at) {
					t.Errorf("%d attempts are told of, not %d", outcome.Attempts(), len(test.at))
				}
				if test.method != "" && google.MayHaveBeenApplied(err) != test.unknown {
					t.Errorf("MayHaveBeenApplied is %v: %v", !test.unknown, err)
				}
				if outcome.MayHaveBeenApplied() != test.unknown {
					t.Errorf("the outcome says %v", !test.unknown)
				}
				for i, body := range s.remote.bodies {
					if test.method == "POST" && body != `{"summary":"Review"}` {
						t.Errorf("attempt %d had the body %q", i+1, body)
					}
				}
			})
		})
	}
}

func orGet(method string) string {
	if method == "" {
		return http.MethodGet
	}
	return method
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	var start time.Time // of every bubble
	synctest.Test(t, func(*testing.T) { start = time.Now().UTC() })
	for _, test := range []struct {
		name   string
		header []string
		text   string
		wait   time.Duration
	}{
		{"seconds", []string{"Retry-After", "7"}, "", 7 * sec},
		{"nothing", nil, "", 500 * ms},
		{"zero", []string{"Retry-After", "0"}, "", 500 * ms},
		{"nonsense", []string{"Retry-After", "-3"}, "", 500 * ms},
		{"a date by our clock", []string{"Retry-After", start.Add(4 * sec).Format(http.TimeFormat)}, "", 4 * sec},
		{"a date by the answer's clock", []string{"Retry-After", "Fri, 20 Nov 2026 10:00:09 GMT", "Date",
			"Fri, 20 Nov 2026 10:00:00 GMT"}, "", 9 * sec},
		{"a date that has passed", []string{"Retry-After", start.Add(-sec).Format(http.TimeFormat)}, "", 500 * ms},
		{"a time in the message", nil, "User-rate limit exceeded.  Retry after " +
			start.Add(6*sec).Format("2006-01-02T15:04:05.000Z"), 6 * sec},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, refusal(429, "usageLimits", "rateLimitExceeded", test.text, test.header...), ok())
				if _, err := s.do(t.Context(), "GET"); err != nil {
					t.Fatal(err)
				}
				same(t, "requests", s.remote.at, []time.Duration{0, test.wait})
			})
		})
	}
}

func TestNoWaitBeyondTheDeadline(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		within time.Duration // 0: the call's own 20 s
		script []step
		at     []time.Duration
		code   model.ErrorCode
		retry  time.Duration
	}{
		{"the call's own time", 0, []step{refusal(429, "usageLimits", "rateLimitExceeded", "slow", "Retry-After", "21")},
			[]time.Duration{0}, model.CodeUpstreamRateLimited, 21 * sec},
		{"just within it", 0, []step{refusal(429, "usageLimits", "rateLimitExceeded", "slow", "Retry-After", "19"), ok()},
			[]time.Duration{0, 19 * sec}, "", 0},
		{"the caller's time", 3 * sec, []step{refusal(403, "usageLimits", "rateLimitExceeded", "slow", "Retry-After", "3")},
			[]time.Duration{0}, model.CodeUpstreamRateLimited, 3 * sec},
		{"without the header", 1200 * ms, []step{refusal(403, "usageLimits", "rateLimitExceeded", "slow")},
			[]time.Duration{0, 500 * ms}, model.CodeUpstreamRateLimited, sec},
		{"503 with Retry-After", 3 * sec, []step{backend(503, "Retry-After", "60")}, []time.Duration{0},
			model.CodeUpstreamUnavailable, 60 * sec},
		{"an endless wait", 0, []step{refusal(429, "usageLimits", "rateLimitExceeded", "slow", "Retry-After",
			"99999999999999")}, []time.Duration{0}, model.CodeUpstreamRateLimited, 24 * time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, test.script...)
				ctx := t.Context()
				if test.within > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.within)
					defer cancel()
				}
				_, err := s.do(ctx, "GET")
				shown := classes(t, err, test.code)
				if shown != nil && shown.RetryAfter != test.retry {
					t.Errorf("try again in %v, not %v", shown.RetryAfter, test.retry)
				}
				same(t, "requests", s.remote.at, test.at)
				if last := test.at[len(test.at)-1]; time.Since(s.remote.began) != last {
					t.Errorf("it took %v, not %v", time.Since(s.remote.began), last)
				}
			})
		})
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		method  string
		within  time.Duration
		client  bool // the deadline is of the client's context, not of the request's
		script  []step
		took    time.Duration
		calls   int
		code    model.ErrorCode
		unknown bool
	}{
		{name: "a slow attempt is repeated", method: "GET", script: []step{hang(), ok()}, took: 10*sec + 500*ms, calls: 2},
		{name: "a silent Google ends with the call's time", method: "GET", script: []step{hang()}, took: 20 * sec, calls: 2,
			code: model.CodeTimeout},
		{name: "the caller's deadline", method: "GET", within: 2 * sec, script: []step{hang()}, took: 2 * sec, calls: 1,
			code: model.CodeTimeout},
		{name: "the client's deadline", method: "GET", within: 2 * sec, client: true, script: []step{hang()}, took: 2 * sec,
			calls: 1, code: model.CodeTimeout},
		{name: "a write is not known", method: "POST", within: 2 * sec, script: []step{hang()}, took: 2 * sec, calls: 1,
			code: model.CodeTimeout, unknown: true},
		{name: "a slow write is not repeated", method: "POST", script: []step{hang()}, took: 10 * sec, calls: 1,
			code: model.CodeTimeout, unknown: true},
		{name: "a slow body", method: "GET", script: []step{slowBody(), ok()}, took: 10*sec + 500*ms, calls: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, test.script...)
				bounded := t.Context()
				if test.within > 0 {
					var cancel context.CancelFunc
					bounded, cancel = context.WithTimeout(bounded, test.within)
					defer cancel()
				}
				own, lasting := bounded, t.Context()
				if test.client {
					own, lasting = lasting, bounded
				}
				own, outcome := google.WithOutcome(google.WithRepeat(own, google.RepeatUnapplied))
				_, err := s.send(own, s.HTTP(lasting, noa, model.UpstreamGoogle), test.method, eventsURL)
				classes(t, err, test.code)
				if took := time.Since(s.remote.began); took != test.took || s.remote.calls() != test.calls {
					t.Errorf("%d requests in %v, not %d in %v", s.remote.calls(), took, test.calls, test.took)
				}
				if outcome.MayHaveBeenApplied() != test.unknown {
					t.Errorf("MayHaveBeenApplied is %v", !test.unknown)
				}
			})
		})
	}
}

// slowBody begins an answer and does not end it.
func slowBody() step {
	return func(req *http.Request) (*http.Response, error) {
		res, _ := answer(200, nil, "")(req)
		reader, writer := io.Pipe()
		context.AfterFunc(req.Context(), func() { _ = writer.CloseWithError(req.Context().Err()) })
		res.Body, res.ContentLength = reader, -1
		return res, nil
	}
}

// The context a client was made with ends the calls that have one of their own.
func TestClientsContextIsCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, hang())
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(sec, cancel)
		_, err := s.send(t.Context(), s.HTTP(ctx, noa, model.UpstreamGoogle), "GET", eventsURL)
		classes(t, err, model.CodeTimeout)
		if took := time.Since(s.remote.began); took != sec {
			t.Errorf("it took %v", took)
		}
	})
}

// What a remote sends under the name of our own mark is not believed.
func TestMarkIsOurs(t *testing.T) {
	t.Parallel()
	s := newStage(t, refusal(400, "global", "invalid", "Invalid Value", "X-Almanac-Uncertain", "1"))
	if _, err := s.do(t.Context(), "POST"); google.MayHaveBeenApplied(err) {
		t.Errorf("a refusal is in doubt: %v", err)
	}
}

func TestCancelReturnsAtOnce(t *testing.T) {
	t.Parallel()
	for name, script := range map[string][]step{
		"under way":         {hang()},
		"while waiting":     {backend(503, "Retry-After", "15")},
		"while it is read":  {slowBody()},
		"before it is sent": {ok()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, script...)
				ctx, cancel := context.WithCancel(t.Context())
				if name == "before it is sent" {
					cancel()
				}
				time.AfterFunc(sec, cancel)
				_, err := s.do(ctx, "GET")
				classes(t, err, model.CodeTimeout)
				if !errors.Is(err, context.Canceled) {
					t.Errorf("nobody sees that it was cancelled: %v", err)
				}
				want := sec
				if name == "before it is sent" {
					want = 0
					if s.remote.calls() != 0 {
						t.Error("it was sent")
					}
				}
				if took := time.Since(s.remote.began); took != want {
					t.Errorf("it took %v, not %v", took, want)
				}
			})
		})
	}
}

// Who is told to slow down is told for how long, with every policy.
func TestRateLimitsNameATime(t *testing.T) {
	t.Parallel()
	for repeat, want := range map[google.Repeat]time.Duration{google.RepeatNever: 500 * ms,
		google.RepeatUnapplied: 4 * sec} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, refusal(403, "usageLimits", "userRateLimitExceeded", "User Rate Limit Exceeded"))
			_, err := s.do(google.WithRepeat(t.Context(), repeat), "POST")
			if shown := classes(t, err, model.CodeUpstreamRateLimited); shown.RetryAfter != want ||
				google.Reason(err) != "userRateLimitExceeded" || google.MayHaveBeenApplied(err) {
				t.Errorf("again in %v: %v", shown.RetryAfter, err)
			}
		})
	}
}

// A body that cannot be made again is sent once.
func TestBodyWithoutReplay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, backend(503), ok())
		ctx := google.WithRepeat(t.Context(), google.RepeatAlways)
		body := &closer{Reader: strings.NewReader("once")}
		req, err := http.NewRequestWithContext(ctx, "POST", eventsURL, body)
		if err != nil {
			t.Fatal(err)
		}
		_, err = finish(s.HTTP(ctx, noa, model.UpstreamGoogle).Do(req))
		classes(t, err, model.CodeUpstreamUnavailable)
		same(t, "bodies", s.remote.bodies, []string{"once"})
		if !body.closed {
			t.Error("the body was not closed")
		}
	})
}

type closer struct {
	io.Reader
	closed bool
}

func (c *closer) Close() error {
	c.closed = true
	return nil
}

func TestSlotsOfAnAccount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, after(sec, ok()))
		s.Limits.Concurrent = 3
		done := make(chan error)
		for range 9 {
			go func() { // each with a client of its own: the slots are the account's
				_, err := s.do(t.Context(), "GET")
				done <- err
			}()
		}
		for range 9 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if s.remote.most != 3 || time.Since(s.remote.began) != 3*sec {
			t.Errorf("%d at once, in %v", s.remote.most, time.Since(s.remote.began))
		}
	})
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		endless := func(req *http.Request) (*http.Response, error) {
			res, _ := answer(200, nil, "")(req)
			res.Body, res.ContentLength = io.NopCloser(zeros{}), -1
			return res, nil
		}
		s := newStage(t, endless)
		s.Limits.Answer = 1 << 20
		_, err := s.do(t.Context(), "GET")
		classes(t, err, model.CodeUpstreamUnavailable)
		if s.remote.calls() != 1 {
			t.Errorf("asked %d times for what is too large each time", s.remote.calls())
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
