package google_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// said is the error that the client library makes of an answer.
func said(status int, body string, header ...string) error {
	h := http.Header{}
	for name, value := range pairs(header) {
		h.Set(name, value)
	}
	return googleapi.CheckResponse(&http.Response{StatusCode: status, Header: h,
		Body: io.NopCloser(strings.NewReader(body))})
}

func TestClassifyAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status          int
		domain, reason  string
		message         string
		header          []string
		code            model.ErrorCode
		retry           time.Duration
		contains, hides string
	}{
		// Calendar
		{status: 400, domain: "calendar", reason: "timeRangeEmpty", message: "The specified time range is empty.",
			code: model.CodeUpstreamRejected, contains: "The specified time range is empty."},
		{status: 400, domain: "global", reason: "required", message: "Missing end time.", code: model.CodeUpstreamRejected,
			contains: "Missing end time."},
		{status: 400, domain: "global", reason: "invalid", message: "Invalid Value", code: model.CodeUpstreamRejected},
		{status: 400, domain: "global", reason: "parseError", message: "Parse Error", code: model.CodeUpstreamRejected},
		{status: 401, domain: "global", reason: "authError", message: "Invalid Credentials", code: model.CodeNotConnected,
			hides: "Credentials"},
		{status: 401, domain: "global", reason: "required", message: "Login Required.", code: model.CodeNotConnected},
		{status: 403, domain: "usageLimits", reason: "userRateLimitExceeded", message: "User Rate Limit Exceeded",
			code: model.CodeUpstreamRateLimited},
		{status: 403, domain: "usageLimits", reason: "rateLimitExceeded", message: "Rate Limit Exceeded", header: []string{
			"Retry-After", "1"}, code: model.CodeUpstreamRateLimited, retry: sec, contains: "in 1 second."},
		{status: 403, domain: "usageLimits", reason: "quotaExceeded", message: "Calendar usage limits exceeded.",
			code: model.CodeUpstreamRateLimited, contains: "a day"},
		{status: 403, domain: "usageLimits", reason: "dailyLimitExceeded", message: "Daily Limit Exceeded",
			code: model.CodeNotConfigured},
		{status: 403, domain: "usageLimits", reason: "accessNotConfigured",
			message: "Google Calendar API has not been used in project 12345 before or it is disabled.",
			code:    model.CodeNotConfigured, hides: "12345"},
		{status: 403, domain: "global", reason: "insufficientPermissions", message: "Insufficient Permission",
			code: model.CodeNotConnected},
		{status: 403, domain: "global", reason: "forbidden", message: "Forbidden", code: model.CodeUpstreamRejected,
			contains: "Forbidden"},
		{status: 403, domain: "calendar", reason: "forbiddenForNonOrganizer",
			message: "Shared properties can only be changed by the organizer of the event.", code: model.CodeUpstreamRejected},
		{status: 403, domain: "calendar", reason: "requiredAccessLevel",
			message: "You need to have writer access to this calendar.", code: model.CodeUpstreamRejected},
		{status: 404, domain: "global", reason: "notFound", message: "Not Found", code: model.CodeNotFound},
		{status: 409, domain: "global", reason: "duplicate", message: "The requested identifier already exists.",
			code: model.CodeConflict, contains: "already exists"},
		{status: 409, domain: "global", reason: "conflict", message: "Conflict", code: model.CodeConflict},
		{status: 410, domain: "calendar", reason: "fullSyncRequired",
			message: "Sync token is no longer valid, a full sync is required.", code: model.CodeUpstreamRejected},
		{status: 410, domain: "global", reason: "deleted", message: "Resource has been deleted", code: model.CodeNotFound},
		{status: 412, domain: "global", reason: "conditionNotMet", message: "Precondition Failed", code: model.CodeConflict},
		{status: 429, domain: "usageLimits", reason: "rateLimitExceeded", message: "Rate Limit Exceeded", header: []string{
			"Retry-After", "12"}, code: model.CodeUpstreamRateLimited, retry: 12 * sec, contains: "in 12 seconds."},
		{status: 429, domain: "usageLimits", reason: "rateLimitExceeded",
			header: []string{"Retry-After", "Sat, 21 Nov 2026 10:00:30 GMT", "Date", "Sat, 21 Nov 2026 10:00:00 GMT"},
			code:   model.CodeUpstreamRateLimited, retry: 30 * sec},
		{status: 500, domain: "global", reason: "backendError", message: "Backend Error",
			code: model.CodeUpstreamUnavailable},
		{status: 503, domain: "global", reason: "backendError", message: "Backend Error",
			header: []string{"Retry-After", "9"}, code: model.CodeUpstreamUnavailable, retry: 9 * sec},
		// Gmail
		{status: 400, domain: "global", reason: "failedPrecondition", message: "Mail service not enabled",
			code: model.CodeUpstreamRejected, contains: "Mail service not enabled"},
		{status: 400, domain: "global", reason: "invalidArgument", message: "Invalid label: תווית",
			code: model.CodeUpstreamRejected, contains: "תווית"},
		{status: 403, domain: "global", reason: "domainPolicy",
			message: "The domain administrators have disabled Gmail apps.", code: model.CodeUpstreamRejected},
		{status: 429, domain: "usageLimits", reason: "userRateLimitExceeded",
			message: "User-rate limit exceeded.  Retry after 2026-11-21T10:15:00.123Z", header: []string{"Date",
				"Sat, 21 Nov 2026 10:00:00 GMT"}, code: model.CodeUpstreamRateLimited, retry: 15*time.Minute + 123*ms},
	} {
		t.Run(fmt.Sprint(test.status, " ", test.reason), func(t *testing.T) {
			t.Parallel()
			raw := said(test.status, envelope(test.status, test.domain, test.reason, test.message), test.header...)
			err := google.Classify(raw)
			shown := classes(t, err, test.code)
			if shown.RetryAfter != test.retry {
				t.Errorf("again in %v, not %v", shown.RetryAfter, test.retry)
			}
			if test.code == model.CodeUpstreamRejected && shown.Reason != test.reason ||
				test.code != model.CodeUpstreamRejected && shown.Reason != "" {
				t.Errorf("the reason is %q", shown.Reason)
			}
			if !strings.Contains(shown.Message, test.contains) {
				t.Errorf("%q does not hold %q", shown.Message, test.contains)
			}
			if test.hides != "" && strings.Contains(shown.Message, test.hides) {
				t.Errorf("%q holds %q", shown.Message, test.hides)
			}
			for _, seen := range []error{raw, err, fmt.Errorf("events: %w", err)} {
				if google.Status(seen) != test.status || google.Reason(seen) != test.reason {
					t.Errorf("status %d, reason %q of %T", google.Status(seen), google.Reason(seen), seen)
				}
				if google.MayHaveBeenApplied(seen) != (test.status >= 500) {
					t.Errorf("MayHaveBeenApplied is %v of %T", google.MayHaveBeenApplied(seen), seen)
				}
				if google.IsGone(seen) != (test.status == 410) || google.IsPrecondition(seen) != (test.status == 412) ||
					google.IsDuplicate(seen) != (test.reason == "duplicate") || google.IsInvalidGrant(seen) ||
					google.IsNotModified(seen) {
					t.Errorf("taken for something else: %v", seen)
				}
			}
			if again := google.Classify(err); !errors.Is(again, err) || !errors.Is(err, again) {
				t.Errorf("classified twice it is another: %v", again)
			}
		})
	}
}

func TestClassifyForms(t *testing.T) {
	t.Parallel()
	timeout := &net.OpError{Op: "read", Net: "tcp", Err: timedOut{}}
	dialTimeout := &net.OpError{Op: "dial", Net: "tcp", Err: timedOut{}}
	wrap := func(err error) error { return &url.Error{Op: "Get", URL: eventsURL + "?q=secret", Err: err} }
	var syntax, mistyped error
	syntax = json.Unmarshal([]byte(`<html>`), new(struct{}))
	mistyped = json.Unmarshal([]byte(`{"a":"noa@example.com"}`), new(struct{ A int }))
	coded := &model.Error{Code: model.CodeForbidden, Message: "No."}
	plain := errors.New("a bug")
	for _, test := range []struct {
		name    string
		err     error
		code    model.ErrorCode
		reason  string
		unknown bool
	}{
		{"nothing", nil, "", "", false},
		{"a code of ours", fmt.Errorf("inside: %w", coded), model.CodeForbidden, "", false},
		{"a code of ours in the client's", wrap(coded), model.CodeForbidden, "", true},
		{"a bug", plain, model.CodeInternal, "", false},
		{"a new API's envelope", said(403, `{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}`),
			model.CodeUpstreamRejected, "PERMISSION_DENIED", false},
		{"a service that is off",
			said(403,
				`{"error":{"code":403,"message":"Off in 12345.","status":"PERMISSION_DENIED","details":[{"reason":"SERVICE_DISABLED"}]}}`), model.CodeNotConfigured, "SERVICE_DISABLED", false},
		{"details of many kinds",
			said(429,
				`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[1,"x",null,{"reason":7},{"reason":"RATE_LIMIT_EXCEEDED"}]}}`), model.CodeUpstreamRateLimited, "RATE_LIMIT_EXCEEDED", false},
		{"a list around it",
			said(404, `[{"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND"}}]`),
			model.CodeNotFound, "NOT_FOUND", false},
		{"HTML 502", said(502, `<html>noa@example.com</html>`), model.CodeUpstreamUnavailable, "", true},
		{"HTML 403", said(403, `<html>noa@example.com</html>`), model.CodeUpstreamRejected, "", false},
		{"no body", said(403, ``), model.CodeUpstreamRejected, "", false},
		{"a library's own error", &googleapi.Error{Code: 403, Errors: []googleapi.ErrorItem{{Reason: "rateLimitExceeded"}}},
			model.CodeUpstreamRateLimited, "rateLimitExceeded", false},
		{"a library's details", &googleapi.Error{Code: 403, Details: []any{map[string]any{"reason": "SERVICE_DISABLED"}, 3}},
			model.CodeNotConfigured, "SERVICE_DISABLED", false},
		{"a revoked grant", wrap(&oauth2.RetrieveError{Response: &http.Response{StatusCode: 400}, ErrorCode: "invalid_grant",
			Body: []byte(refresh1)}), model.CodeNotConnected, "invalid_grant", false},
		{"a client that is unknown", wrap(&oauth2.RetrieveError{Response: &http.Response{StatusCode: 401},
			ErrorCode: "invalid_client"}), model.CodeNotConfigured, "invalid_client", false},
		{"a tired token endpoint", wrap(&oauth2.RetrieveError{Response: &http.Response{StatusCode: 500, Status: "500"},
			Body: []byte(refresh1)}), model.CodeUpstreamUnavailable, "", false},
		{"a token error without an answer", &oauth2.RetrieveError{ErrorCode: "temporarily_unavailable"},
			model.CodeUpstreamUnavailable, "temporarily_unavailable", false},
		{"reset", wrap(reset), model.CodeUpstreamUnavailable, "", true},
		{"refused", wrap(refused), model.CodeUpstreamUnavailable, "", false},
		{"no such host", wrap(&net.DNSError{Err: "no such host", Name: "www.googleapis.com", IsNotFound: true}),
			model.CodeUpstreamUnavailable, "", false},
		{"slow to connect", wrap(dialTimeout), model.CodeUpstreamUnavailable, "", false},
		{"slow to answer", wrap(timeout), model.CodeTimeout, "", true},
		{"the deadline", context.DeadlineExceeded, model.CodeTimeout, "", true},
		{"the deadline in the client", wrap(context.DeadlineExceeded), model.CodeTimeout, "", true},
		{"cancelled", wrap(context.Canceled), model.CodeTimeout, "", true},
		{"not JSON", syntax, model.CodeUpstreamUnavailable, "", true},
		{"another JSON", mistyped, model.CodeUpstreamUnavailable, "", true},
		{"half a body", io.ErrUnexpectedEOF, model.CodeUpstreamUnavailable, "", true},
		{"an empty body", fmt.Errorf("decoding: %w", io.EOF), model.CodeUpstreamUnavailable, "", true},
		{"an address within an address", wrap(wrap(reset)), model.CodeUpstreamUnavailable, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := google.Classify(test.err)
			classes(t, err, test.code)
			if got := google.Reason(err); got != test.reason {
				t.Errorf("the reason is %q", got)
			}
			if google.MayHaveBeenApplied(test.err) != test.unknown {
				t.Errorf("MayHaveBeenApplied is %v", !test.unknown)
			}
			root := test.err
			if wrapped, ok := errors.AsType[*url.Error](root); ok {
				root = wrapped.Err
			}
			if root != nil && !errors.Is(err, root) && !errors.Is(root, err) {
				t.Errorf("the cause is lost: %v", err)
			}
		})
	}
	if got := google.Classify(plain); !errors.Is(got, plain) || got.Error() != plain.Error() {
		t.Error("a bug is no longer itself")
	}
}

type timedOut struct{}

func (timedOut) Error() string   { return "i/o timeout" }
func (timedOut) Timeout() bool   { return true }
func (timedOut) Temporary() bool { return true }
func (timedOut) Is(err error) bool {
	return err == context.DeadlineExceeded //nolint:errorlint // as net's own does
}

// Google's words are text from outside.
func TestMessagesAreCleaned(t *testing.T) {
	t.Parallel()
	message := "bad\x00\x1b[31m \u202eright to left\u202c\n\n  “quoted” שלום\u200b " + strings.Repeat("x", 1000)
	body, err := json.Marshal(map[string]any{"error": map[string]any{"code": 400, "message": message,
		"errors": []any{map[string]any{"reason": "in valid\n"}, map[string]any{"reason": "invalid"}}}})
	if err != nil {
		t.Fatal(err)
	}
	shown := classes(t, google.Classify(said(400, string(body))), model.CodeUpstreamRejected)
	if !strings.Contains(shown.Message, "bad [31m right to left “quoted” שלום xxx") ||
		!strings.HasSuffix(shown.Message, "x…”") {
		t.Errorf("the message is %q", shown.Message)
	}
	if n := len([]rune(shown.Message)); n > 400 {
		t.Errorf("it has %d characters", n)
	}
	if shown.Reason != "invalid" {
		t.Errorf("the reason is %q", shown.Reason)
	}
}

// What the server writes into its log of a failure is the cause's text.
func TestOperatorsSeeWhatToEnable(t *testing.T) {
	t.Parallel()
	err := google.Classify(said(403, envelope(403, "usageLimits", "accessNotConfigured", "Enable it in project 12345.")))
	shown := classes(t, err, model.CodeNotConfigured)
	if !strings.Contains(shown.Cause.Error(), "Enable it in project 12345.") {
		t.Errorf("the log says %q", shown.Cause)
	}
	err = google.Classify(said(400, envelope(400, "global", "invalid", "Invalid attendee "+address)))
	if cause := errors.Unwrap(err); bytes.Contains([]byte(cause.Error()), []byte("attendee")) {
		t.Errorf("the log quotes a user: %v", cause)
	}
}
