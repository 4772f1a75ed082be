package websets

import (
	"context"
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// How often something is asked for while it is waited for: after pollFirst, then ever more seldom up to every pollLast,
// and after a change line no sooner than pollSoon after the last time.
const (
	pollFirst = 2 * time.Second
	pollLast  = 15 * time.Second
	pollSoon  = time.Second

	maxWaitSeconds = 3_600
	// maxPollFailures is how many times in a row Exa may fail before the waiting ends with that.
	maxPollFailures = 5
)

// exaWaiting is what is waited for.
type exaWaiting[N any] struct {
	// ask reads it as it is now.
	ask func(context.Context) (N, error)
	// state is what changes when it does; done reports whether it is what is waited for.
	state func(N) string
	done  func(N) bool
	// about reports whether an entry of the change log is about it.
	about func(model.Change) bool
	// late is the error of a waiting that took too long.
	late error
}

// await returns what is waited for now, and whenever it has changed, until it is done. The last answer has an error
// when the time has passed, when it is gone, or when it cannot be asked for any more.
func await[N, A any](ctx context.Context, r *Resolver, v *core.Viewer, seconds int32, w exaWaiting[N],
	view func(now N, done bool, err error, at *projections.Moment) A) (<-chan A, error) {
	if seconds < 1 || seconds > maxWaitSeconds {
		return nil, model.BadInput("timeoutSeconds", "timeoutSeconds is %d; it must be from 1 to %d", seconds, maxWaitSeconds)
	}
	signals, stop := r.Store.Watch(v.User) // before the first look, so that no change falls between
	place, err := r.Store.ChangeHead(ctx, v.User)
	if err != nil {
		stop()
		return nil, err
	}
	now, err := w.ask(ctx)
	if err != nil {
		stop()
		return nil, err
	}
	out := make(chan A)
	go func() {
		defer stop()
		defer close(out)
		// What is asked is no part of one answer: each counts for itself, and there are as many as the waiting takes.
		asking := model.WithUpstream(ctx, maxWaitSeconds)
		limit := time.NewTimer(time.Duration(seconds) * time.Second)
		defer limit.Stop()
		told, failures, gap := "", 0, pollFirst
		for {
			done := err == nil && w.done(now)
			final := done || endsWaiting(err, failures)
			if state := w.state(now); final || err == nil && state != told {
				told = state
				if !give(ctx, out, view(now, done, finalError(err, final), r.momentOf(ctx, v))) {
					return
				}
				gap = pollFirst
			}
			if final {
				return
			}
			var ended waitEnd
			if ended, place = r.pauseUntil(ctx, v, signals, limit.C, place, gap, w.about); ended == waitStopped {
				return
			} else if ended == waitLate {
				give(ctx, out, view(now, false, w.late, r.momentOf(ctx, v)))
				return
			}
			gap = min(gap*3/2, pollLast)
			var fresh N
			if fresh, err = w.ask(asking); err == nil {
				now, failures = fresh, 0
			} else {
				failures++
			}
		}
	}()
	return out, nil
}

// endsWaiting reports whether a failure ends a waiting: what is gone does not come again, and what fails and fails is
// left alone.
func endsWaiting(err error, failures int) bool {
	switch model.CodeOf(err) {
	case "":
		return false
	case model.CodeUpstreamUnavailable, model.CodeUpstreamRateLimited, model.CodeTimeout, model.CodeInternal:
		return failures >= maxPollFailures
	default:
		return true
	}
}

func finalError(err error, final bool) error {
	if !final {
		return nil
	}
	return err
}

// momentOf is the moment of an answer that goes out now; that of the start when the viewer's settings cannot be read.
func (r *Resolver) momentOf(ctx context.Context, v *core.Viewer) *projections.Moment {
	if fresh, err := r.ViewerOf(ctx, v.Caller, v.Hints); err == nil {
		return fresh.Moment
	}
	return v.Moment
}

// give hands an answer out; false when nobody takes it any more.
func give[A any](ctx context.Context, out chan<- A, answer A) bool {
	select {
	case out <- answer:
		return true
	case <-ctx.Done():
		return false
	}
}

// waitEnd is why a pause has ended.
type waitEnd int

const (
	waitAgain waitEnd = iota
	waitLate
	waitStopped
)

// pauseUntil waits until it is time to ask again: after the gap, or as soon as the change log tells of it. It returns
// the place up to which the log was read.
func (r *Resolver) pauseUntil(ctx context.Context, v *core.Viewer, signals <-chan struct{}, late <-chan time.Time,
	place int64, gap time.Duration, about func(model.Change) bool) (waitEnd, int64) {
	due, soon := time.NewTimer(gap), time.NewTimer(pollSoon)
	defer due.Stop()
	defer soon.Stop()
	heard, settled := false, false
	for {
		select {
		case <-ctx.Done():
			return waitStopped, place
		case <-late:
			return waitLate, place
		case <-due.C:
			return waitAgain, place
		case <-soon.C:
			settled = true
		case <-signals:
			seen, err := r.Look(ctx, v.User, ChangeTypes(), about, place)
			if err == nil {
				place, heard = seen.UpTo, heard || len(seen.Lines) > 0
			} // what the log cannot tell, the gap does
		}
		if heard && settled {
			return waitAgain, place
		}
	}
}

func tooLate(what string, seconds int32) error {
	return model.Errorf(model.CodeTimeout, "%s was not there within %d seconds; it goes on, and can be waited for again",
		what, seconds)
}

// websetStatuses are those that a webset can be waited for.
func websetStatuses() []string { return []string{"idle", "pending", "running", "paused"} }

// WebsetUntil answers the subscription of that name.
func (r *Resolver) WebsetUntil(ctx context.Context, text, status string,
	seconds int32) (<-chan *projections.WebsetWait, error) {
	ref, err := WebsetRef("id", text, model.KindWebset)
	if err != nil {
		return nil, err
	}
	if err := oneOfWords("status", status, "status of a webset", websetStatuses()); err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	return await(ctx, r, v, seconds, exaWaiting[model.Webset]{
		ask: func(ctx context.Context) (model.Webset, error) {
			now, err := account.Webset(ctx, ref.ID)
			return now, noneOf(err, "id", ref)
		},
		state: func(w model.Webset) string { return w.Raw },
		done:  func(w model.Webset) bool { return w.Status == status },
		about: func(line model.Change) bool { return aboutWebset(line, ref.ID) },
		late:  tooLate("the status "+status, seconds),
	}, func(now model.Webset, done bool, err error, at *projections.Moment) *projections.WebsetWait {
		return projections.WebsetWaitOf(projections.WebsetAt(now, at), done, err)
	})
}

// WebsetImportUntil answers websetImportUntilCompleted.
func (r *Resolver) WebsetImportUntil(ctx context.Context, text string,
	seconds int32) (<-chan *projections.WebsetImportWait, error) {
	ref, err := WebsetRef("id", text, model.KindWebsetImport)
	if err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	return await(ctx, r, v, seconds, exaWaiting[model.WebsetImport]{
		ask: func(ctx context.Context) (model.WebsetImport, error) {
			now, err := account.Import(ctx, ref.ID)
			return now, noneOf(err, "id", ref)
		},
		state: func(i model.WebsetImport) string { return i.Raw },
		done:  func(i model.WebsetImport) bool { return slices.Contains([]string{"completed", "failed"}, i.Status) },
		about: func(line model.Change) bool { return projections.ChangedID(line) == ref.PublicID() },
		late:  tooLate("the end of the import", seconds),
	}, func(now model.WebsetImport, done bool, err error, at *projections.Moment) *projections.WebsetImportWait {
		return projections.WebsetImportWaitOf(projections.WebsetImportAt(now, at), done, err)
	})
}

// ResearchUntil answers researchUntilFinished.
func (r *Resolver) ResearchUntil(ctx context.Context, text string,
	seconds int32) (<-chan *projections.ResearchWait, error) {
	ref, err := WebsetRef("id", text, model.KindResearch)
	if err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	return await(ctx, r, v, seconds, exaWaiting[model.Research]{
		ask: func(ctx context.Context) (model.Research, error) {
			now, err := account.Research(ctx, ref.ID)
			return now, noneOf(err, "id", ref)
		},
		state: func(r model.Research) string { return r.Raw },
		done: func(r model.Research) bool {
			return slices.Contains([]string{"completed", "canceled", "failed"}, r.Status)
		},
		about: func(model.Change) bool { return false },
		late:  tooLate("the end of the research", seconds),
	}, func(now model.Research, done bool, err error, at *projections.Moment) *projections.ResearchWait {
		return projections.ResearchWaitOf(projections.ResearchAt(now, at), done, err)
	})
}
