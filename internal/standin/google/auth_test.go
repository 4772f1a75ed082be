package google_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/api/googleapi"

	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

func TestBearer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	good := r.grant(t, dana, events).Access
	const url = calendarV3 + "calendars/primary/events/a"
	for name, c := range map[string]struct {
		header, url       string
		reason, challenge string
	}{
		"none":  {"", url, "required", "Bearer realm=\"https://accounts.google.com/\""},
		"basic": {"Basic " + good, url, "required", "Bearer realm=\"https://accounts.google.com/\""},
		"unknown": {"Bearer ya29.other", url, "authError",
			"Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\""},
		"empty": {"Bearer ", url, "authError",
			"Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\""},
		"in the query": {"", url + "?access_token=" + good, "required", "Bearer realm=\"https://accounts.google.com/\""},
	} {
		response, body := get(t, r.client(""), c.url, "Authorization", c.header)
		if response.StatusCode != http.StatusUnauthorized || field(t, body, "error", "errors", 0, "reason") != c.reason ||
			field(t, body, "error", "status") != "UNAUTHENTICATED" ||
			field(t, body, "error", "errors", 0, "location") != "Authorization" ||
			response.Header.Get("WWW-Authenticate") != c.challenge {
			t.Errorf("%s: %d %s, challenge %s", name, response.StatusCode, body, response.Header.Get("WWW-Authenticate"))
		}
	}
	service := r.serviceWith(t, r.client("ya29.other"))
	_, err := service.Events.Get("primary", "a").Do()
	if e := wantError(t, "an unknown token", err, http.StatusUnauthorized,
		"authError"); e.Message != "Invalid Credentials" {
		t.Errorf("the message is %q", e.Message)
	}
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	try := func(token string) int {
		response, _ := get(t, r.client(token), calendarV3+"calendars/primary/events/a")
		return response.StatusCode
	}
	first := r.grant(t, dana, events)
	if first.Expiry.Sub(start) != 3599*time.Second {
		t.Errorf("a token ends at %s", first.Expiry)
	}
	r.clock.pass(3598 * time.Second)
	if got := try(first.Access); got != http.StatusOK {
		t.Errorf("a second before its end a token gives %d", got)
	}
	r.clock.pass(time.Second)
	if got := try(first.Access); got != http.StatusUnauthorized {
		t.Errorf("at its end a token gives %d", got)
	}
	second, other := r.grant(t, dana, events), r.grant(t, noam, events)
	r.ExpireAccessTokens("Dana@Example.com")
	if try(second.Access) != http.StatusUnauthorized || try(other.Access) != http.StatusOK {
		t.Error("ExpireAccessTokens does not end the tokens of the one account")
	}
	third := r.grant(t, dana, events)
	r.RevokeGrant(dana)
	if try(third.Access) != http.StatusUnauthorized || try(other.Access) != http.StatusOK {
		t.Error("RevokeGrant does not end the tokens of the one account")
	}
	r.RemoveAccount(noam)
	if try(other.Access) != http.StatusUnauthorized || len(r.Accounts()) != 1 {
		t.Error("a removed account can still be used")
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	service := r.serviceWith(t, r.client(r.grant(t, dana, readonly).Access))
	if _, err := service.Events.List("primary").Do(); err != nil {
		t.Error(err)
	}
	err := service.Events.Delete("primary", "a").Do()
	e := wantError(t, "a deletion with a scope for reading", err, http.StatusForbidden, "insufficientPermissions")
	if e.Message != "Request had insufficient authentication scopes." ||
		field(t, e.Body, "error", "status") != "PERMISSION_DENIED" ||
		field(t, e.Body, "error", "details", 0, "reason") != "ACCESS_TOKEN_SCOPE_INSUFFICIENT" ||
		field(t, e.Body, "error", "details", 0, "metadata", "method") != "calendar.events.delete" || len(e.Details) != 1 {
		t.Errorf("the error is %s", e.Body)
	}
	if challenge := e.Header.Get("WWW-Authenticate"); !strings.Contains(challenge, "insufficient_scope") ||
		!strings.Contains(challenge, events) {
		t.Errorf("the challenge is %s", challenge)
	}
	if r.calendar.count() != 1 {
		t.Error("the service was asked without the scope")
	}
}

// TestServiceProblems: what a service refuses arrives in Google's envelope, and what goes wrong in it stays inside.
func TestServiceProblems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	service := r.service(t)
	for _, c := range []struct {
		problem *wire.Problem
		status  any
	}{
		{&wire.Problem{
			Status: 400, Domain: "calendar", Reason: "timeRangeEmpty", Message: "The specified time range is empty.",
			LocationType: "parameter", Location: "timeMax",
		}, nil},
		{&wire.Problem{Status: 412, Domain: "global", Reason: "conditionNotMet", Message: "Precondition Failed",
			LocationType: "header", Location: "If-Match"}, nil},
		{&wire.Problem{Status: 404, Domain: "global", Reason: "notFound", Message: "לא נמצא"}, nil},
		{&wire.Problem{Status: 403, Domain: "usageLimits", Reason: "quotaExceeded",
			Message: "Calendar usage limits exceeded.", RetryAfter: 1500 * time.Millisecond}, nil},
	} {
		r.calendar.answer(func(wire.Call) (wire.Reply, error) { return wire.Reply{}, c.problem })
		_, err := service.Events.Get("primary", "a").Do()
		e := wantError(t, c.problem.Reason, err, c.problem.Status, c.problem.Reason)
		item, _ := field(t, e.Body, "error", "errors", 0).(map[string]any)
		if e.Message != c.problem.Message || item["domain"] != c.problem.Domain || item["message"] != c.problem.Message ||
			!same(item["location"], orNil(c.problem.Location)) || !same(item["locationType"], orNil(c.problem.LocationType)) {
			t.Errorf("%s arrives as %s", c.problem.Reason, e.Body)
		}
		if c.problem.RetryAfter > 0 && e.Header.Get("Retry-After") != "2" {
			t.Errorf("Retry-After is %q", e.Header.Get("Retry-After"))
		}
	}
	r.calendar.answer(func(wire.Call) (wire.Reply, error) { return wire.Reply{}, errors.New("a secret of the inside") })
	_, err := service.Events.Get("primary", "a").Do()
	e := wantError(t, "a failing service", err, http.StatusInternalServerError, "backendError")
	if strings.Contains(e.Body, "secret") {
		t.Errorf("the cause leaks: %s", e.Body)
	}
	r.gmail.answer(func(wire.Call) (wire.Reply, error) {
		return wire.Reply{}, &wire.Problem{Status: 404, Domain: "global", Reason: "notFound",
			Message: "Requested entity was not found."}
	})
	_, body := get(t, r.client(r.grant(t, dana, "https://mail.google.com/").Access),
		"https://gmail.googleapis.com/gmail/v1/users/me/messages/1")
	if field(t, body, "error", "status") != "NOT_FOUND" {
		t.Errorf("Gmail's error has no status: %s", body)
	}
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func TestQuota(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *google.Options) {
		o.Quota = google.Quota{PerAccount: 10, PerProject: 15, Cost: map[string]int{"calendar.events.list": 4}}
	})
	danas, noams := r.service(t), r.serviceWith(t, r.client(r.grant(t, noam, events).Access))
	list := func() error { _, err := danas.Events.List("primary").Do(); return err }
	if err := errors.Join(list(), list()); err != nil { // 8 units
		t.Fatal(err)
	}
	e := wantError(t, "over the account's limit", list(), http.StatusForbidden, "userRateLimitExceeded")
	if field(t, e.Body, "error", "errors", 0, "domain") != "usageLimits" || e.Header.Get("Retry-After") != "" {
		t.Errorf("the error is %s with Retry-After %q", e.Body, e.Header.Get("Retry-After"))
	}
	for range 2 { // what was refused does not count, and what takes one unit still fits
		if _, err := danas.Events.Get("primary", "a").Do(); err != nil {
			t.Error(err)
		}
	}
	for range 5 { // 15 units of the project are used now
		if _, err := noams.Events.Get("primary", "a").Do(); err != nil {
			t.Error(err)
		}
	}
	_, err := noams.Events.Get("primary", "a").Do()
	wantError(t, "over the project's limit", err, http.StatusForbidden, "rateLimitExceeded")
	r.clock.pass(59 * time.Second)
	wantError(t, "a second too early", list(), http.StatusForbidden, "userRateLimitExceeded")
	r.clock.pass(time.Second)
	if err := list(); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestQuotaSlides(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *google.Options) { o.Quota = google.Quota{PerAccount: 3, TooMany: true} })
	service := r.service(t)
	ask := func() error { _, err := service.Events.Get("primary", "a").Do(); return err }
	for range 3 { // at seconds 0, 10 and 20
		if err := ask(); err != nil {
			t.Fatal(err)
		}
		r.clock.pass(10 * time.Second)
	}
	for i, wait := range []string{"30", "10", "10"} { // the windows of each second slide, not the minute of the clock
		e := wantError(t, "over the limit", ask(), http.StatusTooManyRequests, "rateLimitExceeded")
		if e.Header.Get("Retry-After") != wait {
			t.Errorf("%d: Retry-After is %q; want %s", i, e.Header.Get("Retry-After"), wait)
		}
		seconds, _ := time.ParseDuration(wait + "s")
		r.clock.pass(seconds)
		if err := ask(); err != nil {
			t.Errorf("%d: after Retry-After: %v", i, err)
		}
	}
	r.clock.pass(-time.Hour) // a clock that goes back breaks nothing
	var e *googleapi.Error
	if err := ask(); err != nil && !errors.As(err, &e) {
		t.Error(err)
	}
}
