package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// ChannelReader reads the places outside to which changes are delivered.
type ChannelReader interface {
	// Channels returns all of the user's channels, the oldest first.
	Channels(ctx context.Context, user model.UserID) ([]model.Channel, error)
}

// ChannelWriter writes them.
type ChannelWriter interface {
	// SaveChannel inserts or replaces a channel; of one that is there it leaves Kind and CreatedAt. Change: operation, of
	// the type of its kind.
	SaveChannel(ctx context.Context, operation model.Operation, channel model.Channel) error
	// DeleteChannel deletes a channel. ErrNotFound. Change: DELETED.
	DeleteChannel(ctx context.Context, channel model.Channel) error
}

// ChannelQueue finds what is to be delivered.
type ChannelQueue interface {
	// ClaimChannels returns up to limit channels of any users whose DueAt is not after now and whose user has changes
	// after their Place, the longest due first, and sets their DueAt to until in the same transaction, so that no other
	// process takes them meanwhile. What it returns holds the new DueAt, which is the lease. What is lost on the way to
	// the caller is due again at until.
	ClaimChannels(ctx context.Context, now, until time.Time, limit int) ([]model.Channel, error)
	// SettleChannel keeps Sealed, State, Place and DueAt of a channel whose lease, the DueAt with which it was claimed or
	// last settled, is still the caller's. ErrNotFound when it is not: the lease has ended, or the channel was changed or
	// deleted. It writes no change.
	SettleChannel(ctx context.Context, lease time.Time, channel model.Channel) error
	// ChannelLoad returns how many channels have changes to deliver, and of the one that has waited longest with
	// something to deliver, since when it was due; zero for none.
	ChannelLoad(ctx context.Context, now time.Time) (behind int, due time.Time, err error)
}

// ChannelTable has their columns.
var ChannelTable = Table[model.Channel, Whole]{Name: "channels", Columns: []Column[model.Channel, Whole]{
	{Name: "id", Field: func(c *model.Channel) any { return &c.ID }},
	{Name: "kind", Once: true, Field: func(c *model.Channel) any { return (*string)(&c.Kind) }},
	{Name: "hash", Field: func(c *model.Channel) any { return &c.Hash }},
	{Name: "sealed", Field: func(c *model.Channel) any { return &c.Sealed }},
	{Name: "state", Field: func(c *model.Channel) any { return &c.State }},
	{Name: "place", Field: func(c *model.Channel) any { return &c.Place }},
	{Name: "created_at", Once: true, Field: func(c *model.Channel) any { return &c.CreatedAt }},
	{Name: "updated_at", Field: func(c *model.Channel) any { return &c.UpdatedAt }},
	{Name: "due_at", Kind: Optional, Field: func(c *model.Channel) any { return &c.DueAt }},
}}
