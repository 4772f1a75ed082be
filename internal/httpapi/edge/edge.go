// Package edge holds the few words that every transport of the front door shares: who proves callers, who opens a
// viewer for an operation, and what a request says about the viewer's zone and language.
//
// It promises to hold nothing but these; it has no state and does no I/O.
package edge

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"strings"

	"almanac/graph/model"
)

// Authenticator proves who sends a token.
type Authenticator interface {
	// Authenticate returns the caller of a bearer token. The empty token means that none was sent; whether that is a
	// caller (the local user) is for the implementation to say.
	//
	// A token that proves nobody is a *model.Error UNAUTHENTICATED or FORBIDDEN. Any other error means that the
	// token could not be looked at, and says nothing about it.
	Authenticate(ctx context.Context, token string) (model.Caller, error)
}

// Opener puts the viewer of one operation in the context: its caller's settings with the hints laid over them, and
// its one "now". It is called anew for every operation. Errors for the client are *model.Error.
type Opener func(ctx context.Context, caller model.Caller, hints Hints) (context.Context, error)

// Hints is what a request says about its viewer beyond the token. All may be empty, and none has been checked.
type Hints struct {
	// TimeZone is an IANA name, from the header X-Time-Zone.
	TimeZone string
	// AcceptLanguage is a list of language ranges (RFC 9110, section 12.5.4).
	AcceptLanguage string
	// Client is what the client calls itself: App, or else its User-Agent, which a page in a browser cannot choose.
	Client string
	// Address is the network address that the request came from: behind a proxy, the proxy's.
	Address string
	// App and AppVersion are what the client's developer calls it: see AppFrom.
	App, AppVersion string
	// RequestID ties the log lines of one request together.
	RequestID string
}

// HeaderTimeZone overrides the viewer's time zone for one request.
const HeaderTimeZone = "X-Time-Zone"

// HintsFrom reads the hints of a request's headers and the request id of its context.
func HintsFrom(r *http.Request) Hints {
	app, version := AppFrom(r.Header)
	return Hints{
		App: app, AppVersion: version,
		TimeZone:       r.Header.Get(HeaderTimeZone),
		AcceptLanguage: strings.Join(r.Header.Values("Accept-Language"), ", "),
		Client:         cmp.Or(app, r.Header.Get("User-Agent")),
		Address:        AddressOf(r),
		RequestID:      RequestID(r.Context()),
	}
}

// AppFrom returns what a client's developer calls it, and its version, from the headers that Apollo's clients send or
// from those without a maker's name.
func AppFrom(header http.Header) (name, version string) {
	if name = header.Get("Apollographql-Client-Name"); name != "" {
		return name, header.Get("Apollographql-Client-Version")
	}
	return header.Get("Graphql-Client-Name"), header.Get("Graphql-Client-Version")
}

type requestIDKey struct{}

// WithRequestID puts a request's id in its context.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the context's request, "" when it has none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Bearer takes the token out of an Authorization value (RFC 6750, section 2.1). The empty value is no token and
// is well formed. ok is false for another scheme and for anything that is not one b64token.
func Bearer(authorization string) (token string, ok bool) {
	if authorization == "" {
		return "", true
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	token = strings.TrimLeft(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || !isB64Token(token) {
		return "", false
	}
	return token, true
}

func isB64Token(s string) bool {
	body := strings.TrimRight(s, "=")
	for i := range len(body) {
		c := body[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~+/", c) >= 0:
		default:
			return false
		}
	}
	return body != ""
}

// Refused reports whether an Authenticator's error is about the token itself, rather than about not being able to look.
func Refused(err error) bool {
	switch model.CodeOf(err) {
	case model.CodeUnauthenticated, model.CodeForbidden:
		return true
	default:
		return false
	}
}

// AddressOf returns the network address that a request comes from, without its port: behind a proxy, the proxy's.
func AddressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
