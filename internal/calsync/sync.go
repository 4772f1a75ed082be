package calsync

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// A calendar in which nothing has changed for quietAfter is synced as seldom as quietEvery says.
const (
	quietAfter = 24 * time.Hour
	quietEvery = 5
)

// maxPerWrite bounds how long one user's writes are locked.
const maxPerWrite = 200

// errGone: there is no such state any more, since the account was unlinked.
var errGone = errors.New("calsync: it is not followed any more")

// visit is one sync of one calendar or mailbox.
type visit struct {
	*Worker
	// claimed is the state as it was claimed: its NextAt is the end of the lease, by which the visit knows that nobody has
	// made other plans.
	claimed store.SyncState
	account model.Connection
	// opened is the channel that was opened during the visit, if one was; replaces says that the state's own has to give
	// way to it, or to none, and closes is the one that is not needed afterwards.
	opened, closes *gcal.Channel
	replaces       bool
	// reached is the sync token up to which the calendar was read.
	reached string
	report  Report
	meter   *meter
	// before is the state from before it was claimed, of a sync that somebody waits for.
	before *store.SyncState
}

// sync syncs what was claimed. Whatever comes of it, it is due again some time.
func (w *Worker) sync(ctx context.Context, claimed store.SyncState) Report {
	return w.syncFor(ctx, claimed, nil)
}

// syncFor is sync for somebody who waits for it, when before is not nil.
func (w *Worker) syncFor(ctx context.Context, claimed store.SyncState, before *store.SyncState) Report {
	v := &visit{Worker: w, claimed: claimed, before: before, report: Report{Mail: isMail(claimed), List: isList(claimed)},
		meter: &meter{Worker: w, awaited: before != nil}}
	ctx = google.WithMeter(ctx, v.meter)
	began := w.Now()
	err := v.attempt(ctx)
	switch {
	case err == nil:
		if v.meter.requests.Load() > 0 && !v.meter.limited.Load() {
			w.quota.answered(began)
		}
	case errors.Is(err, errGone):
		v.report.Outcome = OutcomeGone
	case ctx.Err() != nil:
		v.report.Outcome = OutcomeStopped
		v.giveBack(ctx)
	default:
		v.report.Outcome, v.report.Code = OutcomeFailed, model.CodeOf(err)
		v.fail(ctx, err)
	}
	v.report.Requests, v.report.Limited = int(v.meter.requests.Load()), v.meter.limited.Load()
	return v.report
}

// attempt reads what has changed and tells it. A panic in it is an error like another.
func (v *visit) attempt(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	if v.account, err = connectionOf(ctx, v.Store, v.claimed); err != nil {
		return err
	}
	if v.account.Status != model.ConnectionConnected {
		return v.park(ctx)
	}
	switch {
	case isMail(v.claimed) && (v.Mail == nil || !opens(v.account)),
		!isMail(v.claimed) && v.Calendar == nil,
		isList(v.claimed) && !listed(v.account):
		return v.park(ctx)
	case isList(v.claimed):
		return v.readList(ctx)
	case !isMail(v.claimed):
		return v.followCalendar(ctx)
	}
	seen, err := v.readMail(ctx)
	if err != nil {
		return err
	}
	return v.commit(ctx, seen)
}

// isMail tells a mailbox from a calendar.
func isMail(state store.SyncState) bool { return state.Calendar == model.MailFeed }

// found is what a sync has read: where to go on, and what has happened.
type found struct {
	token string
	// at is the remote's clock, or ours, before it was asked.
	at time.Time
	// reset: the remote could not say what has changed.
	reset bool
	// ids are those of the things that have changed, each once; tell makes lines of those from one place to another, given
	// the last lines about them and when the last sync was, and counts those that the log has already.
	ids  []model.UUID
	tell func(from, to int, last map[model.UUID]model.Change, seen time.Time) (lines []model.Change, echoes int)
}

// commit tells what was read, in writes of bounded size. How far it was read is part of the last of them: if that is
// not reached, the same is read again, and what is in the log already is an echo.
func (v *visit) commit(ctx context.Context, seen found) error {
	for from := 0; ; {
		to := min(from+maxPerWrite, len(seen.ids))
		last := to == len(seen.ids)
		overtaken := false
		var told, echoes int
		err := v.updateState(ctx, func(ctx context.Context, tx store.Tx, state *store.SyncState) error {
			if overtaken = state.Token != v.claimed.Token; overtaken {
				// Another worker has read from the same place on. What this one knows beyond that is read again, at once.
				v.plan(state, v.Now())
				return nil
			}
			var err error
			if told, echoes, err = seen.log(ctx, tx, from, to, state.Seen); err != nil || !last {
				return err
			}
			if seen.reset {
				if err := announceReset(ctx, tx, v.account); err != nil {
					return err
				}
			}
			state.Token, state.Seen, state.Failures = seen.token, seen.at, 0
			v.plan(state, v.after(*state, false))
			return nil
		})
		if err != nil {
			return err
		}
		if overtaken {
			v.report.Outcome = OutcomeOvertaken
			return nil
		}
		v.report.Changes += told
		v.report.Echoes += echoes
		if last {
			v.report.Outcome = outcomeOf(v.claimed, seen)
			return nil
		}
		from = to
	}
}

func outcomeOf(claimed store.SyncState, seen found) Outcome {
	switch {
	case seen.reset:
		return OutcomeReset
	case claimed.Token == "":
		return OutcomeBegun
	default:
		return OutcomeRead
	}
}

// log adds what the log does not have yet of what lies between two places.
func (f *found) log(ctx context.Context, tx store.Tx, from, to int, seen time.Time) (told, echoes int, err error) {
	if from == to {
		return 0, 0, nil
	}
	last, err := tx.LastRemote(ctx, f.ids[from:to])
	if err != nil {
		return 0, 0, fmt.Errorf("read what was told: %w", err)
	}
	lines, echoes := f.tell(from, to, last, seen)
	if len(lines) == 0 {
		return 0, echoes, nil
	}
	if err := tx.LogRemote(ctx, lines); err != nil {
		return 0, 0, fmt.Errorf("tell: %w", err)
	}
	return len(lines), echoes, nil
}

// announceReset tells the connection as UPDATED: what has happened in its calendar or mailbox is not known. Saving the
// connection as it is is how the store logs that.
func announceReset(ctx context.Context, tx store.Tx, account model.Connection) error {
	all, err := tx.Connections(ctx, account.User)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(c model.Connection) bool { return c.ID == account.ID })
	if i < 0 {
		return errGone
	}
	secrets, err := tx.Credentials(ctx, account.User, account.ID)
	if err != nil {
		return err
	}
	_, err = tx.SaveConnection(ctx, all[i], secrets)
	return err
}

// park lets a state rest until the account is linked again, or what is missing is granted, which Follow tells; if it
// has been meanwhile, that plan stands.
func (v *visit) park(ctx context.Context) error {
	v.report.Outcome = OutcomeParked
	return v.updateState(ctx, func(_ context.Context, _ store.Tx, state *store.SyncState) error {
		v.plan(state, time.Time{})
		return nil
	})
}

// what names what is synced, for the log.
func (v *visit) what() string {
	switch {
	case isMail(v.claimed):
		return "a mailbox"
	case isList(v.claimed):
		return "a list of calendars"
	}
	return "a calendar"
}

// fail plans the next try, later with each failure. A state of an account that has expired meanwhile is parked by that
// try.
func (v *visit) fail(ctx context.Context, cause error) {
	attrs := []slog.Attr{
		slog.String("user", v.claimed.User.String()), slog.Int("connection", v.account.Number),
		slog.String("code", string(v.report.Code)),
		slog.Int("failures", v.claimed.Failures+1), slog.String("cause", model.CauseOf(cause)),
	}
	level := slog.LevelWarn
	if v.report.Code == model.CodeInternal {
		level = slog.LevelError
	}
	v.Logger.LogAttrs(ctx, level, "a linked account was not followed", append(attrs, slog.String("what", v.what()))...)
	err := v.updateState(ctx, func(ctx context.Context, _ store.Tx, state *store.SyncState) error {
		v.hand(state)
		if !state.NextAt.Equal(v.claimed.NextAt) {
			return nil // it was notified, linked anew, or claimed by another since
		}
		account, err := connectionOf(ctx, v.Store, v.claimed)
		if err != nil {
			return err
		}
		if model.CodeOf(cause) == model.CodeNotConnected && account.Status != model.ConnectionConnected {
			v.report.Outcome, v.report.Code = OutcomeParked, ""
			state.NextAt = time.Time{}
			return nil
		}
		if v.before != nil { // who asks often does not put off regular syncs
			again := v.Now().Add(max(v.backoff(state.Failures+1), model.RetryAfterOf(cause)))
			state.NextAt = slices.MaxFunc([]time.Time{v.before.NextAt, again}, time.Time.Compare)
			return nil
		}
		if v.meter.limited.Load() { // no fault of this account: it is tried when the project may ask again
			state.Failures, state.NextAt = max(state.Failures, 1), v.quota.closedUntil()
			return nil
		}
		state.Failures++
		state.NextAt = v.Now().Add(max(v.backoff(state.Failures), model.RetryAfterOf(cause)))
		if model.CodeOf(cause) == model.CodeUpstreamRateLimited {
			return v.putOffOthers(ctx, state.NextAt)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errGone) && ctx.Err() == nil {
		// Nothing is lost: it is due again when the lease ends.
		v.Logger.ErrorContext(ctx, "a failure to follow was not saved", "what", v.what(), "user", v.claimed.User.String(),
			"cause", model.CauseOf(err))
	}
	if err == nil {
		v.close(ctx, v.closes)
	}
}

// giveBack makes a state due again at once, for whoever comes next.
func (v *visit) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), partingTimeout)
	defer cancel()
	err := v.updateState(ctx, func(_ context.Context, _ store.Tx, state *store.SyncState) error {
		v.hand(state)
		v.plan(state, v.Now())
		return nil
	})
	if err != nil && !errors.Is(err, errGone) {
		v.Logger.WarnContext(ctx, "a followed feed was not given back; it is synced again in a few minutes", "what",
			v.what(), "user", v.claimed.User.String(), "cause", model.CauseOf(err))
	}
}

// plan sets when the state is due next, unless somebody has made other plans since it was claimed.
func (v *visit) plan(state *store.SyncState, next time.Time) {
	if state.NextAt.Equal(v.claimed.NextAt) {
		state.NextAt = next
	}
}

// after is when what was read is due next.
func (v *visit) after(state store.SyncState, quiet bool) time.Time {
	now := v.Now()
	pace := v.pace(v.hears(state, now))
	if quiet && !v.hears(state, now) {
		pace *= quietEvery
	}
	if pace == 0 {
		pace = net // for those who do sync
	}
	next := now.Add(pace + time.Duration(v.Jitter()*float64(pace)/10))
	if renew := state.ChannelEnds.Add(-renewAhead); renew.After(now) {
		return sooner(next, renew)
	}
	return next
}

// updateState runs fn in a write of the user on the state as it is then, and saves what fn makes of it. errGone when
// there is none.
func (v *visit) updateState(ctx context.Context,
	fn func(ctx context.Context, tx store.Tx, state *store.SyncState) error) error {
	return v.change(ctx, v.claimed.User, v.claimed.Connection, v.claimed.Calendar, fn)
}

// change is the only way in which states are changed: under the lock of their user, so that no change undoes another.
func (w *Worker) change(ctx context.Context, user model.UserID, connection model.UUID, calendar string,
	fn func(ctx context.Context, tx store.Tx, state *store.SyncState) error) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	err := w.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		all, err := w.Store.SyncStates(ctx, user, connection)
		if err != nil {
			return err
		}
		before, followed := store.StateOf(all, calendar)
		if !followed {
			return errGone
		}
		state := before
		if err := fn(ctx, tx, &state); err != nil || state == before {
			return err
		}
		return w.Store.SaveSyncState(ctx, state)
	})
	if errors.Is(err, store.ErrNotFound) {
		return errors.Join(errGone, err)
	}
	return err
}

// connectionOf returns the account that a state belongs to. errGone when there is none.
func connectionOf(ctx context.Context, from Store, state store.SyncState) (model.Connection, error) {
	all, err := from.Connections(ctx, state.User)
	if err != nil {
		return model.Connection{}, fmt.Errorf("read the connection: %w", err)
	}
	for _, c := range all {
		if c.ID == state.Connection {
			return c, nil
		}
	}
	return model.Connection{}, errGone
}
