package exa

import (
	"context"
	"net/http"

	"almanac/graph/model"
)

// CreateEnrichment begins to find something out of all items of a webset. A lost answer is found again.
func (a *Account) CreateEnrichment(ctx context.Context, webset string,
	enrichment Enrichment) (model.WebsetEnrichment, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetEnrichment{}, err
	}
	id, lost := a.resolve(ctx, webset)
	if lost != nil {
		return model.WebsetEnrichment{}, a.shown(lost)
	}
	body, err := enrichmentOf(enrichment)
	if err != nil {
		return model.WebsetEnrichment{}, err
	}
	raw, err := a.create(ctx, creation{
		operation: "enrichments.create", path: websets("websets", id, "enrichments"),
		body: func(request string) (any, error) {
			marked := *body
			marked.Metadata, err = sentMetadata(enrichment.Metadata, a.Owner.mark(), request)
			return marked, err
		},
		find: func(ctx context.Context, request string) ([]byte, *failure) {
			return a.findWithin(ctx, id, "enrichments", request)
		},
	})
	if err != nil {
		return model.WebsetEnrichment{}, err
	}
	a.Client.key(a.Key).forget(id)
	return readEnrichment(id, raw)
}

// Enrichment reads one.
func (a *Account) Enrichment(ctx context.Context, webset, enrichment string) (model.WebsetEnrichment, error) {
	return a.onEnrichment(ctx, webset, enrichment, ask{operation: "enrichments.get", method: http.MethodGet})
}

// UpdateEnrichment changes one. The remote answers nothing, so it is read afterwards.
func (a *Account) UpdateEnrichment(ctx context.Context, webset, enrichment string,
	patch EnrichmentPatch) (model.WebsetEnrichment, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetEnrichment{}, err
	}
	body := sentPatch{}
	for name, value := range patch.Back {
		body[name] = value
	}
	if patch.Description != nil {
		body["description"] = *patch.Description
	}
	if patch.Format != nil {
		body["format"] = *patch.Format
	}
	if patch.Options != nil {
		body["options"] = labelsOf(patch.Options)
	}
	if err := body.setMetadata(a.Owner, patch.Metadata); err != nil {
		return model.WebsetEnrichment{}, err
	}
	id, lost := a.resolve(ctx, webset)
	if lost == nil && !model.SoundWebsetID(enrichment) {
		lost = notThere()
	}
	if lost == nil {
		lost = a.ask(ctx, ask{
			operation: "enrichments.update", method: http.MethodPatch, path: websets("websets", id, "enrichments", enrichment),
			body: body, again: true,
		})
	}
	if lost != nil {
		return model.WebsetEnrichment{}, a.shown(lost)
	}
	a.Client.key(a.Key).forget(id)
	_, raw, lost := a.within(ctx, id, "enrichments", enrichment, ask{operation: "enrichments.get", method: http.MethodGet})
	if lost != nil {
		return model.WebsetEnrichment{}, a.shown(lost)
	}
	return readEnrichment(id, patched(ctx, raw, body))
}

// CancelEnrichment ends one, which cannot be taken up again.
func (a *Account) CancelEnrichment(ctx context.Context, webset, enrichment string) (model.WebsetEnrichment, error) {
	return a.onEnrichment(ctx, webset, enrichment, ask{operation: "enrichments.cancel", method: http.MethodPost}, "cancel")
}

// DeleteEnrichment deletes one with all that it has found, and returns it as it was; see DeleteWebset.
func (a *Account) DeleteEnrichment(ctx context.Context, webset, enrichment string) (model.WebsetEnrichment, error) {
	return a.onEnrichment(ctx, webset, enrichment, ask{operation: "enrichments.delete", method: http.MethodDelete})
}

func (a *Account) onEnrichment(ctx context.Context, webset, enrichment string, one ask,
	more ...string) (model.WebsetEnrichment, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetEnrichment{}, err
	}
	id, raw, lost := a.within(ctx, webset, "enrichments", enrichment, one, more...)
	if lost != nil && isCancelled(one, lost) {
		id, raw, lost = a.within(ctx, webset, "enrichments", enrichment,
			ask{operation: "enrichments.get", method: http.MethodGet})
	}
	if one.method != http.MethodGet {
		a.Client.key(a.Key).forget(id)
	}
	if isGone(one, lost) {
		return model.WebsetEnrichment{Ref: nested(model.KindEnrichment, "", id, enrichment)}, nil
	}
	if lost != nil {
		return model.WebsetEnrichment{}, a.shown(lost)
	}
	return readEnrichment(id, raw)
}

func readEnrichment(webset string, raw []byte) (model.WebsetEnrichment, error) {
	told, err := read[wireEnrichment](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetEnrichment{}, shown(unreadable())
	}
	return told.enrichment(webset, string(raw)), nil
}
