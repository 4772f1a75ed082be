package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/oauth2-proxy/mockoidc"
)

// issuer is an OpenID Connect provider, of another project.
func issuer(t *testing.T) *mockoidc.MockOIDC {
	t.Helper()
	m, err := mockoidc.Run()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Shutdown() })
	return m
}

// browser keeps cookies and follows redirects, but past the server's own page.
type browser struct {
	t      *testing.T
	client *http.Client
	base   *url.URL
}

func newBrowser(t *testing.T, p *process) *browser {
	t.Helper()
	base, err := url.Parse(p.address)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, base: base, client: &http.Client{Jar: jar, Timeout: time.Minute}}
}

func (b *browser) do(method, address, body string, header ...string) (status int, text string, at *url.URL) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base.ResolveReference(must(url.Parse(address))).String(),
		strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response.StatusCode, string(read), response.Request.URL
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// ask posts a document as the page does.
func (b *browser) ask(document string, header ...string) (int, string) {
	b.t.Helper()
	status, text, _ := b.do(http.MethodPost, "/graphql", fmt.Sprintf(`{"query":%q}`, document),
		append([]string{"Content-Type", "application/json", "Sec-Fetch-Site", "same-origin"}, header...)...)
	return status, text
}

func (b *browser) cookies() map[string]string {
	all := map[string]string{}
	for _, c := range b.client.Jar.Cookies(b.base) {
		all[c.Name] = c.Value
	}
	return all
}

// Somebody signs in at the issuer, with the browser alone, and is the user of the issuer's other tokens; what pages of
// other sites cause is nobody's; the session is seen in the list of tokens and in the audit log, and ends.
func TestSignIn(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			idp := issuer(t)
			p := spawn(t, []string{"ALMANAC_OIDC_ISSUER=" + idp.Issuer(), "ALMANAC_OIDC_AUDIENCE=" + idp.ClientID,
				"ALMANAC_OIDC_CLIENT_ID=" + idp.ClientID, "ALMANAC_OIDC_CLIENT_SECRET=" + idp.ClientSecret,
				"ALMANAC_ALLOWED_ORIGINS=" + allowedOrigin}, flags...).await()
			b := newBrowser(t, p)
			status, text := b.ask(`{ viewer { id } }`)
			if want := `"signInUrl":"` + p.address + `/signin"`; status != http.StatusUnauthorized || !strings.Contains(text, want) {
				t.Fatalf("somebody unknown gets %d %s, want %s", status, text, want)
			}

			idp.QueueUser(&mockoidc.MockUser{Subject: "dana", Email: "dana@example.com", EmailVerified: true})
			status, _, at := b.do(http.MethodGet, "/signin?return=%2Fexplorer%2F", "")
			if status != http.StatusOK || at.Path != "/explorer/" || at.Host != b.base.Host {
				t.Fatalf("after signing in: %d at %s", status, at)
			}
			token := b.cookies()["almanac-session"]
			if !strings.HasPrefix(token, "almanac_") || b.cookies()["almanac-signin"] != "" {
				t.Fatalf("cookies: %v", b.cookies())
			}
			status, text = b.ask(`mutation { createTask(input: { text: "by the browser" }) { task { id } userErrors { message } } }`)
			if status != http.StatusOK || !strings.Contains(text, `"userErrors":[]`) {
				t.Fatalf("a mutation of the page: %d %s", status, text)
			}
			b.others(token)
			// The list of tokens and the audit log have it, and a way to end it from elsewhere.
			status, text = b.ask(`{ tokens { name expiresAt scopes } auditLog(first: 5) { nodes { kind outcome via client address } } }`,
				"User-Agent", "test")
			for _, want := range []string{`"name":"browser session"`, `"kind":"SIGNED_IN","outcome":"OK","via":"PAGE"`, `"address":"127.0.0.1"`} {
				if status != http.StatusOK || !strings.Contains(text, want) {
					t.Errorf("%d %s does not have %s", status, text, want)
				}
			}
			// Signing out is for the server's own page alone, and ends the token for everybody.
			for site, want := range map[string]int{"cross-site": http.StatusForbidden, "same-site": http.StatusForbidden} {
				if status, _, _ := b.do(http.MethodPost, "/signout", "", "Sec-Fetch-Site", site); status != want {
					t.Errorf("a page that is %s signs out: %d", site, status)
				}
			}
			status, _, _ = b.do(http.MethodPost, "/signout", "", "Sec-Fetch-Site", "same-origin")
			if status != http.StatusNoContent {
				t.Errorf("signing out: %d", status)
			}
			if status, text := b.ask(`{ viewer { id } }`); status != http.StatusUnauthorized {
				t.Errorf("after signing out: %d %s", status, text)
			}
			if r := p.mustSend(http.MethodPost, "/graphql", []byte(`{"query":"{ viewer { id } }"}`), "Content-Type",
				"application/json", "Authorization", "Bearer "+token); r.status != http.StatusUnauthorized {
				t.Errorf("the token of a session that has ended: %d %s", r.status, r.body)
			}
			p.refusedSignIns(t, idp, flags)
		})
	}
}

// allowedOrigin is that of pages that may call the server with a token of their own, and not with the session.
const allowedOrigin = "https://app.example"

// others tries to use the session from pages of other origins, in every way in which a browser sends its cookies along.
func (b *browser) others(token string) {
	b.t.Helper()
	for name, header := range map[string][2]string{
		"another site":             {"Sec-Fetch-Site", "cross-site"},
		"another host of the site": {"Sec-Fetch-Site", "same-site"},
		"an older browser":         {"Origin", "https://evil.example"},
		"a page that may call":     {"Origin", allowedOrigin},
		"a page without an origin": {"Origin", "null"},
		"a name that begins alike": {"Origin", "http://" + b.base.Host + ".evil.example"},
		"a token of somebody else": {"Authorization", "Bearer " + token[:len(token)-1] + "x"},
	} {
		_, text, _ := b.do(http.MethodPost, "/graphql",
			`{"query":"mutation { createTask(input: { text: \"evil\" }) { task { id } } }"}`,
			"Content-Type", "application/json", header[0], header[1])
		if strings.Contains(text, `"task":{`) {
			b.t.Errorf("%s: %s", name, text)
		}
	}
	status, text, _ := b.do(http.MethodGet, "/graphql?query="+url.QueryEscape(`{ viewer { id } }`), "", "Sec-Fetch-Site", "cross-site")
	if status == http.StatusOK {
		b.t.Errorf("a GET of another site: %s", text)
	}
	if _, text := b.ask(`{ tasks { nodes { text } } }`); strings.Contains(text, "evil") || !strings.Contains(text, "by the browser") {
		b.t.Errorf("tasks afterwards: %s", text)
	}
	for origin, want := range map[string]bool{"http://" + b.base.Host: true, "https://evil.example": false,
		allowedOrigin: false} {
		header := http.Header{"Origin": {origin}, "Cookie": {"almanac-session=" + token}}
		c, response, err := websocket.Dial(b.t.Context(), "ws://"+b.base.Host+"/graphql",
			&websocket.DialOptions{HTTPHeader: header, Subprotocols: []string{"graphql-transport-ws"}})
		if err != nil {
			if response != nil {
				_ = response.Body.Close()
			}
			if want {
				b.t.Errorf("a socket of %s: %v", origin, err)
			}
			continue
		}
		_ = c.Write(b.t.Context(), websocket.MessageText, []byte(`{"type":"connection_init","payload":{}}`))
		_, message, err := c.Read(b.t.Context())
		if got := err == nil && strings.Contains(string(message), "connection_ack"); got != want {
			b.t.Errorf("a socket of %s: %s %v", origin, message, err)
		}
		_ = c.CloseNow()
	}
}

// refusedSignIns are sign-ins that come to nothing.
func (p *process) refusedSignIns(t *testing.T, idp *mockoidc.MockOIDC, flags []string) {
	t.Helper()
	b := newBrowser(t, p)
	// Never anywhere but to this server.
	for _, elsewhere := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "javascript:alert(1)", "%2F%2Fevil.example"} {
		idp.QueueUser(&mockoidc.MockUser{Subject: "dana"})
		if _, _, at := b.do(http.MethodGet, "/signin?return="+url.QueryEscape(elsewhere), ""); at.Host != b.base.Host {
			t.Errorf("return=%s leads to %s", elsewhere, at)
		}
	}
	b = newBrowser(t, p)
	refused := func(what string, status, want int) {
		t.Helper()
		if status != want || b.cookies()["almanac-session"] != "" {
			t.Errorf("%s: %d, cookies %v", what, status, b.cookies())
		}
	}
	// An answer that this browser has not asked for: the attacker's code in the victim's browser.
	status, _, _ := b.do(http.MethodGet, "/signin/callback?code=stolen&state=guessed", "")
	refused("an answer without a question", status, http.StatusBadRequest)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	_, _, _ = b.do(http.MethodGet, "/signin", "")
	status, _, _ = b.do(http.MethodGet, "/signin/callback?code=stolen&state=guessed", "")
	refused("another state", status, http.StatusBadRequest)
	b.client.CheckRedirect = nil
	idp.QueueError(&mockoidc.ServerError{Code: http.StatusInternalServerError, Error: "server_error"})
	status, _, _ = b.do(http.MethodGet, "/signin", "")
	if status == http.StatusOK || b.cookies()["almanac-session"] != "" {
		t.Errorf("an issuer that fails: %d", status)
	}
	// Somebody whose access was switched off.
	mustRun(t, append([]string{"user", "disable", "dana"}, flags...)...)
	idp.QueueUser(&mockoidc.MockUser{Subject: "dana"})
	status, text, _ := b.do(http.MethodGet, "/signin", "")
	refused("a disabled user", status, http.StatusForbidden)
	if !strings.Contains(text, "switched off") {
		t.Errorf("a disabled user reads %s", text)
	}
	// An issuer that is gone when the person comes back with its code.
	var back string
	b.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path != "/signin/callback" {
			return nil
		}
		back = r.URL.RequestURI()
		return http.ErrUseLastResponse
	}
	_, _, _ = b.do(http.MethodGet, "/signin", "")
	_ = idp.Server.Close()
	status, text, _ = b.do(http.MethodGet, back, "", "Accept-Language", "he")
	refused("an issuer that is away", status, http.StatusServiceUnavailable)
	if !strings.Contains(text, "הכניסה לא הצליחה") {
		t.Errorf("an issuer that is away, in Hebrew: %s", text)
	}
}
