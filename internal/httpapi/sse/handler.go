package sse

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	checks "almanac/internal/httpapi/proof"
	"almanac/internal/httpapi/request"
	"almanac/internal/httpapi/share"
)

// The published numbers of a stream; the body's limit is request.MaxBody.
const (
	// MaxStreams is how many streams a process holds. One more is refused with 503.
	MaxStreams = 10_000
	// MaxUserStreams is how many of one user a process holds. One more is refused with 429.
	MaxUserStreams = 2_000
	// KeepAlive is the time between two signs of life from here.
	KeepAlive = 12 * time.Second
	// WriteTimeout is how long a client may take to accept one answer.
	WriteTimeout = 10 * time.Second
)

// Limits are the numbers of one Handler. A zero field means the published number.
type Limits struct {
	MaxStreams     int
	MaxUserStreams int
	KeepAlive      time.Duration
	WriteTimeout   time.Duration
}

// Table returns the limits with the numbers in force, for documentation.
func (l Limits) Table() []engine.Limit {
	l = l.withDefaults()
	return []engine.Limit{
		{Name: "streams", Max: int64(l.MaxStreams), Refused: "more event streams and multipart subscriptions in one process",
			Code: model.CodeRateLimited, Status: http.StatusServiceUnavailable},
		{Name: "userStreams", Max: int64(l.MaxUserStreams), Refused: "more of one user in one process",
			Code: model.CodeRateLimited, Status: http.StatusTooManyRequests},
		{Name: "eventId", Max: maxEventID, Refused: "a longer Last-Event-ID, in bytes", Code: model.CodeBadUserInput,
			Status: http.StatusBadRequest},
		{Name: "streamWrite", Max: int64(l.WriteTimeout / time.Second),
			Refused: "a client that takes more seconds to accept one answer"},
	}
}

func (l Limits) withDefaults() Limits {
	if l.MaxStreams == 0 {
		l.MaxStreams = MaxStreams
	}
	if l.MaxUserStreams == 0 {
		l.MaxUserStreams = MaxUserStreams
	}
	if l.KeepAlive == 0 {
		l.KeepAlive = KeepAlive
	}
	if l.WriteTimeout == 0 {
		l.WriteTimeout = WriteTimeout
	}
	return l
}

// Config is what a Handler needs. Preparer is required.
type Config struct {
	Preparer engine.Preparer
	// Authenticator, when set, looks at the request's bearer token again at every keep-alive, so that a revoked token
	// ends its streams.
	Authenticator edge.Authenticator
	// Admit, when set, asks for a slot before an operation is prepared, and is told when a query or a mutation has been
	// answered or a subscription has started. Its error refuses the request with 503, or 429.
	Admit func(ctx context.Context) (done func(), err error)
	// Logger gets one line a stream, without queries, variables, answers or tokens. Nil: silence.
	Logger *slog.Logger
	// Now is the clock by which a caller's proof expires. Nil: time.Now.
	Now    func() time.Time
	Limits Limits
}

// Handler streams answers. The context of its requests carries the caller (model.WithCaller) and the viewer; the body
// is unread. Make it with New.
type Handler struct {
	config Config
	log    *slog.Logger
	now    func() time.Time
	// proofs is nil without an Authenticator.
	proofs *checks.Checker

	mu       sync.Mutex
	streams  int
	users    map[model.UserID]int
	draining chan struct{}
	forced   chan struct{}
	// empty is closed when the last stream leaves a draining handler.
	empty chan struct{}
	once  sync.Once
}

// New makes a Handler without streams.
func New(config Config) *Handler {
	config.Limits = config.Limits.withDefaults()
	h := &Handler{
		config: config, log: config.Logger, now: config.Now,
		users: map[model.UserID]int{}, draining: make(chan struct{}), forced: make(chan struct{}), empty: make(chan struct{}),
	}
	if config.Authenticator != nil {
		h.proofs = checks.New(config.Authenticator)
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if h.now == nil {
		h.now = time.Now
	}
	return h
}

// ServeHTTP reads the request and streams its answers. It returns when nothing of the operation runs any more.
//
// Before a stream begins it answers 400, 405, 413 or 415 to a request that is none, 406 to a client that takes neither
// form, and 503 with Retry-After when the process drains or is full.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r2, err := request.Read(r, request.MaxBody)
	if err != nil {
		h.refuseRequest(w, err)
		return
	}
	h.Stream(w, r, r2)
}

func (h *Handler) refuseRequest(w http.ResponseWriter, err error) {
	var refused *request.Error
	if !errors.As(err, &refused) {
		// The connection's own error: there is hardly anybody left to read this, and what is left unread on the
		// connection must not be taken for a request.
		w.Header().Set("Connection", "close")
		answer.Refuse(w, http.StatusBadRequest, model.Errorf(model.CodeBadUserInput, "The request's body could not be read."))
		return
	}
	if refused.Allow != "" {
		w.Header().Set("Allow", refused.Allow)
	}
	if refused.Status == http.StatusRequestEntityTooLarge {
		w.Header().Set("Connection", "close")
	}
	answer.Refuse(w, refused.Status, refused)
}

// Stream is ServeHTTP for a request that has been read already, for a front door that must look at the operation before
// it knows that the answer is a stream.
func (h *Handler) Stream(w http.ResponseWriter, r *http.Request, body engine.Request) {
	form := framingFor(r.Header)
	if form == nil {
		answer.Refuse(w, http.StatusNotAcceptable, model.Errorf(model.CodeBadUserInput,
			`Streams are served as text/event-stream, or as multipart/mixed with subscriptionSpec="1.0".`))
		return
	}
	body, err := withLastEventID(body, r.Header)
	if err != nil {
		answer.Refuse(w, http.StatusBadRequest, err)
		return
	}
	caller, _ := model.CallerFrom(r.Context())
	if full := h.enter(caller.UserID); full != nil {
		answer.Refuse(w, share.Status(full), full)
		return
	}
	defer h.leave(caller.UserID)
	done := func() {}
	if h.config.Admit != nil {
		admitted, err := h.config.Admit(r.Context())
		if err != nil {
			answer.Refuse(w, share.Status(err), err)
			return
		}
		done = sync.OnceFunc(admitted) // a subscription is done with it long before it ends
		defer done()
	}
	// A GET may carry a subscription, which the engine would refuse with everything else that is no query.
	body.QueriesOnly = false
	operation, errs := h.config.Preparer.Prepare(r.Context(), body)
	if len(errs) == 0 && operation.Kind() == ast.Mutation {
		if refused := refuseMutation(w, r); refused {
			return
		}
	}
	h.newStream(w, r, form, done).serve(operation, errs)
}

// refuseMutation answers a mutation that may not run here.
func refuseMutation(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case r.Method == http.MethodGet:
		w.Header().Set("Allow", http.MethodPost)
		answer.Refuse(w, http.StatusMethodNotAllowed, model.Errorf(model.CodeBadUserInput, "A mutation is sent by POST."))
	case len(r.Header.Values("Idempotency-Key")) > 0:
		// To run it as if there were no key would break the promise that a retry has one effect.
		answer.Refuse(w, http.StatusBadRequest, model.Errorf(model.CodeBadUserInput,
			"Idempotency-Key is not served on streams. Send the mutation with Accept: application/json."))
	default:
		return false
	}
	return true
}

// withLastEventID puts the header Last-Event-ID into the request's extensions, over what the body says there.
func withLastEventID(body engine.Request, header http.Header) (engine.Request, error) {
	id := header.Get("Last-Event-ID")
	if id == "" {
		return body, nil
	}
	if !isEventID(id) || !utf8.ValidString(id) {
		return body, model.Errorf(model.CodeBadUserInput, "Last-Event-ID must be at most %d bytes of text.", maxEventID)
	}
	extensions := maps.Clone(body.Extensions)
	if extensions == nil {
		extensions = map[string]any{}
	}
	extensions[edge.LastEventID] = id
	body.Extensions = extensions
	return body, nil
}

// enter counts a stream; RATE_LIMITED when there may be no more.
func (h *Handler) enter(user model.UserID) *model.Error {
	h.mu.Lock()
	defer h.mu.Unlock()
	full := &model.Error{Code: model.CodeRateLimited, RetryAfter: time.Second,
		Message: "This server takes no more streams now. Try again in a moment."}
	select {
	case <-h.draining:
		return full
	default:
	}
	if h.streams >= h.config.Limits.MaxStreams {
		return full
	}
	if h.users[user] >= h.config.Limits.MaxUserStreams {
		full.Message, full.Cause = "You have as many streams as one user may have. Close one first.", share.ErrOwnShare
		return full
	}
	h.streams++
	h.users[user]++
	return nil
}

func (h *Handler) leave(user model.UserID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.streams--
	if h.users[user]--; h.users[user] == 0 {
		delete(h.users, user)
	}
	h.closeIfEmpty()
}

// closeIfEmpty is called with mu held.
func (h *Handler) closeIfEmpty() {
	select {
	case <-h.draining:
		if h.streams == 0 {
			close(h.empty)
		}
	default:
	}
}

// Streams is how many are open.
func (h *Handler) Streams() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.streams
}

// Shutdown lets no new stream in, ends subscriptions so that their clients come back elsewhere, waits for queries and
// mutations to be answered, and returns when all streams have ended. When the context ends it stops waiting, ends what
// is left and returns the context's error. Calling it again waits again.
func (h *Handler) Shutdown(ctx context.Context) error {
	h.once.Do(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		close(h.draining)
		h.closeIfEmpty()
	})
	select {
	case <-h.empty:
		return nil
	case <-ctx.Done():
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.forced:
	default:
		close(h.forced)
	}
	return ctx.Err()
}

// token is the request's bearer token as it was sent.
func token(r *http.Request) string {
	token, _ := edge.Bearer(strings.TrimSpace(r.Header.Get("Authorization")))
	return token
}

// gone says, for clients that can be told, why a stream ends before its operation.
func gone(code model.ErrorCode, message string) gqlerror.List {
	shown := model.Errorf(code, "%s", message)
	if code == model.CodeRateLimited {
		shown.RetryAfter = time.Second
	}
	list, _ := answer.FromError(shown)
	return list
}
