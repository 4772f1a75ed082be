package calsync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Follow makes the primary calendar of a linked account be followed, and its mailbox, from now on or, if they were
// followed before, from where they were left. A mailbox whose account does not let it be read rests until Follow is
// called with an account that does. It is for the moment in which an account is linked, or linked again. When the
// context carries a transaction of the user and of the same store, as that of store.Transactor.Write does, Follow is
// part of it. store.ErrNotFound when there is no such connection.
func (w *Worker) Follow(ctx context.Context, connection model.Connection) error {
	if connection.Provider != model.ProviderGoogle {
		return nil
	}
	err := w.Store.Write(ctx, connection.User, func(ctx context.Context, _ store.Tx) error {
		all, err := w.Store.SyncStates(ctx, connection.User, connection.ID)
		if err != nil {
			return err
		}
		begin := func(calendar string, due time.Time) error {
			state, followed := store.StateOf(all, calendar)
			if !followed {
				state = store.SyncState{User: connection.User, Connection: connection.ID, Calendar: calendar}
			}
			state.NextAt, state.Failures = due, 0
			return w.Store.SaveSyncState(ctx, state)
		}
		const primary = ""
		if w.Calendar != nil {
			if err := begin(primary, w.Now()); err != nil {
				return err
			}
			for _, state := range all { // the other calendars go on where they were left
				if state.Calendar != primary && state.Calendar != model.MailFeed && !isList(state) {
					if err := begin(state.Calendar, w.Now()); err != nil {
						return err
					}
				}
			}
			due := w.Now()
			if !listed(connection) {
				due = time.Time{}
			}
			if err := begin(model.CalendarListFeed, due); err != nil {
				return err
			}
		}
		if w.Mail == nil {
			return nil
		}
		if !opens(connection) {
			return begin(model.MailFeed, time.Time{})
		}
		return begin(model.MailFeed, w.Now())
	})
	if err != nil {
		return fmt.Errorf("calsync: follow an account: %w", err)
	}
	return nil
}

// Notify makes a calendar, or with model.MailFeed the mailbox, due now and this process sync. One that rests, since its
// account has to be linked again, stays so, and so does one that is due later since it fails. store.ErrNotFound when
// the calendar is not followed.
func (w *Worker) Notify(ctx context.Context, user model.UserID, connection model.UUID, calendar string) error {
	all, err := w.Store.SyncStates(ctx, user, connection)
	if err != nil {
		return fmt.Errorf("calsync: read a calendar's state: %w", err)
	}
	state, followed := store.StateOf(all, calendar)
	if !followed {
		return fmt.Errorf("calsync: notify: %w", store.ErrNotFound)
	}
	return w.notify(ctx, state)
}

// notify is Notify for a state that was just read. One that is due already costs no write, so a flood of notices costs
// little.
func (w *Worker) notify(ctx context.Context, seen store.SyncState) error {
	now := w.Now()
	if waits(seen, now) {
		err := w.change(ctx, seen.User, seen.Connection, seen.Calendar,
			func(_ context.Context, _ store.Tx, state *store.SyncState) error {
				if waits(*state, now) {
					state.NextAt = now
				}
				return nil
			})
		if errors.Is(err, errGone) {
			return fmt.Errorf("calsync: notify: %w", store.ErrNotFound)
		}
		if err != nil {
			return fmt.Errorf("calsync: notify: %w", err)
		}
	}
	w.wake()
	return nil
}

// waits reports whether a state is due later, and may be due now.
func waits(state store.SyncState, now time.Time) bool {
	return state.NextAt.After(now) && state.Failures == 0
}
