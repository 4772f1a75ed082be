package outbox

import (
	"context"
	"crypto/subtle"
	"errors"
	"sync"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// Schedule has an e-mail that was shown with this hash sent at a time, or at another one than before, and returns it as
// SCHEDULED; one that was sent already, or is being sent, as it is. It may be sent until Life after that time. The
// caller has checked that the time is ahead. NOT_FOUND; BAD_USER_INPUT for another hash; CONFLICT when it has expired,
// or somebody is at work on it.
func (o *Outbox) Schedule(ctx context.Context, user model.UserID, id model.UUID, hash [32]byte,
	at time.Time) (model.OutgoingEmail, error) {
	at = at.UTC().Truncate(time.Microsecond) // as the store keeps it
	mail, err := o.change(ctx, user, id, func(mail *model.OutgoingEmail, now time.Time) error {
		switch {
		case subtle.ConstantTimeCompare(hash[:], mail.Hash[:]) != 1:
			return errOtherHash()
		case !unsentIn(mail.State):
			return errUnchanged
		case busy(*mail, now):
			return errBusy()
		case mail.State != model.OutboxScheduled && mail.Draft == "" && !now.Before(mail.ExpiresAt):
			return errExpired()
		}
		mail.State, mail.SendAt, mail.HeldUntil, mail.ExpiresAt = model.OutboxScheduled, at, at, at.Add(Life)
		mail.Problem = ""
		return nil
	})
	if err == nil && mail.State == model.OutboxScheduled && !dryrun.Is(ctx) {
		o.alarms.set(at.Sub(o.Now()))
	}
	return mail, err
}

// Unschedule takes a scheduled e-mail back: it is a preview again, for Life from now. One that is a preview is returned
// as it is. NOT_FOUND; CONFLICT when it was sent, or may have been, or is being sent.
func (o *Outbox) Unschedule(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error) {
	return o.change(ctx, user, id, func(mail *model.OutgoingEmail, now time.Time) error {
		switch {
		case mail.State == model.OutboxPreview || mail.State == model.OutboxFailed:
			return errUnchanged
		case mail.State != model.OutboxScheduled:
			return model.Errorf(model.CodeConflict, "this e-mail was sent, or is being sent; it cannot be taken back")
		case busy(*mail, now):
			return errBusy()
		}
		mail.State, mail.SendAt, mail.HeldUntil, mail.ExpiresAt = model.OutboxPreview, time.Time{}, time.Time{},
			now.Add(Life)
		mail.Problem = ""
		return nil
	})
}

// errUnchanged leaves an e-mail as it is; it is no error of change.
var errUnchanged = errors.New("outbox: unchanged")

// change changes an e-mail in one transaction, and returns it opened.
func (o *Outbox) change(ctx context.Context, user model.UserID, id model.UUID,
	do func(mail *model.OutgoingEmail, now time.Time) error) (mail model.OutgoingEmail, err error) {
	err = o.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		found, err := tx.Outgoing(ctx, user, id)
		if errors.Is(err, store.ErrNotFound) {
			return notFound(id)
		}
		if err != nil {
			return err
		}
		if mail, err = o.open(user, found); err != nil {
			return err
		}
		was := mail.State
		err = do(&mail, o.Now().UTC())
		if errors.Is(err, errUnchanged) {
			return nil
		}
		if err != nil {
			return err
		}
		return tx.UpdateOutgoing(ctx, mail, was)
	})
	if err != nil {
		return model.OutgoingEmail{}, err
	}
	return mail, nil
}

// unsentIn reports whether an e-mail in this state was surely not sent, and is not being sent.
func unsentIn(state model.OutboxState) bool {
	return state == model.OutboxPreview || state == model.OutboxScheduled || state == model.OutboxFailed
}

func errOtherHash() error {
	return model.BadInput("input.hash", "this is not the hash of the preview; look at the preview again")
}

// alarms wake the worker at the very moment at which an e-mail is due that this process has scheduled; by itself the
// worker looks every few seconds. What is due later than longestAlarm, and what another process has scheduled, is left
// to those looks. The zero value is ready.
type alarms struct {
	once sync.Once
	wake chan struct{}
}

// longestAlarm is the longest delay that is kept to the moment.
const longestAlarm = model.MaxUndoSend

// due receives when something is due.
func (a *alarms) due() <-chan struct{} {
	a.once.Do(func() { a.wake = make(chan struct{}, 1) })
	return a.wake
}

func (a *alarms) set(in time.Duration) {
	if in > longestAlarm {
		return
	}
	a.due()
	time.AfterFunc(max(in, 0), func() {
		select {
		case a.wake <- struct{}{}:
		default: // the worker is about to look
		}
	})
}
