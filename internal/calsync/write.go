package calsync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// refreshTries bounds how often Refresh syncs, where others sync at the same time.
const refreshTries = 3

// Write is one write to a calendar of a linked account, from BeginWrite to FinishWrites. It is of one goroutine at a
// time.
type Write struct {
	worker  *Worker
	account model.Connection
	of      writtenTo
	under   *writes
	// kept: there is a copy. ticket is the event number from before the remote was asked, and generation the copy's then.
	kept       bool
	ticket     int64
	generation int64
	// answers are what the write has left, whole when they say all of it; changed: it may have changed something.
	answers        []gcal.Answer
	whole, changed bool
	// left is what ApplyWrites has not done: see there.
	left remnant
}

// Kept reports whether the calendar has a copy, to which the write's answers are to be applied.
func (w *Write) Kept() bool { return w.kept }

// End notes what the write has come to: whether it may have changed something, and what it has left by the remote's
// answers; nil: those are not known.
func (w *Write) End(changed bool, answers *gcal.Answers) {
	w.changed = changed
	if answers != nil {
		w.answers, w.whole = answers.All()
	}
}

// BeginWrite takes the copy of an account's calendar out of use until what is written is in it: it is for the moment
// before something is written to the remote. Of a calendar that is not kept it notes nothing. When the write has ended,
// End must be called, then ApplyWrites in the transaction that tells of it, and FinishWrites after that.
func (w *Worker) BeginWrite(ctx context.Context, account model.Connection, calendar string) (gcal.KeptWrite, error) {
	w.once.Do(w.prepare)
	of := writtenTo{account.User, model.CalendarRef{Connection: account.Number, Calendar: calendar}}
	write := &Write{worker: w, account: account, of: of, under: w.openWrite(of), changed: true} // also if it panics
	var before model.KeptCalendar
	err := w.changeCopy(ctx, of, func(ctx context.Context, tx store.Tx, c *model.KeptCalendar) (bool, error) {
		var err error
		before, write.generation = *c, c.Generation
		c.AsOf = time.Time{}
		c.Writes++ // a sync that is under way leaves it unconfirmed, also if it was before
		write.ticket, err = tx.EventNumber(ctx, of.user)
		return true, err
	})
	if err != nil {
		w.closeWrite(of, write.under, true)
		return nil, fmt.Errorf("calsync: begin a write: %w", err)
	}
	write.kept = before.Number != 0
	w.noteWrite(write.under, before)
	return write, nil
}

// writtenTo names a calendar of a user that is written to.
type writtenTo struct {
	user     model.UserID
	calendar model.CalendarRef
}

// writes are the writes of this process to one calendar that overlap. Worker.mu guards it.
type writes struct {
	// open have not ended; changed: one that has may have left what the copy does not have.
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

// restores reports whether a copy is to be in use again once so many of the writes that overlap have ended, and the
// copy has what they have left: the others have ended so too, and no other process has written meanwhile.
func (w *Worker) restores(under *writes, ending int, c model.KeptCalendar) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return under.open == ending && !under.changed && under.begun > 0 && !under.asOf.IsZero() &&
		under.to-under.from == under.begun && c.AsOf.IsZero() && c.Writes == under.to
}

// closeWrite ends a write; changed: it may have left what the copy does not have. last: it was the last one that
// overlapped.
func (w *Worker) closeWrite(of writtenTo, under *writes, changed bool) (last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	under.changed = under.changed || changed
	if under.open--; under.open > 0 {
		return false
	}
	delete(w.writes, of)
	return true
}

// changeCopy changes how far the copy of a calendar was read, if it is kept, unless fn returns false.
func (w *Worker) changeCopy(ctx context.Context, of writtenTo,
	fn func(ctx context.Context, tx store.Tx, c *model.KeptCalendar) (bool, error)) error {
	return w.Store.Write(ctx, of.user, func(ctx context.Context, tx store.Tx) error {
		c, err := keptOf(ctx, tx, of)
		if err != nil || c == nil {
			return err
		}
		if changed, err := fn(ctx, tx, c); err != nil || !changed {
			return err
		}
		return tx.SaveReading(ctx, c.Number, store.ReadingOf(*c))
	})
}

// keptOf finds the copy of a calendar; nil when there is none.
func keptOf(ctx context.Context, tx store.Tx, of writtenTo) (*model.KeptCalendar, error) {
	all, err := tx.KeptCalendars(ctx, of.user)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(c model.KeptCalendar) bool {
		return c.Source == model.CalendarGoogle && c.Ref() == of.calendar
	})
	if i < 0 {
		return nil, nil //nolint:nilnil // as it says
	}
	return &all[i], nil
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
