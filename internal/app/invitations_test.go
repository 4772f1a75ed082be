package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var invitation = regexp.MustCompile(`http://\S+(/join/almanac_\S+)`)

// invite makes an invitation and returns the path of its page.
func invite(t *testing.T, flags []string, words ...string) string {
	t.Helper()
	out := mustRun(t, append(append([]string{"user", "invite"}, words...), flags...)...)
	found := invitation.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no link in %q", out)
	}
	return found[1]
}

// join sends the form of a page.
func (p *process) join(path, name string, header ...string) reply {
	p.t.Helper()
	return p.mustSend(http.MethodPost, path, []byte(url.Values{"name": {name}}.Encode()),
		append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)...)
}

// An invitation gives one token, once, to whoever sends the form of its page first, and is good for nothing else.
func TestInvitations(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, flags...).await()
			path := invite(t, flags, "alice")
			pageOfInvitation(t, p, path)

			// What comes from another site, or has no name, uses nothing up.
			if r := p.join(path, "phone", "Sec-Fetch-Site", "cross-site"); r.status != http.StatusForbidden {
				t.Errorf("another site gets %d", r.status)
			}
			for _, name := range []string{"", " ", strings.Repeat("x", 101), "two\nlines"} {
				if r := p.join(path, name); r.status != http.StatusBadRequest || tokenText.Match(r.body) {
					t.Errorf("the name %q gets %d %s", name, r.status, r.body)
				}
			}
			// Of many at once one gets the token.
			var lock sync.Mutex
			var tokens []string
			var wait sync.WaitGroup
			for range 8 {
				wait.Go(func() {
					r := p.join(path, `<b>the "phone"`, "Sec-Fetch-Site", "same-origin")
					lock.Lock()
					defer lock.Unlock()
					if r.status == http.StatusOK {
						tokens = append(tokens, string(tokenText.Find(r.body)))
					} else if r.status != http.StatusNotFound || tokenText.Match(r.body) {
						t.Errorf("%d %s", r.status, r.body)
					}
				})
			}
			wait.Wait()
			if len(tokens) != 1 {
				t.Fatalf("%d tokens were given", len(tokens))
			}
			if id, scopes := p.viewerOf(tokens[0]); id == "" || !slices.Equal(scopes, []string{"READ", "WRITE"}) {
				t.Errorf("the token opens %q for %v", id, scopes)
			}
			log := mustRun(t, append([]string{"audit", "export", "--user", "alice"}, flags...)...)
			for _, kind := range []string{`"INVITED"`, `"INVITATION_USED"`} {
				if strings.Count(log, kind) != 1 {
					t.Errorf("the audit log has %s otherwise than once:\n%s", kind, log)
				}
			}
			refusedInvitations(t, p, name, flags, path)
		})
	}
}

// pageOfInvitation: the page is in both languages, without scripts, kept by nobody, and opening it changes nothing; the
// secret is no token.
func pageOfInvitation(t *testing.T, p *process, path string) {
	t.Helper()
	for language, word := range map[string]string{"en": "Get the token", "he": "קבלת האסימון"} {
		r := p.mustSend(http.MethodGet, path, nil, "Accept-Language", language)
		policy := r.header.Get("Content-Security-Policy")
		if r.status != http.StatusOK || !strings.Contains(string(r.body), word) ||
			r.header.Get("Content-Language") != language {
			t.Errorf("%s: %d %s", language, r.status, r.body)
		}
		if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") ||
			!strings.Contains(policy, "form-action 'self';") || strings.Contains(policy, "script-src") ||
			r.header.Get("Cache-Control") != "no-store" || r.header.Get("Referrer-Policy") != "no-referrer" ||
			r.header.Get("Set-Cookie") != "" || strings.Contains(string(r.body), "almanac_") {
			t.Errorf("%s: %v\n%s", language, r.header, r.body)
		}
	}
	if id, _ := p.viewerOf(strings.TrimPrefix(path, "/join/")); id != "" {
		t.Error("an invitation opens the API")
	}
}

// refusedInvitations: what was used, has ended, was taken back or is made up opens nothing and leaves nothing, and a
// token is no invitation.
func refusedInvitations(t *testing.T, p *process, store string, flags []string, used string) {
	t.Helper()
	revoked, late := invite(t, flags, "bob"), invite(t, flags, "carol", "--expires", "1h")
	disabled := invite(t, flags, "dan")
	list := mustRun(t, append([]string{"token", "list", "--user", "bob"}, flags...)...)
	mustRun(t, append([]string{"token", "revoke", "--user", "bob", "--id",
		regexp.MustCompile(`[0-9a-z]{26}`).FindString(list)}, flags...)...)
	mustRun(t, append([]string{"user", "disable", "dan"}, flags...)...)
	const statement = `UPDATE api_tokens SET expires_at = created_at WHERE scopes = '' AND revoked_at IS NULL`
	if store == "sqlite" {
		inSQLite(t, strings.TrimPrefix(flags[0], "--data-dir="), statement)
	} else if _, err := dialPostgres(t, strings.TrimPrefix(flags[0], "--database-url=")).Exec(t.Context(),
		statement); err != nil {
		t.Fatal(err)
	}
	token, _ := apiToken(t, flags, "--user", "alice", "--name", "a token")
	end := "0"
	if strings.HasSuffix(used, end) {
		end = "1"
	}
	for what, path := range map[string]string{"used": used, "revoked": revoked, "late": late, "disabled": disabled,
		"a token": "/join/" + token, "wrong": used[:len(used)-1] + end, "made up": "/join/x", "empty": "/join/",
		"longer": used + "/x"} {
		for _, r := range []reply{p.mustSend(http.MethodGet, path, nil), p.join(path, "phone")} {
			if r.status != http.StatusNotFound || tokenText.Match(r.body) || r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %d %s", what, r.status, r.body)
			}
		}
	}
	if r := p.mustSend(http.MethodPut, late, nil); r.status != http.StatusMethodNotAllowed {
		t.Errorf("PUT gets %d", r.status)
	}
	for want, words := range map[string][]string{"at most 720h": {"alice", "--expires", "721h"},
		"more than 0": {"alice", "--expires", "0s"}, "needs no invitation": {"local"}, "dan is disabled": {"dan"},
		"user invite NAME": {}} {
		if s := runCommand(t, nil, append(append([]string{"user", "invite"}, words...), flags...)...); s.code != 1 ||
			!strings.Contains(s.err, want) || strings.Contains(s.out, "/join/") {
			t.Errorf("user invite %v: %+v", words, s)
		}
	}
}
