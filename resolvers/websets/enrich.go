package websets

import (
	"context"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// CreateWebsetEnrichment finds something out of each item of a webset.
func (r *Resolver) CreateWebsetEnrichment(ctx context.Context,
	in graph.CreateWebsetEnrichmentInput) (*graph.CreateWebsetEnrichmentPayload, error) {
	out := &graph.CreateWebsetEnrichmentPayload{UserErrors: []model.UserError{}}
	wanted, err := enrichmentOf("input.enrichment", in.Enrichment)
	if err == nil {
		out.Enrichment, err = act(ctx, r, named{"input.websetId", in.WebsetID, model.KindWebset}, model.OperationCreated,
			madeOf, projections.WebsetEnrichmentAt,
			func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
				return a.CreateEnrichment(ctx, ref.ID, wanted)
			})
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Enrichment != nil)
	return out, nil
}

// enrichmentPatch reads what to change of an enrichment.
func enrichmentPatch(in graph.UpdateWebsetEnrichmentInput) (out exa.EnrichmentPatch, err error) {
	if in.Description == nil && in.Format == nil && in.Options == nil && !in.Metadata.IsSet() {
		return out, model.BadInput("input", "say what to change: description, format, options or metadata")
	}
	if in.Description != nil {
		clean, err := core.CleanText("input.description", *in.Description, model.MaxWebsetDescription)
		if err != nil {
			return out, err
		}
		out.Description = &clean
	}
	if in.Format != nil || in.Options != nil {
		format, options, err := formatOf("input", in.Format, in.Options)
		if err != nil {
			return out, err
		}
		out.Format, out.Options = &format, options
	}
	out.Metadata, err = metadataPatch(in.Metadata)
	return out, err
}

// UpdateWebsetEnrichment changes what an enrichment finds out.
func (r *Resolver) UpdateWebsetEnrichment(ctx context.Context,
	in graph.UpdateWebsetEnrichmentInput) (*graph.UpdateWebsetEnrichmentPayload, error) {
	out := &graph.UpdateWebsetEnrichmentPayload{UserErrors: []model.UserError{}}
	patch, err := enrichmentPatch(in)
	if err == nil {
		out.Enrichment, err = change(ctx, r, named{"input.id", in.ID, model.KindEnrichment}, projections.WebsetEnrichmentAt,
			func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
				return a.UpdateEnrichment(ctx, ref.Within, ref.ID, patch)
			})
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Enrichment != nil)
	return out, nil
}

// CancelWebsetEnrichment stops an enrichment.
func (r *Resolver) CancelWebsetEnrichment(ctx context.Context,
	in graph.CancelWebsetEnrichmentInput) (*graph.CancelWebsetEnrichmentPayload, error) {
	out := &graph.CancelWebsetEnrichmentPayload{UserErrors: []model.UserError{}}
	var err error
	out.Enrichment, err = act(ctx, r, named{"input.id", in.ID, model.KindEnrichment}, model.OperationUpdated, stopped,
		projections.WebsetEnrichmentAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
			return a.CancelEnrichment(ctx, ref.Within, ref.ID)
		})
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Enrichment != nil)
	return out, nil
}

// DeleteWebsetEnrichment deletes an enrichment.
func (r *Resolver) DeleteWebsetEnrichment(ctx context.Context,
	in graph.DeleteWebsetEnrichmentInput) (*graph.DeleteWebsetEnrichmentPayload, error) {
	out := &graph.DeleteWebsetEnrichmentPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	var err error
	if out.Enrichment, err = remove(ctx, r, named{"input.id", in.ID, model.KindEnrichment}, projections.WebsetEnrichmentAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
			return a.DeleteEnrichment(ctx, ref.Within, ref.ID)
		}); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = 1, &in.ID, aboutOne(true)
	return out, nil
}
