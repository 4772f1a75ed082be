package httpapi

import "net/http"

// What a page of an allowed origin may send and read (Fetch, "HTTP CORS protocol"). Credentials are not allowed: tokens
// go in Authorization, which a page must set itself, and the cookie of a session is for the server's own pages.
const (
	corsMethods = "GET, POST"
	corsHeaders = "Authorization, Content-Type, Accept, Accept-Language, X-Time-Zone, X-Request-Id, Idempotency-Key, " +
		"Last-Event-ID, If-None-Match, Traceparent, Apollo-Require-Preflight, Apollographql-Client-Name, " +
		"Apollographql-Client-Version, Graphql-Client-Name, Graphql-Client-Version, Almanac-Cost"
	corsExposed = "ETag, X-Request-Id, Idempotency-Replayed, Retry-After, RateLimit, " +
		"RateLimit-Policy, WWW-Authenticate"
	// corsMaxAge is how many seconds a browser may remember the answer to a preflight.
	corsMaxAge = "600"
)

// cors lets pages of the configured origins read answers, and answers their preflights; true means the request is
// answered. Origins that are not configured get no header here and are refused as foreign afterwards.
func (h *Handler) cors(w http.ResponseWriter, r *http.Request) (answered bool) {
	if len(h.cfg.Origins) == 0 {
		return false
	}
	w.Header().Add("Vary", "Origin")
	origins := r.Header.Values("Origin")
	if len(origins) != 1 || !h.isOwn(r, origins[0]) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origins[0])
	w.Header().Set("Access-Control-Expose-Headers", corsExposed)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	w.Header().Set("Access-Control-Allow-Methods", corsMethods)
	w.Header().Set("Access-Control-Allow-Headers", corsHeaders)
	w.Header().Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
	return true
}
