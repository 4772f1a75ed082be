// Package outbox keeps e-mails that were previewed and sends them when they are wanted, exactly as they were shown, and
// once.
//
// It promises that no crash, repetition, lost answer or second process makes two e-mails of one: what is sent is a
// draft that Gmail consumes, and its id is written down before it is sent. Where it cannot be known whether an e-mail
// was sent, that is said, and it is not sent again before it is known. What waits is kept encrypted, and whoever sends
// must name the hash of what was shown.
//
// The way of an e-mail:
//
//	PREVIEW, SCHEDULED or FAILED → SENDING (taken, with a lease) → draft made → its id written down → draft sent → SENT
//
// A draft is sent only by the call that made it. Whoever comes later, because the lease has ended or nothing is known,
// takes it out of Gmail first: then no request that is still under way can send it, nor what somebody has made of it
// among their drafts. If it was there, the e-mail begins anew; if it is gone and what was sent of it stands in the
// conversation, the e-mail is SENT; neither, then it is UNKNOWN until the preview's end, and FAILED after that. A draft
// whose id was never written down is sent by nobody.
//
// What is SCHEDULED is taken when its time comes, by whichever process looks first; until then it can be taken back.
// Where Gmail cannot be asked then, it is tried again until the preview's end, which is Life after that time.
package outbox

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// Life is for how long a preview can be sent.
const Life = 24 * time.Hour

// Lease is for how long whoever sends an e-mail has it for itself: longer than its calls to Gmail may take together.
const Lease = 90 * time.Second

// Store is what the outbox needs of one; the contracts are those of package store.
type Store interface {
	store.OutboxReader
	store.OutboxKeeper
	Connections(ctx context.Context, user model.UserID) ([]model.Connection, error)
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Mailer is what the outbox needs of the remote; the contract is that of gmail.Client.
type Mailer interface {
	CreateDraft(ctx context.Context, connection model.Connection, mail gmail.Outgoing) (gmail.Draft, error)
	SendDraft(ctx context.Context, connection model.Connection, draft string) (gmail.Sent, error)
	DraftState(ctx context.Context, connection model.Connection, draft string) (gmail.DraftState, error)
	DeleteDraft(ctx context.Context, connection model.Connection, draft string) error
	// Thread reads a conversation past anything that was kept of it.
	Thread(ctx context.Context, connection model.Connection, thread string, depth gmail.Depth) ([]model.Email, error)
}

// Outbox keeps and sends. Its fields are set before it is used; then it is safe for goroutines.
type Outbox struct {
	Store  Store
	Mail   Mailer
	Box    *seal.Box
	Now    func() time.Time
	NewID  func() model.UUID
	Logger *slog.Logger
	// Allowed refuses a scheduled e-mail, by what it shows, that the server's policy does not let be sent any more; nil
	// allows all.
	Allowed func(shown []byte) error

	alarms alarms
}

// The columns that ciphertexts are bound to.
const (
	columnMessage = "outbox.message"
	columnShown   = "outbox.shown"
)

// Keep puts an e-mail into the outbox: Connection, Account, Message, Shown and Thread of what is given, and its ID, if
// it has one. It returns it with id, hash and times; what an earlier try has put there under the same ID is given as it
// is. CONFLICT when too much waits there already; NOT_FOUND when the account was unlinked.
func (o *Outbox) Keep(ctx context.Context, user model.UserID, mail model.OutgoingEmail) (model.OutgoingEmail, error) {
	if mail.ID == nobody {
		mail.ID = o.NewID()
	} else if there, err := o.Get(ctx, user, mail.ID); model.CodeOf(err) != model.CodeNotFound {
		return there, err
	}
	mail.State, mail.CreatedAt = model.OutboxPreview, o.Now().UTC()
	mail.ExpiresAt, mail.Hash = mail.CreatedAt.Add(Life), sha256.Sum256(mail.Message)
	sealed := mail
	sealed.Message = o.Box.Seal(seal.Place{User: user, Row: mail.ID, Column: columnMessage}, mail.Message)
	sealed.Shown = o.Box.Seal(seal.Place{User: user, Row: mail.ID, Column: columnShown}, mail.Shown)
	err := o.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error { return tx.InsertOutgoing(ctx, sealed) })
	switch {
	case errors.Is(err, store.ErrConflict):
		if there, err := o.Get(ctx, user, mail.ID); err == nil {
			return there, nil // by another try at the same time
		}
		return model.OutgoingEmail{}, model.Errorf(model.CodeConflict,
			"%d previews wait to be sent already; send or discard some of them first", model.MaxPreviews)
	case errors.Is(err, store.ErrNotFound):
		return model.OutgoingEmail{}, model.Errorf(model.CodeNotFound, "the account has been unlinked")
	case err != nil:
		return model.OutgoingEmail{}, err
	}
	return mail, nil
}

// Get returns an e-mail of the outbox, opened. NOT_FOUND.
func (o *Outbox) Get(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error) {
	mail, err := o.Store.Outgoing(ctx, user, id)
	if errors.Is(err, store.ErrNotFound) {
		return model.OutgoingEmail{}, notFound(id)
	}
	if err != nil {
		return model.OutgoingEmail{}, err
	}
	return o.open(user, mail)
}

// List returns the newest e-mails of the outbox in one of the states, or in any when none is given, opened, without
// Message.
func (o *Outbox) List(ctx context.Context, user model.UserID, limit int,
	states ...model.OutboxState) ([]model.OutgoingEmail, error) {
	mails, err := o.Store.AllOutgoing(ctx, user, limit, states...)
	if err != nil {
		return nil, err
	}
	for i := range mails {
		if mails[i], err = o.open(user, mails[i]); err != nil {
			return nil, err
		}
	}
	return mails, nil
}

// Discard throws an e-mail away that was not sent, so that it never is. NOT_FOUND; CONFLICT when it was sent, or may
// have been, or somebody is at work on it; the remote's errors where it has a draft of it that cannot be deleted, and
// then it stays.
func (o *Outbox) Discard(ctx context.Context, user model.UserID, id model.UUID) error {
	held, err := o.takeAway(ctx, user, id)
	if err != nil || held.Holder == nobody {
		return err
	}
	var came fate
	connection, err := o.connection(ctx, user, held.Connection)
	if err == nil {
		came, err = o.withdraw(ctx, connection, held)
	}
	if err != nil {
		_, failed := o.end(ctx, user, held, held.State)
		return errors.Join(err, failed)
	}
	if came.what != unsent {
		if _, err := o.settled(ctx, user, held, came); err != nil {
			return err
		}
		return errMaybeSent()
	}
	ctx, cancel := aside(ctx)
	defer cancel()
	return o.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		now, err := tx.Outgoing(ctx, user, id)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err == nil && now.Holder != held.Holder {
			err = errBusy()
		}
		if err != nil {
			return err
		}
		return tx.DeleteOutgoing(ctx, id, held.State)
	})
}

func errMaybeSent() error {
	return model.Errorf(model.CodeConflict, "this e-mail was sent, or may have been; it cannot be discarded any more")
}

// takeAway deletes an e-mail of which Gmail has no draft. One of which it has is held, and given, so that nobody sends
// it meanwhile.
func (o *Outbox) takeAway(ctx context.Context, user model.UserID, id model.UUID) (held model.OutgoingEmail, err error) {
	err = o.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		found, err := tx.Outgoing(ctx, user, id)
		if errors.Is(err, store.ErrNotFound) {
			return notFound(id)
		}
		if err != nil {
			return err
		}
		now := o.Now().UTC()
		switch {
		case !unsentIn(found.State):
			return errMaybeSent()
		case busy(found, now):
			return errBusy()
		case found.Draft == "":
			return tx.DeleteOutgoing(ctx, id, found.State)
		}
		if held, err = o.open(user, found); err != nil {
			return err
		}
		held.Holder, held.HeldUntil = o.NewID(), now.Add(Lease)
		return tx.UpdateOutgoing(ctx, held, found.State)
	})
	if err != nil {
		return model.OutgoingEmail{}, err
	}
	return held, nil
}

func (o *Outbox) open(user model.UserID, mail model.OutgoingEmail) (model.OutgoingEmail, error) {
	var err error
	if mail.Shown, err = o.Box.Open(seal.Place{User: user, Row: mail.ID, Column: columnShown}, mail.Shown); err != nil {
		return model.OutgoingEmail{}, fmt.Errorf("outbox: open what is shown: %w", err)
	}
	if mail.Message == nil {
		return mail, nil
	}
	if mail.Message, err = o.Box.Open(seal.Place{User: user, Row: mail.ID, Column: columnMessage},
		mail.Message); err != nil {
		return model.OutgoingEmail{}, fmt.Errorf("outbox: open a message: %w", err)
	}
	if hash := sha256.Sum256(mail.Message); subtle.ConstantTimeCompare(hash[:], mail.Hash[:]) != 1 {
		return model.OutgoingEmail{}, errors.New("outbox: a message is not the one that was shown")
	}
	return mail, nil
}

func notFound(id model.UUID) error {
	return model.Errorf(model.CodeNotFound, "you have no preview %s", model.ID{Kind: model.KindPreview, UUID: id})
}
