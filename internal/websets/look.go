package websets

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// overlap is how far before the newest known event a look begins: the remote may list an event a little later than it
	// says that it happened.
	overlap = time.Minute
	// pageSize is how many events are asked for at once.
	pageSize = 200
	// shortest is the shortest time that is looked at by itself when there is more in it than one look reads.
	shortest = 2 * time.Second
	// The first wait after a failure, and the longest; and how long an account rests that has to be linked first.
	firstBackoff = 30 * time.Second
	mostBackoff  = time.Hour
	parkedFor    = time.Hour
)

// errGone: there is no such feed any more, since the last webhook was deleted.
var errGone = errors.New("websets: its events are not followed any more")

// look reads the events of one account since it was last read. Whatever comes of it, it is due again some time.
func (r *Repair) look(ctx context.Context, feed store.WebsetFeed) Look {
	report, err := r.attempt(ctx, feed)
	code := model.CodeOf(err)
	switch {
	case err == nil:
	case errors.Is(err, errGone):
		report.Outcome = OutcomeGone
	case ctx.Err() != nil:
		report.Outcome = OutcomeStopped
		r.plan(ctx, feed, r.Now(), feed.Failures) // another process may go on at once
	case isParked(code):
		report.Outcome, report.Code = OutcomeParked, code
		r.Logger.DebugContext(ctx, "a webset account is not read until it is linked again", "user", feed.User.String(),
			"code", string(code))
		r.plan(ctx, feed, r.Now().Add(parkedFor), 0)
	default:
		report.Outcome, report.Code = OutcomeFailed, code
		failures := feed.Failures + 1
		wait := max(remote.Backoff(failures, r.Jitter(), firstBackoff, mostBackoff), model.RetryAfterOf(err))
		level := slog.LevelDebug
		const seldom = 10
		if failures == 1 || failures%seldom == 0 {
			level = slog.LevelWarn
		}
		r.Logger.LogAttrs(ctx, level, "the events of a webset account were not read", slog.String("user", feed.User.String()),
			slog.String("code", string(code)),
			slog.String("cause", model.CauseOf(err)), slog.Int("failures", failures), slog.Duration("wait", wait))
		r.plan(ctx, feed, r.Now().Add(wait), failures)
	}
	return report
}

// isParked tells the errors that only a person can mend, by linking an account or a working key.
func isParked(code model.ErrorCode) bool {
	switch code {
	case model.CodeNotConfigured, model.CodeNotConnected, model.CodeForbidden, model.CodeUnauthenticated,
		model.CodeUpstreamRejected:
		return true
	default:
		return false
	}
}

// plan says when a feed is due next, also when the worker was told to stop.
func (r *Repair) plan(ctx context.Context, feed store.WebsetFeed, at time.Time, failures int) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), partingTimeout)
	defer cancel()
	feed.NextAt, feed.Failures = at, failures
	if err := r.Store.SaveWebsetFeed(ctx, feed); err != nil && !errors.Is(err, store.ErrNotFound) {
		r.Logger.WarnContext(ctx, "when a webset account is read next was not saved", "user", feed.User.String(), "cause",
			err.Error())
	}
}

// attempt reads and tells. A panic in it is an error like another.
func (r *Repair) attempt(ctx context.Context, feed store.WebsetFeed) (report Look, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	account, err := r.Account(ctx, feed.User)
	if err != nil {
		return report, err
	}
	seen, err := r.read(ctx, account, feed.Seen, r.Now().Add(overlap))
	if err != nil {
		return report, err
	}
	next := feed
	next.Failures, next.NextAt = 0, r.Now().Add(r.Interval)
	report.Outcome = OutcomeRead
	if seen.more {
		report.Outcome, next.NextAt = OutcomePart, r.Now()
	}
	if seen.upTo.After(next.Seen) {
		next.Seen = seen.upTo
	}
	err = r.tellAll(ctx, feed.User, seen.events, &report, func(ctx context.Context) error {
		err := r.Store.SaveWebsetFeed(ctx, next)
		if errors.Is(err, store.ErrNotFound) {
			return errGone
		}
		return err
	})
	return report, err
}

// answer reads what happened since an event that was rung for. When that fails, the next look finds it.
func (r *Repair) answer(ctx context.Context, user model.UserID, from time.Time) (report Look) {
	err := func() (err error) {
		ctx, cancel := context.WithTimeout(ctx, lookTimeout)
		defer cancel()
		defer func() {
			if cause := recover(); cause != nil {
				err = fmt.Errorf("panic: %v", cause)
			}
		}()
		account, err := r.Account(ctx, user)
		if err != nil {
			return err
		}
		now := r.Now()
		if from.IsZero() || from.After(now) {
			from = now
		}
		seen, err := r.read(ctx, account, from, now.Add(overlap))
		if err != nil {
			return err
		}
		report.Outcome = OutcomeRead
		if seen.more {
			report.Outcome = OutcomePart
		}
		return r.tellAll(ctx, user, seen.events, &report, func(context.Context) error { return nil })
	}()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		report.Outcome = OutcomeStopped
	case isParked(model.CodeOf(err)):
		report.Outcome, report.Code = OutcomeParked, model.CodeOf(err)
	default:
		report.Outcome, report.Code = OutcomeFailed, model.CodeOf(err)
		r.Logger.DebugContext(ctx, "the events of a shared webset account were not read when it was rung for", "user",
			user.String(), "code", string(report.Code), "cause", model.CauseOf(err))
	}
	return report
}

// tellAll tells events in writes of bounded size, and does what comes last in the last of them. When that is not
// reached, the same is read again, and what was told is known.
func (r *Repair) tellAll(ctx context.Context, user model.UserID, events []model.WebsetEvent, report *Look,
	last func(ctx context.Context) error) error {
	for from := 0; ; from += maxPerWrite {
		to := min(from+maxPerWrite, len(events))
		var came told
		err := r.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) (err error) {
			if from < to {
				if came, err = tell(ctx, tx, events[from:to], r.Now()); err != nil {
					return err
				}
			}
			if to < len(events) {
				return nil
			}
			return last(ctx)
		})
		if err != nil {
			return err
		}
		report.Changes += came.lines
		report.Known += came.known
		if to == len(events) {
			return nil
		}
	}
}

// stretch is what was read of a stretch of time.
type stretch struct {
	// events are in the order in which they happened, each once.
	events []model.WebsetEvent
	// upTo is up to when all of them are known; zero when nothing happened.
	upTo time.Time
	// more says that there is more after that.
	more bool
}

// read reads the events from a time on, and of a little before it. When there are more than one look reads, it reads
// the earlier half of the time, and so on: whichever way the remote sorts, what is read up to a time is whole, and each
// look comes further than the one before.
func (r *Repair) read(ctx context.Context, account Events, from, to time.Time) (stretch, error) {
	filter := exa.EventFilter{CreatedAfter: from.Add(-overlap)}
	for {
		events, whole, err := r.pages(ctx, account, filter)
		if err != nil {
			return stretch{}, err
		}
		ascending := len(events) > 0 && events[0].CreatedAt.Before(events[len(events)-1].CreatedAt)
		if !ascending {
			slices.Reverse(events) // the newest first, so of one moment too
		}
		ascending = ascending && slices.IsSortedFunc(events, byTime)
		slices.SortStableFunc(events, byTime)
		out := stretch{events: events, more: !whole || !filter.CreatedBefore.IsZero()}
		if len(events) > 0 {
			out.upTo = events[len(events)-1].CreatedAt
		}
		switch length := to.Sub(from); {
		case whole && !out.more:
			return out, nil
		case whole, length <= shortest:
			out.upTo = to
			return out, nil
		case ascending && out.upTo.After(from):
			return out, nil // what follows is later than all of these
		case filter.CreatedAfter.Before(from):
			filter.CreatedAfter = from // without what was read before
		default:
			to = from.Add(length / 2)
			filter.CreatedBefore = to
		}
	}
}

func byTime(a, b model.WebsetEvent) int { return a.CreatedAt.Compare(b.CreatedAt) }

// pages reads what a filter finds, at most so many pages of it; whole says that this was all. Of each event is kept
// what telling it needs.
func (r *Repair) pages(ctx context.Context, account Events,
	filter exa.EventFilter) (events []model.WebsetEvent, whole bool, err error) {
	seen := map[string]bool{}
	page := exa.Page{Limit: pageSize}
	for range r.Pages {
		got, err := account.Events(ctx, filter, page)
		if err != nil {
			return nil, false, err
		}
		for _, event := range got.Items {
			if !seen[event.Ref.ID] {
				seen[event.Ref.ID] = true
				event.Raw = ""
				events = append(events, event)
			}
		}
		if got.Next == "" {
			return events, true, nil
		}
		page.After = got.Next
	}
	return events, false, nil
}
