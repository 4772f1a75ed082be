package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/share"

	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// The routes, as logs and metrics name them. Beside them each path of Config.Pages is one.
const (
	routeGraphQL = "/graphql"
	routeUpload  = "/graphql/upload"
	routeHealth  = "/healthz"
	routeReady   = "/readyz"
	routeMetrics = "/metrics"
	routeSchema  = "/schema.graphql"
	routeSite    = "site"
)

// mediaSchema is the type of a schema's text: the schema definition language has none of its own.
const mediaSchema = "text/plain"

// readyTimeout bounds how long /readyz asks.
const readyTimeout = 2 * time.Second

// retryUnavailable is the Retry-After, in seconds, of what is unavailable for a time that nobody knows.
const retryUnavailable = "1"

// Handler is the front door. It is safe for concurrent use.
type Handler struct {
	cfg     Config
	write   *writer
	metrics http.Handler
	tracer  trace.Tracer // nil without tracing
	// reading bounds the bodies that are being read, uploads the files.
	reading, uploads *share.Gate
	// proving bounds the tokens that are being looked at, by address, since nobody knows yet whose they are.
	proving *share.Gate
	// policy is the value of RateLimit-Policy, which all answers share; nil without a budget.
	policy []string
	// delayed is how many refusals are held back.
	delayed  atomic.Int64
	draining atomic.Bool
	active   atomic.Int64
}

var _ http.Handler = (*Handler)(nil)

// New makes the front door.
func New(cfg Config) (*Handler, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	h := &Handler{
		cfg: cfg, write: newWriter(), metrics: cfg.Metrics.handler(),
		// Reading waits for the client and costs memory alone, so more of it may go on than of running.
		reading: share.NewGate(Places(MaxReading, MaxUserReading)),
		uploads: share.NewGate(Places(MaxUploads, MaxUserUploads)),
		proving: share.NewGate(Places(MaxProving, MaxAddressProving)),
	}
	if most, window := cfg.Budget.Most(); most > 0 {
		h.policy = []string{fmt.Sprintf(`"cost";q=%d;w=%d;qu="cost"`, most, window/time.Second)}
	}
	if cfg.Tracer != nil {
		h.tracer = cfg.Tracer.Tracer("almanac/httpapi")
	}
	return h, nil
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	route, page := h.routeOf(r.URL.Path)
	rec := &record{route: route, page: page, id: requestID(r), start: h.cfg.Now()}
	out := &tracked{ResponseWriter: w}
	out.Header().Set(headerRequestID, rec.id)
	if h.draining.Load() { // so that no client sends its next request into a connection that is about to close
		out.Header().Set("Connection", "close")
	}

	ctx, span := h.startSpan(r, rec)
	ctx = edge.WithRequestID(ctx, rec.id)
	r = r.WithContext(ctx)

	h.active.Add(1)
	h.cfg.Metrics.inFlight.Inc()
	body := boundBody(out, r)
	defer func() {
		abort := h.afterPanic(out, r, recover())
		if out.upgraded != nil && !abort {
			method, status, written := methodOf(r), out.answered(), out.written // the rest of the request is not held
			out.upgraded.afterwards(func() { h.finish(ctx, rec, span, method, status, written) })
			return
		}
		h.finish(ctx, rec, span, methodOf(r), out.answered(), out.written)
		if abort {
			panic(http.ErrAbortHandler)
		}
		body.linger(out)
	}()
	h.route(out, h.withSession(out, r), rec)
}

// finish notes the end of a request.
func (h *Handler) finish(ctx context.Context, rec *record, span trace.Span, method string, status int, written int64) {
	took := h.cfg.Now().Sub(rec.start)
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, http.StatusText(status))
	}
	span.End()
	h.cfg.Metrics.inFlight.Dec()
	h.cfg.Metrics.answered(rec.route, status, took)
	rec.log(ctx, h.cfg.Logger, method, status, written, took)
	h.active.Add(-1)
}

// startSpan starts the span of a request, under the caller's own when its headers name one (W3C Trace Context).
func (h *Handler) startSpan(r *http.Request, rec *record) (context.Context, trace.Span) {
	if h.tracer == nil {
		return r.Context(), trace.SpanFromContext(context.Background()) // one that does nothing
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	//nolint:spancheck // ServeHTTP ends it
	return h.tracer.Start(ctx, "HTTP "+methodOf(r)+" "+rec.route, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", methodOf(r)), attribute.String("http.route", rec.route)))
}

// afterPanic logs a panic and answers it when that is still possible. It reports whether the connection has to be cut
// instead, since half an answer must not look whole.
func (h *Handler) afterPanic(out *tracked, r *http.Request, value any) (abort bool) {
	if value == nil {
		return false
	}
	if err, ok := value.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		return true
	}
	list, traceID := answer.FromError(errors.New("panic"))
	h.cfg.Logger.ErrorContext(r.Context(), "panic in a handler", "requestId", edge.RequestID(r.Context()), "traceId",
		traceID,
		"panic", value, "stack", string(debug.Stack()))
	if out.status != 0 {
		return true
	}
	h.cfg.Metrics.Refused(reasonPanic.String())
	media := mediaJSON
	if r.URL.Path == routeAgent {
		media = mediaDetail
	}
	return h.write.errors(out, r, media, http.StatusInternalServerError, list) != nil
}

func (h *Handler) route(w *tracked, r *http.Request, rec *record) {
	if h.cfg.LocalOnly && !isLoopbackHost(r.Host) {
		h.refuse(w, r, mediaJSON, http.StatusForbidden, reasonHost,
			model.Errorf(model.CodeForbidden, "This server answers only to the names of this machine, such as localhost."))
		return
	}
	switch rec.route {
	case routeGraphQL, routeUpload:
		h.graphql(w, r, rec)
	case routeAgent:
		h.agentChat(w, r, rec)
	case routeHealth:
		if h.allow(w, r, http.MethodGet, http.MethodHead) {
			h.write.bytes(w, r, mediaJSON, http.StatusOK, []byte(`{"status":"ok"}`))
		}
	case routeReady:
		if h.allow(w, r, http.MethodGet, http.MethodHead) {
			h.ready(w, r)
		}
	case routeMetrics:
		if h.allow(w, r, http.MethodGet) && h.mayReadMetrics(w, r) {
			h.metrics.ServeHTTP(w, r)
		}
	case routeSchema:
		if h.allow(w, r, http.MethodGet, http.MethodHead) {
			h.schema(w, r)
		}
	default:
		if rec.page != nil {
			rec.page.ServeHTTP(w, r)
			return
		}
		if h.cfg.Site == nil {
			h.notFound(w, r)
			return
		}
		if h.allow(w, r, http.MethodGet, http.MethodHead) {
			h.cfg.Site.ServeHTTP(&jsonNotFound{ResponseWriter: w, answer: func() { h.notFound(w, r) }}, r)
		}
	}
}

func (h *Handler) notFound(w http.ResponseWriter, r *http.Request) {
	h.refuse(w, r, mediaJSON, http.StatusNotFound, reasonPath,
		model.Errorf(model.CodeNotFound, "There is nothing at this address; GraphQL is at /graphql."))
}

// ready answers whether the server can serve now. With ?for=reads a server that can only read is ready too. Which of
// the reasons an owner has to act on holds is said; the cause is for the log.
func (h *Handler) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	status, body := http.StatusOK, `{"status":"ready"}`
	if h.draining.Load() {
		status, body = http.StatusServiceUnavailable, `{"status":"draining"}`
	} else if err := h.cfg.Ready(ctx); err != nil {
		h.cfg.Logger.WarnContext(r.Context(), "not ready", "requestId", edge.RequestID(r.Context()), "cause", err.Error())
		status, body = http.StatusServiceUnavailable, `{"status":"unavailable"}`
		for reason, cause := range map[string]error{"diskFull": store.ErrDiskFull, "fileReplaced": store.ErrFileReplaced} {
			if !errors.Is(err, cause) {
				continue
			}
			body = `{"status":"unavailable","reason":"` + reason + `"}`
			if r.URL.Query().Get("for") == "reads" && !errors.Is(err, store.ErrFileOverwritten) {
				status, body = http.StatusOK, `{"status":"readOnly","reason":"`+reason+`"}`
			}
		}
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryUnavailable)
	}
	h.write.bytes(w, r, mediaJSON, status, []byte(body))
}

// schema answers the schema to those who may ask for it by introspection.
func (h *Handler) schema(w http.ResponseWriter, r *http.Request) {
	caller, ok := h.authenticate(w, r, mediaJSON)
	switch {
	case !ok:
	case !caller.May(model.ScopeRead):
		h.insufficientScope(w, model.ScopeRead)
		h.refuse(w, r, mediaJSON, http.StatusForbidden, reasonScope,
			model.Errorf(model.CodeForbidden, "The schema needs the scope READ."))
	case h.cfg.Schema == nil:
		h.refuse(w, r, mediaJSON, http.StatusNotFound, reasonPath,
			model.Errorf(model.CodeNotFound, "This server does not describe its schema (ALMANAC_INTROSPECTION)."))
	default:
		h.write.bytes(w, r, mediaSchema, http.StatusOK, []byte(h.cfg.Schema()))
	}
}

// mayReadMetrics lets a scraper on this machine read the metrics without a token and anyone else with one that may
// read. A request that came through a proxy is not from this machine, however near the proxy is.
func (h *Handler) mayReadMetrics(w http.ResponseWriter, r *http.Request) bool {
	if isLocalPeer(r) && !h.foreign(r) {
		return true
	}
	if r.Header.Get("Authorization") == "" { // the local user is not meant from afar
		h.unauthenticated(w, r, mediaJSON, false, model.Errorf(model.CodeUnauthenticated, "Send a bearer token."))
		return false
	}
	caller, ok := h.authenticate(w, r, mediaJSON)
	if ok && !caller.May(model.ScopeRead) {
		h.insufficientScope(w, model.ScopeRead)
		h.refuse(w, r, mediaJSON, http.StatusForbidden, reasonScope,
			model.Errorf(model.CodeForbidden, "Metrics need the scope READ."))
		return false
	}
	return ok
}

// allow answers 405 unless the request has one of the methods (RFC 9110, section 15.5.6).
func (h *Handler) allow(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	for _, method := range methods {
		if r.Method == method {
			return true
		}
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	h.refuse(w, r, mediaJSON, http.StatusMethodNotAllowed, reasonMethod,
		model.Errorf(model.CodeBadUserInput, "This address takes %s.", strings.Join(methods, " and ")))
	return false
}

// refuse answers a request that does not run. An error that is no *model.Error is logged and hidden.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, media string, status int, why reason, err error) {
	list, traceID := answer.FromError(err)
	if traceID != "" {
		level := slog.LevelError
		if r.Context().Err() != nil { // the client has hung up, which is no fault of ours, and anybody can do it all day
			level = slog.LevelDebug
		}
		h.cfg.Logger.Log(r.Context(), level, "a request failed", "requestId", edge.RequestID(r.Context()), "traceId", traceID,
			"cause", err.Error())
	}
	h.cfg.Metrics.Refused(why.String())
	if status == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", retryUnavailable)
	}
	h.refuseAll(w, r, media, status, list)
}

func (h *Handler) refuseAll(w http.ResponseWriter, r *http.Request, media string, status int, errs gqlerror.List) {
	if media == "" {
		media = mediaJSON
	}
	if err := h.write.errors(w, r, media, status, errs); err != nil {
		panic(err) // extensions are ours and always encode
	}
}

// routeOf returns the name of a path's route, and the handler of its page if it is one of Config.Pages: of those the
// longest that fits.
func (h *Handler) routeOf(path string) (name string, page http.Handler) {
	switch path {
	case routeGraphQL, routeUpload, routeAgent, routeHealth, routeReady, routeMetrics, routeSchema:
		return path, nil
	}
	for own, handler := range h.cfg.Pages {
		fits := own == path || strings.HasSuffix(own, "/") && strings.HasPrefix(path, own)
		if fits && len(own) > len(name) {
			name, page = own, handler
		}
	}
	if page == nil {
		return routeSite, nil
	}
	return name, page
}

// methodOf names the method for logs and spans; a client may send any word.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodPatch,
		http.MethodDelete:
		return r.Method
	default:
		return "OTHER"
	}
}
