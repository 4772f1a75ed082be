package store

import (
	"context"
	"time"
)

// Restorer tells a database that it was put back from a backup, which what has read its change log does not know.
type Restorer interface {
	// MarkRestored moves every user's change log on, so that a place that was given out after the backup is
	// ErrCursorExpired and is never taken for one that is given out from now on, and holds what is due: see Held. It is
	// called before anybody uses the database.
	MarkRestored(ctx context.Context, at time.Time) error
	// Held returns when the database was restored, as long as what is due waits for its owner: it may have been done after
	// the backup. Zero when nothing is held.
	Held(ctx context.Context) (since time.Time, err error)
	// EndHold ends holding what is due.
	EndHold(ctx context.Context) error
}

// LogSpan is how many numbers of a change log lie between two restored backups: MarkRestored moves a log to the next
// multiple of it, so that places of different spans were given out by different histories of the database.
const LogSpan = 1 << 32

// HeldSecret is the name under which both drivers keep, beside their secrets, when the database was restored.
const HeldSecret = "held"
