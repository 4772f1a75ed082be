package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// LocalSubject is the subject of the local user. No JWT may carry it; an API token opens the local user's data from
// elsewhere.
const LocalSubject = "local"

// MinJWTSecret is the fewest bytes of the HS256 secret: as many as the hash has (RFC 7518, 3.2).
const MinJWTSecret = 32

// maxToken bounds what is looked at, in bytes. Issuers that list a person's groups make tokens of several KiB.
const maxToken = 16 << 10

// TokenReader finds API tokens.
type TokenReader interface {
	// Token returns a token, or an error that is store.ErrNotFound when the user has no such one.
	Token(ctx context.Context, user model.UserID, id model.UUID) (model.APIToken, error)
	// TouchToken notes when a token was used.
	TouchToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error
}

// UserReader finds users.
type UserReader interface {
	// User returns a user, or an error that is store.ErrNotFound when there is none yet.
	User(ctx context.Context, user model.UserID) (model.User, error)
}

// Options are what an Authenticator accepts.
type Options struct {
	// Tokens finds API tokens. It must be set.
	Tokens TokenReader
	// Users finds users who are disabled. It must be set where JWTs are accepted.
	Users UserReader
	// Now is the clock by which proofs end. It must be set.
	Now func() time.Time
	// LocalUser lets a request without a token in, as the local user. The server answers for that nobody but this
	// machine can ask.
	LocalUser bool

	// JWTSecret verifies HS256 tokens; empty: none are accepted.
	JWTSecret []byte
	// JWTIssuer and JWTAudience must be the token's iss and among its aud; empty asks nothing.
	JWTIssuer, JWTAudience string

	// OIDCIssuer is the issuer whose tokens are accepted, exactly as it names itself; empty: none. It cannot be set
	// together with JWTSecret.
	OIDCIssuer string
	// OIDCAudience must be among the token's aud; empty asks nothing.
	OIDCAudience string
	// Transport fetches the issuer's keys; nil for one with bounds and time limits.
	Transport http.RoundTripper

	// SignInURL is where a person signs in with a browser, which clients without a valid token are told; empty: nowhere.
	SignInURL string

	// Logger is told when the issuer cannot be reached, or a token's use cannot be noted; nil: nobody is.
	Logger *slog.Logger
}

// Authenticator proves callers. It is safe for goroutines and has none of its own between calls.
type Authenticator struct {
	tokens    TokenReader
	users     UserReader
	now       func() time.Time
	localUser bool
	// jwt is nil when no JWTs are accepted, and keys is nil without an issuer.
	jwt  *jwtVerifier
	keys *issuerKeys
	// signIn is empty when nobody can sign in with a browser.
	signIn string
	log    *slog.Logger
}

// New makes an Authenticator, or says which options are wrong.
func New(o Options) (*Authenticator, error) {
	if o.Tokens == nil || o.Now == nil {
		return nil, errors.New("auth: Tokens and Now must be set")
	}
	a := &Authenticator{tokens: o.Tokens, users: o.Users, now: o.Now, localUser: o.LocalUser,
		signIn: o.SignInURL, log: o.Logger}
	switch {
	case o.Users == nil && (len(o.JWTSecret) > 0 || o.OIDCIssuer != ""):
		return nil, errors.New("auth: Users must be set where JWTs are accepted")
	case len(o.JWTSecret) > 0 && o.OIDCIssuer != "":
		return nil, errors.New("auth: a JWT secret and an OIDC issuer could give one subject to two people; set one of them")
	case o.LocalUser && (len(o.JWTSecret) > 0 || o.OIDCIssuer != ""):
		return nil, errors.New("auth: where JWTs are accepted there is no local user")
	case len(o.JWTSecret) > 0:
		if len(o.JWTSecret) < MinJWTSecret {
			return nil, fmt.Errorf("auth: the JWT secret has %d bytes, fewer than %d", len(o.JWTSecret), MinJWTSecret)
		}
		a.jwt = newSecretVerifier(o)
	case o.OIDCIssuer != "":
		keys, err := newIssuerKeys(o)
		if err != nil {
			return nil, err
		}
		a.jwt, a.keys = newIssuerVerifier(o, keys), keys
	}
	return a, nil
}

// Authenticate returns the caller that a bearer token proves. The empty token means that none was sent; that is the
// local user's proof, where there is one.
//
// The error is a *model.Error UNAUTHENTICATED when the token proves nobody, and tells nobody why: its Cause is for the
// log, and holds nothing of the token's secret parts. It is a *model.Error UPSTREAM_UNAVAILABLE when the issuer's keys
// cannot be had, so that the client keeps its token and tries again. Any other error means that the store or the
// context failed.
func (a *Authenticator) Authenticate(ctx context.Context, token string) (model.Caller, error) {
	caller, err := a.prove(ctx, token)
	if refused, ok := errors.AsType[*model.Error](err); ok && refused.Code == model.CodeUnauthenticated {
		refused.SignInURL = a.signIn
	}
	return caller, err
}

func (a *Authenticator) prove(ctx context.Context, token string) (model.Caller, error) {
	switch {
	case token == "" && a.localUser:
		return model.Caller{UserID: model.UserIDOf(LocalSubject), Subject: LocalSubject, Scopes: AllScopes()}, nil
	case token == "":
		return model.Caller{}, model.Errorf(model.CodeUnauthenticated,
			"This server needs a token: send Authorization: Bearer and the token.")
	case len(token) > maxToken:
		return model.Caller{}, refuse(fmt.Errorf("the token has %d bytes", len(token)))
	case strings.HasPrefix(token, tokenPrefix):
		return a.apiToken(ctx, token)
	case a.jwt != nil:
		caller, err := a.jwt.caller(ctx, token, a.now())
		if err != nil {
			return model.Caller{}, err
		}
		if err := a.enabled(ctx, caller.UserID); err != nil {
			return model.Caller{}, err
		}
		return caller, nil
	default:
		return model.Caller{}, refuse(errors.New("not an API token, and no JWTs are accepted"))
	}
}

// enabled refuses users who are disabled. API tokens say so themselves.
func (a *Authenticator) enabled(ctx context.Context, id model.UserID) error {
	user, err := a.users.User(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound): // their first request makes them
		return nil
	case err != nil:
		return fmt.Errorf("look whether a user is disabled: %w", err)
	case !user.DisabledAt.IsZero():
		return refuse(errUserDisabled)
	}
	return nil
}

var errUserDisabled = errors.New("the user is disabled")

// refuse is the one answer to every token that proves nobody.
func refuse(cause error) error {
	e := model.Errorf(model.CodeUnauthenticated,
		"The token is not valid: it is malformed or unknown, has expired, or was revoked.")
	e.Cause = cause
	return e
}
