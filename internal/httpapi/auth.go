package httpapi

import (
	"errors"
	"net/http"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/share"
)

// authenticate proves the caller by the request's bearer token (RFC 6750, section 2.1), or answers that it cannot.
func (h *Handler) authenticate(w http.ResponseWriter, r *http.Request, media string) (model.Caller, bool) {
	values := r.Header.Values("Authorization")
	if len(values) == 0 {
		values = []string{""}
	}
	token, ok := edge.Bearer(values[0])
	if !ok || len(values) > 1 {
		h.unauthenticated(w, r, media, true,
			model.Errorf(model.CodeUnauthenticated, "The Authorization header is not one bearer token."))
		return model.Caller{}, false
	}
	// Behind a proxy the address is the proxy's, so all who come through it share its places.
	place, busy := h.proving.Enter(r.Context(), share.Key{Address: edge.AddressOf(r)})
	if busy != nil {
		h.overloaded(w, r, media, busy)
		return model.Caller{}, false
	}
	caller, err := h.cfg.Authenticator.Authenticate(r.Context(), token)
	place.Leave()
	switch {
	case err == nil:
		return caller, true
	case model.CodeOf(err) == model.CodeUnauthenticated:
		h.unauthenticated(w, r, media, token != "", err)
	case model.CodeOf(err) == model.CodeForbidden:
		h.refuse(w, r, media, http.StatusForbidden, reasonAuth, err)
	default: // the token could not be looked at, which says nothing about it
		h.refuse(w, r, media, statusOf(err, http.StatusServiceUnavailable), reasonAuth, err)
	}
	return model.Caller{}, false
}

// unauthenticated answers 401 with the challenge (RFC 6750, section 3): without an error when nothing was sent.
func (h *Handler) unauthenticated(w http.ResponseWriter, r *http.Request, media string, sent bool, err error) {
	challenge := `Bearer realm="almanac"`
	if sent {
		challenge += `, error="invalid_token"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	h.refuse(w, r, media, http.StatusUnauthorized, reasonAuth, err)
}

func (h *Handler) insufficientScope(w http.ResponseWriter, scope model.Scope) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="almanac", error="insufficient_scope", scope="`+string(scope)+`"`)
}

// statusOf returns the HTTP status of an error that stopped a request before GraphQL, other when its code says none.
func statusOf(err error, other int) int {
	var shown *model.Error
	if !errors.As(err, &shown) {
		return http.StatusInternalServerError
	}
	if errors.Is(err, store.ErrDiskFull) {
		return http.StatusInsufficientStorage // clients repeat after 503, which would make room for nothing
	}
	switch shown.Code {
	case model.CodeUnauthenticated:
		return http.StatusUnauthorized
	case model.CodeForbidden:
		return http.StatusForbidden
	case model.CodeBadUserInput:
		return http.StatusBadRequest
	case model.CodeIdempotencyConflict:
		// Another request under a used key, which no repetition mends (draft-ietf-httpapi-idempotency-key-header, 2.7); 409
		// is for the same one while it is under way.
		return http.StatusUnprocessableEntity
	case model.CodeConflict:
		return http.StatusConflict
	case model.CodeRateLimited:
		return http.StatusTooManyRequests
	case model.CodeUpstreamUnavailable, model.CodeUpstreamRateLimited, model.CodeTimeout:
		return http.StatusServiceUnavailable
	case model.CodeInternal:
		return http.StatusInternalServerError
	default:
		return other
	}
}
