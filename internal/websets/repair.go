package websets

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/slots"
)

// Events is what the worker needs of an account. The contract is that of exa.Account.
type Events interface {
	// Events lists what has happened in the account, as far as it is this user's, in the remote's order.
	Events(ctx context.Context, filter exa.EventFilter, page exa.Page) (exa.List[model.WebsetEvent], error)
}

// Repair reads the events of accounts, and tells those that no webhook has told. Store, Account and Now must be set;
// the other fields have defaults that are right for most. They are set before it is used; then it is safe for
// goroutines, and must not be copied.
type Repair struct {
	Store Store
	// Account returns the account that serves a user. NOT_CONFIGURED and NOT_CONNECTED are no failures: there is nothing
	// to read until it is linked.
	Account func(ctx context.Context, user model.UserID) (Events, error)
	Now     func() time.Time
	// Interval is the time from one look at an account to the next. 0: this process looks only when it is rung.
	Interval time.Duration
	// Concurrent is how many accounts are looked at at once; 0: DefaultConcurrent.
	Concurrent int
	// Pages is how many pages of 200 events one look reads; 0: DefaultPages. What is more is read by the next one.
	Pages int
	// Jitter returns numbers in [0, 1), so that accounts which failed together do not come together for ever; random ones
	// when nil.
	Jitter func() float64
	// Logger receives failures; nil: none is logged. No line holds what an event says.
	Logger *slog.Logger
	// Observe is called after every look, by several goroutines at once; nil: it is not called. It must not block.
	Observe func(Look)

	once  sync.Once
	wakes chan struct{}

	mu sync.Mutex
	// rung are the users whose accounts are to be looked at, each with the time of the earliest event; ringing are those
	// whose accounts are looked at for that now.
	rung    map[model.UserID]time.Time
	ringing map[model.UserID]bool
}

// Look is what one look at an account has come to.
type Look struct {
	Outcome Outcome
	// Changes are the lines added to the change log, Known the events that were told before.
	Changes, Known int
	// Code is that of the error, when Outcome is OutcomeFailed or OutcomeParked.
	Code model.ErrorCode
	Took time.Duration
}

// Outcome is how a look ended.
type Outcome string

// The outcomes.
const (
	OutcomeRead    Outcome = "read"    // what no webhook had told is told
	OutcomePart    Outcome = "part"    // there was more than one look reads; the next one goes on
	OutcomeParked  Outcome = "parked"  // the account has to be linked first, or no longer takes its key
	OutcomeGone    Outcome = "gone"    // the last webhook was deleted meanwhile
	OutcomeStopped Outcome = "stopped" // the worker was told to stop
	OutcomeFailed  Outcome = "failed"  // it is tried again, later and later
)

const (
	// DefaultConcurrent is how many accounts are looked at at once.
	DefaultConcurrent = 4
	// DefaultPages is how many pages of events one look reads; what is kept of an event meanwhile is small.
	DefaultPages = 25
)

const (
	// mostTick is how long an account that is due waits for a process to notice, which costs one reading of a small table.
	mostTick = 10 * time.Second
	// ringPause is how long a ring waits for others: a webset that fills makes many events, and one look finds them all.
	ringPause = 3 * time.Second
	// maxRung bounds how many users are remembered who were rung for. Those of the rest are looked at when they are due.
	maxRung = 10_000
	// lookTimeout bounds one look with all its pages, so that it ends before its lease does.
	lookTimeout = 2 * time.Minute
	lease       = 3 * time.Minute
	// storeTimeout bounds one call of the store, so that one that hangs does not stop the worker for good.
	storeTimeout = 30 * time.Second
	// partingTimeout bounds what is still written when the worker was told to stop.
	partingTimeout = 2 * time.Second
)

// Run works until the context ends, and then returns nil, after the looks under way have ended. It looks at once for
// what is due. Failures are logged and tried again; they never end it.
func (r *Repair) Run(ctx context.Context) error {
	if r.Store == nil || r.Account == nil || r.Now == nil || r.Interval < 0 {
		return errors.New("websets: Store, Account and Now must be set, and Interval not be negative")
	}
	r.once.Do(r.prepare)
	looks := slots.New(r.Concurrent)
	defer looks.Wait()
	var ticks <-chan time.Time
	if r.Interval > 0 {
		ticker := time.NewTicker(min(r.Interval, mostTick))
		defer ticker.Stop()
		ticks = ticker.C
		r.lookAtDue(ctx, looks)
	}
	pause := time.NewTimer(0)
	defer pause.Stop()
	waiting := true
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
			r.lookAtDue(ctx, looks)
		case <-r.wakes:
			if !waiting {
				pause.Reset(ringPause)
				waiting = true
			}
		case <-pause.C:
			waiting = false
			r.lookAtRung(ctx, looks)
		}
	}
}

// prepare fills in what was left out.
func (r *Repair) prepare() {
	r.wakes = make(chan struct{}, 1)
	r.rung, r.ringing = map[model.UserID]time.Time{}, map[model.UserID]bool{}
	if r.Concurrent <= 0 {
		r.Concurrent = DefaultConcurrent
	}
	if r.Pages <= 0 {
		r.Pages = DefaultPages
	}
	if r.Jitter == nil {
		r.Jitter = rand.Float64
	}
	if r.Logger == nil {
		r.Logger = slog.New(slog.DiscardHandler)
	}
	if r.Observe == nil {
		r.Observe = func(Look) {}
	}
}

// Ring has a user's account looked at soon, for an event of that time and what happened since. It is for accounts that
// several share: what is told of in one of them may be another's. A ring that is lost with the process is made up for
// by the next look.
func (r *Repair) Ring(user model.UserID, at time.Time) {
	r.once.Do(r.prepare)
	r.mu.Lock()
	earliest, again := r.rung[user]
	if again || len(r.rung) < maxRung {
		if !again || at.Before(earliest) {
			earliest = at
		}
		r.rung[user] = earliest
	}
	r.mu.Unlock()
	r.wake()
}

func (r *Repair) wake() {
	select {
	case r.wakes <- struct{}{}:
	default: // it will look anyway
	}
}

// lookAtRung starts a look at the accounts that were rung for. One that is looked at just now is left for the next
// round.
func (r *Repair) lookAtRung(ctx context.Context, looks *slots.Slots) {
	for {
		user, from, ok := r.nextRung()
		if !ok {
			return
		}
		if !looks.Go(ctx, func() {
			r.observed(func() Look { return r.answer(ctx, user, from) })
			r.mu.Lock()
			delete(r.ringing, user)
			_, again := r.rung[user]
			r.mu.Unlock()
			if again {
				r.wake()
			}
		}) {
			return
		}
	}
}

func (r *Repair) nextRung() (user model.UserID, from time.Time, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for user, from = range r.rung {
		if !r.ringing[user] {
			delete(r.rung, user)
			r.ringing[user] = true
			return user, from, true
		}
	}
	return model.UserID{}, time.Time{}, false
}

// lookAtDue starts a look at every account that is due, and returns when nothing more is.
func (r *Repair) lookAtDue(ctx context.Context, s *slots.Slots) {
	slots.RunDue(ctx, s, r.due, func(feed store.WebsetFeed) {
		r.observed(func() Look { return r.look(ctx, feed) })
	}, func(err error) {
		r.Logger.ErrorContext(ctx, "the webset accounts that are due were not read", "cause", err.Error())
	})
}

func (r *Repair) observed(look func() Look) {
	began := r.Now()
	report := look()
	report.Took = r.Now().Sub(began)
	r.Observe(report)
}

func (r *Repair) due(ctx context.Context, limit int) ([]store.WebsetFeed, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	now := r.Now()
	return r.Store.DueWebsetFeeds(ctx, now, now.Add(lease), limit)
}
