// Package postgres is the store for many users and many servers: PostgreSQL 15 or newer, through pgx.
//
// It promises that what was answered is on the server's disk; that the writes of one user happen one after another, in
// the order of their change numbers, whichever process they come from; that a page with its total, its board and its
// relations is one round trip and one moment of the database; and that a server that went away and came back needs no
// restart here. Only columns that are asked for are read. Searches by meaning look at all of a user's vectors, and miss
// nothing, up to 10,000 of them; who has more gets an index of their own. Those for entities and facts always look at
// all.
//
// A failed commit whose outcome nobody can know returns store.ErrOutcomeUnknown; everything else that fails has done
// nothing.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"almanac/adapters/store"
)

// Options say how to reach the database.
type Options struct {
	// URL is the database: postgres://user:password@host:5432/name, with the parameters of libpq.
	URL string
	// MaxConns is how many connections the pool may hold; 0 means what URL says in pool_max_conns, or else four for each
	// processor. Watching needs one more.
	MaxConns int
	// Pooler says that URL leads to a proxy that lends a connection for a transaction at a time (PgBouncer's transaction
	// mode, say). Then nothing is left on a connection between transactions, prepared statements above all.
	Pooler bool
	// ListenURL leads to the database itself, to hear of other processes' changes where URL does not: through a Pooler.
	// Empty without a Pooler means URL; empty with one means that nothing is heard.
	ListenURL string
	// PollInterval is how often the change numbers of watched users are asked for: the way to notice other processes'
	// changes where nothing is heard, a safety net elsewhere. 0 means half a second, or 5 seconds for the net.
	PollInterval time.Duration
	// CallTimeout bounds each call whose context has no deadline; 0 means 10 seconds, which is also the most.
	CallTimeout time.Duration
	// Now is the clock: the time of changes, and what idempotency records are measured by. Nil means the machine's.
	Now func() time.Time
	// Trace, when not nil, is called with the SQL of every batch that goes to the database, its statements joined by
	// ";\n", without the begin and commit of a transaction that only reads. It may be called from several goroutines.
	Trace func(sql string)
	// Logger hears about lost connections. Nil means silence.
	Logger *slog.Logger
}

// Bounds that are the same for every installation.
const (
	// minVersion is the oldest server whose SQL and planner this is written for, as in server_version_num.
	minVersion = 150000
	// connectTimeout bounds a connection attempt where the URL does not.
	connectTimeout = 5 * time.Second
	// settleTimeout bounds a commit or rollback, which a caller that gave up must not cut off in the middle.
	settleTimeout = 10 * time.Second
	// idlePing is how long a connection may have been idle before it is asked whether the server still answers on it, and
	// pingTimeout how long the answer may take.
	idlePing    = time.Second
	pingTimeout = time.Second
	// statementCacheSize bounds the prepared statements of one connection. The shapes of queries that people use are some
	// dozens.
	statementCacheSize = 256
	// idleInTransaction ends a transaction of a process that is gone without the network telling, so that its user is not
	// locked out. It is longer than any request may take.
	idleInTransaction = "120s"
	defaultPoll       = 500 * time.Millisecond
	defaultNet        = 5 * time.Second
	// planMode is the server's setting, and genericPlans its value for plans that serve all values of parameters.
	planMode, genericPlans = "plan_cache_mode", "force_generic_plan"
	// idleCheck is how long the listening connection may be silent before it is asked whether it still lives.
	idleCheck = 30 * time.Second
)

// Store is the driver. It is safe for goroutines.
type Store struct {
	reader

	pool     *pgxpool.Pool
	direct   *pgx.ConnConfig // for connections of their own: migrating and tending indexes
	sessions bool            // such a connection is ours until it is closed
	now      func() time.Time
	// citus tells that the database is spread over several servers.
	citus    bool
	trace    func(sql string)
	log      *slog.Logger
	turns    turns
	watchers *watchers
	notices  *notices
	indexed  indexed
	many     manyUsers
	full     store.Fullness
	texts    sqlTexts
	// callTimeout bounds calls whose context has no deadline, settle commits and rollbacks.
	callTimeout, settle time.Duration

	closing sync.Once
	closed  atomic.Bool
	// writing counts the transactions that run, since each may have a notice to give.
	writing life
}

var _ store.Store = (*Store)(nil)

// Open connects and checks the server's version. It does not look at the schema: Migrate and Ready do. An error wraps
// store.ErrUnavailable when the server cannot be reached, and says what to do when it is too old or the URL is wrong.
// No error repeats the URL, which may hold a password.
func Open(ctx context.Context, options Options) (*Store, error) {
	config, err := poolConfig(options)
	if err != nil {
		return nil, err
	}
	listen, err := listenConfig(options, config)
	if err != nil {
		return nil, err
	}
	s := &Store{
		direct:   config.ConnConfig.Copy(),
		sessions: !options.Pooler,
		now:      options.Now,
		trace:    options.Trace,
		log:      options.Logger,

		callTimeout: options.CallTimeout, settle: settleTimeout,
	}
	s.reader.store = s
	s.indexed.from, s.many.beyond = indexFrom, manyTasks
	if s.callTimeout <= 0 || s.callTimeout > settleTimeout {
		s.callTimeout = settleTimeout
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := s.connect(ctx, config); err != nil {
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == codeProtocolViolation &&
			!options.Pooler {
			// That is how a proxy refuses a parameter that the server itself takes.
			return nil, fmt.Errorf("the URL seems to lead to a connection pooler; if so, set ALMANAC_DATABASE_POOLER=true: %w",
				err)
		}
		return nil, err
	}
	interval := options.PollInterval
	if interval <= 0 {
		interval = defaultPoll
		if listen != nil {
			interval = defaultNet
		}
	}
	s.notices = newNotices(s)
	s.watchers = newWatchers(s, listen, interval)
	return s, nil
}

// Close ends watching and gives back all connections. It waits for calls that are under way.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.watchers.close()
		s.writing.end()
		s.notices.close()
		s.closed.Store(true)
		s.pool.Close()
	})
	return nil
}

// Facts tells what the driver is like.
func (s *Store) Facts() store.Facts {
	return store.Facts{Name: "postgres", TimePrecision: time.Microsecond, Replicas: true}
}

// poolConfig reads the URL and sets what every connection needs.
func poolConfig(options Options) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(options.URL)
	if err != nil {
		return nil, errURL
	}
	switch {
	case options.MaxConns > 0:
		config.MaxConns = int32(min(options.MaxConns, 10_000))
	case !strings.Contains(options.URL, "pool_max_conns"): // pgx reads that from the URL
		config.MaxConns = int32(4 * min(runtime.GOMAXPROCS(0), 256))
	}
	config.ShouldPing = noteIdle
	conn := config.ConnConfig
	if conn.ConnectTimeout <= 0 {
		conn.ConnectTimeout = connectTimeout
	}
	set := func(name, value string) {
		if _, given := conn.RuntimeParams[name]; !given {
			conn.RuntimeParams[name] = value
		}
	}
	set("application_name", "almanac")
	conn.StatementCacheCapacity = statementCacheSize
	conn.DescriptionCacheCapacity = statementCacheSize
	if options.Pooler {
		// The description of a statement is kept here, the statement nowhere; a proxy refuses most parameters at the start.
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	} else {
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
		set("idle_in_transaction_session_timeout", idleInTransaction)
		// All queries go by user_id through an index made for them, so one plan serves all values. Left alone, the server
		// plans most pages anew each time, which costs as much as running them: measured 75–150 µs instead of 130–270 µs a
		// page, for users of 200 and of 50,000 tasks.
		set(planMode, genericPlans)
	}
	return config, nil
}

// listenConfig says where to listen; nil means nowhere.
func listenConfig(options Options, config *pgxpool.Config) (*pgx.ConnConfig, error) {
	if options.ListenURL == "" {
		if options.Pooler {
			return nil, nil
		}
		return config.ConnConfig.Copy(), nil
	}
	listen, err := pgx.ParseConfig(options.ListenURL)
	if err != nil {
		return nil, errURL
	}
	if listen.ConnectTimeout <= 0 {
		listen.ConnectTimeout = connectTimeout
	}
	return listen, nil
}

// errURL does not carry the parser's error: parts of a URL that cannot be parsed may be its password.
var errURL = errors.New(
	"postgres: the database's URL cannot be read; write postgres://user:password@host:5432/name, with special " +
		"characters of the password percent-encoded")

// connect makes the pool and looks at the server: it refuses one that lacks what the SQL here needs, and learns whether
// it is Citus.
func (s *Store) connect(ctx context.Context, config *pgxpool.Config) (err error) {
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return fmt.Errorf("postgres: open: %w", err)
	}
	if err = s.look(ctx); err == nil && s.citus && config.ConnConfig.RuntimeParams[planMode] == genericPlans {
		// Citus sends a statement to the right server only when it plans with the user's id at hand.
		s.pool.Close()
		config = config.Copy()
		config.ConnConfig.RuntimeParams[planMode] = "auto"
		s.direct = config.ConnConfig.Copy()
		if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			return fmt.Errorf("postgres: open: %w", err)
		}
	}
	if err != nil {
		s.pool.Close()
	}
	return err
}

func (s *Store) look(ctx context.Context) error {
	var number int32
	b := newBatch()
	b.query(sqlFacts, func(r *row) { number, s.citus = r.int32(), r.bool() })
	if err := s.run(ctx, b); err != nil {
		return fmt.Errorf("postgres: open: %w", err)
	}
	return versionSuits(number)
}

func versionSuits(number int32) error {
	if number < minVersion {
		return fmt.Errorf("postgres: the server is PostgreSQL %d; Almanac needs version %d or newer", number/10000,
			minVersion/10000)
	}
	return nil
}
