package google_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// once makes calls single attempts, so that failures can be counted.
func (s *stage) once() *stage {
	s.Limits.Attempts = 1
	return s
}

func (s *stage) fails(t *testing.T, n int, code model.ErrorCode) {
	t.Helper()
	for range n {
		_, err := s.do(t.Context(), "GET")
		classes(t, err, code)
	}
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, backend(503)).once()
		s.fails(t, 5, model.CodeUpstreamUnavailable)
		if s.remote.calls() != 5 {
			t.Fatalf("%d calls", s.remote.calls())
		}

		// Open: nothing is sent, and the answer says when it may be.
		time.Sleep(10 * sec)
		_, err := s.do(t.Context(), "POST")
		if shown := classes(t, err, model.CodeUpstreamUnavailable); shown.RetryAfter != 20*sec ||
			google.MayHaveBeenApplied(err) {
			t.Errorf("try again in %v: %v", shown.RetryAfter, err)
		}
		if s.remote.calls() != 5 {
			t.Error("a call was sent through an open breaker")
		}

		// Half open: one probe; it fails, and the pause begins anew.
		time.Sleep(20 * sec)
		s.fails(t, 1, model.CodeUpstreamUnavailable)
		s.fails(t, 3, model.CodeUpstreamUnavailable)
		if s.remote.calls() != 6 {
			t.Errorf("%d calls after the first probe", s.remote.calls())
		}

		// The next probe succeeds; while it is under way nobody else gets through.
		time.Sleep(30 * sec)
		s.remote.script = []step{after(2*sec, ok())}
		probe := make(chan error)
		go func() {
			_, err := s.do(t.Context(), "GET")
			probe <- err
		}()
		synctest.Wait()
		s.fails(t, 2, model.CodeUpstreamUnavailable)
		if err := <-probe; err != nil {
			t.Error(err)
		}
		if _, err := s.do(t.Context(), "GET"); err != nil {
			t.Error(err)
		}
		if s.remote.calls() != 8 {
			t.Errorf("%d calls in the end", s.remote.calls())
		}
	})
}

func TestWhatOpensTheBreaker(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		step  step
		opens bool
	}{
		{"500", backend(500), true},
		{"504", backend(504), true},
		{"reset", broken(reset), true},
		{"half an answer", cut(true), true},
		{"silence", hang(), true},
		{"404", refusal(404, "global", "notFound", "Not Found"), false},
		{"400", refusal(400, "global", "invalid", "Invalid"), false},
		{"412", refusal(412, "global", "conditionNotMet", "Precondition Failed"), false},
		{"429", refusal(429, "usageLimits", "rateLimitExceeded", "slow"), false},
		{"403 for the rate", refusal(403, "usageLimits", "userRateLimitExceeded", "slow"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, test.step).once()
				for range 12 {
					_, _ = s.do(t.Context(), "GET")
				}
				want := 12
				if test.opens {
					want = 5
				}
				if s.remote.calls() != want {
					t.Errorf("%d calls were sent, not %d", s.remote.calls(), want)
				}
			})
		})
	}
}

func TestSuccessStartsTheRowAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bad := backend(503)
		s := newStage(t, bad, bad, bad, bad, ok(), bad, bad, bad, bad, refusal(404, "global", "notFound", ""), bad).once()
		for range 14 {
			_, _ = s.do(t.Context(), "GET")
		}
		if s.remote.calls() != 14 {
			t.Errorf("%d calls were sent", s.remote.calls())
		}
		_, _ = s.do(t.Context(), "GET")
		_, err := s.do(t.Context(), "GET")
		classes(t, err, model.CodeUpstreamUnavailable)
		if s.remote.calls() != 15 {
			t.Errorf("%d calls were sent in the end", s.remote.calls())
		}
	})
}

// A breaker that opens between the attempts of a call ends the call with what Google said.
func TestBreakerOpensWithinACall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, backend(503))
		s.Limits.Failures = 2
		_, err := s.do(t.Context(), "GET")
		classes(t, err, model.CodeUpstreamUnavailable)
		if google.Status(err) != 503 || s.remote.calls() != 2 {
			t.Errorf("status %d after %d calls", google.Status(err), s.remote.calls())
		}
		if took := time.Since(s.remote.began); took != 500*ms {
			t.Errorf("it took %v", took)
		}
	})
}

// Callers who leave early say nothing about Google; a deadline after a long silence does.
func TestHasteDoesNotOpen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		within time.Duration
		cancel bool
		calls  int
	}{
		{"hasty", sec, false, 8},
		{"patient", 5 * sec, false, 5},
		{"cancelled", 5 * sec, true, 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, hang()).once()
				for range 8 {
					ctx, cancel := context.WithTimeout(t.Context(), test.within)
					if test.cancel {
						ctx, cancel = context.WithCancel(t.Context())
						time.AfterFunc(test.within, cancel)
					}
					_, _ = s.do(ctx, "GET")
					cancel()
				}
				if s.remote.calls() != test.calls {
					t.Errorf("%d calls were sent, not %d", s.remote.calls(), test.calls)
				}
			})
		})
	}
}

// A probe whose caller leaves gives its turn to the next.
func TestProbeIsGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, backend(503)).once()
		s.fails(t, 5, model.CodeUpstreamUnavailable)
		time.Sleep(30 * sec)
		s.remote.script = []step{hang()}
		ctx, cancel := context.WithTimeout(t.Context(), sec)
		defer cancel()
		_, err := s.do(ctx, "GET")
		classes(t, err, model.CodeTimeout)
		s.remote.script = []step{ok()}
		if _, err := s.do(t.Context(), "GET"); err != nil {
			t.Error(err)
		}
	})
}

func TestBreakersAreApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, backend(503), backend(503), backend(503), backend(503), backend(503), ok()).once()
		s.fails(t, 6, model.CodeUpstreamUnavailable)
		if _, err := s.send(t.Context(), s.HTTP(t.Context(), noa, model.UpstreamGoogle), "GET",
			"https://gmail.googleapis.com/gmail/v1/users/me/profile"); err != nil {
			t.Errorf("another host: %v", err)
		}
		other := google.Account{User: model.UserID{9}, Connection: noa.Connection}
		if _, err := s.send(t.Context(), s.HTTP(t.Context(), other, model.UpstreamGoogle), "GET", eventsURL); err != nil {
			t.Errorf("another user: %v", err)
		}
		s.fails(t, 1, model.CodeUpstreamUnavailable)
	})
}

// The token endpoint has a breaker of its own.
func TestBreakerOfTheTokenEndpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok()).once()
		s.endsIn(-sec)
		s.remote.oauth = answer(500, nil, `{"error":"internal_failure"}`)
		s.fails(t, 9, model.CodeUpstreamUnavailable)
		if s.remote.renewed() != 5 {
			t.Errorf("asked %d times", s.remote.renewed())
		}
		time.Sleep(30 * sec)
		s.remote.oauth = granted(access2)
		if _, err := s.do(t.Context(), "GET"); err != nil {
			t.Error(err)
		}
	})
}
