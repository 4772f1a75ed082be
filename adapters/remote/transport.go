package remote

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// NewTransport makes a transport with limits on each step of connecting, which keeps so many idle connections. The
// caller may change it before its first use, and close its idle connections at the end.
func NewTransport(idle int) *http.Transport {
	return newTransport(idle, &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second})
}

// NewPublicTransport makes a transport for addresses that somebody else has named: it connects to public addresses
// alone, whatever a name resolves to (ErrNotPublic), and uses no proxy, which would resolve names by itself.
func NewPublicTransport(idle int) *http.Transport {
	t := newTransport(idle, &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second, Control: publicOnly})
	t.Proxy = nil
	return t
}

func newTransport(idle int, dialer *net.Dialer) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           idle,
		MaxIdleConnsPerHost:    idle,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    5 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		// A connection that died without a word would otherwise hold every call until it timed out.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
	}
}

// ErrNotPublic is of addresses that a public transport does not connect to.
var ErrNotPublic = errors.New("the address is not a public one")

// publicOnly refuses connections into networks that only this machine can reach.
func publicOnly(_, address string, _ syscall.RawConn) error {
	end, err := netip.ParseAddrPort(address)
	if err != nil || !isPublic(end.Addr()) {
		return ErrNotPublic
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

// CheckURL reports what is wrong with a remote's address, if anything: keys and texts travel over TLS, in the clear
// only to this machine or where that is allowed. The error begins with what has the address: "exa: the server".
func CheckURL(what string, u *url.URL, allowHTTP bool) error {
	switch {
	case u == nil || u.Hostname() == "":
		return fmt.Errorf("%s has no address", what)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%s's address has a user, a query or a fragment", what)
	case u.Scheme == "https", u.Scheme == "http" && (allowHTTP || isLoopback(u.Hostname())):
		return nil
	default:
		return fmt.Errorf("%s's address is neither https nor loopback but %s", what, u.Scheme)
	}
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// DontFollow leaves redirects to the caller, for http.Client: one would carry keys to wherever it points.
func DontFollow(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
