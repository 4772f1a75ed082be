package openai_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"almanac/adapters/openai"
	"almanac/graph/model"
	standin "almanac/internal/standin/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secretKey = "sk-test-0123456789abcdef"
	// secretText is in every text that is sent here, and in none of the logs and errors.
	secretText = "Zanzibar"
)

// models are short ones, which leave more of a test's time for the test.
var models = map[string]standin.ModelFacts{"tiny": {Dimensions: 64}, "bendy": {Dimensions: 128, Shorter: true}}

// world is a client before a stand-in, with waits that take no time.
type world struct {
	t       *testing.T
	standin *standin.Server
	client  *openai.Client

	mu       sync.Mutex
	waits    []time.Duration
	attempts []openai.Attempt
	log      bytes.Buffer
}

func (w *world) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(p)
}

func newWorld(t *testing.T, options standin.Options) *world {
	t.Helper()
	if options.Models == nil {
		options.Models = models
	}
	w := &world{t: t, standin: standin.New(options)}
	w.client = &openai.Client{Endpoint: &openai.Endpoint{
		URL: mustParse(t, "https://model.example/v1"), Key: secretKey, Base: w.standin.Transport(), Now: time.Now,
		Jitter: func() float64 { return 1 },
		Wait: func(ctx context.Context, d time.Duration) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.waits = append(w.waits, d)
			return ctx.Err()
		},
		Logger: slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(a openai.Attempt) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.attempts = append(w.attempts, a)
		},
	}}
	return w
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// embed asks for texts by the model "tiny".
func (w *world) embed(texts ...string) ([][]float32, error) {
	w.t.Helper()
	return w.client.Embed(w.t.Context(), openai.Ask{Model: "tiny", Expect: 64}, texts)
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

// check holds an error to its code and its reason, and to saying nothing private, in any of the ways in which it may be
// printed.
func (w *world) check(err error, code model.ErrorCode, reason string) *model.Error {
	w.t.Helper()
	shown, ok := errors.AsType[*model.Error](err)
	if !ok {
		w.t.Fatalf("%T %v is not for clients", err, err)
	}
	if shown.Code != code || shown.Reason != reason || shown.Message == "" || shown.Cause == nil {
		w.t.Errorf("%+v, want %s %q", shown, code, reason)
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
		for _, private := range []string{secretKey, "0123456789", secretText, "model.example"} {
			if strings.Contains(text, private) {
				w.t.Errorf("%q tells %q", text, private)
			}
		}
	}
}

// same tells whether a vector is the stand-in's for a text.
func same(got []float32, want []float64) bool {
	return slices.EqualFunc(got, want, func(a float32, b float64) bool { return math.Abs(float64(a)-b) < 1e-6 })
}
