package calsync

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/slots"
	"almanac/projections/occur"
)

// Store is what the worker needs of one; the contracts are those of package store.
type Store interface {
	SyncStates(ctx context.Context, user model.UserID, connection model.UUID) ([]store.SyncState, error)
	SaveSyncState(ctx context.Context, state store.SyncState) error
	ClaimSyncs(ctx context.Context, now, until time.Time, limit int) ([]store.SyncState, error)
	ForgetSyncState(ctx context.Context, user model.UserID, connection model.UUID, calendar string) error
	Connections(ctx context.Context, user model.UserID) ([]model.Connection, error)
	KeptCalendars(ctx context.Context, user model.UserID) ([]model.KeptCalendar, error)
	EventNumber(ctx context.Context, user model.UserID) (int64, error)
	UnseenEvents(ctx context.Context, user model.UserID, calendar int, generation int64, limit int) ([]model.EventKey,
		error)
	EraseEvents(ctx context.Context, user model.UserID, limit int) (more bool, err error)
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Calendar is what the worker needs of the remote; the contract is that of gcal.Client.
type Calendar interface {
	Sync(ctx context.Context, connection model.Connection, calendar string, place gcal.SyncPlace) (gcal.SyncPage, error)
	Event(ctx context.Context, connection model.Connection, ref model.EventRef, fields gcal.Fields) (model.Event, error)
	Calendars(ctx context.Context, connection model.Connection) ([]model.Calendar, error)
	Watch(ctx context.Context, connection model.Connection, calendar, id, token, address string,
		ttl time.Duration) (gcal.Channel, error)
	StopWatch(ctx context.Context, connection model.Connection, channel gcal.Channel) error
}

// Worker follows calendars and mailboxes. Store, Calendar or Mail, and Now must be set; the other fields have defaults
// that are right for most. They are set before it is used; then it is safe for goroutines, and must not be copied.
type Worker struct {
	Store Store
	// Calendar reads calendars; nil: none is followed.
	Calendar Calendar
	// Auditor lists calendars, to hold the copies against; nil: they are not.
	Auditor Auditor
	// Mail reads mailboxes; nil: no mailbox is followed.
	Mail Mailbox
	Now  func() time.Time
	// Interval is the time from one sync of a calendar to the next, as long as it has no push channel, and from one sync
	// of a mailbox to the next. 0: this process syncs only when it is notified and, with Push, every half hour, since
	// channels have to be renewed.
	Interval time.Duration
	// Push lets the remote tell of changes; nil: it is only asked.
	Push *PushOptions
	// Concurrent is how many calendars and mailboxes are synced at once; 0: DefaultConcurrent.
	Concurrent int
	// RequestsPerMinute is how many requests syncs make in a minute at most, for all accounts together; 0: there is no
	// ceiling. Syncs that somebody waits for count and are not held up. It bounds this process alone: where several share
	// a project of Google, each gets its part.
	RequestsPerMinute int
	// Jitter returns numbers in [0, 1), so that calendars that were linked together, or failed together, do not come
	// together for ever; random ones when nil.
	Jitter func() float64
	// Logger receives failures; nil: none is logged. No record contains texts of users.
	Logger *slog.Logger
	// Rules says when series end; a few of its own when nil.
	Rules *occur.Rules
	// Observe is called after every sync, by several goroutines at once; nil: it is not called. It must not block.
	Observe func(Report)

	once  sync.Once
	wakes chan struct{}
	quota quota

	mu sync.Mutex
	// writes are the writes under way, by calendar.
	writes map[writtenTo]*writes
	// unwelcome is until when no channels are asked for, after the remote has refused one.
	unwelcome time.Time
}

// Report is what one sync of a calendar or mailbox has come to.
type Report struct {
	// Mail: it was a mailbox. List: it was an account's list of calendars.
	Mail, List bool
	Outcome    Outcome
	// Changes are the lines added to the change log, Echoes the rows that were in it already.
	Changes, Echoes int
	// Code is that of the error, when Outcome is OutcomeFailed.
	Code model.ErrorCode
	// Requests is how many were sent. Limited: Google refused one because of all that were sent for the whole project, and
	// the syncs that nobody waits for are held up.
	Requests int
	Limited  bool
	// Unconfirmed: the copy was written to while it was read, and is to be read again before it is used.
	Unconfirmed bool
	// Audit is what came of comparing a copy with the remote, empty when that was not due; Differences are what only one
	// of them has, or has otherwise.
	Audit       Audit
	Differences int
	// Age is how old the copy of a calendar was, 0 where there was none yet.
	Age, Took time.Duration
}

// Outcome is how a sync ended.
type Outcome string

// The outcomes.
const (
	OutcomeRead      Outcome = "read"      // what has changed is told
	OutcomeBegun     Outcome = "begun"     // the first sync: telling begins here
	OutcomeReading   Outcome = "reading"   // a large calendar is read from the start, and the next sync goes on
	OutcomeReset     Outcome = "reset"     // the remote has forgotten where it was left; it begins anew
	OutcomeParked    Outcome = "parked"    // the account has to be linked again first, or to let its mailbox be read
	OutcomeGone      Outcome = "gone"      // the account was unlinked meanwhile
	OutcomeOvertaken Outcome = "overtaken" // another worker has told; it is synced once more
	OutcomeStopped   Outcome = "stopped"   // the worker was told to stop, and gave the calendar back
	OutcomeFailed    Outcome = "failed"    // it is tried again, later and later
)

// DefaultConcurrent is how many calendars and mailboxes are synced at once.
const DefaultConcurrent = 4

const (
	// mostTick is how long a state that is due waits for a process to notice, which costs one reading of an index.
	mostTick = 5 * time.Second
	// net is the time between syncs where the remote tells of changes: notices get lost now and then.
	net = 30 * time.Minute
	// syncTimeout bounds one sync with all its pages, so that it ends before its lease does.
	syncTimeout = 2 * time.Minute
	lease       = 3 * time.Minute
	// storeTimeout bounds one call of the store, so that one that hangs does not stop the worker for good.
	storeTimeout = 30 * time.Second
	// partingTimeout bounds what is still written when the worker was told to stop.
	partingTimeout = 2 * time.Second
)

// Run works until the context ends, and then returns nil, after the syncs under way have ended. It looks at once for
// what is due. Failures are logged and tried again; they never end it.
func (w *Worker) Run(ctx context.Context) error {
	if w.Store == nil || w.Calendar == nil && w.Mail == nil || w.Now == nil || w.Interval < 0 {
		return errors.New("calsync: Store, Calendar or Mail, and Now must be set, and Interval not be negative")
	}
	if w.Push != nil {
		if err := w.Push.check(); err != nil {
			return err
		}
	}
	w.once.Do(w.prepare)
	syncs := slots.New(w.Concurrent)
	defer syncs.Wait()
	var ticks, opens <-chan time.Time
	begin := func() {
		opens = nil
		if wait := w.startDue(ctx, syncs); wait > 0 {
			opens = time.After(wait)
		}
	}
	if pace := w.pace(false); pace > 0 {
		ticker := time.NewTicker(min(pace, mostTick))
		defer ticker.Stop()
		ticks = ticker.C
		begin()
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
		case <-opens:
		case <-w.wakes:
		}
		begin()
	}
}

// prepare fills in what was left out.
func (w *Worker) prepare() {
	w.wakes = make(chan struct{}, 1)
	if w.Concurrent <= 0 {
		w.Concurrent = DefaultConcurrent
	}
	if w.Jitter == nil {
		w.Jitter = rand.Float64
	}
	if w.Logger == nil {
		w.Logger = slog.New(slog.DiscardHandler)
	}
	if w.Rules == nil {
		w.Rules = occur.NewRules(occur.DefaultRules)
	}
	if w.Observe == nil {
		w.Observe = func(Report) {}
	}
	if w.RequestsPerMinute > 0 {
		w.quota.rate = time.Minute / time.Duration(w.RequestsPerMinute)
	}
}

// wake makes the worker of this process look for what is due.
func (w *Worker) wake() {
	w.once.Do(w.prepare)
	select {
	case w.wakes <- struct{}{}:
	default: // it will sync anyway
	}
}

// pace is the time from one sync to the next, 0 for never.
func (w *Worker) pace(pushed bool) time.Duration {
	if w.Push != nil && (pushed || w.Interval == 0) {
		return max(w.Interval, net)
	}
	return w.Interval
}

// startDue starts a sync of everything that is due, and returns when nothing more is, or no more may begin: then wait
// is how long that lasts.
func (w *Worker) startDue(ctx context.Context, s *slots.Slots) (wait time.Duration) {
	claim := func(ctx context.Context, limit int) (due []store.SyncState, err error) {
		var n int
		if n, wait = w.quota.claim(w.Now(), limit); n == 0 {
			return nil, nil
		}
		due, err = w.claim(ctx, n)
		if unused := n - len(due); unused > 0 {
			w.quota.giveBack(unused)
			wait = 0
		}
		return due, err
	}
	slots.RunDue(ctx, s, claim, func(state store.SyncState) {
		began := w.Now()
		report := w.sync(ctx, state)
		report.Took = w.Now().Sub(began)
		w.Observe(report)
	}, func(err error) {
		w.Logger.ErrorContext(ctx, "what is due to be followed was not read", "cause", err.Error())
	})
	return wait
}

func (w *Worker) claim(ctx context.Context, limit int) ([]store.SyncState, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	now := w.Now()
	return w.Store.ClaimSyncs(ctx, now, now.Add(lease), limit)
}
