package exa_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/remote"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
)

// timed is a client whose time is that of a bubble, before a function that answers.
func timed(limits exa.Limits, answer func(*http.Request) (*http.Response, error)) *exa.Account {
	return &exa.Account{Key: secretKey,
		Client: &exa.Client{Base: transport(answer), Limits: limits, Jitter: func() float64 { return 1 }}}
}

func respond(status int, body string, header ...string) *http.Response {
	response := &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody,
		ContentLength: int64(len(body))}
	if body != "" {
		response.Body = readCloser{strings.NewReader(body)}
	}
	for i := 0; i+1 < len(header); i += 2 {
		response.Header.Set(header[i], header[i+1])
	}
	return response
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

const emptyList = `{"data":[],"hasMore":false,"nextCursor":null}`

func lists(ctx context.Context, a *exa.Account) error {
	_, err := a.Websets(ctx, exa.Page{})
	return err
}

// A key sends five requests a second, after a first burst; those who would wait for too long, or beyond their time,
// hear at once when to come again.
func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		a := timed(exa.Limits{},
			func(*http.Request) (*http.Response, error) { sent.Add(1); return respond(200, emptyList), nil })
		began := time.Now()
		for range 15 {
			if err := lists(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("15 requests take %v", took)
		}
		// Other budgets, and other keys, do not wait for it.
		began = time.Now()
		if _, err := a.SearchWeb(t.Context(), exa.WebSearch{Query: "x"}); err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		other := &exa.Account{Client: a.Client, Key: "another"}
		if err := lists(t.Context(), other); err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}

		// Sixty at once: fifty wait at most ten seconds, the others are told.
		time.Sleep(time.Minute)
		began, refused := time.Now(), atomic.Int64{}
		done := make(chan struct{})
		for range 60 {
			go func() {
				defer func() { done <- struct{}{} }()
				err := lists(t.Context(), a)
				if model.CodeOf(err) == model.CodeUpstreamRateLimited && model.RetryAfterOf(err) > 10*time.Second {
					refused.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			}()
		}
		for range 60 {
			<-done
		}
		if took := time.Since(began); refused.Load() != 5 || took != 10*time.Second {
			t.Errorf("%d refused, %v", refused.Load(), took)
		}

		// Who has too little time is not kept waiting for nothing, and takes nobody's turn.
		before := sent.Load()
		for range 5 {
			if err := lists(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		began = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		for range 100 {
			if err := lists(ctx, a); model.CodeOf(err) != model.CodeUpstreamRateLimited {
				t.Fatal(err)
			}
		}
		if time.Since(began) != 0 || sent.Load() != before+5 {
			t.Errorf("%v, %d sent", time.Since(began), sent.Load()-before)
		}
		// Nor does one that goes away.
		for range 100 {
			gone, leave := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, leave)
			if err := lists(gone, a); model.CodeOf(err) != model.CodeTimeout {
				t.Fatal(err)
			}
		}
		if err := lists(t.Context(), a); err != nil || time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// A wish to be left alone is heeded by all who use the key, for no longer than a minute.
func TestRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wait := "3"
		var sent int
		a := timed(exa.Limits{}, func(*http.Request) (*http.Response, error) {
			sent++
			if sent == 1 {
				return respond(429, `{"error":"rate limit exceeded"}`, "Retry-After", wait), nil
			}
			return respond(200, emptyList), nil
		})
		began := time.Now()
		if err := lists(t.Context(), a); err != nil || time.Since(began) != 3*time.Second || sent != 2 {
			t.Errorf("%v after %v, %d sent", err, time.Since(began), sent)
		}
		sent, wait, began = 0, "86400", time.Now()
		for range 3 {
			if err := lists(t.Context(), a); model.CodeOf(err) != model.CodeUpstreamRateLimited {
				t.Error(err)
			}
		}
		if sent != 1 || time.Since(began) != 0 {
			t.Errorf("%d sent, %v", sent, time.Since(began))
		}
		if err := lists(t.Context(), &exa.Account{Client: a.Client, Key: "another"}); err != nil {
			t.Errorf("another key: %v", err)
		}
		time.Sleep(time.Minute)
		if err := lists(t.Context(), a); err != nil {
			t.Error(err)
		}
	})
}

// Without Retry-After the waits grow.
func TestBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		began := time.Now()
		a := timed(exa.Limits{Limits: remote.Limits{Attempts: 5, Failures: 9}}, func(*http.Request) (*http.Response, error) {
			at = append(at, time.Since(began))
			return respond(429, `{"error":"rate limit exceeded"}`), nil
		})
		err := lists(t.Context(), a)
		if model.CodeOf(err) != model.CodeUpstreamRateLimited || model.RetryAfterOf(err) != 8*time.Second {
			t.Errorf("%v, %v", err, model.RetryAfterOf(err))
		}
		want := []time.Duration{0, 500 * time.Millisecond, 1500 * time.Millisecond, 3500 * time.Millisecond,
			7500 * time.Millisecond}
		for i := range want {
			if i >= len(at) || at[i] != want[i] {
				t.Fatalf("asked at %v", at)
			}
		}
	})
}

// Silence ends with the attempt, all attempts with the call, and everything with the caller's own time.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	silent := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	for _, c := range []struct {
		name   string
		within time.Duration
		cancel bool
		write  bool
		took   time.Duration
		code   model.ErrorCode
		doubt  bool
	}{
		{"reading", 0, false, false, time.Minute, model.CodeTimeout, false},
		{"reading, hasty", 2 * time.Second, false, false, 2 * time.Second, model.CodeTimeout, false},
		{"reading, gone", 2 * time.Second, true, false, 2 * time.Second, model.CodeTimeout, false},
		{"writing, hasty", 2 * time.Second, false, true, 2 * time.Second, model.CodeTimeout, true},
		{"writing, gone", 2 * time.Second, true, true, 2 * time.Second, model.CodeTimeout, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				cancel := func() {}
				if c.within > 0 {
					ctx, cancel = context.WithTimeout(ctx, c.within)
				}
				if c.cancel {
					ctx, cancel = context.WithCancel(t.Context())
					time.AfterFunc(c.within, cancel)
				}
				defer cancel()
				a := timed(exa.Limits{}, silent)
				began := time.Now()
				err := lists(ctx, a)
				if c.write {
					began = time.Now()
					ctx, cancel := context.WithTimeout(t.Context(), c.within)
					defer cancel()
					_, err = a.CreateWebset(ctx, exa.NewWebset{})
				}
				if time.Since(began) != c.took || model.CodeOf(err) != c.code ||
					strings.Contains(err.Error(), "may have been done") != c.doubt {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			})
		})
	}
}

// A body that comes too slowly is no answer.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := timed(exa.Limits{Limits: remote.Limits{Attempts: 1}}, func(r *http.Request) (*http.Response, error) {
			response := respond(200, emptyList)
			response.ContentLength, response.Body = -1, dripping{r.Context()}
			return response, nil
		})
		began := time.Now()
		err := lists(t.Context(), a)
		if model.CodeOf(err) != model.CodeUpstreamUnavailable || time.Since(began) != 30*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// dripping is a body of one byte a second.
type dripping struct{ ctx context.Context }

// Read implements io.Reader.
func (d dripping) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}

// Close implements io.Closer.
func (dripping) Close() error { return nil }

// A key that fails again and again is left alone, then tried by one; others are not held back by it.
func TestBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sent, down := 0, true
		a := timed(exa.Limits{Limits: remote.Limits{Attempts: 1}, Websets: 1000},
			func(r *http.Request) (*http.Response, error) {
				if r.Header.Get("X-Api-Key") == secretKey {
					sent++
				}
				if down && r.Header.Get("X-Api-Key") == secretKey {
					return nil, errors.New("broken")
				}
				return respond(200, emptyList), nil
			})
		for range 20 {
			if err := lists(t.Context(), a); model.CodeOf(err) != model.CodeUpstreamUnavailable {
				t.Fatal(err)
			}
		}
		if sent != 5 {
			t.Errorf("%d sent", sent)
		}
		time.Sleep(10 * time.Second)
		err := lists(t.Context(), a)
		if model.RetryAfterOf(err) != 5*time.Second || sent != 5 {
			t.Errorf("%v, %d sent", err, sent)
		}
		if err := lists(t.Context(), &exa.Account{Client: a.Client, Key: "another"}); err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Second)
		_ = lists(t.Context(), a)
		_ = lists(t.Context(), a)
		if sent != 6 {
			t.Errorf("%d sent after the probe", sent)
		}
		time.Sleep(15 * time.Second)
		down = false
		for range 3 {
			if err := lists(t.Context(), a); err != nil {
				t.Error(err)
			}
		}
		if sent != 9 {
			t.Errorf("%d sent in the end", sent)
		}
	})
}

// Refusals say nothing against Exa, and neither do callers who leave early.
func TestWhatDoesNotOpenTheBreaker(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	for _, status := range []int{400, 401, 402, 403, 404, 409, 422} {
		w.standin.Inject(standin.Fault{Status: status, Times: 4})
		for range 4 {
			_ = lists(t.Context(), w.account)
		}
	}
	if err := lists(t.Context(), w.account); err != nil {
		t.Error(err)
	}
	if strings.Contains(w.results(), exa.ResultLeftAlone) {
		t.Error(w.results())
	}
}

// What is remembered of keys is bounded.
func TestKeysAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := timed(exa.Limits{Keys: 10}, func(*http.Request) (*http.Response, error) { return respond(200, emptyList), nil })
		for range 5 {
			_ = lists(t.Context(), a)
		}
		for i := range 50 {
			if err := lists(t.Context(), &exa.Account{Client: a.Client, Key: strings.Repeat("k", 9+i)}); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := lists(t.Context(), a); err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
