// Package channels answers the fields of webhooks and of browsers that are told by Web Push.
//
// What is delivered to them, and when, is internal/delivery's. Secrets and addresses are sealed before the store gets
// them and are shown once, or never.
package channels

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/url"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// Resolver answers the fields of channels.
type Resolver struct {
	*core.Base
	Outside Outside
}

// Outside is what is needed of the deliveries; the contract is that of delivery.Manager.
type Outside interface {
	CheckAddress(text string) (*url.URL, error)
	PushSecret(endpoint, key, auth string) (secret model.ChannelSecret, host string, err error)
	NewSecret() (secret []byte, text string)
	Seal(user model.UserID, channel model.UUID, secret model.ChannelSecret) ([]byte, error)
	Open(channel model.Channel) (model.ChannelSecret, error)
	Test(ctx context.Context, channel model.Channel) (status int, problem string, err error)
	PushKey(ctx context.Context) (string, error)
}

// New makes the resolver; without deliveries its mutations are NOT_CONFIGURED.
func New(base *core.Base, outside Outside) *Resolver {
	if outside == nil {
		outside = off{}
	}
	return &Resolver{Base: base, Outside: outside}
}

// off is a server that delivers nothing. What is asked first of it returns an error.
type off struct{ Outside }

func errOff() error {
	return model.Errorf(model.CodeNotConfigured, "This server delivers nothing to webhooks and browsers.")
}

// CheckAddress implements Outside.
func (off) CheckAddress(string) (*url.URL, error) { return nil, errOff() }

// PushSecret implements Outside.
func (off) PushSecret(string, string, string) (model.ChannelSecret, string, error) {
	return model.ChannelSecret{}, "", errOff()
}

// Open implements Outside.
func (off) Open(model.Channel) (model.ChannelSecret, error) { return model.ChannelSecret{}, errOff() }

// Test implements Outside.
func (off) Test(context.Context, model.Channel) (int, string, error) { return 0, "", errOff() }

// PushKey implements Outside.
func (off) PushKey(context.Context) (string, error) { return "", errOff() }

// Webhooks returns the viewer's webhooks.
func (r *Resolver) Webhooks(ctx context.Context) ([]projections.Webhook, error) {
	v, all, err := r.all(ctx, model.ChannelWebhook)
	out := make([]projections.Webhook, len(all))
	for i, one := range all {
		out[i] = r.hookView(v, one)
	}
	return out, err
}

// PushSubscriptions returns the viewer's browsers.
func (r *Resolver) PushSubscriptions(ctx context.Context) ([]projections.PushSubscription, error) {
	v, all, err := r.all(ctx, model.ChannelPush)
	out := make([]projections.PushSubscription, len(all))
	for i, one := range all {
		out[i] = projections.PushSubscriptionAt(one, v.Moment)
	}
	return out, err
}

// PushKey returns the key with which browsers subscribe.
func (r *Resolver) PushKey(ctx context.Context) (*string, error) {
	if _, err := core.ViewerFrom(ctx); err != nil {
		return nil, err
	}
	key, err := r.Outside.PushKey(ctx)
	if err != nil {
		return nil, err
	}
	return &key, nil
}

// all returns the viewer's channels of a kind.
func (r *Resolver) all(ctx context.Context, kind model.ChannelKind) (*core.Viewer, []model.Channel, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := r.Store.Channels(ctx, v.User)
	return v, slices.DeleteFunc(all, func(c model.Channel) bool { return c.Kind != kind }), err
}

// Load fills found with channels by their ids.
func (r *Resolver) Load(ctx context.Context, v *core.Viewer, ids []model.UUID, found map[model.ID]model.Node) error {
	all, err := r.Store.Channels(ctx, v.User)
	for _, one := range all {
		switch {
		case !slices.Contains(ids, one.ID):
		case one.Kind == model.ChannelPush:
			found[one.RecordID()] = projections.PushSubscriptionAt(one, v.Moment)
		default:
			found[one.RecordID()] = r.hookView(v, one)
		}
	}
	return err
}

func (r *Resolver) hookView(v *core.Viewer, channel model.Channel) projections.Webhook {
	return projections.WebhookAt(channel, r.ChangeCursor(v.User, channel.Place), v.Moment)
}

// one finds a channel of a kind by its public id.
func (r *Resolver) one(ctx context.Context, reader store.ChannelReader, v *core.Viewer, field, text string,
	kind model.ChannelKind) (found model.Channel, state model.ChannelState, err error) {
	wanted := model.Channel{Kind: kind}
	id, err := core.RemoteID(field, text, wanted.RecordID().Kind)
	if err != nil {
		return found, state, err
	}
	all, err := reader.Channels(ctx, v.User)
	if err != nil {
		return found, state, err
	}
	for _, one := range all {
		if one.RecordID() == id {
			err := json.Unmarshal([]byte(one.State), &state)
			return one, state, err
		}
	}
	return found, state, model.NotFound(field, "you have nothing with the id %s", model.Clip(text))
}

// room refuses more channels of a kind than a user may have, apart from one that is replaced.
func room(all []model.Channel, kind model.ChannelKind) error {
	n := 0
	for _, one := range all {
		if one.Kind == kind {
			n++
		}
	}
	if n >= model.MaxChannels {
		return model.BadInput("input", "you have %d already, which is the most; delete one first", n)
	}
	return nil
}

// remove deletes a channel of the viewer's.
func (r *Resolver) remove(ctx context.Context, text string, kind model.ChannelKind) (*string, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	var gone string
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		found, _, err := r.one(ctx, tx, v, "input.id", text, kind)
		if err != nil {
			return err
		}
		gone = found.RecordID().String()
		return tx.DeleteChannel(ctx, found)
	})
	if err != nil {
		return nil, err
	}
	return &gone, nil
}

// save writes a channel with its state and secrets.
func (r *Resolver) save(ctx context.Context, tx store.Tx, operation model.Operation, channel *model.Channel,
	state model.ChannelState, secret model.ChannelSecret) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	channel.State, channel.Hash = string(text), sha256.Sum256([]byte(secret.Address))
	if channel.Sealed, err = r.Outside.Seal(channel.User, channel.ID, secret); err != nil {
		return err
	}
	return tx.SaveChannel(ctx, operation, *channel)
}

// result is what came of a test.
type result struct {
	delivered bool
	status    *int32
	problem   *string
}

// test sends a test message, but for a dry run.
func (r *Resolver) test(ctx context.Context, text string, kind model.ChannelKind, dry bool) (out result, err error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return out, err
	}
	channel, _, err := r.one(ctx, r.Store, v, "input.id", text, kind)
	if err != nil || dry {
		return out, err
	}
	status, problem, err := r.Outside.Test(ctx, channel)
	if status != 0 {
		number := int32(status)
		out.status = &number
	}
	if problem != "" {
		out.problem = &problem
	}
	out.delivered = err == nil && problem == ""
	return out, err
}

// label checks what a channel is called.
func label(text *string) (string, error) {
	given := ""
	if text != nil {
		given = *text
	}
	if len(given) > model.MaxChannelLabel {
		return "", model.BadInput("input.label", "a label has at most %d bytes, not %d", model.MaxChannelLabel, len(given))
	}
	return given, nil
}
