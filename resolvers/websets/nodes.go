package websets

import (
	"context"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// ChangeTypes are the kinds of changes that are about Exa's records.
func ChangeTypes() []model.ChangeType {
	return []model.ChangeType{model.ChangeWebset, model.ChangeWebsetItem, model.ChangeMonitor, model.ChangeWebsetImport}
}

// LoadExa fills found with Exa's records, one question for each, several at once. What is not there is missing; what
// cannot be read now tells of itself through failed.
func (r *Resolver) LoadExa(ctx context.Context, v *core.Viewer, ids []model.ID, found map[model.ID]model.Node,
	failed func(error)) error {
	ids = core.Distinct(ids)
	if len(ids) == 0 {
		return nil
	}
	account, err := r.exaOf(ctx, v)
	if err != nil {
		failed(err)
		return nil
	}
	var here map[string]bool
	for _, id := range ids {
		if id.Kind != model.KindWebhook || here != nil {
			continue
		}
		if here, err = r.receivedHere(ctx, v); err != nil {
			return err
		}
	}
	nodes, failures := core.AskEach(ids, func(id model.ID) (model.Node, error) {
		ref, err := model.WebsetRefOf(id)
		if err != nil {
			return nil, err
		}
		return oneOfExa(ctx, v, account, ref, here)
	})
	for i, id := range ids {
		switch {
		case failures[i] == nil:
			found[id] = nodes[i]
		case model.CodeOf(failures[i]) != model.CodeNotFound:
			failed(failures[i])
		}
	}
	return nil
}

// oneOfExa reads one record and returns its view; here are Exa's ids of the webhooks that this server receives.
func oneOfExa(ctx context.Context, v *core.Viewer, account ExaAccount, ref model.WebsetRef,
	here map[string]bool) (model.Node, error) {
	switch ref.Kind {
	case model.KindWebset:
		record, err := account.Webset(ctx, ref.ID)
		return projections.WebsetAt(record, v.Moment), err
	case model.KindWebsetSearch:
		record, err := account.Search(ctx, ref.Within, ref.ID)
		return projections.WebsetSearchAt(record, v.Moment), err
	case model.KindWebsetItem:
		record, err := account.Item(ctx, ref.Within, ref.ID)
		return projections.WebsetItemAt(record, v.Moment), err
	case model.KindEnrichment:
		record, err := account.Enrichment(ctx, ref.Within, ref.ID)
		return projections.WebsetEnrichmentAt(record, v.Moment), err
	case model.KindMonitor:
		record, err := account.Monitor(ctx, ref.ID)
		return projections.WebsetMonitorAt(record, v.Moment), err
	case model.KindMonitorRun:
		record, err := account.Run(ctx, ref.Within, ref.ID)
		return projections.WebsetMonitorRunAt(record, v.Moment), err
	case model.KindWebhook:
		record, err := account.Webhook(ctx, ref.ID)
		return projections.WebsetWebhookAt(record, here[ref.ID]), err
	case model.KindWebsetImport:
		record, err := account.Import(ctx, ref.ID)
		return projections.WebsetImportAt(record, v.Moment), err
	case model.KindWebsetEvent:
		record, err := account.Event(ctx, ref.ID)
		return projections.WebsetEventAt(record, v.Moment), err
	default:
		record, err := account.Research(ctx, ref.ID)
		return projections.ResearchAt(record, v.Moment), err
	}
}

// ChangedWebsets loads Exa's records among changes, as they are now.
func (r *Resolver) ChangedWebsets(ctx context.Context, v *core.Viewer, lines []model.Change,
	failed func(error)) (map[model.UUID]model.Node, error) {
	var ids []model.ID
	for _, kind := range ChangeTypes() {
		ids = append(ids, core.ChangedIDs(lines, kind)...)
	}
	found := make(map[model.ID]model.Node, len(ids))
	if err := r.LoadExa(ctx, v, ids, found, failed); err != nil {
		return nil, err
	}
	nodes := make(map[model.UUID]model.Node, len(found))
	for id, node := range found {
		nodes[id.UUID] = node
	}
	return nodes, nil
}
