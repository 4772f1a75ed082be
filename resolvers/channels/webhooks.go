package channels

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/resolvers/core"
)

// oldSecretFor is how long deliveries are signed with a secret that was replaced too.
const oldSecretFor = 24 * time.Hour

// CreateWebhook has an address told of changes.
func (r *Resolver) CreateWebhook(ctx context.Context,
	in graph.CreateWebhookInput) (*graph.CreateWebhookPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateWebhookPayload{UserErrors: []model.UserError{}}
	address, err := r.Outside.CheckAddress(in.URL)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.url"))
	}
	state := model.ChannelState{Host: address.Host, Types: distinct(in.Types), Operations: distinct(in.Operations),
		Texts: in.Texts}
	if state.Label, err = label(in.Label); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	after, err := core.OpenCursor(r.Base, v, "input.after", core.PurposeChanges, in.After, core.DecodeSeq)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	key, text := r.Outside.NewSecret()
	channel := model.Channel{User: v.User, ID: r.NewID(), Kind: model.ChannelWebhook, CreatedAt: v.Now, UpdatedAt: v.Now,
		DueAt: v.Now}
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.Channels(ctx, v.User)
		if err != nil {
			return err
		}
		if err := room(all, channel.Kind); err != nil {
			return err
		}
		if after != nil {
			channel.Place = *after
			if _, err := r.ChangesAfter(ctx, v.User, after, nil, 1); err != nil {
				return core.AtField(err, "input.after")
			}
		} else if channel.Place, err = r.Store.ChangeHead(ctx, v.User); err != nil {
			return err
		}
		return r.save(ctx, tx, model.OperationCreated, &channel, state,
			model.ChannelSecret{Address: address.String(), Secret: key})
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	view := r.hookView(v, channel)
	out.Webhook, out.Secret = &view, shown(ctx, text)
	return out, nil
}

// shown is a secret that this answer shows and no repetition of it.
func shown(ctx context.Context, secret string) *string {
	if dryrun.Is(ctx) { // which makes none
		return nil
	}
	model.AboutFrom(ctx).Hides(secret)
	return &secret
}

// UpdateWebhook changes a webhook.
func (r *Resolver) UpdateWebhook(ctx context.Context,
	in graph.UpdateWebhookInput) (*graph.UpdateWebhookPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateWebhookPayload{UserErrors: []model.UserError{}}
	var channel model.Channel
	fresh := ""
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		found, state, err := r.one(ctx, tx, v, "input.id", in.ID, model.ChannelWebhook)
		if err != nil {
			return err
		}
		secret, err := r.Outside.Open(found)
		if err != nil {
			return err
		}
		if err := r.change(in, &state, &secret, v.Now); err != nil {
			return err
		}
		if in.RotateSecret {
			secret.Old, secret.OldEnds = secret.Secret, v.Now.Add(oldSecretFor)
			secret.Secret, fresh = r.Outside.NewSecret()
		}
		// It is tried at once: what was wrong may have been mended.
		found.UpdatedAt, found.DueAt = v.Now, v.Now
		if !state.DisabledAt.IsZero() {
			found.DueAt = time.Time{}
		}
		channel = found
		return r.save(ctx, tx, model.OperationUpdated, &channel, state, secret)
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	view := r.hookView(v, channel)
	out.Webhook = &view
	if fresh != "" {
		out.Secret = shown(ctx, fresh)
	}
	return out, nil
}

// change applies what an update says.
func (r *Resolver) change(in graph.UpdateWebhookInput, state *model.ChannelState, secret *model.ChannelSecret,
	now time.Time) (err error) {
	if in.URL != nil {
		address, err := r.Outside.CheckAddress(*in.URL)
		if err != nil {
			return core.AtField(err, "input.url")
		}
		secret.Address, state.Host = address.String(), address.Host
	}
	if in.Label != nil {
		if state.Label, err = label(in.Label); err != nil {
			return err
		}
	}
	if in.Types != nil {
		state.Types = distinct(in.Types)
	}
	if in.Operations != nil {
		state.Operations = distinct(in.Operations)
	}
	if in.Texts != nil {
		state.Texts = *in.Texts
	}
	switch {
	case in.Enabled == nil:
	case *in.Enabled:
		state.DisabledAt, state.Failures, state.FailingSince, state.Problem = time.Time{}, 0, time.Time{}, ""
	case state.DisabledAt.IsZero():
		state.DisabledAt = now
	}
	return nil
}

// DeleteWebhook deletes a webhook.
func (r *Resolver) DeleteWebhook(ctx context.Context,
	in graph.DeleteWebhookInput) (*graph.DeleteWebhookPayload, error) {
	out := &graph.DeleteWebhookPayload{UserErrors: []model.UserError{}}
	gone, err := r.remove(ctx, in.ID, model.ChannelWebhook)
	out.DeletedID = gone
	return out, core.Refuse(&out.UserErrors, err)
}

// TestWebhook sends a test message to a webhook.
func (r *Resolver) TestWebhook(ctx context.Context, in graph.TestWebhookInput) (*graph.TestWebhookPayload, error) {
	out := &graph.TestWebhookPayload{UserErrors: []model.UserError{}}
	got, err := r.test(ctx, in.ID, model.ChannelWebhook, dryrun.Is(ctx))
	out.Delivered, out.Status, out.Problem = got.delivered, got.status, got.problem
	return out, core.Refuse(&out.UserErrors, err)
}

// distinct returns the values sorted, each once.
func distinct[T ~string](values []T) []T { return slices.Compact(slices.Sorted(slices.Values(values))) }
