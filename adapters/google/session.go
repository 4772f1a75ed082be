package google

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

const (
	// renewBefore is how long before its end a token is renewed, so that it does not end under way.
	renewBefore = time.Minute
	// lastUse is how long before its end a token may still be used when renewing fails for now.
	lastUse = 5 * time.Second
	// trustVault is for how long a session believes what it read from the vault: a connection that was taken away is not
	// used for longer.
	trustVault = 30 * time.Second
	// rejectPause is for how long after a rejected token no other one is renewed for being rejected.
	rejectPause = time.Minute
	// renewWithin bounds a renewal, which outlives the call that began it: others may wait for it.
	renewWithin = 20 * time.Second
)

// tokenHost names the token endpoint's breaker.
const tokenHost = "oauth2"

// session is the transport of one client: it knows the account and the token.
type session struct {
	clients *Clients
	ctx     context.Context // bounds each call; http.Client has no room for it
	account Account
	state   *accountState

	mu    sync.Mutex
	token Token
	read  time.Time // by the process's own clock
}

// access is a token that Google has not rejected and that does not end soon.
func (s *session) access(ctx context.Context) (Token, error) {
	if token, ok := s.held(); ok {
		return token, nil
	}
	// Twice, because a renewal may have read the vault before another call heard of a rejection.
	for range 2 {
		token, err := s.fetch(ctx)
		if err != nil {
			return Token{}, err
		}
		if !s.state.isRejected(token.Access) {
			s.mu.Lock()
			s.token, s.read = token, s.clients.caller.Clock()
			s.mu.Unlock()
			return token, nil
		}
	}
	return Token{}, s.notConnected(nil, errRejected)
}

func (s *session) held() (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := !s.read.IsZero() && s.clients.caller.Clock().Sub(s.read) < trustVault
	return s.token, fresh && s.clients.lasts(s.token, renewBefore) && !s.state.isRejected(s.token.Access)
}

// lasts reports whether a token can be used for that long.
func (c *Clients) lasts(token Token, d time.Duration) bool {
	return token.Access != "" && (token.Expiry.IsZero() || token.Expiry.Sub(c.Now()) > d)
}

// fetch joins the account's renewal that is under way, or begins one. It returns when ctx ends; the renewal goes on for
// the others.
func (s *session) fetch(ctx context.Context) (Token, error) {
	key := s.account.key()
	renewal := s.clients.renewals.DoChan(string(key.user[:])+string(key.connection[:]), func() (_ any, err error) {
		defer func() {
			if p := recover(); p != nil { // nobody else would catch it on that goroutine; p may quote a token
				err = &ownError{"renewing a token", fmt.Errorf("panic with %T", p)}
			}
		}()
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewWithin)
		defer cancel()
		return s.renew(within)
	})
	select {
	case <-ctx.Done():
		return Token{}, ctx.Err()
	case done := <-renewal:
		token, _ := done.Val.(Token)
		return token, done.Err
	}
}

// renew reads the vault, and asks Google for a new token if that is needed and possible.
func (s *session) renew(ctx context.Context) (Token, error) {
	c := s.clients
	token, err := c.Vault.Token(ctx, s.account)
	if err != nil {
		return Token{}, &ownError{"reading a token", err}
	}
	if s.state.hasEnded(token.Refresh) {
		return Token{}, s.notConnected(nil, errEnded)
	}
	good := !s.state.isRejected(token.Access)
	if good && c.lasts(token, renewBefore) {
		return token, nil
	}
	if token.Refresh == "" {
		s.expire(ctx, "noRefreshToken")
		return Token{}, s.notConnected(nil, errNoRefreshToken)
	}
	// A token that can still be used is not worth waiting for a better one.
	repeat, spare := RepeatAlways, good && c.lasts(token, lastUse)
	if spare {
		repeat = RepeatNever
	}
	fresh, err := s.refresh(ctx, token, repeat)
	switch {
	case err == nil:
		if err := c.Vault.SaveToken(ctx, s.account, fresh); err != nil {
			return Token{}, &ownError{"saving a token", err}
		}
		return fresh, nil
	case IsInvalidGrant(err):
		s.state.end(token.Refresh)
		// The user may have linked the account again while Google was asked about the old grant.
		if newer, err := c.Vault.Token(ctx, s.account); err == nil && newer.Refresh != token.Refresh &&
			c.lasts(newer, renewBefore) {
			return newer, nil
		}
		s.expire(ctx, "invalid_grant")
		return Token{}, s.notConnected(nil, err)
	case spare && mayPass(err):
		c.Logger.LogAttrs(ctx, slog.LevelWarn, "Google's access was not renewed; the old one is used to its end",
			slog.String("cause", model.CauseOf(err)))
		return token, nil
	default:
		return Token{}, err
	}
}

// refresh asks the token endpoint, repeatedly if that may help: asking twice does no harm.
func (s *session) refresh(ctx context.Context, token Token, repeat Repeat) (fresh Token, err error) {
	c := s.clients
	shared := s.state.host(tokenHost, c.caller)
	lost := c.caller.Do(ctx, &remote.Call{
		Operation: "oauth.token", Method: http.MethodPost, Host: tokenHost, Breaker: shared.breaker, Rest: new(remote.Rest),
		Repeat: repeat, Reads: true, Try: func(ctx context.Context) (int, *failure) {
			fresh, err = c.OAuth.Refresh(ctx, token)
			return http.StatusOK, judgeToken(err)
		},
	})
	switch {
	case lost == nil:
		return fresh, nil
	case lost.Held:
		return Token{}, heldBack(lost)
	case lost.Kind == remote.KindLate:
		return Token{}, classifyContext(lost.Err)
	default:
		return Token{}, err
	}
}

// judgeToken is what an error of the token endpoint means.
func judgeToken(err error) *failure {
	if err == nil {
		return nil
	}
	lost := &failure{Status: Status(err), Code: Reason(err), Wait: model.RetryAfterOf(err), Err: err}
	switch model.CodeOf(err) {
	case model.CodeNotConnected:
		lost.Result = ResultUnauth
	case model.CodeUpstreamRateLimited:
		lost.Kind = remote.KindLimited
	case model.CodeTimeout:
		lost.Kind, lost.TimedOut = remote.KindBroken, true
	case model.CodeUpstreamUnavailable:
		lost.Kind = remote.KindBroken
	}
	return lost
}

// mayPass reports errors that another attempt may not meet.
func mayPass(err error) bool {
	switch model.CodeOf(err) {
	case model.CodeUpstreamUnavailable, model.CodeUpstreamRateLimited, model.CodeTimeout:
		return true
	default:
		return false
	}
}

// expire marks the connection in the vault. When that fails the caller hears NOT_CONNECTED all the same, and so does
// the next one.
func (s *session) expire(ctx context.Context, reason string) {
	s.clients.Logger.LogAttrs(ctx, slog.LevelWarn, "a Google connection has ended", slog.String("reason", reason))
	if err := s.clients.Vault.Expire(ctx, s.account, reason); err != nil {
		s.clients.Logger.LogAttrs(ctx, slog.LevelError, "a Google connection could not be marked as ended",
			slog.String("cause", err.Error()))
	}
}

func (s *session) notConnected(scopes []string, cause error) *model.Error {
	message := "The Google account must be linked again."
	if len(scopes) > 0 {
		message = "The Google account has not granted this; it must be linked again with more rights."
	}
	return notConnected(s.clients.ConnectURL(s.account, scopes), message, cause)
}

var (
	errEnded    = errors.New("google: the grant has ended")
	errRejected = errors.New("google: the token was rejected")
)

func (s *accountState) hasEnded(refresh string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return refresh != "" && s.ended == sha256.Sum256([]byte(refresh))
}

func (s *accountState) end(refresh string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = sha256.Sum256([]byte(refresh))
}

func (s *accountState) isRejected(access string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rejected == sha256.Sum256([]byte(access))
}

// reject notes that Google did not accept an access token, and reports whether another one is worth asking for: not
// when the one before was rejected just now, since Google then wants something else than a newer token.
func (s *accountState) reject(access string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	mark := sha256.Sum256([]byte(access))
	if s.rejected == mark {
		return true // another call heard it first; there is a newer one, or soon will be
	}
	if !s.rejectedAt.IsZero() && now.Sub(s.rejectedAt) < rejectPause {
		return false
	}
	s.rejected, s.rejectedAt = mark, now
	return true
}
