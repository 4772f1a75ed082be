package model

import "time"

// ChannelKind is how changes reach a place outside.
type ChannelKind string

// The kinds.
const (
	ChannelWebhook ChannelKind = "WEBHOOK"
	ChannelPush    ChannelKind = "PUSH"
)

// MaxChannels is how many channels of one kind a user may have.
const MaxChannels = 10

// Limits of what is said of a channel, in bytes.
const (
	MaxChannelAddress = 2_000
	MaxChannelLabel   = 200
)

// Channel is a place outside to which a user's changes are delivered, in the order of the log.
type Channel struct {
	User UserID
	ID   UUID
	Kind ChannelKind
	// Hash is the SHA-256 of the address.
	Hash [32]byte
	// Sealed is a ChannelSecret, encrypted.
	Sealed []byte
	// State is a ChannelState, as JSON.
	State string
	// Place is the number of the last change that was delivered, or that is not to be.
	Place                int64
	CreatedAt, UpdatedAt time.Time
	// DueAt is when to deliver next, if there is something, or until when a process delivers; zero for never.
	DueAt time.Time
}

// RecordID is the channel's public id.
func (c *Channel) RecordID() ID {
	if c.Kind == ChannelPush {
		return ID{Kind: KindPush, UUID: c.ID}
	}
	return ID{Kind: KindHook, UUID: c.ID}
}

// ChannelSecret is what nobody but the deliverer reads of a channel.
type ChannelSecret struct {
	// Address is the URL that is called.
	Address string
	// Secret signs a webhook's deliveries. Old does too, until OldEnds.
	Secret  []byte    `json:",omitempty"`
	Old     []byte    `json:",omitempty"`
	OldEnds time.Time `json:",omitzero"`
	// Key and Auth are a browser's public key and its secret, by which messages to it are encrypted (RFC 8291).
	Key  []byte `json:",omitempty"`
	Auth []byte `json:",omitempty"`
}

// ChannelState is what is delivered to a channel, and how it went.
type ChannelState struct {
	// Host is the server in the address.
	Host  string
	Label string `json:",omitempty"`
	// Types and Operations are those that are delivered; all when there are none.
	Types      []ChangeType `json:",omitempty"`
	Operations []Operation  `json:",omitempty"`
	// Texts: titles are delivered too.
	Texts bool `json:",omitempty"`
	// Failures counts the attempts that failed since FailingSince; Problem is why the last one did, for people.
	Failures     int       `json:",omitzero"`
	FailingSince time.Time `json:",omitzero"`
	Problem      string    `json:",omitempty"`
	// DeliveredAt is when something was last delivered.
	DeliveredAt time.Time `json:",omitzero"`
	// DisabledAt is when deliveries ended after long failure, or were turned off; zero for neither.
	DisabledAt time.Time `json:",omitzero"`
}

// ChangeTypeOf is the type of changes of a channel.
func (k ChannelKind) ChangeTypeOf() ChangeType {
	if k == ChannelPush {
		return ChangePush
	}
	return ChangeHook
}
