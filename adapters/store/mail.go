package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// MailDepth is how much of a message is kept: each depth holds what the ones before it hold.
type MailDepth int

// The depths, as Gmail's formats and masks have them
// (https://developers.google.com/workspace/gmail/api/reference/rest/v1/Format).
const (
	// MailMinimal: thread, date, snippet, size.
	MailMinimal MailDepth = 1 + iota
	// MailHeaders: the headers that Almanac knows of.
	MailHeaders
	// MailStructure: the tree of parts, without contents.
	MailStructure
	// MailFull: the contents of text parts.
	MailFull
)

// CachedMail is what is kept of a message so that it need not be read again.
type CachedMail struct {
	// ID is the remote's.
	ID    string
	Depth MailDepth
	// Labels are the remote's label ids, sorted, as of the mailbox's history number (see Mailbox); Stale when they are not
	// known any more.
	Labels []string
	Stale  bool
	// Sealed is everything that never changes, encrypted by the caller.
	Sealed []byte
	// UsedAt is when it was last asked for; what was not asked for longest goes first.
	UsedAt time.Time
}

// Mailbox is how far the cache of one connection follows its mailbox.
type Mailbox struct {
	// History is the remote's history number up to which labels are known; empty before the first look.
	History string
	// CheckedAt is when the remote last said so.
	CheckedAt time.Time
}

// MailChange is what a look at the history says of one message.
type MailChange struct {
	ID string
	// Labels are those that it has now; nil with Gone.
	Labels []string
	Gone   bool
}

// MailCache keeps parts of messages, per connection. It is not part of the change log, goes with the connection, and
// may forget anything at any time.
type MailCache interface {
	// Mailbox returns how far the cache of a connection goes; the zero Mailbox when it has none.
	Mailbox(ctx context.Context, user model.UserID, connection model.UUID) (Mailbox, error)
	// CachedMails returns what is kept of the messages, by id, and marks them as used at now when they were last used more
	// than an hour before.
	CachedMails(ctx context.Context, user model.UserID, connection model.UUID, ids []string,
		now time.Time) (map[string]CachedMail, error)
	// SaveMails keeps messages. What is there at a greater depth keeps depth and content, and takes the labels. Labels
	// count as of history; when the mailbox has gone on meanwhile they are kept as stale. Beyond model.MaxCachedMails of a
	// connection those go that were not used for longest. ErrNotFound when the connection is gone.
	SaveMails(ctx context.Context, user model.UserID, connection model.UUID, history string, mails []CachedMail) error
	// AdvanceMailbox applies what a look at the history from one number to another says: labels of messages that are kept,
	// and which are gone. It does nothing, and tells false, when the mailbox is not at from any more. An empty from begins
	// anew: whatever is kept becomes stale.
	AdvanceMailbox(ctx context.Context, user model.UserID, connection model.UUID, from string, to Mailbox,
		changes []MailChange) (bool, error)
}

// OutboxReader reads e-mails that wait to be sent, and what became of them.
type OutboxReader interface {
	// Outgoing returns one. ErrNotFound.
	Outgoing(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error)
	// AllOutgoing returns up to limit of those in one of the states, newest first, without Message; no state is any.
	AllOutgoing(ctx context.Context, user model.UserID, limit int, states ...model.OutboxState) ([]model.OutgoingEmail,
		error)
}

// OutboxKeeper finds what a dead process has left behind.
type OutboxKeeper interface {
	// HeldOutgoing returns up to limit e-mails of any users that are SCHEDULED, SENDING or UNKNOWN and whose HeldUntil is
	// not after now, those due longest first.
	HeldOutgoing(ctx context.Context, now time.Time, limit int) ([]OutgoingOf, error)
}

// OutgoingOf names an e-mail of the outbox of some user.
type OutgoingOf struct {
	User model.UserID
	ID   model.UUID
}

// OutboxWriter writes them. The outbox is not part of the change log.
type OutboxWriter interface {
	// InsertOutgoing adds one; ErrConflict when the id is taken, and beyond model.MaxPreviews that are PREVIEW, FAILED or
	// SCHEDULED and not expired at its CreatedAt; ErrNotFound when the connection is gone.
	InsertOutgoing(ctx context.Context, mail model.OutgoingEmail) error
	// UpdateOutgoing replaces State, SendAt, ExpiresAt, Holder, HeldUntil, Draft, Sent, SentThread, SentAt and Problem of
	// one that is in one
	// of the states from; ErrConflict when it is in another, ErrNotFound when it is gone.
	UpdateOutgoing(ctx context.Context, mail model.OutgoingEmail, from ...model.OutboxState) error
	// DeleteOutgoing erases one that is in one of the states from; ErrConflict when it is in another, ErrNotFound when it
	// is gone.
	DeleteOutgoing(ctx context.Context, id model.UUID, from ...model.OutboxState) error
}
