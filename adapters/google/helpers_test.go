package google_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/api/googleapi"

	"almanac/adapters/google"
	"almanac/graph/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The secrets of these tests; none may ever be seen in a log line or an error.
const (
	access1  = "ya29.first-access"
	access2  = "ya29.second-access"
	refresh1 = "1//first-refresh"
	clientID = "client.apps.googleusercontent.com"
	secret   = "GOCSPX-client-secret"
	address  = "noa@example.com"
)

var secrets = []string{access1, access2, refresh1, secret, address, "the-code", "the-verifier"}

const eventsURL = "https://www.googleapis.com/calendar/v3/calendars/noa@example.com/events"

var noa = google.Account{User: model.UserID{1}, Connection: model.UUID{2}, Email: address}

// vault is a google.Vault in memory.
type vault struct {
	mu      sync.Mutex
	tokens  map[model.UUID]google.Token
	err     error
	saveErr error
	reads   int
	saves   []google.Token
	expired []string
	// keeps: Expire is recorded and changes nothing, as when the database is down.
	keeps bool
}

func (v *vault) Token(_ context.Context, account google.Account) (google.Token, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.reads++
	if v.err != nil {
		return google.Token{}, v.err
	}
	return v.tokens[account.Connection], nil
}

func (v *vault) SaveToken(_ context.Context, account google.Account, token google.Token) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.saveErr != nil {
		return v.saveErr
	}
	v.saves = append(v.saves, token)
	v.tokens[account.Connection] = token
	return nil
}

func (v *vault) Expire(_ context.Context, _ google.Account, reason string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.expired = append(v.expired, reason)
	if v.keeps {
		return errors.New("the database is down")
	}
	v.err = model.Errorf(model.CodeNotConnected, "Link Google first.")
	return nil
}

// step answers one request. It is called without a lock.
type step func(*http.Request) (*http.Response, error)

// remote is Google: API requests go through the script, whose last step repeats; token requests go to oauth.
type remote struct {
	mu     sync.Mutex
	began  time.Time
	script []step
	oauth  step
	// at, bodies and bearers record the API requests; renewals the token requests.
	at       []time.Duration
	bodies   []string
	bearers  []string
	agents   []string
	renewals []url.Values
	under    int
	most     int
}

func (r *remote) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
		_ = req.Body.Close()
	}
	r.mu.Lock()
	var next step
	if req.URL.Host == "oauth2.googleapis.com" {
		form, _ := url.ParseQuery(string(body))
		r.renewals = append(r.renewals, form)
		next = r.oauth
	} else {
		next = r.script[min(len(r.at), len(r.script)-1)]
		r.at = append(r.at, time.Since(r.began))
		r.bodies = append(r.bodies, string(body))
		r.bearers = append(r.bearers, strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "))
		r.agents = append(r.agents, req.Header.Get("User-Agent"))
	}
	r.under++
	r.most = max(r.most, r.under)
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.under--
		r.mu.Unlock()
	}()
	answer, err := next(req)
	if answer != nil {
		answer.Request = req
	}
	return answer, err
}

// calls is how many API requests were made.
func (r *remote) calls() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.at)
}

func (r *remote) renewed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.renewals)
}

func answer(status int, header map[string]string, body string) step {
	return func(*http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json; charset=UTF-8"}}
		for name, value := range header {
			h.Set(name, value)
		}
		return &http.Response{StatusCode: status, Status: fmt.Sprint(status), Header: h, ContentLength: int64(len(body)),
			Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func ok() step { return answer(200, nil, `{"id":"1"}`) }

// refusal is Google's error envelope.
func refusal(status int, domain, reason, message string, header ...string) step {
	return answer(status, pairs(header), envelope(status, domain, reason, message))
}

func envelope(status int, domain, reason, message string) string {
	return fmt.Sprintf(`{"error":{"code":%d,"message":%q,"errors":[{"domain":%q,"reason":%q,"message":%q}]}}`, status,
		message, domain, reason, message)
}

func pairs(list []string) map[string]string {
	header := map[string]string{}
	for pair := range slices.Chunk(list, 2) {
		header[pair[0]] = pair[1]
	}
	return header
}

func backend(status int, header ...string) step {
	return refusal(status, "global", "backendError", "Backend Error", header...)
}

func broken(err error) step {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// hang answers nothing until the request's context ends.
func hang() step {
	return func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
}

// after takes that long, or until the request's context ends.
func after(d time.Duration, then step) step {
	return func(req *http.Request) (*http.Response, error) {
		select {
		case <-time.After(d):
			return then(req)
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
}

// granted is the token endpoint's answer to a refresh.
func granted(access string) step {
	return answer(200, nil, fmt.Sprintf(`{"access_token":%q,"expires_in":3599,"scope":"%s","token_type":"Bearer"}`, access,
		google.ScopeCalendarEvents))
}

func denied(status int, code string) step {
	return answer(status, nil, fmt.Sprintf(`{"error":%q,"error_description":"Token has been expired or revoked."}`, code))
}

// stage is Clients with a vault and a remote, and ears for all it says.
type stage struct {
	*google.Clients
	vault  *vault
	remote *remote
	log    *lockedBuffer
	heard  *heard
}

type heard struct {
	mu       sync.Mutex
	attempts []google.Attempt
}

func (h *heard) results() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var results []string
	for _, a := range h.attempts {
		results = append(results, a.Result)
	}
	return results
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newStage has a token that lasts an hour, no jitter, and a remote that plays the script. In a bubble of synctest all
// its waits take no time and are exact.
func newStage(t testing.TB, script ...step) *stage {
	t.Helper()
	s := &stage{
		vault: &vault{tokens: map[model.UUID]google.Token{noa.Connection: {
			Access: access1, Refresh: refresh1, Expiry: time.Now().Add(time.Hour), Scopes: []string{google.ScopeCalendarEvents},
		}}},
		remote: &remote{began: time.Now(), script: script, oauth: granted(access2)},
		log:    new(lockedBuffer),
		heard:  new(heard),
	}
	s.Clients = &google.Clients{
		OAuth: google.OAuth{ClientID: clientID, ClientSecret: secret,
			RedirectURL: "https://almanac.example/connect/google/callback"},
		Vault:  s.vault,
		Base:   s.remote,
		Jitter: func() float64 { return 0 },
		Logger: slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(a google.Attempt) {
			s.heard.mu.Lock()
			defer s.heard.mu.Unlock()
			s.heard.attempts = append(s.heard.attempts, a)
		},
		ConnectURL: func(_ google.Account, scopes []string) string {
			return "https://almanac.example/connect/google?scopes=" + strings.Join(scopes, ",")
		},
	}
	t.Cleanup(func() { noSecretIn(t, "the log", s.log.String()) })
	return s
}

func noSecretIn(t testing.TB, where, text string) {
	t.Helper()
	for _, word := range secrets {
		if strings.Contains(text, word) || strings.Contains(text, url.QueryEscape(word)) {
			t.Errorf("%s holds %q: %s", where, word, text)
		}
	}
}

// do makes one call as a client library would, and gives its status and classified error.
func (s *stage) do(ctx context.Context, method string) (int, error) {
	return s.send(ctx, s.HTTP(ctx, noa, model.UpstreamGoogle), method, eventsURL)
}

func (s *stage) send(ctx context.Context, client *http.Client, method, address string) (int, error) {
	var body io.Reader
	if method == http.MethodPost || method == http.MethodPatch {
		body = bytes.NewReader([]byte(`{"summary":"Review"}`))
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return 0, err
	}
	res, err := client.Do(req)
	return finish(res, err)
}

// classes checks an error's code, and that neither it nor its cause says anything secret.
func classes(t testing.TB, err error, code model.ErrorCode) *model.Error {
	t.Helper()
	if got := model.CodeOf(err); got != code {
		t.Fatalf("the code is %q, not %q: %v", got, code, err)
	}
	if err == nil {
		return nil
	}
	noSecretIn(t, "the error", err.Error())
	shown, is := errors.AsType[*model.Error](err)
	if !is {
		return nil
	}
	if shown.Message == "" {
		t.Errorf("%s has no sentence", shown.Code)
	}
	if shown.Cause != nil {
		noSecretIn(t, "the cause", shown.Cause.Error())
		if strings.Contains(shown.Cause.Error(), "https://") {
			t.Errorf("the cause holds an address: %s", shown.Cause)
		}
	}
	return shown
}

func same[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// finish does with an answer what the client library does with it.
func finish(res *http.Response, err error) (int, error) {
	if err != nil {
		return 0, google.Classify(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := googleapi.CheckResponse(res); err != nil {
		return res.StatusCode, google.Classify(err)
	}
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, google.Classify(err)
}
