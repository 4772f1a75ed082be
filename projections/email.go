package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
	"almanac/projections/mail"
)

// MailMoment is a moment with what e-mails need beside it.
type MailMoment struct {
	*Moment
	// LabelName returns a label's name by the account and the remote's id of it.
	LabelName func(account, id string) string
	// AttachmentURL returns the signed address of an attachment.
	AttachmentURL func(message model.EmailRef, attachment mail.Attachment) string
}

// Email is an e-mail as seen at a moment.
type Email struct {
	node[model.Email]
	mail *MailMoment
}

// EmailAt returns the e-mail's view.
func EmailAt(record model.Email, at *MailMoment) Email { return Email{nodeAt(record, at.Moment), at} }

// EmailsAt returns the e-mails' views; never nil.
func EmailsAt(records []model.Email, at *MailMoment) []Email {
	views := make([]Email, len(records))
	for i := range records {
		views[i] = EmailAt(records[i], at)
	}
	return views
}

// ID is the public id.
func (e Email) ID() model.ID { return e.record.Ref.ID() }

// SourceID is the remote's own id.
func (e Email) SourceID() string { return e.record.Ref.Message }

// ThreadID is the public id of its conversation.
func (e Email) ThreadID() model.ID {
	return model.ThreadRef{Connection: e.record.Ref.Connection, Thread: e.record.Thread}.ID()
}

// Account is the linked account that it was read through.
func (e Email) Account() string { return e.record.Account }

// From is who it says it is from, nil when it does not say.
func (e Email) From() *EmailAddress {
	if from := e.addresses("From"); len(from) > 0 {
		return &from[0]
	}
	return nil
}

// To is to whom it was sent.
func (e Email) To() []EmailAddress { return e.addresses("To") }

// Cc is who was sent a copy.
func (e Email) Cc() []EmailAddress { return e.addresses("Cc") }

// Bcc is who was sent a copy without the others seeing it.
func (e Email) Bcc() []EmailAddress { return e.addresses("Bcc") }

// ReplyTo is where replies are asked for, when it is not the sender.
func (e Email) ReplyTo() []EmailAddress { return e.addresses("Reply-To") }

func (e Email) addresses(header string) []EmailAddress {
	return AddressViews(mail.Addresses(mail.Header(e.record.Headers, header)))
}

// Subject is the subject.
func (e Email) Subject() string { return mail.Header(e.record.Headers, "Subject") }

// Snippet is the beginning of the text.
func (e Email) Snippet() string { return e.record.Snippet }

// Date is when Gmail took it in.
func (e Email) Date() model.DateTime { return e.at.DateTime(e.record.Date) }

// DateFormatted is the date for people.
func (e Email) DateFormatted(locale, timeZone *string) (string, error) {
	return e.at.formatted(e.record.Date, locale, timeZone)
}

// Labels are the names of its labels; never nil.
func (e Email) Labels() []string {
	names := make([]string, len(e.record.Labels))
	for i, id := range e.record.Labels {
		names[i] = e.mail.LabelName(e.record.Account, id)
	}
	return names
}

// Unread reports whether it is unread.
func (e Email) Unread() bool { return e.has("UNREAD") }

// Starred reports whether it has a star.
func (e Email) Starred() bool { return e.has("STARRED") }

func (e Email) has(label string) bool {
	for _, id := range e.record.Labels {
		if id == label {
			return true
		}
	}
	return false
}

// MessageID is the RFC 5322 Message-ID, nil when it has none.
func (e Email) MessageID() *string { return optional(mail.Header(e.record.Headers, "Message-ID")) }

// SizeEstimate is about how many bytes it has.
func (e Email) SizeEstimate() int { return int(e.record.Size) }

// Headers are the values of the headers named, in their order.
func (e Email) Headers(names []string) ([]model.EmailHeader, error) {
	return mail.Select(e.record.Headers, names)
}

// Body is what it says.
func (e Email) Body(format *model.BodyFormat, maxChars *int32) (*EmailBody, error) {
	want, most := model.BodyClean, 20_000
	if format != nil {
		want = *format
	}
	if maxChars != nil {
		most = int(*maxChars)
	}
	if most < 1 || most > model.MaxBodyChars {
		return nil, model.BadInput("maxChars", "maxChars is %d; it must be from 1 to %d", most, model.MaxBodyChars)
	}
	text, truncated, total := mail.Body(e.record.Root, want, most)
	return &EmailBody{Text: text, Truncated: truncated, TotalChars: total, Format: want}, nil
}

// Attachments are the files that hang on it; never nil.
func (e Email) Attachments() []EmailAttachment {
	files := mail.Attachments(e.record.Root)
	views := make([]EmailAttachment, len(files))
	for i, file := range files {
		views[i] = EmailAttachment{file: file, message: e.record.Ref, at: e.mail}
	}
	return views
}

// ItemContext are its flags.
func (e Email) ItemContext() EmailItemContext { return EmailItemContext{} }

// Row is the e-mail for compact text: with at most so many characters of its body where that was read, or with its
// snippet.
func (e Email) Row(body int) compact.Email {
	row := compact.Email{
		ID: e.ID().String(), Subject: e.Subject(), Date: rowTime(e.at.OptionalDateTime(e.record.Date)), Snippet: e.Snippet(),
		Unread: e.Unread(), Attachments: []compact.Attachment{},
	}
	if from := e.From(); from != nil {
		address := compact.Address(*from)
		row.From = &address
	}
	if e.record.Root == nil || body <= 0 {
		return row
	}
	for _, file := range mail.Attachments(e.record.Root) {
		switch {
		case file.Inline:
		case file.Filename == "":
			row.Attachments = append(row.Attachments, compact.Attachment{Filename: file.MIMEType})
		default:
			row.Attachments = append(row.Attachments, compact.Attachment{Filename: file.Filename})
		}
	}
	if text, _, _ := mail.Body(e.record.Root, model.BodyClean, min(body, model.MaxBodyChars)); text != "" {
		row.Body = &compact.Body{Text: text}
	}
	return row
}

// EmailAddress is a mailbox address.
type EmailAddress struct {
	Name  *string
	Email string
}

// AddressViews returns the addresses' views; never nil.
func AddressViews(addresses []model.EmailAddress) []EmailAddress {
	views := make([]EmailAddress, len(addresses))
	for i, a := range addresses {
		views[i] = EmailAddress{Name: optional(a.Name), Email: a.Email}
	}
	return views
}

// EmailBody is what an e-mail says.
type EmailBody struct {
	Text       string
	Truncated  bool
	TotalChars int
	Format     model.BodyFormat
}

// EmailAttachment is a file that hangs on an e-mail.
type EmailAttachment struct {
	file    mail.Attachment
	message model.EmailRef
	at      *MailMoment
}

// PartID is its place in the e-mail.
func (a EmailAttachment) PartID() string { return a.file.PartID }

// Filename is its name.
func (a EmailAttachment) Filename() string { return a.file.Filename }

// MimeType is what the sender says it is.
func (a EmailAttachment) MimeType() string { return a.file.MIMEType }

// Size is its size in bytes.
func (a EmailAttachment) Size() int { return int(a.file.Size) }

// Inline reports whether the HTML shows it inside of itself.
func (a EmailAttachment) Inline() bool { return a.file.Inline }

// ContentID is how the HTML names it, nil when it does not.
func (a EmailAttachment) ContentID() *string { return optional(a.file.ContentID) }

// URL is where to download it.
func (a EmailAttachment) URL() string { return a.at.AttachmentURL(a.message, a.file) }

// EmailItemContext are the flags of one e-mail.
type EmailItemContext struct {
	IsPreview bool
}

// EmailContext is the response context of the seed, for e-mails.
type EmailContext struct {
	answered
	IsListing bool
	IsEmpty   bool
	IsPreview bool
	// AsOf is since when labels of what is listed may have changed unseen; nil where nothing was listed.
	AsOf  *model.DateTime
	noted []EmailNote
}

// Notes are the accounts whose labels are as they were; never nil.
func (c EmailContext) Notes() []EmailNote { return append([]EmailNote{}, c.noted...) }

// EmailNote is something to know beside e-mails.
type EmailNote struct {
	Code             model.ErrorCode
	Message, Account string
	// RetryAfterMs is in milliseconds; nil when Gmail does not say it.
	RetryAfterMs *int32
}

// EmailLabel is a label of a mailbox.
type EmailLabel struct {
	SourceID string
	Account  string
	Name     string
	System   bool
}

// EmailArrival is an e-mail that has arrived.
type EmailArrival struct {
	Change
	Email *Email
}

// ID is the id of this change.
func (c EmailArrival) ID() model.ID { return c.idAs(model.FormArrival) }
