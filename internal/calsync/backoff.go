package calsync

import (
	"context"
	"time"

	"almanac/adapters/remote"
)

// The first wait after a failure, and the longest.
const (
	firstBackoff = 30 * time.Second
	mostBackoff  = time.Hour
)

// backoff is how long to wait after so many failures in a row.
func (w *Worker) backoff(failures int) time.Duration {
	return remote.Backoff(failures, w.Jitter(), firstBackoff, mostBackoff)
}

// putOffOthers lets what else is followed of an account wait, until a time and a little longer, since Google counts
// its requests together: calendars and their list for a calendar, nothing for a mailbox, which has a quota of its own.
// It is for a transaction of the user. What fails for one calendar alone, as where there is no such calendar, is no
// reason.
func (v *visit) putOffOthers(ctx context.Context, until time.Time) error {
	if isMail(v.claimed) {
		return nil
	}
	all, err := v.Store.SyncStates(ctx, v.claimed.User, v.claimed.Connection)
	if err != nil {
		return err
	}
	for _, state := range all {
		if isMail(state) || state.Calendar == v.claimed.Calendar || state.NextAt.IsZero() ||
			state.Failures > 0 && state.NextAt.After(until) {
			continue
		}
		// No notice of a change brings forward what has failed. So one that is due later comes then too, since it may
		// have been told of something meanwhile.
		state.NextAt = until.Add(time.Duration(v.Jitter() * float64(firstBackoff)))
		state.Failures = max(state.Failures, 1)
		if err := v.Store.SaveSyncState(ctx, state); err != nil {
			return err
		}
	}
	return nil
}
