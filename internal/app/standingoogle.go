package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/adapters/google"
	"almanac/internal/connect"
	"almanac/internal/standin/calendar"
	standingmail "almanac/internal/standin/gmail"
	standingoogle "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

const (
	// standInPrefix is where browsers find the stand-in's consent page.
	standInPrefix = "/standin/google"
	// standInAccount is the account that the local user finds linked.
	standInAccount = "demo@example.com"
)

// standIn is the Google of people who have not set one up: a calendar and a mailbox. It lives in this process and is
// kept in a file of the data folder, so that an event made while trying things out is there the next day. Where there
// is no such folder, which is so with PostgreSQL alone, it is kept in memory: each server has its own, and it is gone
// with it.
type standIn struct {
	front *standingoogle.Server
	mail  *standingmail.Service
	// file is nil where it is kept in memory.
	file      *standInFile
	transport http.RoundTripper
	now       func() time.Time
	// scopes are those that its account grants.
	scopes []string
	// held: the file is being written to, and keeps what comes of all requests together; only before the server answers
	// anybody.
	held atomic.Bool

	mu sync.Mutex
	// own are tokens of this stand-in, where it adopts those of others.
	own standingoogle.Tokens
}

// newStandIn makes the stand-in as its file has it, with its one account.
func (s *Server) newStandIn() (*standIn, error) {
	seed := uint64(s.clock.Now().UnixNano())
	events := calendar.New(calendar.Options{Now: s.clock.Now, Seed: seed, Logger: s.log})
	mail := standingmail.New(standingmail.Options{Now: s.clock.Now, Seed: seed})
	front, err := standingoogle.New(standingoogle.Options{
		Now: s.clock.Now, Services: []wire.Service{events, mail}, Forgetful: true,
		Client: standingoogle.OAuthClient{ID: "almanac", Name: "Almanac", Secret: "stand-in",
			RedirectURIs: []string{connect.RedirectURI(s.base)}},
	})
	if err != nil {
		return nil, fmt.Errorf("the stand-in for Google: %w", err)
	}
	// The mailbox is there before the file is read, as a file of the time before there was mail says nothing of it.
	if err := mail.AddAccount(standingmail.Account{Email: standInAccount, Name: "Demo"}); err != nil {
		return nil, fmt.Errorf("the stand-in for Google: %w", err)
	}
	made := &standIn{front: front, mail: mail, transport: front.Transport(), now: s.clock.Now,
		scopes: scopes(s.settings.GoogleAccess)}
	fresh := func() error {
		account := calendar.Account{Email: standInAccount, Name: "Demo", TimeZone: s.settings.TimeZone,
			Locale: s.settings.Locale}
		return errors.Join(events.AddAccount(account),
			front.AddAccount(standingoogle.Account{Email: standInAccount, Name: "Demo"}))
	}
	s.pages[standInPrefix+"/"] = front.Mount(standInPrefix)
	if s.settings.DataDir == "" {
		return made, fresh()
	}
	if made.file, err = openStandInFile(filepath.Join(s.settings.DataDir, standInFileName), front, fresh,
		s.log); err != nil {
		return nil, fmt.Errorf("the stand-in for Google: %w", err)
	}
	s.onClose(made.file.Close)
	return made, nil
}

// RoundTrip implements http.RoundTripper: requests to Google stay in this process. What they change is kept before they
// are answered.
func (s *standIn) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	if s.file == nil {
		return s.adopting(r)
	}
	if s.held.Load() {
		return s.transport.RoundTrip(r)
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if err := s.file.refresh(); err != nil {
			return nil, err
		}
		return s.transport.RoundTrip(r)
	}
	if kept := s.file.write(func() {
		answer, err = s.transport.RoundTrip(r) //nolint:bodyclose // the caller closes it
	}); kept != nil {
		if answer != nil {
			_ = answer.Body.Close() // nobody will read it
		}
		return nil, kept
	}
	return answer, err
}

// adopting is RoundTrip where the stand-in is kept in memory while the tokens are kept in a database: those of the last
// start, or of another server on the same database, are taken for its own. Otherwise each start would end the link for
// all others.
func (s *standIn) adopting(r *http.Request) (*http.Response, error) {
	renewal := isRenewal(r)
	answer, err := s.transport.RoundTrip(r)
	switch {
	case err != nil:
		return nil, err
	case renewal && answer.StatusCode == http.StatusBadRequest:
		_ = answer.Body.Close() // of the refusal
		return s.renewed(answer)
	case answer.StatusCode == http.StatusUnauthorized && r.Header.Get("Authorization") != "" &&
		(r.Body == nil || r.GetBody != nil):
		_ = answer.Body.Close() // of the refusal
		return s.again(r)
	default:
		return answer, nil
	}
}

// renewed makes the refusal of a renewal into an answer with tokens of this stand-in.
func (s *standIn) renewed(refusal *http.Response) (*http.Response, error) {
	tokens, err := s.tokens()
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]any{
		"access_token": tokens.Access, "refresh_token": tokens.Refresh, "token_type": "Bearer",
		"expires_in": int(tokens.Expiry.Sub(s.now()) / time.Second), "scope": strings.Join(tokens.Scopes, " "),
	})
	if err != nil {
		return nil, err
	}
	answer := *refusal
	answer.StatusCode, answer.Status, answer.ContentLength, answer.Body = http.StatusOK, "200 OK", int64(len(body)),
		io.NopCloser(bytes.NewReader(body))
	answer.Header = http.Header{"Content-Type": {"application/json"}}
	return &answer, nil
}

// again sends a request once more, with a token of this stand-in.
func (s *standIn) again(r *http.Request) (*http.Response, error) {
	tokens, err := s.tokens()
	if err != nil {
		return nil, err
	}
	same := r.Clone(r.Context())
	same.Header.Set("Authorization", "Bearer "+tokens.Access)
	if r.GetBody != nil {
		if same.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	return s.transport.RoundTrip(same)
}

// tokens are this stand-in's own for the demo account; they last for a minute at least.
func (s *standIn) tokens() (standingoogle.Tokens, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own.Expiry.Sub(s.now()) >= time.Minute {
		return s.own, nil
	}
	var err error
	s.own, err = s.front.Grant(standInAccount, append(slices.Clone(s.scopes), connect.ScopeOpenID, connect.ScopeEmail))
	return s.own, err
}

// isRenewal reports whether a request asks for a new access token (RFC 6749, section 6).
func isRenewal(r *http.Request) bool {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/token") || r.GetBody == nil {
		return false
	}
	body, err := r.GetBody()
	if err != nil {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(body, 64<<10))
	if err != nil {
		return false
	}
	form, err := url.ParseQuery(string(text))
	return err == nil && form.Get("grant_type") == "refresh_token"
}

// oauth is the registration of this server with the stand-in.
func (s *standIn) oauth(base *url.URL) google.OAuth {
	return google.OAuth{ClientID: "almanac", ClientSecret: "stand-in",
		AuthURL: base.JoinPath(standInPrefix, "o/oauth2/v2/auth").String()}
}

// demo is the account that is linked without a browser.
func (s *standIn) demo() *connect.Demo {
	return &connect.Demo{Email: standInAccount, Grant: func(_ context.Context, scopes []string) (google.Token, error) {
		var tokens standingoogle.Tokens
		var err error
		grant := func() { tokens, err = s.front.Grant(standInAccount, scopes) }
		if s.file == nil {
			grant()
		} else if kept := s.file.write(grant); kept != nil {
			return google.Token{}, kept
		}
		return google.Token{Access: tokens.Access, Refresh: tokens.Refresh, Expiry: tokens.Expiry, Scopes: tokens.Scopes}, err
	}}
}
