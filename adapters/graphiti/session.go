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

	"almanac/adapters/remote"
)

// protocol is the version of MCP that is offered first. It is not the library's latest, which begins with a request
// that servers of old do not know, and some of them break at.
const protocol = "2025-11-25"

// connection is the way to the server: one session that all calls share, made when it is needed, and made anew when it
// is lost.
type connection struct {
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
	// leaves, or by the connection's own end. All of them are the connection's to guard.
	users int
	lost  bool
	ended bool
}

var errClosed = errors.New("it was closed")

// unsent is the failure of a call that found no session.
func unsent(err error) *failure { return &failure{Kind: remote.KindBroken, Unsent: true, Err: err} }

// take returns the session, made when there is none; leave must be called for it.
func (c *connection) take(ctx context.Context) (*session, *failure) {
	c.mu.Lock()
	switch {
	case c.closed:
		c.mu.Unlock()
		return nil, unsent(errClosed)
	case c.current != nil:
		defer c.mu.Unlock()
		c.current.users++
		return c.current, nil
	}
	d := c.dialing
	if d == nil {
		// Those who wait may give up one by one; the session is made for whoever comes next all the same.
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.base.Limits.Connect)
		d = &dialing{done: make(chan struct{}), cancel: cancel}
		c.dialing = d
		c.work.Go(func() {
			defer cancel()
			c.dial(within, d)
		})
	}
	c.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, remote.Late(ctx.Err())
	case <-d.done:
	}
	if d.lost != nil {
		return nil, d.lost
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if d.session.lost {
		return nil, unsent(errors.New("the session was lost at once"))
	}
	d.session.users++
	return d.session, nil
}

// leave returns a session; lost says that it is of no use any more.
func (c *connection) leave(s *session, lost bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.users--
	c.drop(s, lost)
}

// drop ends a session that is lost when nobody is in it, or when all ends. The lock is held.
func (c *connection) drop(s *session, lost bool) {
	if lost && !s.lost {
		s.lost = true
		if c.current == s {
			c.current = nil
		}
	}
	if s.lost && !s.ended && (s.users == 0 || c.closed) {
		s.ended = true
		c.work.Go(func() { _ = s.mcp.Close() }) // what becomes of a session that is no good is of no interest
	}
}

// lose ends the session that is, if any: the next call makes another.
func (c *connection) lose() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil {
		c.drop(c.current, true)
	}
}

func (c *connection) close() error {
	c.mu.Lock()
	c.closed = true
	if c.dialing != nil {
		c.dialing.cancel()
	}
	if c.current != nil {
		c.drop(c.current, true)
	}
	c.mu.Unlock()
	c.work.Wait()
	if transport, ok := c.base.HTTP.(*http.Transport); ok {
		transport.CloseIdleConnections()
	}
	return nil
}

// dial makes a session and lists its tools.
func (c *connection) dial(ctx context.Context, d *dialing) {
	caller := c.base.caller
	w := &wire{}
	began := caller.Clock()
	made, what, err := c.connect(onWire(ctx, w))
	told := Attempt{Operation: "connect", Number: 1, Latency: caller.Clock().Sub(began), Result: remote.ResultOK}
	if made == nil {
		d.lost = judge(ctx, w.get(), err, what)
		told.Result, told.Status = d.lost.Outcome(), d.lost.Status
		d.lost.Unsent = true // nothing of any call was
	}
	caller.Report(ctx, told)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialing, d.session = nil, made
	if made != nil {
		if c.closed {
			c.drop(made, true)
		} else {
			c.current = made
		}
	}
	close(d.done)
}

// connect returns a session, or what went wrong with the library's error, which may be nil.
func (c *connection) connect(ctx context.Context) (s *session, what string, err error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "almanac", Version: "1"}, &mcp.ClientOptions{
		// Nothing is offered to the server: no sampling, no roots, no questions to the user.
		Capabilities: &mcp.ClientCapabilities{}, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	made, err := client.Connect(ctx, c.base.transport(), &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		return nil, "no session could be made", err
	}
	s = &session{mcp: made}
	for tool, err := range made.Tools(ctx, nil) {
		if err != nil {
			_ = made.Close() // it is of no use
			return nil, "its tools cannot be listed", err
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
		return nil, "it lists no tools", nil
	}
	return s, "", nil
}

// transport makes the way for one session.
func (b *Base) transport() mcp.Transport {
	if b.Target.isStdio() {
		// The operator's setting; it lives as long as the session, not as the call that needed it.
		command := exec.Command(b.Target.Command[0], b.Target.Command[1:]...) //nolint:gosec,noctx // see above
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
