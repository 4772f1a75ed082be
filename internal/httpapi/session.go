package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// withSession puts the token of a signed-in browser where every transport looks for one: a request of the server's own
// pages that has the session's cookie and no Authorization header gets one. A browser adds cookies on its own, so a
// request that a page of another origin has caused, also of one that may call with a token, stays without, whatever its
// method: it is then nobody's. Requests for a socket are among them.
func (h *Handler) withSession(w http.ResponseWriter, r *http.Request) *http.Request {
	if h.cfg.SessionCookie == "" {
		return r
	}
	w.Header().Add("Vary", "Cookie")
	cookie, err := r.Cookie(h.cfg.SessionCookie)
	if err != nil || cookie.Value == "" || len(r.Header["Authorization"]) > 0 || !h.ofOwnPage(r) {
		return r
	}
	signed := r.Clone(r.Context())
	signed.Header.Set("Authorization", "Bearer "+cookie.Value)
	return signed
}

// ofOwnPage reports whether nothing says that a request comes from a page of another origin. Browsers say it by
// Sec-Fetch-Site, and those that do not by Origin, with every request but plain GETs. A client that sends neither is no
// browser, and nobody makes it send a cookie.
func (h *Handler) ofOwnPage(r *http.Request) bool {
	if sites := r.Header["Sec-Fetch-Site"]; len(sites) > 0 {
		return len(sites) == 1 && (sites[0] == "same-origin" || sites[0] == "none")
	}
	origins := r.Header["Origin"]
	if len(origins) == 0 {
		return true
	}
	from, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && from.Host != "" &&
		(strings.EqualFold(from.Host, r.Host) || strings.EqualFold(origins[0], h.cfg.SessionOrigin))
}
