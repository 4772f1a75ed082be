package app

import (
	"crypto/rand"
	"net/http"
	"time"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/connect"
)

// issuerTimeout bounds one request to the issuer's token endpoint.
const issuerTimeout = 10 * time.Second

// signInURL is where people sign in with a browser; empty where they cannot.
func (s *Server) signInURL() string {
	if s.settings.OIDCClientID == "" {
		return ""
	}
	return s.base.JoinPath(connect.PathSignIn).String()
}

// serveSignIn has people sign in with a browser, where the settings name a client at the issuer. It returns the name of
// the cookie of their sessions, empty where there are none.
func (s *Server) serveSignIn(authenticator *auth.Authenticator) string {
	if s.signInURL() == "" {
		return ""
	}
	page := &connect.SignIn{
		Provider: authenticator.Provider(s.settings.OIDCClientID),
		Sessions: auth.Sessions{Store: s.store, Now: s.clock.Now, NewID: s.ids.New, Random: rand.Reader,
			NewUser:  func(subject string, now time.Time) model.User { return NewUser(s.settings, subject, now) },
			Lifetime: s.settings.SessionLifetime, AuditKept: s.settings.AuditRetention},
		Box: s.box, Base: s.base, Now: s.clock.Now, Logger: s.log,
		ClientID: s.settings.OIDCClientID, ClientSecret: s.settings.OIDCClientSecret.Reveal(),
		HTTP: &http.Client{Timeout: issuerTimeout},
	}
	for _, path := range []string{connect.PathSignIn, connect.PathSignInCallback, connect.PathSignOut} {
		s.pages[path] = page
	}
	return connect.SessionCookie(s.base)
}
