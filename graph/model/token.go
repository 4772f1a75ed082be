package model

import "time"

// APIToken is a token that Almanac itself has given out. The secret is not in it, only its hash.
type APIToken struct {
	UserID UserID
	ID     UUID
	// Name is what the user calls it: "phone".
	Name string
	// SecretHash is the SHA-256 of the secret.
	SecretHash [32]byte
	Scopes     []Scope
	CreatedAt  time.Time
	// ExpiresAt and RevokedAt are zero while the token does not end.
	ExpiresAt time.Time
	RevokedAt time.Time
	// LastUsedAt is when it was used last, to the hour; zero for never.
	LastUsedAt time.Time
	// Recipients are the addresses, and domains with an @ before them, that it may send e-mail to, in lower case; empty:
	// anybody.
	Recipients []string
	// PaidPerHour bounds what it may spend.
	PaidPerHour PaidPerHour
	// UserDisabled: the user is disabled, so the token proves nobody. It is read, never written.
	UserDisabled bool
}

// PaidPerHour is how many questions to systems that cost money, Exa and models, a token may put an hour: 0 for no bound
// of its own, PaidNone for none.
type PaidPerHour = int

// PaidNone lets a token put no question that costs money.
const PaidNone PaidPerHour = -1
