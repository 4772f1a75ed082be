package projections

import (
	"encoding/json"

	"almanac/graph/model"
)

// channel is what the views of channels share.
type channel struct {
	node[model.Channel]
	state model.ChannelState
}

func channelAt(record model.Channel, at *Moment) channel {
	c := channel{node: nodeAt(record, at)}
	// What the store has was written by this program; of what it cannot read nothing is shown.
	_ = json.Unmarshal([]byte(record.State), &c.state)
	return c
}

// ID is the public id.
func (c channel) ID() model.ID { return c.record.RecordID() }

// Host is the server in the address.
func (c channel) Host() string { return c.state.Host }

// Label is what its owner calls it.
func (c channel) Label() *string { return optional(c.state.Label) }

// Failures is how many attempts have failed since the last good one.
func (c channel) Failures() int { return c.state.Failures }

// Problem is why the last attempt failed.
func (c channel) Problem() *string { return optional(c.state.Problem) }

// DeliveredAt is when something was last delivered.
func (c channel) DeliveredAt() model.OptionalDateTime {
	return c.at.OptionalDateTime(c.state.DeliveredAt)
}

// DisabledAt is when it was turned off.
func (c channel) DisabledAt() model.OptionalDateTime {
	return c.at.OptionalDateTime(c.state.DisabledAt)
}

// CreatedAt is when it was made.
func (c channel) CreatedAt() model.DateTime { return c.at.DateTime(c.record.CreatedAt) }

// Webhook is a webhook as seen at a moment.
type Webhook struct {
	channel
	cursor string
}

// WebhookAt returns the webhook's view; cursor is that of its place.
func WebhookAt(record model.Channel, cursor string, at *Moment) Webhook {
	return Webhook{channelAt(record, at), cursor}
}

// Types are those of the changes that it is told of.
func (w Webhook) Types() []model.ChangeType { return present(w.state.Types) }

// Operations are those that it is told of.
func (w Webhook) Operations() []model.Operation { return present(w.state.Operations) }

// Texts reports whether titles are delivered.
func (w Webhook) Texts() bool { return w.state.Texts }

// Enabled reports whether it is told of changes.
func (w Webhook) Enabled() bool { return w.state.DisabledAt.IsZero() }

// Cursor is its place in the log.
func (w Webhook) Cursor() string { return w.cursor }

// FailingSince is since when it fails.
func (w Webhook) FailingSince() model.OptionalDateTime {
	return w.at.OptionalDateTime(w.state.FailingSince)
}

// NextAt is when it is tried next after a failure.
func (w Webhook) NextAt() model.OptionalDateTime {
	if w.state.Failures == 0 {
		return model.OptionalDateTime{}
	}
	return w.at.OptionalDateTime(w.record.DueAt)
}

// UpdatedAt is when its owner last changed it.
func (w Webhook) UpdatedAt() model.DateTime { return w.at.DateTime(w.record.UpdatedAt) }

// PushSubscription is a browser that is told of reminders, as seen at a moment.
type PushSubscription struct{ channel }

// PushSubscriptionAt returns the subscription's view.
func PushSubscriptionAt(record model.Channel, at *Moment) PushSubscription {
	return PushSubscription{channelAt(record, at)}
}
