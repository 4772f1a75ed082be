package outbox

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

const (
	// lookAgain is how long an e-mail of which nothing is known is left alone.
	lookAgain = time.Minute
	// lookMuchLater is that for one that cannot be sent any more, so that it is of less use to know.
	lookMuchLater = time.Hour
	// lastWords is how long what must be done has though the client has gone.
	lastWords = 20 * time.Second
)

// Send sends an e-mail of the outbox that was shown with this hash, and returns it as it then is: SENT, also when it
// was sent before; SENDING while another request sends it; UNKNOWN; or as it was, beside an error after which it was
// surely not sent. NOT_FOUND; BAD_USER_INPUT for another hash; CONFLICT when it has expired, or is being thrown away;
// the remote's errors.
func (o *Outbox) Send(ctx context.Context, user model.UserID, id model.UUID,
	hash [32]byte) (mail model.OutgoingEmail, err error) {
	if !dryrun.Is(ctx) {
		return o.send(ctx, user, id, hash)
	}
	// In one transaction, which the store rolls back: each step looks at what those before it have written.
	var failed error
	err = o.Store.Write(ctx, user, func(ctx context.Context, _ store.Tx) error {
		mail, failed = o.send(ctx, user, id, hash)
		return nil
	})
	return mail, errors.Join(err, failed)
}

func (o *Outbox) send(ctx context.Context, user model.UserID, id model.UUID,
	hash [32]byte) (model.OutgoingEmail, error) {
	held, err := o.take(ctx, user, id, &hash)
	if err != nil || held.Holder == nobody {
		return held, err
	}
	return o.deliver(ctx, user, held)
}

// deliver goes on with an e-mail that this call holds, from wherever it was left.
func (o *Outbox) deliver(ctx context.Context, user model.UserID,
	held model.OutgoingEmail) (model.OutgoingEmail, error) {
	connection, err := o.connection(ctx, user, held.Connection)
	if held.Draft != "" { // of an earlier try: it may have been sent
		var came fate
		if err == nil {
			came, err = o.withdraw(ctx, connection, held)
		}
		if err != nil {
			return o.doubt(ctx, user, held, err)
		}
		if came.what != unsent {
			return o.settled(ctx, user, held, came)
		}
		held.Draft, held.SentThread, held.State = "", "", model.OutboxSending
		if err := o.save(ctx, user, held); err != nil {
			return untaken(o.told(ctx, user, held, err))
		}
	}
	if err != nil {
		return o.giveBack(ctx, user, held, err)
	}
	if !o.Now().Before(held.ExpiresAt) {
		held.Problem = "It had expired before it could be sent."
		return o.giveBackAs(ctx, user, held, model.OutboxFailed, errExpired())
	}
	if !held.SendAt.IsZero() && o.Allowed != nil {
		if err := o.Allowed(held.Shown); err != nil {
			held.Problem = "The server's policy does not allow these recipients any more."
			return o.giveBackAs(ctx, user, held, model.OutboxFailed, err)
		}
	}
	draft, err := o.Mail.CreateDraft(ctx, connection, gmail.Outgoing{Raw: held.Message, Thread: held.Thread})
	if err != nil {
		return o.giveBack(ctx, user, held, err) // if there is a draft, nobody knows its id, so nobody sends it
	}
	held.Draft, held.SentThread = draft.ID, draft.Thread
	if err := o.note(ctx, user, connection, held); err != nil {
		held.Draft, held.SentThread = "", ""
		if errors.Is(err, errNotNoted) {
			return o.giveBack(ctx, user, held, err)
		}
		return untaken(o.told(ctx, user, held, err))
	}
	return o.sendDraft(ctx, user, connection, held)
}

// errNotNoted says that the id of a draft could not be written down, so that the draft must not be sent.
var errNotNoted = errors.New("outbox: a draft could not be noted")

// note writes the id of a new draft down. When it surely was not, the draft is thrown away.
func (o *Outbox) note(ctx context.Context, user model.UserID, connection model.Connection,
	held model.OutgoingEmail) error {
	err := o.save(ctx, user, held)
	if err == nil {
		return nil
	}
	ctx, cancel := aside(ctx)
	defer cancel()
	if !errors.Is(err, errTaken) {
		now, unread := o.Store.Outgoing(ctx, user, held.ID)
		switch {
		case unread == nil && now.Holder == held.Holder && now.Draft == held.Draft:
			return nil // only the answer was lost
		case unread == nil && now.Holder == held.Holder:
			err = errors.Join(errNotNoted, err)
		case unread == nil:
			err = errTaken
		case errors.Is(unread, store.ErrNotFound):
			err = unread
		default:
			return err // the draft stays: who comes next may find its id
		}
	}
	if failed := o.Mail.DeleteDraft(ctx, connection, held.Draft); failed != nil {
		o.Logger.LogAttrs(ctx, slog.LevelWarn, "a draft that is not needed could not be deleted",
			slog.String("cause", model.CauseOf(failed)))
	}
	return err
}

// sendDraft sends the draft that was just made and noted.
func (o *Outbox) sendDraft(ctx context.Context, user model.UserID, connection model.Connection,
	held model.OutgoingEmail) (model.OutgoingEmail, error) {
	sent, refused := o.Mail.SendDraft(ctx, connection, held.Draft)
	if refused == nil {
		return o.sent(ctx, user, held, sent.Message, cmp.Or(sent.Thread, held.SentThread))
	}
	ctx, cancel := aside(ctx)
	defer cancel()
	surely := !errors.Is(refused, gmail.ErrUnknownOutcome) && model.CodeOf(refused) != model.CodeNotFound
	// An answer that was lost may be that of a request that is still at work. A draft that is gone is sent by none.
	came, err := o.withdraw(ctx, connection, held)
	switch {
	case err != nil && surely:
		return o.giveBack(ctx, user, held, refused)
	case err != nil:
		return o.doubt(ctx, user, held, err)
	case came.what != unsent:
		return o.settled(ctx, user, held, came)
	}
	held.Draft, held.SentThread = "", ""
	if !surely {
		refused = &model.Error{Code: model.CodeUpstreamUnavailable,
			Message: "Google did not take the e-mail; it was not sent. Try again.", Cause: refused}
	}
	return o.giveBack(ctx, user, held, refused)
}

// settled writes down what has become of a draft that is gone.
func (o *Outbox) settled(ctx context.Context, user model.UserID, held model.OutgoingEmail,
	came fate) (model.OutgoingEmail, error) {
	if came.what == sent {
		return o.sent(ctx, user, held, came.message, came.thread)
	}
	if o.Now().Before(held.ExpiresAt) {
		return o.doubt(ctx, user, held, nil)
	}
	// By the preview's end it would be there: somebody has deleted the draft.
	held.Draft, held.SentThread, held.Problem = "", "",
		"Gmail has neither the draft nor the sent e-mail; somebody has deleted it."
	return untaken(o.end(ctx, user, held, model.OutboxFailed))
}

// giveBack makes an e-mail that was surely not sent wait again, and returns it beside the error.
func (o *Outbox) giveBack(ctx context.Context, user model.UserID, held model.OutgoingEmail,
	cause error) (model.OutgoingEmail, error) {
	shown, known := errors.AsType[*model.Error](cause)
	switch {
	case known && (shown.Code == model.CodeUpstreamRejected || shown.Code == model.CodeNotFound):
		held.Problem = shown.Message
		return o.giveBackAs(ctx, user, held, model.OutboxFailed, cause)
	case held.SendAt.IsZero():
		return o.giveBackAs(ctx, user, held, model.OutboxPreview, cause)
	}
	held.Problem = "It could not be sent at its time; it is tried again."
	if known {
		held.Problem += " " + shown.Message
	}
	return o.postpone(ctx, user, held, cause)
}

// postpone lets a scheduled e-mail that was surely not sent wait for its next try. None comes after the preview's end:
// then the try says that it has expired.
func (o *Outbox) postpone(ctx context.Context, user model.UserID, held model.OutgoingEmail,
	cause error) (model.OutgoingEmail, error) {
	mail, err := o.park(ctx, user, held, model.OutboxScheduled, o.Now().UTC().Add(lookAgain))
	if errors.Is(err, errTaken) {
		return untaken(mail, err)
	}
	if err != nil {
		o.Logger.LogAttrs(ctx, slog.LevelWarn,
			"a scheduled e-mail could not be put back; it is tried again when its lease ends",
			slog.String("cause", model.CauseOf(err)))
	}
	return mail, cause
}

func (o *Outbox) giveBackAs(ctx context.Context, user model.UserID, held model.OutgoingEmail, state model.OutboxState,
	cause error) (model.OutgoingEmail, error) {
	mail, err := o.end(ctx, user, held, state)
	if errors.Is(err, errTaken) {
		return untaken(mail, err)
	}
	if err != nil {
		o.Logger.LogAttrs(ctx, slog.LevelWarn, "an e-mail of the outbox could not be given back; it is when its lease ends",
			slog.String("cause", model.CauseOf(err)))
	}
	return mail, cause
}

// doubt says that nobody knows whether an e-mail was sent, for now.
func (o *Outbox) doubt(ctx context.Context, user model.UserID, held model.OutgoingEmail,
	cause error) (model.OutgoingEmail, error) {
	if cause != nil {
		o.Logger.LogAttrs(ctx, slog.LevelWarn, "it is not known yet whether an e-mail was sent",
			slog.String("cause", model.CauseOf(cause)))
	}
	now := o.Now().UTC()
	until := now.Add(lookAgain)
	if !now.Before(held.ExpiresAt) {
		until = now.Add(lookMuchLater)
	}
	return untaken(o.park(ctx, user, held, model.OutboxUnknown, until))
}

// sent notes that an e-mail was sent.
func (o *Outbox) sent(ctx context.Context, user model.UserID, held model.OutgoingEmail, message,
	thread string) (model.OutgoingEmail, error) {
	held.Sent, held.SentThread, held.SentAt, held.Problem = message, thread, o.Now().UTC(), ""
	return untaken(o.end(ctx, user, held, model.OutboxSent))
}

// untaken leaves out that another has taken the e-mail over: how far it has come with them is the answer.
func untaken(mail model.OutgoingEmail, err error) (model.OutgoingEmail, error) {
	switch {
	case mail.ID == nobody || !errors.Is(err, errTaken):
		return mail, err
	case unsentIn(mail.State):
		return mail, model.Errorf(model.CodeConflict,
			"another request has tried to send this e-mail meanwhile, and it was not sent; try again")
	}
	return mail, nil
}

func (o *Outbox) connection(ctx context.Context, user model.UserID, id model.UUID) (model.Connection, error) {
	all, err := o.Store.Connections(ctx, user)
	if err != nil {
		return model.Connection{}, err
	}
	for _, connection := range all {
		if connection.ID == id {
			return connection, nil
		}
	}
	return model.Connection{}, model.Errorf(model.CodeNotFound, "the account has been unlinked")
}
