package embedding

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Report is what a batch of the worker has come to.
type Report struct {
	// Of is what the batch was of, OfMemories or OfKnowledge; empty for the end of a pass by an error.
	Of string
	// Kept vectors; Overtaken were made of rows that were changed or deleted meanwhile, or that another worker was quicker
	// with.
	Kept, Overtaken int
	// Blank rows have nothing to embed. Refused ones the endpoint does not take; they are tried again after an hour or a
	// restart.
	Blank, Refused int
	// Expired memories were deleted.
	Expired int
	// Code is that of the error that ended a pass, and Wait how long it is waited before the next; both zero when there
	// was none.
	Code model.ErrorCode
	Wait time.Duration
	// CaughtUp says that all of them have been seen, and those that can have a vector have it.
	CaughtUp bool
}

const (
	// firstPass is after the start, when there is more urgent work; then one is made when it is asked for, and every
	// passInterval, since other processes write too.
	firstPass    = time.Second
	passInterval = time.Minute
	// firstBackoff is the first wait after a failure, mostBackoff the longest; see backoff.
	firstBackoff = time.Second
	mostBackoff  = 5 * time.Minute
	// batch is how many rows are read, asked for and kept at once.
	batch = 128
	// leastPause is between two batches. With half of the time that a batch took, if that is longer, it leaves the
	// endpoint, the store and the processor to those who wait for them.
	leastPause = 50 * time.Millisecond
	// storeTimeout bounds one call of the store, so that one that hangs does not stop the worker for good.
	storeTimeout = 30 * time.Second

	firstExpiry    = 10 * time.Second
	expiryInterval = time.Minute
	expiryBatch    = 200
)

// Run keeps vectors of memories, entities and facts up to date and deletes memories that have expired, until the
// context ends; then it returns nil. Failures are logged and tried again; they never end it. What is under way when the
// context ends is done again after the next start.
func (r *Embedder) Run(ctx context.Context) error {
	if r.Store == nil || r.Now == nil ||
		!r.InUse.Local && r.InUse.Name != "" && (r.Remote == nil || r.InUse.Dimensions <= 0) {
		return errors.New("embedding: Store and Now must be set, and for a remote model Remote and its dimensions")
	}
	r.once.Do(r.prepare)
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { r.expireAll(ctx) })
	timer := time.NewTimer(firstPass)
	defer timer.Stop()
	failures := 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-r.wakes:
			if failures > 0 {
				continue // it is tried again soon, and would fail now
			}
		case <-r.recovered:
			if failures == 0 {
				continue
			}
		}
		err := r.pass(ctx)
		if ctx.Err() != nil {
			return nil
		}
		wait := passInterval
		if err != nil {
			failures++
			r.away.Store(true) // before anybody is told, for who hears of it may ask at once
			wait = r.backoff(failures, err)
			r.failed(ctx, failures, wait, err)
		} else if failures > 0 {
			r.Logger.InfoContext(ctx, "vectors are made again", "model", r.InUse.Name, "failures", failures)
			failures = 0
			r.away.Store(false)
		}
		timer.Reset(wait)
	}
}

// backoff is how long to wait after so many failures in a row, and not less than the endpoint asks for. What only the
// operator can mend is tried seldom.
func (r *Embedder) backoff(failures int, err error) time.Duration {
	base := firstBackoff
	if model.CodeOf(err) == model.CodeUpstreamRejected {
		base = mostBackoff
	}
	return max(remote.Backoff(failures, r.Jitter(), base, mostBackoff), model.RetryAfterOf(err))
}

// failed tells of a failure: the first of a row, and then seldom.
func (r *Embedder) failed(ctx context.Context, failures int, wait time.Duration, err error) {
	const seldom = 10
	r.Observe(Report{Code: model.CodeOf(err), Wait: wait})
	level := slog.LevelDebug
	if failures == 1 || failures%seldom == 0 {
		level = slog.LevelWarn
	}
	r.Logger.LogAttrs(ctx, level, "memories and knowledge wait for their vectors; they are found by their words",
		slog.String("model", r.InUse.Name), slog.String("code", string(model.CodeOf(err))),
		slog.String("cause", model.CauseOf(err)),
		slog.Int("failures", failures), slog.Duration("wait", wait))
}

// expireAll deletes what has expired, now and then. Nobody sees such memories; this is so that nothing is left of them.
func (r *Embedder) expireAll(ctx context.Context) {
	timer := time.NewTimer(firstExpiry)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if err := r.expire(ctx); err != nil && ctx.Err() == nil {
			r.Logger.ErrorContext(ctx, "memories that have expired were not deleted", "cause", err.Error())
		}
		timer.Reset(expiryInterval)
	}
}

func (r *Embedder) expire(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	for ctx.Err() == nil {
		within, cancel := context.WithTimeout(ctx, storeTimeout)
		n, err := r.Store.ExpireMemories(within, r.Now(), expiryBatch)
		cancel()
		if err != nil {
			return err
		}
		if n > 0 {
			r.Observe(Report{Expired: n})
		}
		if n < expiryBatch {
			return nil
		}
	}
	return nil
}

// rest waits, and reports whether the context still holds.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
