package graphiti

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"sync"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Base is a knowledge graph on a Graphiti server. Its fields are set before the first use and not changed after it;
// only Target is needed. It is safe for goroutines and must not be copied. Every method is one question in the sense of
// model.AskUpstream.
type Base struct {
	// Target is the server.
	Target Target
	// Token is sent as bearer token over HTTP; empty for none. Graphiti itself knows none, proxies before it do.
	Token string
	// AllowHTTP lets texts and the token travel in the clear, also to other machines. Without it plain http is for
	// loopback only.
	AllowHTTP bool
	// Group is the group of GroupOwner; empty for none. Everybody else, and the owner too without it, has a group of their
	// own, derived from the user.
	Group      string
	GroupOwner model.UserID
	// Environ is what a command is started with, as os.Environ has it; settings of this program in it are left out.
	Environ []string
	// HTTP sends the requests; NewTransport's when nil.
	HTTP http.RoundTripper
	// Now, Jitter, Wait, Logger and Observe are those of remote.Caller; Now is also the clock for what is kept of names.
	Now     func() time.Time
	Jitter  func() float64
	Wait    func(context.Context, time.Duration) error
	Logger  *slog.Logger
	Observe func(Attempt)
	Limits  Limits

	once       sync.Once
	caller     *remote.Caller
	breaker    *remote.Breaker
	rest       remote.Rest
	slots      remote.Slots
	connection connection
	names      names
}

var _ knowledge.Base = (*Base)(nil)

// Limits bound what a call may cost. A zero field has a default: 3 attempts of 30 s in 90 s, waits from 250 ms to 8 s,
// a pause of 15 s after 4 failures, slow after 1 s, a rest of at most 1 min, answers of 16 MiB (over stdio always), 10
// calls at the same time, which is what the server does at once by itself, and those that are named here.
type Limits struct {
	remote.Limits
	// Write bounds one request that a model may have to think about (60 s), Connect the making of a session (15 s).
	Write, Connect time.Duration
	// Pool is how many entities are looked around at in one call of FactsAround (20).
	Pool int
}

// Attempt is one request that was sent, or was not because the server is left alone. The Operation is the tool's name,
// "connect" for the making of a session, or "status" for the resource.
type Attempt = remote.Attempt

// What an Attempt may result in here, beside the results of package remote.
const (
	ResultLeftAlone = remote.ResultLeftAlone
	// ResultForgotten: the server knows the session no more; another one is made.
	ResultForgotten = "forgotten"
)

// mostFacts is how many facts AddFacts takes: the server takes them one after another, each with a question to its
// model.
const mostFacts = 100

// Facts implements knowledge.Base.
func (b *Base) Facts() knowledge.Facts {
	return knowledge.Facts{Backend: model.KnowledgeGraphiti, MostFacts: mostFacts, Extracts: true}
}

// GroupForm is what a group's name must be, by Graphiti's own rule; 200 characters bound it.
var GroupForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,200}$`)

// GroupOf is the group of a user: it names nobody, and nobody else has it.
func GroupOf(user model.UserID) string {
	sum := sha256.Sum256([]byte("almanac graphiti group\x00" + user.String()))
	return "almanac_" + hex.EncodeToString(sum[:16])
}

func (b *Base) groupOf(user model.UserID) string {
	if b.hasGroup(user) {
		return b.Group
	}
	return GroupOf(user)
}

// hasGroup reports whether a user's group is the one that was set.
func (b *Base) hasGroup(user model.UserID) bool { return b.Group != "" && user == b.GroupOwner }

// Check reports what is wrong with the settings, if anything: a service must not be started with an address that would
// leak what is sent there.
func (b *Base) Check() error {
	if b.Group != "" && !GroupForm.MatchString(b.Group) {
		return errors.New("graphiti: the group is no name of a group")
	}
	return b.Target.check(b.AllowHTTP)
}

// Close ends the session, and a command with it.
func (b *Base) Close() error {
	b.once.Do(b.prepare)
	return b.connection.close()
}

// prepare fills in what was left out.
func (b *Base) prepare() {
	if b.HTTP == nil {
		b.HTTP = NewTransport()
	}
	b.caller = remote.Caller{Name: remoteName, Title: "the Graphiti server", Now: b.Now, Jitter: b.Jitter, Wait: b.Wait,
		Logger: b.Logger, Observe: b.Observe, Patient: true, Limits: b.Limits.Limits}.Ready(remote.Limits{
		Attempts: 3, Attempt: 30 * time.Second, Call: 90 * time.Second, BackoffBase: 250 * time.Millisecond,
		BackoffMost: 8 * time.Second, Failures: 4, Pause: 15 * time.Second, Slow: time.Second, Rest: time.Minute,
		Answer: 16 << 20, Concurrent: 10,
	})
	b.Now = b.caller.Now
	l := &b.Limits
	l.Limits = b.caller.Limits
	l.Write = remote.Or(l.Write, time.Minute)
	l.Connect = remote.Or(l.Connect, 15*time.Second)
	l.Pool = remote.Or(l.Pool, 20)
	b.breaker = b.caller.NewBreaker()
	b.slots = make(remote.Slots, l.Concurrent)
	b.names = newNames()
	b.connection.base = b
}
