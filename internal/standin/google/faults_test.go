package google_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"
	calendar "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/internal/standin/google"
)

func TestFaultAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	service := r.service(t)
	for _, c := range []struct {
		fault                   google.Fault
		domain, reason, message string
	}{
		{google.Fault{Status: 503}, "global", "backendError", "Backend Error"},
		{google.Fault{Status: 401}, "global", "authError", "Invalid Credentials"},
		{google.Fault{Status: 403}, "usageLimits", "userRateLimitExceeded", "User Rate Limit Exceeded"},
		{google.Fault{Status: 429, RetryAfter: 90 * time.Second}, "usageLimits", "rateLimitExceeded", "Rate Limit Exceeded"},
		{google.Fault{Status: 410, Domain: "calendar", Reason: "fullSyncRequired", Message: "Sync token is no longer valid."},
			"calendar", "fullSyncRequired", "Sync token is no longer valid."},
	} {
		c.fault.Method, c.fault.Times = "calendar.events.list", 1
		r.Inject(c.fault)
		if _, err := service.Events.Get("primary", "a").Do(); err != nil {
			t.Errorf("another method is struck: %v", err)
		}
		_, err := service.Events.List("primary").Do()
		e := wantError(t, c.reason, err, c.fault.Status, c.reason)
		if e.Message != c.message || field(t, e.Body, "error", "errors", 0, "domain") != c.domain {
			t.Errorf("the fault says %s", e.Body)
		}
		if wait := e.Header.Get("Retry-After"); (c.fault.RetryAfter != 0) != (wait == "90") {
			t.Errorf("Retry-After is %q", wait)
		}
		if _, err := service.Events.List("primary").Do(); err != nil {
			t.Errorf("a fault of one time strikes twice: %v", err)
		}
	}
	r.Inject(google.Fault{Method: "*", HTML: true})
	for range 3 {
		_, err := service.Events.List("primary").Do()
		var e *googleapi.Error
		if !errors.As(err, &e) || e.Code != http.StatusBadGateway || !strings.HasPrefix(e.Body, "<!DOCTYPE html>") {
			t.Errorf("a page instead of an answer: %v", err)
		}
	}
	r.Clear()
	if _, err := service.Events.List("primary").Do(); err != nil {
		t.Errorf("after Clear: %v", err)
	}
}

func TestFaultsAreCounted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	danas, noams := r.service(t), r.serviceWith(t, r.client(r.grant(t, noam, events).Access))
	r.Inject(google.Fault{Method: "calendar.events.list", Account: dana, After: 2, Times: 2, Status: 500})
	r.Inject(google.Fault{Method: "*", After: 5, Times: 1, Status: 404})
	var got []int
	for i := range 8 {
		service := danas
		if i == 1 { // somebody else's request counts for the second fault alone
			service = noams
		}
		_, err := service.Events.List("primary").Do()
		var e *googleapi.Error
		if errors.As(err, &e) {
			got = append(got, e.Code)
		} else {
			got = append(got, 200)
		}
	}
	if !same(got, []int{200, 200, 200, 500, 500, 404, 200, 200}) {
		t.Errorf("the faults strike as %v", got)
	}
	if n := r.calendar.count(); n != 5 {
		t.Errorf("the service was asked %d times", n)
	}
}

func TestEmptyPage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	service := r.service(t)
	r.Inject(google.Fault{Method: "*", Times: 2, EmptyPage: true})
	if _, err := service.Events.Get("primary", "a").Do(); err != nil { // no list, and not counted
		t.Fatal(err)
	}
	for _, first := range []string{"", "p7", "standin-empty-page.!"} {
		r.Clear()
		r.Inject(google.Fault{Method: "*", Times: 2, EmptyPage: true})
		var pages []int
		token := first
		for range 3 {
			list, err := service.Events.List("primary").PageToken(token).Do()
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, len(list.Items))
			if len(pages) < 3 && (list.NextPageToken == "" || list.NextSyncToken != "") {
				t.Errorf("an empty page has the tokens %q and %q", list.NextPageToken, list.NextSyncToken)
			}
			if got := r.calendar.last(t).Query.Get("pageToken"); got != first {
				t.Errorf("the service is asked for page %q, not %q", got, first)
			}
			token = list.NextPageToken
		}
		if !same(pages, []int{0, 0, 2}) {
			t.Errorf("from %q the pages have %v", first, pages)
		}
	}
	if found := r.violations(); found != nil {
		t.Errorf("an empty page breaks the description: %v", found)
	}
}

// TestBrokenConnections: each way to break is the same over TCP and in the process, and the service knows what it did.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	server := httptest.NewServer(r.Handler())
	defer server.Close()
	token := r.grant(t, dana, events).Access
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	overTCP, err := calendar.NewService(t.Context(),
		option.WithHTTPClient(&http.Client{Transport: bearer{token, transport}}),
		option.WithEndpoint(server.URL+"/calendar/v3/"))
	if err != nil {
		t.Fatal(err)
	}
	overTCP.UserAgent = "test (gzip)"
	inProcess := r.serviceWith(t, r.client(token))
	for name, service := range map[string]*calendar.Service{"TCP": overTCP, "in process": inProcess} {
		for _, c := range []struct {
			fault google.Fault
			calls int
			want  error
		}{
			{google.Fault{Reset: true}, 0, io.EOF},
			{google.Fault{LoseAnswer: true}, 1, io.EOF},
			{google.Fault{Truncate: true}, 1, io.ErrUnexpectedEOF},
		} {
			c.fault.Method, c.fault.Times = "calendar.events.insert", 1
			r.Inject(c.fault)
			before := r.calendar.count()
			event := &calendar.Event{Summary: "a", Start: &calendar.EventDateTime{Date: "2026-11-21"},
				End: &calendar.EventDateTime{Date: "2026-11-22"}}
			_, err := service.Events.Insert("primary", event).Do()
			if !errors.Is(err, c.want) {
				t.Errorf("%s, %+v: %v; want %v", name, c.fault, err, c.want)
			}
			if got := r.calendar.count() - before; got != c.calls {
				t.Errorf("%s, %+v: the service was asked %d times; want %d", name, c.fault, got, c.calls)
			}
			if _, err := service.Events.Insert("primary", event).Do(); err != nil {
				t.Errorf("%s: afterwards: %v", name, err)
			}
		}
	}
}

func TestLatency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		service := r.service(t)
		r.Inject(google.Fault{Method: "calendar.events.list", Latency: time.Minute})
		began := time.Now()
		if _, err := service.Events.List("primary").Do(); err != nil || time.Since(began) != time.Minute {
			t.Errorf("a slow answer takes %s (%v)", time.Since(began), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		began = time.Now()
		_, err := service.Events.List("primary").Context(ctx).Do()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 20*time.Second {
			t.Errorf("a client's deadline ends it after %s with %v", time.Since(began), err)
		}
		synctest.Wait()
		if r.calendar.count() != 1 {
			t.Error("what nobody waits for any more was done")
		}
	})
}

func TestWaitIsInjected(t *testing.T) {
	t.Parallel()
	var waited time.Duration
	r := newRig(t, func(o *google.Options) {
		o.Wait = func(_ context.Context, d time.Duration) error { waited += d; return nil }
	})
	r.Inject(google.Fault{Method: "*", Latency: time.Hour, Status: 503})
	_, err := r.service(t).Events.List("primary").Do()
	wantError(t, "slow and failing", err, http.StatusServiceUnavailable, "backendError")
	if waited != time.Hour {
		t.Errorf("waited %s", waited)
	}
}

func TestFaultsOfOAuth(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	old := &oauth2.Token{RefreshToken: r.grant(t, dana, events).Refresh}
	r.Inject(google.Fault{Method: "oauth.token", Times: 1, Status: 400, Reason: "invalid_grant",
		Message: "Token has been expired or revoked."})
	r.Inject(google.Fault{Method: "oauth.token", Times: 1, Status: 503})
	r.Inject(google.Fault{Method: "oauth.token", Times: 1, HTML: true})
	r.Inject(google.Fault{Method: "oauth.token", Times: 1, LoseAnswer: true})
	r.Inject(google.Fault{Method: "*", Status: 500}) // of the APIs, not of OAuth
	refresh := func() error { _, err := config().TokenSource(r.ctx(t), old).Token(); return err }
	wantOAuthError(t, "the first", refresh(), http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked.")
	wantOAuthError(t, "the second", refresh(), http.StatusServiceUnavailable, "internal_failure", "Service Unavailable")
	var e *oauth2.RetrieveError
	if err := refresh(); !errors.As(err, &e) || e.Response.StatusCode != http.StatusBadGateway || e.ErrorCode != "" {
		t.Errorf("the third: %v", err)
	}
	if err := refresh(); !errors.Is(err, io.EOF) {
		t.Errorf("the fourth: %v", err)
	}
	if err := refresh(); err != nil {
		t.Errorf("the fifth: %v", err)
	}
	r.Clear()
	r.Inject(google.Fault{Method: "oauth.revoke", Status: 503})
	if response, _ := r.post(t, revokeURL,
		url.Values{"token": {old.RefreshToken}}); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a failing revocation: %d", response.StatusCode)
	}
	if err := refresh(); err != nil {
		t.Errorf("after a revocation that failed: %v", err)
	}
}
