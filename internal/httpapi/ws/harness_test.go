package ws_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/internal/fakeengine"
	"almanac/internal/httpapi/internal/pipenet"
	"almanac/internal/httpapi/ws"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a server in a bubble.
type bench struct {
	t       *testing.T
	engine  *fakeengine.Engine
	auth    *fakeAuth
	handler *ws.Handler
	pipes   *pipenet.Listener
	opened  []edge.Hints
	mu      sync.Mutex
}

// fakeAuth knows tokens by name: "good" and "other" are people, "" is nobody, "broken" cannot be looked at.
type fakeAuth struct {
	mu      sync.Mutex
	callers map[string]model.Caller
	err     error
	hang    bool
	calls   int
}

func (a *fakeAuth) Authenticate(ctx context.Context, token string) (model.Caller, error) {
	a.mu.Lock()
	a.calls++
	caller, known := a.callers[token]
	err, hang := a.err, a.hang
	a.mu.Unlock()
	switch {
	case hang:
		<-ctx.Done()
		return model.Caller{}, ctx.Err()
	case err != nil:
		return model.Caller{}, err
	case token == "broken":
		return model.Caller{}, errors.New("the token table is on fire")
	case !known:
		return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "who are you?")
	}
	return caller, nil
}

func (a *fakeAuth) set(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
}

func person(name string) model.Caller {
	return model.Caller{UserID: model.UserID{byte(len(name))}, Subject: name,
		Scopes: []model.Scope{model.ScopeRead, model.ScopeWrite}}
}

// run starts a server in a bubble, lets the test at it and checks that nothing stays behind.
func run(t *testing.T, adjust func(*ws.Config), test func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, engine: fakeengine.New(), pipes: pipenet.New(), auth: &fakeAuth{callers: map[string]model.Caller{
			"": person("local"), "good": person("noa"), "other": person("other one"),
		}}}
		config := ws.Config{
			Preparer: b.engine, Authenticator: b.auth,
			Open: func(ctx context.Context, _ model.Caller, hints edge.Hints) (context.Context, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.opened = append(b.opened, hints)
				if hints.TimeZone == "Nowhere/At_All" {
					return nil, model.BadInput("timeZone", "there is no such zone")
				}
				return ctx, nil
			},
			AllowedOrigins: []string{"https://app.example.com"},
		}
		if adjust != nil {
			adjust(&config)
		}
		b.handler = ws.New(config)
		server := &http.Server{ //nolint:gosec // pipes have no slow headers
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.handler.Upgrade(w, r, func() {}) })}
		served := make(chan struct{})
		go func() { defer close(served); _ = server.Serve(b.pipes) }()
		defer func() {
			b.pipes.Cut()
			_ = server.Close()
		}()
		test(b)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		<-served
		synctest.Wait()
		if stats := b.handler.Stats(); stats != (ws.Stats{}) {
			t.Errorf("left behind: %+v", stats)
		}
		if n := b.engine.Running.Load(); n != 0 {
			t.Errorf("%d operations still run", n)
		}
	})
}

// peer is a client that says exactly what it is told to.
type peer struct {
	t    *testing.T
	conn *websocket.Conn
	// frames are what came in; it is closed at the end, when end says why.
	frames chan string
	end    error
}

type dialing struct {
	subprotocols []string
	header       http.Header
	silent       bool
}

func (b *bench) dial(how dialing) (*peer, *http.Response, error) {
	transport := &http.Transport{DialContext: b.pipes.Dial, DisableKeepAlives: true}
	conn, response, err := websocket.Dial(context.Background(), "ws://almanac.test/graphql", &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: transport}, HTTPHeader: how.header, Subprotocols: how.subprotocols,
	})
	if err != nil {
		return nil, response, err
	}
	conn.SetReadLimit(-1)
	p := &peer{t: b.t, conn: conn, frames: make(chan string, 10_000)}
	if !how.silent {
		p.listen()
	}
	return p, response, nil
}

func (p *peer) listen() {
	go func() {
		defer close(p.frames)
		for {
			_, text, err := p.conn.Read(context.Background())
			if err != nil {
				p.end = err
				return
			}
			p.frames <- string(text)
		}
	}()
}

func (b *bench) connect() *peer {
	b.t.Helper()
	p, _, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}})
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// ready is a peer that has been let in.
func (b *bench) ready() *peer {
	b.t.Helper()
	p := b.connect()
	p.send(`{"type":"connection_init","payload":{"authorization":"Bearer good"}}`)
	p.expect(`{"type":"connection_ack"}`)
	return p
}

func (p *peer) send(text string) {
	p.t.Helper()
	if err := p.conn.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatalf("send %.200s: %v", text, err)
	}
}

// next returns the next message that is no ping of the server, or the close as "x code reason".
func (p *peer) next() string {
	p.t.Helper()
	for {
		text, more := <-p.frames
		if !more {
			var closed websocket.CloseError
			if errors.As(p.end, &closed) {
				return fmt.Sprintf("x %d %s", closed.Code, closed.Reason)
			}
			return "cut off"
		}
		if text != `{"type":"ping"}` {
			return text
		}
	}
}

func (p *peer) expect(want string) {
	p.t.Helper()
	got := p.next()
	if !same(got, want) {
		p.t.Fatalf("got  %.500s\nwant %.500s", got, want)
	}
}

// quiet expects that no message has come, once everything has settled.
func (p *peer) quiet() {
	p.t.Helper()
	synctest.Wait()
	for {
		select {
		case text, more := <-p.frames:
			if !more {
				return
			}
			if text == `{"type":"ping"}` {
				continue
			}
			p.t.Fatalf("got %.300s, want nothing", text)
		default:
			return
		}
	}
}

func (p *peer) bye() {
	_ = p.conn.Close(websocket.StatusNormalClosure, "")
	for range p.frames {
	}
}

// same compares as JSON where both are, else as text. A "…" in a wanted string stands for any string.
func same(got, want string) bool {
	var g, w any
	if json.Unmarshal([]byte(got), &g) != nil || json.Unmarshal([]byte(want), &w) != nil {
		return got == want || strings.HasSuffix(want, "…") && strings.HasPrefix(got, strings.TrimSuffix(want, "…"))
	}
	return alike(g, w)
}

func alike(got, want any) bool {
	switch want := want.(type) {
	case string:
		text, ok := got.(string)
		return ok && (want == "…" || text == want)
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok || len(object) != len(want) {
			return false
		}
		for key := range want {
			if !alike(object[key], want[key]) {
				return false
			}
		}
		return true
	case []any:
		array, ok := got.([]any)
		if !ok || len(array) != len(want) {
			return false
		}
		for i := range want {
			if !alike(array[i], want[i]) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(got, want)
	}
}

// play runs a script: "> " sends a message, "< " expects one, "x " expects the close with code and reason, "~ " lets
// time pass, "= " expects silence, "! " lets one waiting operation answer.
func (p *peer) play(b *bench, script string) {
	p.t.Helper()
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		rest := strings.TrimSpace(line[1:])
		switch line[0] {
		case '>':
			p.send(rest)
		case '<':
			p.expect(rest)
		case 'x':
			p.expect(line)
		case '=':
			p.quiet()
		case '!':
			b.engine.Release <- struct{}{}
		case '~':
			d, err := time.ParseDuration(rest)
			if err != nil {
				p.t.Fatal(err)
			}
			time.Sleep(d)
			synctest.Wait()
		default:
			p.t.Fatalf("no such line: %s", line)
		}
	}
}

func admitFunc(f func() (func(), error)) func(context.Context) (func(), error) {
	return func(context.Context) (func(), error) { return f() }
}
