package model

import "time"

// Email is a message of a Gmail mailbox. What was not asked for is empty.
type Email struct {
	Ref EmailRef
	// Thread is the remote's id of its conversation.
	Thread string
	// Account is the address of the linked account that it was read through.
	Account string
	// Date is when Gmail took it in (internalDate), in UTC.
	Date time.Time
	// Labels are the remote's ids of its labels.
	Labels []string
	// Snippet is the beginning of the text, plain: Gmail's HTML escapes are undone.
	Snippet string
	// Size is about how many bytes the whole message has.
	Size int64
	// Headers are the message's, in their order, encoded words decoded; only those that were asked for.
	Headers []EmailHeader
	// Root is the tree of parts, nil when it was not read. Contents are there only when bodies were asked for.
	Root *EmailPart
}

// EmailHeader is one header of a message.
type EmailHeader struct {
	Name, Value string
}

// EmailPart is one part of a message's MIME tree (RFC 2045), as Gmail gives it: transfer encodings undone.
type EmailPart struct {
	// ID is the part's place: "" for the root, "0", "1", "0.1".
	ID string
	// MIMEType is lower case, without parameters.
	MIMEType string
	Filename string
	Headers  []EmailHeader
	// Size is the content's length in bytes.
	Size int64
	// Content is the decoded content; nil when it was not read, or is kept as an attachment.
	Content []byte
	// Attachment says that the content is fetched by itself.
	Attachment bool
	Parts      []EmailPart
}

// EmailAddress is a mailbox address (RFC 5322, 3.4).
type EmailAddress struct {
	// Name is the display name, empty for none. It is whatever the sender wrote.
	Name string
	// Email is the address, as it was written.
	Email string
}

// EmailLabel is a label of a mailbox.
type EmailLabel struct {
	// SourceID is the remote's id: INBOX, Label_12.
	SourceID string
	// Name is what people see; of system labels it is the id.
	Name   string
	System bool
}

// EmailRef finds a message again.
type EmailRef struct {
	Connection int
	// Message is the remote's id.
	Message string
}

// ThreadRef finds a conversation again.
type ThreadRef struct {
	Connection int
	// Thread is the remote's id.
	Thread string
}

// BodyFormat is how a body is given.
type BodyFormat string

// The formats.
const (
	// BodyClean is the text that the sender wrote: without quoted history and signature.
	BodyClean BodyFormat = "CLEAN"
	// BodyText is the whole text.
	BodyText BodyFormat = "TEXT"
	// BodyHTML is the HTML without anything that acts or loads.
	BodyHTML BodyFormat = "HTML"
)

// OutboxState is how far a previewed e-mail has come.
type OutboxState string

// The states. PREVIEW, SCHEDULED and FAILED can be sent; SENT is the end.
const (
	// OutboxPreview: it is shown, and waits for somebody to send it.
	OutboxPreview OutboxState = "PREVIEW"
	// OutboxScheduled: it is sent when its time comes.
	OutboxScheduled OutboxState = "SCHEDULED"
	// OutboxSending: a send is under way, or its process has died; what came of it will be found out.
	OutboxSending OutboxState = "SENDING"
	// OutboxSent: Gmail has it.
	OutboxSent OutboxState = "SENT"
	// OutboxUnknown: Gmail could not be asked whether it has it. It is not sent again before that is known.
	OutboxUnknown OutboxState = "UNKNOWN"
	// OutboxFailed: Gmail has refused it; nothing was sent.
	OutboxFailed OutboxState = "FAILED"
)

// OutgoingEmail is an e-mail of the outbox: what is shown, and what is sent.
type OutgoingEmail struct {
	ID UUID
	// Connection is the account that it is sent from, Account its address.
	Connection UUID
	Account    string
	State      OutboxState
	// Hash is that of the message's bytes: what was shown is what is sent.
	Hash [32]byte
	// Message is what is sent (RFC 5322 with CRLF); sealed by the caller in the store.
	Message []byte
	// Shown is what the preview shows, as JSON; sealed by the caller in the store.
	Shown []byte
	// Thread is the remote's id of the conversation that it joins; empty for a new one.
	Thread    string
	CreatedAt time.Time
	// SendAt is when it is to be sent; zero when nobody has scheduled it.
	SendAt time.Time
	// ExpiresAt is from when on it cannot be sent any more.
	ExpiresAt time.Time
	// Holder and HeldUntil tell who sends it, and until when nobody else may look into it. In SCHEDULED nobody holds it,
	// and HeldUntil is when the next try is due.
	Holder    UUID
	HeldUntil time.Time
	// Draft is the remote's id of the draft that is sent; empty while there is none.
	Draft string
	// Sent is the remote's id of what was sent, SentThread that of its conversation, which is known as soon as there is a
	// draft.
	Sent, SentThread string
	SentAt           time.Time
	// Problem says why it has failed, for people; empty otherwise.
	Problem string
}

// Limits of mail.
const (
	// MaxRecipients is how many addresses one e-mail may go to unless the server is set otherwise.
	MaxRecipients = 50
	// MaxEmailSubject and MaxEmailBody are in characters.
	MaxEmailSubject = 500
	MaxEmailBody    = 200_000
	// MaxBodyChars is how much of a body is given at most.
	MaxBodyChars = 200_000
	// MaxPreviews is how many e-mails a user may have in the outbox unsent.
	MaxPreviews = 200
	// MaxSendAhead is how far ahead an e-mail may be scheduled.
	MaxSendAhead = 366 * 24 * time.Hour
	// MaxUndoSend is for how long a send may be kept back so that it can be undone.
	MaxUndoSend = 5 * time.Minute
	// MaxMarkedEmails is how many e-mails one markEmails or labelEmails changes.
	MaxMarkedEmails = 1_000
)

// MailFeed stands for an account's mailbox where its calendars stand otherwise.
const MailFeed = "@mail"

// KeepOutgoing is for how long after its end, or its sending, an e-mail of the outbox is kept.
const KeepOutgoing = 30 * 24 * time.Hour

// MaxCachedMails is how many messages are kept of one mailbox.
const MaxCachedMails = 5_000
