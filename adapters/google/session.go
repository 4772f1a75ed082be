package google

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"almanac/graph/model"
	"almanac/internal/retry"
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
	read  time.Time // by the machine's clock
}

// access gives a token that Google has not rejected and that does not end soon.
func (s *session) access(ctx context.Context) (Token, error) {
	if token, ok := s.held(); ok {
		return token, nil
	}
	// Twice, because a flight may have read the vault before another call heard of a rejection.
	for range 2 {
		token, err := s.fetch(ctx)
		if err != nil {
			return Token{}, err
		}
		if !s.state.isRejected(token.Access) {
			s.mu.Lock()
			s.token, s.read = token, s.clients.machine()
			s.mu.Unlock()
			return token, nil
		}
	}
	return Token{}, s.notConnected(nil, errRejected)
}

func (s *session) held() (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := !s.read.IsZero() && s.clients.machine().Sub(s.read) < trustVault
	return s.token, fresh && s.clients.lasts(s.token, renewBefore) && !s.state.isRejected(s.token.Access)
}

// lasts tells whether a token can be used for that long.
func (c *Clients) lasts(token Token, d time.Duration) bool {
	return token.Access != "" && (token.Expiry.IsZero() || token.Expiry.Sub(c.Now()) > d)
}

// fetch joins the one flight of the account, or begins it. It returns when ctx ends; the flight goes on for the others.
func (s *session) fetch(ctx context.Context) (Token, error) {
	key := s.account.key()
	flight := s.clients.flights.DoChan(string(key.user[:])+string(key.connection[:]), func() (_ any, err error) {
		defer func() {
			if p := recover(); p != nil { // nobody else would catch it on a flight's goroutine; p may quote a token
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
	case landed := <-flight:
		token, _ := landed.Val.(Token)
		return token, landed.Err
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
	attempts, spare := c.Limits.Attempts, good && c.lasts(token, lastUse)
	if spare {
		attempts = 1
	}
	fresh, err := s.refresh(ctx, token, attempts)
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
func (s *session) refresh(ctx context.Context, token Token, attempts int) (Token, error) {
	c := s.clients
	var last error
	for n := range attempts {
		fresh, err := s.refreshOnce(ctx, token, n+1)
		if err == nil || !mayPass(err) {
			return fresh, err
		}
		if errors.Is(err, errBreaker) && last != nil {
			return Token{}, last
		}
		last = err
		wait := max(backoff(n, c.Jitter(), c.Limits.BackoffBase, c.Limits.BackoffMost), model.RetryAfterOf(err))
		if n+1 == attempts || errors.Is(err, errBreaker) || !c.fits(ctx, wait) || c.Wait(ctx, wait) != nil {
			break
		}
	}
	return Token{}, last
}

func (s *session) refreshOnce(ctx context.Context, token Token, number int) (fresh Token, err error) {
	c := s.clients
	guard := s.state.breaker(tokenHost, &c.Limits)
	leave, pause, ok := guard.Enter(c.machine())
	if !ok {
		return Token{}, breakerOpen(tokenHost, pause)
	}
	say := retry.NoSay
	defer func() {
		if guard.Done(leave, say, c.machine()) {
			s.warnOpened(ctx, tokenHost)
		}
	}()
	began := c.machine()
	fresh, err = c.OAuth.Refresh(ctx, token)
	say = verdictOf(err)
	s.observe(ctx, tokenAttempt(number, err, c.machine().Sub(began)))
	return fresh, err
}

func (s *session) warnOpened(ctx context.Context, host string) {
	s.clients.Logger.LogAttrs(ctx, slog.LevelWarn, "a host of Google's fails; it is left alone for a while",
		slog.String("host", host), slog.Duration("pause", s.clients.Limits.BreakerPause))
}

func tokenAttempt(number int, err error, took time.Duration) Attempt {
	a := Attempt{Operation: "oauth.token", Method: "POST", Host: tokenHost, Number: number, Status: Status(err),
		Reason: Reason(err), Latency: took}
	switch model.CodeOf(err) {
	case "":
		a.Status, a.Result = 200, ResultOK
	case model.CodeNotConnected:
		a.Result = ResultUnauth
	case model.CodeUpstreamRateLimited:
		a.Result = ResultRateLimited
	case model.CodeTimeout:
		a.Result = ResultTimeout
	case model.CodeUpstreamUnavailable:
		a.Result = ResultUnavailable
	default:
		a.Result = ResultRejected
	}
	return a
}

// verdictOf is what an error of the token endpoint says of the endpoint.
func verdictOf(err error) retry.Verdict {
	switch model.CodeOf(err) {
	case model.CodeUpstreamUnavailable, model.CodeTimeout:
		return retry.Failing
	default:
		return retry.Healthy
	}
}

// mayPass tells errors that another attempt may not meet.
func mayPass(err error) bool {
	switch model.CodeOf(err) {
	case model.CodeUpstreamUnavailable, model.CodeUpstreamRateLimited, model.CodeTimeout:
		return true
	default:
		return false
	}
}

// fits tells whether a wait would end before the context does.
func (c *Clients) fits(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || wait < deadline.Sub(c.machine())
}

// expire tells the vault. When that fails the caller hears NOT_CONNECTED all the same, and so does the next one.
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

// reject notes that Google did not accept an access token, and tells whether another one is worth asking for: not when
// the one before was rejected just now, since Google then wants something else than a newer token.
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
