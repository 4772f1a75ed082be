package connect

import (
	"bytes"
	"flag"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
)

var update = flag.Bool("update", false, "write testdata/pages from what the pages are")

// changing is what differs from run to run.
var changing = regexp.MustCompile(`(ticket=|name="form" value=")[A-Za-z0-9_-]+`)

// Each page, in each language, as it was last looked at.
func TestPages(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	a := attempt{User: alice, Scopes: h.wanted(nil), Account: yael, Ticket: h.clock.Now().Add(time.Minute).Unix()}
	pages := map[string]func(*visit){
		"ask":     func(v *visit) { v.r.URL.RawQuery = h.ticket(a); h.ask(v) },
		"denied":  func(v *visit) { h.refused(v.from(a), "access_denied") },
		"nothing": func(v *visit) { v.from(a).failWith(errNothingGranted) },
		"linked": func(v *visit) {
			h.tell(v.from(a), a, model.Connection{User: alice, Number: 1, Account: yael, Scopes: a.Scopes})
		},
		"partly": func(v *visit) {
			h.tell(v.from(a), a, model.Connection{User: alice, Number: 2, Account: omer, Scopes: []string{google.ScopeFreeBusy}})
		},
		"late":        func(v *visit) { v.fail(failLate) },
		"unavailable": func(v *visit) { v.from(a).fail(failUnavailable) },
		"no-ticket":   func(v *visit) { v.fail(failNoTicket) },
	}
	for name, show := range pages {
		for _, language := range []string{"en", "he"} {
			r := mustRequest(t, http.MethodGet, h.page())
			r.Host = h.Base.Host
			r.Header.Set("Accept-Language", language)
			w := newRecorder()
			show(h.visit(w, r))
			got := changing.ReplaceAll(w.Body.Bytes(), []byte("${1}…"))
			got = bytes.Replace(got, []byte(pageStyle), []byte("…"), 1)
			path := filepath.Join("testdata", "pages", name+"."+language+".html")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf(
					"%s is not the page (%v); look at the difference of: go test ./internal/connect -run TestPages -update\n%s", path,
					err, got)
			}
			holdHeaders(t, name, view{w.Code, w.Header(), w.Body.String()})
		}
	}
}

// holdHeaders holds a page to what keeps it from being framed, kept, scripted or told of.
func holdHeaders(t *testing.T, name string, got view) {
	t.Helper()
	for header, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY",
		"Content-Type":    "text/html; charset=utf-8", "Cross-Origin-Opener-Policy": "same-origin", "Vary": "Accept-Language",
	} {
		if got.header.Get(header) != want {
			t.Errorf("%s: %s is %q", name, header, got.header.Get(header))
		}
	}
	csp := got.header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "style-src 'sha256-", "frame-ancestors 'none'", "base-uri 'none'",
		"form-action '"} {
		if !strings.Contains(csp, part) {
			t.Errorf("%s: the policy lacks %s: %s", name, part, csp)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(got.body, "<script") ||
		strings.Contains(got.body, " on") && regexp.MustCompile(`<[^>]* on[a-z]+=`).MatchString(got.body) {
		t.Errorf("%s: there may be a script", name)
	}
}

// Texts from outside are texts on the page.
func TestPagesEscape(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	evil := `"><script>alert(1)</script>`
	row := model.User{ID: model.UserIDOf(evil), Subject: evil, Email: "",
		Settings: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}}
	if _, err := h.store.EnsureUser(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	got := newBrowser(t).get(h.URL(row.ID, []string{evil}, ""))
	if got.status != http.StatusOK || strings.Contains(got.body, "<script") ||
		strings.Count(got.body, "&lt;script&gt;") != 2 {
		t.Errorf("%d\n%s", got.status, got.body)
	}
}

// A name cannot turn the sentence around it, nor add lines to it.
func TestNamesStayInTheirPlace(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"alice@example.com": "alice@example.com",
		"אליס":              "אליס",
		"x\u2069\u202e\u2066\u200f\u200bmoc.elpmaxe@ecila": "xmoc.elpmaxe@ecila",
		"a\r\n\x1b[2Jb\u0085":                              "a[2Jb",
	} {
		if got := say("of %s.", name); got != "of \u2068"+want+"\u2069." {
			t.Errorf("%q is said %q", name, got)
		}
	}
	for _, address := range []string{"a\u202e@b.example", "a@b.example\u2069", "a\u0085@b", "a\u00a0@b", "a\u200b@b"} {
		if got := account(address); got != "" {
			t.Errorf("%q is an account: %q", address, got)
		}
	}
}

// The two languages say the same things: the same sentences, with names in the same places.
func TestLanguagesAgree(t *testing.T) {
	t.Parallel()
	en, he := english(), hebrew()
	for _, f := range []failure{
		failTicket, failLate, failNoTicket, failBrowser, failUsed, failCode, failIdentity, failLasting, failRejected,
		failUnavailable,
		failOperator, failFull, failNotConfigured, failMethod, failPath, failInternal,
	} {
		if en.failures[f] == "" || he.failures[f] == "" {
			t.Errorf("%q has no sentence", string(f))
		}
		if code, status := f.status(); status < 400 || (code == model.CodeInternal) != (f == failInternal) {
			t.Errorf("%q is %s %d", string(f), code, status)
		}
	}
	if len(en.failures) != len(he.failures) || len(en.granted) != len(he.granted) {
		t.Error("one language has more sentences")
	}
	for scope, line := range en.granted {
		if line == "" || he.granted[scope] == "" {
			t.Errorf("%s has no words", scope)
		}
	}
	pairs := map[string][2]string{
		"ask": {en.ask, he.ask}, "askHint": {en.askHint, he.askHint}, "done": {en.done, he.done},
		"doneOther": {en.doneOther, he.doneOther},
	}
	for name, pair := range pairs {
		if strings.Count(pair[0], "%s") != 1 || strings.Count(pair[1], "%s") != 1 {
			t.Errorf("%s has not one place for a name in each language", name)
		}
	}
	for _, pair := range [][2]string{
		{en.askTitle, he.askTitle}, {en.askList, he.askList}, {en.askButton, he.askButton}, {en.askWarning, he.askWarning},
		{en.standIn, he.standIn},
		{en.localUser, he.localUser}, {en.doneTitle, he.doneTitle}, {en.missing, he.missing},
		{en.nothingTitle, he.nothingTitle}, {en.denied, he.denied},
		{en.nothingGranted, he.nothingGranted}, {en.failTitle, he.failTitle}, {en.newLink, he.newLink}, {en.retry, he.retry},
		{en.code, he.code}, {en.home, he.home},
	} {
		if pair[0] == "" || pair[1] == "" || pair[0] == pair[1] || strings.Contains(pair[0]+pair[1], "%") {
			t.Errorf("%q and %q", pair[0], pair[1])
		}
	}
}

// Behind https the cookie has the prefix that nobody else can plant, and below a path every address has the path.
func TestBehindAProxy(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.Base = &url.URL{Scheme: "https", Host: "almanac.example.com", Path: "/base"}
	link := h.URL(alice, nil, "")
	if !strings.HasPrefix(link, "https://almanac.example.com/base/connect/google?ticket=") ||
		RedirectURI(h.Base) != "https://almanac.example.com/base/connect/google/callback" {
		t.Errorf("the link is %s", link)
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	got := h.serve(http.MethodGet, PathStart+"?"+u.RawQuery, nil)
	cookie := got.header.Get("Set-Cookie")
	if got.status != http.StatusOK || !regexp.MustCompile(
		`^__Host-almanac-link-[a-z0-9]{10}=[A-Z2-7]{26}; Path=/; Max-Age=1200; HttpOnly; Secure; SameSite=Lax$`).MatchString(
		cookie) {
		t.Errorf("%d, cookie %q", got.status, cookie)
	}
	if !strings.Contains(got.body, `action="/base/connect/google"`) || !strings.Contains(got.body, `href="/base/"`) {
		t.Errorf("the page:\n%s", got.body)
	}
	if local := h.serve(http.MethodGet, PathStart, nil); local.status != http.StatusForbidden {
		t.Errorf("without a ticket: %d", local.status)
	}
}

// No text that was not written here is read, whatever it looks like.
func FuzzRead(f *testing.F) {
	l := &Linker{Box: boxOf(f, newKey, oldKey), Now: func() time.Time { return time.Unix(1_800_000_000, 0) }}
	a := attempt{User: alice, Scopes: []string{"x"}, Ends: 1_900_000_000}
	written := l.write(stepState, a)
	f.Add(written)
	f.Add(written[:30])
	f.Add(l.write(stepForm, a))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := l.read(stepState, text)
		// The corpus has texts of other processes, which open too; nothing else may come out of them.
		if err == nil && (got.User != alice || got.Ends != a.Ends || len(got.Scopes) != 1 || got.Scopes[0] != "x" ||
			got.Nonce != "") {
			t.Errorf("%q is read as %+v", text, got)
		}
	})
}

func FuzzAccount(f *testing.F) {
	for _, seed := range []string{"a@b", " Yael@Example.com ", "@", "a@", "a b@c", "יעל@דוגמה.co.il", "a@b\n",
		strings.Repeat("a", 300) + "@b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := account(text)
		if got != "" && (account(got) != got || len(got) > 254 || strings.ContainsAny(got, " \n\r\t<>") ||
			!strings.Contains(got, "@")) {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}
