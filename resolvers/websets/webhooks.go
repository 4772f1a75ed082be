package websets

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/resolvers/core"
)

// hookBeingMade is for how long a webhook that Exa has not answered for may still be under way. After that its maker
// has crashed.
const hookBeingMade = 2 * time.Minute

// hookID is our id of the webhook that this mutation field makes; under an Idempotency-Key the same in every
// repetition.
func (r *Resolver) hookID(ctx context.Context) model.UUID {
	id := r.NewID()
	if seed, ok := model.SeedFrom(fieldSeed(ctx)); ok {
		sum := sha256.Sum256(append([]byte("almanac webhook\x00"), seed[:]...))
		copy(id[:], sum[:])
	}
	return id
}

// CreateWebsetWebhook has Exa tell this server, or an address of the caller's own, of events.
//
// It is written down before Exa is asked, and completed with Exa's answer: a crash in between leaves a row that has no
// webhook of Exa's, by which the next creation finds what Exa may have made meanwhile, and deletes it.
func (r *Resolver) CreateWebsetWebhook(ctx context.Context,
	in graph.CreateWebsetWebhookInput) (*graph.CreateWebsetWebhookPayload, error) {
	out := &graph.CreateWebsetWebhookPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	wanted, err := newWebhook(in)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	hook := store.WebsetHook{User: v.User, ID: r.hookID(ctx), Receives: in.URL == nil, CreatedAt: v.Now}
	if hook.Receives && r.WebsetHooks == nil {
		err = model.Errorf(model.CodeNotConfigured,
			"this server has no address that Exa could reach; its operator sets ALMANAC_PUBLIC_URL, or give a url of your own")
	} else if hook.Receives {
		wanted.URL, err = r.WebsetHooks.Address(ctx, v.User, hook.ID)
	}
	if err == nil {
		err = r.clearHooks(ctx, v, account, hook)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	made, err := r.makeHook(ctx, v, account, hook, wanted)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	r.keepExa(ctx, v, madeOf(&made))
	if !hook.Receives && !dryrun.Is(ctx) {
		out.Secret = &made.Secret
		model.AboutFrom(ctx).Hides(made.Secret)
	}
	view := projections.WebsetWebhookAt(made, hook.Receives)
	out.Webhook, out.Context = &view, aboutOne(true)
	return out, nil
}

// newWebhook reads a webhook to be made.
func newWebhook(in graph.CreateWebsetWebhookInput) (out exa.Webhook, err error) {
	if in.URL != nil {
		if out.URL, err = hookAddress("input.url", *in.URL); err != nil {
			return out, err
		}
	}
	out.Events = model.WebsetEventTypes()
	if in.Events != nil {
		if out.Events, err = eventTypes("input.events", in.Events); err != nil {
			return out, err
		}
	}
	out.Metadata, err = exaMetadata("input.metadata", in.Metadata)
	return out, err
}

// clearHooks makes room for a webhook: it takes away what crashed creations have left, here and at Exa, what an earlier
// try of the same request has made, since its secret can no longer be told, and rows of webhooks that Exa no longer
// has. CONFLICT when this server is told already.
func (r *Resolver) clearHooks(ctx context.Context, v *core.Viewer, account ExaAccount, hook store.WebsetHook) error {
	all, err := r.Store.WebsetHooks(ctx, v.User)
	if err != nil {
		return err
	}
	for _, old := range all {
		drop := old.ID == hook.ID
		young := v.Now.Sub(old.CreatedAt) < hookBeingMade
		switch {
		case drop:
		case !old.Receives: // there may be any number of them
			drop = old.Remote == "" && !young
		case !hook.Receives:
		case old.Remote != "":
			_, err := account.Webhook(ctx, old.Remote)
			if err == nil {
				there := model.WebsetRef{Kind: model.KindWebhook, ID: old.Remote}
				return model.Errorf(model.CodeConflict,
					"this server is told of your events already, by %s; change that one, or delete it first", there.PublicID())
			}
			if model.CodeOf(err) != model.CodeNotFound {
				return err
			}
			drop = true
		case young:
			return model.Errorf(model.CodeConflict,
				"another request is just making this webhook; look at websetWebhooks in a moment")
		default:
			drop = true
		}
		if !drop {
			continue
		}
		if err := r.dropHook(ctx, v, account, old); err != nil {
			return err
		}
	}
	return nil
}

// dropHook takes a webhook away at Exa, where it is found by Exa's id or by its address, and its row.
func (r *Resolver) dropHook(ctx context.Context, v *core.Viewer, account ExaAccount, old store.WebsetHook) error {
	orphans := []string{old.Remote}
	if old.Remote == "" {
		var err error
		if orphans, err = r.orphansOf(ctx, v, account, old); err != nil {
			return err
		}
	}
	for _, remote := range orphans {
		if _, err := account.DeleteWebhook(ctx, remote); err != nil && model.CodeOf(err) != model.CodeNotFound {
			return err
		}
	}
	return r.eraseHook(ctx, v, old.ID)
}

// orphansOf returns the webhooks at Exa that send to the address of a row.
func (r *Resolver) orphansOf(ctx context.Context, v *core.Viewer, account ExaAccount,
	old store.WebsetHook) ([]string, error) {
	if !old.Receives || r.WebsetHooks == nil {
		return nil, nil
	}
	var found []string
	after := ""
	for range maxCountPages {
		page, err := account.Webhooks(ctx, exa.Page{Limit: exaOthers, After: after})
		if err != nil {
			return nil, err
		}
		for _, one := range page.Items {
			if id, ours := r.WebsetHooks.HookAt(v.User, one.URL); ours && id == old.ID {
				found = append(found, one.Ref.ID)
			}
		}
		if after = page.Next; after == "" {
			break
		}
	}
	return found, nil
}

// eraseHook erases a row; one that is gone is no error.
func (r *Resolver) eraseHook(ctx context.Context, v *core.Viewer, id model.UUID) error {
	err := r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return tx.DeleteWebsetHook(ctx, id) })
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func (r *Resolver) saveHook(ctx context.Context, v *core.Viewer, hook store.WebsetHook) error {
	err := r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return tx.SaveWebsetHook(ctx, hook) })
	if errors.Is(err, store.ErrConflict) {
		return model.Errorf(model.CodeConflict, "you have %d webhooks already; delete one first", store.MaxWebsetHooks)
	}
	return err
}

// makeHook writes the row, has Exa make the webhook, and completes the row with its secret. What Exa has refused leaves
// no row; what it may have made leaves one.
func (r *Resolver) makeHook(ctx context.Context, v *core.Viewer, account ExaAccount, hook store.WebsetHook,
	wanted exa.Webhook) (model.WebsetWebhook, error) {
	if err := r.saveHook(ctx, v, hook); err != nil {
		return model.WebsetWebhook{}, err
	}
	made, err := account.CreateWebhook(fieldSeed(ctx), wanted)
	if dryrun.Is(ctx) { // which knows no secret
		return made, err
	}
	if err == nil && made.Secret == "" { // an earlier try has made it, and its answer with the secret was lost
		if _, err = account.DeleteWebhook(ctx, made.Ref.ID); err == nil {
			made, err = account.CreateWebhook(fieldSeed(ctx), wanted)
		}
	}
	if err == nil && made.Secret == "" {
		err = model.Errorf(model.CodeUpstreamUnavailable,
			"Exa has made the webhook %s without telling its secret; delete it and try again", made.Ref.PublicID())
	}
	after, cancel := core.AfterRequest(ctx)
	defer cancel()
	if err != nil {
		if _, refused := model.Mendable(err); refused {
			_ = r.eraseHook(after, v, hook.ID) // a row that stays is taken away by the next creation
		}
		return made, err
	}
	hook.Remote = made.Ref.ID
	if r.WebsetHooks != nil {
		hook.Secret, err = r.WebsetHooks.Seal(v.User, hook.ID, made.Secret)
	} else {
		err = errors.New("nothing seals secrets")
	}
	if err == nil {
		err = r.saveHook(after, v, hook)
	}
	if err != nil { // a webhook whose events nobody can prove is worse than none
		_, _ = account.DeleteWebhook(after, made.Ref.ID)
		_ = r.eraseHook(after, v, hook.ID)
		return made, fmt.Errorf("keep a webhook: %w", err)
	}
	return made, nil
}

// rowOfHook returns the row of a webhook of Exa's, if there is one.
func (r *Resolver) rowOfHook(ctx context.Context, v *core.Viewer, remote string) (store.WebsetHook, bool, error) {
	all, err := r.Store.WebsetHooks(ctx, v.User)
	for _, hook := range all {
		if hook.Remote == remote {
			return hook, true, nil
		}
	}
	return store.WebsetHook{}, false, err
}

// UpdateWebsetWebhook changes a webhook.
func (r *Resolver) UpdateWebsetWebhook(ctx context.Context,
	in graph.UpdateWebsetWebhookInput) (*graph.UpdateWebsetWebhookPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateWebsetWebhookPayload{UserErrors: []model.UserError{}}
	patch, err := webhookPatch(in)
	var row store.WebsetHook
	if err == nil {
		row, err = r.hookToChange(ctx, v, in)
	}
	if err == nil {
		view := func(hook model.WebsetWebhook, _ *projections.Moment) projections.WebsetWebhook {
			return projections.WebsetWebhookAt(hook, row.Receives)
		}
		out.Webhook, err = change(ctx, r, named{"input.id", in.ID, model.KindWebhook}, view,
			func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetWebhook, error) {
				return a.UpdateWebhook(ctx, ref.ID, patch)
			})
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Webhook != nil)
	return out, nil
}

// hookToChange returns the row of the webhook that is to be changed, the zero row for none. One that this server
// receives keeps its address.
func (r *Resolver) hookToChange(ctx context.Context, v *core.Viewer,
	in graph.UpdateWebsetWebhookInput) (store.WebsetHook, error) {
	ref, err := WebsetRef("input.id", in.ID, model.KindWebhook)
	if err != nil {
		return store.WebsetHook{}, err
	}
	row, _, err := r.rowOfHook(ctx, v, ref.ID)
	if err == nil && row.Receives && in.URL != nil {
		err = model.BadInput("input.url",
			"this server receives the webhook, at an address that does not change; make another webhook for an address of your "+
				"own")
	}
	return row, err
}

// webhookPatch reads what to change of a webhook.
func webhookPatch(in graph.UpdateWebsetWebhookInput) (out exa.WebhookPatch, err error) {
	if in.URL == nil && in.Events == nil && !in.Metadata.IsSet() {
		return out, model.BadInput("input", "say what to change: url, events or metadata")
	}
	if in.URL != nil {
		address, err := hookAddress("input.url", *in.URL)
		if err != nil {
			return out, err
		}
		out.URL = &address
	}
	if in.Events != nil {
		if out.Events, err = eventTypes("input.events", in.Events); err != nil {
			return out, err
		}
	}
	out.Metadata, err = metadataPatch(in.Metadata)
	return out, err
}

// DeleteWebsetWebhook deletes a webhook, with what this server keeps of it.
func (r *Resolver) DeleteWebsetWebhook(ctx context.Context,
	in graph.DeleteWebsetWebhookInput) (*graph.DeleteWebsetWebhookPayload, error) {
	out := &graph.DeleteWebsetWebhookPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	ref, was, v, err := erase(ctx, r, named{"input.id", in.ID, model.KindWebhook},
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetWebhook, error) {
			return a.DeleteWebhook(ctx, ref.ID)
		})
	if err != nil && model.CodeOf(err) != model.CodeNotFound {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	row, kept, lost := r.hookOf(ctx, in.ID)
	if kept && lost == nil { // also when Exa has it no more: the row would only wait for events that never come
		viewer, _ := core.ViewerFrom(ctx)
		lost = r.eraseHook(ctx, viewer, row.ID)
	}
	if lost != nil {
		core.AddError(ctx, lost)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = 1, &in.ID, aboutOne(true)
	r.keepExa(ctx, v, deleted(ref, was))
	if was != nil {
		view := projections.WebsetWebhookAt(*was, row.Receives)
		out.Webhook = &view
	}
	return out, nil
}

// hookOf returns the row of the webhook of an id.
func (r *Resolver) hookOf(ctx context.Context, text string) (store.WebsetHook, bool, error) {
	ref, err := WebsetRef("input.id", text, model.KindWebhook)
	if err != nil {
		return store.WebsetHook{}, false, nil //nolint:nilerr // it has been told already
	}
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return store.WebsetHook{}, false, err
	}
	return r.rowOfHook(ctx, v, ref.ID)
}
