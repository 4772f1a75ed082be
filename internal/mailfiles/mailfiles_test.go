package mailfiles_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/gmail"
	"almanac/graph/model"
	"almanac/internal/mailfiles"
	"almanac/internal/seal"
)

// box is a mailbox with one file in it.
type box struct {
	mu    sync.Mutex
	file  gmail.File
	err   error
	asked []string
	// wait, when set, is what a read waits for, after it has said so to entered.
	wait, entered chan struct{}
}

func (b *box) Attachment(ctx context.Context, connection model.Connection, message, part string,
	most int64) (gmail.File, error) {
	b.mu.Lock()
	b.asked = append(b.asked, fmt.Sprint(connection.Account, " ", message, " ", part))
	wait := b.wait
	b.mu.Unlock()
	if wait != nil {
		b.entered <- struct{}{}
		select {
		case <-wait:
		case <-ctx.Done():
			return gmail.File{}, ctx.Err()
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil && int64(len(b.file.Content)) > most {
		return gmail.File{}, model.BadInput("", "it is too large")
	}
	return b.file, b.err
}

// people are the accounts of each user.
type people struct {
	linked map[model.UserID][]model.Connection
	err    error
}

func (p *people) Connections(_ context.Context, user model.UserID) ([]model.Connection, error) {
	return p.linked[user], p.err
}

var (
	alice, bob = model.UserIDOf("alice"), model.UserIDOf("bob")
	ref        = model.EmailRef{Connection: 2, Message: "18c2f00d"}
)

type harness struct {
	*mailfiles.Files
	*testing.T
	box    *box
	people *people
	now    time.Time
	log    strings.Builder
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	sealer, err := seal.NewBox([]byte(strings.Repeat("k", 32)))
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{T: t, now: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		box: &box{file: gmail.File{Name: "a.txt", MIMEType: "text/html", Content: []byte("<script>hello</script>")}}}
	h.people = &people{linked: map[model.UserID][]model.Connection{
		alice: {{User: alice, Number: 1, Account: "other@example.com", Status: model.ConnectionConnected},
			{User: alice, Number: 2, Account: "alice@example.com", Status: model.ConnectionConnected}},
		bob: {{User: bob, Number: 2, Account: "bob@example.com", Status: model.ConnectionConnected}},
	}}
	h.Files = mailfiles.New(mailfiles.Files{
		Mail: h.box, Accounts: h.people, Status: func(c model.Connection) model.ConnectionStatus { return c.Status },
		Box:  sealer,
		Base: &url.URL{Scheme: "https", Host: "almanac.example.com", Path: "/below"}, Now: func() time.Time { return h.now },
		Logger: slog.New(slog.NewTextHandler(&h.log, nil)),
	})
	return h
}

// token is the last segment of an address.
func (h *harness) token(user model.UserID, part string) string {
	h.Helper()
	token, found := strings.CutPrefix(h.URL(user, ref, part), "https://almanac.example.com/below"+mailfiles.Path)
	if !found || strings.ContainsAny(token, "/?#%") {
		h.Fatalf("the address %s", h.URL(user, ref, part))
	}
	return token
}

func (h *harness) get(method, token string) *httptest.ResponseRecorder {
	out := httptest.NewRecorder()
	h.ServeHTTP(out, httptest.NewRequestWithContext(h.Context(), method, mailfiles.Path+token, nil))
	return out
}

func (h *harness) want(method, token string, status int) *httptest.ResponseRecorder {
	h.Helper()
	out := h.get(method, token)
	if out.Code != status {
		h.Errorf("%s gives %d %q, want %d", method, out.Code, out.Body, status)
	}
	header := out.Header()
	if header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(header.Get("Cache-Control"), "no-store") ||
		!strings.Contains(header.Get("Content-Security-Policy"), "sandbox") ||
		header.Get("Referrer-Policy") != "no-referrer" {
		h.Errorf("%d has the headers %v", out.Code, header)
	}
	if status != http.StatusOK && (header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		header.Get("Content-Disposition") != "") {
		h.Errorf("%d has the headers %v", out.Code, header)
	}
	return out
}

func TestAnAttachmentIsSaved(t *testing.T) {
	h := newHarness(t)
	token := h.token(alice, "0.1")
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		out := h.want(method, token, http.StatusOK)
		want := "<script>hello</script>"
		if out.Header().Get("Content-Length") != fmt.Sprint(len(want)) ||
			out.Header().Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%v", out.Header())
		}
		if method == http.MethodHead {
			want = ""
		}
		if out.Body.String() != want {
			t.Errorf("%s gives %q", method, out.Body)
		}
	}
	if got := strings.Join(h.box.asked, ","); got != "alice@example.com 18c2f00d 0.1,alice@example.com 18c2f00d 0.1" {
		t.Errorf("asked %s", got)
	}
	if strings.Contains(token, "18c2f00d") || h.token(alice, "0.1") == token {
		t.Error("the address tells something")
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"report.pdf":                        "report.pdf",
		"חשבון חשמל.pdf":                    "חשבון חשמל.pdf",
		"":                                  "attachment",
		"../../etc/passwd":                  "_.._etc_passwd",
		"a\r\nSet-Cookie: x=1.txt":          "",
		`quo"te\\.txt`:                      "",
		"invoice\u202Efdp.exe":              "",
		strings.Repeat("x", 5_000) + ".txt": "",
	} {
		h := newHarness(t)
		h.box.file.Name = name
		header := h.want(http.MethodGet, h.token(alice, "1"), http.StatusOK).Header()
		kind, named, err := mime.ParseMediaType(header.Get("Content-Disposition"))
		got := named["filename"]
		if err != nil || kind != "attachment" || got == "" || want != "" && got != want {
			t.Errorf("%.40q is saved as %q (%v), want %q", name, got, err, want)
		}
		if len(header) > 9 || strings.ContainsAny(got, "\r\n/\\\u202e") || len(got) > 300 {
			t.Errorf("%.40q is saved as %q with %v", name, got, header)
		}
	}
}

// Only what this server has sealed, for ten minutes.
func TestAddresses(t *testing.T) {
	h := newHarness(t)
	token := h.token(alice, "1")
	for _, forged := range []string{"", "x", token[1:], token + "A", strings.Repeat("A", 200),
		strings.Repeat("A", 100_000), flip(token, 3), flip(token, len(token)/2), flip(token, len(token)-3)} {
		h.want(http.MethodGet, forged, http.StatusNotFound)
	}
	other := newHarness(t)
	stranger, err := seal.NewBox([]byte(strings.Repeat("x", 32)))
	if err != nil {
		t.Fatal(err)
	}
	other.Box = stranger
	h.want(http.MethodGet, other.token(alice, "1"), http.StatusNotFound)
	if out := h.want(http.MethodPost, token, http.StatusMethodNotAllowed); out.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("%v", out.Header())
	}
	h.now = h.now.Add(10*time.Minute - time.Second)
	h.want(http.MethodGet, token, http.StatusOK)
	h.now = h.now.Add(time.Second)
	h.want(http.MethodGet, token, http.StatusGone)
	if len(h.box.asked) != 1 {
		t.Errorf("asked %q", h.box.asked)
	}
}

// The clock that an address ends by says nothing about how long a download may take.
func TestADownloadHasTheTimeOfItsConnection(t *testing.T) {
	for _, year := range []int{1990, 2026, 2900} {
		h := newHarness(t)
		h.now = time.Date(year, 11, 21, 8, 0, 0, 0, time.UTC)
		h.box.file.Content = bytes.Repeat([]byte("x"), 8<<20)
		server := httptest.NewServer(h)
		response, err := http.Get(server.URL + mailfiles.Path + h.token(alice, "0.1"))
		if err != nil {
			t.Fatalf("in %d: %v", year, err)
		}
		got, err := io.ReadAll(response.Body)
		if err != nil || !bytes.Equal(got, h.box.file.Content) {
			t.Errorf("in %d: %d bytes, %v", year, len(got), err)
		}
		_ = response.Body.Close()
		server.Close()
	}
}

func flip(token string, at int) string {
	letter := byte('A')
	if token[at] == letter {
		letter = 'B'
	}
	return token[:at] + string(letter) + token[at+1:]
}

// A user's address leads into that user's mailbox, and into no other's of the same number.
func TestEachUserHasTheirOwn(t *testing.T) {
	h := newHarness(t)
	h.want(http.MethodGet, h.token(bob, "1"), http.StatusOK)
	if h.box.asked[0] != "bob@example.com 18c2f00d 1" {
		t.Errorf("asked %q", h.box.asked)
	}
	token := h.token(alice, "1")
	h.people.linked[alice] = h.people.linked[alice][:1] // unlinked
	h.want(http.MethodGet, token, http.StatusNotFound)
	h.want(http.MethodGet, h.token(model.UserIDOf("nobody"), "1"), http.StatusNotFound)
	h.people.linked[bob][0].Status = model.ConnectionExpired
	h.want(http.MethodGet, h.token(bob, "1"), http.StatusForbidden)
}

// Errors have a status and a sentence, and nothing of what caused them.
func TestErrors(t *testing.T) {
	const secret = "sensitive cause"
	for _, c := range []struct {
		err    error
		status int
		wait   string
	}{
		{&model.Error{Code: model.CodeNotFound, Message: secret}, http.StatusNotFound, ""},
		{&model.Error{Code: model.CodeNotConnected, Message: secret}, http.StatusForbidden, ""},
		{&model.Error{Code: model.CodeBadUserInput, Message: secret}, http.StatusRequestEntityTooLarge, ""},
		{&model.Error{Code: model.CodeUpstreamRateLimited, Message: secret, RetryAfter: 7 * time.Second},
			http.StatusTooManyRequests, "8"},
		{&model.Error{Code: model.CodeTimeout, Message: secret}, http.StatusGatewayTimeout, ""},
		{&model.Error{Code: model.CodeUpstreamUnavailable, Message: secret}, http.StatusBadGateway, ""},
		{&model.Error{Code: model.CodeUpstreamRejected, Message: secret}, http.StatusBadGateway, ""},
		{errors.New(secret), http.StatusInternalServerError, ""},
	} {
		h := newHarness(t)
		h.box.err = c.err
		out := h.want(http.MethodGet, h.token(alice, "1"), c.status)
		if strings.Contains(out.Body.String(), secret) || out.Header().Get("Retry-After") != c.wait {
			t.Errorf("%v: %v %s", c.err, out.Header(), out.Body)
		}
		if logged := h.log.String() != ""; logged != (c.status == http.StatusInternalServerError) {
			t.Errorf("%v: logged %q", c.err, h.log.String())
		}
	}
	h := newHarness(t)
	h.people.err = errors.New(secret)
	if out := h.want(http.MethodGet, h.token(alice, "1"),
		http.StatusInternalServerError); strings.Contains(out.Body.String(), secret) {
		t.Error(out.Body)
	}
	h = newHarness(t)
	h.box.file.Content = make([]byte, 36<<20+1)
	h.want(http.MethodGet, h.token(alice, "1"), http.StatusRequestEntityTooLarge)
}

// One user has so many in a minute, and two at once; others are not hurt.
func TestTheBounds(t *testing.T) {
	h := newHarness(t)
	for range 60 {
		h.want(http.MethodGet, h.token(alice, "1"), http.StatusOK)
	}
	if out := h.want(http.MethodGet, h.token(alice, "1"),
		http.StatusTooManyRequests); out.Header().Get("Retry-After") == "" {
		t.Error("it does not say when")
	}
	h.want(http.MethodGet, h.token(bob, "1"), http.StatusOK)
	h.now = h.now.Add(time.Minute)

	h.box.wait, h.box.entered = make(chan struct{}), make(chan struct{}, 10)
	var under sync.WaitGroup
	for range 2 {
		under.Go(func() {
			if out := h.get(http.MethodGet, h.token(alice, "1")); out.Code != http.StatusOK {
				t.Errorf("%d %s", out.Code, out.Body)
			}
		})
	}
	<-h.box.entered
	<-h.box.entered
	h.want(http.MethodGet, h.token(alice, "1"), http.StatusTooManyRequests)
	close(h.box.wait)
	under.Wait()
	h.want(http.MethodGet, h.token(alice, "1"), http.StatusOK)
}

// Who goes away gets no answer, and nobody is told of an error.
func TestWhoGoesAway(t *testing.T) {
	h := newHarness(t)
	h.box.wait, h.box.entered = make(chan struct{}), make(chan struct{}, 10)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.ServeHTTP(httptest.NewRecorder(),
			httptest.NewRequestWithContext(ctx, http.MethodGet, mailfiles.Path+h.token(alice, "1"), nil))
	}()
	<-h.box.entered
	cancel()
	<-done
	if h.log.String() != "" {
		t.Errorf("logged %s", h.log.String())
	}
}
