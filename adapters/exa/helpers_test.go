package exa_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"almanac/adapters/exa"
	"almanac/graph/model"
	"almanac/internal/seal"
	standin "almanac/internal/standin/exa"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	// secretKey is the key of everything that is asked here; it is in no log and no error.
	secretKey = "exa-test-0123456789abcdef"
	// secretText is in texts that are sent here, and in no log.
	secretText = "Zanzibar"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// world is a client before the stand-in, with waits that take no time.
type world struct {
	t       testing.TB
	standin *standin.Server
	client  *exa.Client
	// account has the account of secretKey alone.
	account *exa.Account

	mu       sync.Mutex
	now      time.Time
	waits    []time.Duration
	attempts []exa.Attempt
	answers  []string
	log      bytes.Buffer
}

// Write implements io.Writer, for the log.
func (w *world) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(p)
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func newWorld(t testing.TB, options standin.Options) *world {
	t.Helper()
	w := &world{t: t, now: noon}
	options.Now = w.clock
	if options.Keys == nil {
		options.Keys = []string{secretKey}
	}
	if options.Content == 0 {
		options.Content = 500
	}
	w.standin = standin.New(options)
	w.client = &exa.Client{
		Base: listener{w.standin.Transport(), w}, Now: w.clock, Jitter: func() float64 { return 1 },
		Uploads: transport(func(*http.Request) (*http.Response, error) {
			t.Error("an upload went elsewhere")
			return nil, errors.New("no")
		}),
		Wait: func(ctx context.Context, d time.Duration) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.waits = append(w.waits, d)
			return ctx.Err()
		},
		Logger: slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(a exa.Attempt) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.attempts = append(w.attempts, a)
		},
		// The budget is that of tests of its own.
		Limits: exa.Limits{Websets: 1e6, Web: 1e6},
	}
	w.account = &exa.Account{Client: w.client, Key: secretKey}
	return w
}

// listener keeps what was answered, byte for byte.
type listener struct {
	http.RoundTripper
	world *world
}

// RoundTrip implements http.RoundTripper.
func (l listener) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, broken := io.ReadAll(response.Body)
	_ = response.Body.Close()
	l.world.mu.Lock()
	l.world.answers = append(l.world.answers, string(body))
	l.world.mu.Unlock()
	response.Body = io.NopCloser(bytes.NewReader(body))
	if broken != nil {
		response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{broken}))
	}
	return response, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

type transport func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func mustParse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// must gives a result that had to come about.
func must[T any](t testing.TB, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatalf("%v (%s)", err, model.CauseOf(err))
	}
	return value
}

// said are the raw bytes that were told, as somewhere in an answer.
func (w *world) said(raw string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, answer := range w.answers {
		if strings.Contains(answer, raw) {
			return true
		}
	}
	return false
}

// results are what the attempts so far came to, in order.
func (w *world) results() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, a := range w.attempts {
		out = append(out, a.Result)
	}
	return strings.Join(out, " ")
}

// check holds an error to its code, and to saying nothing private.
func (w *world) check(err error, code model.ErrorCode) *model.Error {
	w.t.Helper()
	shown, ok := errors.AsType[*model.Error](err)
	if !ok {
		w.t.Fatalf("%T %v is not for clients", err, err)
	}
	if shown.Code != code || shown.Message == "" {
		w.t.Errorf("%+v (%s), want %s", shown, model.CauseOf(shown), code)
	}
	w.private(shown.Message, shown.Reason, shown.Error(), model.CauseOf(shown))
	return shown
}

// private fails when a key, a text or an address is told.
func (w *world) private(said ...string) {
	w.t.Helper()
	w.mu.Lock()
	said = append(said, w.log.String())
	w.mu.Unlock()
	for _, text := range said {
		for _, private := range []string{secretKey, "0123456789", secretText, "api.exa.ai", "whsec"} {
			if strings.Contains(text, private) {
				w.t.Errorf("%q tells %q", text, private)
			}
		}
	}
}

// finished gives the account a webset that is done, with so many items, and gives its id.
func (w *world) finished(count int) string {
	w.t.Helper()
	id, err := w.standin.Fill(secretKey, "Companies in Israel that save water", count)
	return must(w.t, id, err)
}

var (
	alice = model.UserIDOf("alice")
	bob   = model.UserIDOf("bob")
)

func sealer(t testing.TB) *seal.Sealer {
	t.Helper()
	s, err := seal.New(bytes.Repeat([]byte{7}, 32))
	return must(t, s, err)
}

// sharing is an account of the key that a user shares with others.
func (w *world) sharing(user model.UserID) *exa.Account {
	return &exa.Account{Client: w.client, Key: secretKey, Owner: exa.Owner{Seal: sealer(w.t), User: user}}
}
