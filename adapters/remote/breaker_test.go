package remote_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/remote"
)

// Waits double up to a bound, and never leave their range whatever the jitter.
func TestBackoff(t *testing.T) {
	t.Parallel()
	for failed := 1; failed < 70; failed++ {
		full := min(100*time.Millisecond*time.Duration(math.Pow(2, min(float64(failed-1), 20))), 8*time.Second)
		for _, jitter := range []float64{0, 0.5, 0.999} {
			if got := remote.Backoff(failed, jitter, 100*time.Millisecond, 8*time.Second); got < full/2 || got > full {
				t.Errorf("after %d failures: %v, want from %v to %v", failed, got, full/2, full)
			}
		}
	}
}

// Both headers, in all their forms.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	stamp := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		header map[string]string
		want   time.Duration
	}{
		{nil, 0},
		{map[string]string{"Retry-After": "7"}, 7 * time.Second},
		{map[string]string{"Retry-After": " 0.5 "}, 500 * time.Millisecond},
		{map[string]string{"Retry-After": "-3"}, 0},
		{map[string]string{"Retry-After": "NaN"}, 0},
		{map[string]string{"Retry-After": "99999999"}, remote.MaxAfter},
		{map[string]string{"Retry-After": "soon"}, 0},
		{map[string]string{"Retry-After": stamp(30 * time.Second)}, 30 * time.Second},
		{map[string]string{"Retry-After": stamp(-30 * time.Second)}, 0},
		{map[string]string{"Retry-After": stamp(30 * time.Second), "Date": stamp(20 * time.Second)}, 10 * time.Second},
		{map[string]string{"Retry-After-Ms": "250", "Retry-After": "9"}, 250 * time.Millisecond},
		{map[string]string{"Retry-After-Ms": "x", "Retry-After": "9"}, 9 * time.Second},
	} {
		header := http.Header{}
		for k, v := range c.header {
			header.Set(k, v)
		}
		if got := remote.After(header, func() time.Time { return now }); got != c.want {
			t.Errorf("%v: %v, want %v", c.header, got, c.want)
		}
	}
}

// A call that began before the breaker opened tells of the past: it neither closes nor prolongs what came after.
func TestBreakerIgnoresThePast(t *testing.T) {
	t.Parallel()
	for _, late := range []remote.Verdict{remote.Healthy, remote.Failing, remote.NoSay} {
		b := &remote.Breaker{Failures: 2, Pause: time.Minute}
		at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		old, _, _ := b.Enter(at)
		for range 2 {
			p, _, ok := b.Enter(at)
			if !ok {
				t.Fatal("it is open too soon")
			}
			b.Done(p, remote.Failing, at)
		}
		b.Done(old, late, at.Add(30*time.Second))
		if _, wait, ok := b.Enter(at.Add(30 * time.Second)); ok || wait != 30*time.Second {
			t.Errorf("after a late %d: let in %v, or in %v", late, ok, wait)
		}
		probe, _, ok := b.Enter(at.Add(time.Minute))
		if !ok {
			t.Fatal("no probe")
		}
		b.Done(old, late, at.Add(time.Minute))
		if _, _, ok := b.Enter(at.Add(time.Minute)); ok {
			t.Error("two probes at once")
		}
		b.Done(probe, remote.Healthy, at.Add(time.Minute))
		b.Done(old, remote.Failing, at.Add(time.Minute))
		b.Done(old, remote.Failing, at.Add(time.Minute))
		if b.Left(at.Add(time.Minute)) > 0 {
			t.Error("the past opened it")
		}
	}
}

func FuzzAfter(f *testing.F) {
	for _, seed := range [][2]string{
		{"7", ""}, {"0", ""}, {"-1", ""}, {"99999999999999999999", ""}, {"1.5", ""},
		{"Fri, 20 Nov 2026 10:00:09 GMT", "Fri, 20 Nov 2026 10:00:00 GMT"},
		{"Friday, 20-Nov-26 10:00:09 GMT", ""}, {"Fri Nov 20 10:00:09 9999", "x"},
		{"Fri, 20 Nov 0000 10:00:09 GMT", "Fri, 20 Nov 9999 10:00:00 GMT"}, {" 3 ", ""}, {"", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, value, date string) {
		header := http.Header{"Retry-After": {value}, "Date": {date}}
		at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
		if wait := remote.After(header, func() time.Time { return at }); wait < 0 || wait > remote.MaxAfter {
			t.Errorf("%q at %q: %v", value, date, wait)
		}
		if wait := remote.After(header, nil); wait < 0 || wait > remote.MaxAfter {
			t.Errorf("%q at %q without a clock: %v", value, date, wait)
		}
	})
}

// Sleep ends with its time or with the context, whichever comes first.
func TestSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := remote.Sleep(t.Context(), time.Minute); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := remote.Sleep(ctx, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}
