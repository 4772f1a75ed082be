package remote_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/remote"
	"almanac/internal/dryrun"
)

// stage is a caller of a remote that answers by a script, whose last step repeats. In a bubble of synctest all its
// waits take no time and are exact.
type stage struct {
	*remote.Caller
	breaker *remote.Breaker
	rest    remote.Rest
	log     strings.Builder

	script  []step
	sent    int
	results []string
}

type step func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (s *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent++
	return s.script[min(s.sent, len(s.script))-1](r)
}

var defaults = remote.Limits{Attempts: 3, Attempt: 10 * time.Second, Call: 30 * time.Second, BackoffBase: time.Second,
	BackoffMost: 4 * time.Second, Failures: 4, Pause: 20 * time.Second, Slow: 2 * time.Second, Rest: time.Minute,
	Answer: 1 << 10}

func newStage(patient bool, script ...step) *stage {
	s := &stage{script: script}
	s.Caller = remote.Caller{Name: "acme", Title: "Acme", Jitter: func() float64 { return 1 }, Patient: patient,
		Logger:  slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(a remote.Attempt) { s.results = append(s.results, a.Result) }}.Ready(defaults)
	s.breaker = s.NewBreaker()
	return s
}

func (s *stage) call(ctx context.Context, repeat remote.Repeat) *remote.Failure {
	return s.Do(ctx, &remote.Call{Operation: "things.list", Breaker: s.breaker, Rest: &s.rest, Repeat: repeat,
		Try: s.try})
}

// try judges as the adapters do.
func (s *stage) try(ctx context.Context) (int, *remote.Failure) {
	request, err := remote.NewRequest(ctx, http.MethodPost, &url.URL{Scheme: "https", Host: "acme.example"}, []byte("{}"))
	if err != nil {
		return 0, &remote.Failure{Err: err}
	}
	answer, lost := s.Send(ctx, s, request)
	switch {
	case lost != nil:
		return 0, lost
	case !answer.IsRefusal():
		return answer.Response.StatusCode, nil
	}
	lost = &remote.Failure{Status: answer.Response.StatusCode, Wait: remote.After(answer.Response.Header, s.Now)}
	switch {
	case lost.Status == 429:
		lost.Kind = remote.KindLimited
	case lost.Status >= 500:
		lost.Kind = remote.KindBroken
	case lost.Status == 401:
		lost.Kind = remote.KindStale
	}
	return 0, lost
}

func answer(status int, body string, header ...string) step {
	return func(*http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json"}}
		for pair := range slices.Chunk(header, 2) {
			h.Set(pair[0], pair[1])
		}
		return &http.Response{StatusCode: status, Header: h, ContentLength: -1,
			Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

// short says that it is longer than it is.
func short(r *http.Request) (*http.Response, error) {
	response, err := answer(200, `{}`)(r)
	response.ContentLength = 400
	return response, err
}

func broken(err error) step { return func(*http.Request) (*http.Response, error) { return nil, err } }

// unwritten breaks before a byte was written, as net/http's transport reports it.
func unwritten(r *http.Request) (*http.Response, error) {
	httptrace.ContextClientTrace(r.Context()).GetConn(r.URL.Host)
	return nil, io.ErrUnexpectedEOF
}

func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func nothing(*http.Request) (*http.Response, error) { return nil, nil } //nolint:nilnil // what is tried

var (
	fine    = answer(200, `{}`)
	reset   = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	refused = &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("refused by 10.0.0.1:443")}
)

// What is tried again by which rule, what is reported of it, and whether the work may have been done.
func TestRepeats(t *testing.T) {
	t.Parallel()
	const never, unapplied, always = remote.RepeatNever, remote.RepeatUnapplied, remote.RepeatAlways
	for _, c := range []struct {
		name    string
		repeat  remote.Repeat
		script  []step
		results string
		fails   bool
		unknown bool
		took    time.Duration
	}{
		{name: "fine", script: []step{fine}, results: "ok"},
		{name: "never, 503", repeat: never, script: []step{answer(503, "")}, results: "unavailable", fails: true,
			unknown: true},
		{name: "always, 503", repeat: always, script: []step{answer(503, ""), fine}, results: "unavailable ok",
			took: time.Second},
		{name: "always, in vain", repeat: always, script: []step{answer(503, "")},
			results: "unavailable unavailable unavailable", fails: true, unknown: true, took: 3 * time.Second},
		{name: "unapplied, 503", repeat: unapplied, script: []step{answer(503, ""), fine}, results: "unavailable",
			fails: true, unknown: true},
		{name: "unapplied, 429", repeat: unapplied, script: []step{answer(429, "", "Retry-After", "5"), fine},
			results: "rateLimited ok", took: 5 * time.Second},
		{name: "unapplied, no connection", repeat: unapplied, script: []step{broken(refused), fine},
			results: "unavailable ok", took: time.Second},
		{name: "unapplied, nothing written", repeat: unapplied, script: []step{unwritten, fine},
			results: "unavailable ok", took: time.Second},
		{name: "unapplied, reset", repeat: unapplied, script: []step{broken(reset), fine}, results: "unavailable",
			fails: true, unknown: true},
		{name: "unapplied, no connection, then reset", repeat: unapplied, script: []step{broken(refused), broken(reset)},
			results: "unavailable unavailable", fails: true, unknown: true, took: time.Second},
		{name: "always, reset, then refused", repeat: always, script: []step{broken(reset), answer(409, "")},
			results: "unavailable rejected", fails: true, unknown: true, took: time.Second},
		{name: "refused", repeat: always, script: []step{answer(409, "")}, results: "rejected", fails: true},
		{name: "half of it by its length", repeat: always, script: []step{short, fine}, results: "unavailable ok",
			took: time.Second},
		{name: "half of it by its look", repeat: always, script: []step{answer(200, `{"a":`), fine},
			results: "unavailable ok", took: time.Second},
		{name: "too large", repeat: always, script: []step{answer(200, strings.Repeat(" ", 2<<10))}, results: "rejected",
			fails: true, unknown: true},
		{name: "neither answer nor error", repeat: always, script: []step{nothing, fine}, results: "unavailable ok",
			took: time.Second},
		{name: "silence", repeat: always, script: []step{hang, fine}, results: "timeout ok", took: 11 * time.Second},
		{name: "silence to the end", repeat: always, script: []step{hang}, results: "timeout timeout timeout",
			fails: true, unknown: true, took: 30 * time.Second},
		{name: "stale", repeat: never, script: []step{answer(401, ""), fine}, results: "rejected ok"},
		{name: "a wait beyond the call", repeat: always, script: []step{answer(429, "", "Retry-After", "31")},
			results: "rateLimited", fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(false, c.script...)
				began := time.Now()
				lost := s.call(t.Context(), c.repeat)
				if took := time.Since(began); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
				if got := strings.Join(s.results, " "); got != c.results || (lost != nil) != c.fails {
					t.Errorf("%s, want %s: %v", got, c.results, lost)
				}
				if lost == nil {
					return
				}
				if lost.Unknown() != c.unknown || lost.Attempts != s.sent {
					t.Errorf("%+v", lost)
				}
				for _, private := range []string{"acme.example", "10.0.0.1"} {
					if strings.Contains(lost.Error()+s.log.String(), private) {
						t.Errorf("%v quotes %s: %s", lost, private, s.log.String())
					}
				}
			})
		})
	}
}

// The caller who goes away ends the call at once, under way and while it waits, and is no fault of the remote.
func TestCallersWhoLeave(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]step{"under way": hang, "waiting": answer(429, "", "Retry-After", "9")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(true, script)
				for range 6 {
					ctx, cancel := context.WithCancel(t.Context())
					time.AfterFunc(3*time.Second, cancel)
					began := time.Now()
					lost := s.call(ctx, remote.RepeatAlways)
					if lost == nil || lost.Kind != remote.KindLate || !errors.Is(lost, context.Canceled) ||
						time.Since(began) != 3*time.Second {
						t.Fatalf("%v after %v", lost, time.Since(began))
					}
				}
				if s.breaker.Left(time.Now()) > 0 {
					t.Error("the breaker is open")
				}
			})
		})
	}
}

// What opens the breaker, and what does not: four of each, by different calls.
func TestWhatOpensTheBreaker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		step   step
		within time.Duration
		opens  bool
	}{
		{"5xx", answer(500, ""), 0, true},
		{"reset", broken(reset), 0, true},
		{"half an answer", short, 0, true},
		{"silence", hang, 0, true},
		{"a patient caller's time", hang, 2 * time.Second, true},
		{"a hasty caller's time", hang, time.Second, false},
		{"refusals", answer(400, ""), 0, false},
		{"too fast", answer(429, ""), 0, false},
		{"one odd answer", answer(200, `{"a":`), 0, false},
		{"one that is too large", answer(200, strings.Repeat(" ", 2<<10)), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(false, c.step)
				for range 4 {
					ctx, cancel := context.WithTimeout(t.Context(), remote.Or(c.within, time.Hour))
					if s.call(ctx, remote.RepeatNever) == nil {
						t.Error("it succeeds")
					}
					cancel()
				}
				if left := s.breaker.Left(time.Now()); (left > 0) != c.opens {
					t.Fatalf("it is open for %v", left)
				}
				before := s.sent
				lost := s.call(t.Context(), remote.RepeatAlways)
				if c.opens && (s.sent != before || lost.Kind != remote.KindHeld || !lost.Held || lost.Unknown() ||
					lost.Wait != 20*time.Second || s.results[len(s.results)-1] != remote.ResultLeftAlone) {
					t.Errorf("%+v, %d sent", lost, s.sent-before)
				}
				if c.opens != strings.Contains(s.log.String(), "Acme fails and is left alone for a while") {
					t.Errorf("the log: %s", s.log.String())
				}
			})
		})
	}
}

// A breaker that opens within a call ends it with what the remote did, which says more.
func TestBreakerWithinACall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(false, answer(502, ""))
		_ = s.call(t.Context(), remote.RepeatNever)
		_ = s.call(t.Context(), remote.RepeatNever)
		if lost := s.call(t.Context(), remote.RepeatAlways); lost.Status != 502 || s.sent != 4 {
			t.Errorf("%v, %d sent", lost, s.sent)
		}
	})
}

// A wish to be left alone holds for all who share the rest, for a minute at most; the patient wait for its end.
func TestRest(t *testing.T) {
	t.Parallel()
	for _, patient := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(patient, answer(429, "", "Retry-After", "20"), fine)
			if lost := s.call(t.Context(), remote.RepeatNever); lost == nil || lost.Wait != 20*time.Second {
				t.Fatalf("%v", lost)
			}
			time.Sleep(5 * time.Second)
			began := time.Now()
			lost := s.call(t.Context(), remote.RepeatAlways)
			if patient && (lost != nil || time.Since(began) != 15*time.Second) {
				t.Errorf("%v after %v", lost, time.Since(began))
			}
			if !patient && (lost == nil || lost.Kind != remote.KindLimited || lost.Wait != 15*time.Second || s.sent != 1 ||
				time.Since(began) != 0) {
				t.Errorf("%v after %v", lost, time.Since(began))
			}
			s.script, s.sent = []step{answer(429, "", "Retry-After", "86400"), fine}, 0
			time.Sleep(time.Minute)
			if lost := s.call(t.Context(), remote.RepeatAlways); lost == nil || lost.Wait != 24*time.Hour {
				t.Errorf("%v", lost)
			}
			time.Sleep(time.Minute)
			if lost := s.call(t.Context(), remote.RepeatAlways); lost != nil {
				t.Errorf("after a minute: %v", lost)
			}
		})
	}
}

// Turns are waited for within the call's time, and not at all while nothing may be sent.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(false, hang)
		slots := make(remote.Slots, 1)
		ask := func(ctx context.Context) *remote.Failure {
			return s.Do(ctx, &remote.Call{Breaker: s.breaker, Rest: &s.rest, Turn: slots.Take, Try: s.try})
		}
		done := make(chan *remote.Failure)
		go func() { done <- ask(t.Context()) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if lost := ask(ctx); lost.Kind != remote.KindLate || lost.Unknown() || s.sent != 1 {
			t.Errorf("%+v, %d sent", lost, s.sent)
		}
		if lost := <-done; !lost.TimedOut || len(slots) != 0 {
			t.Errorf("%+v, %d slots taken", lost, len(slots))
		}
		for range 3 {
			_ = ask(t.Context())
		}
		slots <- struct{}{}
		began := time.Now()
		if lost := ask(t.Context()); lost.Kind != remote.KindHeld || time.Since(began) != 0 {
			t.Errorf("%+v after %v", lost, time.Since(began))
		}
	})
}

// The cache keeps what was used last, and makes a value once for each key that it has.
func TestCache(t *testing.T) {
	t.Parallel()
	made := 0
	cache := remote.NewCache[int, int](3)
	get := func(key int) int { return remote.Cached(cache, key, func() int { made++; return key * 10 }) }
	for _, key := range []int{1, 2, 3, 1, 4} { // 2 was unused for longest
		if get(key) != key*10 {
			t.Error("another's value")
		}
	}
	get(1)
	get(3)
	if made != 4 || cache.Len() != 3 {
		t.Errorf("%d made, %d kept", made, cache.Len())
	}
	if get(2); made != 5 || cache.Len() != 3 {
		t.Errorf("%d made, %d kept", made, cache.Len())
	}
	if one := remote.NewCache[int, int](0); remote.Cached(one, 1, func() int { return 7 }) != 7 {
		t.Error("a cache of none keeps none")
	}
}

// Codes and words of a remote become fit for logs and clients.
func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"rate_limit-1.2": "rate_limit-1.2", "a b": "", "sk-0123": "", "": "",
		"x-secret-y": "", strings.Repeat("a", 61): ""} {
		if got := remote.Identifier(name, "secret"); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
	if got := remote.OneLine(" a\x00\u202e\n b\xff ", 10, nil); got != "a b" {
		t.Errorf("%q", got)
	}
	if got := remote.OneLine(strings.Repeat("é", 99), 10, nil); got != strings.Repeat("é", 9)+"…" {
		t.Errorf("%q", got)
	}
	for wait, want := range map[time.Duration]string{0: "; try again later.", time.Second: "; try again in 1 second.",
		1500 * time.Millisecond: "; try again in 2 seconds."} {
		if got := remote.LaterBy(wait); got != want {
			t.Errorf("%v: %q", wait, got)
		}
	}
}

// In a dry run only what reads is sent.
func TestDryRunsOnlyRead(t *testing.T) {
	t.Parallel()
	caller := remote.Caller{Name: "test"}.Ready(remote.Limits{Attempts: 1, Call: time.Minute, Attempt: time.Minute})
	for _, reads := range []bool{true, false} {
		sent := false
		lost := caller.Do(dryrun.With(t.Context()), &remote.Call{
			Operation: "things.make", Breaker: caller.NewBreaker(), Rest: new(remote.Rest), Reads: reads,
			Try: func(context.Context) (int, *remote.Failure) {
				sent = true
				return 0, nil
			},
		})
		if refused := lost != nil && errors.Is(lost, dryrun.ErrRefused); sent != reads || refused == reads {
			t.Errorf("a call that reads (%v) was sent (%v): %v", reads, sent, lost)
		}
	}
}
