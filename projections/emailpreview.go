package projections

import (
	"encoding/hex"

	"almanac/graph/model"
	"almanac/projections/compact"
	"almanac/projections/mail"
)

// EmailPreview is an e-mail of the outbox as seen at a moment.
type EmailPreview struct {
	node[model.OutgoingEmail]
	shown mail.Shown
	// connection is the number of the account that it is sent from.
	connection int
}

// EmailPreviewAt returns the view of an e-mail of the outbox; shown is what its Shown says, connection the number of
// its account.
func EmailPreviewAt(record model.OutgoingEmail, shown mail.Shown, connection int, at *Moment) EmailPreview {
	return EmailPreview{nodeAt(record, at), shown, connection}
}

// ID is the public id.
func (p EmailPreview) ID() model.ID { return model.ID{Kind: model.KindPreview, UUID: p.record.ID} }

// Hash is that of the message's bytes.
func (p EmailPreview) Hash() string { return hex.EncodeToString(p.record.Hash[:]) }

// State is how far it has come.
func (p EmailPreview) State() model.OutboxState { return p.record.State }

// Account is the linked account that it is sent from.
func (p EmailPreview) Account() string { return p.record.Account }

// From is who it is from.
func (p EmailPreview) From() EmailAddress {
	return EmailAddress{Name: optional(p.shown.From.Name), Email: p.shown.From.Email}
}

// To is to whom it goes.
func (p EmailPreview) To() []EmailAddress { return AddressViews(p.shown.To) }

// Cc is who gets a copy.
func (p EmailPreview) Cc() []EmailAddress { return AddressViews(p.shown.Cc) }

// Bcc is who gets a copy without the others seeing it.
func (p EmailPreview) Bcc() []EmailAddress { return AddressViews(p.shown.Bcc) }

// Subject is the subject.
func (p EmailPreview) Subject() string { return p.shown.Subject }

// Body is the text.
func (p EmailPreview) Body() string { return p.shown.Body }

// HTML is the HTML, nil when there is only text.
func (p EmailPreview) HTML() *string { return optional(p.shown.HTML) }

// ThreadID is the conversation that it joins, nil for a new one.
func (p EmailPreview) ThreadID() *model.ID {
	if p.record.Thread == "" {
		return nil
	}
	id := model.ThreadRef{Connection: p.connection, Thread: p.record.Thread}.ID()
	return &id
}

// InReplyTo is the Message-ID of the e-mail that it answers, nil when it answers none.
func (p EmailPreview) InReplyTo() *string { return optional(p.shown.InReplyTo) }

// References are the Message-IDs of the conversation so far; never nil.
func (p EmailPreview) References() []string { return present(p.shown.References) }

// Raw is the whole message.
func (p EmailPreview) Raw() string { return string(p.record.Message) }

// CreatedAt is when it was made.
func (p EmailPreview) CreatedAt() model.DateTime { return p.at.DateTime(p.record.CreatedAt) }

// SendAt is when it is to be sent, nil when it was not scheduled.
func (p EmailPreview) SendAt() model.OptionalDateTime { return p.at.OptionalDateTime(p.record.SendAt) }

// ExpiresAt is from when on it cannot be sent any more.
func (p EmailPreview) ExpiresAt() model.DateTime { return p.at.DateTime(p.record.ExpiresAt) }

// SentAt is when it was sent, nil while it was not.
func (p EmailPreview) SentAt() model.OptionalDateTime { return p.at.OptionalDateTime(p.record.SentAt) }

// Problem is why it has failed, nil when it has not.
func (p EmailPreview) Problem() *string { return optional(p.record.Problem) }

// ItemContext are its flags.
func (p EmailPreview) ItemContext() EmailItemContext {
	return EmailItemContext{IsPreview: p.record.State != model.OutboxSent}
}

// Row is the preview for compact text.
func (p EmailPreview) Row() compact.Preview {
	return compact.Preview{
		ID: p.ID().String(), Hash: p.Hash(), State: string(p.record.State), To: rowAddresses(p.To()),
		Cc:      rowAddresses(p.Cc()),
		Bcc:     rowAddresses(p.Bcc()),
		Subject: p.Subject(), Body: p.Body(), SendAt: rowTime(p.SendAt()),
		ExpiresAt: rowTime(p.at.OptionalDateTime(p.record.ExpiresAt)),
		Problem:   p.Problem(),
	}
}

func rowAddresses(views []EmailAddress) []compact.Address {
	out := make([]compact.Address, len(views))
	for i, view := range views {
		out[i] = compact.Address(view)
	}
	return out
}
