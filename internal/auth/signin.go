package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Provider is the OpenID Connect issuer as signing in with a browser needs it. It is safe for goroutines.
type Provider struct {
	keys     *issuerKeys
	verifier *jwtVerifier
	client   string
	now      func() time.Time
}

// Provider returns the issuer for a client of it; nil when there is no issuer.
func (a *Authenticator) Provider(clientID string) *Provider {
	if a.keys == nil {
		return nil
	}
	// An ID token is made for the client, whatever audience other tokens must have.
	verifier := newIssuerVerifier(Options{OIDCIssuer: a.keys.issuer, OIDCAudience: clientID}, a.keys)
	return &Provider{keys: a.keys, verifier: verifier, client: clientID, now: a.now}
}

// Endpoints returns where a person is sent to sign in, and where the code that they come back with is exchanged. The
// error is UPSTREAM_UNAVAILABLE when the issuer cannot be asked, or does not say.
func (p *Provider) Endpoints(ctx context.Context) (authorization, token string, err error) {
	if _, err := p.keys.current(ctx); err != nil {
		return "", "", err
	}
	p.keys.mu.Lock()
	said := p.keys.described
	p.keys.mu.Unlock()
	for _, address := range []string{said.Authorization, said.Token} {
		if err := p.keys.check(address); err != nil {
			return "", "", p.keys.unavailable(ctx, fmt.Errorf("endpoints of the discovery document: %w", err))
		}
	}
	return said.Authorization, said.Token, nil
}

// Person is who has signed in.
type Person struct {
	// Subject is the sub: the same one that the issuer's access tokens have.
	Subject string
	// Email is empty when the issuer says none, or one that it has not verified.
	Email string
}

// Verify returns whom an ID token is about (OpenID Connect Core 1.0, 3.1.3.7). It must have been made for this client,
// as the answer to the request with that nonce. UNAUTHENTICATED, or UPSTREAM_UNAVAILABLE.
func (p *Provider) Verify(ctx context.Context, idToken, nonce string) (Person, error) {
	if len(idToken) > maxToken {
		return Person{}, refuse(fmt.Errorf("the ID token has %d bytes", len(idToken)))
	}
	said, err := p.verifier.verify(ctx, idToken, p.now())
	switch {
	case err != nil:
		return Person{}, err
	case said.issuedAt.IsZero():
		return Person{}, refuse(errors.New("ID token: no iat"))
	case said.party != "" && said.party != p.client, len(said.audience) > 1 && said.party == "":
		return Person{}, refuse(errors.New("ID token: made for another client"))
	case nonce == "" || subtle.ConstantTimeCompare([]byte(said.nonce), []byte(nonce)) != 1:
		return Person{}, refuse(errors.New("ID token: it answers another request"))
	}
	return Person{Subject: said.subject, Email: said.email}, nil
}

// SessionName is what the list of tokens calls a browser that has signed in.
const SessionName = "browser session"

// What the audit log calls the beginning and the end of a browser's session.
const (
	AuditSignedIn  = "SIGNED_IN"
	AuditSignedOut = "SIGNED_OUT"
)

// SessionStore keeps sessions, which are API tokens that end.
type SessionStore interface {
	InvitationStore
	UserReader
	// EnsureUser returns the user's row, made from the given one when there is none.
	EnsureUser(ctx context.Context, user model.User) (model.User, error)
}

// Sessions are of people who have signed in with a browser. A session is an API token with all scopes that ends, so it
// stands in the list of tokens, from where it can be ended. All fields must be set.
type Sessions struct {
	Store SessionStore
	// NewUser is the row of a user who has set nothing.
	NewUser func(subject string, now time.Time) model.User
	Now     func() time.Time
	NewID   func() model.UUID
	// Random is where secrets come from: crypto/rand.Reader outside of tests.
	Random io.Reader
	// Lifetime is how long a session lasts.
	Lifetime time.Duration
	// AuditKept is how long entries of the audit log are kept.
	AuditKept time.Duration
}

// Visit is from where somebody signs in: what the browser calls itself, and its network address.
type Visit struct{ Client, Address string }

// Begin returns the token of a new session and when it ends. UNAUTHENTICATED for a user who is disabled, which the
// audit log keeps.
func (s Sessions) Begin(ctx context.Context, who Person, from Visit) (token string, ends time.Time, err error) {
	now := s.Now()
	user, err := s.Store.EnsureUser(ctx, s.NewUser(who.Subject, now))
	if err != nil {
		return "", ends, fmt.Errorf("sign in: %w", err)
	}
	if !user.DisabledAt.IsZero() {
		err := refuse(errUserDisabled)
		return "", ends, errors.Join(err, s.note(ctx, user.ID, AuditSignedIn, string(model.CodeOf(err)), from))
	}
	ends = now.Add(s.Lifetime)
	issuer := Issuer{Tokens: s.Store, Now: s.Now, NewID: s.NewID, Random: s.Random}
	err = s.Store.Write(ctx, user.ID, func(ctx context.Context, _ store.Tx) (err error) {
		token, _, err = issuer.Issue(ctx, Grant{User: user.ID, Name: SessionName, Scopes: AllScopes(),
			ExpiresAt: ends})
		return errors.Join(err, s.note(ctx, user.ID, AuditSignedIn, model.AuditOK, from))
	})
	if err != nil {
		return "", ends, fmt.Errorf("sign in: %w", err)
	}
	return token, ends, nil
}

// End ends the session of a token. A text that is no session's, or one that has ended, changes nothing.
func (s Sessions) End(ctx context.Context, token string, from Visit) error {
	given, err := parseTokenText(token)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to end
	}
	kept, err := s.Store.Token(ctx, given.user, given.id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("sign out: %w", err)
	case kept.Name != SessionName || given.matches(kept, s.Now()) != nil:
		return nil //nolint:nilerr // as above
	}
	err = s.Store.Write(ctx, given.user, func(ctx context.Context, _ store.Tx) error {
		return errors.Join(s.Store.RevokeToken(ctx, given.user, given.id, s.Now()),
			s.note(ctx, given.user, AuditSignedOut, model.AuditOK, from))
	})
	if err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return nil
}

func (s Sessions) note(ctx context.Context, user model.UserID, kind, outcome string, from Visit) error {
	now := s.Now()
	return s.Store.AddAudit(ctx, model.AuditEntry{UserID: user, ID: s.NewID(), At: now, Kind: kind, Outcome: outcome,
		Source: fromPage, Client: from.Client, Address: from.Address, ForgetAt: now.Add(s.AuditKept)})
}
