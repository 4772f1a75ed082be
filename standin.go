package main

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

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/connect"
	"almanac/internal/demo"
	"almanac/internal/standin/calendar"
	standingmail "almanac/internal/standin/gmail"
	standingoogle "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/projections/when"
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
	// held: the file is being written to, and keeps what comes of all requests together; only before the server answers
	// anybody.
	held atomic.Bool

	mu sync.Mutex
	// own are tokens of this stand-in, where it adopts those of others.
	own standingoogle.Tokens
}

// newStandIn makes the stand-in as its file has it, with its one account.
func newStandIn(parts googleParts) (*standIn, error) {
	seed := uint64(parts.clock.Now().UnixNano())
	events := calendar.New(calendar.Options{Now: parts.clock.Now, Seed: seed, Logger: parts.log})
	mail := standingmail.New(standingmail.Options{Now: parts.clock.Now, Seed: seed})
	front, err := standingoogle.New(standingoogle.Options{
		Now: parts.clock.Now, Services: []wire.Service{events, mail}, Forgetful: true,
		Client: standingoogle.OAuthClient{ID: "almanac", Name: "Almanac", Secret: "stand-in",
			RedirectURIs: []string{connect.RedirectURI(parts.base)}},
	})
	if err != nil {
		return nil, fmt.Errorf("the stand-in for Google: %w", err)
	}
	// The mailbox is there before the file is read, as a file of the time before there was mail says nothing of it.
	if err := mail.AddAccount(standingmail.Account{Email: standInAccount, Name: "Demo"}); err != nil {
		return nil, fmt.Errorf("the stand-in for Google: %w", err)
	}
	s := &standIn{front: front, mail: mail, transport: front.Transport(), now: parts.clock.Now}
	fresh := func() error {
		account := calendar.Account{Email: standInAccount, Name: "Demo", TimeZone: parts.settings.TimeZone,
			Locale: parts.settings.Locale}
		return errors.Join(events.AddAccount(account),
			front.AddAccount(standingoogle.Account{Email: standInAccount, Name: "Demo"}))
	}
	if parts.settings.DataDir == "" {
		return s, fresh()
	}
	if s.file, err = openStandInFile(filepath.Join(parts.settings.DataDir, standInFileName), front, fresh,
		parts.log); err != nil {
		return nil, fmt.Errorf("the stand-in for Google: %w", err)
	}
	return s, nil
}

// Close lets go of the file.
func (s *standIn) Close() error {
	if s == nil || s.file == nil {
		return nil
	}
	return s.file.Close()
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
		answer, err = s.transport.RoundTrip(r)
	}); kept != nil { //nolint:bodyclose // who asked closes it
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
	s.own, err = s.front.Grant(standInAccount, append(allScopes(), connect.ScopeOpenID, connect.ScopeEmail))
	return s.own, err
}

// isRenewal tells whether a request asks for a new access token (RFC 6749, section 6).
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

// settle links the stand-in to the local user and lays the sample calendar and mailbox, each once.
func (g *googleRoom) settle(ctx context.Context, s *server) error {
	if g.standIn == nil {
		return nil
	}
	user, moment, err := s.localUser(ctx)
	if err != nil {
		return err
	}
	if err := g.linker.LinkStandIn(ctx, user.ID); err != nil {
		return err
	}
	if !s.settings.Demo {
		return nil
	}
	all, err := s.store.Connections(ctx, user.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(c model.Connection) bool { return c.StandIn && c.Account == standInAccount })
	if i < 0 || g.linker.Status(all[i]) != model.ConnectionConnected {
		return nil
	}
	if err := g.layCalendar(ctx, all[i], moment); err != nil {
		return err
	}
	return g.standIn.layMail(moment.Now)
}

// layCalendar lays the sample into a calendar that is empty, or goes on with it after a kill.
func (g *googleRoom) layCalendar(ctx context.Context, account model.Connection, moment when.Moment) error {
	file := g.standIn.file
	if file == nil {
		return g.layEvents(ctx, account, moment)
	}
	state, err := file.sample()
	if err != nil || state == sampleLaid || state == sampleFull {
		return err
	}
	if state == sampleNone {
		const years = 100
		used, err := g.calendar.Events(ctx, account, "",
			gcal.Query{From: moment.Now.AddDate(-years, 0, 0), To: moment.Now.AddDate(years, 0, 0), Limit: 1})
		if err != nil {
			return fmt.Errorf("look at the demo calendar: %w", err)
		}
		if len(used.Events) > 0 {
			return nil // as with tasks, the sample is not mixed with what somebody has made
		}
	}
	if err := file.setSample(sampleBegun); err != nil {
		return err
	}
	// As one change of the file: it is the greater part of a first start otherwise.
	var failed error
	kept := file.write(func() {
		g.standIn.held.Store(true)
		defer g.standIn.held.Store(false)
		failed = g.layEvents(ctx, account, moment)
	})
	if err := errors.Join(failed, kept); err != nil {
		return err
	}
	return file.setSample(sampleLaid)
}

// layEvents puts the sample into the calendar, the way any client would. The events' ids are fixed, so that each is
// there once, however often and by however many servers it is laid.
func (g *googleRoom) layEvents(ctx context.Context, account model.Connection, moment when.Moment) error {
	for i, event := range demo.Events(moment) {
		event.Attendees = withSelf(event.Attendees)
		_, _, err := g.calendar.Insert(ctx, account, "", gcal.NewEvent{
			Event: event, SetReminders: !event.Reminders.UseDefault, SourceID: fmt.Sprintf("sample%04d", i),
			SendUpdates: model.SendUpdatesNone,
		})
		if err != nil && model.CodeOf(err) != model.CodeConflict { // one that is there already, as laid at another moment
			return fmt.Errorf("lay the sample calendar: %s: %w", event.Summary, err)
		}
	}
	return nil
}

// withSelf adds the demo account to the guests of an event that has any, as its organizer.
func withSelf(guests []model.Attendee) []model.Attendee {
	if len(guests) == 0 {
		return nil
	}
	return append(guests, model.Attendee{Email: standInAccount, Name: "Demo", Status: model.Accepted})
}

// localUser gives the local user's row, made when there is none, and the moment as they see it.
func (s *server) localUser(ctx context.Context) (model.User, when.Moment, error) {
	now := s.clock.Now()
	user, err := s.store.EnsureUser(ctx, model.User{
		ID: model.UserIDOf(auth.LocalSubject), Subject: auth.LocalSubject, CreatedAt: now,
		Settings: model.Settings{TimeZone: s.settings.TimeZone, Locale: s.settings.Locale, WeekStart: s.settings.WeekStart},
	})
	if err != nil {
		return user, when.Moment{}, err
	}
	zone, err := when.LoadZone(user.Settings.TimeZone)
	return user, when.Moment{Now: now, Zone: zone, Locale: user.Settings.Locale, WeekStart: user.Settings.WeekStart}, err
}
