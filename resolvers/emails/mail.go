package emails

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/adapters/gmail"
	"almanac/graph/model"
	"almanac/projections/mail"
)

// MailReader reads the mailboxes of a linked account. Errors are *model.Error.
type MailReader interface {
	// List names messages, newest first.
	List(ctx context.Context, account model.Connection, query gmail.Query) (gmail.Listing, error)
	// Messages reads messages by the remote's id; what is not there is not in the map.
	Messages(ctx context.Context, account model.Connection, ids []string, depth gmail.Depth) (map[string]model.Email,
		error)
	// Thread reads a conversation, oldest message first. NOT_FOUND.
	Thread(ctx context.Context, account model.Connection, thread string, depth gmail.Depth) ([]model.Email, error)
}

// MailMarker changes the labels of messages.
type MailMarker interface {
	// Modify puts labels on messages and takes others off, by the remote's ids.
	Modify(ctx context.Context, account model.Connection, ids, add, remove []string) error
}

// MailLabels reads and makes the labels of a mailbox. Errors are *model.Error.
type MailLabels interface {
	// Labels returns the mailbox's labels, Gmail's own first. They may be some minutes old.
	Labels(ctx context.Context, account model.Connection) ([]model.EmailLabel, error)
	// LabelsOf is Labels for who needs those with these ids: the labels are as new as that takes.
	LabelsOf(ctx context.Context, account model.Connection, ids []string) ([]model.EmailLabel, error)
	// LabelsNow is Labels as they are now.
	LabelsNow(ctx context.Context, account model.Connection) ([]model.EmailLabel, error)
	// CreateLabel makes a label. CONFLICT when there is one of the name.
	CreateLabel(ctx context.Context, account model.Connection, name string) (model.EmailLabel, error)
}

// Outbox keeps e-mails that are shown before they are sent, and sends them once. The contract is that of outbox.Outbox.
type Outbox interface {
	Keep(ctx context.Context, user model.UserID, mail model.OutgoingEmail) (model.OutgoingEmail, error)
	Get(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error)
	List(ctx context.Context, user model.UserID, limit int, states ...model.OutboxState) ([]model.OutgoingEmail, error)
	Send(ctx context.Context, user model.UserID, id model.UUID, hash [32]byte) (model.OutgoingEmail, error)
	Scheduler
	Discard(ctx context.Context, user model.UserID, id model.UUID) error
}

// Scheduler has e-mails sent later. The contract is that of outbox.Outbox.
type Scheduler interface {
	Schedule(ctx context.Context, user model.UserID, id model.UUID, hash [32]byte,
		at time.Time) (model.OutgoingEmail, error)
	Unschedule(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error)
}

// Mail is everything that the resolvers ask of mailboxes.
type Mail struct {
	Reader MailReader
	Marker MailMarker
	Labels MailLabels
	Outbox Outbox
	// AttachmentURL returns the signed address of a part of a message.
	AttachmentURL func(user model.UserID, message model.EmailRef, part string) string
	Policy        MailPolicy
}

// MailPolicy bounds whom mail may go to.
type MailPolicy struct {
	// Allow are addresses, and domains with an @ before them, that mail may go to; empty for all.
	Allow []string
	// MaxRecipients is how many addresses one e-mail may go to.
	MaxRecipients int
}

// check is BAD_USER_INPUT for recipients that the policy does not allow.
func (p MailPolicy) check(field string, recipients []model.EmailAddress) error {
	if most := p.MaxRecipients; most > 0 && len(recipients) > most {
		return model.BadInput(field, "this goes to %d addresses; at most %d are allowed", len(recipients), most)
	}
	for _, one := range recipients {
		if !p.allows(one.Email) {
			return model.BadInput(field, "this server does not send to %s; it sends to %s only", model.Clip(one.Email),
				strings.Join(p.Allow, ", "))
		}
	}
	return nil
}

// CheckShown is BAD_USER_INPUT at field for an e-mail whose recipients the policy does not allow, by what its preview
// shows.
func (p MailPolicy) CheckShown(field string, shown []byte) error {
	var preview mail.Shown
	if err := json.Unmarshal(shown, &preview); err != nil {
		return fmt.Errorf("read what is shown: %w", err)
	}
	return p.check(field, slices.Concat(preview.To, preview.Cc, preview.Bcc))
}

func (p MailPolicy) allows(address string) bool {
	if len(p.Allow) == 0 {
		return true
	}
	domain := address[strings.LastIndexByte(address, '@')+1:]
	for _, allowed := range p.Allow {
		if strings.EqualFold(allowed, address) || strings.EqualFold(allowed, "@"+domain) {
			return true
		}
	}
	return false
}
