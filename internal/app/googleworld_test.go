package app_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"html"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/standin/calendar"
	"almanac/internal/standin/discovery"
	standingmail "almanac/internal/standin/gmail"
	standingoogle "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

const (
	googleID     = "1234-test.apps.googleusercontent.com"
	googleSecret = "GOCSPX-the-secret-of-the-client"
	tokenKey     = "a key of the operator's that is long enough"
	yael         = "yael@example.com"
	noa          = "noa@example.com"
)

// world is a Google that a real process reaches as it reaches the true one: by its names, over TLS and HTTP/2, through
// a proxy that the process finds in its environment, with a certificate of the test's own authority.
type world struct {
	t         *testing.T
	variables []string
	events    *calendar.Service
	mail      *standingmail.Service
	authority *x509.CertPool
	// notices are what the calendar wants to be sent to channels.
	notices chan calendar.Notification

	mu    sync.Mutex
	front *standingoogle.Server
	// asked are the hosts that were asked for.
	asked map[string]bool
	// gate, if there is one, is told of each request before it is served, and before its answer is given.
	gate func(r *http.Request, served bool)
	// under counts the requests under way.
	under atomic.Int64
}

// waiting reports whether somebody waits for an answer.
func (w *world) waiting() bool { return w.under.Load() > 0 }

// newWorld makes it. The front opens when opened says to where it may send people back.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, asked: map[string]bool{}, notices: make(chan calendar.Notification, 1000)}
	pair, authority := certificate(t)
	w.authority = x509.NewCertPool()
	w.authority.AppendCertsFromPEM(authority)
	google := httptest.NewUnstartedServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		front, gate := w.front, w.gate
		w.asked[r.Host] = true
		w.mu.Unlock()
		w.under.Add(1)
		defer w.under.Add(-1)
		if gate == nil {
			gate = func(*http.Request, bool) {}
		}
		if gate(r, false); r.Context().Err() != nil {
			return // whoever asked is gone
		}
		front.Handler().ServeHTTP(out, r)
		gate(r, true)
	}))
	google.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	google.EnableHTTP2 = true
	google.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // what clients break off
	google.StartTLS()
	t.Cleanup(google.Close)
	target := google.Listener.Addr().String()
	proxy := httptest.NewServer(
		http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { tunnel(t, out, r, target) }))
	t.Cleanup(proxy.Close)
	file := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, authority, 0o600); err != nil {
		t.Fatal(err)
	}
	w.variables = []string{
		"HTTPS_PROXY=" + proxy.URL, "https_proxy=" + proxy.URL, "NO_PROXY=", "no_proxy=", "SSL_CERT_FILE=" + file,
		"ALMANAC_GOOGLE_CLIENT_ID=" + googleID, "ALMANAC_GOOGLE_CLIENT_SECRET=" + googleSecret,
		"ALMANAC_TOKEN_KEY=" + tokenKey,
	}
	w.mail = standingmail.New(standingmail.Options{Now: time.Now, Seed: 1})
	w.events = calendar.New(calendar.Options{Now: time.Now, Seed: 1,
		Notify: func(n calendar.Notification) { w.notices <- n }})
	return w
}

// opened makes the front know a server's redirect URI, and returns the front.
func (w *world) opened(redirect string) *standingoogle.Server {
	w.t.Helper()
	front, err := standingoogle.New(standingoogle.Options{
		Now: time.Now, Services: []wire.Service{w.events, w.mail}, Seed: 1,
		Client: standingoogle.OAuthClient{ID: googleID, Secret: googleSecret, RedirectURIs: []string{redirect}},
		Report: func(v discovery.Violation) { w.t.Errorf("the description of the API is broken: %v", v) },
	})
	if err == nil {
		err = front.AddAccount(standingoogle.Account{Email: yael, Name: "Yael"})
	}
	if err == nil {
		err = front.AddAccount(standingoogle.Account{Email: noa, Name: "Noa"})
	}
	if err == nil && w.front == nil {
		err = errors.Join(
			w.events.AddAccount(calendar.Account{Email: yael, Name: "Yael", TimeZone: "Asia/Jerusalem"}),
			w.mail.AddAccount(standingmail.Account{Email: yael, Name: "Yael"}),
			w.mail.AddAccount(standingmail.Account{Email: noa, Name: "Noa"}),
		)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.front = front
	return front
}

// tunnel answers CONNECT: whatever name is asked for, it leads to one place.
func tunnel(t *testing.T, w http.ResponseWriter, r *http.Request, target string) {
	if r.Method != http.MethodConnect {
		http.Error(w, "only CONNECT", http.StatusMethodNotAllowed)
		return
	}
	far, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", target)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	near, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = far.Close()
		return
	}
	_, _ = io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n")
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() {
			_, _ = io.Copy(way[0], way[1])
			_ = near.Close()
			_ = far.Close()
		}()
	}
}

// certificate makes one for Google's names, and the authority that vouches for it.
func certificate(t *testing.T) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a Google of the test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true, IsCA: true,
		DNSNames: []string{"accounts.google.com", "googleapis.com", "*.googleapis.com"},
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// visitor is a browser as far as linking needs one: it keeps cookies, and says where it is sent instead of going there.
type visitor struct {
	t      *testing.T
	client *http.Client
}

func newVisitor(t *testing.T) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{t: t, client: &http.Client{
		Jar: jar, Timeout: patience, Transport: &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	t.Cleanup(v.client.CloseIdleConnections)
	return v
}

// open gets an address, or posts a form to it.
func (v *visitor) open(address string, form url.Values) reply {
	v.t.Helper()
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(v.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return reply{status: response.StatusCode, header: response.Header, body: text}
}

var formField = regexp.MustCompile(`name="form" value="([^"]*)"`)

// consentOf opens a link, presses its button, and returns the address of Google's consent page.
func (v *visitor) consentOf(link string) *url.URL {
	v.t.Helper()
	page := v.open(link, nil)
	field := formField.FindSubmatch(page.body)
	if page.status != http.StatusOK || field == nil {
		v.t.Fatalf("the link gives %d and no form: %s", page.status, page.body)
	}
	address, _, _ := strings.Cut(link, "?")
	sent := v.open(address, url.Values{"form": {html.UnescapeString(string(field[1]))}})
	consent, err := url.Parse(sent.header.Get("Location"))
	if sent.status != http.StatusSeeOther || err != nil {
		v.t.Fatalf("the button gives %d, %v: %s", sent.status, err, sent.body)
	}
	return consent
}

// agree says yes to everything on the consent page of the world's front, and returns where it sends people back to.
func (w *world) agree(consent *url.URL) string {
	w.t.Helper()
	form := url.Values{"account": {yael}, "decision": {"allow"}, "scope": strings.Fields(consent.Query().Get("scope"))}
	r := httptest.NewRequestWithContext(w.t.Context(), http.MethodPost, consent.String(), strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	out := httptest.NewRecorder()
	w.front.Handler().ServeHTTP(out, r)
	back := out.Header().Get("Location")
	if out.Code != http.StatusSeeOther || back == "" {
		w.t.Fatalf("consent gives %d, %q: %s", out.Code, back, out.Body)
	}
	return back
}

// linked is the line of viewer.connections.
type linked struct {
	ID, Account, ConnectURL *string
	Provider, Status        string
	StandIn                 bool
	Scopes, MissingScopes   []string
}

const askConnections = `{ viewer { connections { id provider account status standIn scopes missingScopes connectUrl } } }`

// connections asks what is linked with Google.
func (p *process) connections(header ...string) []linked {
	p.t.Helper()
	var data struct {
		Viewer struct{ Connections []linked }
	}
	r, a := p.post(askConnections, nil, header...)
	err := json.Unmarshal(a.Data, &data)
	ofGoogle := slices.DeleteFunc(data.Viewer.Connections, func(one linked) bool { return one.Provider != "GOOGLE" })
	if err != nil || len(a.Errors) > 0 || len(ofGoogle) == 0 {
		p.t.Fatalf("%v %s", err, r.body)
	}
	return ofGoogle
}

// spawnLinked starts a server with a Google client, opens the world for it, and links yael.
func (w *world) spawnLinked(flags ...string) *process {
	w.t.Helper()
	p := spawn(w.t, w.variables, flags...).await()
	w.opened(p.address + "/connect/google/callback")
	w.link(p)
	return p
}

// link goes the whole way as a person would.
func (w *world) link(p *process) {
	w.t.Helper()
	v := newVisitor(w.t)
	done := v.open(w.agree(v.consentOf(*p.connections()[0].ConnectURL)), nil)
	if done.status != http.StatusOK || !bytes.Contains(done.body, []byte(yael)) {
		w.t.Fatalf("linking gives %d: %s\n%s", done.status, done.body, p.log)
	}
	if c := p.connections(); len(c) != 1 || c[0].Status != "CONNECTED" || c[0].StandIn || c[0].Account == nil ||
		*c[0].Account != yael || len(c[0].MissingScopes) > 0 {
		w.t.Fatalf("after linking there is %+v", c)
	}
}

// titles are those of what the calendar truly holds, in order.
func (w *world) titles() []string {
	w.t.Helper()
	tokens, err := w.front.Grant(yael, []string{"https://www.googleapis.com/auth/calendar"})
	if err != nil {
		w.t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(w.t.Context(), http.MethodGet,
		"https://www.googleapis.com/calendar/v3/calendars/primary/events?maxResults=2500", nil)
	r.Header.Set("Authorization", "Bearer "+tokens.Access)
	out := httptest.NewRecorder()
	w.front.Handler().ServeHTTP(out, r)
	var list struct{ Items []struct{ Summary string } }
	if err := json.Unmarshal(out.Body.Bytes(), &list); err != nil || out.Code != http.StatusOK {
		w.t.Fatalf("%v %s", err, out.Body)
	}
	var titles []string
	for _, item := range list.Items {
		titles = append(titles, item.Summary)
	}
	slices.Sort(titles)
	return titles
}

// calls counts the requests to one of Google's methods.
func (w *world) calls(method string) int {
	n := 0
	for _, r := range w.front.Requests() {
		if r.Method == method {
			n++
		}
	}
	return n
}
