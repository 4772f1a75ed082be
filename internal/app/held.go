package app

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// DueReminders implements store.Maintainer: none while what is due is held after a restored backup.
func (d database) DueReminders(ctx context.Context, now time.Time, limit int) ([]store.DueReminder, error) {
	return unlessHeld(ctx, d.Store, func() ([]store.DueReminder, error) { return d.Store.DueReminders(ctx, now, limit) })
}

// HeldOutgoing implements store.OutboxKeeper: none while what is due is held after a restored backup.
func (d database) HeldOutgoing(ctx context.Context, now time.Time, limit int) ([]store.OutgoingOf, error) {
	return unlessHeld(ctx, d.Store, func() ([]store.OutgoingOf, error) { return d.Store.HeldOutgoing(ctx, now, limit) })
}

// unlessHeld looks for what is due, unless it is held.
func unlessHeld[T any](ctx context.Context, from store.Restorer, look func() ([]T, error)) ([]T, error) {
	if since, err := from.Held(ctx); err != nil || !since.IsZero() {
		return nil, err
	}
	return look()
}

// DueEventReminders implements store.Maintainer: none while what is due is held after a restored backup.
func (d database) DueEventReminders(ctx context.Context, now time.Time, limit int) ([]store.DueEventReminders, error) {
	return unlessHeld(ctx, d.Store, func() ([]store.DueEventReminders, error) {
		return d.Store.DueEventReminders(ctx, now, limit)
	})
}

// ClaimChannels implements store.ChannelQueue: none while what is due is held after a restored backup.
func (d database) ClaimChannels(ctx context.Context, now, until time.Time, limit int) ([]model.Channel, error) {
	return unlessHeld(ctx, d.Store, func() ([]model.Channel, error) {
		return d.Store.ClaimChannels(ctx, now, until, limit)
	})
}
