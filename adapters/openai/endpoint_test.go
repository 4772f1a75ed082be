package openai_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/openai"
	"almanac/graph/model"
	standin "almanac/internal/standin/openai"
)

// What passes is tried again, with growing waits or those that the endpoint asks for; what does not pass is not.
func TestAttempts(t *testing.T) {
	ms := time.Millisecond
	for name, c := range map[string]struct {
		fault    standin.Fault
		requests int
		waits    []time.Duration
		code     model.ErrorCode
		reason   string
		after    time.Duration
	}{
		"500 once":  {standin.Fault{Status: 500, Times: 1}, 2, []time.Duration{250 * ms}, "", "", 0},
		"503 twice": {standin.Fault{Status: 503, Times: 2}, 3, []time.Duration{250 * ms, 500 * ms}, "", "", 0},
		"503 always": {standin.Fault{Status: 503}, 3, []time.Duration{250 * ms, 500 * ms},
			model.CodeUpstreamUnavailable, "", 0},
		"503 with a wait": {standin.Fault{Status: 503, Times: 1, RetryAfter: 2 * time.Second}, 2,
			[]time.Duration{2 * time.Second}, "", "", 0},
		"408":     {standin.Fault{Status: 408, Times: 1}, 2, []time.Duration{250 * ms}, "", "", 0},
		"a reset": {standin.Fault{Reset: true, Times: 1}, 2, []time.Duration{250 * ms}, "", "", 0},
		"resets": {standin.Fault{Reset: true}, 3, []time.Duration{250 * ms, 500 * ms},
			model.CodeUpstreamUnavailable, "", 0},
		"half an answer": {standin.Fault{Truncate: true, Times: 1}, 2, []time.Duration{250 * ms}, "", "", 0},
		"half answers": {standin.Fault{Truncate: true}, 3, []time.Duration{250 * ms, 500 * ms},
			model.CodeUpstreamUnavailable, "", 0},
		"429": {standin.Fault{Status: 429, Times: 1}, 2, []time.Duration{250 * ms}, "", "", 0},
		"429 always": {standin.Fault{Status: 429}, 3, []time.Duration{250 * ms, 500 * ms},
			model.CodeUpstreamRateLimited, "", time.Second},
		"final by its own word": {standin.Fault{Status: 503, Header: http.Header{"X-Should-Retry": {"false"}}}, 1, nil,
			model.CodeUpstreamUnavailable, "", 0},
		"an allowance is used up": {standin.Fault{Status: 429, Error: "spent"}, 1, nil, model.CodeUpstreamRateLimited, "", 0},
		"400": {standin.Fault{Status: 400}, 1, nil, model.CodeUpstreamRejected, "invalid_request_error",
			0},
		"401": {standin.Fault{Status: 401}, 1, nil, model.CodeUpstreamRejected, "invalid_api_key", 0},
		"403 of a proxy": {standin.Fault{Status: 403, Body: "<html>" + secretKey}, 1, nil,
			model.CodeUpstreamRejected, "status_403", 0},
		"404":    {standin.Fault{Status: 404}, 1, nil, model.CodeUpstreamRejected, "model_not_found", 0},
		"a page": {standin.Fault{Garbage: true}, 1, nil, model.CodeUpstreamUnavailable, "", 0},
		"a redirect": {standin.Fault{Status: 307, Body: "{}", Header: http.Header{
			"Location": {"https://elsewhere.example/v1/embeddings"}}}, 1, nil, model.CodeUpstreamRejected, "status_307", 0},
		"a key for a code": {standin.Fault{Status: 400, Body: `{"error":{"code":"` + secretKey + `","type":"x_` +
			secretKey + `"}}`}, 1, nil, model.CodeUpstreamRejected, "status_400", 0},
		"a text for an error": {standin.Fault{Status: 400, Body: `{"error":"` + secretText + ` is bad"}`}, 1, nil,
			model.CodeUpstreamRejected, "status_400", 0},
		"no envelope": {standin.Fault{Status: 422, Body: `{"object":"error","message":"` + secretText +
			`","type":"BadRequestError","code":40001}`}, 1, nil, model.CodeUpstreamRejected, "BadRequestError", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, standin.Options{})
			w.standin.Inject(c.fault)
			got, err := w.embed(secretText)
			if n := len(w.standin.Requests()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
			if !slices.Equal(w.waits, c.waits) {
				t.Errorf("waited %v, want %v", w.waits, c.waits)
			}
			if c.code == "" {
				if err != nil || len(got) != 1 {
					t.Errorf("%v %v", got, err)
				}
				w.private()
				return
			}
			if shown := w.check(err, c.code, c.reason); shown.RetryAfter < c.after {
				t.Errorf("it says to wait %v", shown.RetryAfter)
			}
		})
	}
}

// A wait that does not fit into the caller's time is not waited, and told instead; then nobody asks before it is over.
func TestRateLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, standin.Options{})
		w.client.Endpoint.Wait = nil
		w.standin.Inject(standin.Fault{Status: 429, RetryAfter: 20 * time.Second, Times: 1})
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		_, err := w.client.Embed(ctx, openai.Ask{Model: "tiny"}, []string{secretText})
		if shown := w.check(err, model.CodeUpstreamRateLimited, ""); shown.RetryAfter != 20*time.Second ||
			time.Since(began) != 0 {
			t.Errorf("%v after %v", shown.RetryAfter, time.Since(began))
		}
		time.Sleep(5 * time.Second)
		_, err = w.embed(secretText)
		if shown := w.check(err, model.CodeUpstreamRateLimited, ""); shown.RetryAfter != 15*time.Second ||
			len(w.standin.Requests()) != 1 {
			t.Errorf("%v after %d requests", shown.RetryAfter, len(w.standin.Requests()))
		}
		time.Sleep(15 * time.Second)
		if _, err = w.embed("car"); err != nil {
			t.Error(err)
		}
		if got := w.results(); got != "rateLimited leftAlone ok" {
			t.Errorf("told was %q", got)
		}
	})
}

// A wish to be left alone for very long is heard for a minute.
func TestRestIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, standin.Options{})
		for _, header := range []string{"86400", "9e999", time.Now().Add(40 * time.Hour).UTC().Format(http.TimeFormat)} {
			w.standin.Inject(standin.Fault{Status: 429, Header: http.Header{"Retry-After": {header}}, Times: 1})
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			_, err := w.client.Embed(ctx, openai.Ask{Model: "tiny"}, []string{secretText})
			cancel()
			if shown := w.check(err, model.CodeUpstreamRateLimited, ""); shown.RetryAfter != time.Hour {
				t.Errorf("%s: %v", header, shown.RetryAfter)
			}
			time.Sleep(time.Minute)
			if _, err := w.embed("car"); err != nil {
				t.Errorf("%s: %v", header, err)
			}
		}
	})
}

// An endpoint that hangs costs a caller its time, a few callers at most; then it is left alone, but for a probe now and
// then, and by those in the background not at all.
func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, standin.Options{})
		w.client.Endpoint.Wait = nil
		w.standin.Inject(standin.Fault{Hang: true})
		hasty := func() (time.Duration, error) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			began := time.Now()
			_, err := w.client.Embed(ctx, openai.Ask{Model: "tiny"}, []string{secretText})
			return time.Since(began), err
		}
		for i := range 4 {
			took, err := hasty()
			w.check(err, model.CodeUpstreamUnavailable, "")
			if took != 2*time.Second {
				t.Errorf("call %d took %v", i, took)
			}
		}
		took, err := hasty()
		if shown := w.check(err, model.CodeUpstreamUnavailable, ""); took != 0 || shown.RetryAfter != 15*time.Second {
			t.Errorf("the fifth took %v and says %v", took, shown.RetryAfter)
		}
		w.standin.Clear()
		if _, err := w.client.Embed(openai.InBackground(t.Context()), openai.Ask{Model: "tiny"},
			[]string{"car"}); err != nil {
			t.Errorf("in the background: %v", err)
		}
		if _, err := hasty(); err == nil {
			t.Error("the breaker did not hold")
		}
		time.Sleep(15 * time.Second)
		if _, err := hasty(); err != nil {
			t.Errorf("the probe: %v", err)
		}
		if _, err := hasty(); err != nil {
			t.Errorf("after the probe: %v", err)
		}
		synctest.Wait()
		if !strings.Contains(w.log.String(), "is left alone for a while") {
			t.Error("the log does not say it")
		}
		w.private()
	})
}

// A caller who goes away, or who has no patience, says nothing about the endpoint; one attempt that takes too long is
// followed by another.
func TestCallersAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, standin.Options{})
		w.client.Endpoint.Wait = nil
		w.standin.Inject(standin.Fault{Latency: 500 * time.Millisecond, Times: 8})
		for range 8 {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			_, err := w.client.Embed(ctx, openai.Ask{Model: "tiny"}, []string{secretText})
			cancel()
			w.check(err, model.CodeUpstreamUnavailable, "")
		}
		if got := w.results(); got != strings.TrimSpace(strings.Repeat("cancelled ", 8)) {
			t.Errorf("told was %q", got)
		}
		w.standin.Inject(standin.Fault{Hang: true, Times: 1})
		began := time.Now()
		if _, err := w.embed("car"); err != nil || time.Since(began) != 30*time.Second+250*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		before := len(w.standin.Requests())
		_, err := w.client.Embed(ctx, openai.Ask{Model: "tiny"}, []string{secretText})
		w.check(err, model.CodeUpstreamUnavailable, "")
		if n := len(w.standin.Requests()); n != before {
			t.Errorf("asked %d times for nobody", n-before)
		}
		synctest.Wait()
	})
}

// An answer that is larger than can be kept in memory is let go of, and not asked for again.
func TestLargeAnswers(t *testing.T) {
	w := newWorld(t, standin.Options{})
	w.client.Endpoint.Limits.Answer = 10_000
	w.standin.Inject(standin.Fault{Pad: 20_000})
	_, err := w.embed(secretText)
	w.check(err, model.CodeUpstreamRejected, "")
	if n := len(w.standin.Requests()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// Over a real connection: a server that is gone is told as such, without its address, and what is sent tells nothing of
// this machine.
func TestOverTheNetwork(t *testing.T) {
	w := newWorld(t, standin.Options{Key: secretKey})
	var seen http.Header
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		w.standin.ServeHTTP(out, r)
	}))
	transport := openai.NewTransport()
	defer transport.CloseIdleConnections()
	w.client.Endpoint.URL, w.client.Endpoint.Base = mustParse(t, server.URL+"/v1/"), transport
	got, err := w.embed("car")
	if err != nil || !same(got[0], w.standin.Vector("tiny", "car")) {
		t.Fatal(err)
	}
	for name := range seen {
		if strings.HasPrefix(name, "X-Stainless") {
			t.Errorf("%s was sent", name)
		}
	}
	if seen.Get("User-Agent") != "almanac" {
		t.Errorf("the agent is %q", seen.Get("User-Agent"))
	}
	server.Close()
	_, err = w.embed(secretText)
	shown := w.check(err, model.CodeUpstreamUnavailable, "")
	if cause := model.CauseOf(shown); strings.Contains(cause, "127.0.0.1") || !strings.Contains(cause, "no connection") {
		t.Errorf("the cause is %q", cause)
	}
}

// What is classified already stays as it is.
func TestClassify(t *testing.T) {
	if openai.Classify(nil) != nil {
		t.Error("nothing is an error")
	}
	own := model.Errorf(model.CodeQueryTooExpensive, "enough")
	if got := openai.Classify(own); !errors.Is(got, own) {
		t.Errorf("%v", got)
	}
	if got := openai.Classify(errors.New(secretText)); model.CodeOf(got) != model.CodeUpstreamUnavailable ||
		strings.Contains(model.CauseOf(got), secretText) {
		t.Errorf("%v", got)
	}
}
