package google

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/adapters/remote"
)

// NewTransport makes the one transport that all clients share, so that all users' calls travel on few connections:
// HTTP/2, answers packed with gzip and unpacked here, limits on each step of connecting. It waits 20 s at most for an
// answer to begin; how long a call may take is for Limits to say. The caller may close its idle connections at the end.
func NewTransport() *http.Transport {
	t := remote.NewTransport(100)
	t.MaxIdleConns = 200
	t.ResponseHeaderTimeout = 20 * time.Second
	t.MaxResponseHeaderBytes = 256 << 10
	return t
}

// googleHosts reports whether a request may carry a bearer token: over TLS, to a host of Google's APIs.
func googleHosts(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return u.Scheme == "https" && (host == "googleapis.com" || strings.HasSuffix(host, ".googleapis.com"))
}
