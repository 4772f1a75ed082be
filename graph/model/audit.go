package model

import "time"

// AuditEntry is one entry of the audit log. It has no texts of the user's.
type AuditEntry struct {
	UserID UserID
	ID     UUID
	At     time.Time
	// Kind is a mutation's name ("deleteTask"), or one of the Audit constants.
	Kind string
	// Outcome is AuditOK or the code of the error.
	Outcome string
	Source  ActionSource
	// Token is the name of the API token, Client what the client calls itself, and Address the network address that the
	// request came from; empty where they are not known.
	Token, Client, Address string
	// ForgetAt is when the entry is forgotten.
	ForgetAt time.Time
}

// AuditOK is the outcome of what was done.
const AuditOK = "OK"

// What happens to users beside mutations.
const (
	AuditUserAdded    = "USER_ADDED"
	AuditUserDisabled = "USER_DISABLED"
	AuditUserEnabled  = "USER_ENABLED"
	// AuditUserDeleted is of the entry that stays of a user who was deleted.
	AuditUserDeleted = "USER_DELETED"
	// AuditTokenMade and AuditTokenRevoked are of tokens that the owner's commands made and revoked.
	AuditTokenMade    = "TOKEN_MADE"
	AuditTokenRevoked = "TOKEN_REVOKED"
	// AuditRefused is of a request that was refused for what its token does not allow, or because the user is disabled.
	AuditRefused = "REFUSED"
)

// AuditKept is how long entries are kept unless the server's settings say otherwise.
const AuditKept = 365 * 24 * time.Hour

// Audit returns the entry of the audit log about a user's action.
func (a *Action) Audit(user UserID) AuditEntry {
	return AuditEntry{UserID: user, ID: a.ID, At: a.At, Kind: a.Kind, Outcome: AuditOK, Source: a.Source, Token: a.Token,
		Client: a.Client, Address: a.Address, ForgetAt: a.AuditUntil}
}
