package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/graph/model"
)

// methodListen is the request that holds a subscription open.
const methodListen = "subscriptions/listen"

// maxFollowed is how many resources one request may listen to.
const maxFollowed = 20

// viewerNow is the time of the viewer's request, in their zone.
func (s *Server) viewerNow(ctx context.Context, c *call) (time.Time, error) {
	got, err := s.graphql.run(ctx, c, s.documents["now"], nil, "")
	if err != nil {
		return time.Time{}, err
	}
	var viewer struct {
		Now time.Time `json:"now"`
	}
	if isNull(got.Data["viewer"]) || json.Unmarshal(got.Data["viewer"], &viewer) != nil {
		return time.Time{}, errNoViewer
	}
	return viewer.Now, nil
}

// follower tells one client of changes of the resources that it listens to. It has a server to itself, since a server
// tells all who listen to a resource, whoever they are.
type follower struct {
	server  *mcp.Server
	parent  *Server
	call    *call
	request context.Context //nolint:containedctx // it is the life of one request
	stop    context.CancelFunc
	// calm ends the wait for the server's own end.
	calm    func() bool
	leave   func()
	running sync.WaitGroup

	mu   sync.Mutex
	uris map[string]bool
}

// follow makes the follower of a request. RATE_LIMITED when too many listen.
func (s *Server) follow(ctx context.Context) (*follower, error) {
	c, err := callOf(ctx)
	if err != nil {
		return nil, err
	}
	select {
	case s.streams <- struct{}{}:
	default:
		return nil, &model.Error{Code: model.CodeRateLimited,
			Message: "Too many clients listen; read the resource again instead.", RetryAfter: time.Minute}
	}
	f := &follower{parent: s, call: c, uris: map[string]bool{}, leave: func() { <-s.streams }}
	f.request, f.stop = context.WithCancel(ctx)
	f.calm = context.AfterFunc(s.life, f.stop)
	f.server = s.serverFor(abilities{scopesOf(c.caller), true}, f)
	return f, nil
}

// close ends everything that the follower has begun, and waits for it.
func (f *follower) close() {
	f.calm()
	f.stop()
	f.running.Wait()
	f.leave()
}

// subscribe begins to tell of a resource. What the agenda is made of is followed from the first on.
func (f *follower) subscribe(_ context.Context, request *mcp.SubscribeRequest) error {
	uri := request.Params.URI
	if _, _, ok := stretch(uri); !ok {
		return mcp.ResourceNotFoundError(uri)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.uris) >= maxFollowed {
		return errors.New("too many resources in one subscription")
	}
	if len(f.uris) == 0 {
		for _, name := range [...]string{"tasksfollow", "eventsfollow", "emailsfollow"} {
			f.running.Go(func() { f.listen(f.parent.documents[name]) })
		}
	}
	f.uris[uri] = true
	return nil
}

func (f *follower) unsubscribe(_ context.Context, request *mcp.UnsubscribeRequest) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.uris, request.Params.URI)
	return nil
}

// listen holds a subscription of GraphQL open, and tells of each of its answers. When it ends, as that of mail does
// where no account is linked, the others go on.
func (f *follower) listen(doc document) {
	r, err := f.call.asked(f.request, doc, nil, "text/event-stream")
	if err != nil {
		return
	}
	_ = f.parent.graphql.serve(&stream{header: http.Header{}, tell: f.tell}, r) // it has ended, for whatever reason
}

// tell says that the resources have changed.
func (f *follower) tell() {
	f.mu.Lock()
	uris := sortedKeys(f.uris)
	f.mu.Unlock()
	for _, uri := range uris {
		// a client that has gone needs no word
		_ = f.server.ResourceUpdated(f.request, &mcp.ResourceUpdatedNotificationParams{URI: uri})
	}
}

// stream looks at an event stream as it is written, and keeps none of it but the beginning of a line.
type stream struct {
	header http.Header
	line   []byte
	tell   func()
}

// nextEvent begins an answer of a subscription (GraphQL over server-sent events, distinct connections mode).
var nextEvent = []byte("event: next") //nolint:gochecknoglobals // a constant

func (s *stream) Header() http.Header { return s.header }

func (s *stream) WriteHeader(int) {}

// Flush is asked of whoever writes a stream.
func (s *stream) Flush() {}

func (s *stream) Write(p []byte) (int, error) {
	for _, b := range p {
		if b == '\n' {
			if bytes.Equal(s.line, nextEvent) {
				s.tell()
			}
			s.line = s.line[:0]
		} else if len(s.line) <= len(nextEvent) {
			s.line = append(s.line, b)
		}
	}
	return len(p), nil
}
