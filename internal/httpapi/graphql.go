package httpapi

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
	"almanac/internal/httpapi/share"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// graphql answers /graphql: it decides which transport a request is for, proves its caller, and answers queries and
// mutations itself.
func (h *Handler) graphql(w *tracked, r *http.Request, rec *record) {
	accept := negotiate(r.Header)
	if h.cors(w, r) {
		return
	}
	if h.foreign(r) {
		h.refuse(w, r, accept.media, http.StatusForbidden, reasonCrossSite,
			edge.RefuseForeign(r.Context(), h.cfg.Logger, r))
		return
	}
	if isUpgrade(r) && rec.route == routeGraphQL {
		h.upgrade(w, r)
		return
	}
	isUpload := rec.route == routeUpload
	if !isUpload && !h.allow(w, r, http.MethodGet, http.MethodPost) || isUpload && !h.allow(w, r, http.MethodPost) {
		return
	}
	caller, ok := h.authenticate(w, r, accept.media)
	if !ok {
		return
	}
	if accept.onlyStream && h.cfg.Streams == nil || accept.media == "" && !accept.onlyStream {
		h.refuse(w, r, mediaJSON, http.StatusNotAcceptable, reasonAccept,
			model.Errorf(model.CodeBadUserInput, "Answers are %s or %s.", mediaGraphQL, mediaJSON))
		return
	}
	if isUpload { // until its end, since the file stays in memory
		place, busy := h.uploads.Enter(r.Context(), share.KeyOf(caller))
		if busy != nil {
			h.overloaded(w, r, accept.media, busy)
			return
		}
		defer place.Leave()
	}
	req, ok := h.read(w, r, accept.media, caller)
	if !ok {
		return
	}
	if accept.onlyStream {
		if ctx, ok := h.open(r.Context(), w, r, mediaJSON, caller); ok && !h.keyedMutation(ctx, w, r, req) {
			h.cfg.Streams.Stream(w, r.WithContext(ctx), req)
		}
		return
	}
	h.answer(w, r, rec, accept, caller, req)
}

// keyedMutation refuses a mutation that comes with an idempotency key and wants its answer as a stream: the key could
// not be honoured there, and a client that sends one relies on it.
func (h *Handler) keyedMutation(ctx context.Context, w http.ResponseWriter, r *http.Request, req engine.Request) bool {
	if len(r.Header.Values(headerIdempotencyKey)) == 0 {
		return false
	}
	op, errs := h.cfg.Engine.Prepare(ctx, req)
	if len(errs) > 0 || op.Kind() != ast.Mutation {
		return false // the stream tells
	}
	h.refuse(w, r, mediaJSON, http.StatusBadRequest, reasonIdempotencyKey,
		model.Errorf(model.CodeBadUserInput, "A mutation with an %s is answered as %s only.", headerIdempotencyKey,
			mediaJSON))
	return true
}

// answer writes the one JSON answer of a request, except a subscription of a client that takes streams too.
func (h *Handler) answer(w *tracked, r *http.Request, rec *record, accept accepted, caller model.Caller,
	req engine.Request) {
	place, busy := h.cfg.Running.Enter(r.Context(), share.KeyOf(caller))
	if busy != nil {
		h.overloaded(w, r, accept.media, busy)
		return
	}
	running := true
	defer func() {
		if running { // a stream has left
			place.Leave()
		}
	}()
	turn := &rec.turn
	if busy := turn.Take(r.Context(), h.cfg.Turns, share.KeyOf(caller)); busy != nil {
		h.overloaded(w, r, accept.media, busy)
		return
	}
	defer turn.Leave()
	ctx, ok := h.open(turn, w, r, accept.media, caller)
	if !ok {
		return
	}
	req.Parts = accept.parts != noParts
	op, errs := h.cfg.Engine.Prepare(ctx, req)
	h.sayBudget(w, caller)
	if len(errs) > 0 {
		if engine.CodeOf(errs[0]) == model.CodeRateLimited {
			running = false
			turn.Leave()
			place.Leave()
			h.delayRefusal(r)
		}
		h.refused(w, r, accept.media, errs)
		return
	}
	rec.ran(op)
	switch {
	case op.Kind() == ast.Subscription && accept.stream && h.cfg.Streams != nil:
		running = false
		turn.Leave()
		place.Leave()
		h.cfg.Streams.Stream(w, r.WithContext(ctx), req)
	case op.Kind() == ast.Subscription:
		h.refuse(w, r, accept.media, http.StatusNotAcceptable, reasonAccept, model.Errorf(model.CodeBadUserInput,
			"A subscription has many answers: accept %s, or connect by WebSocket.", mediaEvents))
	case op.Kind() == ast.Mutation && !op.DryRun() && len(r.Header.Values(headerIdempotencyKey)) > 0:
		h.keyed(ctx, w, r, accept.media, caller, req, op)
	case op.Defers():
		h.inParts(ctx, w, r, accept, op)
	default:
		response := op.Execute(ctx)
		if err := h.write.result(w, r, accept.media, caller.UserID, response, op.Body()); err != nil {
			h.refuse(w, r, accept.media, http.StatusInternalServerError, reasonInternal, err)
		}
		op.Release()
	}
}

// read reads the GraphQL request, or answers that it is none.
func (h *Handler) read(w http.ResponseWriter, r *http.Request, media string,
	caller model.Caller) (engine.Request, bool) {
	if r.Method == http.MethodPost {
		place, busy := h.reading.Enter(r.Context(), share.KeyOf(caller))
		if busy != nil {
			h.overloaded(w, r, media, busy)
			return engine.Request{}, false
		}
		defer place.Leave()
	}
	var req engine.Request
	var err error
	if r.URL.Path == routeUpload {
		req, err = request.ReadUpload(r, request.MaxUpload)
	} else {
		req, err = request.Read(r, request.MaxBody)
	}
	if err == nil {
		req.ShowCost = r.Header.Get(headerCost) == "1"
		req.Client, req.ClientVersion = edge.AppFrom(r.Header)
		req.Own = model.SourceFrom(r.Context()) == model.SourceMCP // its documents are no client's
		return req, true
	}
	var malformed *request.Error
	if !errors.As(err, &malformed) {
		// The connection broke or was too slow. There is hardly anyone to answer.
		w.Header().Set("Connection", "close")
		h.refuse(w, r, media, http.StatusRequestTimeout, reasonBody,
			model.Errorf(model.CodeTimeout, "The request's body did not arrive in time."))
		return engine.Request{}, false
	}
	switch malformed.Status {
	case http.StatusRequestEntityTooLarge:
		w.Header().Set("Connection", "close")
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", malformed.Allow)
	}
	h.refuse(w, r, media, malformed.Status, reasonRequest, malformed.Shown)
	return engine.Request{}, false
}

// open puts the caller and the viewer into the request's context ctx.
func (h *Handler) open(ctx context.Context, w http.ResponseWriter, r *http.Request, media string,
	caller model.Caller) (context.Context, bool) {
	ctx, err := h.cfg.Open(model.WithCaller(ctx, caller), caller, edge.HintsFrom(r))
	if err != nil {
		h.refuse(w, r, media, statusOf(err, http.StatusBadRequest), reasonViewer, err)
		return nil, false
	}
	return ctx, true
}

// refused answers a request that the engine did not admit. A client of application/json reads such errors from an
// answer of 200, one of application/graphql-response+json from a 4xx (GraphQL over HTTP, section 6.4); what concerns
// HTTP itself, the method and the token, has its own status for both.
func (h *Handler) refused(w http.ResponseWriter, r *http.Request, media string, errs gqlerror.List) {
	status := http.StatusOK
	if media != mediaJSON { // also of the contract of /agent/chat
		status = http.StatusBadRequest
	}
	switch code := engine.CodeOf(errs[0]); {
	case engine.MethodRefused(errs):
		status = http.StatusMethodNotAllowed
		w.Header().Set("Allow", http.MethodPost)
	case code == model.CodeForbidden:
		status = http.StatusForbidden
		h.insufficientScope(w, engine.ScopeMissing(errs))
	case code == model.CodeUnauthenticated:
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", `Bearer realm="almanac"`)
	case code == model.CodeInternal:
		status = http.StatusInternalServerError
	case code == model.CodeRateLimited:
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", retryAfter(errs[0]))
	}
	h.refuseAll(w, r, media, status, errs)
}

// overloaded answers a request for which there was no place: 429 where the caller's own share is used up, 503 where the
// server has too much to do.
func (h *Handler) overloaded(w http.ResponseWriter, r *http.Request, media string, busy error) {
	w.Header().Set("Retry-After", "1")
	status, why := share.Status(busy), reasonOverload
	if status == http.StatusTooManyRequests {
		why = reasonShare
		h.delayRefusal(r)
	}
	h.refuse(w, r, media, status, why, busy)
}

// delayRefusal waits before a refusal for the caller's own share. Clients that do not heed Retry-After and ask again at
// once would otherwise need the processors that others wait for. A request whose body may still take memory does not
// wait.
func (h *Handler) delayRefusal(r *http.Request) {
	defer h.delayed.Add(-1)
	if h.delayed.Add(1) > MaxDelayed || r.ContentLength < 0 || r.ContentLength > maxDelayedBody {
		return
	}
	timer := time.NewTimer(RefusalDelay/2 + rand.N(RefusalDelay)) //nolint:gosec // no secret
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// retryAfter returns an error's wait as the header has it, in whole seconds.
func retryAfter(err *gqlerror.Error) string {
	wait, _ := err.Extensions["retryAfterMs"].(int64)
	return strconv.FormatInt(max(1, (wait+999)/1000), 10)
}

// sayBudget sets the fields by which a client sees what it may still spend (draft-ietf-httpapi-ratelimit-headers-10):
// the policy with its quota, window in seconds and unit, and what is left with the seconds until all of it may be
// spent.
func (h *Handler) sayBudget(w http.ResponseWriter, caller model.Caller) {
	if h.policy == nil {
		return
	}
	left, full := h.cfg.Budget.Left(caller.UserID)
	text := append(make([]byte, 0, 40), `"cost";r=`...)
	text = append(strconv.AppendInt(text, left, 10), `;t=`...)
	text = strconv.AppendInt(text, int64((full+time.Second-1)/time.Second), 10)
	w.Header()["Ratelimit-Policy"] = h.policy
	w.Header()["Ratelimit"] = []string{string(text)}
}

func (h *Handler) upgrade(w *tracked, r *http.Request) {
	if h.cfg.WebSocket == nil {
		h.refuse(w, r, mediaJSON, http.StatusNotImplemented, reasonUpgrade,
			model.Errorf(model.CodeNotConfigured, "This server has no sockets."))
		return
	}
	w.upgraded = &upgraded{}
	h.cfg.WebSocket.Upgrade(w, r, w.upgraded.end)
}

// isUpgrade reports whether the request asks for a WebSocket (RFC 6455, section 4.1).
func isUpgrade(r *http.Request) bool {
	return hasToken(r.Header.Values("Connection"), "upgrade") && hasToken(r.Header.Values("Upgrade"), "websocket")
}

func hasToken(values []string, token string) bool {
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}
