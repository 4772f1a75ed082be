package graphiti

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// protocol is the version of MCP that is offered first. It is not the library's latest, which begins with a request
// that servers of old do not know, and some of them break at.
const protocol = "2025-11-25"

// line is the way to the server: one session that all calls share, made when it is needed, and made anew when it is
// lost.
type line struct {
	base *Base

	mu      sync.Mutex
	current *session
	dialing *dialing
	closed  bool
	// work counts the goroutines that make and end sessions.
	work sync.WaitGroup
}

// dialing is a session that is being made, for all who wait for it.
type dialing struct {
	done    chan struct{}
	session *session
	lost    *failure
	cancel  context.CancelFunc
}

// session is one that was made, with what is known of its server.
type session struct {
	mcp   *mcp.ClientSession
	tools tools
	// users counts the calls that are under way in it, and lost says that it takes no more; it is ended by the last that
	// leaves, or by the line's own end. All of them are the line's to guard.
	users int
	lost  bool
	ended bool
}

var errClosed = errors.New("it was closed")

// take gives the session, made when there is none; leave must be called for it.
func (l *line) take(ctx context.Context) (*session, *failure) {
	l.mu.Lock()
	switch {
	case l.closed:
		l.mu.Unlock()
		return nil, &failure{kind: kindBroken, unsent: true, err: errClosed}
	case l.current != nil:
		defer l.mu.Unlock()
		l.current.users++
		return l.current, nil
	}
	d := l.dialing
	if d == nil {
		// Those who wait may give up one by one; the session is made for whoever comes next all the same.
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.base.Limits.Connect)
		d = &dialing{done: make(chan struct{}), cancel: cancel}
		l.dialing = d
		l.work.Go(func() {
			defer cancel()
			l.dial(within, d)
		})
	}
	l.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, &failure{kind: kindLate, unsent: true, err: ctx.Err()}
	case <-d.done:
	}
	if d.lost != nil {
		return nil, d.lost
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.session.lost {
		return nil, &failure{kind: kindBroken, unsent: true, err: errors.New("the session was lost at once")}
	}
	d.session.users++
	return d.session, nil
}

// leave gives a session back; lost says that it is of no use any more.
func (l *line) leave(s *session, lost bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.users--
	l.drop(s, lost)
}

// drop ends a session that is lost when nobody is in it, or when all ends. The lock is held.
func (l *line) drop(s *session, lost bool) {
	if lost && !s.lost {
		s.lost = true
		if l.current == s {
			l.current = nil
		}
	}
	if s.lost && !s.ended && (s.users == 0 || l.closed) {
		s.ended = true
		l.work.Go(func() { _ = s.mcp.Close() }) // what becomes of a session that is no good is of no interest
	}
}

// lose ends the session that is, if any: the next call makes another.
func (l *line) lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current != nil {
		l.drop(l.current, true)
	}
}

func (l *line) close() error {
	l.mu.Lock()
	l.closed = true
	if l.dialing != nil {
		l.dialing.cancel()
	}
	if l.current != nil {
		l.drop(l.current, true)
	}
	l.mu.Unlock()
	l.work.Wait()
	if transport, ok := l.base.HTTP.(*http.Transport); ok {
		transport.CloseIdleConnections()
	}
	return nil
}

// dial makes a session and lists its tools.
func (l *line) dial(ctx context.Context, d *dialing) {
	b := l.base
	w := &wire{}
	began := b.machine()
	d.session, d.lost = l.connect(onWire(ctx, w))
	if d.lost != nil {
		d.lost = d.lost.seen(ctx, w.get())
		d.lost.unsent = true // nothing of any call was
	}
	told := Attempt{Operation: "connect", Number: 1, Latency: b.machine().Sub(began), Result: ResultOK}
	if d.lost != nil {
		told.Result, told.Status = d.lost.result(), d.lost.status
	}
	b.tell(ctx, told)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dialing = nil
	if d.session != nil {
		if l.closed {
			l.drop(d.session, true)
		} else {
			l.current = d.session
		}
	}
	close(d.done)
}

func (l *line) connect(ctx context.Context) (*session, *failure) {
	client := mcp.NewClient(&mcp.Implementation{Name: "almanac", Version: "1"}, &mcp.ClientOptions{
		// Nothing is offered to the server: no sampling, no roots, no questions to the user.
		Capabilities: &mcp.ClientCapabilities{}, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	made, err := client.Connect(ctx, l.base.transport(), &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		return nil, &failure{kind: kindBroken, err: errors.New("no session could be made"), said: err}
	}
	s := &session{mcp: made}
	for tool, err := range made.Tools(ctx, nil) {
		if err != nil {
			_ = made.Close() // it is of no use
			return nil, &failure{kind: kindBroken, err: errors.New("its tools cannot be listed"), said: err}
		}
		if s.tools.add(tool); len(s.tools.known) >= mostTools {
			break
		}
	}
	if info := made.InitializeResult(); info != nil && info.ServerInfo != nil {
		s.tools.version = cutLine(info.ServerInfo.Version, 40)
	}
	if len(s.tools.known) == 0 {
		_ = made.Close() // it is of no use
		return nil, &failure{kind: kindBroken, err: errors.New("it lists no tools")}
	}
	return s, nil
}

// transport makes the way for one session.
func (b *Base) transport() mcp.Transport {
	if b.Target.isStdio() {
		command := exec.Command(b.Target.Command[0],
			b.Target.Command[1:]...) //nolint:gosec,noctx // the operator's setting; it lives as long as the session, not as the call that needed it
		command.Env = cleanEnviron(b.Environ)
		const patience = 2 * time.Second
		return &mcp.CommandTransport{Command: command, TerminateDuration: patience}
	}
	tripper := &roundTripper{base: b.HTTP, origin: b.Target.URL, token: b.Token, most: b.Limits.Answer, now: b.Now}
	return &mcp.StreamableClientTransport{
		Endpoint: b.Target.URL.String(), HTTPClient: &http.Client{Transport: tripper, CheckRedirect: tripper.sameOrigin},
		// There is one policy for what is tried again, and nothing that the server could say by itself is of interest.
		MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: int(b.Limits.Answer),
	}
}

// cleanEnviron leaves this program's own settings, and so its secrets, out of what a command is told.
func cleanEnviron(environ []string) []string {
	clean := make([]string, 0, len(environ))
	for _, one := range environ {
		if !strings.HasPrefix(one, "ALMANAC_") {
			clean = append(clean, one)
		}
	}
	return clean
}
