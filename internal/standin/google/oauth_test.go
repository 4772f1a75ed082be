package google_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	oauthgoogle "golang.org/x/oauth2/google"

	"almanac/internal/standin/google"
)

const (
	authURL   = "https://accounts.google.com/o/oauth2/v2/auth"
	tokenURL  = "https://oauth2.googleapis.com/token"
	revokeURL = "https://oauth2.googleapis.com/revoke"
)

// config is what an application has, with the endpoint of Google's own library.
func config(scopes ...string) *oauth2.Config {
	return &oauth2.Config{ClientID: "almanac", ClientSecret: "not-so-secret", RedirectURL: redirect, Scopes: scopes,
		Endpoint: oauthgoogle.Endpoint}
}

// browser follows no redirects.
func (r *rig) browser() *http.Client {
	return &http.Client{Transport: r.Transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// consent presses a button on the page, and returns what the application is sent.
func (r *rig) consent(t testing.TB, page string, form url.Values) url.Values {
	t.Helper()
	response, body := do(t, r.browser(), http.MethodPost, page, strings.NewReader(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
	to, err := response.Location()
	if response.StatusCode != http.StatusSeeOther || err != nil || !strings.HasPrefix(to.String(), redirect+"?") {
		t.Fatalf("the page sends nobody back: %d %v %s", response.StatusCode, err, body)
	}
	return to.Query()
}

func allow(email string, scopes ...string) url.Values {
	return url.Values{"account": {email}, "scope": scopes, "decision": {"allow"}}
}

// ctx makes x/oauth2 use the stand-in.
func (r *rig) ctx(t testing.TB) context.Context {
	t.Helper()
	return context.WithValue(t.Context(), oauth2.HTTPClient, &http.Client{Transport: r.Transport()})
}

func wantOAuthError(t testing.TB, what string, err error, status int, name, description string) {
	t.Helper()
	var e *oauth2.RetrieveError
	if !errors.As(err, &e) || e.Response.StatusCode != status || e.ErrorCode != name || e.ErrorDescription != description {
		t.Errorf("%s: %v; want %d %s %q", what, err, status, name, description)
	}
}

func TestCodeFlow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, verifier := config(events, readonly), oauth2.GenerateVerifier()
	page := c.AuthCodeURL("st&te", oauth2.AccessTypeOffline, oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("login_hint", noam))
	if response, _ := get(t, r.browser(), page); response.StatusCode != http.StatusOK {
		t.Fatalf("the page of Google's library is answered with %d", response.StatusCode)
	}
	back := r.consent(t, page, allow(noam, events, readonly))
	if back.Get("state") != "st&te" || back.Get("scope") != events+" "+readonly {
		t.Errorf("the application is sent %v", back)
	}
	token, err := c.Exchange(r.ctx(t), back.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	if token.RefreshToken == "" || token.TokenType != "Bearer" || token.ExpiresIn != 3599 ||
		token.Extra("scope") != events+" "+readonly ||
		token.Extra("refresh_token_expires_in") != nil {
		t.Errorf("the token is %+v, scope %v", token, token.Extra("scope"))
	}
	if list, err := r.serviceWith(t, r.client(token.AccessToken)).Events.List("primary").Do(); err != nil ||
		r.calendar.last(t).Account != noam {
		t.Errorf("the token opens %v (%v)", list, err)
	}
	_, err = c.Exchange(r.ctx(t), back.Get("code"), oauth2.VerifierOption(verifier))
	wantOAuthError(t, "a code used twice", err, http.StatusBadRequest, "invalid_grant", "Malformed auth code.")
}

func TestPKCE(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, verifier := config(events), oauth2.GenerateVerifier()
	for name, step := range map[string]struct {
		challenge, answer []oauth2.AuthCodeOption
		description       string
	}{
		"right": {[]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier)},
			[]oauth2.AuthCodeOption{oauth2.VerifierOption(verifier)}, ""},
		"none":    {nil, nil, ""},
		"missing": {[]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier)}, nil, "Missing code verifier."},
		"wrong": {[]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier)},
			[]oauth2.AuthCodeOption{oauth2.VerifierOption(verifier + "x")}, "Invalid code verifier."},
		"plain": {[]oauth2.AuthCodeOption{oauth2.SetAuthURLParam("code_challenge", verifier)},
			[]oauth2.AuthCodeOption{oauth2.VerifierOption(verifier)}, ""},
		"not hashed": {[]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier)}, []oauth2.AuthCodeOption{
			oauth2.VerifierOption(oauth2.S256ChallengeFromVerifier(verifier))}, "Invalid code verifier."},
	} {
		back := r.consent(t, c.AuthCodeURL("s", step.challenge...), allow(noam))
		_, err := c.Exchange(r.ctx(t), back.Get("code"), step.answer...)
		if step.description == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		wantOAuthError(t, name, err, http.StatusBadRequest, "invalid_grant", step.description)
		_, err = c.Exchange(r.ctx(t), back.Get("code"), oauth2.VerifierOption(verifier))
		wantOAuthError(t, name+", then right", err, http.StatusBadRequest, "invalid_grant", "Malformed auth code.")
	}
}

func TestCodesEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := config(events)
	code := func() string { return r.consent(t, c.AuthCodeURL("s"), allow(noam)).Get("code") }
	late, timely := code(), code()
	r.clock.pass(10*time.Minute - time.Second)
	if _, err := c.Exchange(r.ctx(t), timely); err != nil {
		t.Error(err)
	}
	r.clock.pass(time.Second)
	_, err := c.Exchange(r.ctx(t), late)
	wantOAuthError(t, "a code of 10 minutes", err, http.StatusBadRequest, "invalid_grant", "Bad Request")

	elsewhere := config(events)
	elsewhere.RedirectURL = redirect + "/"
	_, err = elsewhere.Exchange(r.ctx(t), code())
	wantOAuthError(t, "another redirect URI", err, http.StatusBadRequest, "redirect_uri_mismatch", "Bad Request")

	revoked := code()
	r.RevokeGrant(noam)
	_, err = c.Exchange(r.ctx(t), revoked)
	wantOAuthError(t, "a code of a revoked grant", err, http.StatusBadRequest, "invalid_grant", "Malformed auth code.")
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tokens := r.grant(t, dana, events, readonly)
	old := &oauth2.Token{RefreshToken: tokens.Refresh}
	token, err := config().TokenSource(r.ctx(t), old).Token()
	if err != nil {
		t.Fatal(err)
	}
	if token.AccessToken == tokens.Access || token.RefreshToken != tokens.Refresh || token.Extra("refresh_token") != nil ||
		token.ExpiresIn != 3599 {
		t.Errorf("the new token is %+v", token)
	}
	if _, err := r.serviceWith(t, r.client(token.AccessToken)).Events.List("primary").Do(); err != nil {
		t.Error(err)
	}
	form := url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {tokens.Refresh}, "client_id": {"almanac"},
		"client_secret": {"not-so-secret"}, "scope": {readonly},
	}
	if _, body := r.post(t, tokenURL, form); field(t, body, "scope") != readonly {
		t.Errorf("a narrower token is %s", body)
	}
	form.Set("scope", gmailSend)
	if response, body := r.post(t, tokenURL, form); response.StatusCode != http.StatusBadRequest ||
		field(t, body, "error") != "invalid_scope" {
		t.Errorf("a wider token is %s", body)
	}
	r.RevokeGrant(dana)
	_, err = config().TokenSource(r.ctx(t), old).Token()
	wantOAuthError(t, "after the grant is revoked", err, http.StatusBadRequest, "invalid_grant",
		"Token has been expired or revoked.")
}

func (r *rig) post(t testing.TB, to string, form url.Values) (*http.Response, string) {
	t.Helper()
	return do(t, r.browser(), http.MethodPost, to, strings.NewReader(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
}

func TestTestingMode(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *google.Options) { o.RefreshTokenLife = 7 * 24 * time.Hour })
	c := config(events)
	token, err := c.Exchange(r.ctx(t), r.consent(t, c.AuthCodeURL("s", oauth2.AccessTypeOffline), allow(noam)).Get("code"))
	if err != nil || !same(token.Extra("refresh_token_expires_in"), 604800) {
		t.Fatalf("the refresh token ends in %v (%v)", token.Extra("refresh_token_expires_in"), err)
	}
	old := &oauth2.Token{RefreshToken: token.RefreshToken}
	r.clock.pass(6 * 24 * time.Hour)
	if token, err = c.TokenSource(r.ctx(t), old).Token(); err != nil ||
		!same(token.Extra("refresh_token_expires_in"), 86400) {
		t.Errorf("after 6 days: %v (%v)", token, err)
	}
	r.clock.pass(24 * time.Hour)
	_, err = c.TokenSource(r.ctx(t), old).Token()
	wantOAuthError(t, "after 7 days", err, http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked.")
}

func TestRefreshTokensAreGivenRarely(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := config(events)
	for i, step := range []struct {
		options []oauth2.AuthCodeOption
		want    bool
	}{
		{[]oauth2.AuthCodeOption{oauth2.AccessTypeOnline}, false},
		{[]oauth2.AuthCodeOption{oauth2.AccessTypeOffline}, true}, // the first time
		{[]oauth2.AuthCodeOption{oauth2.AccessTypeOffline}, false},
		{[]oauth2.AuthCodeOption{oauth2.AccessTypeOffline, oauth2.SetAuthURLParam("prompt", "select_account")}, false},
		{[]oauth2.AuthCodeOption{oauth2.AccessTypeOffline, oauth2.ApprovalForce}, true}, // prompt=consent
		{[]oauth2.AuthCodeOption{oauth2.AccessTypeOnline, oauth2.SetAuthURLParam("prompt", "select_account consent")}, false},
	} {
		token, err := c.Exchange(r.ctx(t), r.consent(t, c.AuthCodeURL("s", step.options...), allow(noam)).Get("code"))
		if err != nil || (token.RefreshToken != "") != step.want {
			t.Errorf("%d: the refresh token is %q (%v)", i, token.RefreshToken, err)
		}
	}
	// The hundred and first makes the first void.
	first := r.grant(t, dana, events)
	for range 100 {
		r.grant(t, dana, events)
	}
	_, err := c.TokenSource(r.ctx(t), &oauth2.Token{RefreshToken: first.Refresh}).Token()
	wantOAuthError(t, "the oldest of 101", err, http.StatusBadRequest, "invalid_grant",
		"Token has been expired or revoked.")
}

func TestIncludeGrantedScopes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.grant(t, noam, events)
	c := config(gmailSend)
	for including, want := range map[string]string{"true": events + " " + gmailSend, "false": gmailSend} {
		page := c.AuthCodeURL("s", oauth2.SetAuthURLParam("include_granted_scopes", including))
		token, err := c.Exchange(r.ctx(t), r.consent(t, page, allow(noam)).Get("code"))
		if err != nil || token.Extra("scope") != want {
			t.Errorf("include_granted_scopes=%s gives %v (%v)", including, token.Extra("scope"), err)
		}
	}
}

func TestGranularConsent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := config(events, readonly, "openid")
	// one unticked, and one that was not asked for
	back := r.consent(t, c.AuthCodeURL("s"), allow(dana, readonly, gmailSend))
	token, err := c.Exchange(r.ctx(t), back.Get("code"))
	if err != nil || token.Extra("scope") != readonly+" openid" || back.Get("scope") != readonly+" openid" {
		t.Errorf("granted is %v (%v)", token.Extra("scope"), err)
	}
	back = r.consent(t, c.AuthCodeURL("s"), allow(noam)) // whose page has nothing to untick
	if back.Get("scope") != events+" "+readonly+" openid" {
		t.Errorf("granted is %v", back.Get("scope"))
	}
	if back := r.consent(t, config(events).AuthCodeURL("s"), allow(dana)); back.Get("error") != "access_denied" ||
		back.Get("code") != "" {
		t.Errorf("with nothing ticked the application is sent %v", back)
	}
}

func TestDenial(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := config(events)
	for name, form := range map[string]url.Values{
		"cancel":    {"account": {noam}, "decision": {"cancel"}},
		"no button": {"account": {noam}},
	} {
		if back := r.consent(t, c.AuthCodeURL("st"), form); back.Get("error") != "access_denied" ||
			back.Get("state") != "st" || back.Has("code") {
			t.Errorf("%s: the application is sent %v", name, back)
		}
	}
	response, _ := get(t, r.browser(), c.AuthCodeURL("st", oauth2.SetAuthURLParam("prompt", "none")))
	if to, err := response.Location(); err != nil || to.Query().Get("error") != "interaction_required" {
		t.Errorf("prompt=none: %d %v", response.StatusCode, err)
	}
}

func TestTokenErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	good := url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {r.grant(t, dana, events).Refresh}, "client_id": {"almanac"},
		"client_secret": {"not-so-secret"},
	}
	for _, c := range []struct {
		name, field, value string
		status             int
		err                string
	}{
		{"another client", "client_id", "other", http.StatusUnauthorized, "invalid_client"},
		{"no client", "client_id", "", http.StatusBadRequest, "invalid_request"},
		{"a wrong secret", "client_secret", "wrong", http.StatusUnauthorized, "invalid_client"},
		{"no secret", "client_secret", "", http.StatusUnauthorized, "invalid_client"},
		{"another grant", "grant_type", "password", http.StatusBadRequest, "unsupported_grant_type"},
		{"no token", "refresh_token", "", http.StatusBadRequest, "invalid_request"},
		{"an unknown token", "refresh_token", "1//x", http.StatusBadRequest, "invalid_grant"},
	} {
		form := maps.Clone(good)
		form.Set(c.field, c.value)
		form[c.field] = []string{c.value}
		response, body := r.post(t, tokenURL, form)
		if response.StatusCode != c.status || field(t, body, "error") != c.err || field(t, body, "error_description") == "" ||
			!strings.Contains(response.Header.Get("Cache-Control"), "no-store") {
			t.Errorf("%s: %d %s", c.name, response.StatusCode, body)
		}
	}
	if response, _ := r.post(t, tokenURL+"?"+good.Encode(), nil); response.StatusCode != http.StatusBadRequest {
		t.Errorf("secrets in the query are taken: %d", response.StatusCode)
	}
	if response, _ := get(t, r.browser(), tokenURL); response.StatusCode != http.StatusMethodNotAllowed ||
		response.Header.Get("Allow") != "POST" {
		t.Errorf("GET: %d", response.StatusCode)
	}
	long := maps.Clone(good)
	long["x"] = []string{strings.Repeat("a", 100<<10)}
	if response, _ := r.post(t, tokenURL, long); response.StatusCode != http.StatusBadRequest {
		t.Errorf("a long form: %d", response.StatusCode)
	}
	basic := config()
	basic.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if _, err := basic.TokenSource(r.ctx(t), &oauth2.Token{RefreshToken: good.Get("refresh_token")}).Token(); err != nil {
		t.Errorf("credentials in the header: %v", err)
	}
	without := newRig(t, func(o *google.Options) { o.Client = google.OAuthClient{} })
	form := maps.Clone(good)
	form["client_id"], form["client_secret"] = []string{""}, []string{""}
	if response, _ := without.post(t, tokenURL, form); response.StatusCode == http.StatusOK {
		t.Error("without a client, an empty one is let in")
	}
}

func TestRevoke(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, which := range []func(google.Tokens) string{
		func(t google.Tokens) string { return t.Access },
		func(t google.Tokens) string { return t.Refresh },
	} {
		first, second := r.grant(t, dana, events), r.grant(t, dana, events)
		if response, body := r.post(t, revokeURL,
			url.Values{"token": {which(first)}}); response.StatusCode != http.StatusOK || body != "{}" {
			t.Errorf("%d %s", response.StatusCode, body)
		}
		for _, tokens := range []google.Tokens{first, second} { // it is the grant that ends
			if response, _ := get(t, r.client(tokens.Access),
				calendarV3+"colors"); response.StatusCode != http.StatusUnauthorized {
				t.Errorf("a revoked access token gives %d", response.StatusCode)
			}
			_, err := config().TokenSource(r.ctx(t), &oauth2.Token{RefreshToken: tokens.Refresh}).Token()
			wantOAuthError(t, "a revoked refresh token", err, http.StatusBadRequest, "invalid_grant",
				"Token has been expired or revoked.")
		}
		response, body := r.post(t, revokeURL, url.Values{"token": {which(first)}})
		if response.StatusCode != http.StatusBadRequest || field(t, body, "error") != "invalid_token" {
			t.Errorf("a second time: %d %s", response.StatusCode, body)
		}
	}
}

func TestTokenAndUserInfo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	plain := r.grant(t, noam, events).Access
	signed := r.grant(t, dana, events, "openid", "email", "profile").Access
	_, body := get(t, r.browser(), "https://oauth2.googleapis.com/tokeninfo?access_token="+plain)
	if field(t, body, "scope") != events || field(t, body, "aud") != "almanac" || field(t, body, "expires_in") != "3599" ||
		field(t, body, "email") != nil {
		t.Errorf("tokeninfo: %s", body)
	}
	if _, body := get(t, r.browser(), "https://oauth2.googleapis.com/tokeninfo?access_token="+signed); field(t, body,
		"email") != dana {
		t.Errorf("tokeninfo with an e-mail scope: %s", body)
	}
	if response, _ := get(t, r.browser(),
		"https://oauth2.googleapis.com/tokeninfo?access_token=x"); response.StatusCode != http.StatusBadRequest {
		t.Errorf("tokeninfo of nothing: %d", response.StatusCode)
	}
	const userInfo = "https://openidconnect.googleapis.com/v1/userinfo"
	if response, body := get(t, r.client(plain), userInfo); response.StatusCode != http.StatusUnauthorized {
		t.Errorf("userinfo without a scope of sign-in: %s", body)
	}
	_, body = get(t, r.client(signed), userInfo)
	if field(t, body, "email") != dana || field(t, body, "name") != "דנה כהן" || field(t, body, "locale") != "he" ||
		len(field(t, body, "sub").(string)) != 21 {
		t.Errorf("userinfo: %s", body)
	}
}

func TestSeed(t *testing.T) {
	t.Parallel()
	seeded := func(seed uint64) google.Tokens {
		r := newRig(t, func(o *google.Options) { o.Seed = seed })
		return r.grant(t, dana, events)
	}
	if a, b := seeded(3), seeded(3); a.Access != b.Access || a.Refresh != b.Refresh || a.Access == a.Refresh {
		t.Error("with a seed tokens do not repeat")
	}
	if a, b := seeded(0), seeded(0); a.Access == b.Access {
		t.Error("without a seed tokens repeat")
	}
}

func TestGrant(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if _, err := r.Grant("nobody@example.com", []string{events}); !errors.Is(err, google.ErrNoAccount) {
		t.Errorf("a grant of nobody gives %v", err)
	}
	r.grant(t, "Dana@Example.com", readonly)
	if got := r.grant(t, dana, events).Scopes; !slices.Equal(got, []string{events, readonly}) {
		t.Errorf("the second grant has the scopes %v", got)
	}
	for _, email := range []string{"", "no address", "Dana <dana@example.com>"} {
		if err := r.AddAccount(google.Account{Email: email}); err == nil {
			t.Errorf("an account %q is added", email)
		}
	}
}
