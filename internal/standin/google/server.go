package google

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/faults"
	"almanac/internal/standin/wire"
)

// Options are what a stand-in is made of. Now must be set; everything else may be left out.
type Options struct {
	// Now is the stand-in's clock.
	Now func() time.Time
	// Services are the APIs behind the front, each under the host and the paths of its document.
	Services []wire.Service
	// Client is the one OAuth client that is known; without an ID there is none, and only Grant gives tokens.
	Client OAuthClient
	// Report is told of every breach of the APIs' descriptions, by clients or by services. It must be safe for calls at
	// once; nil: nobody is told.
	Report func(discovery.Violation)
	// Seed makes tokens repeat from run to run, for tests; 0 takes them from the system's randomness.
	Seed uint64
	// Wait passes the time of a fault's latency: until d is over, or with the context's error before. Nil waits for real.
	Wait func(ctx context.Context, d time.Duration) error
	// Quota limits units per minute; the zero value limits nothing.
	Quota Quota
	// Quotas are those of APIs that have one of their own, by name: "gmail". The others share Quota.
	Quotas map[string]Quota
	// RefreshTokenLife ends refresh tokens, as the consent screen's status "Testing" does after 7 days; 0 never.
	RefreshTokenLife time.Duration
	// StrictParameters refuses query parameters that a method does not have; without it they are ignored, and reported.
	StrictParameters bool
	// Forgetful: requests are not remembered, for servers that run for days; Requests returns none.
	Forgetful bool
	// BatchCalls is the most calls in one batch; 0 for 50 with Calendar, whose page says 1,000 where others met 50, and
	// 100 with the others.
	BatchCalls int
}

// OAuthClient is an application that may ask for consent.
type OAuthClient struct {
	ID, Secret string
	// Name is what the consent page calls it; empty: its ID.
	Name string
	// RedirectURIs are those that may be asked for, each compared exactly.
	RedirectURIs []string
}

// Server is the stand-in. It is safe for goroutines, and has none of its own between requests.
type Server struct {
	now      func() time.Time
	services []wire.Service
	client   OAuthClient
	report   func(discovery.Violation)
	strict   bool
	batch    int
	life     time.Duration

	secrets  *secrets
	meter    *meter
	faults   faults.Set[Fault]
	wait     func(context.Context, time.Duration) error
	requests *requests
	uploads  *uploads
	packers  packers
	origin   *http.CrossOriginProtection

	// mu guards what follows.
	mu       sync.Mutex
	accounts map[string]*account
	access   map[digest]*accessToken
	codes    map[digest]*code
}

// New makes a stand-in without accounts, or says which options are wrong.
func New(o Options) (*Server, error) {
	if o.Now == nil {
		return nil, errors.New("google: Now must be set")
	}
	names := map[string]bool{}
	for _, s := range o.Services {
		if name := s.Document().Name; names[name] {
			return nil, fmt.Errorf("google: there are two services %q", name)
		}
		names[s.Document().Name] = true
	}
	for _, uri := range o.Client.RedirectURIs {
		if _, err := formAction(uri); err != nil {
			return nil, fmt.Errorf("google: the redirect URI %q: %w", uri, err)
		}
	}
	if o.Wait == nil {
		o.Wait = faults.Wait
	}
	return &Server{
		now: o.Now, services: slices.Clone(o.Services), client: o.Client, report: o.Report, strict: o.StrictParameters,
		batch: o.BatchCalls, life: o.RefreshTokenLife,
		secrets: newSecrets(o.Seed), meter: newMeter(o.Quota, o.Quotas), wait: o.Wait,
		requests: &requests{off: o.Forgetful},
		uploads:  &uploads{}, origin: http.NewCrossOriginProtection(),
		accounts: map[string]*account{}, access: map[digest]*accessToken{}, codes: map[digest]*code{},
	}, nil
}

// Hosts that are not an API's.
const (
	hostAccounts = "accounts.google.com"
	hostOAuth    = "oauth2.googleapis.com"
	hostOpenID   = "openidconnect.googleapis.com"
	hostAPIs     = "www.googleapis.com"
)

// Handler serves every host of Google's that the stand-in knows, told apart by the request's Host. Under any other
// name, such as that of a local listener, it serves the paths of all of them.
func (s *Server) Handler() http.Handler { return http.HandlerFunc(s.serve) }

// Mount serves what a browser needs, the consent page, below a path of a server of one's own; prefix has no slash at
// its end. The address to send people to is then prefix + "/o/oauth2/v2/auth".
func (s *Server) Mount(prefix string) http.Handler {
	return http.StripPrefix(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isConsent(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		s.recorded(w, r, s.consent)
	}))
}

// isConsent knows the page's path in the form of today and in that of Google's Go library.
func isConsent(path string) bool { return path == "/o/oauth2/v2/auth" || path == "/o/oauth2/auth" }

// serve finds who answers.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(strings.ToLower(r.Host), ":")
	at := func(own ...string) bool { return slices.Contains(own, host) || !s.isGoogle(host) }
	switch path := r.URL.Path; {
	case isConsent(path) && at(hostAccounts):
		s.recorded(w, r, s.consent)
	case path == "/token" && at(hostOAuth):
		s.recorded(w, r, s.token)
	case path == "/revoke" && at(hostOAuth), path == "/o/oauth2/revoke" && at(hostAccounts):
		s.recorded(w, r, s.revoke)
	case path == "/tokeninfo" && at(hostOAuth):
		s.recorded(w, r, s.tokenInfo)
	case path == "/v1/userinfo" && at(hostOpenID), path == "/oauth2/v3/userinfo" && at(hostAPIs):
		s.recorded(w, r, s.userInfo)
	default:
		for _, service := range s.services {
			d := service.Document()
			if !at(d.Host()) {
				continue
			}
			if isBatch(d, path) {
				s.serveBatch(w, r, service)
				return
			}
			if belongs(d, r) {
				s.recorded(w, r, func(seen *seen, r *http.Request) { s.serveAPI(seen, r, service) })
				return
			}
		}
		s.recorded(w, r, notFoundPage)
	}
}

func (s *Server) isGoogle(host string) bool {
	return host == hostAccounts || host == hostOAuth || host == hostOpenID || host == hostAPIs ||
		slices.ContainsFunc(s.services, func(service wire.Service) bool { return service.Document().Host() == host })
}

// belongs reports whether a path is one of an API, under any verb.
func belongs(d *discovery.Document, r *http.Request) bool {
	return len(d.Verbs(r.URL.EscapedPath())) > 0
}

// notFoundPage is what Google's front ends say of paths that nobody has.
func notFoundPage(seen *seen, _ *http.Request) {
	writePage(seen, http.StatusNotFound, "The requested URL was not found on this server.")
}
