package google

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"almanac/adapters/remote"
)

// Google's endpoints, https://developers.google.com/identity/protocols/oauth2/web-server.
const (
	defaultAuthURL   = "https://accounts.google.com/o/oauth2/v2/auth"
	defaultTokenURL  = "https://oauth2.googleapis.com/token"
	defaultRevokeURL = "https://oauth2.googleapis.com/revoke"
)

// oauthTimeout bounds one call of the token endpoint when OAuth.Timeout says nothing.
const oauthTimeout = 10 * time.Second

// OAuth is this server's registration with Google, and the protocol by which a user links an account: OAuth 2.0 with an
// authorization code and PKCE (RFC 6749 section 4.1, RFC 7636). fmt and slog show a stand-in for it.
//
// The errors of its methods are those of Classify: NOT_CONNECTED when the grant or the code is not valid any more (see
// IsInvalidGrant), NOT_CONFIGURED when the registration is at fault, UPSTREAM_UNAVAILABLE, UPSTREAM_RATE_LIMITED or
// TIMEOUT when trying again may help.
type OAuth struct {
	ClientID     string
	ClientSecret string
	// RedirectURL is where Google sends the user back to; it must be registered with Google, letter for letter.
	RedirectURL string
	// AuthURL, TokenURL and RevokeURL are Google's when empty.
	AuthURL   string
	TokenURL  string
	RevokeURL string
	// Base sends the requests; net/http's default transport when nil. Within Clients, its Base when nil.
	Base http.RoundTripper
	// Now is the clock by which tokens expire; the machine's when nil. Within Clients, its Now when nil.
	Now func() time.Time
	// Timeout bounds one request; 10 s when zero.
	Timeout time.Duration
}

// String returns a stand-in, also to fmt's %v.
func (OAuth) String() string { return "[oauth client]" }

// GoString returns the stand-in to fmt's %#v.
func (o OAuth) GoString() string { return o.String() }

// LogValue returns the stand-in to slog.
func (o OAuth) LogValue() slog.Value { return slog.StringValue(o.String()) }

// StartOptions are what a link to the consent page may ask for.
type StartOptions struct {
	// Consent shows the consent page even to who has agreed before; only then does Google give a refresh token again.
	// Ask for it when none is stored or the scopes grow.
	Consent bool
	// ChooseAccount shows the list of accounts even to who has only one.
	ChooseAccount bool
	// LoginHint is the address of the account that is meant, if one is.
	LoginHint string
}

// NewVerifier makes a fresh PKCE verifier with 256 random bits. It is a secret until it is used.
func NewVerifier() string { return oauth2.GenerateVerifier() }

// Start returns the address of Google's consent page. The state comes back with the answer; the verifier must be kept
// for Exchange. Scopes that were granted before stay granted.
func (o OAuth) Start(state, verifier string, scopes []string, options StartOptions) string {
	config := o.config()
	config.Scopes = scopes
	more := []oauth2.AuthCodeOption{
		oauth2.AccessTypeOffline,
		oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("include_granted_scopes", "true"),
	}
	var prompt []string
	if options.Consent {
		prompt = append(prompt, "consent")
	}
	if options.ChooseAccount {
		prompt = append(prompt, "select_account")
	}
	if len(prompt) > 0 {
		more = append(more, oauth2.SetAuthURLParam("prompt", strings.Join(prompt, " ")))
	}
	if options.LoginHint != "" {
		more = append(more, oauth2.SetAuthURLParam("login_hint", options.LoginHint))
	}
	return config.AuthCodeURL(state, more...)
}

// Exchange turns the code of a redirect into a token. Its scopes are those that the user granted; its refresh token is
// empty when Google gave none. A code works once, for ten minutes; another one gives NOT_CONNECTED.
func (o OAuth) Exchange(ctx context.Context, code, verifier string) (Token, error) {
	return o.retrieve(ctx, Token{}, func(ctx context.Context, config *oauth2.Config) (*oauth2.Token, error) {
		return config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	})
}

// Refresh makes a new access token. The refresh token and the scopes stay as they were unless the answer has others.
func (o OAuth) Refresh(ctx context.Context, token Token) (Token, error) {
	if token.Refresh == "" {
		return Token{}, notConnected("", "The Google account must be linked again.", errNoRefreshToken)
	}
	return o.retrieve(ctx, token, func(ctx context.Context, config *oauth2.Config) (*oauth2.Token, error) {
		return config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.Refresh}).Token()
	})
}

var errNoRefreshToken = errors.New("google: no refresh token is kept")

// Revoke ends the grant at Google, with all its tokens. A grant that has ended already is no error.
func (o OAuth) Revoke(ctx context.Context, token Token) error {
	secret := token.Refresh
	if secret == "" {
		secret = token.Access
	}
	if secret == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout())
	defer cancel()
	form := url.Values{"token": {secret}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, orDefault(o.RevokeURL, defaultRevokeURL),
		strings.NewReader(form))
	if err != nil {
		return fmt.Errorf("google: the address for revoking: %w", withoutURL(err))
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := o.client().Do(request)
	if err != nil {
		return Classify(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(response.Body, remote.MaxProblem)) // the status says enough
	if response.StatusCode/100 == 2 {
		return nil
	}
	said := readProblem(body)
	if said.oauth == "invalid_token" { // revoked before, or expired: what was wanted
		return nil
	}
	return Classify(&oauth2.RetrieveError{Response: response, Body: body, ErrorCode: said.oauth})
}

// retrieve asks the token endpoint; what the answer leaves out stays as it is in old.
func (o OAuth) retrieve(ctx context.Context, old Token,
	ask func(context.Context, *oauth2.Config) (*oauth2.Token, error)) (Token, error) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, o.client()), o.timeout())
	defer cancel()
	asked := o.now() // before the request, so that a slow answer never makes a token look younger than it is
	got, err := ask(ctx, o.config())
	if err != nil {
		return Token{}, classifyOAuth(ctx, err)
	}
	// The library puts the old refresh token into an answer that has none.
	token := Token{Access: got.AccessToken, Refresh: got.RefreshToken, Scopes: old.Scopes}
	if got.ExpiresIn > 0 {
		token.Expiry = asked.Add(time.Duration(min(got.ExpiresIn, maxTokenSeconds)) * time.Second).UTC()
	}
	if granted, ok := got.Extra("scope").(string); ok {
		token.Scopes = splitScopes(granted)
	}
	return token, nil
}

// maxTokenSeconds bounds what is believed of a token's life; Google's last an hour.
const maxTokenSeconds = 24 * 60 * 60

// maxScopes bounds what is kept of a list of scopes.
const maxScopes = 100

func splitScopes(text string) []string {
	var scopes []string
	for scope := range strings.FieldsSeq(text) {
		if !slices.Contains(scopes, scope) && len(scopes) < maxScopes {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

func (o OAuth) config() *oauth2.Config {
	return &oauth2.Config{
		ClientID:     o.ClientID,
		ClientSecret: o.ClientSecret,
		RedirectURL:  o.RedirectURL,
		Endpoint: oauth2.Endpoint{
			AuthURL:  orDefault(o.AuthURL, defaultAuthURL),
			TokenURL: orDefault(o.TokenURL, defaultTokenURL),
			// Google wants the secret in the body; asking which way it goes would send it twice.
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}
}

func (o OAuth) client() *http.Client {
	return &http.Client{Transport: o.Base, CheckRedirect: remote.DontFollow}
}

func (o OAuth) now() time.Time {
	if o.Now == nil {
		o.Now = time.Now
	}
	return o.Now()
}

func (o OAuth) timeout() time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return oauthTimeout
}

func orDefault(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
