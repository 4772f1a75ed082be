package model

import (
	"crypto/sha256"
	"time"
)

// Provider is a remote system that a user can link.
type Provider string

// ProviderGoogle serves calendars and mail, ProviderExa websets. Of Exa, a connection is a key: its refresh token is
// the key, and its account a name that tells it from others.
const (
	ProviderGoogle Provider = "GOOGLE"
	ProviderExa    Provider = "EXA"
)

// ConnectionStatus is whether a linked account can be used.
type ConnectionStatus string

// NOT_CONNECTED and NOT_CONFIGURED are never stored: they are what the absence of a connection is called.
const (
	ConnectionConnected     ConnectionStatus = "CONNECTED"
	ConnectionExpired       ConnectionStatus = "EXPIRED"
	ConnectionNotConnected  ConnectionStatus = "NOT_CONNECTED"
	ConnectionNotConfigured ConnectionStatus = "NOT_CONFIGURED"
)

// Connection is an account of a remote system that a user has linked.
type Connection struct {
	ID   UUID
	User UserID
	// Number counts a user's connections from 1 and is never given twice, not even after a disconnect: ids of remote
	// records carry it. Linking the same account of the same provider again keeps its number.
	Number   int
	Provider Provider
	// Account is the account's e-mail address, lower case; unique per user and provider.
	Account string
	Status  ConnectionStatus
	// Scopes are what the user granted, as the provider spells them, sorted.
	Scopes []string
	// StandIn: the account belongs to the in-process stand-in, not to the real provider.
	StandIn  bool
	LinkedAt time.Time
	// UpdatedAt is when status or scopes last changed.
	UpdatedAt time.Time
}

// Credentials are a connection's secrets as the store keeps them: sealed, readable only with the server's token key.
type Credentials struct {
	Connection UUID
	// Refresh and Access are ciphertexts; empty for none.
	Refresh, Access []byte
	// AccessExpires is when the access token ends; zero when unknown.
	AccessExpires time.Time
}

// MaxConnections is how many accounts of one provider a user may link.
const MaxConnections = 16

// UnlinkedID is the id of the entry that says that a user has no account of a provider.
func UnlinkedID(user UserID, provider Provider) UUID {
	return derived(sha256.Sum256(append([]byte("almanac unlinked\x00"+string(provider)+"\x00"), user[:]...)))
}
