package ws

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/proof"
)

// Config is what a Handler needs. Preparer, Authenticator and Open are required.
type Config struct {
	Preparer      engine.Preparer
	Authenticator edge.Authenticator
	// Open is called for every operation, not once a socket, so that each has its own "now" and settings.
	Open edge.Opener
	// Admit, when set, asks for a slot before an operation is prepared, and is told when a query or a mutation has been
	// answered or a subscription has started. A *model.Error refuses the operation.
	Admit func(ctx context.Context) (done func(), err error)
	// AllowedOrigins are the origins besides the server's own from which a browser may connect, as
	// "https://app.example.com". A request without Origin comes from no browser and is let in.
	AllowedOrigins []string
	// Logger gets one line a socket and one an operation, without queries, variables, answers or tokens. Nil: silence.
	Logger *slog.Logger
	// Now is the clock by which a caller's proof expires. Nil: time.Now.
	Now    func() time.Time
	Limits Limits
}

// Handler upgrades requests to sockets and serves them. Make it with New.
type Handler struct {
	config Config
	limits Limits
	log    *slog.Logger
	now    func() time.Time
	proofs *proof.Checker
	// frames are buffers for messages.
	frames sync.Pool
	// lastAnswer is the last one of a subscription.
	lastAnswer atomic.Pointer[encoded]

	mu       sync.Mutex
	reserved int
	// sockets are the open ones, with their users once they are known, and users counts them.
	sockets map[*socket]model.UserID
	users   map[model.UserID]int
	// addresses counts the sockets that are not proved, by where they come from.
	addresses map[string]int
	draining  bool
	// empty is closed when the last socket leaves a draining handler.
	empty chan struct{}
}

// New makes a Handler that holds no sockets yet.
func New(config Config) *Handler {
	h := &Handler{
		config:  config,
		limits:  config.Limits.withDefaults(),
		log:     config.Logger,
		now:     config.Now,
		proofs:  proof.New(config.Authenticator),
		sockets: map[*socket]model.UserID{},
		users:   map[model.UserID]int{},
		empty:   make(chan struct{}),

		addresses: map[string]int{},
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if h.now == nil {
		h.now = time.Now
	}
	return h
}

// ServeHTTP upgrades the request and returns when the socket has ended and nothing of it runs any more; see Upgrade.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	done := make(chan struct{})
	h.Upgrade(w, r, func() { close(done) })
	<-done
}

// Upgrade upgrades the request and returns, so that an idle socket does not hold what the request took. ended is called
// when the socket has ended and nothing of it runs any more, or has not come to be.
//
// A request that is no proper upgrade gets 400 or 426, a foreign Origin 403, and 503 with Retry-After when the process
// is draining or full; the body is {"errors":[…]}. A missing or unknown subprotocol is upgraded and closed with 4406,
// since a browser cannot read the answer to a refused upgrade.
func (h *Handler) Upgrade(w http.ResponseWriter, r *http.Request, ended func()) {
	s := h.accept(w, r)
	if s == nil {
		ended()
		return
	}
	go func() {
		defer ended()
		defer h.leave()
		defer h.remove(s)
		s.serve()
	}()
}

// accept returns the socket of a request; nil when there is none, and the client has been told.
func (h *Handler) accept(w http.ResponseWriter, r *http.Request) *socket {
	if !h.allowed(r) {
		answer.Refuse(w, http.StatusForbidden, edge.RefuseForeign(r.Context(), h.log, r))
		return nil
	}
	address := edge.AddressOf(r)
	if status, why := h.enter(address); status != 0 {
		full := model.Errorf(model.CodeRateLimited, "%s Try again in a moment.", why)
		full.RetryAfter = time.Second
		answer.Refuse(w, status, full)
		return nil
	}
	hijacked := &hijacked{}
	conn, err := websocket.Accept(&hijacker{ResponseWriter: w, hijacked: hijacked}, r, &websocket.AcceptOptions{
		Subprotocols:   []string{Subprotocol},
		OriginPatterns: h.config.AllowedOrigins,
		OnPingReceived: func(context.Context, []byte) bool { hijacked.heard(); return true },
		OnPongReceived: func(context.Context, []byte) { hijacked.heard() },
	})
	if err != nil {
		h.leaveAddress(address)
		h.leave()
		h.log.Debug("websocket refused", "error", err)
		return nil
	}
	hints := edge.HintsFrom(r)
	if hints.RequestID == "" {
		hints.RequestID = newID()
	}
	s := newSocket(context.WithoutCancel(r.Context()), h, conn, hijacked.conn, hints,
		r.Header.Get("Authorization"))
	s.address = address
	hijacked.heard = s.heard
	if !h.add(s) {
		s.close(websocket.StatusGoingAway, reasonGoingAway)
	}
	return s
}

// allowed compares the Origin with the server's own host and with the list.
func (h *Handler) allowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	for _, allowed := range h.config.AllowedOrigins {
		if strings.EqualFold(origin, allowed) {
			return true
		}
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// enter takes a place for a socket from an address, or returns the status of the refusal and its reason; leave frees
// it.
func (h *Handler) enter(address string) (refused int, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining || h.reserved >= h.limits.MaxSockets {
		return http.StatusServiceUnavailable, "This server takes no more sockets now."
	}
	if h.addresses[address] >= h.limits.MaxAddressSockets {
		return http.StatusTooManyRequests, "Too many sockets from this address have not said yet whose they are."
	}
	h.addresses[address]++
	h.reserved++
	return 0, ""
}

// leaveAddress takes a socket off those of its address that are not proved.
func (h *Handler) leaveAddress(address string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forgetAddress(address)
}

// forgetAddress is called with mu held.
func (h *Handler) forgetAddress(address string) {
	if h.addresses[address]--; h.addresses[address] <= 0 {
		delete(h.addresses, address)
	}
}

func (h *Handler) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reserved--
	if h.draining && h.reserved == 0 {
		close(h.empty)
	}
}

// add registers a socket; false when it came too late to be told of the drain.
func (h *Handler) add(s *socket) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sockets[s] = model.UserID{}
	return !h.draining
}

func (h *Handler) remove(s *socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	user := h.sockets[s]
	if !s.proved {
		h.forgetAddress(s.address)
	}
	if h.users[user]--; h.users[user] <= 0 {
		delete(h.users, user)
	}
	delete(h.sockets, s)
}

// enterUser counts a socket as one of its user's; false when the user has as many as may be.
func (h *Handler) enterUser(s *socket, user model.UserID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.users[user] >= h.limits.MaxUserSockets {
		return false
	}
	h.users[user]++
	h.sockets[s] = user
	if !s.proved {
		s.proved = true
		h.forgetAddress(s.address)
	}
	return true
}

// Shutdown lets no new socket and no new operation in, waits for running queries and mutations to be answered, closes
// every socket with 1001 Going Away, and returns when all have ended. Subscriptions end without "complete", so that
// clients subscribe again elsewhere. Shortly before the context ends it stops waiting for answers; when it ends,
// what is left is cut off and the context's error is returned. Calling it again waits again.
func (h *Handler) Shutdown(ctx context.Context) error {
	h.mu.Lock()
	first := !h.draining
	h.draining = true
	if first && h.reserved == 0 {
		close(h.empty)
	}
	told := h.snapshot()
	h.mu.Unlock()

	patience, stop := beforeEnd(ctx)
	defer stop()
	var tellers sync.WaitGroup
	for _, s := range told {
		tellers.Go(func() { s.drain(patience) })
	}
	defer tellers.Wait()
	select {
	case <-h.empty:
		return nil
	case <-ctx.Done():
	}
	h.mu.Lock()
	left := h.snapshot()
	h.mu.Unlock()
	for _, s := range left {
		s.cutOff("drain")
	}
	return ctx.Err()
}

func (h *Handler) snapshot() []*socket {
	list := make([]*socket, 0, len(h.sockets))
	for s := range h.sockets {
		list = append(list, s)
	}
	return list
}

// beforeEnd returns a context that ends early enough before ctx for close frames to get out.
func beforeEnd(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ends := ctx.Deadline()
	if !ends {
		return context.WithCancel(ctx)
	}
	left := time.Until(deadline)
	return context.WithTimeout(ctx, left-min(left/4, time.Second))
}

// Stats is how busy a Handler is.
type Stats struct {
	// Sockets are the open ones, Operations the ones that run on them.
	Sockets, Operations int
}

// Stats counts what is open now.
func (h *Handler) Stats() Stats {
	h.mu.Lock()
	open := h.snapshot()
	h.mu.Unlock()
	stats := Stats{Sockets: len(open)}
	for _, s := range open {
		stats.Operations += s.runningOperations()
	}
	return stats
}

func newID() string {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return hex.EncodeToString(id[:])
}

// hijacked is what the socket needs of a connection beside what the WebSocket library makes of it: only the deadlines
// of the connection bound everything that the library does on it.
type hijacked struct {
	conn  net.Conn
	heard func()
}

// hijacker hands a connection over with buffers as small as messages of clients and control frames need: most sockets
// do nothing most of the time.
type hijacker struct {
	http.ResponseWriter
	hijacked *hijacked
}

const (
	readBuffer  = 512
	writeBuffer = 256
)

// Hijack takes the connection over (http.Hijacker).
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.hijacked.conn = conn
	early, _ := buffers.Reader.Peek(buffers.Reader.Buffered()) // what the client has sent behind its request
	reader := bufio.NewReaderSize(bytes.NewReader(bytes.Clone(early)), max(readBuffer, len(early)))
	_, _ = reader.Peek(len(early))
	return conn, bufio.NewReadWriter(reader, bufio.NewWriterSize(conn, writeBuffer)), nil
}
