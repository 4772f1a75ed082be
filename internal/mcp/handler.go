package mcp

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/share"
)

// What a page of an allowed origin may send and read (Fetch, "HTTP CORS protocol").
const (
	corsHeaders = "Authorization, Content-Type, Accept, Accept-Language, X-Time-Zone, X-Request-Id, " +
		"Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id"
	corsExposed = "X-Request-Id, Retry-After, WWW-Authenticate, Mcp-Protocol-Version"
)

// ServeHTTP implements http.Handler: whose page it is, who asks, whether there is a free slot, and then the protocol.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.cors(w, r) {
		return
	}
	if origins := r.Header.Values("Origin"); len(origins) > 1 || s.guard.Check(r) != nil ||
		r.Method != http.MethodPost && len(origins) == 1 && !s.allowed(origins[0]) {
		refuse(w, http.StatusForbidden, edge.RefuseForeign(r.Context(), s.cfg.Logger, r))
		return
	}
	caller, ok := s.authenticate(w, r)
	if !ok {
		return
	}
	if s.cfg.Admit != nil {
		leave, err := s.cfg.Admit(model.WithCaller(r.Context(), caller))
		if err != nil {
			refuse(w, share.Status(err), err)
			return
		}
		defer leave()
	}
	ctx := withCall(r.Context(), &call{caller: caller, request: r})
	server := s.offered[abilitiesOf(caller, r)]
	if r.Header.Get("Mcp-Method") == methodListen && caller.May(model.ScopeRead) {
		follow, err := s.follow(ctx)
		if err != nil {
			refuse(w, http.StatusServiceUnavailable, err)
			return
		}
		defer follow.close()
		server, ctx = follow.server, follow.request
	}
	s.handler.ServeHTTP(private{w}, r.WithContext(context.WithValue(ctx, serverKey{}, server)))
}

// private marks every answer as one for this caller alone, which no cache may keep (RFC 9111, section 5.2.2). The
// protocol's library sets a header that lets shared caches keep answers and ask again.
type private struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (p private) WriteHeader(status int) {
	p.Header().Set("Cache-Control", "private, no-store, no-transform")
	p.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (p private) Write(b []byte) (int, error) {
	p.Header().Set("Cache-Control", "private, no-store, no-transform")
	return p.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (p private) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// authenticate proves the caller by the request's bearer token (RFC 6750), or answers that it cannot.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request) (model.Caller, bool) {
	values := r.Header.Values("Authorization")
	token, ok := edge.Bearer(strings.Join(values, ","))
	var caller model.Caller
	err := error(model.Errorf(model.CodeUnauthenticated, "The Authorization header is not one bearer token."))
	if ok {
		caller, err = s.cfg.Authenticator.Authenticate(r.Context(), token)
	}
	switch {
	case err == nil && !caller.May(model.ScopeRead) && !caller.May(model.ScopeWrite):
		w.Header().Set("WWW-Authenticate", `Bearer realm="almanac", error="insufficient_scope", scope="READ"`)
		refuse(w, http.StatusForbidden,
			model.Errorf(model.CodeForbidden, "The token allows no tool; it needs READ or WRITE."))
	case err == nil:
		return caller, true
	case model.CodeOf(err) == model.CodeUnauthenticated:
		challenge := `Bearer realm="almanac"`
		if len(values) > 0 {
			challenge += `, error="invalid_token"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
		refuse(w, http.StatusUnauthorized, err)
	case model.CodeOf(err) == model.CodeForbidden:
		refuse(w, http.StatusForbidden, err)
	default: // the token could not be looked at, which says nothing about it
		refuse(w, http.StatusServiceUnavailable, err)
		s.cfg.Logger.ErrorContext(r.Context(), "a token could not be looked at", "requestId", edge.RequestID(r.Context()),
			"cause", err.Error())
	}
	return model.Caller{}, false
}

func (s *Server) allowed(origin string) bool {
	return slices.ContainsFunc(s.cfg.Origins,
		func(own string) bool { return strings.EqualFold(strings.TrimSuffix(own, "/"), origin) })
}

// cors lets pages of the configured origins read answers, and answers their preflights; true means that the request is
// answered.
func (s *Server) cors(w http.ResponseWriter, r *http.Request) (answered bool) {
	w.Header().Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !s.allowed(origin) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Access-Control-Expose-Headers", corsExposed)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	w.Header().Set("Access-Control-Allow-Methods", "POST")
	w.Header().Set("Access-Control-Allow-Headers", corsHeaders)
	w.Header().Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
