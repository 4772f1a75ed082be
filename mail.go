package main

import (
	"context"

	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/mailfiles"
	"almanac/internal/outbox"
	"almanac/resolvers/emails"
)

// mailRoom is everything of this process that has to do with mailboxes.
type mailRoom struct {
	client *gmail.Client
	outbox *outbox.Outbox
	files  *mailfiles.Files
	policy emails.MailPolicy
}

// newMailRoom furnishes the room. It asks Google through the clients that calendars are read with: limits, breakers and
// tokens of an account are shared.
func newMailRoom(parts googleParts, clients *google.Clients,
	status func(model.Connection) model.ConnectionStatus) *mailRoom {
	client := &gmail.Client{Google: clients, Cache: parts.store, Box: parts.box, Now: parts.clock.Now}
	return &mailRoom{
		client: client,
		outbox: &outbox.Outbox{Store: parts.store, Mail: client, Box: parts.box, Now: parts.clock.Now, NewID: parts.ids.New,
			Logger: parts.log},
		files: mailfiles.New(mailfiles.Files{
			Mail: client, Accounts: parts.store, Status: status, Box: parts.box, Base: parts.base, Now: parts.clock.Now,
			Logger: parts.log,
		}),
		policy: emails.MailPolicy{Allow: parts.settings.MailAllow, MaxRecipients: parts.settings.MailMaxRecipients},
	}
}

// run finds out what has become of e-mails that were left behind, until the context is done.
func (m *mailRoom) run(ctx context.Context) error { return m.outbox.Run(ctx) }

// wired gives the resolvers their views of the room.
func (m *mailRoom) wired() emails.Mail {
	return emails.Mail{Reader: m.client, Marker: m.client, Labels: m.client, Outbox: m.outbox,
		AttachmentURL: m.files.URL, Policy: m.policy}
}
