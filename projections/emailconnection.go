package projections

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/mail"
)

// EmailEdge is an e-mail in a page.
type EmailEdge = Edge[Email]

// EmailConnection is a page of e-mails.
type EmailConnection struct {
	Page[Email]
	// Counted is the number of all; nil when there are too many to count, or nobody asked.
	Counted *int
	At      *MailMoment
	// AsOf is since when labels may have changed unseen, and Noted the accounts whose are as they were.
	AsOf  *model.DateTime
	Noted []EmailNote
}

// TotalCount is the number of all, nil when there are too many.
func (c *EmailConnection) TotalCount() *int { return c.Counted }

// IsEmpty reports whether the filter finds no e-mail at all.
func (c *EmailConnection) IsEmpty() bool { return len(c.Items) == 0 && !c.HasPrevious }

// Context is the response context of a listing.
func (c *EmailConnection) Context() EmailContext {
	return EmailContext{IsListing: true, IsEmpty: c.IsEmpty(), AsOf: c.AsOf, noted: c.Noted}
}

// EmailThread is a conversation as seen at a moment.
type EmailThread struct {
	Ref     model.ThreadRef
	Mailbox string
	// Items are its e-mails, oldest first.
	Items []Email
	Count int
	At    *MailMoment
}

// IsNode marks a conversation as a Node.
func (EmailThread) IsNode() {}

// ID is the public id.
func (t EmailThread) ID() model.ID { return t.Ref.ID() }

// SourceID is the remote's own id.
func (t EmailThread) SourceID() string { return t.Ref.Thread }

// Account is the linked account that it was read through.
func (t EmailThread) Account() string { return t.Mailbox }

// Subject is that of its first e-mail.
func (t EmailThread) Subject() string {
	if len(t.Items) == 0 {
		return ""
	}
	return t.Items[0].Subject()
}

// Emails are its e-mails, oldest first; never nil.
func (t EmailThread) Emails() []Email { return present(t.Items) }

// TotalCount is how many e-mails it has.
func (t EmailThread) TotalCount() int { return t.Count }

// Participants is everybody in From, To and Cc, in order of appearance, each once.
func (t EmailThread) Participants() []EmailAddress {
	var all []model.EmailAddress
	for _, e := range t.Items {
		for _, header := range [...]string{"From", "To", "Cc"} {
			all = append(all, mail.Addresses(mail.Header(e.record.Headers, header))...)
		}
	}
	return AddressViews(mail.Distinct(all))
}

// Unread reports whether any of it is unread.
func (t EmailThread) Unread() bool {
	for _, e := range t.Items {
		if e.Unread() {
			return true
		}
	}
	return false
}

// LastDate is when the last e-mail was taken in.
func (t EmailThread) LastDate() model.DateTime {
	var last time.Time
	for _, e := range t.Items {
		if e.record.Date.After(last) {
			last = e.record.Date
		}
	}
	return t.At.DateTime(last)
}
