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
	out := &graph.CreateWebsetEnrichmentPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	wanted, err := enrichmentOf("input.enrichment", in.Enrichment)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	record, v, err := actOn(ctx, r, "input.websetId", in.WebsetID, model.KindWebset,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
			return a.CreateEnrichment(ctx, ref.ID, wanted)
		})
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	r.logWithin(ctx, v, record.Ref, madeOf(record.Ref, &record))
	view := projections.WebsetEnrichmentAt(record, v.Moment)
	out.Enrichment, out.Context = &view, aboutOne(true)
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
	out := &graph.UpdateWebsetEnrichmentPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	patch, err := enrichmentPatch(in)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	was, err := r.before(ctx, in.ID, model.KindEnrichment)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	record, v, err := actOn(ctx, r, "input.id", in.ID, model.KindEnrichment,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
			return a.UpdateEnrichment(ctx, ref.Within, ref.ID, patch)
		})
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	r.logWithin(ctx, v, record.Ref,
		changed(record.Ref, was, seen{record.Raw, record.Status, record.Metadata}, &record))
	view := projections.WebsetEnrichmentAt(record, v.Moment)
	out.Enrichment, out.Context = &view, aboutOne(true)
	return out, nil
}

// CancelWebsetEnrichment stops an enrichment.
func (r *Resolver) CancelWebsetEnrichment(ctx context.Context,
	in graph.CancelWebsetEnrichmentInput) (*graph.CancelWebsetEnrichmentPayload, error) {
	out := &graph.CancelWebsetEnrichmentPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	record, v, err := actOn(ctx, r, "input.id", in.ID, model.KindEnrichment,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
			return a.CancelEnrichment(ctx, ref.Within, ref.ID)
		})
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	r.logWithin(ctx, v, record.Ref, stopped(record.Ref, &record))
	view := projections.WebsetEnrichmentAt(record, v.Moment)
	out.Enrichment, out.Context = &view, aboutOne(true)
	return out, nil
}

// DeleteWebsetEnrichment deletes an enrichment.
func (r *Resolver) DeleteWebsetEnrichment(ctx context.Context,
	in graph.DeleteWebsetEnrichmentInput) (*graph.DeleteWebsetEnrichmentPayload, error) {
	out := &graph.DeleteWebsetEnrichmentPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	was, v, err := erase(ctx, r, "input.id", in.ID, model.KindEnrichment,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
			return a.DeleteEnrichment(ctx, ref.Within, ref.ID)
		})
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = 1, &in.ID, aboutOne(true)
	if ref, err := WebsetRef("input.id", in.ID, model.KindEnrichment); err == nil {
		r.logWithin(ctx, v, ref, deleted(ref, was))
	}
	if was != nil {
		view := projections.WebsetEnrichmentAt(*was, v.Moment)
		out.Enrichment = &view
	}
	return out, nil
}
