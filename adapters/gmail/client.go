package gmail

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// Client reads and writes the mailboxes of linked accounts. It is safe for goroutines and must not be copied. Its
// fields are set before the first use.
//
// Every method acts for one connection, and is one question in the sense of model.AskUpstream unless what is kept
// answers it. Errors are *model.Error: NOT_CONNECTED, NOT_CONFIGURED, UPSTREAM_RATE_LIMITED, UPSTREAM_UNAVAILABLE,
// UPSTREAM_REJECTED, QUERY_TOO_EXPENSIVE and TIMEOUT from any of them, the others where a method says so. After
// ErrUnknownOutcome, to be found with errors.Is, a change may have been made or not; after any other error nothing was
// changed, but for Modify of more than 1,000 messages.
//
// All methods need the scope gmail.modify, with which accounts are linked: it covers reading, labels, drafts and
// sending, so that a user is asked once.
type Client struct {
	Google *google.Clients
	// Cache keeps what was read; nil: nothing is kept. What it cannot do is done without it.
	Cache store.MailCache
	// Box hides what Cache keeps; needed with a Cache.
	Box *seal.Box
	// Now is the clock for units and for how long labels hold; it must be set.
	Now func() time.Time
	// Endpoint is where the API is served instead of at Google's; it ends with "/". For tests over TCP.
	Endpoint string
	// Units is how many quota units of an account this process uses in a minute; 0 is 6,000, which is what Google gives
	// projects since May 2026. Processes that share a project do not know of each other: where there are several, each
	// should have its part.
	Units int

	packers sync.Pool
	mu      sync.Mutex
	boxes   map[boxKey]*mailbox
	turn    uint64
}

// me is Gmail's name of the mailbox whose token it is.
const me = "me"

// session is the client at work for one connection, for one call of a method.
type session struct {
	client     *Client
	connection model.Connection
	box        *mailbox
	// api makes the remote's client when it is first needed: what is answered from the cache asks nothing.
	api func() (*gmail.Service, error)
}

func (c *Client) session(ctx context.Context, connection model.Connection) *session {
	s := &session{client: c, connection: connection, box: c.mailbox(connection)}
	s.api = sync.OnceValues(func() (*gmail.Service, error) { return c.service(ctx, connection) })
	return s
}

func (c *Client) service(ctx context.Context, connection model.Connection) (*gmail.Service, error) {
	account := google.Account{User: connection.User, Connection: connection.ID, Email: connection.Account}
	calls := c.Google.HTTP(ctx, account, model.UpstreamGmail)
	calls.Transport = replaying{calls.Transport}
	options := []option.ClientOption{option.WithHTTPClient(calls)}
	if c.Endpoint != "" {
		options = append(options, option.WithEndpoint(c.Endpoint))
	}
	api, err := gmail.NewService(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("gmail: making the client: %w", err)
	}
	api.UserAgent = "almanac (gzip)" // Google packs its answers only for clients that say so here as well
	return api, nil
}

// warn tells the operator of what goes wrong without anybody being hurt. Doing is one of few texts of our own.
func (s *session) warn(ctx context.Context, doing string, err error) {
	if logger := s.client.Google.Logger; logger != nil && ctx.Err() == nil {
		logger.LogAttrs(ctx, slog.LevelWarn, "what is kept of a mailbox could not be used", slog.String("doing", doing),
			slog.String("cause", model.CauseOf(err)))
	}
}
