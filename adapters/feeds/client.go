package feeds

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"almanac/adapters/remote"
)

const remoteName = "feed"

// MinInterval is how long a feed is left alone at least between two readings.
const MinInterval = 15 * time.Minute

// maxInterval is how long at most, whatever the server asks for.
const maxInterval = 7 * 24 * time.Hour

// Client reads feeds of any number of servers. Its fields are set before the first use and not changed after it; none
// is needed. It is safe for goroutines and must not be copied.
type Client struct {
	// Private allows addresses of private networks and of this machine.
	Private bool
	// Base sends the requests; when nil a transport that connects to what Private allows.
	Base http.RoundTripper
	// Now, Jitter, Wait, Logger and Observe are those of remote.Caller.
	Now     func() time.Time
	Jitter  func() float64
	Wait    func(context.Context, time.Duration) error
	Logger  *slog.Logger
	Observe func(remote.Attempt)
	// Limits have defaults: 2 attempts of 30 s in 60 s, waits from 1 s to 8 s, a pause of 1 min after 5 failures of a
	// server, a rest of at most 1 min, answers of 5 MiB.
	Limits remote.Limits

	once   sync.Once
	caller *remote.Caller
	// servers are how each fared, by host and port.
	servers *lru.Cache[string, *server]
}

// Attempt is one request, as remote.Caller reports it.
type Attempt = remote.Attempt

type server struct {
	breaker *remote.Breaker
	rest    remote.Rest
}

// State is what is known of a feed from its last reading; the zero value is of one that was never read.
type State struct {
	// ETag and Modified are the server's, as they were sent.
	ETag, Modified string
	// Digest is of the text: some servers send it anew each time.
	Digest [sha256.Size]byte
}

// Answer is a feed as it is now.
type Answer struct {
	// Text is the whole calendar; nil when it is Unchanged.
	Text      []byte
	Unchanged bool
	// State is for the next reading.
	State State
	// Moved is the address that the server wants to be asked from now on; nil when that is the old one.
	Moved *url.URL
	// Wait is how long to leave the feed alone, MinInterval or more.
	Wait time.Duration
}

// NewTransport makes the transport of a client without Base; its caller may close idle connections at the end.
func NewTransport(private bool) *http.Transport {
	const idle = 8
	if private {
		t := remote.NewTransport(idle)
		t.Proxy = nil
		return t
	}
	return remote.NewPublicTransport(idle)
}

func (c *Client) prepare() {
	if c.Base == nil {
		c.Base = NewTransport(c.Private)
	}
	c.caller = remote.Caller{Name: remoteName, Title: "A feed", Now: c.Now, Jitter: c.Jitter, Wait: c.Wait,
		Logger: c.Logger, Observe: c.Observe, Limits: c.Limits}.Ready(remote.Limits{
		Attempts: 2, Attempt: 30 * time.Second, Call: time.Minute, BackoffBase: time.Second, BackoffMost: 8 * time.Second,
		Failures: 5, Pause: time.Minute, Slow: 5 * time.Second, Rest: time.Minute, Answer: 5 << 20,
	})
	const known = 1024
	c.servers = remote.NewCache[string, *server](known)
}

// Read asks for a feed, and for nothing if it is as the state says. The errors are Problems.
func (c *Client) Read(ctx context.Context, address *url.URL, state State) (Answer, error) {
	c.once.Do(c.prepare)
	s := remote.Cached(c.servers, strings.ToLower(address.Host), func() *server {
		return &server{breaker: c.caller.NewBreaker()}
	})
	var answer Answer
	lost := c.caller.Do(ctx, &remote.Call{Operation: "feed.read", Method: http.MethodGet, Background: true,
		Breaker: s.breaker, Rest: &s.rest, Repeat: remote.RepeatAlways, Reads: true,
		Try: func(ctx context.Context) (status int, lost *remote.Failure) {
			answer, status, lost = c.ask(ctx, address, state)
			return status, lost
		}})
	if lost != nil {
		return Answer{}, problemOf(lost)
	}
	return answer, nil
}

// maxRedirects is how often a server may send us on.
const maxRedirects = 5

// ask makes one attempt, with the redirects that it is sent on to.
func (c *Client) ask(ctx context.Context, address *url.URL, state State) (Answer, int, *remote.Failure) {
	at, permanent := address, true
	for range maxRedirects + 1 {
		got, lost := c.send(ctx, address, at, state)
		if lost != nil {
			return Answer{}, lost.Status, lost
		}
		status := got.Response.StatusCode
		switch status {
		case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
			permanent = false
		default:
			answer, lost := c.judge(got, state)
			if permanent && at != address {
				answer.Moved = at
			}
			return answer, status, lost
		}
		next, lost := redirected(at, got.Response)
		if lost != nil {
			return Answer{}, status, lost
		}
		at = next
	}
	return Answer{}, 0, refused(ReasonRedirects, http.StatusFound)
}

// redirected returns where a server sends us on to. It may not take a secret from https to where everybody can read it.
func redirected(from *url.URL, response *http.Response) (*url.URL, *remote.Failure) {
	to, err := from.Parse(response.Header.Get("Location"))
	if err != nil || response.Header.Get("Location") == "" {
		return nil, refused(ReasonRedirects, response.StatusCode)
	}
	next, err := ParseAddress(to.String())
	if err != nil || from.Scheme == "https" && next.Scheme != "https" {
		return nil, refused(ReasonRedirects, response.StatusCode)
	}
	return next, nil
}

func (c *Client) send(ctx context.Context, first, at *url.URL, state State) (remote.Answer, *remote.Failure) {
	bare := *at
	bare.User = nil
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, bare.String(), http.NoBody)
	if err != nil {
		return remote.Answer{}, refused(ReasonAddress, 0)
	}
	request.Header.Set("Accept", "text/calendar, */*;q=0.5")
	request.Header.Set("User-Agent", "almanac")
	if user := first.User; user != nil && at.Scheme == first.Scheme && strings.EqualFold(at.Host, first.Host) {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	if state.ETag != "" {
		request.Header.Set("If-None-Match", state.ETag)
	}
	if state.Modified != "" {
		request.Header.Set("If-Modified-Since", state.Modified)
	}
	answer, lost := c.caller.Send(ctx, c.Base, request)
	if lost != nil && errors.Is(lost.Err, remote.ErrNotPublic) {
		lost = refused(ReasonAddress, 0)
	}
	return answer, lost
}

// judge says what an answer means that is no redirect.
func (c *Client) judge(got remote.Answer, state State) (Answer, *remote.Failure) {
	header, status := got.Response.Header, got.Response.StatusCode
	answer := Answer{State: state, Wait: min(max(MinInterval, maxAge(header), remote.After(header, c.caller.Now)),
		maxInterval)}
	switch {
	case status == http.StatusNotModified && state != State{}:
		answer.Unchanged = true
		return answer, nil
	case status != http.StatusOK:
		return Answer{}, refusedBy(status, remote.After(header, c.caller.Now))
	}
	text := bytes.TrimPrefix(got.Body, []byte("\uFEFF"))
	begin := bytes.ToUpper(bytes.TrimSpace(text[:min(len(text), 100)]))
	const first, last = "BEGIN:VCALENDAR", "END:VCALENDAR"
	end := bytes.ToUpper(bytes.TrimSpace(text[max(0, len(text)-100):]))
	switch {
	case !bytes.HasPrefix(begin, []byte(first)):
		return Answer{}, refused(ReasonNoCalendar, status)
	case !bytes.HasSuffix(end, []byte(last)):
		// A server that does not say how long an answer is ends it by closing the connection, as one that dies does.
		lost := remote.Unreadable(status)
		lost.Said, lost.Err = ReasonCutOff, errCutOff
		return Answer{}, lost
	}
	answer.State = State{ETag: kept(header.Get("ETag")), Modified: kept(header.Get("Last-Modified")),
		Digest: sha256.Sum256(got.Body)}
	answer.Unchanged = answer.State.Digest == state.Digest
	if !answer.Unchanged {
		answer.Text = got.Body
	}
	return answer, nil
}

// kept is a validator, if it is short enough to be kept.
func kept(validator string) string {
	const most = 500
	if len(validator) > most {
		return ""
	}
	return validator
}

// maxAge is how long a server says that its answer stays as it is (RFC 9111, 5.2.2.1).
func maxAge(header http.Header) time.Duration {
	for directive := range strings.SplitSeq(header.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if seconds, err := time.ParseDuration(value + "s"); err == nil && strings.EqualFold(name, "max-age") {
			return seconds
		}
	}
	return 0
}
