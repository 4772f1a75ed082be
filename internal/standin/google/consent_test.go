package google_test

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"almanac/internal/standin/google"
)

var (
	styleOf  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	hrefOf   = regexp.MustCompile(`href="([^"]*)"`)
	checkbox = regexp.MustCompile(`<input type="checkbox" name="scope" value="([^"]*)" checked( disabled)?>`)
)

func hint(email string) oauth2.AuthCodeOption { return oauth2.SetAuthURLParam("login_hint", email) }

func TestConsentPage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	page := config(events, "openid").AuthCodeURL("s", hint(dana), oauth2.SetAuthURLParam("hl", "en"))
	response, body := get(t, r.browser(), page)
	for _, want := range []string{"<bdi class=\"name\">דנה כהן</bdi>", dana, "See and change events on all your calendars",
		"<bdi>almanac</bdi>", "stand-in for Google", ">Allow<", ">Cancel<"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not say %q:\n%s", want, body)
		}
	}
	boxes := checkbox.FindAllStringSubmatch(body, -1)
	if len(boxes) != 2 || boxes[0][1] != events || boxes[0][2] != "" || boxes[1][1] != "openid" || boxes[1][2] == "" {
		t.Errorf("of the two scopes the one of sign-in alone is fixed: %q", boxes)
	}
	_, body = get(t, r.browser(), config(events).AuthCodeURL("s", hint(noam)))
	if boxes := checkbox.FindAllStringSubmatch(body, -1); len(boxes) != 1 || boxes[0][2] == "" {
		t.Errorf("an account that is not granular can untick %q", boxes)
	}
	named := newRig(t, func(o *google.Options) { o.Client.Name = "אלמנך" })
	if _, body := get(t, named.browser(), page); !strings.Contains(body, "<bdi>אלמנך</bdi>") {
		t.Errorf("the application's name is not on the page:\n%s", body)
	}
	if response.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
		response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the headers are %v", response.Header)
	}
}

// TestConsentPolicy: the page loads nothing, its style is the one that the policy names, and its form may end where the
// application is.
func TestConsentPolicy(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	response, body := get(t, r.browser(), config(events).AuthCodeURL("s"))
	style := styleOf.FindStringSubmatch(body)
	if style == nil {
		t.Fatal("the page has no style")
	}
	sum := sha256.Sum256([]byte(style[1]))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' https://almanac.example.com"
	if got := response.Header.Get("Content-Security-Policy"); got != want {
		t.Errorf("the policy is %s\nwant %s", got, want)
	}
	if regexp.MustCompile(`(?i)<(script|img|link|iframe)|\bsrc=|\bon[a-z]+=|\bstyle="`).MatchString(body) {
		t.Errorf("the page has what its policy forbids:\n%s", body)
	}
}

func TestConsentInHebrew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, c := range map[string]struct {
		email, hl, browser string
		hebrew             bool
	}{
		"the account's":     {email: dana, hebrew: true},
		"the browser's":     {email: noam, browser: "he-IL,he;q=0.9,en;q=0.8", hebrew: true},
		"neither's":         {email: noam, browser: "fr"},
		"the application's": {email: dana, hl: "en"},
		"the old code":      {email: noam, hl: "iw", hebrew: true},
		"nonsense":          {email: noam, hl: "%%", browser: "!!"},
	} {
		page := config(events).AuthCodeURL("s", hint(c.email))
		if c.hl != "" {
			page += "&hl=" + url.QueryEscape(c.hl)
		}
		response, body := get(t, r.browser(), page, "Accept-Language", c.browser)
		hebrew := strings.Contains(body, `<html lang="he" dir="rtl">`) && strings.Contains(body, "לראות ולשנות אירועים") &&
			strings.Contains(body, ">אישור<")
		if hebrew != c.hebrew || (response.Header.Get("Content-Language") == "he") != c.hebrew {
			t.Errorf("%s language: Hebrew is %t, Content-Language %s", name, hebrew, response.Header.Get("Content-Language"))
		}
	}
}

func TestChoiceOfAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	page := config(events).AuthCodeURL("s", hint("somebody@else.example"))
	_, body := get(t, r.browser(), page)
	links := hrefOf.FindAllStringSubmatch(body, -1)
	if len(links) != 2 || strings.Contains(body, "<form") {
		t.Fatalf("the choice has the links %q", links)
	}
	for i, email := range []string{dana, noam} {
		link := html.UnescapeString(links[i][1])
		if !strings.HasPrefix(link, "?") {
			t.Fatalf("the link %q is not relative to any path", link)
		}
		_, body := get(t, r.browser(), authURL+link)
		if !strings.Contains(body, `name="account" value="`+email+`"`) {
			t.Errorf("the link of %s leads to %s", email, body)
		}
		back := hrefOf.FindStringSubmatch(body)
		if _, body := get(t, r.browser(), authURL+html.UnescapeString(back[1])); len(hrefOf.FindAllString(body, -1)) != 2 {
			t.Errorf("there is no way back from %s", email)
		}
	}
	r.RemoveAccount(noam)
	if _, body := get(t, r.browser(), page); !strings.Contains(body, `name="account" value="`+dana+`"`) {
		t.Error("with one account there is still a choice")
	}
	r.RemoveAccount(dana)
	if response, body := get(t, r.browser(), page); response.StatusCode != http.StatusOK ||
		strings.Contains(body, "<form") {
		t.Errorf("without accounts the page is %s", body)
	}
}

// TestRefusals: with such a request nobody is sent anywhere.
func TestRefusals(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	good := url.Values{"client_id": {"almanac"}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {events},
		"state": {"s"}}
	for _, c := range []struct {
		field, value, name string
		status             int
	}{
		{"client_id", "", "invalid_request", 400},
		{"client_id", "other", "invalid_client", 401},
		{"redirect_uri", "", "invalid_request", 400},
		{"redirect_uri", redirect + "/", "redirect_uri_mismatch", 400},
		{"redirect_uri", "https://evil.example/", "redirect_uri_mismatch", 400},
		{"redirect_uri", strings.ToUpper(redirect), "redirect_uri_mismatch", 400},
		{"response_type", "", "invalid_request", 400},
		{"response_type", "token", "unsupported_response_type", 400},
		{"scope", " ", "invalid_request", 400},
		{"scope", events + " " + scopeRoot + "calendar.event", "invalid_scope", 400},
		{"scope", "<script>alert(1)</script>", "invalid_scope", 400},
		{"prompt", "login", "invalid_request", 400},
		{"code_challenge", "short", "invalid_request", 400},
		{"code_challenge_method", "S256", "invalid_request", 400},
	} {
		query := url.Values{}
		for name, values := range good {
			query[name] = values
		}
		query[c.field] = []string{c.value}
		for _, verb := range []string{http.MethodGet, http.MethodPost} {
			response, body := do(t, r.browser(), verb, authURL+"?"+query.Encode(), strings.NewReader(allow(noam).Encode()),
				"Content-Type", "application/x-www-form-urlencoded")
			if response.StatusCode != c.status || !strings.Contains(body, "<code>"+c.name+"</code>") ||
				response.Header.Get("Location") != "" {
				t.Errorf("%s %s=%q: %d %s", verb, c.field, c.value, response.StatusCode, body)
			}
			if strings.Contains(body, "<script>") {
				t.Errorf("the page repeats markup: %s", body)
			}
		}
	}
	unknown, body := do(t, r.browser(), http.MethodPost, authURL+"?"+good.Encode(),
		strings.NewReader(allow("nobody@example.com").Encode()),
		"Content-Type", "application/x-www-form-urlencoded")
	if unknown.StatusCode != http.StatusBadRequest {
		t.Errorf("an account that is not there: %d %s", unknown.StatusCode, body)
	}
	if response, _ := do(t, r.browser(), http.MethodDelete, authURL+"?"+good.Encode(),
		nil); response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", response.StatusCode)
	}
}

// TestForeignForms: a page of somebody else cannot press the button in a browser.
func TestForeignForms(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	page := config(events).AuthCodeURL("s")
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}} {
		response, _ := do(t, r.browser(), http.MethodPost, page, strings.NewReader(allow(noam, events).Encode()),
			append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)...)
		if response.StatusCode != http.StatusForbidden || response.Header.Get("Location") != "" {
			t.Errorf("%v: %d", header, response.StatusCode)
		}
	}
}

func TestRedirectKeepsItsQuery(t *testing.T) {
	t.Parallel()
	const own = "http://localhost:8080/callback?tenant=7"
	r := newRig(t, func(o *google.Options) { o.Client.RedirectURIs = []string{own} })
	c := config(events)
	c.RedirectURL = own
	response, _ := do(t, r.browser(), http.MethodPost, c.AuthCodeURL("s"), strings.NewReader(allow(noam).Encode()),
		"Content-Type", "application/x-www-form-urlencoded")
	to, err := response.Location()
	if err != nil || to.Host != "localhost:8080" || to.Query().Get("tenant") != "7" || to.Query().Get("code") == "" {
		t.Errorf("the application is sent to %v (%v)", to, err)
	}
}

func TestMount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	own := http.NewServeMux()
	own.Handle("/demo/google/", r.Mount("/demo/google"))
	at := func(verb, path, form string) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(t.Context(), verb, "http://localhost:8080"+path, strings.NewReader(form))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		own.ServeHTTP(w, request)
		return w
	}
	query := strings.TrimPrefix(config(events).AuthCodeURL("s", hint(noam)), "https://accounts.google.com/o/oauth2/auth")
	if w := at("GET", "/demo/google/o/oauth2/v2/auth"+query, ""); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), "<form method=\"post\">") {
		t.Errorf("the page: %d %s", w.Code, w.Body)
	}
	if w := at("POST", "/demo/google/o/oauth2/v2/auth"+query, allow(noam).Encode()); w.Code != http.StatusSeeOther {
		t.Errorf("the form: %d", w.Code)
	}
	token := r.grant(t, dana, events)
	for _, path := range []string{"/token", "/revoke", "/tokeninfo?access_token=" + token.Access, "/calendar/v3/colors",
		"/", "/batch"} {
		if w := at("GET", "/demo/google"+path, ""); w.Code != http.StatusNotFound {
			t.Errorf("a browser reaches %s: %d", path, w.Code)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	if _, err := google.New(google.Options{}); err == nil {
		t.Error("a stand-in without a clock is made")
	}
	for _, uri := range []string{"", "javascript:alert(1)", "https://", "https://user@host/", "https://host/#a",
		"ftp://host/", "https://a;b/"} {
		_, err := google.New(google.Options{Now: (&clock{now: start}).Now,
			Client: google.OAuthClient{ID: "a", RedirectURIs: []string{uri}}})
		if err == nil {
			t.Errorf("the redirect URI %q is accepted", uri)
		}
	}
}
