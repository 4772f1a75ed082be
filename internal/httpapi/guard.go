package httpapi

import (
	"crypto/rand"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// foreign reports whether a browser says that a page of another site caused the request. Tokens are never sent by a
// browser on its own, so this matters for the local user, whom no token proves. Three layers stand before him:
//
//   - POST needs application/json, which no page can send to another site without asking first (Fetch, "CORS-safelisted
//     request-header"), and the question is answered yes only for the configured origins;
//   - GET runs queries only, which change nothing and whose answer another site's page cannot read;
//   - and whatever says by Sec-Fetch-Site, Origin or, from browsers that send neither, Referer that it comes from
//     elsewhere is refused before it runs.
//
// A client that is no browser sends none of the three and passes.
func (h *Handler) foreign(r *http.Request) bool {
	origin := r.Header.Values("Origin")
	if len(origin) > 1 {
		return true
	}
	if len(origin) == 1 {
		return !h.isOwn(r, origin[0])
	}
	switch sites := r.Header.Values("Sec-Fetch-Site"); {
	case len(sites) > 1:
		return true
	case len(sites) == 1:
		// "none" is the user's own doing: an address typed in or a bookmark.
		return sites[0] != "same-origin" && sites[0] != "none"
	}
	if referer := r.Header.Get("Referer"); referer != "" {
		return !h.isOwn(r, referer)
	}
	return false
}

// isOwn reports whether an origin, or the origin of an address, is this server. The scheme is not compared with the
// request's, which a proxy may have changed, but with the configured origins.
func (h *Handler) isOwn(r *http.Request, address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return false // "null" among them
	}
	if strings.EqualFold(parsed.Host, r.Host) {
		return true
	}
	return slices.ContainsFunc(h.cfg.Origins, func(own string) bool {
		return strings.EqualFold(strings.TrimSuffix(own, "/"), parsed.Scheme+"://"+parsed.Host)
	})
}

// isLoopbackHost reports whether a Host header names this machine to itself.
func isLoopbackHost(host string) bool {
	name := host
	if bare, _, err := net.SplitHostPort(host); err == nil {
		name = bare
	}
	name = strings.TrimSuffix(strings.ToLower(strings.Trim(name, "[]")), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.Unmap().IsLoopback()
}

// isLocalPeer reports whether the request comes straight from this machine: the peer is loopback, it calls the server
// by a loopback name, and no proxy says that it speaks for someone else.
func isLocalPeer(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() || !isLoopbackHost(r.Host) {
		return false
	}
	for _, header := range [...]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"} {
		if r.Header.Get(header) != "" {
			return false
		}
	}
	return true
}

// maxRequestID is the longest request id that is taken from a client.
const maxRequestID = 128

// requestID takes the client's id when it is harmless in a log line and a header, and makes one otherwise.
func requestID(r *http.Request) string {
	if id := r.Header.Get(headerRequestID); id != "" && len(id) <= maxRequestID && strings.IndexFunc(id, notInID) < 0 {
		return id
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails, by its contract
	return hex.EncodeToString(id[:])
}

func notInID(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.ContainsRune("-_.:+/=", c):
		return false
	default:
		return true
	}
}
