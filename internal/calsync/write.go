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

// refreshTries bounds how often Refresh syncs, where others sync at the same time.
const refreshTries = 3

// BeginWrite takes the copy of an account's calendar out of use until a sync that begins later has read it: it is for
// the moment before something is written to the remote. A calendar that is not kept is passed over. When the write has
// ended, end must be called: if nothing can have been changed by it, nor by what else this process wrote to the
// calendar meanwhile, the copy is in use again, as old as it was.
func (w *Worker) BeginWrite(ctx context.Context, account model.Connection,
	calendar string) (end func(ctx context.Context, changed bool), err error) {
	of := writtenTo{account.User, model.CalendarRef{Connection: account.Number, Calendar: calendar}}
	under := w.openWrite(of)
	var before model.KeptCalendar
	err = w.changeCopy(ctx, of, func(c *model.KeptCalendar) bool {
		before = *c
		c.AsOf = time.Time{}
		c.Writes++ // a sync that is under way leaves it unconfirmed, also if it was before
		return true
	})
	if err != nil {
		w.closeWrite(of, under, true)
		return nil, fmt.Errorf("calsync: begin a write: %w", err)
	}
	w.noteWrite(under, before)
	return func(ctx context.Context, changed bool) { w.undoWrite(ctx, of, under, changed) }, nil
}

// writtenTo names a calendar of a user that is written to.
type writtenTo struct {
	user     model.UserID
	calendar model.CalendarRef
}

// writes are the writes of this process to one calendar that overlap. Worker.mu guards it.
type writes struct {
	// open have not ended; changed: one that has may have changed the calendar.
	open    int
	changed bool
	// begun is how often the copy was made unconfirmed for them, between the counts from and to; asOf is how old it was
	// before the first.
	begun, from, to int64
	asOf            time.Time
}

func (w *Worker) openWrite(of writtenTo) *writes {
	w.mu.Lock()
	defer w.mu.Unlock()
	under := w.writes[of]
	if under == nil {
		if w.writes == nil {
			w.writes = map[writtenTo]*writes{}
		}
		under = &writes{}
		w.writes[of] = under
	}
	under.open++
	return under
}

// noteWrite notes how the copy was before it was made unconfirmed.
func (w *Worker) noteWrite(under *writes, before model.KeptCalendar) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before.Number == 0 {
		return // it is not kept
	}
	if under.begun == 0 || before.Writes < under.from {
		under.from, under.asOf = before.Writes, before.AsOf
	}
	under.begun++
	under.to = max(under.to, before.Writes+1)
}

// closeWrite returns the writes when the last one has ended, and none may have changed anything; else nil.
func (w *Worker) closeWrite(of writtenTo, under *writes, changed bool) *writes {
	w.mu.Lock()
	defer w.mu.Unlock()
	under.changed = under.changed || changed
	if under.open--; under.open > 0 {
		return nil
	}
	delete(w.writes, of)
	if under.changed || under.begun == 0 || under.asOf.IsZero() || under.to-under.from != under.begun {
		return nil // the last: another process has written meanwhile
	}
	return under
}

// undoWrite puts a copy in use again that was made unconfirmed for nothing. If that fails, the next sync does it.
func (w *Worker) undoWrite(ctx context.Context, of writtenTo, under *writes, changed bool) {
	under = w.closeWrite(of, under, changed)
	if under == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	err := w.changeCopy(ctx, of, func(c *model.KeptCalendar) bool {
		if !c.AsOf.IsZero() || c.Writes != under.to {
			return false // it was synced, or is written to again
		}
		c.AsOf = under.asOf
		return true
	})
	if err != nil && w.Logger != nil {
		w.Logger.WarnContext(ctx, "a copy that nothing was written to stays out of use until it is synced",
			"user", of.user.String(), "cause", model.CauseOf(err))
	}
}

// changeCopy changes the copy of a calendar, if it is kept, unless fn returns false.
func (w *Worker) changeCopy(ctx context.Context, of writtenTo, fn func(c *model.KeptCalendar) bool) error {
	return w.Store.Write(ctx, of.user, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.KeptCalendars(ctx, of.user)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(c model.KeptCalendar) bool {
			return c.Source == model.CalendarGoogle && c.Ref() == of.calendar
		})
		if i < 0 || !fn(&all[i]) {
			return nil
		}
		return tx.SaveReading(ctx, all[i].Number, store.ReadingOf(all[i]))
	})
}

// Refresh syncs a calendar at once: nil when its copy is what the remote had then. It is for the moment after
// something was written, and for who wants to be sure. NOT_CONNECTED for an account that must be linked again,
// NOT_FOUND for a calendar that is not followed, and the errors of the sync; it is tried again by the syncs to come,
// none of which comes later because this one has failed.
func (w *Worker) Refresh(ctx context.Context, account model.Connection, calendar string) error {
	w.once.Do(w.prepare)
	first := w.Now()
	for range refreshTries {
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
		report := w.syncFor(ctx, claimed, &before)
		report.Took = w.Now().Sub(began)
		w.Observe(report)
		switch report.Outcome {
		case OutcomeRead, OutcomeReset, OutcomeBegun:
			if !report.Unconfirmed {
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
		default: // time was up, or it is read from the start, by several syncs
			return model.Errorf(model.CodeUpstreamUnavailable, "Google has not said in time what has changed")
		}
	}
	return model.Errorf(model.CodeUpstreamUnavailable, "the calendar changes faster than it is read")
}

// notFollowed says why nobody syncs a calendar: its account must be linked again, which another sync may have found
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

// readSince reports whether a copy is in use, and was read by a sync that began at a time or later.
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
