package channels

import (
	"context"
	"crypto/sha256"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/resolvers/core"
)

// RegisterPush has a browser told of reminders.
func (r *Resolver) RegisterPush(ctx context.Context, in graph.RegisterPushInput) (*graph.RegisterPushPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.RegisterPushPayload{UserErrors: []model.UserError{}}
	secret, host, err := r.Outside.PushSecret(in.Endpoint, in.P256dh, in.Auth)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	state := model.ChannelState{Host: host, Texts: true}
	if state.Label, err = label(in.Label); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	channel := model.Channel{User: v.User, ID: r.NewID(), Kind: model.ChannelPush, CreatedAt: v.Now, UpdatedAt: v.Now,
		DueAt: v.Now}
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.Channels(ctx, v.User)
		if err != nil {
			return err
		}
		operation := model.OperationCreated
		hash := sha256.Sum256([]byte(secret.Address))
		for _, one := range all {
			if one.Kind == channel.Kind && one.Hash == hash {
				channel.ID, channel.CreatedAt, operation = one.ID, one.CreatedAt, model.OperationUpdated
			}
		}
		if operation == model.OperationCreated {
			if err := room(all, channel.Kind); err != nil {
				return err
			}
		}
		if channel.Place, err = r.Store.ChangeHead(ctx, v.User); err != nil {
			return err
		}
		return r.save(ctx, tx, operation, &channel, state, secret)
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	view := projections.PushSubscriptionAt(channel, v.Moment)
	out.Subscription = &view
	return out, nil
}

// RemovePush ends a browser's subscription.
func (r *Resolver) RemovePush(ctx context.Context, in graph.RemovePushInput) (*graph.RemovePushPayload, error) {
	out := &graph.RemovePushPayload{UserErrors: []model.UserError{}}
	gone, err := r.remove(ctx, in.ID, model.ChannelPush)
	out.DeletedID = gone
	return out, core.Refuse(&out.UserErrors, err)
}

// TestPush sends a notification to a browser.
func (r *Resolver) TestPush(ctx context.Context, in graph.TestPushInput) (*graph.TestPushPayload, error) {
	out := &graph.TestPushPayload{UserErrors: []model.UserError{}}
	got, err := r.test(ctx, in.ID, model.ChannelPush, dryrun.Is(ctx))
	out.Delivered, out.Status, out.Problem = got.delivered, got.status, got.problem
	return out, core.Refuse(&out.UserErrors, err)
}
