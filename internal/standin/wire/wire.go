// Package wire is what the front of a stand-in and the services behind it say to each other: a request that has been
// matched, authorized and decoded goes in, an answer or a problem comes out.
//
// It promises that a service never sees HTTP, and that the front never knows what a service means.
package wire

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"almanac/internal/standin/discovery"
)

// Call is one API request. The front has checked the token, its scopes and the route.
type Call struct {
	// Method is the id of the discovery document, "calendar.events.list".
	Method string
	// Account is the e-mail address of the account whose token it is.
	Account string
	// Scopes are those of the token, sorted; any one of them opens the method.
	Scopes []string
	// Path holds the path's parameters, unescaped: "calendarId".
	Path map[string]string
	// Query holds the query's parameters without those that the front serves itself (alt, fields, prettyPrint, key).
	Query url.Values
	// Header is the request's; services look at If-Match and If-None-Match.
	Header http.Header
	// Body is the decoded JSON body: nil when there is none. Numbers are json.Number.
	Body map[string]any
	// Media and MediaType are what an upload carried; nil for others.
	Media     []byte
	MediaType string
	// Now is the stand-in's clock at the time of the request.
	Now time.Time
}

// Reply is an answer. A nil Body with status 204 is an empty one.
type Reply struct {
	// Status is 200 when zero.
	Status int
	Header http.Header
	// Body is JSON as values: map[string]any, []any, string, bool, numbers. The front applies field masks to it.
	Body map[string]any
}

// Problem is an error as Google says it.
type Problem struct {
	Status int
	// Domain is "global", "calendar" or "usageLimits".
	Domain  string
	Reason  string
	Message string
	// LocationType and Location name what is at fault: "parameter" and "timeMax", "header" and "If-Match"; often empty.
	LocationType string
	Location     string
	// RetryAfter goes into the header of that name, when it is not zero.
	RetryAfter time.Duration
}

// Error returns status, reason and message.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Reason, p.Message) }

// Service is one API behind the front.
type Service interface {
	// Document describes the API; its methods are the ones that Serve is called with.
	Document() *discovery.Document
	// Serve answers a call: with a reply, or with a *Problem. It must be safe for calls at once.
	Serve(call Call) (Reply, error)
	// Forget erases what is kept of an account.
	Forget(account string)
	// Snapshot writes everything that is kept; Restore replaces it by what a snapshot holds.
	Snapshot(w io.Writer) error
	Restore(r io.Reader) error
}
