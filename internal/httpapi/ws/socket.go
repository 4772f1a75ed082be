package ws

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
)

// The reasons that go with the close codes, in the words of PROTOCOL.md.
const (
	reasonUnauthorized = "Unauthorized"
	reasonForbidden    = "Forbidden"
	reasonNotAccepted  = "Subprotocol not acceptable"
	reasonInitTimeout  = "Connection initialisation timeout"
	reasonTooManyInits = "Too many initialisation requests"
	reasonGoingAway    = "Going away"
	reasonUserFull     = "This user has too many sockets"
)

// maxQueued is how many operations of a socket begin at a time: wait to be admitted, or are refused. The socket's next
// message is read when one of them has begun. Each has a goroutine of its own, and holds what it was asked.
const maxQueued = 4

// maxReason is what fits in a close frame beside its code (RFC 6455, section 5.5).
const maxReason = 123

// socket is one peer. Its goroutines: serve reads, every message has one, and every operation.
//
// I/O on the connection is bounded by the deadlines of raw, never by a context: a context that ends during I/O would
// tear the connection down before a close frame is out.
type socket struct {
	handler *Handler
	conn    *websocket.Conn
	raw     net.Conn
	log     *slog.Logger
	opened  time.Time
	// address is where it comes from; proved says whose it is, and is guarded by the handler's mu.
	address string
	proved  bool
	// authorization is the upgrade request's header.
	authorization string

	// base outlives the socket, for mutations; ctx ends with it.
	base   context.Context
	ctx    context.Context
	cancel context.CancelFunc
	// writing holds a value while somebody writes, so that order and "is it still wanted" are decided together.
	writing chan struct{}
	// queue holds a value for each operation that begins.
	queue chan struct{}
	group sync.WaitGroup
	// freed holds a value when an operation may have left its place.
	freed chan struct{}
	// reading is set while a message arrives.
	reading atomic.Bool
	// pinging is set while a ping waits for its turn, so that they do not queue behind a slow peer.
	pinging atomic.Bool

	mu          sync.Mutex
	clock       *time.Timer
	nextPing    time.Time
	initialised bool
	acked       bool
	token       string
	caller      model.Caller
	hints       edge.Hints
	operations  map[string]*operation
	running     int
	// single counts the running operations that are not known to be subscriptions.
	single   int
	total    int
	draining bool
	// quiet is closed when a draining socket has no single operation.
	quiet chan struct{}
	ended bool
	code  websocket.StatusCode
	cause string
	// due are the subscriptions that have something to tell and wait for their turn; telling is set while a goroutine
	// serves them.
	due     []*operation
	telling bool
}

func newSocket(base context.Context, h *Handler, conn *websocket.Conn, raw net.Conn, hints edge.Hints,
	authorization string) *socket {
	ctx, cancel := context.WithCancel(base)
	return &socket{
		handler: h, conn: conn, raw: raw, opened: time.Now(), authorization: authorization,
		log:  h.log.With("requestId", hints.RequestID),
		base: base, ctx: ctx, cancel: cancel,
		writing: make(chan struct{}, 1), queue: make(chan struct{}, maxQueued), freed: make(chan struct{}, 1),
		quiet: make(chan struct{}),
		hints: hints, operations: map[string]*operation{},
	}
}

// serve runs the socket to its end and leaves nothing behind.
func (s *socket) serve() {
	defer func() {
		s.cutOff("peer")
		s.endOperations()
		s.group.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.log.Info("websocket closed", "code", int(s.code), "cause", s.cause, "operations", s.total,
			"durationMs", time.Since(s.opened).Milliseconds())
	}()
	if s.conn.Subprotocol() != Subprotocol {
		s.close(codeNotAcceptable, reasonNotAccepted)
		return
	}
	s.conn.SetReadLimit(s.handler.limits.MaxInitMessage)
	s.startClock()
	s.guard(s.read)
}

// spawn runs f in a goroutine of the socket.
func (s *socket) spawn(f func()) { s.group.Go(func() { s.guard(f) }) }

// guard runs f; a panic costs the socket and not the process.
func (s *socket) guard(f func()) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("websocket panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			s.close(websocket.StatusInternalError, "Internal error")
		}
	}()
	f()
}

// read takes messages until the socket ends. What a stack has grown to once it keeps in part, and the one that waits
// for messages is there as long as the socket; so a message is taken by a goroutine of its own.
func (s *socket) read() {
	for goesOn := true; goesOn; {
		s.heard()
		kind, reader, err := s.conn.Reader(context.Background())
		if err != nil {
			s.readFailed(err)
			return
		}
		goesOn = false
		taken := make(chan struct{})
		s.group.Go(func() {
			defer close(taken)
			s.guard(func() { goesOn = s.receive(kind, reader) })
		})
		<-taken
	}
}

// receive reads a message that has begun and takes it. It reports whether the socket goes on.
func (s *socket) receive(kind websocket.MessageType, message io.Reader) bool {
	s.reading.Store(true)
	s.setReadDeadline(s.handler.limits.MessageTimeout)
	text, err := io.ReadAll(message)
	if err != nil {
		s.readFailed(err)
		return false
	}
	s.reading.Store(false)
	if s.hasEnded() {
		return false
	}
	switch {
	case kind != websocket.MessageText:
		s.close(codeInvalidMessage, "Invalid message: it must be a text frame")
	case !utf8.Valid(text):
		s.close(websocket.StatusInvalidFramePayloadData, "The text is not valid UTF-8")
	default:
		s.take(text)
	}
	return !s.hasEnded()
}

func (s *socket) readFailed(err error) {
	late := s.reading.Load()
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		// The library has sent 1009; closing waits for the peer's answer, so that it gets to read the code.
		s.close(websocket.StatusMessageTooBig, "Message too big")
	case errors.Is(err, os.ErrDeadlineExceeded) && late:
		s.close(websocket.StatusPolicyViolation, "The message took too long")
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.cutOff("silent peer")
	default:
		if code := websocket.CloseStatus(err); code != -1 {
			s.end(code, "peer")
		}
	}
}

// heard notes a sign of life: the peer may be silent for two keep-alives from now. A message that has begun has a
// deadline of its own, which control frames in its midst do not move.
func (s *socket) heard() {
	if !s.reading.Load() {
		s.setReadDeadline(2*s.handler.limits.KeepAlive + s.handler.limits.WriteTimeout)
	}
}

func (s *socket) setReadDeadline(in time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		_ = s.raw.SetReadDeadline(time.Now().Add(in)) // fails only on a closed connection, which reading finds out
	}
}

// take acts on one message.
func (s *socket) take(text []byte) {
	m, err := parseMessage(text)
	if err != nil {
		s.close(codeInvalidMessage, "Invalid message: "+err.Error())
		return
	}
	switch m.kind {
	case typeInit:
		s.initialise(m.payload)
	case typePing:
		frame, err := messageFrame(typePong, m.payload)
		if err != nil {
			s.log.Error("websocket pong", "error", err)
			return
		}
		s.write(frame, nil)
	case typePong:
	case typeSubscribe:
		s.subscribe(m)
	case typeComplete:
		s.complete(m.id)
	}
}

func (s *socket) initialise(payload map[string]any) {
	s.mu.Lock()
	again := s.initialised
	s.initialised = true
	s.mu.Unlock()
	if again {
		s.close(codeTooManyInitialise, reasonTooManyInits)
		return
	}
	params, err := readParams(payload)
	if err != nil {
		s.close(codeInvalidMessage, "Invalid message: "+err.Error())
		return
	}
	token, wellFormed := edge.Bearer(firstOf(params.authorization, s.authorization))
	if !wellFormed {
		s.close(codeForbidden, reasonForbidden)
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.handler.limits.InitTimeout)
	defer cancel()
	caller, err := s.handler.config.Authenticator.Authenticate(ctx, token)
	if err != nil {
		s.refuse(err)
		return
	}
	if s.expired(caller) {
		s.close(codeForbidden, reasonForbidden)
		return
	}
	if !s.handler.enterUser(s, caller.UserID) {
		s.close(websocket.StatusTryAgainLater, reasonUserFull)
		return
	}
	s.mu.Lock()
	s.acked = true
	s.nextPing = time.Now().Add(s.handler.limits.KeepAlive)
	s.token, s.caller = token, caller
	s.hints.TimeZone = firstOf(params.timeZone, s.hints.TimeZone)
	s.hints.AcceptLanguage = firstOf(params.locale, s.hints.AcceptLanguage)
	if params.app != "" {
		s.hints.App, s.hints.AppVersion = params.app, params.appVersion
	}
	s.mu.Unlock()
	s.conn.SetReadLimit(s.handler.limits.MaxMessage)
	s.write([]byte(`{"type":"connection_ack"}`), nil)
	s.schedule()
}

// refuse closes the socket of a caller that could not be authenticated.
func (s *socket) refuse(err error) {
	if edge.Refused(err) {
		s.close(codeForbidden, reasonForbidden)
		return
	}
	s.log.Warn("websocket authentication failed", "error", err)
	s.close(websocket.StatusTryAgainLater, "Try again later")
}

// params are the keys of connection_init's payload that mean something here.
type params struct{ authorization, timeZone, locale, app, appVersion string }

func readParams(payload map[string]any) (params, error) {
	p := params{app: appParam(payload, "name"), appVersion: appParam(payload, "version")}
	seen := map[*string]bool{}
	for key, value := range payload {
		var field *string
		switch strings.ToLower(key) {
		case "authorization":
			field = &p.authorization
		case "timezone", "x-time-zone":
			field = &p.timeZone
		case "locale", "accept-language":
			field = &p.locale
		default:
			continue
		}
		if value == nil {
			continue
		}
		text, ok := value.(string)
		if !ok {
			return params{}, fmt.Errorf("%s must be a string", strings.ToLower(key))
		}
		if seen[field] {
			return params{}, fmt.Errorf("%s is given twice", strings.ToLower(key))
		}
		seen[field] = true
		*field = text
	}
	return p, nil
}

// appParam returns what a client calls itself, from the same names as the headers'; "" when it does not say. It may say
// so by both names.
func appParam(payload map[string]any, what string) string {
	own := ""
	for key, value := range payload {
		text, _ := value.(string)
		switch strings.ToLower(key) {
		case "apollographql-client-" + what:
			return text
		case "graphql-client-" + what:
			own = text
		}
	}
	return own
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// startClock begins to wait for the socket's initialisation. One timer, rather than a goroutine that waits, keeps the
// time of a socket: most sockets do nothing most of the time.
func (s *socket) startClock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = time.AfterFunc(s.handler.limits.InitTimeout, func() {
		// Whoever ends a socket waits for its group; after the end nothing may join it.
		s.mu.Lock()
		if s.ended {
			s.mu.Unlock()
			return
		}
		s.group.Add(1)
		s.mu.Unlock()
		defer s.group.Done()
		s.guard(s.tick)
	})
}

// tick does what is due: the end of the initialisation, the end of the caller's proof, or a keep-alive.
func (s *socket) tick() {
	s.mu.Lock()
	initialised, acked, caller := s.initialised, s.acked, s.caller
	ping := acked && !time.Now().Before(s.nextPing)
	if ping {
		s.nextPing = time.Now().Add(s.handler.limits.KeepAlive)
	}
	s.mu.Unlock()
	switch {
	case !initialised:
		s.close(codeInitTimeout, reasonInitTimeout)
		return
	case !acked:
		return // the credentials are being looked at, which has a limit of its own
	case ping || s.expired(caller):
		_, _ = s.reauthenticate(s.ctx) // closes the socket itself when the proof no longer holds
	}
	// After the look at the proof: a ping that is written while the socket is closed could cut it off before its client
	// has read why.
	if ping && !s.hasEnded() {
		s.ping()
	}
	s.schedule()
}

// schedule sets the clock to the next keep-alive or the end of the caller's proof, whichever comes first.
func (s *socket) schedule() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	wait := time.Until(s.nextPing)
	if end := s.caller.ExpiresAt; !end.IsZero() {
		wait = min(wait, end.Sub(s.handler.now()))
	}
	s.clock.Reset(max(wait, 0))
}

// ping asks for a sign of life. None at all runs into the read deadline.
func (s *socket) ping() {
	if !s.pinging.CompareAndSwap(false, true) {
		return
	}
	s.spawn(func() {
		defer s.pinging.Store(false)
		s.write([]byte(`{"type":"ping"}`), nil)
		s.writeControlPing()
	})
}

// reauthenticate proves the caller once more and closes the socket when the proof no longer holds or proves something
// else than at first. Any other error, as when the token could not be looked at, is given back and closes nothing,
// unless the proof has expired by its own date.
func (s *socket) reauthenticate(ctx context.Context) (model.Caller, error) {
	s.mu.Lock()
	token, before := s.token, s.caller
	s.mu.Unlock()
	if s.expired(before) {
		s.close(codeForbidden, reasonForbidden)
		return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "The token has expired.")
	}
	ctx, cancel := context.WithTimeout(ctx, s.handler.limits.InitTimeout)
	defer cancel()
	caller, err := s.handler.config.Authenticator.Authenticate(ctx, token)
	switch {
	case err != nil && edge.Refused(err):
		s.close(codeForbidden, reasonForbidden)
		return model.Caller{}, err
	case err != nil:
		if !errors.Is(err, context.Canceled) {
			s.log.Warn("websocket authentication failed", "error", err)
		}
		return model.Caller{}, fmt.Errorf("look at a token again: %w", err)
	case caller.UserID != before.UserID || !slices.Equal(caller.Scopes, before.Scopes) || s.expired(caller):
		s.close(codeForbidden, reasonForbidden)
		return model.Caller{}, model.Errorf(model.CodeForbidden, "The token has changed. Connect again.")
	}
	s.mu.Lock()
	s.caller = caller
	s.mu.Unlock()
	return caller, nil
}

func (s *socket) expired(c model.Caller) bool {
	return !c.ExpiresAt.IsZero() && !s.handler.now().Before(c.ExpiresAt)
}

// writeControlPing sends a ping frame without a payload (RFC 6455, section 5.5.2), which every peer's library answers
// by itself, so that a client which ignores the protocol's ping is not taken for dead. The library's own Ping would cut
// a slow peer off after five seconds. One write of two bytes cannot fall into the middle of a frame: messages take
// turns with it, and the library sends a control frame in one write.
func (s *socket) writeControlPing() {
	s.inTurn(nil, func() error {
		_, err := s.raw.Write([]byte{0x89, 0})
		return err
	})
}

func (s *socket) inTurn(wanted func() bool, write func() error) {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-s.ctx.Done():
		return
	}
	s.mu.Lock()
	if s.ended || wanted != nil && !wanted() {
		s.mu.Unlock()
		return
	}
	_ = s.raw.SetWriteDeadline(time.Now().Add(s.handler.limits.WriteTimeout)) // as in setReadDeadline
	s.mu.Unlock()
	start := time.Now()
	err := write()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.cutOff("slow peer")
	case err != nil:
		s.cutOff("broken connection")
	case time.Since(start) > waited:
		// There was no room before and there is now: the peer reads, even if our ping still queues behind all it has
		// to read. A write that did not wait proves nothing, as buffers take it for a dead peer too.
		s.heard()
	}
}

// waited is when a write counts as having waited for its peer.
const waited = 50 * time.Millisecond

// end marks the socket as ended, once; only the first gets true and its code and cause into the log.
func (s *socket) end(code websocket.StatusCode, cause string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.ended, s.code, s.cause = true, code, cause
	if s.clock != nil {
		s.clock.Stop()
	}
	s.cancel()
	return true
}

// close ends the socket with a close frame and waits for the peer's, but no longer than CloseTimeout.
func (s *socket) close(code websocket.StatusCode, reason string) {
	if !s.end(code, "server") {
		return
	}
	_ = s.raw.SetDeadline(time.Now().Add(s.handler.limits.CloseTimeout))
	s.writing <- struct{}{}              // for good: no message goes out behind the close frame
	_ = s.conn.Close(code, clip(reason)) // the peer may be gone, or say another code: it is over either way
}

// cutOff ends the socket without a word.
func (s *socket) cutOff(cause string) {
	s.end(websocket.StatusAbnormalClosure, cause)
	_ = s.raw.Close()
	_ = s.conn.CloseNow()
}

func (s *socket) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *socket) runningOperations() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// drain lets running queries and mutations finish while patience lasts, and then closes the socket.
func (s *socket) drain(patience context.Context) {
	s.mu.Lock()
	if !s.draining {
		s.draining = true
		if s.single == 0 {
			close(s.quiet)
		}
	}
	s.mu.Unlock()
	select {
	case <-s.quiet:
	case <-s.ctx.Done():
	case <-patience.Done():
	}
	s.close(websocket.StatusGoingAway, reasonGoingAway)
}

// clip cuts a reason to what a close frame can carry, between two characters.
func clip(reason string) string {
	if len(reason) <= maxReason {
		return reason
	}
	cut := maxReason
	for !utf8.RuneStart(reason[cut]) {
		cut--
	}
	return reason[:cut]
}
