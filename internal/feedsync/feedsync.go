// Package feedsync keeps the calendars of feeds as their files are.
//
// It promises that each feed is read by one process at a time and, whatever comes of a reading, again some time; that a
// reading which fails changes nothing but when it is tried next, later with each failure; that only a whole file
// replaces what is kept; and that a stop ends at once what waits for a server. Addresses are in no error, no log record
// and no metric.
package feedsync

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"sync"
	"time"

	"almanac/adapters/calfiles"
	"almanac/adapters/feeds"
	"almanac/adapters/remote"
	"almanac/graph/model"
	"almanac/internal/seal"
	"almanac/internal/slots"
)

// Reader reads feeds; the contract is that of feeds.Client.
type Reader interface {
	Read(ctx context.Context, address *url.URL, state feeds.State) (feeds.Answer, error)
}

// Queue is what the worker needs of the store beside calfiles.Files; the contract is that of store.FeedQueue.
type Queue interface {
	ClaimFeeds(ctx context.Context, now, until time.Time, limit int) ([]model.CalendarLink, error)
}

// Worker reads feeds when they are due. All fields but the last three must be set; it is safe for goroutines and must
// not be copied.
type Worker struct {
	Queue Queue
	Files *calfiles.Files
	Feeds Reader
	Box   *seal.Box
	Now   func() time.Time
	// Jitter returns numbers in [0, 1), so that feeds that failed together are not tried together; random ones when nil.
	Jitter func() float64
	// Logger receives failures; nil: none is logged.
	Logger *slog.Logger
	// Observe is called after every reading, by several goroutines at once; nil: it is not called. It must not block.
	Observe func(Reading)

	once sync.Once
}

// Reading is what one reading has come to.
type Reading struct {
	Outcome Outcome
	// Changed is how many events were written or deleted.
	Changed int
	// Code is that of the error, when Outcome is OutcomeFailed.
	Code model.ErrorCode
	Took time.Duration
}

// Outcome is how a reading ended.
type Outcome string

// The outcomes.
const (
	OutcomeRead      Outcome = "read"      // the calendar is what the file has
	OutcomeUnchanged Outcome = "unchanged" // it was so already
	OutcomeEnded     Outcome = "ended"     // the calendar was deleted, or the file is gone for good
	OutcomeStopped   Outcome = "stopped"   // the worker was told to stop
	OutcomeFailed    Outcome = "failed"    // it is tried again, later and later
)

const (
	// concurrent is how many feeds are read at once.
	concurrent = 4
	// tick is how long a feed that is due waits for a process to notice, which costs one reading of an index.
	tick = 15 * time.Second
	// readTimeout bounds one reading with what it writes, so that it ends before its lease does.
	readTimeout = 4 * time.Minute
	lease       = 5 * time.Minute
	// storeTimeout bounds one look at the queue.
	storeTimeout = 30 * time.Second
	// partingTimeout bounds what is still written when the worker was told to stop, or ran out of time.
	partingTimeout = 2 * time.Second
	// mostBackoff is the longest wait after failures.
	mostBackoff = 24 * time.Hour
)

// Run works until the context ends, and then returns nil, after the readings under way have ended. Failures are logged
// and tried again; they never end it.
func (w *Worker) Run(ctx context.Context) error {
	if w.Queue == nil || w.Files == nil || w.Feeds == nil || w.Box == nil || w.Now == nil {
		return errors.New("feedsync: Queue, Files, Feeds, Box and Now must be set")
	}
	w.once.Do(w.prepare)
	readings := slots.New(concurrent)
	defer readings.Wait()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		slots.RunDue(ctx, readings, w.claim, func(link model.CalendarLink) { w.Observe(w.Read(ctx, link)) },
			func(err error) {
				w.Logger.ErrorContext(ctx, "the feeds that are due were not read", "cause", err.Error())
			})
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// prepare fills in what was left out.
func (w *Worker) prepare() {
	if w.Jitter == nil {
		w.Jitter = rand.Float64
	}
	if w.Logger == nil {
		w.Logger = slog.New(slog.DiscardHandler)
	}
	if w.Observe == nil {
		w.Observe = func(Reading) {}
	}
}

func (w *Worker) claim(ctx context.Context, limit int) ([]model.CalendarLink, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	now := w.Now()
	return w.Queue.ClaimFeeds(ctx, now, now.Add(lease), limit)
}

// Place is what a feed's address is sealed for.
func Place(user model.UserID) seal.Place {
	return seal.Place{Column: "calendar_links.sealed", User: user}
}

// Read reads a feed that was claimed.
func (w *Worker) Read(ctx context.Context, link model.CalendarLink) (out Reading) {
	w.once.Do(w.prepare)
	began := w.Now()
	defer func() { out.Took = w.Now().Sub(began) }()
	state, err := calfiles.StateOf(link)
	if err == nil {
		err = w.read(ctx, link, &state, &out)
	}
	switch {
	case err == nil:
		return out
	case ctx.Err() != nil: // it is due again when its lease ends
		return Reading{Outcome: OutcomeStopped}
	case model.CodeOf(err) == model.CodeNotFound:
		return Reading{Outcome: OutcomeEnded}
	}
	out = Reading{Outcome: OutcomeFailed, Code: model.CodeOf(err)}
	w.fail(ctx, link, state, err)
	return out
}

// read asks for the file and takes in what it has. A panic is an error like another.
func (w *Worker) read(ctx context.Context, link model.CalendarLink, state *model.FeedState,
	out *Reading) (err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			err = model.Errorf(model.CodeInternal, "panic: %v", cause)
		}
	}()
	opened, err := w.Box.Open(Place(link.User), link.Sealed)
	if err != nil {
		return err
	}
	address, err := feeds.ParseAddress(string(opened))
	if err != nil {
		return err
	}
	answer, err := w.Feeds.Read(ctx, address, feeds.State{ETag: state.ETag, Modified: state.Modified,
		Digest: state.Digest})
	if err != nil {
		return err
	}
	out.Outcome = OutcomeUnchanged
	wait := answer.Wait
	if !answer.Unchanged {
		done, err := w.Files.Refill(ctx, link, answer.Text)
		if err != nil {
			return err
		}
		out.Outcome, out.Changed = OutcomeRead, done.Changed
		wait = max(wait, min(done.Refresh, mostBackoff))
	}
	var sealed []byte
	if answer.Moved != nil {
		sealed = w.Box.Seal(Place(link.User), []byte(answer.Moved.String()))
		state.Host = answer.Moved.Host
	} else if w.Box.Stale(link.Sealed) {
		sealed = w.Box.Seal(Place(link.User), opened)
	}
	now := w.Now()
	state.ETag, state.Modified, state.Digest = answer.State.ETag, answer.State.Modified, answer.State.Digest
	state.AsOf, state.Failures, state.Problem = now, 0, ""
	return w.Files.Settle(ctx, link, *state, now.Add(wait), sealed)
}

// fail keeps why a reading failed, and plans the next one. A feed that is gone for good is not read again.
func (w *Worker) fail(ctx context.Context, link model.CalendarLink, state model.FeedState, cause error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), partingTimeout)
	defer cancel()
	state.Failures++
	state.Problem = "Something went wrong on our side."
	wait := remote.Backoff(state.Failures, w.Jitter(), feeds.MinInterval, mostBackoff)
	problem, known := errors.AsType[*feeds.Problem](cause)
	if known {
		wait = max(wait, problem.Wait)
	}
	if shown, ok := errors.AsType[*model.Error](cause); ok && shown.Code != model.CodeInternal {
		state.Problem = shown.Message
	}
	due := w.Now().Add(wait)
	if known && problem.Reason == feeds.ReasonGone {
		due = time.Time{}
	}
	attrs := []any{"user", link.User.String(), "calendar", link.Calendar, "code", string(model.CodeOf(cause))}
	if err := w.Files.Settle(ctx, link, state, due, nil); err != nil {
		w.Logger.ErrorContext(ctx, "the failure of a feed was not kept", append(attrs, "cause", err.Error())...)
		return
	}
	w.Logger.WarnContext(ctx, "a feed was not read", append(attrs, "failures", state.Failures)...)
}
