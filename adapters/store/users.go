package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// UserStore knows the users.
type UserStore interface {
	// EnsureUser returns the user's row, made from the given one when there is none. It writes only when it has to.
	EnsureUser(ctx context.Context, fresh model.User) (model.User, error)
	// User returns the user's row. ErrNotFound.
	User(ctx context.Context, user model.UserID) (model.User, error)
}

// UserKeeper is what the owner of a server does to its users.
type UserKeeper interface {
	// Users returns users in the order of their ids, those after one, at most limit.
	Users(ctx context.Context, after model.UserID, limit int) ([]model.User, error)
	// DisableUser sets the user's DisabledAt; the zero time enables the user again. Change: UPDATED, of type SETTINGS, so
	// that all who remember something of the user look again. ErrNotFound.
	DisableUser(ctx context.Context, user model.UserID, at time.Time) error
	// EraseUser erases every row of the user that last names, in every table that the database's own catalogue lists with
	// a column user_id, and keeps last as the one entry of the user's audit log, in one transaction. Nothing happens to
	// other users. It does not tell remote systems.
	EraseUser(ctx context.Context, last model.AuditEntry) error
	// RowsOf counts the user's rows in every such table, by the table's name; a table without any is not in the map.
	RowsOf(ctx context.Context, user model.UserID) (map[string]int, error)
}

// AuditReader reads the audit log.
type AuditReader interface {
	// Audit returns a user's entries, newest first, those after one unless it is zero, at most limit.
	Audit(ctx context.Context, user model.UserID, after model.UUID, limit int) ([]model.AuditEntry, error)
}

// AuditWriter appends to the audit log, which is no part of the change log.
type AuditWriter interface {
	// AddAudit appends an entry. It makes no row of the user's.
	AddAudit(ctx context.Context, entry model.AuditEntry) error
}
