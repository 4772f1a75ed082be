package graphiti

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"regexp"
	"sync"
	"time"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
	"almanac/internal/retry"
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
	// Now is the clock for Retry-After and for what is kept of names; deadlines, pauses and latencies are of the machine's
	// time always.
	Now func() time.Time
	// Jitter gives numbers in [0, 1); random ones when nil.
	Jitter func() float64
	// Wait waits, or gives the context's error when that ends first; on a timer when nil.
	Wait func(context.Context, time.Duration) error
	// Logger gets a line for each attempt (debug) and for what an operator should know (warn); none when nil.
	Logger *slog.Logger
	// Observe is told of each attempt, for metrics; it must be quick and safe for goroutines.
	Observe func(Attempt)
	Limits  Limits

	once    sync.Once
	machine func() time.Time
	guard   retry.Breaker
	turns   chan struct{}
	line    line
	names   names

	mu sync.Mutex
	// rests is until when the server asked to be left alone.
	rests time.Time
}

var _ knowledge.Base = (*Base)(nil)

// Limits bound what a call may cost. A zero field has the default that is named with it.
type Limits struct {
	// Attempts is how many requests one reading may send (3).
	Attempts int
	// Attempt bounds one request (30 s), Write one that a model may have to think about (60 s), and Call a call with all
	// its attempts and waits (90 s). The context's deadline may be nearer.
	Attempt, Write, Call time.Duration
	// Connect bounds the making of a session (15 s).
	Connect time.Duration
	// BackoffBase (250 ms) and BackoffMost (8 s) give the waits: min(2^n·base, most), of which between a half and the
	// whole.
	BackoffBase, BackoffMost time.Duration
	// Failures in a row open the breaker (4), for Pause (15 s).
	Failures int
	Pause    time.Duration
	// Slow is after how long it is the server that is slow when a caller's time ends (1 s); before, it may be the caller
	// that is hasty.
	Slow time.Duration
	// Rest bounds for how long the server is left alone at its own wish (1 min).
	Rest time.Duration
	// Answer is how large an answer may be, in bytes (16 MiB). Over stdio it is that always.
	Answer int64
	// AtOnce is how many calls run at the same time (10, which is what the server does at once by itself).
	AtOnce int
	// Pool is how many entities are looked around at in one call of FactsAround (20).
	Pool int
}

// Attempt is one request that was sent, or was not because the server is left alone.
type Attempt struct {
	// Operation is the tool's name, "connect" for the making of a session, or "status" for the resource.
	Operation string
	// Number counts the attempts of a call from 1.
	Number int
	// Status is the HTTP status of a refusal; 0 for none.
	Status  int
	Result  string
	Latency time.Duration
}

// What an Attempt may result in.
const (
	ResultOK          = "ok"
	ResultRejected    = "rejected"
	ResultRateLimited = "rateLimited"
	ResultUnavailable = "unavailable"
	ResultTimeout     = "timeout"
	ResultCancelled   = "cancelled"
	ResultLeftAlone   = "leftAlone"
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

// hasGroup tells whether a user's group is the one that was set.
func (b *Base) hasGroup(user model.UserID) bool { return b.Group != "" && user == b.GroupOwner }

// Check tells what is wrong with the settings, if anything: a service must not be started with an address that would
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
	return b.line.close()
}

// prepare fills in what was left out.
func (b *Base) prepare() {
	if b.HTTP == nil {
		b.HTTP = NewTransport()
	}
	if b.Now == nil {
		b.Now = time.Now
	}
	if b.Jitter == nil {
		b.Jitter = rand.Float64
	}
	if b.Wait == nil {
		b.Wait = retry.Sleep
	}
	if b.Logger == nil {
		b.Logger = slog.New(slog.DiscardHandler)
	}
	if b.Observe == nil {
		b.Observe = func(Attempt) {}
	}
	l := &b.Limits
	l.Attempts = positive(l.Attempts, 3)
	l.Attempt = positive(l.Attempt, 30*time.Second)
	l.Write = positive(l.Write, time.Minute)
	l.Call = positive(l.Call, 90*time.Second)
	l.Connect = positive(l.Connect, 15*time.Second)
	l.BackoffBase = positive(l.BackoffBase, 250*time.Millisecond)
	l.BackoffMost = positive(l.BackoffMost, 8*time.Second)
	l.Failures = positive(l.Failures, 4)
	l.Pause = positive(l.Pause, 15*time.Second)
	l.Slow = positive(l.Slow, time.Second)
	l.Rest = positive(l.Rest, time.Minute)
	l.Answer = positive(l.Answer, 16<<20)
	l.AtOnce = positive(l.AtOnce, 10)
	l.Pool = positive(l.Pool, 20)
	b.guard.Failures, b.guard.Pause = l.Failures, l.Pause
	b.turns = make(chan struct{}, l.AtOnce)
	b.line.base = b
	b.machine = time.Now
}

func positive[N int | int64 | time.Duration](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}
