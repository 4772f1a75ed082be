package calsync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/adapters/mirror"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// listEvery is how many syncs of a calendar there are for one of the list of calendars.
	listEvery = 5
	// keptUnselected is how long the copy of a calendar stays that its user has unticked.
	keptUnselected = 24 * time.Hour
)

// listed reports whether the list of an account's calendars may be read.
func listed(account model.Connection) bool {
	return len(google.Missing(account.Scopes, []string{google.ScopeCalendarList})) == 0
}

// isList tells the list of an account's calendars from a calendar.
func isList(state store.SyncState) bool { return state.Calendar == model.CalendarListFeed }

// followList makes the list of calendars be synced, if it is not yet. It is for accounts that were linked before
// lists were followed.
func (v *visit) followList(ctx context.Context) error {
	if !listed(v.account) {
		return nil
	}
	all, err := v.Store.SyncStates(ctx, v.claimed.User, v.claimed.Connection)
	if err != nil || slices.ContainsFunc(all, isList) {
		return err
	}
	return v.Store.SaveSyncState(ctx, store.SyncState{User: v.claimed.User, Connection: v.claimed.Connection,
		Calendar: model.CalendarListFeed, NextAt: v.Now()})
}

// readList makes the copies be those of the calendars that are ticked on Google's own screen. One that the list has no
// more is erased, and one that was unticked after a day.
func (v *visit) readList(ctx context.Context) error {
	began := v.Now()
	all, err := v.Calendar.Calendars(ctx, v.account)
	if err != nil {
		return err
	}
	text, err := mirror.ListText(all)
	if err != nil {
		return err
	}
	var closes []gcal.Channel
	erased, due := false, false
	err = v.updateState(ctx, func(ctx context.Context, tx store.Tx, state *store.SyncState) error {
		closes, erased, due = nil, false, false
		lister, err := v.lister(ctx, tx)
		if err != nil {
			return err
		}
		for _, calendar := range all {
			if err := lister.listed(ctx, calendar); err != nil {
				return err
			}
		}
		if err := lister.rest(ctx); err != nil {
			return err
		}
		closes, erased, due = lister.closes, lister.erased, lister.due
		state.Failures, state.Seen, state.List = 0, began, text
		pace := v.pace(false)
		if pace == 0 {
			pace = net
		}
		v.plan(state, v.Now().Add(listEvery*pace+time.Duration(v.Jitter()*float64(pace))))
		return nil
	})
	if err != nil {
		return err
	}
	v.report.Outcome = OutcomeRead
	if due { // not before it can be seen
		v.wake()
	}
	for _, channel := range closes {
		v.close(ctx, &channel)
	}
	if !erased {
		return nil
	}
	return eraseAll(ctx, v.Store, v.claimed.User)
}

// eraseAll erases what deleted calendars of a user have left, some at a time.
func eraseAll(ctx context.Context, from Store, user model.UserID) error {
	for {
		more, err := from.EraseEvents(ctx, user, store.ErasedAtOnce)
		if err != nil {
			return fmt.Errorf("erase events: %w", err)
		}
		if !more {
			return nil
		}
	}
}

// lister holds the calendars that an account has against the copies.
type lister struct {
	*visit
	tx     store.Tx
	states []store.SyncState
	// left are the copies that the list has not named yet.
	left   []model.KeptCalendar
	closes []gcal.Channel
	erased bool
	// due: there is a calendar to sync.
	due bool
}

func (v *visit) lister(ctx context.Context, tx store.Tx) (*lister, error) {
	l := &lister{visit: v, tx: tx}
	var err error
	if l.states, err = v.Store.SyncStates(ctx, v.claimed.User, v.claimed.Connection); err != nil {
		return nil, err
	}
	if l.left, err = tx.KeptCalendars(ctx, v.claimed.User); err != nil {
		return nil, err
	}
	l.left = slices.DeleteFunc(l.left, func(c model.KeptCalendar) bool {
		return c.Source != model.CalendarGoogle || c.Connection != v.account.Number
	})
	return l, nil
}

// listed takes in one calendar of the list.
func (l *lister) listed(ctx context.Context, said model.Calendar) error {
	i := slices.IndexFunc(l.left, func(c model.KeptCalendar) bool { return c.Ref() == said.Ref })
	// Of a calendar that only says when it is busy there is nothing to keep.
	wanted := (said.Selected || said.Primary) && said.AccessRole != model.RoleFreeBusyReader
	now := model.KeptCalendar{Source: model.CalendarGoogle, Connection: l.account.Number, RemoteID: said.Ref.Calendar,
		State: model.CalendarNew, Shape: gcal.SyncShape, CreatedAt: l.Now(), UpdatedAt: l.Now()}
	if said.Primary {
		now.RemoteID = l.account.Account
	}
	if i >= 0 {
		now = l.left[i]
		l.left = slices.Delete(l.left, i, i+1)
	}
	before := now
	now.Name, now.Description, now.Zone, now.Role = said.Summary, said.Description, said.TimeZone, said.AccessRole
	now.BackgroundColor, now.ForegroundColor, now.Reminders = said.BackgroundColor, said.ForegroundColor,
		said.DefaultReminders
	now.Primary, now.Selected, now.Followed = said.Primary, wanted, wanted
	switch {
	case i < 0 && !wanted:
		return nil
	case i < 0:
		switch _, err := l.tx.InsertCalendar(ctx, now); {
		case errors.Is(err, store.ErrConflict): // there are too many
			return nil
		case err != nil:
			return fmt.Errorf("add a calendar: %w", err)
		}
	case said.AccessRole == model.RoleFreeBusyReader && !said.Primary, // what is kept may not be seen any more
		!wanted && !before.Selected && l.Now().Sub(before.UpdatedAt) > keptUnselected:
		return l.drop(ctx, before)
	case !sameCalendar(before, now):
		if before.Selected != now.Selected {
			now.UpdatedAt = l.Now()
		}
		if _, err := l.tx.UpdateCalendar(ctx, now); err != nil {
			return fmt.Errorf("change a calendar: %w", err)
		}
	}
	return l.follow(ctx, said.Ref.Calendar, wanted)
}

// follow makes a calendar be synced, or rest.
func (l *lister) follow(ctx context.Context, calendar string, wanted bool) error {
	state, followed := store.StateOf(l.states, calendar)
	if !followed {
		state = store.SyncState{User: l.claimed.User, Connection: l.claimed.Connection, Calendar: calendar}
	}
	if wanted == !state.NextAt.IsZero() {
		return nil
	}
	state.NextAt = time.Time{}
	if wanted {
		state.NextAt, l.due = l.Now(), true
	}
	return l.Store.SaveSyncState(ctx, state)
}

// rest takes in what the list does not name.
func (l *lister) rest(ctx context.Context) error {
	for _, gone := range l.left {
		if gone.Primary { // there is always one, whatever the list says
			continue
		}
		if err := l.drop(ctx, gone); err != nil {
			return err
		}
	}
	return nil
}

// forgo erases the copy of a calendar of which no more than its busy times may be seen from now on. The list of
// calendars says when it is to be read again. errGone, when that is done.
func (v *visit) forgo(ctx context.Context) error {
	var closes []gcal.Channel
	err := v.updateState(ctx, func(ctx context.Context, tx store.Tx, _ *store.SyncState) error {
		l, err := v.lister(ctx, tx)
		if err != nil {
			return err
		}
		for _, c := range l.left {
			if c.Ref().Calendar != v.claimed.Calendar {
				continue
			}
			if err := l.drop(ctx, c); err != nil {
				return err
			}
		}
		closes = l.closes
		return v.Store.ForgetSyncState(ctx, v.claimed.User, v.claimed.Connection, v.claimed.Calendar)
	})
	if err != nil {
		return err
	}
	for _, channel := range closes {
		v.close(ctx, &channel)
	}
	v.close(ctx, v.opened)
	if err := eraseAll(ctx, v.Store, v.claimed.User); err != nil {
		return err
	}
	return errGone
}

// drop takes a copy out of sight, and forgets where it was left.
func (l *lister) drop(ctx context.Context, calendar model.KeptCalendar) error {
	name := calendar.Ref().Calendar
	for _, state := range l.states {
		if channel := channelOf(state); state.Calendar == name && channel != nil {
			l.closes = append(l.closes, *channel)
		}
	}
	l.erased = true
	if err := l.Store.ForgetSyncState(ctx, l.claimed.User, l.claimed.Connection, name); err != nil {
		return err
	}
	return l.tx.DeleteCalendar(ctx, calendar.Number, l.Now())
}
