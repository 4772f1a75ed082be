package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"sync"
	"time"

	"almanac/adapters/remote"
)

// DefaultURL is OpenAI's own endpoint.
const DefaultURL = "https://api.openai.com/v1"

// Endpoint is a server that speaks OpenAI's API. Its fields are set before the first use and not changed after it; only
// URL is needed. It is safe for goroutines and must not be copied.
type Endpoint struct {
	// URL is what the API's paths are put behind: "https://api.openai.com/v1".
	URL *url.URL
	// Key is sent as bearer token; empty for servers that want none.
	Key string
	// AllowHTTP lets texts and the key travel in the clear, also to other machines. Without it plain http is for loopback
	// only.
	AllowHTTP bool
	// Base sends the requests; NewTransport's when nil.
	Base http.RoundTripper
	// Now, Jitter, Wait, Logger and Observe are those of remote.Caller.
	Now     func() time.Time
	Jitter  func() float64
	Wait    func(context.Context, time.Duration) error
	Logger  *slog.Logger
	Observe func(Attempt)
	Limits  Limits

	once   sync.Once
	caller *remote.Caller
	// breakers are for those who wait and for the background, each with an opinion of its own: what is too slow for a
	// person may be quick enough for a worker.
	breakers [2]*remote.Breaker
	rest     remote.Rest
}

// Limits bound what a call may cost. A zero field has a default: 3 attempts of 30 s in 60 s, waits from 250 ms to 8 s,
// a pause of 15 s after 4 failures, slow after 1 s, a rest of at most 1 min, answers of 64 MiB. A server of one's own
// may have to load its model first.
type Limits = remote.Limits

// Attempt is one request that was sent, or was not because the endpoint is left alone. The Operation is the end of the
// API's path, "embeddings" or "completions".
type Attempt = remote.Attempt

// ResultLeftAlone is the Result of an Attempt that was not sent.
const ResultLeftAlone = remote.ResultLeftAlone

type contextKey int

const backgroundKey contextKey = iota

// InBackground says that nobody waits for the calls made with this context, so they are tried even while those who wait
// are spared the endpoint.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey, true)
}

// NewTransport makes a transport with limits on each step of connecting. The caller may close its idle connections at
// the end.
func NewTransport() *http.Transport { return remote.NewTransport(32) }

// prepare fills in what was left out.
func (e *Endpoint) prepare() {
	if e.Base == nil {
		e.Base = NewTransport()
	}
	e.caller = remote.Caller{Name: "openai", Title: "the model endpoint", Now: e.Now, Jitter: e.Jitter, Wait: e.Wait,
		Logger: e.Logger, Observe: e.Observe, Limits: e.Limits}.Ready(Limits{
		Attempts: 3, Attempt: 30 * time.Second, Call: time.Minute, BackoffBase: 250 * time.Millisecond,
		BackoffMost: 8 * time.Second, Failures: 4, Pause: 15 * time.Second, Slow: time.Second, Rest: time.Minute,
		Answer: 64 << 20,
	})
	for i := range e.breakers {
		e.breakers[i] = e.caller.NewBreaker()
	}
}

// Check reports what is wrong with the address, if anything: a service must not be started with one that would leak
// what is sent there.
func (e *Endpoint) Check() error { return remote.CheckURL("openai: the endpoint", e.URL, e.AllowHTTP) }

// Operations are paths of the API.
const (
	pathEmbeddings = "embeddings"
	pathChat       = "chat/completions"
)

// post sends a request and reads its answer into a value, and again where that may help: nothing that is asked here
// changes anything there. Its errors are for Classify.
func post[T any](ctx context.Context, e *Endpoint, operation string, body any) (T, error) {
	e.once.Do(e.prepare)
	var answer T
	payload, err := remote.JSON(body)
	if err != nil {
		return answer, fmt.Errorf("openai: the request: %w", err)
	}
	background, _ := ctx.Value(backgroundKey).(bool)
	call := &remote.Call{Operation: path.Base(operation), Background: background, Breaker: e.breakers[0], Rest: &e.rest,
		Repeat: remote.RepeatAlways, Reads: true,
		Try: func(ctx context.Context) (int, *remote.Failure) {
			status, got, lost := e.send(ctx, operation, payload)
			if lost != nil {
				return 0, lost
			}
			if answer, err = read[T](got); err != nil {
				lost = remote.Unreadable(status)
				// What is not even the beginning of an answer is not asked for again: it is no endpoint that speaks there.
				lost.Final = len(got) > 0 && !bytes.HasPrefix(bytes.TrimSpace(got), []byte("{"))
			}
			return status, lost
		}}
	if background {
		call.Breaker = e.breakers[1]
	}
	if lost := e.caller.Do(ctx, call); lost != nil {
		return answer, lost
	}
	return answer, nil
}

// send sends a request once.
func (e *Endpoint) send(ctx context.Context, operation string, payload []byte) (int, []byte, *remote.Failure) {
	request, err := remote.NewRequest(ctx, http.MethodPost, e.URL.JoinPath(operation), payload)
	if err != nil {
		return 0, nil, &remote.Failure{Unsent: true, Err: errors.New("the request cannot be made")}
	}
	if e.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.Key)
	}
	answer, lost := e.caller.Send(ctx, e.Base, request)
	switch {
	case lost != nil:
		return 0, nil, lost
	case answer.IsRefusal():
		return 0, nil, e.refusal(operation, answer.Response, answer.Body)
	default:
		return answer.Response.StatusCode, answer.Body, nil
	}
}

// maxRetryAfter bounds what is believed of an endpoint's wish to be left alone.
const maxRetryAfter = time.Hour

// refusal judges an answer that is none.
func (e *Endpoint) refusal(operation string, response *http.Response, body []byte) *remote.Failure {
	status, said := response.StatusCode, readProblem(body, e.Key)
	lost := &remote.Failure{
		Status: status, Code: said.code, Said: said, Unsent: true,
		Wait:  min(remote.After(response.Header, e.caller.Now), maxRetryAfter),
		Final: response.Header.Get("X-Should-Retry") == "false",
	}
	switch {
	case status == http.StatusTooManyRequests && said.spent:
		lost.Kind = remote.KindSpent
	case status == http.StatusTooManyRequests:
		lost.Kind = remote.KindLimited
	case said.tooLong: // llama.cpp says so with a 500
	// and this too, where it cannot make a grammar of a schema
	case said.about == aboutForm && operation == pathChat:
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict:
		lost.Kind = remote.KindBroken
	}
	return lost
}

// read reads a JSON value as far as it goes: what is missing, and what is of another type than it should be, is
// left zero, so that a field that has changed never costs the rest. An error when it is no JSON, or another kind of
// value.
func read[T any](raw []byte) (T, error) {
	var value T
	err := json.Unmarshal(raw, &value)
	if mistyped, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && mistyped.Field != "" {
		err = nil
	}
	return value, err
}
