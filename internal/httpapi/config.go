package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
	"almanac/internal/httpapi/share"

	"go.opentelemetry.io/otel/trace"
)

// The numbers of the front door that are not about documents; see Limits for all of them.
const (
	// MaxInFlight is how many GraphQL requests run at once, streams not counted; MaxUserInFlight how many of one user, and
	// MaxTokenInFlight how many of those under one API token.
	MaxInFlight      = 256
	MaxUserInFlight  = 32
	MaxTokenInFlight = 16
	// MaxReading is how many bodies are read at once, MaxUserReading how many of one user.
	MaxReading     = 1_024
	MaxUserReading = 128
	// MaxUploads is how many files are read and run at once, MaxUserUploads how many of one user.
	MaxUploads     = 8
	MaxUserUploads = 2
	// MaxProving is how many tokens are looked at at once, MaxAddressProving how many of those that come from one address.
	MaxProving        = 1_024
	MaxAddressProving = 128
	// MaxQueued is how many more may wait for a place, to run, to be read or to have their token looked at, MaxUserQueued
	// how many of one user, or address.
	MaxQueued     = 512
	MaxUserQueued = 64
	// UserCost is what the operations of one user may cost a minute.
	UserCost = 600_000
	// OperationCost is what each operation counts beside its own cost: reading, proving and answering a request that
	// selects next to nothing take as long as some ten objects do.
	OperationCost = 10
	// QuestionCost is what a question to a remote system costs beside.
	QuestionCost = 20
	// UserPaid is how many questions to systems that cost money, Exa and models, one user may put an hour.
	UserPaid = 1_000
	// MaxQueueWait is how long one waits.
	MaxQueueWait = time.Second
	// MaxTurnWait is how long an operation waits for its turn to use the processors and the database.
	MaxTurnWait = 10 * time.Second
	// RefusalDelay is how long a refusal for one's own share is held back on average, by a half more or less at random, so
	// that those who ask again do not come all at once. MaxDelayed is how many are held back at a time; what has a longer
	// body than maxDelayedBody is refused at once.
	RefusalDelay   = 500 * time.Millisecond
	MaxDelayed     = 1_024
	maxDelayedBody = 64 << 10
	// MaxHeaderBytes bounds a request's line and headers, and with them the URL of a GET.
	MaxHeaderBytes = 64 << 10
	// HeaderTimeout, BodyTimeout, WriteTimeout and IdleTimeout bound how slowly a client may send its headers, send its
	// body, take its answer and think of its next request.
	HeaderTimeout = 5 * time.Second
	BodyTimeout   = 10 * time.Second
	WriteTimeout  = 30 * time.Second
	IdleTimeout   = 120 * time.Second
	// LingerTimeout and MaxLinger bound how long, and for how many bytes, a request's body is read and thrown away after
	// the request has been refused.
	LingerTimeout = 5 * time.Second
	MaxLinger     = 8 << 20
	// DrainTimeout bounds how long a server that was told to stop waits for what runs.
	DrainTimeout = 10 * time.Second
)

// Upgrader takes upgrades to sockets. It calls ended when a socket has ended, or has not come to be; it may return
// before that.
type Upgrader interface {
	Upgrade(w http.ResponseWriter, r *http.Request, ended func())
}

// Config is what the front door needs. Engine and Authenticator must be given.
type Config struct {
	Engine        engine.Preparer
	Authenticator edge.Authenticator
	// Open puts the viewer into the context of a proved request; nil leaves the context as it is.
	Open edge.Opener
	// Idempotency keeps the answers of mutations that come with a key; without it such a key is refused.
	Idempotency Idempotency

	// WebSocket takes the upgrades on /graphql. It proves its callers itself, since a token may come in its first message.
	WebSocket Upgrader
	// Streams takes the requests whose answer is an event stream or a multipart subscription.
	Streams Streamer
	// Site answers / and everything below that is no other route: the pages for people.
	Site http.Handler

	// Schema is the text of /schema.graphql, for callers who may read; nil when clients may not ask for the schema.
	Schema func() string

	// Pages answer paths of their own, for what browsers and remote systems open: "/connect/google" that one path,
	// "/standin/" everything below. They prove their callers themselves; whoever asks is bounded like everybody else.
	Pages map[string]http.Handler

	// SessionCookie names the cookie that holds the token of a browser that has signed in; empty: there is none. It counts
	// for requests of the server's own pages that have no Authorization header. SessionOrigin is where these pages are
	// ("https://almanac.example").
	SessionCookie, SessionOrigin string

	// Ready says why the server cannot serve now; nil means it always can.
	Ready func(ctx context.Context) error
	// Drain is told, all at once, when the server stops: what holds streams and sockets open ends them here.
	Drain []func(ctx context.Context) error

	// LocalOnly says that the server listens on loopback for the local user, whom no token proves. Requests whose Host
	// is no loopback name are then refused, so that a foreign page cannot rebind its own name to this address.
	LocalOnly bool
	// Origins are the server's own further origins, such as the public URL before a proxy ("https://almanac.example").
	Origins []string

	// Running bounds the operations that run at once; nil is a gate of the published numbers. Share it with the sockets,
	// whose operations are as heavy.
	Running *share.Gate
	// Turns bounds those that use the processors and the database; nil is a gate of the published numbers. A request
	// keeps its turn until its answer is written, or a question is put to a remote system.
	Turns *share.Gate
	// Budget is what users may spend a minute, which the engine takes from it; answers say what is left. Nil: no bound.
	Budget *share.Budget

	// Metrics counts; nil counts into a registry that only /metrics reads.
	Metrics *Metrics
	// Logger gets the access log and the causes of hidden errors; nil gets nothing.
	Logger *slog.Logger
	// Tracer makes a span for each request; nil makes none.
	Tracer trace.TracerProvider
	// Now is the clock by which claims of idempotency keys end and requests are timed for logs and metrics; nil is the
	// machine's. Deadlines of connections never come from it: they are the machine's own, which nothing sets.
	Now func() time.Time
}

// Streamer answers a request that has been read with a stream of answers. The context carries the caller and the
// viewer.
type Streamer interface {
	Stream(w http.ResponseWriter, r *http.Request, request engine.Request)
}

// Idempotency makes each keyed mutation have one effect.
type Idempotency interface {
	// Once runs fn for the user's call, or returns what an earlier call of the same key and fingerprint returned. fn runs
	// the operation with the context it is handed, which carries one transaction, and returns the answer's bytes; when it
	// fails, everything it did is rolled back and nothing is kept. Calls of one key run one after the other.
	//
	// A key that was used with another fingerprint is a *model.Error IDEMPOTENCY_CONFLICT. fn's own error comes back
	// wrapped or as it is.
	Once(ctx context.Context, user model.UserID, call model.IdempotentCall,
		fn func(ctx context.Context) (answer []byte, err error)) (answer []byte, replayed bool, err error)
	// Claimer is for mutations of remote systems, which no transaction undoes. It knows the keys of Once.
	store.Claimer
}

// Places are the limits of a gate in which so many run at once, and so many of one user.
func Places(running, ofUser int) share.Limits {
	return share.Limits{Running: running, PartyRunning: min(ofUser, running),
		TokenRunning: max(1, min(ofUser, running)*MaxTokenInFlight/MaxUserInFlight), Queued: MaxQueued,
		PartyQueued: MaxUserQueued, Wait: MaxQueueWait}
}

// turnPace is how many turns a second one user has for each processor beside others, after a burst: what a turn is
// for may take next to nothing, while reading the request and writing its answer, which others wait for too, does not.
const turnPace = 500

// Turns are the limits of the gate of those that use the processors and the database, of the same numbers: beside
// others, one user has turns for half of the processors, one at least, and at a bounded pace.
func Turns(running, ofUser int, now func() time.Time) share.Limits {
	limits := Places(running, ofUser)
	// Those who wait are bounded by their places already.
	limits.TokenRunning, limits.Queued, limits.PartyQueued, limits.Wait = ofUser, running, ofUser, MaxTurnWait
	processors := runtime.GOMAXPROCS(0)
	limits.PartyBeside, limits.Now = min(max(1, processors/2), ofUser), now
	limits.BesidePace = time.Second / time.Duration(turnPace*processors)
	return limits
}

func (c Config) withDefaults() (Config, error) {
	if c.Engine == nil || c.Authenticator == nil {
		return c, errors.New("httpapi: an engine and an authenticator must be given")
	}
	if c.Open == nil {
		c.Open = func(ctx context.Context, _ model.Caller, _ edge.Hints) (context.Context, error) { return ctx, nil }
	}
	if c.Ready == nil {
		c.Ready = func(context.Context) error { return nil }
	}
	if c.Running == nil {
		c.Running = share.NewGate(Places(MaxInFlight, MaxUserInFlight))
	}
	if c.Turns == nil {
		c.Turns = share.NewGate(Turns(MaxInFlight, MaxUserInFlight, time.Now))
	}
	if c.Metrics == nil {
		c.Metrics = NewMetrics()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c, nil
}

// Limits returns every number of the front door with what is refused beyond it, for documentation. documents are the
// limits of the engine in force.
func Limits(documents engine.Limits) []engine.Limit {
	table := []engine.Limit{
		{Name: "body", Max: request.MaxBody, Refused: "a request body of more bytes", Code: model.CodeBadUserInput,
			Status: http.StatusRequestEntityTooLarge},
		{Name: "upload", Max: request.MaxUpload, Refused: "a file sent to `/graphql/upload` of more bytes",
			Code: model.CodeBadUserInput, Status: http.StatusRequestEntityTooLarge},
		{Name: "headers", Max: MaxHeaderBytes, Refused: "a request line and headers of more bytes",
			Status: http.StatusRequestHeaderFieldsTooLarge},
	}
	table = append(table, documents.Table()...)
	documents = documents.WithDefaults()
	return append(table,
		engine.Limit{Name: "questions", Max: int64(documents.Questions),
			Refused: "more questions to remote systems by one query: each calendar, series or event read is one",
			Code:    model.CodeQueryTooExpensive, Status: http.StatusOK},
		engine.Limit{Name: "mutationQuestions", Max: int64(documents.MutationQuestions),
			Refused: "more questions and changes at remote systems by one mutation; those before it are done",
			Code:    model.CodeQueryTooExpensive, Status: http.StatusOK},
		engine.Limit{Name: engine.LimitAnswer, Max: documents.AnswerBytes,
			Refused: "an answer of more bytes: it is left out, and an error says so",
			Code:    model.CodeQueryTooExpensive, Status: http.StatusOK},
		engine.Limit{Name: "inFlight", Max: MaxInFlight, Refused: "more requests at once, when the queue is full too",
			Code: model.CodeRateLimited, Status: http.StatusServiceUnavailable},
		engine.Limit{Name: "userInFlight", Max: MaxUserInFlight,
			Refused: "more requests of one user at once, when that user's queue is full too", Code: model.CodeRateLimited,
			Status: http.StatusTooManyRequests},
		engine.Limit{Name: "tokenInFlight", Max: MaxTokenInFlight, Refused: "the same under one API token",
			Code: model.CodeRateLimited, Status: http.StatusTooManyRequests},
		engine.Limit{Name: "userCost", Max: UserCost, Refused: "operations of one user that cost more a minute",
			Code: model.CodeRateLimited, Status: http.StatusTooManyRequests},
		engine.Limit{Name: "operationCost", Max: OperationCost,
			Refused: "counts into userCost for each operation, beside its own cost", Code: model.CodeRateLimited,
			Status: http.StatusTooManyRequests},
		engine.Limit{Name: "questionCost", Max: QuestionCost,
			Refused: "counts into userCost for each question to a remote system", Code: model.CodeRateLimited,
			Status: http.StatusOK},
		engine.Limit{Name: "userPaid", Max: UserPaid,
			Refused: "more questions of one user to Exa and to models an hour; those before it are done",
			Code:    model.CodeRateLimited, Status: http.StatusOK},
		engine.Limit{Name: "uploads", Max: MaxUploads, Refused: "more files that are being taken in at once",
			Code: model.CodeRateLimited, Status: http.StatusServiceUnavailable},
		engine.Limit{Name: "userUploads", Max: MaxUserUploads, Refused: "more files of one user at once",
			Code: model.CodeRateLimited, Status: http.StatusTooManyRequests},
		engine.Limit{Name: "reading", Max: MaxReading, Refused: "more bodies that are being read at once",
			Code: model.CodeRateLimited, Status: http.StatusServiceUnavailable},
		engine.Limit{Name: "userReading", Max: MaxUserReading, Refused: "more bodies of one user that are being read at once",
			Code: model.CodeRateLimited, Status: http.StatusTooManyRequests},
		engine.Limit{Name: "proving", Max: MaxProving, Refused: "more tokens that are being looked at at once",
			Code: model.CodeRateLimited, Status: http.StatusServiceUnavailable},
		engine.Limit{Name: "addressProving", Max: MaxAddressProving, Refused: "more of those from one address",
			Code: model.CodeRateLimited, Status: http.StatusTooManyRequests},
		engine.Limit{Name: "queued", Max: MaxQueued, Refused: "more requests that wait", Code: model.CodeRateLimited,
			Status: http.StatusServiceUnavailable},
		engine.Limit{Name: "userQueued", Max: MaxUserQueued, Refused: "more requests of one user, or address, that wait",
			Code: model.CodeRateLimited, Status: http.StatusTooManyRequests},
		engine.Limit{Name: "idempotencyKey", Max: model.IdempotencyKeyMax, Refused: "a longer Idempotency-Key, in characters",
			Code: model.CodeBadUserInput, Status: http.StatusBadRequest},
	)
}
