package extract

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// maxReadings is how often a model may answer what cannot be used. Models differ little from one answer to the next.
	maxReadings = 4
	// maxAttempts is how often an episode is tried when nothing answers: with the waits below, for about a day.
	maxAttempts = 30
	// firstWait is before the second attempt, mostWait before the later ones; between them each wait is some times the one
	// before.
	firstWait   = time.Minute
	mostWait    = time.Hour
	waitsGrow   = 4
	slowerGrow  = 2
	soonAgain   = time.Second
	unreadable  = "The episode could not be read."
	keepsFailed = "What was read could not be kept."
)

// errOvertaken says that the episode is not this reader's any more: it was erased, is read by another process, or was
// asked to be read anew.
var errOvertaken = errors.New("extract: the episode is somebody else's by now")

// verdict is what an error means for the episode.
type verdict int

const (
	// noFault: the episode has nothing to do with it, and the model was not asked.
	noFault verdict = iota
	// unserved: the endpoint was asked and did not serve. It may be the episode that it cannot serve.
	unserved
	// unusable: the answer is of no use, or the text is refused.
	unusable
)

// judge returns what an error means. wide says that other episodes would fare alike.
func judge(err error) (v verdict, wide bool) {
	code := model.CodeOf(err)
	_, panicked := errors.AsType[panicError](err)
	switch {
	case code == model.CodeUpstreamRejected && openai.IsAboutTexts(err):
		return unusable, false
	case code == model.CodeUpstreamRejected, code == model.CodeUpstreamRateLimited, openai.IsLeftAlone(err),
		errors.Is(err, store.ErrUnavailable):
		return noFault, true
	default: // no answer, a fault of the store, or a mistake of ours
		return unserved, !panicked
	}
}

// panicError is a panic while an episode was read, which may come of its text.
type panicError struct{ cause any }

func (e panicError) Error() string { return fmt.Sprintf("panic: %v", e.cause) }

// handle reads one episode and writes down how it ended.
func (r *Extractor) handle(ctx context.Context, claimed store.QueuedEpisode, until time.Time) (end ended) {
	began := r.Now()
	one := &reading{Extractor: r, QueuedEpisode: claimed, until: until, found: newFound()}
	err := one.whole(ctx)
	one.report.Took = r.Now().Sub(began)
	one.report.Dropped = one.dropped
	switch {
	case err == nil:
		one.report.Outcome = OutcomeRead
	case errors.Is(err, errOvertaken), model.CodeOf(err) == model.CodeNotFound, model.CodeOf(err) == model.CodeConflict:
		one.report.Outcome = OutcomeOvertaken
		r.Logger.LogAttrs(ctx, slog.LevelDebug, "an episode was erased, or is read by another process", one.names()...)
	case ctx.Err() != nil:
		one.giveBack(ctx)
		one.report.Outcome = OutcomeDeferred
	default:
		end = one.failed(ctx, err)
	}
	r.Observe(one.report)
	return end
}

// whole reads the episode and writes what was found. A panic is an error.
func (r *reading) whole(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicError{cause}
		}
	}()
	if err := r.read(ctx); err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	added, err := r.Keeper.AddExtracted(within, r.User, knowledge.Extracted{
		Episode: r.Episode.ID, Attempt: r.Episode.Attempts, Entities: r.entities, Facts: r.facts, Now: r.Now(),
	})
	if err != nil {
		return keepError{err}
	}
	r.report.Facts, r.report.Known, r.report.Entities, r.report.Closed = added.Created, added.Unchanged,
		added.EntitiesMade, added.Invalidated
	for _, problem := range added.Problems {
		if problem != nil {
			r.drop(DroppedRefused)
		}
	}
	return nil
}

// keepError is an error of writing what was read.
type keepError struct{ error }

func (e keepError) Unwrap() error { return e.error }

// failed writes down that the episode could not be read, and when it is tried again.
func (r *reading) failed(ctx context.Context, err error) (end ended) {
	v, wide := judge(err)
	if _, keeping := errors.AsType[keepError](err); keeping && model.CodeOf(err) == model.CodeBadUserInput {
		v, wide = unusable, false // a mistake of ours, which would come again
	}
	if wide {
		end.wide = err
	}
	attempts := r.Episode.Attempts
	r.report.Code, r.report.Outcome = model.CodeOf(err), OutcomeDeferred
	change := func(e *model.Episode) {
		e.Problem = problemOf(err)
		switch {
		case v == unusable && attempts >= maxReadings, attempts >= maxAttempts && v != noFault:
			e.State, e.NextAt = model.EpisodeFailed, time.Time{}
			r.report.Outcome = OutcomeFailed
			return
		case v == noFault:
			e.Attempts = attempts - 1
			r.report.Wait = r.wait(max(e.Attempts, 1), slowerGrow, err)
		case v == unserved:
			r.report.Wait = r.wait(attempts, slowerGrow, err)
		default:
			r.report.Wait = r.wait(attempts, waitsGrow, err)
		}
		e.NextAt = r.Now().Add(r.report.Wait)
		end.due = e.NextAt
	}
	failed := r.settle(ctx, change)
	level := slog.LevelWarn
	if r.report.Outcome == OutcomeDeferred {
		level = slog.LevelDebug
	}
	r.Logger.LogAttrs(ctx, level, "an episode could not be read",
		append(r.names(), slog.String("outcome", string(r.report.Outcome)), slog.Int("attempt", attempts),
			slog.String("code", string(r.report.Code)), slog.String("cause", model.CauseOf(err)))...)
	switch {
	case errors.Is(failed, errOvertaken):
		r.report.Outcome = OutcomeOvertaken
	case failed != nil: // the lease ends, and it is read again
		end.due = r.until
		if end.wide == nil {
			end.wide = failed
		}
	}
	return end
}

// wait is how long an episode waits after so many attempts, of which between a half and the whole, and not less than
// the endpoint asks for.
func (r *Extractor) wait(attempts, grow int, err error) time.Duration {
	wait := firstWait
	for range attempts - 1 {
		if wait *= time.Duration(grow); wait >= mostWait {
			wait = mostWait
			break
		}
	}
	return max(wait/2+time.Duration(r.Jitter()*float64(wait/2)), model.RetryAfterOf(err))
}

// problemOf is an error in words for clients.
func problemOf(err error) string {
	if shown, ok := errors.AsType[*model.Error](err); ok && shown.Code != model.CodeInternal {
		return shown.Message
	}
	if _, keeping := errors.AsType[keepError](err); keeping {
		return keepsFailed
	}
	return unreadable
}

// reasonOf is the reason of a refusal.
func reasonOf(err error) string {
	if shown, ok := errors.AsType[*model.Error](err); ok && shown.Code == model.CodeUpstreamRejected {
		return shown.Reason
	}
	return ""
}

// giveBack makes an episode that was left unfinished wait again at once, as if it had not been tried: the process is
// told to stop.
func (r *reading) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	err := r.settle(ctx, func(e *model.Episode) {
		e.Attempts = r.Episode.Attempts - 1
		e.NextAt = r.Now().Add(soonAgain)
	})
	if err != nil && !errors.Is(err, errOvertaken) {
		r.Logger.LogAttrs(ctx, slog.LevelWarn, "an episode could not be given back; it is read when its lease ends",
			append(r.names(), slog.String("cause", err.Error()))...)
	}
}

// hold renews the lease when too little of it is left for another question, and makes sure on that occasion that the
// episode still is this reader's.
func (r *reading) hold(ctx context.Context) error {
	now := r.Now()
	if r.until.Sub(now) >= renewAt {
		return nil
	}
	until := now.Add(lease)
	if err := r.settle(ctx, func(e *model.Episode) { e.NextAt = until }); err != nil {
		return fmt.Errorf("hold an episode: %w", err)
	}
	r.until = until
	return nil
}

// settle changes the episode in one transaction, if it still is this reader's. errOvertaken.
func (r *reading) settle(ctx context.Context, change func(*model.Episode)) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return r.Store.Write(ctx, r.User, func(ctx context.Context, tx store.Tx) error {
		there, err := tx.EpisodesByID(ctx, r.User, []model.UUID{r.Episode.ID.UUID}, store.EpisodeRow)
		switch {
		case err != nil:
			return err
		case len(there) == 0, there[0].State != model.EpisodeQueued, there[0].Attempts != r.Episode.Attempts:
			return errOvertaken
		}
		change(&there[0])
		return tx.SaveEpisodes(ctx, there)
	})
}

// names tell the log which episode.
func (r *reading) names() []slog.Attr {
	return []slog.Attr{slog.String("user", r.User.String()), slog.String("episode", r.Episode.ID.String())}
}
