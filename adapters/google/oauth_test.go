package google_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// endpoint is the token and revocation endpoints; it keeps what was asked.
type endpoint struct {
	step  step
	asked []*http.Request
	forms []url.Values
}

func (e *endpoint) RoundTrip(req *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(req.Body)
	form, _ := url.ParseQuery(string(body))
	e.asked, e.forms = append(e.asked, req), append(e.forms, form)
	return e.step(req)
}

func client(base http.RoundTripper) google.OAuth {
	return google.OAuth{ClientID: clientID, ClientSecret: secret, RedirectURL: "https://almanac.example/cb", Base: base}
}

func TestStart(t *testing.T) {
	t.Parallel()
	verifier := google.NewVerifier()
	for _, test := range []struct {
		name         string
		options      google.StartOptions
		prompt, hint string
	}{
		{"again", google.StartOptions{}, "", ""},
		{"first", google.StartOptions{Consent: true}, "consent", ""},
		{"another account", google.StartOptions{Consent: true, ChooseAccount: true, LoginHint: address},
			"consent select_account", address},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			link, err := url.Parse(client(nil).Start("the state", verifier,
				[]string{google.ScopeCalendarEvents, google.ScopeFreeBusy}, test.options))
			if err != nil {
				t.Fatal(err)
			}
			if at := link.Scheme + "://" + link.Host + link.Path; at != "https://accounts.google.com/o/oauth2/v2/auth" {
				t.Errorf("it leads to %s", at)
			}
			want := url.Values{
				"client_id": {clientID}, "redirect_uri": {"https://almanac.example/cb"}, "response_type": {"code"},
				"access_type":            {"offline"},
				"include_granted_scopes": {"true"}, "scope": {google.ScopeCalendarEvents + " " + google.ScopeFreeBusy},
				"state":                 {"the state"},
				"code_challenge_method": {"S256"}, "code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)},
			}
			if test.prompt != "" {
				want.Set("prompt", test.prompt)
			}
			if test.hint != "" {
				want.Set("login_hint", test.hint)
			}
			if got := link.Query().Encode(); got != want.Encode() {
				t.Errorf("got  %s\nwant %s", got, want.Encode())
			}
			if strings.Contains(link.String(), secret) || strings.Contains(link.String(), verifier) {
				t.Error("the link holds a secret")
			}
		})
	}
}

func TestExchange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{step: answer(200, nil,
			fmt.Sprintf(`{"access_token":%q,"refresh_token":%q,"expires_in":3599,"token_type":"Bearer",
			"scope":"%s openid openid","refresh_token_expires_in":604799}`, access1, refresh1, google.ScopeFreeBusy))}
		before := time.Now()
		e.step = after(2*sec, e.step)
		token, err := client(e).Exchange(t.Context(), "the-code", "the-verifier")
		if err != nil {
			t.Fatal(err)
		}
		if token.Access != access1 || token.Refresh != refresh1 || !token.Expiry.Equal(before.Add(3599*sec)) {
			t.Errorf("it ends %v after it was asked for", token.Expiry.Sub(before))
		}
		same(t, "scopes", token.Scopes, []string{google.ScopeFreeBusy, "openid"})
		if got := e.asked[0].URL.String() + " " + e.asked[0].Method; got != "https://oauth2.googleapis.com/token POST" {
			t.Error(got)
		}
		want := url.Values{"client_id": {clientID}, "client_secret": {secret}, "code": {"the-code"},
			"code_verifier": {"the-verifier"},
			"grant_type":    {"authorization_code"}, "redirect_uri": {"https://almanac.example/cb"}}
		if e.forms[0].Encode() != want.Encode() || e.asked[0].Header.Get("Authorization") != "" {
			t.Errorf("asked with %v", e.forms[0])
		}
	})
}

func TestTokenEndpointRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		step  step
		code  model.ErrorCode
		grant bool
		retry time.Duration
	}{
		{"a used code", denied(400, "invalid_grant"), model.CodeNotConnected, true, 0},
		{"a wrong secret", denied(401, "invalid_client"), model.CodeNotConfigured, false, 0},
		{"a client that is gone", denied(401, "deleted_client"), model.CodeNotConfigured, false, 0},
		{"a redirect that is not registered", denied(400, "redirect_uri_mismatch"), model.CodeNotConfigured, false, 0},
		{"an error in an answer 200", denied(200, "invalid_grant"), model.CodeNotConnected, true, 0},
		{"too fast", answer(429, map[string]string{"Retry-After": "3"}, `{"error":"rate_limit_exceeded"}`),
			model.CodeUpstreamRateLimited, false, 3 * sec},
		{"too fast, in HTML", answer(429, map[string]string{"Content-Type": "text/html"}, `<html>`),
			model.CodeUpstreamRateLimited, false, 0},
		{"a fault", answer(503, map[string]string{"Retry-After": "5"}, `<html>`+secret), model.CodeUpstreamUnavailable, false,
			5 * sec},
		{"a fault in JSON", denied(500, "internal_failure"), model.CodeUpstreamUnavailable, false, 0},
		{"a proxy's page", answer(403, map[string]string{"Content-Type": "text/html"}, `<html>`+secret),
			model.CodeUpstreamUnavailable, false, 0},
		{"no connection", broken(refused), model.CodeUpstreamUnavailable, false, 0},
		{"silence", hang(), model.CodeTimeout, false, 0},
		{"no token", answer(200, nil, `{}`), model.CodeUpstreamUnavailable, false, 0},
		{"no JSON", answer(200, nil, access2), model.CodeUpstreamUnavailable, false, 0},
		{"a redirect", answer(307, map[string]string{"Location": "https://evil.example/"}, ""), model.CodeUpstreamUnavailable,
			false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := &endpoint{step: test.step}
				token, err := client(e).Exchange(t.Context(), "the-code", "the-verifier")
				shown := classes(t, err, test.code)
				if shown == nil || token.Access != "" {
					t.Fatalf("a token came of it: %v", err)
				}
				if google.IsInvalidGrant(err) != test.grant || shown.RetryAfter != test.retry {
					t.Errorf("invalid grant %v, again in %v", google.IsInvalidGrant(err), shown.RetryAfter)
				}
				if len(e.asked) != 1 {
					t.Errorf("asked %d times", len(e.asked))
				}
				_, again := client(e).Refresh(t.Context(), google.Token{Refresh: refresh1})
				classes(t, again, test.code)
			})
		})
	}
}

func TestExchangeIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client(&endpoint{step: hang()}).Exchange(ctx, "the-code", "the-verifier")
	classes(t, err, model.CodeTimeout)
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	old := google.Token{Access: access1, Refresh: refresh1, Scopes: []string{google.ScopeCalendarEvents}}
	for _, test := range []struct {
		name, body, refresh string
		scopes              []string
		lasts               time.Duration
	}{
		{"as Google does", `{"access_token":"a","expires_in":3599,"scope":"x y"}`, refresh1, []string{"x", "y"}, 3599 * sec},
		{"with a new refresh token", `{"access_token":"a","expires_in":3599,"refresh_token":"new"}`, "new", old.Scopes,
			3599 * sec},
		{"an absurd time", `{"access_token":"a","expires_in":999999999999}`, refresh1, old.Scopes, 24 * time.Hour},
		{"a time in quotes", `{"access_token":"a","expires_in":"100"}`, refresh1, old.Scopes, 100 * sec},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := client(&endpoint{step: answer(200, nil, test.body)})
				at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
				o.Now = func() time.Time { return at }
				token, err := o.Refresh(t.Context(), old)
				if err != nil {
					t.Fatal(err)
				}
				if token.Access != "a" || token.Refresh != test.refresh || token.Expiry.Sub(at) != test.lasts {
					t.Errorf("access %q, refresh %q, for %v", token.Access, token.Refresh, token.Expiry.Sub(at))
				}
				same(t, "scopes", token.Scopes, test.scopes)
			})
		})
	}
	_, err := client(&endpoint{}).Refresh(t.Context(), google.Token{Access: access1})
	classes(t, err, model.CodeNotConnected)
}

func TestRevoke(t *testing.T) {
	t.Parallel()
	both := google.Token{Access: access1, Refresh: refresh1}
	for _, test := range []struct {
		name  string
		token google.Token
		step  step
		sent  string
		code  model.ErrorCode
	}{
		{"all of it", both, answer(200, nil, `{}`), refresh1, ""},
		{"only what there is", google.Token{Access: access1}, answer(200, nil, ``), access1, ""},
		{"nothing", google.Token{}, nil, "", ""},
		{"revoked before", both, denied(400, "invalid_token"), refresh1, ""},
		{"a fault", both, backend(503), refresh1, model.CodeUpstreamUnavailable},
		{"another refusal", both, denied(400, "invalid_request"), refresh1, model.CodeNotConfigured},
		{"no connection", both, broken(refused), refresh1, model.CodeUpstreamUnavailable},
		{"silence", both, hang(), refresh1, model.CodeTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := &endpoint{step: test.step}
				err := client(e).Revoke(t.Context(), test.token)
				classes(t, err, test.code)
				if test.sent == "" {
					if len(e.asked) != 0 {
						t.Error("nothing was revoked aloud")
					}
					return
				}
				if got := e.asked[0].URL.String(); got != "https://oauth2.googleapis.com/revoke" || e.asked[0].URL.RawQuery != "" ||
					e.forms[0].Get("token") != test.sent {
					t.Errorf("%s with %v", got, e.forms[0])
				}
			})
		})
	}
}

func TestOwnEndpoints(t *testing.T) {
	t.Parallel()
	e := &endpoint{step: answer(200, nil, `{"access_token":"a"}`)}
	o := client(e)
	o.AuthURL, o.TokenURL, o.RevokeURL = "http://127.0.0.1:9/auth", "http://127.0.0.1:9/token", "http://127.0.0.1:9/revoke"
	if link := o.Start("s", "v", nil, google.StartOptions{}); !strings.HasPrefix(link, "http://127.0.0.1:9/auth?") {
		t.Error(link)
	}
	token, err := o.Exchange(t.Context(), "the-code", "the-verifier")
	if err != nil || !token.Expiry.IsZero() || token.Scopes != nil {
		t.Errorf("%v, ends %v, scopes %v", err, token.Expiry, token.Scopes)
	}
	if err := o.Revoke(t.Context(), token); err != nil {
		t.Error(err)
	}
	if e.asked[0].URL.String() != o.TokenURL || e.asked[1].URL.String() != o.RevokeURL {
		t.Errorf("asked %v and %v", e.asked[0].URL, e.asked[1].URL)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	token, o := google.Token{Access: access1, Refresh: refresh1}, client(nil)
	s := newStage(t, ok())
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		noSecretIn(t, verb, fmt.Sprintf(verb+verb, token, o))
		noSecretIn(t, verb+" inside", fmt.Sprintf(verb, []any{token, &token, struct{ T google.Token }{token}, o}))
	}
	s.Logger.Info("look", "token", token, "oauth", o) // the stage looks at its log in the end
}
