package google

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"slices"
	"strings"
	"time"
)

// Account is a person with an account.
type Account struct {
	// Email is the account's id, in lower case.
	Email string `json:"email"`
	// Name is shown on the consent page; empty shows the address alone.
	Name string `json:"name,omitempty"`
	// Locale is a BCP 47 tag, "he"; it decides the consent page's language. Empty for the browser's.
	Locale string `json:"locale,omitempty"`
	// Granular lets single scopes be unticked on the consent page.
	Granular bool `json:"granular,omitempty"`
}

// Tokens are what a grant gives an application.
type Tokens struct {
	Access, Refresh string
	// Expiry is when Access ends.
	Expiry time.Time
	// Scopes are those granted, sorted.
	Scopes []string
}

const (
	// accessLife is how long an access token is good for; Google says one second less than the hour.
	accessLife = 3599 * time.Second
	// maxRefreshTokens is how many refresh tokens an account has with one client; the oldest makes room.
	maxRefreshTokens = 100
	// maxAccessTokens bounds those of one account, for a client that asks for one with each request.
	maxAccessTokens = 1000
)

// account is an account with what it has granted.
type account struct {
	Account
	// granted are all scopes that it has ever granted and not revoked, sorted; nil when there is no grant.
	granted []string
	// refresh are the refresh tokens, oldest first.
	refresh []refreshToken
}

type refreshToken struct {
	Digest digest   `json:"digest"`
	Scopes []string `json:"scopes"`
	// Expires is when the token ends; zero: never.
	Expires time.Time `json:"expires,omitzero"`
}

type accessToken struct {
	email   string
	scopes  []string
	expires time.Time
}

// ErrNoAccount says that no account has this address.
var ErrNoAccount = errors.New("google: there is no such account")

// AddAccount adds an account, or replaces what is known of the person; grants stay.
func (s *Server) AddAccount(a Account) error {
	a.Email = strings.ToLower(a.Email)
	if parsed, err := mail.ParseAddress(a.Email); err != nil || parsed.Address != a.Email {
		return fmt.Errorf("google: %q is no e-mail address", a.Email)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.accounts[a.Email]; known != nil {
		known.Account = a
		return nil
	}
	s.accounts[a.Email] = &account{Account: a}
	return nil
}

// RemoveAccount erases an account, its grants and what the services keep of it. It is no error when there is none.
func (s *Server) RemoveAccount(email string) {
	email = strings.ToLower(email)
	s.mu.Lock()
	s.revokeLocked(email)
	delete(s.accounts, email)
	s.mu.Unlock()
	s.meter.forget(email)
	for _, service := range s.services {
		service.Forget(email)
	}
}

// Accounts are all accounts, by address.
func (s *Server) Accounts() []Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Account, 0, len(s.accounts))
	for _, a := range s.accounts {
		all = append(all, a.Account)
	}
	slices.SortFunc(all, func(a, b Account) int { return cmp.Compare(a.Email, b.Email) })
	return all
}

// person is what is known of an account; of one that is gone, its address.
func (s *Server) person(email string) Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.accounts[email]; a != nil {
		return a.Account
	}
	return Account{Email: email}
}

// Grant returns scopes to the application without a browser, on top of those granted before, and makes tokens for all
// of them. It fails with ErrNoAccount.
func (s *Server) Grant(email string, scopes []string) (Tokens, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accounts[strings.ToLower(email)]
	if a == nil {
		return Tokens{}, ErrNoAccount
	}
	a.granted = merge(a.granted, scopes)
	return s.issue(a, a.granted, true), nil
}

// RevokeGrant takes back everything an account has granted, as the person does on Google's page of connected
// applications: all its tokens end.
func (s *Server) RevokeGrant(email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revokeLocked(strings.ToLower(email))
}

// ExpireAccessTokens ends the access tokens of an account; refresh tokens stay.
func (s *Server) ExpireAccessTokens(email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropAccess(strings.ToLower(email))
}

func (s *Server) revokeLocked(email string) {
	if a := s.accounts[email]; a != nil {
		a.granted, a.refresh = nil, nil
	}
	s.dropAccess(email)
	maps.DeleteFunc(s.codes, func(_ digest, c *code) bool { return c.email == email })
}

func (s *Server) dropAccess(email string) {
	maps.DeleteFunc(s.access, func(_ digest, t *accessToken) bool { return t.email == email })
}

// issue makes an access token, and a refresh token if wanted. s.mu is held.
func (s *Server) issue(a *account, scopes []string, refresh bool) Tokens {
	now := s.now()
	t := Tokens{Access: s.secrets.next("ya29."), Expiry: now.Add(accessLife), Scopes: slices.Clone(scopes)}
	s.makeRoom(a.Email, now)
	s.access[digestOf(t.Access)] = &accessToken{email: a.Email, scopes: t.Scopes, expires: t.Expiry}
	if refresh {
		t.Refresh = s.secrets.next("1//")
		kept := refreshToken{Digest: digestOf(t.Refresh), Scopes: t.Scopes}
		if s.life > 0 {
			kept.Expires = now.Add(s.life)
		}
		a.refresh = append(a.refresh, kept)
		if over := len(a.refresh) - maxRefreshTokens; over > 0 {
			a.refresh = slices.Delete(a.refresh, 0, over)
		}
	}
	return t
}

// makeRoom drops access tokens that have ended, and the account's oldest when it has too many.
func (s *Server) makeRoom(email string, now time.Time) {
	var own int
	var oldest digest
	var oldestEnds time.Time
	maps.DeleteFunc(s.access, func(_ digest, t *accessToken) bool { return !now.Before(t.expires) })
	for d, t := range s.access {
		if t.email != email {
			continue
		}
		own++
		if oldestEnds.IsZero() || t.expires.Before(oldestEnds) {
			oldest, oldestEnds = d, t.expires
		}
	}
	if own >= maxAccessTokens {
		delete(s.access, oldest)
	}
}

// bearer finds what an access token opens; ok is false for one that is unknown or has ended.
func (s *Server) bearer(token string) (t accessToken, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.access[digestOf(token)]
	if found == nil || !s.now().Before(found.expires) || s.accounts[found.email] == nil {
		return accessToken{}, false
	}
	return *found, true
}

// merge is the sorted union of scopes.
func merge(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
