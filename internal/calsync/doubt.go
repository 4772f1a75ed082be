package calsync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// lookAgain bounds how often Refresh looks, where others are looking at the same time.
const lookAgain = 3

// Doubt takes copies of an account's calendars out of use until a look that begins later has read them: it is for the
// moment before something is written to the remote. Calendars that are not kept are passed over.
func (w *Worker) Doubt(ctx context.Context, account model.Connection, calendars []string) error {
	err := w.Store.Write(ctx, account.User, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.KeptCalendars(ctx, account.User)
		if err != nil {
			return err
		}
		for _, c := range all {
			ref := c.Ref()
			if c.Source != model.CalendarGoogle || ref.Connection != account.Number ||
				!slices.Contains(calendars, ref.Calendar) {
				continue
			}
			c.AsOf = time.Time{}
			c.Doubts++ // a look that is under way leaves it in doubt, also if it was before
			if err := tx.SaveReading(ctx, c.Number, store.ReadingOf(c)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("calsync: doubt copies: %w", err)
	}
	return nil
}

// Refresh looks at a calendar at once: nil when its copy is what the remote had then. It is for the moment after
// something was written, and for who wants to be sure. NOT_CONNECTED for an account that must be linked again,
// NOT_FOUND for a calendar that is not followed, and the errors of the look; it is tried again by the looks to come,
// none of which comes later because this one has failed.
func (w *Worker) Refresh(ctx context.Context, account model.Connection, calendar string) error {
	w.once.Do(w.prepare)
	first := w.Now()
	for range lookAgain {
		var claimed, before store.SyncState
		err := w.change(ctx, account.User, account.ID, calendar,
			func(_ context.Context, _ store.Tx, state *store.SyncState) error {
				if before = *state; !state.NextAt.IsZero() {
					state.NextAt = w.Now().Add(lease)
				}
				claimed = *state
				return nil
			})
		if errors.Is(err, errGone) || err == nil && claimed.NextAt.IsZero() {
			return w.notFollowed(ctx, account)
		}
		if err != nil {
			return fmt.Errorf("calsync: refresh a copy: %w", err)
		}
		began := w.Now()
		report := w.lookFor(ctx, claimed, &before)
		report.Took = w.Now().Sub(began)
		w.Observe(report)
		switch report.Outcome {
		case OutcomeRead, OutcomeReset, OutcomeBegun:
			if !report.InDoubt {
				return nil
			}
		case OutcomeOvertaken:
			if current, err := w.readSince(ctx, account, calendar, first); current || err != nil {
				return err
			}
		case OutcomeParked:
			return mustBeLinked()
		case OutcomeFailed:
			return model.Errorf(report.Code, "Google could not be asked what has changed")
		default: // time was up, or it is read from the start, by several looks
			return model.Errorf(model.CodeUpstreamUnavailable, "Google has not said in time what has changed")
		}
	}
	return model.Errorf(model.CodeUpstreamUnavailable, "the calendar changes faster than it is read")
}

// notFollowed says why nobody looks at a calendar: its account must be linked again, which another look may have found
// a moment ago, or it is not followed.
func (w *Worker) notFollowed(ctx context.Context, account model.Connection) error {
	of := store.SyncState{User: account.User, Connection: account.ID}
	if now, err := connectionOf(ctx, w.Store, of); err == nil && now.Status != model.ConnectionConnected {
		return mustBeLinked()
	}
	return model.NotFound("", "the calendar is not followed")
}

func mustBeLinked() error {
	return model.Errorf(model.CodeNotConnected, "the account must be linked again")
}

// readSince reports whether a copy is in use, and was read by a look that began at a time or later.
func (w *Worker) readSince(ctx context.Context, account model.Connection, calendar string,
	from time.Time) (bool, error) {
	all, err := w.Store.KeptCalendars(ctx, account.User)
	if err != nil {
		return false, fmt.Errorf("calsync: refresh a copy: %w", err)
	}
	ref := model.CalendarRef{Connection: account.Number, Calendar: calendar}
	return slices.ContainsFunc(all, func(c model.KeptCalendar) bool {
		return c.Source == model.CalendarGoogle && c.Ref() == ref && !c.AsOf.IsZero() && !c.AsOf.Before(from)
	}), nil
}
