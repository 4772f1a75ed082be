package gcal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// Client reads and writes the calendars of linked accounts. It keeps nothing between calls and is safe for goroutines.
//
// Every method acts for one connection. A calendar is named by the remote's id, or by "" for the account's primary one;
// what comes back names it so too. Errors are *model.Error: NOT_CONNECTED, NOT_CONFIGURED, UPSTREAM_RATE_LIMITED,
// UPSTREAM_UNAVAILABLE, UPSTREAM_REJECTED and TIMEOUT from any of them, the others where a method says so. After
// ErrUnknownOutcome, to be found with errors.Is, a change may have been made or not, after ErrHalfDone a part of it
// was; after any other error nothing was changed.
type Client struct {
	Google *google.Clients
	// Now is used only where an answer of Google's does not say its time.
	Now func() time.Time
	// Endpoint is where the API is served instead of at Google's; it ends with "/calendar/v3/". For tests over TCP.
	Endpoint string
	// Location returns the zone of an IANA name; projections/when.LoadZone when nil.
	Location func(name string) (*time.Location, error)
	// PageSize is how many events are asked for at once where all are wanted; 0 is 2,500, Google's largest page.
	PageSize int
}

// primary is Google's other name of an account's first calendar.
const primary = "primary"

// session is the client at work for one connection.
type session struct {
	client     *Client
	connection model.Connection
	api        *calendar.Service
}

func (c *Client) session(ctx context.Context, connection model.Connection) (*session, error) {
	account := google.Account{User: connection.User, Connection: connection.ID, Email: connection.Account}
	calls := c.Google.HTTP(ctx, account, model.UpstreamGoogle)
	if dryrun.Is(ctx) {
		calls.Transport = foretelling{calls.Transport, connection.Account, map[string]object{}}
	}
	options := []option.ClientOption{option.WithHTTPClient(calls)}
	if c.Endpoint != "" {
		options = append(options, option.WithEndpoint(c.Endpoint))
	}
	api, err := calendar.NewService(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("gcal: making the client: %w", err)
	}
	api.UserAgent = "almanac (gzip)" // Google packs its answers only for clients that say so here as well
	return &session{client: c, connection: connection, api: api}, nil
}

// calendarID returns the one name of a calendar that references have for it.
func (s *session) calendarID(id string) string {
	if id == primary || strings.EqualFold(id, s.connection.Account) {
		return ""
	}
	return id
}

// realID is the remote's own id of a calendar.
func (s *session) realID(id string) string {
	if s.calendarID(id) == "" {
		return s.connection.Account
	}
	return id
}

// sentID is the id that Google is sent.
func (s *session) sentID(id string) string {
	if s.calendarID(id) == "" {
		return primary
	}
	return id
}

// reading is the context of a call that only reads events.
func reading(ctx context.Context, operation string) context.Context {
	return google.WithScopes(google.WithOperation(ctx, "calendar."+operation), google.ScopeCalendarEventsReadonly)
}

// changing makes a call that changes events, of which doing it twice is doing it once. Unknown tells that it failed and
// may have been done all the same, in its last attempt or in an earlier one.
func changing(ctx context.Context, operation string, send func(context.Context) error) (unknown bool, err error) {
	named := google.WithScopes(google.WithOperation(ctx, "calendar."+operation), google.ScopeCalendarEvents)
	unknown, _, err = google.Do(named, google.RepeatAlways, send)
	if err == nil || unknown {
		answersOf(ctx).opened()
	}
	return unknown, err
}
