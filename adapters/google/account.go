package google

import (
	"context"
	"log/slog"
	"time"

	"almanac/graph/model"
)

// Account is one Google account that a user has linked. User and Connection name it; Email is for answers, never for
// lookups or log lines.
type Account struct {
	User       model.UserID
	Connection model.UUID
	Email      string
}

// accountKey is what tells accounts apart: an address may be written in several ways.
type accountKey struct {
	user       model.UserID
	connection model.UUID
}

func (a Account) key() accountKey { return accountKey{user: a.User, connection: a.Connection} }

// Token is what Google granted for an account. fmt and slog show a stand-in for it; encoding/json shows it whole, for a
// vault that encrypts what it writes.
type Token struct {
	// Access is the bearer token; Refresh makes new ones, and is empty when Google gave none.
	Access  string
	Refresh string
	// Expiry is when Access ends; zero means that Google did not say.
	Expiry time.Time
	// Scopes are those granted, which can be fewer than were asked for. Empty: unknown.
	Scopes []string
}

// hiddenToken stands for a token wherever one would be printed.
const hiddenToken = "[token]"

// String returns a stand-in, also to fmt's %v.
func (Token) String() string { return hiddenToken }

// GoString returns the stand-in to fmt's %#v.
func (Token) GoString() string { return hiddenToken }

// LogValue returns the stand-in to slog.
func (Token) LogValue() slog.Value { return slog.StringValue(hiddenToken) }

// Vault keeps the tokens of accounts. It must be safe for goroutines.
type Vault interface {
	// Token returns what is kept. A *model.Error (NOT_CONNECTED, say) reaches the caller of the API as it is.
	Token(ctx context.Context, account Account) (Token, error)
	// SaveToken replaces what is kept by a renewed token. It is called before the token is first used. It must not bring
	// back a connection that was taken away while the token was renewed.
	SaveToken(ctx context.Context, account Account, token Token) error
	// Expire marks the connection as one that the user must make anew; the reason is one word for the log. After it, Token
	// should answer NOT_CONNECTED.
	Expire(ctx context.Context, account Account, reason string) error
}
