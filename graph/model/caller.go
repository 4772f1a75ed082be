package model

import "time"

// Scope is what a caller's token allows.
type Scope string

// READ allows queries and subscriptions, WRITE allows mutations, SEND allows actions with effects on other people
// (mail).
const (
	ScopeRead  Scope = "READ"
	ScopeWrite Scope = "WRITE"
	ScopeSend  Scope = "SEND"
)

// Caller is who a request comes from, as proved by its token and by nothing else.
type Caller struct {
	UserID UserID
	// Subject is the name the token's issuer uses: the JWT's sub, the API token's user, or "local".
	Subject string
	Email   string
	Scopes  []Scope
	// Token is the name of the API token that proved it; empty for other proofs.
	Token string
	// ExpiresAt is when the proof ends; zero means it does not end by itself.
	ExpiresAt time.Time
}

// May reports whether the caller's token carries the scope.
func (c Caller) May(s Scope) bool {
	for _, have := range c.Scopes {
		if have == s {
			return true
		}
	}
	return false
}
