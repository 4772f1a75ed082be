package app

import (
	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/mailfiles"
	"almanac/internal/outbox"
	"almanac/resolvers/emails"
)

// mailIntegration is how mailboxes are read and written.
type mailIntegration struct {
	client *gmail.Client
	outbox *outbox.Outbox
	files  *mailfiles.Files
	policy emails.MailPolicy
}

// newMail asks Google through the clients that calendars are read with: limits, breakers and tokens of an account are
// shared.
func (s *Server) newMail(clients *google.Clients,
	status func(model.Connection) model.ConnectionStatus) *mailIntegration {
	client := &gmail.Client{Google: clients, Cache: s.store, Box: s.box, Now: s.clock.Now}
	policy := emails.MailPolicy{Allow: s.settings.MailAllow, MaxRecipients: s.settings.MailMaxRecipients}
	mail := &mailIntegration{
		client: client, policy: policy,
		outbox: &outbox.Outbox{Store: s.store, Mail: client, Box: s.box, Now: s.clock.Now, NewID: s.ids.New, Logger: s.log,
			Allowed: func(shown []byte) error { return policy.CheckShown("", shown) }},
		files: mailfiles.New(mailfiles.Files{
			Mail: client, Accounts: s.store, Status: status, Box: s.box, Base: s.base, Now: s.clock.Now, Logger: s.log,
		}),
	}
	s.pages[mailfiles.Path] = mail.files
	s.workers = append(s.workers, mail.outbox.Run)
	return mail
}

// forResolvers is the mailboxes as the resolvers see them.
func (m *mailIntegration) forResolvers() emails.Mail {
	return emails.Mail{Reader: m.client, Marker: m.client, Labels: m.client, Outbox: m.outbox,
		AttachmentURL: m.files.URL, Policy: m.policy}
}
