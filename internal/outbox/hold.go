package outbox

import (
	"context"
	"crypto/subtle"
	"errors"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// nobody holds what nobody is at work on.
var nobody model.UUID

// errTaken says that another holder has the e-mail by now.
var errTaken = errors.New("outbox: the e-mail was taken over")

// errBusy says that somebody else is at work on the e-mail.
func errBusy() error {
	return model.Errorf(model.CodeConflict, "another request is at work on this e-mail; try again in a moment")
}

// busy reports whether somebody is at work on an e-mail.
func busy(mail model.OutgoingEmail, now time.Time) bool {
	return mail.Holder != nobody && mail.HeldUntil.After(now)
}

// take returns an e-mail to be sent, with a holder of this call; with none when there is nothing to do for it. Without
// a hash nobody asks for it now: then only what was begun is looked after, when its time has come.
func (o *Outbox) take(ctx context.Context, user model.UserID, id model.UUID,
	hash *[32]byte) (taken model.OutgoingEmail, err error) {
	var unopened error
	err = o.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		found, err := tx.Outgoing(ctx, user, id)
		if errors.Is(err, store.ErrNotFound) {
			return notFound(id)
		}
		if err != nil {
			return err
		}
		now := o.Now().UTC()
		if taken, err = o.open(user, found); err != nil {
			if hash != nil {
				return err
			}
			// It must not keep the worker from those behind it.
			unopened = err
			found.Holder, found.HeldUntil = nobody, now.Add(lookMuchLater)
			return tx.UpdateOutgoing(ctx, found, found.State)
		}
		if hash != nil && subtle.ConstantTimeCompare(hash[:], taken.Hash[:]) != 1 {
			return errOtherHash()
		}
		if wanted, err := wants(taken, hash != nil, now); err != nil || !wanted {
			taken.Holder = nobody
			return err
		}
		was := taken.State
		taken.Holder, taken.HeldUntil, taken.Problem = o.NewID(), now.Add(Lease), ""
		if hash != nil {
			taken.SendAt = time.Time{} // somebody sends it now, and is told when that fails
		}
		if was != model.OutboxUnknown { // which it is until something is known
			taken.State = model.OutboxSending
		}
		return tx.UpdateOutgoing(ctx, taken, was)
	})
	if err = errors.Join(err, unopened); err != nil {
		return model.OutgoingEmail{}, err
	}
	return taken, nil
}

// wants reports whether there is something to do for an e-mail. CONFLICT for what cannot be sent any more, or not now.
func wants(mail model.OutgoingEmail, asked bool, now time.Time) (bool, error) {
	switch mail.State {
	case model.OutboxSending, model.OutboxUnknown:
		return !busy(mail, now) && (asked || !mail.HeldUntil.After(now)), nil
	case model.OutboxScheduled:
		if asked && busy(mail, now) { // it is being thrown away
			return false, errBusy()
		}
		return asked || !mail.HeldUntil.After(now), nil
	case model.OutboxPreview, model.OutboxFailed:
		switch {
		case !asked:
			return false, nil
		case busy(mail, now): // it is being thrown away
			return false, errBusy()
		case mail.Draft == "" && !now.Before(mail.ExpiresAt):
			return false, errExpired()
		}
		return true, nil
	default:
		return false, nil
	}
}

func errExpired() error {
	return model.Errorf(model.CodeConflict, "this preview has expired, and was not sent; preview the e-mail again")
}

// aside is a context for what must be done though the client has gone, because something was begun.
func aside(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), lastWords)
}

// save writes down how far an e-mail has come, as long as this call holds it. errTaken when it does not any more.
func (o *Outbox) save(ctx context.Context, user model.UserID, held model.OutgoingEmail) error {
	return o.saveAs(ctx, user, held.Holder, held)
}

func (o *Outbox) saveAs(ctx context.Context, user model.UserID, holder model.UUID, mail model.OutgoingEmail) error {
	ctx, cancel := aside(ctx)
	defer cancel()
	return o.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		now, err := tx.Outgoing(ctx, user, mail.ID)
		if err != nil {
			return err
		}
		// That it was sent may be told by anybody who knows, whoever has it now: then they find out that they have it no
		// more.
		if now.Holder != holder && (mail.State != model.OutboxSent || now.State == model.OutboxSent) {
			return errTaken
		}
		return tx.UpdateOutgoing(ctx, mail, now.State)
	})
}

// end lets go of an e-mail in the state that it has come to, and returns it as it is then; so it does when it could not
// be written down, and then it stays held until its lease ends, and whoever comes next finds out.
func (o *Outbox) end(ctx context.Context, user model.UserID, held model.OutgoingEmail,
	state model.OutboxState) (model.OutgoingEmail, error) {
	return o.park(ctx, user, held, state, time.Time{})
}

// park is end for what is looked at again at some time.
func (o *Outbox) park(ctx context.Context, user model.UserID, held model.OutgoingEmail, state model.OutboxState,
	until time.Time) (model.OutgoingEmail, error) {
	holder := held.Holder
	held.State, held.Holder, held.HeldUntil = state, nobody, until
	return o.told(ctx, user, held, o.saveAs(ctx, user, holder, held))
}

// told returns an e-mail after something was to be written down of it. Of what another holder has by now, the other's
// story counts.
func (o *Outbox) told(ctx context.Context, user model.UserID, held model.OutgoingEmail,
	err error) (model.OutgoingEmail, error) {
	held.Holder = nobody
	switch {
	case errors.Is(err, store.ErrNotFound) && held.State == model.OutboxSent:
		return held, nil // it went with its account, or was thrown away; it was sent all the same
	case errors.Is(err, store.ErrNotFound):
		return model.OutgoingEmail{}, notFound(held.ID)
	case !errors.Is(err, errTaken):
		return held, err
	}
	ctx, cancel := aside(ctx)
	defer cancel()
	now, err := o.Get(ctx, user, held.ID)
	now.Holder = nobody
	return now, errors.Join(errTaken, err)
}
