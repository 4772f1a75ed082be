package exa

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"almanac/adapters/remote"
	"almanac/internal/dryrun"
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
	body   any
	budget budgetOf
	// again: it may be sent again though it may have been done, since doing it twice does no more.
	again bool
	// finds: it changes nothing, though it is a POST.
	finds bool
	// read takes the answer's body; its error makes it none. Without it the body may be anything.
	read func(body []byte) error
}

// do makes attempts until one counts.
func (c *Client) do(ctx context.Context, name string, a ask) *failure {
	k := c.key(name)
	if err := c.Check(); err != nil {
		return &failure{Remote: remoteName, Unsent: true, Err: err}
	}
	var payload []byte
	if a.body != nil {
		var err error
		if payload, err = remote.JSON(a.body); err != nil {
			return &failure{Remote: remoteName, Unsent: true, Err: errors.New("the request's body cannot be written")}
		}
	}
	if dryrun.Is(ctx) && !a.reads() {
		return c.would(ctx, name, a, payload)
	}
	repeat := remote.RepeatUnapplied
	if a.again {
		repeat = remote.RepeatAlways
	}
	return c.caller.Do(ctx, &remote.Call{Operation: a.operation, Breaker: k.breaker, Rest: &k.rest, Repeat: repeat,
		Reads: a.reads(),
		Turn:  func(ctx context.Context) (func(), *failure) { return nil, c.turn(ctx, k, a.budget) },
		Try:   func(ctx context.Context) (int, *failure) { return c.send(ctx, name, a, payload) },
	})
}

// send sends the request once and reads the answer whole.
func (c *Client) send(ctx context.Context, key string, a ask, payload []byte) (int, *failure) {
	request, err := remote.NewRequest(ctx, a.method, c.address(a), payload)
	if err != nil {
		return 0, &failure{Unsent: true, Err: errors.New("the request cannot be made")}
	}
	request.Header.Set("X-Api-Key", key)
	answer, lost := c.caller.Send(ctx, c.Base, request)
	if lost != nil {
		return 0, lost
	}
	status := answer.Response.StatusCode
	switch {
	case answer.IsRefusal():
		lost = judge(status, readProblem(answer.Body, key))
		lost.Wait = remote.After(answer.Response.Header, c.Now)
		return 0, lost
	case a.read != nil && a.read(answer.Body) != nil:
		return 0, remote.Unreadable(status)
	}
	return status, nil
}

// address puts the path behind the API's address. No part of it can leave its place, since each is escaped whole.
func (c *Client) address(a ask) *url.URL {
	u := *c.URL
	plain, escaped := strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.EscapedPath(), "/")
	for _, part := range a.path {
		plain, escaped = plain+"/"+part, escaped+"/"+url.PathEscape(part)
	}
	u.Path, u.RawPath, u.RawQuery = plain, escaped, a.query.Encode()
	return &u
}

// judge says what a refusal means.
func judge(status int, said problem) *failure {
	lost := &failure{Remote: remoteName, Status: status, Code: said.tag, Message: said.message, Unsent: true}
	switch {
	case status == http.StatusPaymentRequired, said.tag == tagCredits, said.tag == tagBudget:
		lost.Kind = remote.KindSpent
	case status == http.StatusTooManyRequests:
		lost.Kind = remote.KindLimited
	case status == http.StatusServiceUnavailable: // it says that it did not do it
		lost.Kind = remote.KindBroken
	case status >= http.StatusInternalServerError, status == http.StatusRequestTimeout:
		lost.Kind, lost.Unsent = remote.KindBroken, false
	case !said.told: // something before Exa has answered, which knows neither keys nor ids
	case status == http.StatusUnauthorized:
		lost.Kind = remote.KindDenied
	case status == http.StatusNotFound:
		lost.Kind = remote.KindMissing
	case status == http.StatusConflict:
		lost.Kind = remote.KindConflict
	}
	return lost
}
