package exa

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

var webhooksList = listing{operation: "webhooks.list", path: websets("webhooks"), most: mostOthers}

// CreateWebhook makes one; the answer holds its secret, and nothing else ever does. One whose answer was lost is
// deleted, and made anew.
func (a *Account) CreateWebhook(ctx context.Context, webhook Webhook) (model.WebsetWebhook, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetWebhook{}, err
	}
	raw, err := a.create(ctx, creation{
		operation: "webhooks.create", path: websets("webhooks"),
		body: func(request string) (any, error) {
			metadata, err := sentMetadata(webhook.Metadata, a.Owner.mark(), request)
			body := sentWebhook{URL: webhook.URL, Events: webhook.Events, Metadata: metadata}
			if request == "" { // an address of this server's own is sealed anew each time
				body.URL = ""
			}
			return body, err
		},
		find: func(ctx context.Context, request string) ([]byte, *failure) {
			return a.findListed(ctx, webhooksList, request)
		},
		undo: a.undo("webhooks"),
	})
	if err != nil {
		return model.WebsetWebhook{}, err
	}
	return readWebhook(raw)
}

// undo deletes what was found of a collection.
func (a *Account) undo(collection string) func(context.Context, []byte) *failure {
	return func(ctx context.Context, found []byte) *failure {
		id := idOf(found)
		if sound(id) == "" {
			return unreadable()
		}
		_, lost := a.send(ctx, ask{operation: collection + ".delete", method: http.MethodDelete,
			path: websets(collection, id), again: true})
		if lost != nil && lost.Kind == remote.KindMissing {
			return nil
		}
		return lost
	}
}

// Webhooks lists them.
func (a *Account) Webhooks(ctx context.Context, page Page) (List[model.WebsetWebhook], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.WebsetWebhook]{}, err
	}
	return owned(ctx, a, webhooksList, page, a.ownsMarked, func(raw json.RawMessage) (model.WebsetWebhook, bool) {
		webhook, err := read[wireWebhook](raw)
		return webhook.webhook(string(raw)), err == nil && sound(webhook.ID) != ""
	})
}

// Webhook reads one.
func (a *Account) Webhook(ctx context.Context, webhook string) (model.WebsetWebhook, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetWebhook{}, err
	}
	raw, lost := a.mine(ctx, "webhooks.get", "webhooks", webhook, a.ownsMarked)
	if lost != nil {
		return model.WebsetWebhook{}, a.shown(lost)
	}
	return readWebhook(raw)
}

// UpdateWebhook changes one.
func (a *Account) UpdateWebhook(ctx context.Context, webhook string, patch WebhookPatch) (model.WebsetWebhook, error) {
	body := sentPatch{}
	for name, value := range patch.Back {
		body[name] = value
	}
	if patch.URL != nil {
		body["url"] = *patch.URL
	}
	if patch.Events != nil {
		body["events"] = patch.Events
	}
	if err := body.setMetadata(a.Owner, patch.Metadata); err != nil {
		return model.WebsetWebhook{}, err
	}
	return a.onWebhook(ctx, webhook, ask{operation: "webhooks.update", method: http.MethodPatch, body: body})
}

// DeleteWebhook deletes one, and returns it as it was; see DeleteWebset.
func (a *Account) DeleteWebhook(ctx context.Context, webhook string) (model.WebsetWebhook, error) {
	return a.onWebhook(ctx, webhook, ask{operation: "webhooks.delete", method: http.MethodDelete})
}

func (a *Account) onWebhook(ctx context.Context, webhook string, one ask) (model.WebsetWebhook, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetWebhook{}, err
	}
	raw, lost := a.change(ctx, "webhooks", webhook, a.ownsMarked, one)
	if isGone(one, lost) {
		return model.WebsetWebhook{Ref: plain(model.KindWebhook, webhook)}, nil
	}
	if lost != nil {
		return model.WebsetWebhook{}, a.shown(lost)
	}
	return readWebhook(raw)
}

func readWebhook(raw []byte) (model.WebsetWebhook, error) {
	told, err := read[wireWebhook](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetWebhook{}, shown(unreadable())
	}
	return told.webhook(string(raw)), nil
}

// Attempts lists the tries to tell a webhook, the newest first.
func (a *Account) Attempts(ctx context.Context, webhook string, filter AttemptFilter,
	page Page) (List[model.WebsetWebhookAttempt], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.WebsetWebhookAttempt]{}, err
	}
	if lost := a.check(ctx, "webhooks.get", "webhooks", webhook, a.ownsMarked); lost != nil {
		return List[model.WebsetWebhookAttempt]{}, a.shown(lost)
	}
	query := url.Values{}
	if filter.EventType != "" {
		query.Set("eventType", filter.EventType)
	}
	if filter.Successful != nil {
		query.Set("successful", strconv.FormatBool(*filter.Successful))
	}
	list := listing{operation: "attempts.list", path: websets("webhooks", webhook, "attempts"), query: query,
		most: mostOthers}
	return all(ctx, a, list, page, func(raw json.RawMessage) (model.WebsetWebhookAttempt, bool) {
		attempt, err := read[wireAttempt](raw)
		return attempt.attempt(string(raw)), err == nil
	})
}
