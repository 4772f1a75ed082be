package remote

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
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

// special are the networks that netip has no question for and that are not the public internet's, or lead to another
// address that they hold (https://www.iana.org/assignments/iana-ipv4-special-registry, and -ipv6-).
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // between carriers and their customers; a cloud's metadata
	netip.MustParsePrefix("192.0.0.0/24"),    // protocols; another cloud's metadata
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.88.99.0/24"),  // relays of 6to4
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved
	netip.MustParsePrefix("::/96"),           // IPv4 within IPv6, the oldest form
	netip.MustParsePrefix("64:ff9b::/96"),    // IPv4 within IPv6 (RFC 6052), which leads where it says
	netip.MustParsePrefix("64:ff9b:1::/48"),  // the same within one network
	netip.MustParsePrefix("100::/64"),        // discarded
	netip.MustParsePrefix("2001::/23"),       // protocols, Teredo among them
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("2002::/16"),       // 6to4: IPv4 within IPv6
	netip.MustParsePrefix("fec0::/10"),       // private ones of old
}

// MayBePublic reports whether a host of an address is a name, or a public address. A name is judged when a public
// transport connects to what it resolves to.
func MayBePublic(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || isPublic(ip)
}

func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return ip.IsGlobalUnicast() && !ip.IsPrivate() &&
		!slices.ContainsFunc(special, func(network netip.Prefix) bool { return network.Contains(ip) })
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
