package google

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// NewTransport makes the one transport that all clients share, so that all users' calls travel on few connections:
// HTTP/2, answers packed with gzip and unpacked here, limits on each step of connecting. It waits 20 s at most for an
// answer to begin; how long a call may take is for Limits to say. The caller may close its idle connections at the end.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           200,
		MaxIdleConnsPerHost:    100,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    5 * time.Second,
		ResponseHeaderTimeout:  20 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		// A connection that died without a word would otherwise hold every call of every user until it timed out.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
	}
}

// googleHosts tells whether a request may carry a bearer token: over TLS, to a host of Google's APIs.
func googleHosts(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return u.Scheme == "https" && (host == "googleapis.com" || strings.HasSuffix(host, ".googleapis.com"))
}

// dontFollow leaves redirects to the caller: Google's APIs send none, and one that came would carry the token, or the
// client's secret, to wherever it points.
func dontFollow(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
