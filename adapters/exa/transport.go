package exa

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// NewTransport makes a transport with limits on each step of connecting. The caller may close its idle connections at
// the end.
func NewTransport() *http.Transport {
	return transport(&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second})
}

// NewUploadTransport makes a transport for addresses that somebody else has named: it connects to public addresses
// alone, whatever a name resolves to, and uses no proxy, which would resolve names by itself.
func NewUploadTransport() *http.Transport {
	t := transport(&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second, Control: publicOnly})
	t.Proxy = nil
	return t
}

func transport(dialer *net.Dialer) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    5 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		// A connection that died without a word would otherwise hold every call until it timed out.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
	}
}

var errNotPublic = errors.New("the address is not a public one")

// publicOnly refuses connections into networks that only this machine can reach.
func publicOnly(_, address string, _ syscall.RawConn) error {
	end, err := netip.ParseAddrPort(address)
	if err != nil {
		return errNotPublic
	}
	if !isPublic(end.Addr()) {
		return errNotPublic
	}
	return nil
}

// sharedNetwork is the address space between carriers and their customers (RFC 6598); translated are addresses of IPv4
// within IPv6 (RFC 6052), which lead where they say.
var (
	sharedNetwork = netip.MustParsePrefix("100.64.0.0/10")
	translated    = netip.MustParsePrefix("64:ff9b::/96")
)

func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !sharedNetwork.Contains(ip) && !translated.Contains(ip)
}
