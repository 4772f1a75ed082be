package connect

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// Whose account it is comes from the sign-in scopes, or else from the list of calendars, or is not known.
func TestIdentify(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for _, c := range []struct {
		scopes []string
		asked  string
	}{
		{[]string{ScopeEmail, ScopeOpenID, google.ScopeCalendarEvents}, "oauth.userinfo"},
		{[]string{"email"}, "oauth.userinfo"},
		{[]string{google.ScopeCalendarList}, "calendar.calendarList.get"},
		{[]string{"https://www.googleapis.com/auth/calendar"}, "calendar.calendarList.get"},
		{[]string{google.ScopeCalendarEvents, ScopeOpenID}, ""},
		{nil, ""},
	} {
		h.google.RevokeGrant(yael)
		h.google.Reset()
		got, err := h.google.Grant(yael, c.scopes)
		if err != nil {
			t.Fatal(err)
		}
		address, err := h.identify(t.Context(), google.Token{Access: got.Access, Scopes: c.scopes})
		if c.asked == "" {
			if !errors.Is(err, failIdentity) || len(h.google.Requests()) != 0 {
				t.Errorf("%v: %q, %v", c.scopes, address, err)
			}
			continue
		}
		if err != nil || address != yael || h.calls(c.asked) != 1 {
			t.Errorf("%v: %q, %v, %d calls", c.scopes, address, err, h.calls(c.asked))
		}
	}
}

// answering is a Google that gives one answer.
type answering struct {
	status int
	body   string
	header http.Header
	asked  *http.Request
}

func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	a.asked = r
	header := a.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(strings.NewReader(a.body)), Request: r},
		nil
}

// No answer is trusted to be small, whole or sensible, and the token goes nowhere else.
func TestIdentifyDoubtsTheAnswer(t *testing.T) {
	t.Parallel()
	token := google.Token{Access: "ya29.secret", Scopes: []string{ScopeEmail}}
	for name, c := range map[string]struct {
		answer answering
		want   failure
	}{
		"no address":      {answering{status: 200, body: `{"sub":"1"}`}, failIdentity},
		"no JSON":         {answering{status: 200, body: `<html>`}, failUnavailable},
		"half of it":      {answering{status: 200, body: `{"email":"yael@exa`}, failUnavailable},
		"nothing":         {answering{status: 200}, failUnavailable},
		"another type":    {answering{status: 200, body: `{"email":{}}`}, failUnavailable},
		"no real address": {answering{status: 200, body: `{"email":"<script>"}`}, failIdentity},
		"far too much": {answering{status: 200,
			body: `{"x":"` + strings.Repeat("x", 1<<20) + `","email":"yael@example.com"}`}, failUnavailable},
		"another place": {answering{status: 302, header: http.Header{"Location": {"https://evil.example/"}}},
			failUnavailable},
		"another 2xx": {answering{status: 204}, failInternal},
	} {
		l := &Linker{OAuth: google.OAuth{Base: &c.answer}}
		address, err := l.identify(t.Context(), token)
		if err == nil || failureOf(err) != c.want {
			t.Errorf("%s: %q, %v is %s, want %s", name, address, err, failureOf(err), c.want)
		}
		if strings.Contains(err.Error()+causeOf(err), "ya29") {
			t.Errorf("%s: the error has the token: %v", name, err)
		}
		if host := c.answer.asked.URL.Host; host != "openidconnect.googleapis.com" {
			t.Errorf("%s: %s was asked", name, host)
		}
	}
}

// Every error has a page of its own kind.
func TestFailureOf(t *testing.T) {
	t.Parallel()
	for code, want := range map[model.ErrorCode]failure{
		model.CodeUpstreamUnavailable: failUnavailable, model.CodeUpstreamRateLimited: failUnavailable,
		model.CodeTimeout:       failUnavailable,
		model.CodeNotConfigured: failOperator, model.CodeUpstreamRejected: failRejected, model.CodeNotConnected: failRejected,
		model.CodeNotFound: failRejected, model.CodeConflict: failRejected, model.CodeInternal: failInternal,
		model.CodeBadUserInput: failInternal,
	} {
		if got := failureOf(model.Errorf(code, "x")); got != want {
			t.Errorf("%s is told as %s, want %s", code, got, want)
		}
	}
	if got := failureOf(errors.New("x")); got != failInternal {
		t.Errorf("an unknown error is told as %s", got)
	}
}
