package sse_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"almanac/graph/model"
	"almanac/internal/httpapi/internal/fakeengine"
	"almanac/internal/httpapi/internal/pipenet"
	"almanac/internal/httpapi/sse"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	eventStream = "text/event-stream"
	multipart   = `multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,` +
		`application/json;q=0.9`
)

// bench is a server in a bubble. It proves callers as the front door does: caller is who sends every request.
type bench struct {
	t       *testing.T
	engine  *fakeengine.Engine
	handler *sse.Handler
	network *pipenet.Listener
	client  *http.Client
	caller  model.Caller

	mu sync.Mutex
	// proof is what a second look at the token finds.
	proof func(context.Context) (model.Caller, error)
	looks int
}

func (b *bench) Authenticate(ctx context.Context, token string) (model.Caller, error) {
	b.mu.Lock()
	b.looks++
	proof := b.proof
	b.mu.Unlock()
	if token != "good" {
		return model.Caller{}, errors.New("the request had another token")
	}
	return proof(ctx)
}

func (b *bench) set(proof func(context.Context) (model.Caller, error)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.proof = proof
}

func run(t *testing.T, adjust func(*sse.Config), test func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, engine: fakeengine.New(), network: pipenet.New(),
			caller: model.Caller{Subject: "noa", Scopes: []model.Scope{model.ScopeRead}}}
		b.proof = func(context.Context) (model.Caller, error) { return b.caller, nil }
		config := sse.Config{Preparer: b.engine, Authenticator: b}
		if adjust != nil {
			adjust(&config)
		}
		b.handler = sse.New(config)
		server := &http.Server{ //nolint:gosec // pipes have no slow headers
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				b.handler.ServeHTTP(w, r.WithContext(model.WithCaller(r.Context(), b.caller)))
			}),
		}
		b.client = &http.Client{Transport: &http.Transport{DialContext: b.network.Dial, DisableKeepAlives: true}}
		served := make(chan struct{})
		go func() { defer close(served); _ = server.Serve(b.network) }()
		defer func() {
			b.network.Cut()
			_ = server.Close()
			<-served
		}()
		test(b)
		b.network.Cut()
		synctest.Wait()
		if n := b.handler.Streams(); n != 0 {
			t.Errorf("%d streams are left", n)
		}
		if n := b.engine.Running.Load(); n != 0 {
			t.Errorf("%d operations still run", n)
		}
	})
}

// tap is a response that is read as it comes.
type tap struct {
	b        *bench
	response *http.Response
	cancel   context.CancelFunc

	mu    sync.Mutex
	seen  strings.Builder
	ended bool
	err   error
}

// post sends a request; pairs are further headers. It reads the answer unless accept ends with "!".
func (b *bench) post(accept, body string, pairs ...string) *tap {
	b.t.Helper()
	return b.send(http.MethodPost, "/graphql", accept, body, pairs...)
}

func (b *bench) send(method, path, accept, body string, pairs ...string) *tap {
	b.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, method, "http://almanac.test"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	accept, deaf := strings.CutSuffix(accept, "!")
	r.Header.Set("Accept", accept)
	r.Header.Set("Authorization", "Bearer good")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(pairs); i += 2 {
		r.Header.Set(pairs[i], pairs[i+1])
	}
	response, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	p := &tap{b: b, response: response, cancel: cancel}
	if !deaf {
		go p.drink()
	}
	return p
}

func (p *tap) drink() {
	buf := make([]byte, 32<<10)
	for {
		n, err := p.response.Body.Read(buf)
		p.mu.Lock()
		p.seen.Write(buf[:n])
		if err != nil {
			p.ended = true
			if !errors.Is(err, io.EOF) {
				p.err = err
			}
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
	}
}

var traceID = regexp.MustCompile(`"traceId":"[0-9a-f]{32}"`)

// expect compares all that came since the last time, once everything has settled.
func (p *tap) expect(want string) {
	p.b.t.Helper()
	if got := p.text(); got != want {
		p.b.t.Fatalf("got\n%q\nwant\n%q", got, want)
	}
}

// text is what came since the last time, with trace ids blotted out.
func (p *tap) text() string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.seen.Reset()
	return traceID.ReplaceAllString(p.seen.String(), `"traceId":"…"`)
}

// expectEnd expects that the response has ended as it should.
func (p *tap) expectEnd() {
	p.b.t.Helper()
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended || p.err != nil {
		p.b.t.Fatalf("ended %v, error %v", p.ended, p.err)
	}
}

func (p *tap) expectOpen() {
	p.b.t.Helper()
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		p.b.t.Fatalf("the stream has ended: %v", p.err)
	}
}

func query(text string) string { return `{"query":"` + text + `"}` }
