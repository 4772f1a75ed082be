package google

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"almanac/adapters/remote"
)

func TestReadProblem(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		want       problem
	}{
		{"both forms",
			`{"error":{"code":403,"message":"No scope.","errors":[{"domain":"global","reason":"insufficientPermissions"}],"status":"PERMISSION_DENIED","details":[{"@type":"t","reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}}`,
			problem{message: "No scope.", status: "PERMISSION_DENIED",
				reasons: []string{"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"}}},
		{"the same reason twice", `{"error":{"errors":[{"reason":"a","message":"first"},{"reason":"a"}]}}`,
			problem{message: "first", reasons: []string{"a"}}},
		{"the token endpoint's", `{"error":"invalid_grant","error_description":"Bad Request"}`,
			problem{message: "Bad Request", oauth: "invalid_grant"}},
		{"no object", `[]`, problem{}},
		{"a list", `[{"error":{"message":"m"}}]`, problem{message: "m"}},
		{"HTML", `<html>`, problem{}},
		{"nothing", ``, problem{}},
		{"another object", `{"items":[]}`, problem{}},
		{"null", `{"error":null}`, problem{}},
		{"wrong types", `{"error":{"message":[1],"errors":{}}}`, problem{}},
		{"a reason that is none", `{"error":{"errors":[{"reason":"<b>"},{"reason":"ok_1.2-x"}]}}`,
			problem{reasons: []string{"ok_1.2-x"}}},
	} {
		got := readProblem([]byte(test.body))
		if got.message != test.want.message || got.status != test.want.status || got.oauth != test.want.oauth ||
			!slices.Equal(got.reasons, test.want.reasons) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

func FuzzReadProblem(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, `{"error":"invalid_grant"}`, `<html><body>502</body></html>`,
		`{"error":{"code":403,"message":"User Rate Limit Exceeded","errors":[{"domain":"usageLimits","reason":"userRateLimitExceeded"}]}}`,
		`[{"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND","details":[null,1,{"reason":"X"}]}}]`,
		"{\"error\":{\"message\":\"\u202eabc\\u0000\xff\",\"errors\":[{\"reason\":\"a b\"}]}}",
		`{"error":{"message":"User-rate limit exceeded.  Retry after 2026-11-21T10:15:00.123Z"}}`,
		`{"error":` + strings.Repeat(`[`, 2000), strings.Repeat(`[{"error":`, 500),
	} {
		f.Add([]byte(seed), 403)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		said := readProblem(body)
		if !utf8.ValidString(said.message) || utf8.RuneCountInString(said.message) > maxText {
			t.Errorf("the message is %q", said.message)
		}
		for _, r := range said.message {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Errorf("the message %q holds %U", said.message, r)
			}
		}
		if len(said.reasons) > maxReasons {
			t.Errorf("%d reasons", len(said.reasons))
		}
		for _, name := range append(slices.Clone(said.reasons), said.status, said.oauth, said.reason()) {
			if name != remote.Identifier(name, "") {
				t.Errorf("the name %q", name)
			}
		}
		if said.limited(status) && said.lacksScope(status) && status == 429 {
			t.Error("two things at once")
		}
		_, _ = said.retryAt()
		if again := remote.OneLine(said.message, maxText, nil); again != said.message {
			t.Errorf("cleaned twice %q becomes %q", said.message, again)
		}
	})
}

func TestMemoryOfAnAccountIsBounded(t *testing.T) {
	t.Parallel()
	c := &Clients{}
	c.once.Do(c.prepare)
	state := c.newState()
	for i := range 100 {
		state.host(string(rune('a'+i)), c.caller)
	}
	if n := state.hosts.Len(); n > maxHosts {
		t.Errorf("%d breakers of one account", n)
	}
}

func TestLimitsProject(t *testing.T) {
	t.Parallel()
	said := func(reason, message string) string {
		return `{"error":{"code":403,"message":"` + message + `","errors":[{"domain":"usageLimits","reason":"` + reason +
			`"}]}}`
	}
	for _, test := range []struct {
		status       int
		body         string
		limited, all bool
	}{
		{429, ``, true, true},
		{429, said("rateLimitExceeded", "Rate Limit Exceeded"), true, true},
		{403, said("rateLimitExceeded", "Rate Limit Exceeded"), true, true},
		{403, said("rateLimitExceeded", "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of "+
			"service 'calendar-json.googleapis.com' for consumer 'project_number:1'."), true, true},
		{403, said("quotaExceeded", "Quota exceeded."), false, true},
		{403, said("dailyLimitExceeded", "Daily Limit Exceeded"), false, true},
		{403, said("rateLimitExceeded", "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per "+
			"user' of service 'calendar-json.googleapis.com' for consumer 'project_number:1'."), true, false},
		{403, said("userRateLimitExceeded", "User Rate Limit Exceeded"), true, false},
		{429, said("userRateLimitExceeded", "Slow down"), true, false},
		{429, said("rateLimitExceeded", "Too many concurrent requests for user"), true, false},
		{403, said("quotaExceeded", "Calendar usage limits exceeded."), false, false},
		{403, said("forbidden", "Forbidden"), false, false},
		{503, ``, false, false},
	} {
		p := readProblem([]byte(test.body))
		if limited, all := p.limited(test.status), p.limitsProject(test.status); limited != test.limited || all != test.all {
			t.Errorf("%d %s: limited %v, the project %v", test.status, test.body, limited, all)
		}
	}
}
