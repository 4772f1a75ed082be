package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// WebsetHook is a webhook that was made through this server: its secret is told once, so it is kept here.
type WebsetHook struct {
	User model.UserID
	// ID is ours; the address that this server listens at has it.
	ID model.UUID
	// Remote is Exa's own id of it; empty as long as its creation was not answered.
	Remote string
	// Receives: the address is this server's own.
	Receives bool
	// Secret is a ciphertext; empty as long as its creation was not answered.
	Secret    []byte
	CreatedAt time.Time
}

// WebsetFeed is how far the events of a user's account have been read, to find those that no webhook has told.
type WebsetFeed struct {
	User model.UserID
	// Seen is the remote's time of the newest event up to which all are known.
	Seen time.Time
	// NextAt is when to look next; Failures counts looks that failed since the last good one.
	NextAt   time.Time
	Failures int
}

// MaxWebsetHooks is how many webhooks a user may keep.
const MaxWebsetHooks = 50

// WebsetEventsKept is how long the ids of events that were taken are kept: Exa returns events for 60 days.
const WebsetEventsKept = 61 * 24 * time.Hour

// WebsetHookReader reads webhooks.
type WebsetHookReader interface {
	// WebsetHook returns one. ErrNotFound.
	WebsetHook(ctx context.Context, user model.UserID, id model.UUID) (WebsetHook, error)
	// WebsetHooks returns all of a user, the oldest first.
	WebsetHooks(ctx context.Context, user model.UserID) ([]WebsetHook, error)
}

// WebsetHookWriter writes them within a transaction.
type WebsetHookWriter interface {
	// SaveWebsetHook inserts or replaces one; User is not looked at. The first one that receives begins the user's feed,
	// with Seen and NextAt at its CreatedAt. ErrConflict beyond MaxWebsetHooks.
	SaveWebsetHook(ctx context.Context, hook WebsetHook) error
	// DeleteWebsetHook erases one; the last one that receives takes the feed with it. ErrNotFound.
	DeleteWebsetHook(ctx context.Context, id model.UUID) error
	// TakeWebsetEvents remembers that events, by the remote's ids, have been told, and returns those that had not been, in
	// the order given, each once. They are kept for WebsetEventsKept after at.
	TakeWebsetEvents(ctx context.Context, events []string, at time.Time) (fresh []string, err error)
}

// WebsetFeeds finds feeds that are due, of all users.
type WebsetFeeds interface {
	// DueWebsetFeeds returns feeds that are due at now, the longest waiting first, at most limit, and moves their NextAt
	// to until, so that no other process takes them before. Two processes never get the same one at the same time.
	DueWebsetFeeds(ctx context.Context, now, until time.Time, limit int) ([]WebsetFeed, error)
	// SaveWebsetFeed says how far a feed was read, and when to look next. Seen never goes back. ErrNotFound when the user
	// has none any more.
	SaveWebsetFeed(ctx context.Context, feed WebsetFeed) error
}
