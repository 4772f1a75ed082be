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
}
