package google

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"google.golang.org/api/googleapi"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// uncertainHeader marks an answer to a write of which an earlier attempt may have taken effect. It is ours: what a
// remote sends under that name is removed.
const uncertainHeader = "X-Almanac-Uncertain"

// failure is a call that got no whole answer.
type failure = remote.Failure

// call is one request of the client library with all its attempts.
type call struct {
	*session
	req     *http.Request
	outcome *Outcome
	repeat  remote.Repeat
	// token is that of the present attempt, answer what the last one brought; nil for none.
	token  Token
	answer *remote.Answer
	// renewed: the token was, since Google rejected the one before.
	renewed bool
}

// RoundTrip sends the request, and again where that is allowed and may help.
func (s *session) RoundTrip(req *http.Request) (*http.Response, error) {
	c := &call{session: s, req: req, outcome: outcomeOf(req.Context()), repeat: repeatOf(req.Context())}
	if c.outcome == nil {
		c.outcome = new(Outcome)
	}
	c.outcome.attempts.Store(0)
	c.outcome.uncertain.Store(false)
	safe := req.Method == http.MethodGet || req.Method == http.MethodHead || req.Method == ""
	if safe {
		c.repeat = RepeatAlways
	}
	// The request's body is the transport's to close, also when it is never sent.
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }()
	}
	if !s.clients.Trusted(req.URL) {
		return nil, &ownError{"a request", errors.New("its host is not one of Google's, so it gets no token")}
	}
	ctx, cancel := s.within(req.Context())
	defer cancel()
	reads := safe || readsOnly(req.Context())
	host := s.state.host(req.URL.Host, s.clients.caller)
	lost := s.clients.caller.Do(ctx, &remote.Call{
		Operation: operationOf(req.Context()), Method: req.Method, Host: req.URL.Host, Breaker: host.breaker,
		Rest: new(remote.Rest), Repeat: c.repeat.Replayable(req), Turn: c.turn, Try: c.try,
		Reads: reads,
	})
	if !reads && (lost == nil || lost.Unknown()) {
		noteChange(req.Context())
	}
	if lost == nil {
		return c.response(false), nil
	}
	uncertain := !safe && lost.Unknown()
	c.outcome.uncertain.Store(uncertain)
	return c.conclude(lost, uncertain)
}

// within bounds a call by the client's context beside the request's own.
func (s *session) within(ctx context.Context) (context.Context, context.CancelFunc) {
	cancel := func() {}
	if deadline, ok := s.ctx.Deadline(); ok {
		// A second timer for the same instant could end the call before the context of who asked has ended.
		if own, has := ctx.Deadline(); !has || deadline.Before(own) {
			ctx, cancel = context.WithDeadline(ctx, deadline)
		}
	}
	ctx, leave := context.WithCancel(ctx)
	stop := context.AfterFunc(s.ctx, func() {
		if errors.Is(s.ctx.Err(), context.Canceled) { // its deadline is in the other context already
			leave()
		}
	})
	return ctx, func() { stop(); leave(); cancel() }
}

// turn finds the token of an attempt and waits for one of the account's slots.
func (c *call) turn(ctx context.Context) (leave func(), lost *failure) {
	token, err := c.authorize(ctx)
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil, remote.Late(err)
	case err != nil:
		return nil, &failure{Unsent: true, Err: err}
	}
	c.token = token
	return c.state.slots.Take(ctx)
}

// authorize is the token for the next attempt, or the refusal when it lacks a scope that the call needs.
func (c *call) authorize(ctx context.Context) (Token, error) {
	if asked := c.clients.Asked; asked != nil && len(Missing(asked, scopesOf(c.req.Context()))) > 0 {
		return Token{}, errNeverAsked()
	}
	token, err := c.access(ctx)
	if err != nil {
		return Token{}, err
	}
	if len(token.Scopes) > 0 {
		if missing := Missing(token.Scopes, scopesOf(c.req.Context())); len(missing) > 0 {
			return Token{}, c.notConnected(missing, errors.New("google: scopes are missing: "+
				strings.ReplaceAll(strings.Join(missing, " "), "https://www.googleapis.com/auth/", "")))
		}
	}
	return token, nil
}

// errNeverAsked refuses what the server asks no account for.
func errNeverAsked() *model.Error {
	return model.Errorf(model.CodeNotConfigured,
		"This server does not ask Google accounts for what this needs. Whoever runs it can change that "+
			"(ALMANAC_GOOGLE_ACCESS).")
}

// lacking is what to ask for after Google refused for want of a scope: what is known to be missing, or all that the
// call needs.
func (c *call) lacking() []string {
	wanted := scopesOf(c.req.Context())
	if missing := Missing(c.token.Scopes, wanted); len(missing) > 0 {
		return missing
	}
	return wanted
}

// try sends the request once and judges what comes back.
func (c *call) try(ctx context.Context) (int, *failure) {
	c.outcome.attempts.Add(1)
	c.answer = nil
	request, err := c.request(ctx)
	if err != nil {
		return 0, &failure{Unsent: true, Err: err}
	}
	if meter := meterOf(c.req.Context()); meter != nil {
		meter.Sent()
	}
	answer, lost := c.clients.caller.Send(ctx, c.clients.Base, request)
	if lost != nil {
		return 0, lost
	}
	c.answer = &answer
	if status := answer.Response.StatusCode; status < http.StatusBadRequest {
		return status, nil
	}
	return 0, c.judge(answer)
}

var errResend = errors.New("google: the request cannot be sent again")

// judge says what a refusal means for the call.
func (c *call) judge(answer remote.Answer) *failure {
	status, said := answer.Response.StatusCode, readProblem(answer.Body)
	lost := &failure{Status: status, Code: said.reason(), Wait: waitOf(answer.Response.Header, said, c.clients.Now)}
	if meter := meterOf(c.req.Context()); meter != nil && said.limitsProject(status) {
		lost.Final = meter.Limited(lost.Wait)
	}
	switch {
	case status == http.StatusUnauthorized:
		lost.Kind, lost.Result = remote.KindStale, ResultUnauth
		switch {
		case c.renewed || !c.state.reject(c.token.Access, c.clients.caller.Clock()):
			lost.Kind = remote.KindDenied
		case c.repeat.Replayable(c.req) != c.repeat:
			lost.Kind, lost.Err = remote.KindDenied, errResend
		}
		c.renewed = true
	case said.limited(status):
		lost.Kind = remote.KindLimited
	case said.lacksScope(status):
		lost.Kind, lost.Result = remote.KindDenied, ResultUnauth
	case status == http.StatusRequestTimeout, status == http.StatusInternalServerError, status == http.StatusBadGateway,
		status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		lost.Kind = remote.KindBroken
	}
	return lost
}

// request makes the copy that is sent: with the token, and with a body of its own.
func (c *call) request(ctx context.Context) (*http.Request, error) {
	request := c.req.Clone(ctx)
	if c.req.GetBody != nil {
		body, err := c.req.GetBody()
		if err != nil {
			return nil, fmt.Errorf("google: the request's body: %w", err)
		}
		request.Body = body
	}
	request.Header.Set("Authorization", "Bearer "+c.token.Access)
	// Google packs its answers only when both Accept-Encoding, which the transport sets, and User-Agent say so.
	// https://developers.google.com/workspace/calendar/api/guides/performance
	if agent := request.Header.Get("User-Agent"); !strings.Contains(agent, "gzip") {
		request.Header.Set("User-Agent", strings.TrimSpace(orDefault(agent, "almanac")+" (gzip)"))
	}
	return request, nil
}

// conclude makes of a failure what the client library is to see: Google's answer where there is one, but for those that
// have a code of ours.
func (c *call) conclude(lost *failure, uncertain bool) (*http.Response, error) {
	switch {
	case lost.Held:
		return nil, heldBack(lost)
	case errors.Is(lost.Err, errResend):
		return nil, unavailable("Google asks for this to be sent again.", 0, c.answered(lost, uncertain))
	case lost.Kind == remote.KindDenied && lost.Status == http.StatusUnauthorized:
		return nil, c.notConnected(nil, c.answered(lost, uncertain))
	case lost.Kind == remote.KindDenied:
		return nil, c.notConnected(c.lacking(), c.answered(lost, uncertain))
	case lost.Kind == remote.KindLimited:
		return nil, rateLimited(lost.Wait, c.answered(lost, uncertain))
	case lost.Status >= http.StatusBadRequest:
		return c.response(uncertain), nil
	}
	if shown, ok := errors.AsType[*model.Error](lost.Err); ok { // its code is the call's
		same := *shown
		lost.Err = &remoteError{model.CauseOf(shown), shown}
		same.Cause = lost
		return nil, &same
	}
	return nil, lost
}

// response makes an answer ready for the client library: with its body to be read, and without the token.
func (c *call) response(uncertain bool) *http.Response {
	response := c.answer.Response
	response.Request = c.req
	response.Body = io.NopCloser(bytes.NewReader(c.answer.Body))
	if c.req.Method != http.MethodHead {
		response.ContentLength = int64(len(c.answer.Body))
	}
	if response.Header == nil {
		response.Header = http.Header{}
	}
	response.Header.Del(uncertainHeader)
	if uncertain {
		response.Header.Set(uncertainHeader, "1")
	}
	return response
}

// answered is the error that the client library would make of the answer.
func (c *call) answered(lost *failure, uncertain bool) error {
	response := c.response(uncertain) //nolint:bodyclose // it is in memory
	err := googleapi.CheckResponseWithBody(response, c.answer.Body)
	if answer := answerIn(err); answer != nil {
		return &remoteError{fmt.Sprintf("google: status %d %s", answer.Code, lost.Code), answer}
	}
	return err
}

// heldBack is the error of a call that was not sent.
func heldBack(lost *failure) *model.Error {
	if lost.Kind == remote.KindLimited {
		return rateLimited(lost.Wait, lost)
	}
	return unavailable("Google did not answer several times, and is left alone for a moment"+remote.LaterBy(lost.Wait),
		lost.Wait, lost)
}
