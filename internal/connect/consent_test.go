package connect

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/google"
)

// What the user does not want is not linked, and is no failure.
func TestDenied(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	b := newBrowser(t)
	consent := h.begin(b, h.URL(alice, nil, ""))
	denied := b.do(http.MethodPost, consent, url.Values{"account": {yael}, "decision": {"cancel"}})
	got := b.get(denied.location())
	if got.status != http.StatusOK || !strings.Contains(got.body, "Nothing was linked") ||
		!strings.Contains(got.body, "nothing has changed") {
		t.Fatalf("%d\n%s", got.status, got.body)
	}
	if len(h.connections(alice)) != 0 || h.calls("oauth.token") != 0 {
		t.Error("something was linked")
	}
	// The way back leads through the page once more.
	if done := h.linkWith(b, h.Base.Scheme+"://"+h.Base.Host+got.link(), yael); done.status != http.StatusOK {
		t.Errorf("the second try: %d\n%s", done.status, done.body)
	}
	h.connection(alice, yael)

	for _, reason := range []string{"server_error", "<script>", "temporarily_unavailable&x=" + strings.Repeat("y", 100)} {
		state := stateOf(t, h.begin(b, h.URL(alice, nil, "")))
		got := b.get(RedirectURI(h.Base) + "?" + url.Values{"state": {state}, "error": {reason}}.Encode())
		if got.status != http.StatusBadGateway || !strings.Contains(got.body, "UPSTREAM_REJECTED") ||
			strings.Contains(got.body, reason) {
			t.Errorf("%q: %d\n%s", reason, got.status, got.body)
		}
	}
	if strings.Contains(h.logs.String(), "script") || !strings.Contains(h.logs.String(), `"reason":"server_error"`) {
		t.Errorf("the log:\n%s", h.logs)
	}
}

// Scopes can be unticked: what is granted is stored, what is not is said, and a second link asks for the rest.
func TestUntickedScopes(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	b := newBrowser(t)
	done := h.linkWith(b, h.URL(alice, nil, ""), yael, google.ScopeCalendarEvents)
	if done.status != http.StatusOK || !strings.Contains(done.body, "This was not granted") || !strings.Contains(done.body,
		"<li>see and change the events") || strings.Contains(done.body, "<li>see the list") {
		t.Fatalf("%d\n%s", done.status, done.body)
	}
	first := h.connection(alice, yael)
	if missing := h.Missing(first); !slices.Equal(missing, []string{google.ScopeCalendarEvents}) {
		t.Errorf("stored are %v", first.Scopes)
	}
	h.clock.Advance(time.Minute)
	consent := h.begin(b, h.Base.Scheme+"://"+h.Base.Host+done.link())
	if q := queryOf(t, consent); q.Get("login_hint") != yael || q.Get("prompt") != "consent" {
		t.Errorf("the second time Google is asked %v", q)
	}
	if done = b.get(h.agree(b, consent, yael)); strings.Contains(done.body, "This was not granted") {
		t.Errorf("%d\n%s", done.status, done.body)
	}
	second := h.connection(alice, yael)
	if second.ID != first.ID || second.Number != 1 || !second.LinkedAt.Equal(first.LinkedAt) || h.Missing(second) != nil ||
		len(h.connections(alice)) != 1 {
		t.Errorf("linked anew it is %+v, first %+v", second, first)
	}
}

func TestNothingGranted(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	done := h.linkWith(newBrowser(t), h.URL(alice, nil, ""), yael, CalendarScopes(false)...)
	if done.status != http.StatusOK || !strings.Contains(done.body, "You agreed to none") || done.link() == "" {
		t.Errorf("%d\n%s", done.status, done.body)
	}
	if len(h.connections(alice)) != 0 {
		t.Error("something was linked")
	}
}

// New scopes are asked for beside the old ones, which stay; Google shows its consent page only where that is needed.
func TestIncrementalConsent(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.mustLink(alice, yael)
	b := newBrowser(t)
	for _, c := range []struct {
		scopes  []string
		account string
		prompt  string
	}{
		{nil, yael, ""},
		{[]string{google.ScopeFreeBusy}, yael, ""},
		{[]string{google.ScopeCalendarEvents, "https://www.googleapis.com/auth/calendar.settings.readonly"}, yael, "consent"},
		{nil, omer, "consent"},
		{nil, "", "consent select_account"},
	} {
		q := queryOf(t, h.begin(b, h.URL(alice, c.scopes, c.account)))
		if q.Get("prompt") != c.prompt || q.Get("login_hint") != c.account || q.Get("include_granted_scopes") != "true" ||
			q.Get("access_type") != "offline" || q.Get("code_challenge_method") != "S256" {
			t.Errorf("%v for %q asks %v", c.scopes, c.account, q)
		}
		for _, scope := range append([]string{ScopeEmail, ScopeOpenID}, c.scopes...) {
			if !slices.Contains(strings.Fields(q.Get("scope")), scope) {
				t.Errorf("%v for %q does not ask for %s", c.scopes, c.account, scope)
			}
		}
	}
	const more = "https://www.googleapis.com/auth/calendar.settings.readonly"
	refresh := h.token(h.connection(alice, yael)).Refresh
	if done := h.linkWith(b, h.URL(alice, []string{more}, yael), yael); done.status != http.StatusOK {
		t.Fatalf("%d\n%s", done.status, done.body)
	}
	c := h.connection(alice, yael)
	if google.Missing(c.Scopes, append(CalendarScopes(false), more)) != nil || h.token(c).Refresh == refresh {
		t.Errorf("after asking for more there are %v", c.Scopes)
	}
	// Linked anew without a consent page, Google gives no refresh token: the old one stays, with its scopes.
	refresh = h.token(c).Refresh
	if done := h.linkWith(b, h.URL(alice, nil, yael), yael); done.status != http.StatusOK {
		t.Fatalf("%d\n%s", done.status, done.body)
	}
	if c = h.connection(alice, yael); h.token(c).Refresh != refresh || google.Missing(c.Scopes, []string{more}) != nil {
		t.Errorf("the refresh token or the scopes %v are not kept", c.Scopes)
	}
	// Even if the answer names fewer: the token that is kept was given for all of them.
	if _, err := h.save(t.Context(), alice, yael,
		google.Token{Access: "ya29.x", Scopes: []string{google.ScopeCalendarEvents}}); err != nil {
		t.Fatal(err)
	}
	if c = h.connection(alice, yael); h.token(c).Refresh != refresh ||
		google.Missing(c.Scopes, append(CalendarScopes(false), more)) != nil {
		t.Errorf("the scopes are %v", c.Scopes)
	}
	// With a new refresh token its answer counts.
	if _, err := h.save(t.Context(), alice, yael,
		google.Token{Access: "ya29.x", Refresh: "1//x", Scopes: []string{google.ScopeCalendarEvents}}); err != nil {
		t.Fatal(err)
	}
	if c = h.connection(alice, yael); !slices.Equal(c.Scopes, []string{google.ScopeCalendarEvents}) {
		t.Errorf("the scopes are %v", c.Scopes)
	}
}

// Google returns no refresh token to an account that has agreed before, unless it shows its page. When the user chooses
// such an account instead of the one meant, Google is asked once more, and then it works.
func TestNoLastingAccess(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.mustLink(alice, yael)
	h.mustLink(bob, omer) // so omer has agreed before, to another user
	b := newBrowser(t)
	second := b.get(h.agree(b, h.begin(b, h.URL(alice, nil, yael)), omer))
	if second.status != http.StatusSeeOther {
		t.Fatalf("%d\n%s", second.status, second.body)
	}
	if q := queryOf(t, second.location()); q.Get("prompt") != "consent" || q.Get("login_hint") != omer {
		t.Errorf("the second time Google is asked %v", q)
	}
	done := b.get(h.agree(b, second.location(), omer))
	if done.status != http.StatusOK || !strings.Contains(done.body, omer) {
		t.Fatalf("%d\n%s", done.status, done.body)
	}
	if c := h.connection(alice, omer); c.Number != 2 || h.token(c).Refresh == "" {
		t.Errorf("%+v", c)
	}
	// A third time it is not asked.
	a, err := h.read(stepState, stateOf(t, second.location()))
	if err != nil || !a.Again {
		t.Errorf("%+v, %v", a, err)
	}
}
