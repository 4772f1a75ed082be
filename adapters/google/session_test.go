package google_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// endsIn makes the kept access token one that ends in so long.
func (s *stage) endsIn(d time.Duration) {
	token := s.vault.tokens[noa.Connection]
	token.Expiry = time.Now().Add(d)
	s.vault.tokens[noa.Connection] = token
}

func TestTokenIsUsedAsItIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		s.endsIn(61 * sec)
		client := s.HTTP(t.Context(), noa, model.UpstreamGoogle)
		for range 3 {
			if _, err := s.send(t.Context(), client, "GET", eventsURL); err != nil {
				t.Fatal(err)
			}
		}
		same(t, "bearers", s.remote.bearers, []string{access1, access1, access1})
		same(t, "agents", s.remote.agents[:1], []string{"almanac (gzip)"})
		if s.vault.reads != 1 || s.remote.renewed() != 0 {
			t.Errorf("%d reads and %d renewals", s.vault.reads, s.remote.renewed())
		}
	})
}

func TestTokenIsRenewedBeforeItEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		s.endsIn(time.Minute)
		if _, err := s.do(t.Context(), "GET"); err != nil {
			t.Fatal(err)
		}
		same(t, "bearers", s.remote.bearers, []string{access2})
		if len(s.vault.saves) != 1 {
			t.Fatalf("saved %d times", len(s.vault.saves))
		}
		saved := s.vault.saves[0]
		if saved.Access != access2 || saved.Refresh != refresh1 || !saved.Expiry.Equal(time.Now().Add(3599*sec)) {
			t.Errorf("saved another token than was granted, ending %v", saved.Expiry)
		}
		form := s.remote.renewals[0]
		if form.Get("grant_type") != "refresh_token" || form.Get("refresh_token") != refresh1 ||
			form.Get("client_id") != clientID || form.Get("client_secret") != secret {
			t.Errorf("asked with %v", form)
		}
	})
}

func TestTokenEndsUnderALongClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		client := s.HTTP(t.Context(), noa, model.UpstreamGoogle)
		for range 3 {
			if _, err := s.send(t.Context(), client, "GET", eventsURL); err != nil {
				t.Fatal(err)
			}
			time.Sleep(40 * time.Minute)
		}
		same(t, "bearers", s.remote.bearers, []string{access1, access1, access2})
	})
}

// A connection that was taken away is noticed by a client that lives on.
func TestVaultIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		client := s.HTTP(t.Context(), noa, model.UpstreamGoogle)
		if _, err := s.send(t.Context(), client, "GET", eventsURL); err != nil {
			t.Fatal(err)
		}
		s.vault.err = model.Errorf(model.CodeNotConnected, "Link Google first.")
		time.Sleep(30 * sec)
		_, err := s.send(t.Context(), client, "GET", eventsURL)
		if shown := classes(t, err, model.CodeNotConnected); shown.Message != "Link Google first." {
			t.Errorf("the vault's words became %q", shown.Message)
		}
	})
}

func TestManyCallsRenewOnce(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*stage){
		"it has ended": func(s *stage) { s.endsIn(-time.Hour) },
		"it is rejected": func(s *stage) {
			s.remote.script = []step{func(req *http.Request) (*http.Response, error) {
				if strings.HasSuffix(req.Header.Get("Authorization"), access1) {
					return refusal(401, "global", "authError", "Invalid Credentials")(req)
				}
				return ok()(req)
			}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, ok())
				s.remote.oauth = after(sec, granted(access2))
				prepare(s)
				var all sync.WaitGroup
				for range 100 {
					all.Go(func() {
						if _, err := s.do(t.Context(), "GET"); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				if s.remote.renewed() != 1 || len(s.vault.saves) != 1 {
					t.Errorf("renewed %d times, saved %d times", s.remote.renewed(), len(s.vault.saves))
				}
			})
		})
	}
}

// Whoever waits for a renewal can leave; the renewal goes on for the others.
func TestLeaderLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		s.endsIn(-time.Hour)
		s.remote.oauth = after(5*sec, granted(access2))
		hasty, cancel := context.WithTimeout(t.Context(), sec)
		defer cancel()
		leader := make(chan error)
		go func() {
			_, err := s.do(hasty, "GET")
			leader <- err
		}()
		synctest.Wait()
		follower := make(chan error)
		go func() {
			_, err := s.do(t.Context(), "GET")
			follower <- err
		}()
		classes(t, <-leader, model.CodeTimeout)
		if took := time.Since(s.remote.began); took != sec {
			t.Errorf("the leader left after %v", took)
		}
		if err := <-follower; err != nil {
			t.Error(err)
		}
		if s.remote.renewed() != 1 {
			t.Errorf("renewed %d times", s.remote.renewed())
		}
	})
}

func TestAnotherReplicaRenewed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, refusal(401, "global", "authError", "Invalid Credentials"), ok())
		client := s.HTTP(t.Context(), noa, model.UpstreamGoogle)
		s.remote.script = []step{ok(), refusal(401, "global", "authError", "Invalid Credentials"), ok()}
		if _, err := s.send(t.Context(), client, "GET", eventsURL); err != nil {
			t.Fatal(err)
		}
		s.vault.tokens[noa.Connection] = google.Token{Access: "ya29.elsewhere", Refresh: refresh1,
			Expiry: time.Now().Add(time.Hour)}
		if _, err := s.send(t.Context(), client, "GET", eventsURL); err != nil {
			t.Fatal(err)
		}
		same(t, "bearers", s.remote.bearers, []string{access1, access1, "ya29.elsewhere"})
		if s.remote.renewed() != 0 {
			t.Error("renewed what was fresh")
		}
	})
}

func TestRejectedTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, refusal(401, "global", "authError", "Invalid Credentials"), ok())
		// Even a write that is never repeated: a request with a bad token is not looked at.
		ctx, outcome := google.WithOutcome(t.Context())
		if _, err := s.do(ctx, "POST"); err != nil {
			t.Fatal(err)
		}
		same(t, "bearers", s.remote.bearers, []string{access1, access2})
		same(t, "bodies", s.remote.bodies, []string{`{"summary":"Review"}`, `{"summary":"Review"}`})
		if outcome.Attempts() != 2 || outcome.MayHaveBeenApplied() {
			t.Errorf("%d attempts, %v", outcome.Attempts(), outcome.MayHaveBeenApplied())
		}
	})
}

// Google that rejects every token is asked twice for one call, and is given no new token more than once a minute.
func TestEndlessRejectionDoesNotSpin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, refusal(401, "global", "authError", "Invalid Credentials"))
		made := 0
		s.remote.oauth = func(req *http.Request) (*http.Response, error) {
			made++
			return granted(fmt.Sprint("ya29.number-", made))(req)
		}
		_, err := s.do(t.Context(), "POST")
		shown := classes(t, err, model.CodeNotConnected)
		if shown.ConnectURL == "" || google.Status(err) != 401 || google.Reason(err) != "authError" ||
			google.MayHaveBeenApplied(err) {
			t.Errorf("%q, status %d, reason %q", shown.ConnectURL, google.Status(err), google.Reason(err))
		}
		if s.remote.calls() != 2 || s.remote.renewed() != 1 {
			t.Errorf("%d calls, %d renewals", s.remote.calls(), s.remote.renewed())
		}
		for range 20 {
			_, err := s.do(t.Context(), "GET")
			classes(t, err, model.CodeNotConnected)
		}
		if s.remote.calls() != 22 || s.remote.renewed() != 1 {
			t.Errorf("after twenty more: %d calls, %d renewals", s.remote.calls(), s.remote.renewed())
		}
		time.Sleep(time.Minute)
		_, err = s.do(t.Context(), "GET")
		classes(t, err, model.CodeNotConnected)
		if s.remote.calls() != 24 || s.remote.renewed() != 2 {
			t.Errorf("after a minute: %d calls, %d renewals", s.remote.calls(), s.remote.renewed())
		}
		if len(s.vault.expired) != 0 {
			t.Errorf("a grant that renews was ended: %v", s.vault.expired)
		}
	})
}

func TestEndedGrant(t *testing.T) {
	t.Parallel()
	for _, keeps := range []bool{false, true} {
		t.Run(fmt.Sprint("the vault cannot write: ", keeps), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, ok())
				s.vault.keeps = keeps
				s.endsIn(-time.Hour)
				s.remote.oauth = denied(400, "invalid_grant")
				client := s.HTTP(t.Context(), noa, model.UpstreamGoogle)
				_, err := s.send(t.Context(), client, "GET", eventsURL)
				shown := classes(t, err, model.CodeNotConnected)
				if shown.ConnectURL == "" || !google.IsInvalidGrant(err) || google.MayHaveBeenApplied(err) {
					t.Errorf("%q %v", shown.ConnectURL, google.IsInvalidGrant(err))
				}
				same(t, "ends", s.vault.expired, []string{"invalid_grant"})
				for _, again := range []*http.Client{client, s.HTTP(t.Context(), noa, model.UpstreamGoogle)} {
					_, err := s.send(t.Context(), again, "GET", eventsURL)
					classes(t, err, model.CodeNotConnected)
				}
				if s.remote.calls() != 0 || s.remote.renewed() != 1 {
					t.Errorf("%d calls and %d renewals with a grant that has ended", s.remote.calls(), s.remote.renewed())
				}

				// Linked again, it works at once.
				s.vault.err = nil
				s.vault.tokens[noa.Connection] = google.Token{Access: "ya29.new", Refresh: "1//new",
					Expiry: time.Now().Add(time.Hour)}
				if _, err := s.do(t.Context(), "GET"); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A user who links again while Google is asked about the old grant keeps the new one.
func TestLinkedAgainMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		s.endsIn(-time.Hour)
		s.remote.oauth = func(req *http.Request) (*http.Response, error) {
			s.vault.mu.Lock()
			defer s.vault.mu.Unlock()
			s.vault.tokens[noa.Connection] = google.Token{Access: "ya29.new", Refresh: "1//new",
				Expiry: time.Now().Add(time.Hour)}
			return denied(400, "invalid_grant")(req)
		}
		if _, err := s.do(t.Context(), "GET"); err != nil {
			t.Error(err)
		}
		same(t, "bearers", s.remote.bearers, []string{"ya29.new"})
		same(t, "ends", s.vault.expired, nil)
	})
}

func TestRenewalFails(t *testing.T) {
	t.Parallel()
	html := answer(502, map[string]string{"Content-Type": "text/html"}, "<html>"+refresh1+"</html>")
	for _, test := range []struct {
		name     string
		endsIn   time.Duration
		oauth    step
		code     model.ErrorCode
		renewals int
		bearer   string
	}{
		{"5xx for good", -sec, html, model.CodeUpstreamUnavailable, 4, ""},
		{"no connection", -sec, broken(refused), model.CodeUpstreamUnavailable, 4, ""},
		{"silence", -sec, hang(), model.CodeTimeout, 2, ""},
		{"an answer without a token", -sec, answer(200, nil, `{"expires_in":3599}`), model.CodeUpstreamUnavailable, 4, ""},
		{"an answer that is none", -sec, answer(200, nil, `<html>`), model.CodeUpstreamUnavailable, 4, ""},
		{"too fast", -sec, denied(429, "rate_limit_exceeded"), model.CodeUpstreamRateLimited, 4, ""},
		{"a client that is unknown", -sec, denied(401, "invalid_client"), model.CodeNotConfigured, 1, ""},
		{"a client that may not", -sec, denied(401, "unauthorized_client"), model.CodeNotConfigured, 1, ""},
		{"5xx while the old one lasts", 30 * sec, html, "", 1, access1},
		{"5xx when it hardly lasts", 5 * sec, html, model.CodeUpstreamUnavailable, 4, ""},
		{"the grant ends while the old one lasts", 30 * sec, denied(400, "invalid_grant"), model.CodeNotConnected, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, ok())
				s.Limits.Failures = 10
				s.endsIn(test.endsIn)
				s.remote.oauth = test.oauth
				_, err := s.do(t.Context(), "POST")
				classes(t, err, test.code)
				if google.MayHaveBeenApplied(err) {
					t.Errorf("nothing was sent: %v", err)
				}
				if s.remote.renewed() != test.renewals {
					t.Errorf("asked %d times, not %d", s.remote.renewed(), test.renewals)
				}
				if got := strings.Join(s.remote.bearers, " "); got != test.bearer {
					t.Errorf("sent with %q", got)
				}
				if test.code != model.CodeNotConnected && len(s.vault.expired) != 0 {
					t.Errorf("the connection was ended: %v", s.vault.expired)
				}
			})
		})
	}
}

func TestNoRefreshToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		s.vault.tokens[noa.Connection] = google.Token{Access: access1, Expiry: time.Now()}
		_, err := s.do(t.Context(), "GET")
		if shown := classes(t, err, model.CodeNotConnected); shown.ConnectURL == "" {
			t.Error("nobody says where to link")
		}
		same(t, "ends", s.vault.expired, []string{"noRefreshToken"})
	})
}

// A fault of the vault is ours: hidden from the caller, and no reason to think that Google was reached.
func TestVaultFails(t *testing.T) {
	t.Parallel()
	down := fmt.Errorf("the database: %w", refused)
	for name, prepare := range map[string]func(*stage){
		"reading": func(s *stage) { s.vault.err = down },
		"saving":  func(s *stage) { s.vault.saveErr = down; s.endsIn(0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, ok())
				prepare(s)
				_, err := s.do(t.Context(), "POST")
				classes(t, err, model.CodeInternal)
				if !errors.Is(err, refused) || google.MayHaveBeenApplied(err) || s.remote.calls() != 0 {
					t.Errorf("%d calls: %v", s.remote.calls(), err)
				}
			})
		})
	}
}

type panicking struct{ google.Vault }

func (panicking) Token(context.Context, google.Account) (google.Token, error) { panic(refresh1) }

func TestVaultPanics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, ok())
		s.Vault = panicking{}
		_, err := s.do(t.Context(), "GET")
		classes(t, err, model.CodeInternal)
	})
}

func TestScopes(t *testing.T) {
	t.Parallel()
	lacking := answer(403, nil,
		`{"error":{"code":403,"message":"Request had insufficient authentication scopes.","errors":[{"message":"Insufficient Permission","domain":"global","reason":"insufficientPermissions"}],"status":"PERMISSION_DENIED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT","domain":"googleapis.com"}]}}`)
	for _, test := range []struct {
		name   string
		wanted []string
		script step
		calls  int
		code   model.ErrorCode
		asked  string
	}{
		{"granted", []string{google.ScopeCalendarEvents}, ok(), 1, "", ""},
		{"nothing is said", nil, ok(), 1, "", ""},
		{"known to be missing", []string{google.ScopeCalendarEvents, google.ScopeFreeBusy}, ok(), 0, model.CodeNotConnected,
			google.ScopeFreeBusy},
		{"Google knows better", []string{google.ScopeCalendarEvents}, lacking, 1, model.CodeNotConnected,
			google.ScopeCalendarEvents},
		{"Google says so first", nil, lacking, 1, model.CodeNotConnected, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, test.script)
				ctx := t.Context()
				if test.wanted != nil {
					ctx = google.WithScopes(ctx, test.wanted...)
				}
				_, err := s.do(ctx, "POST")
				shown := classes(t, err, test.code)
				if s.remote.calls() != test.calls || google.MayHaveBeenApplied(err) {
					t.Errorf("%d calls: %v", s.remote.calls(), err)
				}
				if want := "https://almanac.example/connect/google?scopes=" + test.asked; shown != nil && shown.ConnectURL != want {
					t.Errorf("link with %q, not %q", shown.ConnectURL, want)
				}
			})
		})
	}
}

// The token goes nowhere else: not to another host, not over plain HTTP, not where a redirect points.
func TestTokenStaysWithGoogle(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"http://www.googleapis.com/calendar/v3/colors", "https://www.googleapis.com.evil.example/x",
		"https://evilgoogleapis.com/x",
		"https://evil.example/www.googleapis.com", "https://www.googleapis.com@evil.example/",
	} {
		s := newStage(t, ok())
		_, err := s.send(t.Context(), s.HTTP(t.Context(), noa, model.UpstreamGoogle), "GET", address)
		if s.remote.calls() != 0 || model.CodeOf(err) != model.CodeInternal {
			t.Errorf("%s: %d calls, %v", address, s.remote.calls(), err)
		}
	}
	for _, address := range []string{"https://WWW.googleapis.com/calendar/v3/colors",
		"https://gmail.googleapis.com/gmail/v1/users/me/profile"} {
		s := newStage(t, ok())
		if _, err := s.send(t.Context(), s.HTTP(t.Context(), noa, model.UpstreamGoogle), "GET", address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	s := newStage(t, answer(302, map[string]string{"Location": "https://sheets.googleapis.com/elsewhere"}, ""), ok())
	_, err := s.do(t.Context(), "GET")
	classes(t, err, model.CodeUpstreamUnavailable)
	if s.remote.calls() != 1 {
		t.Error("a redirect was followed")
	}
}

// The answers of two accounts never meet, also when they are one user's.
func TestAccountsAreApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, func(req *http.Request) (*http.Response, error) { return ok()(req) })
		other := noa
		other.Connection = model.UUID{3}
		s.vault.tokens[other.Connection] = google.Token{Access: "ya29.other", Refresh: "1//other",
			Expiry: time.Now().Add(time.Hour)}
		var all sync.WaitGroup
		for _, account := range []google.Account{noa, other} {
			all.Go(func() {
				req, _ := http.NewRequestWithContext(t.Context(), "GET", eventsURL, http.NoBody)
				res, err := s.HTTP(t.Context(), account, model.UpstreamGoogle).Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				if res.Request.Header.Get("Authorization") != "" {
					t.Error("the token is seen by the client library")
				}
			})
		}
		all.Wait()
		if len(s.remote.bearers) != 2 || s.remote.bearers[0] == s.remote.bearers[1] {
			t.Errorf("sent with %v", s.remote.bearers)
		}
	})
}
