package extract

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// firstLook is after the start, when there is more urgent work; then the queue is looked at when somebody tells of an
	// episode, when one is finished, when one is due again, and every lookInterval, since other processes queue episodes
	// too.
	firstLook    = 2 * time.Second
	lookInterval = time.Minute
	// firstBackoff is the first wait after the endpoint or the store has failed, mostBackoff the longest.
	firstBackoff = 5 * time.Second
	mostBackoff  = 5 * time.Minute
	// Lease is for how long an episode is this process's. It is longer than the slowest answer may take, and renewed
	// between parts.
	lease = 10 * time.Minute
	// renewAt is how much of it must be left before the model is asked again.
	renewAt = 6 * time.Minute
	// storeTimeout bounds one call of the store.
	storeTimeout = 30 * time.Second
	// lastWords is how long what must be written has though the process is told to stop.
	lastWords = 5 * time.Second
)

// ended is how the reading of an episode ended, for the worker.
type ended struct {
	// wide is an error that concerns more than the episode: the endpoint, the settings or the store.
	wide error
	// due is when the episode is due again; zero when it is not.
	due time.Time
}

// Run reads episodes until the context ends; then it gives back what it has not finished, and returns nil. Failures are
// logged and tried again; they never end it.
func (r *Extractor) Run(ctx context.Context) error {
	if err := r.check(); err != nil {
		return err
	}
	r.once.Do(r.prepare)
	w := &worker{Extractor: r, done: make(chan ended, r.Parallel)}
	w.timer = time.NewTimer(firstLook)
	defer w.timer.Stop()
	for {
		select {
		case <-ctx.Done():
			for ; w.running > 0; w.running-- {
				<-w.done
			}
			return nil
		case <-w.timer.C:
			w.next = time.Time{}
		case <-r.wakes:
			if w.failures > 0 {
				continue // it is tried again soon, and would fail now
			}
		case one := <-w.done:
			w.finished(ctx, one)
			if w.failures > 0 {
				continue
			}
		}
		w.look(ctx)
	}
}

// worker is one Run.
type worker struct {
	*Extractor
	done    chan ended
	running int
	// failures are those in a row that concern more than one episode.
	failures int
	timer    *time.Timer
	// next is when the timer fires; zero when it has.
	next time.Time
}

// look claims as many episodes as there are hands free, and has them read. While the endpoint is away one at a time
// tries it.
func (w *worker) look(ctx context.Context) {
	free := w.Parallel - w.running
	if w.failures > 0 {
		free = 1 - w.running
	}
	w.wait(lookInterval)
	if free <= 0 || ctx.Err() != nil {
		return
	}
	until := w.Now().Add(lease)
	claimed, err := w.claim(ctx, until, free)
	if err != nil {
		if ctx.Err() == nil {
			w.failed(ctx, fmt.Errorf("look at the queue of episodes: %w", err))
		}
		return
	}
	for _, one := range claimed {
		w.running++
		go func() { w.done <- w.handle(ctx, one, until) }()
	}
}

func (w *worker) claim(ctx context.Context, until time.Time, limit int) (claimed []store.QueuedEpisode, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return w.Store.ClaimEpisodes(ctx, w.Now(), until, limit)
}

// wait sets the timer to fire after so long, if it would not fire sooner.
func (w *worker) wait(d time.Duration) {
	at := w.Now().Add(max(d, 0))
	if !w.next.IsZero() && !w.next.After(at) {
		return
	}
	w.next = at
	w.timer.Reset(max(d, 0))
}

// finished notes how an episode ended.
func (w *worker) finished(ctx context.Context, one ended) {
	w.running--
	if one.wide != nil {
		if ctx.Err() == nil {
			w.failed(ctx, one.wide)
		}
		return
	}
	if w.failures > 0 {
		w.Logger.InfoContext(ctx, "episodes are read again", slog.String("model", w.ModelName),
			slog.Int("failures", w.failures))
		w.failures = 0
	}
	if !one.due.IsZero() {
		w.wait(one.due.Sub(w.Now()))
	}
}

// failed makes everything wait, and tells of it: of the first failure of a row, and then seldom.
func (w *worker) failed(ctx context.Context, err error) {
	const seldom = 10
	w.failures++
	wait := w.backoff(w.failures, err)
	w.next = time.Time{}
	w.wait(wait)
	w.Observe(Report{Code: model.CodeOf(err), Wait: wait})
	level := slog.LevelDebug
	if w.failures == 1 || w.failures%seldom == 0 {
		level = slog.LevelWarn
	}
	w.Logger.LogAttrs(ctx, level, "episodes wait to be read", slog.String("model", w.ModelName),
		slog.String("code", string(model.CodeOf(err))),
		slog.String("cause", model.CauseOf(err)), slog.Int("failures", w.failures), slog.Duration("wait", wait))
}

// backoff is how long to wait after so many failures in a row, and not less than the endpoint asks for. What only the
// operator can mend is tried seldom.
func (r *Extractor) backoff(failures int, err error) time.Duration {
	base := firstBackoff
	if model.CodeOf(err) == model.CodeUpstreamRejected {
		base = mostBackoff
	}
	return max(remote.Backoff(failures, r.Jitter(), base, mostBackoff), model.RetryAfterOf(err))
}
